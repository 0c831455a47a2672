"""What devices did for all to see, in the database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, func, select, update

from webapp.companion.deeds import REMEMBERED, SHARED, Act, Deed, Device, Kind
from webapp.store.database import Database
from webapp.store.tables import DeedRow

MOST_KEPT = 50_000
MOST_DEVICES = 50
MOST_NAMES = 4


class DeedStore:
    """The deeds of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        kind: Kind,
        act: Act,
        names: Sequence[str],
        *,
        device: str,
        maker: str | None = None,
        before: str | None = None,
    ) -> None:
        """Write down what a device did to these things just now; ``maker`` is the SHA-256 of its token."""
        now = datetime.now(UTC)
        with self._database.begin() as session:
            session.add_all(
                DeedRow(done=now, device=device, maker=maker, kind=kind, act=act, name=name, before=before)
                for name in names
            )

    def rename(self, kind: Kind, old: str, new: str) -> None:
        """Let what was done to a thing stay known under its new name."""
        with self._database.begin() as session:
            session.execute(update(DeedRow).where(DeedRow.kind == kind, DeedRow.name == old).values(name=new))

    def full_until(self, device: str, kind: Kind, most: int, within: timedelta) -> datetime | None:
        """Return when a device may add one more thing of a kind, None when that is now."""
        wanted = (
            select(DeedRow.done)
            .where(
                DeedRow.device == device,
                DeedRow.kind == kind,
                DeedRow.act == Act.ADDED,
                DeedRow.done > datetime.now(UTC) - within,
            )
            .order_by(DeedRow.done.desc())
            .offset(most - 1)
            .limit(1)
        )
        with self._database.read() as session:
            found = session.scalar(wanted)
        return None if found is None else found + within

    def is_maker(self, kind: Kind, name: str, maker: str, *, of_last: bool = False) -> bool:
        """Tell whether the device with this token, as SHA-256, added a thing, or did the last thing to it."""
        newest = (
            select(DeedRow.maker)
            .where(DeedRow.kind == kind, DeedRow.name == name)
            .order_by(DeedRow.id.desc())
            .limit(1)
        )
        if not of_last:
            newest = newest.where(DeedRow.act == Act.ADDED)
        with self._database.read() as session:
            return session.scalar(newest) == maker

    def devices(self) -> list[Device]:
        """Return the addresses that did something, that of the newest deed first."""
        last = func.max(DeedRow.done)
        wanted = (
            select(DeedRow.device, func.count(), last)
            .where(DeedRow.device != "")
            .group_by(DeedRow.device)
            .order_by(last.desc())
            .limit(MOST_DEVICES)
        )
        with self._database.read() as session:
            found = session.execute(wanted).all()
            names: dict[str, dict[str, None]] = {}
            seated = (
                select(DeedRow.device, DeedRow.name)
                .where(DeedRow.kind == Kind.PLAYER, DeedRow.device.in_([row[0] for row in found]))
                .order_by(DeedRow.id.desc())
                .limit(MOST_DEVICES * MOST_NAMES)
            )
            for device, name in session.execute(seated):
                names.setdefault(device, {})[name] = None
        return [
            Device(device, number, when, tuple(names.get(device, ()))[:MOST_NAMES])
            for device, number, when in found
        ]

    def of_device(self, device: str, since: datetime, most: int | None = None) -> list[Deed]:
        """Return what a device did since then, newest first."""
        wanted = (
            select(DeedRow)
            .where(DeedRow.device == device, DeedRow.done >= since)
            .order_by(DeedRow.id.desc())
            .limit(most)
        )
        with self._database.read() as session:
            return [_deed(row) for row in session.scalars(wanted)]

    def find(self, number: int) -> Deed | None:
        """Return one deed, None when it is not known (any more)."""
        with self._database.read() as session:
            row = session.get(DeedRow, number)
            return _deed(row) if row else None

    def remove(self, numbers: Collection[int]) -> None:
        """Forget deeds that were undone."""
        with self._database.begin() as session:
            session.execute(delete(DeedRow).where(DeedRow.id.in_(numbers)))

    def clean_up(self) -> None:
        """Forget which address did what long ago; who added what all games use stays known by its token."""
        old = datetime.now(UTC) - REMEMBERED
        with self._database.begin() as session:
            newest = (
                select(DeedRow.id).order_by(DeedRow.id.desc()).offset(MOST_KEPT).limit(1).scalar_subquery()
            )
            gone = (DeedRow.done < old) | (DeedRow.id <= newest)
            stays = DeedRow.kind.in_(SHARED) & (DeedRow.act == Act.ADDED)
            session.execute(delete(DeedRow).where(gone, ~stays))
            session.execute(update(DeedRow).where(gone, stays).values(device=""))


def _deed(row: DeedRow) -> Deed:
    return Deed(row.id, row.done, row.device, Kind(row.kind), Act(row.act), row.name, row.before)
