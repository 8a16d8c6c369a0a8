"""People at the server: cards, PINs, codes, sessions, and the first administrator."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from typing import Any

import pyotp
import pytest

from houseway.cli import main
from houseway.server import guard, session
from tests.server.serving import PEOPLE, PIN, Client, InThread, in_thread, limits
from tests.waiting import wait_for

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def floor(database: str) -> Iterator[InThread]:
    """A demonstration floor, where no codes are asked for."""
    with in_thread(database) as made:
        yield made


@pytest.fixture
def earnest(database: str) -> Iterator[InThread]:
    """A floor where people play for money."""
    with in_thread(database, demo=False) as made:
        # The time stands still: a code cannot run out between being made and being given.
        made.room.sessions.clock = made.room.sessions.machine = lambda: NOON
        yield made


def kinds(floor: InThread, card: str) -> list[str]:
    """What was written down of a card."""
    return [event.kind for event in floor.events() if event.stream == f"person:{card}"]


def test_signing_in_and_out(floor: InThread) -> None:
    dan = floor.client()
    assert dan.get("/api/me")["person"] is None
    assert dan.http.get("/api/lobby").status_code == 401
    answer = dan.sign_in("d1")
    me = {"card": "d1", "name": "Dan", "role": "dealer"}
    assert answer.json()["person"] == dan.get("/api/me")["person"] == me
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert {"tables", "links", "inbox", "now"} == set(dan.get("/api/lobby"))
    token = dan.http.cookies["houseway_session"]
    assert dan.post("/api/sign-out", {}).status_code == 200
    # The token itself is worth nothing any more, not only forgotten by the browser.
    thief = floor.client(cookies={"houseway_session": token})
    assert thief.get("/api/me")["person"] is None
    assert thief.http.get("/api/lobby").status_code == 401
    assert kinds(floor, "d1") == ["card_issued", "signed_in", "signed_out"]


def test_a_token_is_kept_as_a_hash_only(floor: InThread) -> None:
    dan = floor.as_("d1")
    token = dan.http.cookies["houseway_session"]
    with floor.room.floor.journal.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT token, card, csrf, ends_at FROM session").all()
    assert [(row[0] == session.token_hash(token), row[1]) for row in rows] == [(True, "d1")]
    assert token not in repr(rows)


def test_three_wrong_pins_lock_a_card(floor: InThread) -> None:
    client = floor.client()
    told = [client.sign_in("d1", "0000") for _ in range(4)]
    assert [answer.status_code for answer in told] == [403] * 4
    assert "after 3 wrong PINs a card is locked" in told[0].json()["error"]["message"]
    assert kinds(floor, "d1") == ["card_issued"] + ["pin_failed"] * 3
    # The right one says no more than a wrong one now.
    assert client.sign_in("d1").json() == told[0].json() == told[3].json()
    assert "houseway_session" not in client.http.cookies
    floor.as_("a1").do("unlock_card", {"card": "d1", "new_pin": "1357"}, pin=PIN)
    assert client.sign_in("d1", "1357").status_code == 200


def test_an_unknown_card_and_an_unknown_token(floor: InThread) -> None:
    assert floor.client().sign_in("nobody").status_code == 403
    stranger = floor.client(cookies={"houseway_session": "x" * 43})
    assert stranger.get("/api/me")["person"] is None
    assert stranger.http.get("/api/tables/Poker").status_code == 401


def test_a_session_lasts_longer_than_a_shift_and_not_for_ever(floor: InThread) -> None:
    floor.room.sessions.clock = lambda: NOON
    dan = floor.as_("d1")
    with floor.room.floor.journal.engine.connect() as connection:
        [(ends,)] = connection.exec_driver_sql("SELECT ends_at FROM session").all()
    assert datetime.fromisoformat(ends) == NOON + timedelta(hours=12)
    floor.room.sessions.clock = lambda: NOON + timedelta(hours=12)
    assert dan.http.get("/api/lobby").status_code == 200
    floor.room.sessions.clock = lambda: NOON + timedelta(hours=12, seconds=1)
    assert dan.http.get("/api/lobby").status_code == 401
    # The next one who signs in clears the old ones away.
    floor.client().sign_in("s1")
    with floor.room.floor.journal.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT card FROM session").all()
    assert [card for (card,) in rows] == ["s1"]


def test_too_many_tries_are_told_to_wait(floor: InThread) -> None:
    floor.room.limits = limits({"card": 2, "sign-in": 6, "commands": 3})
    client = floor.client()
    assert [client.sign_in("nobody").status_code for _ in range(4)] == [403, 403, 429, 429]
    # Another card is not concerned; the address is, after a while.
    assert client.sign_in("d1").status_code == 200
    asked = {"table": "Poker", "text": "no more bets"}
    assert [client.ask("round", asked).status_code for _ in range(5)] == [409, 409, 409, 429, 429]
    assert client.sign_in("s1").status_code == 200
    refused = client.sign_in("e1")
    assert (refused.status_code, refused.json()["error"]["reason"]) == (429, "too_often")


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    limits = guard.RateLimits(lambda: now[0])
    most, seconds = guard.RATES["card"]
    assert [limits.allow("card", "d1") for _ in range(most + 2)] == [True] * most + [False] * 2
    assert limits.allow("card", "d2")
    now[0] += seconds / most
    assert [limits.allow("card", "d1") for _ in range(2)] == [True, False]
    now[0] += 10 * seconds
    assert [limits.allow("card", "d1") for _ in range(most + 1)] == [True] * most + [False]


# The second factor.


def codes(secret: str, step: int = 0) -> str:
    """The code of noon, or of some steps away."""
    return pyotp.TOTP(secret).at(NOON, step)


def wrong_codes(secret: str) -> Iterator[str]:
    """Codes that hold for no step near noon, whatever the secret is."""
    right = {codes(secret, step) for step in (-1, 0, 1)}
    return (code for code in map("{:06d}".format, count()) if code not in right)


def enrol(client: Client, card: str) -> str:
    """Set a second factor up; its secret."""
    answer = client.sign_in(card).json()
    assert answer["person"] is None
    asked = answer["second_factor"]
    assert asked["asked"] == "enrol"
    assert asked["uri"].startswith("otpauth://totp/Houseway")
    secret = str(asked["secret"])
    assert client.sign_in(card, code=codes(secret, -1)).json()["person"]["card"] == card
    return secret


def test_a_second_factor_where_people_play_for_money(earnest: InThread) -> None:
    for card in ("s1", "e1", "a1"):
        check_second_factor(earnest, card)


def check_second_factor(earnest: InThread, card: str) -> None:
    client = earnest.client()
    secret = enrol(client, card)
    other = earnest.client()
    answer = other.sign_in(card).json()
    # The secret is told once; from then on only its codes are asked for.
    assert answer["second_factor"] == {"asked": "code"}
    assert "houseway_session" not in other.http.cookies
    code = codes(secret)
    assert other.sign_in(card, code=code).status_code == 200
    # A code that somebody looked on at holds no second time.
    replayed = earnest.client().sign_in(card, code=code)
    assert (replayed.status_code, "code" in replayed.json()["error"]["message"]) == (403, True)
    assert kinds(earnest, card).count("second_factor_set") == 1


def test_no_second_factor_for_others(earnest: InThread) -> None:
    for card in ("d1", "c1", "u1", "v1"):
        assert earnest.client().sign_in(card).json()["person"]["card"] == card


def test_a_demonstration_asks_for_no_second_factor(floor: InThread) -> None:
    assert floor.client().sign_in("a1").json()["person"]["card"] == "a1"


def test_wrong_codes_lock_a_card_though_its_pin_is_known(earnest: InThread) -> None:
    secret = enrol(earnest.client(), "s1")
    client = earnest.client()
    told = []
    for wrong in islice(wrong_codes(secret), 3):
        told.append(client.sign_in("s1", code=wrong).json()["error"]["message"])
        # The right PIN without a code does not start the count again.
        client.sign_in("s1")
    assert [("2 tries" in told[0]), ("1 tries" in told[1]), ("locked now" in told[2])] == [True] * 3
    assert "locked" in client.sign_in("s1", code=codes(secret)).json()["error"]["message"]


def test_a_wrong_code_enrols_nobody(earnest: InThread) -> None:
    client = earnest.client()
    secret = client.sign_in("s1").json()["second_factor"]["secret"]
    assert client.sign_in("s1", code=next(wrong_codes(secret))).status_code == 403
    again = client.sign_in("s1").json()["second_factor"]
    assert (again["asked"], again["secret"]) == ("enrol", secret)
    people = enrolled(earnest)
    assert not people["s1"]
    assert client.sign_in("s1", code=codes(secret)).status_code == 200
    assert enrolled(earnest)["s1"]


def enrolled(floor: InThread) -> dict[str, bool]:
    """Who has a second factor, as an administrator sees it."""
    client = floor.client()
    answer = client.sign_in("a1").json()
    if "second_factor" in answer and answer["second_factor"]["asked"] == "enrol":
        client.sign_in("a1", code=codes(answer["second_factor"]["secret"], -1))
        floor._signed["a1"] = client
    people = floor._signed["a1"].get("/api/administration")["people"]
    return {person["card"]: person["second_factor"] for person in people}


def test_what_is_no_code_is_refused(earnest: InThread) -> None:
    for card, given in (
        ("s1", ("12345", "1234567", "abcdef")),
        ("e1", ("12345६", "      ", "-00001")),
    ):
        enrol(earnest.client(), card)
        assert [earnest.client().sign_in(card, code=code).status_code for code in given] == [
            403
        ] * 3


# Sessions end with the card.


@pytest.mark.parametrize("command", ["withdraw_card", "unlock_card"])
def test_sessions_end_when_a_card_is_withdrawn_or_unlocked(floor: InThread, command: str) -> None:
    dan, ada = floor.as_("d1"), floor.as_("a1")
    more = {} if command == "withdraw_card" else {"new_pin": "1357"}
    with dan.listen("table:Poker") as watched:
        watched.next()
        ada.do(command, {"card": "d1", **more}, pin=PIN)
        assert dan.http.get("/api/lobby").status_code == 401
        assert dan.ask("open_round", {"table": "Poker"}).status_code == 401
        assert dan.get("/api/me")["person"] is None
        # What was open is closed as well.
        assert watched.next() == ("", None)
    wait_for(lambda: floor.streams() == 0)
    again = floor.client().sign_in("d1", "1357").status_code
    assert again == (403 if command == "withdraw_card" else 200)


def test_a_stream_ends_with_its_session_and_no_other_does(floor: InThread) -> None:
    dan, other = floor.as_("d1"), floor.client()
    other.sign_in("d1")
    with dan.listen("lobby") as ended, other.listen("lobby") as lasting:
        ended.next(), lasting.next()
        dan.post("/api/sign-out", {})
        while ended.next()[0]:
            pass
        other.do("open_round", {"table": "Poker"})
        lasting.until(lambda _, view: view["tables"][3]["round"])
    assert [table["table"] for table in other.get("/api/lobby")["tables"]][3] == "Poker"


def test_a_forgotten_pin_is_given_anew_by_an_administrator(floor: InThread) -> None:
    ada = floor.as_("a1")
    ada.do("unlock_card", {"card": "d1", "new_pin": "1357"}, pin=PIN)
    assert floor.client().sign_in("d1").status_code == 403
    assert floor.client().sign_in("d1", "1357").status_code == 200


# The first administrator.


def test_the_first_administrator_is_made_with_a_token_that_is_good_once(database: str) -> None:
    with in_thread(database, furnished=False) as floor:
        client = floor.client()
        assert client.get("/api/me")["floor"]["setup"] is True
        asked = {"card": "boss", "name": "Bo", "pin": "13579"}
        for token in ("", "x" * 32, "é" * 32, floor.room.setup_token[:-1], "😀"):
            wrong = client.post("/api/setup", {**asked, "token": token})
            assert (wrong.status_code, wrong.json()["error"]["reason"]) == (403, "not_approved")
        given = {**asked, "token": floor.room.setup_token}
        # A PIN that is none does not use the token up.
        assert client.post("/api/setup", {**given, "pin": "12"}).status_code == 422
        answer = client.post("/api/setup", given)
        assert answer.json()["person"] == {"card": "boss", "name": "Bo", "role": "administrator"}
        assert client.get("/api/administration")["people"][0]["card"] == "boss"
        assert client.get("/api/me")["floor"]["setup"] is False
        for again in (given, {**given, "card": "other"}):
            assert floor.client().post("/api/setup", again).status_code == 403
        # On a floor where people play for money the next time takes a second factor.
        assert floor.client().sign_in("boss", "13579").json()["second_factor"]["asked"] == "enrol"


def test_a_furnished_floor_takes_no_first_administrator(floor: InThread) -> None:
    asked = {"token": floor.room.setup_token, "card": "x", "name": "X", "pin": "1234"}
    assert floor.client().post("/api/setup", asked).status_code == 403


# From the machine itself.


def test_recover_gives_a_locked_card_a_new_pin(
    earnest: InThread, capsys: pytest.CaptureFixture[str]
) -> None:
    client = earnest.client()
    enrol(client, "a1")
    for _ in range(3):
        earnest.client().sign_in("a1", "0000")
    assert main(["recover", "a1", "--database", earnest.url, "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (told["card"], len(told["pin"]), told["pin"].isdecimal()) == ("a1", 8, True)
    # Sessions are gone, also for a server that runs, and a lost telephone is forgotten.
    wait_for(lambda: client.http.get("/api/administration").status_code == 401)
    again = earnest.client()
    wait_for(lambda: again.sign_in("a1", told["pin"]).status_code == 200)
    assert again.sign_in("a1", told["pin"]).json()["second_factor"]["asked"] == "enrol"
    assert "card_recovered" in kinds(earnest, "a1")
    assert main(["recover", "d1", "--database", earnest.url]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("The PIN of card d1 is now ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no card is given"),
        (["a1"], "--database"),
        (["nobody", "--database", "{url}"], "card 'nobody' is unknown"),
        (["a1", "--database", "nonsense"], "write sqlite:///FILE"),
    ],
)
def test_recover_says_what_is_wrong(
    database: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recover", *(part.format(url=database) for part in arguments)]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_people_are_as_the_floor_has_them(floor: InThread) -> None:
    people = floor.as_("a1").get("/api/administration")["people"]
    assert {person["card"]: (person["name"], person["role"]) for person in people} == PEOPLE
