"""Places: a SQLite database and the files that SQLite keeps beside it, and if they are there."""

import os
from collections.abc import Mapping
from pathlib import Path

Identity = tuple[int, int] | None
"""What tells one file from another, whatever its name; None where there is none."""
COMPANIONS = ("-wal", "-shm")


def files_of(path: Path) -> dict[Path, Identity]:
    """A database and what SQLite keeps beside it, each with the file that is there now."""
    # A link leads to the database, and its companions stand there.
    real = real_path(path)
    beside = (real.with_name(real.name + ending) for ending in COMPANIONS)
    return {one: identity_of(one) for one in (path, *beside)}


def real_path(path: Path) -> Path:
    """Where a path leads; one that leads in circles leads nowhere, and is not there."""
    return Path(os.path.realpath(path))


def identity_of(path: Path) -> Identity:
    """What tells a file from any other."""
    try:
        found = os.stat(path)  # noqa: PTH116 - asked with every commit, of every file
    except OSError:
        return None
    return found.st_dev, found.st_ino


def moved(files: Mapping[Path, Identity]) -> Path | None:
    """The first of these files that is not there any more; None when all are."""
    for path, identity in files.items():
        if identity is None or identity_of(path) != identity:
            return path
    return None


def gone(path: Path) -> str:
    """Says of a file what has become of it."""
    what = "is no longer there" if identity_of(path) is None else "is another file than before"
    return f"'{path}' {what}"
