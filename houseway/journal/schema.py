"""Schema: the tables of a journal, one for both databases.

`event` and `seal` are the journal. Everything else is worked out from them, is written in the same
transaction, and can be made anew.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()
Big = BigInteger().with_variant(Integer(), "sqlite")

event = Table(
    "event",
    metadata,
    Column("position", Big, primary_key=True, autoincrement=False),
    Column("stream", String(80), nullable=False),
    Column("version", Big, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("schema", Integer, nullable=False),
    Column("key", String(120), nullable=False),
    Column("part", Integer, nullable=False),
    Column("actor", String(80), nullable=False),
    Column("at", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("prior", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("stream", "version", name="one_version"),
    UniqueConstraint("key", "part", name="one_key"),
    # A floor has millions of events, and people look back for one kind or one person.
    Index("event_kind", "kind", "position"),
    Index("event_actor", "actor", "position"),
)

seal = Table(
    "seal",
    metadata,
    Column("number", Big, primary_key=True, autoincrement=False),
    Column("position", Big, nullable=False),
    Column("at", String(32), nullable=False),
    Column("heads", String(64), nullable=False),
    Column("prior", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)

# Who is signed in: neither journal nor projection, and in no backup.

session = Table(
    "session",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("card", String(60), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("ends_at", String(32), nullable=False),
)

second_factor = Table(
    "second_factor",
    metadata,
    Column("card", String(60), primary_key=True),
    Column("secret", String(64), nullable=False),
    Column("step", Big, nullable=False),
)

# Who learns: neither journal nor projection. Nobody is paid by it, and it grows with every answer.

learner = Table(
    "learner",
    metadata,
    Column("id", String(20), primary_key=True),
    # Whose it is: a hash of what the browser is known by, or a card.
    Column("owner", String(80), nullable=False),
    Column("course", String(64), nullable=False),
    Column("name", String(60), nullable=False),
    Column("person", String(60), nullable=True),
    Column("version", Big, nullable=False),
    Column("state", Text, nullable=False),
    Column("begun_at", String(32), nullable=False),
    Column("updated_at", String(32), nullable=False),
    UniqueConstraint("owner", "course", name="one_course"),
    Index("learner_updated", "updated_at"),
)

exam_result = Table(
    "exam_result",
    metadata,
    # The SHA-256 of what was examined, which the certificate shows.
    Column("digest", String(64), primary_key=True),
    Column("learner", String(20), nullable=False),
    Column("name", String(60), nullable=False),
    Column("person", String(60), nullable=True),
    Column("game", String(40), nullable=False),
    Column("passed", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("at", String(32), nullable=False),
    Index("exam_result_learner", "learner"),
)

# Projections.

transfer = Table(
    "transfer",
    metadata,
    Column("position", Big, primary_key=True, autoincrement=False),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("debit", String(120), nullable=False),
    Column("credit", String(120), nullable=False),
    Column("amount", Big, nullable=False),
    Index("transfer_debit", "debit"),
    Index("transfer_credit", "credit"),
)

account = Table(
    "account",
    metadata,
    Column("name", String(120), primary_key=True),
    Column("debits", Big, nullable=False),
    Column("credits", Big, nullable=False),
)

form = Table(
    "form",
    metadata,
    # One row: in which form a program has written the states of streams.
    Column("digest", String(64), primary_key=True),
)

stream = Table(
    "stream",
    metadata,
    Column("name", String(80), primary_key=True),
    Column("version", Big, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("state", Text, nullable=False),
)
