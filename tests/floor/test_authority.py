"""The round is the authority over its progressive: what two minds of a table once allowed.

Each test is named for a fault of that time, and shows over the floor's own commands that it can
no longer happen.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from houseway.floor.camera import LargePay, large_pays
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.records import win_pages
from houseway.house.meters import MICROCENTS
from houseway.journal.audit import verify
from houseway.journal.rebuild import differences
from houseway.live.state import Round
from houseway.refusal import Reason, Refused
from tests.floor.room import CHECKED, Room
from tests.floor.test_approvals import PAPER, equip, opened, strict
from tests.floor.test_floor import OTHER_SUIT, SPADES, all_events, last, levels, refused, says

ROYAL, FLUSH, FOUR = "royal_flush", "straight_flush", "four_of_a_kind"
GAME_MANAGER = {"award_profile": "game_manager"}
MAJOR: dict[str, Any] = {
    "paytable": "ML01",
    "progressive": "five-card-link",
    "meters": levels(mega=5_000_000, major=500_000),
}
"""A link whose straight flushes win the whole Major; two of them can lie on one table."""
GONE = (
    "light",
    "unlight",
    "start_game",
    "fold",
    "choose_spot",
    "press_hand",
    "pay_envy",
    "end_game",
    "void_game",
)
"""Commands with which the progressive once went its own way."""


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    """A floor with nobody on it yet; whatever happened there must hold in the end."""
    made = Room(database)
    yield made
    with made.journal.engine.connect() as connection:
        audit = verify(connection)
        assert audit.holds, audit
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def live(room: Room, table: str = "T1") -> Round:
    found = round_of(room.state.streams[f"table:{table}"])
    assert found is not None
    return found


def award_of(table: str, position: int) -> dict[str, Any]:
    """What whoever confirms an award asks for."""
    return {"table": table, "position": position, "pin_held": True, "checklist": CHECKED}


def turn(room: Room, to: str, table: str = "T1") -> Mapping[str, Any]:
    return room.do("s1", "turn_key", table=table, to=to, pin_held=True)


def back_out(room: Room, page: int, cents: int, level: str = "single") -> Mapping[str, Any]:
    """Two people put the award of a win page back."""
    return room.do(
        "s1",
        "adjust",
        link="L",
        level=level,
        cents=cents,
        reason="award_backed_out",
        text="the deck was not counted",
        page=page,
        second="c1",
        pin_held=True,
        second_pin_held=True,
    )


def test_the_progressive_has_no_commands_of_its_own(room: Room) -> None:
    room.set_up()
    room.play("T1", {1: None, 2: SPADES})
    for name in GONE:
        told = refused(room, "s1", name, table="T1", position=2, hand=SPADES, reason="why")
        assert (told.reason, "is unknown" in told.message) == (Reason.BAD_ARGUMENT, True)


@pytest.mark.clause("PGM-11", "PGM-15", "PNX-12", "PNX-15")
@pytest.mark.parametrize("system", ["nexus", "game_manager"])
def test_no_round_closes_over_an_unclaimed_meter_hand(room: Room, system: str) -> None:
    room.set_up(options={"award_profile": system})
    letters = "PNX" if system == "nexus" else "PGM"
    chosen, ended = ("12", "15") if system == "nexus" else ("11", "15")
    room.play("T1", {1: None, 2: SPADES})
    for text in ("close", "pay envy"):
        told = says(room, "T1", text)
        assert (told.reason, told.clause) == (Reason.NOT_DONE_YET, f"{letters}-{chosen}")
        assert f"{SPADES} at 2" in told.message
    # Nor is it passed over: by the next round, by another link or by a dealer who voids.
    assert "under way" in refused(room, "d1", "open_round", table="T1").message
    assert "under way" in refused(room, "a1", "leave_link", table="T1").message
    assert says(room, "T1", "void ruling: nobody has seen it").reason is Reason.NOT_APPROVED
    room.press("T1", 2, SPADES)
    for text in ("close", "pay envy"):
        told = says(room, "T1", text)
        assert (told.reason, told.clause) == (Reason.NOT_DONE_YET, f"{letters}-{ended}")
    room.do("d1", "call_supervisor", table="T1")
    if system == "nexus":
        room.confirm("T1", 2)
    else:
        turn(room, "jph")
        room.do("s1", "press_jackpot", **award_of("T1", 2))
        turn(room, "run")
    room.say("T1", "pay envy")
    room.say("T1", "close")
    assert [page["won_cents"] for page in win_pages(all_events(room))] == [1_000_040]


@pytest.mark.clause("CMP-01", "CMP-13", "TCP-12")
def test_no_meter_is_paid_at_a_table_that_is_not_open_or_above_the_limit(room: Room) -> None:
    room.set_up()
    strict(room, table_maximum="progressive=5")
    meter = room.state.owed("meter:L:single")

    def shut() -> None:
        """Whatever is asked at the table is refused, and the meter stands."""
        closed = refused(room, "d1", "open_round", table="S")
        assert (closed.reason, closed.clause) == (Reason.NOT_DONE_YET, "CMP-01")
        for text in ("bets 1: ante 5, progressive 1", "start game", f"press 1: {SPADES}"):
            assert says(room, "S", text).reason is Reason.WRONG_PHASE
        for name in ("confirm_award", "press_jackpot"):
            assert refused(room, "e1", name, **award_of("S", 1)).reason is Reason.WRONG_PHASE
        assert room.state.owed("meter:L:single") == meter

    shut()
    room.do("a1", "record_paper", paper="internal_controls", **PAPER)
    room.do("a1", "approve_rules", table="S", **PAPER)
    equip(room)
    # What is approved is not yet open.
    shut()
    opened(room, "SH1", "PG1", "LA1")
    room.do("d1", "open_round", table="S")
    above = says(room, "S", "bets 1: ante 5, progressive 5.01")
    assert (above.reason, above.clause) == (Reason.ABOVE_MAXIMUM, "TCP-12")
    law = says(room, "S", "bets 1: ante 400.01, progressive 5")
    assert (law.reason, law.clause) == (Reason.ABOVE_LIMIT, "CMP-13")
    room.say("S", "bets 1: ante 5, progressive 5")
    room.say("S", "no more bets")
    room.say("S", "start game")
    room.deal("S", {1: SPADES})
    # 20% of $5.00.
    assert room.press("S", 1, SPADES) == 1_000_100
    room.do("d1", "call_supervisor", table="S")
    assert room.confirm("S", 1)["amount_cents"] == 1_000_100


@pytest.mark.clause("PGM-10", "PNX-11", "PML-11")
def test_seat_2_is_not_confirmed_before_seat_5_that_the_cards_pay_first(room: Room) -> None:
    room.set_up(**MAJOR)
    room.start("T1", 2, 5)
    room.deal("T1", {2: FLUSH, 5: FLUSH}, settle=False)
    # Hands are settled from the right as well, so the left one cannot come first.
    assert says(room, "T1", "reconcile 2").reason is Reason.OUT_OF_ORDER
    assert says(room, "T1", f"press 2: {FLUSH}").reason is Reason.WRONG_PHASE
    room.say("T1", "reconcile")
    for step in ("settled", "pressed 2", "pressed 5"):
        if step.startswith("pressed"):
            room.press("T1", int(step[-1]), FLUSH)
        if step == "pressed 2":
            room.do("d1", "call_supervisor", table="T1")
        # Whether anybody has pressed it or not: the cards say that position 5 has won.
        told = refused(room, "s1", "confirm_award", **award_of("T1", 2))
        assert (told.reason, told.clause) == (Reason.OUT_OF_ORDER, "PML-11")
        assert "position 5 is paid before position 2" in told.message
    assert room.confirm("T1", 5, "s1")["amount_cents"] == 500_020
    assert room.confirm("T1", 2, "s1")["amount_cents"] == 500_002


class Deal(NamedTuple):
    """A round with awards of meters."""

    paytable: str
    meters: Mapping[str, Any]
    hands: Mapping[int, str | None]
    due: Mapping[int, int]
    """What each winner is due, in the order they are paid, worked out by hand."""
    cents: int = 100
    options: Mapping[str, str] = {}


# Every level gets 10% of each wager and sets 1% aside.
DEALS = {
    # Two wagers: 500,020. Then a new start of 500,000 and the 2 set aside.
    "second whole award": Deal(
        "ML01",
        levels(mega=5_000_000, major=500_000),
        {2: FLUSH, 5: FLUSH},
        {5: 500_020, 2: 500_002},
    ),
    # Three wagers: 1,000,030. A tenth, and then what it leaves.
    "10% before 100%": Deal(
        "01", levels(single=1_000_000), {2: ROYAL, 4: None, 5: FLUSH}, {5: 100_003, 2: 900_027}
    ),
    # Two wagers: 1,000,020. Then a tenth of the new start of 1,000,002.
    "10% after 100%": Deal(
        "01", levels(single=1_000_000), {2: FLUSH, 5: ROYAL}, {5: 1_000_020, 2: 100_000}
    ),
    # Three wagers on each of three meters.
    "three levels": Deal(
        "ML03",
        levels(mega=5_000_000, major=500_000, minor=50_000),
        {1: FOUR, 3: FLUSH, 6: ROYAL},
        {6: 5_000_030, 3: 500_030, 1: 50_030},
    ),
    # $5 each: 1,000,100. Five tenths, and then the rest; the whole is never more than the meter.
    "shares that grow": Deal(
        "01",
        levels(single=1_000_000),
        {2: ROYAL, 5: FLUSH},
        {5: 500_050, 2: 500_050},
        cents=500,
        options={"percent_pay_scaling": "per_wager_unit"},
    ),
}


@pytest.mark.clause("PGM-08", "PGM-10", "PNX-11", "PML-11", "PML-05")
@pytest.mark.parametrize("fixed", ["at_hand_selection", "at_confirmation"])
@pytest.mark.parametrize("name", DEALS)
def test_the_line_of_the_round_and_the_award_never_differ(
    room: Room, name: str, fixed: str
) -> None:
    asked = DEALS[name]
    room.set_up(
        paytable=asked.paytable,
        progressive="five-card-link",
        meters=asked.meters,
        options={"award_amount_fixed": fixed, **asked.options},
    )
    room.play("T1", asked.hands, cents=asked.cents)
    # The dealer presses from the left, against the order of pay.
    for position, hand in sorted(asked.hands.items()):
        if hand is not None:
            room.press("T1", position, hand)
    room.do("d1", "call_supervisor", table="T1")
    for page, (position, cents) in enumerate(asked.due.items(), start=1):
        check_award(room, position, page, cents, lambda p: room.confirm("T1", p))
    for pay in large_pays(room.state.streams["table:T1"]):
        room.pay_seen("T1", pay.position, of=pay.of)
    room.say("T1", "pay envy")
    room.say("T1", "close")
    assert room.state.owed("payable:L") == sum(asked.due.values()) * MICROCENTS
    # The wagers and the awards of the round are all that its progressive system has moved.
    assert live(room).system == len(asked.hands) * asked.cents - sum(asked.due.values())


@pytest.mark.clause("PGM-13", "PGM-14")
@pytest.mark.parametrize("fixed", ["at_hand_selection", "at_confirmation"])
def test_the_line_of_the_round_and_an_award_by_key_never_differ(room: Room, fixed: str) -> None:
    room.set_up(
        games=("three-card-poker", "three-card-poker"),
        options={**GAME_MANAGER, "award_amount_fixed": fixed},
    )
    room.play("T1", {1: None, 2: SPADES})
    room.press("T1", 2, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    turn(room, "jph")

    def by_key(position: int) -> Mapping[str, Any]:
        recorded = room.do("s1", "press_jackpot", **award_of("T1", position))
        # What comes in between J-POT and RUN is not won.
        room.quiet_round("T2", 7)
        assert turn(room, "run") == {"key": "run", **recorded}
        return recorded

    check_award(room, 2, 1, 1_000_040, by_key)
    # The wager that came in later, meter_seed and the reserve of three.
    assert room.meter("L") == 20 + 1_000_000 + 15


def check_award(room: Room, position: int, page: int, cents: int, confirm: Any) -> None:
    """An award is one amount: claimed, answered, in the line of the round and in the books."""
    assert room.claim("T1", position) == cents
    assert confirm(position) == {"position": position, "amount_cents": cents, "page": page}
    seat = live(room).seat(position)
    [line] = [line for line in seat.lines if line.bet == "progressive"]
    assert line.wager + line.net == cents
    written = win_pages(all_events(room))[page - 1]
    assert (written["position"], written["amount_cents"], written["won_cents"]) == (
        position,
        cents,
        cents,
    )
    [moved] = [
        event.transfers
        for event in all_events(room)
        if event.kind == "award_confirmed" and event.data["page"] == page
    ]
    paid = [amount for _, credit, amount in moved if credit == "payable:L"]
    assert paid == [cents * MICROCENTS]
    [owed] = [a for a in room.state.streams["table:T1"].awards if a.page == page]
    assert (owed.position, owed.amount_cents, owed.status) == (position, cents, "confirmed")


@pytest.mark.clause("PGM-16", "PNX-16")
@pytest.mark.parametrize("end", ["confirmed again", "void"])
def test_a_round_whose_award_was_backed_out_can_be_finished(room: Room, end: str) -> None:
    room.set_up()
    room.play("T1", {1: None, 2: SPADES})
    room.press("T1", 2, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 2)
    room.say("T1", "pay envy")
    assert room.state.owed("envy") == -10_000 * MICROCENTS
    void = refused(room, "s1", "round", table="T1", text="void ruling: a card is missing")
    assert (void.reason, void.clause) == (Reason.WRONG_PHASE, "PNX-16")
    back_out(room, 1, 1_000_040)
    assert room.meter("L") == 1_000_040
    assert not live(room).seat(2).settled("progressive")
    assert room.state.streams["table:T1"].awards == ()
    # The hand has won still: the round does not end over it.
    assert f"{SPADES} at 2" in says(room, "T1", "close").message
    if end == "void":
        room.say("T1", "void ruling: a card is missing", "s1")
        # Nothing is left of the round: neither envy nor wagers, and no meter keeps any.
        assert last(room, "game_voided")["kept"] == []
        for account in ("envy", "tray:T1", "payable:L", "reserve:L:single"):
            assert room.state.owed(account) == 0, account
        assert room.meter("L") == 1_000_000
        room.quiet_round("T1", 1)
        return
    assert room.press("T1", 2, SPADES) == 1_000_040
    assert room.confirm("T1", 2)["page"] == 2
    # Envy was paid once.
    assert "no envy" in says(room, "T1", "pay envy").message
    room.say("T1", "close")
    room.on_camera("T1", 2)
    room.do("c1", "pay_award", table="T1", page=2, reference="cheque 1")
    assert (room.state.owed("payable:L"), room.state.owed("envy")) == (0, -10_000 * MICROCENTS)
    pages = win_pages(all_events(room))
    assert [page["won_cents"] for page in pages] == [0, 1_000_040]


@pytest.mark.clause("PGM-16", "PNX-16")
@pytest.mark.parametrize("since", [(), ("bets",), ("bets", "start game")])
def test_an_award_of_a_round_that_is_over_is_put_back_whatever_is_played_since(
    room: Room, since: tuple[str, ...]
) -> None:
    room.set_up()
    room.play("T1", {2: SPADES})
    room.press("T1", 2, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    won = room.confirm("T1", 2)
    room.say("T1", "close")
    if "bets" in since:
        room.bet("T1", 2)
    if "start game" in since:
        room.say("T1", "start game")
    before, meter = live(room), room.meter("L")
    back_out(room, 1, won["amount_cents"])
    # The meter has it back, less what it was started again with; the round has no part in it.
    assert room.meter("L") == meter + won["amount_cents"] - 1_000_005
    assert room.state.streams["table:T1"].awards == ()
    assert live(room) == before


@pytest.mark.clause("PGM-16", "PML-15")
def test_a_tenth_that_is_put_back_leaves_the_house_its_seed_to_recover(room: Room) -> None:
    room.set_up(paytable="01", progressive="five-card-link", meters=levels(single=1_000_000))
    room.play("T1", {2: FLUSH})
    room.press("T1", 2, FLUSH)
    room.do("d1", "call_supervisor", table="T1")
    back_out(room, 1, room.confirm("T1", 2, "s1")["amount_cents"])
    seed = {"link": "L", "level": "single", "reason": "seed_recovered", "text": "as posted"}
    signed = {"second": "c1", "pin_held": True, "second_pin_held": True}
    room.do("s1", "adjust", **seed, **signed, cents=-1_000_000)


@pytest.mark.clause("PGM-16")
def test_no_meter_stands_below_nothing_while_an_award_is_put_back(room: Room) -> None:
    """A tenth of what the meter was started again with was won at another table since."""
    room.set_up(
        paytable="01",
        progressive="five-card-link",
        games=("three-card-poker", "three-card-poker"),
        meters=levels(single=1_000_000),
    )
    for table, hand, card in (("T1", ROYAL, "e1"), ("T2", FLUSH, "s1")):
        room.play(table, {2: hand})
        room.press(table, 2, hand)
        room.do("d1", "call_supervisor", table=table)
        room.confirm(table, 2, card)
    meter = room.state.owed("meter:L:single")
    assert meter < 1_000_000 * MICROCENTS
    [award] = room.state.streams["table:T1"].awards
    back_out(room, 1, award.amount_cents)
    [slip] = [event for event in all_events(room) if event.kind == "adjusted"]
    for debit, credit, amount in slip.transfers:
        meter += ((credit == "meter:L:single") - (debit == "meter:L:single")) * amount
        assert meter >= 0
    assert meter == room.state.owed("meter:L:single")


def test_surveillance_has_no_pay_to_verify_but_those_of_a_round_under_way(room: Room) -> None:
    room.set_up(**MAJOR)
    room.do("a1", "make_table", table="B", game="triple-shot-bonus")
    room.do("d1", "open_round", table="B")

    def waits(table: str) -> list[LargePay]:
        return large_pays(room.state.streams[f"table:{table}"])

    assert (waits("T1"), waits("B")) == ([], [])
    # Envy of $1,000 for each of five dollars.
    room.play("T1", {1: ROYAL, 2: None}, cents=500)
    assert waits("T1") == [(2, 1, 500_000)]
    room.say("T1", "void ruling: a card is missing", "s1")
    assert waits("T1") == []


@pytest.mark.parametrize(("cents", "looked_at"), [(300_000, False), (300_001, True)])
def test_surveillance_looks_at_awards_over_three_thousand_dollars(
    room: Room, cents: int, looked_at: bool
) -> None:
    # A tenth of the dollar that was wagered comes to what the meter starts with.
    room.set_up(meters=levels(single=cents - 10))
    room.play("T1", {2: SPADES})
    room.press("T1", 2, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    assert room.confirm("T1", 2)["amount_cents"] == cents
    paid = {"table": "T1", "page": 1, "reference": "form 1"}
    if looked_at:
        assert refused(room, "c1", "pay_award", **paid).clause == "WAC 230-15-320"
        room.on_camera("T1", 1)
    else:
        with pytest.raises(Refused, match=r"pays nothing over \$3,000\.00"):
            room.on_camera("T1", 1)
    room.do("c1", "pay_award", **paid)


@pytest.mark.clause("PGM-20")
def test_nothing_is_paid_on_a_slip_that_owes_nothing(room: Room) -> None:
    room.set_up()
    slip = {"link": "L", "level": "single", "text": "the sensor of spot 3 failed"}
    signed = {"second": "c1", "pin_held": True, "second_pin_held": True}
    room.do("s1", "adjust", **slip, **signed, cents=500, reason="display_error")
    paid = {"table": "T1", "slip": 1, "reference": "form 1"}
    told = refused(room, "c1", "pay_adjustment", **paid)
    assert told.message == "nothing is owed on slip 1 of L; owed on: none"


@pytest.mark.clause("PGM-10", "PNX-11", "PML-11")
def test_internal_controls_are_the_order_in_which_awards_are_confirmed(room: Room) -> None:
    room.set_up(**MAJOR, options={"meter_pay_order": "internal_controls"})
    room.bet("T1", 1, 2, 5)
    for missing in ("start game", "start game: pay 2 5", "start game: pay 5 2 2 1"):
        told = says(room, "T1", missing)
        assert (told.reason, told.clause) == (Reason.BAD_ARGUMENT, "PGM-10")
    assert room.meter("L", "major") == 500_000
    room.say("T1", "start game: pay 2 5 1")
    room.deal("T1", {1: None, 2: FLUSH, 5: FLUSH})
    assert room.press("T1", 5, FLUSH) == 500_030
    assert room.press("T1", 2, FLUSH) == 500_030
    room.do("d1", "call_supervisor", table="T1")
    # Three wagers set three cents aside.
    assert room.claim("T1", 5) == 500_003
    early = refused(room, "s1", "confirm_award", **award_of("T1", 5))
    assert (early.reason, early.clause) == (Reason.OUT_OF_ORDER, "PML-11")
    assert room.confirm("T1", 2, "s1")["amount_cents"] == 500_030
    assert room.confirm("T1", 5, "s1")["amount_cents"] == 500_003


@pytest.mark.clause("PGM-10")
def test_an_order_of_pay_is_given_only_where_internal_controls_lay_it_down(room: Room) -> None:
    room.set_up()
    room.bet("T1", 1, 3)
    assert says(room, "T1", "start game: pay 1 3").clause == "PGM-10"
    room.say("T1", "start game")


@pytest.mark.clause("PGM-18", "PNX-18")
def test_hands_that_trigger_envy_are_not_taken_in(room: Room) -> None:
    room.set_up()
    room.play("T1", {1: None, 2: OTHER_SUIT, 3: SPADES, 4: "straight"})

    def gone() -> dict[int, bool]:
        return {position: live(room).seat(position).gone for position in (1, 2, 3, 4)}

    lie = {1: True, 2: False, 3: False, 4: True}
    assert gone() == lie
    for position, hand in ((2, OTHER_SUIT), (3, SPADES), (4, "straight")):
        room.press("T1", position, hand)
        assert gone() == lie
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 3)
    assert gone() == lie
    room.say("T1", "pay envy")
    assert gone() == lie
    room.say("T1", "close")
    assert live(room).over


@pytest.mark.clause("PML-16")
def test_a_hand_whose_award_is_open_is_not_taken_in(room: Room) -> None:
    """Four of a kind triggers no envy, but wins the Minor."""
    room.set_up(
        paytable="ML03",
        progressive="five-card-link",
        meters=levels(mega=5_000_000, major=500_000, minor=50_000),
    )
    room.play("T1", {1: None, 2: FOUR, 3: FLUSH})
    assert [live(room).seat(position).gone for position in (1, 2, 3)] == [True, False, False]


@pytest.mark.clause("PGM-13", "PGM-14", "PGM-16")
def test_game_manager_has_no_executive_and_backs_out_between_j_pot_and_run(room: Room) -> None:
    room.set_up(options=GAME_MANAGER, threshold=1)
    room.play("T1", {1: None, 2: SPADES})
    room.press("T1", 2, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    turn(room, "jph")
    # The supervisor's key is enough, whatever the amount; surveillance looks before it is paid.
    least = dict.fromkeys(("hand_seen", "wager_lit", "amount", "deck_counted"), True)
    asked = {**award_of("T1", 2), "checklist": least}
    assert room.do("s1", "press_jackpot", **asked)["page"] == 1
    # The win page is there, and the meter stands.
    [page] = win_pages(all_events(room))
    assert (page["page"], page["amount_cents"], page["before_cents"]) == (1, 1_000_040, 1_000_040)
    assert page["after_cents"] is None
    assert (room.meter("L"), room.state.owed("payable:L")) == (1_000_040, 0)
    early = {"table": "T1", "page": 1, "reference": "cheque 1"}
    assert refused(room, "c1", "pay_award", **early).reason is Reason.NOT_DONE_YET
    # Between J-POT and RUN it is backed out, by two people; nothing had moved.
    back_out(room, 1, 1_000_040)
    slip = [event for event in all_events(room) if event.kind == "adjusted"][-1]
    assert (slip.transfers, slip.data["before_cents"], slip.data["after_cents"]) == (
        [],
        1_000_040,
        1_000_040,
    )
    assert not live(room).seat(2).settled("progressive")
    assert room.state.streams["link:L"].pending == ()
    assert room.state.streams["table:T1"].awards == ()
    # With the key turned nothing leaves the meter, for nothing is logged.
    assert turn(room, "run") == {"key": "run"}
    assert room.meter("L") == 1_000_040
    assert f"{SPADES} at 2" in says(room, "T1", "close").message
    room.press("T1", 2, SPADES)
    turn(room, "jph")
    assert room.do("s1", "press_jackpot", **asked)["page"] == 2
    assert turn(room, "run") == {
        "key": "run",
        "position": 2,
        "amount_cents": 1_000_040,
        "page": 2,
    }
    assert room.meter("L") == 1_000_010
    room.say("T1", "pay envy")
    room.say("T1", "close")
    pages = win_pages(all_events(room))
    assert [(p["won_cents"], p["after_cents"]) for p in pages] == [
        (0, None),
        (1_000_040, 1_000_010),
    ]


@pytest.mark.clause("PGM-15", "PGM-20", "PNX-15")
def test_end_game_does_not_wait_for_the_cage(room: Room) -> None:
    room.set_up()
    for round_number in (1, 2):
        room.play("T1", {1: None, 2: SPADES})
        room.press("T1", 2, SPADES)
        room.do("d1", "call_supervisor", table="T1")
        room.confirm("T1", 2)
        room.say("T1", "pay envy")
        room.say("T1", "close")
        awards = room.state.streams["table:T1"].awards
        assert [award.page for award in awards] == [*range(1, round_number + 1)]
    # The table plays on; what is owed is told apart by its page, though the position is the same.
    room.start("T1", 2)
    # 20% of two wagers; then the new start with 5% of four, less what was used, and 20% of two.
    first, second = room.state.streams["table:T1"].awards
    assert (first.round, second.round) == (1, 2)
    assert (first.amount_cents, second.amount_cents) == (1_000_040, 1_000_050)
    assert room.state.owed("payable:L") == (1_000_040 + 1_000_050) * MICROCENTS
    with pytest.raises(Refused, match="surveillance has not verified"):
        room.do("c1", "pay_award", table="T1", page=2, reference="cheque 2")
    for page in (2, 1):
        room.on_camera("T1", page)
        room.do("c1", "pay_award", table="T1", page=page, reference=f"cheque {page}")
    assert room.state.owed("payable:L") == 0
    with pytest.raises(Refused, match="is not waiting to be paid"):
        room.do("c1", "pay_award", table="T1", page=1, reference="cheque 3")
    room.deal("T1", {2: None})
    room.say("T1", "close")
    room.do("a1", "leave_link", table="T1")


def test_a_table_does_not_leave_with_a_prize_that_is_owed(room: Room) -> None:
    room.set_up()
    room.play("T1", {2: SPADES})
    room.press("T1", 2, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 2)
    room.say("T1", "close")
    assert refused(room, "a1", "leave_link", table="T1").clause == "PGM-20"
    assert last(room, "game_ended")["round"] == 1
