"""``sagrada lens``: how a camera bends its photos, told from windows or from a printed chessboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.cli.options import AS_JSON, PHOTO, echo_json
from webapp.cli.photo import opencv

if TYPE_CHECKING:  # OpenCV takes its time and is only loaded by the commands that look at photos
    from calibration.lens import LensEstimate


def _pattern(_: click.Context, param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """Return the inner corners of a chessboard along its sides; ends the command as wrong usage."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,2})[xX×](\d{1,2})", text.strip())
    if match is None:
        raise click.BadParameter("write the inner corners along both sides, such as 9x6.", param=param)
    return int(match[1]), int(match[2])


@click.command()
@click.argument("photos", metavar="PHOTO...", type=PHOTO, nargs=-1, required=True)
@click.option(
    "--chessboard",
    "pattern",
    metavar="9x6",
    callback=_pattern,
    help="The photos show a printed chessboard with so many inner corners along its sides.",
)
@AS_JSON
def lens(photos: tuple[Path, ...], pattern: tuple[int, int] | None, *, as_json: bool) -> None:
    """Tell how a camera bends straight lines.

    PHOTO... are photos taken with one camera, as it wrote them: of finished windows that reach to the edges
    of the picture, the more the better, or four and more of a printed chessboard from different sides.
    """
    with opencv():
        from calibration import CalibrationError
        from calibration.chessboard import lens_from_chessboard
        from calibration.lens import lens_from_photos
        from vision import VisionError
    try:
        made = lens_from_photos(photos) if pattern is None else lens_from_chessboard(photos, pattern)
    except (CalibrationError, VisionError) as error:
        if as_json:
            echo_json({"error": error.to_json()})
        else:
            click.echo(f"{error.message} {error.next_step}", err=True)
        raise SystemExit(1) from error
    if as_json:
        echo_json(made.to_json())
    else:
        click.echo(_text_of(made, "windows" if pattern is None else "chessboards"))


def _text_of(made: LensEstimate, patterns: str) -> str:
    """Return for people what was told of a lens."""
    unit = "pitches" if patterns == "windows" else "thousandths of the photo"
    verdict = (
        "It helps to set photos of this camera straight."
        if made.helps
        else "That is not enough to set photos straight: they are read as they are."
    )
    lines = (
        f"Told from {made.patterns} {patterns}:",
        f"  k1 {made.lens.k1:+.3f} ± {made.standard_error:.3f}, k2 {made.lens.k2:+.3f}",
        f"  focal length {made.lens.focal:.2f} long sides of the photo"
        + (" (taken as usual: windows do not tell it)" if patterns == "windows" else ""),
        f"  points are off by {made.error_before:.3f} {unit} without it, by {made.error_after:.3f} with it",
        verdict,
    )
    return "\n".join(lines)
