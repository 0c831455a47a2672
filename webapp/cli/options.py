"""The options that several commands share, and how what people type becomes a thing of the game.

A name may be written in any case and language. Wrong ones end the command with exit status 2 and the nearest
right name, before a photo is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import click

from scoring import (
    Board,
    NotationError,
    RoundTrack,
    ScoringError,
    UnknownNameError,
    WindowPattern,
    Words,
)
from scoring.board import in_plain_signs, look_alikes
from scoring.errors import SagradaError
from scoring.lookup import (
    die_called,
    house_rule_called,
    objective_called,
    private_called,
    tool_called,
    window_called,
)
from scoring.sentences import Sentence, sentence
from scoring.words import LANGUAGES
from webapp.domain.errors import StoreError
from webapp.domain.wording import ENGLISH, words_for
from webapp.storage.own_cards import default_store

AUTO: Literal["auto"] = "auto"
UNKNOWN = "unknown"
PHOTO = click.Path(path_type=Path)

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Called(click.ParamType):  # type: ignore[type-arg]  # older versions of click take no argument here
    """A thing that ``find`` finds by what a person typed.

    Parameters
    ----------
    name
        What the help asks for, in small letters.
    find
        Returns the thing, or raises a `ScoringError` with the nearest right names.
    """

    def __init__(self, name: str, find: Callable[[str], Any]) -> None:
        self.name = name
        self._find = find

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Return the thing; ends the command as wrong usage when there is none."""
        words = spoken(ctx)
        try:
            found = self._find(value)
        except ScoringError as error:
            self.fail(error.text(words), param, ctx)
        if (letters := look_alikes(value)) and in_plain_signs(value).isascii():
            taken = sentence(
                "Cyrillic letters are taken for the Latin ones that they look like: {letters}.",
                letters=", ".join(letters),
            )
            click.echo(words.say(taken), err=True)
        return found


def known_windows() -> tuple[Mapping[str, WindowPattern], tuple[Sentence, Sentence] | None]:
    """Return the cards of the game and the custom windows; without these, and why, if their file is bad."""
    try:
        return default_store().known(), None
    except StoreError as error:
        return default_store().cards(), (error.sentence, error.advice)


def _window_or_auto(name: str) -> WindowPattern | Literal["auto"] | None:
    """Return the card called so, ``"auto"`` when the dice should tell it, None when it is to stay unknown."""
    plain = name.strip().casefold()
    if plain in (AUTO, UNKNOWN):
        return AUTO if plain == AUTO else None
    known, refusal = known_windows()
    try:
        return window_called(name, known)
    except UnknownNameError as error:
        if refusal is None:
            raise
        advice = sentence(
            "{advice} Windows of your own are left out. {why}", advice=error.advice, why=refusal
        )
        raise UnknownNameError(error.code, error.sentence, advice, error.data) from error


def _target(text: str) -> RoundTrack | int:
    """Return the target of a solo game: a number, or the round track whose dice add up to it."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return RoundTrack.parse(text)
    except NotationError as error:
        advice = sentence("{advice} Or give the points to beat as a number.", advice=error.advice)
        raise NotationError(error.code, error.sentence, advice) from error


def together(*decorators: Decorator) -> Decorator:
    """Return one decorator that adds arguments and options in this order."""
    return lambda command: reduce(lambda done, decorate: decorate(done), reversed(decorators), command)


def several(option: str, to: str, kind: str, find: Callable[[str], Any], about: str) -> Decorator:
    """Return an option for several things that ``find`` finds: repeated, or with commas between them."""

    def found_in(text: str) -> tuple[Any, ...]:
        return tuple(find(part) for part in text.split(",") if part.strip()) or (find(text),)

    def all_of(
        _ctx: click.Context, _param: click.Parameter, found: Iterable[tuple[Any, ...]]
    ) -> tuple[Any, ...]:
        return tuple(chain.from_iterable(found))

    return click.option(option, to, type=Called(kind, found_in), multiple=True, callback=all_of, help=about)


def _note_words(ctx: click.Context, _param: click.Parameter, words: Words) -> Words:
    """Keep the language for whatever the command says."""
    ctx.meta[WORDS_KEY] = words
    return words


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


def _note_profile(ctx: click.Context, _param: click.Parameter, name: str | None) -> None:
    """Keep which dice the photos show for whoever reads them, see `webapp.cli.photo.profiles`."""
    ctx.meta[PROFILE_KEY] = name


PROFILE_KEY = "sagrada_profile"
WORDS_KEY = "sagrada_words"
PROFILE = click.option(
    "--profile",
    metavar="NAME|none",
    callback=_note_profile,
    expose_value=False,
    help="The dice in the photo; without it those of this house are tried. none: the game's own.",
)
"""Which dice a photo shows; every command that reads photos has it."""

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

OBJECTIVES = together(
    several(
        "--public",
        "public",
        "name",
        objective_called,
        "A public objective; repeat it, or list them with commas.",
    ),
    several(
        "--private",
        "private",
        "name",
        private_called,
        "The private objective, by its color or name; in a solo game two.",
    ),
)
"""What the dice are counted for."""

JOBS = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="So many processes read at a time; SAGRADA_SCHEDULER names a Dask cluster that does.",
)

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def _language(*, expose_value: bool) -> Decorator:
    # It is looked at before all others, so that what is wrong with these is said in it.
    return click.option(
        "--lang",
        "words",
        type=Called("language", words_for),
        metavar="|".join(LANGUAGES),
        default="en",
        is_eager=True,
        callback=_note_words,
        expose_value=expose_value,
        help="The language of names and sentences.",
    )


LANG = _language(expose_value=False)
"""The language of the answer, for commands that speak by `say`."""

HOW_TO_ANSWER = together(_language(expose_value=True), AS_JSON)
"""Language and form of the answer."""

SOLO_TARGET = click.option(
    "--solo",
    "target",
    type=Called("target", _target),
    help='A solo game: the points to beat, or the round track, such as "R3 G4 / -- / B1".',
)

DICE_TO_PLACE = several(
    "--die", "dice", "die", die_called, 'Say where this die, such as R2 or "red 2", may go next; repeat it.'
)


@contextmanager
def refusals(words: Words | None = None) -> Iterator[None]:
    """End the command with what is wrong, in the language of ``words``, else that of the command.

    The exit status is 2 for what the rules refuse, which is wrong usage, and 1 for what the program keeps and
    cannot use.
    """
    try:
        yield
    except StoreError as error:
        raise click.ClickException(error.text(words or spoken())) from error
    except SagradaError as error:
        raise click.UsageError(error.text(words or spoken())) from error


def echo_json(data: Mapping[str, object]) -> None:
    """Print an answer for programs, on one line."""
    click.echo(json.dumps(data))
