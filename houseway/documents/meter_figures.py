"""Meter figures: what a progressive costs as its meters grow, and when it is fair."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from houseway.documents.document import Block, Chart, Facts, Heading, Table, Text
from houseway.documents.picture import line
from houseway.documents.subject import Subject
from houseway.documents.terms import spaced
from houseway.documents.words import dollars, number, one_in, percent
from houseway.exact.bands import with_bands
from houseway.exact.law import law_of
from houseway.exact.pricing import PricedProgressive
from houseway.exact.progressive import ProgressiveRow, house_edge, odds_of
from houseway.exact.sheet import ParRow
from houseway.exact.table import MOST_SEATS
from houseway.games import GAMES
from houseway.games.progressive import share_cents
from houseway.house.money import CENTS_PER_DOLLAR, METER_LEVELS, MeterLevel, MeterShare
from houseway.house.options import Options, value_text

STEPS = 8
"""Steps of the line from an empty meter to twice the fair one."""
Meters = Mapping[MeterLevel, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Eligible:
    """A progressive under the option on folded hands, with the base games it is for."""

    label: str
    priced: PricedProgressive
    row: ProgressiveRow

    @property
    def name(self) -> str:
        """The progressive as a document calls it."""
        return f"Progressive {self.row.paytable}, {self.label}"


def eligible_rows(subject: Subject) -> list[Eligible]:
    """Every progressive of a sheet as the option on folded hands has it (PGM-07, PNX-09, PML-10).

    Base games for which it comes out alike stand together.
    """
    found = []
    for priced in _priced(subject):
        if subject.options.folded_hand_progressive == "eligible":
            found.append(Eligible(label="folded hands win too", priced=priced, row=priced.row))
            continue
        groups: list[tuple[list[str], ProgressiveRow]] = []
        for code, row in priced.row.if_folded_not_eligible.items():
            name = next(game.name for game in GAMES if game.code == code)
            same = [names for names, other in groups if other.probabilities == row.probabilities]
            if same:
                same[0].append(name)
            else:
                groups.append(([name], row))
        for names, row in groups:
            found.append(Eligible(label=f"with {' and '.join(names)}", priced=priced, row=row))
    return found


def _priced(subject: Subject) -> Iterator[PricedProgressive]:
    for row in subject.sheet.progressives:
        assert isinstance(row, PricedProgressive)
        yield row


def standing(subject: Subject, row: ProgressiveRow) -> list[tuple[str, Meters]]:
    """The meters for which a progressive is priced: half of fair, fair, and as they start again.

    Where several meters pay, each has an equal part in making the bet fair.
    """
    coefficients = row.meter_coefficients
    part = (1 - row.fixed_return) / len(coefficients)
    fair = {level: part / coefficient for level, coefficient in coefficients.items()}
    found: list[tuple[str, Meters]] = [
        ("half of a fair meter", {level: amount / 2 for level, amount in fair.items()}),
        ("a fair meter", fair),
    ]
    if any(_seeds(row, subject.options).values()):
        found.append(("meter_seed", _seeds(row, subject.options)))
    return found


def _seeds(row: ProgressiveRow, options: Options) -> dict[MeterLevel, Fraction]:
    seeds = dict(options.meter_seed)
    return {level: Fraction(seeds.get(level, 0), CENTS_PER_DOLLAR) for level in row.pays.levels}


def row_at(found: Eligible, meters: Meters, options: Options) -> ParRow:
    """A progressive at what stands on its meters as a row like any other, for $1 wagered."""
    row = found.row
    total = lcm(*(p.denominator for p in row.probabilities.values()))
    cases = [
        (_net(row, hand, meters, options), int(p * total)) for hand, p in row.probabilities.items()
    ]
    missed = total - sum(count for _, count in cases)
    law = law_of([*cases, (Fraction(-1), missed)])
    return with_bands(ParRow(bet="progressive", paytable=row.paytable, law=law))


def _net(row: ProgressiveRow, hand: int, meters: Meters, options: Options) -> Fraction:
    odds = odds_of(row.pays, hand)
    if not isinstance(odds, MeterShare):
        return odds.net
    even = odds.share.denominator * CENTS_PER_DOLLAR
    share = Fraction(share_cents(odds, even, CENTS_PER_DOLLAR, options), even)
    return meters[odds.level] * share - 1


def outcome_table(found: Eligible) -> Table:
    """What each hand of a progressive is paid, how often, and what that adds to the return."""
    row = found.row
    total = lcm(*(p.denominator for p in row.probabilities.values()))
    rows = []
    for hand, p in row.probabilities.items():
        odds = odds_of(row.pays, hand)
        if isinstance(odds, MeterShare):
            adds = f"{number(p * odds.share, 9)} for each $1 on the meter"
        else:
            adds = number(p * (odds.net + 1))
        name = spaced(row.pays.name_of(hand))
        rows.append((name, f"{int(p * total):,}", percent(p, 6), one_in(p), str(odds), adds))
    missed = 1 - row.hit_frequency
    rows.append(
        ("no pay", f"{int(missed * total):,}", percent(missed, 6), one_in(missed), "", number(0))
    )
    columns = ("event", "combinations", "probability", "1 in", "pay", "contribution to the return")
    return Table(
        caption=f"{found.name}: what becomes of $1",
        columns=columns,
        rows=tuple(rows),
        right=("combinations", "probability", "1 in"),
    )


def progressive_blocks(subject: Subject) -> Iterator[Block]:
    """Contribution, reserve, seed cost, edge by meter, fair meter, hits, and envy by players."""
    options = subject.options
    yield Facts(
        rows=tuple(
            (name, _said(name, options))
            for name in ("contribution_rate", "reserve_rate", "meter_seed", "cap")
        )
    )
    for found in eligible_rows(subject):
        yield Heading(text=found.name, level=2)
        yield Facts(rows=tuple(_figures(found, options)))
        if not subject.is_progressive:
            yield outcome_table(found)
        yield _edge_by_meter(found, options)
        yield _by_players(found)
        yield from _long_run(found)


def _said(name: str, options: Options) -> str:
    text = value_text(name, getattr(options, name))
    return "not set" if text == "unset" else text


def _figures(found: Eligible, options: Options) -> Iterator[tuple[str, str]]:
    row = found.row
    yield "Fixed return", f"{row.fixed_return} = {percent(row.fixed_return, 6)}"
    hits = row.hit_frequency
    yield "Hit frequency", f"{hits} = {percent(hits, 6)}, one in {one_in(hits)}"
    for level, coefficient in row.meter_coefficients.items():
        what = "meter" if level == "single" else f"{level} meter"
        yield f"Each $1 on the {what} adds", f"{coefficient} = {number(coefficient, 9)}"
        fair = _fair(row, level, options)
        start = "at meter_seed" if options.meter_seed else "empty"
        others = "" if len(row.pays.levels) == 1 else f", the others {start}"
        yield f"Fair {what}", f"{fair} dollars = {dollars(fair)}{others}, before envy"
    yield "Envy for each other lit hand", f"{row.envy_per_other_hand} dollars of a $1 wager"
    edge = found.priced.house_edge
    if edge is not None:
        yield "House edge at the meters given", f"{edge} = {percent(edge, 6)}, every hand eligible"


def _fair(row: ProgressiveRow, level: MeterLevel, options: Options) -> Fraction:
    """What must stand on one meter for the bet to cost nothing, the others as they start."""
    coefficients, seeds = row.meter_coefficients, _seeds(row, options)
    others = sum(
        (coefficients[other] * seeds[other] for other in seeds if other != level), Fraction(0)
    )
    return (1 - row.fixed_return - others) / coefficients[level]


def _edge_by_meter(found: Eligible, options: Options) -> Chart:
    """The edge as the largest meter grows, the others as they start again."""
    row = found.row
    level = row.pays.levels[0]
    fair, seeds = _fair(row, level, options), _seeds(row, options)
    points = []
    for step in range(STEPS + 1):
        amount = fair * 2 * step / STEPS
        edge = house_edge(row, {**seeds, level: amount}, CENTS_PER_DOLLAR, options=options)
        points.append((amount, edge))
    what = "meter" if level == "single" else f"{level} meter"
    return Chart(
        svg=line([(float(x), float(y)) for x, y in points], what, "house edge"),
        alt=f"{found.name}: house edge of $1 against the {what}; the table has the figures.",
        table=Table(
            caption=f"{found.name}: house edge of $1 by {what}",
            columns=(what, "house edge"),
            rows=tuple((dollars(amount), percent(edge)) for amount, edge in points),
            right=(what, "house edge"),
        ),
    )


def _by_players(found: Eligible) -> Table:
    """What others at the table change: envy, and winners in one round."""
    together = found.priced.to_json()["simultaneous_hits"]
    rows = []
    for players in range(1, MOST_SEATS + 1):
        envy = found.row.envy_per_other_hand * (players - 1)
        both = Fraction(together[str(players)]) if players > 1 else Fraction(0)
        rows.append((str(players), percent(envy), one_in(both)))
    columns = ("lit hands", "envy, share of $1 returned", "rounds to two meter wins at once")
    return Table(
        caption=f"{found.name}: by number of players",
        columns=columns,
        rows=tuple(rows),
        right=columns[1:],
    )


def _long_run(found: Eligible) -> Iterator[Block]:
    run = found.priced.long_run
    if run is None:
        yield Text(
            text="Seed cost, mean awards and hold in the long run follow once contribution_rate "
            "and meter_seed are set for every meter and no cap is."
        )
        rows: Sequence[tuple[str, ...]] = [
            (
                spaced(found.row.pays.name_of(hand)),
                one_in(p),
                one_in(p * MOST_SEATS),
            )
            for hand, p in found.row.probabilities.items()
            if isinstance(odds_of(found.row.pays, hand), MeterShare)
        ]
        yield Table(
            caption=f"{found.name}: from one meter award to the next, on average",
            columns=("hand", "wagers", f"rounds of {MOST_SEATS} lit hands"),
            rows=tuple(rows),
            right=("wagers", f"rounds of {MOST_SEATS} lit hands"),
        )
        return
    facts: list[tuple[str, str]] = [("Long-run hold", f"{run.hold} = {percent(run.hold, 6)}")]
    for level in sorted(run.levels, key=METER_LEVELS.index):
        figures: Any = run.levels[level]
        facts += [
            (f"{level}: contribution", percent(figures.contribution_rate)),
            (f"{level}: reserve", percent(figures.reserve_rate)),
            (f"{level}: seed cost", f"{figures.reseed_cost} = {percent(figures.reseed_cost, 6)}"),
            (f"{level}: mean meter at an award", dollars(figures.mean_meter)),
        ]
        facts += [
            (f"{level}: wagers between {spaced(hand)}", f"{float(wagers):,.0f}")
            for hand, wagers in figures.wagers_between_hits.items()
        ]
    yield Facts(rows=tuple(facts))
    yield Text(text="In the long run every hand counts, folded or not, and wagers are of $1.")
