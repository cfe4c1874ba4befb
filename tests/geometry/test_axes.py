"""One axis: the algebra of its maps, the bounds begin : end : stride, and the indices that it reads."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import fastops as fo
from fastops import FastopsError, OutOfBoundsError, SampleMode
from fastops._geometry._geometry import windows_of
from fastops._lowering._bounds import resolve_bounds
from fastops.plan import AxisMap, Run, RunMap, SlicePlan
from tests.helpers import oracle as _oracle
from tests.helpers.chains import draw_chain
from tests.helpers.processes import peak_of

STRICT, WRAP, CLAMP, FILL, REFLECT, SYMMETRIC = SampleMode
SMALL = list(itertools.product(range(6), range(-8, 9), range(-4, 5), range(6), SampleMode))


def reading(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> list[int | None] | None:
    """The indices that the arguments describe, from the oracle; None for an error."""
    try:
        return [_oracle.index(start + y * stride, extent, mode.name.lower()) for y in range(count)]
    except IndexError:
        return None


def is_taken(*fields: Any) -> bool:
    """True for the fields that the constructor takes: canonical ones."""
    try:
        return AxisMap(*fields) == fields
    except FastopsError:
        return False


def test_create_is_sound_idempotent_and_unique_over_a_small_domain() -> None:
    errors = 0
    # The maps that read in bounds, by extent and coordinates.
    forms: dict[object, set[AxisMap]] = defaultdict(set)
    for arguments in SMALL:
        expected = reading(*arguments)
        if expected is None:
            errors += 1
            with pytest.raises(OutOfBoundsError):
                AxisMap.create(*arguments)
            # A plan without outputs may have such an axis, which it does not read.
            assert not is_taken(*arguments) or (*arguments[1:3], arguments[4]) == (0, 1, STRICT)
            continue
        axis = AxisMap.create(*arguments)
        assert [axis.source(y) for y in range(axis.count)] == expected, arguments
        assert is_taken(*arguments) == (axis == arguments)
        again = AxisMap.create(axis.extent, axis.start, axis.stride, axis.count, axis.mode)
        assert again == axis
        assert hash(again) == hash(axis)
        extent, start, stride, count, _ = arguments
        coordinates = [start + y * stride for y in range(count)]
        if all(0 <= x < extent for x in coordinates):
            forms[extent, tuple(coordinates)].add(axis)
    assert 0 < errors < len(SMALL)
    assert len(forms) > 100
    assert all(len(form) == 1 for form in forms.values())
    assert len({axis for form in forms.values() for axis in form}) == len(forms)


def test_canonical_forms() -> None:
    # For extent, start, stride, count and mode: the start, stride and mode of the canonical form.
    canonical = {
        (5, 9, 7, 0, WRAP): (0, 1, STRICT),
        (5, 2, 2**63, 1, CLAMP): (2, 1, STRICT),
        (5, 0, 1, 5, REFLECT): (0, 1, STRICT),
        (5, 7, 1, 3, CLAMP): (4, 0, STRICT),
        (5, -7, -2, 3, CLAMP): (0, 0, STRICT),
        (5, -2, 1, 3, CLAMP): (0, 0, STRICT),
        (5, 4, 1, 3, CLAMP): (4, 0, STRICT),
        (5, 9, 7, 1, WRAP): (4, 1, STRICT),
        (1, -3, 1, 7, REFLECT): (0, 0, STRICT),
        (5, -1, 0, 3, WRAP): (4, 0, STRICT),
        (5, 3, 1, 3, CLAMP): (3, 1, CLAMP),
        (0, -1, 1, 3, FILL): (-1, 1, FILL),
    }
    for (extent, *numbers, count, mode), (start, stride, own_mode) in canonical.items():
        axis = AxisMap.create(extent, *numbers, count, mode)
        assert (axis.extent, axis.start, axis.stride, axis.count, axis.mode) == (extent, start, stride, count, own_mode)


huge = st.one_of(
    st.integers(-20, 20),
    st.integers(-(2**70), 2**70),
    st.sampled_from([s * 2**e for s in (1, -1) for e in (31, 62, 63)]),
)


@given(st.integers(0, 2**66), huge, huge, st.integers(0, 2**66), st.sampled_from(SampleMode), st.data())
def test_huge_arguments_are_exact(
    extent: int, start: int, stride: int, count: int, mode: SampleMode, data: st.DataObject
) -> None:
    try:
        axis = AxisMap.create(extent, start, stride, count, mode)
    except OutOfBoundsError:
        last = start + (count - 1) * (stride if count > 1 else 0)
        assert extent == 0 or (mode is STRICT and not 0 <= min(start, last) <= max(start, last) < extent)
        return
    if count and (extent < 1000 or mode not in (REFLECT, SYMMETRIC)):
        y = data.draw(st.integers(0, count - 1))
        x = start + y * stride
        fills = mode is FILL and not 0 <= x < extent
        assert axis.source(y) == (None if fills else _oracle.index(x, extent, mode.name.lower()))


def test_bounds_are_python_slices_and_openvino_moves_a_begin_before_the_axis_to_zero() -> None:
    bounds, strides = range(-8, 9), [stride for stride in range(-4, 5) if stride]
    for extent, begin, end, stride, (b, e) in itertools.product(
        range(6), bounds, bounds, strides, itertools.product((False, True), repeat=2)
    ):
        for clamp in (0, -1):
            is_moved = clamp == 0 and extent and stride < 0 and begin < -extent
            part = slice(None if b else 0 if is_moved else begin, None if e else end, stride)
            expected = range(extent)[part]
            start, by, count = resolve_bounds(extent, begin, end, stride, clamp, begin_masked=b, end_masked=e)
            assert (by, count) == (stride, len(expected)), (clamp, extent, part)
            assert start == (part.indices(extent)[0] if extent else 0), (clamp, extent, part)


far = st.integers(-(2**70), 2**70)


@given(st.integers(0, 100) | st.integers(0, 2**63 - 1), far, far, far.filter(bool))
def test_bounds_of_any_size_are_exact(extent: int, begin: int, end: int, stride: int) -> None:
    start, own_stride, count = resolve_bounds(extent, begin, end, stride, -1)
    expected = range(extent)[begin:end:stride]
    assert (own_stride, count) == (stride, len(expected))
    assert not count or start == expected[0]


PLANS = [
    fo.plan.numpy.pad((4, 5), ((2, 1), (0, 3)), "reflect").then(fo.plan.numpy.pad((7, 8), 3, "wrap")),
    fo.plan.numpy.pad((6,), 2).then(fo.plan.numpy.pad((10,), 3, "reflect")),
    fo.plan.numpy.transpose((2, 3, 4), (2, 0, 1)),
    fo.plan.numpy.take_slice((9, 4), (slice(None, None, -2), 3)),
    SlicePlan([RunMap(5, [Run(2, None, 0), Run(3, 4, -2)])]),
]


def test_indices_and_runs_are_coordinates_of_the_source() -> None:
    chosen = random.Random(29)
    drawn = [draw_chain(chosen, 1, 1)[1] for _ in range(600)]
    drawn += [fo.plan.onnx.depth_to_space((1, 8, 2, 3), 2), *fo.plan.frame((100,), 8, 5)]
    for plan in [*PLANS, *[plan for plan in drawn if plan is not None and plan.size]]:
        for k, (axis, window) in enumerate(zip(plan.axes, windows_of(plan.geometry), strict=True)):
            reads = map(axis.source, range(axis.count))
            expected = [-1 if index is None else window.offset + window.step * index for index in reads]
            for indices in (plan.indices(k), plan.indices(k - len(plan.axes))):
                assert (indices.dtype, indices.tolist()) == (np.int64, expected), (plan, k)
            of_runs = [Run(*run).source(y) for run in plan.runs(k) for y in range(run.count)]
            assert [-1 if index is None else index for index in of_runs] == expected, (plan, k)


def test_long_axes_take_one_array_and_those_of_a_run_for_each_output_little_more() -> None:
    # An axis, and the most bytes of memory that may be used beside the indices.
    for extent, start, stride, count, more in (
        (3, -(10**5), 1, 3 * 10**5, 36 * 10**5),
        (200_001, 7, 99_999, 10**5, 8 << 20),
    ):
        plan = fo.plan.slice((extent,), [start], [count], [stride], mode="wrap")
        plan.indices(0)
        indices, peak = peak_of(partial(plan.indices, 0))
        np.testing.assert_array_equal(indices, (start + stride * np.arange(count)) % extent)
        assert peak < indices.nbytes + more


def test_coordinates_beyond_64_bits_are_exact() -> None:
    axis = AxisMap.create(2**62, 10**400, 2**61 + 1, 1000, fo.SampleMode.WRAP)
    expected = [(10**400 + y * (2**61 + 1)) % 2**62 for y in range(1000)]
    assert SlicePlan([axis]).indices(0).tolist() == expected


def test_a_plan_without_outputs_reads_nothing_and_errors() -> None:
    plan = fo.plan.slice((5, 4), [0, 9], [0, 3])
    assert [(plan.indices(k).tolist(), plan.indices(k).dtype) for k in (0, 1)] == [([], np.int64)] * 2
    far = SlicePlan([AxisMap.create(2**63, 2**63 - 1, 1, 1)])
    for plan, axis, error, message in (
        (PLANS[2], 3, fo.AttributeValueError, r"axis must be in -3\.\.2, got 3"),
        (PLANS[2], "0", fo.DTypeError, "axis must be an integer, got '0'"),
        (fo.plan.numpy.tile((3,), 2**58), 0, fo.OutputError, "the output must fit in memory as elements of 8 bytes"),
        (far, 0, fo.AttributeValueError, r"axis must be of a source whose extents are below 2\^63, got 0"),
    ):
        with pytest.raises(error, match=f"^SlicePlan.indices: {message}"):
            plan.indices(axis)  # type: ignore[arg-type]
