"""Links that bring a seat to another device, and the devices that had it before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make room for them at the seats."""
    op.add_column("seats", sa.Column("link", sa.String(64), nullable=True))
    op.add_column("seats", sa.Column("link_expires", sa.DateTime(timezone=True), nullable=True))
    op.add_column("seats", sa.Column("former", sa.JSON(none_as_null=True), nullable=True))
