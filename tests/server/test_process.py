"""The server as a process: stopped, killed, two of one floor, started wrongly; and what runs."""

import re
import signal
import socket
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from houseway import __version__
from houseway.cli import main
from houseway.cli.serve import _greet
from houseway.floor.model import FloorModel
from houseway.floor.service import Floor
from houseway.journal.rebuild import differences
from houseway.journal.store import open_to_read
from houseway.refusal import Refused
from houseway.server import digest, serving
from houseway.server.demo import is_half_made
from houseway.server.digest import HOME, check_installed
from houseway.server.serving import bind, open_floor
from tests.journal.databases import Server
from tests.server.serving import (
    Client,
    Dealer,
    answers,
    boldly,
    check_journal,
    free_port,
    furnish_quickly,
    in_thread,
    process,
    start_serving,
)
from tests.waiting import PATIENCE, wait_for

POKER = {"table": "Poker"}


def sound(url: str) -> Any:
    """The journal holds, and everything beside it is what its events lead to."""
    engine = open_to_read(url)
    try:
        with engine.connect() as connection:
            assert list(differences(connection, FloorModel())) == []
    finally:
        engine.dispose()
    return check_journal(url)


def test_stopped_with_open_streams_it_ends_in_good_order(database: str) -> None:
    furnish_quickly(database)
    with process(database) as floor:
        dan = floor.as_("d1")
        streams = [dan.listen(topic) for topic in ("table:Poker", "lobby", "sign:Royal") * 5]
        for stream in streams:
            stream.next()
        dan.do("open_round", POKER)
        assert floor.streams() == 15
        floor.process.send_signal(signal.SIGTERM)
        # Every stream is ended, and not just cut.
        for stream in streams:
            while stream.next()[0]:
                pass
        # Requests that had to be cut off at the end of their time would be told as errors.
        code, errors = floor.stop()
    assert (code, errors) == (-signal.SIGTERM, "")
    found = sound(database)
    assert (found.unsealed, found.seals >= 1) == (0, True)


def test_killed_in_mid_round_it_carries_on_with_nothing_lost(database: str) -> None:
    furnish_quickly(database)
    with process(database) as floor:
        dealer = Dealer(floor.as_("d1"), "Poker")
        dealer.begin("ante 10, progressive 1", "ante 10, progressive 1")
        dealer.until("decide", boldly)
        before, position = dealer.view, floor.position
        cookies, csrf = dict(dealer.client.http.cookies), dealer.client.csrf
        floor.stop(signal.SIGKILL)
    assert sound(database).events == position
    with in_thread(database, furnished=False) as again:
        # The same session, the same view, and the same round up to its end.
        dan = again.client(cookies=cookies)
        dan.csrf = csrf
        dealer = Dealer(dan, "Poker")
        assert dealer.view == before
        for line in dealer.steps(boldly):
            assert line
        assert dealer.view["round"]["over"] is True
    assert sound(database).unsealed == 0


# That an answer comes after the disk is shown in `test_commands`, that a killed writer loses none
# of its answers in `tests/journal`.
@pytest.mark.soak
def test_killed_while_commands_come_in_it_has_all_that_it_answered(database: str) -> None:
    furnish_quickly(database)
    answered: list[tuple[str, dict[str, str]]] = []

    def bet(client: Client) -> None:
        # No more than a person may ask for in a short time.
        for number in range(150):
            key, asked = f"bet-{number:06d}", {**POKER, "text": f"bets 1: ante {number % 50 + 1}"}
            try:
                client.do("round", asked, key=key)
            except httpx.TransportError:
                return
            answered.append((key, asked))

    with process(database) as floor:
        dan = floor.as_("d1")
        dan.do("open_round", POKER)
        betting = Thread(target=bet, args=(dan,))
        betting.start()
        wait_for(lambda: len(answered) >= 20)
        floor.process.kill()
        betting.join()
        floor.stop(signal.SIGKILL)
    sound(database)
    with in_thread(database, furnished=False) as again:
        written = {event.key for event in again.events()}
        assert written >= {key for key, _ in answered}
        # Whoever does not know whether the last one was done sends it again.
        dan = again.as_("d1")
        before = again.position
        key, asked = answered[-1]
        dan.do("round", asked, key=key)
        assert again.position == before


def test_two_servers_of_one_floor_see_each_other(server: Server) -> None:
    url = server.new_database()
    furnish_quickly(url)
    # In two processes, of which one is that of the test.
    with process(url) as one, in_thread(url, furnished=False) as other:
        dan, sue = one.as_("d1"), other.as_("s1")
        with (
            other.as_("d1").listen("table:Poker", "lobby") as there,
            other.as_("u1").listen("events") as events,
        ):
            there.next()
            seen = sue.get("/api/tables/Poker")["version"]
            dan.do("open_round", POKER)
            there.until(lambda name, view: name == "table:Poker" and view["round"])
            events.until(lambda _, event: event["kind"] == "round_opened")
            assert sue.get("/api/tables/Poker")["version"] == seen + 1
            # What was decided on the view of before is refused by whichever server.
            late = sue.ask("undo", POKER, expects={"table:Poker": seen})
            assert late.json()["error"]["reason"] == "stale_version"
            sue.do("round", {**POKER, "text": "bets 1: ante 10"})
            wait_for(lambda: dan.get("/api/tables/Poker")["round"]["positions"])
            # The same key at both is one command.
            key = "the-same-at-both"
            bets = {**POKER, "text": "bets 2: ante 10"}
            assert dan.do("round", bets, key=key) == other.as_("d1").do("round", bets, key=key)
        # A session is good at both, and ended for both.
        token = dict(dan.http.cookies)
        visitor = other.client(cookies=token)
        assert visitor.get("/api/me")["person"]["card"] == "d1"
        dan.post("/api/sign-out", {})
        wait_for(lambda: visitor.get("/api/me")["person"] is None)
        one.stop()
        # One that is left goes on alone.
        sue.do("round", {**POKER, "text": "bets 3: ante 10"})
    sound(url)


def test_two_servers_give_a_card_one_second_factor(server: Server) -> None:
    url = server.new_database()
    with in_thread(url, demo=False) as one:
        with in_thread(url, furnished=False) as other:
            secrets = {
                floor.client().sign_in("s1").json()["second_factor"]["secret"]
                for floor in (one, other, one)
            }
        assert len(secrets) == 1


def test_the_first_start_prints_a_link_for_the_first_administrator(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    with in_thread(url, furnished=False) as floor:
        _greet(floor.room, floor.address.replace("127.0.0.1", "localhost"))
        greeting = capsys.readouterr().out.splitlines()
        [line] = [line for line in greeting if "first administrator" in line]
        found = re.search(r"(http://localhost:\d+)/setup#(\S+)$", line.strip())
        assert found is not None
        client = floor.client()
        asked = {"token": found[2], "card": "boss", "name": "Bo", "pin": "13579"}
        assert client.post("/api/setup", asked).json()["person"]["card"] == "boss"
        assert client.post("/api/setup", {**asked, "card": "two"}).status_code == 403
    # From then on no link is printed, and none that was printed is good.
    with in_thread(url, furnished=False) as again:
        _greet(again.room, again.address)
        printed = capsys.readouterr().out
        assert f"Open {again.address}" in printed
        assert "setup" not in printed
        assert again.client().post("/api/setup", {**asked, "card": "two"}).status_code == 403


@pytest.mark.soak
def test_a_demonstration_that_was_ended_while_it_was_made_is_made_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'half.sqlite'}"
    real = Floor.do

    def ended(floor: Floor, card: str, name: str, *given: Any, **more: Any) -> Any:
        if name == "make_table":
            raise KeyboardInterrupt
        return real(floor, card, name, *given, **more)

    monkeypatch.setattr(Floor, "do", ended)
    with pytest.raises(KeyboardInterrupt):
        open_floor(url, demo=True)
    monkeypatch.undo()
    room = open_floor(url)
    assert room.demo
    assert not is_half_made(room.floor)
    room.floor.close()


def test_the_demonstration_has_people_of_every_role(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'demo.sqlite'}"
    with process(url, "--demo") as floor:
        printed = " ".join("".join(floor.printed).split())
        assert "nobody plays for money here" in printed
        pin = re.search(r"PIN of each: (\d+)", printed)
        assert pin is not None
        for card in ("administrator", "dealer", "surveillance"):
            answer = floor.client().sign_in(card, pin[1])
            assert answer.json()["person"]["role"] == card
        assert floor.client().get("/api/me")["floor"]["demo"] is True
        floor.stop()
    sound(url)
    # It stays one, also when nobody says so again; and nothing else becomes one.
    with in_thread(url, furnished=False) as again:
        _greet(again.room, again.address)
        assert "nobody plays for money here" in capsys.readouterr().out
    other = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    furnish_quickly(other, demo=False)
    assert main(["serve", "--database", other, "--port", str(free_port()), "--demo"]) == 2
    assert "is no demonstration" in capsys.readouterr().err


# Started wrongly.


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--port", "0"], "port 0 is not allowed; allowed: 1 to 65535"),
        (["--port", "99999"], "port 99999 is not allowed"),
        (["--port", "-1"], "port -1 is not allowed"),
        (["--port", "eighty"], "eighty"),
        (["--port", "{taken}"], "nothing can listen on 127.0.0.1 port {taken}"),
        (["--host", "nowhere.invalid"], "nothing can listen on nowhere.invalid"),
        (["--host", "192.0.2.1"], "nothing can listen on 192.0.2.1"),
        (["--host", "a" * 100 + "."], "nothing can listen on"),
        (["--database", "nonsense"], "write sqlite:///FILE"),
        (["--database", "sqlite:///{folder}/no/such/floor.sqlite"], "is not available"),
        (["--database", "sqlite:///{folder}"], "is not available"),
        (["--database", "sqlite:///{folder}/notes.txt"], "is not available"),
        (["--database", "postgresql://ann:secret@127.0.0.1:1/floor"], "is not available"),
        (["--database", "sqlite://"], "write sqlite:///FILE"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_started_wrongly_it_says_so_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("notes " * 1000)
    with bind("127.0.0.1", 0) as taken:
        values = {"taken": str(taken.getsockname()[1]), "folder": str(tmp_path)}
        given = [option.format(**values) for option in options]
        if "--port" not in given:
            given += ["--port", str(free_port())]
        assert main(["serve", *given]) == 2
    told = capsys.readouterr()
    assert words.format(**values) in told.err
    assert (told.err.count("\n"), told.out) == (1, "")
    assert "secret" not in told.err
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt"}


@pytest.mark.soak
def test_a_process_that_is_started_wrongly_leaves_no_trace(tmp_path: Path) -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        done = start_serving("--port", str(port), cwd=tmp_path)
        out, errors = done.communicate(timeout=PATIENCE)
    assert (done.returncode, out) == (2, "")
    assert errors.startswith(f"houseway: nothing can listen on 127.0.0.1 port {port}")
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_it_listens_on_the_sixth_version_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return
    port = free_port("::1")
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    run = serving.Server.run
    answered = []

    def until_it_answers(server: serving.Server, sockets: list[socket.socket]) -> None:
        def ask() -> None:
            try:
                wait_for(lambda: answers(f"http://[::1]:{port}"))
                answered.append(port)
            finally:
                server.should_exit = True

        asking = Thread(target=ask)
        asking.start()
        run(server, sockets)
        asking.join()

    monkeypatch.setattr(serving.Server, "run", until_it_answers)
    # The tests go on in this process, at its usual pace.
    monkeypatch.setattr(serving, "SWITCH_SECONDS", sys.getswitchinterval())
    assert main(["serve", "--database", url, "--host", "::1", "--port", str(port)]) == 0
    assert answered == [port]
    assert f"Open http://localhost:{port}" in capsys.readouterr().out


# What runs.


def test_it_says_how_it_is_and_what_it_is(database: str) -> None:
    with in_thread(database) as floor:
        client = floor.client()
        health = client.get("/healthz")
        assert health == {
            "status": "ok",
            "problems": [],
            "version": __version__,
            "digest": floor.room.running.digest,
            "position": health["position"],
            "clock": {"offset_seconds": 0.0, "alarms": 0},
        }
        me = client.get("/api/me")["floor"]
        assert me == {
            "demo": True,
            "version": __version__,
            "digest": health["digest"],
            "setup": False,
        }
        [started] = [e for e in floor.events() if e.kind == "server_started" and e.version > 1]
        assert (started.data["digest"], started.actor) == (health["digest"], "machine")
        dan = floor.as_("d1")
        dan.do("open_round", POKER)
        dan.ask("open_round", POKER)
        metrics = floor.metrics()
        assert client.http.get("/metrics").headers["content-type"].startswith("text/plain")
    for line in (
        'houseway_commands_total{name="open_round",outcome="done"} 1.0',
        'houseway_commands_total{name="open_round",outcome="wrong_phase"} 1.0',
        "houseway_command_seconds_count 2.0",
        "houseway_streams 0.0",
    ):
        assert line in metrics
    assert re.search(r"^houseway_journal_position \d+", metrics, re.MULTILINE)
    assert re.search(r"^process_resident_memory_bytes \d", metrics, re.MULTILINE)


def record(folder: Path, *names: str) -> dict[str, str]:
    """What a wheel says of files."""
    found = {}
    for name in names:
        content = sha256((folder / name).read_bytes()).digest()
        found[name] = f"sha256={urlsafe_b64encode(content).rstrip(b'=').decode()}"
    return found


def test_a_file_that_was_changed_since_is_found(tmp_path: Path) -> None:
    home = tmp_path / "houseway"
    home.mkdir()
    for name in ("__init__.py", "pays.toml", "notes.txt"):
        (home / name).write_text(name)
    known = record(tmp_path, "houseway/__init__.py", "houseway/pays.toml", "houseway/notes.txt")
    known["houseway-1.dist-info/RECORD"] = ""
    assert check_installed(home, known) is True
    (home / "notes.txt").write_text("of no consequence")
    assert check_installed(home, known) is True
    (home / "pays.toml").write_text("more for the house")
    with pytest.raises(Refused, match=r"houseway/pays\.toml is not as it was installed"):
        check_installed(home, known)
    (home / "pays.toml").unlink()
    with pytest.raises(Refused, match="install the program again"):
        check_installed(home, known)
    # A checkout has no record, and says so.
    assert check_installed(home, {}) is False
    assert check_installed(home, {"_houseway.pth": "sha256=x"}) is False


def test_a_changed_file_keeps_the_server_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = record(HOME.parent, "houseway/refusal.py", "houseway/house/money.py")
    monkeypatch.setattr(digest, "_record", lambda: known)
    assert digest.running().checked is True
    known["houseway/house/money.py"] = known["houseway/refusal.py"]
    path = tmp_path / "floor.sqlite"
    asked = ["serve", "--database", f"sqlite:///{path}", "--port", str(free_port())]
    assert main(asked) == 2
    assert "houseway/house/money.py is not as it was installed" in capsys.readouterr().err


def test_the_digest_follows_every_file_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digest, "HOME", tmp_path)
    monkeypatch.setattr(digest, "_record", dict)
    seen = set()
    for name, content in (
        ("a.py", "1"),
        ("a.py", "2"),
        ("b.py", "2"),
        ("paytables/one.toml", "x"),
        ("paytables/one.toml", "y"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
        seen.add(digest.running().digest)
    assert len(seen) == 5
    (tmp_path / "notes.md").write_text("of no consequence")
    assert digest.running().digest in seen


def test_it_stops_while_figures_are_counted(tmp_path: Path) -> None:
    """What tables should win takes long to count; nobody waits for it who stops a server."""
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    furnish_quickly(url)
    with process(url) as floor:
        dealer = Dealer(floor.as_("d1"), "Poker")
        dealer.begin("ante 10")
        assert list(dealer.steps(boldly))
        watched = floor.as_("s1").get("/api/pit")
        assert watched["totals"]["rounds"] == 1
        assert floor.stop() == (-signal.SIGTERM, "")
    check_journal(url)
