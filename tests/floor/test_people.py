"""People, as the floor tells them apart: by person and card, and never by name alone."""

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.floor.person import new_person, same_holder
from houseway.floor.pit import KEPT, find_pit
from houseway.journal.audit import verify
from houseway.refusal import Reason, Refused
from tests.floor.room import Room


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    made = Room(database)
    made.set_up()
    yield made
    with made.journal.engine.connect() as connection:
        assert verify(connection).holds
    made.journal.close()


def issue(room: Room, card: str, name: str, **more: Any) -> None:
    room.do("a1", "issue_card", card=card, name=name, role="cage", pin_hash="x", **more)


def test_a_known_name_is_the_same_person_or_another(room: Room) -> None:
    for name in ("Sue", "sue ", "\uff33ue"):
        with pytest.raises(
            Refused, match="holds card s1; say same_person_as for another card"
        ) as told:
            issue(room, "c7", name)
        assert told.value.reason is Reason.GIVEN_TWICE
    issue(room, "c7", "Sue", another_person=True)
    # Now there are two, and both are named.
    with pytest.raises(Refused, match="holds card c7, s1;"):
        issue(room, "c8", "Sue")
    issue(room, "c8", "Sue", same_person_as="c7")
    issue(room, "c9", "Sue", another_person=True)
    assert [same_holder(room.state, "c7", card) for card in ("s1", "c8", "c9")] == [
        False,
        True,
        False,
    ]
    # One may have another name by now, and a card that is withdrawn is still a person's.
    room.do("a1", "withdraw_card", card="c9")
    issue(room, "u8", "Susan", same_person_as="c9")
    assert same_holder(room.state, "u8", "c9")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"same_person_as": "zz"}, "card 'zz' is unknown"),
        ({"same_person_as": "s1", "another_person": True}, "not both"),
        ({"same_person_as": 1}, "is no text"),
        ({"another_person": "yes"}, "is not true or false"),
    ],
)
def test_whose_card_it_is_is_said_in_one_way(room: Room, said: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        issue(room, "c7", "Sue", **said)


def test_no_name_makes_somebody_the_same_as_another() -> None:
    known: set[str] = set()
    for name in ("Sue", "Sue", "Sue #2", "sue", "SUE #2", "Sue #2 #2"):
        person = new_person(name, known)
        assert person not in known
        known.add(person)


def acknowledge(room: Room, alert: str, raised: list[str]) -> None:
    room.do("s1", "acknowledge", alert=alert, raised=dict.fromkeys(raised))


def test_an_acknowledged_alert_that_is_still_raised_is_never_forgotten(room: Room) -> None:
    many = [f"late call T{number}" for number in range(KEPT + 5)]
    for alert in many:
        acknowledge(room, alert, many)
    assert [*find_pit(room.state).seen] == many
    # Some are over: the oldest of these go, as far as there are too many.
    raised = [*many[3:], "slow T1"]
    acknowledge(room, "slow T1", raised)
    assert [*find_pit(room.state).seen] == raised
    with pytest.raises(Refused, match="is not raised now"):
        acknowledge(room, "slow T2", raised)
    with pytest.raises(Refused, match="was acknowledged already"):
        acknowledge(room, "slow T1", raised)


def test_nobody_acknowledges_what_an_own_card_caused(room: Room) -> None:
    """With a second card neither, whatever name stands on it."""
    room.do(
        "a1", "issue_card", card="s9", name="Su", role="supervisor", pin_hash="x",
        same_person_as="s1",
    )  # fmt: skip
    raised = {"alert": "pin c1 s1", "raised": {"pin c1 s1": "s1"}}
    for card in ("s1", "s9"):
        with pytest.raises(Refused, match="another person acknowledges it") as told:
            room.do(card, "acknowledge", **raised)
        assert told.value.reason is Reason.NOT_APPROVED
    room.do("s2", "acknowledge", **raised)
