"""Databases that tests write to: a file for SQLite, a private server on loopback for PostgreSQL."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from tests.journal.ports import free_port
from tests.waiting import wait_for

KINDS = ("sqlite", "postgresql")
MOSTLY_ONE = [KINDS[0], *(pytest.param(kind, marks=pytest.mark.soak) for kind in KINDS[1:])]
on_both_kinds = pytest.mark.parametrize("database", KINDS, indirect=True)
"""Runs a test on both kinds of database where `make test` has most on one alone."""
mostly_on_one_kind = pytest.mark.parametrize("database", MOSTLY_ONE, indirect=True)
"""Runs a test on the other kind in `make soak` only: what it shows is the same on both."""


def postgres_tools() -> Path:
    """The folder of initdb and postgres; tests fail loudly where there is none."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*"), key=lambda p: p.name, reverse=True)
    folders = [folder / "bin" for folder in versions] + [Path("/usr/local/bin"), Path("/usr/bin")]
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise AssertionError(
        "PostgreSQL is not installed: run `make postgresql`, or install its server package"
    )


def server_user() -> str | None:
    """Whom the server runs as: it refuses to be root."""
    return "postgres" if os.geteuid() == 0 else None


class Server:
    """A PostgreSQL server of our own on a free loopback port, thrown away at the end."""

    def __init__(self) -> None:
        self.tools = postgres_tools()
        self.folder = Path(tempfile.mkdtemp(prefix="houseway-pg-"))
        self.user = server_user()
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        self.port = free_port()
        self.data = self.folder / "data"
        self._run("initdb", "-D", str(self.data), "-U", "houseway", "-A", "trust", "-N")
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def _run(self, tool: str, *arguments: str) -> None:
        subprocess.run(
            [str(self.tools / tool), *arguments],
            check=True,
            user=self.user,
            cwd=self.folder,
            capture_output=True,
        )

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
            "max_connections": "60",
        }
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(self.tools / "postgres"), "-D", str(self.data), *flags],
                user=self.user,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        # After a crash it first makes every file of every database safe, which may take its time.
        wait_for(self.answers)

    def answers(self) -> bool:
        """True when the server lets somebody in."""
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "log").read_text()
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=1).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, *, immediate: bool = False) -> None:
        """Stop the server: in good order, or at once as when the power goes."""
        assert self.process is not None
        mode = "immediate" if immediate else "fast"
        # In good order it first writes everything to a disk that may be busy.
        self._run("pg_ctl", "stop", "-D", str(self.data), "-m", mode, "-w", "-t", "300")
        self.process.wait()

    def close(self) -> None:
        """Stop the server and throw it away."""
        if self.process is not None and self.process.poll() is None:
            self.stop(immediate=True)
        # Thousands of files, for which nobody has to wait.
        os.spawnlp(os.P_NOWAIT, "rm", "rm", "-rf", str(self.folder))

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://houseway@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of a new, empty database."""
        name = f"floor_{uuid4().hex[:12]}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)


@contextmanager
def server() -> Iterator[Server]:
    """A server for as long as it is needed."""
    made = Server()
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(name="database", params=MOSTLY_ONE)
def quick_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new, empty database: SQLite in `make test`, every kind in `make soak`."""
    if request.param == KINDS[0]:
        return f"sqlite:///{tmp_path / 'floor.sqlite'}"
    made: str = request.getfixturevalue("server").new_database()
    return made
