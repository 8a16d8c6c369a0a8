"""Catalog: the data files of the package, read once each when first asked for."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def catalog(name: str) -> dict[str, Any]:
    """The contents of catalog/<name>.toml."""
    return tomllib.loads(catalog_text(f"{name}.toml"))


def catalog_text(file_name: str) -> str:
    """The text of a file of the catalog."""
    return Path(__file__).with_name(file_name).read_text(encoding="utf-8")
