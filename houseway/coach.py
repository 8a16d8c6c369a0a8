"""Coach: what each decision at a live round is worth, and players that play by themselves.

Only what the player may see is looked at: the own cards and wagers, the dealer's up card and the
phase. Cards of other positions, and cards that were exposed by mistake, are left out. A player is
a function of the round and a position; `basic` needs no extra, `optimal` and the values need the
exact analysis, which is loaded when first asked for and kept per ruleset.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from houseway import simple_play
from houseway.cards import (
    ACE,
    DECK,
    DECK_SIZE,
    NINE,
    TEN,
    rank_of,
    suit_of,
)
from houseway.games import blackjack
from houseway.games.base import HALF, net_units
from houseway.games.blackjack import BlackjackDecision
from houseway.games.contest import contest_of, three
from houseway.games.contract import Game
from houseway.hands import category3
from houseway.live import commands as c
from houseway.live.round import refusal
from houseway.live.seen import seen_of
from houseway.live.state import Round, Seat
from houseway.options import Chosen
from houseway.printed_chart import KIND_NAMES
from houseway.printed_chart import decision as charted
from houseway.ruleset import Ruleset

FACE_UP = "three-card-poker-face-up"


def decision_values(table: Round, position: int) -> dict[str, Fraction]:
    """The expected net of every decision that is legal now; empty when none is.

    Three-card games, in units of the Ante: what the decision changes, which is Ante, Play and Ante
    Bonus, and Pair Plus where a fold gives it up, at what it is wagered beside the Ante. Bets that
    neither decision touches are left out, and so is a progressive, whose worth is the meter's.

    Triple Shot Bonus, in units of the Blackjack bet: the hand's own result by the cards that are
    gone, best play afterwards; a double or split counts both bets. While insurance is open it is
    the only decision and its value stands by itself, beside 0 for letting it pass. What a decision
    does to the Hat Trick is left out.
    """
    game = table.ruleset.game
    names = game.action_names
    legal = [name for name in names if refusal(table, c.Decide(position, name)) is None]
    if not legal:
        return {}
    seat = table.seat(position)
    if game.contest is not None:
        worth = _ante_values(game, table, seat)
    elif table.offer:
        worth = {"insurance": _insurance_value(_tens(seat))}
    else:
        worth = _blackjack_guide(table.ruleset).values(_kinds(seat.cards), _KIND[_seen(table)])
    return {name: worth[name] for name in legal}


def prepare(ruleset: Ruleset) -> None:
    """Have the values of a game counted before the first is asked for."""
    if ruleset.game.contest is not None:
        _ante_guide(ruleset)
    else:
        _blackjack_guide(ruleset)


def forget(digest: str) -> None:
    """Let go of the values under rules that nobody plays by any more, known by their digest."""
    _ANTE_GUIDES.pop(digest, None)
    _BLACKJACK_GUIDES.pop(digest, None)


def left_out(table: Round, position: int) -> tuple[str, ...]:
    """The bets of a position that a decision may change and that its value leaves out."""
    return tuple(b for b in ("hat-trick", "progressive") if b in table.seat(position).wagers)


def optimal(table: Round, position: int) -> str | None:
    """The decision that is worth most; of equals the first of play, stand, hit, double, split.

    None while insurance is open and not worth taking. Pair Plus that a fold gives up changes
    nothing: a hand that is folded would lose it anyhow. Refused when no decision is due.
    """
    seat = table.seat(position)
    if table.ruleset.game.contest is not None:
        _check(table, position, "play")
        guide = _ante_guide(table.ruleset)
        return "play" if guide.played[guide.place(seat.cards, _seen(table))] else "fold"
    if table.offer:
        # One deck never leaves enough tens, whatever two cards are held.
        worth = _insurance_value(_tens(seat)) > 0
        return "insurance" if worth and "insurance" not in seat.decisions else None
    key = _kinds(seat.cards), _KIND[_seen(table)]
    # A hand that has ended is not in the guide; the guard says so.
    decision = _blackjack_guide(table.ruleset).decisions.get(key, "stand")
    _check(table, position, decision)
    return decision


def basic(table: Round, position: int) -> str | None:
    """The decision of a rule that people can remember; insurance is let pass.

    - Three Card Poker: play Queen, 6, 4 or better. It costs nothing against the best play. With a
      Pair Plus that a fold gives up the rule is the same.
    - Face Up: against a Jack or better play that card with a Nine or better, against a lower one
      play a Jack or better: up to a Ten the dealer still has to find the Queen, from the Jack on
      the up card itself has to be beaten. It costs 58,769 in 101,792,600 Antes, or 0.058%; by house
      option 0.105% where Play is returned and 2.33% where it wins when the dealer does not play.
    - Triple Shot Rummy: play 20 points or less, the scores with which the dealer plays; no other
      line through the scores is better under any reading of runs and combinations.
    - Triple Shot Bonus: the printed chart with its notes. It costs 0.0417% of the Blackjack bet
      under the rules it was printed for.

    Refused when no decision is due.
    """
    game, seat = table.ruleset.game, table.seat(position)
    if game.contest is not None:
        _check(table, position, "play")
        value = contest_of(game).value(three(seat.cards), table.options)
        return "play" if simple_play.played(game, value, rank_of(_seen(table))) else "fold"
    if table.offer:
        return None
    _check(table, position, "stand")
    [hand, *_] = table.ruleset.game.facts(seen_of(table, seat), table.options).hands
    return _charted(hand, _kinds(seat.cards), _KIND[_seen(table)])


# What the player sees.

_KIND = tuple(blackjack.rank_points(rank_of(card)) - 1 for card in DECK)
"""The kind of each card, as the exact analysis of Blackjack counts them."""
TEN_KIND = 9

KindsHeld = tuple[int, ...]
"""The kinds of a hand's cards in ascending order."""


def _kinds(cards: tuple[int, ...]) -> KindsHeld:
    return tuple(sorted([_KIND[card] for card in cards]))


def _seen(table: Round) -> int:
    """The dealer's up card; where all lie face down any card will do, for nothing looks at it."""
    return table.dealer[table.dealer_up.index(True)] if True in table.dealer_up else 0


def _tens(seat: Seat) -> int:
    return sum(_KIND[card] == TEN_KIND for card in seat.cards)


def _check(table: Round, position: int, decision: str) -> None:
    refused = refusal(table, c.Decide(position, decision))
    if refused is not None:
        raise refused


@cache
def _charted(held: blackjack.Hand, kinds: KindsHeld, up: int) -> BlackjackDecision:
    return charted(held, [KIND_NAMES[kind] for kind in kinds], KIND_NAMES[up])


# What the exact analysis knows, per ruleset.

Place = tuple[int, tuple[int, ...]]
"""The class of a hand up to a change of suits, and the change that leads to the class's hand."""


@dataclass(frozen=True, slots=True)
class AnteGuide:
    """What playing every hand is worth, in Face Up against every up card."""

    places: dict[tuple[int, ...], Place]
    """By the cards in ascending order."""
    columns: int
    """52 up cards in Face Up, else 1; what follows has so many entries for each class."""
    played: bytes
    sums: list[int]
    """Net of playing summed over the cases, in Antes over `per_ante`."""
    cases: list[int]
    per_ante: int

    def place(self, cards: tuple[int, ...], up: int) -> int:
        """Where a hand stands in the lists; the up card counts in Face Up only."""
        number, suits = self.places[tuple(sorted(cards))]
        if self.columns == 1:
            return number
        return number * DECK_SIZE + (up & ~3) + suits[up & 3]

    def value(self, place: int) -> Fraction:
        """The expected net of playing, in Antes."""
        return Fraction(self.sums[place], self.cases[place] * self.per_ante)


@dataclass(frozen=True, slots=True)
class BlackjackGuide:
    """What every decision on every open hand is worth, by the kinds held and the up card."""

    decisions: dict[tuple[KindsHeld, int], BlackjackDecision]
    sums: dict[tuple[KindsHeld, int], dict[BlackjackDecision, int]]
    cases: dict[tuple[KindsHeld, int], int]

    def values(self, kinds: KindsHeld, up: int) -> dict[str, Fraction]:
        """The expected net of each decision, in Blackjack bets."""
        cases = self.cases[kinds, up]
        return {name: Fraction(value, cases) for name, value in self.sums[kinds, up].items()}


_ANTE_GUIDES: dict[str, AnteGuide] = {}
_BLACKJACK_GUIDES: dict[str, BlackjackGuide] = {}
"""By the digest of the ruleset, which stands for everything that an analysis depends on."""


def _ante_guide(ruleset: Ruleset) -> AnteGuide:
    guide = _ANTE_GUIDES.get(ruleset.digest)
    if guide is None:
        with _exact_analysis():
            guide = _ANTE_GUIDES[ruleset.digest] = _make_ante_guide(ruleset)
    return guide


def _blackjack_guide(ruleset: Ruleset) -> BlackjackGuide:
    guide = _BLACKJACK_GUIDES.get(ruleset.digest)
    if guide is None:
        with _exact_analysis():
            from houseway.exact.blackjack import blackjack as analysed

            made = _make_blackjack_guide(analysed(ruleset.options).options)
            guide = _BLACKJACK_GUIDES[ruleset.digest] = made
    return guide


@contextmanager
def _exact_analysis() -> Iterator[None]:
    """Says which extra is missing when the exact analysis cannot be loaded."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"module {error.name!r} is not installed; install houseway with the extra 'fast'",
            name=error.name,
        ) from None


def _make_ante_guide(ruleset: Ruleset) -> AnteGuide:
    from houseway.exact.three_card import ante_analysis

    assert ruleset.game.contest is not None
    analysis = ante_analysis(ruleset.game, ruleset.paytables, ruleset.options)
    return AnteGuide(
        places=_places(),
        columns=DECK_SIZE if analysis.face_up else 1,
        played=analysis.optimal().astype("uint8").tobytes(),
        sums=analysis.value_of_playing().ravel().tolist(),
        cases=analysis.counts.sum(axis=-1).ravel().tolist(),
        per_ante=analysis.per_ante,
    )


@cache
def _places() -> dict[tuple[int, ...], Place]:
    from houseway.tabulate import three_card_hands

    hands = three_card_hands()
    every = [tuple(cards) for cards in hands.cards.tolist()]
    standing = [_suit_order(every[number]) for number in hands.canonical.tolist()]
    found: dict[tuple[int, ...], Place] = {}
    for cards, number in zip(every, hands.class_of.tolist(), strict=True):
        change = dict(zip(_suit_order(cards), standing[number], strict=True))
        found[cards] = number, tuple(change[suit] for suit in range(4))
    return found


def _suit_order(cards: tuple[int, ...]) -> list[int]:
    """The suits by the ranks held of each, alike for all hands of a class."""
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[suit_of(card)] |= 1 << rank_of(card)
    return sorted(range(4), key=lambda suit: masks[suit])


@cache
def _make_blackjack_guide(options: Chosen) -> BlackjackGuide:
    from houseway.exact.blackjack import blackjack as analysed
    from houseway.exact.blackjack import hand_of_kinds, rest_of_draws

    guide = BlackjackGuide({}, {}, {})
    for up, analysis in enumerate(analysed(options).by_up):
        for hand, values in analysis.values.items():
            if not blackjack.may("stand", hand_of_kinds(hand), options):
                continue
            key = tuple(kind for kind, held in enumerate(hand) for _ in range(held)), up
            guide.decisions[key] = analysis.best(hand)
            guide.sums[key] = values
            # The analysis counts halves of a bet.
            guide.cases[key] = 2 * analysis.cases(hand) * rest_of_draws(sum(hand))
    return guide


def _ante_values(game: Game, table: Round, seat: Seat) -> dict[str, Fraction]:
    guide, options = _ante_guide(table.ruleset), table.options
    play = guide.value(guide.place(seat.cards, _seen(table)))
    fold = net_units(contest_of(game).folded())
    bet, paytable = game.side("pair-plus"), table.ruleset.paytables["pair-plus"]
    lost = bet.folded(paytable, options)
    if "pair-plus" in seat.wagers and lost is not None:
        share = Fraction(seat.wagers["pair-plus"], seat.wagers["ante"])
        category = category3(*three(seat.cards))
        play += share * net_units(bet.rule(category, paytable, options))
        fold += share * net_units(lost)
    return {"play": play, "fold": fold}


@cache
def _insurance_value(tens_held: int) -> Fraction:
    """Of half a bet on a ten under the Ace, with two cards of one's own known beside it."""
    unseen = DECK_SIZE - 3
    natural = Fraction(_KIND.count(TEN_KIND) - tens_held, unseen)
    pays = net_units(blackjack.insurance(blackjack.total_of((ACE, TEN)), 2))
    loses = net_units(blackjack.insurance(blackjack.total_of((ACE, NINE)), 2))
    return HALF * (natural * pays + (1 - natural) * loses)
