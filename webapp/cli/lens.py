"""``sagrada lens``: how a camera bends its photos, told from windows or from a printed chessboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring.sentences import counted, sentence
from webapp.cli.options import AS_JSON, LANG, PHOTO, echo_json, failed, refusals, say, spoken

if TYPE_CHECKING:  # OpenCV takes its time and is only loaded by the commands that look at photos
    from calibration.lens import LensEstimate


SMALL_PX = 200  # where only what the file says of the camera counts


def _pattern(_: click.Context, param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """Return the inner corners of a chessboard along its sides; ends the command as wrong usage."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,2})[xX×](\d{1,2})", text.strip())
    if match is None:
        said = sentence("Write the inner corners along both sides, such as {example}.", example="9x6")
        raise click.BadParameter(say(said), param=param)
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
@LANG
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
            echo_json({"error": error.to_json(spoken())})
        else:
            click.echo(error.text(spoken()), err=True)
        raise SystemExit(1) from error
    if as_json:
        echo_json(made.to_json())
    else:
        click.echo(_text_of(made, of_windows=pattern is None))
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
        raise failed(sentence("It is not kept: it would not help."))
    cameras = {load_photo(photo, max_side=SMALL_PX).camera for photo in photos}
    camera = cameras.pop()
    if cameras or camera is None:
        raise failed(
            sentence("It is not kept: the photos do not all say that one camera took them."),
            sentence(
                "Take them with one camera and the same zoom, and use the files as the camera wrote them."
            ),
        )
    with refusals():
        kept = default_profiles().put_lens(key, OwnLens(made.lens, camera))
    done = sentence(
        "Kept with {name}: photos taken with {camera} are set straight.", name=kept.name, camera=str(camera)
    )
    click.echo(say(done), err=True)


def _text_of(made: LensEstimate, *, of_windows: bool) -> str:
    """Return for people what was told of a lens, from windows or from chessboards."""
    before, after = f"{made.error_before:.3f}", f"{made.error_after:.3f}"
    focal = f"{made.lens.focal:.2f}"
    if of_windows:
        told = counted("Told from {count} window:", "Told from {count} windows:", made.patterns)
        length = sentence(
            "focal length {focal} long sides of the photo (taken as usual: windows do not tell it)",
            focal=focal,
        )
        errors = sentence(
            "points are off by {before} pitches without it, by {after} with it", before=before, after=after
        )
    else:
        told = counted("Told from {count} chessboard:", "Told from {count} chessboards:", made.patterns)
        length = sentence("focal length {focal} long sides of the photo", focal=focal)
        errors = sentence(
            "points are off by {before} thousandths of the photo without it, by {after} with it",
            before=before,
            after=after,
        )
    verdict = (
        sentence("It helps to set photos of this camera straight.")
        if made.helps
        else sentence("That is not enough to set photos straight: they are read as they are.")
    )
    bend = f"k1 {made.lens.k1:+.3f} ± {made.standard_error:.3f}, k2 {made.lens.k2:+.3f}"
    return "\n".join([say(told), f"  {bend}", f"  {say(length)}", f"  {say(errors)}", say(verdict)])
