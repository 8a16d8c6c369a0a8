"""Kernels: loops over arrays, compiled; the only room that imports numba, and no rule is in it.

Compiled code is kept in a folder of the user's cache named by a digest of every source file of
the package and by numba's version. Numba itself only looks at the file a kernel stands in, so
without this a change elsewhere could leave a stale kernel in use.
"""

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

import numba
import platformdirs

from houseway import __version__


@cache
def source_digest() -> str:
    """A digest of every source file of the package; any change gives another."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(f"{__version__} {numba.__version__}".encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels and computed counts of these very sources are kept."""
    base = os.environ.get("HOUSEWAY_CACHE_DIR") or platformdirs.user_cache_dir("houseway")
    return Path(base) / source_digest()


def _kernel_folder() -> str:
    """The folder for compiled kernels; one that is thrown away where none may be kept."""
    if not os.environ.get("HOUSEWAY_NO_CACHE"):
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
