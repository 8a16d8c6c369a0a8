"""Deals rounds from raw random words and writes down what each came to, as one small number.

Nothing here knows a rule. A hand is looked up in tables that the rules made, and an outcome is
the place of a case among all cases; what it pays is another table's business.

Cards are drawn by a partial shuffle of a deck that stays in whatever order the last round left
it, which is as good as a fresh one: every place is drawn anew. Several cards come from one word:
the word is multiplied by the number of cards to choose from, what lies above 32 bits is the
choice, and what lies below goes on to the next. The last remainder says whether the word is one of
the few that would make some deals likelier than others; such a word is thrown away.

Numbers that index a table are unsigned throughout: a signed one could count from the end, and the
check for that costs a third of the speed.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from houseway.exact.kernels.three_card import flush_category
from houseway.exact.tabulate import Masks, Short, Small

Words = npt.NDArray[np.uint32]
Cards = npt.NDArray[np.uint8]
Bytes = npt.NDArray[np.uint8]
Nodes = npt.NDArray[np.uint16]
Packed = npt.NDArray[np.uint32]
Outcomes = npt.NDArray[np.int32]
Drawn = tuple[np.uint64, np.uint8, np.uint8, np.uint8]

U = np.uint64
ONE, TWO, THREE, FOUR = U(1), U(2), U(3), U(4)
LOW = U(0xFFFFFFFF)
WORD = U(1 << 32)
HIGH = U(32)
SPARE_WORDS = 64
"""Words that must be left when a round begins, beyond those it needs; so many in a row are never
thrown away: one in six hundred is, at most."""
WHOLE_DECK = 13
"""Words for all 52 cards, four from each."""
OVER = 0xFFFF
"""What a Blackjack hand becomes that goes over 21."""

# Places of the fields that a three-card hand is packed into.
TRIPLE, KIND, SUITED, QUALIFIES, PLAYED = 10, 19, 29, 30, 31
TRIPLES, TEN_BITS, NINE_BITS = U(455), U(1023), U(511)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def take(deck: Cards, place: np.uint64, choice: np.uint64) -> np.uint8:
    """Swap the chosen card of those from a place on to that place; returns it."""
    chosen = place + (choice >> HIGH)
    card: np.uint8 = deck[chosen]
    deck[chosen] = deck[place]
    deck[place] = card
    return card


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def draw_three(words: Words, at: np.uint64, deck: Cards, first: np.uint64) -> Drawn:
    """Three cards to the places from `first` on; returns where the next word is, and the cards."""
    left = U(52) - first
    ways = left * (left - ONE) * (left - TWO)
    while True:
        one = U(words[at]) * left
        two = (one & LOW) * (left - ONE)
        three = (two & LOW) * (left - TWO)
        at += ONE
        rest = three & LOW
        if rest >= ways or rest >= WORD % ways:
            break
    a = take(deck, first, one)
    b = take(deck, first + ONE, two)
    c = take(deck, first + TWO, three)
    return at, a, b, c


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def draw_four(words: Words, at: np.uint64, deck: Cards, first: np.uint64) -> np.uint64:
    """Four cards to the places from `first` on; returns where the next word is."""
    left = U(52) - first
    ways = left * (left - ONE) * (left - TWO) * (left - THREE)
    while True:
        one = U(words[at]) * left
        two = (one & LOW) * (left - ONE)
        three = (two & LOW) * (left - TWO)
        four = (three & LOW) * (left - THREE)
        at += ONE
        rest = four & LOW
        if rest >= ways or rest >= WORD % ways:
            break
    take(deck, first, one)
    take(deck, first + ONE, two)
    take(deck, first + TWO, three)
    take(deck, first + THREE, four)
    return at


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def hand_number(places: Short, a: np.uint8, b: np.uint8, c: np.uint8) -> np.uint64:
    """The number of the hand of three cards in any order."""
    low, high = min(a, b), max(a, b)
    lowest, highest = min(low, c), max(high, c)
    middle = max(low, min(high, c))
    return U(places[0, lowest]) + U(places[1, middle]) + U(highest)


@njit("uint64(uint8[::1], uint64, uint64)", cache=True, nogil=True)
def suits_mask(deck: Cards, first: np.uint64, cards: np.uint64) -> np.uint64:
    """The cards from `first` on as bits, suit by suit."""
    mask = U(0)
    for place in range(first, first + cards):
        card = U(deck[place])
        mask |= ONE << (U(13) * (card & THREE) + (card >> TWO))
    return mask


@njit(
    "Tuple((int64, int64))(uint32[::1], int64, uint8[::1], int64, int64, int32[:,::1], "
    "int8[:,::1], uint8[:,::1], int16[:,::1], uint32[::1], uint64[::1], int64, int64, int8[::1], "
    "int8[::1], uint8[:,::1], int8[:,::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def deal_three_card(
    words: Words,
    at: int,
    deck: Cards,
    rounds: int,
    seats: int,
    outcomes: Outcomes,
    judged: Small,
    cards: Cards,
    places: Short,
    packed: Packed,
    shown: Masks,
    kinds: int,
    categories: int,
    category_by_ranks: Small,
    category_by_suit: Small,
    two_ranks: Bytes,
    five_by_ranks: Small,
) -> tuple[int, int]:
    """outcomes[round, seat] of whole tables: three cards a seat, then the dealer's three.

    Stops when the rounds are dealt or the words run low; returns how many rounds were dealt and
    where the next word is. The first of the dealer's cards is the one that is up: `shown[hand]`
    has a bit for every up card against which the hand is played, where players see one; elsewhere
    it is empty and a bit of `packed` says it. `category_by_ranks` is by the ranks of two threes,
    one row after the other. An outcome is by decision, facts, kind of hand and category of the
    six cards, in this order.

    `judged` gets the category of a seat's cards with two community cards, and `cards` the cards
    as they were dealt; each may be empty, and then nothing of it is done.
    """
    dealer = U(3 * seats)
    needed = U(seats + 2 + SPARE_WORDS)
    size, word = U(words.size), U(at)
    hands = np.zeros(seats, dtype=np.uint64)
    done = 0
    while done < rounds and word + needed <= size:
        for seat in range(seats):
            word, a, b, c = draw_three(words, word, deck, U(3 * seat))
            hands[seat] = hand_number(places, a, b, c)
        word, up, b, c = draw_three(words, word, deck, dealer)
        theirs = U(packed[hand_number(places, up, b, c)])
        strength = theirs & TEN_BITS
        qualifies = np.int64(THREE * ((theirs >> U(QUALIFIES)) & ONE))
        row = TRIPLES * ((theirs >> U(TRIPLE)) & NINE_BITS)
        if judged.size:
            word, first, second, _ = draw_three(words, word, deck, dealer + THREE)
            two = two_ranks[first >> np.uint8(2), second >> np.uint8(2)]
        for seat in range(seats):
            hand = hands[seat]
            mine = U(packed[hand])
            triple = (mine >> U(TRIPLE)) & NINE_BITS
            category = int(category_by_ranks[row + triple])
            if ((mine | theirs) >> U(SUITED)) & ONE:
                mask = suits_mask(deck, U(3 * seat), THREE) | suits_mask(deck, dealer, THREE)
                category = max(category, flush_category(category_by_suit, mask))
            if shown.size:
                played = np.int64((shown[hand] >> U(up)) & ONE)
            else:
                played = np.int64(mine >> U(PLAYED))
            own = mine & TEN_BITS
            facts = qualifies + np.int64(own >= strength) + np.int64(own > strength)
            kind = np.int64((mine >> U(KIND)) & TEN_BITS)
            outcomes[done, seat] = ((played * 6 + facts) * kinds + kind) * categories + category
            if judged.size:
                found = int(five_by_ranks[triple, two])
                if (mine >> U(SUITED)) & ONE:
                    mask = suits_mask(deck, U(3 * seat), THREE)
                    mask |= suits_mask(deck, dealer + THREE, TWO)
                    found = max(found, flush_category(category_by_suit, mask))
                judged[done, seat] = found
        if cards.size:
            cards[done, :] = deck[: cards.shape[1]]
        done += 1
    return done, int(word)


@njit(
    "Tuple((int64, int64))(uint32[::1], int64, uint8[::1], int64, int64, int32[:,::1], "
    "int8[:,::1], uint8[:,::1], int16[:,::1], uint32[::1], int8[::1], int8[::1], uint8[::1], "
    "uint8[:,::1], uint16[:,::1], uint16[:,::1], uint8[:,::1], uint8[::1], uint8[:,::1], "
    "uint8[::1], uint8[::1], uint8[::1], int8[:,::1], uint8[::1], int64, int64, int64, int64)",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def deal_bonus(
    words: Words,
    at: int,
    deck: Cards,
    rounds: int,
    seats: int,
    outcomes: Outcomes,
    judged: Small,
    cards: Cards,
    places: Short,
    packed: Packed,
    category_by_ranks: Small,
    category_by_suit: Small,
    kind_of: Bytes,
    war: Bytes,
    first_two: Nodes,
    after: Nodes,
    decision: Bytes,
    peeks: Bytes,
    step: Bytes,
    stops: Bytes,
    naturals: Bytes,
    end_of: Bytes,
    halves: Small,
    draws: Bytes,
    natural: int,
    least: int,
    span: int,
    categories: int,
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
    Blackjack in half units from `least` on, and category. Nothing is ever judged for a progressive.
    """
    assert judged.size == 0, "no progressive is offered with this game"
    nodes, kinds = U(after.shape[0]), U(after.shape[1])
    over = TWO * nodes
    split = over + FOUR
    shift = np.uint8(2)
    held = np.zeros(6 * seats, dtype=np.uint8)
    have = np.zeros(seats, dtype=np.uint64)
    rows = np.zeros(seats, dtype=np.uint64)
    size, word = U(words.size), U(at)
    needed = U(WHOLE_DECK + SPARE_WORDS)
    first_cards = U(2 * seats + 2)
    done = 0
    while done < rounds and word + needed <= size:
        drawn = U(0)
        while drawn < first_cards:
            word = draw_four(words, word, deck, drawn)
            drawn += FOUR
        up, hole = deck[U(seats)], deck[first_cards - ONE]
        up_kind, up_rank = kind_of[up], up >> shift
        total = step[step[U(0), up_rank], hole >> shift]
        has_natural = naturals[total] != 0
        found = has_natural and peeks[up_kind] != 0
        taken = first_cards
        wanted = False
        for seat in range(seats):
            base = U(6 * seat)
            one, two = deck[U(seat)], deck[U(seats + 1 + seat)]
            held[base], held[base + ONE] = one, two
            holds = TWO
            node = first_two[kind_of[one], kind_of[two]]
            row = U(node)
            while not found:
                choice = decision[node, up_kind]
                if choice == 0:
                    break
                if taken == drawn:
                    word = draw_four(words, word, deck, drawn)
                    drawn += FOUR
                card = deck[taken]
                taken += ONE
                held[base + holds] = card
                holds += ONE
                kind = kind_of[card]
                if choice == 3:
                    if taken == drawn:
                        word = draw_four(words, word, deck, drawn)
                        drawn += FOUR
                    card = deck[taken]
                    taken += ONE
                    held[base + holds] = card
                    holds += ONE
                    row = split + U(kind) * kinds + U(kind_of[card])
                    break
                node = after[node, kind]
                if node == OVER:
                    row = over + U(choice)
                    break
                row = U(node)
                if choice == 2:
                    row += nodes
                    break
            have[seat] = holds
            rows[seat] = row
            wanted = wanted or draws[row] != 0
        end = U(natural) if has_natural else U(0)
        if wanted and not has_natural:
            while not stops[total]:
                if taken == drawn:
                    word = draw_four(words, word, deck, drawn)
                    drawn += FOUR
                total = step[total, deck[taken] >> shift]
                taken += ONE
            end = U(end_of[total])
        for seat in range(seats):
            base = U(6 * seat)
            holds = have[seat]
            while holds < U(6):
                if taken == drawn:
                    word = draw_four(words, word, deck, drawn)
                    drawn += FOUR
                held[base + holds] = deck[taken]
                holds += ONE
                taken += ONE
            low = hand_number(places, held[base], held[base + ONE], held[base + TWO])
            high = hand_number(
                places, held[base + THREE], held[base + FOUR], held[base + FOUR + ONE]
            )
            lower, upper = U(packed[low]), U(packed[high])
            place = TRIPLES * ((lower >> U(TRIPLE)) & NINE_BITS)
            place += (upper >> U(TRIPLE)) & NINE_BITS
            category = int(category_by_ranks[place])
            if ((lower | upper) >> U(SUITED)) & ONE:
                mask = suits_mask(held, base, U(6))
                category = max(category, flush_category(category_by_suit, mask))
            won = np.int64(halves[rows[seat], end]) - least
            beaten = np.int64(war[held[base] >> shift, up_rank])
            outcomes[done, seat] = (beaten * span + won) * categories + category
        if cards.size:
            cards[done, :] = deck[: cards.shape[1]]
        done += 1
    return done, int(word)
