"""Which program has written the states that are worked out from events."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; who opens the journal next fills it."""
    op.create_table("form", sa.Column("digest", sa.String(64), primary_key=True))


def downgrade() -> None:
    """A journal is never unmade."""
    raise NotImplementedError("a journal is never unmade")
