"""Notices: what other processes have written to the same floor, heard from PostgreSQL."""

from collections.abc import Callable
from threading import Event, Thread

import psycopg

from houseway.journal.store import CHANNEL, driver_url

WAIT_SECONDS = 1.0


class Notices:
    """Listens for commits of others; a SQLite floor has no others."""

    def __init__(self, url: str, look: Callable[[], None]) -> None:
        self._url = driver_url(url)
        self._look = look
        self._stop = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to listen."""
        if self._url is not None:
            self._thread = Thread(target=self._run, name="houseway-notices", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        assert self._url is not None
        while not self._stop.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    # What was written while nobody listened.
                    self._look()
                    while not self._stop.is_set():
                        for _ in connection.notifies(timeout=WAIT_SECONDS, stop_after=1):
                            self._look()
            except psycopg.Error:
                self._stop.wait(WAIT_SECONDS)
