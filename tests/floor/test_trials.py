"""Tries to pay a jackpot wrongly, and what each must come to (docs/jackpot_trials.md)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.floor.invariants import verify_floor
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.journal.rebuild import differences
from houseway.names import known_as
from houseway.refusal import Refused
from tests.floor.room import CHECKED, ON_CAMERA, PEOPLE, Room

SPADES, ROYAL, STRAIGHT_FLUSH = "akq_spades", "royal_flush", "straight_flush"
SLIP: dict[str, Any] = {
    "link": "L",
    "level": "single",
    "text": "as written in the log",
    "second": "c1",
    "pin_held": True,
    "second_pin_held": True,
}
SEEN = {"second_pin_held": True, "seen": ON_CAMERA}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A floor whose books hold in the end, whatever was tried."""
    made = Room(f"sqlite:///{tmp_path / 'floor.sqlite'}")
    yield made
    with made.journal.engine.connect() as connection:
        assert verify_floor(connection).holds
        assert list(differences(connection, FloorModel())) == []
    for name, found in made.state.streams.items():
        under_way = round_of(found) if name.startswith("table:") else None
        assert under_way is None or under_way.money() == 0
    made.journal.close()


def won(room: Room, table: str = "T1") -> int:
    """A round in which position 3 has won the meter; the cents of the confirmed award."""
    room.play(table, {1: None, 3: SPADES})
    room.press(table, 3, SPADES)
    room.do("d1", "call_supervisor", table=table)
    return int(room.confirm(table, 3)["amount_cents"])


def adjust(room: Room, cents: int, reason: str, page: int) -> Any:
    return room.do("s1", "adjust", **{**SLIP, "cents": cents, "reason": reason, "page": page})


def issue(room: Room, card: str, name: str, role: str) -> None:
    """Another card for who is known by a name; not without saying so."""
    asked = {"card": card, "name": name, "role": role, "pin_hash": "x"}
    with pytest.raises(Refused, match="same_person_as"):
        room.do("a1", "issue_card", **asked)
    own = next(one for one, (known, _) in PEOPLE.items() if known_as(known) == known_as(name))
    room.do("a1", "issue_card", **asked, same_person_as=own)


def not_said(room: Room, text: str, actor: str = "d1") -> str:
    """Why a step of the round at T1 is refused."""
    with pytest.raises(Refused) as found:
        room.do(actor, "round", table="T1", text=text)
    return found.value.message


# The tray.


def test_an_award_is_not_handed_over_from_the_tray_as_a_wrong_payout(room: Room) -> None:
    """The dealer would pay it once by the correction, and the cage again by its win page."""
    room.set_up()
    won(room)
    for net in ("+0", "-1000000", "+20000"):
        assert "win page" in not_said(room, f"handed over 3: progressive {net}")
    assert "reported" in not_said(room, "correct 3: progressive missed", "s1")


@pytest.mark.parametrize(
    ("bet", "too_much", "allowed"),
    [("progressive", "-1.01", "+1"), ("envy", "-0.01", "+0"), ("ante", "-5.01", "-4")],
)
def test_nobody_is_given_back_more_than_lay_there(
    room: Room, bet: str, too_much: str, allowed: str
) -> None:
    """A loss that cannot be would be corrected by a payment that nobody is owed."""
    room.set_up()
    won(room)
    room.say("T1", "pay envy")
    assert "lose" in not_said(room, f"handed over 1: {bet} {too_much}")
    room.say("T1", f"handed over 1: {bet} {allowed}")


def test_a_slip_is_not_paid_in_chips_from_a_closed_tray(room: Room) -> None:
    room.set_up()
    won(room)
    room.say("T1", "pay envy")
    room.say("T1", "close")
    adjust(room, -5_000, "won", 1)
    signed = {"second": "s1", "pin_held": True, "second_pin_held": True}
    count = {"count": {"100": 10}, "total_cents": 1_000}
    for step in ("count_opener", "count_closer"):
        room.do("d1", step, table="T1", **count, **signed)
    with pytest.raises(Refused, match="tray of T1 is closed"):
        room.do("c1", "pay_adjustment", table="T1", slip=1, reference="slip 1")


# Amounts.


@pytest.mark.parametrize(
    "hands", [{2: ROYAL, 5: STRAIGHT_FLUSH}, {2: STRAIGHT_FLUSH, 5: ROYAL}], ids=str
)
def test_backing_out_the_first_of_two_winners_changes_no_amount(
    room: Room, hands: dict[int, str]
) -> None:
    """Confirmed once more behind the second, the first would have another share."""
    games = ("triple-shot-rummy",)
    room.set_up(progressive="five-card-link", paytable="01", games=games)
    room.play("T1", {1: None, **hands})
    for position in (5, 2):
        room.press("T1", position, hands[position])
    room.do("d1", "call_supervisor", table="T1")
    amounts = {p: int(room.confirm("T1", p)["amount_cents"]) for p in (5, 2)}
    with pytest.raises(Refused, match="position 2 was confirmed after"):
        adjust(room, amounts[5], "award_backed_out", 1)
    for page, position in ((2, 2), (1, 5)):
        adjust(room, amounts[position], "award_backed_out", page)
    for position in (5, 2):
        room.press("T1", position, hands[position])
    assert {p: room.confirm("T1", p)["amount_cents"] for p in (5, 2)} == amounts


def test_an_award_for_which_more_was_found_is_not_backed_out(room: Room) -> None:
    """The slip would be paid although the award itself was put back."""
    room.set_up()
    cents = won(room)
    adjust(room, -5_000, "won", 1)
    with pytest.raises(Refused, match="slip 1 found more for the winner of win page 1"):
        adjust(room, cents, "award_backed_out", 1)


# Who.


@pytest.mark.parametrize("name", ["dan", "DAN", " Dan", "Dan ", "\uff24an"])
def test_a_name_written_otherwise_is_no_second_person(room: Room, name: str) -> None:
    room.set_up()
    issue(room, "e2", name, "executive")
    room.play("T1", {1: None, 3: SPADES})
    room.press("T1", 3, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    with pytest.raises(Refused, match="chose this hand"):
        room.confirm("T1", 3, "e2")


def test_a_name_written_otherwise_verifies_and_signs_nothing_of_its_own(room: Room) -> None:
    room.set_up()
    issue(room, "v2", "eve", "surveillance")
    issue(room, "c2", "SUE", "cage")
    won(room)
    seen = {"table": "T1", "page": 1, "pin_held": True, "seen": ON_CAMERA}
    with pytest.raises(Refused, match="another person verifies it"):
        room.do("v2", "check_on_camera", **seen)
    asked = {**SLIP, "second": "c2", "cents": -100, "reason": "display_error"}
    with pytest.raises(Refused, match="two people"):
        room.do("s1", "adjust", **asked)


def test_who_pressed_the_hand_does_not_verify_it_with_another_card(room: Room) -> None:
    room.set_up()
    issue(room, "v2", "Dan", "surveillance")
    won(room)
    seen = {"table": "T1", "page": 1, "pin_held": True, "seen": ON_CAMERA}
    with pytest.raises(Refused, match="another person verifies it"):
        room.do("v2", "check_on_camera", **seen)


@pytest.mark.parametrize("method", ["chips", "cheque"])
def test_who_verified_an_award_does_not_pay_it_with_another_card(room: Room, method: str) -> None:
    room.set_up()
    issue(room, "c2", "Viv", "cage")
    won(room)
    room.on_camera("T1", 1)
    asked = {"table": "T1", "page": 1, "reference": "form 1", "method": method}
    with pytest.raises(Refused, match="another person pays it"):
        room.do("c2", "pay_award", **asked)
    room.do("c1", "pay_award", **asked)


def test_what_was_verified_before_run_is_not_paid_by_who_verified_it(room: Room) -> None:
    room.set_up(options={"award_profile": "game_manager"})
    issue(room, "c2", "Viv", "cage")
    room.play("T1", {1: None, 3: SPADES})
    room.press("T1", 3, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    room.do("s1", "turn_key", table="T1", to="jph", pin_held=True)
    asked = {"table": "T1", "position": 3, "pin_held": True, "checklist": CHECKED}
    room.do("s1", "press_jackpot", **asked)
    room.on_camera("T1", 1)
    room.do("s1", "turn_key", table="T1", to="run", pin_held=True)
    with pytest.raises(Refused, match="another person pays it"):
        room.do("c2", "pay_award", table="T1", page=1, reference="form 1")


@pytest.mark.parametrize("name", ["Sue", "Cal"])
def test_who_signed_a_slip_does_not_verify_its_payment_with_another_card(
    room: Room, name: str
) -> None:
    room.set_up()
    issue(room, "v2", name, "surveillance")
    won(room)
    adjust(room, -400_000, "won", 1)
    asked = {"table": "T1", "slip": 1, "reference": "slip 1", **SEEN}
    with pytest.raises(Refused, match="another person verifies it"):
        room.do("e1", "pay_adjustment", second="v2", **asked)
    room.do("e1", "pay_adjustment", second="v1", **asked)


def test_a_threshold_is_not_raised_over_an_award_that_waits(room: Room) -> None:
    """An administrator would let a supervisor confirm what takes an executive."""
    room.set_up()
    room.play("T1", {1: None, 3: SPADES})
    raised = {"link": "L", "thresholds": {"single": 10**9}}
    for _ in ("found", "pressed"):
        with pytest.raises(Refused, match="a game is under way at T1"):
            room.do("a1", "set_thresholds", **raised)
        room.press("T1", 3, SPADES)


@pytest.mark.parametrize("name", ["bob", "Bob ", " BOB"])
def test_one_player_under_two_spellings_bets_at_one_position(room: Room, name: str) -> None:
    room.set_up()
    room.do("d1", "open_round", table="T1")
    room.say("T1", "bets 3 by Bob: ante 5, progressive 1")
    refused = not_said(room, f"bets 2 by {name}: ante 5, progressive 1")
    assert f"player {name!r} already bets at position 3" in refused
    room.say("T1", "bets 2 by Ann: ante 5, progressive 1")
