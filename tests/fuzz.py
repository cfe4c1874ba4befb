"""A fuzz of the kernels: random plans, conversions and windows over random memory, compared byte by byte.

``python -m tests.fuzz --seconds 600`` runs it; ``--help`` tells the rest. By default the kernels are compiled in their
checked form, in which every load and store is asserted inside its buffer. NumPy computes the expected bytes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from contextlib import suppress
from functools import partial
from math import inf, prod
from random import Random
from traceback import TracebackException
from typing import Any
from unittest import mock

import ml_dtypes
import numpy as np

from fastops import AttributeValueError, SampleMode
from fastops._arrays._conversions import Normalization, find_conversion
from fastops._execution import _windows_call
from fastops._execution._execute import as_table, create_call
from fastops._execution._windows import WindowsArguments, read_windows
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._range_and_windows import maps_of_window
from fastops._geometry._words import Piece, Place, to_words
from fastops._runtime._kernels import link_parallel
from fastops._settings import STREAM_BYTES
from fastops.kernels._form import IS_CHECKED
from fastops.plan import SlicePlan, WindowsPlan
from tests.helpers import draws
from tests.helpers.chains import Stage, joined, moved, one_by_one
from tests.helpers.draws import Array, Choices, Memory, draw_chain, draw_memory, draw_shape
from tests.helpers.launches import described, run_launches_by

CONTEXT: Any = multiprocessing.get_context("spawn")

# The most cases of one process. The cases of the next process have the numbers after them.
_MOST_CASES = 1 << 40

# Types that conversions write, and those that they read.
FLOATS = tuple(map(np.dtype, (np.float32, np.float64, np.float16, ml_dtypes.bfloat16)))
CONVERTED = (*map(np.dtype, ("u1", "i1", "u2", "i2")), *FLOATS[:1], *FLOATS[2:])


class Room:
    """An array in a buffer of random bytes, and copies of both, which get the expected bytes."""

    def __init__(self, memory: Memory, dtype: np.dtype[Any], first: int) -> None:
        self.offset, self.buffer = memory.offset, memory.new_buffer(first)
        self.right_buffer = self.buffer.copy()
        self.array, self.right = [memory.array_in(buffer, dtype) for buffer in (self.buffer, self.right_buffer)]

    def check(self) -> None:
        """Raise if a byte of the buffer is wrong."""
        wrong = np.flatnonzero(self.buffer != self.right_buffer)
        assert not wrong.size, f"byte {wrong[0] - self.offset}, and {wrong.size - 1} more, are wrong"


def draw_launches(choices: Choices) -> Any:
    """Draw the launches of a kernel: serial or parallel, by some threads. One serial launch is the most frequent."""
    launches = choices.pick((1, 1, 1, 1, 2, 3))
    workers = choices.pick((1, 1, 1, 2, 3, 5)) if launches == 1 else choices.pick((2, 3, 5))
    return run_launches_by([not choices.is_rare(2) for _ in range(launches)], workers)


def check_gather(choices: Choices) -> None:
    """Run the words of plans by the entry for objects, or by the entry for addresses."""
    case, run = draws.draw_gather_case(choices), draw_launches(choices)
    is_cut, is_guarded = choices.is_rare(3), choices.is_rare(2)
    source = Room(case.source, case.dtype, case.seed)
    outs = [Room(memory, case.dtype, case.seed + 7) for memory in case.outputs]
    # One fill value for each fill slot; all plans share them.
    fills = np.arange(1, case.width * max(1, *[plan.fills for plan in case.plans]) + 1).astype(np.uint8)
    elements = fills.reshape(-1, case.width).view(case.dtype)[:, 0]
    for out, chain, plan in zip(outs, case.chains, case.plans, strict=True):
        if plan.size:
            out.right[...] = moved(source.array, one_by_one(chain), elements[: max(plan.fills, 1)])
    pieces = [piece for i, plan in enumerate(case.plans) for piece in pieces_of(plan, i, case.seed, is_cut)]
    words = as_table(to_words(source.array.shape, [plan.shape for plan in case.plans], pieces))
    stream_bytes, targets = 0 if case.streams else STREAM_BYTES, tuple([out.array for out in outs])
    if not any(plan.size for plan in case.plans):
        return
    if is_guarded:
        run("execute_launch", 0, targets, source.array, words, fills.view(case.dtype), None, stream_bytes, 0)
    else:
        with described((source.array, *targets), words, fills) as where:
            run("execute_at", 0, *where, case.smallest_peeled, stream_bytes, 1)
    for room in (source, *outs):
        room.check()


def pieces_of(plan: SlicePlan, i: int, seed: int, is_cut: bool) -> list[Piece]:
    """Return the pieces that write an output: its plan, or two plans, one for each part of its longest axis."""
    most = max(plan.shape, default=0)
    if is_cut and plan.size > 1:
        k, n = plan.shape.index(most), 1 + seed % (most - 1)
        # An axis that several axes were merged into can be cut at some places only.
        with suppress(AttributeValueError):
            cuts = [plan[(slice(None),) * k + (part,)] for part in (slice(n), slice(n, None))]
            firsts = [[first if axis == k else 0 for axis in range(len(plan.shape))] for first in (0, n)]
            places = [tuple([Place(axis, first, 1) for axis, first in enumerate(own)]) for own in firsts]
            return [Piece(cut.geometry, i, place) for cut, place in zip(cuts, places, strict=True)]
    return [Piece(plan.geometry, i)]


def check_conversion(choices: Choices) -> None:
    """Cast and normalize the result of a plan, with other numbers for each channel."""
    dtype, result, run = choices.pick(CONVERTED), choices.pick(FLOATS), draw_launches(choices)
    chain: tuple[Stage, ...] = ()
    plan = None
    while plan is None or not plan.size:
        # Draw shapes of up to 200,000 elements: with one byte each, these fill three tiles.
        shape = draw_shape(choices, choices.pick((1, 2, 3, 3, 3, 4, 5)), 200_000)
        chain = draw_chain(choices, shape, dtype.itemsize, choices.is_rare(2))
        plan = joined(chain)
    source = Room(draw_memory(choices, shape, dtype.itemsize, may_repeat=True), dtype, choices.integer(0, 1000))
    out = Room(draw_memory(choices, plan.shape, result.itemsize, may_repeat=False), result, 7)
    if dtype.kind not in "iu":
        # The payload of a NaN is not documented.
        for array in (source.array, source.right):
            array[np.isnan(array.astype(np.float32))] = np.nan
    axis = choices.integer(0, len(plan.shape) - 1) if plan.shape and not choices.is_rare(4) else None
    n = 1 if axis is None else plan.shape[axis]
    mean, std = [[choices.uniform(low, high) for _ in range(n)] for low, high in ((-200, 200), (0.1, 90))]
    fills = np.arange(3, 3 + max(plan.fills, 1)).astype(dtype)
    # The documented formula, in NumPy's arithmetic.
    kind = np.float64 if result == np.float64 else np.float32
    column = [-1 if k == axis else 1 for k in range(len(plan.shape))]
    scale, shift = [each.astype(kind).reshape(column) for each in (1 / np.array(std), -np.array(mean) / np.array(std))]
    with np.errstate(all="ignore"):
        plain = moved(source.array, one_by_one(chain), fills).astype(kind)
        out.right[...] = (plain * scale + shift).astype(result)
    wanted = Normalization(tuple(mean), tuple(std), axis, result)
    conversion = find_conversion(wanted, dtype, None, len(plan.shape))
    stream_bytes = 0 if choices.is_rare(2) else STREAM_BYTES
    with described(
        (source.array, out.array),
        create_call([PlannedOutput.of_geometry(plan.geometry)]).words,
        fills.view(np.uint8),
        conversion,
    ) as where:
        run("execute_at", 0, *where, 1, stream_bytes, 1)
    # NumPy keeps the sign of a NaN; fastops may change it.
    for array in (out.array, out.right):
        array[np.isnan(array)] = np.nan
    source.check()
    out.check()


def check_windows(choices: Choices) -> None:
    """Cut windows out of one source, out of its items, or each out of a source of its own."""
    width, mode = choices.pick(draws.WIDTHS), choices.pick(draws.MODES)
    n, rank = choices.integer(1, choices.pick((3, 40, 9, 1))), choices.pick((2, 1, 3, 4))
    has_items = rank > 1 and choices.is_rare(4)
    axes = [axis for axis in range(int(has_items), rank) if choices.is_rare(2)]
    most = min(draws.MOST_ELEMENTS, draws.MOST_BYTES // width)
    shapes = [draw_shape(choices, rank, most)]
    whole = prod([shapes[0][k] for k in range(int(has_items), rank) if k not in axes])
    n = min(n, most // whole)
    is_listed = not has_items and n > 1 and choices.is_rare(3)
    for _ in range(n - 1 if is_listed else 0):
        # All sources have the same extents along the axes that windows take whole.
        shapes.append(draw_shape(choices, rank, most, {k: shapes[0][k] for k in range(rank) if k not in axes}))
    size: list[int] = []
    for _ in axes:
        size.append(choices.integer(1, min(most // (n * whole * prod(size)), choices.pick((3, 8, 40, 300)))))
    strides = [[_draw_stride(choices, mode) for _ in axes] for _ in range(n if choices.is_rare(3) else 1)]
    if mode is SampleMode.STRICT_BOUNDS:
        # Let all windows end inside of the shortest source.
        for j, axis in enumerate(axes):
            reach, shortest = max(abs(row[j]) for row in strides), min(shape[axis] for shape in shapes)
            size[j] = min(size[j], (shortest - 1) // reach + 1 if reach else size[j])
    extents = [[shape[axis] for axis in axes] for shape in shapes]
    own = [(extents[i if is_listed else 0], strides[i if len(strides) > 1 else 0]) for i in range(n)]
    starts = [list(map(partial(_draw_start, choices, mode), lengths, size, row)) for lengths, row in own]
    plan = WindowsPlan(shapes[0], size, strides[0], axes, has_items, mode)
    items = [choices.integer(0, shapes[0][0] - 1) for _ in range(n)] if has_items else None
    dtype, seed = np.dtype(f"V{width}"), choices.integer(0, 1000)
    sources = [
        Room(draw_memory(choices, each, width, may_repeat=True), dtype, seed + k) for k, each in enumerate(shapes)
    ]
    out = Room(draw_memory(choices, (n, *plan.shape), width, may_repeat=False), dtype, seed + 7)
    varied = strides if len(strides) > 1 else None
    for i in range(n if out.array.size else 0):
        data = sources[i if is_listed else 0].array
        data = data if items is None else data[items[i]]
        out.right[i] = window_of(plan, data, starts[i], None if varied is None else varied[i])
    arguments = WindowsArguments(np.array(starts, np.int64).reshape(n, len(axes)), varied, items, None, -1, None, None)
    run, stream_bytes = draw_launches(choices), 0 if choices.is_rare(3) else out.buffer.size + 1
    with mock.patch.multiple(_windows_call, run_launches=run, STREAM_BYTES=stream_bytes):
        given = [room.array for room in sources] if is_listed else sources[0].array
        windows = read_windows(given, lambda _: plan.geometry, arguments, is_list=is_listed)
        _windows_call.run_windows(windows, arguments, out.array)
    for room in (*sources, out):
        room.check()


def window_of(plan: WindowsPlan, data: Array, starts: list[int], strides: list[int] | None) -> Array:
    """One window of an array, by the oracle."""
    maps = maps_of_window(plan.geometry, data.shape, starts, plan.stride if strides is None else strides)
    stage = Stage(data.shape, maps, tuple(range(data.ndim)), tuple([each.count for each in maps]), data.shape)
    return moved(data, one_by_one([stage]), np.zeros(1, data.dtype))


def _draw_stride(choices: Choices, mode: SampleMode) -> int:
    stride = choices.pick(draws.STRIDES)
    return stride if mode is not SampleMode.STRICT_BOUNDS or abs(stride) < 5 else 1


def _draw_start(choices: Choices, mode: SampleMode, extent: int, count: int, stride: int) -> int:
    if mode is not SampleMode.STRICT_BOUNDS:
        start = choices.integer(-extent - 3, 2 * extent + 3) + choices.pick(draws.FAR)
        return max(min(start, 2**63 - 1), -(2**63))
    reach = (count - 1) * stride
    return choices.integer(-min(reach, 0), extent - 1 - max(reach, 0))


def run_case(seed: int, i: int) -> None:
    """Draw case i of a seed, which is the same wherever it runs, and run it."""
    choices = Choices(Random((seed << 64) + i))
    # Windows and conversions run the same movers as plans.
    choices.pick([check_gather, check_gather, check_gather, check_conversion, check_windows])(choices)


def find_failure(seed: int, first: int, cases: int, seconds: float, counter: Any) -> str | None:
    """Run cases until the time is up, all are done, or one fails; return the text to print if one fails.

    ``counter.value`` counts the cases that are done.
    """
    link_parallel()
    end = time.monotonic() + seconds
    for i in range(first, first + cases):
        if time.monotonic() > end:
            break
        try:
            run_case(seed, i)
        except Exception as error:
            text = "".join(TracebackException.from_exception(error, capture_locals=True).format())
            form = "checked" if IS_CHECKED else "plain"
            return f"{text}again: --seed {seed} --first {i} --cases 1 --processes 1 --form {form}"
        counter.value += 1
    return None


def work(*arguments: Any) -> None:
    """Find a failure, and end the process with it, if there is one."""
    sys.exit(find_failure(*arguments))


def main(argv: list[str] | None = None) -> int:
    """Run the command; return 0 if every case was right, 1 otherwise."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description="Random plans over random memory.")
    parser.add_argument("--seconds", type=float, help="how long (default: 60, or until all cases are done)")
    parser.add_argument("--cases", type=int, help="the number of cases of each process")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32, help="the same seed gives the same cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case of the first process")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="(default: as many as processors)")
    parser.add_argument("--form", choices=["checked", "plain"], default="checked", help="of the kernels")
    given = parser.parse_args(argv)
    # This variable tells the processes which form of the kernels to import.
    os.environ["FASTOPS_CHECKED_KERNELS"] = str(int(given.form == "checked"))
    print(f"{given.form} kernels, seed {given.seed}, {given.processes} processes", flush=True)
    limits = (given.cases or _MOST_CASES, given.seconds or (inf if given.cases else 60))
    running = []
    for first in range(given.first, given.first + given.processes * _MOST_CASES, _MOST_CASES):
        counter = CONTEXT.Value("q", 0)
        process = CONTEXT.Process(target=work, args=(given.seed, first, *limits, counter))
        process.start()
        running.append((process, first, counter))
    for process, first, counter in running:
        process.join()
        if process.exitcode not in (0, 1):
            again = f"--seed {given.seed} --first {first + counter.value} --cases 1 --processes 1 --form {given.form}"
            print(f"a case ended its process (exit code {process.exitcode}): {again}")
    is_right = not any(process.exitcode for process, _, _ in running)
    total = sum(counter.value for _, _, counter in running)
    print(f"{total} cases in all{': all are right' if is_right else ''}")
    return int(not is_right)


if __name__ == "__main__":
    sys.exit(main())
