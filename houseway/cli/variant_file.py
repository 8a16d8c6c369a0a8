"""Variant file: a game of one's own in place of the name of a game."""

from pathlib import Path

from houseway.refusal import Reason, Refused
from houseway.rules.variant import MOST_FILE, read_variant

TAKE_ONE = (
    *("rules", "settle", "par", "pack", "hold", "strategy", "simulate", "session", "play", "deal"),
)
"""Commands that begin with a game and take options and paytables."""
ENDING = ".json"


def expanded(tokens: list[str]) -> list[str]:
    """The arguments with a variant file written out as the game, options and paytables it holds."""
    if len(tokens) < 2 or tokens[0] not in TAKE_ONE or not tokens[1].endswith(ENDING):
        return tokens
    name = tokens[1]
    try:
        with Path(name).open(encoding="utf-8") as file:
            text = file.read(MOST_FILE + 1)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise Refused(Reason.BAD_ARGUMENT, f"variant file {name!r} cannot be read: {why}") from None
    return [tokens[0], *read_variant(text).arguments(), *tokens[2:]]
