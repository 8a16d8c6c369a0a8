"""Checkpoint: a run on disk, so that it may stop and go on.

Only whole blocks are kept: what is dealt in part is dealt again. A file is written beside the old
one, flushed to the disk and put in its place in one step, and ends with a digest of all it says.
"""

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from houseway.refusal import Reason, Refused
from houseway.sim.job import Job

VERSION = 1


def write(path: Path, job: Job, blocks: int, state: dict[str, Any]) -> None:
    """Write down that so many blocks are done and what they came to."""
    content = {
        "houseway_checkpoint": VERSION,
        "job": job.identity(),
        "blocks": blocks,
        "state": state,
    }
    text = _text(content)
    content["sha256"] = sha256(text.encode()).hexdigest()
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(_text(content))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _flush_folder(path.parent)
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT, f"checkpoint '{path}' cannot be written: {error.strerror}"
        ) from None
    finally:
        # Gone when it was put in its place; left where the disk is full or someone stops us.
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def seed_of(path: Path) -> int | None:
    """The seed of the run that a file keeps; None when there is no file yet."""
    content = _content(path)
    return None if content is None else int(content["job"]["rng_seed"])


def read(path: Path, job: Job) -> tuple[int, dict[str, Any]] | None:
    """How many blocks are done and what they came to; None when there is no file yet.

    Refused when the file is torn or of another job.
    """
    content = _content(path)
    if content is None:
        return None
    theirs, ours = content["job"], json.loads(_text(job.identity()))
    for name in job.identity():
        # In this order: who gave another game is told of the game and not of its decisions.
        value = ours[name]
        if theirs.get(name) != value:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"checkpoint '{path}' is of another run: its {_shown(name, theirs.get(name))}, "
                f"and this {_shown(name, value)}; give another file",
            )
    return int(content["blocks"]), content["state"]


def _content(path: Path) -> dict[str, Any] | None:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        words = error.strerror if isinstance(error, OSError) else "it is no text"
        raise Refused(Reason.BAD_ARGUMENT, f"checkpoint '{path}' cannot be read: {words}") from None
    return _checked(path, text)


def _checked(path: Path, text: str) -> dict[str, Any]:
    torn = Refused(
        Reason.BAD_ARGUMENT,
        f"checkpoint '{path}' is torn or was changed: what it says does not match its digest; "
        "use an older copy or begin anew with another file",
    )
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise torn from None
    if not isinstance(content, dict):
        raise torn
    digest = content.pop("sha256", None)
    if sha256(_text(content).encode()).hexdigest() != digest:
        raise torn
    if content.get("houseway_checkpoint") != VERSION:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"checkpoint '{path}' is of version {content.get('houseway_checkpoint')!r}; this "
            f"program reads version {VERSION}",
        )
    return content


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def _shown(name: str, value: object) -> str:
    text = json.dumps(value)
    return f"{name} is {text}" if len(text) <= 40 else f"{name} differs"


def _flush_folder(folder: Path) -> None:
    """Make the new name itself safe from a loss of power, where folders can be flushed."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_rounds(path: Path | None, done: int, wanted: int) -> None:
    """Refuse to go on with a run that has more rounds than are wanted."""
    if done > wanted:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"checkpoint '{path}' already has {done:,} rounds, more than the {wanted:,} asked for; "
            "ask for at least as many",
        )
