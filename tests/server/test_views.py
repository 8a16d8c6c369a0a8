"""What the screens expect is what the server sends, and what they send is what it takes."""

import re
from typing import Any

import pytest

from houseway.server.requests import ARGUMENTS
from tests import ROOT
from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly
from tests.waiting import wait_for

WEB = ROOT / "web" / "src"
SOURCE = "\n".join(
    (WEB / name).read_text(encoding="utf-8") for name in ("api.ts", "training/api.ts")
)
INTERFACE = re.compile(
    r"^(?:export )?interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", re.MULTILINE | re.DOTALL
)
FIELD = re.compile(r"^  (\w+)(\??): (.+?);?$", re.MULTILINE)
KINDS = {
    "call": "CallItem",
    "award": "AwardItem",
    "camera": "CameraItem",
    "pay": "PayItem",
    "cheque": "ChequeItem",
    "slip": "SlipItem",
    "ruling": "RulingItem",
    "deposit": "DepositItem",
}


def interfaces() -> dict[str, dict[str, tuple[str, bool]]]:
    """The fields of every interface: their types, and whether they may be missing."""
    found: dict[str, dict[str, tuple[str, bool]]] = {}
    for name, base, body in INTERFACE.findall(SOURCE):
        own = {field: (of, mark == "?") for field, mark, of in FIELD.findall(body)}
        found[name] = {**found.get(base, {}), **own}
    return found


SHAPES = interfaces()


def differences(value: Any, shape: str, where: str) -> list[str]:
    """Where a value is not of a shape: names that are missing, and names that nobody knows."""
    fields = SHAPES[shape]
    needed = {name for name, (_, may_miss) in fields.items() if not may_miss}
    found = [f"{where}.{name} is not sent" for name in sorted(needed - set(value))]
    found += [f"{where}.{name} is not expected" for name in sorted(set(value) - set(fields))]
    for name in set(value) & set(fields):
        of = fields[name][0]
        one = value[name]
        within = of.replace("[]", "").replace(" | null", "").strip()
        if within == "InboxItem":
            for item in one:
                found += differences(item, KINDS[item["kind"]], f"{where}.{item['kind']}")
        elif within in SHAPES and one is not None:
            for part in one if isinstance(one, list) else [one]:
                found += differences(part, within, f"{where}.{name}")
    return found


@pytest.fixture
def played(rigged_floor: InThread, decks: Rigged) -> InThread:
    """A floor on which a meter was won and the award waits."""
    decks.decks.append("As Ks Qs 9c 6d 2h Kh 9h 4d")
    dealer = Dealer(rigged_floor.as_("d1"), "Poker")
    dealer.begin("ante 10, pair-plus 5, progressive 1", "ante 10, progressive 1")
    dealer.until("pay envy", boldly)
    assert [award["hand"] for award in dealer.view["progressive"]["awards"]] == ["akq_spades"]
    dealer.client.do("call_supervisor", {"table": "Poker"})
    dealer.client.do("call_supervisor", {"table": "Poker", "reason": "dispute", "text": "a push"})
    return rigged_floor


def test_views_are_what_screens_expect(played: InThread) -> None:
    asked = (
        ("d1", "/api/me", "Me"),
        ("s1", "/api/lobby", "Lobby"),
        ("d1", "/api/tables/Poker", "Console"),
        ("d1", "/api/tables/Bonus", "Console"),
        ("e1", "/api/inbox", "Inbox"),
        ("d1", "/api/links/Royal/sign", "Sign"),
        ("a1", "/api/administration", "Administration"),
        ("s1", "/api/openings", "Openings"),
        ("u1", "/api/trail", "Trail"),
        ("c1", "/api/cage", "Cage"),
        ("s1", "/api/pit", "Pit"),
        ("u1", "/api/reports", "Reports"),
        ("c1", "/api/reports/master", "Report"),
        ("u1", "/api/reports/win-pages", "Report"),
        ("u1", "/api/audit", "AuditStatus"),
    )
    for card, path, shape in asked:
        assert differences(played.as_(card).get(path), shape, shape) == []


def test_recalled_rounds_are_what_screens_expect(rigged_floor: InThread) -> None:
    dealer = Dealer(rigged_floor.as_("d1"), "FaceUp")
    dealer.begin("ante 10, pair-plus 5")
    assert [*dealer.steps(boldly)]
    sue, uma = rigged_floor.as_("s1"), rigged_floor.as_("u1")
    assert differences(sue.get("/api/tables/FaceUp/rounds"), "RoundList", "RoundList") == []
    seen = sue.get("/api/tables/FaceUp/rounds/1")
    assert differences(seen, "RecalledRound", "RecalledRound") == []
    uma.post("/api/audit", {})
    wait_for(lambda: uma.get("/api/audit")["running"] is None)
    assert differences(uma.get("/api/audit"), "AuditStatus", "AuditStatus") == []


def test_what_waits_is_what_the_inbox_expects(played: InThread) -> None:
    """An award, then its camera and its payment, then a cheque and a slip."""
    seen: set[str] = set()

    def look(*cards: str) -> None:
        for card in cards:
            view = played.as_(card).get("/api/inbox")
            assert differences(view, "Inbox", "Inbox") == []
            seen.update(item["kind"] for item in view["items"])

    look("e1")
    spot, award = {"table": "Poker", "position": 1}, {"table": "Poker", "page": 1}
    checks = ("hand_seen", "wager_lit", "amount", "deck_counted", "surveillance")
    confirmed = {**spot, "checklist": dict.fromkeys(checks, True)}
    played.as_("e1").do("confirm_award", confirmed, pin=PIN)
    look("v1", "c1")
    looked = dict.fromkeys(("hand", "wager", "amount", "player"), True)
    played.as_("v1").do("check_on_camera", {**award, "seen": looked}, pin=PIN)
    paid = {**award, "reference": "receipt", "method": "cheque"}
    played.as_("c1").do("pay_award", paid, pin=PIN)
    slip = {"link": "Royal", "level": "single", "cents": -400_000, "reason": "won"}
    signed = {"text": "too little", "second": "c1", "page": 1}
    played.as_("s1").do("adjust", {**slip, **signed}, pin=PIN, second_pin=PIN)
    look("c1")
    assert seen == {"call", "award", "camera", "pay", "cheque", "slip"}


def test_commands_of_screens_are_those_that_the_server_takes() -> None:
    """Every command with its arguments, and nothing that would be refused as unknown."""
    body = re.search(r"^export interface Commands \{\n(.*?)^\}", SOURCE, re.MULTILINE | re.DOTALL)
    assert body is not None
    told = dict(re.findall(r"^  (\w+): (.*?);$", body[1], re.MULTILINE | re.DOTALL))
    sent = set(told) - set(ARGUMENTS)
    assert sent == set()
    for name, text in told.items():
        fields = ARGUMENTS[name].model_fields
        known = {str(field.alias or own) for own, field in fields.items()}
        names = set(SHAPES.get(text, ())) or set(re.findall(r"(?:^\{|;)\s*(\w+)\??:", text))
        assert names or not known, name
        assert names <= known, (name, names - known)


def test_every_kind_that_waits_has_a_shape() -> None:
    listed = re.search(r"export type InboxItem = (.*?);", SOURCE)
    assert listed is not None
    assert set(listed[1].split(" | ")) == set(KINDS.values())
