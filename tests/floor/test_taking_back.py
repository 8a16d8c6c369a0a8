"""Awards that are taken back between J-POT and RUN or from under a cap, and looks at them."""

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.floor.link import Pending
from houseway.floor.model import FloorModel
from houseway.floor.queue import free
from houseway.house.meters import MICROCENTS, Meter, MeterSettings
from houseway.journal.audit import verify
from houseway.journal.rebuild import differences
from houseway.refusal import Reason, Refused
from tests.floor.room import CHECKED, ON_CAMERA, SETTINGS, Room

SPADES = "akq_spades"
KEY = {"award_profile": "game_manager"}
POKER = "three-card-poker"


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    """Two tables of Game Manager on one link; the journal must hold in the end."""
    made = Room(database)
    made.set_up(options=KEY, games=(POKER, POKER))
    yield made
    with made.journal.engine.connect() as connection:
        assert verify(connection).holds
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def record(room: Room, table: str) -> dict[str, Any]:
    """A royal at position 1, from the bets to J-POT."""
    room.play(table, {1: SPADES})
    room.press(table, 1, SPADES)
    return jackpot(room, table)


def jackpot(room: Room, table: str) -> dict[str, Any]:
    room.do("d1", "call_supervisor", table=table)
    if room.state.streams[f"table:{table}"].key == "run":
        room.do("s1", "turn_key", table=table, to="jph", pin_held=True)
    asked = {"table": table, "position": 1, "pin_held": True, "checklist": CHECKED}
    return dict(room.do("s1", "press_jackpot", **asked))


def back_out(room: Room, won: dict[str, Any]) -> None:
    slip = {"link": "L", "level": "single", "cents": won["amount_cents"], "page": won["page"]}
    more = {"reason": "award_backed_out", "text": "misread", "second": "c1"}
    room.do("s1", "adjust", **slip, **more, pin_held=True, second_pin_held=True)


@pytest.mark.clause("PGM-16")
def test_who_waits_behind_a_recorded_award_has_the_meter_when_it_is_taken_back(room: Room) -> None:
    won = record(room, "T1")
    # meter_seed of $10,000 and 20 cents of each dollar.
    assert won["amount_cents"] == 1_000_020
    room.play("T2", {1: SPADES})
    # Behind it: meter_seed, 5 cents of reserve of each dollar, and the 20 cents since.
    assert room.press("T2", 1, SPADES) == 1_000_030
    back_out(room, won)
    assert room.meter("L") == 1_000_040
    assert room.claim("T2", 1) == 1_000_040
    # The hand is still there: it now waits behind the other.
    assert room.press("T1", 1, SPADES) == 1_000_010


@pytest.mark.clause("PGM-16")
def test_a_recorded_award_stays_while_another_waits_for_what_comes_after_it(database: str) -> None:
    """A meter of 20 cents; what J-POT records next is the $10,000 that it starts again with."""
    room = Room(database)
    room.set_up(options=KEY, games=(POKER, POKER), meters={"single": SETTINGS})
    slip = {"link": "L", "level": "single", "reason": "display_error", "text": "a malfunction"}
    both = {"second": "c1", "pin_held": True, "second_pin_held": True}
    room.do("s1", "adjust", **slip, **both, cents=-1_000_000)
    first = record(room, "T1")
    second = record(room, "T2")
    assert (first["amount_cents"], second["amount_cents"]) == (20, 1_000_030)
    with pytest.raises(Refused, match="put those back first") as refused:
        back_out(room, first)
    assert refused.value.reason is Reason.NOT_DONE_YET
    back_out(room, second)
    back_out(room, first)
    assert room.state.streams["link:L"].pending == ()
    room.journal.close()


def test_an_award_is_put_back_before_the_round_is_ruled_void(room: Room) -> None:
    room.play("T1", {1: SPADES, 2: None}, folds=(2,))
    room.press("T1", 1, SPADES)
    won = jackpot(room, "T1")
    room.say("T1", "exposed 2: card 1")
    with pytest.raises(Refused, match="back it out before the round is void"):
        room.say("T1", "rule void: a folded card was shown", "s1")
    back_out(room, won)
    assert room.say("T1", "rule void: a folded card was shown", "s1")["phase"] == "void"
    assert room.meter("L") == SETTINGS["meter_seed_cents"]


@pytest.mark.clause("PGM-14")
def test_what_surveillance_has_seen_after_j_pot_is_seen_after_run(room: Room) -> None:
    won = record(room, "T1")
    room.on_camera("T1", won["page"])
    room.do("s1", "turn_key", table="T1", to="run", pin_held=True)
    [award] = room.state.streams["table:T1"].awards
    assert (award.status, award.verified) == ("confirmed", True)
    room.do("c1", "pay_award", table="T1", page=won["page"], reference="cage 1")


@pytest.mark.parametrize("shown", [False, True])
def test_surveillance_looks_at_no_envy_for_a_hand_that_lies_face_down(
    database: str, shown: bool
) -> None:
    """Envy of $1,000 for each of five dollars, for a royal flush that is not turned over yet."""
    room = Room(database)
    meters = {"mega": SETTINGS, "major": SETTINGS}
    room.set_up(progressive="five-card-link", paytable="ML01", meters=meters)
    room.start("T1", 1, 2, cents=500)
    look = room.command(
        "v1",
        "check_on_camera",
        table="T1",
        position=2,
        **{"from": 1},
        pin_held=True,
        seen=ON_CAMERA,
    )
    with pytest.raises(Refused, match="nothing over"):
        room.journal.do(look)
    room.deal("T1", {1: "royal_flush", 2: None}, settle=shown)
    if shown:
        assert room.pay_seen("T1", 2, of=1)["cents"] == 500_000
    else:
        with pytest.raises(Refused, match="nothing over"):
            room.pay_seen("T1", 2, of=1)
    room.journal.close()


@pytest.mark.parametrize("order", ["x", "1 x", "²", "1,2", "-1"])
def test_a_pay_order_that_is_no_list_of_positions_is_refused(room: Room, order: str) -> None:
    room.bet("T1", 1, 2)
    with pytest.raises(Refused):
        room.say("T1", f"start game: pay {order}")


def test_a_meter_above_its_cap_keeps_what_stands_on_it_when_it_starts_again() -> None:
    """An award that was put back may stand above a cap that came later."""
    start = MeterSettings(contribution_ppm=1, meter_seed_cents=10, cap_cents=40)
    meter = Meter(amount=500 * MICROCENTS)
    waits = [
        Pending(
            table="T1",
            round=1,
            position=position,
            level="single",
            hand=SPADES,
            wager_cents=100,
            amount_cents=cents,
            whole=True,
        )
        for position, cents in ((2, 0), (1, 450))
    ]
    # Nothing fills the meter above 40 cents: the 450 must stand on it.
    assert free(meter, waits, start) == 50 * MICROCENTS
    # Of 30 that wait after it 10 come with the new start: 20 and the 450 must stand on it.
    small = [waits[1], Pending(**{**_plain(waits[0]), "amount_cents": 30})]
    assert free(meter, small, start) == 30 * MICROCENTS


def _plain(pending: Pending) -> dict[str, Any]:
    return {name: getattr(pending, name) for name in pending.__slots__}
