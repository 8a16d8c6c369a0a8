"""A supervisor is called to a table: for what, by whom, and who answers."""

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.floor.call import REASONS, unanswered
from houseway.floor.model import FloorModel
from houseway.floor.table import Call, FloorTable
from houseway.journal.event import Event
from houseway.journal.journal import events
from houseway.journal.rebuild import differences
from houseway.refusal import Reason, Refused
from tests.floor.room import CHECKED, Clock, Room

SPADES = "akq_spades"


class Floor(Room):
    """A floor with a table T1 on a link, and a table Bare that plays for none."""

    def __init__(self, url: str) -> None:
        self.clock = Clock()
        super().__init__(url, clock=self.clock)
        self.set_up()
        self.do("a1", "make_table", table="Bare", game="three-card-poker")

    def call(self, reason: str, text: str = "", *, card: str = "d1", table: str = "T1") -> Any:
        return self.do(card, "call_supervisor", table=table, reason=reason, text=text)

    def answer(self, card: str = "s1", /, *, table: str = "T1", **asked: Any) -> Any:
        return self.do(card, "answer_call", table=table, **asked)

    def table(self, name: str = "T1") -> FloorTable:
        found = self.state.streams[f"table:{name}"]
        assert isinstance(found, FloorTable)
        return found

    def reasons(self) -> list[str]:
        return [call.reason for call in self.table().calls]

    def win(self) -> None:
        """A round in which position 2 holds a hand that wins the whole meter, and it is pressed."""
        self.play("T1", {1: None, 2: SPADES, 3: None})
        self.press("T1", 2, SPADES)

    def events(self) -> list[Event]:
        with self.journal.engine.connect() as connection:
            return list(events(connection))


@pytest.fixture
def floor(database: str) -> Iterator[Floor]:
    made = Floor(database)
    yield made
    with made.journal.engine.connect() as connection:
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def refused(floor: Floor, card: str, name: str, /, **asked: Any) -> Refused:
    """A refusal, which leaves every table as it was."""
    before = {name: floor.table(name) for name in ("T1", "Bare")}
    with pytest.raises(Refused) as raised:
        floor.do(card, name, **asked)
    assert {name: floor.table(name) for name in before} == before
    return raised.value


@pytest.mark.parametrize("table", ["T1", "Bare"])
@pytest.mark.parametrize("card", ["d1", "s1"])
def test_a_supervisor_is_called_at_any_time(floor: Floor, table: str, card: str) -> None:
    """With a link or without, with a round or without."""
    at = floor.clock()
    assert floor.call("dispute", " seat 3 says push ", card=card, table=table) == {"called": True}
    [call] = floor.table(table).calls
    assert call == Call(reason="dispute", text="seat 3 says push", by=card, at=at)
    floor.do("d1", "open_round", table=table)
    floor.clock.move(seconds=5)
    floor.call("misdeal", card=card, table=table)
    assert [call.reason for call in floor.table(table).calls] == ["dispute", "misdeal"]


def test_who_answered_a_call_and_when_is_kept(floor: Floor) -> None:
    called_at = floor.clock()
    floor.call("fill", "no more greens")
    floor.clock.move(seconds=90)
    assert floor.answer("e1", reason="fill") == {"table": "T1", "reason": "fill"}
    assert floor.table().calls == ()
    answered = floor.events()[-1]
    assert (answered.kind, answered.actor, answered.at) == ("call_answered", "e1", floor.clock())
    assert answered.data == {
        "reason": "fill",
        "text": "no more greens",
        "called_by": "d1",
        "called_at": called_at,
    }


def test_a_second_call_for_the_same_reason_adds_nothing(floor: Floor) -> None:
    floor.call("equipment", "the shuffler is dark")
    told = refused(floor, "s2", "call_supervisor", table="T1", reason="equipment", text="again")
    assert told.reason is Reason.GIVEN_TWICE
    assert told.message == (
        "a supervisor is called to T1 for 'equipment' already; answer that first"
    )
    # For another reason, or at another table, it is another call.
    floor.call("player")
    floor.call("equipment", table="Bare")
    assert floor.reasons() == ["equipment", "player"]
    floor.answer(reason="equipment")
    floor.call("equipment")
    assert floor.reasons() == ["player", "equipment"]


@pytest.mark.parametrize("text", ["", "   "])
def test_a_call_for_something_else_says_what_for(floor: Floor, text: str) -> None:
    told = refused(floor, "d1", "call_supervisor", table="T1", reason="other", text=text)
    assert told.message == "a call for 'other' has no text; say what it is for"
    floor.call("other", "a lost wallet")
    assert floor.table().calls[0].text == "a lost wallet"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"reason": "lunch"}, "reason 'lunch' is unknown; known: award, misdeal, dispute, fill"),
        ({"reason": None}, "reason None is unknown"),
        ({"reason": ["fill"]}, "reason ['fill'] is unknown"),
        ({"reason": "fill", "text": "x" * 401}, "at most 400 printable ones are allowed"),
        ({"reason": "fill", "text": "a\nb"}, "at most 400 printable ones are allowed"),
        ({"reason": "fill", "table": "T9"}, "table 'T9' is unknown"),
    ],
)
def test_what_is_no_call(floor: Floor, asked: dict[str, Any], words: str) -> None:
    assert words in refused(floor, "d1", "call_supervisor", **{"table": "T1", **asked}).message


def test_who_may_call_and_who_may_answer(floor: Floor) -> None:
    for card in ("e1", "c1", "u1", "v1", "a1"):
        told = refused(floor, card, "call_supervisor", table="T1", reason="fill")
        assert told.reason is Reason.NOT_APPROVED
    floor.call("fill")
    for card in ("d1", "c1", "u1", "v1", "a1"):
        told = refused(floor, card, "answer_call", table="T1", reason="fill")
        assert told.reason is Reason.NOT_APPROVED
    floor.answer("s1", reason="fill")


def test_an_answer_names_the_call_where_several_are_open(floor: Floor) -> None:
    told = refused(floor, "s1", "answer_call", table="T1")
    assert told.message == "T1 has no call for 'award'; open: none"
    floor.call("fill")
    floor.call("player")
    told = refused(floor, "s1", "answer_call", table="T1")
    assert told.message == "T1 has several calls; say which: fill, player"
    told = refused(floor, "s1", "answer_call", table="T1", reason="misdeal")
    assert told.message == "T1 has no call for 'misdeal'; open: fill, player"
    floor.answer(reason="fill")
    # The only one that is left needs no name.
    assert floor.answer() == {"table": "T1", "reason": "player"}


@pytest.mark.clause("PNX-13")
def test_an_award_is_confirmed_only_after_a_call_for_an_award(floor: Floor) -> None:
    floor.win()
    floor.call("payout")
    asked = {"table": "T1", "position": 2, "pin_held": True, "checklist": CHECKED}
    told = refused(floor, "e1", "confirm_award", **asked)
    assert (told.clause, told.message) == ("PNX-13", "the dealer calls a supervisor first")
    # A call without a reason is for an award.
    floor.do("d1", "call_supervisor", table="T1")
    assert floor.reasons() == ["payout", "award"]
    floor.confirm("T1", 2)


def test_the_end_of_a_game_clears_its_award_call_and_no_other(floor: Floor) -> None:
    floor.win()
    floor.call("award")
    floor.call("dispute", "seat 1 wants the envy in green")
    floor.confirm("T1", 2)
    floor.say("T1", "pay envy")
    assert floor.reasons() == ["award", "dispute"]
    floor.say("T1", "close")
    assert floor.reasons() == ["dispute"]
    floor.answer(reason="dispute")
    assert floor.reasons() == []


def test_a_void_game_clears_its_award_call_and_no_other(floor: Floor) -> None:
    floor.win()
    floor.call("award")
    floor.call("misdeal")
    floor.say("T1", "void wrong_card_count: four cards at position 1", "s1")
    assert floor.reasons() == ["misdeal"]


@pytest.mark.parametrize("table", ["T1", "Bare"])
def test_nobody_is_called_for_an_award_that_nobody_has_chosen(floor: Floor, table: str) -> None:
    told = refused(floor, "d1", "call_supervisor", table=table, reason="award")
    assert told.message == (
        f"no winning hand is chosen at {table}; press it first, or call for another reason"
    )
    assert told.clause == ("PNX-13" if table == "T1" else None)


def test_an_award_call_is_not_answered_while_its_award_waits(floor: Floor) -> None:
    """It would leave an award that nobody may confirm."""
    floor.win()
    floor.call("award")
    assert unanswered(floor.table()) == []
    told = refused(floor, "s1", "answer_call", table="T1", reason="award")
    assert told.reason is Reason.WRONG_PHASE
    assert told.message == (
        "the award at position 2 of T1 waits; confirm it, or the dealer takes the hand back"
    )
    # Without the hand nobody would ever confirm it: it is a call like any other.
    floor.press("T1", 2, SPADES)
    assert [call.reason for call in unanswered(floor.table())] == ["award"]
    floor.answer(reason="award")
    assert floor.reasons() == []


def test_an_earlier_call_that_was_made_twice_counts_once(floor: Floor) -> None:
    """An earlier program wrote every press down, with no data."""
    floor.win()
    floor.call("award")
    [written] = [event for event in floor.events() if event.kind == "supervisor_called"]
    assert (written.schema, written.data) == (2, {"reason": "award", "text": ""})
    model = FloorModel()
    again = model.evolve(floor.table(), written._replace(at="2026-02-01T00:00:00.000000+00:00"))
    assert again.calls == floor.table().calls


def test_every_reason_has_words_and_can_be_called_for(floor: Floor) -> None:
    floor.win()
    for reason, name in REASONS.items():
        assert name
        floor.call(reason, "as written in the log")
    assert floor.reasons() == list(REASONS)
