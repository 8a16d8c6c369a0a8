"""The virtual shuffler: it counts, it makes packets, it diagnoses itself, and it is fair.

Fairness is tested at fixed seeds: a table of cards by places, each row by chi-square at 99%. One
row in a hundred fails by chance alone, so what is judged is how many fail, by the binomial law.
The same test is given shufflers with known faults and must catch them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import erfc, exp, pi, sqrt
from random import Random, SystemRandom
from typing import Any

import pytest

from houseway.cards import DECK, DECK_SIZE
from houseway.cards.hands import category3
from houseway.games import codes
from houseway.live.shuffler import TRIALS, Shuffler, check_deck, make_shuffle
from houseway.refusal import Reason, Refused

SIZE = 0.01
"""The share of rows that a fair shuffler fails."""
ABSURD = 1e-4
"""A number of failures less likely than this, or the other way round, is no chance."""

Dealing = Callable[[Random], Sequence[int]]


# Statistics.


def chi_square_tail(x: float, freedom: int) -> float:
    """The chance that chi-square of so many degrees of freedom is x or more."""
    half = x / 2
    if freedom % 2 == 0:
        term = total = exp(-half)
        for k in range(1, freedom // 2):
            term *= half / k
            total += term
        return total
    total, term = erfc(sqrt(half)), exp(-half) * sqrt(2 * x / pi)
    for k in range(1, freedom, 2):
        total += term
        term *= x / (k + 2)
    return total


def row_chance(counts: Sequence[int], expected: Sequence[float]) -> float:
    """How likely counts at least as odd as these are."""
    x = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    return chi_square_tail(x, len(counts) - 1)


def binomial_tails(found: int, trials: int, chance: float) -> tuple[float, float]:
    """The chances of so few and of so many."""
    law = [(1 - chance) ** trials]
    for k in range(trials):
        law.append(law[-1] * (trials - k) / (k + 1) * chance / (1 - chance))
    return sum(law[: found + 1]), sum(law[found:])


def judge(chances: Iterable[float]) -> bool:
    """True when as many rows fail as should.

    The rows of one table sum to the same columns, so they are not quite independent: the variance
    of their sum is larger by one part in fifty than if they were, which is nothing here.
    """
    found = list(chances)
    failed = sum(1 for chance in found if chance < SIZE)
    few, many = binomial_tails(failed, len(found), SIZE)
    return few > ABSURD and many > ABSURD


def places_of_cards(deal: Dealing, seeds: Iterable[str], shuffles: int) -> list[float]:
    """For each seed a table of 52 places by 52 cards; the chances of all its rows."""
    chances = []
    for seed in seeds:
        rng = Random(seed)
        table = [[0] * DECK_SIZE for _ in DECK]
        for _ in range(shuffles):
            for row, card in zip(table, deal(rng), strict=True):
                row[card] += 1
        expected = [shuffles / DECK_SIZE] * DECK_SIZE
        chances += [row_chance(row, expected) for row in table]
    return chances


def seeds(name: str, count: int = 16) -> list[str]:
    return [f"{name} {number}" for number in range(count)]


def test_the_tails_are_those_of_the_tables() -> None:
    for freedom, x in ((1, 6.6349), (2, 9.2103), (16, 31.9999), (51, 77.3860), (256, 311.5603)):
        assert chi_square_tail(x, freedom) == pytest.approx(0.01, rel=1e-3)
    few, many = binomial_tails(0, 100, 0.01)
    assert few == pytest.approx(0.99**100)
    assert many == pytest.approx(1)
    assert judge([0.5] * 99 + [0.001])
    assert not judge([0.5] * 80 + [0.001] * 20)
    # Too even is as suspect as too odd.
    assert not judge([0.5] * 2000)


# Fairness.


@pytest.mark.clause("ACE-01")
@pytest.mark.parametrize("packet_size", [1, 3])
def test_every_card_is_equally_likely_at_every_place(packet_size: int) -> None:
    def deal(rng: Random) -> Sequence[int]:
        return make_shuffle(rng, packet_size).cards

    assert judge(places_of_cards(deal, seeds(f"places {packet_size}"), 520))


def naive(rng: Random) -> Sequence[int]:
    """Every card changes places with any other: the classic mistake."""
    deck = list(DECK)
    for place in DECK:
        other = rng.randrange(DECK_SIZE)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def sticky(rng: Random) -> Sequence[int]:
    """One time in ten the bottom card of the deck that was put in stays where it was."""
    deck = list(make_shuffle(rng, 3).cards)
    if rng.random() < 0.1:
        place = deck.index(51)
        deck[place], deck[51] = deck[51], deck[place]
    return deck


def rotated(rng: Random) -> Sequence[int]:
    """A cut in place of a shuffle: every place is fair by itself, and nothing else is."""
    cut = rng.randrange(DECK_SIZE)
    return [*DECK[cut:], *DECK[:cut]]


def unmixed_packets(rng: Random) -> Sequence[int]:
    """Packets that leave in the order they were made, from a deck that was hardly mixed."""
    deck = list(DECK)
    for _ in range(40):
        one, two = rng.randrange(DECK_SIZE), rng.randrange(DECK_SIZE)
        deck[one], deck[two] = deck[two], deck[one]
    return deck


@pytest.mark.clause("ACE-01")
@pytest.mark.parametrize("faulty", [naive, sticky, unmixed_packets])
def test_a_shuffler_with_a_fault_fails_the_same_test(faulty: Dealing) -> None:
    assert not judge(places_of_cards(faulty, seeds("faulty"), 520))


def neighbours(deal: Dealing, names: Iterable[str], shuffles: int) -> list[float]:
    """For each seed: which card follows a card, as a distance in the deck, at four places."""
    chances = []
    for seed in names:
        rng = Random(seed)
        table = [[0] * (DECK_SIZE - 1) for _ in range(4)]
        for _ in range(shuffles):
            cards = deal(rng)
            for row, place in zip(table, (0, 1, 2, 20), strict=True):
                row[(cards[place + 1] - cards[place]) % DECK_SIZE - 1] += 1
        expected = [shuffles / (DECK_SIZE - 1)] * (DECK_SIZE - 1)
        chances += [row_chance(row, expected) for row in table]
    return chances


@pytest.mark.clause("ACE-01")
def test_no_card_says_which_one_follows() -> None:
    """Inside a packet and from one packet to the next."""
    assert judge(neighbours(lambda rng: make_shuffle(rng, 3).cards, seeds("pairs", 40), 510))
    assert not judge(neighbours(rotated, seeds("pairs", 40), 510))


class InOrder(Random):
    """A generator that leaves the deck as it is, so that only the order of packets is random."""

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        return list(population)[:k]


def packet_order(seed: str, shuffles: int) -> list[float]:
    """A table of 17 deliveries by the 17 packets that were made; the chances of its rows."""
    rng = InOrder(seed)
    table = [[0] * 17 for _ in range(17)]
    for _ in range(shuffles):
        shuffle = make_shuffle(rng, 3)
        for delivery, row in enumerate(table):
            packet = shuffle.packet(delivery)
            assert packet == (packet[0], packet[0] + 1, packet[0] + 2)
            row[packet[0] // 3] += 1
    return [row_chance(row, [shuffles / 17] * 17) for row in table]


@pytest.mark.clause("ACE-01", "ACE-12")
def test_packets_are_delivered_in_random_order() -> None:
    assert judge(chance for seed in seeds("order", 50) for chance in packet_order(seed, 170))


def hands_by_seat(deal: Dealing, names: Iterable[str], shuffles: int) -> list[float]:
    """The hands at seven positions and the dealer's against the law of all hands."""
    law = [16440, 3744, 1096, 720 + 52 + 48]
    expected = [count * shuffles / 22100 for count in law]
    chances = []
    for seed in names:
        rng = Random(seed)
        table = [[0] * 4 for _ in range(8)]
        for _ in range(shuffles):
            cards = deal(rng)
            for seat, row in enumerate(table):
                a, b, c = cards[3 * seat : 3 * seat + 3]
                row[min(category3(a, b, c), 3)] += 1
        chances += [row_chance(row, expected) for row in table]
    return chances


def helpful(rng: Random) -> Sequence[int]:
    """One time in three the dealer's packet changes places with a better one of the seventh."""
    cards = list(make_shuffle(rng, 3).cards)
    seventh, dealer = cards[18:21], cards[21:24]
    better = category3(*seventh) > category3(*dealer)
    if better and rng.random() < 1 / 3:
        cards[18:24] = dealer + seventh
    return cards


@pytest.mark.clause("ACE-12")
def test_a_seat_says_nothing_of_its_packet() -> None:
    def deal(rng: Random) -> Sequence[int]:
        return make_shuffle(rng, 3).cards

    assert judge(hands_by_seat(deal, seeds("seats", 40), 500))
    assert not judge(hands_by_seat(helpful, seeds("seats", 40), 500))


@pytest.mark.clause("ACE-12")
def test_where_a_card_was_says_nothing_of_where_it_is_next() -> None:
    """The packet of the Ace of spades in one shuffle and in the one after."""

    def follow(next_deck: Callable[[Random, Sequence[int]], Sequence[int]], name: str) -> bool:
        chances = []
        for seed in seeds(name, 30):
            rng, cards = Random(seed), make_shuffle(Random(seed), 3).cards
            table = [[0] * 4 for _ in range(4)]
            for _ in range(600):
                after = tuple(next_deck(rng, cards))
                table[cards.index(51) // 13][after.index(51) // 13] += 1
                cards = after
            chances += [row_chance(row, [sum(row) / 4] * 4) for row in table]
        return judge(chances)

    assert follow(lambda rng, cards: make_shuffle(rng, 3, cards).cards, "follow")

    def hardly_mixed(rng: Random, cards: Sequence[int]) -> Sequence[int]:
        mixed = list(cards)
        for _ in range(60):
            one, two = rng.randrange(DECK_SIZE), rng.randrange(DECK_SIZE)
            mixed[one], mixed[two] = mixed[two], mixed[one]
        return mixed

    assert not follow(hardly_mixed, "follow")


@pytest.mark.soak
@pytest.mark.parametrize("packet_size", [1, 3])
def test_the_generator_of_the_machine_is_fair_too(packet_size: int) -> None:
    machine = SystemRandom()

    def deal(_: Random) -> Sequence[int]:
        return make_shuffle(machine, packet_size).cards

    assert judge(places_of_cards(deal, seeds("soak", 100), 2600))


@pytest.mark.clause("ACE-01")
def test_a_seed_gives_the_same_shuffle_again_and_another_gives_another() -> None:
    one, same, other = (make_shuffle(Random(seed), 3) for seed in (1, 1, 2))
    assert one == same
    assert one.cards != other.cards
    assert one.id != other.id
    assert len({make_shuffle(rng, 3).id for rng in [Random(7)] for _ in range(500)}) == 500


# The deck and its packets.


@pytest.mark.clause("ACE-06")
@pytest.mark.parametrize(
    ("deck", "words"),
    [
        (DECK[:51], "51 cards"),
        ((*DECK, 0), "53 cards"),
        (DECK[1:], "missing: 2c"),
        ((*DECK[:51], 0), "twice: 2c"),
        ((*DECK[:51], 0), "missing: As"),
        ((*DECK[:51], 52), "missing: As"),
        ((*DECK[:51], -1), "missing: As"),
        ((*DECK[:50], 99, 99), "missing: Ah As"),
        ((), "0 cards"),
    ],
)
def test_a_deck_that_is_not_whole_stops_the_shuffler(deck: tuple[int, ...], words: str) -> None:
    machine = Shuffler(game="three-card-poker")
    for attempt in (
        lambda: check_deck(deck),
        lambda: make_shuffle(Random(1), 3, deck),
        lambda: machine.shuffle(Random(1), deck),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert (refused.value.reason, refused.value.clause) == (Reason.BAD_DECK, "ACE-06")
        assert words in refused.value.message
    assert (machine.cycles, machine.log) == (0, ())


@pytest.mark.clause("ACE-06")
def test_what_only_equals_a_card_is_none() -> None:
    lookalikes: list[Any] = [(False, *DECK[1:]), (0.0, *DECK[1:]), (0, True, *DECK[2:])]
    for deck in lookalikes:
        with pytest.raises(Refused):
            check_deck(deck)
    check_deck(DECK[::-1])
    check_deck(list(DECK))


@pytest.mark.clause("ACE-03", "TSR-39")
def test_the_game_sets_the_size_of_the_packets() -> None:
    for game in codes():
        size = 1 if game == "triple-shot-bonus" else 3
        machine, made = Shuffler(game=game).shuffle(Random(game))
        assert made.packet_size == machine.packet_size == size
        assert made.packets == (52 if size == 1 else 17)
        packets = [made.packet(number) for number in range(made.packets)]
        assert all(len(packet) == size for packet in packets)
        left = made.cards[made.packets * size :]
        assert [card for packet in packets for card in packet] + list(left) == list(made.cards)
        assert len(left) == 52 - made.packets * size


@pytest.mark.parametrize("packet_size", [1, 2, 3, 5, 7, 13, 52])
def test_no_card_is_lost_in_packets(packet_size: int) -> None:
    rng = Random(packet_size)
    for _ in range(50):
        made = make_shuffle(rng, packet_size)
        assert sorted(made.cards) == list(DECK)
        assert made.by == "automatic"


# The machine.


def test_the_machine_counts_and_keeps_a_log() -> None:
    machine, rng, made = Shuffler(game="triple-shot-rummy"), Random(3), []
    for _ in range(3):
        machine, shuffle = machine.shuffle(rng)
        made.append(shuffle)
    machine = machine.fault("a card is stuck")
    machine, shuffle = machine.shuffle(rng)
    assert (machine.cycles, machine.hands, machine.faults) == (4, 68, 1)
    assert [entry.cycle for entry in machine.log] == [1, 2, 3, 3, 4]
    assert machine.log[0].what == f"shuffle {made[0].id}: 17 packets"
    assert machine.log[3].what == "fault: a card is stuck"
    # No card is in what the machine remembers: entries are numbers and ids of shuffles.
    assert all(set(entry._fields) == {"cycle", "what"} for entry in machine.log)
    assert machine.log[-1].what == f"shuffle {shuffle.id}: 17 packets"


@pytest.mark.clause("ACE-02")
@pytest.mark.parametrize("game", codes())
def test_a_machine_that_works_finds_nothing_wrong(game: Any) -> None:
    machine = Shuffler(game=game)
    for number in range(3):
        assert machine.self_test(Random(number)).passed
        machine, _ = machine.shuffle(Random(number))
    result = machine.self_test(Random(9))
    assert [finding.code for finding in result.findings] == [
        *("deck", "packets", "randomness", "counters")
    ]
    assert all(finding.ok and len(finding.words) > 10 for finding in result.findings)


class Stuck(Random):
    """A generator that always gives the same deck."""

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        return list(population)[:k]

    def shuffle(self, x: Any) -> None:
        """Leave everything as it is."""


class Careless(Random):
    """A generator that gives one card twice."""

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        found = super().sample(population, k)
        return [*found[:-1], found[0]]


@pytest.mark.clause("ACE-02")
@pytest.mark.parametrize(
    ("machine", "generator", "deck", "wrong", "words"),
    [
        (Shuffler(game="three-card-poker"), Random(1), DECK[:51], ["deck"], "51 cards"),
        (Shuffler(game="three-card-poker"), Stuck(), DECK, ["randomness"], "repeat"),
        (Shuffler(game="three-card-poker"), Careless(1), DECK, ["packets"], "lost"),
        (
            Shuffler(game="three-card-poker", cycles=2, hands=33),
            Random(1),
            DECK,
            ["counters"],
            "2 cycles and 33 hands do not agree",
        ),
        (
            Shuffler(game="triple-shot-bonus", cycles=1),
            Stuck(),
            (*DECK, 5),
            ["deck", "randomness", "counters"],
            "53 cards",
        ),
    ],
)
def test_a_fault_is_found_on_the_spot_and_said_in_plain_words(
    machine: Shuffler, generator: Random, deck: tuple[int, ...], wrong: list[str], words: str
) -> None:
    result = machine.self_test(generator, deck)
    assert not result.passed
    findings = [finding for finding in result.findings if not finding.ok]
    assert [finding.code for finding in findings] == wrong
    assert any(words in finding.words for finding in findings)


def test_trial_shuffles_are_not_counted_as_cycles() -> None:
    machine, _ = Shuffler(game="three-card-poker").shuffle(Random(1))
    before = replace(machine)
    machine.self_test(Random(2))
    assert machine == before
    assert TRIALS > 1
