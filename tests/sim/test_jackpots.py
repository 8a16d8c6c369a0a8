"""Jackpots against a slow follower: one wager at a time, from the clauses, in whole numbers.

The follower is handed the cards that the kernel dealt and judges every hand with the oracles. It
knows of meters only what the sources say: a wager's contribution stands on the meter before its
hand is judged; awards are paid from the far right on, each from what the one before left; a whole
award starts the meter again from its meter_seed and what the reserve holds; above a cap nothing
is shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor, sqrt
from types import MappingProxyType
from typing import Any

import pytest

from houseway.cards.hands import FiveCard, ProgressiveThree
from houseway.exact.meter_law import run_law
from houseway.exact.progressive import ProgressiveRow
from houseway.games.library import paytable_of
from houseway.house.meters import MeterSettings
from houseway.house.money import ForOne, MeterShare, Odds
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.sim.jackpot import Jackpot
from houseway.sim.job import BLOCK, Job, laid_out
from houseway.sim.plan import make_job
from houseway.sim.result import jackpot_law, jackpot_row, returned_cents
from houseway.sim.run import Run, new_run
from tests.oracles.five_cards import category5
from tests.oracles.settle import ENVY_DOLLARS, PROGRESSIVE_FOR_1, PROGRESSIVE_SHARE
from tests.oracles.three_cards import category, strength
from tests.sim import dealt

GAME = "three-card-poker"
MILLIONTH = 10**6


# ------------------------------------------------------------------------------- the follower


@dataclass(slots=True)
class SlowMeter:
    """One meter in millionths of a cent."""

    rate: int
    """Millionths of a wager."""
    to_reserve: int
    seed: int
    """Cents, like the cap."""
    cap: int | None
    held: int = 0
    reserve: int = 0
    overflow: int = 0
    awards: int = 0
    paid: int = 0
    seeded: int = 0
    highest: int = 0

    def put(self, amount: int) -> None:
        """Add to the meter; what does not fit under the cap overflows (WAC 230-15-685(4))."""
        room = amount
        if self.cap is not None:
            room = max(0, min(amount, self.cap * MILLIONTH - self.held))
        self.held += room
        self.overflow += amount - room

    @property
    def shown(self) -> int:
        return self.held // MILLIONTH

    def see(self) -> None:
        self.highest = max(self.highest, self.shown)


@dataclass(slots=True)
class Follower:
    """A progressive, followed by hand. Pays are those that the oracles print, or others."""

    shares: Mapping[str, tuple[str, Fraction]]
    fixed: Mapping[str, int]
    envy_dollars: Mapping[str, int]
    per_dollar: bool
    wager: int
    options: dict[str, str]
    meters: dict[str, SlowMeter]
    envy: int = 0
    fixed_paid: int = 0
    together: int = field(default=0)
    """Rounds in which several seats win from a meter."""

    def round(self, hands: list[str], folded: list[bool]) -> None:
        """One round: the names of the hands from the first position on, and who folded."""
        for _ in hands:
            for meter in self.meters.values():
                meter.put(self.wager * meter.rate)
                meter.reserve += self.wager * meter.to_reserve
        for meter in self.meters.values():
            meter.see()
        order = range(len(hands))
        if self.options.get("meter_pay_order", "right_to_left") == "right_to_left":
            order = range(len(hands) - 1, -1, -1)
        winners = 0
        for seat in order:
            if folded[seat] and self.options.get("folded_hand_progressive") != "eligible":
                continue
            name = hands[seat]
            if name in self.shares:
                winners += 1
                self._award(*self.shares[name])
            elif name in self.fixed:
                self.fixed_paid += self.fixed[name] * self.wager
            if name in self.envy_dollars:
                self._envy(seat, self.envy_dollars[name], folded)
        self.together += winners > 1

    def _award(self, level: str, share: Fraction) -> None:
        meter = self.meters[level]
        part = share
        if self.options.get("percent_pay_scaling") == "per_wager_unit":
            part = min(share * Fraction(self.wager, 100), Fraction(1))
        pay = floor(meter.shown * part)
        meter.held -= pay * MILLIONTH
        meter.paid += pay
        meter.awards += 1
        if 1 in (share, part):
            back = meter.seed * MILLIONTH + meter.reserve
            meter.reserve = 0
            meter.seeded += meter.seed
            meter.put(back)

    def _envy(self, winner: int, dollars: int, folded: list[bool]) -> None:
        for seat, gone in enumerate(folded):
            if seat == winner or (gone and self.options.get("envy_when_folded") == "not_paid"):
                continue
            cents = dollars * 100
            self.envy += cents * self.wager // 100 if self.per_dollar else cents

    def said(self, rounds: int) -> dict[str, Any]:
        """What the jackpot should say, in the words of its file."""
        return {
            "round": rounds,
            "envy_cents": self.envy,
            "levels": {
                level: {
                    "amount": meter.held,
                    "reserve": meter.reserve,
                    "overflow": meter.overflow,
                    "awards": meter.awards,
                    "paid_cents": meter.paid,
                    "seeded_cents": meter.seeded,
                    "highest_cents": meter.highest,
                }
                for level, meter in self.meters.items()
            },
        }


def per_level(text: str, levels: list[str]) -> dict[str, Fraction]:
    """An option as the house writes it: one number, or one per level."""
    if "=" not in text:
        return dict.fromkeys(levels, Fraction(text))
    return {name: Fraction(value) for name, value in (p.split("=") for p in text.split(","))}


def opened(
    levels: list[str], options: dict[str, str], start: dict[str, int]
) -> dict[str, SlowMeter]:
    rates = per_level(options["contribution_rate"], levels)
    reserves = per_level(options.get("reserve_rate", "0"), levels)
    seeds = per_level(options.get("meter_seed", "0"), levels)
    caps = per_level(options["cap"], levels) if "cap" in options else {}
    found = {}
    for level in levels:
        cap = caps.get(level)
        meter = SlowMeter(
            int(rates[level] * MILLIONTH),
            int(reserves.get(level, 0) * MILLIONTH),
            int(seeds.get(level, 0) * 100),
            None if cap is None else int(cap * 100),
        )
        if level in start:
            meter.held = start[level] * MILLIONTH
        else:
            meter.put(meter.seed * MILLIONTH)
        found[level] = meter
    return found


def follow(job: Job, follower: Follower, rounds: int, *, link: bool) -> None:
    """Hand every round of the first block to the follower."""
    seats, table = job.seats, laid_out(job).table
    width = 3 * seats + (5 if link else 3)
    found = dealt.deal(table, rounds, job.seed, cards=width, community=link)
    known: dict[tuple[int, ...], str] = {}
    least = strength(["Qc", "6d", "4h"])
    plays: dict[tuple[int, ...], bool] = {}
    for cards in found.cards.tolist():
        hands = [tuple(cards[3 * seat : 3 * seat + 3]) for seat in range(seats)]
        names = []
        for hand in hands:
            key = (*hand, *cards[-2:]) if link else hand
            if key not in known:
                known[key] = _name(dealt.texts(key))
            names.append(known[key])
            if hand not in plays:
                plays[hand] = strength(dealt.texts(hand)) >= least
        follower.round(names, [not plays[hand] for hand in hands])


def _name(cards: list[str]) -> str:
    if len(cards) == 5:
        return category5(cards)
    name = category(cards)
    return name if name != "mini_royal" else "akq_spades" if cards[0][1] == "s" else "akq_other"


def run_of(job: Job, rounds: int) -> Run:
    found = new_run(job, rounds)
    found.take(laid_out(job).deal(0, rounds))
    return found


def agree(found: Run, jackpot: Jackpot, follower: Follower) -> None:
    """Fails where the jackpot says anything else than the follower."""
    said = jackpot.to_json()
    del said["paytable"]
    for level in said["levels"].values():
        del level["start"]
    assert said == follower.said(found.done)
    judged = found.tally.judged[jackpot.paytable.community]
    assert jackpot.fixed_cents(judged) == follower.fixed_paid
    paid = sum(meter.paid for meter in follower.meters.values())
    assert returned_cents(found, jackpot) == paid + follower.fixed_paid + follower.envy


def job_of(options: dict[str, str], code: str, seats: int, wager: int, **more: Any) -> Job:
    bets = {"ante": 500, "progressive": wager}
    paytables = {"progressive": code}
    return make_job(GAME, options, paytables, strategy="simple", seats=seats, bets=bets, **more)


# ------------------------------------------------------------------------- the paytables as printed

SEEDS = {"1": 4, "2": 0, "01": 79, "ML03": 80}
"""Seeds of which the first rounds hold several awards."""
PRINTED: list[tuple[str, dict[str, str], int, int, dict[str, int]]] = [
    ("1", {"contribution_rate": "0.2", "meter_seed": "1000"}, 7, 100, {}),
    (
        "2",
        {
            "contribution_rate": "0.123457",
            "reserve_rate": "0.03",
            "meter_seed": "250.50",
            "folded_hand_progressive": "eligible",
            "envy_when_folded": "not_paid",
        },
        5,
        37,
        {"single": 123_456},
    ),
    (
        "01",
        {
            "contribution_rate": "0.1",
            "reserve_rate": "0.01",
            "meter_seed": "5000",
            "cap": "5001",
            "percent_pay_scaling": "per_wager_unit",
        },
        7,
        250,
        {},
    ),
    (
        "ML03",
        {
            "contribution_rate": "mega=0.05,major=0.04,minor=0.033333",
            "reserve_rate": "minor=0.01",
            "meter_seed": "mega=10000,minor=50",
            "cap": "minor=60",
            "meter_pay_order": "internal_controls",
            "folded_hand_progressive": "eligible",
        },
        6,
        500,
        {"major": 77_777},
    ),
]


@pytest.mark.clause("PGM-06", "PGM-08", "PGM-10", "PGM-17", "PRC-04", "PRC-05")
@pytest.mark.parametrize(("code", "options", "seats", "wager", "start"), PRINTED)
def test_a_printed_progressive_followed_wager_by_wager(
    code: str, options: dict[str, str], seats: int, wager: int, start: dict[str, int]
) -> None:
    job = job_of(options, code, seats, wager, seed=SEEDS[code], meter=start or None)
    link = code not in ("1", "2")
    shares = {
        name: (level, Fraction(n, 100)) for name, (level, n) in PROGRESSIVE_SHARE[code].items()
    }
    levels = list(dict.fromkeys(level for level, _ in shares.values()))
    follower = Follower(
        shares=shares,
        fixed=PROGRESSIVE_FOR_1[code],
        envy_dollars=ENVY_DOLLARS[code],
        per_dollar=link,
        wager=wager,
        options=options,
        meters=opened(levels, options, start),
    )
    rounds = 5_000 if link else 12_000
    follow(job, follower, rounds, link=link)
    found = run_of(job, rounds)
    agree(found, found.jackpots[0], follower)
    assert sum(meter.awards for meter in follower.meters.values()) > 2


# ------------------------------------------- a paytable of which some share is won in most rounds

OFTEN: dict[bool, dict[str, tuple[str, Fraction]]] = {
    False: {
        "akq_spades": ("mega", Fraction(1)),
        "akq_other": ("mega", Fraction(1, 3)),
        "straight_flush": ("major", Fraction(1)),
        "three_of_a_kind": ("major", Fraction(1, 10)),
        "straight": ("minor", Fraction(1)),
    },
    True: {
        "straight_flush": ("mega", Fraction(1)),
        "four_of_a_kind": ("mega", Fraction(1)),
        "full_house": ("major", Fraction(1)),
        "flush": ("major", Fraction(1, 7)),
        "straight": ("minor", Fraction(1)),
        "three_of_a_kind": ("minor", Fraction(2, 5)),
    },
}
OFTEN_ENVY = {
    False: {"akq_spades": 100, "akq_other": 25, "straight": 3},
    True: {"full_house": 50, "straight": 7},
}


def made_up(*, link: bool) -> PayTable:
    """A paytable that the sources do not print, so that meters are hit all the time."""
    printed = paytable_of(GAME, "progressive", "ML03" if link else "1")
    kind: Any = FiveCard if link else ProgressiveThree
    pays: dict[int, Odds] = {}
    for name, (level, share) in OFTEN[link].items():
        hand = "AKQ_OTHER_SUIT" if name == "akq_other" else name.upper()
        pays[kind[hand]] = MeterShare(share, level)  # type: ignore[arg-type]
    if link:
        pays[FiveCard.TWO_PAIR] = ForOne(3)
    envy = {
        int(kind["AKQ_OTHER_SUIT" if name == "akq_other" else name.upper()]): 100 * dollars
        for name, dollars in OFTEN_ENVY[link].items()
    }
    return replace(
        printed,
        code="often",
        rows=tuple((kind(hand).name.lower(), odds) for hand, odds in pays.items()),
        pays=MappingProxyType(pays),
        envy_cents=MappingProxyType(envy),
    )


HOUSES: list[dict[str, str]] = [
    {},
    {"folded_hand_progressive": "eligible"},
    {"envy_when_folded": "not_paid"},
    {"folded_hand_progressive": "eligible", "envy_when_folded": "not_paid"},
    {"meter_pay_order": "internal_controls", "cap": "mega=2000,major=101.07,minor=21"},
    {"percent_pay_scaling": "per_wager_unit", "cap": "major=10"},
]


@pytest.mark.clause("PGM-07", "PGM-10", "PGM-18", "PNX-11", "PML-10", "PML-11", "PML-16")
@pytest.mark.parametrize(
    ("house", "link"),
    [
        *((house, True) for house in HOUSES),
        *((house, False) for house in (HOUSES[0], HOUSES[-1])),
        *(pytest.param(house, False, marks=pytest.mark.soak) for house in HOUSES[1:-1]),
    ],
)
def test_meters_that_are_hit_all_the_time(house: dict[str, str], link: bool) -> None:
    options = {
        "contribution_rate": "mega=0.1,major=0.050001,minor=0.02",
        "reserve_rate": "mega=0.01,minor=0.005",
        "meter_seed": "mega=1000,major=100.01,minor=20",
        **house,
    }
    seats, wager = (7, 130) if link else (6, 75)
    job = job_of(options, "ML03", seats, wager, seed=12)
    job = replace(job, progressives=(made_up(link=link),))
    follower = Follower(
        shares=OFTEN[link],
        fixed={"two_pair": 3} if link else {},
        envy_dollars=OFTEN_ENVY[link],
        per_dollar=link,
        wager=wager,
        options=options,
        meters=opened(["mega", "major", "minor"], options, {}),
    )
    follow(job, follower, 1_500, link=link)
    found = run_of(job, 1_500)
    agree(found, found.jackpots[0], follower)
    assert follower.together > 10
    assert all(meter.awards for meter in follower.meters.values())


def test_several_progressives_are_followed_beside_each_other() -> None:
    """Those that look at community cards and those that do not, each as it is alone."""
    options = {"contribution_rate": "single=0.1,mega=0.1,major=0.05,minor=0.02"}
    codes = ("1", "2", "01", "ML01", "ML03")
    every = [("progressive", code) for code in codes]
    job = make_job(GAME, options, every, strategy="simple", seats=3, seed=2)
    together = run_of(job, 20_000)
    assert [jackpot.paytable.code for jackpot in together.jackpots] == list(codes)
    for jackpot in together.jackpots:
        alone = make_job(
            GAME,
            options,
            {"progressive": jackpot.paytable.code},
            strategy="simple",
            seats=3,
            seed=2,
        )
        # With community cards a round takes other words, so only one kind deals the same cards.
        if jackpot.paytable.community:
            assert run_of(alone, 20_000).jackpots[0].to_json() == jackpot.to_json()


def test_who_has_no_ante_keeps_the_progressive() -> None:
    options = {"contribution_rate": "0.2"}
    bets = {"pair-plus": 100, "progressive": 100}
    job = make_job(
        GAME, options, {"progressive": "2"}, strategy="simple", seats=4, seed=1, bets=bets
    )
    found = run_of(job, 5_000)
    assert not found.tally.judged[False][1].any()
    row = jackpot_row(job, found.jackpots[0])
    eligible = make_job(
        GAME,
        options | {"folded_hand_progressive": "eligible"},
        {"progressive": "2"},
        strategy="simple",
    )
    assert row.probabilities == jackpot_row(eligible, found.jackpots[0]).probabilities


def test_hits_are_noted_whatever_their_number() -> None:
    """More hands of note in a batch than there is room for at first."""
    job = job_of({"contribution_rate": "mega=0.1,major=0.1,minor=0.1"}, "ML03", 7, 100, seed=5)
    often = replace(job, progressives=(made_up(link=True),))
    hits = laid_out(often).deal(3, 9_000).take_hits()[True]
    rows = [row for block in hits for row in block.tolist()]
    assert len(rows) > 1_000
    assert max(len(block) for block in hits) > 256
    assert [row[:2] for row in rows] == sorted(row[:2] for row in rows)
    assert all(3 * BLOCK <= row[0] < 3 * BLOCK + 9_000 for row in rows)


# ------------------------------------------------------------------------ what a run returns


def brute_force(
    row: ProgressiveRow,
    settings: Mapping[str, MeterSettings],
    wagers: int,
    wager: int,
    start: Mapping[str, float],
    others: int,
    scale: Callable[[Fraction], Fraction],
) -> tuple[float, float]:
    """Mean and deviation over every sequence of hands, one wager after the other."""
    levels = list(settings)
    begin = tuple((Fraction(start[level]), Fraction(0)) for level in levels)
    states: dict[Any, Fraction] = {(begin, Fraction(0)): Fraction(1)}
    nothing = 1 - sum(row.probabilities.values(), Fraction(0))
    for _ in range(wagers):
        after: dict[Any, Fraction] = {}
        for (meters, returned), chance in states.items():
            grown = tuple(
                (
                    held + Fraction(wager * settings[level].contribution_ppm, MILLIONTH),
                    reserve + Fraction(wager * settings[level].reserve_ppm, MILLIONTH),
                )
                for level, (held, reserve) in zip(levels, meters, strict=True)
            )
            for hand, p in (*row.probabilities.items(), (None, nothing)):
                now, back = list(grown), returned
                if hand is not None:
                    envy = row.pays.envy_cents.get(hand, 0)
                    back += others * (envy * wager // 100 if row.pays.envy_per_dollar else envy)
                    odds = row.pays.pays[hand]
                    if isinstance(odds, MeterShare):
                        place = levels.index(odds.level)
                        held, reserve = now[place]
                        paid = held * scale(odds.share)
                        back += paid
                        if odds.share == 1:
                            seed = settings[odds.level].meter_seed_cents
                            now[place] = (held - paid + seed + reserve, Fraction(0))
                        else:
                            now[place] = (held - paid, reserve)
                    else:
                        back += wager * (odds.net + 1)
                key = (tuple(now), back)
                after[key] = after.get(key, Fraction(0)) + chance * p
        states = after
    mean = sum((p * back for (_, back), p in states.items()), Fraction(0))
    square = sum((p * back**2 for (_, back), p in states.items()), Fraction(0))
    return float(mean), sqrt(square - mean**2)


@pytest.mark.parametrize("scaling", ["per_spot", "per_wager_unit"])
@pytest.mark.parametrize("wagers", [1, 2, 5])
def test_the_law_of_a_run_is_that_of_all_sequences(wagers: int, scaling: Any) -> None:
    chances = {
        FiveCard.FULL_HOUSE: Fraction(1, 5),
        FiveCard.STRAIGHT: Fraction(1, 7),
        FiveCard.FLUSH: Fraction(1, 9),
        FiveCard.TWO_PAIR: Fraction(1, 4),
    }
    row = ProgressiveRow(
        pays=made_up(link=True), probabilities={int(h): p for h, p in chances.items()}
    )
    settings: dict[Any, MeterSettings] = {
        "mega": MeterSettings(contribution_ppm=100_000, reserve_ppm=7_000, meter_seed_cents=900),
        "major": MeterSettings(contribution_ppm=50_000, reserve_ppm=20_000, meter_seed_cents=500),
        "minor": MeterSettings(contribution_ppm=20_000, reserve_ppm=10_000, meter_seed_cents=100),
    }
    start: dict[Any, float] = {"mega": 1000.0, "major": 812.5, "minor": 33.25}
    law = run_law(
        row,
        settings,
        wagers=wagers,
        wager_cents=60,
        start_cents=start,
        other_hands=3,
        options=Options(percent_pay_scaling=scaling),
    )
    scaled = Fraction(60, 100) if scaling == "per_wager_unit" else Fraction(1)
    mean, deviation = brute_force(row, settings, wagers, 60, start, 3, lambda s: s * scaled)
    assert law.mean == pytest.approx(mean, rel=1e-9)
    assert law.standard_deviation == pytest.approx(deviation, rel=1e-7)


def test_runs_return_what_their_law_says() -> None:
    """Many short runs of one seat: their mean and their spread, both from the law."""
    options = {"contribution_rate": "0.2", "reserve_rate": "0.05", "meter_seed": "40"}
    job = job_of(options, "2", 1, 100, seed=77)
    rounds, runs, layout = 4_000, 500, laid_out(job)
    back = []
    for block in range(runs):
        tally = layout.deal(block, rounds)
        hits = [rows.copy() for rows in tally.take_hits()[False]]
        for rows in hits:
            rows[:, 0] -= block * BLOCK
        jackpot = Jackpot(job.progressives[0], job.options, 1, 100)
        jackpot.follow(hits, rounds)
        back.append(jackpot.awarded_cents + jackpot.fixed_cents(tally.judged[False]))
    law = jackpot_law(job, jackpot, rounds)
    assert law is not None
    mean = sum(back) / runs
    assert abs(mean - law.mean) < 4 * law.standard_deviation / sqrt(runs)
    spread = sqrt(sum((one - mean) ** 2 for one in back) / (runs - 1))
    assert abs(spread / law.standard_deviation - 1) < 0.2


def test_a_run_with_a_cap_is_held_to_nothing() -> None:
    capped = job_of({"contribution_rate": "0.2", "cap": "500"}, "1", 1, 100)
    jackpot = new_run(capped, 1).jackpots[0]
    assert jackpot_law(capped, jackpot, 1) is None
