"""The progress bar: on a terminal one line that is cleared, elsewhere nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fastops._cli._progress import ProgressBar, note_compiling, progress_line


def test_line_fits_the_terminal() -> None:
    assert progress_line(0, 3, "x", 80) == f"[{'.' * 24}]   0%  x"
    assert progress_line(3, 3, "x", 80) == f"[{'#' * 24}] 100%  x"
    assert len(progress_line(1, 3, "a long label" * 20, 40)) == 39


def test_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar(2) as bar:
        bar.show("one")
        bar.advance()
    assert capsys.readouterr() == ("", "")


def test_notes_replace_the_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar(2) as bar:
        bar.note("it takes long")
    assert capsys.readouterr() == ("", "it takes long\n")


@pytest.mark.parametrize("command", ["demo", "warmup"])
def test_compiling_is_announced_where_nothing_is_cached(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fastops._runtime._kernel_cache.cache_directory", lambda: tmp_path)
    with ProgressBar(1) as bar:
        note_compiling(bar, command)
        assert capsys.readouterr().err == f"{command}: compiling kernels, which later runs load from the cache\n"
        (tmp_path / "a").write_bytes(b"code")
        note_compiling(bar, command)
        assert capsys.readouterr().err == ""


def test_demo_under_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    np.save(tmp_path / "in.npy", np.arange(60, dtype=np.int16))
    master, slave = pty.openpty()
    args = [sys.executable, "-m", "fastops", "demo", "--input", str(tmp_path / "in.npy"), "--repeats", "1"]
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    shown = b""
    while True:
        try:
            chunk = os.read(master, 4096)
        except OSError:
            # Linux reports the end of a pseudo-terminal as an error.
            break
        if not chunk:
            break
        shown += chunk
    out, _ = process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0
    assert b"\r" not in out
    lines = shown.decode().split("\r")
    assert any("0%  compiling gather" in line for line in lines)
    assert any("slice reflect" in line for line in lines)
    # The note on compiling is for those who see no bar.
    assert "\n" not in shown.decode()
    # The last thing written blanks the line.
    assert shown.endswith(b" \r")


class GoneTerminal:
    """A terminal that has been closed."""

    def isatty(self) -> bool:
        return True

    def write(self, _: str) -> None:
        raise OSError(5, "Input/output error")

    def flush(self) -> None:
        raise OSError(5, "Input/output error")


def test_a_terminal_that_goes_away_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", GoneTerminal())
    with ProgressBar(2) as bar:
        bar.show("one")
        bar.advance()
        bar.show("two")
    assert bar.done == 1
