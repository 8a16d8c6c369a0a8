"""Strategy: the best way to play a game, as data a simulator reads and as words people read."""

from collections.abc import Mapping
from typing import Any

from houseway.exact.solver import solver_of
from houseway.games import game_of
from houseway.games.registry import shown_options
from houseway.house.options import Chosen
from houseway.rules.seat import Pairs, read_house

VERSION = 1


def strategy_document(
    game: str,
    options: Chosen | Mapping[str, str] | None = None,
    paytables: str | Mapping[str, str] | Pairs | None = None,
) -> dict[str, Any]:
    """The optimal strategy as plain data: a decision for every hand that asks for one.

    Three-card games name one hand of every class up to a change of suits; in Face Up the
    decisions stand in the order of the 52 up cards, '-' where a card is in the hand. Blackjack
    names hands by kinds and gives a decision for every up card.
    """
    found = game_of(game)
    chosen, tables = read_house(found, options, paytables, community=False)
    document: dict[str, Any] = {
        "houseway_strategy": VERSION,
        "game": game,
        "options": shown_options(game, chosen),
        "strategy": "optimal",
    }
    best = solver_of(found).strategy(tables, chosen)
    document["summary"] = best.summary
    document["hands"] = best.hands
    return document
