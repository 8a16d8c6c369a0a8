"""Games: each one definition, in pure functions over small ints, in a folder of its own."""

from typing import TYPE_CHECKING, Any

from houseway.games.registry import all_games, codes, game_of, problems

if TYPE_CHECKING:
    from houseway.games.contract import Game

    GAMES: tuple[Game, ...]

__all__ = ["GAMES", "codes", "game_of", "problems"]


def __getattr__(name: str) -> Any:
    # Listing all games loads them; whoever asks for one loads that one.
    if name == "GAMES":
        return all_games()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
