"""``violations``: tables that send the checked kernels out of their buffers. Each must be caught, and harm nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import fastops as fo
from fastops._runtime import compile_kernel
from fastops._schedule import create_schedule
from fastops.kernels import _gather_table as t
from fastops.plan import SlicePlan

WIDTH = 4


def run(plan: SlicePlan, damage: Callable[[np.ndarray[Any, Any]], None], *, streams: bool = False) -> None:
    """Run a plan's table after it was damaged; the bytes around the output and of the source must stay."""
    n = plan.size * WIDTH
    memory = np.full(n + 128, 0xA5, np.uint8)
    out = memory[64 : 64 + n].view(np.uint32).reshape(plan.shape)
    source = np.arange(np.prod(plan.source_shape), dtype=np.uint32).reshape(plan.source_shape)
    before = source.copy()
    table = np.array(create_schedule([plan], source.strides, WIDTH, [out.strides], streams=streams).table, np.int64)
    damage(table)
    try:
        compile_kernel("gather").run((out,), source, table, np.zeros(16, np.uint8), 1)
    finally:
        if (memory[:64] != 0xA5).any() or (memory[64 + n :] != 0xA5).any() or (source != before).any():
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


def add(column: int, number: int, *, is_of_last_axis: bool = False) -> Callable[[np.ndarray[Any, Any]], None]:
    """A damage: a number added to a column of the one part, or of its last axis."""

    def damage(table: np.ndarray[Any, Any]) -> None:
        part = t.HEADER_COLUMNS
        last_axis = table[part + t.FIRST_AXIS] + (table[part + t.AXES] - 1) * t.AXIS_COLUMNS
        table[(last_axis if is_of_last_axis else part) + column] += number

    return damage


def main() -> None:
    """Damage tables of each kind of part."""
    plain = fo.plan.slice((7, 50), [0, 1], [7, 40])
    reversed_rows = fo.plan.strided_slice((7, 50), [0, -1], [7, -99], [1, -1])
    transposed = fo.plan.slice((90, 90), [0, 0], [90, 90])
    folded = fo.plan.slice((7, 50), [0, -9], [7, 90], mode="reflect")
    for plan in (plain, reversed_rows, transposed, folded):
        for streams in (False, True):
            run(plan, add(t.DST_OFFSET, 0), streams=streams)
            with caught("write"):
                run(plan, add(t.DST_OFFSET, WIDTH), streams=streams)
            with caught("write"):
                run(plan, add(t.DST_OFFSET, -1), streams=streams)
            with caught("write"):
                run(plan, add(t.DST_OFFSET, 2**40), streams=streams)
    for offset in (-(2**40), -8, 2**40):
        with caught("read"):
            run(plain, add(t.SRC_OFFSET, offset))
    with caught("read"):
        run(folded, add(t.TOP, 40, is_of_last_axis=True))
    with caught(" of a buffer of "):
        run(plain, add(t.BLOCK, 1))
    print("caught")


if __name__ == "__main__":
    main()
