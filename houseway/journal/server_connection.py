"""Server connection: a connection to PostgreSQL on which nobody waits for ever."""

from time import monotonic
from typing import Any

from psycopg import Connection, OperationalError
from psycopg.abc import RV, PQGen


class ServerConnection(Connection[Any]):
    """A connection that is given up when the server has been silent for too long.

    Timeouts of the server help as long as what it says arrives, and those of the network as long
    as nobody in between answers in its place. This one helps always.
    """

    patience: float | None = None
    """Seconds for any one answer."""

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """Wait for an answer."""
        limit = self.patience if timeout is None else timeout
        began = monotonic()
        try:
            return super().wait(gen, interval, limit)
        except OperationalError as error:
            if limit is not None and monotonic() - began >= limit:
                # Nothing more is asked of it, not even to roll back.
                self.close()
                told = f"the server has been silent for {limit:g} seconds"
                raise OperationalError(told) from error
            if error.sqlstate is None:
                # The server did not say this: its line is gone, whether the driver knows or not.
                self.close()
            raise
