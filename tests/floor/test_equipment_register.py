"""Equipment on record: the approved list, versions, displays, and the change of a shuffler."""

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.catalog import catalog
from houseway.catalog.equipment import (
    kinds_by_model,
    maker_named,
    parse_version,
    part_named,
    printed_models,
    requirements,
    stack_problems_then,
    stacks,
)
from houseway.catalog.register import clauses
from houseway.floor.approvals import find_register, missing
from houseway.floor.model import FloorModel
from houseway.journal.rebuild import differences
from houseway.refusal import Reason, Refused
from tests.floor.room import Room
from tests.floor.test_approvals import (
    GAME_MANAGER,
    LICENCE,
    MAKER,
    MONITOR,
    NEXUS,
    PAPER,
    equip,
    opened,
    refused,
    strict,
)

SOLD = {"maker": MAKER, "sold": "2024-02-01"}
BACKUP = {"serial": "SH2", "kind": "shuffler", "model": "i-Deal Plus", **SOLD}
SYSTEM = {"serial": "PG1", "kind": "progressive", "model": "Atlas", "display": MONITOR, **SOLD}
APPROVAL = {"kind": "shuffler", "maker": MAKER, "reference": "A-8", "day": "2025-06-01"}
STEP = "runbook seven_steps: step {}"


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    """A floor on which table S of a card room has everything that it needs."""
    made = Room(database)
    made.set_up()
    strict(made)
    made.do("a1", "record_paper", paper="internal_controls", **PAPER)
    made.do("a1", "approve_rules", table="S", **PAPER)
    equip(made)
    yield made
    with made.journal.engine.connect() as connection:
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def record(room: Room, **equipment: Any) -> None:
    room.do("a1", "record_equipment", **equipment)


def approve(room: Room, model: str, **given: str) -> None:
    room.do("a1", "approve_model", **{**APPROVAL, "model": model, **given})


def rummy(room: Room) -> dict[str, Any]:
    """The arguments that open a Rummy table with the backup shuffler."""
    options = {"profile": "wa_commercial"}
    room.do("a1", "make_table", table="R", game="triple-shot-rummy", options=options)
    room.do("a1", "approve_rules", table="R", **PAPER)
    return {"table": "R", "equipment": ["SH2", "LA1"], "pin_held": True}


def not_recorded(room: Room, **equipment: Any) -> Refused:
    """The refusal of a record, which leaves the register as it was."""
    before = room.state.streams["floor:register"]
    with pytest.raises(Refused) as raised:
        record(room, **equipment)
    assert room.state.streams["floor:register"] is before
    return raised.value


def stands_at(room: Room, table: str = "S") -> tuple[str, ...]:
    found: tuple[str, ...] = room.state.streams[f"table:{table}"].equipment
    return found


# ---- the approved list


@pytest.mark.clause("CMP-16", "TCP-15")
def test_a_shoe_of_a_rival_does_not_pass_as_an_approved_shuffler(room: Room) -> None:
    room.do("a1", "record_maker", maker="Rival", state=LICENCE)
    record(room, **{**BACKUP, "maker": "Rival", "model": "baccarat shoe"})
    told = refused(room, "SH2", "PG1", "LA1")
    assert (told.reason, told.clause) == (Reason.NOT_APPROVED, "TCP-15")
    assert told.message == (
        "S cannot open: SH2: 'baccarat shoe' of 'Rival' is not on the approved list; allowed: "
        "i-Deal, i-Deal Plus, ACE of Light and Wonder; an administrator records further approved "
        "models of Light and Wonder"
    )
    for maker, model in (
        ("Rival", "i-Deal"),
        (MAKER, "Baccarat shoes"),
        (MAKER, "Toaster 3000"),
        (MAKER, "GM Atlas"),
        (MAKER, "i-Deal Plus 2"),
    ):
        record(room, **{**BACKUP, "maker": maker, "model": model, "approval": "A-1"})
        told = refused(room, "SH2", "PG1", "LA1")
        assert (told.clause, repr(model) in told.message) == ("TCP-15", True)


@pytest.mark.clause("CMP-16", "TCP-15")
@pytest.mark.parametrize(
    "model", ["ACE", "ace", "i-Deal", " I-DEAL  plus ", "i-Deal Plus", "i-Deal Shuffler"]
)
def test_the_printed_models_are_allowed_however_they_are_spelled(room: Room, model: str) -> None:
    record(room, **{**BACKUP, "model": model, "maker": "LNW"})
    opened(room, "SH2", "PG1", "LA1")


@pytest.mark.clause("CMP-16", "TCP-15")
def test_a_further_model_is_allowed_while_its_approval_is_in_force(room: Room) -> None:
    record(room, **{**BACKUP, "model": "One2Six"})
    assert refused(room, "SH2", "PG1", "LA1").clause == "TCP-15"
    # It is a row of kind, maker and model: none of them alone is enough.
    approve(room, "Two2Six")
    room.do("a1", "record_maker", maker="Rival", state=LICENCE)
    approve(room, "One2Six", maker="Rival")
    assert "is not on the approved list" in refused(room, "SH2", "PG1", "LA1").message
    approve(room, "one2six", until="2026-01-04")
    assert refused(room, "SH2", "PG1", "LA1").message == (
        "S cannot open: SH2: the approval of 'One2Six' of 'Light and Wonder' (A-8) ended on "
        "2026-01-04"
    )
    approve(room, "One2Six", maker="Light & Wonder", until="2026-01-05")
    opened(room, "SH2", "PG1", "LA1")
    # The record of a model replaces the one before, by any name of its maker.
    rows = find_register(room.state).models
    assert [(row.maker, row.model) for row in rows] == [
        (MAKER, "Two2Six"),
        ("Rival", "One2Six"),
        (MAKER, "One2Six"),
    ]


@pytest.mark.clause("TCP-15")
def test_no_approval_brings_a_rivals_shuffler_to_a_game_of_one_maker(room: Room) -> None:
    room.do("a1", "record_maker", maker="Rival", state=LICENCE)
    approve(room, "Quick Shuffle", maker="Rival")
    record(room, **{**BACKUP, "maker": "Rival", "model": "Quick Shuffle"})
    told = refused(room, "SH2", "PG1", "LA1")
    assert (told.clause, "allowed: i-Deal, i-Deal Plus, ACE of" in told.message) == ("TCP-15", True)
    room.do("s1", "open_table", **rummy(room))


@pytest.mark.clause("CMP-16")
@pytest.mark.parametrize(
    ("maker", "model"), [("Rival", "banana"), (MAKER, "i-Deal"), ("Rival", "Quick Shuffle")]
)
def test_a_game_whose_letter_names_no_model_takes_recorded_ones_only(
    room: Room, maker: str, model: str
) -> None:
    asked = rummy(room)
    room.do("a1", "record_maker", maker="Rival", state=LICENCE)
    record(room, **{**BACKUP, "maker": maker, "model": model})
    with pytest.raises(Refused) as told:
        room.do("s1", "open_table", **asked)
    assert (told.value.reason, told.value.clause) == (Reason.NOT_APPROVED, "CMP-16")
    assert told.value.message == (
        f"R cannot open: SH2: {model!r} of {maker!r} is not on the approved list; allowed: none "
        "yet; an administrator records further approved models"
    )
    approve(room, model, maker=maker)
    room.do("s1", "open_table", **asked)


@pytest.mark.clause("CMP-16")
def test_only_an_administrator_with_a_pin_approves_a_model_of_a_listed_kind(room: Room) -> None:
    asked = {**APPROVAL, "model": "One2Six"}
    for card, given, words in (
        ("s1", asked, "takes administrator"),
        ("a1", {**asked, "pin_held": False}, "needs its PIN"),
        ("a1", {**asked, "kind": "layout"}, "kind 'layout' has no list of models; allowed: shuf"),
        ("a1", {**asked, "day": "2026-01-06"}, "day '2026-01-06' has not come yet"),
        ("a1", {**asked, "until": "later"}, "until 'later' is not a day"),
        ("a1", {**asked, "until": "2025-05-31"}, "until '2025-05-31' is before 2025-06-01"),
    ):
        with pytest.raises(Refused) as told:
            room.do(card, "approve_model", **given)
        assert words in told.value.message
    assert find_register(room.state).models == ()


@pytest.mark.clause("CMP-03")
def test_equipment_is_not_sold_in_the_future(room: Room) -> None:
    told = not_recorded(room, **{**BACKUP, "sold": "2026-01-06"})
    assert told.reason is Reason.UNKNOWN_DATE
    assert told.message == "sold '2026-01-06' has not come yet; today is 2026-01-05"
    record(room, **{**BACKUP, "sold": "2026-01-05"})


@pytest.mark.clause("CMP-11", "PGM-01", "PNX-01")
def test_a_system_of_a_rival_does_not_pass_and_the_makers_other_names_do(room: Room) -> None:
    room.do("a1", "record_maker", maker="Rival", state=LICENCE)
    record(room, **{**SYSTEM, "maker": "Rival", "parts": NEXUS})
    told = refused(room, "SH1", "PG1", "LA1")
    assert told.clause == "PNX-01"
    assert "the system is of 'Rival'; one of Light and Wonder is allowed" in told.message
    for name in ("LNW", "light & wonder", "Scientific Games", "Light and Wonder Gaming, Inc."):
        assert maker_named(name) == MAKER
    assert maker_named("Rival") == "Rival"


def test_every_row_of_the_list_names_a_clause_and_a_source() -> None:
    known = {clause.id for clause in clauses()}
    rows = [*catalog("equipment")["requirement"], *catalog("equipment")["stack"]]
    assert all(row["clause"] in known and row["source"] for row in rows)
    assert all(stack.display_clause in known for stack in stacks())
    assert {row.kind for row in requirements() if not row.games} == {"shuffler", "layout"}
    assert all(row.source and (row.reference or not row.model) for row in printed_models())
    assert kinds_by_model() == ("shuffler",)


# ---- versions


@pytest.mark.clause("PGM-01")
def test_versions_are_read_in_the_forms_that_are_printed() -> None:
    for text, printed in (
        ("6.6 build 520", "6.6 build 520"),
        ("v6.6 Build 520", "6.6 build 520"),
        ("6.5.6SP", "6.5.6SP"),
        ("1.66P$", "1.66P$"),
        ("5.4.0", "5.4"),
        ("5.4", "5.4"),
        ("0", "0"),
    ):
        assert str(parse_version(text)) == printed
        assert parse_version(printed) == parse_version(text)
    order = ["6.5 build 999", "6.6", "6.6 build 519", "6.6 build 520", "6.6.1", "6.10", "7"]
    for number, low in enumerate(order):
        for other, high in enumerate(order):
            reaches = parse_version(high).reaches(parse_version(low))
            assert reaches is (other >= number), (low, high)


@pytest.mark.clause("PGM-01")
@pytest.mark.parametrize(
    "text", ["7 beta 1", "7.0beta1", "7-1", "latest", "", " ", "6.6 build", "6..6", "\u0667", "1e3"]
)
def test_a_text_that_is_no_version_is_refused_when_it_is_recorded(room: Room, text: str) -> None:
    told = not_recorded(room, **{**SYSTEM, "parts": {**GAME_MANAGER, "Game Manager": text}})
    assert (told.reason, told.clause) == (Reason.BAD_ARGUMENT, "PGM-01")
    assert (
        f"version {text!r} is not a version; allowed: forms such as 6.6 build 520" in told.message
    )
    if text.strip():
        assert repr(text) in not_recorded(room, **{**BACKUP, "version": text}).message


@pytest.mark.clause("PGM-01", "PNX-01")
def test_part_names_are_taken_as_printed_or_by_an_alias(room: Room) -> None:
    printed = {
        "Nexus Command Game Manager 2": "2.5.4",
        "Nexus Command Table Controller 2": "2.6.0",
    }
    short = {"Game Manager 2": "v2.5.4", "table controller 2": "2.6"}
    for parts in (printed, short):
        record(room, **{**SYSTEM, "parts": parts})
        assert missing(room.state, room.state.streams["table:S"]) == []
    assert part_named("Nexus Command Table Controller Software")
    twice = not_recorded(room, **{**SYSTEM, "parts": {**printed, "Game Manager 2": "3"}})
    assert twice.reason is Reason.GIVEN_TWICE
    unknown = not_recorded(room, **{**SYSTEM, "parts": {"Toaster": "1.0"}})
    assert "part 'Toaster' is unknown; known: Game Manager, " in unknown.message
    assert not_recorded(room, **BACKUP, parts=NEXUS).message == (
        "a shuffler has no parts; only a progressive system has"
    )


# ---- displays


@pytest.mark.clause("PNX-02")
@pytest.mark.parametrize(("flaw", "told"), [("network", "has a network"), ("input", "takes input")])
def test_a_smart_tv_does_not_pass_as_a_display_without_intelligence(
    room: Room, flaw: str, told: str
) -> None:
    display = {**MONITOR, "name": "smart TV with Wi-Fi", flaw: True}
    record(room, **{**SYSTEM, "parts": NEXUS, "display": display})
    found = refused(room, "SH1", "PG1", "LA1")
    assert (found.reason, found.clause) == (Reason.NOT_APPROVED, "PNX-02")
    assert found.message == (
        f"S cannot open: PG1: display 'smart TV with Wi-Fi' {told}; only a monitor without "
        "network or input is allowed"
    )
    record(room, **{**SYSTEM, "parts": NEXUS})
    opened(room, "SH1", "PG1", "LA1")


@pytest.mark.clause("PNX-02")
def test_a_display_that_is_not_declared_in_full_is_refused(room: Room) -> None:
    for left_out in ("network", "input"):
        display = {name: value for name, value in MONITOR.items() if name != left_out}
        told = not_recorded(room, **{**SYSTEM, "parts": NEXUS, "display": display})
        assert (told.clause, f"does not say {left_out}" in told.message) == ("PNX-02", True)
    told = not_recorded(room, **{**SYSTEM, "parts": NEXUS, "display": {**MONITOR, "input": "no"}})
    assert "input 'no'" in told.message
    told = not_recorded(room, **{**SYSTEM, "parts": {**NEXUS, "display": "smart TV"}})
    assert "a display is declared with network and input" in told.message
    assert "a shuffler has no display" in not_recorded(room, **BACKUP, display=MONITOR).message


# ---- layouts


@pytest.mark.clause("CMP-03", "CMP-07")
@pytest.mark.parametrize(
    ("profile", "clause"), [("wa_commercial", "CMP-03"), ("wa_tribal", "CMP-07")]
)
def test_a_table_does_not_open_without_a_layout_on_record(
    room: Room, profile: str, clause: str
) -> None:
    options = {"profile": profile}
    room.do("a1", "make_table", table="B", game="three-card-poker", options=options)
    room.do("a1", "approve_rules", table="B", **PAPER)
    for paper in ("tribal_agency", "state_concurrence"):
        room.do("a1", "record_paper", paper=paper, **PAPER)
    with pytest.raises(Refused) as told:
        room.do("s1", "open_table", table="B", equipment=["SH1"], pin_held=True)
    assert told.value.clause == clause
    assert told.value.message == (
        "B cannot open: no layout on record is assigned to it; one of a licensed maker is needed"
    )
    room.do("s1", "open_table", table="B", equipment=["SH1", "LA1"], pin_held=True)
    # One layout lies on one table.
    with pytest.raises(Refused, match="'LA1' stands at B"):
        opened(room, "PG1", "LA1")


# ---- the change of a shuffler


def failed(room: Room, table: str = "S") -> None:
    """A table whose shuffler is switched off and unplugged."""
    room.do("d1", "open_round", table=table)
    room.say(table, "shuffler fault: cards jam")
    for step in (1, 2):
        room.say(table, STEP.format(step))


def change(room: Room, table: str = "S", **given: Any) -> Any:
    return room.do("d1", "round", table=table, text=STEP.format(3), **given)


def not_changed(room: Room, **given: Any) -> Refused:
    before = stands_at(room), room.state.streams["floor:register"], room.state.streams["table:S"]
    with pytest.raises(Refused) as raised:
        change(room, **given)
    after = stands_at(room), room.state.streams["floor:register"], room.state.streams["table:S"]
    assert after == before
    return raised.value


@pytest.mark.clause("TSR-32", "TCP-23", "CMP-16")
def test_the_table_lists_the_shuffler_that_replaced_the_broken_one(room: Room) -> None:
    opened(room, "SH1", "PG1", "LA1")
    record(room, **BACKUP)
    failed(room)
    told = not_changed(room)
    assert (told.reason, told.clause) == (Reason.NOT_DONE_YET, "TCP-23")
    assert told.message == (
        "shuffler 'SH1' of S is taken away; give the serial of the replacement, on record: SH2"
    )
    change(room, replacement="SH2")
    assert stands_at(room) == ("SH2", "PG1", "LA1")
    for step in range(4, 8):
        room.say("S", STEP.format(step))
    assert missing(room.state, room.state.streams["table:S"]) == []
    room.say("S", "void ruling: start again", "s1")
    room.do("s1", "close_table", table="S")
    # The broken one is out of service, also when it is recorded again, until it is repaired.
    record(room, **{**BACKUP, "serial": "SH1"})
    for _ in range(2):
        broken = refused(room, "SH1", "PG1", "LA1")
        assert (broken.reason, broken.clause) == (Reason.NOT_APPROVED, "TSR-32")
        assert broken.message == (
            "equipment 'SH1' is out of service (cards jam); an administrator records its repair "
            "first"
        )
        with pytest.raises(Refused, match="'SH1' is out of service"):
            room.do("s1", "open_table", table="T1", equipment=["SH1"], pin_held=True)
    with pytest.raises(Refused, match="takes administrator"):
        room.do("d1", "record_repair", serial="SH1", reference="service 12", pin_held=True)
    room.do("a1", "record_repair", serial="SH1", reference="service 12")
    opened(room, "SH1", "PG1", "LA1")
    with pytest.raises(Refused, match="'SH1' is in service; out of service: none"):
        room.do("a1", "record_repair", serial="SH1", reference="service 12")


@pytest.mark.clause("TSR-32", "CMP-16", "TCP-15")
def test_only_another_approved_shuffler_takes_the_place_of_a_broken_one(room: Room) -> None:
    opened(room, "SH1", "PG1", "LA1")
    room.do("a1", "record_maker", maker="Rival", state=LICENCE)
    record(room, **{**BACKUP, "serial": "SH3", "maker": "Rival", "model": "baccarat shoe"})
    record(room, **{**BACKUP, "serial": "SH4", "model": "banana"})
    record(room, **BACKUP)
    room.do("s1", "open_table", table="T1", equipment=["SH2"], pin_held=True)
    failed(room)
    for given, clause, words in (
        ("XX", "CMP-03", "equipment 'XX' is not on record"),
        ("PG1", "TCP-23", "replacement 'PG1' is no other shuffler"),
        ("SH1", "TCP-23", "replacement 'SH1' is no other shuffler"),
        ("SH2", "CMP-03", "'SH2' stands at T1, which is open"),
        ("SH3", "TCP-15", "'baccarat shoe' of 'Rival' is not on the approved list"),
        ("SH4", "TCP-15", "'banana' of 'Light and Wonder' is not on the approved list"),
    ):
        told = not_changed(room, replacement=given)
        assert (told.clause, words in told.message) == (clause, True), told.message
    assert "known: SH1" in not_changed(room, replacement="SH2", broken="PG1").message
    room.do("s1", "close_table", table="T1")
    change(room, replacement="SH2")
    assert stands_at(room)[0] == "SH2"


@pytest.mark.clause("TSR-32")
def test_a_replacement_is_given_with_its_step_and_where_a_shuffler_is_on_record(room: Room) -> None:
    failed(room, "T1")
    for line in (STEP.format(3), STEP.format(4)):
        with pytest.raises(Refused, match=r"(replacement 'SH1' is not asked for|is not next)"):
            room.do("d1", "round", table="T1", text=line, replacement="SH1")
    change(room, "T1")
    room.say("T1", STEP.format(4))
    # Of two machines at a table, the broken one is named.
    record(room, **BACKUP)
    record(room, **{**BACKUP, "serial": "SH3"})
    opened(room, "SH1", "SH2", "PG1", "LA1")
    failed(room)
    assert "known: SH1, SH2" in not_changed(room, replacement="SH3").message
    change(room, replacement="SH3", broken="SH2")
    assert stands_at(room) == ("SH1", "SH3", "PG1", "LA1")


# ---- as then


@pytest.mark.clause("PGM-01", "PNX-01")
def test_what_an_earlier_program_took_for_a_version_counts_as_it_did() -> None:
    then = {**GAME_MANAGER, "Game Manager": "7 beta 1"}
    assert stack_problems_then("game_manager", then) == []
    for name, version in (("Game Manager", "6.6 build 519"), ("Coin Spot", "6.0.1")):
        assert stack_problems_then("game_manager", {**GAME_MANAGER, name: version})
    assert stack_problems_then("nexus", {**NEXUS, "display": "smart TV"}) == []
    assert stack_problems_then("nexus", NEXUS)
