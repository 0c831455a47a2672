"""The cards that this household taught as JSON: finding them in a photo, learning, forgetting."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from flask import url_for
from pydantic import Field
from typing_extensions import TypedDict

from vision.table import CARDS
from webapp.api.answers import Count, Label, PublicObjective, Tool
from webapp.api.body import Body
from webapp.api.requests import CardName, Corner
from webapp.api.section import Section, made_at
from webapp.api.table_answers import Place
from webapp.web import own_cards, photos
from webapp.web.language import words

blueprint = Section(
    "taught_cards_api",
    heading="Taught cards",
    about="Objective and tool cards of the edition and language of this house. They are learned from a photo "
    "in which they lie side by side, and known again in photos of the table.",
)

MOST_CARDS = 100


class CardPhoto(TypedDict):
    """A photo of cards, as a form."""

    photo: Annotated[str, Field(json_schema_extra={"contentMediaType": "image/*"})]
    """A JPEG, PNG, WebP or HEIC file: cards side by side, upright, from straight above."""
    upload: NotRequired[str]
    """In place of `photo`: the id of one that came in pieces; see Uploads."""


class FoundCard(TypedDict):
    """A card in a photo."""

    corners: Annotated[list[Place], Field(min_length=4, max_length=4)]
    """In pixels of the photo: top left, top right, bottom right, bottom left as one reads the card."""
    name: PublicObjective | Tool | None
    """What it seems to be, to be confirmed by a person; null when nothing tells."""


class FoundLinks(TypedDict):
    """Where the cards of a photo are named."""

    page: str


class FoundCards(TypedDict):
    """The cards in a photo, row by row from the top, each row from the left."""

    upload: str
    """The id of the photo, which is kept for a day at most."""
    cards: list[FoundCard]
    links: FoundLinks


class NamedCard(Body):
    """A card that somebody named."""

    corners: tuple[Corner, Corner, Corner, Corner]
    """In pixels of the photo: top left, top right, bottom right, bottom left as one reads the card."""
    name: CardName
    """Its name in any language."""


class CardLesson(Body):
    """Cards of a photo that are to be learned; a card that was learned before is learned anew."""

    upload: Annotated[str, Field(max_length=100)]
    """The id of the photo, as `findCards` answers it."""
    cards: Annotated[list[NamedCard], Field(max_length=MOST_CARDS)]


class TaughtCard(TypedDict):
    """A card that this household taught."""

    name: PublicObjective | Tool
    label: Label
    kind: Literal["public_objective", "tool"]
    picture: str
    """The address of its picture, a JPEG."""


class TaughtCards(TypedDict):
    """The cards that this household taught, in the order of the lists of the game."""

    cards: list[TaughtCard]
    unusable: Count
    """How many files of cards cannot be used; `sagrada cards list` says why."""


@blueprint.action("get", "/taught-cards", "listTaughtCards")
def show_all() -> TaughtCards:
    """List the cards that were taught."""
    return _answer()


@blueprint.action("post", "/card-photos", "findCards", status=201, form=CardPhoto, errors=[422])
def find() -> FoundCards:
    """Find the cards in a photo, to name and learn them.

    Nothing is learned yet. The photo is kept until its cards are learned, for a day at most.
    """
    upload, seen = own_cards.take(photos.uploaded())
    page = url_for("cards.name_them", upload_id=upload.id)
    made_at(page)
    return {
        "upload": upload.id,
        "cards": [{"corners": [list(point) for point in one.corners], "name": one.proposal} for one in seen],
        "links": {"page": page},
    }


@blueprint.action("post", "/taught-cards", "learnCards", errors=[404, 422, 503])
def learn(lesson: CardLesson) -> TaughtCards:
    """Learn the cards of a photo that are named, all or none.

    Then the photo is deleted. Where a card is refused, `cards` in the `data` of the error numbers it, from 0.
    """
    own_cards.learn(lesson.upload, [(card.corners, card.name) for card in lesson.cards])
    return _answer()


@blueprint.action("delete", "/taught-cards", "forgetCards", errors=[403, 503])
def forget_all() -> None:
    """Forget all cards for good."""
    own_cards.forget_all()


@blueprint.action("delete", "/taught-cards/<card>", "forgetCard", errors=[403, 404, 503])
def forget(card: str) -> None:
    """Forget a card.

    Until another one is forgotten it can be brought back.
    """
    own_cards.forget(card)


@blueprint.action("post", "/taught-cards/<card>", "bringBackCard", errors=[404, 503])
def bring_back(card: str) -> None:
    """Bring back the card that was forgotten last."""
    own_cards.bring_back(card)


def _answer() -> TaughtCards:
    cards, unusable = own_cards.kept()
    say = words()
    return {
        "cards": [
            {
                "name": card.name,
                "label": say.name(CARDS[card.kind](card.name)),
                "kind": card.kind,
                "picture": url_for("cards.picture", name=card.name),
            }
            for card in cards
        ],
        "unusable": unusable,
    }
