"""Every path with requests made up from its description: no fault of ours, and nothing unsaid."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi import checks

from houseway.server import practice
from tests.server.pupils import Pupil
from tests.server.serving import LINKS, PEOPLE, PIN, TABLES, Client, InThread, in_thread
from tests.server.serving import ROLES as CARDS
from tests.server.test_practice import Learner, missing
from tests.server.test_roles import COMMANDS

PATHS = {
    "GET /healthz": 3,
    "GET /metrics": 3,
    "GET /api/me": 5,
    "GET /api/games": 3,
    "POST /api/sign-in": 60,
    "POST /api/sign-out": 15,
    "POST /api/setup": 60,
    "POST /api/commands": 200,
    "GET /api/lobby": 5,
    "GET /api/tables/{table}": 40,
    "GET /api/inbox": 5,
    "GET /api/links/{link}/sign": 40,
    "GET /api/administration": 5,
    "POST /api/administration/link-price": 40,
    "GET /api/openings": 5,
    "GET /api/cage": 5,
    "GET /api/pit": 5,
    "GET /api/links/{link}/papers/{what}/{number}": 20,
    "GET /api/cage/slips/{number}": 20,
    "GET /api/cage/trays/{table}/{session}/{what}": 20,
    "GET /api/reports": 5,
    "GET /api/reports/{name}": 60,
    "GET /api/reports/{name}/chart": 20,
    "GET /api/tables/{table}/rounds": 40,
    "GET /api/tables/{table}/rounds/{number}": 40,
    "GET /api/trail": 60,
    "GET /api/trail/export": 40,
    "GET /api/audit": 5,
    "POST /api/audit": 5,
    "GET /api/live": 60,
    "GET /api/studio": 3,
    "POST /api/studio/board": 25,
    "POST /api/studio/section": 15,
    "POST /api/studio/compare": 15,
    "POST /api/studio/solve": 15,
    "POST /api/studio/simulate": 15,
    "POST /api/studio/export": 15,
    "POST /api/studio/import": 25,
    "GET /api/studio/tasks/{number}": 15,
    "POST /api/studio/tasks/{number}/stop": 15,
    "GET /api/studio/tasks/{number}/file": 15,
    "GET /api/practice": 5,
    "POST /api/practice/tables": 60,
    "GET /api/practice/tables/{table}": 20,
    **{
        f"POST /api/practice/tables/{{table}}/{what}": asked
        for what, asked in {
            "sit": 40,
            "leave": 8,
            "bets": 60,
            "ready": 8,
            "decide": 40,
            "chips": 8,
            "coach": 20,
            "deal": 30,
        }.items()
    },
    "GET /api/training": 5,
    "POST /api/training/learners": 60,
    "GET /api/training/learners/{learner}": 10,
    "POST /api/training/learners/{learner}/answer": 60,
    "POST /api/training/learners/{learner}/again": 20,
    "GET /api/training/learners/{learner}/exam": 10,
    "POST /api/training/learners/{learner}/exam": 20,
    "POST /api/training/learners/{learner}/exam/answer": 40,
    "POST /api/training/learners/{learner}/exam/leave": 10,
    "GET /api/training/certificates/{digest}": 20,
    "GET /api/training/lessons/{game}": 10,
    "POST /api/training/lessons/{game}/check": 20,
    "GET /api/training/class": 5,
    "GET /api/training/class/{learner}": 10,
    "POST /api/training/class/assign": 40,
}
"""How many requests each is asked in `make soak`; wrong ones are fewer."""
QUICKLY = 10
"""`make test` asks so many times fewer of most."""
OFTEN = {"POST /api/commands": 60}
"""Good requests of paths whose bodies vary most."""
ONCE = [Phase.generate]
"""What is found depends on what was done before, and cannot be tried again."""
CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
]
KNOWN = {
    "table": st.sampled_from([name for name, *_ in TABLES]),
    "link": st.sampled_from(sorted(LINKS)),
    "card": st.sampled_from([*PEOPLE, "new"]),
    "second": st.sampled_from(sorted(PEOPLE)),
    "position": st.integers(0, 8),
    "game": st.sampled_from([game for _, game, *_ in TABLES]),
    "level": st.sampled_from(["single", "mega", "major"]),
    "date": st.just("2026-01-01"),
    "step": st.sampled_from(["no more bets", "shuffle", "deliver 1", "deliver dealer"]),
    "decision": st.sampled_from(["play", "fold"]),
    "bets": st.just({"ante": 1000, "pair-plus": 500}),
    "paytables": st.just({"pair-plus": "B"}),
    "options": st.just({}),
    "text": st.sampled_from(
        [
            "bets 1: ante 10, progressive 1",
            "no more bets",
            "start game",
            "start game: single 1, pay 1",
            "deliver",
            "decide 1: play",
            "reveal dealer",
            "reconcile",
            "press 1: akq_spades",
            "award 1: 5000",
            "back out 1",
            "pay envy",
            "close",
        ]
    ),
}
"""What there is on the floor: with words alone nothing would ever be done."""


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InThread]:
    """A floor whose streams end after the first views; each test has its own.

    A shared floor would make each answer depend on which tests ran before.
    """
    monkeypatch.setattr(practice, "count", missing)
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite", randomness=Random(1)) as made:
        made.room.hub._closed = True
        yield made


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The description, read."""
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('described')}/floor.sqlite") as made:
        return schemathesis.openapi.from_dict(made.client().get("/openapi.json"))


def test_the_description_of_the_paths(described: Any) -> None:
    described = described.raw_schema
    assert {*described["paths"]} >= {"/api/commands", "/api/sign-in", "/api/live", "/healthz"}
    assert json.dumps(described).count("#/components/schemas/") > 40


def test_every_path_is_asked(described: Any) -> None:
    found = {result.ok().label for result in described.get_all_operations()}
    assert found == set(PATHS)


def ask(floor: InThread, case: Case[Any], card: str) -> None:
    """One request as somebody, held against the description."""
    headers: dict[str, str] = {}
    cookies: dict[str, str] = {}
    if card:
        if case.path.startswith("/api/training") and "/class" not in case.path:
            cookies = dict(pupil(floor).client.http.cookies)
            headers = {"x-houseway-token": pupil(floor).token}
        else:
            practises = case.path.startswith(("/api/practice", "/api/studio"))
            client = learner(floor).client if practises else signed_in(floor, card)
            cookies = dict(client.http.cookies)
            headers = {"x-houseway-token": client.csrf}
    response = case.call(base_url=floor.address, headers=headers, cookies=cookies)
    case.validate_response(response, checks=CHECKS)
    if card and (case.path == "/api/sign-out" or response.status_code == 401):
        floor._signed.pop(card, None)


@cache
def learner(floor: InThread) -> Learner:
    """Somebody at a practice table, who deals and plays."""
    made = Learner(floor).make(positions=2, dealing="person", seed="1")
    made.sit()
    return made


@cache
def pupil(floor: InThread) -> Pupil:
    """Somebody who learns."""
    made = Pupil(floor)
    made.begin(rng_seed=5)
    return made


def signed_in(floor: InThread, card: str) -> Client:
    """Somebody, who may have been locked or withdrawn by what was asked before."""
    if card not in floor._signed and floor.client().sign_in(card).status_code != 200:
        floor.room.floor.recover(card, PIN)
    return floor.as_(card)


MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("mode", MODES)
def test_no_request_brings_out_a_fault(
    floor: InThread, described: Any, path: str, mode: GenerationMode
) -> None:
    most = PATHS[path] // QUICKLY
    if mode is GenerationMode.POSITIVE:
        most = OFTEN.get(path, most)
    check_path(floor, described, path, mode, most)


@pytest.mark.soak
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("mode", MODES)
def test_no_request_of_many_brings_out_a_fault(
    floor: InThread, described: Any, path: str, mode: GenerationMode
) -> None:
    check_path(floor, described, path, mode, PATHS[path])


def check_path(
    floor: InThread, described: Any, path: str, mode: GenerationMode, asked: int
) -> None:
    """Ask a path so many times, wrong requests fewer times."""
    operation = described.find_operation_by_label(path)
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query):
        # Any text is a name: there is nothing that could be said wrongly.
        return
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

    most = asked // (1 if mode is GenerationMode.POSITIVE else 4) + 1

    @settings(max_examples=most, suppress_health_check=checks, database=None, phases=ONCE)
    @given(operation.as_strategy(generation_mode=mode), st.sampled_from([*PEOPLE, ""]), st.data())
    def run(case: Case[Any], card: str, data: st.DataObject) -> None:
        if mode is GenerationMode.POSITIVE:
            card = settle(case, data) or card
            if case.path.startswith("/api/practice/tables/") and data.draw(st.integers(0, 4)):
                case.path_parameters["table"] = learner(floor).table
            if "{learner}" in case.path and data.draw(st.integers(0, 4)):
                case.path_parameters["learner"] = pupil(floor).learner
        ask(floor, case, card)

    run()


def test_answers_of_commands_that_are_done_are_described(floor: InThread, described: Any) -> None:
    operation = described.find_operation_by_label("POST /api/commands")
    furnished = len(floor.events())
    for number, (name, (roles, arguments)) in enumerate(COMMANDS.items()):
        body = {"name": name, "arguments": arguments, "key": f"command-{number:02d}", "pin": PIN}
        if "second" in arguments:
            body["second_pin"] = PIN
        ask(floor, operation.Case(body=body, media_type="application/json"), CARDS[roles[0]])
    done = {event.kind for event in floor.events()[furnished:]}
    assert len(done) > 25, sorted(done)


def settle(case: Case[Any], data: st.DataObject) -> str:
    """Put what there is in the place of words, mostly; whose command it is."""
    body: Any = case.body
    card = ""
    if isinstance(body, dict) and isinstance(body.get("arguments"), dict):
        role = data.draw(st.sampled_from(COMMANDS[body["name"]][0]))
        card = CARDS[role] if data.draw(st.integers(0, 4)) else ""
        if data.draw(st.booleans()):
            body["pin"] = PIN
        if data.draw(st.booleans()):
            body["second_pin"] = PIN
        body.pop("expects", None)
        body = body["arguments"]
    for given_to in (body, case.path_parameters):
        for name in [*(given_to or ())] if isinstance(given_to, dict) else ():
            if name in KNOWN and data.draw(st.integers(0, 4)):
                given_to[name] = data.draw(KNOWN[name])
    return card
