"""``violations``: what sends the checked kernels out of their buffers. Each must be caught, and harm nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from fastops.kernels._intrinsics._arrays_of_words import memory_in
from fastops.kernels._intrinsics._memory import copy_bytes, shift
from fastops.kernels._tables import _gather as t
from fastops.plan import RangePlan, SlicePlan
from tests.helpers.launches import range_written, run_table
from tests.helpers.schedules import create_table, starts_of

WIDTH = 4

Array = np.ndarray[Any, Any]


@contextmanager
def unharmed(*arrays: Array) -> Iterator[None]:
    """Expect that arrays stay what they are, whatever is raised."""
    before = [array.copy() for array in arrays]
    try:
        yield
    finally:
        if not all(map(np.array_equal, arrays, before)):
            raise ValueError("something was written that should not have been")


def caught(what: str) -> Any:
    """Expect a violation that is told in these words."""
    return pytest.raises(AssertionError, match=what)


def run(
    plans: Sequence[SlicePlan], column: int, number: int, *, part: int = 0, last_axis: bool = False, form: str = ""
) -> None:
    """Run the table of plans, with a number added to a column of a part, or of its last axis.

    The bytes around the outputs and of the source must stay.
    """
    rooms = [np.full(128 + plan.size * WIDTH, 0xA5, np.uint8) for plan in plans]
    outs = tuple([room[64:-64].view(np.uint32).reshape(plan.shape) for room, plan in zip(rooms, plans, strict=True)])
    source = np.arange(np.prod(plans[0].source_shape), dtype=np.uint32).reshape(plans[0].source_shape)
    strides = [out.strides for out in outs]
    made = create_table(plans, source.strides, WIDTH, strides, streams=form == "streams")
    row, table = starts_of(made)[part], as_table(made)
    axis = table[row + t.FIRST_AXIS] + (table[row + t.AXES] - 1) * t.AXIS_COLUMNS
    table[(axis if last_axis else row) + column] += number
    fill = np.zeros(16, np.uint8)
    with unharmed(source, *[side for room in rooms for side in (room[:64], room[-64:])]):
        _kernels._asserted(run_table)((source, *outs), table, fill)


def run_range(output_type: str, changes: Mapping[str, int]) -> None:
    """Run a range's row, with columns changed; bytes around the output must stay."""
    dtype, count = as_output_type("violations", output_type), 1000
    memory = np.full(count * dtype.itemsize + 128, 0xA5, np.uint8)
    geometry, out = RangePlan(0, 1, count).geometry, memory[64:-64].view(dtype)
    with unharmed(memory[:64], memory[-64:]), range_written(geometry, dtype, out, **changes) as where:
        load_entry("run_range")(*where, 1, 0, 1)


@numba.njit(numba.void(numba.intp))
def write_what_may_be_read(address):  # type: ignore[no-untyped-def]
    """Write into memory at an address through a pointer for reading."""
    memory_in(address, 0, 256, False)[0] = 1


@numba.njit(numba.void(numba.intp))
def copy_onto_itself(address):  # type: ignore[no-untyped-def]
    """Copy 64 bytes to where the last 56 of them lie."""
    pointer = memory_in(address, 0, 256, True)
    copy_bytes(shift(pointer, 8), pointer, 64)


def run_function(function: Any) -> None:
    """Run a function on an array that it must not change."""
    array = np.arange(32)
    with unharmed(array):
        _kernels._asserted(function)(array.ctypes.data)


def check_ranges() -> None:
    """Damage rows of ranges, with and without streaming stores."""
    for output_type in ("i8", "i32", "i64", "f16", "f32", "f64", ">i4"):
        run_range(output_type, {})
        changes: list[dict[str, int]] = [{"COUNT": 1100}, {"COUNT": 1100, "STREAMS": 1}]
        for change in changes:
            with caught("write"):
                run_range(output_type, change)


def check_gathers() -> None:
    """Damage tables of each kind of part."""
    plain = [fo.plan.slice((7, 50), [0, 1], [7, 40])]
    reversed_rows = [fo.plan.strided_slice((7, 50), [0, -1], [7, -99], [1, -1])]
    transposed = [fo.plan.slice((90, 90), [0, 0], [90, 90])]
    folded = [fo.plan.slice((7, 50), [0, -9], [7, 90], mode="reflect")]
    for plans in (plain, reversed_rows, transposed, folded):
        for form in ("", "streams"):
            run(plans, t.DST_OFFSET, 0, form=form)
            for offset in (WIDTH, -1, 2**40):
                with caught("write"):
                    run(plans, t.DST_OFFSET, offset, form=form)
    for offset in (-(2**40), -8, 2**40):
        with caught("read"):
            run(plain, t.SRC_OFFSET, offset)
    with caught("read"):
        run(folded, t.TOP, 40, last_axis=True)
    with caught(" of a buffer of "):
        run(plain, t.BLOCK, 1)
    filled = [fo.plan.slice((7, 50), [0, -9], [7, 90], mode="fill")]
    run(filled, t.FILL_OFFSET, 12)
    for offset in (-4, 13, 2**40):
        with caught("read"):
            run(filled, t.FILL_OFFSET, offset)


def check_several_outputs() -> None:
    """Damage one part of two: also so that its bytes would go into the other one's output, which is shorter."""
    plans = fo.plan.slice((7, 50), [0, 0], [7, 30]), fo.plan.slice((7, 50), [0, 30], [7, 20])
    run(plans, t.DST_OFFSET, 0, part=1)
    for part, offset in product((0, 1), (WIDTH, -1, 64)):
        with caught("write"):
            run(plans, t.DST_OFFSET, offset, part=part)
    with caught("write"):
        run(plans, t.DST_INDEX, 1)


def main() -> None:
    """Damage what each kernel runs."""
    check_ranges()
    check_gathers()
    check_several_outputs()
    with caught("write 8 bytes at offset 0 of a buffer of 256"):
        run_function(write_what_may_be_read)
    with caught("copy onto themselves 64 bytes"):
        run_function(copy_onto_itself)
    print("caught")


if __name__ == "__main__":
    main()
