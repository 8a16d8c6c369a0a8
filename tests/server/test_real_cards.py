"""Real cards over the wire: a whole round of each game by what the view asks for."""

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
