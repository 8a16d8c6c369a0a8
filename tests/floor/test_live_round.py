"""Live round: what is kept at hand never shows in what a table is told."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from houseway.floor import live_round
from houseway.floor.live_round import keep, round_after, round_of
from houseway.floor.table import FloorTable, find_table
from houseway.live import commands as c
from houseway.live.round import act
from tests.floor.room import Room


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    """A floor with nobody on it yet."""
    made = Room(database)
    yield made
    made.journal.close()


BETS = ("bets 1 by Bob: ante 10", "bets 2 by Ann: ante 5")


def played(room: Room) -> FloorTable:
    """A table at which both have bet."""
    room.set_up()
    room.do("d1", "open_round", table="T1")
    for text in BETS:
        room.say("T1", text)
    return find_table(room.state, "T1")


def test_a_round_is_the_same_from_memory_and_done_again(room: Room) -> None:
    table = played(room)
    for steps in (2, 1, 0, 2):
        at_hand = round_after(table, steps)
        live_round._newest.clear()
        assert round_after(table, steps) == at_hand
        assert [seat.player for seat in at_hand.seats[:2]] == ["Bob", "Ann"][:steps] + [""] * (
            2 - steps
        )


def test_a_step_that_was_kept_and_never_written_is_forgotten(room: Room) -> None:
    table = played(room)
    before = round_of(table)
    assert before is not None
    keep(table, "no more bets", act(before, c.NoMoreBets())[0])
    assert round_of(table) == before
    other = replace(table, deal=(*table.deal, "bets 3 by Eve: ante 20"))
    found = round_of(other)
    assert found is not None
    assert found.seats[2].player == "Eve"
    assert found.phase == before.phase


def test_a_table_of_another_floor_with_the_same_name_has_its_own_round(room: Room) -> None:
    table = played(room)
    here = round_of(table)
    there = round_of(replace(table, positions=table.positions - 1))
    assert here is not None
    assert there is not None
    assert (len(here.seats), len(there.seats)) == (table.positions, table.positions - 1)
    assert round_of(table) == here
