"""Environments: each game as a Gymnasium environment, registered when this room is imported."""

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"module {error.name!r} is not installed; install houseway with the extra 'rl'",
        name=error.name,
    ) from None

from houseway.games import GAMES
from houseway.rl.environments import TableEnvironment

__all__ = ["ENVIRONMENTS", "TableEnvironment"]

ENVIRONMENTS = {
    f"houseway/{''.join(word.capitalize() for word in game.code.split('-'))}-v0": game.code
    for game in GAMES
}
"""The games by the names that their environments are registered under."""

for _name, _code in ENVIRONMENTS.items():
    gymnasium.register(
        id=_name,
        entry_point=f"{TableEnvironment.__module__}:{TableEnvironment.__name__}",
        kwargs={"game": _code},
    )
