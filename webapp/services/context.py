"""What each use case works with: storage, readers, the queue of photos, and who asks.

Whoever runs the application tells with `provided_by` how the work at hand is found; the web server does so
by the request.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from scoring import EXPANSION_TOOLS, PublicObjective, Tool, WindowSet
from scoring.patterns.patterns import KnownPatterns
from vision.profile import Profile
from webapp.domain.errors import StoreError
from webapp.domain.games.codes import hashed
from webapp.domain.quotas import BEHIND_A_PROXY, Attempts, Quotas
from webapp.server.addresses import device_of, is_own
from webapp.storage.database import Database
from webapp.storage.games import EndedGames, GameStore
from webapp.storage.own_cards import TOOLS_FILE, WINDOWS_FILE, ToolStore, WindowStore
from webapp.storage.players import PlayerStore
from webapp.storage.profiles import FOLDER_NAME, ProfileStore
from webapp.storage.readings import ReadingStore, TablePhotoStore
from webapp.workers.work import Reader, TableReader
from webapp.workers.workers import PhotoQueue

logger = logging.getLogger(__name__)

KNOWN = "known_windows"


@dataclass(frozen=True)
class Companion:
    """What an application works with, from one request to the next."""

    database: Database
    store: ReadingStore
    tables: TablePhotoStore
    reader: Reader
    table_reader: TableReader
    queue: PhotoQueue
    samples: Path
    administrator_here: bool = False
    """Whether who seems to be at this computer is the administrator without a PIN."""
    wrong_codes: Attempts = field(default_factory=Attempts)
    wrong_pins: Attempts = field(default_factory=Attempts)
    quotas: Quotas = field(default_factory=Quotas)

    @cached_property
    def games(self) -> GameStore:
        """The games."""
        return GameStore(self.database, self.store)

    @cached_property
    def ended(self) -> EndedGames:
        """The games that are revealed."""
        return EndedGames(self.database, self.games)

    @cached_property
    def players(self) -> PlayerStore:
        """The players who are remembered."""
        return PlayerStore(self.database)


@dataclass
class Visitor:
    """Who asks, as far as the browser tells, and what it is to keep from now on.

    The numeric ``address`` is empty where nobody asks, and not the visitor's own where a program in between
    ``passed_on`` the request. ``public`` are the objectives of the last window: those of a new one lie on the
    same table. ``tokens`` are those of the seats and games of this device, newest first. ``device`` is what
    one is known by that added something, ``administrator`` what one got for the PIN.
    """

    address: str = ""
    passed_on: bool = False
    public: tuple[PublicObjective, ...] = ()
    tokens: tuple[str, ...] = ()
    device: str | None = None
    administrator: str = ""
    granted: tuple[str, ...] = ()
    device_given: str | None = None
    administrator_given: str | None = None

    @property
    def place(self) -> str:
        """By what the requests of this device are counted together."""
        return device_of(self.address)

    @property
    def devices(self) -> int:
        """How many may be behind its address.

        A program on this computer may pass on what all guests ask, and with IPv6 a home is counted together.
        """
        shared = not self.address or is_own(self.address) or ":" in self.place
        return BEHIND_A_PROXY if shared else 1

    @property
    def at_this_computer(self) -> bool:
        """Whether it seems to be the computer that serves the page, as all do that a program here passes on.

        No right depends on it that nobody switched on.
        """
        return not self.passed_on and is_own(self.address)

    @property
    def hashes(self) -> list[str]:
        """What the database knows of the tokens of this device."""
        return [hashed(one) for one in self.tokens]

    def grant(self, token: str, in_place_of: frozenset[str] = frozenset()) -> None:
        """Let this device keep one more token; those that it replaces, given as SHA-256, are forgotten."""
        kept = (token, *(one for one in self.tokens if one != token))
        self.tokens = tuple(one for one in kept if hashed(one) not in in_place_of)
        self.granted = (token, *self.granted)


@dataclass
class Work:
    """One piece of work: a request, or a photo that is read in the background; ``cache`` lasts as long."""

    companion: Companion
    visitor: Visitor = field(default_factory=Visitor)
    cache: dict[str, Any] = field(default_factory=dict)


_PROVIDERS: list[Callable[[], Work]] = []


def provided_by(provider: Callable[[], Work]) -> None:
    """Let ``provider`` return the work at hand from now on."""
    _PROVIDERS[:] = [provider]


def work() -> Work:
    """Return the work at hand."""
    return _PROVIDERS[0]()


def visitor() -> Visitor:
    """Return who asks."""
    return work().visitor


def kept() -> Companion:
    """Return what the application at work has."""
    return work().companion


def store() -> ReadingStore:
    """Return the storage of the application at work."""
    return kept().store


def tables() -> TablePhotoStore:
    """Return the photos of tables of the application at work."""
    return kept().tables


def queue() -> PhotoQueue:
    """Return the photos that are to be read."""
    return kept().queue


def known_windows() -> KnownPatterns:
    """Return the cards of the game and the custom windows.

    They are read once for a piece of work. When their file cannot be used the page goes on with the cards of
    the game; `own_windows_missing` tells.
    """
    cache = work().cache
    if KNOWN not in cache:
        try:
            cache[KNOWN] = window_store().known()
        except StoreError as error:
            logger.warning("%s", error)
            cache[KNOWN] = None
    known = cast("KnownPatterns | None", cache[KNOWN])
    return window_store().cards() if known is None else known


def window_store() -> WindowStore:
    """Return the custom windows, to be changed; see `own_windows_changed`."""
    return WindowStore(store().root / WINDOWS_FILE)


def own_windows_changed() -> None:
    """Let the rest of this work see the custom windows as they are now."""
    work().cache.pop(KNOWN, None)


def own_windows_missing() -> bool:
    """Tell whether the file with the custom windows cannot be used."""
    known_windows()
    return work().cache[KNOWN] is None


def tool_store() -> ToolStore:
    """Return the custom tools, to be changed."""
    return ToolStore(store().root / TOOLS_FILE)


def own_tools() -> tuple[Tool, ...]:
    """Return the tools that people added; none when their file cannot be used."""
    try:
        return tool_store().take_up()
    except StoreError as error:
        logger.warning("%s", error)
        return ()


def known_tools() -> tuple[Tool, ...]:
    """Return the tools of the game, of the expansion where it is switched on, and the custom ones."""
    more = EXPANSION_TOOLS if WindowSet.FIVE_AND_SIX in known_windows().sets else ()
    return (*Tool, *more, *own_tools())


def profile_store() -> ProfileStore:
    """Return the dice that were taught here."""
    return ProfileStore(store().root / FOLDER_NAME)


def known_profiles() -> tuple[Profile, ...]:
    """Return what these dice look like; whatever is wrong with the files, photos are read."""
    try:
        return profile_store().usable()
    except StoreError as error:
        logger.warning("%s", error)
        return ()
