"""Words: what the dealer says, and when."""

from collections.abc import Mapping
from random import Random

from houseway.games.contest import Three, contest_of
from houseway.games.contract import Seen
from houseway.live.phases import Phase
from houseway.live.state import Round, open_round
from houseway.live.words import no_more_bets, prompt
from houseway.names import Bet
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.felt import plain_words, position_choices
from houseway.training.marks import choice_field, known_clause, yes_field
from houseway.training.packs import any_three, some_three
from houseway.training.rounds import (
    bets_text,
    round_scene,
    some_positions,
    some_round,
    states,
    texts_as_choices,
)
from houseway.training.skill import Question, Skill, three_card

NOBODY = "nobody"


def dealer_words(ruleset: Ruleset, hand: Three) -> str:
    """What the dealer says of a hand."""
    return ruleset.game.announce(Seen(dealer=hand), ruleset.options)


def now(rng: Random, ruleset: Ruleset) -> Question:
    """What is said now, at some moment of a round."""
    begun = some_round(rng, ruleset)
    every = states(rng, begun)
    spoken = [table for table in every if prompt(table).say]
    by_words = {prompt(table).say: table for table in [open_round(ruleset), *spoken]}
    table = by_words[rng.choice(sorted(by_words))]
    found = prompt(table)
    wrong = [*by_words, *_slips(rng, begun)]
    if three_card(ruleset):
        wrong += [dealer_words(ruleset, any_three(rng)) for _ in range(2)]
    else:
        wrong += [f"Position {position}?" for position in range(1, 8)]
    if table.phase is Phase.BETTING:
        # While bets are open both could be said, so only one of them is offered.
        opening = prompt(open_round(ruleset)).say
        wrong = [text for text in wrong if text != opening]
    answer, choices = texts_as_choices(rng, found.say, wrong)
    return Question(
        question="What do you say now?",
        scene=round_scene(rng, table),
        fields=(
            choice_field(
                "say",
                "You say",
                answer,
                choices,
                f"Said now: {found.say} Done then: {plain_words(found.do)}",
                known_clause(found.clause, ruleset.game.clause("no more bets")),
            ),
        ),
    )


def _slips(rng: Random, begun: Round) -> list[str]:
    """The end of betting with the wrong positions: those who have Pair Plus, or other ones."""
    found = [no_more_bets(open_round(begun.ruleset))]
    if not three_card(begun.ruleset):
        return found
    for _ in range(3):
        seats = tuple(
            seat._replace(wagers=_toggled(seat.wagers)) if rng.random() < 0.6 else seat
            for seat in begun.seats
        )
        found.append(no_more_bets(begun._replace(seats=seats)))
    return found


def _toggled(wagers: Mapping[Bet, int]) -> dict[Bet, int]:
    if not wagers:
        return {}
    if "pair-plus" in wagers:
        return {bet: cents for bet, cents in wagers.items() if bet != "pair-plus"} or {"ante": 1}
    return {**wagers, "pair-plus": 1}


def no_pair_plus(rng: Random, ruleset: Ruleset) -> Question:
    """Who is named as having no Pair Plus."""
    positions = some_positions(rng, 3, 6)
    table = some_round(rng, ruleset, positions=positions, lit=False)
    without = [p for p in positions if "pair-plus" not in table.seat(p).wagers]
    found = no_more_bets(table)
    facts = tuple((f"Position {p}", bets_text(table.seat(p))) for p in positions)
    choices = position_choices(positions)
    where = ruleset.game.clause("no more bets")
    return Question(
        question="Betting ends. Which positions do you name as having no Pair Plus?",
        scene=Scene(facts=facts),
        fields=(
            Field(
                name="positions",
                label="Without Pair Plus",
                kind="several",
                answer=tuple(str(p) for p in without) or (NOBODY,),
                why=f"You say: {found}",
                clause="TSR-23" if where == "TSR-22" else where,
                choices=(*choices, Choice(NOBODY, "Nobody: all have it")),
            ),
        ),
    )


def dealer(rng: Random, ruleset: Ruleset) -> Question:
    """Whether the dealer plays, and what is said of it."""
    rules = contest_of(ruleset.game)
    hand = any_three(rng) if rng.random() < 0.6 else some_three(rng)
    shown = tuple(sorted(hand, reverse=True))
    plays = rules.dealer_plays(rules.value(hand, ruleset.options))
    said = dealer_words(ruleset, hand)
    wrong = [dealer_words(ruleset, any_three(rng)) for _ in range(8)]
    wrong += [dealer_words(ruleset, some_three(rng)) for _ in range(4)]
    # A house may have one sentence for all hands it plays with; the other one is always there.
    other = any_three(rng)
    while rules.dealer_plays(rules.value(other, ruleset.options)) == plays:
        other = any_three(rng)
    wrong.append(dealer_words(ruleset, other))
    answer, choices = texts_as_choices(rng, said, wrong)
    where = known_clause("TSR-05" if ruleset.game.code == "triple-shot-rummy" else "TCP-04")
    return Question(
        question="You turn your hand over and arrange it. Do you play, and what do you say?",
        scene=Scene(hands=(Held("Dealer", shown),)),
        fields=(
            yes_field(
                "plays",
                "Does the dealer play?",
                plays,
                f"The hand is {rules.describe(hand, ruleset.options)}.",
                where,
            ),
            choice_field(
                "say",
                "You say",
                answer,
                choices,
                f"You say: {said}",
                ruleset.game.clause("reveal"),
            ),
        ),
    )


def said_before(rng: Random, ruleset: Ruleset) -> Question:
    """Whether cards may be dealt before the words are said."""
    begun = some_round(rng, ruleset)
    table = rng.choice([begun, *(s for s in states(rng, begun) if s.phase is Phase.NO_MORE_BETS)])
    said = table.phase is not Phase.BETTING
    where = ruleset.game.clause("no more bets")
    return Question(
        question="A player reaches for the chips on a spot. May a bet still be made or changed?",
        scene=round_scene(rng, table),
        fields=(
            yes_field(
                "may",
                "May a bet be changed now?",
                not said,
                "Until the words are said bets are open; afterwards none is made or taken back.",
                where,
            ),
        ),
    )


SKILLS = (
    Skill(code="words.now", title="What you say now", make=now),
    Skill(code="words.no-more-bets", title="The end of betting", make=said_before),
    Skill(
        code="words.no-pair-plus",
        title="Who has no Pair Plus",
        make=no_pair_plus,
        applies=three_card,
    ),
    Skill(
        code="words.dealer",
        title="Does the dealer play",
        make=dealer,
        applies=three_card,
    ),
)
