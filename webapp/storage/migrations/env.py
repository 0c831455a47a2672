"""What Alembic runs to bring a database up to date, or to compare it with the tables."""

from __future__ import annotations

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from webapp.storage.database import Base, Moment, from_environment


def run() -> None:
    """Run the migrations that Alembic asks for.

    `webapp.storage.database.Database.upgrade` gives the connection, in a transaction of its own. Called from
    Alembic's command line there is none; then ``SAGRADA_DATABASE_URL`` names the database.
    """
    connection: Connection | None = context.config.attributes.get("connection")
    if connection is not None:
        _run_on(connection)
        return
    database = from_environment()
    if database is None:
        raise SystemExit("Name a database to work on in SAGRADA_DATABASE_URL.")
    with database.schema_change() as own:
        _run_on(own)


def _run_on(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,  # SQLite changes a column by making the table anew
        render_item=_written,
    )
    with context.begin_transaction():
        context.run_migrations()


def _written(kind: str, item: object, _context: AutogenContext) -> str | Literal[False]:
    """Return how a type of ours is written in a step, so that no step depends on how it looks today."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, Moment) else False


if __name__ == "env_py":  # the name that Alembic gives to this file; importing it does nothing
    run()
