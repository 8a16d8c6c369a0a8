"""Checkup: whether the journal holds, found out beside whoever works, one reading at a time."""

import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Any

from sqlalchemy import select

from houseway.floor.invariants import verify_floor
from houseway.floor.statement import Period, Statement
from houseway.journal import schema
from houseway.journal.audit import Audit
from houseway.journal.journal import Journal
from houseway.journal.store import open_to_read, told
from houseway.journal.timekeeper import utc_now
from houseway.refusal import Reason, Refused

REPORT = "verification"
TITLE = "Audit verification"
"""What the last audit has found, as a report like any other."""
COLUMNS = (
    "verified_at verified_by from_record upto_record seals holds first_bad_record sentence "
    "records_now unsealed last_seal last_seal_at last_seal_hash"
)
WAIT_SECONDS = 20
REST_SECONDS = 0.002
"""How long a reading stands back after some events: people at the tables go first."""


class _LeftOff(Exception):  # noqa: N818 - an order, not a fault
    """The server closes."""


class Checkup:
    """The last audit of a journal and the one under way."""

    def __init__(self, journal: Journal, rest: Callable[[], object] | None = None) -> None:
        self._journal = journal
        self.rest = rest or _stand_back
        """Called after some events, for as long as the reading is to stand back."""
        self._lock = Lock()
        self._stop = Event()
        self._thread: Thread | None = None
        self._running: dict[str, Any] | None = None
        self._checked: dict[str, Any] | None = None

    def start(self, by: str, records: int, first: int = 1) -> bool:
        """Begin to read the journal from a record on; False when somebody has begun already."""
        if first > max(1, records):
            raise Refused(Reason.UNKNOWN_VALUE, f"record {first} is unknown; there are {records}")
        with self._lock:
            if self._running is not None or self._stop.is_set():
                return False
            self._running = {
                "by": by,
                "since": utc_now(),
                "events": first - 1,
                "of": records,
                "first": first,
            }
            self._thread = Thread(target=self._run, name="houseway-checkup", daemon=True)
            self._thread.start()
            return True

    def wait(self, seconds: float) -> None:
        """Wait for a reading that is under way, but no longer than that."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def close(self) -> None:
        """Leave off."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def status(self) -> dict[str, Any]:
        """How far a reading is, and what the last one found."""
        with self._lock:
            running, checked = self._running, self._checked
            return {
                "running": None if running is None else dict(running),
                "checked": None if checked is None else dict(checked),
            }

    def _run(self) -> None:
        began = self._running
        assert began is not None
        checked: dict[str, Any] | None = None
        try:
            checked = {"problem": None, **_found(self._read(began["first"]))}
        except _LeftOff:
            pass
        except Refused as refused:
            # It could not be read at all, which says nothing of whether it holds.
            checked = {**_found(None), "problem": refused.message}
        finally:
            with self._lock:
                if checked is not None:
                    told_by = {"by": began["by"], "at": utc_now(), "first": began["first"]}
                    self._checked = {**checked, **told_by}
                self._running = None

    def _read(self, first: int) -> Audit:
        url = self._journal.url
        engine = open_to_read(url)
        try:
            with told(""), engine.connect() as connection:
                return verify_floor(connection, self._progress, first)
        finally:
            engine.dispose()

    def _progress(self, events: int) -> None:
        if self._stop.is_set():
            raise _LeftOff
        with self._lock:
            assert self._running is not None
            self._running["events"] = events
            self._running["of"] = max(events, self._running["of"])
        self.rest()


def _stand_back() -> None:
    time.sleep(REST_SECONDS)


def _found(audit: Audit | None) -> dict[str, Any]:
    """What an audit found, with the first bad record in a sentence."""
    if audit is None:
        return {"holds": None, "events": 0, "seals": 0, "record": None, "sentence": None}
    found = audit.finding
    kind, _, number = (found.record if found else "").partition(" ")
    return {
        "holds": audit.holds,
        "events": audit.events,
        "seals": audit.seals,
        "record": int(number) if kind == "event" and number.isdecimal() else None,
        "sentence": None if found is None else f"{found.record} {found.problem}",
    }


def last_seal(journal: Journal) -> dict[str, Any] | None:
    """The last seal: its number, what it covers, when it was made, and its hash."""
    table = schema.seal
    newest = select(table).order_by(table.c.number.desc()).limit(1)
    with told(""), journal.engine.connect() as connection:
        row = connection.execute(newest).first()
    if row is None:
        return None
    return {"number": row.number, "position": row.position, "at": row.at, "hash": row.hash}


def verification(
    checkup: Checkup, journal: Journal, records: int, period: Period, zone: str, today: str
) -> Statement:
    """What the last audit has found; where there was none yet, the journal is read now.

    Refused for other days, since it is the journal of now that holds or does not, and while a
    long journal is still being read.
    """
    if (period.first, period.last) != (today, today) or period.table or period.shift:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the journal is verified as a whole, as it stands now; ask for {today}, with all "
            "tables and shifts",
        )
    if checkup.status()["checked"] is None:
        checkup.start("report", records)
        checkup.wait(WAIT_SECONDS)
    status = checkup.status()
    found, running = status["checked"], status["running"]
    if found is None:
        how_far = (
            f": {running['events']:,} of {running['of']:,} records are read" if running else ""
        )
        raise Refused(
            Reason.NOT_DONE_YET, f"the journal is being verified{how_far}; ask again in a moment"
        )
    seal = last_seal(journal)
    row = {
        "verified_at": found["at"],
        "verified_by": found["by"],
        "from_record": found["first"],
        "upto_record": found["events"],
        "seals": found["seals"],
        "holds": found["holds"],
        "first_bad_record": found["record"],
        "sentence": found["sentence"] or found["problem"],
        "records_now": records,
        "unsealed": max(0, records - (seal["position"] if seal else 0)),
        "last_seal": seal and seal["number"],
        "last_seal_at": seal and seal["at"],
        "last_seal_hash": seal and seal["hash"],
    }
    return Statement(
        name=REPORT,
        title=TITLE,
        period=period,
        time_zone=zone,
        columns=tuple(COLUMNS.split()),
        rows=[row],
        totals={},
    )
