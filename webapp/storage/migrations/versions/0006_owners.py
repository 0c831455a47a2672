"""The log of who did what goes; who added a window card or dice that all games share stays known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Take the owners out of the log, and drop it."""
    op.create_table(
        "owners",
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", name="pk_owners"),
    )
    op.execute(
        "INSERT INTO owners (kind, name, owner) SELECT kind, name, maker FROM deeds WHERE id IN "
        "(SELECT max(id) FROM deeds WHERE act = 'added' AND kind IN ('window', 'dice') AND maker IS NOT NULL "
        "GROUP BY kind, name)"
    )
    op.drop_table("deeds")
