"""What the companion refuses, told apart by what a caller does about it.

A `CompanionError` has a code with the sentences of `webapp.services.error_sentences`, a `StoreError` is
about files of this computer. Beside them stand `ScoringError` (the rules), `VisionError` (the reader),
`GameFileError` (a game in a file) and `AddressError` (an address for phones). `webapp.web.errors` knows which
HTTP status each of them has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from scoring.errors import SagradaError, ScoringError
from webapp.services.error_sentences import text_of


class CompanionError(SagradaError):
    """Something that the companion does not do.

    Parameters
    ----------
    code
        The machine-readable reason.
    why
        What the rules say about it, where they refused it: they know more than the sentence of the code.
    data
        What programs may want to know beyond the code, as it goes into JSON.
    """

    def __init__(
        self, code: str, why: SagradaError | None = None, data: Mapping[str, object] | None = None
    ) -> None:
        data = {**(why.data if why else {}), **(data or {})}
        what, advice = (why.sentence, why.advice) if why else text_of(code, data)
        super().__init__(code, what, advice, data)


class InputError(CompanionError):
    """What was asked for makes no sense, for example an unknown color, or is not allowed at this table."""


class UnreadPhotoError(CompanionError):
    """No window can be read in a photo; code and data are those of the `vision.VisionError`."""


class NotFoundError(CompanionError):
    """There is no such reading, photo, game, window or sample (any more)."""


class ForbiddenError(CompanionError):
    """Somebody else may do that, but not who asked."""


class ConflictError(CompanionError):
    """Another tab or phone changed the same thing first."""


class TooManyError(CompanionError):
    """A device did something too often: wrong codes or PINs, adding things; ``data`` says the wait."""


class BusyError(CompanionError):
    """There is too much to do just now."""


class FullError(CompanionError):
    """There is no room left on the disk."""


class BrokenRecordError(CompanionError):
    """What is stored of a reading or a game cannot be understood."""


class StoreError(SagradaError):
    """What the program keeps cannot be used; the error names files and databases of this computer.

    Codes of the database: ``database_address`` (nobody can understand the address), ``database_driver`` (the
    package for PostgreSQL is missing), ``database_unusable`` (it cannot be opened or read),
    ``database_newer`` (a newer version of the program made it), ``database_busy`` (another process holds it).

    Codes of files: ``windows_damaged`` (nobody can understand it), ``windows_newer`` (a newer version of the
    program wrote it), ``windows_unusable`` (the disk refuses), ``windows_busy`` (another program holds its
    lock); the same with ``profiles_`` and ``tools_``.
    """


@contextmanager
def in_words_of_the_rules(code: str = "bad_request") -> Iterator[None]:
    """Turn what the rules refuse into an `InputError` that says in their words what is wrong, and where."""
    try:
        yield
    except ScoringError as error:
        raise InputError(code, error) from error
