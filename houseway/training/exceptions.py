"""Exceptions: which wagers may stand, and what a fold leaves in play."""

from dataclasses import replace
from random import Random

from houseway.games.base import Outcome
from houseway.games.contest import contest_of
from houseway.games.progressive import award, by_system, folded_player_earns_envy, judge
from houseway.house.money import dollars_text
from houseway.house.options import spot_amount, wager_limit
from houseway.live import commands as c
from houseway.live.engine import undecided
from houseway.live.procedure import carry_on
from houseway.live.round import act, refusal
from houseway.live.state import Round, open_round
from houseway.names import Bet, bet_name
from houseway.refusal import Refused
from houseway.rules.lines import in_action_after_fold
from houseway.rules.ruleset import Ruleset
from houseway.rules.wagers import check_wagers
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.felt import (
    bet_choices,
    sentence,
    settled,
    some_tray,
    some_wager,
    some_wagers,
    stacks,
    wager_step,
    with_play,
)
from houseway.training.marks import becomes_field, choice_field, known_clause, yes_field
from houseway.training.packs import any_three, some_three
from houseway.training.rounds import some_round
from houseway.training.seats import some_progressive_hand
from houseway.training.skill import Question, Skill, three_card

NONE = Choice("none", "none of them")
STAYS, GOES = Choice("tucked", "are tucked under the wager"), Choice("taken", "are taken in")


def _may_stand(ruleset: Ruleset, wagers: dict[Bet, int]) -> tuple[bool, str, str | None]:
    """Whether wagers may be made together, why not, and by which clause."""
    named = {str(bet): cents for bet, cents in wagers.items()}
    try:
        check_wagers(ruleset.game, named, ruleset.paytables, ruleset.options)
    except Refused as refused:
        return False, sentence(refused.message), refused.clause
    return True, "Nothing that these need is missing, and nothing is above a limit.", None


def together(rng: Random, ruleset: Ruleset) -> Question:
    """Whether these wagers may stand together."""
    game = ruleset.game
    wanted = rng.random() < 0.5
    for _ in range(30):
        bets = [bet for bet in game.wagers if rng.random() < 0.5] or [rng.choice(game.wagers)]
        wagers = {bet: some_wager(rng, ruleset, bet, (1, 2, 5)) for bet in bets}
        may, why, found = _may_stand(ruleset, wagers)
        if may is wanted:
            break
    return Question(
        question="A player has put up these wagers and no others. May they stand?",
        scene=Scene(stacks=stacks(wagers, some_tray(rng, ruleset.options))),
        fields=(
            yes_field(
                "may",
                "They may stand",
                may,
                why,
                known_clause(found, game.clause("bets")),
            ),
        ),
    )


def required(rng: Random, ruleset: Ruleset) -> Question:
    """Which wagers of the layout everybody must make."""
    game = ruleset.game
    step = wager_step(ruleset)
    every = {
        bet: max(step, spot_amount(ruleset.options.table_minimum, bet) or step)
        for bet in game.wagers
    }
    needed = []
    for bet in game.wagers:
        rest = {other: cents for other, cents in every.items() if other != bet}
        if not _may_stand(ruleset, rest)[0]:
            needed.append(bet)
    why = (
        f"{' and '.join(bet_name(bet) for bet in needed)} must be made; the others are the "
        "player's choice."
        if needed
        else "Each may be left out as long as one of those that carry the others is there."
    )
    where = "TSB-02" if game.code == "triple-shot-bonus" else game.clause("bets")
    return Question(
        question="Of the wagers on this layout, which must every player make?",
        scene=Scene(facts=(("On the layout", ", ".join(bet_name(bet) for bet in game.wagers)),)),
        fields=(
            Field(
                name="bets",
                label="Must be made",
                kind="several",
                answer=tuple(needed) or (NONE.value,),
                why=why,
                clause=where,
                choices=(*bet_choices(rng.sample(game.wagers, len(game.wagers))), NONE),
            ),
        ),
    )


def limits(rng: Random, ruleset: Ruleset) -> Question:
    """Whether a wager is within what is posted and allowed."""
    options, step = ruleset.options, wager_step(ruleset)
    bet = rng.choice([b for b in ruleset.game.wagers if b != "progressive"])
    least = spot_amount(options.table_minimum, bet)
    most = spot_amount(options.table_maximum, bet)
    posted = options
    if least is None and most is None:
        # A house that has none posted on record is asked about a sign that is drawn.
        least, most = step * rng.choice((3, 5, 10)), step * rng.choice((50, 100, 200))
        posted = replace(options, table_minimum=((bet, least),), table_maximum=((bet, most),))
    legal = wager_limit(options)
    around = [amount for amount in (least, most, legal.most if legal else None) if amount]
    cents = max(step, rng.choice(around) + step * rng.choice((-2, -1, 0, 0, 1, 2)))
    base: dict[Bet, int] = {b: c for b, c in some_wagers(rng, ruleset).items() if b != bet}
    if three_card(ruleset) and bet != "ante":
        base = {"ante": base.get("ante", some_wager(rng, ruleset, "ante"))}
    may, why, found = _may_stand(replace(ruleset, options=posted), {**base, bet: cents})
    if may:
        why = "It is within everything that is posted."
    facts = [("Sign", f"{bet_name(bet)} {_range(least, most)}")]
    if legal is not None:
        facts.append(("By law at most", dollars_text(legal.most)))
    usual = {"triple-shot-rummy": "TSR-17", "triple-shot-bonus": "TSB-02"}
    return Question(
        question=f"A player bets {dollars_text(cents)} on {bet_name(bet)}. Do you let it stand?",
        scene=Scene(
            stacks=stacks({bet: cents}, some_tray(rng, options)),
            facts=tuple(facts),
        ),
        fields=(
            yes_field(
                "may",
                "It may stand",
                may,
                why,
                known_clause(found, usual.get(ruleset.game.code, "TCP-12")),
            ),
        ),
    )


def _range(least: int | None, most: int | None) -> str:
    low = f"from {dollars_text(least)}" if least is not None else ""
    high = f"up to {dollars_text(most)}" if most is not None else ""
    return f"{low} {high}".strip()


def fold(rng: Random, ruleset: Ruleset) -> Question:
    """Which wagers of a folded hand still play, and where its cards go."""
    game, options = ruleset.game, ruleset.options
    wagers = some_wagers(rng, ruleset, "ante", "pair-plus", also=0.6)
    wagers.pop("progressive", None)
    stay = in_action_after_fold(game, wagers, ruleset.paytables, options)
    table = _folded(rng, ruleset, wagers)
    seat = table.seat(1)
    assert bool(stay) is seat.tucked
    words = " and ".join(bet_name(bet) for bet in stay) or "nothing"
    where = game.side("pair-plus").fold_clause
    return Question(
        question="The player folds. Which of these wagers still play, and what of the cards?",
        scene=Scene(
            hands=(Held("Position 1", (None,) * 3),),
            stacks=stacks(wagers, some_tray(rng, options), 1),
        ),
        fields=(
            Field(
                name="stay",
                label="Still in play",
                kind="several",
                answer=stay or (NONE.value,),
                why=f"What stays in play after a fold here: {words}.",
                clause=where,
                choices=(*bet_choices(list(wagers)), NONE),
            ),
            choice_field(
                "cards",
                "The cards",
                STAYS.value if seat.tucked else GOES.value,
                (STAYS, GOES),
                "A hand that still plays for a wager stays with it until it is settled.",
                "TSR-16" if game.code == "triple-shot-rummy" else game.clause("collect"),
            ),
        ),
    )


def _folded(rng: Random, ruleset: Ruleset, wagers: dict[Bet, int]) -> Round:
    """A live round in which position 1 has folded and its forfeits are taken in."""
    table = some_round(rng, ruleset, positions=(2,), lit=False)
    table, _ = act(table, c.PlaceBets(1, tuple(wagers.items())))
    table = carry_on(table)
    for position in undecided(table):
        table, _ = act(table, c.Decide(position, "fold" if position == 1 else "play"))
    return act(table, c.CollectForfeits())[0]


def two_positions(rng: Random, ruleset: Ruleset) -> Question:
    """Whether a player may also bet at another position."""
    table = open_round(ruleset)
    first = rng.randint(1, 7)
    second = rng.choice([p for p in range(1, 8) if p != first])
    if rng.random() < 0.5:
        second = first + 1 if first < 7 else first - 1
    bets = tuple(some_wagers(rng, ruleset).items())
    table, _ = act(table, c.PlaceBets(first, bets, "Ann"))
    refused = refusal(table, c.PlaceBets(second, bets, "Ann"))
    where = ruleset.game.clause("two positions")
    return Question(
        question=f"A player bets at position {first} and wants to bet at position {second} too. "
        "May that be?",
        scene=Scene(facts=(("Positions between", str(abs(first - second) - 1)),)),
        fields=(
            yes_field(
                "may",
                "It may be",
                refused is None,
                "Here two positions side by side are allowed."
                if refused is None
                else "Here one position is allowed."
                if ruleset.options.two_adjacent_positions == "off" or not three_card(ruleset)
                else "Two positions are allowed only side by side.",
                known_clause(refused.clause if refused else None, where),
            ),
        ),
    )


def folded_progressive(rng: Random, ruleset: Ruleset) -> Question:
    """What a fold does to the progressive and to envy."""
    paytable, options = ruleset.paytables["progressive"], ruleset.options
    player, community = some_progressive_hand(rng, paytable)
    verdict = award(judge(player, community, paytable), paytable, options, folded=True)
    hands = [Held("Player (folded)", player)]
    if community:
        hands.append(Held("Community", community))
    where = by_system(paytable, options, "PGM-07", "PNX-09", "PML-10")
    envy = folded_player_earns_envy(options)
    return Question(
        question="The hand was folded with the progressive lit. Does it win the progressive, and "
        "does its player get envy for another's hand?",
        scene=Scene(hands=tuple(hands)),
        fields=(
            yes_field(
                "wins",
                "The folded hand wins the progressive",
                verdict.outcome is Outcome.WIN,
                "Whether a folded hand still wins is the house's choice; here it "
                f"{'does' if verdict.outcome is Outcome.WIN else 'does not'}.",
                where,
            ),
            yes_field(
                "envy",
                "Its player gets envy",
                envy,
                f"Here a player who folded {'still gets' if envy else 'gets no'} envy.",
                by_system(paytable, options, "PGM-17", "PNX-17", "PML-16"),
            ),
        ),
    )


def not_playing(rng: Random, ruleset: Ruleset) -> Question:
    """What becomes of Ante and Play when the dealer does not play."""
    game = ruleset.game
    wagers: dict[Bet, int] = {"ante": some_wager(rng, ruleset, "ante")}
    player = some_three(rng)
    dealer = any_three(rng, player)
    while contest_of(game).dealer_plays(contest_of(game).value(dealer, ruleset.options)):
        dealer = any_three(rng, player)
    seat = settled(ruleset, player=player, dealer=dealer, bets=wagers)
    return Question(
        question="The dealer does not play. What becomes of Play and Ante?",
        scene=Scene(
            hands=(Held("Player", player), Held("Dealer", dealer)),
            stacks=stacks(with_play(wagers, seat), some_tray(rng, ruleset.options)),
        ),
        fields=tuple(becomes_field(line) for line in seat.lines if line.bet in ("play", "ante")),
    )


SKILLS = (
    Skill(code="exceptions.required", title="Wagers that must be made", make=required),
    Skill(code="exceptions.together", title="Wagers that may stand", make=together),
    Skill(code="exceptions.limits", title="Limits", make=limits),
    Skill(code="exceptions.positions", title="Two positions", make=two_positions),
    Skill(code="exceptions.fold", title="After a fold", make=fold, applies=three_card),
    Skill(
        code="exceptions.not-playing",
        title="The dealer does not play",
        make=not_playing,
        applies=three_card,
    ),
    Skill(
        code="exceptions.progressive",
        title="Folded hands and the progressive",
        make=folded_progressive,
        applies=three_card,
    ),
)
