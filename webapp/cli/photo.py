"""Reading photos for the command line. OpenCV takes its time, so it is only loaded when a photo is read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from functools import partial
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, TypeVar, Unpack

import click

from scoring import WindowPattern
from scoring.sentences import english, sentence
from webapp.cli.files import STDIN, is_folder
from webapp.cli.options import MIRRORED_KEY, PROFILE_KEY, failed, refusals, spoken, tell_unread, wrong
from webapp.domain import judging
from webapp.domain.errors import UnreadPhotoError
from webapp.domain.payloads import Remark

NONE = "none"
KINDS = frozenset({".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".hif", ".avif"})
"""How photos in a folder end."""
FOUND = "sagrada_profiles_found"
STDIN_KEY = "sagrada_stdin"

if TYPE_CHECKING:
    from vision import Advice, Check, Reading, TableReading
    from webapp.workers.workers import Ahead

    Read = TypeVar("Read", Reading, TableReading)


class How(TypedDict):
    """How a photo is read: ``meanwhile`` stands on the error output; ``ahead`` gives what others read."""

    as_json: bool
    meanwhile: NotRequired[str]
    ahead: NotRequired[Iterator[Future[Any]] | None]


def reading_of(photo: Path, known: Mapping[str, WindowPattern], **how: Unpack[How]) -> Reading | None:
    """Return the reading of ``photo`` with the ``known`` cards, None after saying why it cannot be read."""
    from vision import read_photo  # noqa: PLC0415  see above

    return _read(read_photo, photo, known, **how)


def table_of(photo: Path, known: Mapping[str, WindowPattern], **how: Unpack[How]) -> TableReading | None:
    """Return every window of a table as `reading_of` returns one."""
    from vision import read_table  # noqa: PLC0415  see above

    return _read(read_table, photo, known, **how)


def advice_on(photo: Path, made: Reading | TableReading) -> tuple[Check | Advice, ...]:
    """Return what would make a photo with doubts better, the most helpful first; nothing without doubts."""
    from vision import Reading, Verdict, advise, examine, load_photo  # noqa: PLC0415  see above

    windows = (made,) if isinstance(made, Reading) else made.windows
    if not any(one.doubtful for one in windows):
        return ()
    image = load_photo(content_of(photo), **as_taken()).image_bgr
    if isinstance(made, Reading):
        return tuple(one for one in examine(image, made) if one.verdict is not Verdict.GOOD and one.doubts)
    return advise(image, made)


def _bytes_of(photo: Path) -> bytes | Path:
    """Return what is sent to a computer elsewhere; of a file that cannot be opened the reader says why."""
    content = content_of(photo)
    if isinstance(content, bytes):
        return content
    try:
        return content.read_bytes()
    except OSError:
        return content


def begun_ahead(
    ahead: Ahead, photos: Iterable[Path], known: Mapping[str, WindowPattern], *, whole_table: bool
) -> Iterator[Future[Any]]:
    """Yield the readings of photos in their order, while ``ahead`` has the next ones read already."""
    from vision import read_photo, read_table  # noqa: PLC0415  see above

    windows = tuple(known.values())
    read = partial(read_table if whole_table else read_photo, windows=windows)
    return ahead.begun(partial(read, _bytes_of(photo), **profiles(), **as_taken()) for photo in photos)


@contextmanager
def reading_ahead(jobs: int, most: int) -> Iterator[Ahead | None]:
    """Give who reads ``most`` photos: as many processes, the cluster of the environment, or nobody."""
    from webapp.workers import workers  # noqa: PLC0415  see above

    scheduler = os.environ.get(workers.SCHEDULER)
    if not scheduler and jobs == 1:
        yield None
        return
    with refusals():
        who = workers.cluster(scheduler) if scheduler else workers.processes(min(jobs, most))
    with closing(workers.Ahead(who)) as ahead:
        yield ahead


def photos_in(paths: Iterable[Path]) -> list[Path]:
    """Return the photos: of a folder, or that fit a pattern such as ``*.jpg``, in the order of their names.

    Ends the command where there is none at all. What the system does not look at, and where of several there
    is none, the reader tells, and why.
    """
    found, photos = [], []
    for path in paths:
        try:
            if path.is_dir():
                here = (one for one in path.iterdir() if one.suffix.lower() in KINDS and one.is_file())
                more = sorted(one for one in here if not one.name.startswith("._"))  # a Mac's
            elif has_magic(str(path)) and not path.exists():
                fitting = Path(path.anchor).glob(str(path.relative_to(path.anchor)))
                more = sorted(one for one in fitting if not is_folder(one))
            else:
                more = [path]
        except OSError:
            more = [path]
        photos += more
        found += more or [path]
    if not photos:
        raise wrong(english("There is no photo in {place}.", place=str(found[0])))
    return found


def content_of(photo: Path) -> bytes | Path:
    """Return what is read of a photo: its path, or what came in from the standard input."""
    if str(photo) != STDIN:
        return photo
    kept = click.get_current_context().meta
    if STDIN_KEY not in kept:
        kept[STDIN_KEY] = sys.stdin.buffer.read()
    content: bytes = kept[STDIN_KEY]
    return content


def with_progress(photos: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield each photo with what to show while it is read, nothing for one photo or without a terminal."""
    shown = len(photos) > 1 and on_a_terminal()
    for number, photo in enumerate(photos, start=1):
        yield photo, f"{number} of {len(photos)} {photo.name}" if shown else ""


def on_a_terminal() -> bool:
    """Return whether somebody looks at the error output."""
    return sys.stderr.isatty()


def as_taken() -> dict[str, Any]:
    """Return with what a photo is loaded and read that is ``--mirrored``."""
    return {"mirrored": True} if click.get_current_context().meta.get(MIRRORED_KEY) else {}


def profiles() -> dict[str, Any]:
    """Return with which dice photos are read, as the reader takes it: of ``--profile``, or all.

    A file of no use is told on the error output and left out. Ends the command when ``--profile`` names none.
    """
    from webapp.domain.dice import OUTDATED  # noqa: PLC0415  see above
    from webapp.storage.profiles import default_profiles  # noqa: PLC0415  see above

    context = click.get_current_context()
    name = context.meta.get(PROFILE_KEY)
    if name is not None and name.casefold() == NONE:
        return {}
    if FOUND not in context.meta:
        store = default_profiles()
        with refusals():
            context.meta[FOUND] = store.usable() if name is None else (store.usable_called(name),)
            for one in store.all() if name is None else (store.called(name),):
                if one.error is not None:
                    click.echo(f"{one.name}: {one.error.text(spoken())}", err=True)
                elif one.is_outdated:
                    click.echo(f"{one.name}: {spoken().say(OUTDATED)}", err=True)
    found = context.meta[FOUND]
    return {"profile": found} if found else {}


def _say_if_other(made: Reading | TableReading) -> None:
    """Say it on the error output where the dice are not those that ``--profile`` names."""
    from calibration.profiles import is_current  # noqa: PLC0415  see above
    from vision import Reading  # noqa: PLC0415  see above

    context = click.get_current_context()
    named = context.meta.get(FOUND, ()) if context.meta.get(PROFILE_KEY) else ()
    windows = (made,) if isinstance(made, Reading) else made.windows
    if windows and not any(one.profile for one in windows):
        for profile in filter(is_current, named):  # of others that was said
            click.echo(judging.not_those(profile.name).text(spoken()), err=True)


@contextmanager
def shown(meanwhile: str) -> Iterator[None]:
    """Show a line for a while. A progress bar of click's would stay among the results that are printed."""
    if meanwhile:
        click.echo(meanwhile, err=True, nl=False)
    try:
        yield
    finally:
        if meanwhile:
            click.echo("\r\x1b[K", err=True, nl=False)


def _read(
    read: Callable[..., Read], photo: Path, known: Mapping[str, WindowPattern], **how: Unpack[How]
) -> Read | None:
    from vision import VisionError  # noqa: PLC0415  see above

    told, ahead = profiles(), how.get("ahead")
    try:
        with shown(how.get("meanwhile", "")):
            if ahead is None:
                made = read(content_of(photo), windows=tuple(known.values()), **told, **as_taken())
            else:
                made = next(ahead).result()
    except (VisionError, UnreadPhotoError) as error:
        tell_unread(photo, error, as_json=how["as_json"])
        return None
    _say_if_other(made)
    return made


def empty_card_in(
    photo: Path, known: Mapping[str, WindowPattern], *, as_json: bool
) -> tuple[str, tuple[Remark, ...]]:
    """Return the spaces of the card in ``photo``, in notation, and what to look at in them.

    Ends the command when the photo cannot be read, or when dice hide some of the spaces.
    """
    reading = reading_of(photo, known, as_json=as_json)
    if reading is None:
        sys.exit(1)
    dice = tuple(cell for cell, _ in reading.board.dice())
    if dice:
        raise failed(
            sentence("{photo}: there are dice on {cells}.", photo=str(photo), cells=dice),
            sentence("Take a photo of the card with all 20 spaces open."),
        )
    remarks = [judging.card_from_photo(reading.unclear_prints)]
    if reading.window is not None:
        remarks.append(judging.maybe_known(known[reading.window.name], reading.window.probability))
    if reading.upright_probability < judging.SURE_OF_THE_WAY_UP:
        remarks.append(judging.upside_down(reading.upright_probability))
    return reading.pattern, tuple(remarks)
