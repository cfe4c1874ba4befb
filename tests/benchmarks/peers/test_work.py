"""What a case is for other libraries: the bytes that it touches, and its moves by slices."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from benchmarks.cases import CASES, Size
from benchmarks.measure.timing import (
    QUICK,
)
from benchmarks.peers._bars import RULES, is_met
from benchmarks.peers._contest import contest, describe, fastest_call
from benchmarks.peers._moves import centre_of, forward_index, pad_steps, signed_index
from benchmarks.peers._rows import Row
from benchmarks.peers._setup import Setup
from benchmarks.peers._work import Axis, Work, create_work, lines_read, row_bytes, touched_bytes
from benchmarks.peers.frameworks import create_framework

MOVES = [name for name, case in CASES.items() if case.takes_data]
MODES = ("strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric")
NUMPY_MODES: dict[str, Any] = {"wrap": "wrap", "clamp": "edge", "fill": "constant", "reflect": "reflect"}
NUMPY_MODES["symmetric"] = "symmetric"


def work_of(data: np.ndarray[Any, Any], *axes: Axis) -> Work:
    return Work(CASES["crop_f32"], Size(data.shape), data, (axes,), data.dtype)


def whole(extent: int) -> Axis:
    return Axis(extent, 0, 1, extent, "strict_bounds")


def lines_by_hand(work: Work) -> int:
    """Every byte that is read, one by one: the case itself says which elements, of an array of addresses."""
    address = work.data.__array_interface__["data"][0]
    addresses = np.full(work.data.shape, address)
    for axis, stride in enumerate(work.data.strides):
        shape = [1] * work.data.ndim
        shape[axis] = -1
        addresses += (np.arange(work.data.shape[axis]) * stride).reshape(shape)
    read = work.case.expected(addresses, work.size)
    elements = np.concatenate([each.ravel() for each in (read if isinstance(read, list) else [read])])
    elements = elements[elements != 0]  # What is filled.
    return len(np.unique(np.add.outer(elements, np.arange(work.data.itemsize)) // 64))


@pytest.mark.parametrize("name", MOVES)
def test_lines_are_those_of_every_byte(name):
    case = CASES[name]
    work = create_work(case, case.resized(3000) if case.sized else case.small)
    assert lines_read(work) == lines_by_hand(work)
    assert touched_bytes(work) == 64 * lines_read(work) + sum(each.nbytes for each in work.expected())


@pytest.mark.parametrize("offset", [0, 1, 17, 63])
@pytest.mark.parametrize(("extents", "strides"), [((9, 500), (1, 3)), ((40, 200), (3, 31)), ((2, 3, 900), (1, 2, 7))])
def test_lines_of_rows_at_any_place_in_a_line(offset, extents, strides):
    shape = [extent * stride for extent, stride in zip(extents, strides, strict=True)]
    data = np.zeros(int(np.prod(shape)) + 63, np.uint8)[offset : offset + int(np.prod(shape))].reshape(shape)
    axes = [Axis(n * s, 0, s, n, "strict_bounds") for n, s in zip(extents, strides, strict=True)]
    view = data[tuple(slice(None, None, stride) for stride in strides)]
    steps = [np.arange(n) * s for n, s in zip(view.shape, view.strides, strict=True)]
    addresses = view.__array_interface__["data"][0] + sum(np.ix_(*steps))
    assert lines_read(work_of(data, *axes)) == len(np.unique(addresses // 64))


def test_a_range_reads_nothing():
    work = create_work(CASES["range_f32"], Size((1000,)))
    assert (lines_read(work), touched_bytes(work), row_bytes(work)) == (0, 4000, 4000)
    assert describe(work) == "range float32 1000"


@pytest.mark.parametrize(
    ("axes", "expected"),
    [
        ([whole(4), whole(30)], 4 * 30 * 4),
        ([whole(4), Axis(30, 2, 1, 20, "strict_bounds")], 80),
        ([whole(4), Axis(30, 29, -1, 30, "strict_bounds")], 120),
        ([Axis(4, 3, -1, 4, "strict_bounds"), Axis(30, 29, -1, 30, "strict_bounds")], 480),
        ([whole(4), Axis(30, 0, 2, 15, "strict_bounds")], 4),
        ([Axis(4, -1, 1, 6, "reflect"), whole(30)], 4 * 30 * 4),
        ([whole(4), Axis(30, -1, 1, 32, "reflect")], 120),
        ([Axis(4, 0, 2, 2, "strict_bounds"), whole(30)], 120),
    ],
)
def test_rows_are_what_is_contiguous_on_both_sides(axes, expected):
    assert row_bytes(work_of(np.zeros((4, 30), np.float32), *axes)) == expected


def test_channels_in_opposite_order_are_rows_of_one_pixel():
    work = create_work(CASES["bgr_to_rgb_u8"], CASES["bgr_to_rgb_u8"].small)
    assert row_bytes(work) == 3


@pytest.mark.parametrize(("start", "stride", "count"), [(0, 1, 5), (4, -1, 5), (4, -2, 3), (1, 3, 2), (2, 0, 4)])
def test_indices_read_what_the_axis_says(start, stride, count):
    data = np.arange(5)
    axis = Axis(5, start, stride, count, "strict_bounds")
    index, reversed_axes = forward_index((axis,))
    assert np.broadcast_to(data[signed_index((axis,))], count).tolist() == axis.sources().tolist()
    assert np.broadcast_to(np.flip(data[index], reversed_axes), count).tolist() == axis.sources().tolist()


@pytest.mark.parametrize("mode", sorted(NUMPY_MODES))
def test_steps_pad_as_numpy_does(mode):
    for n, before, after in product((1, 2, 5), (0, 1, 4, 11), (0, 1, 13)):
        data = np.arange(1, 3 * n + 1).reshape(3, n)
        axes = (Axis(3, -2, 1, 9, mode), Axis(n, -before, 1, before + n + after, mode))
        out = np.full((9, before + n + after), -1)
        out[centre_of(axes)] = data
        for step in pad_steps(axes):
            out[step.target] = 0 if step.source is None else out[step.source]
        np.testing.assert_array_equal(out, np.pad(data, ((2, 4), (before, after)), NUMPY_MODES[mode]))


@pytest.mark.parametrize("name", [*MOVES, "range_i64", "range_i32", "range_u8"])
@pytest.mark.parametrize("is_fresh", [True, False])
def test_numpy_does_every_case(name, is_fresh):
    work = create_work(CASES[name], CASES[name].small)
    outs = None if is_fresh else [np.empty(shape, work.dtype) for shape in work.shapes]
    for contender in ("fastops", "numpy"):
        row = Row("group", name, "")
        assert fastest_call(create_framework(contender, 2), work, outs, work.expected(), row), row.absent
        assert row.how[contender]


def test_a_wrong_result_is_found():
    work = create_work(CASES["crop_f32"], CASES["crop_f32"].small)
    expected = work.expected()
    expected[0] = expected[0].copy()
    expected[0][1, 2, 3, 4] += 1
    row = Row("group", "row", "")
    outs = [np.empty(shape, work.dtype) for shape in work.shapes]
    assert fastest_call(create_framework("fastops", 2), work, outs, expected, row) is None
    assert row.wrong == row.absent["fastops"]
    assert row.wrong.endswith("differs from NumPy in 1 of 1536 elements")
    assert not is_met(row)


def test_retyped_work_reads_the_same_bytes():
    work = create_work(CASES["flip_c128"], CASES["flip_c128"].small)
    halves = work.retyped("float64")
    assert (halves.data.shape[-1], halves.shapes[0][-1]) == (2, 2)
    assert halves.data[signed_index(halves.axes)].tobytes() == work.expected()[0].tobytes()
    assert lines_read(halves) == lines_read(work)
    with pytest.raises(ValueError, match="16 bytes"):
        work.retyped("u1,u1,u1")


def test_a_contest_gives_a_row():
    work = create_work(CASES["pad_reflect_f32"], CASES["pad_reflect_f32"].small)
    setup = Setup(("numpy",), 2, QUICK, is_small=True)
    row = contest(setup, "large", "pad", work, ("numpy", "torch"), fresh=False, asked={"share": 0.9})
    assert set(row.values) == {"fastops", "numpy"}
    assert len(row.limits) == 3
    assert row.limit == min(row.limits.values())
    assert set(row.asked) <= set(RULES)
