"""Every command by everybody: who may not is refused, and nothing changes but that it is noted."""

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.floor.person import ROLES
from houseway.server.requests import ARGUMENTS
from tests.floor.room import CHECKED, ON_CAMERA
from tests.server.serving import DATE, PIN, SINGLE, InThread, all_events, in_thread
from tests.server.serving import ROLES as CARDS

TABLE = ("dealer", "supervisor")
OVER = ("supervisor", "executive")
PAYS = (*OVER, "cage")
SYSTEMS = ("administrator",)
WAITS = ("supervisor", "executive", "surveillance", "cage")
READS = ("administrator", "auditor", "executive", "surveillance")
POKER = {"table": "Poker"}
SPOT = {"table": "Poker", "position": 1}
COUNT = {"count": {"100": 1}, "total_cents": 100}
SIGNS = ("dealer", "supervisor", "executive")
PAPER = {"reference": "R-1", "day": DATE}

COMMANDS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "open_round": (TABLE, {"table": "FaceUp"}),
    "shuffle": (TABLE, POKER),
    "round": (TABLE, {**POKER, "text": "no more bets"}),
    "undo": (TABLE, POKER),
    "call_supervisor": (TABLE, {**POKER, "reason": "fill"}),
    "answer_call": (OVER, {**POKER, "reason": "fill"}),
    "confirm_award": (OVER, {**SPOT, "checklist": CHECKED}),
    "turn_key": (OVER, {"table": "Keyed", "to": "jph"}),
    "press_jackpot": (OVER, {"table": "Keyed", "position": 1, "checklist": CHECKED}),
    "check_on_camera": (("surveillance",), {**SPOT, "from": 1, "seen": ON_CAMERA}),
    "pay_award": (PAYS, {**POKER, "page": 1, "reference": "slip"}),
    "end_earlier_game": (OVER, {**POKER, "reason": "a fire"}),
    "adjust": (
        OVER,
        {
            "link": "Royal",
            "level": "single",
            "cents": 100,
            "reason": "house_adds",
            "text": "a gift",
            "second": "u1",
        },
    ),
    "pay_adjustment": (PAYS, {**POKER, "slip": 1, "reference": "slip"}),
    "record_deposit": (("cage",), {"link": "Royal", "balance_cents": 1, "reference": "bank"}),
    "hand_cheque": (("cage",), {"link": "Royal", "page": 1, "reference": "cheque"}),
    "reprint_page": ((*PAYS, "auditor"), {"link": "Royal", "page": 1}),
    "count_opener": (SIGNS, {**POKER, **COUNT, "second": "d1"}),
    "count_closer": (SIGNS, {**POKER, **COUNT, "second": "d1"}),
    "request_slip": (OVER, {**POKER, **COUNT, "kind": "fill"}),
    "send_slip": ((*SIGNS, "cage"), {"slip": 1, "second": "d1"}),
    "receive_slip": ((*SIGNS, "cage"), {"slip": 1, "second": "d1"}),
    "void_slip": (OVER, {"slip": 1, "second": "c1", "reason": "not needed"}),
    "drop_box": (OVER, {**POKER, "second": "v1"}),
    "count_drop": (("cage",), {**COUNT, "box": 1, "second": "u1"}),
    "set_clock": (SYSTEMS, {"time_zone": "UTC", "day_begins": "06:00"}),
    "set_pace": (OVER, {"game": "three-card-poker", "low": 30, "high": 60}),
    "set_checkpoint": (OVER, {}),
    "acknowledge": (OVER, {"alert": "slow Poker 2026-01-01"}),
    "issue_card": (SYSTEMS, {"card": "x1", "name": "X", "role": "dealer", "new_pin": PIN}),
    "acknowledge_clock": (SYSTEMS, {"text": "a battery"}),
    "correct_time": (SYSTEMS, {"reason": "wrong", "second": "e1"}),
    "unlock_card": (SYSTEMS, {"card": "c1", "new_pin": "1357"}),
    "withdraw_card": (SYSTEMS, {"card": "a2"}),
    "make_link": (
        SYSTEMS,
        {
            "link": "Other",
            "progressive": "three-card-progressive",
            "paytable": "1",
            "meters": {"single": SINGLE},
        },
    ),
    "set_thresholds": (SYSTEMS, {"link": "Royal", "thresholds": {"single": 1}}),
    "change_settings": (SYSTEMS, {"link": "Royal", "meters": {"single": SINGLE}, "reason": "so"}),
    "close_link": ((*OVER, "administrator"), {"link": "Royal", "cause": "fault", "why": "dark"}),
    "open_link": (SYSTEMS, {"link": "Royal"}),
    "make_table": (SYSTEMS, {"table": "New", "game": "three-card-poker"}),
    "change_table": (SYSTEMS, {"table": "Spare", "paytables": {"pair-plus": "B"}}),
    "open_table": (OVER, POKER),
    "close_table": (OVER, POKER),
    "change_cards": (OVER, {**POKER, "material": "paper", "size": "poker", "reason": "worn"}),
    "record_paper": (SYSTEMS, {**PAPER, "paper": "licence"}),
    "approve_rules": (SYSTEMS, {**PAPER, "table": "Poker"}),
    "record_maker": (SYSTEMS, {"maker": "Acme"}),
    "approve_model": (
        SYSTEMS,
        {**PAPER, "kind": "shuffler", "maker": "Acme", "model": "Quick Shuffle"},
    ),
    "record_equipment": (
        SYSTEMS,
        {"serial": "S-1", "kind": "layout", "model": "L", "maker": "Acme", "sold": DATE},
    ),
    "record_repair": (SYSTEMS, {"serial": "S-1", "reference": "R-1"}),
    "join_link": (SYSTEMS, {"table": "FaceUp", "link": "Summit"}),
    "leave_link": (SYSTEMS, {"table": "Rummy"}),
}
"""Who may do a command, and arguments with which it is one."""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor with a round under way."""
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('roles')}/floor.sqlite") as made:
        made.as_("d1").do("open_round", POKER)
        for card in CARDS.values():
            made.as_(card)
        yield made


def test_the_table_has_every_command_and_every_role() -> None:
    assert set(COMMANDS) == set(ARGUMENTS)
    assert set(CARDS) == set(ROLES)
    # A trainer teaches, and touches nothing on the floor.
    doing = {role for roles, _ in COMMANDS.values() for role in roles}
    assert doing == set(ROLES) - {"trainer"}


def ask(floor: InThread, role: str, command: str) -> tuple[int, Any]:
    """A command by a role, with PINs; status and body."""
    arguments = COMMANDS[command][1]
    beside = {"second_pin": PIN} if "second" in arguments else {}
    answer = floor.as_(CARDS[role]).ask(command, arguments, pin=PIN, **beside)
    return answer.status_code, answer.json()


@pytest.mark.parametrize("role", ROLES)
def test_who_may_not_changes_nothing(floor: InThread, role: str) -> None:
    for command, (roles, _) in COMMANDS.items():
        if role in roles:
            continue
        before, states = all_events(floor.url), _states(floor)
        status, told = ask(floor, role, command)
        assert (status, told["error"]["reason"]) == (403, "not_approved"), (command, told)
        assert "this takes" in told["error"]["message"]
        [noted] = all_events(floor.url)[len(before) :]
        assert (noted.stream, noted.kind, noted.actor) == ("refusals", "refused", CARDS[role])
        assert (noted.data["command"] in (command, "round"), noted.data["reason"]) == (
            True,
            "not_approved",
        )
        assert _states(floor) == states


def _states(floor: InThread) -> tuple[Any, ...]:
    """Every state and balance but the number of refusals."""
    with floor.room.floor.journal.engine.connect() as connection:
        streams = connection.exec_driver_sql("SELECT name, state FROM stream ORDER BY name").all()
        accounts = connection.exec_driver_sql("SELECT * FROM account ORDER BY name").all()
    return tuple(row for row in streams if row[0] != "refusals"), tuple(accounts)


def test_who_may_is_not_refused_for_the_role(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What else is in the way is told instead; most of it is, as nothing was won here."""
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('may')}/floor.sqlite") as floor:
        floor.as_("d1").do("open_round", POKER)
        for command, (roles, _) in COMMANDS.items():
            for role in roles:
                status, told = ask(floor, role, command)
                message = told.get("error", {}).get("message", "")
                assert "this takes" not in message, (command, role, message)
                assert status in (200, 403, 404, 409, 422), (command, role, told)


@pytest.mark.parametrize(
    ("path", "roles"),
    [
        ("/api/lobby", ROLES),
        ("/api/tables/Poker", ROLES),
        ("/api/inbox", WAITS),
        ("/api/administration", SYSTEMS),
        ("/api/openings", OVER),
        ("/api/trail", READS),
        ("/api/links/Royal/sign", ROLES),
        ("/api/live?topic=lobby", ROLES),
        ("/api/live?topic=table:Poker", ROLES),
        ("/api/live?topic=sign:Royal", ROLES),
        ("/api/live?topic=inbox", WAITS),
        ("/api/live?topic=events", READS),
        ("/api/live?topic=lobby&topic=events", READS),
    ],
)
def test_pages_are_for_those_who_work_with_them(
    floor: InThread, path: str, roles: tuple[str, ...]
) -> None:
    for role in ROLES:
        with floor.as_(CARDS[role]).http.stream("GET", path) as answer:
            assert answer.status_code == (200 if role in roles else 403), role
    with floor.client().http.stream("GET", path) as answer:
        assert answer.status_code == (200 if "sign" in path else 401)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/tables/Nowhere", 404),
        ("/api/links/Nowhere/sign", 404),
        ("/api/live?topic=table:Nowhere", 404),
        ("/api/live?topic=sign:Nowhere", 404),
        ("/api/live?topic=nowhere", 404),
        ("/api/live?topic=table", 404),
        ("/api/live?topic=table:", 404),
        ("/api/live?topic=lobby:x", 404),
        ("/api/live", 422),
        ("/api/live?" + "&".join(["topic=lobby"] * 9), 422),
        ("/api/trail?before=-1", 422),
        ("/api/trail?before=x", 422),
        ("/api/trail?stream=" + "x" * 81, 422),
        ("/api/trail?stream=%00", 422),
        ("/api/trail?stream=nowhere", 200),
        ("/api/trail?before=4611686018427387904", 200),
    ],
)
def test_what_there_is_not_is_told_so(floor: InThread, path: str, status: int) -> None:
    assert floor.as_("e1").http.get(path).status_code == status
