"""Load OpenCV once, and say which system package is missing where that fails.

The desktop wheel of OpenCV links to libGL and GLib, which bare servers and containers lack; the
loader's own message names a file, not what to install.
"""

from __future__ import annotations

INSTALL = {
    "libgl": ("libgl1", "mesa-libGL"),
    "libgthread": ("libglib2.0-0", "glib2"),
    "libglib": ("libglib2.0-0", "glib2"),
    "libxcb": ("libxcb1", "libxcb"),
}
"""Start of a library's file name, in lower case: its package on Debian or Ubuntu, and on Fedora."""


def explained(error: ImportError) -> ImportError:
    """Return ``error``, or one that names the missing package when a known system library is missing.

    Examples
    --------
    >>> print(explained(ImportError("libGL.so.1: cannot open shared object file: No such file or directory")))
    OpenCV needs the system library libGL.so.1: run "apt install libgl1 libglib2.0-0" on Debian or Ubuntu,
    or "dnf install mesa-libGL" on Fedora.
    """
    library, _, reason = str(error).partition(": ")
    known = next((packages for start, packages in INSTALL.items() if library.lower().startswith(start)), None)
    if known is None or "shared object" not in reason:
        return error
    # libGL and GLib are missing together as a rule, and the loader complains about one at a time
    debian = " ".join(dict.fromkeys([known[0], "libgl1", "libglib2.0-0"]))
    return ImportError(
        f'OpenCV needs the system library {library}: run "apt install {debian}" on Debian or Ubuntu, '
        f'or "dnf install {known[1]}" on Fedora.',
        name=error.name,
        path=error.path,
    )


try:
    import cv2 as cv2  # noqa: PLC0414 - offered on purpose, checked
except ImportError as error:
    if (explanation := explained(error)) is error:
        raise
    raise explanation from error
