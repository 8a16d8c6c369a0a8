"""Events are found by their kind: a report reads what it is about, and not the whole journal."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index."""
    op.create_index("event_kind", "event", ["kind", "position"])


def downgrade() -> None:
    """Take it away."""
    op.drop_index("event_kind", "event")
