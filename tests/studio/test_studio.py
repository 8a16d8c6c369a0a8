"""The studio without a server: boards, sections, comparisons, deals and files of a draft."""

import io
import json
import zipfile
from fractions import Fraction
from typing import Any

import pytest

from houseway.exact.pricing import par
from houseway.games import codes
from houseway.house.money import ForOne
from houseway.refusal import Refused
from houseway.rules.variant import make_variant
from houseway.studio.board import board
from houseway.studio.comparison import compare
from houseway.studio.export import export
from houseway.studio.names import SECTIONS
from houseway.studio.offer import offer
from houseway.studio.sections import section
from houseway.studio.simulation import simulate
from houseway.studio.work import WORK
from tests.live.table import BONUS, TCP

RUMMY = "triple-shot-rummy"
FIGURES = ("house_edge", "element_of_risk", "hit_frequency", "push_frequency", "variance")


def exact(figure: dict[str, Any]) -> Fraction:
    assert float(Fraction(figure["exact"])) == pytest.approx(figure["value"])
    return Fraction(figure["exact"])


CHANGED = {
    TCP: {"ante-bonus": "B:straight=2", "pair-plus": "C:flush=7 to 2"},
    "three-card-poker-face-up": {"six-card-bonus": "TCP-6B2:flush=17"},
    RUMMY: {"play": "Play:1-5=3", "progressive": "ML01"},
    BONUS: {"poker": "TSB-02:flush=6", "hat-trick": "9:no_leg_lost=21 to 2"},
}


@pytest.mark.clause("TSB-26", "PGM-19", "PML-12")
@pytest.mark.parametrize("game", codes())
def test_a_board_says_what_the_par_sheet_says(game: str) -> None:
    """Both count from the rules, but by ways of their own from there."""
    variant = make_variant("mine", game, {}, CHANGED[game])
    told: list[int] = []
    found = board(variant, told=lambda known: told.append(len(known["bets"])))
    assert told == list(range(1, len(found["bets"]) + 1))
    tables: dict[str, str] = {bet: table.code for bet, table in variant.ruleset().paytables.items()}
    sheet = par(game, paytables=tables).to_json()
    rows = {row["bet"]: row for row in sheet["bets"]}
    for bet in found["bets"]:
        for name in FIGURES:
            assert exact(bet[name]) == Fraction(rows[bet["bet"]][name])
        assert bet["volatility_index"] == rows[bet["bet"]]["volatility_index"]
        assert bet["confidence_bands"] == rows[bet["bet"]]["confidence_bands"]
        assert sum(exact(one["contribution"]) for one in bet["outcomes"]) == -exact(
            bet["house_edge"]
        )
        assert exact(bet["return"]) == 1 - exact(bet["house_edge"])
    if "progressive" in tables:
        row = rows["progressive"]
        if found["options"]["folded_hand_progressive"] != "eligible":
            row = row["if_folded_not_eligible"][game]
        assert exact(found["progressive"]["fixed_return"]) == Fraction(row["fixed_return"])
        for pay in found["progressive"]["pays"]:
            assert exact(pay["probability"]) == Fraction(row["probabilities"][pay["hand"]])
    else:
        joint = sheet["joint"]
        assert exact(found["joint"]["joint"]) == Fraction(joint["hat_trick_probability"])
        assert exact(found["joint"]["product"]) == Fraction(joint["product_of_marginals"])
    assert found["done"]
    json.dumps(found)


@pytest.mark.clause("TSB-26")
def test_the_joint_check_says_it_in_words() -> None:
    found = board(make_variant("x", BONUS))["joint"]
    edge, multiplied = exact(found["house_edge"]), exact(found["multiplied_edge"])
    assert edge == 1 - 10 * exact(found["joint"])
    assert multiplied == 1 - 10 * exact(found["product"])
    for figure in (edge, multiplied, exact(found["joint"]), exact(found["product"])):
        assert f"{float(figure):.4%}" in found["words"]
    assert "never multiplied" in found["words"]


@pytest.mark.parametrize("game", codes())
def test_pays_with_their_chances_come_to_the_edge(game: str) -> None:
    """A side bet costs what it does not give back: one less all its rows."""
    for bet in board(make_variant("x", game))["bets"]:
        if bet["bet"] in ("pair-plus", "six-card-bonus", "poker", "hat-trick"):
            paid = sum(exact(row["contribution"]) for row in bet["pays"])
            hits = sum(exact(row["probability"]) for row in bet["pays"])
            assert exact(bet["house_edge"]) == (1 - hits) - paid


@pytest.mark.clause("PGM-17", "PGM-19", "PML-12", "PML-13")
@pytest.mark.parametrize("game", [name for name in codes() if name != BONUS])
def test_pair_plus_that_a_fold_gives_up_comes_to_its_edge(game: str) -> None:
    """In Rummy a flush may have too many points to be played, and is then not paid."""
    made = board(make_variant("x", game, {"pair_plus_after_fold": "forfeit"}))
    row = next(row for row in made["bets"] if row["bet"] == "pair-plus")
    hits = sum(Fraction(pay["probability"]["exact"]) for pay in row["pays"])
    won = sum(Fraction(pay["contribution"]["exact"]) for pay in row["pays"])
    assert hits == Fraction(row["hit_frequency"]["exact"])
    assert (1 - hits) - won == Fraction(row["house_edge"]["exact"])


def test_a_meter_is_fair_where_the_edge_is_nothing() -> None:
    variant = make_variant("x", TCP)
    plain = board(variant)["progressive"]
    fair = exact(plain["levels"][0]["fair"])
    assert fair == 10_080
    cents = int(fair * 100)
    assert exact(board(variant, {"single": cents})["progressive"]["house_edge"]) == 0
    assert exact(board(variant, {"single": cents + 100})["progressive"]["house_edge"]) < 0
    # Other lit hands bring envy, so that less has to stand on the meter.
    with_others = board(variant, {"single": cents}, others=3)["progressive"]
    assert exact(with_others["house_edge"]) == -3 * exact(plain["envy"])
    levels = make_variant("x", TCP, {}, {"progressive": "ML03"})
    found = board(levels, {"mega": 10_000_000})["progressive"]
    assert [level["level"] for level in found["levels"]] == ["mega", "major", "minor"]
    for level in found["levels"]:
        meters = {one["level"]: one["cents"] for one in found["levels"]}
        if exact(level["fair"]):
            cents_fair = exact(level["fair"]) * 100
            meters[level["level"]] = int(cents_fair)
            edge = exact(board(levels, meters)["progressive"]["house_edge"])
            assert 0 <= edge <= exact(level["adds"]) / 100
    with pytest.raises(Refused, match="meter 'mega' is unknown"):
        board(variant, {"mega": 1})


def test_a_progressive_has_its_spread() -> None:
    """Of $1 on table 1, counted by hand: what is paid at the meter, and what is paid in all."""
    found = board(make_variant("x", TCP), {"single": 800_000})["progressive"]
    pays = {8000: 1, 500: 3, 70: 44, 60: 52, 6: 720}
    mean = sum(Fraction(pay * hands, 22100) for pay, hands in pays.items())
    square = sum(Fraction(pay * pay * hands, 22100) for pay, hands in pays.items())
    assert found["standard_deviation"] == pytest.approx(float(square - mean * mean) ** 0.5)
    assert found["volatility_index"]["0.90"] == pytest.approx(
        found["standard_deviation"] * 1.645, 1e-3
    )
    assert exact(found["house_edge"]) == 1 - mean


def test_a_folded_hand_that_does_not_win_costs_more() -> None:
    option = {"folded_hand_progressive": "not_eligible"}
    other = board(make_variant("x", TCP, option), {"single": 800_000})["progressive"]
    plain = board(make_variant("x", TCP), {"single": 800_000})["progressive"]
    assert exact(other["hit_frequency"]) <= exact(plain["hit_frequency"])
    assert other["folded_hands"] == "not_eligible"


@pytest.mark.parametrize("name", [name for name in SECTIONS if name != "hold"])
def test_every_section_is_a_part_of_the_sheet(name: str) -> None:
    found = section(make_variant("x", TCP, {}, {"pair-plus": "A:flush=3"}), name)
    assert found["blocks"]
    assert found["title"] == SECTIONS[name]
    kinds = {block["kind"] for block in found["blocks"]}
    assert kinds <= {"heading", "text", "facts", "table", "chart", "signatures"}


def test_an_unknown_section_is_refused() -> None:
    with pytest.raises(Refused, match="section 'weather' is none; known: strategy"):
        section(make_variant("x", TCP), "weather")


@pytest.mark.clause("CMP-12")
def test_two_revisions_of_rummy_side_by_side() -> None:
    old = make_variant("2017", RUMMY, {"profile": "wa_2017", "date": "2017-12-20"})
    new = make_variant("2023", RUMMY, {}, {"pair-plus": "1:flush=5"})
    found = compare(old, new)
    assert found["revisions"] == ["2017-12-20", "2023-06-14"]
    assert any("revision is 2023-06-14" in text for text in found["differences"])
    changed = {(cell["bet"], cell["figure"]) for cell in found["figures"] if cell["changed"]}
    assert ("pair-plus", "house_edge") in changed
    assert not any(bet == "six-card-bonus" for bet, _ in changed)
    (pay,) = [cell for cell in found["pays"] if cell["changed"]]
    assert (pay["bet"], pay["hand"], pay["right"]) == ("pair-plus", "flush", "5 to 1")
    assert any(cell["option"] == "profile" and cell["changed"] for cell in found["options"])
    same = compare(new, new)
    assert same["differences"] == []
    assert not any(cell["changed"] for cell in same["figures"])
    with pytest.raises(Refused, match="are two games"):
        compare(old, make_variant("x", TCP))


def test_what_differs_is_said_in_words_and_names_no_approval() -> None:
    usual, link = make_variant("a", RUMMY), make_variant("b", RUMMY, {}, {"progressive": "ML03"})
    found = compare(usual, link)
    assert found["differences"][-1] == (
        "envy of progressive is $1,000.00 on royal_flush and $300.00 on straight_flush for each "
        "dollar wagered, instead of $100.00 on akq_spades and $25.00 on akq_other_suit"
    )
    assert not any("approved" in text or "{" in text for text in found["differences"])
    assert "A-K-Q spades" in {cell["label"] for cell in found["pays"]}


def test_a_draft_is_dealt_and_told_of() -> None:
    told: list[dict[str, Any]] = []
    variant = make_variant("x", TCP, {}, {"pair-plus": "A:flush=3"})
    found = simulate(variant, 300_000, 1, told.append)
    assert told[-1]["rounds"] == told[-1]["of"] == found["rounds"] == 300_000
    exacts = {row["bet"]: row["house_edge"]["value"] for row in board(variant)["bets"]}
    for row in found["bets"]:
        assert row["exact"] == pytest.approx(exacts[row["bet"]])
        assert row["low"] < row["estimate"] < row["high"]
    assert simulate(variant, 300_000, 1)["bets"] == found["bets"]
    with pytest.raises(Refused, match="rounds 0 are not allowed"):
        simulate(variant, 0, 1)


def test_files_are_the_same_bytes_for_the_same_draft() -> None:
    variant = make_variant("Six & more!", TCP, {}, {"pair-plus": "A:flush=3"})
    for kind in ("csv", "json", "variant", "card"):
        first = export(variant, kind)
        assert export(variant, kind) == first
        assert first.name.replace(".", "-").replace("-", "").isalnum()
    text = export(variant, "csv").content.decode()
    assert "pair-plus,A:flush=3,402/5525" in text
    assert b'"pair-plus": "A:flush=3"' in export(variant, "variant").content
    with pytest.raises(Refused, match="export 'exe' is not known"):
        export(variant, "exe")


@pytest.mark.soak
def test_the_pack_of_a_draft_holds_its_sheet() -> None:
    told: list[dict[str, Any]] = []
    variant = make_variant("mine", "three-card-poker-face-up", {}, {"pair-plus": "A:flush=3"})
    packed = export(variant, "pack", told=told.append)
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        tables = json.loads(archive.read("paytables.json"))
    assert manifest["digest"] == variant.ruleset().digest
    assert tables["pair-plus"]["code"] == "A:flush=3"
    assert len(told) > 2


def test_the_offer_names_every_option_and_paytable() -> None:
    found = offer()
    assert [game["game"] for game in found["games"]] == list(codes())
    for game in found["games"]:
        for choice in game["paytables"]:
            assert choice["usual"] in [table["code"] for table in choice["tables"]]
        for option in game["options"]:
            assert option["open"] or option["values"][0] == option["default"]


@pytest.mark.parametrize("folded", ["eligible", "not_eligible"])
@pytest.mark.parametrize("code", ["1", "01"])
def test_a_progressive_is_solved_for_as_the_board_prices_it(code: str, folded: str) -> None:
    """In Rummy a hand that the progressive pays may be one to fold."""
    option = {"folded_hand_progressive": folded}
    variant = make_variant("x", RUMMY, option, {"progressive": code})
    edge = board(variant, {"single": 800_000})["progressive"]["house_edge"]["exact"]
    pay = dict(variant.ruleset().paytables["progressive"].rows)["straight"]
    assert isinstance(pay, ForOne)
    asked = {
        "variant": variant.to_json(),
        "bet": "progressive",
        "target": edge,
        "ranges": {"straight": f"{pay.numerator - 1}..{pay.numerator + 1}"},
        "meters": {"single": 800_000},
        "others": 0,
    }
    found = WORK["solve"](asked, lambda _: None)[0]
    assert (found["paytable"], found["house_edge"]["exact"]) == (code, edge)


def test_solving_is_asked_for_as_plain_data() -> None:
    variant = make_variant("x", TCP).to_json()
    asked = {
        "variant": variant,
        "bet": "pair-plus",
        "target": "1/20",
        "ranges": {"flush": "3..6", "straight": "4..8"},
        "meters": {},
        "others": 0,
    }
    best, *_ = WORK["solve"](asked, print)
    edge = board(make_variant("x", TCP, {}, {"pair-plus": best["paytable"]}))["bets"][1]
    assert edge["house_edge"] == best["house_edge"]
    with pytest.raises(Refused, match="bet 'war' has no paytable"):
        WORK["solve"]({**asked, "bet": "war"}, print)


@pytest.mark.parametrize(("game", "code"), [("triple-shot-rummy", "1"), (TCP, "01")])
def test_a_solved_progressive_costs_what_the_board_says(game: str, code: str) -> None:
    """Folded hands count as the house has it, and the envy of other hands too."""
    meters, others = {"single": 500_000}, 3
    hand = "straight" if game == TCP else "three_of_a_kind"
    for option in ("eligible", "not_eligible"):
        options = {"folded_hand_progressive": option}
        variant = make_variant("x", game, options, {"progressive": code}).to_json()
        asked = {
            "variant": variant,
            "bet": "progressive",
            "target": "0",
            "ranges": {hand: "1..500"},
            "meters": meters,
            "others": others,
        }
        for found in WORK["solve"](asked, print):
            solved = make_variant("x", game, options, {"progressive": found["paytable"]})
            priced = board(solved, meters, others)["progressive"]
            assert priced["house_edge"] == found["house_edge"]
            assert priced["hit_frequency"] == found["hit_frequency"]
