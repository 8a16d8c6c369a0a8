"""Catalog: the data files of the package, read once each when first asked for.

What belongs to one game lies in the folder of the game, under the same name; it is read behind
what belongs to all.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

GAMES = Path(__file__).parents[1] / "games"


@cache
def catalog(name: str) -> dict[str, Any]:
    """The contents of <name>.toml, here and in the folders of the games."""
    return tomllib.loads(catalog_text(f"{name}.toml"))


def catalog_text(file_name: str) -> str:
    """The text of a file of the catalog, followed by those of the games."""
    own = Path(__file__).with_name(file_name)
    files = [*([own] if own.exists() else []), *sorted(GAMES.glob(f"*/{file_name}"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
