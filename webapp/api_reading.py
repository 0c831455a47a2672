"""A reading as JSON: for everybody the same plain data, for our own scripts also the parts of their page."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, make_response, render_template, request, url_for

from webapp import cookies, error_words, present
from webapp.storage import Record

REGIONS = ("board", "overlay", "card", "doubts", "window", "score", "problems")
PLAIN = (
    "id",
    "revision",
    "board",
    "size",
    "corners",
    "window",
    "total",
    "problems",
    "removals",
    "cells",
    "choices",
)
LINE = ("name", "kind", "points", "formula", "cells")
ONLY_FOR_THE_PAGE = ("view", "publicCount", "autoLabel")


def wants_regions() -> bool:
    """Tell whether the parts of the page were asked for, with ``?with=regions``."""
    return "regions" in request.args.getlist("with")


def answer(record: Record, status: int = 200) -> Response:
    """Return the state of a reading."""
    shown = present.state(record)
    told = plain(record, shown)
    if wants_regions():
        page = present.public_state(shown)
        told |= {key: page[key] for key in ONLY_FOR_THE_PAGE}
        told["regions"] = {name: render_template(f"_{name}.html", state=shown) for name in REGIONS}
    return make_response(jsonify(told), status)


def made(record: Record) -> Response:
    """Return the state of a new reading; this browser remembers it unless it was made only for a card."""
    response = answer(record, 201)
    response.headers["Location"] = url_for("api.show", record_id=record.id)
    return response if record.for_card else cookies.remember(response, record.id)


def plain(record: Record, shown: dict[str, Any]) -> dict[str, Any]:
    """Return a reading as plain data, names and sentences in the visitor's language.

    Parameters
    ----------
    record
        The reading.
    shown
        What `present.state` says of it.
    """
    page = present.public_state(shown)
    return {
        **{key: page[key] for key in PLAIN},
        "lines": [{key: line[key] for key in LINE} for line in shown["score"]["lines"]],
        "failure": _failure(record),
        "links": links(record),
    }


def links(record: Record) -> dict[str, str | None]:
    """Return where the other things about a reading are."""
    has_photo = record.size is not None
    return {
        "self": url_for("api.show", record_id=record.id),
        "placement": url_for("placement_api.show", record_id=record.id),
        "page": url_for("pages.show", record_id=record.id),
        "picture": url_for("art.window", record_id=record.id),
        "photo": url_for("pages.photo", record_id=record.id) if has_photo else None,
    }


def _failure(record: Record) -> dict[str, str] | None:
    """Return why the photo could not be read, None when it was."""
    told = record.failure
    return error_words.problem(told["code"], told["message"], told["next_step"]) if told else None
