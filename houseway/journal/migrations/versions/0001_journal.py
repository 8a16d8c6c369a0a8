"""The journal, its seals, and what is worked out from them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "event",
        sa.Column("position", BIG, primary_key=True, autoincrement=False),
        sa.Column("stream", sa.String(80), nullable=False),
        sa.Column("version", BIG, nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("key", sa.String(120), nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("prior", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.UniqueConstraint("stream", "version", name="one_version"),
        sa.UniqueConstraint("key", "part", name="one_key"),
    )
    op.create_table(
        "seal",
        sa.Column("number", BIG, primary_key=True, autoincrement=False),
        sa.Column("position", BIG, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("heads", sa.String(64), nullable=False),
        sa.Column("prior", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "transfer",
        sa.Column("position", BIG, primary_key=True, autoincrement=False),
        sa.Column("part", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("debit", sa.String(120), nullable=False),
        sa.Column("credit", sa.String(120), nullable=False),
        sa.Column("amount", BIG, nullable=False),
    )
    op.create_index("transfer_debit", "transfer", ["debit"])
    op.create_index("transfer_credit", "transfer", ["credit"])
    op.create_table(
        "account",
        sa.Column("name", sa.String(120), primary_key=True),
        sa.Column("debits", BIG, nullable=False),
        sa.Column("credits", BIG, nullable=False),
    )
    op.create_table(
        "stream",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("version", BIG, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """A journal is never unmade."""
    raise NotImplementedError("a journal is never unmade")
