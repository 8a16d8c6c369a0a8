"""Practice over the wire: seats of browsers, streams, refusals, attacks, and tables that end."""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from houseway.cards import RANKS, SUITS
from houseway.practice import figures
from houseway.practice.table import LARGEST_SEED, deck
from houseway.server import practice
from houseway.server.door import BROWSER
from houseway.server.practice import PracticeRoom
from tests.live.table import BONUS, GAMES, TCP
from tests.server.serving import Client, InThread, in_thread, limits
from tests.waiting import wait_for

CARD = re.compile(rf'"([{RANKS}][{SUITS}])"')


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor, of which practice needs nothing; nothing is counted unless a test wants it."""
    patched = pytest.MonkeyPatch()
    patched.setattr(practice, "count", missing)
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('practice')}/floor.sqlite") as made:
        yield made
    patched.undo()


def missing(_: object) -> None:
    """The exact analysis where it is not installed."""
    raise ModuleNotFoundError("no module 'numba'")


@pytest.fixture(autouse=True)
def anew(floor: InThread) -> None:
    """No table is left of another test, and what is drawn does not depend on one."""
    floor.room.practice._tables.clear()
    floor.draw_anew()


class Learner:
    """A browser at a practice table."""

    def __init__(self, floor: InThread) -> None:
        self.client: Client = floor.client()
        self.client.csrf = self.client.get("/api/practice")["token"]
        self.table = ""

    def make(self, game: str = TCP, **more: Any) -> "Learner":
        """Make a table."""
        answer = self.client.post("/api/practice/tables", {"game": game, **more})
        assert answer.status_code == 200, answer.text
        self.table = answer.json()["table"]
        return self

    def at(self, table: str) -> "Learner":
        """Go to a table that somebody else has made."""
        self.table = table
        return self

    @property
    def path(self) -> str:
        return f"/api/practice/tables/{self.table}"

    @property
    def view(self) -> Any:
        return self.client.get(self.path)

    def ask(self, what: str, body: Any = None, **headers: str) -> httpx.Response:
        """Send something, whatever comes of it."""
        return self.client.post(f"{self.path}/{what}", body, **headers)

    def do(self, what: str, **body: Any) -> Any:
        """Do something that may be done; the table afterwards."""
        answer = self.ask(what, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, what: str, **body: Any) -> tuple[int, str]:
        answer = self.ask(what, body)
        assert answer.status_code != 200, answer.text
        return answer.status_code, answer.json()["error"]["message"]

    def sit(self, position: int = 1, player: str = "Robin") -> Any:
        return self.do("sit", position=position, player=player)

    def bet(self, ready: bool = True, **bets: int) -> Any:
        named = {bet.replace("_", "-"): cents for bet, cents in bets.items()}
        return self.do("bets", bets=named, ready=ready)

    def decide(self, decision: str) -> Any:
        view = self.view
        own = next(
            one for one in view["round"]["positions"] if one["position"] == view["you"]["position"]
        )
        return self.do(
            "decide",
            decision=decision,
            round=view["round"]["number"],
            after=len(own["decisions"]),
        )

    def play(self) -> Any:
        """On to the end of the round, boldly."""
        view = self.view
        while not view["round"]["over"]:
            offered = view["you"]["decisions"]
            wishes = [name for name in ("play", "stand", "no-insurance") if name in offered]
            view = self.decide(wishes[0])
        return view


def all_bets(view: Any) -> dict[str, int]:
    return {bet["code"]: bet["cents"] for bet in view["bets"]}


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_from_an_empty_table(floor: InThread, game: str) -> None:
    learner = Learner(floor).make(game)
    view = learner.sit()
    assert view["you"]["bankroll"] == 50_000
    view = learner.do("bets", bets=all_bets(view), ready=True)
    view = learner.play()
    own = view["round"]["positions"][0]
    assert {line["bet"] for line in own["lines"]} >= set(all_bets(view)) - {"ante-bonus"}
    assert all(line["why"].endswith(".") for line in own["lines"])
    assert view["you"]["bankroll"] == 50_000 + own["net"]
    assert view["you"]["session"]["rounds"] == 1
    assert view["you"]["results"][0]["net"] == own["net"]


def test_a_seed_gives_the_same_cards_and_without_one_it_is_told(floor: InThread) -> None:
    def cards(**more: Any) -> Any:
        learner = Learner(floor).make(**more)
        learner.sit()
        view = learner.bet(ante=1000)
        return view["seed"], view["round"]["positions"][0]["cards"]

    assert cards(seed="8123") == cards(seed="8123")
    seed, dealt = cards()
    assert cards(seed=seed) == (seed, dealt)
    assert cards(positions=2, seed="5")[0] == "5"
    # More than a number of JavaScript holds.
    assert cards(seed=str(LARGEST_SEED))[0] == str(LARGEST_SEED)


def test_no_seed_is_small_enough_to_be_tried_out(floor: InThread) -> None:
    """Whoever sees cards could work every card to come out of a seed below 10^9."""
    asked: list[int] = []

    def largest(below: int) -> int:
        asked.append(below)
        return below - 1

    floor.room.practice.draw = largest
    try:
        learner = Learner(floor).make()
    finally:
        floor.draw_anew()
    assert asked == [2**64]
    assert learner.view["seed"] == str(2**64 - 1)


def test_where_several_play_the_seed_is_kept_from_all(floor: InThread) -> None:
    """Whoever knew it would know every card."""
    learner = Learner(floor).make(positions=2)
    assert learner.view["seed"] is None
    hidden = floor.room.practice.find(learner.table).table.seed
    assert str(hidden) not in json.dumps(learner.view)


def test_views_at_every_step_are_sent_as_declared(floor: InThread) -> None:
    learner = Learner(floor).make(BONUS, positions=3, dealing="person")
    assert learner.view["you"] is None
    view = learner.sit(2)
    view = learner.bet(ready=False, **{k.replace("-", "_"): v for k, v in all_bets(view).items()})
    while view["deals"]["next"]:
        view = learner.do("deal", step=view["deals"]["next"])
    assert learner.view == view


# Two browsers at one table.


def shared(floor: InThread, **more: Any) -> tuple[Learner, Learner]:
    one = Learner(floor).make(positions=3, **more)
    two = Learner(floor).at(one.table)
    one.sit(1, "Robin")
    two.sit(3, "Kim")
    return one, two


def test_each_sees_the_own_cards_and_no_others(floor: InThread) -> None:
    one, two = shared(floor)
    stranger = Learner(floor).at(one.table)
    streams = [who.client.listen(f"practice:{one.table}") for who in (one, two, stranger)]
    one.bet(ante=1000)
    assert one.view["round"]["phase"] == "betting"
    assert one.view["waiting"] == [3]
    two.bet(ante=1000)
    live = floor.room.practice.find(one.table).table.round
    own = {
        1: {one.view["round"]["positions"][0]["cards"][0]},
        3: {two.view["round"]["positions"][1]["cards"][0]},
    }
    assert "??" not in own[1] | own[3]
    for stream, mine in zip(streams, (1, 3, 0), strict=True):
        _, data = stream.until(lambda _, data: data["round"]["phase"] == "decisions")
        seen = set(CARD.findall(json.dumps(data).replace(" ", "")))
        assert seen == ({str(c) for c in texts(live.seat(mine).cards)} if mine else set())
        stream.close()
    assert stranger.view["you"] is None
    one.decide("play")
    view = two.decide("fold")
    assert view["round"]["over"]


def texts(cards: tuple[int, ...]) -> list[str]:
    return [RANKS[card // 4] + SUITS[card % 4] for card in cards]


def test_a_stream_shows_what_a_browser_may_see_from_when_it_sits(floor: InThread) -> None:
    """Who sits down on an open stream sees the seat, and who has left no longer does."""
    one, two = shared(floor)
    with two.client.listen(f"practice:{one.table}") as stream:
        _, data = stream.next()
        assert data["you"]["position"] == 3
        two.do("leave")
        _, data = stream.until(lambda _, data: data["you"] is None)
        third = Learner(floor).at(one.table)
        third.sit(3, "Alex")
        one.bet(ante=1000)
        third.bet(ante=1000)
        _, data = stream.until(lambda _, data: data["round"]["phase"] == "decisions")
        assert CARD.findall(json.dumps(data)) == []


def test_a_browser_that_comes_back_has_its_seat(floor: InThread) -> None:
    learner = Learner(floor).make()
    learner.sit()
    before = learner.bet(ante=1000)
    back = floor.client(cookies=learner.client.http.cookies)
    after = back.get(learner.path)
    assert after == before
    back.csrf = back.get("/api/practice")["token"]
    assert back.csrf == learner.client.csrf


# Attacks.


def test_without_the_secret_of_a_seat_nothing_is_done(floor: InThread) -> None:
    one, two = shared(floor)
    one.bet(ante=1000)
    before = floor.room.practice.find(one.table).table
    stranger = Learner(floor).at(one.table)
    number = before.round.number
    for what, body in (
        ("bets", {"bets": {"ante": 500}, "ready": True}),
        ("ready", {}),
        ("decide", {"decision": "play", "round": number, "after": 0}),
        ("chips", {}),
        ("leave", {}),
        ("coach", {"when": "never", "mode": "simple"}),
        ("deal", {"step": "no more bets"}),
    ):
        assert stranger.refused(what, **body)[0] == 403, what
        nobody = floor.client()
        assert nobody.post(f"{one.path}/{what}", body).status_code == 403
        # The token of another browser, or none.
        for token in ("", "x", stranger.client.csrf, "é"):
            answer = two.client.http.post(
                f"{one.path}/{what}", json=body, headers={b"x-houseway-token": token.encode()}
            )
            assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "forged")
        # Another origin, with everything else right.
        for origin in ("http://evil.example", "null"):
            answer = two.ask(what, body, origin=origin)
            assert answer.status_code == 403
        answer = two.ask(what, body, **{"sec-fetch-site": "cross-site"})
        assert answer.status_code == 403
    assert floor.room.practice.find(one.table).table is before


@pytest.mark.parametrize("token", ["", "x", "é" * 43, "a" * 42, "a" * 44, '"', "a b" * 14 + "a"])
def test_a_cookie_that_nobody_gave_is_no_seat(floor: InThread, token: str) -> None:
    learner = Learner(floor).make()
    learner.sit()
    headers = {b"cookie": f"{BROWSER}={token}".encode()}
    bare = floor.client()
    assert bare.http.get(learner.path, headers=headers).json()["you"] is None
    answer = bare.http.post(f"{learner.path}/chips", headers=headers)
    assert answer.status_code == 403


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(floor: InThread) -> None:
    answer = floor.client().http.get("/api/practice")
    told = answer.headers["set-cookie"].lower()
    assert "httponly" in told
    assert "samesite=strict" in told
    assert "path=/api" in told
    secret = answer.cookies[BROWSER]
    learner = Learner(floor).make(positions=2)
    learner.sit()
    assert learner.client.http.cookies[BROWSER] not in json.dumps(learner.view)
    assert secret not in answer.text
    # Hashes of the same browser at two tables have nothing in common.
    room = floor.room.practice
    assert room.secret_of("a", secret) != room.secret_of("b", secret)


@pytest.mark.parametrize(
    ("player", "told"),
    [
        ("<script>alert(1)</script>", "has 25 characters"),
        ("<b>Al</b>", "has a '<'"),
        ("x" * 100, "at most 24"),
        (" ", "is empty"),
        ("a: b", "has a ':'"),
    ],
)
def test_a_name_with_markup_is_refused_in_words(floor: InThread, player: str, told: str) -> None:
    learner = Learner(floor).make()
    status, message = learner.refused("sit", position=1, player=player)
    assert status == 422
    assert told in message


def test_refusals_are_sentences(floor: InThread) -> None:
    one, two = shared(floor)
    assert Learner(floor).at(one.table).refused("sit", position=3, player="Alex") == (
        409,
        "position 3 is taken; free: 2",
    )
    assert Learner(floor).at("nowhere").refused("sit", position=1, player="A") == (
        404,
        "practice table 'nowhere' is unknown",
    )
    number = one.view["round"]["number"]
    early = one.refused("decide", decision="play", round=number, after=0)
    assert "decisions are made when the cards are dealt" in early[1]
    assert "needs an ante" in one.refused("bets", bets={"six-card-bonus": 100})[1]
    assert one.refused("bets", bets={"ante": -5})[0] in (409, 422)
    one.bet(ante=1000)
    two.bet(ante=1000)
    one.decide("play")
    again = one.refused("decide", decision="play", round=number, after=0)
    assert again == (
        409,
        "the decision is number 1 of your hand, and number 2 is next; look at the cards again",
    )
    late = one.refused("decide", decision="play", round="000099", after=1)[1]
    assert late.startswith(f"the decision is for round 99, and the table is at round {int(number)}")
    two.decide("play")
    assert "is closed" in one.refused("decide", decision="fold", round=number, after=1)[1]
    assert one.refused("deal", step="deliver")[0] == 403


def test_what_is_no_request_is_refused(floor: InThread) -> None:
    learner = Learner(floor).make()
    learner.sit()
    for what, body in (
        ("bets", {"bets": {"ante": 10.5}}),
        ("bets", {"bets": {"ante": "10"}}),
        ("bets", {"bets": {"ante": 100}, "ready": 1}),
        ("bets", {"bets": {"ante": 100}, "more": 1}),
        ("decide", {"decision": "play"}),
        ("coach", {"when": "always", "mode": "exact"}),
        ("sit", {"position": "1", "player": "A"}),
    ):
        assert learner.refused(what, **body)[0] == 422
    for body in (
        {"game": TCP, "positions": 8},
        {"game": TCP, "seed": "-1"},
        {"game": TCP, "seed": str(LARGEST_SEED + 1)},
        {},
    ):
        assert learner.client.post("/api/practice/tables", body).status_code == 422
    unknown: list[dict[str, Any]] = [
        {"game": "bridge"},
        {"game": TCP, "options": {"profile": "wa_2017"}},
        {"game": TCP, "paytables": {"war": "1"}},
        {"game": TCP, "paytables": {"pair-plus": "Z"}},
        {"game": TCP, "options": {"tie_rule": "both"}},
    ]
    for asked in unknown:
        answer = learner.client.post("/api/practice/tables", asked)
        assert answer.status_code in (404, 409), answer.text
        assert answer.json()["error"]["message"]


# A person deals.


def test_a_person_deals_by_steps_that_were_seen(floor: InThread) -> None:
    dealer = Learner(floor).make(positions=2, dealing="person")
    one = Learner(floor).at(dealer.table)
    one.sit()
    one.bet(ante=1000)
    assert dealer.view["deals"]["next"] == "no more bets"
    assert "is not next" in dealer.refused("deal", step="shuffle")[1]
    for step in ("no more bets", "shuffle", "deliver 1", "deliver dealer"):
        assert dealer.do("deal", step=step)["deals"]["say"] is not None
    assert "is not next" in dealer.refused("deal", step="deliver dealer")[1]
    assert dealer.view["deals"]["next"] is None
    kept = floor.room.practice.find(dealer.table).table
    assert kept.round.shuffle == deck(kept)
    assert CARD.findall(json.dumps(dealer.view)) == []
    one.decide("play")
    for step in ("reveal dealer", "reconcile 1", "close", "open round"):
        dealer.do("deal", step=step)
    assert dealer.view["round"]["number"] == "000002"


# Time, and how much there may be.


def test_who_is_gone_is_not_waited_for_and_comes_back(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = shared(floor)
    one.bet(ante=1000)
    two.bet(ante=1000)
    one.decide("play")
    monkeypatch.setattr(practice, "TICK_SECONDS", 0)
    monkeypatch.setattr(practice, "GONE_SECONDS", 0)
    wait_for(lambda: floor.room.practice.find(one.table).table.round.over)
    monkeypatch.undo()
    kept = floor.room.practice.find(one.table)
    assert kept.table.seat(3).away
    assert two.view["you"]["position"] == 3
    assert not kept.table.seat(3).away


class Clock:
    """A clock that goes when it is told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def made(room: PracticeRoom, address: str = "") -> str:
    return room.make(
        "b", address, game=TCP, options={}, paytables={}, seed=1, positions=1, person=False
    )


def test_tables_are_bounded_and_forgotten(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    room = PracticeRoom(floor.room.hub, lambda _: None, clock)
    monkeypatch.setattr(room, "_count", lambda _: None)
    first = made(room)
    room.sit(first, "b", 1, "Robin")
    empty = made(room)
    clock.now += practice.FORGET_EMPTY_SECONDS + 10
    room.tick()
    assert room.find(first)
    with pytest.raises(Exception, match="is unknown"):
        room.find(empty)
    room.look(first, "b")
    clock.now += practice.FORGET_SECONDS + 10
    room.tick()
    with pytest.raises(Exception, match="is unknown"):
        room.find(first)
    for _ in range(practice.MOST_OF_ADDRESS):
        made(room, "one")
    with pytest.raises(Exception, match="40 practice tables were made from your address"):
        made(room, "one")
    monkeypatch.setattr(practice, "MOST_TABLES", practice.MOST_OF_ADDRESS)
    with pytest.raises(Exception, match="all 40 practice tables are taken"):
        made(room, "two")


def test_asking_too_often_is_refused(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = Learner(floor).make()
    monkeypatch.setattr(floor.room, "limits", limits({"practice": 1}))
    learner.sit()
    assert learner.refused("sit", position=1, player="A") == (429, "too many tries; wait a moment")


def test_without_the_exact_analysis_people_play_on(floor: InThread) -> None:
    learner = Learner(floor).make(paytables={"pair-plus": "D"})
    wait_for(lambda: learner.view["figures"] == "missing")
    learner.sit()
    learner.do("coach", when="before", mode="simple")
    view = learner.bet(ante=1000)
    assert view["you"]["coach"]["best"] in ("play", "fold")
    assert view["you"]["costs"] is None


def test_figures_come_when_they_are_counted(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "count", figures.count)
    learner = Learner(floor).make(paytables={"pair-plus": "B"})
    learner.sit()
    wait_for(lambda: learner.view["figures"] == "ready")
    table = floor.room.practice.find(learner.table).table
    edges = figures.count(table.ruleset)
    view = learner.bet(ante=1000, pair_plus=500)
    assert view["you"]["costs"] == {
        "ante": round(float(edges["ante"] * 1000), 2),
        "pair-plus": round(float(edges["pair-plus"] * 500), 2),
    }
    assert view["you"]["coach"]["values"]
    view = learner.decide("fold")
    assert len(view["you"]["coach"]["judged"]) == 1
