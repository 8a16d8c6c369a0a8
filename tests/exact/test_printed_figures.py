"""Printed figures that follow from counting one hand, held against the rules that pay it.

The counts come from whole domains, the pays from the verdicts that settle a seat. Figures that
need a strategy or several bets together are the claim checker's business.
"""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from houseway.cards import DECK
from houseway.cards.hands import FiveCard, category3
from houseway.catalog.claims import (
    Claim,
    chart_cells,
    chart_notes,
    coverage,
    noise,
    note_cells,
    printed_figures,
)
from houseway.games.base import Outcome, Verdict, net_units
from houseway.games.library import designator, paytable_of
from houseway.games.side_bets import pair_plus, six_card_bonus
from houseway.games.triple_shot_bonus.rules import BonusOptions, compare_war, poker, war
from houseway.house.paytables import PayTable
from tests.oracles import masks
from tests.tools.source_numbers import walk

Law = dict[int, Fraction]


@cache
def three_card_law() -> Law:
    counts = Counter(int(category3(*hand)) for hand in combinations(DECK, 3))
    return {category: Fraction(count, 22_100) for category, count in counts.items()}


@cache
def six_card_law() -> Law:
    return {
        FiveCard[name.upper()]: Fraction(count, 20_358_520)
        for name, count in masks.six_card_counts().items()
    }


def law_and_rule(claim: Claim) -> tuple[Law, "PayTable"]:
    table = claim.paytable or ""
    if claim.bet == "pair-plus" and claim.game == "three-card-poker-face-up":
        table = designator(claim.game, table).paytables["pair-plus"]
    law = three_card_law() if claim.bet == "pair-plus" else six_card_law()
    return law, paytable_of(claim.game, claim.bet, table)


def verdict(claim: Claim, category: int, paytable: PayTable) -> Verdict:
    if claim.bet == "pair-plus":
        return pair_plus(category, paytable, "")
    if claim.bet == "six-card-bonus":
        return six_card_bonus(category, paytable, "")
    return poker(category, paytable)


def exact(claim: Claim) -> Fraction:
    """The figure of a claim, counted."""
    law, paytable = law_and_rule(claim)
    verdicts = {category: verdict(claim, category, paytable) for category in law}
    units = {category: net_units(verdicts[category]) for category in law}
    match claim.figure:
        case "house_edge":
            return -sum((law[c] * units[c] for c in law), Fraction(0))
        case "return":
            return 1 + sum((law[c] * units[c] for c in law), Fraction(0))
        case "hit_frequency":
            return sum((law[c] for c in law if units[c] > 0), Fraction(0))
    hand = FiveCard[(claim.hand or "").upper()]
    if claim.figure == "probability":
        return law[hand]
    assert claim.figure == "payout"
    # The sheet counts the wager among what is paid out.
    return law[hand] * (units[hand] + 1)


def judged(claim: Claim) -> str:
    """'rounds', 'truncates' or 'wrong' at the precision the claim is printed with."""
    digits = claim.printed.removesuffix("%")
    places = len(digits.partition(".")[2])
    scaled = exact(claim) * 100 * 10**places
    printed = int(digits.replace(".", ""))
    if scaled == printed:
        return "exact"
    if int(scaled + Fraction(1, 2)) == printed:
        return "rounds"
    return "truncates" if int(scaled) == printed else "wrong"


def claims_of(*bets: str, game: str) -> list[Claim]:
    return [claim for claim in printed_figures() if claim.bet in bets and claim.game == game]


@pytest.mark.clause("TSR-37")
def test_all_sixty_figures_of_rummy() -> None:
    """Two edges are a digit out in all three printings: one was cut, one is wrong."""
    claims = claims_of("pair-plus", "six-card-bonus", game="triple-shot-rummy")
    assert len(claims) == 60
    assert {claim.id: judged(claim) for claim in claims if judged(claim) != "rounds"} == {
        # 392/5525 is 7.0950...%, which rounds up.
        "000:L127/6/house_edge": "truncates",
        "001:L188/6/house_edge": "truncates",
        "002:L219/6/house_edge": "truncates",
        # 10.2248...% was printed as 10.23%.
        "000:L145/1/house_edge": "wrong",
        "001:L206/1/house_edge": "wrong",
        "002:L237/1/house_edge": "wrong",
    }
    assert {exact(claim) for claim in claims if claim.figure == "hit_frequency"} == {
        Fraction(5660, 22_100),
        Fraction(1_482_064, 20_358_520),
    }


@pytest.mark.clause("SCB-04")
def test_the_figures_of_the_6_card_bonus_at_both_precisions() -> None:
    claims = claims_of("six-card-bonus", game="three-card-poker")
    assert len(claims) == 16
    assert {claim.printed for claim in claims if claim.figure == "hit_frequency"} == {
        "7.2798%",
        "7.28%",
    }
    assert {claim.id for claim in claims if judged(claim) != "rounds"} == {
        "004:L383/TCP-6B1/house_edge",
        "004:L406/TCP-6B1/house_edge",
    }


@pytest.mark.clause("FUP-10")
def test_the_face_up_sheet_is_right_to_one_decimal_only() -> None:
    claims = claims_of("pair-plus", game="three-card-poker-face-up")
    assert [judged(claim) for claim in claims] == ["wrong"] * 4 + ["rounds"] * 4
    for claim in claims[:4]:
        one_place = Fraction(int(exact(claim) * 1000 + Fraction(1, 2)), 10)
        assert f"{float(one_place):.1f}0%" == claim.printed


@pytest.mark.clause("TSB-33")
def test_all_forty_four_figures_of_the_six_card_tables() -> None:
    claims = [
        claim
        for claim in claims_of("poker", game="triple-shot-bonus")
        if 521 <= int(claim.source.partition("L")[2]) <= 553
    ]
    assert len(claims) == 44
    # 14.7395587...% was cut to six places in both tables; every other figure rounds.
    assert {claim.id: judged(claim) for claim in claims if judged(claim) != "rounds"} == {
        "003:L534/TSB-01/probability/jacks_or_better": "truncates",
        "003:L550/TSB-02/probability/jacks_or_better": "truncates",
    }


@pytest.mark.clause("TSB-25", "TSB-18")
def test_the_poker_figures_of_the_sheets() -> None:
    """The edges hold; the hit frequency of 34.6% does not: 34.46% of hands win."""
    claims = [
        claim
        for claim in claims_of("poker", game="triple-shot-bonus")
        if 375 <= int(claim.source.partition("L")[2]) <= 407
    ]
    assert {claim.printed: judged(claim) for claim in claims} == {
        "34.6%": "wrong",
        "5.59%": "rounds",
        "5.78%": "rounds",
    }


@pytest.mark.clause("TSB-24")
def test_the_hold_is_adjustable_by_paytable() -> None:
    edges = [
        exact(claim)
        for claim in claims_of("poker", game="triple-shot-bonus")
        if claim.printed in ("5.59%", "5.78%")
    ]
    assert edges[0] < edges[1]


@pytest.mark.clause("TSB-06")
@pytest.mark.parametrize("ace", ["high", "low"])
def test_war_costs_a_thirty_fourth(ace: Any) -> None:
    options = BonusOptions(war_ace=ace)
    pairs = [(p, d) for p in DECK for d in DECK if p != d]
    verdicts = [war(compare_war(p, d, options), options) for p, d in pairs]
    assert sum(map(net_units, verdicts)) / len(pairs) == Fraction(-1, 34)
    ties = sum(v.outcome is Outcome.LOSE and v.lost < 1 for v in verdicts)
    assert Fraction(ties, len(pairs)) == Fraction(1, 17)


def test_every_printed_figure_is_data_with_its_line() -> None:
    claims = printed_figures()
    assert len(claims) == 191
    everything = claims + chart_cells() + note_cells()
    assert len({claim.id for claim in everything}) == 191 + 180 + 36
    assert Counter(claim.source[:3] for claim in claims) == {
        "000": 20,
        "001": 20,
        "002": 20,
        "003": 95,
        "004": 36,
    }
    by_id = {claim.id: claim for claim in claims}
    assert by_id["003:L385/TSB-01/hit_frequency"].printed == "34.6%"
    assert by_id["003:L562/9/hit_frequency/hit"].printed == "9.4556%"
    assert by_id["003:L562/9/hit_frequency/stand"].options == {"dealer_soft_17": "stand"}
    assert by_id["003:L513/blackjack/tie"].printed == "8.2356"


def test_the_means_are_printed_beside_what_they_are_the_mean_of() -> None:
    for line in ("003:L518", "003:L519"):
        for code in ("TSB-01", "TSB-02"):
            printed = [
                Fraction(claim.printed.removesuffix("%"))
                for claim in printed_figures()
                if claim.source == line and code in claim.id
            ]
            assert len(printed) == 4
            assert abs(sum(printed[:3], Fraction(0)) / 3 - printed[3]) < Fraction(1, 10_000)


def test_the_chart_has_180_cells_and_two_notes() -> None:
    cells = chart_cells()
    assert len(cells) == 180
    printed = {(cell.hand, cell.up_card): cell.printed for cell in cells}
    assert {printed["A-A", up] for up in "A23456789T"} == {"P"}
    assert [printed["A-7", up] for up in "A23456789T"] == list("HSDDDDSSHH")
    assert [printed["12", up] for up in "A23456789T"] == list("HHHSSSHHHH")
    assert (printed["8", "5"], printed["8", "6"], printed["A-8", "6"]) == ("H8", "H8", "D")
    assert [note["source"] for note in chart_notes()] == ["003:L506", "003:L507"]


@pytest.mark.clause("TSB-27")
def test_the_notes_are_said_hand_by_hand() -> None:
    said = {(claim.source, claim.hand, claim.up_card): claim.printed for claim in note_cells()}
    assert len(said) == 3 * 2 + 3 * 10
    assert {key[1:]: letter for key, letter in said.items() if key[0] == "003:L506"} == {
        ("2-6", "5"): "D",
        ("2-6", "6"): "H",
        ("3-5", "5"): "D",
        ("3-5", "6"): "D",
        ("4-4", "5"): "D",
        ("4-4", "6"): "D",
    }
    stands = [key for key, letter in said.items() if letter == "S"]
    assert stands == [("003:L507", "5-card-14", "6")]


LINES = re.compile(r"00[0-4]:L[1-9][0-9]*(-[1-9][0-9]*)?")
LENGTHS = {"000": 202, "001": 263, "002": 282, "003": 598, "004": 1034}
"""Lines of each source."""


def test_noise_has_a_kind_a_reason_and_lines_that_exist() -> None:
    entries = noise()
    assert {
        "page number",
        "telephone number",
        "revision code",
        "layout art",
        "damaged letters",
    } <= {entry.kind for entry in entries}
    for entry in entries:
        assert entry.reason.endswith(".")
        assert entry.which in ("all", "first", "words", "letters")
        assert (entry.which == "words") is bool(entry.words)
        assert entry.source
        assert len(set(entry.source)) == len(entry.source)
        for source in entry.source:
            assert LINES.fullmatch(source), source
            first, _, last = source.partition("L")[2].partition("-")
            assert int(first) <= int(last or first) <= LENGTHS[source[:3]], source
        # Telephone numbers and signatures are cited, never repeated.
        assert not re.search(r"[0-9]{3}", re.sub(r"[0-9]{2}-[0-9]{3}", "", entry.reason)), entry


def test_no_line_is_noise_as_a_whole_and_a_claim() -> None:
    whole = [entry.source for entry in noise() if entry.which == "all"]
    lines = {
        (source[:3], line) for sources in whole for source in sources for line in line_range(source)
    }
    for claim in printed_figures() + chart_cells() + note_cells():
        assert (claim.source[:3], line_range(claim.source)[0]) not in lines, claim.id


def line_range(source: str) -> range:
    first, _, last = source.partition("L")[2].partition("-")
    return range(int(first), int(last or first) + 1)


def test_every_number_of_the_five_sources_is_accounted_for() -> None:
    """As the tool counted it; the claims here must be able to fill the column of claims."""
    rows = coverage()
    assert [row.source for row in rows] == ["000", "001", "002", "003", "004"]
    for row in rows:
        parts = row.claims + row.paytables + row.clauses + row.noise + row.uncovered
        assert parts == row.numbers
        assert row.uncovered == 0
        figures = [claim for claim in printed_figures() if claim.source[:3] == row.source]
        assert row.claims >= len({(claim.source, claim.printed) for claim in figures})


def test_the_walk_finds_a_number_that_nothing_accounts_for() -> None:
    """Lines of our own in the place of the source's."""
    lines = [""] * LENGTHS["003"]
    lines[132 - 1] = "15 and 25, or 35"
    lines[217 - 1] = "on page 7"
    lines[475 - 1] = "52/52 * 3/51 = 1/18"
    assert list(walk("003", "\n".join(lines), {})) == [
        (132, "15", "claims"),
        (132, "25", "claims"),
        (132, "35", "uncovered"),
        (217, "7", "noise"),
        *((475, number, "claims") for number in ("52", "52", "3", "51", "1")),
        (475, "18", "uncovered"),
    ]
