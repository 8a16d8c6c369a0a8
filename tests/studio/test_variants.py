"""Paytables of one's own, and games of one's own as files: one code that goes everywhere."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import houseway
from houseway.cli import main
from houseway.exact.pricing import par
from houseway.exact.solve import solve
from houseway.games import codes
from houseway.games.library import all_paytables, paytable_of
from houseway.house.paytables import PayTable
from houseway.refusal import Refused
from houseway.rules.ruleset import make_ruleset
from houseway.rules.variant import FORMAT, make_variant, read_variant
from tests.live.table import TCP

TABLES = [table for table in all_paytables() if table.code]


def get(code: str, bet: str = "pair-plus", game: str = TCP) -> PayTable:
    return paytable_of(game, bet, code)


def test_a_changed_row_is_paid_as_it_says() -> None:
    table = get("A:flush=3,straight=13 to 2")
    assert table.code == "A:straight=13 to 2,flush=3"
    assert dict(table.rows)["flush"].net == 3  # type: ignore[union-attr]
    assert dict(table.rows)["straight"].net == Fraction(13, 2)  # type: ignore[union-attr]
    assert get(table.code) == table


def test_the_same_table_has_one_code() -> None:
    spellings = (
        "A:flush=3",
        "A: flush = 3 ",
        "A:flush=3 to 1",
        "A:pair=1,flush=3",
        "A:flush=3 TO 1",
        "A:flush=6 to 2",
    )
    assert {get(code).code for code in spellings} == {"A:flush=3"}
    assert get("A:flush=4") is get("A")


def test_rows_come_and_go_at_the_ends() -> None:
    assert [hand for hand, _ in get("A:pair=none").rows][-1] == "flush"
    assert next(hand for hand, _ in get("A:mini_royal=50").rows) == "mini_royal"
    assert (
        get("1:envy.akq_spades=none", "progressive").envy_cents
        != get("1", "progressive").envy_cents
    )


@pytest.mark.parametrize(
    ("code", "bet", "said"),
    [
        ("A:flush=-3", "pair-plus", "pay '-3' of flush cannot be read"),
        ("A:flush=0", "pair-plus", "pay '0' of flush cannot be read"),
        ("A:flush=", "pair-plus", "change 'flush=' of paytable 'A' cannot be read"),
        ("A:flush=three", "pair-plus", "pay 'three' of flush cannot be read"),
        ("A:flush=1000000", "pair-plus", "pay '1000000' of flush is too large; at most 100,000"),
        ("A:flush=3 to 99", "pair-plus", "is too large"),
        ("A:" + "flush=3," * 99, "pair-plus", "signs long; at most 400"),
        ("A:flush=3,flush=4", "pair-plus", "hand 'flush' is changed twice"),
        ("A:flush=none", "pair-plus", "hand 'flush' is missing though 'pair', which is worse"),
        ("A:four_of_a_kind=3", "pair-plus", "hand 'four_of_a_kind' is unknown; known: mini_royal"),
        ("A:high_card=3", "pair-plus", "hand 'high_card' is unknown"),
        ("A:", "pair-plus", "change '' of paytable 'A' cannot be read"),
        ("Z:flush=3", "pair-plus", "paytable 'Z' of pair-plus is unknown; known: A, B, C, D"),
        ("1:akq_spades=500", "progressive", "pay '500' of akq_spades cannot be read"),
        ("1:akq_spades=500 for 1", "progressive", "pays from no meter; it must pay from single"),
        ("1:akq_spades=10% of Mega", "progressive", "pays from mega; it must pay from single"),
        ("1:envy.akq_spades=-5", "progressive", "envy of akq_spades '-5' is negative"),
        ("1:envy.straight=x", "progressive", "envy of straight 'x' is not an amount"),
        ("1:envy.straight=none", "progressive", "hand 'straight' is not paid"),
    ],
)
def test_what_is_no_pay_is_refused_with_what_is(code: str, bet: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        get(code, bet)
    assert said in refused.value.message


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("Play:7-9=3", "score 7 stands twice"),
        ("Play:20=3", "score 20 can never win"),
        ("Play:1-5=none", "score 1 is missing"),
        ("Play:99999999999=3", "score '99999999999' is unknown"),
        ("Play:five=3", "score 'five' is unknown"),
    ],
)
def test_scores_are_covered_once_each(code: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        get(code, "play", "triple-shot-rummy")
    assert said in refused.value.message
    split = get("Play:1-5=none,1-3=3,4-5=2", "play", "triple-shot-rummy")
    assert [str(odds) for hand, odds in split.rows] == ["4 to 1", "3 to 1", "2 to 1", "1 to 1"]


@given(table=st.sampled_from(TABLES), data=st.data())
def test_every_code_reads_back_as_the_same_table(table: PayTable, data: st.DataObject) -> None:
    rows = [hand for hand, odds in table.rows if "%" not in str(odds)]
    hands = data.draw(st.lists(st.sampled_from(rows), unique=True)) if rows else []
    pays = st.one_of(
        st.integers(1, 100_000).map(str),
        st.tuples(st.integers(1, 999), st.sampled_from(("to", "for")), st.integers(1, 10)).map(
            lambda odds: " ".join(map(str, odds))
        ),
    )
    changes = ",".join(f"{hand}={data.draw(pays)}" for hand in hands)
    found = paytable_of(table.game, table.bet, f"{table.code}:{changes}" if changes else table.code)
    assert paytable_of(table.game, table.bet, found.code) == found
    assert found.to_json()["code"] == found.code


def test_a_changed_table_settles_a_seat() -> None:
    """The transcript that a pit boss would read: a flush at 13 to 2 on five dollars."""
    for code, won in (("A", 20_00), ("A:flush=13 to 2", 32_50), ("A:flush=none,pair=none", -5_00)):
        settled = houseway.settle(
            TCP,
            player="2h 7h 9h",
            dealer="Kc 3d 4s",
            bets={"ante": 1000, "pair-plus": 500},
            paytables={"pair-plus": code},
        )
        assert next(line.net for line in settled.lines if line.bet == "pair-plus") == won


def test_its_edge_is_what_all_hands_come_to() -> None:
    """All 22,100 hands, named by an oracle of their own and paid by the rows as written."""
    pays = {"straight flush": 41, "three of a kind": 25, "straight": 7, "flush": 3, "pair": 1}
    ranks = "23456789TJQKA"

    def kind(hand: tuple[tuple[int, int], ...]) -> str:
        numbers = sorted(rank for rank, _ in hand)
        suited = len({suit for _, suit in hand}) == 1
        run = numbers in ([0, 1, 12], [numbers[0], numbers[0] + 1, numbers[0] + 2])
        if suited and run:
            return "straight flush"
        if len(set(numbers)) == 1:
            return "three of a kind"
        if run:
            return "straight"
        return "flush" if suited else "pair" if len(set(numbers)) == 2 else ""

    deck = [(rank, suit) for rank in range(len(ranks)) for suit in range(4)]
    total = sum(pays.get(kind(hand), -1) for hand in combinations(deck, 3))
    code = "A:straight_flush=41,three_of_a_kind=25,straight=7,flush=3"
    assert par(TCP, paytables={"pair-plus": code}).row("pair-plus").house_edge == Fraction(
        -total, 22_100
    )


def test_a_round_file_with_a_changed_table_replays(tmp_path: Path) -> None:
    code = "pair-plus=A:flush=3,straight=13 to 2"
    options = ["--paytable", code, "--rng-seed", "5", "--rounds", "2", "--out", str(tmp_path)]
    assert main(["deal", TCP, *options]) == 0
    files = sorted(tmp_path.glob("*"))
    assert files
    assert all("A:straight=13 to 2,flush=3" in file.read_text(encoding="utf-8") for file in files)
    assert [main(["replay", str(file)]) for file in files] == [0, 0]


def test_the_digest_is_of_what_is_paid() -> None:
    ruleset = make_ruleset(TCP, paytables={"pair-plus": "A:flush=3"})
    assert ruleset.digest != make_ruleset(TCP).digest
    same = make_ruleset(TCP, paytables={"pair-plus": "A:flush=3 to 1"})
    assert ruleset.digest == same.digest


# Variants.

MINE: dict[str, Any] = {
    "format": FORMAT,
    "name": "Six  for a straight",
    "game": TCP,
    "note": "half a per cent less",
    "options": {"tie_rule": "push"},
    "paytables": {"pair-plus": "A:straight=6,flush=3", "ante-bonus": "A"},
}


def test_a_variant_holds_what_differs_and_nothing_else() -> None:
    found = read_variant(json.dumps(MINE))
    assert found.name == "Six for a straight"
    assert dict(found.paytables) == {"pair-plus": "A:flush=3"}
    assert read_variant(found.text()) == found
    assert found.ruleset().paytables["pair-plus"].code == "A:flush=3"


@pytest.mark.parametrize("game", codes())
def test_every_game_has_its_plain_variant(game: str) -> None:
    found = make_variant("plain", game)
    assert found.ruleset().digest == make_ruleset(game).digest
    assert found.arguments() == (game,)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "at most 20,000 signs"),
        ("[" * 9_000, "not JSON"),
        ("[]", "its format is 'None'"),
        ({"format": "houseway/round@1"}, "its format is 'houseway/round@1'"),
        ({"name": ""}, "name '' is not allowed"),
        ({"name": "x" * 81}, "a name of 1 to 80 signs"),
        ({"name": "a\u0000b"}, "is not allowed"),
        ({"name": 7}, "name of a variant is text, not 7"),
        ({"note": "x" * 2001}, "at most 2000"),
        ({"game": "chess"}, "chess"),
        ({"colour": "red"}, "a variant has no 'colour'"),
        ({"options": []}, "options of a variant are names with a text each"),
        ({"options": {"tie_rule": 3}}, "options of a variant are names with a text each"),
        ({"options": {"tie_rule": "shrug"}}, "shrug"),
        ({"paytables": {"pair-plus": "A:royal_flush=3"}}, "hand 'royal_flush' is unknown; known:"),
        ({"paytables": {"roulette": "A"}}, "roulette"),
    ],
)
def test_a_file_that_is_none_is_refused_in_words(change: Any, said: str) -> None:
    text = change if isinstance(change, str) else json.dumps({**MINE, **change})
    with pytest.raises(Refused) as refused:
        read_variant(text)
    assert said in refused.value.message
    assert len(refused.value.message) < 400


def test_a_file_stands_in_place_of_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "six.json"
    file.write_text(read_variant(json.dumps(MINE)).text(), encoding="utf-8")
    assert main(["rules", str(file), "--json"]) == 0
    by_file = json.loads(capsys.readouterr().out)
    typed = [TCP, "--option", "tie_rule=push", "--paytable", "pair-plus=A:flush=3"]
    assert main(["rules", *typed, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == by_file
    file.write_text("{}", encoding="utf-8")
    assert main(["par", str(file)]) == 2
    assert "no variant" in capsys.readouterr().err
    assert main(["par", str(tmp_path / "none.json")]) == 2
    assert "cannot be read: No such file" in capsys.readouterr().err
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    assert main(["par", str(tmp_path / "bytes.json")]) == 2
    assert "it is not text" in capsys.readouterr().err


# Solving.


def test_solving_agrees_with_the_rules_for_every_choice() -> None:
    """Every choice of a small grid, priced one by one by the sheet itself."""
    grid = [(a, b) for a in range(2, 6) for b in range(1, 4)]
    ranges = {"three_of_a_kind": "2..5", "straight": "1..3"}
    found = solve(TCP, "ante-bonus", "A", Fraction(3, 100), ranges, most=99)
    assert len(found) == len(grid)
    for solution in found:
        sheet = par(TCP, paytables={"ante-bonus": solution.code})
        assert sheet.row("ante").house_edge == solution.house_edge
    distances = [abs(solution.house_edge - Fraction(3, 100)) for solution in found]
    assert distances == sorted(distances)


def test_a_progressive_is_solved_at_a_meter() -> None:
    meters = {"single": Fraction(8000)}
    ranges = {"straight_flush": "40..90"}
    best = solve(TCP, "progressive", "1", Fraction(1, 10), ranges, meters=meters)[0]
    sheet = par(TCP, paytables={"progressive": best.code}, meter=800_000)
    assert Fraction(sheet.progressives[0].to_json()["house_edge"]) == best.house_edge
    with pytest.raises(Refused, match="no meters of 'single' are given"):
        solve(TCP, "progressive", "1", Fraction(1, 10), ranges)
    with pytest.raises(Refused, match="meter 'mega' is unknown"):
        solve(TCP, "progressive", "1", Fraction(1, 10), ranges, meters={"mega": Fraction(1)})


def test_solving_goes_on_from_a_changed_table() -> None:
    found = solve(TCP, "pair-plus", "B:pair=none", Fraction(1, 10), {"flush": "1..20"}, most=3)
    assert all(solution.code.startswith("B:") for solution in found)
    assert all("pair=none" in solution.code for solution in found)
    rummy = solve("triple-shot-rummy", "play", "Play", Fraction(3, 100), {"0": "3..9"}, most=1)[0]
    sheet = par("triple-shot-rummy", paytables={"play": rummy.code})
    assert sheet.row("ante").house_edge == rummy.house_edge
    with pytest.raises(Refused, match=r"target edge 0\.9 cannot be reached; with these ranges"):
        solve(TCP, "pair-plus", "A", Fraction(9, 10), {"flush": "1..20"})


def test_solving_keeps_what_it_was_not_asked_to_change() -> None:
    meters = {"single": Fraction(8000)}
    start, ranges = "1:envy.akq_spades=50,akq_other_suit=400", {"straight_flush": "40..90"}
    best = solve(TCP, "progressive", start, Fraction(1, 10), ranges, meters=meters)[0]
    made, before = get(best.code, "progressive"), get(start, "progressive")
    assert made.envy_cents == before.envy_cents
    assert {*made.rows} ^ {*before.rows} <= {
        ("straight_flush", dict(table.rows)["straight_flush"]) for table in (made, before)
    }


@pytest.mark.parametrize("text", ["1000000", "1..1000000", "100001", "0..3", "6..3", "9" * 5000])
def test_a_range_beyond_what_may_be_paid_is_refused(text: str) -> None:
    with pytest.raises(Refused, match=r"write a range from 1 to 100,000 such as 3\.\.6"):
        solve(TCP, "pair-plus", "A", Fraction(1, 20), {"straight_flush": text})


def test_a_note_that_no_file_can_hold_is_refused() -> None:
    text = json.dumps({"format": FORMAT, "name": "x", "game": TCP, "note": "\ud800"})
    with pytest.raises(Refused, match="the note holds signs that cannot be written"):
        read_variant(text)
