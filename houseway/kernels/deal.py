"""Deals rounds from raw random words and writes down what each came to, as one small number.

Nothing here knows a rule. A hand is looked up in tables that the rules made, and an outcome is
the place of a case among all cases; what it pays is another table's business.

Cards are drawn by a partial shuffle of a deck that stays in whatever order the last round left
it, which is as good as a fresh one: every place is drawn anew. Several cards come from one word:
the word is multiplied by the number of cards to choose from, what lies above 32 bits is the
choice, and what lies below goes on to the next. The last remainder says whether the word is one of
the few that would make some deals likelier than others; such a word is thrown away.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from houseway.kernels.three_card import flush_category
from houseway.tabulate import Masks, Short, Small

Words = npt.NDArray[np.uint32]
Cards = npt.NDArray[np.uint8]
Packed = npt.NDArray[np.uint32]
Outcomes = npt.NDArray[np.int32]

LOW = np.uint64(0xFFFFFFFF)
WORD = np.uint64(1 << 32)
SHIFT = np.uint64(32)
SPARE_WORDS = 64
"""Words that must be left when a round begins, beyond those it needs; so many in a row are never
thrown away: one in six hundred is, at most."""
WHOLE_DECK = 13
"""Words for all 52 cards, four from each."""

# Places of the fields that a three-card hand is packed into.
TRIPLE, KIND, SUITED, QUALIFIES, PLAYED = 10, 19, 29, 30, 31


@njit("int64(uint32[::1], int64, uint8[::1], int64)", cache=True, nogil=True)
def draw_three(words: Words, at: int, deck: Cards, first: int) -> int:
    """Three cards to the places from `first` on; returns where the next word is."""
    left = np.uint64(52 - first)
    ways = left * (left - np.uint64(1)) * (left - np.uint64(2))
    while True:
        one = np.uint64(words[at]) * left
        two = (one & LOW) * (left - np.uint64(1))
        three = (two & LOW) * (left - np.uint64(2))
        at += 1
        rest = three & LOW
        if rest >= ways or rest >= WORD % ways:
            break
    place = first + np.int64(one >> SHIFT)
    deck[first], deck[place] = deck[place], deck[first]
    place = first + 1 + np.int64(two >> SHIFT)
    deck[first + 1], deck[place] = deck[place], deck[first + 1]
    place = first + 2 + np.int64(three >> SHIFT)
    deck[first + 2], deck[place] = deck[place], deck[first + 2]
    return at


@njit("int64(uint32[::1], int64, uint8[::1], int64)", cache=True, nogil=True)
def draw_four(words: Words, at: int, deck: Cards, first: int) -> int:
    """Four cards to the places from `first` on; returns where the next word is."""
    left = np.uint64(52 - first)
    ways = left * (left - np.uint64(1)) * (left - np.uint64(2)) * (left - np.uint64(3))
    while True:
        one = np.uint64(words[at]) * left
        two = (one & LOW) * (left - np.uint64(1))
        three = (two & LOW) * (left - np.uint64(2))
        four = (three & LOW) * (left - np.uint64(3))
        at += 1
        rest = four & LOW
        if rest >= ways or rest >= WORD % ways:
            break
    place = first + np.int64(one >> SHIFT)
    deck[first], deck[place] = deck[place], deck[first]
    place = first + 1 + np.int64(two >> SHIFT)
    deck[first + 1], deck[place] = deck[place], deck[first + 1]
    place = first + 2 + np.int64(three >> SHIFT)
    deck[first + 2], deck[place] = deck[place], deck[first + 2]
    place = first + 3 + np.int64(four >> SHIFT)
    deck[first + 3], deck[place] = deck[place], deck[first + 3]
    return at


@njit("int64(int16[:,::1], uint8[::1], int64)", cache=True, nogil=True)
def hand_number(places: Short, deck: Cards, first: int) -> int:
    """The number of the hand of the three cards from `first` on."""
    a, b, c = deck[first], deck[first + 1], deck[first + 2]
    low, high = min(a, b), max(a, b)
    lowest, highest = min(low, c), max(high, c)
    middle = max(low, min(high, c))
    return int(places[0, lowest]) + int(places[1, middle]) + int(places[2, highest])


@njit("uint64(uint8[::1], int64, int64)", cache=True, nogil=True)
def suits_mask(deck: Cards, first: int, cards: int) -> np.uint64:
    """The cards from `first` on as bits, suit by suit."""
    mask = np.uint64(0)
    for place in range(first, first + cards):
        card = np.uint64(deck[place])
        suit, rank = card & np.uint64(3), card >> np.uint64(2)
        mask |= np.uint64(1) << (np.uint64(13) * suit + rank)
    return mask


@njit(
    "Tuple((int64, int64))(uint32[::1], int64, uint8[::1], int64, int64, int16[:,::1], "
    "uint32[::1], uint64[::1], int64, int64, int8[:,::1], int8[::1], int8[:,::1], int8[:,::1], "
    "int32[:,::1], int8[:,::1], uint8[:,::1])",
    cache=True,
    nogil=True,
)
def deal_three_card(
    words: Words,
    at: int,
    deck: Cards,
    rounds: int,
    seats: int,
    places: Short,
    packed: Packed,
    shown: Masks,
    kinds: int,
    categories: int,
    category_by_ranks: Small,
    category_by_suit: Small,
    two_ranks: Small,
    five_by_ranks: Small,
    outcomes: Outcomes,
    judged: Small,
    cards: Cards,
) -> tuple[int, int]:
    """outcomes[round, seat] of whole tables: three cards a seat, then the dealer's three.

    Stops when the rounds are dealt or the words run low; returns how many rounds were dealt and
    where the next word is. The first of the dealer's cards is the one that is up: `shown[hand]`
    has a bit for every up card against which the hand is played, where players see one; elsewhere
    it is empty and a bit of `packed` says it. An outcome is by decision, facts, kind of hand and
    category of the six cards, in this order.

    `judged` gets the category of a seat's cards with two community cards, and `cards` the cards
    as they were dealt; each may be empty, and then nothing of it is done.
    """
    dealer = 3 * seats
    needed = seats + 1 + (1 if judged.size else 0) + SPARE_WORDS
    done = 0
    while done < rounds and at + needed <= words.size:
        for seat in range(seats + 1):
            at = draw_three(words, at, deck, 3 * seat)
        if judged.size:
            at = draw_three(words, at, deck, dealer + 3)
        if cards.size:
            cards[done, :] = deck[: cards.shape[1]]
        theirs = packed[hand_number(places, deck, dealer)]
        strength = theirs & 1023
        qualifies = 3 * ((theirs >> QUALIFIES) & 1)
        by_ranks = category_by_ranks[(theirs >> TRIPLE) & 511]
        suited = (theirs >> SUITED) & 1
        for seat in range(seats):
            hand = hand_number(places, deck, 3 * seat)
            mine = packed[hand]
            triple = (mine >> TRIPLE) & 511
            category = int(by_ranks[triple])
            if suited or (mine >> SUITED) & 1:
                mask = suits_mask(deck, 3 * seat, 3) | suits_mask(deck, dealer, 3)
                category = max(category, flush_category(category_by_suit, mask))
            if shown.size:
                played = np.int64((shown[hand] >> np.uint64(deck[dealer])) & np.uint64(1))
            else:
                played = np.int64((mine >> PLAYED) & 1)
            own = mine & 1023
            facts = np.int64(qualifies) + (1 if own >= strength else 0) + (own > strength)
            kind = np.int64((mine >> KIND) & 1023)
            outcomes[done, seat] = ((played * 6 + facts) * kinds + kind) * categories + category
            if judged.size:
                two = two_ranks[deck[dealer + 3] >> 2, deck[dealer + 4] >> 2]
                found = int(five_by_ranks[triple, two])
                if (mine >> SUITED) & 1:
                    mask = suits_mask(deck, 3 * seat, 3) | suits_mask(deck, dealer + 3, 2)
                    found = max(found, flush_category(category_by_suit, mask))
                judged[done, seat] = found
        done += 1
    return done, at


@njit(
    "Tuple((int64, int64))(uint32[::1], int64, uint8[::1], int64, int64, int16[:,::1], "
    "uint32[::1], int8[:,::1], int8[::1], int8[::1], int8[:,::1], int16[:,::1], int16[:,::1], "
    "int8[:,::1], int8[::1], int16[:,::1], int8[::1], int8[::1], int8[::1], int8[:,::1], "
    "int8[::1], int64, int64, int64, int64, int32[:,::1], uint8[:,::1])",
    cache=True,
    nogil=True,
)
def deal_bonus(
    words: Words,
    at: int,
    deck: Cards,
    rounds: int,
    seats: int,
    places: Short,
    packed: Packed,
    category_by_ranks: Small,
    category_by_suit: Small,
    kind_of: Small,
    war: Small,
    first_two: Short,
    after: Short,
    decision: Small,
    peeks: Small,
    step: Short,
    stops: Small,
    naturals: Small,
    end_of: Small,
    halves: Small,
    draws: Small,
    natural: int,
    least: int,
    span: int,
    categories: int,
    outcomes: Outcomes,
    cards: Cards,
) -> tuple[int, int]:
    """outcomes[round, seat] of whole tables of Triple Shot Bonus, dealt in the order of the table.

    A first card to each seat and one to the dealer, a second to each and the hole card; the seats
    play in turn, the dealer draws when a hand needs it, and each seat is dealt to six cards.
    Returns how many rounds were dealt and where the next word is.

    A seat's Blackjack ends in a row of `halves`, by how the dealer ends: rows of hands that stand,
    of doubled hands, of hands over 21 by decision, of split Aces by their two new kinds. `draws`
    says of a row that the dealer's total decides it. Totals go through `step`; the first row of
    it is nothing held. `end_of[total]` is how the dealer ends with it; `naturals[total]` says of a
    total of two cards that it is a natural, which ends as `natural`. An outcome is by War,
    Blackjack in half units from `least` on, and category.
    """
    nodes = after.shape[0]
    over, split = 2 * nodes, 2 * nodes + 4
    kinds = after.shape[1]
    held = np.zeros(6 * seats, dtype=np.uint8)
    have = np.zeros(seats, dtype=np.int64)
    rows = np.zeros(seats, dtype=np.int64)
    needed = WHOLE_DECK + SPARE_WORDS
    done = 0
    while done < rounds and at + needed <= words.size:
        drawn = 0
        first_cards = 2 * seats + 2
        while drawn < first_cards:
            at = draw_four(words, at, deck, drawn)
            drawn += 4
        up, hole = deck[seats], deck[first_cards - 1]
        up_kind = kind_of[up]
        total = step[step[0, up >> 2], hole >> 2]
        has_natural = naturals[total] == 1
        found = has_natural and peeks[up_kind]
        taken = first_cards
        wanted = False
        for seat in range(seats):
            base = 6 * seat
            held[base], held[base + 1] = deck[seat], deck[seats + 1 + seat]
            have[seat] = 2
            node = first_two[kind_of[held[base]], kind_of[held[base + 1]]]
            row = np.int64(node)
            while not found:
                choice = decision[node, up_kind]
                if choice == 0:
                    break
                if taken == drawn:
                    at = draw_four(words, at, deck, drawn)
                    drawn += 4
                card = deck[taken]
                taken += 1
                held[base + have[seat]] = card
                have[seat] += 1
                kind = kind_of[card]
                if choice == 3:
                    if taken == drawn:
                        at = draw_four(words, at, deck, drawn)
                        drawn += 4
                    card = deck[taken]
                    taken += 1
                    held[base + have[seat]] = card
                    have[seat] += 1
                    row = split + np.int64(kind) * kinds + kind_of[card]
                    break
                then = after[node, kind]
                if then < 0:
                    row = over + np.int64(choice)
                    break
                node = then
                row = np.int64(node)
                if choice == 2:
                    row += nodes
                    break
            rows[seat] = row
            wanted = wanted or draws[row]
        end = natural if has_natural else 0
        if wanted and not has_natural:
            while not stops[total]:
                if taken == drawn:
                    at = draw_four(words, at, deck, drawn)
                    drawn += 4
                total = step[total, deck[taken] >> 2]
                taken += 1
            end = int(end_of[total])
        for seat in range(seats):
            base = 6 * seat
            while have[seat] < 6:
                if taken == drawn:
                    at = draw_four(words, at, deck, drawn)
                    drawn += 4
                held[base + have[seat]] = deck[taken]
                have[seat] += 1
                taken += 1
            one = packed[hand_number(places, held, base)]
            two = packed[hand_number(places, held, base + 3)]
            category = int(category_by_ranks[(one >> TRIPLE) & 511, (two >> TRIPLE) & 511])
            if ((one | two) >> SUITED) & 1:
                mask = suits_mask(held, base, 6)
                category = max(category, flush_category(category_by_suit, mask))
            won = np.int64(halves[rows[seat], end]) - least
            beaten = np.int64(war[held[base] >> 2, up >> 2])
            outcomes[done, seat] = (beaten * span + won) * categories + category
        if cards.size:
            cards[done, :] = deck[: cards.shape[1]]
        done += 1
    return done, at
