"""The gather kernel, compared with plans byte by byte: each width, layout, mode and length.

Tests check shuffles for other processors too: they read the assembly that LLVM makes for a processor, and emulate
permutes.
"""

from __future__ import annotations

import ctypes
import itertools
import platform
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops import SampleMode
from fastops._execution._execute import as_table
from fastops._geometry._words import Piece, to_words
from fastops.kernels._intrinsics._shuffles import has_permutes
from fastops.kernels._tables._arrays import DONE
from fastops.kernels._tables._gather import SMALLEST_PEELED
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.chains import DTYPES, MODES, array_of, elements_of, lay_out, moved
from tests.helpers.launches import Array, Guarded, described, run_launch
from tests.helpers.processes import run_code, run_program, run_python
from tests.helpers.seeds import scale
from tests.safety.programs import permutes

STRIDES = (1, -1, 2, -2, 3, 0)

# More bytes than any output has.
FAR = 1 << 60


def run(plan: SlicePlan, source: Array, out: Array, fill: Array, workers: int, streams: bool) -> None:
    """Run a plan with a number of workers; ``streams``: write past the caches."""
    if plan.size:
        words = as_table(to_words(plan.source_shape, [plan.shape], [Piece(plan.geometry, 0)]))
        how = (SMALLEST_PEELED, 0 if streams else FAR, 1)
        with described((source, out), words, fill) as where:
            assert run_launch("execute_at", *where, *how, workers=workers) == DONE


def check(plan: SlicePlan, source: Array, out_layout: str = "C", workers: int = 1, offset: int = 0) -> None:
    """Assert that a plan writes the elements that it reads, and no other byte."""
    dtype = source.dtype
    fills = np.frombuffer(bytes([n % 255 + 1 for n in range(dtype.itemsize * max(plan.fills, 1))]), dtype)
    expected = moved(source, elements_of(plan), fills)
    memory = Guarded(plan.shape, dtype, lay_out(np.zeros(plan.shape, dtype), out_layout).strides, offset)
    for streams in (False, True):
        run(plan, source, memory.out, fills.view(np.uint8), workers, streams)
        memory.assert_holds(expected, plan, source.strides, dtype, out_layout, workers, offset, streams)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_rows_of_every_length(dtype: np.dtype[Any]) -> None:
    # Lengths around one vector and two: whole vectors, tails of every length, one element too few. Read each length as
    # one row, then as several rows that reach beyond an axis, in a random mode.
    chosen = random.Random(str(dtype))
    lengths = (1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 129, 700, 1500)
    for n, stride in itertools.product(scale(lengths, range(1, 131)), STRIDES):
        reach = (n - 1) * abs(stride) + 1
        first = 0 if stride >= 0 else reach - 1
        mode, rows, offset = chosen.choice(MODES), chosen.randint(1, 4), chosen.choice((0, dtype.itemsize, 1, 63))
        plan = fo.plan.slice((reach,), [first], [n], [stride])
        check(plan, array_of((reach,), dtype, "C", seed=n), offset=offset)
        if mode is not SampleMode.STRICT_BOUNDS:
            extent, start = chosen.choice((7, max(n // 2, 2))), first - chosen.choice((9, 1))
            plan = fo.plan.slice((rows, extent), [start], [n], [stride], axes=[1], mode=mode)
            check(plan, array_of((rows, extent), dtype, "C", seed=n), "C", chosen.choice((1, 2)), offset)


@pytest.mark.parametrize("mode", ["wrap", "reflect", "clamp", "symmetric", "fill"])
def test_padded_rows_of_every_length(mode: Any) -> None:
    # Rows of one long run with a few cells or pixels on either side: the runs are just shorter and just longer than
    # each length at which the kernel moves them in another way.
    spans, sides = (15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 600), ((1, 1), (0, 3), (2, 0))
    sides += ((16, 16), (16, 17), (17, 2), (31, 70), (5, 9), (0, 1), (1, 4), (6, 2), (7, 16), (80, 3))
    cells = [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (3, 0), *itertools.product((1, 2, 4, 8), (1, 2, 3, 4, 6))]
    chosen = random.Random(mode)
    for (width, channels), span in itertools.product(cells, spans):
        columns = max(span // (width * max(channels, 1)), 2)
        shape = (3, columns, *[channels][: channels > 0])
        source = array_of(shape, np.dtype(f"V{width}"), chosen.choice(["C", "C", "strided", "negative"]), seed=span)
        for low, high in chosen.sample(sides, scale(3, len(sides))):
            check(fo.plan.slice(shape, [-1, -low], [5, low + columns + high], axes=[0, 1], mode=mode), source)
    for dtype, columns in itertools.product(DTYPES, (17, 40, 600)):
        shape, pads = (3, columns), [[chosen.randint(0, 4) for _ in range(2)] for _ in range(2)]
        inner = fo.plan.slice(shape, [-pads[0][0]], [columns + sum(pads[0])], axes=[1], mode=mode)
        plan = inner.then(fo.plan.numpy.pad(inner.shape, ((1, 0), pads[1])))
        check(plan, array_of(shape, dtype, "C", seed=columns), "C", chosen.choice((1, 2)))


@pytest.mark.parametrize("block", [127, 128, 129, 191, 192, 256, 500, 512, 777, 1023, 1024, 1025, 1300])
def test_streamed_blocks_share_lines(block: int) -> None:
    # Rows of one block each, as in a crop, and rows of several blocks, at several places in a cache line.
    source = array_of((9, 3, 2, block + 3), np.dtype("u1"), "C", seed=block)
    whole, inside = slice(None), slice(1, 1 + block)
    keys = [(whole, whole, whole, inside), (whole, 1, 0, inside), (whole, whole, slice(None, None, -1), inside)]
    workers = itertools.cycle((1, 3, 1))
    for offset, key in itertools.product((0, 1, 16, 31, 63), keys):
        plan = fo.plan.numpy.take_slice(source.shape, key)
        for order in (tuple(range(len(plan.shape))), (1, 0, *range(2, len(plan.shape)))):
            check(plan.transpose(order), source, "C", next(workers), offset)


def test_long_copies_and_an_edge_of_four_vectors_with_three_windows() -> None:
    for n, offset in itertools.product((2047, 2048, *range(2049, 2180, 13), 4096, 4097, 9000), (0, 1, 15, 31, 32, 33)):
        check(fo.plan.slice((n,), [0], [n]), array_of((n,), np.dtype("u1"), "C"), offset=offset)
    fields = ((9, -8, 4, 21, SampleMode.REFLECT), (3, 1, 0, 107), (192, 36, 0, 2))
    plan = SlicePlan([AxisMap.create(*each) for each in fields])
    data = np.arange(9 * 3 * 192, dtype=np.uint16).reshape(9, 3, 192)
    out = np.zeros((107, 46, 2), np.uint16)[:, :21].transpose(1, 0, 2)
    np.testing.assert_array_equal(plan(data, out), moved(data, elements_of(plan), np.zeros(1, np.uint16)))


# Widths of blocks with and without register tiles, for planes whose source is dense along another axis than the output.
BLOCKS = [np.dtype(code) for code in ("u1", "u2", "f4", "f8", "c16", "V3", "V5", "V6", "V12", "V40", "V80")]

# Extents around the number of cells in a vector, two vectors, a cache line, and a strip.
EXTENTS = (1, 2, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 67, 131)


def transposed(rows: int, n: int, dtype: np.dtype[Any], steps: tuple[int, int] = (1, 1)) -> Array:
    """Data whose first axis is dense in memory, or has gaps, or runs backwards."""
    whole = np.zeros([extent * abs(step) for extent, step in zip((rows, n), steps, strict=True)], dtype, order="F")
    part = whole[:: steps[0], :: steps[1]]
    part[...] = array_of((rows, n), dtype, "C")
    return part


@pytest.mark.parametrize("dtype", BLOCKS, ids=str)
def test_transposes_of_every_width_extent_and_layout(dtype: np.dtype[Any]) -> None:
    chosen, steps = random.Random(str(dtype)), ((1, 1), (1, 2), (2, 2), (1, -1), (-1, -1))
    large = ((5, 23), (23, 5), (61, 67), (300, 19), (19, 300), (321, 331))
    # Extents around one strip and two strips; strips of few rows are wider.
    strips = ((rows, n // dtype.itemsize + 1) for rows in (4, 16, 70) for n in (191, 256, 320, 384, 511, 1100, 2100))
    cases = [(shape, (1, 1)) for shape in (*itertools.product(EXTENTS, EXTENTS), *strips)]
    for shape, step in [*cases, *itertools.product(large, steps)]:
        source = transposed(*shape, dtype, step)
        plan = SlicePlan([AxisMap.whole(extent) for extent in shape])
        check(plan, source, chosen.choice(("C", "strided")), chosen.choice((1, 1, 3)), chosen.choice((0, 0, 1, 16)))


# Gives the kernels a malloc that always fails.
WITHOUT_MEMORY = """
import ctypes, itertools
import llvmlite.binding as llvm
asked = []
malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(asked.append)
llvm.add_symbol("malloc", ctypes.cast(malloc, ctypes.c_void_p).value)
for dtype, *shape in (("u1", 2000, 7), ("u1", 300, 319), ("u4", 75, 700), ("V12", 61, 300)):
    memory = np.frombuffer(np.random.default_rng(0).bytes(300 * 700 * 4), dtype)
    for step in (1, -1):
        source = memory[:shape[0] * shape[1]].reshape(shape)[::step]
        for gap in (0, 3):
            out = np.zeros((shape[1], shape[0] + gap), dtype)
            fo.numpy.transpose(source, out=out[:, :shape[0]])
            assert (out[:, :shape[0]] == source.T).all() and not out[:, shape[0]:].tobytes().strip(b"\\0"), dtype
windows, at = fo.windows(memory.view("u4").reshape(300, 700), [[0, 0], [50, 9]], [150, 150]), np.s_[50:200, 9:159]
assert (windows[1] == memory.view("u4").reshape(300, 700)[at]).all() and len(asked) > 8
image, row = np.zeros((300, 300, 3)), np.zeros(99, "u1")
for call in (lambda: fo.numpy.flip(image), lambda: fo.windows(row, [[0]], [9], normalize=(1, 2))):
    try:
        call()
    except MemoryError as error:
        print(error)
"""


def test_transposes_without_memory_for_tiles_are_right_and_other_work_says_so() -> None:
    done = run_code(WITHOUT_MEMORY, FASTOPS_STREAM_BYTES="1024")
    assert done == "fastops: there is no memory for the tables of a call\n" * 2


# Prints the integer vector instructions of two kernels, a line each. The first kernel has constant shuffles: reversed
# bytes, and every second one of 128. The second kernel has programs: groups of pixels from one line or two.
ASSEMBLY = """
import re, sys
from fastops._runtime._compiler import code_of
from fastops._runtime._object_files import Target
from fastops.kernels._intrinsics._outlined import outlined_by
from fastops.kernels._planes import shuffle_groups
from fastops.kernels._writer import move_rows

for call in (move_rows, shuffle_groups):
    codegen, module = code_of(Target("x86_64-unknown-linux-gnu", *sys.argv[1:]), [outlined_by(call)])
    assembly = codegen._tm.emit_assembly(module)
    print(*sorted(set(re.findall(r"^\\s+(v?p\\w+)\\s.*[xyz]mm", assembly, re.MULTILINE))))
"""

on_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="names processors of x86")

VBMI = {"vpermb", "vpermt2b"}

# Processors, the instructions that constant shuffles must have and must not have, and the same for programs.
PROCESSORS: dict[tuple[str, str], list[set[str]]] = {
    ("icelake-server", "+avx2,+avx512vbmi,+ssse3"): [VBMI, set(), VBMI, set()],
    ("x86-64-v3", ""): [{"vpshufb"}, {*VBMI, "vpermw", "vpermt2w"}, {"vpshufb"}, VBMI],
    ("x86-64", ""): [set(), VBMI, set(), {"pshufb", "vpshufb", "vpermb"}],
}


@on_x86
@pytest.mark.parametrize("processor", PROCESSORS)
def test_shuffles_take_what_the_processor_has(processor: tuple[str, str]) -> None:
    done = run_python("-c", ASSEMBLY, *processor)
    assert done.returncode == 0, done.stderr
    constant, programs = [set(line.split()) for line in done.stdout.splitlines()]
    has, has_not, programs_have, programs_have_not = PROCESSORS[processor]
    assert (has - constant, has_not & constant) == (set(), set())
    assert (programs_have - programs, programs_have_not & programs) == (set(), set())


def test_pixels_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    # Use the instructions of this processor.
    monkeypatch.setattr(permutes, "_emulate_here", ctypes.c_int64)
    permutes.main(scale(short=300, long=3000))


@pytest.mark.skipif(
    scale(short=has_permutes(), long=False), reason="the test before this one has run the permutes of this processor"
)
def test_pixels_by_emulated_permutes_are_right(tmp_path: Path) -> None:
    # Permutes are emulated byte by byte, and all kernels are compiled once more, into a new cache.
    form = scale(short="0", long="1")
    cases = scale(short=300, long=3000)
    done = run_program("permutes", cases, seconds=300, FASTOPS_CHECKED_KERNELS=form, NUMBA_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 2 * cases
