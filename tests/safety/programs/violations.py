"""``violations``: tables that send the checked kernels out of their buffers. Each must be caught, and harm nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numba
import numpy as np
import pytest

import fastops as fo
from fastops._arrays._dtypes import as_output_type
from fastops._execution._execute import as_table
from fastops._runtime import _kernels
from fastops._runtime._kernels import load_entry
from fastops.kernels._intrinsics._memory import copy_bytes, memory_in, shift
from fastops.kernels._tables import _gather as t
from fastops.plan import RangePlan, SlicePlan
from tests.helpers.launches import range_written, run_table
from tests.helpers.schedules import create_table, starts_of

WIDTH = 4


@contextmanager
def caught(what: str, *arrays: np.ndarray[Any, Any]) -> Iterator[None]:
    """Expect a violation with this text, or none if the text is empty; arrays must not change."""
    before = [array.copy() for array in arrays]
    if what:
        with pytest.raises(AssertionError, match=what):
            yield
    else:
        yield
    if not all(map(np.array_equal, arrays, before)):
        raise ValueError("something was written that should not have been")


def run(
    what: str, plans: Sequence[SlicePlan], column: int, *numbers: int, part: int = 0, last_axis: bool = False
) -> None:
    """Run the table of plans with both kinds of stores; add each number to a column of a part or of its last axis.

    The bytes around the outputs and of the source must not change.
    """
    for number, streams in product(numbers, (False, True)):
        rooms = [np.full(128 + plan.size * WIDTH, 0xA5, np.uint8) for plan in plans]
        outs = [room[64:-64].view(np.uint32).reshape(plan.shape) for room, plan in zip(rooms, plans, strict=True)]
        source = np.arange(np.prod(plans[0].source_shape), dtype=np.uint32).reshape(plans[0].source_shape)
        made = create_table(plans, source.strides, WIDTH, [out.strides for out in outs], streams=streams)
        row, table = starts_of(made)[part], as_table(made)
        axis = row + t.PART_COLUMNS + (table[row + t.AXES] - 1) * t.AXIS_COLUMNS
        table[(axis if last_axis else row) + column] += number
        with caught(what, source, *[side for room in rooms for side in (room[:64], room[-64:])]):
            _kernels._asserted(run_table)((source, *outs), table, np.zeros(16, np.uint8))


def run_range(what: str, output_type: str, **changes: int) -> None:
    """Run a range's row, with columns changed; bytes around the output must not change."""
    dtype, count = as_output_type("violations", output_type), 1000
    memory = np.full(count * dtype.itemsize + 128, 0xA5, np.uint8)
    geometry, out = RangePlan(0, 1, count), memory[64:-64].view(dtype)
    with caught(what, memory[:64], memory[-64:]), range_written(geometry, dtype, out, **changes) as where:
        load_entry("run_range")(*where, 1, 0, 1)


@numba.njit(numba.void(numba.intp))
def write_through_a_pointer_for_reading(address):  # type: ignore[no-untyped-def]
    """Write into memory at an address."""
    memory_in(address, 0, 256, False)[0] = 1


@numba.njit(numba.void(numba.intp))
def copy_onto_itself(address):  # type: ignore[no-untyped-def]
    """Copy 64 bytes to a place that overlaps them in 56 bytes."""
    pointer = memory_in(address, 0, 256, True)
    copy_bytes(shift(pointer, 8), pointer, 64)


def main() -> None:
    """Damage the tables of each kernel."""
    for output_type in ("i8", "i64", "f16", "f64", "i4"):
        run_range("", output_type)
        run_range("write", output_type, COUNT=1100)
        run_range("write", output_type, COUNT=1100, STREAMS=1)
    plain = [fo.plan.slice((7, 50), [0, 1], [7, 40])]
    reversed_rows = [fo.plan.strided_slice((7, 50), [0, -1], [7, -99], [1, -1])]
    transposed = [fo.plan.slice((90, 90), [0, 0], [90, 90])]
    folded = [fo.plan.slice((7, 50), [0, -9], [7, 90], mode="reflect")]
    filled = [fo.plan.slice((7, 50), [0, -9], [7, 90], mode="fill")]
    halves = [fo.plan.slice((7, 50), [0, 0], [7, 30]), fo.plan.slice((7, 50), [0, 30], [7, 20])]
    for plans in (plain, reversed_rows, transposed, folded):
        run("", plans, t.DST_OFFSET, 0)
        run("write", plans, t.DST_OFFSET, WIDTH, -1, 2**40)
    run("read", plain, t.SRC_OFFSET, -(2**40), -8, 2**40)
    run("read", folded, t.TOP, 40, last_axis=True)
    run(" of a buffer of ", plain, t.BLOCK, 1)
    run("", filled, t.FILL_OFFSET, 12)
    run("read", filled, t.FILL_OFFSET, -4, 13, 2**40)
    # Bytes of one output would go into the other one, which is shorter.
    run("", halves, t.DST_OFFSET, 0, part=1)
    for part in (0, 1):
        run("write", halves, t.DST_OFFSET, WIDTH, -1, 64, part=part)
    run("write", halves, t.DST_INDEX, 1)
    array = np.arange(32)
    for what, function in (
        ("write 8 bytes at offset 0 of a buffer of 256", write_through_a_pointer_for_reading),
        ("copy onto themselves 64 bytes", copy_onto_itself),
    ):
        with caught(what, array):
            _kernels._asserted(function)(array.ctypes.data)
    print("caught")


if __name__ == "__main__":
    main()
