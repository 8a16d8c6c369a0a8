"""Who learns, and what exams came to."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "learner",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("owner", sa.String(80), nullable=False),
        sa.Column("course", sa.String(64), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("person", sa.String(60), nullable=True),
        sa.Column("version", BIG, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("begun_at", sa.String(32), nullable=False),
        sa.Column("updated_at", sa.String(32), nullable=False),
        sa.UniqueConstraint("owner", "course", name="one_course"),
    )
    op.create_index("learner_updated", "learner", ["updated_at"])
    op.create_table(
        "exam_result",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("learner", sa.String(20), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("person", sa.String(60), nullable=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_index("exam_result_learner", "exam_result", ["learner"])


def downgrade() -> None:
    """Take them away."""
    op.drop_table("exam_result")
    op.drop_table("learner")
