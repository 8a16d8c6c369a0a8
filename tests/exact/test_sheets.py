"""Par sheets, the claim checker, strategies and the solver, as commands and as calls."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from houseway import Refused
from houseway.catalog.claims import chart_cells, coverage, noise, note_cells, printed_figures
from houseway.cli import main
from houseway.exact.blackjack import blackjack, reached_hands
from houseway.exact.chart import decide, hand_text, judge_cell, judge_note
from houseway.exact.mix import whole_game_edge
from houseway.exact.pricing import par
from houseway.exact.sheet import ParRow
from houseway.exact.solve import solve
from houseway.exact.strategy import strategy_document
from houseway.exact.three_card import ante_analysis
from houseway.exact.unjudged import unjudged
from houseway.exact.verify import compare_at, judge, verify
from houseway.games import game_of
from houseway.games.triple_shot_bonus.rules import BonusOptions
from houseway.house.options import parse_options
from houseway.names import Bet
from houseway.refusal import Reason
from houseway.rules.wagers import choose_paytables
from tests import ROOT
from tests.oracles.exact_blackjack import POINTS, Oracle, mean


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


FIELDS = [
    "bet", "paytable", "house_edge", "element_of_risk", "hit_frequency", "push_frequency",
    "variance", "standard_deviation", "distribution",
]  # fmt: skip


@pytest.mark.parametrize(
    "game", ["three-card-poker", "three-card-poker-face-up", "triple-shot-rummy"]
)
def test_the_par_document_of_the_contract(capsys: pytest.CaptureFixture[str], game: str) -> None:
    code, document = run(capsys, "par", game)
    assert code == 0
    assert {"game", "options", "strategy", "bets"} <= set(document)
    for row in document["bets"]:
        if row["bet"] == "progressive":
            continue
        assert list(row)[: len(FIELDS)] == FIELDS
        nets = {Fraction(net): Fraction(p) for net, p in row["distribution"]}
        assert sum(nets.values()) == 1
        mean = sum((net * p for net, p in nets.items()), Fraction(0))
        assert Fraction(row["house_edge"]) == -mean
        square = sum((net * net * p for net, p in nets.items()), Fraction(0))
        assert Fraction(row["variance"]) == square - mean**2
        assert Fraction(row["hit_frequency"]) == sum(p for net, p in nets.items() if net > 0)
    ante = [row for row in document["bets"] if row["bet"] == "ante"]
    progressive = [row for row in document["bets"] if row["bet"] == "progressive"]
    assert [row["paytable"] for row in progressive] == ["1", "2", "01", "ML01", "ML03"]
    assert set(progressive[0]["if_folded_not_eligible"]) == {game}
    labels = ["A", "B", "C"] if game == "three-card-poker" else [None]
    assert [row["paytable"] for row in ante] == labels


def test_a_chosen_paytable_shows_alone() -> None:
    sheet = par("three-card-poker", paytables="TCP-11")
    assert [row.paytable for row in sheet.rows][:2] == ["B", "D"]
    assert len([row for row in sheet.rows if row.bet == "six-card-bonus"]) == 4


@pytest.mark.clause("TCP-25")
def test_par_per_ante_of_the_twelve_combinations() -> None:
    sheet = par("three-card-poker")
    assert str(sheet.row("ante", "A").house_edge) == "686689/20358520"
    rounded = [f"{float(sheet.row('ante', code).house_edge):.2%}" for code in "ABC"]
    assert rounded == ["3.37%", "3.61%", "3.83%"]


@pytest.mark.clause("TSB-26", "TSB-28")
def test_triple_shot_bonus_beside_the_analysis_of_2002(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, "par", "triple-shot-bonus")
    assert code == 0
    rows = {(row["bet"], row["paytable"]): row for row in document["bets"]}
    assert rows["war", None]["house_edge"] == "1/34"
    blackjack_row = rows["blackjack", None]
    assert f"{float(Fraction(blackjack_row['house_edge'])):.4%}" == "0.2715%"
    assert {"win", "tie", "split_not_lose", "not_lose"} <= set(blackjack_row)
    assert all(Fraction(value) > 0 for value in document["joint"].pop("covariance").values())
    joint = {name: Fraction(value) for name, value in document["joint"].items()}
    assert joint["product_of_marginals"] == Fraction(9, 17) * Fraction(
        blackjack_row["not_lose"]
    ) * Fraction(rows["poker", "TSB-01"]["hit_frequency"])
    # The printed 9.4556% is that product; jointly the bets are won together far more often.
    assert f"{float(joint['product_of_marginals']):.4%}" == "9.4556%"
    assert f"{float(joint['hat_trick_probability']):.4%}" == "12.5146%"
    assert (
        Fraction(rows["hat-trick", "9"]["house_edge"])
        < 0
        < Fraction(rows["hat-trick", "6"]["house_edge"])
    )
    sheet = par("triple-shot-bonus")
    three: dict[Bet, ParRow] = {
        "war": sheet.row("war"),
        "blackjack": sheet.row("blackjack"),
        "poker": sheet.row("poker", "TSB-01"),
    }
    equal: dict[Bet, Fraction] = dict.fromkeys(three, Fraction(1))
    assert f"{float(whole_game_edge(three, equal)):.4%}" == "2.9328%"
    weighted = {**equal, "war": Fraction(2)}
    assert whole_game_edge(three, weighted) != whole_game_edge(three, equal)


@pytest.fixture(scope="module")
def judged() -> list[Any]:
    return list(verify())


@pytest.mark.clause("TSR-37", "TSB-25", "TSB-26", "TSB-33", "SCB-04", "FUP-10")
def test_every_printed_figure_has_a_verdict(judged: list[Any]) -> None:
    assert len(judged) == 191 + 180 + 36
    page = " ".join((ROOT / "docs" / "findings.md").read_text(encoding="utf-8").split())
    assert "191 numbers, 180 chart cells and 36 decisions in the notes" in page
    numbers = [entry for entry in judged if entry.claim.figure not in ("decision", "note")]
    assert Counter(entry.verdict for entry in numbers) == {
        "exact": 2,
        "rounds": 161,
        "truncates": 5,
        "wrong": 23,
    }
    by_id = {entry.claim.id: entry for entry in judged}
    sheet = by_id["003:L385/TSB-01/hit_frequency"].to_json()
    assert sheet["exact"] == "1753909/5089630"
    assert sheet["verdict"] == "wrong"
    face_up = by_id["004:L584/TCP-01/house_edge"]
    assert (face_up.verdict, face_up.exact) == ("wrong", Fraction(128, 5525))
    assert face_up.note.startswith("it rounds at 1 decimal")
    assert {entry.verdict for entry in numbers if entry.claim.bet == "hat-trick"} == {
        "rounds",
        "wrong",
    }


@pytest.mark.clause("TSB-27")
def test_every_cell_of_the_chart_is_the_best_single_decision(judged: list[Any]) -> None:
    """All 180 cells hold for the hands they cover; the exceptions by composition have a cost."""
    cells = [entry for entry in judged if entry.claim.figure == "decision"]
    assert len(cells) == 180
    assert {entry.verdict for entry in cells} == {"exact"}
    twelve_against_three = next(c for c in chart_cells() if (c.hand, c.up_card) == ("12", "3"))
    cell = judge_cell(twelve_against_three, BonusOptions())
    assert cell.departures[0].hand == "8-4"
    assert cell.departures[0].best == "stand"
    best, printed = blackjack(BonusOptions()).figures(), blackjack(BonusOptions()).figures(decide)
    departures = sum(
        (d.cost for c in chart_cells() for d in judge_cell(c, BonusOptions()).departures),
        Fraction(0),
    )
    # Departing hand by hand costs what the whole chart costs, up to hands reached less often.
    assert 0 < best.law.mean - printed.law.mean < departures * 2
    assert f"{float(-printed.law.mean):.4%}" == "0.3133%"


@pytest.mark.clause("TSB-27")
def test_both_notes_under_the_chart_are_the_best_decisions(judged: list[Any]) -> None:
    notes = [entry for entry in judged if entry.claim.figure == "note"]
    assert Counter(entry.claim.source for entry in notes) == {"003:L506": 6, "003:L507": 30}
    assert {entry.verdict for entry in notes} == {"exact"}
    # A 14 of five cards: five compositions are better stood against a 5, four hit against a 6.
    departures = {
        (entry.claim.hand, entry.claim.up_card): [hand.hand for hand in entry.departures]
        for entry in notes
        if entry.departures
    }
    assert departures == {
        ("5-card-14", "5"): ["4-3-3-2-2", "5-3-2-2-2", "4-4-2-2-2", "3-3-3-3-2", "6-2-2-2-2"],
        ("5-card-14", "6"): ["8-2-2-A-A", "7-3-2-A-A", "7-2-2-2-A", "6-2-2-2-2"],
    }


@pytest.mark.clause("TSB-27")
@pytest.mark.parametrize(("up", "printed"), [(5, "hit"), (6, "stand")])
def test_the_close_note_is_judged_alike_card_by_card(
    judged: list[Any], up: int, printed: str
) -> None:
    """A five-card 14 is close; an oracle that shares no code with the count plays it too."""
    oracle, game = Oracle(up), blackjack(BonusOptions())
    gains, better = Fraction(0), set()
    for hand, ways in reached_hands(game.by_up[up - 1], game.best).items():
        cards = tuple(points for points in POINTS for _ in range(hand[points - 1]))
        if len(cards) != 5 or sum(cards) != 14:
            continue
        worth = {d: mean(law) for d, law in oracle.laws(cards, oracle.belief(cards)).items()}
        other = worth["stand" if printed == "hit" else "hit"]
        gains += ways * (worth[printed] - other)
        if other > worth[printed]:
            better.add(hand_text(hand))
    assert gains > 0
    (entry,) = (e for e in judged if (e.claim.hand, e.claim.up_card) == ("5-card-14", str(up)))
    assert {departure.hand for departure in entry.departures} == better


@pytest.mark.clause("TSB-27")
def test_a_note_that_said_otherwise_would_be_wrong() -> None:
    others = {"D": "H", "H": "S", "S": "H"}
    for claim in note_cells():
        assert judge_note(claim, BonusOptions()).hands > 0, claim.id
        cell = judge_note(replace(claim, printed=others[claim.printed]), BonusOptions())
        assert (cell.verdict, cell.best) == ("wrong", claim.printed), claim.id
        assert cell.departures


@pytest.mark.clause("TSB-26")
def test_a_product_of_fractions_is_held_against_the_count() -> None:
    tie = next(c for c in printed_figures() if c.id == "003:L475/war/tie_probability/product")
    ties = sum(player % 13 == dealer % 13 for player, dealer in permutations(range(52), 2))
    assert judge(tie, Fraction(ties, 52 * 51)) == ("exact", None)
    assert judge(replace(tie, printed="52/52 * 4/51"), Fraction(ties, 52 * 51))[0] == "wrong"


@pytest.mark.clause("TSB-24", "ACE-04")
def test_what_no_count_can_check_is_said_with_its_reason() -> None:
    hold, first, second = unjudged()
    assert [entry.source for entry in (hold, first, second)] == ["003:L132", "003:L569", "003:L589"]
    assert (hold.printed, first.printed) == ("15% to 25%", "25%")
    sheet = par("triple-shot-bonus")
    poker = [sheet.row("poker", code).house_edge for code in ("TSB-01", "TSB-02")]
    others = sheet.row("war").house_edge + sheet.row("blackjack").house_edge
    for code, edge in zip(("TSB-01", "TSB-02"), poker, strict=True):
        # A turnover of that many buy-ins at the edge of the three bets is the printed hold.
        turnover = hold.computed[f"turnover_at_low_{code}"]
        assert turnover * (others + edge) / 3 == Fraction(15, 100)
        turnover = hold.computed[f"turnover_at_high_{code}"]
        assert turnover * (others + edge) / 3 == Fraction(25, 100)
    for share in (Fraction(0), Fraction(1, 2), Fraction(9, 10)):
        # Whatever part of the wagers is on Poker, the better paytable gains no more than this.
        low, high = (others / 2 * share + edge * (1 - share) for edge in poker)
        assert high / low <= hold.computed["most_by_poker_table"] < hold.computed["printed_range"]
    for code, sign in (("9", -1), ("6", 1)):
        edge = hold.computed[f"house_edge_with_hat_trick_{code}"]
        assert edge * 4 == others + max(poker) + sheet.row("hat-trick", code).house_edge
        assert edge * sign > 0
    assert first.computed == {"cycles_if_rate": Fraction(5, 4), "cycles_if_time": Fraction(4, 3)}
    assert all(entry.reason and entry.to_json()["verdict"] == "not_judged" for entry in unjudged())
    assert [entry.figure for entry in unjudged("triple-shot-bonus")] == ["hold"]
    assert list(unjudged("three-card-poker")) == []


def test_verdicts_at_their_own_precision() -> None:
    for printed, exact, places, verdict in (
        ("1", Fraction(1), 0, "exact"),
        ("2.32", Fraction(23167, 10000), 2, "rounds"),
        ("2.30", Fraction(23167, 10000), 2, "wrong"),
        ("7.09", Fraction(70951, 10000), 2, "truncates"),
        ("0.05", Fraction(45, 1000), 2, "rounds"),
        ("-1.2", Fraction(-119, 100), 1, "rounds"),
    ):
        assert compare_at(Fraction(printed), exact, places) == verdict, printed


def test_verify_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, "verify", "--verdict", "wrong")
    assert code == 0
    assert len(document["claims"]) == 23
    assert list(document["claims"][0]) == [
        "id", "source", "bet", "paytable", "figure", "options", "printed", "exact", "verdict",
        "note", "departures",
    ]  # fmt: skip
    assert all(claim["departures"] == [] for claim in document["claims"])
    assert document["not_judged"] == []
    assert {entry["which"] for entry in document["noise"]} == {"all", "first", "words", "letters"}
    assert [row["uncovered"] for row in document["coverage"]] == [0] * 5
    code, document = run(capsys, "verify", "--verdict", "not_judged")
    assert (code, document["claims"]) == (0, [])
    assert [entry["figure"] for entry in document["not_judged"]] == [
        "hold", "cycle_time", "cycle_time",
    ]  # fmt: skip
    assert main(["verify", "--verdict", "not_judged", "--numbers"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Figures that software cannot check" in shown
    assert "Numbers that say nothing about a game" in shown
    assert "3 claims: 3 not judged" in shown
    for entry in noise():
        assert entry.source[0] in shown
    assert main(["verify", "--verdict", "not_judged"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    total = sum(row.noise for row in coverage())
    assert f"{total} are noise, 0 are unexplained; --numbers lists them." in shown
    code, document = run(capsys, "verify", "--verdict", "maybe")
    assert (code, document["error"]["reason"]) == (2, "unknown_value")


@pytest.mark.clause("TSB-27")
def test_every_hand_that_the_chart_does_not_fit_is_listed(
    judged: list[Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note names six hands of a cell; the document and the full list have all of them."""
    long = max(judged, key=lambda entry: len(entry.departures))
    assert long.note.endswith(f" and {len(long.departures) - 6} more")
    document = long.to_json()["departures"]
    assert len(document) == len(long.departures) > 30
    assert document == sorted(document, key=lambda hand: Fraction(hand["cost"]), reverse=True)
    cell = judge_cell(long.claim, BonusOptions())
    assert [Fraction(hand["cost"]) for hand in document] == [d.cost for d in cell.departures]
    monkeypatch.setattr("houseway.exact.verify.verify", lambda: iter(judged))
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["verify", "--full"]) == 0
    shown = capsys.readouterr().out
    table = shown[shown.index("Hands that are better played otherwise") :]
    rows = [line.split() for line in table.splitlines() if "/blackjack/" in line]
    departures = [(entry.claim, hand) for entry in judged for hand in entry.departures]
    assert [(row[0], row[1], row[2], row[3], row[5]) for row in rows] == [
        (hand.hand, claim.up_card, hand.printed, hand.best, claim.id) for claim, hand in departures
    ]
    assert main(["verify", "--full", "--verdict", "wrong"]) == 0
    assert "none among these claims" in capsys.readouterr().out


def ante_edge(game: str, texts: dict[str, str]) -> Fraction:
    found = game_of(game)
    options = parse_options(texts, found.options())
    analysis = ante_analysis(found, choose_paytables(found, []), options)
    return -analysis.law(analysis.optimal()).mean


def test_options_change_the_figures() -> None:
    """Each reading has exact figures of its own."""
    edges = {
        name: ante_edge(game, {option: name})
        for game, option, names in (
            ("three-card-poker", "tie_rule", ("push", "lose", "win")),
            ("triple-shot-rummy", "ace_in_runs", ("low", "high_low", "wrap")),
            ("triple-shot-rummy", "combination_choice", ("lowest", "pair_first")),
            ("three-card-poker-face-up", "face_up_unqualified_play",
             ("compare", "win_or_push", "win")),
        )
        for name in names
    }  # fmt: skip
    assert edges["win"] < edges["win_or_push"] < edges["compare"]
    assert edges["low"] != edges["high_low"] != edges["wrap"]
    ties = [ante_edge("three-card-poker", {"tie_rule": rule}) for rule in ("win", "push", "lose")]
    assert ties == sorted(ties)
    forfeit = par("triple-shot-rummy", {"pair_plus_after_fold": "forfeit"})
    stays = par("triple-shot-rummy")
    assert forfeit.row("pair-plus", "1").house_edge > stays.row("pair-plus", "1").house_edge


def test_the_sheet_shows_itself_in_a_notebook_and_as_columns() -> None:
    sheet = par("triple-shot-rummy")
    html = sheet._repr_html_()
    assert "<table>" in html
    assert "7745/239512" in html
    columns = sheet.columns()
    assert {len(values) for values in columns.values()} == {len(sheet.rows)}
    with pytest.raises(Refused):
        sheet.row("war")


def test_strategies_in_words_and_hand_by_hand(tmp_path: Path) -> None:
    poker = strategy_document("three-card-poker")
    assert poker["summary"][0] == "Play Queen-Six-Four high or better; fold everything else."
    assert len(poker["hands"]) == 1755
    rummy = strategy_document("triple-shot-rummy")
    assert rummy["summary"][0] == "Play a score of 20 or less; fold everything else."
    bonus = strategy_document("triple-shot-bonus")
    assert bonus["hands"]["T-6"]["T"] == "hit"
    out = tmp_path / "strategy.json"
    assert main(["strategy", "three-card-poker-face-up", "--out", str(out)]) == 0
    written = json.loads(out.read_text())
    assert {len(decisions) for decisions in written["hands"].values()} == {52}
    assert main(["strategy", "triple-shot-rummy", "--out", str(tmp_path / "no" / "where")]) == 2


def test_solve_finds_what_is_printed() -> None:
    """Pair Plus C and D are A with one pay changed; the solver finds them by their edge."""
    target = par("three-card-poker").row("pair-plus", "C").house_edge
    best = solve("three-card-poker", "pair-plus", "A", target, {"straight": "4..8"})[0]
    assert best.house_edge == target
    assert best.pays["straight"] == "5 to 1"
    sheet = par("three-card-poker")
    choices: tuple[tuple[Bet, str, str], ...] = (
        ("six-card-bonus", "TCP-6B3", "straight"),
        ("ante-bonus", "A", "straight"),
    )
    for bet, code, hand in choices:
        edge = sheet.row("ante" if bet == "ante-bonus" else bet, code).house_edge
        found = solve("three-card-poker", bet, code, edge, {hand: "1..9"})[0]
        assert found.house_edge == edge


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["par"], "unknown_game"),
        (["par", "chess"], "unknown_game"),
        (["par", "triple-shot-rummy", "--paytable", "pair-plus=9"], "unknown_paytable"),
        (["par", "five-card-link", "--paytable", "1"], "unknown_paytable"),
        (["par", "five-card-link", "--option", "progressive_paytable=1"], "unknown_paytable"),
        (["par", "three-card-progressive", "--paytable", "pair-plus=A"], "unknown_bet"),
        (["par", "three-card-poker", "--option", "tie_rule=draw"], "unknown_value"),
        (["strategy", "chess"], "unknown_game"),
        (["solve", "three-card-poker"], "bad_argument"),
        (["solve", "three-card-poker", "--bet", "ante", "--paytable", "A", "--target-edge", "0.1"],
         "unknown_bet"),
        (["solve", "three-card-poker", "--bet", "pair-plus", "--paytable", "Z", "--target-edge",
          "0.1", "--vary", "flush=3..6"], "unknown_paytable"),
        (["solve", "three-card-poker", "--bet", "pair-plus", "--paytable", "A", "--target-edge",
          "five", "--vary", "flush=3..6"], "not_an_amount"),
        (["solve", "three-card-poker", "--bet", "pair-plus", "--paytable", "A", "--target-edge",
          "0.9", "--vary", "flush=3..6"], "unknown_value"),
        (["solve", "three-card-poker", "--bet", "pair-plus", "--paytable", "A", "--target-edge",
          "0.05", "--vary", "flush=6..3"], "unknown_value"),
        (["solve", "three-card-poker", "--bet", "pair-plus", "--paytable", "A", "--target-edge",
          "0.05", "--vary", "quads=3..6"], "unknown_paytable"),
        (["solve", "three-card-poker", "--bet", "pair-plus", "--paytable", "A", "--target-edge",
          "0.05"], "bad_argument"),
        (["solve", "three-card-poker", "--bet", "pair-plus", "--paytable", "A", "--target-edge",
          "0.05", "--vary", "flush=1..99999", "--vary", "pair=1..99"], "amount_too_large"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    code, document = run(capsys, *arguments)
    assert (code, document["error"]["reason"]) == (2, reason)


@pytest.mark.clause("PGM-19", "PML-12")
def test_a_progressive_at_its_meter(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, "par", "three-card-progressive", "--meter", "10080")
    assert code == 0
    one, two = document["bets"]
    assert (one["fixed_return"], one["break_even_meter"]) == ("601/1105", "10080")
    assert (one["house_edge"], one["meter_coefficients"]) == ("0", {"single": "1/22100"})
    assert Fraction(two["house_edge"]) > 0
    assert set(one["if_folded_not_eligible"]) == {
        "three-card-poker", "three-card-poker-face-up", "triple-shot-rummy",
    }  # fmt: skip
    code, document = run(
        capsys, "par", "five-card-link", "--paytable", "ML01", "--meter", "mega=100000",
        "--meter", "major=5000",
    )  # fmt: skip
    assert Fraction(document["bets"][0]["house_edge"]) < Fraction(1, 2)
    assert document["bets"][0]["break_even_meter"] is None
    for wrong in ("-5", "lots"):
        code, document = run(capsys, "par", "five-card-link", "--meter", wrong)
        assert code == 2


@pytest.mark.clause("PML-10")
def test_what_a_fold_that_gives_up_the_progressive_changes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, document = run(
        capsys, "par", "triple-shot-rummy", "--paytable", "progressive=01", "--meter", "100000",
        "--bet", "ante=5", "--bet", "progressive=1",
    )  # fmt: skip
    assert code == 0
    row = next(row for row in document["bets"] if row["bet"] == "progressive")
    assert Fraction(row["ante_decision"]["gain"]) > 0
    assert row["ante_decision"]["changes"]
    assert set(row["simultaneous_hits"]) == set("234567")


def test_the_long_run_of_a_progressive(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(
        capsys, "par", "three-card-progressive", "--paytable", "1",
        "--option", "contribution_rate=0.2", "--option", "reserve_rate=0.02",
        "--option", "meter_seed=1000",
    )  # fmt: skip
    assert code == 0
    run_of = document["bets"][0]["long_run"]
    # Fixed pays, contribution, reserve and a seed of $1,000 once in 22,100 wagers are the cost.
    cost = Fraction(601, 1105) + Fraction(22, 100) + Fraction(1000, 22100)
    assert Fraction(run_of["hold"]) == 1 - cost
    assert run_of["levels"]["single"]["wagers_between_hits"] is not None


def test_a_whole_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(
        capsys, "par", "three-card-poker", "--paytable", "TCP-01", "--paytable",
        "six-card-bonus=TCP-6B1", "--seats", "7", "--bet", "ante=1",
    )  # fmt: skip
    assert code == 0
    table = document["table"]
    assert Fraction(table["mean_win"]) == 7 * Fraction(686689, 20358520)
    assert round(table["standard_deviation"], 4) == 6.3719
    assert table["confidence_bands"]["1000"]["low"] < 0 < table["confidence_bands"]["1000"]["high"]
    ante = document["bets"][0]
    assert Fraction(ante["exposed_card"]["gain"]) > 0


def test_a_mix_of_wagers_is_priced_together(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(
        capsys, "par", "triple-shot-bonus", "--bet", "war=10", "--bet", "blackjack=10", "--bet",
        "poker=10",
    )  # fmt: skip
    assert code == 0
    assert f"{float(Fraction(document['whole_game']['house_edge'])):.4%}" == "2.9328%"


def test_sheets_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["par", "triple-shot-rummy"]) == 0
    assert "3.2337%" in capsys.readouterr().out
    assert main(["par", "triple-shot-rummy", "--csv"]) == 0
    assert "7745/239512" in capsys.readouterr().out
    assert main(["par", "triple-shot-rummy", "--markdown"]) == 0
    assert "| ante |" in capsys.readouterr().out
    assert Reason.UNKNOWN_GAME.value == "unknown_game"
