"""A live round at a table that plays for a link: one button, one round, one end."""

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.cards import DECK, cards_text, parse_cards
from houseway.floor.books import BOOKS, Clocks
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.journal.audit import verify
from houseway.journal.journal import events
from houseway.journal.rebuild import differences
from houseway.live.state import Seat
from houseway.refusal import Reason, Refused
from tests.floor.room import SETTINGS, Room
from tests.floor.test_floor import last

ROYAL = "As Ks Qs"
NOTHING = "9c 6d 2h"
DEALER = "Kh 9h 4d"


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    """A floor whose journal must hold in the end."""
    made = Room(database)
    made.set_up(threshold=1_000_000)
    yield made
    with made.journal.engine.connect() as connection:
        assert verify(connection).holds
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def shuffle(*hands: str) -> str:
    """A deck that gives these hands one after the other, as the shuffler would tell it."""
    first = [card for hand in hands for card in parse_cards(hand)]
    rest = [card for card in DECK if card not in first]
    return f"shuffle 0123456789ab by automatic, packets of 3: {cards_text([*first, *rest])}"


def play(room: Room, *texts: str, actor: str = "d1", table: str = "T1") -> Any:
    answer: Any = None
    for text in texts:
        answer = room.do(
            actor, "round", table=table, text=text, from_shuffler=text.startswith("shuffle")
        )
    return answer


def refused(room: Room, text: str, actor: str = "d1", **more: Any) -> Refused:
    with pytest.raises(Refused) as raised:
        room.do(actor, "round", table="T1", text=text, **more)
    return raised.value


def dealt(room: Room, *hands: str) -> None:
    """Two players with a progressive wager, up to the decisions."""
    room.do("d1", "open_round", table="T1")
    play(room, "bets 1: ante 10, progressive 1", "bets 2: ante 10, progressive 1")
    play(room, shuffle(*hands), "no more bets", "start game", "deliver")


@pytest.mark.clause("PNX-06", "PNX-08", "PNX-12", "PNX-14", "PNX-15")
def test_a_royal_from_the_bets_to_the_end(room: Room) -> None:
    dealt(room, NOTHING, ROYAL, DEALER)
    table = room.state.streams["table:T1"]
    # The wagers were taken once, and the round knows what stood on the meter then.
    assert table.started
    under_way = round_of(table)
    assert under_way is not None
    assert under_way.lit() == (1, 2)
    assert room.meter("L") == 1_000_040
    assert "start game: single 10000.40, priced by the floor" in table.deal
    play(room, "decide 1: play", "decide 2: play")
    assert "not settled yet" in refused(room, "press 2: akq_spades").message
    play(room, "reveal dealer")
    assert "not settled yet" in refused(room, "press 2: akq_spades").message
    play(room, "reconcile")
    # The display does not take a hand that is not there, and the round does not end without it.
    assert "wins no progressive with" in refused(room, "press 1: akq_spades").message
    assert "the cards at position 2 are" in refused(room, "press 2: akq_other_suit").message
    missing = refused(room, "close")
    assert missing.reason is Reason.NOT_DONE_YET
    assert "akq_spades at 2" in missing.message
    play(room, "press 2: akq_spades")
    assert "not confirmed" in refused(room, "close").message
    room.do("d1", "call_supervisor", table="T1")
    assert room.confirm("T1", 2)["page"] == 1
    play(room, "pay envy", "close")
    after = room.state.streams["table:T1"]
    assert not after.started
    over = round_of(after)
    assert over is not None
    assert over.over
    room.on_camera("T1", 1)
    room.do("c1", "pay_award", table="T1", page=1, reference="cage 1")
    assert room.state.owed("payable:L") == 0
    # meter_seed and the reserve of both wagers.
    assert room.meter("L") == SETTINGS["meter_seed_cents"] + 10


@pytest.mark.clause("PNX-09")
def test_a_fold_costs_the_progressive_and_can_be_taken_back(room: Room) -> None:
    dealt(room, ROYAL, NOTHING, DEALER)
    for decision in ("fold", "play"):
        play(room, f"decide 1: {decision}")
        assert seat(room, 1).folded is (decision == "fold")
        assert room.do("d1", "undo", table="T1") == {"undone": f"decide 1: {decision}"}
        assert not seat(room, 1).folded
    play(room, "decide 1: fold", "decide 2: play")
    with pytest.raises(Refused, match="cannot be taken back"):
        room.do("d1", "undo", table="T1")
    play(room, "collect forfeits", "reveal dealer", "reconcile")
    assert refused(room, "press 1: akq_spades").clause == "PNX-09"
    play(room, "close")
    assert room.meter("L") == 1_000_040


def test_there_is_no_step_to_take_back_in_a_round_that_was_just_opened(room: Room) -> None:
    room.do("d1", "open_round", table="T1")
    with pytest.raises(Refused, match="cannot be taken back; a supervisor corrects it"):
        room.do("d1", "undo", table="T1")


def seat(room: Room, position: int) -> Seat:
    under_way = round_of(room.state.streams["table:T1"])
    assert under_way is not None
    return under_way.seat(position)


def test_a_void_round_is_void_for_both(room: Room) -> None:
    """A-15: wagers back, contributions reversed."""
    dealt(room, NOTHING, ROYAL, DEALER)
    assert refused(room, "void wrong_card_count: four cards").reason is Reason.NOT_APPROVED
    play(room, "void wrong_card_count: four cards", actor="s1")
    assert room.meter("L") == 1_000_000
    assert not room.state.streams["table:T1"].started
    room.do("d1", "open_round", table="T1")


def test_a_line_of_a_round_is_a_thousand_characters_at_most(room: Room) -> None:
    dealt(room, NOTHING, ROYAL, DEALER)
    longest = "void ruling: ".ljust(1000, "x")
    with pytest.raises(Refused, match="is 1001 characters; at most 1000"):
        play(room, f"{longest}x", actor="s1")
    play(room, longest, actor="s1")


@pytest.mark.parametrize(
    ("text", "reason"), [(": four cards", "four cards"), (": ", "wrong_card_count")]
)
def test_the_ledger_says_why_a_round_is_void(room: Room, text: str, reason: str) -> None:
    dealt(room, NOTHING, ROYAL, DEALER)
    play(room, f"void wrong_card_count{text}", actor="s1")
    assert last(room, "game_voided")["reason"] == reason


@pytest.mark.clause("ACE-01")
def test_nobody_brings_a_deck_of_his_own_to_a_virtual_table(room: Room) -> None:
    room.do("d1", "open_round", table="T1")
    own = refused(room, shuffle(ROYAL, NOTHING, DEALER))
    assert (own.reason, own.clause) == (Reason.NOT_APPROVED, "ACE-01")
    room.do("a1", "make_table", table="P", game="triple-shot-rummy", deck="physical", pin_held=True)
    room.do("d1", "open_round", table="P")
    room.do("d1", "round", table="P", text=shuffle(ROYAL, NOTHING, DEALER))
    with pytest.raises(Refused, match="deck 'paper' is unknown"):
        room.do("a1", "make_table", table="Q", game="three-card-poker", deck="paper", pin_held=True)


def told(room: Room, table: str, progressive: str = "") -> list[str]:
    """What happens in a round that a house deals in its own way, without the progressive."""
    with_it = ", progressive 1" if progressive else ""
    room.do("d1", "open_round", table=table)
    happened: list[str] = []
    for text in (
        f"bets 1: ante 10{with_it}",
        f"bets 2: ante 10, pair-plus 5{with_it}",
        shuffle(NOTHING, "Ac Kd 7d", DEALER, "8s Tc 3d"),
        "no more bets",
        *(["start game"] if progressive else []),
        "deliver",
        "decide 1: play",
        "decide 2: play",
        "reveal dealer",
        *(["reveal community"] if progressive == "five-card-link" else []),
        "reconcile",
        "close",
    ):
        happened += play(room, text, table=table)["told"]
    extra = ("progressive", "single", "mega", "major", "minor", "community")
    return [line for line in happened if not any(word in line for word in extra)]


@pytest.mark.clause("PNX-07", "PML-08")
@pytest.mark.parametrize("style", ["lay_and_pay", "pick_and_pay"])
@pytest.mark.parametrize(
    ("link", "paytable"), [("three-card-progressive", "1"), ("five-card-link", "01")]
)
def test_a_link_changes_nothing_in_how_the_house_deals(
    database: str, style: str, link: str, paytable: str
) -> None:
    """The same steps, words and pays as at a table of the same house without a progressive."""
    room = Room(database)
    options = {"settle_style": style, "announcement_text": "source_text"}
    room.set_up(options=options, progressive=link, paytable=paytable)
    room.do("a1", "make_table", table="Plain", game="three-card-poker", options=options)
    plain = told(room, "Plain")
    assert any("says" in line for line in plain)
    assert told(room, "T1", link) == plain
    room.journal.close()


@pytest.mark.clause("ACE-07")
def test_cycles_and_hands_of_a_shuffler_outlive_a_restart(database: str) -> None:
    room = Room(database)
    room.set_up()
    for number in range(3):
        room.do("d1", "open_round", table="T1")
        deck = shuffle(NOTHING, ROYAL, DEALER).replace("0123456789ab", f"0123456789a{number}")
        play(room, "bets 1: ante 10", "bets 2: ante 10", deck)
        if number == 2:
            play(room, "shuffler fault: it jams")
            play(room, "void shuffler_fault: no cards", actor="s1")
            continue
        play(room, "no more bets", "deliver", "decide 1: play", "decide 2: play")
        play(room, "reveal dealer", "reconcile", "close")
    room.journal.close()
    again = Room(database)
    with again.journal.engine.connect() as connection:
        every = list(events(connection))
    book = BOOKS["shuffler"]
    [row] = book.rows((event for event in every if event.kind in book.kinds), Clocks(every))
    # A deck that was shuffled and never dealt is a cycle all the same.
    assert (row["table"], row["cycles"], row["hands"], row["faults"]) == ("T1", 3, 9, 1)
    assert "it jams" in row["steps"][0][1]
    again.journal.close()


@pytest.mark.parametrize("text", ["award 2: 10000.40", "back out 2"])
def test_nobody_types_what_card_and_slip_do(room: Room, text: str) -> None:
    dealt(room, NOTHING, ROYAL, DEALER)
    play(room, "decide 1: play", "decide 2: play", "reveal dealer", "reconcile")
    play(room, "press 2: akq_spades")
    for actor in ("d1", "s1"):
        told = refused(room, text, actor)
        assert told.reason is Reason.NOT_APPROVED
        assert "by card or key" in told.message
    assert room.state.streams["link:L"].wins == 0


def test_what_stands_on_the_meters_is_not_the_dealers_to_say(room: Room) -> None:
    room.do("d1", "open_round", table="T1")
    play(room, "bets 2: ante 10, progressive 1", "no more bets")
    play(room, "start game: single 999999, then single 999999")
    told = room.state.streams["table:T1"].deal[-1]
    assert told == "start game: single 10000.20, priced by the floor"


def test_a_wager_of_a_thousand_dollars_is_the_largest_that_a_sensor_can_report(room: Room) -> None:
    room.do("d1", "open_round", table="T1")
    with pytest.raises(Refused, match=r"fault of the sensor; at most \$1,000\.00") as raised:
        play(room, "bets 2: ante 10, progressive 1000.01")
    assert raised.value.reason is Reason.AMOUNT_TOO_LARGE
    play(room, "bets 2: ante 10, progressive 1000", "no more bets", "start game")
    # A fifth of it is on the meter.
    assert room.meter("L") == 1_020_000


def test_a_table_without_a_link_takes_no_progressive_wager(room: Room) -> None:
    room.do("a1", "make_table", table="P", game="three-card-poker")
    room.do("d1", "open_round", table="P")
    for text in ("bets 1: ante 10, progressive 1", "start game"):
        with pytest.raises(Refused, match="plays for no link") as raised:
            room.do("d1", "round", table="P", text=text)
        assert raised.value.reason is Reason.MISSING_METER
