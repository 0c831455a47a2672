"""The dice of this house as JSON: what was learned of them, learning, and undoing it."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, cast

from flask import request, url_for
from pydantic import Field
from typing_extensions import TypedDict

from calibration.profiles.beside import dice_beside
from scoring import Color, Die
from vision.profile import LONGEST_NAME
from vision.reading import Point
from webapp.api.answers import Error
from webapp.api.body import Body
from webapp.api.dice_answers import Learned, Profile, ProfileFile, Profiles
from webapp.api.requests import OnRevision
from webapp.api.section import Section, made_at
from webapp.services.errors import InputError, in_words_of_the_rules
from webapp.services.household import payload_of
from webapp.services.plain import as_listed
from webapp.storage.profiles import LONGEST_FILE, Shelved, Taught, usable
from webapp.web import context, household, lessons, photos
from webapp.web.errors import problem_of
from webapp.web.language import words

blueprint = Section(
    "profiles_api",
    heading="Dice",
    about="What the dice of this house look like, where the program learned it: photos are read with those "
    "that fit. Dice are learned from a window whose dice somebody confirmed, or from loose dice.",
)

DiceName = Annotated[str, Field(max_length=2 * LONGEST_NAME)]  # blanks around it do not count
LEFT_OUT: Any = None


class ProfileChange(Body):
    """What changes; a key that is left out stays as it is."""

    name: DiceName = LEFT_OUT
    default: bool = LEFT_OUT
    """`true`: they are tried first from now on."""


class DiceChange(Body):
    """What changes for all dice."""

    keeps: bool
    """Whether pictures of dice are kept on the computer that serves this, and windows that somebody confirms
    are learned from."""


class ProfileTaken(Body):
    """Dice of another computer."""

    file: Annotated[str, Field(max_length=LONGEST_FILE)]
    """The text of the file, as `exportProfile` gives it."""


class Forgetting(Body):
    """What is forgotten beside the pictures."""

    profiles: bool = False
    """Also what was learned from them."""


class WindowLesson(OnRevision):
    """Dice of a window that are to be learned."""

    name: DiceName
    """What they are called; a profile of that name gets better."""
    all_right: bool = False
    """Whether all dice are right, also those that need a look."""
    keep: bool | None = None
    """Whether pictures of dice may be kept on the computer that serves this; null leaves it as it was."""


class LooseLesson(TypedDict):
    """A photo of loose dice, as a form."""

    photo: Annotated[str, Field(json_schema_extra={"contentMediaType": "image/*"})]
    """A JPEG, PNG, WebP or HEIC file."""
    name: str
    """What the dice are called."""
    dice: str
    """The dice in rows from the top, each from the left: `R5 Y2 G B P`, where a color alone will do."""
    keep: NotRequired[str]
    """`yes` or `no`: whether pictures of dice may be kept on the computer that serves this."""


@blueprint.action("get", "/dice", "listProfiles", errors=[503])
def show_all() -> Profiles:
    """List the dice of this house."""
    store = context.profile_store()
    return {"profiles": [_answer(one) for one in store.all()], "keeps": store.settings().keeps}


@blueprint.action("patch", "/dice", "changeDice", errors=[503])
def change_all(wanted: DiceChange) -> Profiles:
    """Switch on or off that windows are learned from as soon as their dice are confirmed.

    Pictures that are kept stay until they are forgotten.
    """
    context.profile_store().keep_pictures(keep=wanted.keeps)
    return show_all()


@blueprint.action("post", "/dice", "importProfile", status=201, size=2 * LONGEST_FILE, errors=[503])
def take_in_file(sent: ProfileTaken) -> Profile:
    """Add the dice of a file.

    Those of the same name that are here are not written over.
    """
    made = household.take_in(sent.file)
    made_at(url_for("profiles_api.show", profile=made.key))
    return _answer(made)


@blueprint.action("get", "/dice/<profile>", "getProfile", errors=[404])
def show(profile: str) -> Profile:
    """Get what is known of dice."""
    return _answer(context.profile_store().get(profile))


@blueprint.action("get", "/dice/<profile>/file", "exportProfile", errors=[404])
def export(profile: str) -> ProfileFile:
    """Get dice as a file, for another computer."""
    return {"file": str(usable(context.profile_store().get(profile)))}


@blueprint.action("patch", "/dice/<profile>", "changeProfile", errors=[403, 404, 503])
def change(wanted: ProfileChange, profile: str) -> Profile:
    """Rename dice or let them be tried first."""
    return _answer(household.change(profile, **wanted.sent()))


@blueprint.action("delete", "/dice/<profile>", "deleteProfile", errors=[403, 404, 503])
def remove(profile: str) -> None:
    """Delete dice with all that they were learned from."""
    household.delete(profile)


@blueprint.action("delete", "/dice/<profile>/lesson", "undoLesson", errors=[403, 404, 503])
def undo(profile: str) -> None:
    """Go back to what was known before the last lesson.

    Before the first one was nothing: then the dice are gone.
    """
    household.undo(profile)


@blueprint.action("post", "/dice-forgotten", "forgetDice", errors=[403, 503])
def forget(what: Forgetting) -> None:
    """Delete all pictures of dice that were kept, and that they may be kept."""
    household.forget(profiles=what.profiles)


@blueprint.action("post", "/readings/<record_id>/lesson", "learnWindow", errors=[404, 409])
def learn_window(lesson: WindowLesson, record_id: str) -> Learned:
    """Learn the dice of a window that was read from a photo, once all of them were looked at.

    When they are learned, `profile` of the reading names them.
    """
    return _learned(
        household.learn_window(
            record_id, lesson.name, lesson.revision, all_right=lesson.all_right, keep=lesson.keep
        )
    )


@blueprint.action("delete", "/readings/<record_id>/lesson", "unlearnWindow", errors=[404])
def unlearn_window(record_id: str) -> None:
    """Take back what was learned from a window, as long as nothing was learned of these dice since.

    Nothing is learned from it by itself any more.
    """
    lessons.undo(record_id)


@blueprint.action("post", "/dice-lessons", "learnLooseDice", form=LooseLesson, errors=[422])
def learn_loose() -> Learned:
    """Learn loose dice, such as one of each color laid side by side."""
    content, form = photos.uploaded(), request.form
    with photos.unread(), in_words_of_the_rules():
        codes = form.get("dice", "").split()
        dice = [Die.parse(code) if len(code) > 1 else as_listed(code, Color) for code in codes]
        found = dice_beside(content, len(dice))
    if len(found) < len(dice):
        raise InputError("no_loose_dice")
    named: list[tuple[Point, Die | Color]] = [(one.center, die) for one, die in zip(found, dice, strict=True)]
    keep = {"yes": True, "no": False}.get(form.get("keep", ""))
    return _learned(household.learn_loose(content, form.get("name", ""), named, keep=keep))


def _learned(taught: Taught) -> Learned:
    message = words().say(*taught.lesson.sentences)
    return cast("Learned", {**payload_of(taught.lesson), "message": message})


def _answer(shelved: Shelved) -> Profile:
    profile = shelved.profile
    quality = profile.quality if profile else None
    return {
        "profile": shelved.key,
        "name": shelved.name,
        "default": shelved.is_default,
        "pips": profile.pips.value if profile else None,
        "revision": profile.revision if profile else None,
        "lessons": [
            {"how": one.how.value, "when": one.when, "dice": one.dice}
            for one in (profile.lessons if profile else ())
        ],
        "quality": {"dice": quality.dice, "before": quality.before, "after": quality.after}
        if quality
        else None,
        "samples": shelved.samples,
        "outdated": shelved.is_outdated,
        "can_undo": shelved.can_undo,
        "error": cast("Error", problem_of(shelved.error)) if shelved.error else None,
        "links": {
            "self": url_for("profiles_api.show", profile=shelved.key),
            "file": url_for("profiles_api.export", profile=shelved.key),
        },
    }
