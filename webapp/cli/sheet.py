"""The command line: ``sagrada sheet``, a page to print that helps in difficult light."""

from __future__ import annotations

from pathlib import Path

import click

from scoring.sentences import sentence
from webapp.cli.files import written
from webapp.cli.options import LANG, say, wrong
from webapp.store.disk import write_whole

KINDS = (".svg", ".pdf")


@click.command()
@click.argument("out", metavar="OUT.svg|OUT.pdf", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@LANG
def sheet(out: Path, paper: str) -> None:
    """Write a helper sheet to print: a strip with markers, grays and colors.

    Laid beside the window, it tells the program the color of the light and where the table is.
    """
    kind = out.suffix.lower()
    if kind not in KINDS:
        raise wrong(sentence("The file must end in {one} or {other}.", one=KINDS[0], other=KINDS[1]))
    from webapp.artwork.sheet import page_pdf, page_svg  # noqa: PLC0415  not before it is needed

    content = page_pdf(paper) if kind == ".pdf" else page_svg(paper).encode()
    with written(out):
        write_whole(out, content)
    click.echo(say(sentence("{file} is written: print it at 100 %.", file=str(out))))
