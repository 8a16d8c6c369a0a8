"""Awards that wait for one meter at several tables, and what may not be taken from under them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from houseway.floor.link import Pending
from houseway.floor.model import FloorModel
from houseway.floor.queue import free
from houseway.house.meters import MICROCENTS, Meter, MeterSettings
from houseway.house.meters import award as taken_off
from houseway.journal.audit import verify
from houseway.journal.rebuild import differences
from houseway.refusal import Reason
from tests.floor.room import CHECKED, SETTINGS, Room
from tests.floor.test_floor import OTHER_SUIT, SPADES, all_events, last, refused, says

TWO = ("three-card-poker", "three-card-poker")
# A tenth of every dollar to the meter, a hundredth to the reserve, $50.00 to start with.
TENTH = {"contribution_ppm": 100_000, "reserve_ppm": 10_000, "meter_seed_cents": 5_000}


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    """A floor with nobody on it yet; whatever happened there must hold in the end."""
    made = Room(database)
    yield made
    with made.journal.engine.connect() as connection:
        assert verify(connection).holds
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


FLUSH = "straight_flush"
# Straight flushes of the link win the whole Major, and two of them can lie on one table.
MAJOR: dict[str, Any] = {
    "paytable": "ML01",
    "progressive": "five-card-link",
    "meters": {"mega": TENTH, "major": TENTH},
}


def dealt(room: Room, **tables: Mapping[int, str | None]) -> None:
    """Rounds at tables: all are started, and then all are dealt."""
    for table, hands in tables.items():
        room.start(table, *sorted(hands))
    for table, hands in tables.items():
        room.deal(table, hands)


def amount(room: Room, table: str, position: int) -> int:
    """What an award stands at that waits on the link."""
    pending = room.state.streams["link:L"].pending
    [waits] = [p for p in pending if (p.table, p.position) == (table, position)]
    return int(waits.amount_cents)


def more_comes_in(room: Room, table: str = "T2") -> None:
    room.quiet_round(table, 7)


def jackpot(room: Room, table: str, position: int, card: str = "s1") -> Any:
    asked = {"table": table, "position": position, "pin_held": True, "checklist": CHECKED}
    return room.do(card, "press_jackpot", **asked)


def turn(room: Room, table: str, to: str, card: str = "s1") -> Any:
    return room.do(card, "turn_key", table=table, to=to, pin_held=True)


@pytest.mark.parametrize("hand", ["straight", FLUSH])
def test_a_frozen_amount_does_not_move_when_a_later_hand_is_chosen(room: Room, hand: str) -> None:
    """A-16: neither up with the meter, nor behind what another table chose meanwhile."""
    room.set_up(games=TWO, **MAJOR)
    dealt(room, T1={1: hand, 2: FLUSH}, T2={4: FLUSH})
    room.press("T1", 2, FLUSH)
    assert amount(room, "T1", 2) == 5_030
    assert room.press("T2", 4, FLUSH) == 5_003
    assert room.press("T2", 4, FLUSH) == 0
    room.say("T2", "void ruling: a card lay on the floor", "s1")
    more_comes_in(room)
    room.press("T1", 1, hand)
    assert amount(room, "T1", 2) == 5_030
    # Taking the later hand back does not move it either.
    room.press("T1", 1, hand)
    assert amount(room, "T1", 2) == 5_030


@pytest.mark.clause("PNX-11", "PML-11")
def test_a_hand_found_late_takes_its_turn_and_overtakes_no_other_table(room: Room) -> None:
    room.set_up(games=TWO, **MAJOR)
    dealt(room, T1={2: FLUSH, 6: FLUSH}, T2={4: FLUSH})
    room.press("T1", 2, FLUSH)
    room.press("T2", 4, FLUSH)
    assert (amount(room, "T1", 2), amount(room, "T2", 4)) == (5_030, 5_003)
    # Position 6 is paid before position 2 and takes its place; position 2 goes to the end.
    room.press("T1", 6, FLUSH)
    assert amount(room, "T1", 6) == 5_030
    assert amount(room, "T2", 4) == 5_003
    assert amount(room, "T1", 2) == 5_000
    room.do("d1", "call_supervisor", table="T1")
    room.do("d1", "call_supervisor", table="T2")
    assert room.confirm("T1", 6)["amount_cents"] == 5_030
    # With the first gone the order between the two tables no longer matters.
    assert room.confirm("T1", 2)["amount_cents"] == 5_000
    assert room.confirm("T2", 4)["amount_cents"] == 5_003
    assert room.meter("L", "major") == 5_000


@pytest.mark.clause("PGM-13", "PGM-14", "PGM-16")
def test_what_j_pot_has_logged_is_what_is_paid(room: Room) -> None:
    room.set_up(
        games=(*TWO, "three-card-poker"),
        meters={"single": TENTH},
        options={"award_profile": "game_manager"},
    )
    dealt(room, T1={2: SPADES}, T2={6: SPADES})
    room.press("T1", 2, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    turn(room, "T1", "jph")
    assert jackpot(room, "T1", 2)["amount_cents"] == 5_020
    more_comes_in(room, "T3")
    # A hand that another table finds now comes after it.
    assert room.press("T2", 6, SPADES) == 5_013
    assert amount(room, "T1", 2) == 5_020
    asked = {"table": "T1", "position": 2, "pin_held": True, "checklist": CHECKED}
    again = refused(room, "s1", "press_jackpot", **asked)
    assert (again.reason, again.clause) == (Reason.WRONG_PHASE, "PGM-14")
    turned = turn(room, "T1", "run")
    assert (turned["position"], turned["amount_cents"]) == (2, 5_020)
    assert room.meter("L") == 5_013


@pytest.mark.parametrize("system", ["nexus", "game_manager"])
def test_an_amount_fixed_at_confirmation_is_the_one_the_threshold_is_asked_of(
    room: Room, system: str
) -> None:
    """A-16 by option, A-24: the meter passes the threshold between choosing and confirming.

    Game Manager knows no threshold: the key is the supervisor's, whatever the amount.
    """
    options = {"award_amount_fixed": "at_confirmation", "award_profile": system}
    room.set_up(games=TWO, meters={"single": TENTH}, options=options, threshold=5_020)
    dealt(room, T1={1: SPADES})
    assert room.press("T1", 1, SPADES) == 5_010
    room.do("d1", "call_supervisor", table="T1")
    more_comes_in(room)
    if system == "game_manager":
        turn(room, "T1", "jph")
        assert jackpot(room, "T1", 1)["amount_cents"] == 5_020
        more_comes_in(room)
        assert turn(room, "T1", "run")["amount_cents"] == 5_020
        return
    asked = {"table": "T1", "position": 1, "pin_held": True, "checklist": CHECKED}
    low = refused(room, "s1", "confirm_award", **asked)
    assert low.reason is Reason.NOT_APPROVED
    assert "an award of $50.20 takes an executive" in low.message
    assert room.do("e1", "confirm_award", **asked)["amount_cents"] == 5_020


def test_an_award_fixed_at_confirmation_leaves_the_one_behind_it_waiting(room: Room) -> None:
    """A-16 by option: what came in goes to the first, and the reserve to the second."""
    options = {"award_amount_fixed": "at_confirmation"}
    room.set_up(games=(*TWO, TWO[0]), meters={"single": TENTH}, options=options)
    dealt(room, T1={1: SPADES}, T2={1: SPADES})
    room.press("T1", 1, SPADES)
    room.press("T2", 1, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    room.do("d1", "call_supervisor", table="T2")
    more_comes_in(room, "T3")
    assert room.confirm("T1", 1)["amount_cents"] == 5_030
    assert amount(room, "T2", 1) == 5_003
    assert room.confirm("T2", 1)["amount_cents"] == 5_003


def test_nobody_is_paid_out_of_what_another_table_was_promised_first(room: Room) -> None:
    """A tenth of the meter after its new start is not there before it has started again."""
    room.set_up(paytable="01", progressive="five-card-link", games=TWO, meters={"single": TENTH})
    dealt(room, T1={1: "royal_flush"}, T2={1: FLUSH})
    room.press("T1", 1, "royal_flush")
    room.press("T2", 1, FLUSH)
    assert (amount(room, "T1", 1), amount(room, "T2", 1)) == (5_020, 500)
    room.do("d1", "call_supervisor", table="T1")
    room.do("d1", "call_supervisor", table="T2")
    asked = {"table": "T2", "position": 1, "pin_held": True, "checklist": CHECKED}
    early = refused(room, "e1", "confirm_award", **asked)
    assert (early.reason, early.clause) == (Reason.OUT_OF_ORDER, "PML-11")
    assert "position 1 of T1" in early.message
    room.confirm("T1", 1)
    assert room.confirm("T2", 1)["amount_cents"] == 500


def test_what_is_taken_back_in_front_is_there_for_those_behind(room: Room) -> None:
    """A-16: a hand that was misread at one table costs the winner at another nothing."""
    room.set_up(games=TWO, meters={"single": TENTH})
    more_comes_in(room, "T1")
    dealt(room, T1={1: SPADES}, T2={1: SPADES})
    room.press("T1", 1, SPADES)
    assert room.press("T2", 1, SPADES) == 5_003
    version = room.state.head("table:T2").version
    room.press("T1", 1, SPADES)
    assert amount(room, "T2", 1) == 5_030
    # Whoever looked at the other table before must look again.
    assert room.state.head("table:T2").version == version + 1


def test_fixed_pays_and_adjustments_leave_what_somebody_waits_for(room: Room) -> None:
    """PRC-01, A-16, A-49: a meter that pays everything still pays what it has promised."""
    room.set_up(games=TWO, meters={"single": TENTH}, all_from_meter=True)
    dealt(room, T1={1: SPADES}, T2={1: "straight"})
    room.press("T1", 1, SPADES)
    room.press("T2", 1, "straight")
    slip: dict[str, Any] = {
        "link": "L",
        "level": "single",
        "reason": "display_error",
        "text": "the sensor counted twice",
        "second": "c1",
        "pin_held": True,
        "second_pin_held": True,
    }
    assert refused(room, "s1", "adjust", **slip, cents=-1).reason is Reason.NOT_DONE_YET
    # All of the meter is promised, so the house lays out the $6.00.
    room.say("T2", "close")
    assert last(room, "game_ended")["meter_was_short_cents"] == 600
    more_comes_in(room, "T2")
    room.do("s1", "adjust", **slip, cents=-10)
    room.do("d1", "call_supervisor", table="T1")
    assert room.confirm("T1", 1)["amount_cents"] == 5_020


def test_a_void_round_does_not_take_back_what_was_won_since(room: Room) -> None:
    """A-15: the player gets the wager back, and the house bears what a winner has had of it."""
    room.set_up(games=TWO, meters={"single": TENTH})
    dealt(room, T1={1: None}, T2={1: SPADES})
    room.press("T2", 1, SPADES)
    room.do("d1", "call_supervisor", table="T2")
    room.confirm("T2", 1)
    assert room.state.owed("reserve:L:single") == 0
    room.say("T1", "void ruling: four cards", "s1")
    assert last(room, "game_voided")["kept"] == ["single"]
    assert (room.meter("L"), room.state.owed("reserve:L:single")) == (5_002, 0)
    # The dollar that came into the tray went back to the player.
    assert room.state.owed("tray:T1") == 0
    # The reserve is not below nothing, so the next whole award can be written.
    room.do("c1", "pay_award", table="T2", page=1, reference="cheque 1")
    room.say("T2", "close")
    dealt(room, T1={1: SPADES})
    room.press("T1", 1, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    assert room.confirm("T1", 1)["amount_cents"] == 5_012


def test_a_void_round_does_not_take_back_what_somebody_waits_for(room: Room) -> None:
    room.set_up(games=TWO, meters={"single": TENTH})
    dealt(room, T1={1: None}, T2={1: SPADES})
    room.press("T2", 1, SPADES)
    assert amount(room, "T2", 1) == 5_020
    room.say("T1", "void ruling: four cards", "s1")
    assert last(room, "game_voided")["kept"] == ["single"]
    room.do("d1", "call_supervisor", table="T2")
    assert room.confirm("T2", 1)["amount_cents"] == 5_020


def test_a_void_round_leaves_the_last_cent_that_somebody_waits_for(room: Room) -> None:
    room.set_up(games=(*TWO, TWO[0]), meters={"single": TENTH})
    dealt(room, T1={1: None}, T2={1: SPADES})
    room.press("T2", 1, SPADES)
    assert amount(room, "T2", 1) == 5_020
    room.start("T3", 1, cents=50)
    # 5,025 without the 10 cents of the first table are 5 less than are waited for.
    room.say("T1", "void ruling: four cards", "s1")
    assert last(room, "game_voided")["kept"] == ["single"]
    assert room.meter("L") == 5_025


def test_a_void_round_leaves_the_reserve_that_somebody_waits_for(room: Room) -> None:
    """The second winner starts from the reserve, which has 50 cents of the void round."""
    rates = {"contribution_ppm": 1_000, "reserve_ppm": 500_000}
    room.set_up(games=(*TWO, TWO[0]), meters={"single": {**TENTH, **rates}})
    dealt(room, T1={1: None}, T2={1: SPADES}, T3={1: SPADES})
    room.press("T2", 1, SPADES)
    room.press("T3", 1, SPADES)
    assert (amount(room, "T2", 1), amount(room, "T3", 1)) == (5_000, 5_150)
    room.say("T1", "void ruling: four cards", "s1")
    assert last(room, "game_voided")["kept"] == ["single"]
    for table, cents in (("T2", 5_000), ("T3", 5_150)):
        room.do("d1", "call_supervisor", table=table)
        assert room.confirm(table, 1)["amount_cents"] == cents


def test_another_table_is_told_of_an_amount_only_when_it_changes(room: Room) -> None:
    room.set_up(games=TWO, meters={"single": TENTH})
    dealt(room, T1={1: SPADES}, T2={1: SPADES})
    room.press("T1", 1, SPADES)
    room.press("T2", 1, SPADES)
    # Behind the first there is the new start: $50.00 and a cent of each wager from the reserve.
    assert (amount(room, "T1", 1), amount(room, "T2", 1)) == (5_020, 5_002)
    told = [event.data for event in all_events(room) if event.kind == "amounts_changed"]
    assert told == []
    # The first is put out; the second has all of the meter.
    room.press("T1", 1, SPADES)
    assert last(room, "amounts_changed") == {"amounts": {"1": 5_020}, "through": "T1"}


# Half of every wager is set aside, so there is more after a new start than before it.
HALF_ASIDE: dict[str, Any] = {
    "games": TWO,
    "meters": {"single": {**TENTH, "reserve_ppm": 500_000}},
    "options": {"award_profile": "game_manager"},
}


def claimed(room: Room, table: str) -> None:
    """A hand at position 1 that is on the display, with the key at JPH."""
    room.press(table, 1, SPADES)
    room.do("d1", "call_supervisor", table=table)
    turn(room, table, "jph")


def test_two_logged_awards_leave_in_the_order_they_were_logged(room: Room) -> None:
    """Each table turns its own key back; whoever comes second waits for the first."""
    room.set_up(**HALF_ASIDE)
    dealt(room, T1={1: SPADES}, T2={1: SPADES})
    for table in ("T1", "T2"):
        claimed(room, table)
        jackpot(room, table, 1)
    # After the new start there is more than now: the reserve of both wagers, a dollar.
    assert (amount(room, "T1", 1), amount(room, "T2", 1)) == (5_020, 5_100)
    early = refused(room, "s1", "turn_key", table="T2", to="run", pin_held=True)
    assert (early.reason, early.clause) == (Reason.OUT_OF_ORDER, "PGM-10")
    for table, cents in (("T1", 5_020), ("T2", 5_100)):
        assert turn(room, table, "run")["amount_cents"] == cents


def backed_out(page: int, cents: int) -> dict[str, Any]:
    """What two people ask for who put back the award of a win page."""
    return {
        "link": "L",
        "level": "single",
        "cents": cents,
        "reason": "award_backed_out",
        "text": "the hand was misread",
        "page": page,
        "second": "c1",
        "pin_held": True,
        "second_pin_held": True,
    }


@pytest.mark.clause("PGM-16")
def test_an_award_backed_out_before_run_leaves_the_meter_to_those_behind(room: Room) -> None:
    """What they were promised came after a new start that there is not now (A-16)."""
    room.set_up(**HALF_ASIDE)
    dealt(room, T1={1: SPADES}, T2={1: SPADES})
    for table in ("T1", "T2"):
        claimed(room, table)
    jackpot(room, "T1", 1)
    assert amount(room, "T2", 1) == 5_100
    version = room.state.head("table:T2").version
    room.do("s1", "adjust", **backed_out(1, 5_020))
    assert amount(room, "T2", 1) == 5_020
    # Whoever looked at the other table before must look again.
    assert room.state.head("table:T2").version == version + 1
    assert jackpot(room, "T2", 1)["amount_cents"] == 5_020
    assert turn(room, "T2", "run")["amount_cents"] == 5_020
    # Then the first hand is read again, and is behind.
    assert room.press("T1", 1, SPADES) == 5_100
    assert jackpot(room, "T1", 1)["amount_cents"] == 5_100
    assert turn(room, "T1", "run")["amount_cents"] == 5_100


@pytest.mark.clause("PGM-16")
def test_an_award_is_not_backed_out_once_what_overflowed_with_it_was_booked(room: Room) -> None:
    room.set_up(meters={"single": {**TENTH, "cap_cents": 5_000}}, notice_posted=True)
    dealt(room, T1={1: SPADES})
    # The contribution of 10 cents is above the cap, and so is the cent of the reserve.
    [won] = confirmed(room, "T1", 1, hand=SPADES)
    assert (won, room.state.owed("overflow:L:single")) == (5_000, 11 * MICROCENTS)
    booked = {**backed_out(1, -11), "reason": "booked_receipts"}
    room.do("s1", "adjust", **booked)
    assert refused(room, "s1", "adjust", **backed_out(1, won)).reason is Reason.NOT_DONE_YET
    assert (room.meter("L"), room.state.owed("overflow:L:single")) == (5_000, 0)


@pytest.mark.clause("PGM-16")
def test_the_reserve_that_comes_back_with_an_award_counts_for_those_who_wait(room: Room) -> None:
    rates = {"contribution_ppm": 60_000, "reserve_ppm": 50_000}
    room.set_up(games=(*TWO, TWO[0]), meters={"single": {**TENTH, **rates}})
    dealt(room, T1={1: SPADES})
    [won] = confirmed(room, "T1", 1, hand=SPADES)
    dealt(room, T2={1: SPADES}, T3={1: SPADES})
    for table in ("T2", "T3"):
        room.press(table, 1, SPADES)
    # $50.00 with 5 from the reserve and 12 from two wagers; then $50.00 with 10 from the reserve.
    assert (won, amount(room, "T2", 1), amount(room, "T3", 1)) == (5_006, 5_017, 5_010)
    # 5,018 pay the 5,017; then $50.00 with the 15 cents of the reserve pay the 5,010.
    room.do("s1", "adjust", **backed_out(1, won))
    assert (room.meter("L"), room.state.owed("reserve:L:single")) == (5_018, 15 * MICROCENTS)


@pytest.mark.clause("PGM-16")
def test_an_award_is_not_backed_out_from_under_a_logged_one(room: Room) -> None:
    """What J-POT has logged never changes, so the last that was logged goes back first."""
    room.set_up(**HALF_ASIDE)
    dealt(room, T1={1: SPADES}, T2={1: SPADES})
    for table in ("T1", "T2"):
        claimed(room, table)
        jackpot(room, table, 1)
    kept = refused(room, "s1", "adjust", **backed_out(1, 5_020))
    assert (kept.reason, kept.clause) == (Reason.NOT_DONE_YET, "PGM-16")
    room.do("s1", "adjust", **backed_out(2, 5_100))
    room.do("s1", "adjust", **backed_out(1, 5_020))
    assert room.state.streams["link:L"].pending == ()
    assert room.meter("L") == 5_020


def confirmed(room: Room, table: str, *positions: int, hand: str = FLUSH) -> list[int]:
    """Awards that are chosen and confirmed one after the other; returns their cents."""
    for position in positions:
        room.press(table, position, hand)
    room.do("d1", "call_supervisor", table=table)
    return [int(room.confirm(table, position)["amount_cents"]) for position in positions]


def test_a_void_round_takes_back_all_it_brought_once_its_awards_are_put_back(room: Room) -> None:
    """A-15: a meter that was started again, and whose start was undone, is as it was."""
    room.set_up(games=TWO, **MAJOR)
    dealt(room, T1={2: FLUSH, 6: FLUSH})
    first, second = confirmed(room, "T1", 6, 2)
    assert (first, second) == (5_020, 5_002)
    for page, cents in ((2, second), (1, first)):
        room.do("s1", "adjust", **{**backed_out(page, cents), "level": "major"})
    room.say("T1", "void ruling: four cards", "s1")
    assert last(room, "game_voided")["kept"] == []
    for level in ("mega", "major"):
        assert room.state.owed(f"meter:L:{level}") == 5_000 * MICROCENTS
        assert room.state.owed(f"reserve:L:{level}") == 0
    assert room.state.owed("tray:T1") == 0


def test_a_void_round_whose_award_was_put_back_leaves_what_another_table_won(room: Room) -> None:
    """A-15: the other table has won the contribution of this one meanwhile."""
    room.set_up(games=TWO, **MAJOR)
    dealt(room, T1={2: FLUSH}, T2={4: FLUSH})
    [own] = confirmed(room, "T1", 2)
    room.do("s1", "adjust", **{**backed_out(1, own), "level": "major"})
    [won] = confirmed(room, "T2", 4)
    assert (own, won) == (5_020, 5_020)
    room.say("T1", "void ruling: four cards", "s1")
    # Nobody has won the Mega, which gives it back.
    assert last(room, "game_voided")["kept"] == ["major"]
    assert room.meter("L", "major") == 5_002
    assert room.meter("L", "mega") == 5_010


def test_a_void_round_does_not_take_back_what_was_booked_since(room: Room) -> None:
    room.set_up(meters={"single": {**TENTH, "cap_cents": 5_000}}, notice_posted=True)
    room.start("T1", 1)
    room.do(
        "s1",
        "adjust",
        link="L",
        level="single",
        cents=-10,
        reason="booked_receipts",
        text="what came in above the cap",
        second="c1",
        pin_held=True,
        second_pin_held=True,
    )
    room.say("T1", "void ruling: four cards", "s1")
    assert last(room, "game_voided")["kept"] == ["single"]
    assert room.state.owed("overflow:L:single") == 0


def test_a_cap_begins_at_once_and_a_new_seed_with_the_next_start(room: Room) -> None:
    room.set_up(meters={"single": TENTH})
    new = {**TENTH, "meter_seed_cents": 3_000, "cap_cents": 5_005}
    asked = {"link": "L", "notice_posted": True}
    low = {"single": {**new, "cap_cents": 4_999}}
    too_low = refused(room, "a1", "change_settings", **asked, meters=low)
    assert too_low.reason is Reason.AMOUNT_TOO_LARGE
    room.do("a1", "change_settings", **asked, meters={"single": new})
    room.play("T1", {1: SPADES})
    assert (room.meter("L"), room.state.owed("overflow:L:single")) == (5_005, 5_000_000)
    assert room.press("T1", 1, SPADES) == 5_005
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 1)
    assert room.meter("L") == 3_001


def test_old_and_new_rates_never_take_more_than_the_wager(room: Room) -> None:
    """Levels change one by one, each with its own award."""
    old = {
        "mega": {**TENTH, "contribution_ppm": 100_000, "reserve_ppm": 0},
        "major": {**TENTH, "contribution_ppm": 900_000, "reserve_ppm": 0},
    }
    new = {"mega": old["major"], "major": old["mega"]}
    room.set_up(paytable="ML01", progressive="five-card-link", meters=old)
    asked = {"link": "L", "meters": new, "reason": "a busy month"}
    assert refused(room, "a1", "change_settings", **asked).clause == "PRC-01"
    room.play("T1", {1: "royal_flush"})
    room.press("T1", 1, "royal_flush")
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 1)


@pytest.mark.clause("PGM-16")
def test_an_adjustment_keeps_to_the_cap_and_to_what_is_not_shown(room: Room) -> None:
    capped = {**SETTINGS, "meter_seed_cents": 5_000, "cap_cents": 5_100}
    room.set_up(meters={"single": capped}, notice_posted=True)
    asked: dict[str, Any] = {
        "link": "L",
        "level": "single",
        "text": "as written in the log",
        "second": "c1",
        "pin_held": True,
        "second_pin_held": True,
    }
    added = room.do("s1", "adjust", **asked, cents=250, reason="house_adds")
    # No sign shows more than the posted cap; the rest is kept beside the meter.
    assert added["after_cents"] == 5_100
    assert room.state.owed("overflow:L:single") == 150_000_000
    # What is above a cap is still the players'.
    room.do("s1", "adjust", **asked, cents=-20, reason="above_cap")
    assert (room.meter("L"), room.state.owed("overflow:L:single")) == (5_080, 170_000_000)
    # Booked as receipts is what no sign shows, and no more than there is of it.
    too_much = refused(room, "s1", "adjust", **asked, cents=-171, reason="booked_receipts")
    assert too_much.reason is Reason.AMOUNT_TOO_LARGE
    before = room.state.owed("house")
    booked = room.do("s1", "adjust", **asked, cents=-170, reason="booked_receipts")
    assert (booked["after_cents"], room.state.owed("overflow:L:single")) == (5_080, 0)
    assert room.state.owed("house") == before + 170_000_000


@pytest.mark.clause("PNX-18", "PGM-18")
def test_envy_waits_for_every_trigger_and_is_paid_once(room: Room) -> None:
    """No trigger is found after envy was paid: the cards say beforehand what is one."""
    room.set_up()
    room.play("T1", {1: OTHER_SUIT, 2: None, 3: OTHER_SUIT})
    room.press("T1", 1, OTHER_SUIT)
    missing = says(room, "T1", "pay envy")
    assert (missing.reason, missing.clause) == (Reason.NOT_DONE_YET, "PNX-12")
    assert f"{OTHER_SUIT} at 3" in missing.message
    room.press("T1", 3, OTHER_SUIT)
    assert "envy" in says(room, "T1", "close").message
    room.say("T1", "pay envy")
    paid = last(room, "envy_paid")
    lines = [(line["position"], line["from"]) for line in paid["lines"]]
    assert (lines, paid["cents"]) == ([(3, 1), (2, 1), (2, 3), (1, 3)], 4 * 2_500)
    assert "no envy" in says(room, "T1", "pay envy").message
    # What was paid for is still on the display when the round ends.
    room.press("T1", 1, OTHER_SUIT)
    assert f"{OTHER_SUIT} at 1" in says(room, "T1", "close").message
    room.press("T1", 1, OTHER_SUIT)
    room.say("T1", "close")
    assert room.state.owed("envy") == -4 * 2_500 * 1_000_000


def test_wagers_carried_over_play_for_the_link_they_were_taken_for(room: Room) -> None:
    """A-15."""
    room.set_up(options={"void_progressive": "carry_to_next_round"})
    room.start("T1", 1)
    room.say("T1", "void ruling: four cards", "s1")
    assert "carried over" in refused(room, "a1", "leave_link", table="T1").message
    room.do("d1", "open_round", table="T1")
    # It stays whole, and it stays when nobody plays for it.
    assert "carried over" in says(room, "T1", "bets 1: ante 5, progressive 0.50").message
    room.say("T1", "bets 2: ante 5")
    room.say("T1", "void ruling: four cards", "s1")
    assert "carried over" in refused(room, "a1", "leave_link", table="T1").message
    room.quiet_round("T1", 1)
    assert last(room, "game_started")["wagered"] == 0
    room.do("a1", "leave_link", table="T1")


def test_what_is_free_is_all_that_can_leave_with_everybody_still_paid() -> None:
    """Against paying the queue one after the other, to the last unit on either side."""
    rng, seen = Random(30), Counter[str]()
    for _ in range(4_000):
        cap = rng.choice([None, 7, 15, 30])
        most = 40 if cap is None else cap
        meter = Meter(
            amount=rng.randrange(most * MICROCENTS), reserve=rng.randrange(9 * MICROCENTS)
        )
        start = MeterSettings(
            contribution_ppm=1, meter_seed_cents=rng.choice([0, 3, 12]), cap_cents=cap
        )
        queue = [
            Pending(
                table="T",
                round=1,
                position=1,
                level="single",
                hand=SPADES,
                wager_cents=100,
                amount_cents=rng.randrange(15),
                whole=rng.random() < 0.6,
            )
            for _ in range(rng.randrange(4))
        ]
        found = free(meter, queue, start)
        seen["enough" if found >= 0 else "short"] += 1
        if found >= 0:
            assert all_paid(replace(meter, amount=meter.amount - found), queue, start)
            less = meter.amount - found - MICROCENTS
            assert less < 0 or not all_paid(replace(meter, amount=less), queue, start)
        else:
            assert not all_paid(meter, queue, start)
    assert min(seen["enough"], seen["short"]) > 500


def all_paid(meter: Meter, queue: list[Pending], start: MeterSettings) -> bool:
    """Whether each in the queue finds enough on the meter, when it is taken off in turn."""
    for pending in queue:
        if pending.amount_cents > meter.shown_cents:
            return False
        meter, _ = taken_off(meter, start, pending.amount_cents, whole=pending.whole)
    return True
