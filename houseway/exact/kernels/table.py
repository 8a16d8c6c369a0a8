"""Sums over the seats of one table: they share the dealer's hand and the deck."""

import numpy as np
import numpy.typing as npt
from numba import njit

from houseway.exact.kernels.three_card import flush_category
from houseway.exact.tabulate import Ints, Masks, Small

Flags = npt.NDArray[np.bool_]


@njit(
    "void(int64[:], int64[:,:], uint64[:], int64[:], int8[:], int64[:], int8[:,:], int8[:,:], "
    "int8[:], int8[:,:], int64[:,:,:,:])",
    cache=True,
    nogil=True,
)
def count_shown_seats(
    players: Ints,
    cards: Ints,
    masks: Masks,
    triple: Ints,
    suited: Small,
    hand_class: Ints,
    facts: Small,
    category_by_ranks: Small,
    category_by_suit: Small,
    plays: Small,
    counts: Ints,
) -> None:
    """counts[player, decision, facts, six-card category]: each dealer card is the up card in turn.

    `plays[player, up card]` is the decision, 1 to play and 0 to fold.
    """
    for number in range(players.size):
        player = players[number]
        held = masks[player]
        row = facts[hand_class[player]]
        by_ranks = category_by_ranks[triple[player]]
        for dealer in range(masks.size):
            if held & masks[dealer]:
                continue
            category = int(by_ranks[triple[dealer]])
            if suited[player] or suited[dealer]:
                category = max(category, flush_category(category_by_suit, held | masks[dealer]))
            found = row[hand_class[dealer]]
            for place in range(3):
                decision = plays[number, cards[dealer, place]]
                counts[number, decision, found, category] += 1


@njit(
    "int64(int64, int64, uint64[:], int64[:], int8[:], int64[:], int8[:,:], int8[:,:], int8[:], "
    "int64[:], int8[:,:], int64[:,:,:,:], int64[:], int64[:], int64[:,:])",
    cache=True,
    nogil=True,
)
def seat_nets(
    dealer: int,
    view: int,
    masks: Masks,
    triple: Ints,
    suited: Small,
    hand_class: Ints,
    facts: Small,
    category_by_ranks: Small,
    category_by_suit: Small,
    class_of: Ints,
    plays: Small,
    by_hand: Ints,
    by_category: Ints,
    hands: Ints,
    nets: Ints,
) -> int:
    """How many hands a dealer's hand leaves; fills `hands` and nets[place, bet] with them.

    `plays[view, hand]` is the decision when the player has seen `view`. The first bets are worth
    by_hand[bet, class of the hand, decision, facts], the last one by_category[six-card category].
    """
    bets = by_hand.shape[0]
    column = facts[:, hand_class[dealer]].copy()
    by_ranks = category_by_ranks[triple[dealer]]
    held = masks[dealer]
    found = 0
    for player in range(masks.size):
        if masks[player] & held:
            continue
        fact = column[hand_class[player]]
        for bet in range(bets):
            nets[found, bet] = by_hand[bet, class_of[player], plays[view, player], fact]
        category = int(by_ranks[triple[player]])
        if suited[player] or suited[dealer]:
            category = max(category, flush_category(category_by_suit, held | masks[player]))
        nets[found, bets] = by_category[category]
        hands[found] = player
        found += 1
    return found


@njit(
    "void(int64, int64[:], int64[:,:], int64[:,:], int64[:,:,:], int64[:,:])",
    cache=True,
    nogil=True,
)
def _add_disjoint_products(
    found: int, hands: Ints, cards: Ints, nets: Ints, two: Ints, sums: Ints
) -> None:
    """Adds to sums[bet, other] the product of nets over ordered pairs of hands apart.

    Apart means without a common card. Of all pairs those that share a card are taken away, those
    that share two are put back and those that share three taken away: for each set of cards the
    product of the sums over the hands that hold it. `two` is room for the sums by two cards; a
    hand with a given card holds two pairs with it, and every hand holds three cards.
    """
    bets = nets.shape[1]
    two[:] = 0
    for place in range(found):
        hand = hands[place]
        low, middle, high = cards[hand, 0], cards[hand, 1], cards[hand, 2]
        for bet in range(bets):
            net = nets[place, bet]
            two[low, middle, bet] += net
            two[low, high, bet] += net
            two[middle, high, bet] += net
            for other in range(bet, bets):
                sums[bet, other] -= net * nets[place, other]
    one = np.zeros((52, bets), dtype=np.int64)
    whole = np.zeros(bets, dtype=np.int64)
    for low in range(52):
        for high in range(low + 1, 52):
            for bet in range(bets):
                net = two[low, high, bet]
                one[low, bet] += net
                one[high, bet] += net
                for other in range(bet, bets):
                    sums[bet, other] += net * two[low, high, other]
    for card in range(52):
        for bet in range(bets):
            one[card, bet] //= 2
            whole[bet] += one[card, bet]
    for bet in range(bets):
        for other in range(bet, bets):
            for card in range(52):
                sums[bet, other] -= one[card, bet] * one[card, other]
            sums[bet, other] += (whole[bet] // 3) * (whole[other] // 3)


@njit(
    "void(int64[:], int64[:,:], int64[:,:], uint64[:], int64[:], int8[:], int64[:], int8[:,:], "
    "int8[:,:], int8[:], int64[:], int8[:,:], int64[:,:,:,:], int64[:], int64[:,:,:])",
    cache=True,
    nogil=True,
)
def sum_pairs_of_seats(
    dealers: Ints,
    views: Ints,
    cards: Ints,
    masks: Masks,
    triple: Ints,
    suited: Small,
    hand_class: Ints,
    facts: Small,
    category_by_ranks: Small,
    category_by_suit: Small,
    class_of: Ints,
    plays: Small,
    by_hand: Ints,
    by_category: Ints,
    sums: Ints,
) -> None:
    """sums[dealer, bet, other]: over all pairs of seats, the one's bet times the other's.

    `views[dealer]` lists what players may have seen, each in turn. Only bet <= other is filled.
    """
    bets = by_hand.shape[0] + 1
    hands = np.zeros(masks.size, dtype=np.int64)
    nets = np.zeros((masks.size, bets), dtype=np.int64)
    two = np.zeros((52, 52, bets), dtype=np.int64)
    for number in range(dealers.size):
        for view in views[number]:
            found = seat_nets(
                dealers[number],
                view,
                masks,
                triple,
                suited,
                hand_class,
                facts,
                category_by_ranks,
                category_by_suit,
                class_of,
                plays,
                by_hand,
                by_category,
                hands,
                nets,
            )
            _add_disjoint_products(found, hands, cards, nets, two, sums[number])


@njit("int64(int64[:,:], int64, boolean[:])", cache=True, nogil=True)
def _first_free(cards: Ints, start: int, crossed: Flags) -> int:
    """The first hand from `start` on without a card that is crossed out."""
    place = start
    while crossed[cards[place, 0]] or crossed[cards[place, 1]] or crossed[cards[place, 2]]:
        place += 1
    return place


@njit("void(int64[:,:], int64[:])", cache=True, nogil=True)
def bound_best_seats(cards: Ints, limits: Ints) -> None:
    """limits[n]: the best hand without n cards that are crossed out; hands come best first.

    Each time that card of the best hand is crossed out which leads furthest down.
    """
    crossed = np.zeros(52, dtype=np.bool_)
    best = 0
    for seat in range(limits.size):
        limits[seat] = best
        choice, furthest = -1, -1
        for card in cards[best]:
            crossed[card] = True
            following = _first_free(cards, best, crossed)
            crossed[card] = False
            if following > furthest:
                choice, furthest = card, following
        crossed[choice] = True
        best = furthest


@njit("void(int64[:,:], int64[:])", cache=True, nogil=True)
def deal_best_seats(cards: Ints, dealt: Ints) -> None:
    """dealt[seat]: the best hand that the seats before it leave; hands come best first."""
    crossed = np.zeros(52, dtype=np.bool_)
    place = 0
    for seat in range(dealt.size):
        place = _first_free(cards, place, crossed)
        dealt[seat] = place
        for card in cards[place]:
            crossed[card] = True
