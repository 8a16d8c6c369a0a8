"""The register and the opening of tables, as the screens ask for them."""

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.catalog.register import contact_role
from houseway.floor.approvals import NEEDED, PAPERS
from houseway.floor.equipment_register import KINDS
from houseway.floor.person import ROLES
from houseway.games import game_of
from houseway.house.options import parse_options
from tests.server.serving import DATE, PIN, SINGLE, InThread, in_thread
from tests.server.serving import ROLES as CARDS

PAPER = {"reference": "2023-3119", "day": "2023-06-14"}
LICENCE = {"reference": "L-1", "day": "2020-01-01"}
NEXUS = {
    "GM Atlas": "5.4.0",
    "Nexus Command II": "5.4",
}
MAKER = "Light and Wonder"
MONITOR = {"name": "plain monitor", "network": False, "input": False}
SOLD = {"maker": MAKER, "sold": "2024-02-01"}
SHUFFLER = {"serial": "SH1", "kind": "shuffler", "model": "ACE", **SOLD}
MACHINES = {"kind": "progressive", "model": "Atlas", "parts": NEXUS, "display": MONITOR}
SYSTEM = {"serial": "PG1", **MACHINES, **SOLD}
LAYOUT = {"serial": "LA1", "kind": "layout", "model": "Felt", **SOLD}
CHANGES: dict[str, dict[str, Any]] = {
    "record_paper": {"paper": "internal_controls", **PAPER},
    "approve_rules": {"table": "Poker", **PAPER},
    "record_maker": {"maker": MAKER, "state": LICENCE},
    "record_equipment": SHUFFLER,
    "approve_model": {"kind": "shuffler", "maker": MAKER, "model": "One2Six", **PAPER},
}
"""Changes that an administrator makes in the register."""


@pytest.fixture
def floor(tmp_path: Any) -> Iterator[InThread]:
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as made:
        yield made


def record(floor: InThread, name: str, **arguments: Any) -> None:
    floor.as_("a1").do(name, arguments, pin=PIN)


def strict(floor: InThread, profile: str = "wa_commercial") -> None:
    """A table of a jurisdiction, which plays for a link."""
    options = {"profile": profile}
    record(floor, "make_table", table="S", game="three-card-poker", options=options)
    record(floor, "join_link", table="S", link="Royal")


def equip(floor: InThread) -> None:
    record(floor, "record_maker", maker=MAKER, state=LICENCE)
    record(floor, "record_equipment", **SHUFFLER)
    record(floor, "record_equipment", **SYSTEM)
    record(floor, "record_equipment", **LAYOUT)


def furnished(floor: InThread) -> None:
    """Everything that the strict table needs."""
    strict(floor)
    record(floor, "record_paper", paper="internal_controls", **PAPER)
    record(floor, "approve_rules", table="S", **PAPER)
    equip(floor)


def opening(floor: InThread, table: str = "S") -> Any:
    """A table as a supervisor sees it, which is as the administrator does."""
    [found] = [
        one for one in floor.as_("s1").get("/api/openings")["tables"] if one["table"] == table
    ]
    [same] = [one for one in view(floor)["tables"] if one["table"] == table]
    assert found == {name: same[name] for name in found}
    return found


def view(floor: InThread) -> Any:
    return floor.as_("a1").get("/api/administration")


def clauses(found: list[dict[str, str]]) -> list[str]:
    return [one["clause"] for one in found]


def refused_to_open(floor: InThread, *serials: str) -> tuple[int, str]:
    asked = {"table": "S", "equipment": list(serials)}
    return floor.as_("s1").refused("open_table", asked, pin=PIN)


@pytest.mark.clause("CMP-02", "CMP-04", "CMP-05")
def test_the_register_says_what_it_has_and_what_is_asked_for(floor: InThread) -> None:
    before = view(floor)["register"]
    assert [one["paper"] for one in before["papers"]] == list(PAPERS)
    assert all(one["text"] and one["recorded"] is None for one in before["papers"])
    asked = {
        (by["profile"], one["paper"], by["clause"])
        for one in before["papers"]
        for by in one["asked_by"]
    }
    assert asked == {(p, kind, clause) for p, needed in NEEDED.items() for kind, clause in needed}
    assert not any(one["asked"] for one in before["papers"])
    assert (before["makers"], before["equipment"]) == ([], [])
    assert before["kinds"] == list(KINDS)
    assert {*NEXUS} <= {*before["parts"]}

    record(floor, "record_paper", paper="tribal_agency", **PAPER)
    equip(floor)
    after = view(floor)["register"]
    assert {one["paper"]: one["recorded"] for one in after["papers"]} == {
        "internal_controls": None,
        "tribal_agency": {**PAPER, "until": ""},
        "state_concurrence": None,
    }
    licence = {**LICENCE, "until": ""}
    assert after["makers"] == [{"maker": MAKER, "state": licence, "tribe": None}]
    [layout, system, shuffler] = after["equipment"]
    assert {name: layout[name] for name in LAYOUT} == LAYOUT
    assert {name: system[name] for name in SYSTEM} == SYSTEM
    assert {name: shuffler[name] for name in SHUFFLER} == SHUFFLER
    assert after["today"] >= "2026-01-01"


@pytest.mark.clause("CMP-01", "CMP-02", "CMP-16", "CMP-19", "PNX-01")
def test_what_is_missing_is_what_the_floor_would_say(floor: InThread) -> None:
    strict(floor)
    steps: tuple[tuple[str, dict[str, Any], list[str]], ...] = (
        ("record_paper", CHANGES["record_paper"], ["CMP-01", "CMP-16", "PNX-01", "CMP-03"]),
        ("approve_rules", {"table": "S", **PAPER}, ["CMP-16", "PNX-01", "CMP-03"]),
        ("record_maker", CHANGES["record_maker"], ["CMP-16", "PNX-01", "CMP-03"]),
        ("record_equipment", SHUFFLER, ["PNX-01", "CMP-03"]),
        ("record_equipment", SYSTEM, ["CMP-03"]),
        ("record_equipment", LAYOUT, []),
    )
    assert clauses(opening(floor)["missing"]) == ["CMP-02", "CMP-01", "CMP-16", "PNX-01", "CMP-03"]
    for name, arguments, left in steps:
        # The first sentence of the view is the one with which the floor refuses.
        known = [one["serial"] for one in view(floor)["register"]["equipment"]]
        status, told = refused_to_open(floor, *known)
        assert (status, told) == (403, f"S cannot open: {opening(floor)['missing'][0]['text']}")
        record(floor, name, **arguments)
        found = opening(floor)
        assert (clauses(found["missing"]), found["asked"], found["opened_at"]) == (left, True, None)
    assert found["rules"]["approved"] == {**PAPER, "until": ""}

    asked = {"table": "S", "equipment": ["SH1", "PG1", "LA1"]}
    posted = floor.as_("s1").do("open_table", asked, pin=PIN)["placard"]
    found = opening(floor)
    assert (found["placard"], found["equipment"], found["missing"]) == (
        posted,
        ["SH1", "PG1", "LA1"],
        [],
    )
    assert found["opened_at"]
    assert [one["stands_at"] for one in view(floor)["register"]["equipment"]] == [["S"]] * 3
    status, told = refused_to_open(floor, "SH1", "PG1", "LA1")
    assert (status, told.startswith("S is open since")) == (409, True)

    floor.as_("e1").do("close_table", {"table": "S"}, pin=PIN)
    found = opening(floor)
    # Its equipment is kept, so that it is there to be chosen again.
    assert (found["opened_at"], found["equipment"], found["missing"]) == (
        None,
        ["SH1", "PG1", "LA1"],
        [],
    )
    assert [one["stands_at"] for one in view(floor)["register"]["equipment"]] == [[]] * 3


@pytest.mark.clause("CMP-03", "CMP-07", "CMP-16")
def test_equipment_without_licence_or_approval_is_told_of(floor: InThread) -> None:
    record(floor, "record_equipment", **{**SHUFFLER, "model": "Toaster 3000"})
    # No table names a jurisdiction yet: all of them are told.
    [shuffler] = view(floor)["register"]["equipment"]
    assert [(one["clauses"], one["where"]) for one in shuffler["remarks"]] == [
        (["CMP-03", "CMP-07"], list(NEEDED)),
        (["CMP-16"], list(NEEDED)),
        (["CMP-07"], ["wa_tribal"]),
    ]
    assert opening(floor, "Poker")["unfit"] == {}
    strict(floor)
    [shuffler] = view(floor)["register"]["equipment"]
    state, approval = shuffler["remarks"]
    assert state == {
        "text": "the maker of SH1 had no licence of the State when it was sold",
        "clauses": ["CMP-03"],
        "where": ["S"],
    }
    assert approval["clauses"] == ["TCP-15"]
    found = opening(floor)
    assert clauses(found["unfit"]["SH1"]) == ["CMP-03", "TCP-15"]
    assert "CMP-16" in clauses(found["missing"])
    papers = {one["paper"]: one["asked"] for one in view(floor)["register"]["papers"]}
    assert [paper for paper, asked in papers.items() if asked] == ["internal_controls"]
    # Licensed too late, then in time.
    for day, left in (("2024-02-02", ["CMP-03"]), ("2024-02-01", [])):
        record(floor, "record_equipment", **SHUFFLER)
        record(floor, "record_maker", maker=MAKER, state={**LICENCE, "day": day})
        assert clauses(opening(floor)["unfit"].get("SH1", [])) == left


@pytest.mark.clause("CMP-16", "TCP-15")
def test_the_register_lists_the_approved_models_and_takes_another(floor: InThread) -> None:
    furnished(floor)
    found = view(floor)["register"]
    assert found["listed_kinds"] == ["shuffler"]
    assert [(one["model"], one["printed"]) for one in found["models"]] == [
        ("i-Deal", True),
        ("i-Deal Plus", True),
        ("ACE", True),
    ]
    assert all(one["maker"] == MAKER and len(one["games"]) == 2 for one in found["models"])
    [ace] = [one for one in found["equipment"] if one["serial"] == "SH1"]
    assert ace["approval"] == found["models"][2]["reference"] != ""
    record(floor, "record_equipment", **{**SHUFFLER, "model": "One2Six"})
    assert clauses(opening(floor)["unfit"]["SH1"]) == ["TCP-15"]
    record(floor, "approve_model", **CHANGES["approve_model"])
    assert opening(floor)["unfit"] == {}
    found = view(floor)["register"]
    assert found["models"][3] == {
        **CHANGES["approve_model"],
        "games": [],
        "until": "",
        "printed": False,
    }
    [other] = [one for one in found["equipment"] if one["serial"] == "SH1"]
    assert other["approval"] == PAPER["reference"]


@pytest.mark.clause("CMP-03", "PNX-01")
def test_an_open_table_is_asked_with_what_stands_at_it(floor: InThread) -> None:
    furnished(floor)
    floor.as_("s1").do("open_table", {"table": "S", "equipment": ["SH1", "PG1", "LA1"]}, pin=PIN)
    record(floor, "record_equipment", **{**SYSTEM, "serial": "PG2"})
    record(floor, "record_equipment", **{**SYSTEM, "parts": {"GM Atlas": "1.0"}})
    found = opening(floor)
    assert {*clauses(found["missing"])} == {"PNX-01"}
    assert all(one["text"].startswith("PG1: ") for one in found["missing"])
    assert [*found["unfit"]] == ["PG1"]


@pytest.mark.clause("CMP-01", "CMP-02", "CMP-03")
def test_a_paper_may_have_a_last_day(floor: InThread) -> None:
    strict(floor)
    ended = {**PAPER, "until": "2024-01-31"}
    for arguments in (
        {"paper": "internal_controls", **PAPER, "until": "2023-06-13"},
        {"paper": "internal_controls", **PAPER, "until": "soon"},
    ):
        status, told = floor.as_("a1").refused("record_paper", arguments, pin=PIN)
        assert (status, arguments["until"] in told) == (409, True)
    record(floor, "record_paper", paper="internal_controls", **ended)
    record(floor, "approve_rules", table="S", **ended)
    record(floor, "record_maker", maker=MAKER, state={**LICENCE, "until": "2024-01-31"})
    record(floor, "record_equipment", **SHUFFLER)
    found, register = opening(floor), view(floor)["register"]
    assert found["rules"]["approved"] == ended
    assert register["papers"][0]["recorded"] == ended
    assert register["makers"][0]["state"]["until"] == "2024-01-31"
    first, second = (one["text"] for one in found["missing"][:2])
    assert first.endswith("ended on 2024-01-31")
    assert second.endswith("ended on 2024-01-31")
    # It was sold the day after the licence ended.
    assert clauses(found["unfit"]["SH1"]) == ["CMP-03"]


@pytest.mark.clause("CMP-01", "CMP-08")
def test_settings_that_wait_are_approved_before_they_begin(floor: InThread) -> None:
    strict(floor)
    waiting = {"table": "S", **PAPER, "waiting": True}
    status, told = floor.as_("a1").refused("approve_rules", waiting, pin=PIN)
    assert (status, told) == (409, "no settings wait at the link of S")
    assert opening(floor)["rules"]["to_come"] is None
    meters = {"single": {**SINGLE, "contribution_ppm": 150_000}}
    record(floor, "change_settings", link="Royal", meters=meters, reason="less growth")
    found = opening(floor)["rules"]
    assert found["to_come"]["approved"] is None
    assert found["to_come"]["digest"] != found["digest"]
    record(floor, "approve_rules", **waiting)
    after = opening(floor)["rules"]
    assert after["to_come"] == {**found["to_come"], "approved": {**PAPER, "until": ""}}
    # The rules of today are approved by a paper of their own.
    assert (after["digest"], after["approved"]) == (found["digest"], None)


@pytest.mark.clause("TSB-24")
def test_a_paytable_that_an_option_chooses_is_kept_as_a_paytable(floor: InThread) -> None:
    def now() -> Any:
        [found] = [one for one in view(floor)["tables"] if one["table"] == "N"]
        return found["options"], found["paytables"]

    both = {"pair_plus_paytable": "B", "tie_rule": "lose"}
    record(floor, "make_table", table="N", game="three-card-poker", options=both)
    assert now() == ({"tie_rule": "lose"}, {"pair-plus": "B"})
    before = opening(floor, "N")["rules"]["digest"]
    # The form sends back the view.
    options, paytables = now()
    answer = floor.as_("a1").do(
        "change_table", {"table": "N", "options": options, "paytables": paytables}, pin=PIN
    )
    assert (answer["changed"], opening(floor, "N")["rules"]["digest"]) == ([], before)
    asked = {"table": "N", "options": {"pair_plus_paytable": "B"}, "paytables": "TCP-01"}
    status, told = floor.as_("a1").refused("change_table", asked, pin=PIN)
    assert (status, "two paytables are given for pair-plus, 'B' and 'A'" in told) == (409, True)
    record(floor, "change_table", **{**asked, "paytables": "TCP-04"})
    assert now() == ({}, {"ante-bonus": "B", "pair-plus": "B"})


@pytest.mark.clause("CMP-19")
def test_a_progressive_by_a_reading_of_the_house_says_so(floor: InThread) -> None:
    games = {one["code"]: one["progressive_reading"] for one in view(floor)["games"]}
    assert games["three-card-poker"] is None
    options = {"folded_hand_progressive": "eligible"}
    for table, game in (("R", "triple-shot-rummy"), ("P", "three-card-poker")):
        record(floor, "make_table", table=table, game=game, options=options)
        before = opening(floor, table)["placard"]
        asked = {"table": table, "link": "Summit"}
        answer = floor.as_("a1").do("join_link", asked, pin=PIN)
        assert answer == {**asked, "reading": games[game]}
        after = opening(floor, table)["placard"]
        assert games["triple-shot-rummy"] not in before
        assert (games["triple-shot-rummy"] in after) is (table == "R")
        assert opening(floor, table)["notices"] == [games[game]] * (table == "R")


def test_every_value_that_is_offered_for_an_option_is_one(floor: InThread) -> None:
    options = {one["name"]: one for one in view(floor)["options"]}
    for name, one in options.items():
        assert bool(one["values"]) is not bool(one["described"]), name
        for value in one["values"] or [one["default"]]:
            day = {"date": DATE} if value.startswith("wa_") else {}
            game = game_of(one["games"][0])
            assert parse_options({name: value, **day}, game.options())
    assert (options["smallest_chip"]["values"], options["smallest_chip"]["described"]) == (
        [],
        "any amount",
    )
    # The floor's clock is the day of every table, and a link has the settings of its meter.
    assert not {"date", "meter_seed", "contribution_rate"} & options.keys()


def test_a_practice_table_opens_and_closes_with_nothing_on_record(floor: InThread) -> None:
    found = opening(floor, "Poker")
    assert (found["profile"], found["asked"], found["missing"]) == ("none", False, [])
    floor.as_("s1").do("open_table", {"table": "Poker"}, pin=PIN)
    assert opening(floor, "Poker")["opened_at"]
    floor.as_("d1").do("open_round", {"table": "Poker"})
    status, told = floor.as_("s1").refused("close_table", {"table": "Poker"}, pin=PIN)
    assert (status, told) == (409, "a round is under way at Poker; end it first")
    assert opening(floor, "Poker")["opened_at"]


def test_an_administrator_keeps_the_register_and_a_supervisor_opens(floor: InThread) -> None:
    for role in ROLES:
        client = floor.as_(CARDS[role])
        keeps, opens = role == "administrator", role in ("supervisor", "executive")
        assert client.http.get("/api/openings").status_code == (200 if opens else 403)
        for name, arguments in CHANGES.items():
            answer = client.ask(name, arguments, pin=PIN)
            assert answer.status_code == (200 if keeps else 403), (role, name)
        for name in ("open_table", "close_table"):
            answer = client.ask(name, {"table": "Bonus"}, pin=PIN)
            assert answer.status_code == (200 if opens else 403), (role, name)
    assert floor.client().http.get("/api/openings").status_code == 401


def test_nothing_is_recorded_or_opened_without_the_pin(floor: InThread) -> None:
    before = view(floor)
    for name, arguments in CHANGES.items():
        assert floor.as_("a1").refused(name, arguments) == (403, "card 'a1' needs its PIN")
    assert floor.as_("a1").refused("record_maker", {"maker": MAKER}, pin="1111")[0] == 403
    status, told = floor.as_("s1").refused("open_table", {"table": "Poker"})
    assert (status, told) == (403, "card 's1' needs its PIN")
    after = view(floor)
    assert (after["tables"], after["register"]) == (before["tables"], before["register"])


@pytest.mark.parametrize(
    ("name", "arguments", "status", "told"),
    [
        ("record_paper", {"paper": "a note", **PAPER}, 409, "paper 'a note' is unknown"),
        (
            "record_paper",
            {"paper": "internal_controls", "reference": "x", "day": "14 June"},
            409,
            "day '14 June' is not a day",
        ),
        (
            "record_paper",
            {"paper": "internal_controls", "reference": "x", "day": "2999-01-01"},
            409,
            "day '2999-01-01' has not come yet",
        ),
        ("approve_rules", {"table": "Nowhere", **PAPER}, 404, "table 'Nowhere' is unknown"),
        ("record_equipment", {**SHUFFLER, "kind": "toaster"}, 422, "kind"),
        ("record_equipment", {**SHUFFLER, "sold": "2999-01-01"}, 409, "has not come yet"),
        ("record_equipment", {**SHUFFLER, "approval": "A-1"}, 422, "approval"),
        ("approve_model", {**CHANGES["approve_model"], "kind": "layout"}, 409, "has no list of"),
        ("approve_model", {**CHANGES["approve_model"], "until": "x"}, 409, "until 'x' is not a"),
        ("record_equipment", {**SHUFFLER, "sold": "soon"}, 409, "sold 'soon' is not a day"),
        (
            "record_equipment",
            {**SYSTEM, "parts": {"Game Manager": "7 beta 1"}},
            422,
            "Game Manager: version '7 beta 1' is not a version; allowed: forms such as 6.6",
        ),
        ("record_equipment", {**SYSTEM, "display": {"name": "smart TV"}}, 422, "network"),
        ("record_repair", {"serial": "SH1", "reference": "R-1"}, 409, "equipment 'SH1' is not on"),
        ("record_maker", {"maker": "M", "state": {"reference": "L"}}, 422, "day"),
        ("open_table", {"table": "Poker", "equipment": ["XX"]}, 409, "equipment 'XX' is not on"),
        ("close_table", {"table": "Poker"}, 409, "Poker is not open"),
    ],
)
def test_what_is_refused_is_told_in_one_sentence(
    floor: InThread, name: str, arguments: Any, status: int, told: str
) -> None:
    card = "s1" if name in ("open_table", "close_table") else "a1"
    found, message = floor.as_(card).refused(name, arguments, pin=PIN)
    assert (found, told in message, "\n" in message) == (status, True, False), message


@pytest.mark.clause("PNX-02", "TCP-15")
def test_a_smart_tv_and_a_rivals_shoe_are_told_of_where_they_are_recorded(floor: InThread) -> None:
    furnished(floor)
    record(floor, "record_equipment", **{**SYSTEM, "display": {**MONITOR, "network": True}})
    record(floor, "record_maker", maker="Rival", state=LICENCE)
    shoe = {**SHUFFLER, "maker": "Rival", "model": "baccarat shoe", "version": "1.2"}
    record(floor, "record_equipment", **shoe)
    found = {one["serial"]: one for one in view(floor)["register"]["equipment"]}
    [display] = found["PG1"]["remarks"]
    assert (display["clauses"], "has a network" in display["text"]) == (["PNX-02"], True)
    [other] = found["SH1"]["remarks"]
    assert (other["clauses"], "'baccarat shoe' of 'Rival'" in other["text"]) == (["TCP-15"], True)
    assert (found["SH1"]["version"], found["PG1"]["display"]["network"]) == ("1.2", True)
    assert [one["earlier"] for one in found.values()] == [False] * 3
    status, told = refused_to_open(floor, "SH1", "PG1", "LA1")
    assert (status, "baccarat shoe" in told) == (403, True)


@pytest.mark.clause("TSR-32", "TCP-23")
def test_the_console_asks_for_the_serial_of_the_replacement(floor: InThread) -> None:
    furnished(floor)
    record(floor, "record_equipment", **{**SHUFFLER, "serial": "SH2"})
    opens = {"table": "S", "equipment": ["SH1", "PG1", "LA1"]}
    floor.as_("s1").do("open_table", opens, pin=PIN)
    dealer = floor.as_("d1")
    dealer.do("open_round", {"table": "S"})
    lines = ["shuffler fault: jam", *(f"runbook seven_steps: step {n}" for n in (1, 2))]
    for line in lines:
        dealer.do("round", {"table": "S", "text": line})
    step = dealer.get("/api/tables/S")["round"]["runbook"]["replaces"]
    assert step == "runbook seven_steps: step 3"
    status, told = dealer.refused("round", {"table": "S", "text": step})
    assert (status, "give the serial of the replacement, on record: SH2" in told) == (409, True)
    dealer.do("round", {"table": "S", "text": step, "replacement": "SH2"})
    assert opening(floor)["equipment"] == ["SH2", "PG1", "LA1"]
    equipment = {one["serial"]: one for one in view(floor)["register"]["equipment"]}
    assert (equipment["SH1"]["fault"], equipment["SH2"]["fault"]) == ("jam", None)
    assert clauses(opening(floor)["unfit"]["SH1"]) == ["TSR-32"]
    record(floor, "record_repair", serial="SH1", reference="service 12")
    assert opening(floor)["unfit"] == {}


@pytest.mark.clause("CMP-17")
@pytest.mark.parametrize("profile", ["wa_commercial", "wa_tribal"])
def test_a_table_says_whom_to_ask(floor: InThread, profile: str) -> None:
    strict(floor, profile)
    assert opening(floor)["contact"] == contact_role(profile)
    assert opening(floor, "Poker")["contact"] is None


@pytest.mark.clause("ACE-05")
def test_a_table_says_which_cards_lie_at_it(floor: InThread) -> None:
    assert opening(floor, "Poker")["cards"] is None
    stock = {"material": "plastic", "size": "bridge"}
    asked = {"table": "Poker", **stock, "reason": "worn"}
    floor.as_("s1").do("change_cards", asked, pin=PIN)
    assert opening(floor, "Poker")["cards"] == stock
    status, _ = floor.as_("s1").refused("change_cards", {**asked, "size": "jumbo"}, pin=PIN)
    assert status == 422


@pytest.mark.clause("PRC-03", "PRC-07")
def test_an_administrator_sees_the_price_of_settings_before_they_are_sent(floor: InThread) -> None:
    path, meters = "/api/administration/link-price", {"single": {"contribution_ppm": 200_000}}
    new = {"progressive": "three-card-progressive", "paytable": "1", "meters": meters}
    found = floor.as_("a1").post(path, new).json()
    assert found["before"] is None
    assert {one["clause"] for one in found["advice"]} == {*("PRC-03", "PRC-04", "PRC-07", "PRC-09")}
    stands = view(floor)["links"][0]
    same = {level["level"]: level["settings"] for level in stands["levels"]}
    found = floor.as_("a1").post(path, {"link": stands["link"], "meters": same}).json()
    assert found["before"] == found["after"]
    for asked, status, told in (
        ({**new, "paytable": "01"}, 409, "known: 1, 2"),
        ({**new, "meters": {"mega": meters["single"]}}, 409, "pays from single"),
        ({**new, "link": "Nowhere"}, 404, "'Nowhere'"),
        ({**new, "meters": {"single": {"contribution_ppm": 1_000_001}}}, 422, "0% to 100%"),
    ):
        answer = floor.as_("a1").post(path, asked)
        message = answer.json()["error"]["message"]
        assert (answer.status_code, told in message) == (status, True), message
    for role, card in CARDS.items():
        if role != "administrator":
            assert floor.as_(card).post(path, new).status_code == 403, role
