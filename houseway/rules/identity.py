"""Identity: the digest of a ruleset, which stands for these rules and no others (CMP-01).

A digest covers the game, the revision of its approved rules, every paytable row, and the options
that touch the game and differ from their defaults. So it changes when what is played changes, and
not when the program learns a new option. The day of a round is not in it: limits are dated data
and apply on the day.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from houseway.catalog import catalog
from houseway.games.contract import Game
from houseway.house.options import Options
from houseway.house.paytables import PayTable

FORMS = (1, 2, 3)
"""The forms of rounds and digests that are known.

The digests of the first covered every option that there was. Rounds of the first two settled
insurance by a hole card that still lay face down.
"""
FORM = FORMS[-1]
"""The form that is written today."""
DATED = ("date",)
"""Options that belong to a day and not to the rules."""


def digest(
    game: Game, revision: str, options: Options, paytables: Mapping[Any, PayTable], form: int
) -> str:
    """Sixty-four hexadecimal digits for the rules of a game, by the form that a record names."""
    rows = {bet: table.to_json() for bet, table in paytables.items()}
    if form == 1:
        _put_first_sources(game.code, rows)
    else:
        # Where a pay was printed is no part of what is played.
        rows = {
            bet: {part: row[part] for part in ("code", "pays", "envy") if part in row}
            for bet, row in rows.items()
        }
    content = {
        "game": game.code,
        "revision": revision,
        "options": chosen_options(game, options) if form > 1 else _first_options(game, options),
        "paytables": rows,
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _put_first_sources(game: str, rows: Mapping[Any, dict[str, Any]]) -> None:
    """Put the sources that the first form named where more have been found since."""
    for kept in catalog("identity").get("first_source", ()):
        row = rows.get(kept["bet"])
        if row is not None and (game, row["code"]) == (kept["game"], kept["code"]):
            row["source"] = kept["source"]


def chosen_options(game: Game, options: Options) -> dict[str, str]:
    """The options that touch the game and differ from their defaults, as text."""
    usual = game.options().to_json()
    return {
        name: text
        for name, text in options.to_json().items()
        if name not in DATED and text != usual[name] and game.touches(name)
    }


def _first_options(game: Game, options: Options) -> dict[str, str]:
    """The options of the first form: all that were known then, and any other that is set."""
    values, usual = options.to_json(), game.options().to_json()
    found: dict[str, Any] = {}
    for part in catalog("identity")["first_form"]:
        if game.code in part["games"]:
            found |= part["options"]
    found |= {name: text for name, text in values.items() if name in found or text != usual[name]}
    return {name: text for name, text in found.items() if name not in DATED}
