"""Environments: each game as a Gymnasium environment, registered when this room is imported."""

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"module {error.name!r} is not installed; install houseway with the extra 'rl'",
        name=error.name,
    ) from None

from houseway.rl.environments import (
    TableEnvironment,
    ThreeCardPoker,
    ThreeCardPokerFaceUp,
    TripleShotBonus,
    TripleShotRummy,
)

__all__ = [
    "ENVIRONMENTS",
    "TableEnvironment",
    "ThreeCardPoker",
    "ThreeCardPokerFaceUp",
    "TripleShotBonus",
    "TripleShotRummy",
]

ENVIRONMENTS = {
    f"houseway/{found.__name__}-v0": found
    for found in (ThreeCardPoker, ThreeCardPokerFaceUp, TripleShotRummy, TripleShotBonus)
}
"""The environments by the names they are registered under."""

for _name, _found in ENVIRONMENTS.items():
    gymnasium.register(id=_name, entry_point=f"{_found.__module__}:{_found.__name__}")
