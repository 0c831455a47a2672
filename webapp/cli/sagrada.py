"""The command line: ``sagrada read``, ``score``, ``check``, ``rank``, ``profiles`` and others.

Results go to the standard output, everything else to the standard error.
"""

from __future__ import annotations

import errno
import io
import logging
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from scoring.errors import SagradaError
from scoring.sentences import english
from webapp.cli import terminal
from webapp.cli.backup import backup, restore
from webapp.cli.calibrate import calibrate
from webapp.cli.evaluate import evaluate
from webapp.cli.files import check_folder
from webapp.cli.options import (
    JOBS,
    LANG,
    MIRRORED,
    PHOTO,
    PROFILE,
    Place,
    echo_json,
    failed,
    known_windows,
    refusals,
    say,
    spoken,
    wrong,
)
from webapp.cli.photo import (
    advice_on,
    as_taken,
    begun_ahead,
    content_of,
    photos_in,
    reading_ahead,
    reading_of,
    table_of,
    with_progress,
)
from webapp.cli.rank import rank
from webapp.cli.rules import check, score
from webapp.cli.windows import windows
from webapp.domain import judging
from webapp.domain.errors import StoreError
from webapp.domain.tables import merged_json
from webapp.storage.own_cards import default_tools

if TYPE_CHECKING:  # OpenCV takes its time and is only loaded by the commands that look at photos
    from vision import Reading, TableReading

PORT_ERRORS = frozenset({errno.EADDRINUSE, errno.EACCES})  # taken, or only for the administrator
OVERLAY_KINDS = (".png", ".jpg", ".jpeg", ".webp")
EXIT_STATUS = """\b
Exit status:
  0  all is well
  1  a photo or a file cannot be used, or a window that was checked breaks the rules
  2  the command was used wrongly
With --json whatever goes wrong is told as {"error": {"code", "message", "next_step"}}, too.
"""
PEM = Place(dir_okay=False, exists=True)


class Commands(click.Group):
    """Commands whose errors are JSON where their answers are."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT002  as click has it
        **extra: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Run a command; see `click.Command.main`. What a terminal or a file cannot show is spelled out."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
                stream.reconfigure(errors="backslashreplace")
        given = sys.argv[1:] if args is None else list(args)
        if not standalone_mode or "--json" not in given:
            return super().main(args, prog_name, complete_var, standalone_mode, **extra)
        try:
            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.ClickException as error:
            echo_json({"error": _told(error)})
            sys.exit(error.exit_code)
        sys.exit(status if isinstance(status, int) else 0)


def _told(error: click.ClickException) -> dict[str, object]:
    """Return an error as plain data: of the rules or a file with its own code, else what click says."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    option = error.param.opts[0] if isinstance(error, click.BadParameter) and error.param else None
    where: dict[str, object] = {"option": option} if option else {}
    for cause in (error.__cause__, error.__context__):
        if isinstance(cause, SagradaError):
            return {**cause.to_json(spoken(context)), **where}
    code = "bad_usage" if isinstance(error, click.UsageError) else "failed"
    return {"code": code, "message": error.format_message(), "next_step": "", **where}


@click.group(
    name="sagrada", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_STATUS
)
@click.version_option(package_name="sagrada-companion", prog_name="sagrada")
def main() -> None:
    """Photograph a finished Sagrada window and see its score, die by die."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s: %(message)s")
    with suppress(StoreError):  # `sagrada windows tools` tells
        default_tools().take_up()


@main.command()
@click.argument("photos", metavar="PHOTO...", type=PHOTO, nargs=-1, required=True)
@JOBS
@click.option("--all", "whole_table", is_flag=True, help="Read every window of a table, not only one.")
@click.option("--merge", is_flag=True, help="Put several photos of one table together (with --all).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line and photo.")
@PROFILE
@MIRRORED
@LANG
@click.option("--overlay", type=PHOTO, help="Also draw the reading over the photo (one photo only).")
def read(
    photos: tuple[Path, ...],
    jobs: int,
    overlay: Path | None,
    *,
    whole_table: bool,
    merge: bool,
    as_json: bool,
) -> None:
    """Read the dice in photos of windows, of a folder all photos in it; - is the standard input.

    Dice that carry a question mark should be looked at. With --all the windows of a table are numbered
    clockwise, from the one nearest the bottom edge of the photo. With --merge the photos show one table: a
    window that several of them show counts once, as it was read best.
    """
    if merge and not whole_table:
        raise wrong(
            english(
                "{option} puts whole tables together: give {other} with it.", option="--merge", other="--all"
            )
        )
    paths = photos_in(photos)
    if overlay is not None:
        _check_overlay(overlay, paths)
    known, missing = known_windows()
    for remark in missing:
        click.echo(remark.text(spoken()), err=True)
    read_one = table_of if whole_table else reading_of
    found: dict[str, Reading | TableReading] = {}
    failed = False
    with reading_ahead(jobs, len(paths)) as others:
        ahead = begun_ahead(others, paths, known, whole_table=whole_table) if others else None
        for photo, meanwhile in with_progress(paths):
            made = read_one(photo, known, as_json=as_json, meanwhile=meanwhile, ahead=ahead)
            if made is None:
                failed = True
                continue
            if overlay is not None:
                _write_overlay(overlay, photo, made)
            if merge:
                found[str(photo)] = made
            else:
                _tell(photo, made, as_json=as_json)
    if found:
        from vision import merge_tables

        merged = merge_tables(cast("list[TableReading]", list(found.values())))
        if as_json:
            echo_json(merged_json(merged, list(found), spoken()))
        else:
            click.echo(terminal.merged_text(list(found), merged, spoken()))
    sys.exit(1 if failed else 0)


@main.command()
@click.option(
    "--host",
    default="*",  # phones in the same network are what the page is for
    show_default=True,
    help="* is IPv4 and IPv6; 0.0.0.0 is IPv4 alone; 127.0.0.1 keeps other devices in the network out.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--address",
    metavar="URL",
    envvar="SAGRADA_ADDRESS",
    show_envvar=True,
    help="The address that phones use, such as http://my-host.local:8000, when it is not found by itself.",
)
@click.option(
    "--https", "secure", is_flag=True, help="Also with https, so that phones can share and install the page."
)
@click.option("--https-port", type=click.IntRange(1, 65535), default=8443, show_default=True)
@click.option("--cert", type=PEM, help="A certificate of your own for https, else one is made.")
@click.option("--key", type=PEM, help="The secret key of --cert.")
@click.option("--new-pin", is_flag=True, help="Another PIN for Administration; the old one counts no more.")
@click.option(
    "--admin-from-this-computer",
    "administrator_here",
    is_flag=True,
    help="No PIN for browsers on this computer. Behind a proxy or a forwarded port, as of a container, all "
    "guests may seem to be on it.",
)
def serve(
    host: str,
    port: int,
    address: str | None,
    https_port: int,
    cert: Path | None,
    key: Path | None,
    *,
    secure: bool,
    new_pin: bool,
    administrator_here: bool,
) -> None:
    """Serve the web page, with a QR code that brings phones to it."""
    from webapp.cli.serve import host_is_here, secured
    from webapp.cli.serve import serve as serve_page
    from webapp.server.addresses import AddressError, parse

    if not host_is_here(host):
        raise wrong(
            english("This computer has no address {host}.", host=host),
            english("For {option} use 127.0.0.1, or 0.0.0.0 to let phones in.", option="--host"),
        )
    if (cert is None) != (key is None):
        both = english(
            "A certificate and its key belong together: give both {one} and {other}.",
            one="--cert",
            other="--key",
        )
        raise wrong(both)
    try:
        address = parse(address) if address else None
    except AddressError as error:
        raise click.BadParameter(str(error), param_hint="--address") from error
    made = None
    if secure or (cert and key):
        if port == https_port:
            raise wrong(
                english("Plain http and https need a port each."),
                english("Choose another {option}.", option="--https-port"),
            )
        made = secured(https_port, address, cert, key)
        if made.certificate is None:
            address = address or made.address
    try:
        with refusals():
            serve_page(host, port, address, made, new_pin=new_pin, administrator_here=administrator_here)
    except OSError as error:
        why = english(
            "The page cannot be served at {place} ({why}).", place=f"{host}:{port}", why=str(error.strerror)
        )
        advice = [english("Choose another {option}.", option="--port")] if error.errno in PORT_ERRORS else []
        raise failed(why, *advice) from error


def _tell(photo: Path, made: Reading | TableReading, *, as_json: bool) -> None:
    """Print what was read; for people also what would help most where something is in doubt."""
    from vision import TableReading

    advice = advice_on(photo, made)
    if as_json:
        told = [
            {"code": one.code, "message": say(one.sentence), "next_step": say(one.advice)} for one in advice
        ]
        echo_json({"photo": str(photo), **made.to_json(), "advice": told})
        return
    helpful = [f"{say(one.sentence)} → {say(one.advice)}" for one in advice[:1]]
    if isinstance(made, TableReading):
        lines = [terminal.table_text(str(photo), made, spoken()), *helpful]
        if any(one.mirrored for one in made.windows):
            lines.append(judging.looks_mirrored().text(spoken()))
    else:
        remarks = []
        if made.mirrored:
            remarks.append(judging.looks_mirrored())
        if made.unlike_dice:
            remarks.append(judging.unlike_dice())
        if made.profile is not None:
            remarks.append(judging.read_with(made.profile))
        if made.other_windows:
            remarks.append(judging.other_windows(made.other_windows))
        if made.upright_probability < judging.SURE_OF_THE_WAY_UP:
            remarks.append(judging.upside_down(made.upright_probability))
        lines = [terminal.reading_text(str(photo), made, spoken()), *helpful]
        lines += [one.text(spoken()) for one in remarks]
    click.echo("\n".join(lines))


def _check_overlay(overlay: Path, photos: list[Path]) -> None:
    if len(photos) != 1:
        raise wrong(english("{option} draws one picture: give one photo with it.", option="--overlay"))
    if overlay.suffix.lower() not in OVERLAY_KINDS:
        kinds = ", ".join(OVERLAY_KINDS)
        raise wrong(english("{option} must end in one of {kinds}.", option="--overlay", kinds=kinds))
    check_folder(overlay)


def _write_overlay(overlay: Path, photo: Path, made: Reading | TableReading) -> None:
    import cv2

    from vision import TableReading, draw_overlay, draw_table_overlay, load_photo

    image = load_photo(content_of(photo), **as_taken()).image_bgr
    drawn = draw_table_overlay(image, made) if isinstance(made, TableReading) else draw_overlay(image, made)
    if not cv2.imwrite(str(overlay), drawn):
        raise failed(english("{file} could not be written.", file=str(overlay)))


for _command in (evaluate, score, check, rank, windows, calibrate, backup, restore):
    main.add_command(_command)
