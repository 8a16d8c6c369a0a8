"""Events are also found by their kind and by who did them, for people who look back."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the indexes."""
    op.create_index("event_kind", "event", ["kind", "position"])
    op.create_index("event_actor", "event", ["actor", "position"])


def downgrade() -> None:
    """Take them away."""
    op.drop_index("event_actor", "event")
    op.drop_index("event_kind", "event")
