"""``sagrada lens``: how a camera bends its photos, told from windows or from a printed chessboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.cli.options import AS_JSON, PHOTO, echo_json, refusals

if TYPE_CHECKING:  # OpenCV takes its time and is only loaded by the commands that look at photos
    from calibration.lens import LensEstimate


SMALL_PX = 200  # where only what the file says of the camera counts


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
@click.option(
    "--profile", "name", metavar="NAME", help="Keep the lens with these dice, for photos of its camera."
)
@AS_JSON
def lens(
    photos: tuple[Path, ...], pattern: tuple[int, int] | None, name: str | None, *, as_json: bool
) -> None:
    """Tell how a camera bends straight lines.

    PHOTO... are photos taken with one camera, as it wrote them: of finished windows that reach to the edges
    of the picture, the more the better, or four and more of a printed chessboard from different sides. Kept
    with dice that the program learned, the lens counts for photos of the same camera, with the same zoom.
    """
    with refusals():
        key = _key_of(name)  # said before the photos are looked at
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
    if key is not None:
        _keep(key, made, photos)


def _key_of(name: str | None) -> str | None:
    """Return the key of the dice of that name; raises where there are none that can be used."""
    if name is None:
        return None
    from webapp.store.profile_files import usable
    from webapp.store.profiles import default_profiles

    shelved = default_profiles().called(name)
    usable(shelved)
    return shelved.key


def _keep(key: str, made: LensEstimate, photos: tuple[Path, ...]) -> None:
    """Keep a lens that helps with dice; ends the command where it does not, or its camera is not known."""
    from vision import load_photo
    from vision.profile import OwnLens
    from webapp.store.profiles import default_profiles

    if not made.helps:
        raise click.ClickException("It is not kept: it would not help.")
    cameras = {load_photo(photo, max_side=SMALL_PX).camera for photo in photos}
    camera = cameras.pop()
    if cameras or camera is None:
        raise click.ClickException(
            "It is not kept: the photos do not all say that one camera took them. Take them with one camera "
            "and the same zoom, and use the files as the camera wrote them."
        )
    with refusals():
        kept = default_profiles().put_lens(key, OwnLens(made.lens, camera))
    click.echo(f"Kept with {kept.name}: photos taken with {camera} are set straight.", err=True)


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
