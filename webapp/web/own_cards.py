"""What people do to show the program their cards; the pages and the JSON interface both come here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from scoring.errors import UnknownNameError
from vision.errors import VisionError
from vision.photo import load_photo
from vision.read import TABLE_SIDE_PX
from vision.reading import Corners
from vision.table import CARDS
from vision.taught import OnSheet, TaughtCard, cards_on, learn_card
from webapp.companion.deeds import Act, Kind
from webapp.companion.errors import InputError, NotFoundError, UnreadPhotoError
from webapp.readers.work import KEPT_QUALITY, encode
from webapp.store.cards import CardStore, card_called
from webapp.web import administrator, context, deeds, photos
from webapp.web.uploads import Upload, uploads


def kept() -> tuple[tuple[TaughtCard, ...], int]:
    """Return the cards that were taught, in the order of the game, and how many files are of no use."""
    order = [card.value for kind in CARDS.values() for card in kind]
    cards, problems = context.card_store().load()
    return tuple(sorted(cards, key=lambda card: order.index(card.name))), len(problems)


def take(content: bytes) -> tuple[Upload, tuple[OnSheet, ...]]:
    """Keep a photo of cards that lie side by side until they are named, and return what was found in it.

    It is written anew, without what came with the file, and goes after a day at most.

    Raises
    ------
    UnreadPhotoError
        The bytes are no photo.
    InputError
        There is no card in it; then it is not kept.
    """
    with photos.decoding():
        image = load_photo(content, max_side=TABLE_SIDE_PX).image_bgr
    anew = encode(image, quality=KEPT_QUALITY)
    seen = _seen(anew)
    if not seen:
        raise InputError("no_cards")
    upload = uploads().begin(len(anew))
    return uploads().add(upload.id, 0, anew), seen


def found(upload_id: str) -> tuple[OnSheet, ...]:
    """Return the cards in a photo that was taken in, in reading order."""
    return _seen(uploads().content(upload_id))


def learn(upload_id: str, named: Sequence[tuple[Corners, str]]) -> tuple[str, ...]:
    """Learn cards of a photo that was taken in, all or none; the photo has then done its work, and goes.

    Parameters
    ----------
    upload_id
        The photo.
    named
        The corners of each card, in pixels of the photo, and its name in any language.

    Returns
    -------
    tuple of str
        Their names in the game's English.

    Raises
    ------
    InputError
        There is no name, or a name comes twice; ``cards`` of the data says which they are, from 0.
    UnreadPhotoError
        A card cannot be learned; ``cards`` of the data says which.
    UnknownNameError
        The game has no such card.
    StoreError
        The files of the cards cannot be used.
    """
    content = uploads().content(upload_id)
    names = [card_called(name) for _, name in named]
    if not names:
        raise InputError("no_card_named")
    if twice := [number for number, name in enumerate(names) if names.count(name) > 1]:
        raise InputError("card_named_twice", data={"cards": twice})
    with photos.decoding():
        photo = load_photo(content, max_side=TABLE_SIDE_PX)
    learned = []
    for number, ((corners, _), name) in enumerate(zip(named, names, strict=True)):
        if not cv2.isContourConvex(np.array(corners, np.float32)):
            raise InputError("bad_request", data={"cards": [number]})
        try:
            learned.append(learn_card(photo.image_bgr, photo.from_full_size(np.array(corners)), name))
        except VisionError as error:
            raise UnreadPhotoError(error.code, error, {"cards": [number]}) from error
    for name in {card.name for card in kept()[0]}.intersection(names):
        deeds.demand_right(Kind.CARD, name)
    deeds.demand_room(Kind.CARD, len(names))
    context.card_store().keep(learned)
    deeds.note(Kind.CARD, Act.ADDED, *names)
    uploads().remove(upload_id)
    return tuple(names)


def forget(name: str) -> str:
    """Forget a card, which `bring_back` undoes, and return its name in English."""
    card = card_called(name)
    if any(one.name == card for one in kept()[0]):
        deeds.demand_right(Kind.CARD, card)
    _known_as(context.card_store().forget, card)
    deeds.note(Kind.CARD, Act.DELETED, card)
    return card


def bring_back(name: str) -> str:
    """Bring back the card that was forgotten last, and return its name in English."""
    return _known_as(context.card_store().bring_back, name)


def forget_all() -> None:
    """Forget all cards for good, which is the administrator's to do."""
    administrator.demand()
    context.card_store().forget_all()


def _known_as(do: Callable[[str], str], name: str) -> str:
    try:
        return do(name)
    except UnknownNameError as error:
        raise NotFoundError(error.code, error) from error


def _seen(content: bytes) -> tuple[OnSheet, ...]:
    store = context.card_store()
    return _seen_with(content, store.folder, store.stamp())


@lru_cache(maxsize=2)
def _seen_with(content: bytes, folder: Path, stamp: object) -> tuple[OnSheet, ...]:
    """Return the cards in a photo: looking for them takes seconds, and the page that names them asks again.

    With another stamp other cards are known, and other names are proposed.
    """
    del stamp
    with photos.decoding():
        return cards_on(load_photo(content, max_side=TABLE_SIDE_PX), CardStore(folder).load()[0])
