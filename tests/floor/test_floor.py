"""The progressive at the table, in each of the three systems, told as a pit boss would."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from houseway.coach import basic
from houseway.floor.adjustment import REDUCTIONS
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.records import (
    adjustment_slips,
    coin_in,
    progressive_record,
    reconciliation,
    win_pages,
)
from houseway.journal.audit import verify
from houseway.journal.journal import events
from houseway.journal.rebuild import differences
from houseway.live import commands as c
from houseway.live.procedure import play_round
from houseway.live.record import Record, told
from houseway.live.text import command_text
from houseway.refusal import Reason, Refused
from houseway.ruleset import make_ruleset
from houseway.shuffler import make_shuffle
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


def choose(room: Room, table: str, position: int, hand: str, dealer: str = "d1") -> Any:
    room.do(dealer, "choose_spot", table=table, position=position)
    return room.do(dealer, "press_hand", table=table, hand=hand)


def confirm(room: Room, table: str, position: int, card: str = "e1") -> Any:
    return room.do(
        card, "confirm_award", table=table, position=position, pin_held=True, checklist=CHECKED
    )


def all_events(room: Room) -> Any:
    with room.journal.engine.connect() as connection:
        return events(connection)


@pytest.mark.clause("PGM-05", "PGM-06", "PGM-11", "PGM-12", "PGM-13", "PGM-14", "PGM-15", "PGM-16")
def test_game_manager_from_coin_in_to_game_over(room: Room) -> None:
    room.set_up(options={"award_profile": "game_manager"})
    no_base = refused(
        room, "d1", "light", table="T1", position=2, cents=100, player="p", base_wager=False
    )
    assert (no_base.reason, no_base.clause) == (Reason.BASE_WAGER_REQUIRED, "PGM-05")
    room.light("T1", 1, 2)
    started = room.do("d1", "start_game", table="T1")
    assert started["lit"] == [1, 2]
    # 20% of $2.00 stands on the meter at once, and 5% is set aside.
    assert room.meter("L") == 1_000_040
    assert room.state.owed("reserve:L:single") == 10 * 1_000_000
    late = refused(
        room, "d1", "light", table="T1", position=3, cents=100, player="p", base_wager=True
    )
    assert late.clause == "PGM-06"
    # The hand button toggles.
    assert room.do("d1", "press_hand", table="T1", position=2, hand=SPADES)["on"] is True
    assert room.do("d1", "press_hand", table="T1", position=2, hand=SPADES)["on"] is False
    assert refused(room, "d1", "call_supervisor", table="T1").clause == "PGM-12"
    room.do("d1", "press_hand", table="T1", position=2, hand=SPADES)
    room.do("d1", "call_supervisor", table="T1")
    asked = {"table": "T1", "position": 2, "pin_held": True, "checklist": CHECKED}
    assert refused(room, "e1", "press_jackpot", **asked).clause == "PGM-13"
    room.do("e1", "turn_key", table="T1", to="jph", pin_held=True)
    assert room.do("e1", "press_jackpot", **asked)["amount_cents"] == 1_000_040
    # The win is recorded, and the meter still stands.
    assert room.meter("L") == 1_000_040
    again = refused(room, "d1", "press_hand", table="T1", position=2, hand=SPADES)
    assert again.clause == "PGM-16"
    room.do("e1", "turn_key", table="T1", to="run", pin_held=True)
    # meter_seed and reserve.
    assert room.meter("L") == 1_000_010
    assert refused(room, "d1", "end_game", table="T1").clause == "PGM-15"
    room.do("d1", "pay_envy", table="T1")
    assert refused(room, "d1", "end_game", table="T1").clause == "PGM-20"
    room.on_camera("T1", 2)
    room.do("c1", "pay_award", table="T1", position=2, reference="cheque 1")
    room.do("d1", "end_game", table="T1")
    assert not room.state.streams["table:T1"].lights


@pytest.mark.clause("PNX-05", "PNX-06", "PNX-12", "PNX-13", "PNX-14", "PNX-15", "PNX-16", "PNX-04")
def test_nexus_from_start_game_to_end_game(room: Room) -> None:
    room.set_up()
    room.light("T1", 1, 3)
    room.do("d1", "start_game", table="T1")
    assert refused(room, "d1", "press_hand", table="T1", hand=SPADES).clause == "PNX-12"
    assert choose(room, "T1", 3, SPADES)["amount_cents"] == 1_000_040
    early = refused(
        room, "e1", "confirm_award", table="T1", position=3, pin_held=True, checklist=CHECKED
    )
    assert early.clause == "PNX-13"
    room.do("d1", "call_supervisor", table="T1")
    low = refused(
        room, "s1", "confirm_award", table="T1", position=3, pin_held=True, checklist=CHECKED
    )
    assert (low.reason, low.clause) == (Reason.NOT_APPROVED, "PNX-14")
    dealer = refused(
        room, "d1", "confirm_award", table="T1", position=3, pin_held=True, checklist=CHECKED
    )
    assert dealer.reason is Reason.NOT_APPROVED
    without_pin = refused(room, "e1", "confirm_award", table="T1", position=3, checklist=CHECKED)
    assert "PIN" in without_pin.message
    unchecked = refused(room, "e1", "confirm_award", table="T1", position=3, pin_held=True)
    assert "hand_seen" in unchecked.message
    assert room.meter("L") == 1_000_040
    # The swipe records the win and moves the meter in one.
    assert confirm(room, "T1", 3)["page"] == 1
    assert room.meter("L") == 1_000_010
    twice = refused(
        room, "e1", "confirm_award", table="T1", position=3, pin_held=True, checklist=CHECKED
    )
    assert twice.clause == "PNX-16"
    room.do("d1", "pay_envy", table="T1")
    room.on_camera("T1", 3)
    room.do("c1", "pay_award", table="T1", position=3, reference="cheque 2")
    room.do("d1", "end_game", table="T1")
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
    room.light("T1", 2, 6)
    room.light("T2", 1)
    room.do("d1", "start_game", table="T1")
    # Chosen in the wrong order, the right-most is still the first on the meter.
    assert choose(room, "T1", 2, "straight_flush")["amount_cents"] == 500_020
    assert choose(room, "T1", 6, "straight_flush")["amount_cents"] == 500_020
    assert room.state.streams["table:T1"].award_at(2).amount_cents == 500_002
    room.do("d1", "call_supervisor", table="T1")
    wrong = refused(
        room, "s1", "confirm_award", table="T1", position=2, pin_held=True, checklist=CHECKED
    )
    assert (wrong.reason, wrong.clause) == (Reason.OUT_OF_ORDER, "PML-11")
    assert confirm(room, "T1", 6, "s1")["amount_cents"] == 500_020
    assert confirm(room, "T1", 2, "s1") == {"amount_cents": 500_002, "page": 2, "position": 2}
    # Two triggers pay each other, and the other table nothing.
    paid = room.do("d1", "pay_envy", table="T1")
    assert [(line["position"], line["from"]) for line in paid["lines"]] == [(2, 6), (6, 2)]
    assert [page["page"] for page in win_pages(all_events(room))] == [1, 2]


def test_a_chosen_amount_is_frozen_while_other_tables_play_on(room: Room) -> None:
    """A-16: what one table waits for does not grow, and another wins from the fresh start."""
    room.set_up(games=("three-card-poker", "three-card-poker"))
    room.light("T1", 1)
    room.light("T2", 4)
    room.do("d1", "start_game", table="T1")
    assert choose(room, "T1", 1, SPADES)["amount_cents"] == 1_000_020
    room.do("d2", "start_game", table="T2")
    assert room.meter("L") == 1_000_040
    assert room.state.streams["table:T1"].award_at(1).amount_cents == 1_000_020
    # The second table would win what is left, a new meter_seed and the reserve of both wagers.
    assert choose(room, "T2", 4, SPADES, "d2")["amount_cents"] == 1_000_020 + 10
    room.do("d1", "call_supervisor", table="T1")
    room.do("d2", "call_supervisor", table="T2")
    assert confirm(room, "T1", 1)["amount_cents"] == 1_000_020
    assert room.meter("L") == 1_000_030
    assert confirm(room, "T2", 4)["amount_cents"] == 1_000_030
    assert room.meter("L") == 1_000_000


@pytest.mark.clause("PGM-17", "PNX-17", "PML-17")
@pytest.mark.parametrize(("profile", "receivers"), [("game_manager", [4, 5]), ("nexus", [5])])
def test_envy_for_the_own_other_hand_follows_the_system(
    room: Room, profile: str, receivers: list[int]
) -> None:
    room.set_up(options={"award_profile": profile})
    for position, player in ((3, "Ann"), (4, "Ann"), (5, "Bob")):
        room.do(
            "d1",
            "light",
            table="T1",
            position=position,
            cents=100,
            player=player,
            base_wager=True,
        )
    room.do("d1", "start_game", table="T1")
    if profile == "nexus":
        choose(room, "T1", 3, OTHER_SUIT)
    else:
        room.do("d1", "press_hand", table="T1", position=3, hand=OTHER_SUIT)
    paid = room.do("d1", "pay_envy", table="T1")
    assert [line["position"] for line in paid["lines"]] == receivers
    assert {line["cents"] for line in paid["lines"]} == {2_500}


@pytest.mark.clause("PGM-09", "PNX-10")
def test_a_fixed_pay_comes_out_of_the_tray_and_leaves_the_meter(room: Room) -> None:
    room.set_up()
    room.light("T1", 1)
    room.do("d1", "start_game", table="T1")
    before = room.meter("L")
    choose(room, "T1", 1, "straight_flush")
    ended = room.do("d1", "end_game", table="T1")
    assert ended["fixed"] == [{"position": 1, "hand": "straight_flush", "amount_cents": 7_000}]
    assert room.meter("L") == before


@pytest.mark.clause("PRC-01", "PRC-02")
def test_where_all_pays_come_off_the_meter_it_may_run_dry(room: Room) -> None:
    room.set_up(all_from_meter=True, meters={"single": {**SETTINGS, "meter_seed_cents": 5_000}})
    [made] = [event for event in all_events(room) if event.kind == "link_made"]
    [advice] = [line for line in made.data["advice"] if line["clause"] == "PRC-02"]
    assert "run dry" in advice["text"]
    room.light("T1", 1)
    room.do("d1", "start_game", table="T1")
    choose(room, "T1", 1, "straight_flush")
    ended = room.do("d1", "end_game", table="T1")
    # $70.00 was due and $50.20 stood there: the house lays out the rest.
    assert ended["meter_was_short_cents"] == 7_000 - 5_020
    assert room.meter("L") == 0


@pytest.mark.clause("PGM-07", "PNX-09", "PML-10")
@pytest.mark.parametrize("eligible", [True, False])
def test_a_folded_hand_wins_by_house_option(room: Room, eligible: bool) -> None:
    option = "eligible" if eligible else "not_eligible"
    room.set_up(options={"folded_hand_progressive": option})
    room.light("T1", 1)
    room.do("d1", "start_game", table="T1")
    room.do("d1", "fold", table="T1", position=1)
    room.do("d1", "choose_spot", table="T1", position=1)
    if eligible:
        assert room.do("d1", "press_hand", table="T1", hand=SPADES)["on"]
    else:
        assert refused(room, "d1", "press_hand", table="T1", hand=SPADES).clause == "PNX-09"


@pytest.mark.parametrize("carry", [False, True])
def test_a_void_round_gives_contributions_back_or_carries_them_over(
    room: Room, carry: bool
) -> None:
    """A-15."""
    option = "carry_to_next_round" if carry else "refund"
    room.set_up(options={"void_progressive": option})
    room.light("T1", 1, 2)
    room.do("d1", "start_game", table="T1")
    assert room.meter("L") == 1_000_040
    choose(room, "T1", 2, SPADES)
    voided = room.do("s1", "void_game", table="T1", reason="four cards at position 2")
    assert room.meter("L") == (1_000_040 if carry else 1_000_000)
    assert voided["refunds"] == ({} if carry else {"1": 100, "2": 100})
    assert room.state.streams["link:L"].pending == ()
    if carry:
        room.do("d1", "start_game", table="T1")
        assert room.meter("L") == 1_000_040


def test_absurd_wagers_are_quarantined_and_not_booked(room: Room) -> None:
    room.set_up()
    for cents in (-100, 0, 10**9, 1.5, "100", True, None):
        answer = room.do(
            "d1", "light", table="T1", position=1, cents=cents, player="p", base_wager=True
        )
        assert answer["quarantined"]
    assert room.state.streams["table:T1"].lights == {}
    kept = [event for event in all_events(room) if event.kind == "contribution_quarantined"]
    assert len(kept) == 7


def test_what_is_unknown_or_out_of_place_is_refused_and_logged(room: Room) -> None:
    room.set_up()
    room.light("T1", 1)
    before = room.state.position
    cases: list[tuple[str, str, dict[str, Any]]] = [
        ("d1", "start_game", {"table": "T9"}),
        ("d1", "light", {"table": "T1", "position": 9, "cents": 100, "player": "p"}),
        ("d1", "end_game", {"table": "T1"}),
        ("d1", "make_link", {"link": "M"}),
        ("zz", "start_game", {"table": "T1"}),
        ("a1", "no_such_command", {}),
    ]
    for actor, name, arguments in cases:
        assert len(refused(room, actor, name, **arguments).message) > 10
    room.do("d1", "start_game", table="T1")
    assert refused(room, "d1", "choose_spot", table="T1", position=2).reason is Reason.MISSING_BET
    room.do("d1", "choose_spot", table="T1", position=1)
    assert "paid:" in refused(room, "d1", "press_hand", table="T1", hand="two_pair").message
    logged = [event for event in all_events(room) if event.stream == "refusals"]
    assert len(logged) == len(cases) + 2
    assert room.state.position == before + len(cases) + 2 + 2


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
    assert {line["clause"] for line in made["advice"]} == {"PRC-06", "PRC-09"}
    low = {"single": {**SETTINGS, "meter_seed_cents": 100, "reserve_ppm": 0}}
    made = room.do("a1", "make_link", **{**SECOND, "link": "N"}, meters=low)
    assert {line["clause"] for line in made["advice"]} == {"PRC-04", "PRC-08"}
    raised = {"single": {**SETTINGS, "contribution_ppm": 300_000}}
    assert refused(room, "a1", "change_settings", link="L", meters=raised).clause == "PRC-03"
    room.do("a1", "change_settings", link="L", meters=raised, reason="a busy month")
    # It waits for the next award.
    room.light("T1", 1)
    room.do("d1", "start_game", table="T1")
    assert room.meter("L") == 1_000_020
    choose(room, "T1", 1, SPADES)
    room.do("d1", "call_supervisor", table="T1")
    confirm(room, "T1", 1)
    assert room.state.streams["link:L"].settings["single"].contribution_ppm == 300_000


def test_a_threshold_must_be_set_before_first_use(room: Room) -> None:
    """A-24."""
    room.set_up()
    room.do("a1", "make_link", **SECOND, meters={"single": SETTINGS})
    room.do("a1", "make_table", table="T9", game="three-card-poker")
    room.do("a1", "join_link", table="T9", link="M")
    room.light("T9", 1)
    assert refused(room, "d1", "start_game", table="T9").reason is Reason.NOT_DONE_YET


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
    asked = {"table": "R", "link": "L"}
    assert refused(room, "a1", "join_link", **asked, date="2015-06-01").clause == "PML-03"
    assert refused(room, "a1", "join_link", **asked).reason is Reason.MISSING_DATE
    room.do("a1", "join_link", **asked, date="2024-01-01")
    room.do("a1", "make_table", table="B", game="triple-shot-bonus")
    assert "no progressive" in refused(room, "a1", "join_link", table="B", link="L").message
    # Three suited cards are never folded against an up card, so a fold costs nothing there.
    room.do("a1", "make_table", table="F", game="three-card-poker-face-up")
    room.do("a1", "join_link", table="F", link="L", date="2024-01-01")
    # In Rummy they may be, and where a fold costs the award chances are not equal.
    room.do("a1", "make_table", table="G", game="triple-shot-rummy")
    uneven = refused(room, "a1", "join_link", table="G", link="L", date="2024-01-01")
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
        room.light("T1", 1, 2, 3, cents=150)
        room.do("d1", "start_game", table="T1")
        room.do("d1", "end_game", table="T1")
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
    room.light("T1", 1)
    command = room.command("d1", "start_game", table="T1", key="press-1")
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
