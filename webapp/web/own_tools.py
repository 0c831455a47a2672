"""The tool cards that this house knows; pages and JSON interface both come here."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, current_app

from scoring import EXPANSION_TOOLS, Color, Lift, Tool, ToolEffect, WindowSet
from webapp.services.errors import NotFoundError, StoreError
from webapp.storage.own_cards import TOOLS_FILE, ToolStore
from webapp.web import administrator, context


def register(app: Flask) -> None:
    """Let what people send name the tools of this house, as they are at that moment."""

    @app.before_request
    def _() -> None:
        own()


def store() -> ToolStore:
    """Return the tools of this house, to be changed."""
    return ToolStore(context.store().root / TOOLS_FILE)


def own() -> tuple[Tool, ...]:
    """Return the tools that people of this house added; none when their file cannot be used."""
    try:
        return store().take_up()
    except StoreError as error:
        current_app.logger.warning("%s", error)
        return ()


def known() -> tuple[Tool, ...]:
    """Return the tools of the game, of the expansion where this house has it, and its own."""
    more = EXPANSION_TOOLS if WindowSet.FIVE_AND_SIX in context.known_windows().sets else ()
    return (*Tool, *more, *own())


def add(name: str, effect: ToolEffect, color: Color, lifts: Sequence[Lift]) -> Tool:
    """Add a tool; only the administrator may."""
    administrator.demand()
    return store().add(name, effect, color, lifts)


def remove(name: str) -> None:
    """Remove a tool, or raise `NotFoundError`; games that were played with it keep it."""
    administrator.demand()
    if not store().remove(name):
        raise NotFoundError("tool_missing")
