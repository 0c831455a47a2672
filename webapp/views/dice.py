"""The page of your dice, and learning them from loose dice and from a window."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from calibration.profiles.samples import dice_beside
from scoring import Color, Die
from scoring.board import VALUES
from scoring.errors import SagradaError
from vision.photo import load_photo
from vision.profile import How, Pips, Profile, Quality
from vision.reading import Point
from webapp.domain.dice import OUTDATED, LearningResult, free_name, quality_said
from webapp.domain.dice import PIPS as PIPS_SAID
from webapp.domain.errors import InputError, StoreError, in_words_of_the_rules
from webapp.domain.payloads import as_listed
from webapp.domain.record import Record
from webapp.http.errors import problem_of
from webapp.http.faces import sent_file, shown, uploaded
from webapp.http.preferences import gettext, lazy_gettext, words
from webapp.services import context, dice, photos
from webapp.services.photos import SHOWN_TABLE_PX
from webapp.storage.profiles import LONGEST_FILE, KeptProfile, usable
from webapp.workers.work import encode

BRIGHT = 62.0  # L* from which dark letters are read better than light ones
PIPS = {Pips.LIGHT: "#fff", Pips.DARK: "#15171d", Pips.MIXED: "#8b8f98"}  # what they are drawn in
LEARNED_FROM = {
    How.WINDOW: lazy_gettext("a window"),
    How.LOOSE: lazy_gettext("loose dice"),
    How.CORRECTIONS: lazy_gettext("corrections"),
}


def profile_shown(kept_profile: KeptProfile) -> dict[str, Any]:
    """Return a profile for a template, or why its file is of no use."""
    profile = kept_profile.profile
    return {
        "key": kept_profile.key,
        "name": kept_profile.name,
        "problem": problem_of(kept_profile.error) if kept_profile.error else None,
        "profile": profile,
        "is_default": kept_profile.is_default,
        "can_undo": kept_profile.can_undo,
        "samples": kept_profile.samples,
        "outdated": words().say(OUTDATED) if kept_profile.is_outdated else None,
        "quality": words().say(quality_said(profile)) if profile else None,
        "swatches": swatches(profile) if profile else [],
        "pips": words().say(PIPS_SAID[profile.pips]) if profile else None,
        "sources": [(LEARNED_FROM[one.how], one.when, one.dice) for one in profile.sources]
        if profile
        else [],
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

    ``asked`` is what the address says of dice that were just taught, see `told_of`, and ``refused`` why
    the dice were not learned as a form said, which stays in its fields.
    """
    read = record.shown
    if read is None or not can_teach(record):
        return None
    form = request.form if refused else {}
    names = [one.name for one in context.known_profiles()]
    corrected = sum(one.die != record.board[one.row, one.column] for one in read.cells)
    known = read.profile
    return {
        "unlike": read.unlike_dice,
        "known": known,
        "doubts": len(record.doubts),
        "problem": problem_of(refused) if refused else None,
        "all_right": "all_right" in form,
        "keep": "keep" in form,
        "is_open": refused is not None or read.unlike_dice or (known is not None and corrected > 0),
        "name": form.get("name") or known or free_name(gettext("Our dice"), names),
        "names": names,
        "keeps": _keeps(),
        "told": told_of(asked),
    }


def asked_of(result: LearningResult) -> dict[str, Any]:
    """Return what stands in an address so that the page tells what came of learning."""
    quality = result.quality
    return {
        "result": "learned" if result.adopted else "refused",
        "dice": quality.dice,
        "before": quality.before,
        "after": quality.after,
        "odd": " ".join(map(str, result.odd)),
    }


def told_of(asked: Mapping[str, Any], *, loose: bool = False) -> dict[str, Any] | None:
    """Return what came of the learning that an address speaks of, None where it speaks of none."""
    try:
        dice, before, after = (int(asked[key]) for key in ("dice", "before", "after"))
        odd = tuple(range(20)[int(one)] for one in str(asked["odd"]).split())
        adopted = {"learned": True, "refused": False}[str(asked["result"])]
    except (LookupError, ValueError):
        return None
    result = LearningResult("", adopted, Quality(dice, before, after), odd, loose=loose)
    return {"adopted": adopted, "sentences": [words().say(one) for one in result.sentences]}


def _keeps() -> bool | None:
    """Tell whether pictures are kept; None where nobody was asked, or the file cannot be used."""
    with suppress(StoreError):
        return context.profile_store().settings().keeps
    return None


blueprint = Blueprint("dice", __name__)

MOST_LOOSE = 12  # found dice that are offered to be named; a set has five
FIELDS = ("place", "color", "value")  # of each of them in the form


@blueprint.get("/dice")
def show(error: SagradaError | None = None, *, failed: str | None = None) -> Response:
    """Show the dice that were taught here, with what was refused where something was, and in which form."""
    return shown(
        "dice.html",
        error=error,
        draw=lambda: {
            "failed": failed,
            "sets": [profile_shown(one) for one in context.profile_store().all()],
            "keeps": _keeps(),
            "told": told_of(request.args, loose=True),
            "done": request.args.get("done"),
        },
    )


@blueprint.post("/dice/of/<profile>")
def change(profile: str) -> ResponseReturnValue:
    """Rename dice, make them the default, forget their last photo or delete them."""
    try:
        match request.form.get("do"):
            case "default":
                dice.change(profile, default=True)
                return _to_list("chosen")
            case "undo":
                dice.undo(profile)
                return _to_list("undone")
            case "delete":
                _demand_sure()
                dice.delete(profile)
                return _to_list("deleted")
            case _:
                dice.change(profile, name=request.form.get("name", ""))
                return _to_list("renamed")
    except SagradaError as error:
        return show(error, failed=profile)


@blueprint.get("/dice/of/<profile>/file.json")
def export(profile: str) -> ResponseReturnValue:
    """Hand over dice as the file that the command line writes, too."""
    content = str(usable(context.profile_store().get(profile)))
    headers = {"Content-Disposition": f'attachment; filename="sagrada-dice-{profile}.json"'}
    return Response(content, mimetype="application/json", headers=headers)


@blueprint.post("/dice/import")
def take_in_file() -> ResponseReturnValue:
    """Add the dice of an exported file."""
    content = b""
    try:
        content = sent_file(LONGEST_FILE + 1)
        dice.take_in(_text(content))
    except SagradaError as error:
        answer = show(error, failed="file")
        if len(content) > LONGEST_FILE:
            answer.status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        return answer
    return _to_list("imported")


@blueprint.post("/dice/keep")
def keep_pictures() -> ResponseReturnValue:
    """Switch on or off that pictures are kept and confirmed windows are learned from."""
    try:
        context.profile_store().keep_pictures(keep=request.form.get("keep") == "yes")
    except SagradaError as error:
        return show(error, failed="keep")
    return _to_list("kept")


@blueprint.post("/dice/forget")
def forget() -> ResponseReturnValue:
    """Delete all pictures of dice, and what was learned from them where that is asked for."""
    try:
        _demand_sure()
        dice.forget(profiles="profiles" in request.form)
    except SagradaError as error:
        return show(error, failed="forget")
    return _to_list("forgotten")


# --- Loose dice ------------------------------------------------------------------------------------


@blueprint.post("/dice/loose")
def take_loose() -> ResponseReturnValue:
    """Take in a photo of loose dice, which is kept until they are named, for a day at most."""
    try:
        content = uploaded()
        with photos.decoding():
            found = dice_beside(content, MOST_LOOSE)
        if not found:
            raise InputError("no_loose_dice")
    except SagradaError as error:
        return show(error, failed="loose")
    return redirect(url_for("dice.show_loose", photo_id=dice.keep_photo(content)), 303)


@blueprint.get("/dice/loose/<photo_id>")
def show_loose(
    photo_id: str, error: SagradaError | None = None, told: dict[str, Any] | None = None
) -> Response:
    """Show the dice that were found in a photo, to be named, with why they were refused."""
    content = dice.photo_content(photo_id)
    with photos.decoding():
        size, found = load_photo(content).full_size, dice_beside(content, MOST_LOOSE)
    names = [one.name for one in context.known_profiles()]
    return shown(
        "dice_loose.html",
        error=error,
        draw=lambda: {
            "told": told,
            "photo_id": photo_id,
            "size": size,
            "found": found,
            "values": VALUES,
            "keeps": _keeps(),
            "name": request.form.get("name") or free_name(gettext("Our dice"), names),
            "names": names,
            "typed": {
                "keep": "keep" in request.form,
                "dice": {
                    place: said for place, *said in zip(*map(request.form.getlist, FIELDS), strict=False)
                },
            },
        },
    )


@blueprint.get("/dice/loose/<photo_id>/photo.jpg")
def loose_photo(photo_id: str) -> ResponseReturnValue:
    """Return the photo as it is shown."""
    with photos.decoding():
        image = load_photo(dice.photo_content(photo_id), max_side=SHOWN_TABLE_PX).image_bgr
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(encode(image), mimetype="image/jpeg", headers=headers)


@blueprint.post("/dice/loose/<photo_id>")
def learn_loose(photo_id: str) -> ResponseReturnValue:
    """Learn the loose dice that were named; then their photo goes."""
    content = dice.photo_content(photo_id)
    try:
        taught = dice.learn_loose(content, request.form.get("name", ""), _named(), keep=keep_asked())
    except SagradaError as error:
        return show_loose(photo_id, error)
    asked = asked_of(taught.result)
    if not taught.result.adopted:
        return show_loose(photo_id, told=told_of(asked, loose=True))
    dice.remove_photo(photo_id)
    return redirect(url_for("dice.show", **asked), 303)


def _named() -> list[tuple[Point, Die | Color]]:
    """Return the dice that the form names, each with where it lies."""
    form = request.form
    named: list[tuple[Point, Die | Color]] = []
    for place, letter, value in zip(*map(form.getlist, FIELDS), strict=False):
        if letter:
            with in_words_of_the_rules():
                die = Die.parse(f"{letter}{value}") if value else as_listed(letter, Color)
            try:
                x, y = map(float, place.split(","))
            except ValueError as error:
                raise InputError("bad_request") from error
            named.append(((x, y), die))
    return named


def keep_asked() -> bool | None:
    """Return whether pictures may be kept, None where the form did not ask."""
    return "keep" in request.form if "keep_asked" in request.form else None


def _demand_sure() -> None:
    if "sure" not in request.form:
        raise InputError("profile_not_confirmed")


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")  # an editor may have added the mark
    except UnicodeDecodeError as error:
        raise InputError("no_profile_file") from error


def _to_list(done: str) -> Response:
    return make_response(redirect(url_for("dice.show", done=done), 303))
