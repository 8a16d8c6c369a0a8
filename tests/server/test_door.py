"""What every request meets first: hosts, origins, tokens, sizes; and what comes back as it went."""

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from houseway.server.guard import LARGEST_BODY
from tests.server.serving import PIN, Client, InThread, in_thread
from tests.waiting import PATIENCE


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """One floor for all: nothing here should change it."""
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('door')}/floor.sqlite") as made:
        yield made


@pytest.fixture
def dan(floor: InThread) -> Client:
    return floor.as_("d1")


OPEN = {
    "name": "open_round",
    "arguments": {"table": "Poker"},
    "key": "a key of its own".replace(" ", "-"),
}


def test_a_changing_request_carries_the_token_of_its_session(floor: InThread, dan: Client) -> None:
    other = floor.as_("s1").csrf
    before = len(floor.events())
    for token in (None, "", "x", dan.csrf + "x", dan.csrf[:-1], other, "é"):
        headers = {} if token is None else {b"x-houseway-token": token.encode()}
        for path, body in (("/api/commands", OPEN), ("/api/sign-out", {})):
            answer = dan.http.post(path, json=body, headers=headers)
            assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "forged")
    assert len(floor.events()) == before
    assert dan.get("/api/me")["person"]["card"] == "d1"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1", "http://[", "http://", "\xff"]
)
def test_another_origin_changes_nothing(floor: InThread, dan: Client, origin: str) -> None:
    before = len(floor.events())
    headers = {b"x-houseway-token": dan.csrf.encode(), b"origin": origin.encode("latin-1")}
    for path, body in (
        ("/api/commands", OPEN),
        ("/api/sign-in", {"card": "d1", "pin": PIN}),
        ("/api/setup", {"token": "x", "card": "x", "name": "x", "pin": "1234"}),
    ):
        assert dan.http.post(path, json=body, headers=headers).status_code == 403
    assert len(floor.events()) == before


def test_the_own_origin_is_let_in(floor: InThread, dan: Client) -> None:
    headers = {"x-houseway-token": dan.csrf, "origin": floor.address}
    answer = dan.http.post("/api/commands", json={**OPEN, "name": "undo"}, headers=headers)
    assert answer.status_code == 409


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "127.0.0.1.evil.example"])
def test_an_unknown_host_is_not_served(dan: Client, host: str) -> None:
    for path in ("/healthz", "/api/me", "/", "/api/links/Royal/sign"):
        answer = dan.http.get(path, headers={"host": host})
        assert answer.status_code == 400
        assert "Dan" not in answer.text
    assert dan.http.get("/healthz", headers={"host": "localhost:1"}).status_code == 200


def raw(floor: InThread, *parts: bytes) -> bytes:
    """What comes back for bytes that no decent client would send; until the server hangs up."""
    host, port = floor.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as line:
        try:
            for part in parts:
                line.sendall(part)
        except OSError:
            # It has hung up already; what it said is still there.
            pass
        found = b""
        try:
            while more := line.recv(65536):
                found += more
        except ConnectionError:
            pass
        return found


POST = b"POST /api/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def test_a_body_that_is_too_large_is_refused_before_it_is_read(
    floor: InThread, dan: Client
) -> None:
    fits = {"card": "x" * 60, "pin": "1" * 12, "code": ""}
    padded = json.dumps(fits).encode().ljust(LARGEST_BODY)
    headers = {"content-type": "application/json"}
    assert dan.http.post("/api/sign-in", content=padded, headers=headers).status_code == 403
    refused = dan.http.post("/api/sign-in", content=padded + b" ", headers=headers)
    assert (refused.status_code, refused.json()["error"]["reason"]) == (413, "http")
    for length in (b"10000000000", b"9" * 18, b"9" * 19):
        told = raw(floor, POST + b"Content-Length: " + length + b"\r\n\r\n")
        assert told.split(b" ")[1] in (b"413", b"400")


def test_a_body_without_end_is_cut_off(floor: InThread) -> None:
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    told = raw(floor, POST + b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 2000)
    # The connection ends: whoever goes on sending is not listened to.
    assert told.startswith(b"HTTP/1.1 413 ") or told == b""
    assert floor.client().get("/healthz")["status"] == "ok"


def test_chunks_that_end_in_time_are_a_body(floor: InThread) -> None:
    body = json.dumps({"card": "nobody", "pin": "0000"}).encode()
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    head = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert raw(floor, head, chunks).startswith(b"HTTP/1.1 403 ")


NO_REQUESTS = (
    b"nonsense\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 1_000_000 + b"\r\n\r\n",
    POST + b"Content-Length: -1\r\n\r\n",
    POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
)


@pytest.mark.parametrize("sent", NO_REQUESTS, ids=range(len(NO_REQUESTS)))
def test_what_is_no_request_is_told_so(floor: InThread, sent: bytes) -> None:
    told = raw(floor, sent)
    assert told == b"" or told.startswith(b"HTTP/1.1 4"), told[:200]
    assert floor.client().get("/healthz")["status"] == "ok"


BODIES: tuple[tuple[str | bytes, int], ...] = (
    (b"", 422),
    (b"{", 400),
    (b"null", 422),
    (b"[]", 422),
    (b'"x"', 422),
    (b"\xff\xfe{}", 400),
    (b"[" * 30_000, 400),
    (b'{"a":' * 10_000, 400),
    ('{"card": "\\ud800", "pin": "1234"}', 422),
    ('{"card": "d1", "pin": "1234", "\\ud800": 1}', 422),
    ('{"card": "d1\\u0000", "pin": "1234"}', 422),
    ('{"card": "d1\\u001b[2J", "pin": "1234"}', 422),
    ('{"card": "d1", "pin": 2468}', 422),
    ('{"card": "d1", "pin": NaN}', 422),
    ('{"card": "d1", "pin": ' + "9" * 5000 + "}", 400),
    ('{"card": "d1", "pin": null}', 422),
    ('{"card": ["d1"], "pin": "2468"}', 422),
    ('{"card": "", "pin": "2468"}', 422),
    ('{"card": "d1", "pin": "2468", "role": "administrator"}', 422),
    ('{"card": "' + "x" * 61 + '", "pin": "2468"}', 422),
    ('{"pin": "2468"}', 422),
)


@pytest.mark.parametrize(("body", "status"), BODIES, ids=range(len(BODIES)))
def test_a_body_that_is_none_is_told_so(floor: InThread, body: str | bytes, status: int) -> None:
    before = len(floor.events())
    answer = floor.client().http.post(
        "/api/sign-in", content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert set(error) == {"reason", "clause", "message"}
    assert 0 < len(error["message"]) <= 600
    assert "Traceback" not in answer.text
    assert len(floor.events()) == before


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_form_of_another_page_is_no_request(dan: Client, kind: str | None) -> None:
    """What a page of somebody else can send without asking is not JSON."""
    headers = {} if kind is None else {"content-type": kind}
    body = json.dumps({"card": "d1", "pin": PIN})
    assert dan.http.post("/api/sign-in", content=body, headers=headers).status_code == 422


def test_a_name_of_a_million_characters(dan: Client) -> None:
    long = "x" * 1_000_000
    assert dan.ask("open_round", {"table": long[:900_000]}).status_code == 413
    with suppress(httpx.TransportError):
        # So much is not even listened to.
        assert dan.ask("open_round", {"table": 3 * long}).status_code == 413
    assert dan.http.get(f"/api/tables/{long[:60_000]}").status_code in (404, 422)
    assert dan.http.get("/api/live", params={"topic": f"table:{long[:1000]}"}).status_code == 422
    assert dan.ask("open_round", {"table": long[:50_000]}).status_code == 422
    answer = dan.ask(long[:50_000], {})
    assert (answer.status_code, len(answer.text) < 1000) == (422, True)
    assert dan.ask("open_round", {"table": "Poker"}, key=long[:1000]).status_code == 422


HTML = "<script>alert(1)</script>"
NAMES = (
    HTML,
    '"><img src=x onerror=alert(1)>',
    "a|b:c/d",
    "..%2e%2e?x#y",
    "' OR 1=1 --",
    "ÅÄÖ 雀 😀",
    "{{7*7}} {0.__class__}",
)
PLAYERS = tuple(name for name in NAMES if ":" not in name)


def test_names_come_back_as_they_went_in(tmp_path: Path) -> None:
    """As data: what a screen shows of them is text, and nothing here is put together from them."""
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as floor:
        ada, dan = floor.as_("a1"), floor.as_("d1")
        dan.do("open_round", {"table": "Poker"})
        for number, name in enumerate(NAMES, start=1):
            card = {"card": f"{number}{name}", "name": name, "role": "dealer", "new_pin": PIN}
            ada.do("issue_card", card, pin=PIN)
            client = floor.client()
            me = client.sign_in(f"{number}{name}").json()["person"]
            assert me == {"card": f"{number}{name}", "name": name, "role": "dealer"}
            line = f"bets {number} by {name}: ante 5, progressive 1"
            placed = client.ask("round", {"table": "Poker", "text": line})
            # A colon ends the name in a line of a round.
            assert placed.status_code == (422 if ":" in name else 200), placed.text
        people = ada.get("/api/administration")["people"]
        assert {*NAMES} <= {person["name"] for person in people}
        with dan.listen("table:Poker") as stream:
            lights = stream.next()[1]["progressive"]["lights"]
        assert lights == dan.get("/api/tables/Poker")["progressive"]["lights"]
        assert tuple(light["player"] for light in lights) == PLAYERS
        trail = floor.as_("u1").http.get("/api/trail")
        assert trail.headers["content-type"] == "application/json"
        assert trail.headers["x-content-type-options"] == "nosniff"
        assert HTML in trail.text


@pytest.mark.parametrize("name", [*NAMES, "", " ", "x" * 61])
def test_tables_and_links_have_plain_names(floor: InThread, name: str) -> None:
    ada = floor.as_("a1")
    asked = {"table": name, "game": "three-card-poker"}
    assert ada.ask("make_table", asked, pin=PIN).status_code == 422
    quoted = "".join(f"%{byte:02X}" for byte in name.encode())
    assert ada.http.get(f"/api/tables/{quoted}").status_code == 404
    assert ada.http.get(f"/api/links/{quoted}/sign").status_code == 404


def test_every_answer_tells_the_browser_to_be_strict(dan: Client) -> None:
    for path in ("/healthz", "/api/me", "/api/lobby", "/api/nowhere", "/nowhere", "/metrics"):
        headers = dan.http.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
        if path.startswith("/api/"):
            assert headers["cache-control"] == "no-store"
    refused = dan.http.get("/healthz", headers={"host": "evil.example"}).headers
    assert "content-security-policy" in refused
    assert not any(name.startswith("access-control") for name in headers)


def test_other_methods_are_not_served(dan: Client) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        answer = dan.http.request(method, "/api/commands", headers={"x-houseway-token": dan.csrf})
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert answer.json()["error"]["reason"] == "http"
    assert dan.http.get("/api/commands").status_code == 405


def test_nothing_but_the_screens_is_served_as_a_file(floor: InThread, dan: Client) -> None:
    for path in ("/../room.py", "/%2e%2e/room.py", "/..%2froom.py", "/room.py", "//etc/passwd"):
        assert dan.http.get(path).status_code in (404, 400)
    told = raw(
        floor, b"GET /../../room.py HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert told.startswith(b"HTTP/1.1 404 ")
