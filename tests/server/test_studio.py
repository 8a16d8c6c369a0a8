"""The studio over the wire: figures of drafts, tasks that take their time, and what is refused."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from houseway.rules.variant import make_variant
from houseway.server import studio, worker
from tests.live.table import BONUS, TCP
from tests.server.idle import sit
from tests.server.serving import Client, InThread, in_thread

DRAFT: dict[str, Any] = {"name": "mine", "game": TCP, "options": {}, "paytables": {}}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor, of which the studio needs nothing."""
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('studio')}/floor.sqlite") as made:
        yield made


@pytest.fixture(autouse=True)
def anew(floor: InThread) -> None:
    """Nobody has asked for anything yet."""
    floor.room.limits._left.clear()


class Designer:
    """A browser in the studio."""

    def __init__(self, floor: InThread) -> None:
        self.client: Client = floor.client()
        self.client.csrf = self.client.get("/api/studio")["token"]

    def ask(self, what: str, **body: Any) -> Any:
        """Ask for something, as far as it is after the first answer."""
        answer = self.client.post(f"/api/studio/{what}", body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def look(self, asked: Any) -> Any:
        """How far it is, once more is known."""
        return self.client.get(f"/api/studio/tasks/{asked['task']}?seen={asked['version']}")

    def get(self, what: str, **body: Any) -> Any:
        """Ask for something, and wait for it."""
        asked = self.ask(what, **body)
        while not asked["done"]:
            asked = self.look(asked)
        return asked["known"]

    def refused(self, what: str, **body: Any) -> tuple[int, str]:
        """Ask for what is not to be; status and sentence."""
        answer = self.client.post(f"/api/studio/{what}", body)
        if answer.status_code == 200:
            asked = answer.json()
            while answer.status_code == 200:
                assert not asked["done"], asked
                path = f"/api/studio/tasks/{asked['task']}?seen={asked['version']}"
                answer = self.client.http.get(path)
                asked = answer.json()
        return answer.status_code, answer.json()["error"]["message"]


@pytest.fixture(scope="module")
def designer(floor: InThread) -> Designer:
    return Designer(floor)


@pytest.fixture
def idle(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> Iterator[worker.Worker]:
    """A process that deals nothing, in the place of the one that does."""
    made = worker.Worker("studio-dealing", sit)
    monkeypatch.setitem(floor.room.studio._workers, "studio-dealing", made)
    yield made
    made._end()


def edge(board: Any, bet: str) -> str:
    found: str = next(row["house_edge"]["exact"] for row in board["bets"] if row["bet"] == bet)
    return found


def test_a_changed_pay_is_priced_again(designer: Designer) -> None:
    assert edge(designer.get("board", variant=DRAFT), "pair-plus") == "128/5525"
    changed = {**DRAFT, "paytables": {"pair-plus": "A:flush=3"}}
    board = designer.get("board", variant=changed)
    assert edge(board, "pair-plus") == "402/5525"
    assert edge(board, "ante") == "686689/20358520"
    assert board["variant"]["paytables"] == {"pair-plus": "A:flush=3"}
    assert "--paytable pair-plus=A:flush=3" in board["command"]


@pytest.mark.clause("TSB-26")
def test_bets_are_told_as_they_are_counted(
    designer: Designer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first bet is told at once, and none waits for the Hat Trick to be joined.

    The process tells ten times a second at most, and a browser that looks late sees several bets at
    once. So the process itself is listened to, and of the bets after the first only the order.
    """
    told: list[tuple[str, int]] = []
    tell = worker.Task.tell

    def hear(task: worker.Task, kind: str, data: Any) -> None:
        told.append((kind, len(data["bets"])))
        tell(task, kind, data)

    monkeypatch.setattr(worker.Task, "tell", hear)
    draft = {**DRAFT, "game": BONUS, "options": {"war_ace": "low"}}
    board = designer.get("board", variant=draft)
    assert told[0] == ("known", 1)
    assert told[-1] == ("done", 4)
    assert [count for _, count in told] == sorted(count for _, count in told)
    assert len(board["bets"]) == 4
    assert "never multiplied" in board["joint"]["words"]


def test_what_cannot_be_priced_is_said_in_a_sentence(designer: Designer) -> None:
    def with_table(code: str) -> dict[str, Any]:
        return {**DRAFT, "paytables": {"pair-plus": code}}

    for code, said in {
        "A:flush=-3": "pay '-3' of flush cannot be read; write a whole number above 0",
        "A:flush=": "change 'flush=' of paytable 'A' cannot be read",
        "A:flush=999999999": "is too large; at most 100,000",
        "A:royal=3": "hand 'royal' is unknown; known: mini_royal",
    }.items():
        status, message = designer.refused("board", variant=with_table(code))
        assert status == 409
        assert said in message
    status, message = designer.refused("board", variant={**DRAFT, "game": "chess"})
    assert "chess" in message
    status, message = designer.refused("board", variant={**DRAFT, "name": " "})
    assert (status, "a variant has a name" in message) == (422, True)
    _, message = designer.refused("section", variant=DRAFT, section="weather")
    assert "known: strategy" in message
    solve = {"variant": DRAFT, "bet": "pair-plus", "ranges": {"flush": "3..6"}}
    _, message = designer.refused("solve", target="0.95", **solve)
    assert "target edge 0.95 cannot be reached; with these ranges the edge lies from" in message
    _, message = designer.refused("solve", target="five", **solve)
    assert "target edge 'five' is not a share" in message
    _, message = designer.refused("solve", target="0.05", **{**solve, "ranges": {"flush": "9..3"}})
    assert "write a range from 1 to 100,000 such as 3..6" in message
    other = {**DRAFT, "game": BONUS}
    assert "are two games" in designer.refused("compare", left=DRAFT, right=other)[1]


def test_sections_solutions_and_comparisons(designer: Designer) -> None:
    found = designer.get("section", variant=DRAFT, section="strategy")
    assert "Queen-Six-Four" in json.dumps(found)
    solutions = designer.get(
        "solve", variant=DRAFT, bet="pair-plus", target="1/20", ranges={"straight": "4..8"}
    )
    assert solutions[0]["paytable"] == "A:straight=5"
    other = {**DRAFT, "paytables": {"pair-plus": "A:straight=5"}}
    compared = designer.get("compare", left=DRAFT, right=other)
    assert compared["differences"]
    assert sum(cell["changed"] for cell in compared["pays"]) == 1


def test_files_are_taken_home_and_opened_again(designer: Designer) -> None:
    draft = {**DRAFT, "name": "Three for a flush", "paytables": {"pair-plus": "A:flush=3"}}
    for kind, begins in {"csv": b"bet,paytable", "variant": b"{", "card": b"%PDF"}.items():
        asked = designer.ask("export", variant=draft, kind=kind)
        while not asked["done"]:
            asked = designer.look(asked)
        answer = designer.client.http.get(f"/api/studio/tasks/{asked['task']}/file")
        assert answer.status_code == 200
        assert answer.content.startswith(begins)
        assert asked["known"]["name"] in answer.headers["content-disposition"]
    variant = make_variant("Three for a flush", TCP, {}, {"pair-plus": "A:flush=3"})
    answer = designer.client.post("/api/studio/import", {"text": variant.text()})
    assert answer.json() == variant.to_json()
    spoilt = variant.text().replace("flush=3", "flash=3")
    status, message = designer.refused("import", text=spoilt)
    assert (status, "hand 'flash' is unknown; known:" in message) == (409, True)
    assert "not JSON" in designer.refused("import", text="hello")[1]


def test_a_simulation_goes_on_until_it_is_stopped(designer: Designer) -> None:
    small = designer.get("simulate", variant=DRAFT, rounds=200_000, seed=7)
    assert small["rounds"] == 200_000
    assert [row["bet"] for row in small["bets"]] == ["ante", "pair-plus", "six-card-bonus"]
    asked = designer.ask("simulate", variant=DRAFT, rounds=1_000_000_000)
    while not asked["known"]:
        asked = designer.look(asked)
    assert asked["known"]["rounds"] < asked["known"]["of"] == 1_000_000_000
    stopped = designer.client.post(f"/api/studio/tasks/{asked['task']}/stop", {})
    assert stopped.status_code == 200
    answer = designer.client.http.get(f"/api/studio/tasks/{asked['task']}")
    assert "this was stopped" in answer.json()["error"]["message"]
    # What comes next is dealt by a process that is started anew.
    assert designer.get("simulate", variant=DRAFT, rounds=200_000, seed=7)["bets"] == small["bets"]


def test_a_draft_is_nobody_elses(designer: Designer, floor: InThread) -> None:
    asked = designer.ask("board", variant=DRAFT)
    stranger = Designer(floor)
    for path in ("", "/file"):
        answer = stranger.client.http.get(f"/api/studio/tasks/{asked['task']}{path}")
        assert (answer.status_code, answer.json()["error"]["reason"]) == (404, "unknown_value")
    answer = stranger.client.post(f"/api/studio/tasks/{asked['task']}/stop", {})
    assert answer.status_code == 404
    forged = floor.client()
    assert forged.post("/api/studio/board", {"variant": DRAFT}).status_code == 403
    answer = designer.client.http.get(f"/api/studio/tasks/{asked['task']}/file")
    assert "has made no file" in answer.json()["error"]["message"]


@pytest.mark.usefixtures("idle")
def test_one_browser_does_not_take_everything(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studio, "MOST_OF_BROWSER", 2)
    greedy = Designer(floor)
    tasks = [greedy.ask("simulate", variant=DRAFT, rounds=10**9) for _ in range(2)]
    status, message = greedy.refused("simulate", variant=DRAFT, rounds=10)
    assert (status, "2 things are being done for you already" in message) == (409, True)
    monkeypatch.setattr(worker, "MOST_WAITING", 1)
    monkeypatch.setattr(studio, "MOST_OF_BROWSER", 9)
    status, message = Designer(floor).refused("simulate", variant=DRAFT, rounds=10)
    assert "1 tasks are waiting already" in message
    for task in tasks:
        greedy.client.post(f"/api/studio/tasks/{task['task']}/stop", {})


@pytest.mark.usefixtures("idle")
def test_nobody_stops_what_another_waits_for(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is done makes room for what is new; what is under way stays."""
    monkeypatch.setattr(studio, "MOST_KEPT", 3)
    patient, busy = Designer(floor), Designer(floor)
    asked = patient.ask("simulate", variant=DRAFT, rounds=10**9)
    for _ in range(6):
        busy.get("board", variant=DRAFT)
    assert not patient.look({**asked, "version": 0})["done"]
    assert len(floor.room.studio._tasks) <= 3
    patient.client.post(f"/api/studio/tasks/{asked['task']}/stop", {})


def test_few_files_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack is large: the newest are there to be taken, and figures beside them."""
    monkeypatch.setattr(studio, "MOST_FILES", 2)
    room = studio.Studio()
    monkeypatch.setattr(worker.Worker, "add", lambda _, task: task.tell("done", b"..."))
    figures = room.ask("somebody", "board", {})
    made = [room.ask("somebody", "export", {}).number for _ in range(4)]
    assert [number in room._tasks for number in made] == [False, True, True, True]
    assert room.find("somebody", figures.number) is figures


def test_a_process_that_is_gone_is_started_again(designer: Designer, idle: worker.Worker) -> None:
    asked = designer.ask("simulate", variant=DRAFT, rounds=10**9)
    while not asked["known"]:
        asked = designer.look(asked)
    first = idle._process
    assert first is not None
    first.kill()
    answer = designer.client.http.get(f"/api/studio/tasks/{asked['task']}?seen=9999")
    while answer.status_code == 200:
        answer = designer.client.http.get(f"/api/studio/tasks/{asked['task']}?seen=9999")
    assert "fault of the server" in answer.json()["error"]["message"]
    assert designer.get("simulate", variant=DRAFT, rounds=1000)["rounds"] == 1000
    assert idle._process not in (None, first)


def test_a_draft_is_played_as_it_is_priced(floor: InThread) -> None:
    """What the studio prices is what a practice table pays."""
    client = floor.client()
    client.csrf = client.get("/api/practice")["token"]
    made = client.post(
        "/api/practice/tables",
        {"game": TCP, "options": {"tie_rule": "lose"}, "paytables": {"pair-plus": "A:flush=3"}},
    )
    assert made.status_code == 200, made.text
    bets = {bet["code"]: bet["paytable"] for bet in made.json()["bets"]}
    assert bets["pair-plus"] == "A:flush=3"
    refused = client.post(
        "/api/practice/tables", {"game": TCP, "paytables": {"pair-plus": "A:flush=-3"}}
    )
    assert "pay '-3' of flush cannot be read" in refused.json()["error"]["message"]
