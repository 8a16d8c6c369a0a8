"""Blame: whose fault it is when a journal cannot be worked with, its own or the program's."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

from houseway.journal.audit import verify
from houseway.journal.rebuild import differences
from houseway.journal.state import Model
from houseway.journal.store import open_to_read, told, without_password
from houseway.refusal import Reason, Refused


@contextmanager
def blamed(url: str, model: Model) -> Iterator[None]:
    """Refuse what fails because a journal does not hold; a fault of the program stays one.

    A program that reads a journal need not expect values that no program has written.
    """
    try:
        yield
    except (Refused, SQLAlchemyError, OSError):
        raise
    except Exception:
        found = fault_of(url, model)
        if found is None:
            raise
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            f"the journal {without_password(url)} cannot be used: {found}; look at it with "
            "`houseway audit verify`, and restore a backup",
        ) from None


def fault_of(url: str, model: Model) -> str | None:
    """The first thing that does not hold in a journal; None where all does."""
    engine = open_to_read(url)
    try:
        with told(url), engine.connect() as connection:
            finding = verify(connection).finding
            if finding is not None:
                return f"{finding.record} {finding.problem}"
            return next(differences(connection, model), None)
    finally:
        engine.dispose()
