"""Evidence about the generators: it is what it says, and the statistics tell good from bad.

Good rounds and words are tested at fixed seeds, so that these tests never fail by chance; faults
are planted, and each must be found by the test that looks for it.
"""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import prod
from pathlib import Path
from random import Random, SystemRandom

import numpy as np
import numpy.typing as npt
import pytest
from numba import njit
from scipy.stats import chi2, chi2_contingency, chisquare, kstest

from houseway.cards import DECK, DECK_SIZE
from houseway.cards.hands import category5
from houseway.cli import main
from houseway.exact.kernels.deal import Words, draw_four, draw_three
from houseway.games import codes, game_of
from houseway.games.base import DEALER_WINS, PLAYER_WINS, TIE
from houseway.live.shuffler import make_shuffle
from houseway.sim import evidence, fairness
from houseway.sim.fairness import Rounds, Statistic
from houseway.sim.job import Job, laid_out
from houseway.sim.plan import make_job
from houseway.sim.stream import CHUNK
from houseway.sim.table import CATEGORIES
from tests.tools.judgement import Judgement, chance, holds_together, judge
from tests.tools.rng_report import FINAL, PAGE, RAW, Collected

ABSURD = 1e-3
"""What is less likely than this at a fixed seed is taken for a fault."""
LAGS = (1, 2, 7)


# The arithmetic of drawing several cards from one word.


def batch(word: int, word_bits: int, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """One choice from each of these sizes by one word, or None when the word is thrown away."""
    end = 1 << word_bits
    choices, rest = [], word
    for size in sizes:
        choice, rest = divmod(rest * size, end)
        choices.append(choice)
    return None if rest < end % prod(sizes) else tuple(choices)


@pytest.mark.parametrize(
    ("word_bits", "sizes"),
    [
        (8, (5,)),
        (12, (7, 6, 5)),
        (12, (16, 15, 14)),
        (14, (13, 12, 11)),
        (14, (9, 8, 7, 6)),
        (16, (10, 9, 8, 7)),
        (16, (12, 11, 10, 9)),
        (10, (4, 3, 2, 1)),
    ],
)
def test_all_choices_come_from_equally_many_words(word_bits: int, sizes: Sequence[int]) -> None:
    """What the method claims, for all words: each outcome exactly as often as any other."""
    made = Counter(batch(word, word_bits, sizes) for word in range(1 << word_bits))
    thrown_away = made.pop(None, 0)
    assert set(made.values()) == {(1 << word_bits) // prod(sizes)}
    assert len(made) == prod(sizes)
    assert thrown_away == (1 << word_bits) % prod(sizes)


def edge_words(ways: int, how_many: int) -> Iterator[int]:
    """Words at both ends, words at random, and words around where one outcome ends."""
    yield from (0, 1, 2**31, 2**32 - 2, 2**32 - 1)
    random = Random(f"words {ways}")
    for _ in range(how_many):
        yield random.getrandbits(32)
        end = -(-random.randrange(ways) * 2**32 // ways)
        yield from (max(0, end - 1), end)


@pytest.mark.parametrize("cards", [3, 4])
def test_the_kernels_draw_by_that_arithmetic(cards: int) -> None:
    """From every place on, with words that are kept and words that are thrown away."""
    thrown_away = 0
    for first in range(DECK_SIZE - cards + 1):
        sizes = [DECK_SIZE - first - n for n in range(cards)]
        given = list(edge_words(prod(sizes), 60))
        words = np.array([*given, *([2**31 + 12345] * 20)], dtype=np.uint32)
        deck = np.arange(DECK_SIZE, dtype=np.uint8)
        expected = list(DECK)
        at = 0
        while at < len(given):
            while (choices := batch(int(words[at]), 32, sizes)) is None:
                thrown_away += 1
                at += 1
            for place, choice in enumerate(choices, first):
                other = place + choice
                expected[place], expected[other] = expected[other], expected[place]
            before, at = at, at + 1
            start, spot = np.uint64(before), np.uint64(first)
            if cards == 3:
                after, *drawn = draw_three(words, start, deck, spot)
                assert drawn == expected[first : first + 3]
            else:
                after = draw_four(words, start, deck, spot)
            assert after == at
            assert deck.tolist() == expected
    assert thrown_away > 0


# Without a signature it is compiled when it is called, which only the soak does.
@njit(nogil=True)
def count_draws(words: Words, given: int, cards: int, counts: Words) -> int:
    """Draw from a fresh deck by each word and count the cards in their order; returns the draws.

    A kernel that throws a word away goes on to the next, so what it returns tells which word was
    kept. Words behind the given ones only let it end.
    """
    deck = np.zeros(52, dtype=np.uint8)
    at, first, end = np.uint64(0), np.uint64(0), np.uint64(given)
    done = 0
    while at < end:
        for card in range(52):
            deck[card] = card
        if cards == 3:
            at = draw_three(words, at, deck, first)[0]
        else:
            at = draw_four(words, at, deck, first)
        if at > end:
            break
        order = 0
        for place in range(cards):
            order = order * 52 + int(deck[place])
        counts[order] += 1
        done += 1
    return done


@pytest.mark.soak
@pytest.mark.parametrize(("cards", "ways"), [(3, 132_600), (4, 6_497_400)])
def test_of_all_words_there_are_each_draw_gets_the_same_share(cards: int, ways: int) -> None:
    """All 2^32 words through the kernel itself: no ordered draw of cards is likelier."""
    counts = np.zeros(DECK_SIZE**cards, dtype=np.uint32)
    at_once = 1 << 22
    # The words behind the last one are kept by both kernels.
    behind = np.full(64, 2**31 + 12345, dtype=np.uint32)
    drawn = 0
    for first in range(0, 1 << 32, at_once):
        words = np.arange(first, first + at_once, dtype=np.uint64).astype(np.uint32)
        drawn += count_draws(np.concatenate([words, behind]), at_once, cards, counts)
    share = (1 << 32) // ways
    assert drawn == share * ways
    assert np.count_nonzero(counts) == ways
    assert set(np.unique(counts).tolist()) == {0, share}


# Collectors.


def rounds_of(collection: evidence.Collection) -> Rounds:
    data = b"".join(collection.pieces)
    assert len(data) == collection.size
    return np.frombuffer(data, dtype=np.uint8).reshape(-1, collection.unit_bytes)


def words_of(collection: evidence.Collection) -> Words:
    return np.frombuffer(b"".join(collection.pieces), dtype="<u4")


def philox_bytes(seed: int, block: int, words: int) -> bytes:
    """The words of a block by another way into the same generator."""
    generator = np.random.Generator(np.random.Philox(key=[seed, block]))
    return generator.bytes(4 * words)


@pytest.mark.parametrize("seed", [0, 7, 10**18 - 1])
def test_raw_words_of_the_simulator_are_those_of_philox(seed: int) -> None:
    found = b"".join(evidence.simulator_words(seed, 2500, block_words=1000).pieces)
    assert found == b"".join(
        philox_bytes(seed, block, words) for block, words in enumerate((1000, 1000, 500))
    )


def test_a_block_ends_where_the_next_begins() -> None:
    count = evidence.BLOCK_WORDS + 10
    found = b"".join(evidence.simulator_words(3, count).pieces)
    assert len(found) == 4 * count
    assert found[:4000] == philox_bytes(3, 0, 1000)
    assert found[-44:-40] == philox_bytes(3, 0, evidence.BLOCK_WORDS)[-4:]
    assert found[-40:] == philox_bytes(3, 1, 10)


def job(game: str, seats: int, seed: int = 11) -> Job:
    return make_job(game, strategy="simple", seats=seats, seed=seed)


@pytest.mark.parametrize("seats", [1, 7])
@pytest.mark.parametrize("game", ["three-card-poker", "triple-shot-bonus"])
def test_final_cards_of_the_simulator_follow_from_its_words(game: str, seats: int) -> None:
    """A second way to deal, in plain Python, from the same words."""
    rounds = 300
    found = rounds_of(evidence.simulator_cards(job(game, seats), rounds))
    words = words_of(evidence.simulator_words(11, 20 * rounds)).tolist()
    deck, at = list(DECK), 0
    if game == "triple-shot-bonus":
        # How many words a round takes depends on how it is played; the first always takes these.
        rounds, cards_each, draws = 1, 4, -(-found.shape[1] // 4)
    else:
        cards_each, draws = 3, seats + 1
    for number in range(rounds):
        for draw in range(draws):
            first = cards_each * draw
            sizes = [DECK_SIZE - first - n for n in range(cards_each)]
            while (choices := batch(words[at], 32, sizes)) is None:
                at += 1
            at += 1
            for place, choice in enumerate(choices, first):
                deck[place], deck[place + choice] = deck[place + choice], deck[place]
        assert found[number].tolist() == deck[: found.shape[1]]


def test_final_cards_are_those_that_a_simulation_counts() -> None:
    """The same rounds, classified from the bytes and counted by the simulator."""
    rounds, seats = 1500, 2
    cards = rounds_of(evidence.simulator_cards(job("three-card-poker", seats), rounds))
    made = Counter(
        int(category5((*dealt[3 * seat : 3 * seat + 3], *dealt[-3:])))
        for dealt in cards.tolist()
        for seat in range(seats)
    )
    counted = laid_out(job("three-card-poker", seats)).deal(0, rounds).counts
    by_category = counted.reshape(-1, CATEGORIES).sum(axis=0)
    assert dict(made) == {n: count for n, count in enumerate(by_category.tolist()) if count}


def test_first_cards_of_the_bonus_game_decide_its_war_as_counted() -> None:
    rounds, seats = 4000, 3
    cards = rounds_of(evidence.simulator_cards(job("triple-shot-bonus", seats), rounds))
    ranks = cards.astype(int) >> 2
    against = np.sign(ranks[:, :seats] - ranks[:, seats : seats + 1])
    counted = laid_out(job("triple-shot-bonus", seats)).deal(0, rounds).counts
    wars = counted.reshape(len((DEALER_WINS, TIE, PLAYER_WINS)), -1).sum(axis=1)
    assert wars.tolist() == [int((against == sign).sum()) for sign in (-1, 0, 1)]


@pytest.mark.parametrize("game", codes())
def test_final_cards_are_the_same_for_the_same_seed_and_no_card_comes_twice(game: str) -> None:
    one, again, other = (
        rounds_of(evidence.simulator_cards(job(game, 7, seed), 3000)) for seed in (5, 5, 6)
    )
    assert (one == again).all()
    assert (one != other).any()
    assert one.max() < DECK_SIZE
    assert (np.diff(np.sort(one, axis=1).astype(int), axis=1) > 0).all()


@pytest.mark.parametrize("game", codes())
def test_final_decks_are_what_the_shuffler_makes(game: str) -> None:
    decks = rounds_of(evidence.shuffler_decks(SystemRandom(), game, 150))
    assert decks.shape == (150, DECK_SIZE)
    assert (np.sort(decks, axis=1) == np.arange(DECK_SIZE)).all()
    seeded, alike = Random(4), Random(4)
    found = rounds_of(evidence.shuffler_decks(seeded, game, 150))
    packet_size = game_of(game).packet
    assert [tuple(deck) for deck in found.tolist()] == [
        make_shuffle(alike, packet_size).cards for _ in range(150)
    ]


def test_raw_words_of_the_shuffler_are_those_of_its_generator() -> None:
    count = CHUNK + 5
    found = b"".join(evidence.shuffler_words(Random(9), count).pieces)
    alike = Random(9)
    assert found == alike.randbytes(4 * CHUNK) + alike.randbytes(20)
    assert evidence.shuffler_words(SystemRandom(), 1).generator == "random.SystemRandom"


def test_a_shuffle_takes_its_bits_from_where_the_raw_words_come_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the operating system's generator gives, words and shuffles are made of it."""
    asked: list[int] = []

    def fixed(size: int) -> bytes:
        asked.append(size)
        return bytes((size * 37 + len(asked) * 101 + n * 59) % 256 for n in range(size))

    monkeypatch.setattr("random._urandom", fixed)
    words = b"".join(evidence.shuffler_words(SystemRandom(), 3).pieces)
    assert words == bytes((12 * 37 + 101 + n * 59) % 256 for n in range(12))
    asked.clear()
    one = rounds_of(evidence.shuffler_decks(SystemRandom(), "triple-shot-rummy", 2))
    used = len(asked)
    asked.clear()
    again = rounds_of(evidence.shuffler_decks(SystemRandom(), "triple-shot-rummy", 2))
    assert used == len(asked) > 2 * DECK_SIZE
    assert (one == again).all()


# Statistics.


def fair(rounds: int, width: int, seed: int) -> Rounds:
    """Rounds by another generator and another shuffle than any of ours."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.permuted(_decks(rounds), axis=1)[:, :width]


def _decks(rounds: int) -> Rounds:
    return np.tile(np.arange(DECK_SIZE, dtype=np.uint8), (rounds, 1))


def _swap(decks: Rounds, one: int, others: npt.NDArray[np.int64]) -> None:
    every = np.arange(len(decks))
    kept = decks[:, one].copy()
    decks[:, one] = decks[every, others]
    decks[every, others] = kept


def naive(rounds: int, seed: int) -> Rounds:
    """Every card changes places with any other: the classic mistake."""
    generator = np.random.Generator(np.random.PCG64(seed))
    decks = _decks(rounds)
    for place in range(DECK_SIZE):
        _swap(decks, place, generator.integers(0, DECK_SIZE, rounds))
    return decks


def remainders(rounds: int, seed: int) -> Rounds:
    """A proper shuffle by bytes modulo the number of cards left, which favours the low ones."""
    generator = np.random.Generator(np.random.PCG64(seed))
    decks = _decks(rounds)
    for place in range(DECK_SIZE - 1):
        some = generator.integers(0, 256, rounds)
        _swap(decks, place, place + some % (DECK_SIZE - place))
    return decks


def stuck(rounds: int, seed: int) -> Rounds:
    """One time in thirty the last card stays where it was."""
    decks = fair(rounds, DECK_SIZE, seed)
    caught = np.flatnonzero(np.random.Generator(np.random.PCG64(seed + 1)).random(rounds) < 1 / 30)
    places = np.argmax(decks[caught] == 51, axis=1)
    decks[caught, places] = decks[caught, 51]
    decks[caught, 51] = 51
    return decks


def cut(rounds: int, seed: int) -> Rounds:
    """A cut in place of a shuffle: every place is fair by itself, and nothing else is."""
    starts = np.random.Generator(np.random.PCG64(seed)).integers(0, DECK_SIZE, rounds)
    return ((_decks(rounds) + starts[:, None]) % DECK_SIZE).astype(np.uint8)


def kept(rounds: int, seed: int) -> Rounds:
    """One time in forty a deck comes out as the one before it."""
    decks = fair(rounds, DECK_SIZE, seed)
    same = np.random.Generator(np.random.PCG64(seed + 1)).random(rounds) < 1 / 40
    for number in np.flatnonzero(same[1:]) + 1:
        decks[number] = decks[number - 1]
    return decks


def swapped(rounds: int, seed: int) -> Rounds:
    """Every second round deals the ranks of the one before it upside down, one time in ten."""
    decks = fair(rounds, DECK_SIZE, seed)
    turned = np.random.Generator(np.random.PCG64(seed + 1)).random(rounds) < 1 / 10
    for number in np.flatnonzero(turned[1:]) + 1:
        decks[number] = 51 - decks[number - 1]
    return decks


def looks_fair(judgement: Judgement) -> bool:
    return holds_together([judgement], ABSURD)


Test = Callable[[Rounds], Iterator[Statistic]]
CARD_TESTS: dict[str, Test] = {
    "places": fairness.places,
    "places together": lambda rounds: iter([fairness.places_together(rounds)]),
    "pairs": fairness.pairs,
    "runs": fairness.runs,
    "correlations": lambda rounds: fairness.correlations(rounds, LAGS),
    "correlations together": lambda rounds: fairness.correlations_together(rounds, LAGS),
    "repeats": lambda rounds: fairness.repeats(rounds, LAGS),
    "transitions": lambda rounds: fairness.transitions(rounds[:, :9], LAGS),
}


@pytest.mark.parametrize("name", CARD_TESTS)
def test_fair_rounds_pass(name: str) -> None:
    for width in (24, DECK_SIZE):
        assert looks_fair(judge(CARD_TESTS[name](fair(16_000, width, 1))))


def test_fair_hands_pass_and_hands_of_one_suit_too_often_do_not() -> None:
    hands = fair(125_000, 9, 2)
    assert looks_fair(judge(fairness.hands(hands)))
    flushes = np.flatnonzero((hands[:, 3:6] & 3 == hands[:, 3:4] & 3).all(axis=1))
    # There are 22,100 kinds of hands and few of each, so only a gross fault shows in one place:
    # every second flush comes once more in place of another hand.
    faulty = np.concatenate([hands[: -len(flushes[::2])], hands[flushes[::2]]])
    found = judge(fairness.hands(faulty))
    assert found.of_smallest < ABSURD
    assert found.chances.index(found.smallest) == 1


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (naive, ("places", "places together", "pairs")),
        (remainders, ("places", "places together", "pairs")),
        (stuck, ("places", "places together")),
        (cut, ("pairs",)),
        (kept, ("correlations together", "repeats", "transitions")),
        (swapped, ("correlations", "correlations together", "transitions", "runs")),
    ],
)
def test_planted_faults_are_found(
    fault: Callable[[int, int], Rounds], names: Sequence[str]
) -> None:
    rounds = fault(16_000, 3)
    assert (np.sort(rounds, axis=1) == np.arange(DECK_SIZE)).all()
    for name in names:
        assert not looks_fair(judge(CARD_TESTS[name](rounds))), name


def test_statistics_are_those_of_the_textbook() -> None:
    rounds = fair(16_000, 3, 4)
    for place, found in enumerate(fairness.places(rounds)):
        expected = chisquare(np.bincount(rounds[:, place], minlength=DECK_SIZE))
        assert found.value == pytest.approx(expected.statistic)
        assert chance(found) == pytest.approx(expected.pvalue)
    (found,) = fairness.transitions(rounds[:, :1], (2,))
    table = np.zeros((DECK_SIZE, DECK_SIZE))
    np.add.at(table, (rounds[:-2, 0], rounds[2:, 0]), 1)
    statistic, likely, freedom, _ = chi2_contingency(table, correction=False)
    assert found.value == pytest.approx(statistic)
    assert found.freedom == freedom
    assert chance(found) == pytest.approx(likely)
    found = next(fairness.correlations(rounds, (1,)))
    by_numpy = np.corrcoef(rounds[:-1, 0], rounds[1:, 0])[0, 1] * np.sqrt(len(rounds))
    assert found.value == pytest.approx(by_numpy, abs=0.05)


@pytest.mark.parametrize("width", [1, 6, 24, 44, DECK_SIZE])
def test_statistics_of_all_places_follow_their_laws(width: int) -> None:
    """Many small samples: p-values are spread evenly, and normal ones vary as they should."""
    samples = fair(300 * 200, width, 5).reshape(300, 200, width)
    chances = [chance(fairness.places_together(sample)) for sample in samples]
    assert kstest(chances, "uniform").pvalue > ABSURD
    for test in (fairness.correlations_together, fairness.repeats):
        values = [next(test(sample, (1,))).value for sample in samples]
        # Repeats are few in a small sample, so only their mean and their variance are looked at.
        assert abs(sum(values)) / np.sqrt(len(values)) < 3
        assert ABSURD < chi2.sf(sum(value**2 for value in values), len(values)) < 1 - ABSURD


@pytest.mark.parametrize(("width", "even_bytes"), [(3, 0), (7, 1), (24, 3), (44, 5), (52, 6)])
def test_the_order_of_cards_as_bits(width: int, even_bytes: int) -> None:
    """Against whole numbers of any size, counted by taking cards out of a list."""
    rounds = fair(400, width, 6)
    expected = b""
    for cards in rounds.tolist():
        left, order = list(DECK), 0
        for card in cards:
            order = order * len(left) + left.index(card)
            left.remove(card)
        expected += (order % 256**even_bytes).to_bytes(even_bytes, "little")
    assert fairness.order_bits(rounds) == expected
    assert prod(range(DECK_SIZE - width + 1, DECK_SIZE + 1)) % 256**even_bytes == 0


def test_orders_of_fair_decks_make_fair_words_and_those_of_naive_ones_do_not() -> None:
    for decks, is_fair in ((fair(40_000, DECK_SIZE, 7), True), (cut(40_000, 7), False)):
        words = np.frombuffer(fairness.order_bits(decks), dtype="<u4")
        assert looks_fair(judge(fairness.byte_counts(words))) == is_fair
        assert looks_fair(judge(fairness.bits(words))) == is_fair


WORD_TESTS: dict[str, Callable[[Words], Iterator[Statistic]]] = {
    "bits": fairness.bits,
    "bytes": fairness.byte_counts,
    "correlations": lambda words: fairness.word_correlations(words, (1, 2, 1024)),
}


@pytest.mark.parametrize("name", WORD_TESTS)
def test_words_of_both_generators_pass(name: str) -> None:
    for collection in (
        evidence.simulator_words(8, 500_000),
        evidence.simulator_words(8, 64 * 1024, block_words=1024),
        evidence.shuffler_words(Random(8), 500_000),
    ):
        assert looks_fair(judge(WORD_TESTS[name](words_of(collection))))


def a_bit_that_leans(words: Words) -> Words:
    return words | (np.roll(words, 5) & np.roll(words, 9) & np.roll(words, 11) & np.uint32(1 << 13))


def a_byte_that_is_never_nought(words: Words) -> Words:
    return np.where(words & np.uint32(0xFF00) == 0, words | np.uint32(0x5500), words)


def words_that_linger(words: Words) -> Words:
    every = np.arange(words.size)
    return words[np.where(every % 100 == 99, every - 1, every)]


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (a_bit_that_leans, "bits"),
        (a_byte_that_is_never_nought, "bytes"),
        (words_that_linger, "correlations"),
    ],
)
def test_planted_faults_of_words_are_found(fault: Callable[[Words], Words], name: str) -> None:
    words = fault(words_of(evidence.simulator_words(8, 500_000)))
    assert not looks_fair(judge(WORD_TESTS[name](words)))


def test_too_little_evidence_is_not_judged() -> None:
    with pytest.raises(ValueError, match="2000 are too few; 2652 cases need 13260"):
        list(fairness.pairs(fair(2000, 3, 1)))


def test_p_values_are_judged_together() -> None:
    even = [(n + 0.5) / 200 for n in range(200)]
    assert Judgement(tuple(even)).below == 2
    assert looks_fair(Judgement(tuple(even)))
    assert not looks_fair(Judgement((*even, 1e-7)))
    assert not looks_fair(Judgement((*even, 1 - 1e-7)))
    assert not looks_fair(Judgement(tuple(p / 2 for p in even)))
    assert not looks_fair(Judgement(tuple(0.5 + p / 2 for p in even)))
    assert Judgement((0.4, 0.6)).of_spread is None


# The command.


def test_the_command_writes_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "words.bin"
    command = ["rng", "simulator", "raw", "--count", "1000", "--rng-seed", "7", "--out", str(file)]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert file.read_bytes() == philox_bytes(7, 0, 1000)
    assert document == {
        "source": "simulator",
        "kind": "raw",
        "generator": "numpy.random.Philox, keyed by seed and block",
        "rng_seed": 7,
        "game": None,
        "seats": None,
        "count": 1000,
        "unit": "words",
        "unit_bytes": 4,
        "bytes": 4000,
        "replacement": True,
        "file": str(file),
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }
    assert main(command) == 0
    assert "1,000 words, 4,000 bytes  seed 7" in capsys.readouterr().out


def test_the_command_deals_as_a_simulation_with_its_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cards.bin"
    command = ["rng", "simulator", "final", "--count", "50", "--rng-seed", "7", "--seats", "2"]
    command += ["--game", "triple-shot-rummy", "--out", str(file), "--json"]
    assert main(command) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["unit"], document["unit_bytes"]) == ("rounds", 9)
    assert document["replacement"] is False
    dealt = evidence.simulator_cards(make_job("triple-shot-rummy", seats=2, seed=7), 50)
    assert file.read_bytes() == b"".join(dealt.pieces)


def test_the_command_writes_decks_and_words_of_the_shuffler(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "decks.bin"
    assert main(["rng", "shuffler", "final", "--count", "10", "--out", str(file), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["game"], document["rng_seed"]) == ("three-card-poker", None)
    decks = np.frombuffer(file.read_bytes(), dtype=np.uint8).reshape(10, DECK_SIZE)
    assert (np.sort(decks, axis=1) == np.arange(DECK_SIZE)).all()
    once = []
    for _ in range(2):
        assert main(["rng", "shuffler", "raw", "--count", "10", "--out", str(file)]) == 0
        once.append(file.read_bytes())
    assert len(once[0]) == 40
    assert once[0] != once[1]
    assert "10 words, 40 bytes\n" in capsys.readouterr().out


def test_a_pipe_gets_the_bytes_and_may_be_closed() -> None:
    start = [sys.executable, "-m", "houseway", "rng", "simulator", "raw", "--rng-seed", "7"]
    command = [*start, "--count", "50000000", "--out", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(4000) == philox_bytes(7, 0, 1000)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


WORDS = ["rng", "simulator", "raw", "--count", "10", "--out", "x"]
DECKS = ["rng", "shuffler", "final", "--count", "10", "--out", "x"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rng"], "no source is given; known: simulator, shuffler"),
        (["rng", "dice"], "source 'dice' is unknown; known: simulator, shuffler"),
        (["rng", "simulator"], "no kind is given; known: raw, final"),
        (["rng", "simulator", "cooked"], "kind 'cooked' is unknown; known: raw, final"),
        (["rng", "simulator", "raw", "--out", "x"], "no count is given"),
        (["rng", "simulator", "raw", "--count", "10"], "no file is given"),
        (["rng", "simulator", "raw", "--count", "10", "--out", ""], "no file is given"),
        (["rng", "simulator", "raw", "--count", "0", "--out", "x"], "count '0' is not allowed"),
        (["rng", "simulator", "raw", "--count", "-1", "--out", "x"], "-1"),
        (["rng", "simulator", "raw", "--count", "1e9", "--out", "x"], "count '1e9' is not allowed"),
        (
            ["rng", "shuffler", "raw", "--count", "100000000001", "--out", "x"],
            "from 1 to 100,000,000,000",
        ),
        ([*WORDS, "--rng-seed", "seven"], "rng-seed 'seven' is no seed"),
        ([*WORDS, "--game", "three-card-poker"], "game 'three-card-poker' is only for final"),
        ([*WORDS, "--seats", "2"], "seats '2' is only for final cards of the simulator"),
        ([*DECKS, "--seats", "2"], "seats '2' is only for final cards of the simulator"),
        ([*DECKS, "--rng-seed", "7"], "rng-seed '7' is only for the simulator"),
        ([*DECKS, "--game", "faro"], "'faro' is unknown"),
        (["rng", "simulator", "final", "--count", "1", "--out", "x", "--seats", "8"], "seats '8'"),
        ([*WORDS[:-1], "/proc/nowhere/x"], "file '/proc/nowhere/x' cannot be written"),
        ([*WORDS[:-1], "--json"], "file '--json' reads like an option"),
        ([*WORDS[:-1], "-", "--json"], "both write to standard output"),
        ([*WORDS, "more"], "'more' is not understood here"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert says in printed.out + printed.err
    assert list(tmp_path.iterdir()) == []


def test_bytes_are_not_written_into_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main([*WORDS[:-1], "-"]) == 2
    assert "is a terminal here" in capsys.readouterr().err


def test_a_full_disk_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS[:-1], "/dev/full"]) == 2
    assert "cannot be written: No space left on device" in capsys.readouterr().err


# The page.


@pytest.mark.soak
@pytest.mark.parametrize(
    "each", [each for each in (*RAW, *FINAL) if each.seeded], ids=lambda each: each.name
)
def test_the_page_names_what_anybody_can_collect_again(
    each: Collected, capsys: pytest.CaptureFixture[str]
) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"`{each.command}`" in page
    assert main(["rng", *each.arguments, "--out", "/dev/null", "--json"]) == 0
    assert f"| {each.name} | `{json.loads(capsys.readouterr().out)['sha256']}` |" in page
