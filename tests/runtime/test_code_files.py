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


def test_a_file_that_another_process_reads_need_not_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "code.nbc"

    def refuse(*_: object) -> None:
        raise PermissionError("in use, as Windows says it")

    _code_files.write_code(path, b"x")
    monkeypatch.setattr(Path, "replace", refuse)
    _code_files.write_code(path, b"y")
    assert list(tmp_path.iterdir()) == [path]
    assert _code_files.read_code(path) == b"x"
    path.unlink()
    with pytest.raises(PermissionError, match="in use"):
        _code_files.write_code(path, b"y")
    assert not list(tmp_path.iterdir())


def test_a_pipe_in_the_place_of_code_is_no_code(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "code.nbc")
    assert _code_files.read_code(tmp_path / "code.nbc") is None


needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
needs_superuser = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser can give a file to somebody else"
)


def check_refused(path: Path, reason: str) -> None:
    """Code is neither read from a file nor written into it, and its directory stays as it was."""
    before = {each: each.read_bytes() for each in path.parent.iterdir()} if path.parent.exists() else {}
    if path.exists():
        with pytest.raises(PermissionError, match=reason):
            _code_files.read_code(path)
    with pytest.raises(PermissionError, match=reason):
        _code_files.write_code(path, b"other")
    assert before == ({each: each.read_bytes() for each in path.parent.iterdir()} if path.parent.exists() else {})


@needs_owners
@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777])
@pytest.mark.parametrize("level", ["the directory", "the one around it"])
def test_a_directory_that_others_may_write_is_not_used(mode: int, level: str, tmp_path: Path) -> None:
    path = tmp_path / "base" / "kernels" / "code.nbc"
    _code_files.write_code(path, b"x")
    (path.parent if level == "the directory" else path.parent.parent).chmod(mode)
    check_refused(path, "others than its owner may write")


@needs_owners
def test_a_directory_in_one_where_users_cannot_remove_each_others_files_is_used(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    path = tmp_path / "kernels" / "code.nbc"
    _code_files.write_code(path, b"x")
    assert _code_files.read_code(path) == b"x"
    path.parent.chmod(0o1777)
    check_refused(path, "others than its owner may write")


@needs_superuser
@pytest.mark.parametrize("level", [0, 1])
def test_a_directory_of_somebody_else_is_not_used(level: int, tmp_path: Path) -> None:
    path = tmp_path / "base" / "kernels" / "code.nbc"
    _code_files.write_code(path, b"x")
    os.chown(path.parents[level], 12345, 12345)
    check_refused(path, "belongs to another user")


@needs_owners
def test_a_file_that_others_may_write_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "kernels" / "code.nbc"
    _code_files.write_code(path, b"x")
    assert _code_files.is_trusted(path)
    path.chmod(0o666)
    assert not _code_files.is_trusted(path)
    with pytest.raises(PermissionError, match="others than its owner may write"):
        _code_files.read_code(path)


@needs_superuser
def test_a_file_of_somebody_else_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "kernels" / "code.nbc"
    _code_files.write_code(path, b"x")
    os.chown(path, 12345, 12345)
    with pytest.raises(PermissionError, match=r"code\.nbc belongs to another user"):
        _code_files.read_code(path)


@needs_owners
@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o077])
def test_what_is_made_may_be_used_whatever_the_umask(umask: int, tmp_path: Path) -> None:
    path = tmp_path / "new" / "cache" / "kernels" / "code.nbc"
    before = os.umask(umask)
    try:
        _code_files.write_code(path, b"x")
    finally:
        os.umask(before)
    assert _code_files.read_code(path) == b"x"
    readable = 0o777 & ~umask & 0o755
    assert [each.stat().st_mode & 0o777 for each in path.parents[:3]] == [readable] * 3


def test_no_relative_path_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_refused(Path("base") / "kernels" / "code.nbc", "base is not an absolute path")
    assert not list(tmp_path.iterdir())
