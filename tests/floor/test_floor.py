"""The progressive at the table, in each of the three systems, told as a pit boss would."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from houseway.floor.adjustment import REDUCTIONS
from houseway.floor.link import find_link
from houseway.floor.linking import check_linkable
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.records import (
    adjustment_slips,
    coin_in,
    progressive_record,
    reconciliation,
    win_pages,
)
from houseway.floor.table import find_table
from houseway.journal.audit import verify
from houseway.journal.journal import events
from houseway.journal.rebuild import differences
from houseway.live import commands as c
from houseway.live.procedure import play_round
from houseway.live.record import Record, told
from houseway.live.shuffler import make_shuffle
from houseway.live.state import carried_over
from houseway.live.text import command_text
from houseway.practice.coach import basic
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import make_ruleset
from tests.floor.room import CHECKED, SETTINGS, Room

SPADES, OTHER_SUIT = "akq_spades", "akq_other_suit"
SECOND = {"link": "M", "progressive": "three-card-progressive", "paytable": "1"}
"""A second link, beside the one that a floor is set up with."""


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


def refused(room: Room, *asked: Any, **arguments: Any) -> Refused:
    with pytest.raises(Refused) as raised:
        room.do(*asked, **arguments)
    return raised.value


def all_events(room: Room) -> Any:
    with room.journal.engine.connect() as connection:
        return events(connection)


def says(room: Room, table: str, text: str) -> Refused:
    """Why the round of a table refuses a step."""
    return refused(room, "d1", "round", table=table, text=text)


def last(room: Room, kind: str) -> Any:
    """The data of the last event of a kind."""
    return [event for event in all_events(room) if event.kind == kind][-1].data


@pytest.mark.clause("PGM-05", "PGM-06", "PGM-11", "PGM-12", "PGM-13", "PGM-14", "PGM-15", "PGM-16")
def test_game_manager_from_coin_in_to_game_over(room: Room) -> None:
    room.set_up(options={"award_profile": "game_manager"})
    room.do("d1", "open_round", table="T1")
    no_base = says(room, "T1", "bets 2 by p: progressive 1")
    assert (no_base.reason, no_base.clause) == (Reason.BASE_WAGER_REQUIRED, "PGM-05")
    room.say("T1", "bets 1 by p: ante 5, progressive 1")
    room.say("T1", "bets 2 by q: ante 5, progressive 1")
    room.say("T1", "no more bets")
    key = {"table": "T1", "to": "jph", "pin_held": True}
    assert refused(room, "s1", "turn_key", **key).clause == "PGM-06"
    room.say("T1", "start game")
    assert last(room, "game_started")["lit"] == {"1": 100, "2": 100}
    # 20% of $2.00 stands on the meter at once, and 5% is set aside.
    assert room.meter("L") == 1_000_040
    assert room.state.owed("reserve:L:single") == 10 * 1_000_000
    late = says(room, "T1", "bets 3 by r: ante 5, progressive 1")
    assert (late.reason, late.clause) == (Reason.WRONG_PHASE, "TCP-17")
    assert "started already" in says(room, "T1", "start game").message
    room.deal("T1", {1: None, 2: SPADES})
    # The hand button toggles.
    assert room.press("T1", 2, SPADES) == 1_000_040
    assert room.press("T1", 2, SPADES) == 0
    assert says(room, "T1", "close").clause == "PGM-11"
    room.press("T1", 2, SPADES)
    assert says(room, "T1", "close").clause == "PGM-15"
    asked = {"table": "T1", "position": 2, "pin_held": True, "checklist": CHECKED}
    assert refused(room, "s1", "press_jackpot", **asked).clause == "PGM-13"
    room.do("s1", "turn_key", **key)
    assert last(room, "key_turned") == {"to": "jph", "holder": "s1"}
    assert refused(room, "s1", "press_jackpot", **asked).clause == "PGM-12"
    room.do("d1", "call_supervisor", table="T1")
    recorded = room.do("s1", "press_jackpot", **asked)
    assert recorded == {"amount_cents": 1_000_040, "page": 1, "position": 2}
    # The win is recorded, and the meter still stands.
    assert room.meter("L") == 1_000_040
    assert says(room, "T1", f"press 2: {SPADES}").clause == "PGM-16"
    assert says(room, "T1", "close").clause == "PGM-18"
    room.say("T1", "pay envy")
    assert says(room, "T1", "close").clause == "PGM-14"
    room.do("s1", "turn_key", table="T1", to="run", pin_held=True)
    assert last(room, "key_turned") == {"to": "run", "holder": ""}
    # meter_seed and reserve.
    assert room.meter("L") == 1_000_010
    room.say("T1", "close")
    # The round is over, and the prize is owed until it is handed over.
    table = room.state.streams["table:T1"]
    assert not table.started
    assert [award.page for award in table.awards] == [1]
    assert refused(room, "a1", "leave_link", table="T1").clause == "PGM-20"
    room.on_camera("T1", 1)
    room.do("c1", "pay_award", table="T1", page=1, reference="cheque 1")
    assert room.state.streams["table:T1"].awards == ()
    assert room.state.owed("payable:L") == 0


@pytest.mark.clause("PNX-05", "PNX-06", "PNX-12", "PNX-13", "PNX-14", "PNX-15", "PNX-16", "PNX-04")
def test_nexus_from_start_game_to_end_game(room: Room) -> None:
    room.set_up()
    room.bet("T1", 1, 3)
    asked = {"table": "T1", "position": 3, "pin_held": True, "checklist": CHECKED}
    assert refused(room, "e1", "confirm_award", **asked).clause == "PNX-06"
    room.say("T1", "start game")
    room.deal("T1", {1: None, 3: SPADES})
    assert says(room, "T1", f"press 3: {OTHER_SUIT}").clause == "PNX-12"
    assert room.press("T1", 3, SPADES) == 1_000_040
    assert refused(room, "e1", "confirm_award", **asked).clause == "PNX-13"
    room.do("d1", "call_supervisor", table="T1")
    low = refused(room, "s1", "confirm_award", **asked)
    assert (low.reason, low.clause) == (Reason.NOT_APPROVED, "PNX-14")
    dealer = refused(room, "d1", "confirm_award", **asked)
    assert dealer.reason is Reason.NOT_APPROVED
    without_pin = refused(room, "e1", "confirm_award", **{**asked, "pin_held": False})
    assert "PIN" in without_pin.message
    unchecked = refused(room, "e1", "confirm_award", **{**asked, "checklist": {}})
    assert "hand_seen" in unchecked.message
    assert room.meter("L") == 1_000_040
    assert says(room, "T1", "close").clause == "PNX-15"
    # The swipe records the win and moves the meter in one.
    assert room.confirm("T1", 3)["page"] == 1
    assert room.meter("L") == 1_000_010
    assert refused(room, "e1", "confirm_award", **asked).clause == "PNX-16"
    room.say("T1", "pay envy")
    room.say("T1", "close")
    room.on_camera("T1", 1)
    room.do("c1", "pay_award", table="T1", page=1, reference="cheque 2")
    [page] = win_pages(all_events(room))
    assert (page["page"], page["before_cents"], page["after_cents"]) == (1, 1_000_040, 1_000_010)
    assert page["tax_flag"]


def levels(**seeds: int) -> dict[str, dict[str, int]]:
    return {
        name: {"contribution_ppm": 100_000, "reserve_ppm": 10_000, "meter_seed_cents": seed}
        for name, seed in seeds.items()
    }


@pytest.mark.clause("PML-03", "PML-07", "PML-11", "PML-14", "PML-15", "PML-16", "PGM-10", "PNX-11")
def test_two_whole_awards_of_a_link_are_paid_from_the_far_right_on(room: Room) -> None:
    room.set_up(
        paytable="ML01",
        progressive="five-card-link",
        games=("three-card-poker", "triple-shot-rummy"),
        meters=levels(mega=5_000_000, major=500_000),
        options={"folded_hand_progressive": "eligible"},
    )
    room.bet("T2", 1)
    room.play("T1", {2: "straight_flush", 6: "straight_flush"})
    # Chosen in the wrong order, the right-most is still the first on the meter.
    assert room.press("T1", 2, "straight_flush") == 500_020
    assert room.press("T1", 6, "straight_flush") == 500_020
    assert room.claim("T1", 2) == 500_002
    room.do("d1", "call_supervisor", table="T1")
    asked = {"table": "T1", "position": 2, "pin_held": True, "checklist": CHECKED}
    wrong = refused(room, "s1", "confirm_award", **asked)
    assert (wrong.reason, wrong.clause) == (Reason.OUT_OF_ORDER, "PML-11")
    assert room.confirm("T1", 6, "s1")["amount_cents"] == 500_020
    assert room.confirm("T1", 2, "s1") == {"amount_cents": 500_002, "page": 2, "position": 2}
    # Two triggers pay each other, and the other table nothing.
    room.say("T1", "pay envy")
    paid = last(room, "envy_paid")["lines"]
    assert [(line["position"], line["from"]) for line in paid] == [(6, 2), (2, 6)]
    assert [page["page"] for page in win_pages(all_events(room))] == [1, 2]


def test_a_chosen_amount_is_frozen_while_other_tables_play_on(room: Room) -> None:
    """A-16: what one table waits for does not grow, and another wins from the fresh start."""
    room.set_up(games=("three-card-poker", "three-card-poker"))
    room.play("T1", {1: SPADES})
    assert room.press("T1", 1, SPADES) == 1_000_020
    room.play("T2", {4: SPADES}, dealer="d2")
    assert room.meter("L") == 1_000_040
    assert room.claim("T1", 1) == 1_000_020
    # The second table would win what is left, a new meter_seed and the reserve of both wagers.
    assert room.press("T2", 4, SPADES, "d2") == 1_000_020 + 10
    room.do("d1", "call_supervisor", table="T1")
    room.do("d2", "call_supervisor", table="T2")
    assert room.confirm("T1", 1)["amount_cents"] == 1_000_020
    assert room.meter("L") == 1_000_030
    assert room.confirm("T2", 4)["amount_cents"] == 1_000_030
    assert room.meter("L") == 1_000_000


@pytest.mark.clause("PGM-17", "PNX-17", "PML-17")
@pytest.mark.parametrize(("profile", "receivers"), [("game_manager", [5, 4]), ("nexus", [5])])
def test_envy_for_the_own_other_hand_follows_the_system(
    room: Room, profile: str, receivers: list[int]
) -> None:
    room.set_up(options={"award_profile": profile, "two_adjacent_positions": "on"})
    room.play("T1", {3: OTHER_SUIT, 4: None, 5: None}, players={3: "Ann", 4: "Ann", 5: "Bob"})
    room.press("T1", 3, OTHER_SUIT)
    room.say("T1", "pay envy")
    paid = last(room, "envy_paid")["lines"]
    assert [line["position"] for line in paid] == receivers
    assert {line["cents"] for line in paid} == {2_500}


@pytest.mark.clause("PGM-09", "PNX-10")
def test_a_fixed_pay_comes_out_of_the_tray_and_leaves_the_meter(room: Room) -> None:
    room.set_up()
    room.play("T1", {1: "straight_flush"})
    before = room.meter("L")
    assert room.press("T1", 1, "straight_flush") == 0
    room.say("T1", "close")
    ended = last(room, "game_ended")
    assert ended["fixed"] == [{"position": 1, "hand": "straight_flush", "amount_cents": 7_000}]
    assert room.meter("L") == before
    assert room.state.owed("payouts") == -7_000 * 1_000_000


@pytest.mark.clause("PRC-01", "PRC-02")
def test_where_all_pays_come_off_the_meter_it_may_run_dry(room: Room) -> None:
    room.set_up(all_from_meter=True, meters={"single": {**SETTINGS, "meter_seed_cents": 5_000}})
    [made] = [event for event in all_events(room) if event.kind == "link_made"]
    [advice] = [line for line in made.data["advice"] if line["clause"] == "PRC-02"]
    assert "run dry" in advice["text"]
    room.play("T1", {1: "straight_flush"})
    room.press("T1", 1, "straight_flush")
    room.say("T1", "close")
    # $70.00 was due and $50.20 stood there: the house lays out the rest.
    assert last(room, "game_ended")["meter_was_short_cents"] == 7_000 - 5_020
    assert room.meter("L") == 0


@pytest.mark.clause("PGM-07", "PNX-09", "PML-10")
@pytest.mark.parametrize("eligible", [True, False])
def test_a_folded_hand_wins_by_house_option(room: Room, eligible: bool) -> None:
    option = "eligible" if eligible else "not_eligible"
    room.set_up(options={"folded_hand_progressive": option})
    room.play("T1", {1: SPADES, 2: None}, folds=(1,))
    if eligible:
        assert room.press("T1", 1, SPADES) == 1_000_040
    else:
        assert says(room, "T1", f"press 1: {SPADES}").clause == "PNX-09"
        # Nothing is owed for it, so nothing holds the round.
        room.say("T1", "close")


@pytest.mark.parametrize("carry", [False, True])
def test_a_void_round_gives_contributions_back_or_carries_them_over(
    room: Room, carry: bool
) -> None:
    """A-15."""
    option = "carry_to_next_round" if carry else "refund"
    room.set_up(options={"void_progressive": option})
    room.play("T1", {1: None, 2: SPADES})
    assert room.meter("L") == 1_000_040
    assert room.press("T1", 2, SPADES) == 1_000_040
    room.say("T1", "void wrong_card_count: four cards at position 2", "s1")
    assert room.meter("L") == (1_000_040 if carry else 1_000_000)
    # Two dollars lie in the tray as long as they play; otherwise they went back.
    assert room.state.owed("tray:T1") == (-200 * 1_000_000 if carry else 0)
    over = round_of(room.state.streams["table:T1"])
    assert over is not None
    kept = {position: cents for position, cents in carried_over(over).items() if cents}
    assert kept == ({1: 100, 2: 100} if carry else {})
    assert last(room, "game_voided")["carried"] is carry
    assert room.state.streams["link:L"].pending == ()
    if carry:
        room.start("T1", 1, 2)
        assert last(room, "game_started")["wagered"] == 0
        assert room.meter("L") == 1_000_040


def test_every_cent_of_a_wager_is_on_a_meter_above_its_cap_or_the_houses(room: Room) -> None:
    """PGM-06: of a dollar 20 cents go to the meter, 2 of them above its cap; 5 are set aside."""
    meters = {"single": {**SETTINGS, "cap_cents": 1_000_018}}
    room.set_up(meters=meters, notice_posted=True)
    room.start("T1", 1)
    parts = {
        "tray:T1": -100,
        "meter:L:single": 1_000_018,
        "overflow:L:single": 2,
        "reserve:L:single": 5,
        "house": 75,
    }
    assert {name: room.state.owed(name) for name in parts} == {
        name: cents * 1_000_000 for name, cents in parts.items()
    }


def test_absurd_wagers_are_refused_and_not_booked(room: Room) -> None:
    room.set_up(options={"table_maximum": "progressive=10"})
    room.do("d1", "open_round", table="T1")
    before = room.state.streams["table:T1"]
    for amount in ("-1", "0", "10000000", "1e9", "1.505", "one", "True", "1 1", "9" * 30):
        told = says(room, "T1", f"bets 1 by p: ante 5, progressive {amount}")
        assert len(told.message) > 10
    assert room.state.streams["table:T1"] == before
    assert says(room, "T1", "no more bets").reason is Reason.MISSING_BET
    assert room.state.owed("meter:L:single") == 1_000_000 * 1_000_000


def test_what_is_unknown_or_out_of_place_is_refused_and_logged(room: Room) -> None:
    room.set_up()
    room.bet("T1", 1)
    before = room.state.position
    cases: list[tuple[str, str, dict[str, Any]]] = [
        ("d1", "round", {"table": "T9", "text": "start game"}),
        ("d1", "round", {"table": "T1", "text": "bets 9: ante 5, progressive 1"}),
        ("d1", "round", {"table": "T1", "text": "close"}),
        ("d1", "make_link", {"link": "M"}),
        ("zz", "round", {"table": "T1", "text": "start game"}),
        ("a1", "no_such_command", {}),
        ("d1", "start_game", {"table": "T1"}),
    ]
    for actor, name, arguments in cases:
        assert len(refused(room, actor, name, **arguments).message) > 10
    room.say("T1", "start game")
    room.deal("T1", {1: None})
    assert says(room, "T1", f"press 2: {SPADES}").reason is Reason.WRONG_POSITION
    assert "press nothing" in says(room, "T1", "press 1: two_pair").message
    logged = [event for event in all_events(room) if event.stream == "refusals"]
    assert len(logged) == len(cases) + 2
    # START GAME is two events, and the deal is a deck, its delivery, a decision and two reveals.
    assert room.state.position == before + len(cases) + 2 + 2 + 5


@pytest.mark.clause("PGM-16", "PNX-16", "PML-15")
def test_an_adjustment_takes_two_people_and_a_listed_reason(room: Room) -> None:
    room.set_up()
    asked: dict[str, Any] = {
        "link": "L",
        "level": "single",
        "cents": -5_000,
        "reason": "display_error",
        "text": "the sensor of spot 3 counted twice",
        "pin_held": True,
        "second_pin_held": True,
    }
    for wrong in (
        {"second": "s1"},
        {"second": "d1"},
        {"second": "s2"},
        {"second": "c1", "reason": "because"},
        {"second": "c1", "reason": "award_backed_out"},
        {"second": "c1", "cents": 0},
        {"second": "c1", "cents": -(10**9)},
        {"second": "c1", "second_pin_held": False},
        {"second": "c1", "level": "mega"},
    ):
        refused(room, "s1", "adjust", **{**asked, **wrong})
    done = room.do("s1", "adjust", **asked, second="c1")
    assert done == {"slip": 1, "after_cents": 995_000}
    [slip] = adjustment_slips(all_events(room))
    assert (slip["before_cents"], slip["after_cents"], slip["second"]) == (1_000_000, 995_000, "c1")
    assert "display_error" in REDUCTIONS


@pytest.mark.clause("PRC-03", "PRC-04", "PRC-06", "PRC-08", "PRC-09")
def test_guard_rails_warn_and_some_refuse(room: Room) -> None:
    room.set_up()
    zero = {"single": {**SETTINGS, "meter_seed_cents": 0}}
    assert refused(room, "a1", "make_link", **SECOND, meters=zero).clause == "PRC-09"
    signed = {"second": "e1", "second_pin_held": True}
    made = room.do("a1", "make_link", **SECOND, meters=zero, **signed)
    assert {line["clause"] for line in made["advice"]} == {
        *("PRC-03", "PRC-06", "PRC-07", "PRC-09")
    }
    low = {"single": {**SETTINGS, "meter_seed_cents": 100, "reserve_ppm": 0}}
    made = room.do("a1", "make_link", **{**SECOND, "link": "N"}, meters=low)
    assert {line["clause"] for line in made["advice"]} == {
        *("PRC-03", "PRC-04", "PRC-07", "PRC-08")
    }
    raised = {"single": {**SETTINGS, "contribution_ppm": 300_000}}
    assert refused(room, "a1", "change_settings", link="L", meters=raised).clause == "PRC-03"
    room.do("a1", "change_settings", link="L", meters=raised, reason="a busy month")
    # It waits for the next award.
    room.play("T1", {1: SPADES})
    assert room.meter("L") == 1_000_020
    room.press("T1", 1, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 1)
    assert room.state.streams["link:L"].settings["single"].contribution_ppm == 300_000


def test_a_threshold_must_be_set_before_first_use(room: Room) -> None:
    """A-24."""
    room.set_up()
    room.do("a1", "make_link", **SECOND, meters={"single": SETTINGS})
    room.do("a1", "make_table", table="T9", game="three-card-poker")
    room.do("a1", "join_link", table="T9", link="M")
    room.bet("T9", 1)
    assert says(room, "T9", "start game").reason is Reason.NOT_DONE_YET


@pytest.mark.clause("PML-03", "PGM-19")
def test_what_may_be_linked_depends_on_the_date_and_on_equal_chances(room: Room) -> None:
    """A-29: several meters over different games only once that was allowed, and evenly."""
    eligible = {"folded_hand_progressive": "eligible"}
    room.set_up(
        paytable="ML01",
        progressive="five-card-link",
        meters=levels(mega=5_000_000, major=500_000),
        options=eligible,
    )
    room.do("a1", "make_table", table="R", game="triple-shot-rummy", options=eligible)
    link = find_link(room.state, "L")
    tables = [find_table(room.state, name) for name in (*link.tables, "R")]
    with pytest.raises(Refused, match="were not allowed on 2023-07-19") as early:
        check_linkable(link.pays, tables, "2023-07-19")
    assert early.value.clause == "PML-03"
    room.do("a1", "join_link", table="R", link="L")
    room.do("a1", "make_table", table="B", game="triple-shot-bonus")
    assert "no progressive" in refused(room, "a1", "join_link", table="B", link="L").message
    # Three suited cards are never folded against an up card, so a fold costs nothing there.
    room.do("a1", "make_table", table="F", game="three-card-poker-face-up")
    room.do("a1", "join_link", table="F", link="L")
    # In Rummy they may be, and where a fold costs the award chances are not equal.
    room.do("a1", "make_table", table="G", game="triple-shot-rummy")
    uneven = refused(room, "a1", "join_link", table="G", link="L")
    assert "probability" in uneven.message
    room.do("a1", "leave_link", table="F")
    # The three-card progressive stays within one game.
    room.do("a1", "make_link", **SECOND, meters={"single": SETTINGS})
    room.do("a1", "join_link", table="F", link="M")
    room.do("a1", "make_table", table="S", game="triple-shot-rummy")
    assert refused(room, "a1", "join_link", table="S", link="M").clause == "PGM-19"


def test_the_books_explain_every_change_of_a_meter(room: Room) -> None:
    room.set_up()
    for _ in range(5):
        room.quiet_round("T1", 1, 2, 3, cents=150)
    happened = all_events(room)
    lines = progressive_record(happened, "L", "single")
    assert lines[0]["why"].startswith("opening amount")
    assert len(lines) == 6
    assert lines[-1]["amount_microcents"] == room.state.owed("meter:L:single")
    held = reconciliation(happened, "L")
    [_, came] = held["accounts"]["meter:L:single"]["lines"]
    assert came == {"cause": "contributions", "table": "T1", "microcents": 5 * 450 * 200_000}
    [day] = coin_in(happened)
    assert (day["games"], day["wagers"], day["cents"]) == (5, 15, 2_250)


def test_the_same_command_twice_starts_one_game(room: Room) -> None:
    room.set_up()
    room.bet("T1", 1)
    command = room.command("d1", "round", table="T1", text="start game", key="press-1")
    assert room.journal.do(command) == room.journal.do(command)
    assert room.meter("L") == 1_000_020


@pytest.mark.parametrize("game", ["three-card-poker", "triple-shot-bonus", "triple-shot-rummy"])
def test_live_rounds_are_in_the_same_journal_and_come_out_again(room: Room, game: str) -> None:
    """Every command is kept with what came of it; the round is the fold over them."""
    room.set_up()
    room.do("a1", "make_table", table="P", game=game, positions=2)
    bonus = game == "triple-shot-bonus"
    bets: c.Bets = (
        (("war", 1000), ("blackjack", 1000), ("poker", 1000)) if bonus else (("ante", 1000),)
    )
    rng, before = Random(7), None
    for number in (1, 2):
        assert room.do("d1", "open_round", table="P")["round"] == f"{number:06d}"
        refused(room, "d1", "open_round", table="P")
        # The same round by itself; its commands are what the dealer then does on the floor.
        record = Record(make_ruleset(game), f"{number:06d}", 2, after=before)
        shuffle = make_shuffle(rng, 1 if bonus else 3)
        play_round(record, shuffle, {1: bets, 2: bets}, basic)
        for command, happened in record.entries:
            text = command_text(command)
            answer = room.do("d1", "round", table="P", text=text, from_shuffler=True)
            assert answer["told"] == told(happened)
        assert refused(room, "d1", "round", table="P", text="deliver").reason is Reason.WRONG_PHASE
        before = round_of(room.state.streams["table:P"])
        assert before == record.table
    refused(room, "d1", "round", table="P", text="fly away")


@pytest.mark.clause("PRC-03")
def test_a_link_that_loses_money_is_told_so_when_it_is_made(room: Room) -> None:
    room.set_up()
    ninety = {"single": {**SETTINGS, "contribution_ppm": 900_000, "reserve_ppm": 0}}
    made = room.do("a1", "make_link", **SECOND, meters=ninety)
    told = [line["text"] for line in made["advice"] if line["clause"] == "PRC-03"]
    assert "in the long run the house loses" in told[0]
    assert "90% to meter single is above the pre-configured 11%" in told[1]
    assert Fraction(made["after"]["hold"]) < 0 < Fraction(made["after"]["edge_at_seed"])


@pytest.mark.clause("PRC-03", "PRC-07")
def test_a_link_has_the_settings_of_its_paytable_unless_told(room: Room) -> None:
    room.set_up()
    made = room.do("a1", "make_link", **SECOND)
    assert made["advice"] == []
    [event] = [event for event in all_events(room) if event.data.get("name") == SECOND["link"]]
    assert event.data["settings"]["single"]["meter_seed_cents"] == 100_000
    assert event.data["after"] == made["after"]
    # A change names the edge before and after, at the seed and at what stands on the meter.
    meters = {"single": {**event.data["settings"]["single"], "meter_seed_cents": 200_000}}
    changed = room.do("a1", "change_settings", link=SECOND["link"], meters=meters)
    assert changed["before"] == made["after"]
    before, after = (
        {name: Fraction(text) for name, text in changed[when].items()}
        for when in ("before", "after")
    )
    dearer = Fraction(1_000, 22_100)
    assert before["edge_at_seed"] - after["edge_at_seed"] == dearer
    assert before["hold"] - after["hold"] == dearer
    assert before["edge_at_meter"] == after["edge_at_meter"]
    assert [line["clause"] for line in changed["advice"]] == ["PRC-07"]
