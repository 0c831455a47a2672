"""The household's dice as the pages show them: swatches, lessons, and what is asked beside a reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from flask import request

from scoring import Color
from scoring.errors import SagradaError
from vision.profile import How, Pips, Profile, Quality
from webapp.services.errors import StoreError
from webapp.services.household import (
    Lesson,
    free_name,
    outdated_said,
    quality_said,
)
from webapp.services.record import Record
from webapp.storage.profiles import Settings, Shelved
from webapp.web import context
from webapp.web.errors import problem_of
from webapp.web.language import gettext, words

BRIGHT = 62.0  # L* from which dark letters are read better than light ones
PIPS = {Pips.LIGHT: "#fff", Pips.DARK: "#15171d", Pips.MIXED: "#8b8f98"}  # what they are drawn in


def shown(shelved: Shelved) -> dict[str, Any]:
    """Return a profile for a template, or why its file is of no use."""
    profile = shelved.profile
    return {
        "key": shelved.key,
        "name": shelved.name,
        "problem": problem_of(shelved.error) if shelved.error else None,
        "profile": profile,
        "is_default": shelved.is_default,
        "can_undo": shelved.can_undo,
        "samples": shelved.samples,
        "outdated": words().say(outdated_said()) if shelved.is_outdated else None,
        "quality": words().say(quality_said(profile)) if profile else None,
        "swatches": swatches(profile) if profile else [],
        "pips": _pips(profile) if profile else None,
        "lessons": [(_how(one.how), one.when, one.dice) for one in profile.lessons] if profile else [],
    }


def swatches(profile: Profile) -> list[dict[str, Any]]:
    """Return the five colors as they look, None for one that nobody named: of it the game's own counts."""
    found = []
    for color in Color:
        dye = profile.dyes[color]
        lab = np.array([[dye.lab]], np.float32)
        rgb = (np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB))[0, 0].clip(0, 1) * 255).round().astype(int)
        found.append(
            {
                "letter": color.value,
                "name": words().name(color),
                "fill": "#{:02x}{:02x}{:02x}".format(*rgb.tolist()) if dye.dice else None,
                "ink": "#15171d" if dye.lab[0] > BRIGHT else "#fff",
                "pip": PIPS[profile.pips],
            }
        )
    return found


def can_teach(record: Record) -> bool:
    """Tell whether a window was read in a photo, so that dice can be learned from it."""
    return record.failure is None and record.shown is not None and bool(record.size) and not record.for_card


def beside(
    record: Record, asked: Mapping[str, str], refused: SagradaError | None = None
) -> dict[str, Any] | None:
    """Return what a window's page offers to learn from it; None where nothing was read in a photo.

    Parameters
    ----------
    record
        The window.
    asked
        What the address says behind the question mark of a lesson that was just learned; see `told_of`.
    refused
        Why the dice were not learned as a form said; what it said stays in its fields.
    """
    read = record.shown
    if read is None or not can_teach(record):
        return None
    form = request.form if refused else {}
    names = [one.name for one in context.known_profiles()]
    corrected = sum(one.die != record.board[one.row, one.column] for one in read.cells)
    known = read.profile
    chosen = settings()
    return {
        "unlike": read.unlike_dice,
        "known": known,
        "corrected": corrected,
        "doubts": len(record.doubts),
        "problem": problem_of(refused) if refused else None,
        "all_right": "all_right" in form,
        "keep": "keep" in form,
        "is_open": refused is not None or read.unlike_dice or (known is not None and corrected > 0),
        "name": form.get("name") or known or free_name(gettext("Our dice"), names),
        "names": names,
        "keeps": chosen.keeps if chosen else None,
        "told": told_of(asked),
    }


def asked_of(lesson: Lesson) -> dict[str, Any]:
    """Return what stands in an address so that the page tells what came of a lesson."""
    quality = lesson.quality
    return {
        "lesson": "learned" if lesson.adopted else "refused",
        "dice": quality.dice,
        "before": quality.before,
        "after": quality.after,
        "odd": " ".join(map(str, lesson.odd)),
    }


def told_of(asked: Mapping[str, Any], *, loose: bool = False) -> dict[str, Any] | None:
    """Return what came of the lesson that an address speaks of, None where it speaks of none."""
    try:
        dice, before, after = (int(asked[key]) for key in ("dice", "before", "after"))
        odd = tuple(range(20)[int(one)] for one in str(asked["odd"]).split())
        adopted = {"learned": True, "refused": False}[str(asked["lesson"])]
    except (LookupError, ValueError):
        return None
    lesson = Lesson("", adopted, Quality(dice, before, after), odd, loose=loose)
    return {"adopted": adopted, "sentences": [words().say(one) for one in lesson.sentences]}


def settings() -> Settings | None:
    """Return what was chosen for all dice, None where the file cannot be used."""
    try:
        return context.profile_store().settings()
    except StoreError:
        return None


def _pips(profile: Profile) -> str:
    return {
        Pips.LIGHT: gettext("light pips"),
        Pips.DARK: gettext("dark pips"),
        Pips.MIXED: gettext("pips neither light nor dark"),
    }[profile.pips]


def _how(how: How) -> str:
    return {
        How.WINDOW: gettext("a window"),
        How.LOOSE: gettext("loose dice"),
        How.CORRECTIONS: gettext("corrections"),
    }[how]
