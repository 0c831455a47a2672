"""Load OpenCV once, and say which system package is missing where that fails.

The desktop wheel of OpenCV links to libGL and GLib, which bare servers and containers lack; the
loader's own message names a file, not what to install.
"""

from __future__ import annotations

LIBRARIES = ("libGL", "libgthread", "libglib", "libxcb")
"""What the wheel needs from the system and the packages below bring along."""


def explained(error: ImportError) -> ImportError:
    """Return ``error``, or one that says what to install when a known system library is missing.

    The loader complains about one library at a time, so all that is needed is named at once.

    Examples
    --------
    >>> print(explained(ImportError("libGL.so.1: cannot open shared object file: No such file or directory")))
    OpenCV needs the system library libGL.so.1: run "apt install libgl1 libglib2.0-0" on Debian or Ubuntu,
    or "dnf install mesa-libGL" on Fedora.
    """
    library, _, reason = str(error).partition(": ")
    stem = library.partition(".so")[0].partition("-")[0]  # libglib-2.0.so.0
    if stem not in LIBRARIES or not reason.startswith("cannot open shared object file"):
        return error
    return ImportError(
        f"OpenCV needs the system library {library}: "
        'run "apt install libgl1 libglib2.0-0" on Debian or Ubuntu, or "dnf install mesa-libGL" on Fedora.',
        name=error.name,
        path=error.path,
    )


try:
    import cv2 as cv2  # noqa: PLC0414 - offered on purpose, checked
except ImportError as error:
    if (explanation := explained(error)) is error:
        raise
    raise explanation from error
