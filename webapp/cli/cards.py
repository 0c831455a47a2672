"""The command line: ``sagrada cards``, the cards of one's own edition and language.

Results go to the standard output, everything else to the standard error. Exit status: 0 done, 1 when a photo
or a file cannot be used, 2 when the command was used wrongly.
"""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

import click

from scoring.sentences import sentence
from webapp.cli.options import AS_JSON, LANG, PHOTO, echo_json, failed, refusals, say, spoken, wrong

NO_CARD = "-"


@click.group()
def cards() -> None:
    """Teach the program the cards of your own edition and language.

    A photo of cards laid side by side, each named once; read --all and the page know them again.
    """


@cards.command()
@click.argument("photo", type=PHOTO)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="What a card is called, left to right, then top to bottom; - leaves one out. Repeat it.",
)
@LANG
@AS_JSON
def learn(photo: Path, names: tuple[str, ...], *, as_json: bool) -> None:
    """Learn the cards in a photo that shows nothing but cards, side by side and upright.

    Without --name nothing is learned yet: the command is printed, with the names that are known.
    """
    import numpy as np  # noqa: PLC0415  OpenCV and NumPy take their time

    from vision import VisionError, load_photo  # noqa: PLC0415  see above
    from vision.read import TABLE_SIDE_PX  # noqa: PLC0415  see above
    from vision.taught import cards_on, learn_card  # noqa: PLC0415  see above
    from webapp.store.cards import card_called, default_cards  # noqa: PLC0415  see above

    with refusals():
        wanted = [None if name == NO_CARD else card_called(name) for name in names]
    if twice := [name for name, number in Counter(filter(None, wanted)).items() if number > 1]:
        raise wrong(sentence("{names}: named twice. Give each card its own name.", names=", ".join(twice)))
    store = default_cards()
    try:
        picture = load_photo(photo, max_side=TABLE_SIDE_PX)
        found = cards_on(picture, store.load()[0])
        if names and len(names) != len(found):
            raise wrong(
                sentence(
                    "Cards seen in {photo}: {seen}. Names given: {given}. Without {option} they are listed; "
                    "{sign} leaves one out.",
                    photo=str(photo),
                    seen=len(found),
                    given=len(names),
                    option="--name",
                    sign=NO_CARD,
                )
            )
        given = wanted or [one.proposal for one in found]
        learned = [
            learn_card(picture.image_bgr, np.array(one.corners) * picture.scale, name)
            for one, name in zip(found, wanted, strict=False)  # none without names
            if name is not None
        ]
    except VisionError as error:
        raise click.ClickException(f"{photo}: {error.text(spoken())}") from error
    with refusals():
        store.keep(learned)
    if as_json:
        places = [[list(point) for point in one.corners] for one in found]
        seen = zip(given, places, strict=True)
        echo_json(
            {"cards": [{"name": name, "corners": place} for name, place in seen], "learned": len(learned)}
        )
        return
    if not found:
        raise failed(
            sentence("{photo}: no card was seen.", photo=str(photo)),
            sentence("Lay them side by side on a table of one color."),
        )
    for number, name in enumerate(given, start=1):
        click.echo(f"{number:>3}  {name or (say(sentence('left out')) if wanted else '?')}")
    if wanted:
        done = sentence("Cards learned: {learned} of {seen}.", learned=len(learned), seen=len(found))
        click.echo(say(done), err=True)
    else:
        named_so = [word for name in given for word in ("--name", name or "?")]
        words = shlex.join(["sagrada", "cards", "learn", str(photo), *named_so])
        how = sentence(
            "To learn them, put the names right ({sign} leaves one out): {command}",
            sign=NO_CARD,
            command=words,
        )
        click.echo(say(how), err=True)


@cards.command(name="list")
@LANG
@AS_JSON
def list_cards(*, as_json: bool) -> None:
    """List the cards that were taught, and the files that cannot be used."""
    from webapp.store.cards import default_cards  # noqa: PLC0415  see above

    known, problems = default_cards().load()
    if as_json:
        named = [{"name": card.name, "kind": card.kind} for card in known]
        echo_json({"cards": named, "notices": [problem.text(spoken()) for problem in problems]})
        return
    if not known:
        click.echo(say(sentence("No card was taught yet.")))
    for card in known:
        kind = sentence("tool card") if card.kind == "tool" else sentence("public objective card")
        click.echo(f"{card.name}  ({say(kind)})")
    for problem in problems:
        click.echo(problem.text(spoken()), err=True)


@cards.command()
@click.argument("name", required=False)
@click.option("--all", "everything", is_flag=True, help="Forget all cards.")
@LANG
def forget(name: str | None, *, everything: bool) -> None:
    """Forget a card, or all of them."""
    if (name is None) != everything:
        raise wrong(sentence("Give either the name of a card or {option}.", option="--all"))
    from webapp.store.cards import default_cards  # noqa: PLC0415  see above

    with refusals():
        store = default_cards()
        if name is None:
            gone = sentence("Forgot all cards: {number}.", number=store.forget_all())
        else:
            gone = sentence("Forgot {name}.", name=store.forget(name))
    click.echo(say(gone))
