"""Attacks on the floor server, and that each is answered as docs/security.md says."""

import ast
import base64
import json
import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from houseway.cli import main
from houseway.floor import service
from houseway.server import guard, live, pages, serving
from houseway.server.requests import MODELS, NAMED, PLAIN, SetUp, SignIn
from houseway.server.room import WRONG
from tests import ROOT
from tests.server.serving import (
    CHEAP,
    PIN,
    Client,
    Dealer,
    InThread,
    boldly,
    free_port,
    in_thread,
    limits,
)
from tests.waiting import PATIENCE, wait_for

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
POKER = {"table": "Poker"}
JSON = {"content-type": "application/json"}
LONG_PIN = "975319753186"
"""As long as a PIN may be: a shorter one may be found within a hash or a time by chance."""


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """One floor for all attacks that come to nothing."""
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('quiet')}/floor.sqlite") as made:
        yield made


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[InThread]:
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as made:
        yield made


# The page.


def test_every_defence_is_shown_by_a_test_that_exists() -> None:
    named = set(re.findall(r"`([\w/]*test_\w+\.py)::(\w+)`", PAGE))
    assert len(named) > 50
    there = {file: named_in(ROOT / "tests" / file) for file, _ in named}
    assert [(file, test) for file, test in sorted(named) if test not in there[file]] == []


@pytest.mark.parametrize("file", ["test_security.py", "test_misuse.py"])
def test_every_attack_is_on_the_page(file: str) -> None:
    here = Path(__file__).with_name(file)
    name = here.relative_to(ROOT / "tests").as_posix()
    assert [test for test in named_in(here) if f"`{name}::{test}`" not in PAGE] == []


def named_in(path: Path) -> list[str]:
    """The tests of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]
    return [name for name in names if name.startswith("test_")]


# Forged requests.


@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense", ""])
def test_what_a_browser_says_is_from_elsewhere_is_refused(quiet: InThread, site: str) -> None:
    dan, before = quiet.as_("d1"), len(quiet.events())
    headers = {"sec-fetch-site": site, "x-houseway-token": dan.csrf}
    for path in ("/api/commands", "/api/sign-in", "/api/sign-out", "/api/setup"):
        assert dan.http.post(path, json={}, headers=headers).status_code == 403
    for path in ("/api/me", "/api/lobby", "/api/live?topic=lobby", "/api/links/Royal/sign"):
        assert dan.http.get(path, headers=headers).status_code == 403
    assert len(quiet.events()) == before
    # A link on another page may lead here, and shows what it would show anybody.
    assert dan.http.get("/healthz", headers=headers).status_code == 200
    for own in ("same-origin", "none"):
        assert dan.http.get("/api/me", headers={"sec-fetch-site": own}).status_code == 200


@pytest.mark.parametrize(
    "kind",
    ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""],
)
def test_no_form_is_a_command(quiet: InThread, kind: str) -> None:
    """Also with the cookie and the token: what is not said to be JSON is not read as such."""
    dan, before = quiet.as_("d1"), len(quiet.events())
    body = json.dumps({"name": "open_round", "arguments": POKER, "key": "form-form-form"})
    headers = {"content-type": kind, "x-houseway-token": dan.csrf}
    answer = dan.http.post("/api/commands", content=body, headers=headers)
    assert (answer.status_code, len(quiet.events())) == (422, before)


def test_the_cookie_is_for_our_own_pages_and_for_tls_where_there_is_tls(quiet: InThread) -> None:
    body = {"card": "d1", "pin": PIN}
    plain = quiet.client().http.post("/api/sign-in", json=body)
    assert re.fullmatch(
        r"houseway_session=[\w-]{43}; HttpOnly; Path=/; SameSite=strict",
        plain.headers["set-cookie"],
    )
    behind = {"x-forwarded-proto": "https"}
    proxied = quiet.client().http.post("/api/sign-in", json=body, headers=behind)
    assert proxied.headers["set-cookie"].endswith("; SameSite=strict; Secure")


@pytest.mark.parametrize(
    "host", ["localhost:1@evil.example", "[::1]evil.example", "localhost:x", "localhost:80:80"]
)
def test_a_host_is_a_name_and_a_port_and_no_more(quiet: InThread, host: str) -> None:
    answer = quiet.client().http.get("/api/lobby/", headers={"host": host})
    assert answer.status_code == 400
    assert "evil" not in f"{answer.text} {answer.headers}"


def test_names_of_the_floor_are_given_when_it_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts: list[str] = []

    def run(room: Any, _: socket.socket, given: tuple[str, ...], __: int | None = None) -> None:
        hosts.extend(given)
        room.floor.close()

    monkeypatch.setattr(serving, "run", run)
    monkeypatch.chdir(tmp_path)
    names = ["--name", "Floor.example", "--name", "10.0.0.7"]
    assert main(["serve", "--port", str(free_port()), *names]) == 0
    assert hosts == ["127.0.0.1", "localhost", "[::1]", "127.0.0.1", "floor.example", "10.0.0.7"]


# Replayed requests.


def test_a_captured_request_does_nothing_again(tmp_path: Path) -> None:
    """Not after a restart, not after other rounds, and not at all once its session has ended."""
    url = f"sqlite:///{tmp_path}/floor.sqlite"
    body = {"name": "open_round", "arguments": POKER, "key": "captured-captured"}
    with in_thread(url) as floor:
        dan = floor.as_("d1")
        first = dan.post("/api/commands", body)
        assert first.status_code == 200
        dealer = Dealer(dan, "Poker")
        dealer.say("bets 1: ante 10")
        for _ in dealer.steps(boldly):
            pass
        dan.do("open_round", POKER)
        cookies, csrf = dict(dan.http.cookies), dan.csrf
    with in_thread(url, furnished=False) as floor:
        thief, before = floor.client(cookies=cookies), floor.events()
        thief.csrf = csrf
        assert thief.post("/api/commands", body).json() == first.json()
        other = thief.post("/api/commands", {**body, "arguments": {"table": "Bonus"}})
        assert (other.status_code, other.json()["error"]["reason"]) == (409, "key_used")
        assert [event.kind for event in floor.events()[len(before) :]] == ["refused"]
        assert thief.get("/api/tables/Bonus")["round"] is None
        assert thief.post("/api/sign-out", {}).status_code == 200
        before = floor.events()
        for path, sent in (("/api/commands", body), ("/api/sign-out", {})):
            again = floor.client(cookies=cookies)
            again.csrf = csrf
            assert again.post(path, sent).status_code == 401
        assert len(floor.events()) == len(before)


# Sessions of others.


def test_a_planted_cookie_is_never_taken_over(floor: InThread) -> None:
    planted = "p" * 43
    victim, attacker = floor.client(), floor.client(cookies={"houseway_session": planted})
    victim.http.cookies.set("houseway_session", planted, domain="127.0.0.1")
    answer = victim.sign_in("d1")
    assert planted not in answer.headers["set-cookie"]
    assert attacker.get("/api/me")["person"] is None


def test_who_signs_in_over_another_ends_that_session(floor: InThread) -> None:
    desk = floor.client()
    desk.sign_in("s1")
    token = desk.http.cookies["houseway_session"]
    # A wrong PIN ends nothing.
    desk.sign_in("d1", "0000")
    assert desk.get("/api/me")["person"]["card"] == "s1"
    desk.sign_in("d1")
    assert desk.get("/api/me")["person"]["card"] == "d1"
    assert floor.client(cookies={"houseway_session": token}).get("/api/me")["person"] is None
    kinds = [event.kind for event in floor.events() if event.stream == "person:s1"]
    assert kinds[-2:] == ["signed_in", "signed_out"]


def test_a_locked_card_is_signed_in_no_more(floor: InThread) -> None:
    dan, ada = floor.as_("d1"), floor.as_("a1")
    with dan.listen("table:Poker") as watched:
        watched.next()
        for _ in range(3):
            floor.client().sign_in("d1", "0000")
        assert watched.next() == ("", None)
    wait_for(lambda: dan.http.get("/api/lobby").status_code == 401)
    assert dan.ask("open_round", POKER).status_code == 401
    assert dan.get("/api/me")["person"] is None
    ada.do("unlock_card", {"card": "d1", "new_pin": "1357"}, pin=PIN)
    assert dan.http.get("/api/lobby").status_code == 401
    assert dan.sign_in("d1", "1357").status_code == 200


def test_tokens_cannot_be_guessed(quiet: InThread) -> None:
    found = [quiet.room.sessions.open("u1") for _ in range(20)]
    tokens = [token for token, _ in found] + [session.csrf for _, session in found]
    assert len(set(tokens)) == 40
    assert {len(base64.urlsafe_b64decode(token + "==")) for token, _ in found} == {32}
    assert {len(base64.urlsafe_b64decode(one.csrf)) for _, one in found} == {24}


# What may be sent.


def leaves(schema: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every text, number, list and mapping that a model takes."""
    if isinstance(schema, list):
        for one in schema:
            yield from leaves(one, name)
    if not isinstance(schema, dict):
        return
    if "type" in schema and "const" not in schema and "enum" not in schema:
        yield name, schema
    for key, one in schema.items():
        if key in ("properties", "$defs"):
            for inner, found in one.items():
                yield from leaves(found, inner)
        elif isinstance(one, dict | list):
            yield from leaves(one, name)


ENDS = {
    "string": {"maxLength"},
    "integer": {"minimum", "maximum"},
    "number": {"minimum", "maximum"},
    "array": {"maxItems"},
}
NOT_KEPT = ("code", "token", "key")
"""Never written down, or held to narrower signs."""


def test_everything_that_may_be_sent_has_an_end() -> None:
    seen = 0
    models: list[type[BaseModel]] = [*MODELS.values(), SignIn, SetUp]
    for model in models:
        for name, schema in leaves(model.model_json_schema(by_alias=True)):
            kind = schema["type"]
            assert ENDS.get(kind, set()) <= set(schema), (model, name, schema)
            if kind == "string" and name not in NOT_KEPT:
                assert schema["pattern"] in (PLAIN, NAMED), (model, name)
            if kind == "object":
                ends = "properties" in schema or "maxProperties" in schema
                assert ends, (model, name, schema)
            seen += 1
    assert seen > 200


UNSEEN = (
    "\x00 \x07 \x1b \x7f \x9b \xad \u061c \u200b \u200e \u200f \u2028 \u202a \u202e \u2066 \ufeff"
)


@pytest.mark.parametrize("sign", UNSEEN.split(" "), ids=ascii)
def test_what_steers_or_cannot_be_seen_is_in_no_name(quiet: InThread, sign: str) -> None:
    ada, sue, before = quiet.as_("a1"), quiet.as_("s1"), len(quiet.events())
    name = f"Dan{sign}nad"
    card = {"card": "x1", "name": "X", "role": "dealer", "new_pin": PIN}
    equipment = {"serial": "S", "kind": "layout", "model": "L", "maker": "M", "sold": "2026-01-01"}
    model = {"kind": "shuffler", "maker": "M", "reference": "A-1", "day": "2026-01-01"}
    for client, command, asked in (
        (ada, "issue_card", {**card, "name": name}),
        (ada, "issue_card", {**card, "card": name}),
        (ada, "record_equipment", {**equipment, "model": name}),
        (ada, "approve_model", {**model, "model": name}),
        (ada, "record_equipment", {**equipment, "sold": name}),
        (ada, "record_equipment", {**equipment, "parts": {name: "x"}}),
        (sue, "end_earlier_game", {**POKER, "reason": name}),
        (sue, "round", {**POKER, "text": f"void ruling: {name}"}),
    ):
        assert client.ask(command, asked, pin=PIN).status_code == 422, (command, asked)
    assert quiet.client().sign_in(name).status_code == 422
    assert len(quiet.events()) == before


LONG = "x" * 60_000


@pytest.mark.parametrize(
    "path",
    [
        f"/api/tables/{LONG}",
        f"/api/links/{LONG}/sign",
        f"/api/live?topic=sign:{LONG}",
        f"/api/trail?stream={LONG}",
        f"/api/trail?before={'9' * 60_000}",
        f"/api/{LONG}",
        f"/assets/{LONG}",
        f"/?{LONG}",
    ],
    ids=lambda path: path[:20],
)
def test_a_path_as_long_as_it_gets(quiet: InThread, path: str) -> None:
    answer = quiet.as_("u1").http.get(path)
    assert answer.status_code in (404, 422) or path.startswith("/?")
    assert len(answer.content) < 1000 or path.startswith("/?")


def test_a_cookie_as_long_as_it_gets(quiet: InThread) -> None:
    stranger = quiet.client(cookies={"houseway_session": LONG})
    assert stranger.get("/api/me")["person"] is None


NUMBERS = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e308",
    "1e400",
    "-1e30",
    "9" * 400,
    "1" + "0" * 4000,
    "1.5",
    '"1"',
    "true",
    "[" * 5000 + "]" * 5000,
    '{"a":' * 5000 + "1" + "}" * 5000,
)


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:12])
def test_no_number_is_too_strange_to_be_refused(quiet: InThread, number: str) -> None:
    cal, before = quiet.as_("c1"), len(quiet.events())
    body = (
        '{"name": "record_deposit", "key": "number-number", "arguments": {"link": "Royal", '
        f'"reference": "bank", "balance_cents": {number}}}}}'
    )
    headers = {**JSON, "x-houseway-token": cal.csrf}
    answer = cal.http.post("/api/commands", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert len(answer.content) < 1000
    assert len(quiet.events()) == before


def test_of_two_fields_of_one_name_the_last_is_judged_and_done(floor: InThread) -> None:
    """One reader only: what is checked and what is done cannot differ."""
    dan = floor.as_("d1")
    headers = {**JSON, "x-houseway-token": dan.csrf}
    body = (
        '{"name": "undo", "name": "open_round", "key": "double-double", '
        '"arguments": {"table": "Bonus"}, "arguments": {"table": "Poker", "table": "Rummy"}}'
    )
    assert dan.http.post("/api/commands", content=body, headers=headers).status_code == 200
    under_way = [table for table in ("Poker", "Rummy", "Bonus") if Dealer(dan, table).view["round"]]
    assert under_way == ["Rummy"]


HTML = "<script>alert(1)</script>"


def test_nothing_comes_back_as_a_page(quiet: InThread) -> None:
    dan = quiet.as_("d1")
    asked = (
        dan.http.get(f"/api/tables/{HTML}"),
        dan.http.get(f"/api/{HTML}"),
        dan.http.get(f"/assets/{HTML}"),
        dan.http.get("/api/live", params={"topic": HTML}),
        dan.http.get("/api/trail", params={"before": HTML}),
        dan.http.get("/api/me", headers={"host": f"{HTML}"}),
        dan.ask(HTML, {HTML: HTML}),
        dan.ask("open_round", {"table": HTML}),
        dan.ask("open_round", {"table": "Poker", HTML: 1}),
        dan.http.post("/api/sign-in", json={"card": HTML, "pin": HTML}),
    )
    for answer in asked:
        assert answer.status_code >= 400
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert HTML not in str(answer.headers)


# A guesser of PINs.


class Counted:
    """A hasher that counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def hash(self, *given: Any, **named: Any) -> str:
        self.asked += 1
        return CHEAP.hash(*given, **named)

    def verify(self, *given: Any) -> bool:
        self.asked += 1
        return CHEAP.verify(*given)


@pytest.fixture
def hasher(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Counts from when the floor is open."""
    assert floor.server.started
    counted = Counted()
    monkeypatch.setattr(service, "_HASHER", counted)
    return counted


def test_who_cannot_sign_in_does_not_learn_why(floor: InThread, hasher: Counted) -> None:
    """The same words after the same work, whether a card is unknown, good, locked or withdrawn."""
    floor.as_("a1").do("withdraw_card", {"card": "c1"}, pin=PIN)
    for _ in range(3):
        floor.client().sign_in("v1", "0000")
    told = set()
    for card, pin in (
        ("d1", "0000"),
        ("nobody", PIN),
        ("nobody\u00a0", PIN),
        ("c1", PIN),
        ("c1", "0000"),
        ("v1", PIN),
        ("v1", "0000"),
    ):
        before, hashed = len(floor.events()), hasher.asked
        answer = floor.client().sign_in(card, pin)
        told.add((answer.status_code, answer.text, str(sorted(answer.headers))))
        assert (len(floor.events()) - before, hasher.asked - hashed) == (1, 1), card
    [(status, text, _)] = told
    assert (status, json.loads(text)["error"]["message"]) == (403, WRONG)


def test_what_was_typed_for_a_card_is_not_written_down(floor: InThread) -> None:
    """It may be a PIN in the wrong field."""
    floor.client().sign_in(LONG_PIN)
    assert LONG_PIN not in repr(floor.events())
    noted = floor.events()[-1]
    assert (noted.kind, noted.data["command"]) == ("refused", "note_pin")


def from_(floor: InThread, address: str) -> Client:
    """Somebody on another machine, so to say."""
    return floor.client(transport=httpx.HTTPTransport(local_address=address))


def test_many_cards_are_tried_from_one_address_only_so_often(
    floor: InThread, hasher: Counted
) -> None:
    floor.room.limits = limits({"sign-in": 3})
    guesser = from_(floor, "127.0.0.2")
    told = []
    for number in range(6):
        # What it says of where it comes from is not believed.
        headers = {"x-forwarded-for": f"10.0.0.{number}", "forwarded": f"for=10.0.0.{number}"}
        body = {"card": f"d{number + 1}", "pin": "0000"}
        told.append(guesser.http.post("/api/sign-in", json=body, headers=headers).status_code)
    assert (told, hasher.asked) == ([403] * 3 + [429] * 3, 3)
    assert from_(floor, "127.0.0.3").sign_in("d1").status_code == 200


def test_one_card_is_tried_from_many_addresses_only_so_often(
    floor: InThread, hasher: Counted
) -> None:
    floor.room.limits = limits({"card": 4})
    told = [from_(floor, f"127.0.0.{n}").sign_in("d1", "0000").status_code for n in range(2, 8)]
    assert (told, hasher.asked) == ([403] * 4 + [429] * 2, 4)
    # It was locked before that, whoever asks.
    assert from_(floor, "127.0.0.9").sign_in("s1").status_code == 200
    people = floor.as_("a1").get("/api/administration")["people"]
    assert [person["card"] for person in people if person["locked"]] == ["d1"]


def test_a_network_of_the_sixth_version_counts_as_one() -> None:
    assert guard.sender("2001:db8:1:2::1") == guard.sender("2001:db8:1:2:ffff::9")
    assert guard.sender("2001:db8:1:2::1") != guard.sender("2001:db8:1:3::1")
    assert guard.sender("::ffff:10.0.0.7") == guard.sender("10.0.0.7") == "10.0.0.7"
    assert guard.sender("10.0.0.7") != guard.sender("10.0.0.8")
    assert guard.sender("") == ""


def test_a_crowd_does_not_wipe_out_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MOST_BUCKETS", 10)
    now = [0.0]
    limits = guard.RateLimits(lambda: now[0])
    most, seconds = guard.RATES["card"]
    assert [limits.allow("card", "d1") for _ in range(most + 1)] == [True] * most + [False]
    for number in range(50):
        assert limits.allow("card", f"crowd {number}")
    assert not limits.allow("card", "d1")
    # Those who are long gone are forgotten.
    now[0] += seconds
    limits.allow("card", "late")
    assert len(limits._left) == 1


# Those who take up time and room.


def test_a_slow_body_is_not_waited_for(quiet: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.3)
    head = b"POST /api/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    host, port = quiet.address.removeprefix("http://").split(":")
    for more in (b"Content-Length: 50\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as line:
            line.sendall(head + more)
            told = b""
            while got := line.recv(65536):
                told += got
        assert told.startswith(b"HTTP/1.1 408 ")
        assert b"connection: close" in told.lower()
    # A stream is no body: it goes on for as long as both like.
    with quiet.client().listen("sign:Royal") as stream:
        stream.next()
        monkeypatch.setattr("houseway.server.room.PING_SECONDS", 0)
        assert [line for line, _ in zip(stream._lines, range(4), strict=False)]


def test_those_who_look_do_not_take_the_places_of_those_who_work(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_PUBLIC", 2)
    wall, dan = floor.client(), floor.as_("d1")
    with wall.listen("sign:Royal") as one, wall.listen("sign:Summit") as two:
        one.next(), two.next()
        assert floor.client().http.get("/api/live?topic=sign:Royal").status_code == 429
        with dan.listen("table:Poker", "sign:Royal") as works:
            assert works.next()[0] == "table:Poker"
    wait_for(lambda: floor.streams() == 0)
    assert (floor.room.hub.public, floor.room.hub._opened) == (0, {})


def test_nobody_has_more_than_some_streams(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_OF_ONE", 2)
    dan, sue = floor.as_("d1"), floor.as_("s1")
    guest, other = from_(floor, "127.0.0.2"), from_(floor, "127.0.0.3")
    for full, free in ((dan, sue), (guest, other)):
        topic = "sign:Royal"
        with full.listen(topic) as one, full.listen(topic) as two, free.listen(topic) as three:
            one.next(), two.next(), three.next()
            assert full.http.get("/api/live", params={"topic": topic}).status_code == 429


# What is said and written of all this.


def strict(answer: httpx.Response) -> bool:
    """True when a browser is told to be strict, and to keep nothing."""
    told = answer.headers
    return (
        "frame-ancestors 'none'" in told["content-security-policy"]
        and told["x-content-type-options"] == "nosniff"
        and told["referrer-policy"] == "no-referrer"
        and told["cache-control"] == "no-store"
    )


def test_a_fault_of_ours_tells_nothing(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object) -> Any:
        raise RuntimeError(f"PIN {PIN}")

    dan = floor.as_("d1")
    with monkeypatch.context() as patched:
        patched.setattr(floor.room, "view", fault)
        # The line is given up after a fault.
        answer = dan.http.get("/api/lobby", headers={"connection": "close"})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (500, "fault")
    assert strict(answer)
    assert not re.search(rf"{PIN}|Traceback|RuntimeError|\.py", answer.text)
    assert dan.http.get("/api/lobby").status_code == 200


def test_what_is_refused_at_the_door_is_kept_by_no_browser(quiet: InThread) -> None:
    http = quiet.client().http
    assert strict(http.get("/api/me", headers={"host": "evil.example"}))
    assert strict(http.post("/api/sign-in", json={}, headers={"origin": "http://evil.example"}))
    assert strict(http.post("/api/sign-in", content=b" " * 70_000, headers=JSON))


def test_no_secret_is_logged_measured_or_written_down(
    floor: InThread, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A round, people who come and go, and some who should not: nothing of it is in a log."""
    caplog.set_level(logging.INFO)
    dan, ada, new, wrong = floor.as_("d1"), floor.as_("a1"), LONG_PIN, LONG_PIN[::-1]
    card = {"card": "x1", "name": "Xen", "role": "dealer", "new_pin": new}
    ada.do("issue_card", card, pin=PIN)
    floor.client().sign_in("x1", new)
    floor.client().sign_in("x1", wrong)
    ada.ask("withdraw_card", {"card": "x1"}, pin=wrong)
    dan.http.post("/api/sign-in", content=f'{{"pin": "{wrong}', headers=JSON)
    dealer = Dealer(dan, "Poker")
    dealer.begin("ante 10")
    for _ in dealer.steps(boldly):
        pass
    tokens = [dan.http.cookies["houseway_session"], dan.csrf, ada.csrf]
    secrets = [*tokens, new, wrong, f'"{PIN}"']
    logged = caplog.text + "".join(capfd.readouterr()) + floor.metrics()
    written = repr(floor.events())
    assert [secret for secret in secrets if secret in logged + written] == []
    # Of the deal a log has not even a line.
    assert not re.search(r"shuffle|\b[2-9TJQKA][shdc]\b", caplog.text)


def test_nobody_fills_the_log_with_nonsense(quiet: InThread) -> None:
    """Anybody may send a request to upgrade to another protocol, or none at all, for ever."""
    written: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: written.append(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("uvicorn.error")
    log.addHandler(handler)
    try:
        http = quiet.client().http
        upgrade = {"connection": "upgrade", "upgrade": "websocket"}
        assert http.get("/api/me", headers=upgrade).status_code == 200
        with socket.create_connection(("127.0.0.1", http.base_url.port or 0), PATIENCE) as line:
            line.sendall(b"nonsense\r\n\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 400")
    finally:
        log.removeHandler(handler)
    assert written == []


@pytest.fixture
def screens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Built screens, and beside them what is nobody's business."""
    made = tmp_path / "screens"
    for folder in pages.FOLDERS:
        (made / folder).mkdir(parents=True)
    (made / "index.html").write_text("<p>a screen</p>")
    (made / "assets" / "a.js").write_text("'a script'")
    for name in ("secret.txt", "screens/secret.txt", "assets.secret"):
        (tmp_path / name).write_text("secret")
    (made / "assets" / "link.txt").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setattr(pages, "SCREENS", made)
    return made


WAYS = (
    "/secret.txt",
    "/assets/../secret.txt",
    "/assets/..%2fsecret.txt",
    "/assets/%2e%2e/secret.txt",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    "/assets/....//secret.txt",
    "/assets/..\\secret.txt",
    "/assets/..%5csecret.txt",
    "/assets//etc/passwd",
    "/assets/%2fetc%2fpasswd",
    "/assets/a.js%00.txt",
    "/assets/%00",
    "/assets/%ff%fe",
    "/assets/link.txt",
    "/assets/",
    "/assets/" + "x" * 5000,
    "/assets/" + "x/" * 5000,
)


def test_no_way_leads_out_of_the_screens(screens: Path, tmp_path: Path) -> None:
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as floor:
        http = floor.client().http
        assert http.get("/assets/a.js").text == "'a script'"
        assert http.get("/tables/%3Cscript%3E").text == (screens / "index.html").read_text()
        host, port = floor.address.removeprefix("http://").split(":")
        for way in WAYS:
            with socket.create_connection((host, int(port)), timeout=PATIENCE) as line:
                asked = f"GET {way} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                line.sendall(asked.encode())
                told = b""
                while got := line.recv(65536):
                    told += got
            assert re.match(rb"HTTP/1.1 (400|404|405) ", told), (way, told[:100])
            assert b"secret" not in told.partition(b"\r\n\r\n")[2]
