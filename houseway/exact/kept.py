"""Kept: costly exact results, counted once and found again on disk by every later process.

A result lies in a folder of the user's cache. The folder is named by a digest of every source and
data file of the package and of the versions of Python, numpy and numba, so no result of other
rules or of another program can be read. Files are pickles, as numba's own cache beside them is:
whoever may write to the folder may run code as this user. A file starts with the digest of its
content, and one that is damaged is counted anew.

With HOUSEWAY_COUNT_ANEW set every process counts for itself, with compiled kernels still at hand;
HOUSEWAY_NO_CACHE keeps nothing at all on disk.
"""

import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, update_wrapper
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).parents[1]
NOT_COUNTED = ("__pycache__", "screens")
"""Folders that no exact result depends on."""
KINDS = (".py", ".toml", ".json", ".inc")
IN_MEMORY = 64
"""Results of one function that are held at a time; the oldest goes first."""
FOLDERS = 8
"""Sources of so many kinds may have results on disk at a time; older ones are removed."""
CHECK = sha256().digest_size


class Kept(Generic[P, R]):
    """A function whose results are kept in memory, and on disk where that is allowed."""

    def __init__(self, function: Callable[P, R]) -> None:
        assert "." not in function.__qualname__, "only functions of a module are kept"
        update_wrapper(self, function)
        self.__wrapped__ = function
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._found: dict[tuple[Any, ...], R] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The result for these arguments, counted only where it is not found."""
        assert not kwargs, "arguments of a kept function are given by position"
        if args not in self._found:
            while len(self._found) >= IN_MEMORY:
                self._found.pop(next(iter(self._found)))
            self._found[args] = self._find(args)
        return self._found[args]

    def cache_clear(self) -> None:
        """Forget what is in memory; what is on disk stays."""
        self._found.clear()

    def path(self, *args: P.args, **kwargs: P.kwargs) -> Path:
        """The file of the result for these arguments."""
        assert not kwargs, "arguments of a kept function are given by position"
        return self._path(args)

    def _path(self, args: tuple[Any, ...]) -> Path:
        key = f"{self._name}{canonical_text(args)}"
        return results_folder() / sha256(key.encode()).hexdigest()[:32]

    def _find(self, args: tuple[Any, ...]) -> R:
        count: Callable[..., R] = self.__wrapped__
        if not may_keep() or os.environ.get("HOUSEWAY_COUNT_ANEW"):
            return count(*args)
        path = self._path(args)
        content = _read(path)
        if content is not None:
            found: R = pickle.loads(content)
            return found
        result = count(*args)
        # Sources that were edited under a running process may have been loaded in part.
        if digest_of(PACKAGE) == package_digest():
            _write(path, pickle.dumps(result, pickle.HIGHEST_PROTOCOL))
        return result


def kept(function: Callable[P, R]) -> Kept[P, R]:
    """Keep the results of a pure function of a module, in memory and on disk."""
    if may_keep():
        # Taken while modules are loaded: it must be of the sources that will count.
        package_digest()
    return Kept(function)


def may_keep() -> bool:
    """False where HOUSEWAY_NO_CACHE forbids to keep anything on disk."""
    return not os.environ.get("HOUSEWAY_NO_CACHE")


def cache_base() -> Path:
    """The folder for everything that is kept: HOUSEWAY_CACHE_DIR, or the user's cache."""
    if given := os.environ.get("HOUSEWAY_CACHE_DIR"):
        return Path(given)
    # Loaded here because the command line starts without it.
    import platformdirs

    return Path(platformdirs.user_cache_dir("houseway"))


def results_folder() -> Path:
    """The folder for results of these very sources."""
    return cache_base() / "results" / package_digest()


@cache
def package_digest() -> str:
    """The digest of this package and of what counts with it."""
    return digest_of(PACKAGE)


def digest_of(package: Path) -> str:
    """A digest of all sources and data under a folder, and of the versions that run them."""
    runs = [sys.version, *(_version(name) for name in ("numpy", "numba"))]
    digest = sha256("\0".join(runs).encode())
    for path in _sources(package):
        digest.update(f"\0{path.relative_to(package).as_posix()}\0".encode())
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _sources(folder: Path) -> list[Path]:
    """Every file that says what the program does, in one order on every machine."""
    found: list[Path] = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name not in NOT_COUNTED:
                found += _sources(Path(entry.path))
        elif entry.name.endswith(KINDS):
            found.append(Path(entry.path))
    return found


def _version(name: str) -> str:
    # Loaded here because it takes longer than all else, and not every process asks.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def canonical_text(value: object) -> str:
    """A text that two arguments share exactly when they are equal and of one type."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, Enum):
        return f"{kind}.{value.name}"
    if isinstance(value, int | str | Fraction):
        return f"{kind}({value!r})"
    if isinstance(value, tuple):
        return f"{kind}({', '.join(map(canonical_text, value))})"
    if isinstance(value, frozenset):
        return f"{kind}({', '.join(sorted(map(canonical_text, value)))})"
    if is_dataclass(value) and not isinstance(value, type):
        named = (f"{f.name}={canonical_text(getattr(value, f.name))}" for f in fields(value))
        return f"{kind}({', '.join(named)})"
    if kind == "numpy.ndarray":
        return f"{kind}({_array_text(value)})"
    raise TypeError(f"{value!r} has no canonical text, so no result can be kept by it")


def _array_text(array: Any) -> str:
    # Not typed, because the command line starts without numpy.
    return f"{array.dtype}, {array.shape}, {sha256(array.tobytes()).hexdigest()}"


def _read(path: Path) -> bytes | None:
    """The content of a file; None when there is none or it is damaged."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    check, content = whole[:CHECK], whole[CHECK:]
    return content if sha256(content).digest() == check else None


def _write(path: Path, content: bytes) -> None:
    """Put a file in place at once, so that nobody reads half of it; a full disk is no error."""
    with suppress(OSError):
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove_old(path.parent)
        made, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(made, "wb") as file:
                file.write(sha256(content).digest() + content)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)


def _remove_old(newest: Path) -> None:
    """Remove the results of sources that were in use longest ago."""
    others = [folder for folder in newest.parent.iterdir() if folder != newest]
    # A process that still uses one of them counts anew.
    others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in others[FOLDERS - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)
