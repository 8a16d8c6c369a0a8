"""The pit's page agrees with itself: what was won, what was expected, and what it says of it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from houseway.floor.day import Clock as DayClock
from houseway.floor.earlier import EarlierGame
from houseway.floor.expectation import Expectation
from houseway.floor.play import came_to
from houseway.journal.event import Event
from houseway.live.record import read_record
from houseway.server.pit import ROUNDS_TO_TELL, ROUNDS_TO_TELL_PACE, pit
from houseway.server.today import Today
from tests import ROOT
from tests.floor.room import Clock, Room

WITH_ENVY = ROOT / "houseway/games/three_card_poker/rounds/link_community_cards.round"
BETS = ("ante", "six-card-bonus")
PAIRS = {f"{one}+{other}": 0.0 for one in BETS for other in BETS if one <= other}
EVEN = Expectation(dict.fromkeys(BETS, 0.0), PAIRS, PAIRS)
"""Bets that win nothing in the long run, and never more or less than that."""


class Floor(Room):
    """A floor with one table and the page of its pit."""

    def __init__(self, url: str) -> None:
        self.clock = Clock()
        super().__init__(url, clock=self.clock)
        self.today = Today()

    def page(self) -> dict[str, Any]:
        self.state.now = self.clock()
        return pit(self.state, self.today, lambda _: EVEN)

    def tile(self) -> dict[str, Any]:
        [tile] = self.page()["tables"]
        return dict(tile)

    def play_rounds(self, rounds: int, *, won_cents: int, minutes: int = 1) -> None:
        """Rounds that end one after the other, in each of which the house wins so much."""
        for number in range(1, rounds + 1):
            self.clock.move(minutes=minutes)
            data = {"number": number, "void": False, "opened_at": "", "shuffled": True, "seats": 1}
            data |= {"wagers": {"ante": 1_000}, "net": {"ante": won_cents}}
            self.take("round_ended", {**data, "within": {}, "across": {}})

    def take(self, kind: str, data: dict[str, Any]) -> None:
        """Tell the page of an event at the table."""
        body = json.dumps({"data": data, "transfers": []})
        at = self.clock()
        event = Event(1, "table:T1", 1, kind, 1, "key", 0, "d1", at, body, "", "")
        self.today.take([event], DayClock())


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    made = Floor(f"sqlite:///{tmp_path / 'floor.sqlite'}")
    made.set_up()
    yield made
    made.journal.close()


def test_envy_is_on_neither_side_of_the_pit(floor: Floor) -> None:
    """It was in what the table had won, and never in what it was expected to win."""
    done = read_record(WITH_ENVY.read_text(encoding="utf-8")).record.table
    assert any(line.bet == "envy" for seat in done.seats for line in seat.lines)
    data = came_to(done, "")
    # The house pays Play, Ante Bonus and Ante, and takes the folded Ante and the 6 Card Bonus.
    assert data["net"] == {
        "play": -1_000,
        "ante-bonus": -5_000,
        "ante": -1_000 + 1_000,
        "six-card-bonus": 100,
    }
    assert set(data["wagers"]) == {"ante", "six-card-bonus"}
    floor.take("round_ended", data)
    tile = floor.tile()
    assert tile["won_cents"] == tile["since_cents"] == -5_900


def test_envy_that_an_earlier_program_counted_is_left_out_of_the_pit(floor: Floor) -> None:
    done = read_record(WITH_ENVY.read_text(encoding="utf-8")).record.table
    data = came_to(done, "")
    before = {**data, "net": {**data["net"], "envy": -100_000}}
    floor.take("checkpoint_set", {})
    floor.take("round_ended", before)
    assert floor.today.at("T1").won_cents == floor.today.since["T1"] == -5_900


def test_a_table_outside_its_band_is_out_of_the_ordinary(floor: Floor) -> None:
    """The tile said "outside the band" beside "Nothing is out of the ordinary"."""
    floor.play_rounds(ROUNDS_TO_TELL - 1, won_cents=-1_000)
    page = floor.page()
    # Too few rounds to tell: neither the tile nor an alert says so.
    assert page["tables"][0]["band"]["inside"] is None
    assert page["totals"]["band"]["inside"] is None
    assert page["alerts"] == []
    floor.play_rounds(1, won_cents=-1_000)
    page = floor.page()
    assert page["tables"][0]["band"]["inside"] is False
    [alert] = page["alerts"]
    assert (alert["alert"], alert["table"]) == ("band T1 2026-01-05", "T1")
    assert alert["text"] == "won -$300.00, where 95 of 100 days lie between $0.00 and $0.00"


def test_a_table_inside_its_band_is_no_alert(floor: Floor) -> None:
    floor.play_rounds(ROUNDS_TO_TELL, won_cents=0)
    page = floor.page()
    assert (page["tables"][0]["band"]["inside"], page["alerts"]) == (True, [])


@pytest.mark.parametrize(("minutes", "speed"), [(3, "slow"), (1, None)])
def test_a_tile_is_slow_only_beside_an_alert_that_says_so(
    floor: Floor, minutes: int, speed: str | None
) -> None:
    floor.play_rounds(ROUNDS_TO_TELL_PACE - 1, won_cents=0, minutes=minutes)
    assert (floor.tile()["speed"], floor.page()["alerts"]) == (None, [])
    floor.play_rounds(1, won_cents=0, minutes=minutes)
    page = floor.page()
    assert page["tables"][0]["speed"] == speed
    alerts = [alert["alert"] for alert in page["alerts"]]
    assert alerts == ([f"{speed} T1 2026-01-05"] if speed else [])


def test_a_table_that_is_dealt_at_is_not_closed(floor: Floor) -> None:
    assert floor.tile()["open"] is False
    floor.do("d1", "open_round", table="T1")
    assert floor.tile()["open"] is True
    assert floor.page()["totals"]["open"] == 1
    floor.do("s1", "round", table="T1", text="void exposed_card: a card fell")
    assert floor.tile()["open"] is False


def test_a_table_with_a_progressive_game_under_way_is_not_closed(floor: Floor) -> None:
    """A game that an earlier program began may be under way without a round of ours."""
    table = floor.state.streams["table:T1"]
    floor.state.streams["table:T1"] = replace(table, earlier=EarlierGame(round=1), started=True)
    assert floor.tile()["open"] is True
    floor.state.streams["table:T1"] = table
    assert floor.tile()["open"] is False
    floor.start("T1", 1)
    assert floor.tile()["open"] is True
    floor.deal("T1", {1: None})
    floor.say("T1", "close")
    assert floor.tile()["open"] is False


@pytest.mark.parametrize("closed", ["table_closed", "tray_closed"])
def test_a_table_is_not_closed_between_two_rounds(floor: Floor, closed: str) -> None:
    floor.play_rounds(1, won_cents=0)
    floor.clock.move(minutes=59)
    assert floor.tile()["open"] is True
    floor.clock.move(minutes=2)
    assert floor.tile()["open"] is False
    floor.play_rounds(1, won_cents=0)
    assert floor.tile()["open"] is True
    floor.clock.move(seconds=1)
    floor.take(closed, {})
    assert floor.tile()["open"] is False
