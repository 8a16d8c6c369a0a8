"""A supervisor is called over HTTP: the console, the inbox, the lobby and the pit all say so."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.floor.call import REASONS
from tests.server.serving import Dealer, InThread, Rigged, boldly, in_thread

NOON = "2099-01-01T12:00:00.000000+00:00"
BONUS = {"table": "Bonus"}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[InThread]:
    """A floor on which no round was ever opened; table Bonus plays for no link."""
    with in_thread(f"sqlite:///{tmp_path / 'floor.sqlite'}", now=NOON) as made:
        yield made


def items(floor: InThread, card: str) -> list[dict[str, Any]]:
    return list(floor.as_(card).get("/api/inbox")["items"])


@pytest.mark.parametrize("table", ["Bonus", "Poker"])
def test_a_call_is_seen_everywhere_until_it_is_answered(floor: InThread, table: str) -> None:
    dan, sue = floor.as_("d1"), floor.as_("s1")
    dan.do("call_supervisor", {"table": table, "reason": "dispute", "text": "seat 3 says push"})
    for card, mine in (("s1", True), ("e1", True), ("c1", False)):
        [item] = items(floor, card)
        assert (item["kind"], item["mine"], item["since"]) == ("call", mine, NOON)
        assert (item["table"], item["reason"], item["name"]) == (table, "dispute", "dispute")
        assert (item["text"], item["by"]) == ("seat 3 says push", "Dan")
    assert sue.get("/api/lobby")["inbox"] == 1
    [tile] = [tile for tile in sue.get("/api/pit")["tables"] if tile["table"] == table]
    assert tile["attention"] == ["a supervisor is called: dispute"]
    [waits] = sue.get("/api/pit")["waiting"]
    assert waits == {"what": "call", "table": table, "since": NOON, "due": None, "name": "dispute"}
    [call] = dan.get(f"/api/tables/{table}")["calls"]
    assert (call["reason"], call["by"], call["at"]) == ("dispute", "Dan", NOON)
    sue.do("answer_call", {"table": table, "reason": "dispute"})
    assert items(floor, "s1") == []
    assert dan.get(f"/api/tables/{table}")["calls"] == []
    assert sue.get("/api/pit")["waiting"] == []


def test_the_console_offers_what_the_floor_would_not_refuse(floor: InThread) -> None:
    dan = floor.as_("d1")
    dan.do("call_supervisor", {**BONUS, "reason": "fill"})
    offered = dan.get("/api/tables/Bonus")["call_reasons"]
    assert [one["reason"] for one in offered] == list(REASONS)
    assert [one["reason"] for one in offered if one["needs_text"]] == ["other"]
    assert [one["reason"] for one in offered if one["why_not"]] == ["award", "fill"]
    for one in offered:
        asked = {**BONUS, "reason": one["reason"], "text": "as written in the log"}
        answer = dan.ask("call_supervisor", asked)
        assert (answer.status_code == 200) == (not one["why_not"]), one
        if one["why_not"]:
            assert answer.json()["error"]["message"] == one["why_not"]


def test_a_call_that_waits_too_long_is_an_alert(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    with in_thread(url, now=NOON) as floor:
        for reason in ("fill", "player"):
            floor.as_("d1").do("call_supervisor", {**BONUS, "reason": reason})
        assert floor.as_("s1").get("/api/pit")["alerts"] == []
    later = "2099-01-01T12:02:01.000000+00:00"
    with in_thread(url, furnished=False, now=later) as floor:
        alerts = floor.as_("s1").get("/api/pit")["alerts"]
        assert {alert["text"] for alert in alerts} == {
            "a call for a supervisor (fill or credit) waits since 2099-01-01 12:00",
            "a call for a supervisor (player) waits since 2099-01-01 12:00",
        }
        assert len({alert["alert"] for alert in alerts}) == 2


def test_a_call_for_an_award_is_in_the_inbox_as_the_award(
    rigged_floor: InThread, decks: Rigged
) -> None:
    decks.decks.append("As Ks Qs Kh 9h 4d")
    floor, poker = rigged_floor, {"table": "Poker"}
    dealer = Dealer(floor.as_("d1"), "Poker")
    dan = dealer.client
    dealer.begin("ante 10, progressive 1")
    dealer.until("press", boldly)
    status, told = dan.refused("call_supervisor", {**poker, "reason": "award"})
    assert (status, "no winning hand is chosen at Poker" in told) == (409, True)
    dealer.say("press 1: akq_spades")
    dan.do("call_supervisor", {**poker, "reason": "award", "text": "she is in a hurry"})
    [item] = items(floor, "e1")
    assert (item["kind"], item["called"], item["call_text"]) == ("award", True, "she is in a hurry")
    status, told = floor.as_("s1").refused("answer_call", {**poker, "reason": "award"})
    assert (status, "the award at position 1 of Poker waits" in told) == (409, True)
    dan.do("call_supervisor", {**poker, "reason": "player"})
    assert [item["kind"] for item in items(floor, "e1")] == ["award", "call"]


@pytest.mark.parametrize(
    "asked",
    [
        {"reason": "fill", "text": 7},
        {"reason": "fill", "text": "x" * 401},
        {"reason": "fill", "text": "a\u202eb"},
        {"reason": 7},
        {"reason": "fill", "urgent": True},
    ],
)
def test_what_is_no_request_for_a_call(floor: InThread, asked: dict[str, Any]) -> None:
    assert floor.as_("d1").ask("call_supervisor", {**BONUS, **asked}).status_code == 422
    assert items(floor, "s1") == []
