"""One kind of database does here: what differs between the two is tested with the journal."""

from tests.journal.databases import quick_database

__all__ = ["quick_database"]
