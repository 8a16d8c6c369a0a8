"""Who is signed in; and PostgreSQL tells whoever listens that something was written."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TELL = """
CREATE FUNCTION houseway_tell() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN NOTIFY houseway_events; RETURN NULL; END $$
"""
TRIGGER = """
CREATE TRIGGER houseway_tell AFTER INSERT ON event
FOR EACH STATEMENT EXECUTE FUNCTION houseway_tell()
"""


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "session",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("card", sa.String(60), nullable=False),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("ends_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "second_factor",
        sa.Column("card", sa.String(60), primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("step", BIG, nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(TELL)
        op.execute(TRIGGER)


def downgrade() -> None:
    """Take them away."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER houseway_tell ON event")
        op.execute("DROP FUNCTION houseway_tell")
    op.drop_table("second_factor")
    op.drop_table("session")
