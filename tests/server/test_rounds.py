"""Whole rounds through the server: a dealer follows the console, awards, voids, hidden cards."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houseway.cards import card_text
from houseway.floor.live_round import round_of
from houseway.live.commands import DEALER
from houseway.live.state import Round
from tests.floor.room import CHECKED, ON_CAMERA
from tests.server.serving import PIN, Dealer, InThread, Rigged, Served, boldly, in_thread

BETS = {
    "Poker": "ante 10, pair-plus 5, six-card-bonus 1, progressive 1",
    "Keyed": "ante 10, progressive 1",
    "FaceUp": "ante 10, pair-plus 5",
    "Rummy": "ante 10, progressive 1",
    "Bonus": "war 10, blackjack 10, poker 10, hat-trick 5",
}
ROYAL = "As Ks Qs"
NOTHING = "9c 6d 2h"
DEALER_HAND = "Kh 9h 4d"


@pytest.fixture
def decks() -> Rigged:
    """What the shuffler will deal; a test says it first."""
    return Rigged()


@pytest.fixture
def floor(database: str, decks: Rigged) -> Iterator[InThread]:
    with in_thread(database, randomness=decks) as made:
        yield made


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[InThread]:
    """A floor for what is the same on every database."""
    with in_thread(f"sqlite:///{tmp_path / 'floor.sqlite'}", randomness=Rigged()) as made:
        yield made


def somehow(seed: int) -> Any:
    """Somebody who decides as chance has it."""
    rng = Random(seed)
    return lambda lines: rng.choice(sorted(lines))


def press_wins(dealer: Dealer) -> list[int]:
    """Press the hand of every winner; only the one that the cards make is taken.

    Returns the positions of those a meter pays, in the order they are paid.
    """
    view = dealer.view
    if view["progressive"] is None:
        return []
    names = [hand["code"] for hand in view["progressive"]["hands"]]
    won = {
        seat["position"]
        for seat in view["round"]["positions"]
        if any(x["bet"] == "progressive" and x["outcome"] == "win" for x in seat["lines"])
    }
    unchosen = view["progressive"]["unchosen"]
    assert won <= {*unchosen}
    for position in unchosen:
        pressed = [{"table": dealer.table, "text": f"press {position}: {name}"} for name in names]
        answers = [dealer.client.ask("round", asked).status_code for asked in pressed]
        assert sorted(answers) == [200] + [409] * (len(names) - 1)
    awards = dealer.view["progressive"]["awards"]
    return [award["position"] for award in awards if award["level"] is not None]


def confirm(floor: Served, table: str, position: int, *, key: bool = False) -> Any:
    """An award confirmed: by an executive's card or by a supervisor's key."""
    spot = {"table": table, "position": position, "checklist": CHECKED}
    if not key:
        return floor.as_("e1").do("confirm_award", spot, pin=PIN)
    sue = floor.as_("s1")
    sue.do("turn_key", {"table": table, "to": "jph"}, pin=PIN)
    sue.do("press_jackpot", spot, pin=PIN)
    return sue.do("turn_key", {"table": table, "to": "run"}, pin=PIN)


def confirm_wins(floor: Served, dealer: Dealer) -> None:
    """The supervisor is called, and every award of the round that waits is confirmed."""
    dealer.client.do("call_supervisor", {"table": dealer.table})
    progressive = dealer.view["progressive"]
    for award in progressive["awards"]:
        if award["level"] is not None:
            key = progressive["profile"]["confirms"] == "key"
            confirm(floor, dealer.table, award["position"], key=key)


def hand_over(floor: Served, table: str, page: int, **more: Any) -> Any:
    """An award seen on camera and paid by the cage."""
    award = {"table": table, "page": page}
    assert (
        "surveillance has not verified"
        in floor.as_("c1").refused("pay_award", {**award, "reference": "w-1"}, pin=PIN)[1]
    )
    floor.as_("v1").do("check_on_camera", {**award, "seen": ON_CAMERA}, pin=PIN)
    return floor.as_("c1").do("pay_award", {**award, "reference": "w-1", **more}, pin=PIN)


def meter(floor: Served, link: str, level: str = "single") -> int:
    """Cents that the sign shows."""
    sign = floor.client().get(f"/api/links/{link}/sign")
    return int(next(m["shown_cents"] for m in sign["meters"] if m["level"] == level))


def close(dealer: Dealer) -> None:
    """What is left until the round is over."""
    for _ in dealer.steps(boldly):
        pass
    assert dealer.view["round"]["phase"] == "closed"


@pytest.mark.parametrize("rounds", [3, pytest.param(9, marks=pytest.mark.soak)])
@pytest.mark.parametrize("table", list(BETS))
def test_whole_rounds_by_the_console_alone(plain: InThread, table: str, rounds: int) -> None:
    """`next` and `legal` lead to the end; nobody needs to know the procedure."""
    dealer = Dealer(plain.as_("d1"), table)
    for number in range(1, rounds + 1):
        dealer.begin(*[BETS[table]] * (number % 3 + 1))
        choose = somehow(number)
        dealer.until(("press", "pay envy", "close"), choose)
        if press_wins(dealer):
            confirm_wins(plain, dealer)
        for _ in dealer.steps(choose):
            pass
        view = dealer.view["round"]
        assert (view["over"], view["phase"], view["number"]) == (True, "closed", f"{number:06d}")
        assert view["next"] is None
        assert all(seat["lines"] for seat in view["positions"])
    assert dealer.view["progressive"] is None or not dealer.view["progressive"]["started"]


@pytest.mark.parametrize(
    ("table", "link", "hand", "deck"),
    [
        ("Poker", "Royal", "akq_spades", f"{ROYAL} {NOTHING} {DEALER_HAND}"),
        ("Keyed", "Royal", "akq_spades", f"{ROYAL} {NOTHING} {DEALER_HAND}"),
        ("Rummy", "Summit", "royal_flush", f"{ROYAL} {NOTHING} {DEALER_HAND} Js Ts"),
    ],
)
def test_a_whole_meter_is_won(
    floor: InThread, decks: Rigged, table: str, link: str, hand: str, deck: str
) -> None:
    """From the bets to the new meter, with everybody's own session, in each of the systems."""
    decks.decks.append(deck)
    level = "mega" if link == "Summit" else "single"
    keyed = table == "Keyed"
    dealer, sue, eve = Dealer(floor.as_("d1"), table), floor.as_("s1"), floor.as_("e1")
    dealer.begin("ante 10, progressive 1", "ante 10, progressive 1")
    dealer.until("press", boldly)
    won = meter(floor, link, level)
    # The display takes the hand that the cards make, and the round does not end without it.
    for line in ("pay envy", "close"):
        assert dealer.client.refused("round", {"table": table, "text": line})[0] == 409
    assert dealer.view["progressive"]["unchosen"] == [1]
    assert dealer.view["round"]["next"] == f"press 1: {hand}"
    assert press_wins(dealer) == [1]
    view = dealer.view["progressive"]
    assert view["unchosen"] == []
    [award] = view["awards"]
    assert (award["hand"], award["amount_cents"], award["whole"]) == (hand, won, True)
    # Game Manager knows the supervisor's key only, whatever the amount.
    needs = "supervisor" if keyed else "executive"
    assert (award["status"], award["needs"]) == ("chosen", needs)
    assert floor.as_("s1").get("/api/inbox")["items"] == []
    dealer.client.do("call_supervisor", {"table": table})
    [item] = eve.get("/api/inbox")["items"]
    assert (item["kind"], item["mine"], item["cards"][:3]) == ("award", True, ROYAL.split())
    assert (item["before_cents"], item["amount_cents"]) == (won, won)
    assert [x["mine"] for x in sue.get("/api/inbox")["items"]] == [keyed]
    # A supervisor's card does not confirm so much; nor is it done without PIN and checks.
    spot = {"table": table, "position": 1, "checklist": CHECKED}
    if keyed:
        assert "key at JPH" in sue.refused("press_jackpot", spot, pin=PIN)[1]
        assert sue.do("turn_key", {"table": table, "to": "jph"}, pin=PIN)["key"] == "jph"
        assert sue.refused("press_jackpot", {**spot, "checklist": {}}, pin=PIN)[0] == 409
        assert sue.refused("press_jackpot", spot)[0] == 403
        assert sue.do("turn_key", {"table": table, "to": "run"}, pin=PIN)["key"] == "run"
        assert "with the key" in eve.refused("confirm_award", spot, pin=PIN)[1]
    else:
        assert sue.refused("confirm_award", spot, pin=PIN)[0] == 403
        assert eve.refused("confirm_award", {**spot, "checklist": {}}, pin=PIN)[0] == 409
        assert eve.refused("confirm_award", spot)[0] == 403
    assert dealer.client.refused("round", {"table": table, "text": "pay envy"})[0] == 409
    assert meter(floor, link, level) == won
    done = confirm(floor, table, 1, key=keyed)
    assert (done["amount_cents"], done["page"]) == (won, 1)
    after = meter(floor, link, level)
    assert after < won
    assert after == item["after_cents"]
    [award] = dealer.view["progressive"]["awards"]
    assert (award["status"], award["page"], award["amount_cents"]) == ("confirmed", 1, won)
    [envy] = dealer.view["progressive"]["envy"]
    assert (envy["position"], envy["from"]) == (2, 1)
    dealer.say("pay envy")
    # A confirmed award holds no table: it may be handed over after its round.
    close(dealer)
    assert dealer.view["progressive"]["awards"] == []
    waits = eve.get("/api/inbox")["items"]
    assert {(x["kind"], x["page"], x["position"]) for x in waits} == {
        ("camera", 1, 1),
        ("pay", 1, 1),
    }
    # Whoever has one of them open keeps it when the next round begins.
    dealer.begin("ante 10")
    assert [x["id"] for x in eve.get("/api/inbox")["items"]] == [x["id"] for x in waits]
    hand_over(floor, table, 1)
    assert eve.get("/api/inbox")["items"] == []


def test_two_whole_meters_are_won_in_one_round(floor: InThread, decks: Rigged) -> None:
    """They are confirmed from the far right on; a cheque is handed over by the cage."""
    decks.decks.append(f"{ROYAL} 9s 8s 7s {DEALER_HAND} Js Ts")
    dealer, eve = Dealer(floor.as_("d1"), "Rummy"), floor.as_("e1")
    dealer.begin("ante 10, progressive 1", "ante 10, progressive 1")
    dealer.until("press", boldly)
    assert press_wins(dealer) == [2, 1]
    dealer.client.do("call_supervisor", {"table": "Rummy"})
    items = eve.get("/api/inbox")["items"]
    assert [(item["position"], item["level"], item["next"]) for item in items] == [
        (1, "mega", False),
        (2, "major", True),
    ]
    spot = {"table": "Rummy", "position": 1, "checklist": CHECKED}
    status, told = eve.refused("confirm_award", spot, pin=PIN)
    assert (status, "position 2 is paid before position 1" in told) == (409, True)
    first, second = confirm(floor, "Rummy", 2), confirm(floor, "Rummy", 1)
    assert (first["page"], second["page"]) == (1, 2)
    assert second["amount_cents"] > first["amount_cents"] >= 500_000
    hand_over(floor, "Rummy", 1)
    hand_over(floor, "Rummy", 2, method="cheque")
    # Each of the two players earns envy for the hand of the other.
    assert len(dealer.view["progressive"]["envy"]) == 2
    dealer.say("pay envy")
    close(dealer)
    [cheque] = floor.as_("c1").get("/api/inbox")["items"]
    assert (cheque["kind"], cheque["amount_cents"]) == ("cheque", second["amount_cents"])
    handed = {"link": "Summit", "page": 2, "reference": "no. 17"}
    floor.as_("c1").do("hand_cheque", handed, pin=PIN)
    assert floor.as_("c1").get("/api/inbox")["items"] == []
    # Both have a page on paper, for who reads the books.
    for page, status in ((1, 200), (2, 200), (3, 404), (0, 422)):
        answer = eve.http.get(f"/api/links/Summit/papers/win-page/{page}")
        assert (answer.status_code, answer.content[:5] == b"%PDF-") == (status, status == 200)
    assert eve.http.get("/api/links/Summit/papers/slip/1").status_code == 404
    assert floor.as_("d1").http.get("/api/links/Summit/papers/win-page/1").status_code == 403


def test_a_void_round_gives_everything_back(floor: InThread, decks: Rigged) -> None:
    decks.decks.append(f"{ROYAL} {DEALER_HAND}")
    before = meter(floor, "Royal")
    dealer = Dealer(floor.as_("d1"), "Poker")
    dealer.begin("ante 10, progressive 10")
    dealer.until("decide", boldly)
    assert meter(floor, "Royal") == before + 200
    text = {"table": "Poker", "text": "void ruling: the deck was short"}
    assert dealer.client.refused("round", text)[0] == 403
    floor.as_("s1").do("round", text, pin=PIN)
    view = dealer.view
    assert (view["round"]["phase"], view["round"]["over"]) == ("void", True)
    assert view["progressive"]["started"] is False
    assert meter(floor, "Royal") == before
    assert all(seat["net"] == 0 for seat in view["round"]["positions"])
    dealer.begin("ante 10")


def test_a_step_is_taken_back(plain: InThread) -> None:
    dealer = Dealer(plain.as_("d1"), "Poker")
    dealer.begin("ante 10")
    assert dealer.view["round"]["undo"] is True
    assert dealer.client.do("undo", {"table": "Poker"}) == {"undone": "bets 1: ante 10"}
    after = dealer.view["round"]
    assert (after["positions"], after["undo"]) == ([], False)
    assert dealer.client.refused("undo", {"table": "Poker"})[0] == 409


# Cards that lie face down.


CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")


def face_up(table: Round) -> set[str]:
    """The cards that everybody at the table can see, by the state alone."""
    places = [(DEALER, table.dealer, table.dealer_up)]
    places += [(seat.position, seat.cards, seat.up) for seat in table.seats]
    found = {
        card_text(card)
        for place, cards, up in places
        for number, (card, facing) in enumerate(zip(cards, up, strict=True), start=1)
        if facing or (place, number) in table.exposed
    }
    if table.community_shown:
        found |= {card_text(card) for card in table.community}
    return found


PAGES = {
    "d1": ("/api/tables/{table}", "/api/lobby"),
    "s1": ("/api/tables/{table}", "/api/inbox"),
    "v1": ("/api/tables/{table}", "/api/trail"),
    "u1": ("/api/trail", "/api/trail?stream=table:{table}", "/api/trail?stream=refusals"),
    "a1": ("/api/administration",),
}
STREAMS = {"d1": (), "s1": ("lobby",), "v1": ("events",), "u1": ("events", "lobby")}


class Everybody:
    """All who work on the floor, and all that they are sent while a round is played."""

    def __init__(self, floor: InThread, table: str, stack: ExitStack) -> None:
        self.floor = floor
        self.table = table
        self.streams = {
            card: stack.enter_context(floor.as_(card).listen(f"table:{table}", *more))
            for card, more in STREAMS.items()
        }
        self.texts: list[str] = []

    def look(self) -> Round:
        """Everybody looks; the round as it is by then."""
        under_way = round_of(self.floor.room.floor.journal.state_of(f"table:{self.table}"))
        assert under_way is not None
        version = self.floor.as_("d1").get(f"/api/tables/{self.table}")["version"]
        position = self.floor.client().get("/healthz")["position"]
        for card, stream in self.streams.items():
            waits = {f"table:{self.table}"} | ({"events"} & {*STREAMS[card]})
            while waits:
                name, data = stream.next()
                assert name
                if data.get("version", 0) >= version or data.get("position", 0) >= position:
                    waits.discard(name)
            self.texts += stream.texts
            stream.texts.clear()
        for card, pages in PAGES.items():
            for page in pages:
                answer = self.floor.as_(card).http.get(page.format(table=self.table))
                assert answer.status_code == 200
                self.texts.append(answer.text)
        return under_way


@pytest.mark.parametrize("table", ["Poker", "FaceUp", "Rummy", "Bonus"])
def test_nobody_learns_a_card_that_lies_face_down(plain: InThread, table: str) -> None:
    """No answer, page or message names one, whoever it is for; nor what is kept of a PIN."""
    dan = plain.as_("d1")
    answers: list[str] = []
    dealer = Dealer(dan, table)
    dealer.begin(BETS[table], BETS[table])
    seen: set[str] = set()
    with ExitStack() as stack:
        everybody = Everybody(plain, table, stack)
        dan.http.event_hooks["response"] = [lambda answer: answers.append(answer.read().decode())]
        for line in dealer.steps(somehow(3)):
            # What is refused says nothing either.
            dan.ask("round", {"table": table, "text": "decide 1: nonsense"})
            under_way = everybody.look()
            if under_way.over:
                break
            dealt = under_way.shuffle.cards if under_way.shuffle else ()
            down = {card_text(card) for card in dealt} - face_up(under_way)
            for text in (*everybody.texts, *answers):
                named = set(CARD.findall(text))
                assert not named & down, (line, sorted(named & down), text[:2000])
                assert "$argon2" not in text
                seen |= named
            everybody.texts.clear()
            answers.clear()
    # Otherwise nothing was looked at.
    assert len(seen) >= 3


def test_nobody_is_told_who_wins_the_progressive_before_the_hand_is_settled(
    floor: InThread, decks: Rigged
) -> None:
    """Not when the dealer's hand lies open either: the winner's is turned over later."""
    decks.decks.append(f"{ROYAL} {NOTHING} {DEALER_HAND}")
    dealer = Dealer(floor.as_("d1"), "Poker")
    dealer.begin("ante 10, progressive 1", "ante 10, progressive 1")
    dealer.until("shuffle", boldly)
    for line in ("deliver", "reveal dealer", "reconcile", "press"):
        dealer.until(line, boldly)
        view = dealer.view["progressive"]
        told = (view["unchosen"], view["blocks_envy"], view["blocks_end"])
        if line == "press":
            waits = ["a progressive hand is not chosen yet: akq_spades at 1"]
            assert told == ([1], waits, waits)
            assert [(due["position"], due["from"]) for due in view["envy"]] == [(2, 1)]
        else:
            waits = ["not every hand is settled"]
            assert told == ([], waits, waits)
            assert (view["awards"], view["envy"], view["on_camera"]) == ([], [], [])


def test_after_the_round_those_who_watch_see_what_was_dealt(plain: InThread) -> None:
    dealer = Dealer(plain.as_("d1"), "Poker")
    dealer.begin("ante 10")
    for _ in dealer.steps(lambda lines: next(line for line in lines if "fold" in line)):
        pass
    hidden = dealer.view["round"]["positions"][0]["cards"]
    for card in ("s1", "v1"):
        shown = plain.as_(card).get("/api/tables/Poker")["round"]["positions"][0]["cards"]
        assert (len(shown), "??" in shown) == (3, False)
    assert hidden == ["??"] * 3 or "??" not in hidden
    told = plain.as_("u1").get("/api/trail?stream=table:Poker")["events"]
    assert any(str(event["data"].get("text", "")).startswith("shuffle ") for event in told)
    assert all(len(event["hash"]) == 64 for event in told)


def test_while_a_round_is_dealt_no_hash_of_its_table_is_shown(plain: InThread) -> None:
    """With the key of a command, a hash would tell one guess of few cards from another."""
    dealer = Dealer(plain.as_("d1"), "Poker")
    dealer.begin("ante 10")
    dealer.until("decide", boldly)
    events = plain.as_("u1").get("/api/trail")["events"]
    shown = {event["hash"] for event in events if event["stream"] == "table:Poker"}
    assert shown == {"(not shown)"}
    assert all(len(e["hash"]) == 64 for e in events if e["stream"] != "table:Poker")
    with plain.as_("u1").listen("events", last=0) as stream:
        for _ in range(len(events)):
            name, event = stream.next()
            assert name == "events"
            assert (event["hash"] == "(not shown)") == (event["stream"] == "table:Poker")
