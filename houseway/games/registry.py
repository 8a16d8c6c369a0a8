"""Registry: every game by its code, loaded when it is first asked for.

A game is a folder beside this file that defines `GAME`; its code is the name of the folder with
hyphens. A folder that cannot be loaded is left out and said to be so, and the others go on working.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from houseway.games.check import faults, undecided, without_paytable
from houseway.games.contract import Game
from houseway.games.shelf import Shelf, read_shelf
from houseway.house.options import Options, register
from houseway.refusal import Reason, Refused, listed

HOME = Path(__file__).parent


class Entry(NamedTuple):
    """A game with what lies in its folder."""

    game: Game
    folder: Path
    shelf: Shelf


@cache
def _folders() -> dict[str, Path]:
    found = (path for path in sorted(HOME.iterdir()) if (path / "__init__.py").exists())
    return {path.name.replace("_", "-"): path for path in found}


def codes() -> tuple[str, ...]:
    """The code of every game, in alphabetical order; none of them is loaded for it."""
    return tuple(_folders())


def game_of(code: str | Game) -> Game:
    """The game of that code; refused with the known codes when there is none.

    A game that has no folder yet, such as one that is being checked, is handed over as itself.
    """
    return code if isinstance(code, Game) else entry_of(code).game


def shelf_of(game: Game) -> Shelf:
    """The paytables in the folder of a game; none for a game that has no folder."""
    known = entry_of(game.code) if game.code in _folders() else None
    return Shelf() if known is None or known.game is not game else known.shelf


@cache
def entry_of(code: str) -> Entry:
    """A game with its folder, once it was looked through; refused where it cannot be played."""
    folder = _folders().get(code) if isinstance(code, str) else None
    if folder is None:
        raise Refused(Reason.UNKNOWN_GAME, f"game {code!r} is unknown; known: {listed(codes())}")
    return load(code, folder, f"houseway.games.{folder.name}")


def load(code: str, folder: Path, module: str) -> Entry:
    """The game that a module in a folder defines; refused with a sentence that names both."""
    where = f"game folder {folder.name!r}"
    try:
        game = import_module(module).GAME
        wrong = faults(game, code)
        shelf = Shelf() if wrong else read_shelf(game, folder)
        wrong = wrong or [*without_paytable(game, shelf), *undecided(game, shelf)]
    except Exception as error:
        # Whatever somebody else's game does, the others go on working.
        raise Refused(Reason.BAD_GAME, f"{where} cannot be loaded: {error}") from error
    if wrong:
        raise Refused(Reason.BAD_GAME, f"{where}: {wrong[0]}")
    return Entry(game, folder, shelf)


def shown_options(code: str, options: Options) -> dict[str, str]:
    """The options that touch a game, and any other that is set; of a progressive those set."""
    return game_of(code).shown_options(options) if code in codes() else options.chosen()


def kept_options(code: str | Game, texts: Mapping[str, str]) -> dict[str, str]:
    """Options as an earlier program kept them, without those of other games, which did nothing."""
    mine = register(game_of(code).options)
    others = [name for name in texts if name not in mine]
    if others:
        known = {name for game in all_games() for name in register(game.options)}
        others = [name for name in others if name in known]
    return {name: text for name, text in texts.items() if name not in others}


@cache
def all_games() -> tuple[Game, ...]:
    """Every game that can be loaded."""
    broken = problems()
    return tuple(game_of(code) for code in codes() if code not in broken)


def problems() -> dict[str, str]:
    """Why a game cannot be loaded, in a sentence, for each that cannot."""
    found = {}
    for code in codes():
        try:
            entry_of(code)
        except Refused as refused:
            found[code] = refused.message
    return found
