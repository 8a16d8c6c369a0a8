"""Digest: which code and which paytables run here, as one number that can be compared.

A wheel carries the digest of each of its files; a file that was changed since is found when the
server starts, and it does not start.
"""

import csv
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from houseway.refusal import Reason, Refused

HOME = Path(__file__).parent.parent
KINDS = (".py", ".toml", ".inc")
"""Files that say what the program does."""


@dataclass(frozen=True, slots=True)
class Running:
    """What runs."""

    digest: str
    files: int
    checked: bool
    """True when every file was held against what the wheel says of it."""


def running() -> Running:
    """The digest of the code and its tables; refused where a file is not what was installed."""
    found = sorted(p for p in HOME.rglob("*") if p.suffix in KINDS and "__pycache__" not in p.parts)
    whole = sha256()
    for path in found:
        whole.update(f"{path.relative_to(HOME).as_posix()}\0".encode())
        whole.update(sha256(path.read_bytes()).digest())
    return Running(whole.hexdigest(), len(found), check_installed(HOME, _record()))


def check_installed(home: Path, record: dict[str, str]) -> bool:
    """True when files were held against a record; refused when one differs."""
    checked = False
    for name, wanted in record.items():
        path = home.parent / name
        if not wanted or not name.startswith("houseway/") or path.suffix not in KINDS:
            continue
        checked = True
        content = path.read_bytes() if path.is_file() else b""
        digest = urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
        if f"sha256={digest}" != wanted:
            raise Refused(
                Reason.NOT_APPROVED,
                f"{name} is not as it was installed; install the program again before it is used",
            )
    return checked


def _record() -> dict[str, str]:
    """What the installed wheel says of its files; nothing for a checkout."""
    try:
        text = distribution("houseway").read_text("RECORD") or ""
    except PackageNotFoundError:
        return {}
    return {row[0]: row[1] for row in csv.reader(text.splitlines()) if len(row) > 1}
