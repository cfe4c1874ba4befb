"""`fastops run` and its files: IN stays as it is, and OUT is whole, or as it was, whatever happens."""

from __future__ import annotations

import errno
import os
from itertools import count, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from fastops._execution import _planned_kind
from tests.cli._runs import DATA, content, full_disk, is_refused, ran, run_of

FLIP = "numpy flip"
SPLIT = "variadic_split --axis 0 --split-lengths 1,2,997"

# Calls of a run, and how many of them pass before one fails.
MOMENTS: list[tuple[Any, str, int]] = [
    *[(os, name, at) for name, at in (("mkdir", 0), ("posix_fallocate", 2), ("chmod", 0), ("replace", 0))],
    (np.memmap, "flush", 1),
    (_planned_kind, "write_pieces", 1),
]


def test_an_error_or_an_interrupt_at_any_moment_leaves_nothing() -> None:
    Path("p-1.npy").write_bytes(b"old")
    before = content()
    for (owner, name, at), (error, code) in product(
        MOMENTS, ((OSError(28, "No space"), 2), (KeyboardInterrupt(), 130))
    ):
        calls, go_on = count(), getattr(owner, name)

        def fail(*args: Any, at: int = at, calls: Any = calls, go_on: Any = go_on, error: Any = error) -> Any:
            if next(calls) == at:
                raise error
            return go_on(*args)

        with patch.object(owner, name, fail):
            assert ran(run_of(SPLIT, "in.npy -o p.npy")).code == code, name
        assert (content(), next(calls)) == (before, at + 1), (name, error)


def test_a_store_that_cannot_be_replaced_stays() -> None:
    pytest.importorskip("zarr")
    assert ran(run_of(FLIP, "in.npy -o out.zarr")).code == 0
    before = content()
    rename = os.rename

    def refuse(source: Any, target: Any) -> None:
        if Path(target).name == "out.zarr" and not str(source).endswith(".old"):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        rename(source, target)

    with patch.object(os, "rename", refuse):
        assert is_refused(ran(run_of("numpy copy", "in.npy -o out.zarr")), "fastops: files must be accessible, got")
    assert content() == before


@pytest.mark.parametrize("name", ["in.npy", "./in.npy", "symbolic.npy", "hard.npy", "new.npy"])
def test_out_may_be_in_or_a_link(name: str) -> None:
    os.mkdir("dir")
    os.symlink("in.npy", "symbolic.npy")
    os.link("in.npy", "hard.npy")
    os.symlink("dir/new.npy", "new.npy")
    assert ran(run_of(FLIP, f"in.npy -o {name}")).code == 0
    np.testing.assert_array_equal(np.load(name), DATA[::-1])
    assert (os.readlink("symbolic.npy"), os.readlink("new.npy")) == ("in.npy", "dir/new.npy")
    np.testing.assert_array_equal(np.load("in.npy" if name == "hard.npy" else "hard.npy"), DATA)
    assert {*content()} - {"dir/new.npy"} == {"dir", "hard.npy", "in.npy", "symbolic.npy", "new.npy"}


def test_what_is_replaced_hands_its_permissions_on_and_nobody_reads_it_before() -> None:
    umask, modes = os.umask(0o027), set()
    flush: Any = np.memmap.flush

    def look_at_modes(mapped: Any) -> None:
        modes.update([path.stat().st_mode & 0o777 for path in Path().glob(".fastops-*")])
        flush(mapped)

    try:
        Path("old.npy").touch(0o604)
        os.chmod("old.npy", 0o604)
        with patch.object(np.memmap, "flush", look_at_modes):
            assert [ran(run_of(FLIP, f"in.npy -o {name}")).code for name in ("old.npy", "new.npy")] == [0, 0]
        assert [os.stat(name).st_mode & 0o777 for name in ("old.npy", "new.npy")] == [0o604, 0o640]
    finally:
        os.umask(umask)
    assert modes == {0o700}


def test_no_space() -> None:
    Path("p.npy").write_bytes(b"old")
    before = content()
    for operator, most in ((FLIP, 4000), (FLIP, 0), (SPLIT, 4000), ("numpy take_slice --index :0", 64)):
        with full_disk(most):
            result = ran(run_of(operator, "in.npy -o p.npy"))
        assert is_refused(result, "fastops: files must be accessible, got "), (operator, most, result)
        assert content() == before, (operator, most)


def test_out_where_no_file_can_be() -> None:
    os.mkdir("dir")
    os.mkfifo("fifo")
    before = content()
    for output in ("dir", "dir/", "fifo", ".", "..", "new/", "in.npy/out.npy", "missing/out.npy", f"dir/{'x' * 300}"):
        assert is_refused(ran(run_of(FLIP, f"in.npy -o {output}"))), output
    assert content() == before
