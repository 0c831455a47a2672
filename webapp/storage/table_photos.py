"""Photos of whole tables in the database. The windows that are read in one are readings of their own."""

from __future__ import annotations

from typing import Any

from sqlalchemy import String, cast, select

from scoring import PublicObjective
from vision.advice import Advice
from vision.table import CardReading, LooseDie
from webapp.domain.record import Failure
from webapp.domain.table_photo import NotRead, Purpose, Stage, TablePhoto
from webapp.storage.database import Repository, TablePhotoRow


class TablePhotoStore(Repository[TablePhoto]):
    """The photos of tables in a database."""

    room = "tables"
    row = TablePhotoRow
    made = TablePhoto
    missing = "table_photo_missing"

    def newest_for(self, target: str) -> str | None:
        """Return the id of the newest photo that was taken for a window or a game, None without one."""
        # Spelled as `webapp.storage.database` writes JSON.
        named = cast(TablePhotoRow.state, String).contains(f'"target":"{target}"', autoescape=True)
        newest = select(TablePhotoRow.id).where(named).order_by(TablePhotoRow.created.desc()).limit(1)
        with self._database.read() as session:
            return session.scalar(newest)

    @staticmethod
    def _of_state(state: dict[str, Any], **columns: Any) -> TablePhoto:  # noqa: ANN401
        width, height = state.pop("size")
        failure = state.pop("failure")
        return TablePhoto(
            size=(width, height),
            purpose=Purpose(state.pop("purpose")),
            stage=Stage(state.pop("stage")),
            failure=Failure(**failure) if failure else None,
            windows=tuple(state.pop("windows")),
            loose_dice=tuple(map(LooseDie.from_json, state.pop("loose_dice"))),
            cards=tuple(map(CardReading.from_json, state.pop("cards"))),
            unread=tuple(
                NotRead(one["what"], Failure(**one["failure"]), (one["center"][0], one["center"][1]))
                for one in state.pop("unread")
            ),
            left_out=tuple(state.pop("left_out")),
            public=tuple(PublicObjective(name) for name in state.pop("public")),
            advice=tuple(Advice(**one) for one in state.pop("advice")),
            **columns,
            **state,
        )
