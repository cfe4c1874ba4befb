"""What a case is for other libraries: the bytes that it touches, and its moves by slices."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.cases import CASES, Size
from benchmarks.measure.timing import QUICK
from benchmarks.peers._bars import is_met
from benchmarks.peers._contest import _difference, contest, describe, fastest_call
from benchmarks.peers._rows import Row
from benchmarks.peers._setup import Setup
from benchmarks.peers._work import Axis, Work, create_work, lines_read, row_bytes, touched_bytes
from benchmarks.peers.frameworks import Recipe, create_framework


def small_work(name: str) -> Work:
    return create_work(CASES[name], CASES[name].small)


def read_of(start: int, stride: int, count: int, extent: int = 0, mode: str = "strict_bounds") -> Axis:
    """An axis; as long as is read, where nothing is said."""
    return Axis(extent or start + stride * (count - 1) + 1, start, stride, count, mode)


def work_of(data: np.ndarray[Any, Any], *axes: Axis) -> Work:
    return Work(CASES["crop_f32"], Size(data.shape), data, (axes,), data.dtype)


def addresses_of(array: np.ndarray[Any, Any]) -> Any:
    steps = [np.arange(n) * stride for n, stride in zip(array.shape, array.strides, strict=True)]
    return array.__array_interface__["data"][0] + sum(np.ix_(*steps))


def lines_by_hand(work: Work) -> int:
    """Every byte that is read, one by one: the case itself says which elements, of an array of addresses."""
    read = work.case.expected(addresses_of(work.data), work.size)
    elements = np.concatenate([each.ravel() for each in (read if isinstance(read, list) else [read])])
    elements = elements[elements != 0]  # What is filled.
    return len(np.unique(np.add.outer(elements, np.arange(work.data.itemsize)) // 64))


def test_lines_are_those_of_every_byte():
    wrong = []
    for name, case in CASES.items():
        if not case.takes_data:
            continue
        work = create_work(case, case.resized(3000) if case.sized else case.small)
        lines, expected = lines_read(work), lines_by_hand(work)
        written = sum(each.nbytes for each in work.expected())
        if lines != expected or touched_bytes(work) != 64 * lines + written:
            wrong.append((name, lines, expected, touched_bytes(work), written))
    assert wrong == []
    work = create_work(CASES["range_f32"], Size((1000,)))
    assert (lines_read(work), touched_bytes(work), row_bytes(work)) == (0, 4000, 4000)
    assert describe(work) == "range float32 1000"


def test_rows_are_what_is_contiguous_on_both_sides():
    rows, columns = read_of(0, 1, 4), read_of(0, 1, 30)
    for axes, expected in (
        ((rows, columns), 4 * 30 * 4),
        ((rows, read_of(2, 1, 20, 30)), 80),
        ((rows, read_of(29, -1, 30, 30)), 120),
        ((read_of(3, -1, 4, 4), read_of(29, -1, 30, 30)), 480),
        ((rows, read_of(0, 2, 15, 30)), 4),
        ((read_of(-1, 1, 6, 4, "reflect"), columns), 4 * 30 * 4),
        ((rows, read_of(-1, 1, 32, 30, "reflect")), 120),
        ((read_of(0, 2, 2, 4), columns), 120),
    ):
        assert row_bytes(work_of(np.zeros((4, 30), np.float32), *axes)) == expected, axes
    # Channels in opposite order are rows of one pixel.
    assert row_bytes(small_work("bgr_to_rgb_u8")) == 3


def test_every_way_of_every_framework_gives_what_numpy_gives():
    """A contest would drop a wrong one, and compare with a slower one."""
    wrong = []
    frameworks = [create_framework(name, 2) for name in ("fastops", "numpy")]
    for framework, name, is_fresh in product(frameworks, CASES, (True, False)):
        # np.arange gives other floats.
        if framework.name == "numpy" and name in ("range_f16", "range_f32", "range_f64"):
            continue
        work = small_work(name)
        outs = None if is_fresh else [np.empty(shape, work.dtype) for shape in work.shapes]
        recipes = framework.fresh_recipes(work) if outs is None else framework.out_recipes(work, outs)
        ways = [_difference(framework, recipe.build(), work, outs, work.expected()) for recipe in recipes]
        if any(ways) or not ways:
            wrong.append((framework.name, name, is_fresh, ways))
    assert wrong == []


def test_a_wrong_result_is_found():
    work = small_work("crop_f32")
    expected = work.expected()
    expected[0] = expected[0].copy()
    expected[0][1, 2, 3, 4] += 1
    row = Row("group", "row", "")
    outs = [np.empty(shape, work.dtype) for shape in work.shapes]
    assert fastest_call(create_framework("fastops", 2), work, outs, expected, row) is None
    assert row.wrong == row.absent["fastops"]
    assert row.wrong.endswith("differs from NumPy in 1 of 1536 elements")
    assert not is_met(row)
    # What another contender has left in the output is none of this one's.
    idle = SimpleNamespace(name="idle", out_recipes=lambda _work, _outs: [Recipe("nothing", lambda: lambda: None)])
    assert fastest_call(idle, work, [each.copy() for each in work.expected()], work.expected(), row) is None


def test_a_contest_gives_a_row():
    setup = Setup(("numpy",), 2, QUICK, is_small=True)
    work = small_work("pad_reflect_f32")
    row = contest(setup, "large", "pad", work, ("numpy", "torch"), fresh=False, asked={"share": 0.9})
    assert set(row.values) == {"fastops", "numpy"}
    assert row.touched_bytes == touched_bytes(work)
    assert row.limit == min(row.limits.values())
    assert (len(row.limits), row.asked) == (3, {"share": 0.9})
