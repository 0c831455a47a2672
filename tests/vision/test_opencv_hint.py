"""What somebody reads whose system lacks a library that OpenCV needs."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from vision._opencv import explained

LOADER = "{}: cannot open shared object file: No such file or directory"


@pytest.mark.parametrize("library", ["libGL.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0", "libxcb.so.1"])
def test_missing_system_library_names_its_package(library: str) -> None:
    """One sentence names the library and what to install on Debian, Ubuntu and Fedora."""
    sentence = str(explained(ImportError(LOADER.format(library))))
    assert library in sentence
    assert '"apt install libgl1 libglib2.0-0"' in sentence
    assert '"dnf install mesa-libGL"' in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("No module named 'cv2'", name="cv2"),
        ImportError("numpy.core.multiarray failed to import"),
        ImportError(LOADER.format("libmystery.so.3")),
        ImportError("libGL.so.1: wrong ELF class: ELFCLASS32"),
    ],
    ids=str,
)
def test_other_errors_stay_as_they_are(error: ImportError) -> None:
    """An import that fails for another reason is not explained away."""
    assert explained(error) is error


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (LOADER.format("libGL.so.1"), "apt install libgl1"),
        ("something else", "^something else$"),
    ],
)
def test_failing_import_of_opencv_is_explained(
    tmp_path: Path, project_root: Path, monkeypatch: pytest.MonkeyPatch, message: str, expected: str
) -> None:
    """Where OpenCV cannot be loaded the module raises the explanation, or what it cannot explain."""
    (tmp_path / "cv2.py").write_text(f"raise ImportError({message!r})")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cv2")
    with pytest.raises(ImportError, match=expected):
        runpy.run_path(str(project_root / "vision" / "_opencv.py"))
