"""The words of the games that screens take from the server."""

from collections import defaultdict

import pytest

from houseway.games import GAMES
from houseway.games.contract import Ask, Game
from houseway.server.games import games
from tests.server.serving import InThread


def test_anybody_may_ask_for_the_words_of_the_games(rigged_floor: InThread) -> None:
    found = rigged_floor.client().get("/api/games")
    assert found == games()
    assert [one["game"] for one in found["games"]] == [game.code for game in GAMES]


def test_a_code_has_one_name_in_all_games() -> None:
    names: dict[str, set[str]] = defaultdict(set)
    for game in games()["games"]:
        for bet in game["bets"]:
            names[f"bet {bet['code']}"].add(bet["name"])
        for action in game["actions"]:
            names[f"action {action['action']}"].add(action["label"])
        for stage, name in game["stages"].items():
            names[f"stage {stage}"].add(name)
    assert {code: found for code, found in names.items() if len(found) > 1} == {}


@pytest.mark.parametrize("game", GAMES, ids=[game.code for game in GAMES])
def test_no_key_chooses_two_decisions_of_one_question(game: Game) -> None:
    for ask in (step for step in game.script if isinstance(step, Ask)):
        keys = [action.key for action in ask.actions if action.key]
        assert len(set(keys)) == len(keys)
    assert game.about.endswith(".")
    assert all(action.label for action in game.actions)
