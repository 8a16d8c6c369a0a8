"""Rules: what a player has to know before the first bet, asked with cards on the table."""

from collections.abc import Callable
from random import Random

from houseway.cards import DECK, card_words, rank_of
from houseway.cards.hands import ThreeCard, category3, describe3
from houseway.documents.terms import qualifier, spaced, worst_dealer_hand
from houseway.games import blackjack
from houseway.games.base import DEALER_WINS, PLAYER_WINS, TIE, Outcome
from houseway.games.contest import contest_of
from houseway.games.solvers import Showdown
from houseway.games.triple_shot_bonus.rules import compare_war, war
from houseway.names import bet_name
from houseway.rules.lines import Line
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.felt import (
    YES_NO,
    settled,
    some_tray,
    some_wagers,
    stacks,
    with_play,
    yes_no,
)
from houseway.training.packs import any_three, some_three, three_card_name, three_card_names
from houseway.training.skill import Maker, Question, Skill, every_game, of_games, three_card

CLOSE = 6
"""Hands of the dealer's of which the one nearest the line is taken."""
OUTCOMES = {
    Outcome.WIN: "It wins",
    Outcome.LOSE: "It loses",
    Outcome.PUSH: "It is returned",
    Outcome.FORFEIT: "The fold gives it up",
}
HAND_NAMES = {ThreeCard.MINI_ROYAL: "A-K-Q of one suit"}
BEATS = {PLAYER_WINS: "Yours", DEALER_WINS: "The dealer's", TIE: "Neither: a tie"}
WAR_ORDER, TOTAL = "TSB-06", "TSB-09"
ORDER = {"three-card-poker": "TCP-02", "three-card-poker-face-up": "TCP-02"}
QUALIFIES = {"three-card-poker": "TCP-04", "three-card-poker-face-up": "FUP-07"}


def what_it_makes(rng: Random, ruleset: Ruleset) -> Question:
    """What three cards make: their name, or in Rummy their points."""
    game, options = ruleset.game, ruleset.options
    cards = some_three(rng)
    scene = Scene(hands=(Held("Your hand", cards),))
    if contest_of(game).lower_wins:
        points = contest_of(game).value(cards, options)
        return Question(
            question="How many points is this hand?",
            scene=scene,
            fields=(
                Field(
                    name="points",
                    label="Points",
                    kind="number",
                    answer=points,
                    why="Cards in a pair, a triple or a suited run count nothing, an Ace 1, tens "
                    f"and faces 10: {points} in all.",
                    clause="TSR-04",
                ),
            ),
        )
    category = three_card_name(cards, ruleset)
    return Question(
        question="What do these three cards make?",
        scene=scene,
        fields=(
            Field(
                name="hand",
                label="The hand",
                kind="choice",
                choices=tuple(
                    Choice(each.name.lower(), HAND_NAMES.get(each) or _named(each))
                    for each in reversed(three_card_names(ruleset))
                ),
                answer=category.name.lower(),
                why=f"They are {describe3(*cards)}.",
                clause="TCP-02",
            ),
        ),
    )


def _named(hand: ThreeCard) -> str:
    return spaced(hand.name.lower()).capitalize()


def which_wins(rng: Random, ruleset: Ruleset) -> Question:
    """Which of two hands is better."""
    game, options = ruleset.game, ruleset.options
    player = some_three(rng)
    # Half of the hands are of the same kind, where the order within it decides.
    kinds = (category3(*player),) if rng.random() < 0.5 else tuple(ThreeCard)
    dealer = some_three(rng, player, kinds)
    found = contest_of(game).compare(
        contest_of(game).value(player, options), contest_of(game).value(dealer, options)
    )
    own, other = (
        contest_of(game).describe(player, options),
        contest_of(game).describe(dealer, options),
    )
    points = "points" if contest_of(game).lower_wins else ""
    return Question(
        question="Which hand is better?",
        scene=Scene(hands=(Held("Your hand", player), Held("Dealer", dealer))),
        fields=(
            _beats(
                found,
                f"You hold {own} {points}".rstrip()
                + f", the dealer {other} {points}".rstrip()
                + ".",
                ORDER.get(game.code, "TSR-05"),
            ),
        ),
    )


def _beats(found: int, why: str, clause: str) -> Field:
    return Field(
        name="better",
        label="The better one",
        kind="choice",
        choices=tuple(Choice(str(each), label) for each, label in BEATS.items()),
        answer=str(found),
        why=why,
        clause=clause,
    )


def dealer_plays(rng: Random, ruleset: Ruleset) -> Question:
    """Whether the dealer plays with a hand; half of them lie near the line."""
    game, options = ruleset.game, ruleset.options
    hands = [any_three(rng) for _ in range(CLOSE if rng.random() < 0.5 else 1)]
    line = contest_of(game).value(worst_dealer_hand(game, options), options)
    cards = min(hands, key=lambda hand: abs(contest_of(game).value(hand, options) - line))
    told = contest_of(game).describe(cards, options) + (
        " points" if contest_of(game).lower_wins else ""
    )
    plays = contest_of(game).dealer_plays(contest_of(game).value(cards, options))
    return Question(
        question="Does the dealer play with this hand?",
        scene=Scene(hands=(Held("Dealer", cards),)),
        fields=(
            Field(
                name="plays",
                label="The dealer plays",
                kind="choice",
                choices=YES_NO,
                answer=yes_no(plays),
                why=f"The dealer holds {told} and plays with {qualifier(game, options)}.",
                clause=QUALIFIES.get(game.code, "TSR-05"),
            ),
        ),
    )


def who_wins_war(rng: Random, ruleset: Ruleset) -> Question:
    """Which card wins War."""
    player, dealer = rng.sample(DECK, 2)
    if rng.random() < 0.25:
        dealer = rng.choice([c for c in DECK if rank_of(c) == rank_of(player) and c != player])
    found = compare_war(player, dealer, ruleset.options)
    told = war(found, ruleset.options).why
    why = told.format(player=card_words(player), dealer=card_words(dealer))
    return Question(
        question="Which card wins War?",
        scene=Scene(hands=(Held("You", (player,)), Held("Dealer", (dealer,)))),
        fields=(_beats(found, f"{why}.", WAR_ORDER),),
    )


def blackjack_total(rng: Random, _: Ruleset) -> Question:
    """What a Blackjack hand counts."""
    while True:
        cards = tuple(rng.sample(DECK, rng.choice((2, 2, 3, 3, 4))))
        total = blackjack.total_of(tuple(rank_of(card) for card in cards))
        if not blackjack.is_bust(total):
            break
    value = blackjack.value(total)
    soft = " with an Ace as 11" if blackjack.is_soft(total) else ""
    return Question(
        question="What does this hand count in Blackjack?",
        scene=Scene(hands=(Held("Your hand", cards),)),
        fields=(
            Field(
                name="total",
                label="Points",
                kind="number",
                answer=value,
                why=f"Tens and faces count 10, an Ace 11 or 1: {value}{soft}.",
                clause=TOTAL,
            ),
        ),
    )


def dealer_draws(rng: Random, ruleset: Ruleset) -> Question:
    """Whether the dealer takes another card."""
    options = ruleset.options
    while True:
        cards = tuple(rng.sample(DECK, rng.choice((2, 3))))
        total = blackjack.total_of(tuple(rank_of(card) for card in cards))
        if 14 <= blackjack.value(total) <= 19 and (blackjack.is_soft(total) or rng.random() < 0.3):
            break
    stops = blackjack.dealer_stops(total, options)
    soft = "soft " if blackjack.is_soft(total) else ""
    rule = "stands on" if options.dealer_soft_17 == "stand" else "hits"
    return Question(
        question="Does the dealer take another card?",
        scene=Scene(hands=(Held("Dealer", cards),)),
        fields=(
            Field(
                name="draws",
                label="The dealer draws",
                kind="choice",
                choices=YES_NO,
                answer=yes_no(not stops),
                why=f"The dealer has {soft}{blackjack.value(total)}, draws up to 16 and here "
                f"{rule} a soft 17.",
                clause="TSB-12",
            ),
        ),
    )


def what_becomes(rng: Random, ruleset: Ruleset) -> Question:
    """What becomes of one bet of a seat that was dealt and settled."""
    if isinstance(ruleset.game.solver, Showdown):
        wagers = some_wagers(rng, ruleset, "ante", "pair-plus", "six-card-bonus")
        player = any_three(rng)
        dealer = any_three(rng, player)
        folds = rng.random() < 0.2
        decision = "fold" if folds else "play"
        seat = settled(ruleset, player=player, dealer=dealer, bets=wagers, decision=decision)
        hands = (Held("Your hand", player), Held("Dealer", dealer))
        facts = (("You", "folded" if folds else "played"),)
        wagers = with_play(wagers, seat)
    else:
        wagers = some_wagers(rng, ruleset, "hat-trick")
        seat = settled(ruleset, deck=rng.sample(DECK, 30), decisions=[], bets=wagers)
        hands = (Held("Your six cards", seat.player), Held("Dealer", seat.dealer))
        facts = (("You", "stood on the first two cards"),)
    line = rng.choice([each for each in seat.lines if each.bet != "ante-bonus"])
    return Question(
        question=f"What becomes of your {bet_name(line.bet)} bet?",
        scene=Scene(
            hands=hands, stacks=stacks(wagers, some_tray(rng, ruleset.options)), facts=facts
        ),
        fields=(_outcome(line),),
    )


def _outcome(line: Line) -> Field:
    return Field(
        name="outcome",
        label=bet_name(line.bet),
        kind="choice",
        choices=tuple(Choice(each.value, label) for each, label in OUTCOMES.items()),
        answer=line.outcome.value,
        why=line.why,
        clause=line.clause,
    )


def _skill(
    code: str, title: str, make: Maker, applies: Callable[[Ruleset], bool] = every_game
) -> Skill:
    return Skill(code=f"rules.{code}", title=title, make=make, track="player", applies=applies)


_BONUS = of_games("triple-shot-bonus")
SKILLS = (
    _skill("hand", "What a hand makes", what_it_makes, three_card),
    _skill("better", "The better hand", which_wins, three_card),
    _skill("dealer", "When the dealer plays", dealer_plays, three_card),
    _skill("war", "Who wins War", who_wins_war, _BONUS),
    _skill("total", "Counting Blackjack", blackjack_total, _BONUS),
    _skill("draws", "When the dealer draws", dealer_draws, _BONUS),
    _skill("outcome", "What becomes of a bet", what_becomes),
)
