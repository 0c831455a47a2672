"""The path tracer says which LLVM it needs before anything long starts."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from calibration.errors import CalibrationError
from calibration.training import llvm, sets


def pretend(monkeypatch: pytest.MonkeyPatch, *version: int) -> None:
    """Let Dr.Jit, which need not be installed, say that it loaded an LLVM of a version."""
    drjit = SimpleNamespace(detail=SimpleNamespace(llvm_version=lambda: version))
    monkeypatch.setitem(sys.modules, "drjit", drjit)


@pytest.mark.parametrize(
    ("version", "code", "said"),
    [((-1, -1, -1), "llvm_missing", "no LLVM"), ((18, 1, 8), "llvm_too_old", "LLVM 18.1.8")],
)
def test_llvm_that_does_not_do_is_named_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], code: str, said: str
) -> None:
    """A missing LLVM and an old one have a code each, and the next step names the package."""
    pretend(monkeypatch, *version)
    with pytest.raises(CalibrationError) as caught:
        llvm.check_llvm()
    assert caught.value.code == code
    assert said in caught.value.message
    assert "libllvm19" in caught.value.next_step
    with pytest.raises(SystemExit, match=said):
        llvm.main()


def test_new_llvm_is_taken(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """From the version that was tried on, every LLVM does."""
    pretend(monkeypatch, llvm.OLDEST_LLVM, 1, 7)
    llvm.main()
    assert capsys.readouterr().out == "LLVM 19.1.7\n"


def test_same_version_is_named_everywhere(project_root: Path) -> None:
    """The Makefile and the page on the models name the version that is checked."""
    for path in (project_root / "Makefile", project_root / "vision" / "models" / "README.md"):
        text = path.read_text(encoding="utf-8")
        assert f"LLVM {llvm.OLDEST_LLVM} or newer" in " ".join(text.replace("#", " ").split())


def test_nothing_is_drawn_where_the_path_tracer_cannot_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Path-traced sets are refused before any other set that is asked for is drawn, which takes hours."""
    pretend(monkeypatch, -1, -1, -1)
    monkeypatch.setattr(sys, "argv", ["sets", str(tmp_path), "scenes", "traced"])
    with pytest.raises(SystemExit, match="no LLVM"):
        sets.main()
    assert not list(tmp_path.iterdir())
