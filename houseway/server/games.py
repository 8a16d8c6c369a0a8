"""Games: the words of every game, and what its decisions do, for screens that know none."""

from functools import cache

from houseway.games import GAMES
from houseway.games.contract import SEATS, Action, Ask, Deal, Game, Stage
from houseway.names import bet_name
from houseway.server.views.games import ActionView, BetWords, Games, GameView


@cache
def games() -> Games:
    """Every game."""
    return {"games": [_game(game) for game in GAMES]}


def _game(game: Game) -> GameView:
    asked = [step for step in game.script if isinstance(step, Ask)]
    return {
        "game": game.code,
        "name": game.name,
        "about": game.about,
        "unit": game.unit,
        "first_cards": _first_cards(game),
        "decides_on": list(dict.fromkeys(ask.needs for ask in asked if ask.needs)),
        "bets": [_bet(game, code) for code in game.order],
        "actions": [_action(action, ask) for ask in asked for action in ask.actions],
        "stages": {
            step.name: step.name.capitalize() for step in game.script if isinstance(step, Stage)
        },
    }


def _first_cards(game: Game) -> int:
    found = 0
    for step in game.script:
        if isinstance(step, Ask):
            break
        if isinstance(step, Deal) and step.to == SEATS:
            found += step.down + step.up
    return found


def _bet(game: Game, code: str) -> BetWords:
    side = game.side_bet(code)
    name = bet_name(code)
    short = side.short if side is not None else ""
    return {"code": code, "name": name, "short": short or name}


def _action(action: Action, ask: Ask) -> ActionView:
    puts = action.puts
    return {
        "action": action.name,
        "label": action.label,
        "key": action.key,
        "puts": None
        if puts is None
        else {"bet": puts.bet, "times": float(puts.times), "of": puts.of},
        "folds": action.folds,
        "offer": ask.offers,
    }
