"""The administrator's PIN and settings, in small files beside the database.

The file of the PIN can be read by its owner alone. The PIN lies there as it is: ``sagrada serve`` prints it,
and whoever reads the file has everything else in the folder, too.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scoring import WindowSet
from webapp.domain.games.codes import hashed, new_token
from webapp.storage.files import locked, write_whole

PIN_FILE = "administrator.json"
LASTS = timedelta(days=365)
MOST_DEVICES = 20
DIGITS = 8


@dataclass(frozen=True)
class _Known:
    """The PIN, and for each device the SHA-256 of its token with the second at which it ends."""

    pin: str
    devices: dict[str, float] = field(default_factory=dict)


class Administrator:
    """What is kept in the file ``path``, which need not be there."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pin(self) -> str:
        """Return the PIN; there is one from the first question on."""
        return (self._read() or self._change(lambda known: known)).pin

    def renew(self) -> str:
        """Return a new PIN; all devices that typed the old one have to type it."""
        return self._change(lambda _: _new()).pin

    def let_in(self, pin: str) -> str | None:
        """Return the token for a device that typed this PIN, None where it is another one."""
        if not hmac.compare_digest(self.pin().encode(), pin.encode()):
            return None
        token, ends = new_token(), (datetime.now(UTC) + LASTS).timestamp()

        def with_device(known: _Known) -> _Known:
            devices = dict(list(known.devices.items())[1 - MOST_DEVICES :])
            return replace(known, devices={**devices, hashed(token): ends})

        self._change(with_device)
        return token

    def knows(self, token: str) -> bool:
        """Tell whether a device got this token, and not too long ago."""
        known = self._read()
        return known is not None and known.devices.get(hashed(token), 0.0) > datetime.now(UTC).timestamp()

    def forget(self, token: str) -> None:
        """Let the device with this token be one as any other."""

        def without(known: _Known) -> _Known:
            devices = {one: ends for one, ends in known.devices.items() if one != hashed(token)}
            return replace(known, devices=devices)

        self._change(without)

    def _read(self) -> _Known | None:
        try:
            return _Known(**json.loads(self._path.read_bytes()))
        except (FileNotFoundError, ValueError, TypeError):  # a file that is damaged is made anew
            return None

    def _change(self, how: Callable[[_Known], _Known]) -> _Known:
        with locked(self._path.with_name(f".{self._path.name}.lock")):
            known = how(self._read() or _new())
            write_whole(self._path, json.dumps(asdict(known)).encode())
        return known


def _new() -> _Known:
    return _Known("".join(secrets.choice("0123456789") for _ in range(DIGITS)))


SETTINGS_FILE = "house.json"  # the name that data of 1.0.0 have
KEEP_DAYS = (7, 30, 90, 365)
"""After so many days what belongs to no game may go."""

MORE_SETS = (WindowSet.FIVE_AND_SIX, WindowSet.PROMOS)


@dataclass(frozen=True)
class Settings:
    """What was set."""

    keep_days: int | None = None
    """After how many days windows and photos go that belong to no game; None: they stay."""
    sets: Sequence[str] = (WindowSet.FIVE_AND_SIX.value,)
    """The boxes and packs whose window cards are known beside those of the base game."""

    def __post_init__(self) -> None:
        """Refuse a number that is not offered, and forget boxes that this version does not know."""
        if self.keep_days is not None and self.keep_days not in KEEP_DAYS:
            raise ValueError(self.keep_days)
        object.__setattr__(self, "sets", tuple(one.value for one in MORE_SETS if one.value in self.sets))

    @property
    def window_sets(self) -> frozenset[WindowSet]:
        """The boxes and packs whose window cards are known."""
        return frozenset({WindowSet.BASE, *map(WindowSet, self.sets)})


def load_settings(folder: Path) -> Settings:
    """Return what was set; a file that cannot be understood deletes nothing."""
    try:
        return Settings(**json.loads((folder / SETTINGS_FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return Settings()


def save_settings(folder: Path, settings: Settings) -> None:
    """Keep what was set."""
    write_whole(folder / SETTINGS_FILE, json.dumps(asdict(settings)).encode())
