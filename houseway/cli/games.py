"""`houseway games`: what can be played."""

from houseway.cli.arguments import Json
from houseway.cli.listing import list_games


def games(*, json: Json = False) -> None:
    """The games, their bets and paytables, and the list of 66 games they come from.

    Example: `houseway games --json`
    """
    list_games(as_json=json)
