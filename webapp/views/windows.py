"""The pages of the window cards: all that are known, and the editor for those of one's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Annotated, Any
from urllib.parse import quote

from flask import Flask, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from pydantic import Field
from werkzeug.routing import BaseConverter

from scoring import ALL_CELLS, EVERY_WINDOW, ScoringError, WindowPattern, WindowSet, cell_name
from scoring.errors import SagradaError
from scoring.names import LONGEST_NAME
from scoring.patterns.custom import check_spaces, check_window, custom_window, doubt_of
from scoring.patterns.patterns import DIFFICULTIES, FREE_SIGN
from webapp.domain.errors import (
    CompanionError,
    ConflictError,
    ForbiddenError,
    InputError,
    NotFoundError,
    StoreError,
    TooManyError,
    in_words_of_the_rules,
)
from webapp.domain.record import Record
from webapp.http.errors import TooLargeError
from webapp.http.faces import Pages, Sent, Text, View, as_json, done, sent_file, sent_id, shown, uploaded
from webapp.http.preferences import cell_label, wants_json, words
from webapp.services import access, administration, context, own_cards, photos
from webapp.storage.administration import MORE_SETS
from webapp.views import frame
from webapp.views.frame import SIGNS, Blank, enum, paged
from webapp.views.readings import reading_view

NAMES = tuple(cell_name(cell) for cell in ALL_CELLS)
BLANK = FREE_SIGN * len(NAMES)

NAME_CODES = (
    "blank_name",
    "hidden_name",
    "name_too_long",
    "name_with_control_character",
    "reserved_name",
    "name_taken",
)
"""What can be wrong with the name that was typed; the other codes are about something else."""


def editor_spaces(pattern: str, doubtful: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the 20 spaces for a template; what is no sign in the ``pattern`` is left free."""
    signs = [sign if sign in SIGNS else FREE_SIGN for sign in pattern if sign not in " /\n"]
    return [
        {
            "name": name,
            "sign": sign,
            "doubtful": name in doubtful,
            "label": cell_label(name, frame.space_words(sign), doubtful=name in doubtful),
        }
        for name, sign in zip(NAMES, signs, strict=True)
    ]


def shown_as(window: WindowPattern) -> str:
    """Return what the editor can change of a window, to find out whether somebody else did."""
    return f"{window} {window.difficulty or ''}"


def rows_of(signs: Iterable[str]) -> str:
    """Return 20 signs as pattern notation."""
    text = "".join(signs)
    return " / ".join(text[start : start + 5] for start in range(0, len(text), 5))


def card_of(record: Record) -> tuple[str, tuple[str, ...]]:
    """Return what was read of the card of a reading, as it is shown, and the spaces to look at."""
    if record.shown is None:
        return BLANK, ()
    signs = [sign for sign in record.shown.pattern if sign not in " /\n"]
    unclear = record.shown.unclear_prints
    doubtful = (
        cell_name(cell)
        for cell, sign in zip(ALL_CELLS, signs, strict=True)
        if sign not in SIGNS or cell in unclear
    )
    return "".join(signs), tuple(doubtful)


blueprint = Pages("windows", __name__)


class WindowCardView(View):
    """A window card."""

    name: str
    """The English name, or the one that people gave it."""
    label: str
    """The name in the visitor's language."""
    pattern: str
    difficulty: int | None
    """3 to 6, also the number of favor tokens; null when it is not known."""
    other_side: str | None
    """The window on the back of the card."""
    comes_in: WindowSet | None
    """The box or pack; null for a window that people added."""
    custom: bool


class WindowsView(View):
    """The cards of the game, then the windows that people added."""

    windows: list[WindowCardView]


class SpacesSent(Sent):
    """Spaces that are not a window yet."""

    pattern: Annotated[str, Field(max_length=100)]
    """Four rows of five spaces: a color letter, a value or a dot each."""
    name: Annotated[str, Field(max_length=2 * LONGEST_NAME)] = "Unnamed"
    """Its own name, not to be compared with itself."""


class WindowSent(Sent):
    """A window of one's own: its spaces one after the other, as the form has them, or in pattern notation."""

    name: Annotated[str, Field(max_length=5 * LONGEST_NAME)] = ""
    space: Annotated[tuple[Annotated[str, Field(max_length=5)], ...], Field(max_length=len(NAMES))] = ()
    pattern: Annotated[str, Text(lambda text: str(WindowPattern.parse(text)), 100)] | None = None
    difficulty: Annotated[int | None, Field(ge=DIFFICULTIES[0], le=DIFFICULTIES[-1]), Blank] = None
    delete: bool = False
    """Whether it goes for good; `sure` says that this is meant."""
    sure: bool = False

    @property
    def drawn(self) -> tuple[str, str, int | None]:
        """Name, pattern and difficulty."""
        if self.pattern is None and (len(self.space) != len(NAMES) or not set(self.space) <= set(SIGNS)):
            raise InputError("bad_request")
        return self.name, self.pattern or rows_of(self.space), self.difficulty


class SetsSent(Sent):
    """The boxes and packs whose window cards are known beside those of the base game."""

    set: Annotated[tuple[Annotated[WindowSet, enum(WindowSet)], ...], Field(max_length=len(MORE_SETS))] = ()


class CheckedView(View):
    """What a player should know about the spaces of a window."""

    pattern: str
    notices: list[str]


LONGEST_FILE = 250_000
FILE_NAME = "sagrada-windows.json"
OWN_A_PAGE = 24
REFUSED = (ScoringError, StoreError, ForbiddenError, InputError, TooManyError)
"""What is told beside the form, which keeps what was typed."""


class NameConverter(BaseConverter):
    """The name of a window in an address. It may hold a slash, which must not look like one of the path."""

    regex = ".+"
    part_isolating = False

    def to_url(self, value: str) -> str:
        """Return the name as it stands in an address."""
        return quote(value, safe="")


def register(app: Flask) -> None:
    """Give ``app`` the addresses of windows. It comes before every blueprint that uses them."""
    app.url_map.converters["window"] = NameConverter


@blueprint.get("/windows", answers=WindowsView)
def show(error: SagradaError | None = None, *, failed: str | None = None) -> Response:
    """Show all windows: the custom ones, then the cards of the game."""
    known = context.known_windows()
    missing, page = context.own_windows_missing(), request.args.get("page", 1, type=int)
    own = [window for window in known.values() if window.custom]
    return shown(
        "windows.html",
        WindowsView(windows=[_card_view(window) for window in known.values()]),
        error,
        lambda: {
            "failed": failed,
            "known": known,
            "own": paged(own, page, OWN_A_PAGE),
            "hidden": () if missing else context.window_store().hidden(),
            "cards": [window for window in known.values() if not window.custom],
            "sets": [(one, len(EVERY_WINDOW.only(one)), one in known.sets) for one in MORE_SETS],
            "may_set": access.is_administrator(),
            "check_window": check_window,
            "doubt_of": doubt_of,
            "own_windows_missing": missing,
            "done": request.args.get("done"),
            "number": request.args.get("number", 0, type=int),
        },
    )


def _card_view(window: WindowPattern) -> WindowCardView:
    return WindowCardView(
        name=window.name,
        label=words().name(window),
        pattern=str(window),
        difficulty=window.difficulty,
        other_side=window.other_side,
        comes_in=None if window.custom else window.comes_in,
        custom=window.custom,
    )


@blueprint.post("/windows/check", answers=CheckedView, takes=SpacesSent)
def check(sent: SpacesSent) -> ResponseReturnValue:
    """Look for what is odd about the spaces of a window; the editor asks after each change."""
    with in_words_of_the_rules():
        window = WindowPattern.parse(sent.pattern, sent.name)
    notices = [words().say(notice) for notice in check_spaces(window, context.known_windows())]
    return as_json(CheckedView(pattern=str(window), notices=notices))


@blueprint.post("/windows/sets", answers=WindowsView, takes=SetsSent)
def put_sets(sent: SetsSent) -> ResponseReturnValue:
    """Say which boxes and packs there are (administrator)."""
    administration.put_sets(one.value for one in sent.set)
    return done("windows.show", done="sets")


@blueprint.get("/windows/new")
def new() -> ResponseReturnValue:
    """Offer twenty free spaces to draw a window."""
    return _editor(BLANK, checked=False)  # that nothing is printed on it yet is no news


@blueprint.post("/windows/new", answers=WindowsView, takes=WindowSent)
def add(sent: WindowSent) -> ResponseReturnValue:
    """Add the window that was drawn, or only check it."""
    if "check" in request.form:
        return _editor_again(sent)
    try:
        own_cards.add_window(*sent.drawn)
    except REFUSED as error:
        return _editor_again(sent, error)
    return done("windows.show", made=True, done="added")


@blueprint.get("/windows/own/<window:name>")
def edit(name: str) -> ResponseReturnValue:
    """Show a window of one's own to change it."""
    before = own_cards.find_window(name)
    return _editor(str(before), before=before, name=before.name, difficulty=before.difficulty)


@blueprint.post("/windows/own/<window:name>", answers=WindowsView, takes=WindowSent)
def change(name: str, sent: WindowSent) -> ResponseReturnValue:
    """Change a window of one's own, check the change, or delete the window for good."""
    before = own_cards.find_window(name)
    if sent.delete:
        if not sent.sure:
            return _editor_again(sent, InputError("window_not_confirmed"), before=before)
        own_cards.remove_window(name)
        return done("windows.show", done="deleted")
    if "check" in request.form:
        return _editor_again(sent, before=before)
    typed = sent.drawn

    def changed(newest: WindowPattern) -> WindowPattern:
        if request.form.get("was", now := shown_as(newest)) != now:
            raise ConflictError("conflict")
        return custom_window(*typed, names=newest.names)

    try:
        own_cards.change_window(name, changed)
    except ConflictError as error:
        return _editor_again(sent, error, before=own_cards.find_window(name))
    except REFUSED as error:
        return _editor_again(sent, error, before=before)
    return done("windows.show", done="changed")


@blueprint.post("/windows/photo")
def read_card() -> ResponseReturnValue:
    """Take in the photo of an empty card from the plain form."""
    try:
        record = photos.take_in(uploaded(), photos.choices_for_next(), for_card=True, photo_id=sent_id())
    except CompanionError as error:
        return show(error, failed="photo")
    return redirect(url_for("windows.from_photo", record_id=record.id), 303)


@blueprint.get("/w/<record_id>/card", endpoint="from_reading")
@blueprint.get("/w/<record_id>/card/photo", endpoint="from_photo")
def from_reading(record_id: str) -> ResponseReturnValue:
    """Offer the card of a reading as a window of one's own; a photo that was not read is first put right."""
    record = context.store().load(record_id)
    if record.failure is not None:
        then = "card" if record.is_being_read else None
        return redirect(url_for("pages.show", record_id=record_id, then=then))
    pattern, doubtful = card_of(record)
    return _editor(pattern, doubtful, record=record)


@blueprint.post("/w/<record_id>/card", answers=WindowsView, takes=WindowSent)
def keep(record_id: str, sent: WindowSent) -> ResponseReturnValue:
    """Keep the card of a reading and choose it there; one photographed for nothing else goes to the list."""
    record = context.store().load(record_id)
    if "check" in request.form:
        return _editor_again(sent, record=record)
    try:
        window = own_cards.add_window(*sent.drawn)
    except REFUSED as error:
        return _editor_again(sent, error, record=record)
    if record.for_card:  # its photo has done its work
        with suppress(NotFoundError):
            context.store().delete(record_id)
        return done("windows.show", done="added")
    own_cards.choose_window(record_id, window)
    # Programs get one kind of answer, whatever the photo was taken for.
    return done("windows.show") if wants_json() else done("pages.show", record_id=record_id)


@blueprint.get("/windows/export.json")
def export() -> ResponseReturnValue:
    """Hand over the custom windows as the file that the command line writes, too."""
    headers = {"Content-Disposition": f'attachment; filename="{FILE_NAME}"'}
    return Response(str(own_cards.own_windows()), mimetype="application/json", headers=headers)


@blueprint.post("/windows/import")
def take_in_file() -> ResponseReturnValue:
    """Add the windows of an exported file, all or none."""
    try:
        content = sent_file(LONGEST_FILE + 1)
        if len(content) > LONGEST_FILE:
            raise TooLargeError("no_window_file")
        text = content.decode("utf-8-sig")  # an editor may have added the mark
        new, changed = own_cards.take_in_windows(text, replacing="replace" in request.form)
    except UnicodeDecodeError:
        return show(InputError("no_window_file"), failed="file")
    except REFUSED as error:
        return show(error, failed="file")
    return done("windows.show", done="imported", number=len(new) + len(changed))


def _editor_again(
    sent: WindowSent,
    error: SagradaError | None = None,
    *,
    before: WindowPattern | None = None,
    record: Record | None = None,
) -> Response:
    """Return the editor with what the form says, after a check or a refusal."""
    form = request.form
    # The form to delete has no spaces.
    kept = before if sent.delete else None
    # What somebody else made of the window meanwhile stands beside it; to save once more takes its place.
    conflict = isinstance(error, ConflictError)
    return _editor(
        str(kept) if kept else sent.drawn[1],
        form.getlist("doubt"),
        before=before,
        record=record,
        was=None if conflict else form.get("was"),
        newest=before if conflict else None,
        name=form.get("name", before.name if before else ""),
        difficulty=kept.difficulty if kept else sent.difficulty,
        error=error,
    )


def _editor(
    pattern: str,
    doubtful: Collection[str] = (),
    *,
    before: WindowPattern | None = None,
    record: Record | None = None,
    was: str | None = None,
    newest: WindowPattern | None = None,
    name: str = "",
    difficulty: int | None = None,
    checked: bool = True,
    error: SagradaError | None = None,
) -> Response:
    spaces = editor_spaces(pattern, doubtful)
    signs = rows_of(space["sign"] for space in spaces)
    drawn = WindowPattern.parse(signs, before.name if before else "Unnamed")
    return shown(
        "windows_edit.html",
        error=error,
        draw=lambda: {
            "spaces": spaces,
            "notices": check_spaces(drawn, context.known_windows()) if checked else (),
            "before": before,
            "was": was or (shown_as(before) if before else None),
            "newest": newest,
            "photo": reading_view(record) if record else None,
            "only_the_card": record.for_card if record else False,
            "name": name,
            "difficulty": difficulty,
            "signs": SIGNS,
            "difficulties": DIFFICULTIES,
            "name_codes": NAME_CODES,
        },
    )
