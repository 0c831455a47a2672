"""Players are remembered: name, color, and a picture if they like."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "players",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(30), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("color", sa.String(1), nullable=True),
        sa.Column("picture", sa.LargeBinary(), nullable=True),
        sa.Column("picture_mark", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
