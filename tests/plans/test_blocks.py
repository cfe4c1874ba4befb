"""Blocks: cut at the ends of chunks, they read what the plan reads, of the chunks that have it, at any extent."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from typing import Any

import numpy as np
import pytest

from fastops import plan
from fastops._lowering._patches import cut_padded, lower_patches
from fastops._plans._blocks import BlockCutter
from fastops._plans._planned_output import OutputCutter, PlannedOutput
from fastops._plans._result_chunks import ChunkLimits
from fastops.plan import Run, RunMap, SlicePlan
from tests.helpers.chains import Stage, draw_chain, one_by_one
from tests.helpers.torture import scale

Array = np.ndarray[Any, Any]

CHAINS = scale(1_500, 40_000)


def draw_chunks(chosen: random.Random, extent: int) -> tuple[int, ...]:
    """Lengths of chunks: equal ones, or any, some of which are empty."""
    if chosen.random() < 0.5:
        length = chosen.randint(1, max(extent, 1))
        return tuple([min(length, extent - at) for at in range(0, extent, length)]) or (0,)
    lengths: list[int] = []
    while sum(lengths) < extent or not lengths:
        least = 0 if chosen.random() < 0.1 else min(1, extent)
        lengths.append(chosen.randint(least, extent - sum(lengths)))
    return tuple(lengths)


def numbers_of(made: SlicePlan, numbers: Array) -> Array:
    """What a plan gives of numbers, by its maps' own word: a fill value is the number of its slot below 0."""
    if not made.size:
        return np.zeros(made.shape, np.int64)
    stage = Stage(made.extents, made.axes, made.order, made.shape, made.source_shape)
    if made.windows is None:
        return stage.apply(numbers, 0)
    windows = np.zeros(made.extents, np.int64)
    index: list[Array] = [np.zeros((1,) * windows.ndim, np.int64) for _ in made.source_shape]
    for k, ((axis, offset, step), extent) in enumerate(zip(made.windows, made.extents, strict=True)):
        if axis >= 0:
            along = offset + step * np.arange(extent)
            index[axis] = index[axis] + along.reshape([-1 if i == k else 1 for i in range(windows.ndim)])
    windows[...] = numbers[tuple(index)] if index else numbers
    return Stage(made.extents, made.axes, made.order, made.shape, made.extents).apply(windows, 0)


def assert_blocks_read_as(made: SlicePlan, expected: Array, chosen: random.Random) -> None:
    chunks = [draw_chunks(chosen, n) for n in made.source_shape]
    assert_blocks_of_cutter_read_as(BlockCutter(made, chunks), expected, chunks, {made.fills}, chosen)


def assert_blocks_of_cutter_read_as(
    cutter: BlockCutter | OutputCutter,
    expected: Array,
    chunks: Sequence[Sequence[int]],
    fills: set[int],
    chosen: random.Random,
) -> None:
    source_shape = [sum(lengths) for lengths in chunks]
    numbers = np.arange(int(np.prod(source_shape))).reshape(source_shape)
    starts = [list(accumulate(lengths, initial=0)) for lengths in chunks]
    regions = [list(pairwise(accumulate(draw_chunks(chosen, n), initial=0))) for n in expected.shape]
    for region in product(*regions):
        block = np.full([stop - start for start, stop in region], -(10**9))
        needed = expected[(*[slice(*bounds) for bounds in region], ...)]
        for part in cutter.cut(region):
            for piece in part.pieces:
                sides = zip(part.start, piece.place, strict=True)
                place = block[(*[slice(first + low, first + high) for first, (low, high) in sides], ...)]
                for split_shape, within in piece.splits:
                    place = place.reshape(split_shape)[tuple([slice(*bounds) for bounds in within])]
                assert (place == -(10**9)).all(), "written twice"
                source: Array = np.zeros((), np.int64)
                if piece.parts is not None:
                    source = numbers
                    for k, own in enumerate(piece.parts):
                        at = [(part.chunks[k][each.chunk], each) for each in own]
                        assert all(0 <= each.start < each.stop <= chunks[k][i] for i, each in at)
                        taken = [np.arange(starts[k][i] + each.start, starts[k][i] + each.stop) for i, each in at]
                        source = source.take(np.concatenate(taken), k)
                assert piece.plan.fills in fills
                place[...] = numbers_of(piece.plan, source)
        np.testing.assert_array_equal(block, needed)


def test_random_chains() -> None:
    chosen = random.Random(4)
    cut = 0
    for _ in range(CHAINS):
        stages, made = draw_chain(chosen, 1, 3)
        if made is not None:
            assert_blocks_read_as(made, one_by_one(stages).reshape(made.shape), chosen)
            cut += made.size > 0
    assert cut > CHAINS // 2


@pytest.mark.parametrize("mode", ["wrap", "clamp", "fill", "reflect", "symmetric"])
@pytest.mark.parametrize("stride", [1, -1, 2, -3, 0, 7])
def test_windows_beyond_an_axis_in_all_chunks(mode: str, stride: int) -> None:
    chosen = random.Random(7)
    for extent, start, size in product((1, 2, 5, 6), range(-14, 14, 3), (1, 4, 17)):
        made = plan.slice((extent,), [start], [size], [stride], mode=mode)
        numbers = np.arange(extent)
        assert_blocks_read_as(made, numbers_of(made, numbers), chosen)


def test_axes_that_merge_patches_are_cut_anywhere() -> None:
    chosen = random.Random(5)
    for _ in range(scale(60, 1_000)):
        shape = (chosen.randint(1, 3), chosen.randint(1, 9), chosen.randint(1, 9))
        sizes, stride, pad = [chosen.randint(1, n + 1) for n in shape[1:]], chosen.randint(1, 3), chosen.randint(1, 3)
        cuts = [cut_padded(k, shape[k], sizes[k - 1], stride, 1, pad, pad) for k in (1, 2)]
        output = lower_patches("sizes", shape, cuts, [[0, 3, 4], [1, 2]]).output(shape)
        expected = np.arange(int(np.prod(shape))).reshape(shape)
        expected = np.pad(expected, ((0, 0), (pad, pad), (pad, pad)), constant_values=-1)
        expected = np.lib.stride_tricks.sliding_window_view(expected, sizes, (1, 2))[:, ::stride, ::stride]
        expected = expected.transpose(0, 3, 4, 1, 2).reshape(output.shape)
        chunks = tuple([draw_chunks(chosen, n) for n in shape])
        assert_blocks_of_cutter_read_as(OutputCutter(output, chunks), expected, chunks, {0, output.fills}, chosen)
        limits = ChunkLimits.of_source(chunks, 1 << 18)
        found = output.default_chunks(chunks, limits)
        assert tuple(map(sum, found)) == output.shape
        assert np.prod(list(map(max, found))) <= max(limits.most, limits.small)


def pieces_of(made: SlicePlan, chunks: tuple[tuple[int, ...], ...], region: list[tuple[int, int]]) -> Any:
    return [piece for part in BlockCutter(made, chunks).cut(region) for piece in part.pieces]


def test_a_block_reads_the_chunks_that_it_needs() -> None:
    made = plan.numpy.roll((12, 12), (3, 5), (0, 1))
    ((part,),) = [BlockCutter(made, ((4, 4, 4), (6, 6))).cut([(0, 4), (0, 6)])]
    assert part.chunks == ((0, 2), (0, 1))
    assert [piece.place for piece in part.pieces] == [
        ((0, 3), (0, 5)),
        ((0, 3), (5, 6)),
        ((3, 4), (0, 5)),
        ((3, 4), (5, 6)),
    ]
    (inside,) = BlockCutter(made, ((4, 4, 4), (6, 6))).cut([(3, 4), (5, 6)])
    assert inside.chunks == ((0,), (0,))


def test_what_is_filled_alone_reads_no_chunk() -> None:
    made = plan.slice((6, 6), [-8, 0], [20, 6], mode="fill")
    (part,) = BlockCutter(made, ((3, 3), (3, 3))).cut([(0, 5), (0, 6)])
    assert not part.reads
    assert part.chunks == ()
    (piece,) = part.pieces
    assert piece.parts is None
    assert piece.plan.source_shape == ()


def test_an_axis_that_folds_often_is_read_side_by_side() -> None:
    made = plan.slice((6,), [-100], [300], mode="reflect")
    (piece,) = pieces_of(made, ((2, 2, 2),), [(0, 300)])
    assert [part.chunk for part in piece.parts[0]] == [0, 1, 2]
    assert piece.plan == made


def test_chunks_between_are_left_out_where_few_elements_of_an_axis_are_read() -> None:
    made = SlicePlan.create([RunMap(30, [Run(2, 0, 1), Run(2, 28, 1)])])
    (part,) = BlockCutter(made, ((3,) * 10,)).cut([(0, 4)])
    assert part.chunks == ((0, 9),)


def test_the_cost_does_not_grow_with_extents() -> None:
    extent = 1 << 60
    for made in (
        plan.numpy.pad((extent,), 10, "reflect"),
        plan.numpy.pad((extent,), 10, "constant"),
        plan.numpy.roll((extent,), 12345, 0),
        plan.numpy.take_slice((extent,), slice(None, None, -3)),
        plan.numpy.tile((extent,), 5),
        plan.numpy.repeat((extent,), 3, 0),
    ):
        n = made.shape[0]
        cutter = BlockCutter(made, ((extent // 4,) * 4,))
        for region in ((0, n), (n // 2, n // 2 + 7), (n - 1, n)):
            assert 1 <= sum(len(part.pieces) for part in cutter.cut([region])) <= 30


def test_blocks_inside_share_their_pieces() -> None:
    made = plan.numpy.pad((100, 100), 3, "edge")
    cutter = BlockCutter(made, ((10,) * 10,) * 2)
    one, other = [cutter.cut([(at, at + 10), (at, at + 10)])[0] for at in (20, 50)]
    assert one.pieces is other.pieces
    assert (one.chunks, other.chunks) == (((1, 2), (1, 2)), ((4, 5), (4, 5)))


@pytest.mark.parametrize(
    ("made", "chunks", "expected"),
    [
        (plan.numpy.pad((10,), 2, "reflect"), ((4, 4, 2),), ((4, 4, 4, 2),)),
        (plan.numpy.pad((10,), 300), ((4, 4, 2),), ((4,) * 152 + (2,),)),
        (plan.slice((10, 9), [0, 2], [300, 1], mode="fill"), ((4, 4, 2), (9,)), ((36,) * 8 + (12,), (1,))),
        (plan.numpy.tile((10,), 3), ((4, 4, 2),), ((4,) * 7 + (2,),)),
        (plan.numpy.flip((10,)), ((4, 4, 2),), ((4, 4, 2),)),
        (plan.numpy.take_slice((12,), slice(None, None, -2)), ((4, 4, 4),), ((2, 2, 2),)),
        (plan.numpy.take_slice((12,), slice(None, None, 3)), ((4, 4, 4),), ((2, 2),)),
        (plan.numpy.copy((9,)), ((2, 3, 4),), ((2, 3, 4),)),
        (plan.numpy.flip((9,)), ((2, 3, 4),), ((4, 4, 1),)),
        (plan.numpy.transpose((9, 6)), ((2, 3, 4), (5, 1)), ((5, 1), (2, 3, 4))),
        (plan.numpy.broadcast_to((4,), (7, 4)), ((2, 2),), ((1,) * 7, (2, 2))),
        (plan.numpy.broadcast_to((4, 1), (4, 7)), ((2, 2), (1,)), ((2, 2), (1,) * 7)),
        (plan.numpy.pad((1, 6), ((0, 3), (0, 0))), ((1,), (6,)), ((1,) * 4, (6,))),
        (plan.numpy.repeat((6,), 2, 0), ((4, 2),), ((4, 4, 4),)),
        (plan.numpy.repeat((6,), 5, 0), ((4, 2),), ((4,) * 7 + (2,),)),
        (plan.numpy.repeat((6,), 3, 0), ((4, 2),), ((3,) * 6,)),
        (plan.numpy.take_slice((6, 4), (2, slice(0))), ((3, 3), (2, 2)), ((0,),)),
        (plan.numpy.pad((0,), 3), ((0,),), ((3, 3),)),
        (plan.numpy.copy(()), (), ()),
    ],
)
def test_chunks_of_results(made: SlicePlan, chunks: tuple[tuple[int, ...], ...], expected: Any) -> None:
    assert PlannedOutput.of_plan(made).default_chunks(chunks, ChunkLimits.of_source(chunks, 8)) == expected


def test_an_output_of_pieces_is_cut_as_one() -> None:
    output = PlannedOutput.of_plan(plan.numpy.pad((4,), 1))
    parts = OutputCutter(output, ((2, 2),)).cut([(1, 6)])
    assert [part.start for part in parts] == [(0,)]
