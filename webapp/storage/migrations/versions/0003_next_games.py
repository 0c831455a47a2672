"""A device keeps its seat, with the same token, in the next game of the same people."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Let several seats have the same token, each in a game of its own."""
    with op.batch_alter_table("seats") as seats:
        seats.drop_constraint("uq_seats_token", type_="unique")
    op.create_index("ix_seats_token", "seats", ["token"])
