"""The layout of objects that the kernels assume: each field by its name, against what Python says of a live object."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from fastops import kernels
from fastops.kernels._intrinsics import _object_layout as layout
from tests.helpers.processes import run_code

OFFSETS = [
    "OBJECT_TYPE",
    "TUPLE_ITEMS",
    "TUPLE_LENGTH",
    "LIST_ITEMS",
    "SLICE_ITEMS",
    "NDARRAY_DATA",
    "NDARRAY_RANK",
    "NDARRAY_DIMENSIONS",
    "NDARRAY_STRIDES",
    "NDARRAY_BASE",
    "NDARRAY_DTYPE",
    "NDARRAY_FLAGS",
    "DTYPE_FLAGS",
    "DTYPE_ITEMSIZE",
]

ARRAYS = {
    "scalar": np.zeros((), np.int8),
    "contiguous": np.zeros((3, 4), np.float64),
    "strided": np.zeros((6, 5, 4), np.uint16)[::-2, :, ::3],
    "fortran": np.zeros((3, 4), ">i4", order="F"),
    "read_only": np.broadcast_to(np.zeros(4, "S7"), (3, 4)),
    "objects": np.zeros((2, 2), object),
    "records": np.zeros(5, [("a", "O"), ("b", "V9")]),
    "bfloat16": np.zeros((1, 9), ml_dtypes.bfloat16),
    "empty": np.zeros((0, 3), "M8[s]"),
}


def word(owner: Any, offset: int) -> int:
    """The eight bytes at an offset of a live object."""
    return ctypes.c_int64.from_address(id(owner) + offset).value


def words(address: int, n: int) -> tuple[int, ...]:
    return tuple((ctypes.c_int64 * n).from_address(address)) if n else ()


def test_all_offsets_are_here() -> None:
    assert sorted(name for name, value in vars(layout).items() if name[0] != "_" and type(value) is int) == sorted(
        [*OFFSETS, "C_CONTIGUOUS", "OWNS_DATA", "WRITEABLE", "INT32_MASK"]
    )


def test_offsets_are_read_by_kernels_and_written_down_nowhere_else() -> None:
    for path in Path(kernels.__file__).parent.rglob("*.py"):
        if path.name != "_object_layout.py":
            assert "__basicsize__" not in path.read_text(), path


@pytest.mark.parametrize(
    "owner", [None, 3, (1, 2), np.zeros(3), np.dtype("f4"), np.ndarray], ids=lambda owner: str(type(owner))
)
def test_the_type_of_any_object(owner: Any) -> None:
    assert word(owner, layout.OBJECT_TYPE) == id(type(owner))


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_lists(n: int) -> None:
    items = [np.zeros(3) for _ in range(n)]
    assert word(items, layout.TUPLE_LENGTH) == n
    assert words(word(items, layout.LIST_ITEMS), n) == tuple(map(id, items))


def test_slices() -> None:
    bounds = (np.zeros(3), "b", None)
    assert words(id(slice(*bounds)) + layout.SLICE_ITEMS, 3) == tuple(map(id, bounds))


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_tuples(n: int) -> None:
    items = tuple(np.zeros(3) for _ in range(n))
    assert word(items, layout.TUPLE_LENGTH) == n
    assert words(id(items) + layout.TUPLE_ITEMS, n) == tuple(map(id, items))


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_arrays(array: np.ndarray[Any, Any]) -> None:
    assert word(array, layout.NDARRAY_DATA) == array.ctypes.data
    assert word(array, layout.NDARRAY_RANK) & layout.INT32_MASK == array.ndim
    assert words(word(array, layout.NDARRAY_DIMENSIONS), array.ndim) == array.shape
    assert words(word(array, layout.NDARRAY_STRIDES), array.ndim) == array.strides
    assert word(array, layout.NDARRAY_BASE) == (0 if array.base is None else id(array.base))
    assert word(array, layout.NDARRAY_DTYPE) == id(array.dtype)
    assert word(array, layout.NDARRAY_FLAGS) & layout.INT32_MASK == array.flags.num
    assert bool(array.flags.num & layout.OWNS_DATA) == array.flags.owndata
    assert bool(array.flags.num & layout.C_CONTIGUOUS) == array.flags.c_contiguous
    assert bool(array.flags.num & layout.WRITEABLE) == array.flags.writeable


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_dtypes(array: np.ndarray[Any, Any]) -> None:
    assert word(array.dtype, layout.DTYPE_FLAGS) == array.dtype.flags
    assert word(array.dtype, layout.DTYPE_ITEMSIZE) == array.dtype.itemsize


def test_the_layout_is_as_expected() -> None:
    assert layout.is_as_expected()


@pytest.mark.parametrize("wrong", [-(2**40), -16, -8, 8, 16, 24, 48, 2**40])
@pytest.mark.parametrize("name", OFFSETS)
def test_another_layout_is_not_taken_for_this_one(name: str, wrong: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, name, getattr(layout, name) + wrong)
    assert not layout.is_as_expected()


@pytest.mark.parametrize("shift", [-8, 8, 16])
@pytest.mark.parametrize("owner", ["NDARRAY", "DTYPE", "TUPLE"])
def test_a_field_more_or_less_before_the_others_is_noticed(
    owner: str, shift: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in OFFSETS:
        if name.startswith(owner):
            monkeypatch.setattr(layout, name, getattr(layout, name) + shift)
    assert not layout.is_as_expected()


@pytest.mark.parametrize("name", ["C_CONTIGUOUS", "WRITEABLE"])
def test_other_flags_are_not_taken_for_these(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for bit in (0x0002, 0x0004, 0x0100, 0x0200):
        monkeypatch.setattr(layout, name, bit)
        assert not layout.is_as_expected()


def test_trying_it_loads_no_compiler() -> None:
    code = "import sys; from fastops.kernels._intrinsics import _object_layout as layout\n"
    assert run_code(code + "print(layout.is_as_expected(), 'numba' in sys.modules)").split() == ["True", "False"]
