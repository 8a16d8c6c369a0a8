"""Decks for rounds of the progressive: who holds which hand is said beforehand."""

from collections.abc import Iterator, Mapping

from houseway.cards import DECK, cards_text, parse_cards
from houseway.games.progressive import judge
from houseway.house.paytables import PayTable

Cards = tuple[int, ...]
THREE = {
    "akq_spades": ("As Ks Qs",),
    "akq_other_suit": ("Ah Kh Qh", "Ad Kd Qd", "Ac Kc Qc"),
    "straight_flush": ("9h 8h 7h", "9d 8d 7d", "9c 8c 7c"),
    "three_of_a_kind": ("4s 4h 4d", "3s 3h 3d", "2s 2h 2d"),
    "straight": ("9s 8h 7d", "Ts 9h 8d", "7s 6h 5d", "Js Td 9c"),
}
"""Three cards for each hand of the three-card progressive."""
BOARDS = {
    "Js Ts": {
        "royal_flush": ("As Ks Qs",),
        "straight_flush": ("9s 8s 7s",),
        "four_of_a_kind": ("Jh Jd Jc", "Th Td Tc"),
        "full_house": ("Jh Th Td", "Jd Jc Tc"),
        "flush": ("5s 4s 2s",),
        "straight": ("9h 8h 7d", "9d 8d 7c"),
        "three_of_a_kind": ("Jh Jd 4h",),
    },
    "6s 5s": {
        "straight_flush": ("4s 3s 2s", "9s 8s 7s"),
        "four_of_a_kind": ("6h 6d 6c", "5h 5d 5c"),
        "full_house": ("6h 5h 5d", "6d 6c 5c"),
        "flush": ("Ks Js Ts",),
        "straight": ("4h 3h 2d", "9h 8d 7c"),
        "three_of_a_kind": ("6h 6d Ah", "5h 5d Kh"),
    },
}
"""Community cards of the link, and three cards that make each hand with them."""


def stacked(hands: Mapping[int, str | None], paytable: PayTable, *, dealer: str = "") -> str:
    """A deck that deals each position its hand, and nothing that is paid where it is None.

    As a round file writes the cards. Community cards come from the packet after the dealer's.
    """
    board, packets = _packets(hands, paytable)
    community = parse_cards(board) if board else ()
    used = {*community, *(card for packet in packets.values() for card in packet)}
    used |= {*parse_cards(dealer)} if dealer else set()
    for position in sorted(hands):
        if position not in packets:
            packets[position] = next(_worthless(used, community, paytable))
            used |= {*packets[position]}
    own = parse_cards(dealer) if dealer else next(_worthless(used, community, paytable))
    dealt = [card for position in sorted(packets) for card in packets[position]]
    order = [*dealt, *own, *community]
    return cards_text((*order, *(card for card in DECK if card not in order)))


def _packets(hands: Mapping[int, str | None], paytable: PayTable) -> tuple[str, dict[int, Cards]]:
    """Community cards, where the paytable has them, with the cards of every named hand."""
    named = {position: hand for position, hand in hands.items() if hand}
    for board, known in BOARDS.items() if paytable.community else (("", THREE),):
        packets: dict[int, Cards] = {}
        used = {*parse_cards(board)} if board else set()
        for position, hand in named.items():
            free = [p for p in map(parse_cards, known.get(hand, ())) if not used & {*p}]
            if free:
                packets[position] = free[0]
                used |= {*free[0]}
        if len(packets) == len(named):
            return board, packets
    raise ValueError(f"no deck is known for {hands}")


def _worthless(used: set[int], community: Cards, paytable: PayTable) -> Iterator[Cards]:
    """Three cards that win nothing on the paytable."""
    left = [card for card in DECK if card not in used]
    for a in left:
        for b in left:
            for c in left:
                if a < b < c and paytable.odds(judge((a, b, c), community, paytable)) is None:
                    yield a, b, c


def hand_name(cards: Cards, community: Cards, paytable: PayTable) -> str:
    """The name of the hand that cards make."""
    return paytable.name_of(judge(cards, community, paytable))
