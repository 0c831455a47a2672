"""The options that several commands share, and how what people type becomes a thing of the game.

A name may be written in any case and language. Wrong ones end the command with exit status 2 and the nearest
right name, before a photo is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import click

from scoring import Board, ScoringError, UnknownNameError, WindowPattern, Words
from scoring.board import in_plain_signs, look_alikes
from scoring.errors import SagradaError
from scoring.lookup import house_rule_called, tool_called, window_called
from scoring.sentences import Sentence, english, sentence
from scoring.words import LANGUAGES
from webapp.domain import judging
from webapp.domain.errors import StoreError
from webapp.domain.payloads import Remark
from webapp.domain.wording import ENGLISH, words_for
from webapp.storage.own_cards import default_store

AUTO: Literal["auto"] = "auto"
UNKNOWN = "unknown"

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Called(click.ParamType):  # type: ignore[type-arg]  # older versions of click take no argument here
    """A thing that ``find`` finds by what a person typed; a `ScoringError` names the nearest right ones."""

    def __init__(self, name: str, find: Callable[[str], Any]) -> None:
        self.name = name
        self._find = find

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Return the thing; ends the command as wrong usage when there is none."""
        try:
            found = self._find(value)
        except ScoringError as error:
            self.fail(error.text(spoken()), param, ctx)
        if (letters := look_alikes(value)) and in_plain_signs(value).isascii():
            taken = sentence(
                "Cyrillic letters are taken for the Latin ones that they look like: {letters}.",
                letters=", ".join(letters),
            )
            click.echo(say(taken), err=True)
        return found


class Place(click.Path):
    """A file or folder; no name at all is none, and not the folder that the command runs in."""

    def __init__(self, **asked: Any) -> None:  # noqa: ANN401  as `click.Path` has it
        super().__init__(path_type=Path, **asked)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Return the path; ends the command as wrong usage when there is none."""
        if value == "":
            self.fail(say(english("The name is empty: give that of a file or folder.")), param, ctx)
        return super().convert(value, param, ctx)


PHOTO = Place(readable=False)  # of one that may not be read the reader says so, and reads the others


def known_windows() -> tuple[Mapping[str, WindowPattern], tuple[Remark, ...]]:
    """Return the cards of the game and the custom windows; without these, and why, if their file is bad."""
    try:
        return default_store().known(), ()
    except StoreError as error:
        return default_store().cards(), (judging.own_windows_missing(error.sentence, error.advice),)


def _window_or_auto(name: str) -> WindowPattern | Literal["auto"] | None:
    """Return the card called so, ``"auto"`` when the dice should tell it, None when it is to stay unknown."""
    plain = name.strip().casefold()
    if plain in (AUTO, UNKNOWN):
        return AUTO if plain == AUTO else None
    known, missing = known_windows()
    try:
        return window_called(name, known)
    except UnknownNameError as error:
        if not missing:
            raise
        advice = english("{said}", said=(error.advice, *missing[0].sentences))
        raise UnknownNameError(error.code, error.sentence, advice, error.data) from error


def together(*decorators: Decorator) -> Decorator:
    """Return one decorator that adds arguments and options in this order."""
    return lambda command: reduce(lambda done, decorate: decorate(done), reversed(decorators), command)


def several(option: str, to: str, kind: str, find: Callable[[str], Any], about: str) -> Decorator:
    """Return an option for several things that ``find`` finds: repeated, or with commas between them."""

    def found_in(text: str) -> tuple[Any, ...]:
        return tuple(find(part) for part in text.split(",") if part.strip()) or (find(text),)

    return click.option(
        option,
        to,
        type=Called(kind, found_in),
        multiple=True,
        callback=lambda _ctx, _param, found: tuple(chain.from_iterable(found)),
        help=about,
    )


def _noted(ctx: click.Context, param: click.Parameter, value: object) -> None:
    """Keep what an option says for whoever asks for it."""
    ctx.meta[f"sagrada_{param.name}"] = value


def spoken(context: click.Context | None = None) -> Words:
    """Return the words of the language that the command was asked to speak."""
    context = context or click.get_current_context(silent=True)
    words: Words = context.meta.get(WORDS_KEY, ENGLISH) if context else ENGLISH
    return words


def say(*sentences: Sentence) -> str:
    """Return sentences in the language of the command."""
    return spoken().say(*sentences)


def wrong(*sentences: Sentence) -> click.UsageError:
    """Return the error that the command was used wrongly, and how."""
    return click.UsageError(say(*sentences))


def failed(*sentences: Sentence) -> click.ClickException:
    """Return the error that something could not be done, and why."""
    return click.ClickException(say(*sentences))


def tell_unread(photo: Path, error: SagradaError, *, as_json: bool) -> None:
    """Say why a photo cannot be read."""
    if as_json:
        echo_json({"photo": str(photo), "error": error.to_json(spoken())})
    else:
        click.echo(f"{photo}: {error.text(spoken())}", err=True)


PROFILE_KEY, WORDS_KEY = "sagrada_profile", "sagrada_words"
PROFILE = click.option(
    "--profile",
    metavar="NAME|none",
    callback=_noted,
    expose_value=False,
    help="The dice in the photo; without it those that were taught here are tried. none: the game's own.",
)
"""Which dice a photo shows, see `webapp.cli.photo.profiles`; every command that reads photos has it."""

MIRRORED_KEY = "sagrada_mirrored"
MIRRORED = click.option(
    "--mirrored",
    is_flag=True,
    callback=_noted,
    expose_value=False,
    help="The photo is mirrored, as front cameras take it: turn it back first.",
)
"""Whether photos are mirrored, see `webapp.cli.photo.as_taken`."""

WINDOWS = together(
    click.argument("photos", metavar="[PHOTO...]", type=PHOTO, nargs=-1),
    click.option(
        "--board",
        type=Called("text", Board.parse),
        help="The window in board notation, instead of a photo.",
    ),
    click.option(
        "--window",
        "card",
        type=Called("window", _window_or_auto),
        metavar="NAME|auto|unknown",
        default=AUTO,
        help="The window pattern card; auto (when left out) tells it by the dice.",
    ),
    PROFILE,
    MIRRORED,
)
"""Which window: photos or its dice, and the card under them."""

CARDS_ON_THE_TABLE = together(
    several(
        "--tool",
        "tools",
        "name",
        tool_called,
        "A tool card in the game, by name or number; repeat it, or list them with commas.",
    ),
    several(
        "--house-rule",
        "house_rules",
        "name",
        house_rule_called,
        'What the group agreed on: "Eglomise Brush ignores neighbors" or "Copper Foil Burnisher '
        'ignores neighbors".',
    ),
)
"""The tool cards, and what the group agreed on about them."""

JOBS = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="So many processes read at a time; SAGRADA_SCHEDULER names a Dask cluster that does.",
)

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


LANG = click.option(
    "--lang",
    "words",
    type=Called("language", words_for),
    metavar="|".join(LANGUAGES),
    default="en",
    is_eager=True,  # so that what is wrong with all others is said in it
    callback=_noted,
    expose_value=False,
    help="The language of names and sentences.",
)
"""The language of the answer, see `spoken` and `say`."""


@contextmanager
def refusals() -> Iterator[None]:
    """End the command with what is wrong.

    The exit status is 2 for what the rules refuse, which is wrong usage, and 1 for what the program keeps and
    cannot use.
    """
    try:
        yield
    except StoreError as error:
        raise click.ClickException(error.text(spoken())) from error
    except SagradaError as error:
        raise click.UsageError(error.text(spoken())) from error


def echo_json(data: Mapping[str, object]) -> None:
    """Print an answer for programs, on one line."""
    click.echo(json.dumps(data))
