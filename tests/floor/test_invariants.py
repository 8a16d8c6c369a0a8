"""What the records of a floor must say together, and that the audit finds where they do not."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.floor import invariants
from houseway.floor.invariants import Broken, Record, broken, telling, together, verify_floor
from houseway.journal.audit import Finding
from houseway.journal.event import Event, canonical
from houseway.journal.journal import events
from tests.floor.room import Room

SPADES = "akq_spades"


@pytest.fixture
def told(tmp_path: Path) -> list[Event]:
    """The records of a floor with one whole award, confirmed, paid envy for and closed."""
    room = Room(f"sqlite:///{tmp_path / 'floor.sqlite'}")
    room.set_up()
    room.play("T1", {1: None, 3: SPADES})
    room.press("T1", 3, SPADES)
    room.do("d1", "call_supervisor", table="T1", reason="award")
    room.confirm("T1", 3)
    room.say("T1", "pay envy")
    room.say("T1", "close")
    with room.journal.engine.connect() as connection:
        assert verify_floor(connection).holds
        found = list(events(connection))
    room.journal.close()
    return found


def changed(told: list[Event], kind: str, change: Callable[[dict[str, Any]], None]) -> list[Event]:
    """The records with the content of the last one of a kind changed."""
    place = max(number for number, event in enumerate(told) if event.kind == kind)
    content = json.loads(told[place].body)
    change(content)
    return [*told[:place], told[place]._replace(body=canonical(content)), *told[place + 1 :]]


def record(event: Event) -> Record:
    """As much of an event as is asked for."""
    return Record(event.position, event.stream, event.kind, event.schema, event.body)


def problems(told: list[Event]) -> list[str]:
    return [one.problem for one in broken(map(record, told)) if not one.earlier]


def without(told: list[Event], text: str) -> list[Event]:
    """The records without a step of the round."""
    return [event for event in told if not (event.kind == "round" and event.data["text"] == text)]


def test_the_records_of_an_award_say_one_amount(told: list[Event]) -> None:
    assert problems(told) == []

    def another_amount(content: dict[str, Any]) -> None:
        content["data"]["amount_cents"] += 1

    def another_transfer(content: dict[str, Any]) -> None:
        content["transfers"][0][2] += 1

    for kind, change in (
        ("award_confirmed", another_amount),
        ("meter_awarded", another_amount),
        ("award_confirmed", another_transfer),
    ):
        [problem, *_] = problems(changed(told, kind, change))
        assert "do not say the same" in problem
    [award] = [e.data["text"] for e in told if e.kind == "round" and "award" in e.data["text"]]
    assert "do not say the same" in problems(without(told, award))[0]


def test_a_round_that_closes_over_an_unclaimed_meter_hand_is_found(told: list[Event]) -> None:
    kinds = ("award_confirmed", "meter_awarded")
    text = next(e.data["text"] for e in told if e.kind == "round" and "award" in e.data["text"])
    left = [event for event in without(told, text) if event.kind not in kinds]
    assert problems(left) == [
        "closes round 1 over the meter hand at position 3, which was not confirmed"
    ]


def test_a_meter_that_moves_outside_a_round_is_found(told: list[Event]) -> None:
    [opened] = [event for event in told if event.kind == "round_opened"]
    rest = [event for event in told if event is not opened]
    assert any("moves meter:L:single outside a round" in problem for problem in problems(rest))


def test_an_award_at_a_table_that_never_began_a_game_is_found(told: list[Event]) -> None:
    award = [event for event in told if event.kind == "award_confirmed"]
    assert "moves meter:L:single outside a round" in problems(award)


def test_a_meter_that_moves_after_a_round_has_ended_is_found(told: list[Event]) -> None:
    [started] = [event for event in told if event.kind == "game_started"]
    assert problems([*told, started]) == ["moves meter:L:single outside a round"]


@pytest.mark.parametrize("kinds", [("meter",), ("meter", "reserve", "overflow")])
def test_no_step_of_a_round_moves_a_meter_before_start_game(
    told: list[Event], kinds: tuple[str, ...]
) -> None:
    """Whichever accounts of the meter it touches."""
    place = next(number for number, event in enumerate(told) if event.kind == "round")
    content = json.loads(told[place].body)
    content["transfers"] = [["house", f"{kind}:L:single", 5] for kind in kinds]
    moved = told[place]._replace(body=canonical(content))
    assert problems([*told[:place], moved, *told[place + 1 :]]) == [
        "moves meter:L:single outside a round"
    ]


def test_the_audit_reads_every_record_up_to_the_one_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(f"sqlite:///{tmp_path / 'floor.sqlite'}")
    room.set_up()
    read: list[list[int]] = []

    def watched(told: Iterable[Event]) -> Iterator[Broken]:
        read.append([event.position for event in told])
        yield from ()

    monkeypatch.setattr(invariants, "broken", watched)
    last = room.state.position
    with room.journal.engine.connect() as connection:
        verify_floor(connection)
        together(connection, lambda _: None, 4)
    room.journal.close()
    assert read == [[*range(1, last + 1)], [1, 2, 3, 4]]


def test_the_first_record_that_does_not_fit_is_the_finding_of_an_audit_from_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(f"sqlite:///{tmp_path / 'floor.sqlite'}")
    room.set_up()
    wrong = [Broken(3, "old", True), Broken(5, "first", False), Broken(6, "second", False)]
    monkeypatch.setattr(invariants, "broken", lambda _: wrong)
    with room.journal.engine.connect() as connection:
        found = verify_floor(connection)
        later = verify_floor(connection, first=2)
    room.journal.close()
    assert found.finding == Finding(record="event 5", problem="first")
    assert found.earlier == (Finding(record="event 3", problem="old"),)
    assert (later.finding, later.earlier) == (None, ())


def test_records_of_an_earlier_program_are_listed_and_break_nothing(told: list[Event]) -> None:
    [started] = [event for event in told if event.kind == "game_started"]
    place = told.index(started)
    earlier = [*told[:place], started._replace(schema=2), *told[place + 1 :]]
    text = next(e.data["text"] for e in told if e.kind == "round" and "award" in e.data["text"])
    found = list(broken(map(record, without(earlier, text))))
    assert found
    assert all(one.earlier for one in found)


def test_what_is_passed_over_says_nothing(told: list[Event]) -> None:
    """Also where a body spells its words as numbers, as no program of ours does."""

    def spelled(event: Event) -> Event:
        text = "".join(f"\\u{ord(c):04x}" for c in "close")
        return event._replace(body=event.body.replace('"text":"close"', f'"text":"{text}"'))

    kinds = ("award_confirmed", "meter_awarded")
    award = next(e.data["text"] for e in told if e.kind == "round" and "award" in e.data["text"])
    left = [event for event in without(told, award) if event.kind not in kinds]
    for events_ in (told, left, [spelled(event) for event in left]):
        records = [record(event) for event in events_]
        some = list(telling(records))
        assert len(some) < len(records)
        assert list(broken(some)) == list(broken(records))
    assert list(broken(telling(map(record, map(spelled, left))))) != []
