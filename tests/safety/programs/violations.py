"""``violations``: what sends the checked kernels out of their buffers. Each must be caught, and harm nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np

import fastops as fo
from fastops._arrays._dtypes import as_output_type
from fastops._execution._range_call import prepare_range
from fastops._execution._records import Guard
from fastops._execution._tables import as_table
from fastops._runtime import _kernels
from fastops._runtime._kernels import compile_kernel
from fastops._schedules._byte_strides import span_of
from fastops._schedules._schedule import create_schedule
from fastops.kernels._intrinsics._memory import copy_bytes, shift, store_int
from fastops.kernels._intrinsics._objects import bytes_at, output_at
from fastops.kernels._intrinsics._types import array_address
from fastops.kernels._tables import _gather as t
from fastops.kernels._tables import _range as r
from fastops.kernels._tables import _trace as trace
from fastops.plan import RangePlan, SlicePlan

WIDTH = 4

Array = np.ndarray[Any, Any]
Damage = Callable[[Array], None]


def outputs_of(plans: tuple[SlicePlan, ...]) -> tuple[Array, list[Array]]:
    """Return outputs, and the memory in which they lie between bytes that belong to none."""
    ends = np.cumsum([64 + plan.size * WIDTH for plan in plans])
    memory = np.full(ends[-1] + 64, 0xA5, np.uint8)
    places = [memory[end - plan.size * WIDTH : end] for plan, end in zip(plans, ends, strict=True)]
    return memory, [place.view(np.uint32).reshape(plan.shape) for plan, place in zip(plans, places, strict=True)]


def run(*plans: SlicePlan, damage: Damage, streams: bool = False, is_guarded: bool = False) -> None:
    """Run the table of plans after it was damaged; the bytes around the outputs and of the source must stay."""
    memory, outs = outputs_of(plans)
    source = np.arange(np.prod(plans[0].source_shape), dtype=np.uint32).reshape(plans[0].source_shape)
    before = source.copy()
    out_strides = [out.strides for out in outs]
    table = as_table(create_schedule(plans, source.strides, WIDTH, out_strides, streams=streams).table).copy()
    damage(table)
    fill = np.zeros(16, np.uint8)
    try:
        if is_guarded:
            span = span_of(source.shape, source.strides, WIDTH)
            arrays = (source.shape, source.strides, span, source.dtype, [plan.shape for plan in plans])
            guard = Guard(*arrays, table, fill, moves=True)
            own = (np.empty(trace.MOST_VALUES, np.int64), np.empty(trace.MOST_OUTPUTS, np.int64))
            run = compile_kernel("gather_traced").run
            if run(tuple(outs), source, (), None, guard.order, *own, 0, trace.ONLY_WITH_GIL) != trace.DONE:
                raise ValueError("the guard does not take the arrays that it was made for")
        else:
            compile_kernel("gather").run(tuple(outs), source, table, fill, 1, 0, 1)
    finally:
        for out in outs:
            out.fill(0xA5A5A5A5)
        if (memory != 0xA5).any() or (source != before).any():
            raise ValueError("something was written that should not have been")


def run_range(output_type: str, damage: Damage, *, offset: int = 0) -> None:
    """Run a range's table after it was damaged, from some bytes further on; the bytes around the output must stay."""
    call = prepare_range(RangePlan(0, 1, 1000), as_output_type("violations", output_type))
    n = call.total_bytes
    memory = np.full(n + 128, 0xA5, np.uint8)
    room = np.zeros(call.table.nbytes + offset, np.uint8)
    table = room[offset:].view(np.int64)
    table[:] = call.table
    damage(table)
    try:
        out = memory[64 : 64 + n].view(call.dtype)
        compile_kernel("fill_range").run(out, table, call.rounding, 1, 0, 1)
    finally:
        if (memory[:64] != 0xA5).any() or (memory[64 + n :] != 0xA5).any():
            raise ValueError("something was written that should not have been")


@numba.njit(numba.void(array_address))
def write_what_may_be_read(array):  # type: ignore[no-untyped-def]
    """Write into an array through a pointer for reading."""
    store_int(bytes_at(array), 0, 1)


@numba.njit(numba.void(array_address))
def copy_onto_itself(array):  # type: ignore[no-untyped-def]
    """Copy 64 bytes to where the last 56 of them lie."""
    pointer = output_at(array)
    copy_bytes(shift(pointer, 8), pointer, 64)


def run_function(function: Any) -> None:
    """Run a function on an array that it must not change."""
    array = np.arange(32)
    try:
        _kernels._asserted(function.overloads[(array_address,)].entry_point)(array)
    finally:
        if (array != np.arange(32)).any():
            raise ValueError("something was written that should not have been")


@contextmanager
def caught(what: str) -> Iterator[None]:
    """Expect a violation that is told in these words."""
    try:
        yield
    except AssertionError as error:
        if what not in str(error):
            raise ValueError(f"{what!r} was expected, not: {error}") from error
    else:
        raise ValueError(f"nothing was caught that would {what}")


def add(column: int, number: int, *, is_of_last_axis: bool = False, part: int = 0) -> Damage:
    """A damage: a number added to a column of a part, or of its last axis."""

    def damage(table: Array) -> None:
        row = t.HEADER_COLUMNS + part * t.PART_COLUMNS
        last_axis = table[row + t.FIRST_AXIS] + (table[row + t.AXES] - 1) * t.AXIS_COLUMNS
        table[(last_axis if is_of_last_axis else row) + column] += number

    return damage


def add_to_range(column: int, number: int) -> Damage:
    """A damage: a number added to a column of a range's row."""

    def damage(table: Array) -> None:
        table[column] += number

    return damage


def check_alignment() -> None:
    """Run tables that lie askew: what is read instead is the scratch, and must be zeros, so this comes first."""
    run_range("i32", add_to_range(r.COUNT, 0))
    with caught("access misaligned"):
        run_range("i32", add_to_range(r.COUNT, 0), offset=4)


def check_ranges() -> None:
    """Damage rows of ranges, with and without streaming stores and a table of roundings."""
    for output_type in ("i8", "i32", "i64", "f16", "f32", "f64", "f8e4m3", ">i4"):
        run_range(output_type, add_to_range(r.COUNT, 0))
        for streams in (0, 1):
            with caught("write"):
                run_range(output_type, chain(add_to_range(r.COUNT, 100), add_to_range(r.STREAMS, streams)))
        with caught("write"):
            run_range(output_type, add_to_range(r.DST_PITCH, 1))
        with caught("write"):
            run_range(output_type, add_to_range(r.DST_PITCH, -(2**30)))
    with caught("read"):
        run_range("f8e4m3", add_to_range(r.CODES, 2**20))


def chain(*damages: Damage) -> Damage:
    """All of these damages."""

    def damage(table: Array) -> None:
        for each in damages:
            each(table)

    return damage


def check_gathers() -> None:
    """Damage tables of each kind of part."""
    plain = fo.plan.slice((7, 50), [0, 1], [7, 40])
    reversed_rows = fo.plan.strided_slice((7, 50), [0, -1], [7, -99], [1, -1])
    transposed = fo.plan.slice((90, 90), [0, 0], [90, 90])
    folded = fo.plan.slice((7, 50), [0, -9], [7, 90], mode="reflect")
    for plan in (plain, reversed_rows, transposed, folded):
        for streams, is_guarded in ((False, False), (True, False), (False, True)):
            form = {"streams": streams, "is_guarded": is_guarded}
            run(plan, damage=add(t.DST_OFFSET, 0), **form)
            for offset in (WIDTH, -1, 2**40):
                with caught("write"):
                    run(plan, damage=add(t.DST_OFFSET, offset), **form)
    for offset in (-(2**40), -8, 2**40):
        for is_guarded in (False, True):
            with caught("read"):
                run(plain, damage=add(t.SRC_OFFSET, offset), is_guarded=is_guarded)
    with caught("read"):
        run(folded, damage=add(t.TOP, 40, is_of_last_axis=True))
    with caught(" of a buffer of "):
        run(plain, damage=add(t.BLOCK, 1))
    filled = fo.plan.slice((7, 50), [0, -9], [7, 90], mode="fill")
    run(filled, damage=add(t.FILL_OFFSET, 12))
    for offset in (-4, 13, 2**40):
        with caught("read"):
            run(filled, damage=add(t.FILL_OFFSET, offset))


def check_several_outputs() -> None:
    """Damage one part of two: also so that its bytes would go into the other one's output, which is shorter."""
    plans = fo.plan.slice((7, 50), [0, 0], [7, 30]), fo.plan.slice((7, 50), [0, 30], [7, 20])
    for is_guarded in (False, True):
        run(*plans, damage=add(t.DST_OFFSET, 0, part=1), is_guarded=is_guarded)
        for part in (0, 1):
            for offset in (WIDTH, -1, 64):
                with caught("write"):
                    run(*plans, damage=add(t.DST_OFFSET, offset, part=part), is_guarded=is_guarded)
        with caught("write"):
            run(*plans, damage=add(t.DST_INDEX, 1, part=0), is_guarded=is_guarded)


def main() -> None:
    """Damage what each kernel runs."""
    check_alignment()
    check_gathers()
    check_several_outputs()
    check_ranges()
    with caught("write 8 bytes at offset 0 of a buffer of 256"):
        run_function(write_what_may_be_read)
    with caught("copy onto themselves 64 bytes"):
        run_function(copy_onto_itself)
    print("caught")


if __name__ == "__main__":
    main()
