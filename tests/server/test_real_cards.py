"""Real cards over the wire: a whole round of each game by what the view asks for."""

import json

import pytest

from houseway.games import GAMES
from houseway.games.contract import Game
from tests.server.serving import CHOICES, MOST_STEPS, PIN, TABLES, Dealer, InThread, boldly

DECK = (
    "9c 6d 2h Ts 8d 4c Kh 9h 3d Jc 5s 7h 2s Qd 6c 4h Td 3s 8c Jh 5d 7c 2d Ks 9s Qc 6h 4s Tc 3h 8s"
)
"""In the order they are turned over; no hand wins anything of a meter."""


@pytest.mark.parametrize("game", GAMES, ids=[game.code for game in GAMES])
def test_a_round_of_real_cards_is_dealt_by_what_the_view_asks_for(
    rigged_floor: InThread, game: Game
) -> None:
    rigged_floor.as_("a1").do(
        "make_table", {"table": "Felt", "game": game.code, "deck": "physical"}, pin=PIN
    )
    link = next(link for _, code, _, link in TABLES if code == game.code)
    if link:
        rigged_floor.as_("a1").do("join_link", {"table": "Felt", "link": link}, pin=PIN)
    dealer = Dealer(rigged_floor.as_("d1"), "Felt")
    dealer.client.do("open_round", {"table": "Felt"})
    offered = [bet["code"] for bet in dealer.view["bets"]]
    bets = ", ".join(f"{bet} {1 if bet == 'progressive' else 10}" for bet in offered)
    dealer.say(f"bets 1: {bets}")
    dealer.say(f"bets 2: {bets}")
    cards, entered = DECK.split(), 0
    for _ in range(MOST_STEPS):
        view = dealer.view["round"]
        if view["over"]:
            break
        if (due := view["awaited"]) is not None:
            assert view["next"] is None
            place = due["place"] or "dealer"
            dealer.say(f"expose {place}: {' '.join(cards[: due['cards']])}")
            del cards[: due["cards"]]
            entered += due["cards"]
            continue
        folds = [f"decide 2: {fold}" for fold in game.folds]
        lines = [line for line in view["legal"] if line.startswith(CHOICES)]
        dealer.say(view["next"] or next((x for x in lines if x in folds), "") or boldly(lines))
    assert view["over"]
    assert view["void"] is None
    assert entered >= 3 * game.packet
    shown = [card for seat in view["positions"] for card in seat["cards"]]
    assert all(seat["lines"] for seat in view["positions"])
    assert "??" not in view["dealer"]
    assert set(shown) - {"??"} <= set(DECK.split())


def test_nobody_reads_a_card_that_the_dealer_looked_at(rigged_floor: InThread) -> None:
    """It lies face down until it is revealed, in the trail, a refusal and a stream as well."""
    rigged_floor.as_("a1").do(
        "make_table", {"table": "Felt", "game": "triple-shot-bonus", "deck": "physical"}, pin=PIN
    )
    dealer, watcher = Dealer(rigged_floor.as_("d1"), "Felt"), rigged_floor.as_("v1")
    dealer.begin("war 10, blackjack 10, poker 10")
    dealer.say("no more bets")
    for line in (dealer.view["round"]["next"], "deliver"):
        dealer.say(line)
    for line in ("expose 1: 9c", "expose dealer: Ad", "reconcile 1", "deliver", "expose 1: 5c"):
        dealer.say(line)
    dealer.say("close insurance")
    before = rigged_floor.position
    dealer.client.refused("round", {"table": "Felt", "text": "expose dealer: Kd Kd"})
    dealer.say("expose dealer: Kd")
    dealer.client.refused("round", {"table": "Felt", "text": "expose dealer: Kd"})
    assert dealer.view["round"]["dealer"] == ["Ad", "??"]
    assert dealer.view["round"]["phase"] == "reveal"
    pages = ["/api/trail", "/api/trail?table=Felt", "/api/trail/export", "/api/tables/Felt"]
    told = [watcher.http.get(page).text for page in pages]
    with watcher.listen("events", last=before) as stream:
        events = [stream.next()[1] for _ in range(3)]
    assert [event["kind"] for event in events] == ["refused", "round", "refused"]
    assert {event["hash"] for event in events} == {"(not shown)"}
    assert {events[n]["data"]["digest"] for n in (0, 2)} == {"(not shown)"}
    assert not [text for text in (*told, json.dumps(events)) if "Kd" in text]
    for line in ("reveal dealer", "reconcile 1", "deliver", "expose 1: 2d 3h 4h 6s"):
        dealer.say(line)
    for line in ("reconcile 1", "close"):
        dealer.say(line)
    found = watcher.get("/api/trail")["events"]
    after = [event["data"].get("text") for event in found if event["kind"] == "round"]
    assert "expose dealer: Kd" in after
