"""Commands: done once however often they are sent, on the disk before they are answered."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from houseway.refusal import Reason, Refused
from tests.server.serving import PIN, InThread, Served, in_thread

POKER = {"table": "Poker"}


@pytest.fixture
def floor(database: str) -> Iterator[InThread]:
    with in_thread(database) as made:
        yield made


def written(floor: Served, key: str) -> int:
    """Events that a key has brought about."""
    return sum(event.key == key for event in floor.events())


def begin(floor: Served, table: str = "Poker", bets: str = "ante 10") -> Any:
    """A round with a bet at the first position, before its deck."""
    dan = floor.as_("d1")
    dan.do("open_round", {"table": table})
    dan.do("round", {"table": table, "text": f"bets 1: {bets}"})
    dan.do("round", {"table": table, "text": "no more bets"})
    return dan


def test_the_same_key_is_the_same_command(floor: InThread) -> None:
    dan = floor.as_("d1")
    key = uuid4().hex
    answers = [dan.do("open_round", POKER, key=key) for _ in range(3)]
    assert answers == [{"round": "000001"}] * 3
    assert written(floor, key) == 1


def test_a_key_belongs_to_one_command_by_one_person(floor: InThread) -> None:
    dan, key = floor.as_("d1"), uuid4().hex
    dan.do("open_round", POKER, key=key)
    for client, name, arguments in (
        (dan, "open_round", {"table": "FaceUp"}),
        (dan, "undo", POKER),
        (floor.as_("s1"), "open_round", POKER),
    ):
        answer = client.ask(name, arguments, key=key)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (409, "key_used")
    assert dan.get("/api/tables/FaceUp")["round"] is None


def test_a_refused_command_leaves_its_key_free(floor: InThread) -> None:
    dan, key = floor.as_("d1"), uuid4().hex
    status, told = dan.refused("round", {**POKER, "text": "no more bets"}, key=key)
    assert (status, "no round is under way" in told) == (409, True)
    begin(floor)
    assert dan.do("shuffle", POKER, key=key)["round"] == "000001"


def test_one_key_sent_by_many_at_once_is_done_once(floor: InThread) -> None:
    begin(floor)
    check_many(floor, "shuffle", POKER)
    check_many(floor, "round", {**POKER, "text": "deliver"})


def check_many(floor: InThread, name: str, asked: dict[str, Any]) -> None:
    dan, key = floor.as_("d1"), uuid4().hex
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: dan.ask(name, asked, key=key), range(16)))
    assert [answer.status_code for answer in answers] == [200] * 16
    assert len({answer.text for answer in answers}) == 1
    assert written(floor, key) == 1


def test_a_shuffle_that_is_tried_again_deals_the_same_deck(floor: InThread) -> None:
    dan = begin(floor)
    key = uuid4().hex
    first = dan.do("shuffle", POKER, key=key)
    assert dan.do("shuffle", POKER, key=key) == first
    dan.do("round", {**POKER, "text": "deliver"})
    dan.do("round", {**POKER, "text": "decide 1: fold"})
    assert dan.do("shuffle", POKER, key=key) == first
    # Another key brings no other deck in this round, and the old one none in the next.
    assert dan.ask("shuffle", POKER).status_code == 409
    floor.as_("s1").do("round", {**POKER, "text": "void ruling: a test"}, pin=PIN)
    begin(floor)
    assert dan.do("shuffle", POKER, key=key) == first
    assert dan.get("/api/tables/Poker")["round"]["deck"]["loaded"] is False
    begin(floor, "FaceUp")
    other = dan.ask("shuffle", {"table": "FaceUp"}, key=key)
    assert (other.status_code, other.json()["error"]["reason"]) == (409, "key_used")
    assert written(floor, key) == 1


def test_nobody_brings_a_deck_of_the_own(floor: InThread) -> None:
    dan = begin(floor)
    cards = " ".join(rank + suit for rank in "AKQJT98765432" for suit in "shdc")
    text = f"shuffle 0123456789ab by automatic, packets of 3: {cards}"
    status, told = dan.refused("round", {**POKER, "text": text})
    assert (status, "come from the shuffler" in told) == (403, True)
    # Nor by saying that it came from there.
    smuggled = {**POKER, "text": text, "from_shuffler": True}
    assert dan.ask("round", smuggled).status_code == 422
    assert dan.ask("shuffle", {**POKER, "text": text}).status_code == 422


def test_what_only_the_house_says_of_itself_is_no_argument(floor: InThread) -> None:
    ada = floor.as_("a1")
    for name, arguments in (
        ("unlock_card", {"card": "d1", "new_pin": "1357", "pin_held": True}),
        ("acknowledge", {"alert": "short Royal", "raised": ["short Royal"]}),
        (
            "issue_card",
            {"card": "x", "name": "x", "role": "dealer", "pin_hash": "x", "new_pin": PIN},
        ),
        ("note_pin", {"held": True}),
        ("note_session", {"what": "signed_in"}),
        ("first_administrator", {"card": "x", "name": "x", "new_pin": PIN}),
        ("recover_card", {"card": "d1"}),
        ("note_start", {"demo": True}),
    ):
        assert ada.ask(name, arguments, pin=PIN).status_code == 422
    assert ada.ask("unlock_card", {"card": "d1", "new_pin": "1357"}).status_code == 403


def test_what_was_decided_on_an_old_view_is_refused(floor: InThread) -> None:
    dan = floor.as_("d1")
    seen = dan.get("/api/tables/Poker")["version"]
    dan.do("open_round", POKER, expects={"table:Poker": seen})
    asked = {**POKER, "text": "bets 1: ante 10"}
    late = dan.ask("round", asked, expects={"table:Poker": seen})
    assert (late.status_code, late.json()["error"]["reason"]) == (409, "stale_version")
    now = dan.get("/api/tables/Poker")
    assert (now["version"], now["round"]["positions"]) == (seen + 1, [])
    dan.do("round", asked, expects={"table:Poker": seen + 1, "table:FaceUp": 1})
    assert dan.ask("undo", POKER, expects={"table:Poker": -1}).status_code == 422


def test_an_answer_comes_after_the_disk(floor: InThread) -> None:
    """What was answered is read by somebody else's connection, and by the next page."""
    dan = floor.as_("d1")
    for number in range(10):
        key = uuid4().hex
        dan.do(
            "open_round" if not number else "round", POKER if not number else bet(number), key=key
        )
        assert written(floor, key) == 1
        view = dan.get("/api/tables/Poker")
        assert view["version"] == 3 + number
        assert len(view["round"]["positions"]) == min(number, 7)


def bet(number: int) -> dict[str, Any]:
    """A bet at one position after the other."""
    return {**POKER, "text": f"bets {min(number, 7)}: ante {number + 1}"}


def test_pins_are_asked_for_and_counted(floor: InThread) -> None:
    ada = floor.as_("a1")
    assert ada.refused("withdraw_card", {"card": "d1"})[0] == 403
    status, told = ada.refused("withdraw_card", {"card": "d1"}, pin="0000")
    assert (status, "2 tries are left" in told) == (403, True)
    adjust = {"link": "Royal", "level": "single", "cents": 100, "reason": "house_adds"}
    asked = {**adjust, "text": "a gift", "second": "u1"}
    sue = floor.as_("s1")
    assert sue.refused("adjust", asked, pin=PIN)[0] == 403
    status, told = sue.refused("adjust", asked, pin=PIN, second_pin="0000")
    assert (status, "card 'u1'" in told) == (403, True)
    assert sue.do("adjust", asked, pin=PIN, second_pin=PIN)["slip"] == 1
    with floor.room.floor.journal.engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT body FROM event").scalars()
        assert not any(f'"{PIN}"' in body or '"0000"' in body for body in kept)


def test_a_journal_that_cannot_be_written_is_told_without_its_address(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    dan = floor.as_("d1")
    journal = floor.room.floor.journal
    away = Refused(Reason.JOURNAL_UNAVAILABLE, f"the journal {floor.url!r} is not available: away")

    def refuse(*_: object, **__: object) -> Any:
        raise away

    with monkeypatch.context() as patched:
        patched.setattr(journal, "submit", refuse)
        answer = dan.ask("open_round", POKER)
    assert (answer.status_code, answer.json()["error"]["reason"]) == (503, "journal_unavailable")
    assert "floor" not in answer.text
    assert dan.do("open_round", POKER)["round"] == "000001"
