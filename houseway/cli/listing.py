"""Listing: the games as people and programs read them, loading as little as can be."""

from typing import Any

from houseway.catalog.register import game_list
from houseway.cli.output import console, print_json, table
from houseway.games import GAMES
from houseway.games.library import chosen_bets, designators, paytables_of
from houseway.games.progressive import NAMES


def list_games(*, as_json: bool) -> None:
    """Print the games, their bets and paytables, and the list of 66 they come from."""
    document = _document()
    if as_json:
        print_json(document)
        return
    for entry in document["games"] + document["progressives"]:
        console().print(f"[bold]{entry['name']}[/bold]  [cyan]{entry['code']}[/cyan]")
        console().print(f"  bets: {', '.join(entry['bets'])}")
        for bet, codes in entry["paytables"].items():
            console().print(f"  {bet} paytables: {', '.join(codes)}")
        if entry.get("designators"):
            console().print(f"  designators: {', '.join(entry['designators'])}")
    listed = table("no.", "game of the 2023 list", "implemented as", right=("no.",))
    for entry in document["catalogue"]:
        played = ", ".join(entry["implemented"]) or "[dim]not implemented[/dim]"
        listed.add_row(str(entry["number"]), entry["name"], played)
    console().print()
    console().print(listed)


def _document() -> dict[str, Any]:
    return {
        "games": [
            {
                "code": game.code,
                "name": game.name,
                "bets": list(game.wagers),
                "catalogue": [n.number for n in game_list() if game.code in n.implemented],
                "paytables": {
                    bet: [paytable.code for paytable in paytables_of(game.code, bet)]
                    for bet in chosen_bets(game)
                },
                "designators": [entry.code for entry in designators(game.code)],
            }
            for game in GAMES
        ],
        "progressives": [
            {
                "code": code,
                "name": name,
                "bets": ["progressive"],
                "paytables": {
                    "progressive": [paytable.code for paytable in paytables_of(code, "progressive")]
                },
            }
            for code, name in NAMES.items()
        ],
        "catalogue": [
            {
                "number": entry.number,
                "name": entry.name,
                "implemented": list(entry.implemented),
            }
            for entry in game_list()
        ],
    }
