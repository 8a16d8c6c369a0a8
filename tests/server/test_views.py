"""Pages with something on them: their client holds every answer against its declared type."""

import pytest

from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly
from tests.waiting import wait_for


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


def test_every_page_is_sent_as_declared(played: InThread) -> None:
    asked = (
        ("d1", "/api/me"),
        ("s1", "/api/lobby"),
        ("d1", "/api/tables/Poker"),
        ("d1", "/api/tables/Bonus"),
        ("e1", "/api/inbox"),
        ("d1", "/api/links/Royal/sign"),
        ("a1", "/api/administration"),
        ("s1", "/api/openings"),
        ("u1", "/api/trail"),
        ("c1", "/api/cage"),
        ("s1", "/api/pit"),
        ("u1", "/api/reports"),
        ("c1", "/api/reports/master"),
        ("u1", "/api/reports/win-pages"),
        ("u1", "/api/audit"),
    )
    for card, path in asked:
        assert played.as_(card).get(path)


def test_recalled_rounds_are_sent_as_declared(rigged_floor: InThread) -> None:
    dealer = Dealer(rigged_floor.as_("d1"), "FaceUp")
    dealer.begin("ante 10, pair-plus 5")
    assert [*dealer.steps(boldly)]
    sue, uma = rigged_floor.as_("s1"), rigged_floor.as_("u1")
    assert len(sue.get("/api/tables/FaceUp/rounds")["rounds"]) == 1
    assert sue.get("/api/tables/FaceUp/rounds/1")["steps"]
    uma.post("/api/audit", {})
    wait_for(lambda: uma.get("/api/audit")["running"] is None)
    assert uma.get("/api/audit")["checked"]["holds"]


def test_what_waits_is_sent_as_declared(played: InThread) -> None:
    """An award, then its camera and its payment, then a cheque and a slip."""
    seen: set[str] = set()

    def look(*cards: str) -> None:
        for card in cards:
            view = played.as_(card).get("/api/inbox")
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
