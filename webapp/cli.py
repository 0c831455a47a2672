"""The command line: ``sagrada read``, ``score``, ``check``, ``evaluate`` and ``serve``.

Results go to the standard output, everything else to the standard error. Exit status: 0 when every photo was
read, 1 when one was not, 2 when the command was used wrongly.
"""

from __future__ import annotations

import errno
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Color,
    PublicObjective,
    ScoringError,
    WindowPattern,
    placement_problems,
    score_player,
)
from scoring.names import find_name
from webapp import terminal

if TYPE_CHECKING:  # OpenCV takes its time and is only loaded by the commands that look at photos
    from vision import Reading

AUTO = "auto"
PORT_ERRORS = frozenset({errno.EADDRINUSE, errno.EACCES})  # taken, or only for the administrator
OVERLAY_KINDS = (".png", ".jpg", ".jpeg", ".webp")
PHOTO = click.Path(path_type=Path)
RECORD = click.Path(path_type=Path, dir_okay=False, writable=True)


@click.group(name="sagrada", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sagrada-companion", prog_name="sagrada")
def main() -> None:
    """Photograph a finished Sagrada window and see its score, die by die."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s: %(message)s")


@main.command()
@click.argument("photos", metavar="PHOTO...", type=PHOTO, nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line and photo.")
@click.option("--overlay", type=PHOTO, help="Also draw the reading over the photo (one photo only).")
def read(photos: tuple[Path, ...], overlay: Path | None, *, as_json: bool) -> None:
    """Read the dice in photos of windows.

    Dice that carry a question mark should be looked at.
    """
    if overlay is not None:
        _check_overlay(overlay, photos)
    failed = False
    for photo in photos:
        reading = _read(photo, as_json=as_json)
        if reading is None:
            failed = True
            continue
        if overlay is not None:
            _write_overlay(overlay, photo, reading)
        if as_json:
            _echo_json({"photo": str(photo), **reading.to_json()})
        else:
            click.echo(terminal.reading_text(str(photo), reading))
            if reading.other_windows:
                click.echo(terminal.other_windows_notice(reading))
    sys.exit(1 if failed else 0)


@main.command()
@click.argument("photo", type=PHOTO, required=False)
@click.option(
    "--board", "board_text", metavar="TEXT", help="The window in board notation, instead of a photo."
)
@click.option(
    "--public", "public_names", metavar="NAME", multiple=True, help="A public objective; repeat it."
)
@click.option("--private", "private_name", metavar="COLOR", help="The color of the private objective.")
@click.option("--favor", type=click.IntRange(min=0), default=0, help="Favor tokens left.")
@click.option("--window", "window_name", metavar="NAME|auto", default=AUTO, help="The window pattern card.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def score(
    photo: Path | None,
    board_text: str | None,
    public_names: tuple[str, ...],
    private_name: str | None,
    favor: int,
    window_name: str,
    *,
    as_json: bool,
) -> None:
    """Score a window line by line."""
    with _wrong_usage():
        public = [PublicObjective.from_name(name) for name in public_names]
        private = Color.from_name(private_name) if private_name else None
        score_player(Board.empty(), public, private, favor)  # says what is wrong before a photo is read
    window = _window(photo, board_text, window_name, as_json=as_json)
    breakdown = score_player(window.board, public, private, favor)
    problems = placement_problems(window.board, window.pattern)
    if as_json:
        _echo_json({**breakdown.to_json(problems), **window.to_json()})
        return
    click.echo(window.heading())
    click.echo()
    click.echo(terminal.breakdown_text(breakdown))
    click.echo()
    click.echo(terminal.problems_text(problems))
    for notice in window.notices():
        click.echo(notice)


@main.command()
@click.argument("photo", type=PHOTO, required=False)
@click.option(
    "--board", "board_text", metavar="TEXT", help="The window in board notation, instead of a photo."
)
@click.option("--window", "window_name", metavar="NAME|auto", default=AUTO, help="The window pattern card.")
@click.option("--tool", "tools", metavar="NAME", multiple=True, help="A tool card that was used; repeat it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(
    photo: Path | None, board_text: str | None, window_name: str, tools: tuple[str, ...], *, as_json: bool
) -> None:
    """Check the placement rules on a window."""
    with _wrong_usage():
        placement_problems(Board.empty(), tools=tools)  # says what is wrong before a photo is read
    window = _window(photo, board_text, window_name, as_json=as_json)
    problems = placement_problems(window.board, window.pattern, tools)
    if as_json:
        _echo_json(
            {
                "legal": not problems,
                "problems": [problem.to_json() for problem in problems],
                **window.to_json(),
            }
        )
        return
    click.echo(window.heading())
    click.echo()
    click.echo(terminal.problems_text(problems))
    for notice in window.notices():
        click.echo(notice)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--by", "key", metavar="KEY", help="Split the figures by a key of the labels, such as light or tilt."
)
@click.option("--misses", is_flag=True, help="List every cell that was read wrong.")
@click.option(
    "--write", "record", type=RECORD, metavar="FILE", help="Also write figures and misses to a JSON file."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def evaluate(folder: Path, key: str | None, record: Path | None, *, misses: bool, as_json: bool) -> None:
    """Measure the reader on a folder of photos with a labels.json."""
    if record is not None:
        _check_folder(record, "the figures")
    with _opencv():
        from calibration.errors import LabelsError
        from calibration.evaluate import evaluate_photos
        from calibration.labels import load_labels
        from calibration.records import evaluation_of, write_record
        from calibration.summary import group_by, summarize
        from calibration.tables import groups_text, misses_text, summary_text
    try:
        labels = load_labels(folder)
    except LabelsError as error:
        raise click.UsageError(f"{error.message} {error.next_step}") from error
    if key is not None:
        with _wrong_usage():
            key = find_name(key, sorted({key for label in labels for key in label.keys}), "key of a label")
    with click.progressbar(
        evaluate_photos(folder, labels),
        length=len(labels),
        label="Reading",
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    ) as progress:
        results = tuple(progress)
    evaluation = evaluation_of(folder.resolve().name, results)
    groups = {name: summarize(group) for name, group in group_by(results, key).items()} if key else {}
    if record is not None:
        write_record(evaluation, record)
    if as_json:
        data = evaluation.to_json(with_misses=misses)
        if key is not None:
            data["by"] = {"key": key, "groups": {name: group.to_json() for name, group in groups.items()}}
        _echo_json(data)
        return
    if misses:
        click.echo(misses_text(evaluation.misses) + "\n")
    if key is not None:
        click.echo(groups_text(key, groups) + "\n")
    click.echo(summary_text(evaluation.name, evaluation.summary))


@main.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets phones in the same network in."
)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
def serve(host: str, port: int) -> None:
    """Serve the web page."""
    from webapp.serve import host_is_here
    from webapp.serve import serve as serve_page

    if not host_is_here(host):
        raise click.UsageError(
            f"This computer has no address {host}: for --host use 127.0.0.1, or 0.0.0.0 to let phones in."
        )
    try:
        with _opencv():
            serve_page(host, port)
    except OSError as error:
        message = f"The page cannot be served at {host}:{port} ({error.strerror})"
        advice = ": choose another --port." if error.errno in PORT_ERRORS else "."
        raise click.ClickException(message + advice) from error


@dataclass(frozen=True)
class _Window:
    """The window that a command is about: from a photo (then with its reading) or from text."""

    board: Board
    pattern: WindowPattern | None
    photo: Path | None = None
    reading: Reading | None = None

    def heading(self) -> str:
        """Return the window for people, with what it was read from."""
        if self.reading is not None:
            return terminal.reading_text(str(self.photo), self.reading)
        return terminal.board_text(self.board)

    def notices(self) -> list[str]:
        """Return what a person should know before trusting the result."""
        notices = []
        if self.pattern is None:
            notices.append(
                "The window card is not known, so printed colors and values were not checked: "
                "name it with --window."
            )
        if self.reading is not None and self.reading.other_windows:
            notices.append(terminal.other_windows_notice(self.reading))
        if self.reading is not None and terminal.doubtful_cells(self.reading):
            notices.append(terminal.doubt_notice(self.reading))
        return notices

    def to_json(self) -> dict[str, object]:
        """Return the window as part of the answer of ``score --json`` and ``check --json``."""
        return {
            "board": str(self.board),
            "window": self.pattern.name if self.pattern else None,
            "notices": self.notices(),
        }


def _window(photo: Path | None, board_text: str | None, window_name: str, *, as_json: bool) -> _Window:
    """Return the window that the command line names; ends the command when its photo cannot be read."""
    if (photo is None) == (board_text is None):
        raise click.UsageError("Give either a photo or --board with the window in board notation.")
    pattern = None
    with _wrong_usage():
        if window_name.strip().lower() != AUTO:
            pattern = WINDOW_PATTERNS[window_name]
        if board_text is not None:
            return _Window(Board.parse(board_text), pattern)
    assert photo is not None  # noqa: S101  one of the two is there, see above
    reading = _read(photo, as_json=as_json)
    if reading is None:
        sys.exit(1)
    if pattern is None and reading.window is not None:
        pattern = WINDOW_PATTERNS[reading.window.name]
    return _Window(reading.board, pattern, photo, reading)


def _read(photo: Path, *, as_json: bool) -> Reading | None:
    """Return the reading of ``photo``; when it cannot be read say why and return None."""
    with _opencv():
        from vision import VisionError, read_photo
    try:
        return read_photo(photo)
    except VisionError as error:
        if as_json:
            _echo_json({"photo": str(photo), "error": error.to_json()})
        else:
            click.echo(f"{photo}: {error.message} {error.next_step}", err=True)
        return None


def _check_overlay(overlay: Path, photos: tuple[Path, ...]) -> None:
    if len(photos) != 1:
        raise click.UsageError("--overlay draws one picture: give one photo with it.")
    if overlay.suffix.lower() not in OVERLAY_KINDS:
        raise click.UsageError(f"--overlay must end in {', '.join(OVERLAY_KINDS)}.")
    _check_folder(overlay, "the overlay")


def _check_folder(file: Path, what: str) -> None:
    """Refuse a file whose folder is missing before any time is spent on photos."""
    if not file.absolute().parent.is_dir():
        raise click.UsageError(f"There is no folder {file.parent} to put {what} into.")


def _write_overlay(overlay: Path, photo: Path, reading: Reading) -> None:
    with _opencv():
        import cv2

        from vision import draw_overlay, load_photo
    if not cv2.imwrite(str(overlay), draw_overlay(load_photo(photo).image_bgr, reading)):
        raise click.ClickException(f"{overlay} could not be written.")


def _echo_json(data: dict[str, object]) -> None:
    click.echo(json.dumps(data))


@contextmanager
def _wrong_usage() -> Iterator[None]:
    """Turn a wrong name or notation on the command line into a usage error, exit status 2."""
    try:
        yield
    except ScoringError as error:
        raise click.UsageError(f"{error.message} {error.next_step}") from error


@contextmanager
def _opencv() -> Iterator[None]:
    """Show only the sentence that says what to install when OpenCV cannot be loaded."""
    try:
        yield
    except ImportError as error:
        if not str(error).startswith("OpenCV needs"):
            raise
        raise click.ClickException(str(error)) from error
