"""Players' money in the house's hands: the bank, the camera, cheques and slips, as the state asks.

A clock that stands still until it is moved makes days pass.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.records import adjustment_slips
from houseway.journal.audit import verify
from houseway.journal.rebuild import differences
from houseway.refusal import Reason, Refused
from tests.floor.room import CHECKED, ON_CAMERA, SETTINGS, Clock, Room
from tests.floor.test_floor import OTHER_SUIT, SPADES, all_events, refused

TWO = ("three-card-poker", "three-card-poker")
# A tenth of every dollar to the meter, a hundredth to the reserve, $50.00 to start with.
TENTH = {"contribution_ppm": 100_000, "reserve_ppm": 10_000, "meter_seed_cents": 5_000}
CENT = 1_000_000


def own_card(card: str) -> dict[str, str]:
    """Another card for who holds one."""
    return {"same_person_as": card, "pin_hash": "x"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(database: str, clock: Clock) -> Iterator[Room]:
    """A floor on a Monday morning; whatever happened there must hold in the end."""
    made = Room(database, clock=clock)
    yield made
    with made.journal.engine.connect() as connection:
        assert verify(connection).holds
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def deposit(room: Room, cents: int, link: str = "L") -> Any:
    asked = {"link": link, "balance_cents": cents, "reference": "a wire", "pin_held": True}
    return room.do("c1", "record_deposit", **asked)


SLIP: dict[str, Any] = {
    "link": "L",
    "level": "single",
    "text": "as written in the log",
    "second": "c1",
    "pin_held": True,
    "second_pin_held": True,
}


def slip(room: Room, cents: int, reason: str, **more: Any) -> Any:
    """A slip of a supervisor and the cage."""
    return room.do("s1", "adjust", **{**SLIP, "cents": cents, "reason": reason, **more})


def no_slip(room: Room, cents: int, reason: str, **more: Any) -> Refused:
    """Why there is none."""
    return refused(room, "s1", "adjust", **{**SLIP, "cents": cents, "reason": reason, **more})


def game(room: Room, *positions: int, table: str = "T1", cents: int = 100) -> None:
    """A round whose progressive wagers are taken, and which has no cards yet."""
    room.start(table, *positions, cents=cents)


def show(room: Room, hands: dict[int, str], table: str = "T1") -> None:
    """The cards of a round that was started; whoever is not named wins nothing."""
    under_way = round_of(room.state.streams[f"table:{table}"])
    assert under_way is not None
    room.deal(table, {**dict.fromkeys(under_way.lit()), **hands})


def shown(room: Room, position: int, hand: str = SPADES, table: str = "T1") -> int:
    """The cards of a round, and the button of the one hand that wins; what it then waits for."""
    show(room, {position: hand}, table)
    return room.press(table, position, hand)


def win(room: Room, position: int, hand: str = SPADES, table: str = "T1") -> Any:
    """A hand dealt, chosen and confirmed."""
    shown(room, position, hand, table)
    return call_and_confirm(room, position, table)


def call_and_confirm(room: Room, position: int, table: str = "T1") -> Any:
    """A supervisor is called, and a card confirms the award that waits."""
    room.do("d1", "call_supervisor", table=table)
    return room.confirm(table, position)


def played(room: Room, table: str = "T1") -> None:
    """The rest of a round that was started: nobody wins."""
    show(room, {}, table)
    room.say(table, "close")


def not_said(room: Room, text: str, table: str = "T1", actor: str = "d1") -> Refused:
    """Why a step of the round is refused."""
    return refused(room, actor, "round", table=table, text=text)


def pay(room: Room, page: int = 1, table: str = "T1", reference: str = "slip 1") -> Any:
    """The cage hands over the award of a win page."""
    return room.do("c1", "pay_award", table=table, page=page, reference=reference)


def void(room: Room, table: str = "T1") -> None:
    """A supervisor makes the round void."""
    room.do("s1", "round", table=table, text="void ruling: a card face up")


def books(room: Room) -> dict[str, int]:
    """What is owed on every account that is not at nothing."""
    owed = {name: room.state.owed(name) for name in room.state.accounts}
    return {name: amount for name, amount in owed.items() if amount}


# The bank.


def test_a_link_whose_deposit_is_missing_takes_no_wagers(room: Room, clock: Clock) -> None:
    """WAC 230-15-455: at least weekly, and the day it was made counts as the first."""
    room.set_up(meters={"single": TENTH})
    clock.move(days=7)
    game(room, 1)
    played(room)
    clock.move(seconds=1)
    room.bet("T1", 1)
    missing = not_said(room, "start game")
    assert (missing.reason, missing.clause) == (Reason.NOT_DONE_YET, "WAC 230-15-455")
    assert "2026-01-05" in missing.message
    # $50.10 on the meter and a cent in the reserve.
    assert deposit(room, 5_011) == {
        "balance_cents": 5_011,
        "liability_cents": 5_011,
        "short_cents": 0,
        "reference": "a wire",
    }
    room.say("T1", "start game")
    # Seven days again, from the deposit on.
    played(room)
    clock.move(days=7)
    game(room, 1)
    clock.move(seconds=1)
    # A game that is under way is played to its end.
    win(room, 1)
    pay(room)
    room.say("T1", "close")
    room.bet("T1", 1)
    assert not_said(room, "start game").clause == "WAC 230-15-455"


def test_a_deposit_on_time_keeps_the_games_open(room: Room, clock: Clock) -> None:
    room.set_up(meters={"single": TENTH})
    for _ in range(5):
        clock.move(days=6)
        deposit(room, 10_000)
        game(room, 1)
        played(room)


def test_a_short_deposit_locks_and_a_full_one_opens(room: Room) -> None:
    """WAC 230-15-455: below what is owed, a part of a cent included, the games stop at once."""
    room.set_up(meters={"single": {**TENTH, "contribution_ppm": 1}})
    game(room, 1)
    played(room)
    # $50.00, a ten-thousandth of a cent on the meter, and a cent in the reserve.
    short = deposit(room, 5_001)
    assert (short["liability_cents"], short["short_cents"]) == (5_002, 1)
    room.bet("T1", 1)
    locked = not_said(room, "start game")
    assert "$0.01 short" in locked.message
    deposit(room, 5_002)
    room.say("T1", "start game")
    # A prize that is won and not paid is still owed.
    win(room, 1)
    assert deposit(room, 10_000)["liability_cents"] == 5_000 + 5_002 + 1
    pay(room)
    assert deposit(room, 10_000)["liability_cents"] == 5_003


def test_a_deposit_is_the_cages_to_record(room: Room) -> None:
    room.set_up()
    asked: dict[str, Any] = {"link": "L", "balance_cents": 1, "reference": "a wire"}
    assert "PIN" in refused(room, "c1", "record_deposit", **asked).message
    for card in ("s1", "e1", "a1", "u1"):
        wrong = refused(room, card, "record_deposit", **asked, pin_held=True)
        assert wrong.reason is Reason.NOT_APPROVED
    for cents in (-1, None, True, 2.5, "100"):
        refused(room, "c1", "record_deposit", **{**asked, "balance_cents": cents}, pin_held=True)


def test_where_nobody_plays_for_money_no_deposit_is_asked(room: Room, clock: Clock) -> None:
    room.set_up(deposits="not_asked")
    clock.move(days=400)
    deposit(room, 0)
    game(room, 1)


def test_a_seized_link_opens_when_the_bank_covers_it_again(room: Room, clock: Clock) -> None:
    """WAC 230-15-715: no play and no collecting until the posted amount is back in the bank."""
    room.set_up(meters={"single": TENTH}, deposits="not_asked")
    deposit(room, 1_000_000)
    clock.move(hours=1)
    why = "the department of revenue took the account"
    refused(room, "s1", "close_link", link="L", cause="a whim", why=why)
    room.do("s1", "close_link", link="L", cause="seized", why=why)
    room.bet("T1", 1)
    assert why in not_said(room, "start game").message
    clock.move(hours=1)
    # What was in the bank before is gone.
    assert refused(room, "a1", "open_link", link="L").clause == "WAC 230-15-715"
    # It is not made a lesser thing by closing it once more.
    again = refused(room, "s1", "close_link", link="L", cause="other", why="cleaning")
    assert again.clause == "WAC 230-15-715"
    deposit(room, 4_999)
    assert "covers what is owed" in refused(room, "a1", "open_link", link="L").message
    clock.move(hours=1)
    deposit(room, 5_000)
    room.do("a1", "open_link", link="L")
    room.say("T1", "start game")
    assert room.meter("L") == 5_010


def test_seizures_and_deposits_of_one_moment_count_in_the_order_they_came(room: Room) -> None:
    """WAC 230-15-715: also when the clock went back, and the journal holds it where it was."""
    room.set_up(meters={"single": TENTH})
    seized = {"link": "L", "cause": "seized", "why": "the account was taken"}
    deposit(room, 5_000)
    room.do("s1", "close_link", **seized)
    assert refused(room, "a1", "open_link", link="L").clause == "WAC 230-15-715"
    deposit(room, 5_000)
    # What was put back is taken again before anybody plays.
    room.do("s1", "close_link", **seized)
    assert refused(room, "a1", "open_link", link="L").clause == "WAC 230-15-715"
    deposit(room, 5_000)
    room.do("a1", "open_link", link="L")
    game(room, 1)


@pytest.mark.parametrize("cause", ["fault", "other"])
def test_a_fault_is_closed_and_opened_without_the_bank(room: Room, cause: str) -> None:
    room.set_up()
    room.do("s1", "close_link", link="L", cause=cause, why="the sign is dark")
    room.do("s1", "close_link", link="L", cause=cause, why="the sign is dark, and the key lost")
    room.bet("T1", 1)
    assert "key lost" in not_said(room, "start game").message
    room.do("a1", "open_link", link="L")
    room.say("T1", "start game")


# On camera.


def test_an_award_over_3000_dollars_is_looked_at_before_it_is_paid(room: Room) -> None:
    """WAC 230-15-320(4): hand, wager, amount and player, by surveillance."""
    room.set_up(meters={"single": {**TENTH, "meter_seed_cents": 299_990}})
    game(room, 1)
    # $3,000.00 to the cent is paid as it is.
    assert win(room, 1)["amount_cents"] == 300_000
    asked: dict[str, Any] = {"table": "T1", "page": 1}
    nothing = refused(room, "v1", "check_on_camera", **asked, pin_held=True, seen=ON_CAMERA)
    assert nothing.clause == "WAC 230-15-320"
    room.do("c1", "pay_award", **asked, reference="slip 1")
    room.say("T1", "close")
    asked["page"] = 2
    slip(room, 1, "house_adds")
    game(room, 1)
    assert win(room, 1)["amount_cents"] == 300_002
    unseen = refused(room, "c1", "pay_award", **asked, reference="slip 2")
    assert (unseen.reason, unseen.clause) == (Reason.NOT_DONE_YET, "WAC 230-15-320")
    for name in ON_CAMERA:
        seen = {**ON_CAMERA, name: False}
        part = refused(room, "v1", "check_on_camera", **asked, pin_held=True, seen=seen)
        assert name in part.message
    assert "PIN" in refused(room, "v1", "check_on_camera", **asked, seen=ON_CAMERA).message
    for card in ("s1", "e1", "c1", "u1", "d1"):
        refused(room, card, "check_on_camera", **asked, pin_held=True, seen=ON_CAMERA)
    assert room.on_camera("T1", 2) == {
        "link": "L",
        "page": 2,
        "position": 1,
        "from": 1,
        "cents": 300_002,
    }
    again = refused(room, "v1", "check_on_camera", **asked, pin_held=True, seen=ON_CAMERA)
    assert (again.reason, again.clause) == (Reason.OUT_OF_ORDER, "WAC 230-15-320")
    paid = refused(room, "c1", "pay_award", table="T1", page=1, reference="slip 1")
    assert paid.message == "win page 1 is not waiting to be paid at T1; waiting: 2"
    room.do("c1", "pay_award", **asked, reference="slip 2")
    paid = refused(room, "c1", "pay_award", **asked, reference="slip 2")
    assert paid.message == "win page 2 is not waiting to be paid at T1; waiting: none"
    room.say("T1", "close")


def test_what_is_looked_at_is_what_was_confirmed(room: Room) -> None:
    """WAC 230-15-320(4): the amount is part of what is verified, and may change until then."""
    room.set_up(games=TWO, meters={"single": {**TENTH, "meter_seed_cents": 400_000}})
    game(room, 1)
    game(room, 1, table="T2")
    shown(room, 1, table="T2")
    assert shown(room, 1) == 400_002
    # An award has no page before it is confirmed, and it is no pay of the round either.
    asked: dict[str, Any] = {"table": "T1", "pin_held": True, "seen": ON_CAMERA}
    early = refused(room, "v1", "check_on_camera", **asked, page=1)
    assert early.reason is Reason.UNKNOWN_VALUE
    early = refused(room, "v1", "check_on_camera", **asked, position=1)
    assert (early.reason, early.clause) == (Reason.OUT_OF_ORDER, "WAC 230-15-320")
    # The other table takes its button back, so this one wins more.
    assert room.press("T2", 1, SPADES) == 0
    assert call_and_confirm(room, 1)["amount_cents"] == 400_020
    paying = {"table": "T1", "page": 1, "reference": "slip 1"}
    assert "$4,000.20" in refused(room, "c1", "pay_award", **paying).message
    assert room.on_camera("T1", 1)["cents"] == 400_020
    room.do("c1", "pay_award", **paying)


@pytest.mark.parametrize("of", [None, True, 1.0, "1", [1], {}, 0, 8])
def test_a_payment_is_for_the_hand_of_a_spot(room: Room, of: Any) -> None:
    room.set_up()
    game(room, 1)
    win(room, 1)
    asked = {"table": "T1", "position": 1, "from": of, "seen": ON_CAMERA, "pin_held": True}
    assert refused(room, "v1", "check_on_camera", **asked).reason is Reason.WRONG_POSITION


@pytest.mark.clause("PML-13")
def test_envy_over_3000_dollars_is_looked_at_spot_by_spot(room: Room) -> None:
    """WAC 230-15-320(4): a bonus counts like an award."""
    room.set_up(paytable="01", progressive="five-card-link", meters={"single": TENTH})
    room.do("d1", "open_round", table="T1")
    for position, dollars in {1: 1, 2: 5, 3: 5, 4: 3}.items():
        room.say("T1", f"bets {position}: ante 5, progressive {dollars}")
    room.say("T1", "no more bets")
    room.say("T1", "start game")
    win(room, 1, "royal_flush")
    # $5,000.00 each for spots 2 and 3; $3,000.00 for spot 4.
    for position in (2, 3):
        assert not_said(room, "pay envy").clause == "WAC 230-15-320"
        room.pay_seen("T1", position, of=1)
    small = {"table": "T1", "position": 4, "from": 1, "seen": ON_CAMERA, "pin_held": True}
    assert "paid nothing over" in refused(room, "v1", "check_on_camera", **small).message
    room.say("T1", "pay envy")
    assert room.state.owed("envy") == -1_300_000 * CENT
    pay(room)
    room.say("T1", "close")


@pytest.mark.clause("PGM-09")
def test_a_fixed_pay_over_3000_dollars_is_looked_at_before_the_game_ends(room: Room) -> None:
    """WAC 230-15-320(4)."""
    room.set_up()
    game(room, 1, cents=1_000)
    assert shown(room, 1, OTHER_SUIT) == 0
    assert not_said(room, "close").clause == "WAC 230-15-320"
    assert room.pay_seen("T1", 1)["cents"] == 500_000
    # The button is taken back and pressed again: the cards, and what was looked at, are the same.
    room.press("T1", 1, OTHER_SUIT)
    assert not_said(room, "close").clause == "PNX-12"
    room.press("T1", 1, OTHER_SUIT)
    seen = {"table": "T1", "position": 1, "pin_held": True, "seen": ON_CAMERA}
    assert refused(room, "v1", "check_on_camera", **seen).reason is Reason.OUT_OF_ORDER
    room.say("T1", "close")
    [ended] = [event for event in all_events(room) if event.kind == "game_ended"]
    [paid] = ended.data["fixed"]
    assert paid["amount_cents"] == 500_000
    assert room.state.owed("payouts") == -500_000 * CENT


# Cheques.


def promised(room: Room) -> dict[str, Any]:
    """A winner of $10,000.20 has asked for a cheque, and the round went on without it."""
    room.set_up()
    game(room, 1)
    win(room, 1)
    room.on_camera("T1", 1)
    asked = {"table": "T1", "page": 1, "reference": "slip 1", "method": "cheque"}
    answer = room.do("s1", "pay_award", **asked)
    assert answer["due"] == "2026-01-06T09:00:00.000000+00:00"
    room.say("T1", "close")
    return {"link": "L", "page": 1, "reference": "cheque 1001", "pin_held": True}


@pytest.mark.clause("PGM-20")
@pytest.mark.parametrize(("seconds", "late"), [(0, False), (1, True)])
def test_a_cheque_is_handed_over_within_a_day_or_marked(
    room: Room, clock: Clock, seconds: int, late: bool
) -> None:
    """WAC 230-15-050."""
    asked = promised(room)
    # Until then it is owed, and the bank must cover it.
    assert room.state.owed("payable:L") == 1_000_020 * CENT
    liability = deposit(room, 3_000_000)["liability_cents"]
    clock.move(hours=24, seconds=seconds)
    assert "PIN" in refused(room, "c1", "hand_cheque", **{**asked, "pin_held": False}).message
    assert refused(room, "s1", "hand_cheque", **asked).reason is Reason.NOT_APPROVED
    refused(room, "c1", "hand_cheque", **{**asked, "page": 2})
    handed = room.do("c1", "hand_cheque", **asked)
    assert (handed["amount_cents"], handed["late"]) == (1_000_020, late)
    assert refused(room, "c1", "hand_cheque", **asked).reason is Reason.OUT_OF_ORDER
    assert (room.state.owed("payable:L"), room.state.owed("bank")) == (0, 1_000_020 * CENT)
    assert deposit(room, 3_000_000)["liability_cents"] == liability - 1_000_020


def test_only_a_winner_of_more_than_5000_dollars_may_ask_for_a_cheque(room: Room) -> None:
    """WAC 230-15-050."""
    room.set_up(meters={"single": {**TENTH, "meter_seed_cents": 499_990}})
    game(room, 1)
    assert win(room, 1)["amount_cents"] == 500_000
    room.on_camera("T1", 1)
    asked: dict[str, Any] = {"table": "T1", "page": 1, "reference": "slip 1"}
    small = refused(room, "c1", "pay_award", **asked, method="cheque")
    assert small.clause == "WAC 230-15-050"
    assert "chips" in refused(room, "c1", "pay_award", **asked, method="gold").message
    assert room.do("c1", "pay_award", **asked, method="chips")["method"] == "chips"


@pytest.mark.clause("PGM-20")
def test_an_award_is_paid_after_its_round_and_only_from_a_tray_that_is_open(room: Room) -> None:
    """What leaves a tray between its closer and its next opener is in no count."""
    room.set_up(meters={"single": {**TENTH, "meter_seed_cents": 600_000}})
    signed = {"second": "d1", "pin_held": True, "second_pin_held": True}
    count = {"table": "T1", "count": {"10000": 100}, "total_cents": 1_000_000, **signed}
    room.do("s1", "count_opener", **count)
    for page in (1, 2):
        game(room, 1)
        assert win(room, 1)["page"] == page
        room.say("T1", "close")
        room.on_camera("T1", page)
    room.do("s1", "count_closer", **count)
    closed = refused(room, "c1", "pay_award", table="T1", page=1, reference="slip 1")
    assert closed.reason is Reason.WRONG_PHASE
    assert "the tray of T1 is closed" in closed.message
    # A cheque takes no chips.
    asked = {"table": "T1", "page": 2, "reference": "slip 2", "method": "cheque"}
    assert room.do("s1", "pay_award", **asked)["amount_cents"] == 600_011
    room.do("s1", "count_opener", **count)
    assert pay(room)["amount_cents"] == 600_010
    assert room.state.owed("payable:L") == 600_011 * CENT


# Awards that are put back.


@pytest.mark.clause("PNX-16", "PNX-15")
@pytest.mark.parametrize("between", [False, True])
def test_a_whole_award_is_put_back_to_the_cent_and_not_asked_to_be_paid(
    room: Room, between: bool
) -> None:
    room.set_up(meters={"single": TENTH}, games=TWO)
    opened = books(room)
    game(room, 1, 2)
    before = books(room)
    win(room, 2)
    # The dealer pays the $100.00 of envy before anybody sees that the round was misdealt.
    room.say("T1", "pay envy")
    if between:
        game(room, 1, table="T2")
        played(room, "T2")
    done = slip(room, 5_020, "award_backed_out", page=1)
    # What came in since stays; all the rest is as it was, but for the envy, which was paid.
    assert done == {"slip": 1, "after_cents": 5_020 + 10 * between}
    after = books(room)
    assert after.pop("envy") == -10_000 * CENT
    after["tray:T1"] -= 10_000 * CENT
    if not between:
        assert after == before
    assert room.state.owed("payable:L") == 0
    assert room.state.owed("seed_fund") == -5_000 * CENT
    [written] = adjustment_slips(all_events(room))
    assert (written["page"], written["after_cents"]) == (1, done["after_cents"])
    # Nothing is left to pay. The cards still win, so the round is void, and the envy comes back.
    assert not_said(room, "close").clause == "PNX-12"
    void(room)
    assert room.state.owed("envy") == room.state.owed("tray:T1") == 0
    assert room.meter("L") == 5_000 + 10 * between
    if not between:
        assert books(room) == opened
    gone = no_slip(room, 5_020, "award_backed_out", page=1)
    assert gone.reason is Reason.WRONG_PHASE


@pytest.mark.clause("PNX-16", "PNX-17")
def test_after_an_award_is_put_back_its_hand_is_chosen_again_at_the_spot(room: Room) -> None:
    room.set_up()
    game(room, 1, 2)
    assert win(room, 2)["amount_cents"] == 1_000_040
    assert not_said(room, "close").clause == "PGM-18"
    room.say("T1", "pay envy")
    room.on_camera("T1", 1)
    slip(room, 1_000_040, "award_backed_out", page=1)
    # Nobody chooses a hand that the cards are not, nor ends the round without theirs.
    assert not_said(room, f"press 2: {OTHER_SUIT}").clause == "PNX-12"
    assert not_said(room, "close").clause == "PNX-12"
    assert room.press("T1", 2, SPADES) == 1_000_040
    assert room.confirm("T1", 2)["page"] == 2
    # The camera belongs to the page that was put back; envy is for the cards, and paid once.
    assert "no envy is due" in not_said(room, "pay envy").message
    paying = {"table": "T1", "page": 2, "reference": "slip 1"}
    assert refused(room, "c1", "pay_award", **paying).clause == "WAC 230-15-320"
    room.on_camera("T1", 2)
    room.do("c1", "pay_award", **paying)
    room.say("T1", "close")
    assert room.state.owed("payable:L") == 0
    assert room.state.owed("envy") == -10_000 * CENT


@pytest.mark.clause("PML-15")
def test_a_share_is_put_back_and_the_hand_chosen_again(room: Room) -> None:
    room.set_up(paytable="01", progressive="five-card-link", meters={"single": TENTH})
    game(room, 1)
    before = books(room)
    assert win(room, 1, "straight_flush")["amount_cents"] == 501
    assert slip(room, 501, "award_backed_out", page=1)["after_cents"] == 5_010
    assert books(room) == before
    # It is no royal flush, whatever the dealer presses.
    assert not_said(room, "press 1: royal_flush").clause == "PML-11"
    assert room.press("T1", 1, "straight_flush") == 501
    assert room.confirm("T1", 1)["page"] == 2
    slip(room, 501, "award_backed_out", page=2)
    assert books(room) == before
    assert room.press("T1", 1, "straight_flush") == 501
    assert room.confirm("T1", 1)["page"] == 3
    room.say("T1", "close")


@pytest.mark.clause("PGM-16", "PGM-15")
def test_what_the_key_took_off_the_meter_is_put_back(room: Room) -> None:
    room.set_up(meters={"single": TENTH}, options={"award_profile": "game_manager"})
    game(room, 1)
    before = books(room)
    shown(room, 1)
    assert no_slip(room, 5_010, "award_backed_out", page=1).reason is Reason.UNKNOWN_VALUE
    room.do("d1", "call_supervisor", table="T1")
    asked = {"table": "T1", "position": 1, "pin_held": True, "checklist": CHECKED}
    for page in (1, 2):
        room.do("e1", "turn_key", table="T1", to="jph", pin_held=True)
        assert room.do("e1", "press_jackpot", **asked)["page"] == page
        # Logged, and still on the meter.
        assert books(room) == before
        if page == 1:
            # Put back before RUN, it moves nothing.
            assert slip(room, 5_010, "award_backed_out", page=1)["after_cents"] == 5_010
            assert room.state.streams["table:T1"].awards == ()
            assert room.claim("T1", 1) == 0
        room.do("e1", "turn_key", table="T1", to="run", pin_held=True)
        if page == 1:
            assert books(room) == before
            assert room.press("T1", 1, SPADES) == 5_010
    assert room.state.owed("payable:L") == 5_010 * CENT
    slip(room, 5_010, "award_backed_out", page=2)
    assert books(room) == before
    first, second = adjustment_slips(all_events(room))
    assert (first["booked"], first["award_cents"]) == ([], 5_010)
    assert len(second["booked"]) == 3
    assert not_said(room, "close").clause == "PGM-11"
    void(room)


@pytest.mark.clause("PNX-16")
def test_an_award_is_put_back_whole_and_before_it_is_handed_over(room: Room) -> None:
    room.set_up(meters={"single": TENTH})
    game(room, 1)
    win(room, 1)
    for cents in (5_009, 5_011, 1):
        part = no_slip(room, cents, "award_backed_out", page=1)
        assert "put back whole" in part.message
    for page in (0, 2, None, True, "1"):
        unknown = no_slip(room, 5_010, "award_backed_out", page=page)
        assert unknown.reason is Reason.UNKNOWN_VALUE
    pay(room)
    assert "handed over" in no_slip(room, 5_010, "award_backed_out", page=1).message
    room.say("T1", "close")


@pytest.mark.clause("PNX-16")
def test_an_award_is_not_put_back_when_a_cheque_is_promised_for_it(room: Room) -> None:
    promised(room)
    assert "handed over" in no_slip(room, 1_000_020, "award_backed_out", page=1).message


@pytest.mark.clause("PNX-16")
@pytest.mark.parametrize("confirmed", [True, False])
def test_an_award_is_not_put_back_when_another_had_what_the_meter_started_with(
    room: Room, confirmed: bool
) -> None:
    """Half of every dollar is set aside, so the new start is more than what was won."""
    half = {**TENTH, "reserve_ppm": 500_000}
    room.set_up(games=TWO, meters={"single": half})
    game(room, *range(1, 8), cents=8_000)
    slip(room, -5_600, "display_error")
    played(room)
    game(room, 1)
    game(room, 1, table="T2")
    assert win(room, 1)["amount_cents"] == 5_020
    # meter_seed and $281.00 of reserve; the second winner has it, or waits for it.
    assert shown(room, 1, table="T2") == 33_100
    if confirmed:
        call_and_confirm(room, 1, "T2")
    taken = no_slip(room, 5_020, "award_backed_out", page=1)
    assert (taken.reason, taken.clause) == (Reason.NOT_DONE_YET, "PGM-16")
    # With the later one put back, or not chosen any more, the first one can be.
    if confirmed:
        slip(room, 33_100, "award_backed_out", page=2)
    else:
        room.press("T2", 1, SPADES)
    slip(room, 5_020, "award_backed_out", page=1)
    assert room.meter("L") == 5_020
    assert room.state.owed("reserve:L:single") == 28_100 * CENT


def test_what_waits_keeps_its_amount_when_an_award_in_front_is_put_back(room: Room) -> None:
    """A-16."""
    room.set_up(games=TWO, meters={"single": TENTH})
    game(room, 1)
    game(room, 1, table="T2")
    win(room, 1)
    assert shown(room, 1, table="T2") == 5_002
    slip(room, 5_020, "award_backed_out", page=1)
    assert room.claim("T2", 1) == 5_002
    assert call_and_confirm(room, 1, "T2")["amount_cents"] == 5_002


# Slips.


@pytest.mark.clause("PGM-20", "PNX-16")
def test_what_a_winner_had_too_little_is_paid_once(room: Room) -> None:
    room.set_up(meters={"single": TENTH}, paytable="01", progressive="five-card-link")
    game(room, 1)
    assert no_slip(room, -90, "won", page=1).reason is Reason.UNKNOWN_VALUE
    assert win(room, 1, "straight_flush")["amount_cents"] == 501
    pay(room)
    room.say("T1", "close")
    # It belongs to a win page.
    assert no_slip(room, -90, "won").reason is Reason.UNKNOWN_VALUE
    assert slip(room, -90, "won", page=1) == {"slip": 1, "after_cents": 5_010 - 501 - 90}
    assert slip(room, -10, "display_error")["slip"] == 2
    assert room.state.owed("payable:L") == 90 * CENT
    asked: dict[str, Any] = {"table": "T1", "slip": 1, "reference": "slip 2"}
    # Only what was found for a winner is paid, and only by those who pay.
    assert refused(room, "s1", "pay_adjustment", **{**asked, "slip": 2}).clause == "PGM-20"
    refused(room, "s1", "pay_adjustment", **{**asked, "slip": 3})
    refused(room, "s1", "pay_adjustment", **{**asked, "reference": ""})
    refused(room, "s1", "pay_adjustment", **{**asked, "table": "T9"})
    refused(room, "d1", "pay_adjustment", **asked)
    before = room.state.owed("tray:T1")
    assert room.do("c1", "pay_adjustment", **asked)["amount_cents"] == 90
    assert room.state.owed("tray:T1") == before + 90 * CENT
    twice = refused(room, "c1", "pay_adjustment", **asked)
    assert (twice.reason, twice.clause) == (Reason.OUT_OF_ORDER, "PGM-20")
    assert room.state.owed("payable:L") == 0


@pytest.mark.clause("PGM-16", "PGM-20")
def test_nothing_is_put_right_on_a_page_of_another_meter_or_one_that_is_gone(room: Room) -> None:
    levels = {"mega": TENTH, "major": TENTH, "minor": TENTH}
    room.set_up(meters=levels, paytable="ML03", progressive="five-card-link")
    game(room, 1)
    won = win(room, 1, "four_of_a_kind")
    other = no_slip(room, -90, "won", page=1, level="mega")
    assert (other.reason, other.clause) == (Reason.BAD_ARGUMENT, "PGM-16")
    assert "win page 1 of L is of meter minor, not of mega" in other.message
    slip(room, won["amount_cents"], "award_backed_out", page=1, level="minor")
    for cents, reason in ((-90, "won"), (won["amount_cents"], "award_backed_out")):
        gone = no_slip(room, cents, reason, page=1, level="minor")
        assert (gone.reason, gone.clause) == (Reason.WRONG_PHASE, "PGM-16")
        assert "was backed out" in gone.message
    assert room.state.owed("payable:L") == 0


def slip_owed(room: Room, cents: int) -> dict[str, Any]:
    """A floor on which a winner is owed so much by slip 1, and what pays it."""
    seeded = {**TENTH, "meter_seed_cents": 2_000_000}
    room.set_up(meters={"single": seeded}, paytable="01", progressive="five-card-link")
    game(room, 1)
    win(room, 1, "straight_flush")
    pay(room)
    room.say("T1", "close")
    slip(room, -cents, "won", page=1)
    return {"table": "T1", "slip": 1, "reference": "slip 2"}


@pytest.mark.parametrize(("cents", "looks"), [(300_000, False), (300_001, True)])
def test_a_large_slip_is_paid_with_surveillance_beside_it(
    room: Room, cents: int, looks: bool
) -> None:
    """WAC 230-15-320."""
    asked = slip_owed(room, cents)
    if not looks:
        # Nobody's PIN is tried where nobody else signs.
        alone = refused(room, "c1", "pay_adjustment", **asked, second="v1", second_pin_held=True)
        assert "signs nothing here" in alone.message
        assert room.do("c1", "pay_adjustment", **asked)["verified_by"] is None
        return
    alone = refused(room, "c1", "pay_adjustment", **asked)
    assert (alone.reason, alone.clause) == (Reason.NOT_DONE_YET, "WAC 230-15-320")
    assert "surveillance has not verified $3,000.01 of slip 1" in alone.message
    beside: dict[str, Any] = {**asked, "second": "v1", "second_pin_held": True, "seen": ON_CAMERA}
    refused(room, "c1", "pay_adjustment", **{**beside, "second": "s1"})
    refused(room, "c1", "pay_adjustment", **{**beside, "second": "v9"})
    refused(room, "c1", "pay_adjustment", **{**beside, "second_pin_held": False})
    for seen in ({}, {**ON_CAMERA, "player": False}):
        refused(room, "c1", "pay_adjustment", **{**beside, "seen": seen})
    room.do("a1", "issue_card", card="v2", name="Cal", role="surveillance", **own_card("c1"))
    own = refused(room, "c1", "pay_adjustment", **{**beside, "second": "v2"})
    assert "Cal has approved it; another person verifies it" in own.message
    assert room.do("c1", "pay_adjustment", **beside)["verified_by"] == "v1"
    assert room.state.owed("payable:L") == 0


def test_a_cheque_for_a_slip_is_owed_for_a_day(room: Room) -> None:
    """WAC 230-15-050."""
    asked = slip_owed(room, 500_001)
    asked |= {"second": "v1", "second_pin_held": True, "seen": ON_CAMERA, "method": "cheque"}
    assert refused(room, "c1", "pay_adjustment", **{**asked, "method": "gold"}).reason is (
        Reason.UNKNOWN_VALUE
    )
    handing = {"link": "L", "slip": 1, "reference": "cheque 7", "pin_held": True}
    assert "promised: none" in refused(room, "c1", "hand_cheque", **handing).message
    assert room.do("s1", "pay_adjustment", **asked)["due"]
    assert room.state.owed("payable:L") == 500_001 * CENT
    again = refused(room, "c1", "pay_adjustment", **{**asked, "method": "chips"})
    assert (again.reason, again.clause) == (Reason.OUT_OF_ORDER, "WAC 230-15-050")
    # It is not the cheque of win page 1.
    refused(room, "c1", "hand_cheque", **{**handing, "slip": None, "page": 1})
    handed = room.do("c1", "hand_cheque", **handing)
    assert handed == {
        "slip": 1,
        "amount_cents": 500_001,
        "reference": "cheque 7",
        "late": False,
    }
    assert room.state.owed("payable:L") == 0
    assert room.state.owed("bank") == 500_001 * CENT
    assert refused(room, "c1", "hand_cheque", **handing).reason is Reason.OUT_OF_ORDER


def test_who_confirmed_an_award_does_not_verify_it_with_a_second_card(room: Room) -> None:
    """WAC 230-15-320: Sue holds a supervisor's and a surveillance card."""
    seeded = {**TENTH, "meter_seed_cents": 400_000}
    room.set_up(meters={"single": seeded})
    room.do("a1", "issue_card", card="v2", name="Sue", role="surveillance", **own_card("s1"))
    game(room, 1)
    shown(room, 1)
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 1, "s1")
    asked = {"table": "T1", "page": 1, "pin_held": True, "seen": ON_CAMERA}
    own = refused(room, "v2", "check_on_camera", **asked)
    assert (own.reason, own.clause) == (Reason.NOT_APPROVED, "WAC 230-15-320")
    assert "Sue has approved it" in own.message
    assert room.do("v1", "check_on_camera", **asked)["cents"] == 400_010


def test_meter_seed_is_recovered_no_more_than_once(room: Room) -> None:
    """WAC 230-15-695: the house takes back what it has put up, and nothing of the players'."""
    room.set_up(meters={"single": TENTH})
    for _ in range(2):
        game(room, *range(1, 8), cents=10_000)
        played(room)
    assert room.meter("L") == 5_000 + 14_000
    assert no_slip(room, -5_001, "seed_recovered").reason is Reason.AMOUNT_TOO_LARGE
    slip(room, -3_000, "seed_recovered")
    assert no_slip(room, -2_001, "seed_recovered").reason is Reason.AMOUNT_TOO_LARGE
    slip(room, -2_000, "seed_recovered")
    assert room.state.owed("seed_fund") == 0
    for cents in (-1, -5_000):
        assert no_slip(room, cents, "seed_recovered").reason is Reason.AMOUNT_TOO_LARGE
    # A new start has a meter_seed of its own.
    game(room, 1)
    win(room, 1)
    pay(room)
    slip(room, -5_000, "seed_recovered")
    assert no_slip(room, -1, "seed_recovered").reason is Reason.AMOUNT_TOO_LARGE
    assert room.state.owed("seed_fund") == 0


def test_meter_seed_is_not_recovered_again_with_the_award_that_it_followed(room: Room) -> None:
    """WAC 230-15-695: put back, the award would take the same meter_seed off a second time."""
    room.set_up(meters={"single": TENTH}, paytable="01", progressive="five-card-link")
    game(room, *range(1, 8), cents=10_000)
    slip(room, -5_000, "seed_recovered")
    show(room, {2: "royal_flush", 1: "straight_flush"})
    room.press("T1", 2, "royal_flush")
    # All that is on the meter now came from players.
    assert call_and_confirm(room, 2)["amount_cents"] == 7_000
    slip(room, -4_000, "seed_recovered")
    twice = no_slip(room, 7_000, "award_backed_out", page=1)
    assert (twice.reason, twice.clause) == (Reason.NOT_DONE_YET, "PGM-16")
    assert room.state.owed("seed_fund") == -1_000 * CENT
    # A share moved no meter_seed, and can be put back at any time.
    room.press("T1", 1, "straight_flush")
    share = room.confirm("T1", 1)["amount_cents"]
    slip(room, -1, "seed_recovered")
    slip(room, share, "award_backed_out", page=2)


def test_no_meter_seed_is_recovered_after_a_whole_award_was_put_back(room: Room) -> None:
    room.set_up(meters={"single": TENTH})
    game(room, 1)
    win(room, 1)
    slip(room, 5_010, "award_backed_out", page=1)
    assert no_slip(room, -1, "seed_recovered").reason is Reason.AMOUNT_TOO_LARGE
    room.press("T1", 1, SPADES)
    room.confirm("T1", 1)
    slip(room, -5_000, "seed_recovered")


@pytest.mark.clause("PGM-16", "PNX-16", "PML-15")
def test_a_slip_takes_two_people_of_two_departments(room: Room) -> None:
    """WAC 230-15-430: nobody makes a mistake and hides it too."""
    room.set_up()
    room.do("a1", "issue_card", card="c9", name="Sue", role="cage", **own_card("s1"))
    room.do("a1", "issue_card", card="u9", name="Sue", role="auditor", **own_card("s1"))
    # One department, one person, or somebody with no say in it.
    for second in ("s1", "s2", "e1", "c9", "u9", "d1", "v1", "a1", "zz", "", None):
        wrong = no_slip(room, -100, "display_error", second=second)
        assert wrong.reason in (Reason.NOT_APPROVED, Reason.BAD_ARGUMENT), second
    for first in ("c1", "u1", "a1", "d1", "v1"):
        asked = {**SLIP, "cents": -1, "reason": "display_error", "second": "u1"}
        wrong = refused(room, first, "adjust", **asked)
        assert wrong.reason is Reason.NOT_APPROVED
    for pins in ({"pin_held": False}, {"second_pin_held": False}):
        assert "PIN" in no_slip(room, -100, "display_error", **pins).message
    for second in ("c1", "u1"):
        slip(room, -100, "display_error", second=second)
    slips = adjustment_slips(all_events(room))
    assert [(s["by"], s["second"]) for s in slips] == [("s1", "c1"), ("s1", "u1")]


# Links.


@pytest.mark.clause("PRC-09")
def test_a_meter_seed_of_nothing_takes_an_executive(room: Room) -> None:
    room.set_up()
    asked: dict[str, Any] = {
        "link": "M",
        "progressive": "three-card-progressive",
        "paytable": "1",
        "meters": {"single": {**SETTINGS, "meter_seed_cents": 0}},
    }
    assert refused(room, "a1", "make_link", **asked).clause == "PRC-09"
    # No longer by a word of the administrator alone.
    assert refused(room, "a1", "make_link", **asked, override=True).clause == "PRC-09"
    for second in ("s1", "c1", "a1", "zz"):
        wrong = refused(room, "a1", "make_link", **asked, second=second, second_pin_held=True)
        assert wrong.reason is Reason.NOT_APPROVED
    assert "PIN" in refused(room, "a1", "make_link", **asked, second="e1").message
    signed = {"second": "e1", "second_pin_held": True}
    # An executive who is the administrator too is no second person.
    room.do("a1", "issue_card", card="e9", name="Ada", role="executive", **own_card("a1"))
    alone = refused(room, "a1", "make_link", **asked, **{**signed, "second": "e9"})
    assert (alone.reason, alone.clause) == (Reason.NOT_APPROVED, "PRC-09")
    room.do("a1", "make_link", **asked, **signed)
    # The same when it comes later.
    later = {"link": "L", "meters": asked["meters"]}
    assert refused(room, "a1", "change_settings", **later).clause == "PRC-09"
    room.do("a1", "change_settings", **later, **signed)


def test_a_new_cap_is_posted_first(room: Room) -> None:
    """WAC 230-15-685(4)."""
    room.set_up()
    capped = {"single": {**SETTINGS, "cap_cents": 1_000_500}}
    game_of = {"progressive": "three-card-progressive", "paytable": "1"}
    asked: dict[str, Any] = {"link": "L", "meters": capped}
    for wrong in ({}, {"notice_posted": False}, {"notice_posted": "yes"}):
        refused(room, "a1", "change_settings", **asked, **wrong)
        refused(room, "a1", "make_link", **{**asked, "link": "M"}, **game_of, **wrong)
    assert refused(room, "a1", "change_settings", **asked).clause == "WAC 230-15-685"
    room.do("a1", "change_settings", **asked, notice_posted=True)
    # The cap that stands there already needs no new notice, and none is needed to lift it.
    room.do("a1", "change_settings", **asked)
    higher = {"single": {**SETTINGS, "cap_cents": 1_000_501}}
    assert "notice" in refused(room, "a1", "change_settings", link="L", meters=higher).message
    room.do("a1", "change_settings", link="L", meters={"single": SETTINGS})


def test_an_administrator_does_nothing_without_the_pin(room: Room) -> None:
    """WAC 230-15-430."""
    room.set_up()
    commands: list[tuple[str, dict[str, Any]]] = [
        ("issue_card", {"card": "d9", "name": "Don", "role": "dealer", "pin_hash": "x"}),
        ("unlock_card", {"card": "d1", "pin_hash": "y"}),
        ("withdraw_card", {"card": "d2"}),
        ("make_table", {"table": "T9", "game": "three-card-poker"}),
        (
            "make_link",
            {
                "link": "M",
                "progressive": "three-card-progressive",
                "paytable": "1",
                "meters": {"single": SETTINGS},
            },
        ),
        ("set_thresholds", {"link": "L", "thresholds": {"single": 1}}),
        ("change_settings", {"link": "L", "meters": {"single": SETTINGS}}),
        ("leave_link", {"table": "T1"}),
        ("join_link", {"table": "T1", "link": "L"}),
        ("close_link", {"link": "L", "why": "a fault"}),
        ("open_link", {"link": "L"}),
    ]
    for name, asked in commands:
        for wrong in ({"pin_held": False}, {"pin_held": None}):
            without = refused(room, "a1", name, **asked, **wrong)
            assert without.reason in (Reason.NOT_APPROVED, Reason.BAD_ARGUMENT), name
        room.do("a1", name, **asked)


ODD: tuple[Any, ...] = (
    None,
    [],
    ["seized"],
    {},
    {"single": []},
    1.5,
    True,
    "",
    "x" * 500,
    10**30,
    -1,
    "\n",
)


def test_nonsense_in_any_argument_is_refused(tmp_path: Path) -> None:
    """Whatever a client sends, it is told what is wrong; nothing fails by itself."""
    room = Room(f"sqlite:///{tmp_path / 'floor.sqlite'}")
    room.set_up()
    game(room, 1, 2)
    win(room, 1)
    at, seat, link = {"table": "T1"}, {"table": "T1", "position": 1}, {"link": "L"}
    page = {"table": "T1", "page": 1}
    pinned = {"pin_held": True}
    meters = {"meters": {"single": SETTINGS}, "second": "e1", "second_pin_held": True}
    # What is wrong with each of them already does not hide what is wrong with an argument.
    commands: list[tuple[str, str, dict[str, Any]]] = [
        ("d1", "open_round", at),
        ("d1", "round", {**at, "text": "no more bets"}),
        ("d1", "undo", at),
        ("d1", "call_supervisor", at),
        ("e1", "confirm_award", {**seat, **pinned, "checklist": CHECKED}),
        ("e1", "turn_key", {**at, **pinned, "to": "jph"}),
        ("e1", "press_jackpot", {**seat, **pinned, "checklist": CHECKED}),
        ("v1", "check_on_camera", {**seat, **pinned, "from": 1, "seen": ON_CAMERA}),
        ("v1", "check_on_camera", {**page, **pinned, "seen": ON_CAMERA}),
        ("c1", "pay_award", {**page, "reference": "slip 1", "method": "gold"}),
        ("s1", "end_earlier_game", {**at, "reason": "the program is new"}),
        ("s1", "adjust", {**SLIP, "cents": -1, "reason": "won", "page": 1}),
        ("s1", "pay_adjustment", {**at, "slip": 1, "reference": "slip 1"}),
        ("c1", "record_deposit", {**link, **pinned, "balance_cents": 1, "reference": "a wire"}),
        ("c1", "hand_cheque", {**link, **pinned, "page": 1, "reference": "cheque 1"}),
        ("s1", "close_link", {**link, "cause": "fault", "why": "the sign is dark"}),
        ("a1", "make_link", {**link, **meters, "deposits": "weekly", "notice_posted": True}),
        ("a1", "change_settings", {**link, **meters, "reason": "r", "notice_posted": True}),
        ("a1", "set_thresholds", {**link, "thresholds": {"single": 1}}),
        ("a1", "issue_card", {"card": "d1", "name": "Dan", "role": "dealer", "pin_hash": "x"}),
        ("a1", "issue_card", {"card": "e9", "name": "Dan", "role": "executive", **own_card("d1")}),
        ("a1", "unlock_card", {"card": "d1", "pin_hash": "y"}),
    ]
    answers = [
        room.journal.submit(room.command(actor, name, **{**asked, argument: odd}))
        for actor, name, asked in commands
        for argument in asked
        for odd in ODD
    ]
    failed = [wrong for wrong in (answer.exception() for answer in answers) if wrong]
    assert [wrong for wrong in failed if not isinstance(wrong, Refused)] == []
    assert len(failed) > 500
    room.journal.close()


# A share that grows with the wager.


@pytest.mark.clause("PML-05", "PML-12")
@pytest.mark.parametrize(("cents", "amount", "left"), [(900, 4_581, 509), (1_000, 5_100, 5_010)])
def test_a_tenth_that_grew_to_the_whole_meter_starts_it_again(
    room: Room, cents: int, amount: int, left: int
) -> None:
    """A-19: a tenth for each dollar is nine tenths for $9.00, and all of it for $10.00."""
    room.set_up(
        paytable="01",
        progressive="five-card-link",
        meters={"single": TENTH},
        options={"percent_pay_scaling": "per_wager_unit"},
    )
    game(room, 1, cents=cents)
    assert win(room, 1, "straight_flush")["amount_cents"] == amount
    assert room.meter("L") == left
