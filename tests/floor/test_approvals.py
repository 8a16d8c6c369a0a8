"""The records that a table needs before it opens for money."""

import ast
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import pytest

from houseway.catalog import catalog
from houseway.catalog.equipment import Display, stack_problems, stacks
from houseway.floor.approvals import find_register, missing, rules_played
from houseway.floor.model import FloorModel
from houseway.floor.profile import PROFILES
from houseway.floor.table import find_table
from houseway.games import GAMES
from houseway.house.options import allowed_values
from houseway.journal.rebuild import differences
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import make_ruleset
from houseway.server.opening import opening
from tests import ROOT
from tests.floor.room import SETTINGS, Clock, Room

PAPER = {"reference": "2023-3119", "day": "2023-06-14"}
LICENCE = {"reference": "L-1", "day": "2020-01-01"}
NEXUS = {"GM Atlas": "5.4.0", "Nexus Command II": "5.4"}
MAKER = "Light and Wonder"
MONITOR = {"name": "plain monitor", "network": False, "input": False}
PLAIN = Display(name="plain monitor", network=False, input=False)
GAME_MANAGER = {
    "Game Manager": "6.6 build 520",
    "Aquarius Controller": "6.5.6SP",
    "Coin Spot": "6.0",
    "ViPS": "1.2.0",
}


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    made = Room(database)
    made.set_up()
    yield made
    with made.journal.engine.connect() as connection:
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def strict(room: Room, profile: str = "wa_commercial", **options: str) -> None:
    options = {"profile": profile, **options}
    room.do("a1", "make_table", table="S", game="three-card-poker", options=options)
    room.do("a1", "join_link", table="S", link="L")


def equip(
    room: Room, parts: dict[str, str] | None = None, sold: str = "2024-02-01", **shuffler: str
) -> None:
    """A shuffler, a progressive system and a layout of a maker with both licences."""
    room.do("a1", "record_maker", maker=MAKER, state=LICENCE, tribe=LICENCE)
    common = {"maker": MAKER, "sold": sold}
    machine = {"serial": "SH1", "kind": "shuffler", "model": "ACE", **common}
    room.do("a1", "record_equipment", **{**machine, **shuffler})
    system = {"serial": "PG1", "kind": "progressive", "model": "Atlas", **common}
    room.do("a1", "record_equipment", **system, parts=parts or NEXUS, display=MONITOR)
    layout = {"serial": "LA1", "kind": "layout", "model": "Green felt", **common}
    room.do("a1", "record_equipment", **layout)


def opened(room: Room, *serials: str) -> Any:
    return room.do("s1", "open_table", table="S", equipment=list(serials), pin_held=True)


def refused(room: Room, *serials: str) -> Refused:
    with pytest.raises(Refused) as raised:
        opened(room, *serials)
    return raised.value


def test_a_practice_table_is_not_asked(room: Room) -> None:
    room.do("d1", "open_round", table="T1")
    assert room.do("s1", "open_table", table="T1", pin_held=True)["placard"]


@pytest.mark.clause("CMP-01", "CMP-02", "CMP-03", "CMP-16", "CMP-19", "PNX-01")
def test_a_card_room_opens_with_everything_on_record_and_not_before(room: Room) -> None:
    strict(room)
    with pytest.raises(Refused, match="is not open") as closed:
        room.do("d1", "open_round", table="S")
    assert closed.value.clause == "CMP-01"
    assert refused(room).clause == "CMP-02"
    room.do("a1", "record_paper", paper="internal_controls", **PAPER)
    assert refused(room).clause == "CMP-01"
    room.do("a1", "approve_rules", table="S", **PAPER)
    assert refused(room).clause == "CMP-16"
    equip(room)
    assert "no progressive system" in refused(room, "SH1").message
    posted = "\n".join(opened(room, "SH1", "PG1", "LA1")["placard"])
    for line in (
        "No single wager above $400.00",
        *("pair-plus A", "straight flush: 40 to 1"),
        *("progressive 1", "akq spades: 100% of the meter", "envy for akq spades: $100.00"),
    ):
        assert line in posted
    room.do("d1", "open_round", table="S")
    with pytest.raises(Refused, match="under way"):
        room.do("s1", "close_table", table="S")
    assert "is open since" in refused(room, "SH1", "PG1").message


@pytest.mark.clause("CMP-04", "CMP-05", "CMP-07")
def test_a_tribal_room_needs_its_agency_and_the_states_concurrence(room: Room) -> None:
    strict(room, "wa_tribal")
    room.do("a1", "approve_rules", table="S", **PAPER)
    assert refused(room).clause == "CMP-04"
    room.do("a1", "record_paper", paper="tribal_agency", **PAPER)
    assert refused(room).clause == "CMP-05"
    late = {**PAPER, "day": "2023-06-15"}
    room.do("a1", "record_paper", paper="state_concurrence", **late)
    assert "only after" in refused(room).message
    room.do("a1", "record_paper", paper="state_concurrence", **PAPER)
    equip(room)
    # A maker that the State alone has licensed, or that was licensed after the sale.
    for tribe in ({}, {**LICENCE, "day": "2024-02-02"}):
        room.do("a1", "record_maker", maker=MAKER, state=LICENCE, tribe=tribe)
        assert "no licence of the Tribe" in refused(room, "SH1", "PG1", "LA1").message
        assert refused(room, "SH1", "PG1", "LA1").clause == "CMP-07"
    room.do("a1", "record_maker", maker=MAKER, state=LICENCE, tribe=LICENCE)
    opened(room, "SH1", "PG1", "LA1")


@pytest.mark.clause("CMP-03", "CMP-16", "CMP-08")
def test_unlisted_equipment_and_changed_rules_keep_a_table_closed(room: Room) -> None:
    strict(room)
    room.do("a1", "record_paper", paper="internal_controls", **PAPER)
    room.do("a1", "approve_rules", table="T1", **PAPER)
    # Approved were the rules of another table, which has no jurisdiction.
    assert refused(room).clause == "CMP-01"
    room.do("a1", "approve_rules", table="S", **PAPER)
    equip(room, model="Toaster 3000")
    assert refused(room, "SH1", "PG1", "LA1").clause == "TCP-15"
    equip(room, sold="2019-12-31")
    told = refused(room, "SH1", "PG1", "LA1")
    assert (told.clause, "no licence of the State" in told.message) == ("CMP-03", True)
    unknown = refused(room, "XX")
    assert (unknown.reason, unknown.clause) == (Reason.UNKNOWN_VALUE, "CMP-03")


@pytest.mark.clause("CMP-01", "CMP-03")
def test_what_an_open_table_plays_and_has_is_not_changed(room: Room) -> None:
    strict(room)
    room.do("a1", "record_paper", paper="internal_controls", **PAPER)
    room.do("a1", "approve_rules", table="S", **PAPER)
    equip(room)
    opened(room, "SH1", "PG1", "LA1")
    with pytest.raises(Refused, match="close it first") as leaving:
        room.do("a1", "leave_link", table="S")
    assert leaving.value.clause == "CMP-01"
    # A shuffler stands at one table; a progressive system may serve several.
    with pytest.raises(Refused, match="'SH1' stands at S, which is open") as twice:
        room.do("s1", "open_table", table="T1", equipment=["SH1"], pin_held=True)
    assert (twice.value.reason, twice.value.clause) == (Reason.GIVEN_TWICE, "CMP-03")
    room.do("s1", "open_table", table="T1", equipment=["PG1"], pin_held=True)
    room.do("s1", "close_table", table="S")
    room.do("a1", "leave_link", table="S")
    # A practice table may be open without a link, and does not join one then.
    room.do("s1", "close_table", table="T1")
    room.do("a1", "leave_link", table="T1")
    room.do("s1", "open_table", table="T1", pin_held=True)
    with pytest.raises(Refused, match="close it first"):
        room.do("a1", "join_link", table="T1", link="L")


@pytest.mark.clause("CMP-01", "CMP-02", "CMP-19")
def test_an_open_table_stops_dealing_when_its_papers_lapse(database: str) -> None:
    clock = Clock(datetime(2023, 8, 17, 12, tzinfo=UTC))
    room = Room(database, clock=clock)
    room.set_up()
    strict(room)
    room.do("a1", "record_paper", paper="internal_controls", until="2023-08-20", **PAPER)
    room.do("a1", "approve_rules", table="S", **PAPER)
    equip(room, sold="2023-02-01")
    assert "$300.00" in "\n".join(opened(room, "SH1", "PG1", "LA1")["placard"])
    deal_and_void(room)
    # The limit of a wager goes up on the 19th: the placard says another.
    clock.move(days=2)
    assert dealing(room).clause == "CMP-19"
    room.do("s1", "close_table", table="S")
    assert "$400.00" in "\n".join(opened(room, "SH1", "PG1", "LA1")["placard"])
    deal_and_void(room)
    # Internal controls that have ended keep it from dealing, and so does a licence withdrawn.
    clock.move(days=2)
    told = dealing(room)
    assert (told.clause, "ended on 2023-08-20" in told.message) == ("CMP-02", True)
    room.do("a1", "record_paper", paper="internal_controls", **PAPER)
    deal_and_void(room)
    room.do("a1", "record_maker", maker=MAKER, state={}, tribe={})
    assert dealing(room).clause == "CMP-03"
    room.journal.close()


@pytest.mark.clause("CMP-12", "CMP-14")
def test_four_games_are_posted_while_the_letter_of_2017_is_the_newest(database: str) -> None:
    clock = Clock(datetime(2023, 6, 13, 12, tzinfo=UTC))
    room = Room(database, clock=clock)
    room.set_up()
    options = {"profile": "wa_commercial", "shuffler_mode": "hand", "two_adjacent_positions": "on"}
    room.do("a1", "make_table", table="S", game="triple-shot-rummy", options=options)
    paper = {**PAPER, "day": "2018-01-05"}
    room.do("a1", "record_paper", paper="internal_controls", **paper)
    room.do("a1", "approve_rules", table="S", **paper)
    equip(room, sold="2021-02-01")
    posted = opened(room, "LA1")["placard"]
    games = "No player wagers on more than 4 games at once (approval of 20 December 2017, 001:L67)"
    assert posted[0] == "Triple Shot Rummy, rules of 2017-12-20, posted on 2023-06-13"
    table = find_table(room.state, "S")
    assert posted[1:3] == opening(room.state, table)["notices"]
    assert posted[2] == games
    room.do("d1", "open_round", table="S")
    room.say("S", "bets 1 by Ann: ante 5, pair-plus 5, six-card-bonus 5")
    with pytest.raises(Refused, match="would wager on 5 games") as told:
        room.say("S", "bets 2 by ann: ante 5, pair-plus 5")
    assert told.value.clause == "CMP-14"
    room.do("s1", "round", table="S", text="void ruling: set down", from_shuffler=True)
    # The next day the letter of 2023 is there: another approval, and no such limit.
    clock.move(days=1)
    assert dealing(room).clause == "CMP-01"
    room.do("s1", "close_table", table="S")
    room.do("a1", "approve_rules", table="S", **PAPER)
    assert games not in opened(room, "LA1")["placard"]
    [limit] = opening(room.state, find_table(room.state, "S"))["notices"]
    assert limit.startswith("No single wager above $300.00")
    room.journal.close()


def deal_and_void(room: Room) -> None:
    room.do("d1", "open_round", table="S")
    room.do("s1", "round", table="S", text="void ruling: set down", from_shuffler=True)


def dealing(room: Room) -> Refused:
    with pytest.raises(Refused, match="S cannot deal") as told:
        room.do("d1", "open_round", table="S")
    return told.value


@pytest.mark.clause("CMP-01")
def test_a_table_of_a_jurisdiction_without_a_link_says_what_it_lacks(room: Room) -> None:
    options = {"profile": "wa_commercial"}
    room.do("a1", "make_table", table="S", game="three-card-poker", options=options)
    table = find_table(room.state, "S")
    assert rules_played(room.state, table)[1] is None
    assert {"CMP-01", "CMP-02"} <= {clause for clause, _ in missing(room.state, table)}


@pytest.mark.clause("CMP-01", "PRC-01")
def test_approved_rules_hold_for_no_link_whose_meters_pay_otherwise(room: Room) -> None:
    asked = {
        "progressive": "three-card-progressive",
        "paytable": "1",
        "meters": {"single": SETTINGS},
    }
    for link in ("Alike", "Dry"):
        room.do("a1", "make_link", link=link, all_from_meter=link == "Dry", **asked)
    strict(room)
    room.do("a1", "approve_rules", table="S", **PAPER)
    for link, approved in (("Alike", True), ("Dry", False)):
        room.do("a1", "leave_link", table="S")
        room.do("a1", "join_link", table="S", link=link)
        assert (rules_played(room.state, find_table(room.state, "S"))[1] is not None) is approved
    own = {"all_from_meter": "on"}
    with pytest.raises(Refused, match="'all_from_meter' is not a table's own: the link sets it"):
        room.do("a1", "make_table", table="X", game="three-card-poker", options=own)


def problems(system: str, parts: dict[str, str], display: Display | None = PLAIN) -> list[str]:
    return [told for _, told in stack_problems(system, MAKER, parts, display)]


@pytest.mark.clause("PGM-01", "PNX-01", "PNX-02")
def test_parts_are_approved_in_sets_and_higher_only_where_it_says_so() -> None:
    assert problems("nexus", NEXUS) == []
    assert problems("game_manager", GAME_MANAGER, None) == []
    for name, version, fits in (
        ("Game Manager", "6.6 build 521", True),
        ("Game Manager", "7.0 build 1", True),
        ("Game Manager", "6.6 build 519", False),
        ("Game Manager", "6.6", False),
        ("Game Manager", "7RC", False),
        ("Aquarius Controller", "6.5.7SP", False),
        ("Aquarius Controller", "6.5.6", False),
        ("Coin Spot", "6.0.1", False),
        ("Coin Spot", "6", True),
        ("ViPS", "1.10.0", True),
        ("ViPS", "1.1.9", False),
    ):
        found = problems("game_manager", {**GAME_MANAGER, name: version})
        assert (not found) is fits, (name, version, found)
    old = {name: v for name, v in GAME_MANAGER.items() if name != "ViPS"}
    assert problems("game_manager", {**old, "CHAM2+": "1.66P$"}) == []
    assert problems("game_manager", {**old, "CHAM2+": "1.67P$"}) == [
        "CHAM2+ '1.67P$' is not approved; 1.66P$ is"
    ]
    # An approved display does not make up for another that is not.
    assert problems("game_manager", {**GAME_MANAGER, "CHAM2+": "1.67P$"})
    assert problems("game_manager", old)
    assert problems("nexus", NEXUS, None) == ["a progressive display is needed"]
    # A display that is declared beside an approved one is asked for the same.
    smart = Display(name="smart TV", network=True, input=False)
    assert stack_problems("game_manager", MAKER, GAME_MANAGER, smart) == [
        (
            "PGM-01",
            "display 'smart TV' has a network; only a monitor without network or input is allowed",
        )
    ]
    # Every set fits itself at its lowest; half of one and half of another fits nobody.
    for stack in stacks():
        own = {part.name: part.version for part in (*stack.parts, *stack.displays[:1])}
        assert stack.problems(own, PLAIN) == []
    mixed = {
        "Nexus Command Game Manager 2": "2.5.4",
        "Nexus Command Table Controller Software": "2.0.0",
    }
    assert problems("nexus", mixed)


def renamed(found: Any) -> Any:
    """The same data with another name wherever a name is."""
    if isinstance(found, list):
        return [renamed(one) for one in found]
    if isinstance(found, dict):
        return {
            key: f"{value} Renamed" if key == "name" else renamed(value)
            for key, value in found.items()
        }
    return found


def digests() -> dict[tuple[str, str], str]:
    """The digest of every game under every progressive system."""
    return {
        (game.code, system): make_ruleset(game.code, {"award_profile": system}).digest
        for game in GAMES
        for system in allowed_values("award_profile")
    }


@pytest.mark.clause("CMP-11")
def test_the_system_of_2023_is_approved_and_new_names_change_no_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert problems("nexus", NEXUS) == []
    before = digests()
    worked = {profile.system: asdict(profile) for profile in PROFILES}
    shipped = catalog("equipment")
    other = {**shipped, **{rows: renamed(shipped[rows]) for rows in ("system", "stack")}}
    monkeypatch.setattr("houseway.catalog.equipment.catalog", lambda _name: other)
    stacks.cache_clear()
    try:
        # The new names are in force, and the old ones are nobody's.
        assert problems("nexus", {f"{part} Renamed": NEXUS[part] for part in NEXUS}) == []
        assert problems("nexus", NEXUS)
        assert all(profile.name.endswith(" Renamed") for profile in PROFILES)
        assert digests() == before
        assert {profile.system: asdict(profile) for profile in PROFILES} == worked
    finally:
        stacks.cache_clear()


@pytest.mark.clause("CMP-11")
def test_a_maker_with_a_new_name_needs_no_new_approval_of_rules(room: Room) -> None:
    strict(room)
    room.do("a1", "record_paper", paper="internal_controls", **PAPER)
    room.do("a1", "approve_rules", table="S", **PAPER)
    equip(room)
    approved = rules_played(room.state, find_table(room.state, "S"))
    new_name = "Scientific Games"
    room.do("a1", "record_maker", maker=new_name, state=LICENCE, tribe=LICENCE)
    sold = {"maker": new_name, "sold": "2024-02-01"}
    shuffler = {"serial": "SH1", "kind": "shuffler", "model": "i-Deal"}
    system = {"serial": "PG1", "kind": "progressive", "model": "Atlas Two", "parts": NEXUS}
    room.do("a1", "record_equipment", **shuffler, **sold)
    room.do("a1", "record_equipment", **system, display=MONITOR, **sold)
    assert find_register(room.state).equipment["SH1"].maker == new_name
    assert rules_played(room.state, find_table(room.state, "S")) == approved
    opened(room, "SH1", "PG1", "LA1")


@pytest.mark.clause("CMP-11")
def test_no_code_holds_the_name_of_a_product() -> None:
    """Comments and docstrings may; a text that the program uses may not."""
    names = {row["name"] for row in catalog("equipment")["system"]}
    names |= {part.name for stack in stacks() for part in (*stack.parts, *stack.displays)}
    # The link is ours to name: the letters call it by what it does.
    names -= {"multi-game link"}
    assert {"GM Atlas", "Nexus Command II", "Nexus Command", "Game Manager"} <= names
    for path in sorted((ROOT / "houseway").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in names):
            continue
        tree = ast.parse(text)
        said = {
            node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if node.value in said:
                    continue
                assert not [name for name in names if name in node.value], (path, node.lineno)


@pytest.mark.clause("CMP-03", "CMP-07")
@pytest.mark.parametrize("name", ["Light & Wonder", "LNW", "light  and wonder"])
def test_a_licence_serves_every_name_of_the_maker(room: Room, name: str) -> None:
    strict(room, "wa_tribal")
    room.do("a1", "approve_rules", table="S", **PAPER)
    for paper in ("tribal_agency", "state_concurrence"):
        room.do("a1", "record_paper", paper=paper, **PAPER)
    equip(room)
    room.do("a1", "record_maker", maker=MAKER)
    assert "no licence of the State" in refused(room, "SH1", "PG1", "LA1").message
    room.do("a1", "record_maker", maker=name, state=LICENCE)
    assert "no licence of the Tribe" in refused(room, "SH1", "PG1", "LA1").message
    room.do("a1", "record_maker", maker="Rival", tribe=LICENCE)
    assert "no licence of the Tribe" in refused(room, "SH1", "PG1", "LA1").message
    room.do("a1", "record_maker", maker=name, state=LICENCE, tribe=LICENCE)
    opened(room, "SH1", "PG1", "LA1")


@pytest.mark.clause("CMP-12")
@pytest.mark.parametrize("day", ["2025-W01-1", "20250101", "2025-1-1", "2025-02-30", "soon"])
def test_a_day_is_written_in_one_form(room: Room, day: str) -> None:
    paper = {"paper": "internal_controls", "reference": "x"}
    layout = {"serial": "LA1", "kind": "layout", "model": "Felt", "maker": MAKER}
    for name, asked, which in (
        ("record_paper", {**paper, "day": day}, "day"),
        ("record_paper", {**paper, "day": "2023-06-14", "until": day}, "until"),
        ("record_equipment", {**layout, "sold": day}, "sold"),
    ):
        with pytest.raises(Refused) as told:
            room.do("a1", name, **asked)
        assert told.value.reason is Reason.UNKNOWN_DATE
        assert told.value.message == f"{which} {day!r} is not a day; write it as 2024-01-31"


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("record_paper", {"paper": "a note", **PAPER}),
        ("record_paper", {"paper": "internal_controls", "reference": "x", "day": "14 June"}),
        ("record_paper", {"paper": "internal_controls", "reference": "x", "day": "2999-01-01"}),
        ("record_equipment", {"serial": "1", "kind": "toaster"}),
        ("approve_model", {"kind": "toaster", "maker": "M", "model": "3000", **PAPER}),
        ("approve_model", {"kind": "shuffler", "maker": "M", **PAPER}),
        ("approve_model", {"kind": "shuffler", "maker": "M", "model": " ", **PAPER}),
        ("record_maker", {"maker": "M", "state": {"reference": "", "day": "2020-01-01"}}),
        ("open_table", {"table": "T1", "equipment": "SH1"}),
        ("close_table", {"table": "T1"}),
    ],
)
def test_what_cannot_be_recorded_is_refused(room: Room, name: str, asked: Any) -> None:
    card = "s1" if name in ("open_table", "close_table") else "a1"
    with pytest.raises(Refused):
        room.do(card, name, **asked, pin_held=True)
