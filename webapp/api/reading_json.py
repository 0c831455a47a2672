"""A reading as JSON."""

from __future__ import annotations

from typing import cast

from flask import Response, jsonify, make_response, url_for

from webapp.api.answers import Error, Reading, ReadingLinks
from webapp.companion.games.result import case_of
from webapp.companion.judging import Judgement, judge
from webapp.companion.record import Record, spaces_of
from webapp.web import access, context, cookies
from webapp.web.errors import problem_of
from webapp.web.language import cell_label, words


def judged(record: Record) -> Judgement:
    """Return what the rules say about a window, at its table where it belongs to one."""
    return judge(case_of(record, access.game_of(record.id), context.known_windows()))


def answer(record: Record, status: int = 200) -> Response:
    """Return the state of a reading."""
    return make_response(jsonify(plain(record)), status)


def made(record: Record) -> Response:
    """Return the state of a new reading; this browser remembers it unless it was made only for a card."""
    response = answer(record, 201)
    response.headers["Location"] = url_for("api.show", record_id=record.id)
    return response if record.for_card else cookies.remember(response, record.id)


def plain(record: Record) -> Reading:
    """Return a reading as plain data, labels and sentences in the visitor's language."""
    judgement, choices = judged(record), record.choices
    return {
        "id": record.id,
        "revision": record.revision,
        "size": list(record.size) if record.size else None,
        "corners": [list(point) for point in record.shown.corners] if record.shown else None,
        **judgement.to_json(words()),
        "cells": [
            {
                "name": space.name,
                "label": cell_label(space.name, space.die, doubtful=space.doubtful),
                "die": str(space.die) if space.die else None,
                "doubtful": space.doubtful,
                "candidates": list(space.candidates),
                "restriction": space.restriction,
            }
            for space in spaces_of(record, judgement.case.card)
        ],
        "choices": {
            "public": [card.value for card in choices.public],
            "private": choices.private_letter,
            "window": choices.window,
            "favor_tokens": choices.favor_tokens,
        },
        "failure": _failure(record),
        "links": links(record),
    }


def links(record: Record) -> ReadingLinks:
    """Return where the other things about a reading are."""
    has_photo = record.size is not None
    return {
        "self": url_for("api.show", record_id=record.id),
        "placement": url_for("placement_api.show", record_id=record.id),
        "page": url_for("pages.show", record_id=record.id),
        "picture": url_for("art.window", record_id=record.id),
        "photo": url_for("pages.photo", record_id=record.id) if has_photo else None,
    }


def _failure(record: Record) -> Error | None:
    """Return why the photo could not be read, None when it was."""
    return cast("Error", problem_of(record.failure.error())) if record.failure else None
