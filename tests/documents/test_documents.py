"""Documents: one content laid out twice, the same bytes every time, figures that are counted."""

import json
import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import typst

from houseway.documents import document as d
from houseway.documents import par_sheet as sheets
from houseway.documents import sensitivity
from houseway.documents.checklist import brought, checklist, checklist_json
from houseway.documents.cross_check import cross_check
from houseway.documents.layout_text import layout_text
from houseway.documents.picture import bars, line
from houseway.documents.print_sheet import _content, _layout, pdf_of, pictures_of
from houseway.documents.rack_card import rack_card
from houseway.documents.slips import adjustment_slip, slip, win_page
from houseway.documents.strategy_card import strategy_card
from houseway.documents.study import study_of
from houseway.documents.subject import Subject, make_subject
from houseway.documents.web_page import html_of
from houseway.exact.sheet import ParSheet
from houseway.floor.records import adjustment_slips, win_pages
from houseway.house.options import Options
from houseway.refusal import Reason, Refused
from tests.floor.room import Room
from tests.floor.test_floor import SPADES, all_events

ODD = "#let x = 1 $y$ <b>z</b> @w *v* _u_ `t` [s] {r} \\q // p & \" ' é"
"""Signs that mean something to typst or to a browser."""
THREE_CARD = ("three-card-poker", "three-card-poker-face-up", "triple-shot-rummy")
PROGRESSIVES = ("three-card-progressive", "five-card-link")
SLOW = ("Rule and option sensitivities", "Printed claims compared")
"""Parts that solve Triple Shot Bonus anew for every option."""


@cache
def subject_of(code: str) -> Subject:
    return make_subject(code, {}, [])


@cache
def sheet_of(code: str) -> d.Document:
    """A sheet that dealt a tenth of what a printed one deals."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("houseway.documents.cross_check.ROUNDS", 200_000)
        return sheets.par_sheet(subject_of(code))


def unpriced(
    code: str, paytables: tuple[tuple[str | None, str], ...] = (), **options: str
) -> Subject:
    """A subject for papers that show no figures."""
    nothing = ParSheet(game=code, options=Options(), strategy="optimal", rows=())
    return make_subject(code, options, paytables, sheet=nothing)


def told(document: d.Document) -> str:
    return "\n".join(document.texts())


def part(code: str, number: int) -> list[d.Block]:
    """The blocks of one numbered part of a sheet."""
    blocks = list(sheet_of(code).blocks)
    heads = [n for n, b in enumerate(blocks) if isinstance(b, d.Heading) and b.level == 1]
    return blocks[heads[number - 1] + 1 : [*heads, len(blocks)][number]]


@cache
def part_alone(code: str, number: int) -> list[d.Block]:
    """The same made by itself: the other parts of a sheet take seconds."""
    make = list(sheets.PARTS.values())[number - 1]
    return list(make(study_of(subject_of(code))))


def tables(blocks: "list[d.Block] | tuple[d.Block, ...]") -> list[d.Table]:
    found = [b.table if isinstance(b, d.Chart) else b for b in blocks]
    return [b for b in found if isinstance(b, d.Table)]


class Page(HTMLParser):
    """What a page consists of."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def sample(text: str = ODD) -> d.Document:
    """A document with every kind of block, all of whose text is the same."""
    table = d.Table(caption=text, columns=(text, "n"), rows=((text, "1"),), right=("n",))
    chart = d.Chart(svg=bars([(text, 0.5)], "share"), alt=text, table=table)
    return d.Document(
        title=text,
        revision=text,
        mark=text,
        blocks=(
            d.Heading(text=text),
            d.Text(text=text),
            d.Facts(rows=((text, text),)),
            table,
            chart,
            d.Signatures(roles=(text,)),
        ),
        footer=d.Footer(command=text, digest="0f" * 32),
    )


# Both layouts.


def test_no_sign_of_the_data_means_anything_to_a_browser() -> None:
    page = Page(html_of(sample()))
    shown = page.text.count(ODD)
    # Title twice, revision, mark, heading, text, both of a fact, tables with caption, column and
    # row twice, the caption of the chart and its label, who signs, and the command.
    assert shown >= 15
    assert not [tag for tag, _ in page.tags if tag in ("b", "script", "img", "link", "iframe")]
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]


def test_no_sign_of_the_data_means_anything_to_typst() -> None:
    found = json.loads(
        typst.query(_layout(), "heading", sys_inputs={"document": _content(sample())})
    )
    assert [entry["body"]["text"] for entry in found] == [ODD]
    captions = json.loads(
        typst.query(_layout(), "figure.caption", sys_inputs={"document": _content(sample())})
    )
    assert all(json.dumps(ODD)[1:-1] in json.dumps(entry) for entry in captions)
    assert len(captions) == 2


def test_a_page_asks_for_nothing_and_reads_in_order() -> None:
    page = Page(html_of(sample("plain")))
    assert ("html", {"lang": "en"}) in page.tags
    policy = [a["content"] for t, a in page.tags if a.get("http-equiv")]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]
    scopes = [a.get("scope") for tag, a in page.tags if tag == "th"]
    assert scopes == ["col", "col", "row"] * 2
    assert len([tag for tag, _ in page.tags if tag == "caption"]) == 2
    assert [a["aria-label"] for _, a in page.tags if a.get("role") == "img"] == ["plain"]
    assert [tag for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)] == ["h1", "h2"]
    assert not re.search(r"(?:href|src)=", html_of(sample("plain")).decode())
    assert b"prefers-color-scheme: dark" in html_of(sample())
    assert b"@media print" in html_of(sample())


def test_a_sheet_is_tagged_and_bears_no_date_and_no_path() -> None:
    made = pdf_of(sample())
    assert made.startswith(b"%PDF-1.7")
    assert b"/MarkInfo" in made
    assert b"pdfuaid" in made
    for told_apart in (
        b"/CreationDate",
        b"/ModDate",
        str(Path.cwd()).encode(),
        b"/home/",
        b"/tmp/",
    ):
        assert told_apart not in made
        assert told_apart not in html_of(sample())


def test_the_same_content_gives_the_same_bytes_and_other_content_others() -> None:
    assert pdf_of(sample()) == pdf_of(sample())
    assert html_of(sample()) == html_of(sample())
    assert pdf_of(sample("a")) != pdf_of(sample("b"))
    assert bars([("a", 1.0)], "x") == bars([("a", 1.0)], "x")
    assert line([(0, 1), (2, -1)], "x", "y") == line([(0, 1), (2, -1)], "x", "y")


def test_every_page_can_be_looked_at() -> None:
    assert [page[:4] for page in pictures_of(sample("plain"), 40)] == [b"\x89PNG"]


def test_a_heading_never_skips_a_level_and_a_row_never_a_cell() -> None:
    with pytest.raises(AssertionError):
        d.Document(
            title="t",
            revision="r",
            blocks=(d.Heading(text="x", level=2),),
            footer=d.Footer(command="c"),
        )
    with pytest.raises(AssertionError):
        d.Table(caption="c", columns=("a", "b"), rows=(("1",),))


# The par sheet.


@pytest.mark.parametrize(
    "code",
    [
        THREE_CARD[0],
        *(pytest.param(code, marks=pytest.mark.soak) for code in THREE_CARD[1:]),
        *PROGRESSIVES,
    ],
)
def test_a_sheet_has_all_twenty_parts(code: str) -> None:
    heads = [b.text for b in sheet_of(code).blocks if isinstance(b, d.Heading) and b.level == 1]
    assert [int(head.split()[0]) for head in heads] == list(range(1, 21))
    for number in range(1, 21):
        assert part(code, number), number
    pdf, page = pdf_of(sheet_of(code)), Page(html_of(sheet_of(code)))
    assert len(pdf) > 50_000
    assert len([tag for tag, _ in page.tags if tag == "h2"]) == 20


@pytest.mark.parametrize(
    "code",
    [
        THREE_CARD[0],
        *(pytest.param(code, marks=pytest.mark.soak) for code in THREE_CARD[1:]),
        *PROGRESSIVES,
    ],
)
def test_each_part_holds_what_a_reviewer_looks_for(code: str) -> None:
    wanted = {
        1: ["Revision", "Digest", "Date", "Author", "houseway par", "tie_rule|award_profile"],
        2: [r"(TCP|TSR|FUP|PGM|PML)-\d\d"],
        3: ["52 cards", "folded hand", "as well as can be|best for the Ante"],
        4: ["combinations", "probability", "1 in", "pay", "contribution"],
        5: ["fraction", "per cent"],
        6: ["average wager", "element of risk"],
        7: ["Return to player"],
        8: ["win", "push", "lose"],
        9: ["variance per round", "sd per round", "sd per unit"],
        10: ["90%", "95%", "99%"],
        11: ["1,000", "10,000", "100,000", "1,000,000", "10,000,000"],
        12: ["decision|play with", "cost|--meter"],
        13: ["tie_rule|ace_in_runs|folded_hand_progressive"],
        14: ["contribution_rate", "reserve_rate", "meter_seed", "Fair", "envy", "wagers"],
        15: ["independent|by itself"],
        16: ["model"],
        17: ["No deal costs|at most", "limit|envy"],
        18: ["Seed", "estimate", "band", "PASS"],
        19: ["printed|print no"],
        20: ["Prepared by", "Approved by"],
    }
    for number, patterns in wanted.items():
        text = "\n".join(t for block in part(code, number) for t in d._texts(block))
        for pattern in patterns:
            assert re.search(pattern, text), (number, pattern)


@pytest.mark.parametrize(
    "code", [THREE_CARD[0], *(pytest.param(c, marks=pytest.mark.soak) for c in THREE_CARD[1:])]
)
def test_the_figures_are_those_of_the_command(code: str) -> None:
    document = json.loads(json.dumps(subject_of(code).sheet.to_json()))
    text = told(sheet_of(code))
    for bet in document["bets"]:
        for figure in ("house_edge", "element_of_risk", "hit_frequency", "variance"):
            assert bet["bet"] == "progressive" or re.search(
                rf"(?m)^{re.escape(bet[figure])}$", text
            )
        for index in bet.get("volatility_index", {}).values():
            assert f"{index:,.6f}" in text
        for game, folded in bet.get("if_folded_not_eligible", {}).items():
            assert game == code
            assert f"{folded['fixed_return']} = " in text
            assert f"{folded['hit_frequency']} = " in text


@pytest.mark.parametrize("code", PROGRESSIVES)
def test_the_figures_of_a_progressive_are_those_of_the_command(code: str) -> None:
    text = told(sheet_of(code))
    for bet in subject_of(code).sheet.to_json()["bets"]:
        for folded in bet["if_folded_not_eligible"].values():
            assert f"{folded['fixed_return']} = " in text
            assert f"{folded['hit_frequency']} = " in text
            assert f"{folded['envy_per_other_hand']} dollars" in text
            if folded["break_even_meter"] is not None:
                assert f"{folded['break_even_meter']} dollars = $" in text
            for probability in folded["probabilities"].values():
                assert f"{float(Fraction(probability)):.6%}" in text


def test_outcomes_are_the_combinations_that_a_book_gives() -> None:
    (pairs,) = [
        t for t in tables(part("three-card-poker", 4)) if t.caption.startswith("Pair Plus A")
    ]
    found = {row[0]: row[1] for row in pairs.rows}
    # TCP-02: the six categories of three cards, of which high card is not paid.
    assert found == {
        "straight flush": "48",
        "three of a kind": "52",
        "straight": "720",
        "flush": "1,096",
        "pair": "3,744",
        "no pay": "16,440",
        "all": "22,100",
    }
    (ante,) = [t for t in tables(part("three-card-poker", 4)) if t.caption.startswith("Ante A")]
    cases = {row[0]: int(row[1].replace(",", "")) for row in ante.rows}
    assert cases["all"] == 22_100 * 18_424
    # A third of all hands is below Queen-Six-Four and folded.
    assert cases["folded"] == 132_652_800 == 7_200 * 18_424


@pytest.mark.parametrize("code", THREE_CARD)
def test_contributions_add_up_to_the_edge(code: str) -> None:
    edges = {row[0]: float(row[2].rstrip("%")) / 100 for row in tables(part_alone(code, 5))[0].rows}
    for table in tables(part_alone(code, 4)):
        name = table.caption.partition(":")[0]
        shares = [float(row[5]) for row in table.rows]
        assert sum(shares[:-1]) == pytest.approx(shares[-1], abs=2e-5)
        assert -shares[-1] == pytest.approx(edges[name], abs=1e-6)


def test_an_option_that_is_tried_is_the_option_that_is_set() -> None:
    """What the sensitivities say of another option is what a sheet under it says of itself."""
    other = make_subject("three-card-poker", {"tie_rule": "lose"}, [])
    edge = f"{float(other.sheet.row('ante', 'A').house_edge):.4%}"
    (table,) = tables(part("three-card-poker", 13))
    assert ("tie_rule = lose", "Ante", edge) in [row[:3] for row in table.rows]
    kept = [row for row in table.rows if row[1] == "as in this sheet"]
    assert [row[0] for row in kept] == ["tie_rule = push", "pair_plus_after_fold = by_game"]


def test_what_was_dealt_is_judged_and_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = subject_of("triple-shot-rummy")
    # A printed sheet deals two million; to see that it is judged, a tenth will do.
    monkeypatch.setattr("houseway.documents.cross_check.ROUNDS", 200_000)
    checked = cross_check(subject)
    assert checked == cross_check(subject)
    assert all(found.passes for found in checked)
    assert len(checked) > len(subject.sheet.rows)
    monkeypatch.setattr("houseway.documents.cross_check.SEED", 2)
    assert [c.estimate for c in cross_check(subject)] != [c.estimate for c in checked]
    wrong = checked[0]._replace(estimate=checked[0].exact + 0.02)
    assert not wrong.passes


def test_triple_shot_bonus_has_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but what solves the game again for every option, which a long test has."""
    subject = subject_of("triple-shot-bonus")
    study = study_of(subject)
    blocks: list[d.Block] = []
    for name, make in sheets.PARTS.items():
        if name not in SLOW:
            found = list(make(study))
            assert found, name
            blocks += found
    text = "\n".join(t for block in blocks for t in d._texts(block))
    for bet in subject.sheet.to_json()["bets"]:
        for figure in ("house_edge", "element_of_risk", "hit_frequency", "variance"):
            assert re.search(rf"(?m)^{re.escape(bet[figure])}$", text)
    joint: Any = subject.sheet.joint
    assert f"{joint['hat_trick_probability']} = " in text
    assert "not used, as the legs share cards" in text
    assert "PASS" in text
    assert "15.0% to 25.0% (TSB-24)" in text
    monkeypatch.setattr(sensitivity, "RULES", ("war_ace",))
    assert sensitivity.sensitivities(subject).rows == (
        ("war_ace = high", "as in this sheet", "", ""),
        ("war_ace = low", "no bet of this table", "", "none"),
    )


@pytest.mark.soak
def test_the_whole_sheet_of_triple_shot_bonus() -> None:
    sheet = sheet_of("triple-shot-bonus")
    (table,) = tables(part("triple-shot-bonus", 13))
    assert ("dealer_soft_17 = stand", "Blackjack", "0.0832%") in [row[:3] for row in table.rows]
    assert "94 printed figures" in told(sheet)
    whole = sheets.par_sheet(make_subject("triple-shot-bonus", {}, []))
    assert pdf_of(whole) == pdf_of(sheets.par_sheet(make_subject("triple-shot-bonus", {}, [])))


@pytest.mark.soak
@pytest.mark.parametrize("code", [*THREE_CARD, *PROGRESSIVES])
def test_what_a_printed_sheet_dealt_agrees(code: str) -> None:
    text = told(sheets.par_sheet(subject_of(code)))
    assert "PASS" in text
    assert "FAIL" not in text


def test_a_progressive_that_grows_has_its_seed_cost() -> None:
    grown = {"contribution_rate": "0.2", "reserve_rate": "0.05", "meter_seed": "10000"}
    subject = make_subject("three-card-progressive", grown, [(None, "1")])
    text = told(sheets.par_sheet(subject))
    # One wager in 22,100 takes the meter, and 10,000 dollars are put there again.
    assert f"{Fraction(10_000, 22_100)} = 45.248869%" in text
    assert "single: contribution" in text
    assert "Long-run hold" in text
    assert "at meter_seed" in text
    folded = {"folded_hand_progressive": "eligible"}
    eligible = make_subject("three-card-progressive", folded, [(None, "1")])
    # Every sheet names both ways of a fold; only here are the figures those of folded hands too.
    for found, label in ((eligible, "folded hands win too"), (subject, "with ")):
        (edges,) = tables(list(sheets.PARTS["House edge"](study_of(found))))
        assert edges.rows
        assert all(row[0].startswith(f"Progressive 1, {label}") for row in edges.rows)


def test_who_answers_for_a_sheet_is_on_it_and_in_its_command() -> None:
    subject = make_subject("three-card-progressive", {}, [], author="A. *Bold* Name")
    document = sheets.par_sheet(subject)
    assert "A. *Bold* Name" in [value for _, value in part_facts(document)]
    assert "--author 'A. *Bold* Name'" in document.footer.command
    for nobody in ("", "  ", "x" * 81, "a\x01b", "\udcff"):
        with pytest.raises(Refused) as refused:
            make_subject("three-card-poker", {}, [], author=nobody)
        assert refused.value.reason is Reason.BAD_ARGUMENT


def part_facts(document: d.Document) -> tuple[tuple[str, str], ...]:
    (first,) = [b for b in document.blocks[:3] if isinstance(b, d.Facts)]
    return first.rows


# Cards and layouts.


@pytest.mark.clause("TSR-38", "CMP-18")
def test_the_rack_card_of_rummy_tells_players_what_they_must_know() -> None:
    card = told(rack_card(unpriced("triple-shot-rummy"), "c"))
    assert "The lowest total wins." in card
    assert "The dealer plays with 20 points or fewer." in card
    assert "When the dealer does not play: Play is returned (push), the Ante pays 1 to 1." in card
    assert "Pair Plus always has action" in card
    assert "it wins from three of a kind, 5 to 1 upwards." in card
    assert re.search(r"Rack card 2023-06-14/[0-9a-f]{8}", card)
    assert "Set yourself a limit" in card
    assert "trade dress" in card
    assert not re.search(r"\d{3}[-. ]\d{4}", card)


@pytest.mark.clause("TSR-38", "CMP-18")
def test_a_changed_option_changes_the_rack_card() -> None:
    card = told(rack_card(unpriced("triple-shot-rummy"), "c"))
    other = unpriced(
        "triple-shot-rummy",
        (("six-card-bonus", "3"),),
        pair_plus_after_fold="forfeit",
        ante_mandatory="on",
        folded_hand_progressive="eligible",
        table_minimum="5",
        table_maximum="ante=100",
        profile="wa_2017",
        date="2018-01-31",
    )
    changed = told(rack_card(other, "c"))
    assert "a fold gives it up" in changed
    assert "Everybody bets the Ante" in changed
    assert "A folded hand still wins the progressive." in changed
    assert "it wins from three of a kind, 8 to 1 upwards." in changed
    assert "$5.00 to $100.00" in changed
    assert "at most 4 for a player" in changed
    assert "no single wager above" in changed
    codes = [re.search(r"Rack card (\S+)", text) for text in (card, changed)]
    assert codes[0]
    assert codes[1]
    assert codes[0][1] != codes[1][1]


@pytest.mark.clause("TSB-30")
def test_the_layout_of_triple_shot_bonus_prints_the_options_in_force() -> None:
    printed = told(layout_text(unpriced("triple-shot-bonus"), "c"))
    for wanted in (
        "Only Aces may be split, once, for one card each.",
        "A hand of 6 cards that does not go over 21 wins.",
        "A tie on War forfeits half of the bet.",
        "Blackjack pays 3 to 2.",
        "The dealer hits soft 17.",
        "The Hat Trick pays 9 to 1",
        "Poker pays from jacks or better, 1 to 1 upwards.",
    ):
        assert wanted in printed
    other = unpriced("triple-shot-bonus", (("hat-trick", "6"),), dealer_soft_17="stand")
    changed = told(layout_text(other, "c"))
    assert "The dealer stands on soft 17." in changed
    assert "The Hat Trick pays 6 to 1" in changed


@pytest.mark.clause("CMP-14")
def test_the_layout_prints_the_limit_of_four_games() -> None:
    day = {"profile": "wa_commercial", "date": "2018-05-05"}
    notice = "No player wagers on more than 4 games at once"
    assert notice in told(layout_text(unpriced("triple-shot-rummy", (), **day), "c"))
    assert notice not in told(layout_text(unpriced("three-card-poker", (), **day), "c"))
    assert notice not in told(layout_text(unpriced("triple-shot-rummy"), "c"))


@pytest.mark.clause("FUP-11")
def test_the_layout_of_face_up_says_what_a_dealer_who_does_not_play_means() -> None:
    def rows(**options: str) -> dict[str, tuple[str, ...]]:
        document = layout_text(unpriced("three-card-poker-face-up", (), **options), "c")
        assert "Play must equal Ante." in told(document)
        assert "The dealer plays with Queen high or better." in told(document)
        (found,) = [t for t in tables(document.blocks) if t.columns == ("when", "Play", "Ante")]
        return {row[0]: row[1:] for row in found.rows}

    found = rows()
    assert found["the dealer does not play, your hand is better"] == ("pays 1 to 1", "push")
    assert found["the dealer does not play, the dealer's hand is better"] == ("loses", "push")
    assert found["the dealer plays, your hand is better"] == ("pays 1 to 1", "pays 1 to 1")
    assert rows(face_up_unqualified_play="win") == {
        "the dealer does not play": ("pays 1 to 1", "push"),
        **{when: what for when, what in found.items() if "does not play" not in when},
    }
    assert rows(tie_rule="lose")["the dealer plays, a tie"] == ("loses", "loses")


def test_the_strategy_card_names_every_exception() -> None:
    card = strategy_card(unpriced("triple-shot-bonus"), "c")
    chart, exceptions = tables(card.blocks)
    assert len(chart.rows) == 17
    marked = [
        (row[0], up)
        for row in chart.rows
        for up, cell in zip(chart.columns[1:], row[1:], strict=True)
        if cell.endswith("*")
    ]
    assert sorted({row[1] for row in exceptions.rows}) == sorted({up for _, up in marked})
    assert ("T-2", "4", "H") in exceptions.rows
    poker = told(strategy_card(unpriced("three-card-poker"), "c"))
    assert "Play Queen-Six-Four high or better; fold everything else." in poker
    assert "Exceptions: none." in poker
    (face_up,) = tables(strategy_card(unpriced("three-card-poker-face-up"), "c").blocks)
    assert len(face_up.rows) == 13
    assert ("A", "Ace-Nine-Deuce high or better", "none") in face_up.rows
    pdf_of(card)


# Papers of the floor.


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(f"sqlite:///{tmp_path / 'floor.sqlite'}")


@pytest.mark.clause("PGM-13", "PNX-14")
def test_a_win_page_on_paper_says_that_it_was_printed_again(room: Room) -> None:
    room.set_up()
    room.play("T1", {3: SPADES})
    room.press("T1", 3, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 3)
    [page] = win_pages(all_events(room))
    first = win_page(page)
    assert first.mark is None
    assert first.title == "Win page L-000001"
    for wanted in ("$10,000.20", page["hash"], "Surveillance", "T1, round"):
        assert wanted in told(first)
    room.do("s1", "reprint_page", link="L", page=1)
    [again] = win_pages(all_events(room))
    assert win_page(again).mark == "REPRINT 1"
    assert b"REPRINT 1" in html_of(win_page(again))
    assert "--database DATABASE" in win_page(again).footer.command
    pdf_of(win_page(again))


@pytest.mark.clause("PGM-16", "PNX-16")
def test_an_adjustment_slip_on_paper_names_both_people(room: Room) -> None:
    room.set_up()
    room.do(
        "s1",
        "adjust",
        link="L",
        level="single",
        cents=-5_000,
        reason="display_error",
        text="the sensor <3> counted #twice",
        second="c1",
        pin_held=True,
        second_pin_held=True,
    )
    [found] = adjustment_slips(all_events(room))
    paper = adjustment_slip(found)
    for wanted in ("-$50.00", "Sue", "Cal", "the sensor <3> counted #twice"):
        assert wanted in told(paper)
    assert b"the sensor &lt;3&gt; counted #twice" in html_of(paper)
    pdf_of(paper)


def test_any_slip_counts_and_is_signed() -> None:
    counted = d.Table(
        caption="Chips", columns=("chip", "pieces"), rows=(("$5.00", "20"),), right=("pieces",)
    )
    paper = slip("Fill", "00418", [("Table", "T-04")], counted, ("Dealer", "Cage"), mark="VOID")
    assert paper.mark == "VOID"
    for wanted in ("Fill", "number 00418", "T-04", "$5.00", "Dealer", "Cage"):
        assert wanted in told(paper)
    pdf_of(paper)
    assert not [b for b in slip("Note", "1", []).blocks if isinstance(b, d.Signatures)]


# The checklist.


@pytest.mark.parametrize("name", ["王芳", "ひらがな", "한지민", "สมชาย", "Ann 🎰"])
def test_a_name_in_any_script_can_be_printed(name: str) -> None:
    """The fonts of the sheet do not have them; a slip is printed all the same."""
    paper = slip("Win page 1", "1", [("Seat", f"3, {name}")], signatures=("Winner",))
    made = pdf_of(paper)
    assert made.startswith(b"%PDF-")
    assert made == pdf_of(paper)
    assert name in html_of(paper).decode()
    other = slip("Win page 1", "1", [("Seat", f"3, {name[:-1]}")], signatures=("Winner",))
    assert pdf_of(other) != made


def test_signs_without_end_are_spelled_out_all_at_once() -> None:
    signs = "".join(map(chr, range(0x1F300, 0x1F340)))
    assert pdf_of(slip(f"Slip ♠ {signs}", "1", [("Seat", signs)])).startswith(b"%PDF-")


@pytest.mark.clause("CMP-06")
def test_the_checklist_is_complete_when_nothing_is_open() -> None:
    assert len({item.name for item in checklist()}) == len(checklist())
    nothing = checklist_json({})
    assert nothing["open"] == list(brought())
    assert not nothing["complete"]
    everything = checklist_json({name: f"items/{name}/a.pdf" for name in brought()})
    assert everything["complete"]
    assert {item["status"] for item in everything["items"]} == {"closed"}
