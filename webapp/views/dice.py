"""The page of the household's dice, and learning them from loose dice and from a window."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from calibration.profiles.beside import dice_beside
from scoring import Color, Die
from scoring.board import VALUES
from scoring.errors import SagradaError
from vision.photo import load_photo
from vision.reading import Point
from webapp.services.errors import InputError, in_words_of_the_rules
from webapp.services.household import free_name
from webapp.services.plain import as_listed
from webapp.storage.profiles import LONGEST_FILE, usable
from webapp.views import dice_view
from webapp.views.frame import whole
from webapp.views.readings import window_page
from webapp.web import context, household, pending, photos
from webapp.web.faces import shown
from webapp.web.language import gettext
from webapp.web.photo_reading import SHOWN_TABLE_PX
from webapp.workers.work import encode

blueprint = Blueprint("dice", __name__)

MOST_LOOSE = 12  # found dice that are offered to be named; a set has five
FIELDS = ("place", "color", "value")  # of each of them in the form


@blueprint.get("/dice")
def show() -> ResponseReturnValue:
    """Show the dice of this house."""
    return _list_page()


def _list_page(error: SagradaError | None = None, *, failed: str | None = None) -> Response:
    """Return the list, with what was refused where something was, and which form it comes from."""
    settings = dice_view.settings()
    return shown(
        "dice.html",
        error=error,
        draw=lambda: {
            "failed": failed,
            "sets": [dice_view.shown(one) for one in context.profile_store().all()],
            "keeps": settings.keeps if settings else None,
            "told": dice_view.told_of(request.args, loose=True),
            "done": request.args.get("done"),
        },
    )


@blueprint.post("/dice/of/<profile>")
def change(profile: str) -> ResponseReturnValue:
    """Rename dice, make them the default, undo their last lesson or delete them."""
    done = "renamed"
    try:
        match request.form.get("do"):
            case "default":
                household.change(profile, default=True)
                done = "chosen"
            case "undo":
                household.undo(profile)
                done = "undone"
            case "delete":
                _demand_sure()
                household.delete(profile)
                done = "deleted"
            case _:
                household.change(profile, name=request.form.get("name", ""))
    except SagradaError as error:
        return _list_page(error, failed=profile)
    return _to_list(done)


@blueprint.get("/dice/of/<profile>/file.json")
def export(profile: str) -> ResponseReturnValue:
    """Hand over dice as the file that the command line writes, too."""
    content = str(usable(context.profile_store().get(profile)))
    headers = {"Content-Disposition": f'attachment; filename="sagrada-dice-{profile}.json"'}
    return Response(content, mimetype="application/json", headers=headers)


@blueprint.post("/dice/import")
def take_in_file() -> ResponseReturnValue:
    """Add the dice of an exported file."""
    upload = request.files.get("file")
    content = upload.read(LONGEST_FILE + 1) if upload else b""
    if upload:
        upload.close()  # a large one lies in a file of its own
    try:
        if not content:
            raise InputError("window_file_missing")
        household.take_in(_text(content))
    except SagradaError as error:
        answer = _list_page(error, failed="file")
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
        return _list_page(error, failed="keep")
    return _to_list("kept")


@blueprint.post("/dice/forget")
def forget() -> ResponseReturnValue:
    """Delete all pictures of dice, and what was learned from them where that is asked for."""
    try:
        _demand_sure()
        household.forget(profiles="profiles" in request.form)
    except SagradaError as error:
        return _list_page(error, failed="forget")
    return _to_list("forgotten")


@blueprint.post("/w/<record_id>/learn")
def learn_window(record_id: str) -> ResponseReturnValue:
    """Learn the dice of a window, once all of them were looked at."""
    try:
        taught = household.learn_window(
            record_id,
            request.form.get("name", ""),
            whole("revision"),
            all_right="all_right" in request.form,
            keep=_keep(),
        )
    except SagradaError as error:
        record = context.store().load(record_id)
        if not dice_view.can_teach(record):
            raise
        return window_page(record, error)
    asked = dice_view.asked_of(taught.lesson)
    return redirect(url_for("pages.show", record_id=record_id, _anchor="learn", **asked), 303)


@blueprint.get("/w/<record_id>/learn")
def to_window(record_id: str) -> ResponseReturnValue:
    """Lead back to the window where the answer to a lesson is loaded again."""
    return redirect(url_for("pages.show", record_id=record_id), 303)


# --- Loose dice ------------------------------------------------------------------------------------


@blueprint.post("/dice/loose")
def take_loose() -> ResponseReturnValue:
    """Take in a photo of loose dice, which is kept until they are named, for a day at most."""
    try:
        content = photos.uploaded()
        with photos.decoding():
            found = dice_beside(content, MOST_LOOSE)
        if not found:
            raise InputError("no_loose_dice")
    except SagradaError as error:
        return _list_page(error, failed="loose")
    return redirect(url_for("dice.show_loose", photo_id=pending.keep(content)), 303)


@blueprint.get("/dice/loose/<photo_id>")
def show_loose(photo_id: str) -> ResponseReturnValue:
    """Show the dice that were found in a photo, to be named."""
    return _loose_page(photo_id)


def _loose_page(
    photo_id: str, error: SagradaError | None = None, told: dict[str, Any] | None = None
) -> Response:
    """Return the page on which loose dice are named, with what came of a lesson where it was refused."""
    content = pending.content(photo_id)
    with photos.decoding():
        size, found = load_photo(content).full_size, dice_beside(content, MOST_LOOSE)
    settings = dice_view.settings()
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
            "keeps": settings.keeps if settings else None,
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
        image = load_photo(pending.content(photo_id), max_side=SHOWN_TABLE_PX).image_bgr
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(encode(image), mimetype="image/jpeg", headers=headers)


@blueprint.post("/dice/loose/<photo_id>")
def learn_loose(photo_id: str) -> ResponseReturnValue:
    """Learn the loose dice that were named; then their photo goes."""
    content = pending.content(photo_id)
    try:
        taught = household.learn_loose(content, request.form.get("name", ""), _named(), keep=_keep())
    except SagradaError as error:
        return _loose_page(photo_id, error)
    asked = dice_view.asked_of(taught.lesson)
    if not taught.lesson.adopted:
        return _loose_page(photo_id, told=dice_view.told_of(asked, loose=True))
    pending.remove(photo_id)
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


def _keep() -> bool | None:
    """Return whether pictures may be kept, None where the form did not ask."""
    return "keep" in request.form if "keep_asked" in request.form else None


def _demand_sure() -> None:
    if "sure" not in request.form:
        raise InputError("profile_not_confirmed")


def _text(content: bytes) -> str:
    try:
        return content[: LONGEST_FILE + 1].decode("utf-8-sig")  # an editor may have added the mark
    except UnicodeDecodeError as error:
        raise InputError("no_profile_file") from error


def _to_list(done: str) -> Response:
    """Return the way to the list, which says what was done."""
    return make_response(redirect(url_for("dice.show", done=done), 303))
