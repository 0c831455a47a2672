"""Whether the path tracer has an LLVM that is new enough: ``python -m calibration.training.llvm``.

Mitsuba's own compiler, Dr.Jit, takes the LLVM that the system has as a shared library, or the one that
``DRJIT_LIBLLVM_PATH`` names. With LLVM 15 a processor with AVX-512 ends in "Cannot select ... fminimum",
which takes the process down: no Python code can catch it.
"""

from __future__ import annotations

import importlib
import sys

from calibration.errors import CalibrationError

OLDEST_LLVM = 19
"""The version that whole windows were traced with."""

NEXT_STEP = (
    f"Install LLVM {OLDEST_LLVM} or newer (Debian and Ubuntu: libllvm{OLDEST_LLVM}), "
    "or name its shared library in DRJIT_LIBLLVM_PATH."
)


def check_llvm() -> tuple[int, ...]:
    """Return the version (major, minor, patch) of the LLVM that Dr.Jit loads, or raise that none does."""
    version: tuple[int, ...] = importlib.import_module("drjit").detail.llvm_version()
    if version[0] < 0:
        raise CalibrationError("llvm_missing", "The path tracer finds no LLVM.", NEXT_STEP)
    if version[0] < OLDEST_LLVM:
        name = ".".join(map(str, version))
        message = f"The path tracer finds LLVM {name}, which cannot compile whole windows on every processor."
        raise CalibrationError("llvm_too_old", message, NEXT_STEP)
    return version


def main() -> None:
    """Say which LLVM is there; the exit status is 1 when it does not do."""
    try:
        version = check_llvm()
    except CalibrationError as error:
        raise SystemExit(str(error)) from error
    sys.stdout.write(f"LLVM {'.'.join(map(str, version))}\n")


if __name__ == "__main__":
    main()
