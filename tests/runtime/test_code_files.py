"""Files of machine code: whole and what was written, or not there."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event, Thread

import pytest

from fastops._runtime import _code_files


@pytest.mark.parametrize("content", [b"", b"x", b"x" * 5000])
def test_code_is_what_was_written(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "new" / "code.nbc"
    assert _code_files.read_code(path) is None
    _code_files.write_code(path, content)
    assert _code_files.read_code(path) == content
    assert list(path.parent.iterdir()) == [path]
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(_code_files.DamagedFileError, match=r"code\.nbc is damaged"):
        _code_files.read_code(path)


def test_code_is_whole_at_any_moment_while_it_is_written_anew(tmp_path: Path) -> None:
    path, is_done, contents = tmp_path / "code.nbc", Event(), [bytes([k]) * 2**20 for k in range(2)]
    _code_files.write_code(path, contents[0])

    def write() -> None:
        for k in range(200):
            _code_files.write_code(path, contents[k % 2])
        is_done.set()

    writer = Thread(target=write)
    writer.start()
    try:
        while not is_done.is_set() and writer.is_alive():
            assert _code_files.read_code(path) in contents
    finally:
        writer.join()
    assert is_done.is_set()


def test_code_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        _code_files.write_code(tmp_path / "code.nbc", b"x")
    assert not list(tmp_path.iterdir())


def test_a_pipe_in_the_place_of_code_is_no_code(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "code.nbc")
    assert _code_files.read_code(tmp_path / "code.nbc") is None
