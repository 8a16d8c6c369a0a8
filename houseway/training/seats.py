"""Seats: one seat to ask about, dealt and settled by the rules of the table."""

from collections.abc import Collection, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from houseway.cards import ACE, DECK, KING, QUEEN, make_card, rank_of, suit_of
from houseway.cards.hands import FiveCard, ProgressiveThree, ThreeCard, category5, progressive3
from houseway.games.blackjack import BlackjackDecision
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.games.play import play_out
from houseway.games.progressive import judge
from houseway.games.triple_shot_bonus import GAME
from houseway.house.money import MeterLevel
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.refusal import Refused
from houseway.rules.ruleset import Ruleset
from houseway.rules.settlement import Settlement
from houseway.training.felt import settled
from houseway.training.packs import Three, any_three, some_five, some_three

if TYPE_CHECKING:
    from houseway.names import Bet

LINES_OF_PLAY: tuple[tuple[BlackjackDecision, ...], ...] = (
    ("hit", "stand"),
    ("hit", "hit", "stand"),
    ("hit", "hit", "hit", "stand"),
    ("hit",),
    ("hit", "hit"),
    ("double",),
    ("stand",),
)
DRAWN = {"hit": 1, "double": 1, "split": 2}
SUITED = {FiveCard.ROYAL_FLUSH, FiveCard.STRAIGHT_FLUSH, FiveCard.FLUSH}


class Played(NamedTuple):
    """A seat of Triple Shot Bonus: how it was played, and what it came to."""

    decisions: tuple[BlackjackDecision, ...]
    seat: Settlement

    @property
    def blackjack_cards(self) -> tuple[int, ...]:
        """The cards that the player had when the Blackjack hand ended."""
        return self.seat.player[: 2 + sum(DRAWN.get(each, 0) for each in self.decisions)]

    def decisions_text(self) -> str:
        """What the player did, in words; the test of a drill reads it back."""
        return ", ".join(self.decisions) or "none"


def tied_hands(rng: Random, game: Game, options: Options) -> tuple[Three, Three]:
    """A player's and a dealer's hand that tie: the same ranks, where the suits let them."""
    while True:
        player = any_three(rng)
        a, b, c = (make_card(rank_of(card), rng.randrange(4)) for card in player)
        if len({a, b, c, *player}) == 6 and (
            contest_of(game).value(player, options) == contest_of(game).value((a, b, c), options)
        ):
            return player, (a, b, c)


def shuffled(rng: Random, first: Sequence[int] = ()) -> list[int]:
    """A deck in random order behind the cards that come first."""
    rest = [card for card in DECK if card not in first]
    rng.shuffle(rest)
    return [*first, *rest]


def some_bonus_seat(
    rng: Random,
    ruleset: Ruleset,
    wagers: "dict[Bet, int]",
    *,
    first: Sequence[int] = (),
    insured: bool = False,
) -> Played:
    """A seat played out from some deck, with decisions that the rules allow on its cards.

    `first` are the cards that leave the deck first: player, dealer, player, dealer.
    """
    deck = shuffled(rng, first)
    offered: tuple[BlackjackDecision, ...] = ("insurance",) if insured else ()
    aces = rank_of(deck[0]) == rank_of(deck[2]) == ACE
    ways = [("split",)] if aces else rng.sample(LINES_OF_PLAY, len(LINES_OF_PLAY))
    for way in (*ways, ()):
        decisions = (*offered, *way)
        try:
            return Played(decisions, settled(ruleset, deck=deck, decisions=decisions, bets=wagers))
        except Refused:
            # The hand ended before the last of these decisions.
            continue
    return Played((), settled(ruleset, deck=deck, decisions=(), bets=wagers))


def poker_deck(rng: Random, six: tuple[int, ...], options: Options) -> list[int]:
    """A deck that gives a player who stands these six cards, in their order.

    How many cards the dealer takes in between is the rules' matter, so it is tried.
    """
    rest = [card for card in DECK if card not in six]
    rng.shuffle(rest)
    for drawn in range(2, len(rest)):
        house = rest[:drawn]
        deck = [six[0], house[0], six[1], house[1], *house[2:], *six[2:], *rest[drawn:]]
        if play_out(GAME, deck, (), GAME.required, options).own == six:
            return deck
    raise AssertionError("no deck gives these six cards")


def some_progressive_hand(rng: Random, paytable: PayTable) -> tuple[Three, tuple[int, ...]]:
    """A player's three cards that the progressive pays, and the community cards it looks at."""
    paid = tuple(paytable.pays)
    if paytable.community:
        five = some_five(rng, FiveCard(rng.choice(paid)))
        return (five[0], five[1], five[2]), five[3:]
    return _progressive_hand(rng, rng.choice(paid)), ()


def _progressive_hand(rng: Random, wanted: int) -> Three:
    """Three cards that a progressive calls so."""
    while True:
        hand = some_three(rng, (), _CATEGORIES[ProgressiveThree(wanted)])
        if progressive3(*hand) == wanted:
            return hand


_CATEGORIES = {
    ProgressiveThree.STRAIGHT: (ThreeCard.STRAIGHT,),
    ProgressiveThree.THREE_OF_A_KIND: (ThreeCard.THREE_OF_A_KIND,),
    ProgressiveThree.STRAIGHT_FLUSH: (ThreeCard.STRAIGHT_FLUSH,),
    ProgressiveThree.AKQ_OTHER_SUIT: (ThreeCard.MINI_ROYAL,),
    ProgressiveThree.AKQ_SPADES: (ThreeCard.MINI_ROYAL,),
}


def some_triggers(rng: Random, paytable: PayTable) -> tuple[tuple[int, ...], list[Three]]:
    """Community cards, and one or two hands apart that trigger envy."""
    wanted = rng.randint(1, 2)
    if paytable.community:
        return suited_board(rng, paytable, set(paytable.envy_cents), wanted)
    tops = [
        (make_card(ACE, suit), make_card(KING, suit), make_card(QUEEN, suit)) for suit in range(4)
    ]
    found = [hand for hand in tops if judge(hand, (), paytable) in paytable.envy_cents]
    if not found:
        found = [_progressive_hand(rng, rng.choice(tuple(paytable.envy_cents)))]
    return (), rng.sample(found, min(wanted, len(found)))


def suited_board(
    rng: Random, paytable: PayTable, hands: Collection[int], most: int
) -> tuple[tuple[int, ...], list[Three]]:
    """Two suited neighbours as community cards, and threes apart that make such hands of them.

    Of hands that are not of one suit there is one, with whatever community cards it takes.
    """
    if not {*hands} & SUITED:
        five = some_five(rng, FiveCard(rng.choice(sorted(hands))))
        return five[3:], [(five[0], five[1], five[2])]
    while True:
        low, suit = rng.randrange(ACE), rng.randrange(4)
        community = (make_card(low, suit), make_card(low + 1, suit))
        same = [card for card in DECK if suit_of(card) == suit and card not in community]
        every = [
            three for three in combinations(same, 3) if judge(three, community, paytable) in hands
        ]
        rng.shuffle(every)
        chosen: list[Three] = []
        for three in every:
            if len(chosen) < most and not {*three} & {card for one in chosen for card in one}:
                chosen.append(three)
        if chosen:
            return community, chosen


def unpaid_hand(rng: Random, paytable: PayTable) -> tuple[Three, tuple[int, ...]]:
    """A hand that the progressive does not pay."""
    while True:
        hand = any_three(rng)
        community = any_three(rng, hand)[:2] if paytable.community else ()
        seen = category5((*hand, *community)) if community else progressive3(*hand)
        if paytable.odds(seen) is None:
            return hand, community


def some_meters(rng: Random, paytable: PayTable) -> dict[MeterLevel, int]:
    """What stands on each meter: more on the first, and never whole dollars alone."""
    found: dict[MeterLevel, int] = {}
    most = 30_000
    for level in reversed(paytable.levels):
        found[level] = rng.randint(most // 10, most) * 100 + rng.randrange(100)
        most *= 4
    return dict(reversed(found.items()))


def meter_facts(meters: "dict[MeterLevel, int]") -> dict[str, int]:
    """Meters by the name that a screen shows."""
    return {
        "Meter" if level == "single" else f"{level.title()} meter": cents
        for level, cents in meters.items()
    }
