"""``violations``: tables that send the checked kernels out of their buffers. Each must print a line and abort."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from itertools import product

import numba
import numpy as np

import fastops as fo
from fastops._arrays._dtypes import as_output_type
from fastops._execution._execute import as_table
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._runtime._kernels import load_entry
from fastops.kernels._intrinsics._memory import copy_bytes, memory_in, shift
from fastops.kernels._tables import _gather as t
from fastops.plan import SlicePlan
from tests.helpers.launches import range_written, run_table
from tests.helpers.schedules import create_table, starts_of

WIDTH = 4


def check(what: str, call: Callable[[], object]) -> None:
    """Make a call in a child, which must print this text and abort, or end well if the text is empty."""
    printed, error = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(error, 2)
        call()
        os._exit(0)
    os.close(error)
    with open(printed) as file:
        text = file.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    is_right = re.search(what, text) and status == -signal.SIGABRT if what else (text, status) == ("", 0)
    if not is_right:
        sys.exit(f"{what!r} is not what happened: {status}, {text}")


def run(
    what: str, plans: Sequence[SlicePlan], column: int, *numbers: int, part: int = 0, last_axis: bool = False
) -> None:
    """Run the table of plans with both kinds of stores; add each number to a column of a part or of its last axis."""
    for number, streams in product(numbers, (False, True)):
        outs = [np.zeros(plan.shape, np.uint32) for plan in plans]
        source = np.arange(np.prod(plans[0].source_shape), dtype=np.uint32).reshape(plans[0].source_shape)
        made = create_table(plans, source.strides, WIDTH, [out.strides for out in outs], streams=streams)
        row, table = starts_of(made)[part], as_table(made)
        axis = row + t.PART_COLUMNS + (table[row + t.AXES] - 1) * t.AXIS_COLUMNS
        table[(axis if last_axis else row) + column] += number
        arguments = (source, *outs), table, np.zeros(16, np.uint8)
        check(what, lambda arguments=arguments: run_table(*arguments))


def run_range(what: str, output_type: str, **changes: int) -> None:
    """Run a range's row, with columns changed."""
    dtype, count = as_output_type("violations", output_type), 1000
    with range_written(RangeGeometry(0, 1, count), dtype, np.zeros(count, dtype), **changes) as where:
        check(what, lambda: load_entry("run_range")(*where, 1, 0, 1))


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
    # Kernels that are compiled now print so; a child must not.
    load_entry("run_range")
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
        # Padded rows are read again where they are written.
        run("read|write" if plans is folded else "write", plans, t.DST_OFFSET, WIDTH, -1, 2**40)
    run("read", plain, t.SRC_OFFSET, -(2**40), -8, 2**40)
    run("read", folded, t.TOP, 40, last_axis=True)
    run(" of a buffer of ", plain, t.BLOCK, 1)
    run("", filled, t.FILL_OFFSET, 12)
    run("read", filled, t.FILL_OFFSET, -4, 13, 2**40)
    run("", halves, t.DST_OFFSET, 0, part=1)
    for part in (0, 1):
        run("write", halves, t.DST_OFFSET, WIDTH, -1, 64, part=part)
    # Bytes of one output would go into the other one, which is shorter.
    run("write", halves, t.DST_INDEX, 1)
    array = np.arange(32)
    for what, function in (
        ("write 8 bytes at offset 0 of a buffer of 256", write_through_a_pointer_for_reading),
        ("copy onto themselves 64 bytes", copy_onto_itself),
    ):
        check(what, lambda function=function: function(array.ctypes.data))
    print("caught")


if __name__ == "__main__":
    main()
