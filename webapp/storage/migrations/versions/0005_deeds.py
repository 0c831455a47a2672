"""What devices added for everybody is written down, so that it can be bounded and undone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "deeds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("done", sa.DateTime(timezone=True), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("maker", sa.String(64), nullable=True),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("act", sa.String(12), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("before", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_deeds"),
    )
    op.create_index("ix_deeds_device", "deeds", ["device", "kind", "done"])
    op.create_index("ix_deeds_name", "deeds", ["kind", "name"])
