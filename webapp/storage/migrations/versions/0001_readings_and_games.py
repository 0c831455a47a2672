"""Readings, games at the table, and their seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "readings",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_readings"),
    )
    op.create_table(
        "games",
        sa.Column("code", sa.String(6), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revealed", sa.DateTime(timezone=True), nullable=True),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_games"),
    )
    op.create_index("ix_games_host", "games", ["host"])
    op.create_table(
        "seats",
        sa.Column("game", sa.String(6), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(30), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("record_id", sa.String(16), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("link", sa.String(64), nullable=True),
        sa.Column("link_expires", sa.DateTime(timezone=True), nullable=True),
        sa.Column("former", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="pk_seats"),
        sa.ForeignKeyConstraint(["game"], ["games.code"], name="fk_seats_game_games", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["record_id"], ["readings.id"], name="fk_seats_record_id_readings", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("token", name="uq_seats_token"),
        sa.UniqueConstraint("record_id", name="uq_seats_record_id"),
    )
