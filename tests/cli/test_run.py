"""`fastops run` on .npy files: results, refused files, and staging.

Whatever happens, IN does not change unless it is OUT, and OUT is complete or does not change.
"""

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
from tests.cli.conftest import DATA, ODD, bytes_of, content, is_refused, ran, run_of

CUBE = np.arange(24.0).reshape(2, 3, 4)
GRID = np.arange(6, dtype=np.int16).reshape(2, 3)

# Texts of fill values, and types: first texts that NumPy converts itself, then others with their values.
SAME_FILLS = "3:f4 inf:f8 -Infinity:f8 1e308:f8 NaN:f4 9007199254740993:i8 1+2j:c8 2020-01-02:M8[D] 5:m8[s] ab:U3 ab:S3"
FILLS: list[tuple[str, str, Any]] = [
    *[(text, dtype, text) for text, dtype in [each.split(":") for each in SAME_FILLS.split()]],
    *[("TRUE", "?", True), ("0x3f80", "V2", b"\x3f\x80"), ("803f", "V2", b"\x80\x3f")],
]
FILL = "slice --start -1 --size 1 --mode fill --fill-value="

# An operator with its flags, the array in IN, and the array that OUT must have.
RESULTS: list[tuple[str, Any, Any]] = [
    ("strided_slice --begin -1,0,3 --end 0,-1,-9 --strides 1,1,-2 --shrink-axis-mask 1", CUBE, CUBE[-1, 0:-1, 3::-2]),
    ("slice --start=-1 --size 4 --axes -1 --mode fill --fill-value -7", GRID[:1, :2], np.array([[-7, 0, 1, -7]], "i2")),
    ("strided_slice --begin '' --end ''", np.array(7), np.array(7)),
    ("strided_slice --begin 2 --end 0", np.ones((2, 3)), np.ones((0, 3))),
    *[("strided_slice --begin 1 --end 9 --strides 2", data, data[1::2]) for data in ODD],
    ("torch roll --shifts -5 --dims 1", np.asfortranarray(CUBE), np.roll(CUBE, -5, 1)),
    ("numpy take_slice --index=-1,...,None,::-2", CUBE, CUBE[-1, ..., None, ::-2]),
    ("numpy pad --pad-width=((0,0),(2,0)) --mode=wrap", GRID, np.pad(GRID, ((0, 0), (2, 0)), "wrap")),
    ("numpy rot90 --axes=1,2", CUBE, np.rot90(CUBE, 1, (1, 2))),
    ("numpy tile --reps=2", GRID, np.tile(GRID, 2)),
    ("onnx depth_to_space --blocksize=2 --mode=CRD", np.arange(4).reshape(1, 4, 1, 1), np.array([[[[0, 1], [2, 3]]]])),
    ("openvino reverse --axis=0,1 --mode=index", GRID, GRID[::-1, ::-1]),
    ("tensorflow pad --paddings=((1,0),(0,1)) --mode=SYMMETRIC", GRID, np.pad(GRID, ((1, 0), (0, 1)), "symmetric")),
    ("tensorrt slice --start=0,2 --shape=2,2 --stride=1,-1", GRID, GRID[:, 2:0:-1]),
    ("torch narrow --dim=1 --start=1 --length=2", GRID, GRID[:, 1:]),
    *[(FILL + text, np.zeros(1, dtype), np.array([value]).astype(dtype)) for text, dtype, value in FILLS],
]  # fmt: skip


def test_results() -> None:
    for operator, data, expected in RESULTS:
        np.save("in.npy", data)
        result = ran(run_of(operator))
        # The .npy format cannot store types of ml_dtypes.
        dtype = np.load("in.npy").dtype
        assert result == (0, f"out.npy: shape {expected.shape}, {dtype}\n", ""), operator
        assert (np.load("out.npy").dtype, bytes_of(np.load("out.npy"))[1:]) == (dtype, bytes_of(expected)[1:]), operator
        assert sorted(content()) == ["in.npy", "out.npy"]


def test_fill_values_that_the_type_does_not_have() -> None:
    for text, dtype in {"x": "f4", "1.5": "i8", "9" * 4400: "i8", "2": "?", "0x3": "V2", "abcd": "S3"}.items():
        np.save("in.npy", np.zeros(1, dtype))
        assert is_refused(ran(run_of(FILL + text)), "slice: fill_value must be "), text
    assert sorted(content()) == ["in.npy"]


def test_names_of_files() -> None:
    assert ran(run_of("numpy flip", "in.npy -o out")).code == 0
    assert np.load("out").shape == (1000,)
    assert (
        ran(["run", "numpy", "flip", "in.npy", "-o", "a\nb\x1b[31m.npy"]).out
        == "'a\\nb\\x1b[31m.npy': shape (1000,), int64\n"
    )
    os.mkdir("d.1")
    assert ran("run variadic_split in.npy -o d.1/p --axis -1 --split-lengths -1,2").code == 0
    assert [np.load(name).tolist()[-2:] for name in ("d.1/p-0", "d.1/p-1")] == [[997, 998], [999, 1000]]


# --- Files that cannot be read --------------------------------------------------------------------------------------

HEADERS = {
    "<U0": ["(-1,)"],
    "|V0": ["(-1, 3)"],
    "<i4": ["(-1,)", "(-2, -3)", "(1000,)", "(4611686018427387904, 8)"],
    "|O": ["(3,)"],
}


def test_headers_of_arrays_that_do_not_exist() -> None:
    headers = [(descr, shape) for descr, shapes in HEADERS.items() for shape in shapes]
    for version, (descr, shape) in product((1, 2, 3), headers):
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
        length = len(header).to_bytes(2 if version == 1 else 4, "little")
        Path("in.npy").write_bytes(b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + bytes(49))
        result = ran(run_of("numpy flip"))
        assert is_refused(result, "numpy.flip: IN must be a readable .npy file"), (version, descr, shape, result)
    assert sorted(content()) == ["in.npy"]


# --- Staging --------------------------------------------------------------------------------------------------------

FLIP = "numpy flip"
SPLIT = "variadic_split --axis 0 --split-lengths 1,2,997"

# Functions that a run calls, and how many of the calls pass before one fails.
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
    with patch.object(os, "replace", side_effect=PermissionError(errno.EPERM, os.strerror(errno.EPERM))):
        assert is_refused(ran(run_of("numpy copy", "in.npy -o out.zarr")), "fastops: files must be accessible, got")
    assert content() == before


@pytest.mark.parametrize("name", ["./in.npy", "symbolic.npy", "hard.npy", "new.npy"])
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


def test_out_where_no_file_can_be() -> None:
    os.mkdir("dir")
    os.mkfifo("fifo")
    before = content()
    for output in ("dir", "dir/", "fifo", ".", "..", "new/", "in.npy/out.npy", "missing/out.npy", f"dir/{'x' * 300}"):
        assert is_refused(ran(run_of(FLIP, f"in.npy -o {output}"))), output
    assert content() == before
