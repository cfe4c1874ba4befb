"""Blocks are cut at the ends of chunks, and read the same elements as the whole plan, at any extent."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from typing import Any

import numpy as np

from fastops import plan
from fastops._execution._planned_kind import region_of
from fastops._geometry._blocks import BlockCutter
from fastops._geometry._planned_output import OutputCutter, PlannedOutput
from fastops._lowering._patches import cut_padded, lower_patches
from fastops.plan import Run, RunMap, SlicePlan
from fastops.plan._slice_plan import slice_plan
from tests.helpers.chains import Array, assert_right, draw_chain, draw_chunks, elements_of, one_by_one
from tests.helpers.seeds import scale

CHAINS = scale(600, 40_000)

NOT_WRITTEN = -(10**9)


def numbers_of(made: SlicePlan, numbers: Array) -> Array:
    """The result of a plan for data of numbers; the fill value of slot s is -1 - s."""
    reads = elements_of(made)
    return np.where(reads < 0, reads, np.append(numbers, 0)[np.maximum(reads, -1)])


def check(
    cutter: OutputCutter, expected: Array, chunks: Sequence[Sequence[int]], fills: set[int], chosen: random.Random
) -> None:
    """Assert that the pieces of random blocks write each element once, from chunks that have the element."""
    source_shape = [sum(lengths) for lengths in chunks]
    numbers = np.arange(int(np.prod(source_shape))).reshape(source_shape)
    regions = [list(pairwise(accumulate(draw_chunks(chosen, n), initial=0))) for n in expected.shape]
    for region in product(*regions):
        block = np.full([stop - start for start, stop in region], NOT_WRITTEN)
        for piece in cutter.cut(region):
            place = block[region_of(piece.place)]
            assert (place == NOT_WRITTEN).all(), "written twice"
            source: Array = np.zeros((), np.int64)
            if piece.read is not None:
                assert all(0 <= start < stop <= n for (start, stop), n in zip(piece.read, source_shape, strict=True))
                source = numbers[region_of(piece.read)]
            assert_right(piece.geometry)
            assert piece.geometry.fills in fills
            place[...] = numbers_of(slice_plan(piece.geometry), source)
        np.testing.assert_array_equal(block, expected[(*[slice(*bounds) for bounds in region], ...)])


def check_plan(made: SlicePlan, expected: Array, chosen: random.Random) -> None:
    chunks = [draw_chunks(chosen, n) for n in made.source_shape]
    check(OutputCutter(PlannedOutput.of_geometry(made.geometry), chunks), expected, chunks, {made.fills}, chosen)


def test_random_chains() -> None:
    chosen = random.Random(4)
    cut = 0
    for _ in range(CHAINS):
        stages, made = draw_chain(chosen, 1, 3)
        if made is not None:
            check_plan(made, one_by_one(stages).reshape(made.shape), chosen)
            cut += made.size > 0
    assert cut > CHAINS // 2


def test_windows_beyond_an_axis_in_all_chunks() -> None:
    chosen = random.Random(7)
    modes, strides = ("wrap", "clamp", "fill", "reflect", "symmetric"), (1, -1, 2, -3, 0, 7)
    for mode, stride, extent, size in product(modes, strides, (1, 2, 5, 6), (1, 4, 17)):
        for start in chosen.sample(range(-14, 14), scale(3, 28)):
            made = plan.slice((extent,), [start], [size], [stride], mode=mode)
            check_plan(made, elements_of(made), chosen)


def test_patches_are_cut_anywhere() -> None:
    chosen = random.Random(5)
    for _ in range(scale(30, 1_000)):
        shape = (chosen.randint(1, 3), chosen.randint(1, 9), chosen.randint(1, 9))
        sizes, stride, pad = [chosen.randint(1, n + 1) for n in shape[1:]], chosen.randint(1, 3), chosen.randint(1, 3)
        cuts = [cut_padded(k, shape[k], sizes[k - 1], stride, 1, pad, pad) for k in (1, 2)]
        output = lower_patches(shape, cuts, [[0, 3, 4], [1], [2]]).output()
        expected = np.arange(int(np.prod(shape))).reshape(shape)
        expected = np.pad(expected, ((0, 0), (pad, pad), (pad, pad)), constant_values=-1)
        expected = np.lib.stride_tricks.sliding_window_view(expected, sizes, (1, 2))[:, ::stride, ::stride]
        expected = expected.transpose(0, 3, 4, 1, 2).reshape(output.shape)
        chunks = tuple([draw_chunks(chosen, n) for n in shape])
        check(OutputCutter(output, chunks), expected, chunks, {0, output.fills}, chosen)
        found = output.default_chunks(chunks, 1 << 18)
        assert tuple(map(sum, found)) == output.shape
        assert np.prod(list(map(max, found))) <= max(np.prod(list(map(max, chunks))), 4)


def test_a_block_reads_the_chunks_that_it_needs() -> None:
    cutter = BlockCutter(plan.numpy.roll((12, 12), (3, 5), (0, 1)).geometry, ((4, 4, 4), (6, 6)))
    pieces = list(cutter.cut([(0, 4), (0, 6)]))
    assert [piece.place for piece in pieces] == list(product(((0, 3), (3, 4)), ((0, 5), (5, 6))))
    assert [piece.read for piece in pieces] == list(product(((9, 12), (0, 1)), ((7, 12), (0, 1))))
    (inside,) = cutter.cut([(3, 4), (5, 6)])
    assert inside.read == ((0, 1), (0, 1))
    # A piece of fill values reads no chunk.
    made = plan.slice((6, 6), [-8, 0], [20, 6], mode="fill")
    for piece in BlockCutter(made.geometry, ((3, 3), (3, 3))).cut([(0, 5), (0, 6)]):
        assert (piece.read, piece.geometry.source_shape) == (None, ())
    # If an axis is mirrored many times, one piece reads all its chunks.
    made = plan.slice((6,), [-100], [300], mode="reflect")
    (piece,) = BlockCutter(made.geometry, ((2, 2, 2),)).cut([(0, 300)])
    assert piece.read == ((0, 6),)
    # A block reads no chunk between the chunks that have its elements.
    made = SlicePlan([RunMap(30, [Run(2, 0, 1), Run(2, 28, 1)])])
    assert [piece.read for piece in BlockCutter(made.geometry, ((3,) * 10,)).cut([(0, 4)])] == [((0, 2),), ((28, 30),)]


def test_the_cost_does_not_grow_with_extents() -> None:
    n = 1 << 60
    made = [plan.numpy.pad((n,), 10, "reflect"), plan.numpy.pad((n,), 10, "constant"), plan.numpy.roll((n,), 12345, 0)]
    made += [
        plan.numpy.take_slice((n,), slice(None, None, -3)),
        plan.numpy.tile((n,), 5),
        plan.numpy.repeat((n,), 3, 0),
    ]
    for each in made:
        (count,), cutter = each.shape, BlockCutter(each.geometry, ((n // 4,) * 4,))
        for region in ((0, count), (count // 2, count // 2 + 7), (count - 1, count)):
            assert 1 <= len(list(cutter.cut([region]))) <= 30, (each, region)


def test_blocks_inside_have_equal_plans() -> None:
    made = plan.numpy.pad((100, 100), 3, "edge")
    cutter = BlockCutter(made.geometry, ((10,) * 10,) * 2)
    one, other = [list(cutter.cut([(at, at + 10), (at, at + 10)])) for at in (20, 50)]
    assert [piece.geometry for piece in one] == [piece.geometry for piece in other]


def test_chunks_of_results() -> None:
    # The plan, the chunks of its source, and those of its result.
    cases: list[tuple[SlicePlan, Any, Any]] = [
        (plan.numpy.pad((10,), 2, "reflect"), ((4, 4, 2),), ((4, 4, 4, 2),)),
        (plan.numpy.pad((10,), 300), ((4, 4, 2),), ((4,) * 152 + (2,),)),
        (plan.slice((10, 9), [0, 2], [300, 1], mode="fill"), ((4, 4, 2), (9,)), ((4,) * 75, (1,))),
        (plan.numpy.take_slice((12,), slice(None, None, -2)), ((4, 4, 4),), ((2, 2, 2),)),
        (plan.numpy.flip((9,)), ((2, 3, 4),), ((4, 4, 1),)),
        (plan.numpy.transpose((9, 6)), ((2, 3, 4), (5, 1)), ((5, 1), (2, 3, 4))),
        (plan.numpy.broadcast_to((4, 1), (4, 7)), ((2, 2), (1,)), ((2, 2), (7,))),
        (plan.numpy.pad((1, 6), ((0, 3), (0, 0))), ((1,), (6,)), ((4,), (6,))),
        (plan.numpy.repeat((6,), 5, 0), ((4, 2),), ((20, 10),)),
        (plan.numpy.take_slice((6, 4), (2, slice(0))), ((3, 3), (2, 2)), ((0,),)),
        (plan.numpy.copy(()), (), ()),
    ]
    for made, chunks, expected in cases:
        assert PlannedOutput.of_geometry(made.geometry).default_chunks(chunks, 8) == expected, (made, chunks)
