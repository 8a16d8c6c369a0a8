"""Protection: cards that nobody else may see, and pays that are wrong."""

from random import Random
from typing import Any

from houseway.cards import HIDDEN
from houseway.cards.hands import FiveCard, ThreeCard
from houseway.house.money import MeterShare, dollars_text
from houseway.live.commands import DEALER
from houseway.live.guard import place_words
from houseway.live.phases import Phase
from houseway.live.state import Round
from houseway.live.view import Viewer, view
from houseway.names import bet_name
from houseway.rules.lines import Line
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Held, Scene, Stack
from houseway.training.felt import (
    position_choices,
    settled,
    some_tray,
    some_wagers,
    stacks,
)
from houseway.training.packs import any_three, some_six, some_three
from houseway.training.payouts import line_of
from houseway.training.rounds import round_scene, some_positions, some_round, states
from houseway.training.seats import poker_deck
from houseway.training.skill import Question, Skill, three_card

NOBODY = Choice("nobody", "nobody")


def who_sees(rng: Random, ruleset: Ruleset) -> Question:
    """Who may see one card now."""
    table, place, number = _some_card(rng, ruleset)
    others = [p for p in table.playing if p != place]
    lookers: list[tuple[str, str, Viewer]] = [
        ("dealer", "the dealer", Viewer("dealer")),
        ("public", "the people around the table", Viewer("public")),
    ]
    if place != DEALER:
        lookers.append(("own", f"the player at position {place}", Viewer("player", place)))
    if others:
        other = rng.choice(others)
        lookers.append(("other", f"the player at position {other}", Viewer("player", other)))
    seen = tuple(
        code for code, _, viewer in lookers if _shown(view(table, viewer), place, number) != HIDDEN
    )
    return Question(
        question=f"Card {number} of {place_words(place)}: who may see it now?",
        scene=round_scene(rng, table, chips=False),
        fields=(
            Field(
                name="see",
                label="It may be seen by",
                kind="several",
                answer=seen or (NOBODY.value,),
                why="The card lies face up, so everybody sees it."
                if len(seen) == len(lookers)
                else "A card that lies face down is its player's alone, and no card of the dealer "
                "is shown before its time.",
                clause=_clause(ruleset),
                choices=(*(Choice(code, label) for code, label, _ in lookers), NOBODY),
            ),
        ),
    )


def _some_card(rng: Random, ruleset: Ruleset) -> tuple[Round, int, int]:
    while True:
        every = states(rng, some_round(rng, ruleset))
        found = [t for t in every if t.phase in (Phase.DECISIONS, Phase.REVEAL, Phase.DEALING)]
        table = rng.choice(found)
        places = [p for p in table.playing if table.seat(p).cards and not table.seat(p).gone]
        places += [DEALER] * 2 if table.dealer else []
        if places:
            place = rng.choice(places)
            cards = table.dealer if place == DEALER else table.seat(place).cards
            return table, place, rng.randint(1, len(cards))


def _shown(seen: dict[str, Any], place: int, number: int) -> str:
    if place == DEALER:
        return str(seen["dealer"][number - 1])
    position = next(each for each in seen["positions"] if each["position"] == place)
    return str(position["cards"][number - 1])


def _clause(ruleset: Ruleset) -> str:
    return {
        "triple-shot-rummy": "TSR-25",
        "triple-shot-bonus": "TSB-08",
        "three-card-poker-face-up": "FUP-03",
    }.get(ruleset.game.code, "TCP-18")


def mispay(rng: Random, ruleset: Ruleset) -> Question:
    """Which of several pays is wrong, and what was due."""
    positions = some_positions(rng, 3, 4)
    tray = some_tray(rng, ruleset.options)
    deal = _pair_plus_seat if three_card(ruleset) else _poker_seat
    gone: set[int] = set()
    hands: list[Held] = []
    lie: list[Stack] = []
    due: dict[int, Line] = {}
    for position in positions:
        cards, line = deal(rng, ruleset, gone)
        gone |= {*cards}
        hands.append(Held(f"Position {position}", cards))
        lie += stacks({line.bet: line.wager}, tray, position)
        due[position] = line
    wrong = rng.choice([position for position in positions if due[position].net > 0])
    paid = {position: max(0, line.net) for position, line in due.items()}
    right = paid[wrong]
    paid[wrong] = rng.choice(_slips(ruleset, due[wrong]))
    bet = bet_name(due[wrong].bet)
    return Question(
        question=f"{bet} is paid at these positions. One pay is wrong: which, and what is due?",
        scene=Scene(
            hands=tuple(hands),
            stacks=tuple(lie),
            facts=tuple((f"Paid to position {p}", dollars_text(paid[p])) for p in positions),
        ),
        fields=(
            Field(
                name="position",
                label="The wrong pay is at",
                kind="choice",
                answer=str(wrong),
                why=due[wrong].why,
                clause=due[wrong].clause,
                choices=position_choices(positions),
            ),
            Field(
                name="due",
                label="Due there",
                kind="amount",
                answer=right,
                why=due[wrong].why,
                clause=due[wrong].clause,
            ),
        ),
    )


def _pair_plus_seat(rng: Random, ruleset: Ruleset, gone: set[int]) -> tuple[tuple[int, ...], Line]:
    paid = tuple(ThreeCard(hand) for hand in ruleset.paytables["pair-plus"].pays)
    player = some_three(rng, gone, [c for c in paid if c != ThreeCard.MINI_ROYAL])
    wagers = some_wagers(rng, ruleset, "pair-plus")
    seat = settled(ruleset, player=player, dealer=any_three(rng, player), bets=wagers)
    return player, line_of(seat, "pair-plus")


def _poker_seat(rng: Random, ruleset: Ruleset, gone: set[int]) -> tuple[tuple[int, ...], Line]:
    likely = (
        FiveCard.JACKS_OR_BETTER,
        FiveCard.TWO_PAIR,
        FiveCard.THREE_OF_A_KIND,
        FiveCard.STRAIGHT,
        FiveCard.FLUSH,
        FiveCard.FULL_HOUSE,
    )
    six = some_six(rng, rng.choice(likely), gone)
    deck = poker_deck(rng, six, ruleset.options)
    seat = settled(ruleset, deck=deck, decisions=(), bets=some_wagers(rng, ruleset))
    return six, line_of(seat, "poker")


def _slips(ruleset: Ruleset, line: Line) -> list[int]:
    """Pays that a hurried hand makes: the wager counted in or twice, or the row above or below."""
    rows = [odds for _, odds in ruleset.paytables[line.bet].rows]
    nets = {int(odds.net * line.wager) for odds in rows if not isinstance(odds, MeterShare)}
    found = {line.net + line.wager, line.net - line.wager, *nets}
    near = sorted(
        (pay for pay in found if pay > 0 and pay != line.net), key=lambda pay: abs(pay - line.net)
    )
    return near[:4]


SKILLS = (
    Skill(code="protection.cards", title="Who may see a card", make=who_sees),
    Skill(code="protection.mispay", title="Find the wrong pay", make=mispay),
)
