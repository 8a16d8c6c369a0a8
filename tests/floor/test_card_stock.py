"""Cards of paper or plastic, of poker or bridge size, are recorded when they are changed."""

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.floor.books import BOOKS, Clocks
from houseway.floor.card_stock import MATERIALS, SIZES
from houseway.floor.model import FloorModel
from houseway.journal.journal import events
from houseway.journal.rebuild import differences
from houseway.refusal import Reason, Refused
from tests.floor.room import Room

PAPER = {"material": "paper", "size": "poker", "reason": "the first deck of the day"}


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    made = Room(database)
    made.set_up()
    yield made
    with made.journal.engine.connect() as connection:
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def cards_book(room: Room) -> list[dict[str, Any]]:
    with room.journal.engine.connect() as connection:
        every = list(events(connection))
    book = BOOKS["cards"]
    return list(book.rows((event for event in every if event.kind in book.kinds), Clocks(every)))


@pytest.mark.clause("ACE-05")
def test_every_stock_is_on_record_with_who_changed_it_and_why(room: Room) -> None:
    assert room.state.streams["table:T1"].card_material == ""
    stocks = [(material, size) for material in MATERIALS for size in SIZES]
    assert stocks == [
        *(("paper", "poker"), ("paper", "bridge")),
        *(("plastic", "poker"), ("plastic", "bridge")),
    ]
    for number, (material, size) in enumerate(stocks, start=1):
        asked = {"material": material, "size": size, "reason": f"deck {number} is worn"}
        room.do("s1", "change_cards", table="T1", **asked)
        table = room.state.streams["table:T1"]
        assert (table.card_material, table.card_size) == (material, size)
    rows = cards_book(room)
    assert [(row["material"], row["size"]) for row in rows] == stocks
    assert {tuple(row) for row in rows} == {tuple(BOOKS["cards"].columns.split())}
    assert [row["reason"] for row in rows] == [f"deck {number} is worn" for number in range(1, 5)]
    assert {(row["table"], row["by"]) for row in rows} == {("T1", "s1")}


@pytest.mark.clause("ACE-05")
@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"material": "wood"}, Reason.UNKNOWN_VALUE),
        ({"material": None}, Reason.UNKNOWN_VALUE),
        ({"size": "jumbo"}, Reason.UNKNOWN_VALUE),
        ({"reason": " "}, Reason.BAD_ARGUMENT),
        ({"table": "T9"}, Reason.UNKNOWN_VALUE),
    ],
)
def test_other_stock_is_refused(room: Room, changed: dict[str, Any], reason: Reason) -> None:
    with pytest.raises(Refused) as raised:
        room.do("s1", "change_cards", **{"table": "T1", **PAPER, **changed})
    assert raised.value.reason is reason
    assert cards_book(room) == []


@pytest.mark.clause("ACE-05")
def test_cards_are_not_changed_in_a_round_nor_by_the_dealer_alone(room: Room) -> None:
    room.do("d1", "open_round", table="T1")
    with pytest.raises(Refused, match="a round is under way") as raised:
        room.do("s1", "change_cards", table="T1", **PAPER)
    assert raised.value.clause == "ACE-05"
    room.do("s1", "round", table="T1", text="void exposed_card: a card fell")
    with pytest.raises(Refused):
        room.do("d1", "change_cards", table="T1", **PAPER)
    room.do("e1", "change_cards", table="T1", **PAPER)
    assert [row["by"] for row in cards_book(room)] == ["e1"]
