"""Kernels: loops over arrays, compiled; the only room that imports numba, and no rule is in it.

Compiled code is kept in a folder of the user's cache named by numba's version and by a digest of
the kernels and of what they take from other modules, which are types and the size of a deck. Numba
itself only looks at the file a kernel stands in, so without this a change elsewhere could leave a
stale kernel in use. Rules come to a kernel as arrays, so a changed rule needs none compiled anew.
"""

import hashlib
import tempfile
from functools import cache
from pathlib import Path

import numba

from houseway import __version__
from houseway.exact.kept import cache_base, may_keep

TAKEN_FROM = ("cards", "exact.kept", "exact.tabulate")
"""The modules of the package that kernels import; a test holds it against what they do."""


@cache
def source_digest() -> str:
    """A digest of the kernels and of the modules they import; any change gives another."""
    package = Path(__file__).parents[2]
    digest = hashlib.sha256(f"{__version__} {numba.__version__}".encode())
    others = [package.joinpath(*name.split(".")) for name in TAKEN_FROM]
    files = [path / "__init__.py" if path.is_dir() else path.with_suffix(".py") for path in others]
    for path in (*sorted(Path(__file__).parent.rglob("*.py")), *files):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels of these very sources are kept."""
    return cache_base() / source_digest()


def _kernel_folder() -> str:
    """The folder for compiled kernels; one that is thrown away where none may be kept."""
    if may_keep():
        try:
            folder = cache_folder() / "kernels"
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            pass
        else:
            return str(folder)
    return _THROWN_AWAY.name


_THROWN_AWAY = tempfile.TemporaryDirectory(prefix="houseway-")
setattr(numba.config, "CACHE_DIR", _kernel_folder())  # noqa: B010 - numba is not typed
