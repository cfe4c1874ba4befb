"""The errors of plans and maps, and plans as objects: frozen, hashable, printable."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import pytest

import fastops as fo
from fastops import AttributeValueError, DTypeError, OutOfBoundsError, SampleMode
from fastops._errors import FastopsError
from fastops.plan import AxisMap, RangePlan, SlicePlan, SourceWindow

STRICT, CLAMP, FILL, WRAP = SampleMode.STRICT_BOUNDS, SampleMode.CLAMP, SampleMode.FILL, SampleMode.WRAP
W = AxisMap.whole


def unread(extent: int, count: int) -> AxisMap:
    """The map of an axis whose plan has no outputs."""
    return AxisMap(extent, 0, 1, count, STRICT)


OUTSIDE = unread(5, 7)
LENGTHS = "hold lengths of at least 0"


def refusal_of(function: Any, *arguments: Any) -> tuple[Any, ...]:
    """The type of an error, the operator, the attribute, the rule and the value."""
    with pytest.raises(FastopsError) as info:
        function(*arguments)
    error: Any = info.value
    return type(error), error.op, error.attribute, error.rule, error.got


def test_an_axis_that_cannot_be_says_why() -> None:
    at_least, empty, inside = "be at least 0", "be 0 on an empty axis", "be in 0..{} in mode strict_bounds"
    keeps = "keep coordinates {}..{} in 0..{} in mode strict_bounds"
    for arguments, attribute, rule, got in (
        ((-1, 0, 1, 1), "extent", at_least, -1),
        ((0, 0, 1, -2), "count", at_least, -2),
        ((1, 0, 1, -1), "count", at_least, -1),
        ((0, 3, 1, 2, WRAP), "count", empty, 2),
        ((5, 5, 1, 1), "start", inside.format(4), 5),
        ((5, -1, 1, 9), "start", inside.format(4), -1),
        ((8, 7, 1, 2), "count", keeps.format(7, 8, 7), 2),
        ((5, 0, -1, 2), "count", keeps.format(0, -1, 4), 2),
        ((5, 1, 2, 3), "count", keeps.format(1, 5, 4), 3),
    ):
        error = AttributeValueError if rule is at_least else OutOfBoundsError
        assert refusal_of(AxisMap.create, *arguments) == (error, "AxisMap", attribute, rule, got), arguments


def test_the_constructor_takes_axes_of_plans_without_outputs_too() -> None:
    assert unread(5, 7).source(6) == 6
    for numbers in ((5, 0, 1, 7, WRAP), (9, 1, 2, 3, CLAMP), (5, 7, 1, 3, CLAMP)):
        assert AxisMap(*numbers) == AxisMap.create(*numbers)
    for extent, count, attribute, got in ((-1, 0, "extent", -1), (1, -1, "count", -1), (-1, -2, "extent", -1)):
        assert refusal_of(AxisMap, extent, 0, 1, count, STRICT)[1:] == ("AxisMap", attribute, "be at least 0", got)


@pytest.mark.parametrize(
    "one",
    [
        AxisMap.create(8, -1, 1, 4, CLAMP),
        SlicePlan([AxisMap.create(8, 2, 1, 3)]),
        SlicePlan([]),
        fo.plan.numpy.pad((3, 4), 1, "wrap"),
        RangePlan(0, 0.25, 4),
        fo.plan.windows((5,), [3]),
    ],
    ids=repr,
)
def test_plans_and_maps_are_values(one: Any) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(one, protocol))
        assert (again, hash(again), repr(again)) == (one, hash(one), repr(one))
    assert copy.copy(one) == copy.deepcopy(one) == one
    assert {one: 1}[copy.copy(one)] == 1
    geometry = getattr(one, "geometry", one)
    assert pickle.loads(pickle.dumps(geometry)) == copy.copy(geometry) == geometry
    assert not hasattr(one, "__dict__")
    # No field can be changed without the checks.
    assert type(one) is AxisMap or not isinstance(one, tuple)
    name = "start" if hasattr(one, "start") else "axes"
    with pytest.raises(AttributeError):
        setattr(one, name, getattr(one, name))


def test_a_plan_has_as_many_axes_as_it_may_and_reads_no_more() -> None:
    assert len(SlicePlan((W(1),) * 4096, ()).axes) == 4096
    read = itertools.count()
    many: list[Any] = [(W(1),) * 4097, (W(1) for _ in read)]
    for axes in many:
        with pytest.raises(AttributeValueError, match="axes must be at most 4096 AxisMaps"):
            SlicePlan(axes, ())
    assert next(read) == 4097
    assert SlicePlan(map(W, (2, 3)), (2, 3)) == SlicePlan((W(2), W(3)))  # type: ignore[arg-type]


def test_what_makes_no_plan_is_refused() -> None:
    merged = "be the {}, merged or not, with axes of length 1 added or dropped"
    counts, extents = merged.format("counts (2, 3)"), merged.format("extents (4, 3)")
    for axes in ((W(3), 3), (None,)):
        assert refusal_of(SlicePlan, axes, (3,))[1:] == ("SlicePlan", "axes", "be AxisMaps or RunMaps", axes)
    for shape in ((3, 2), (2,), (2, 3, 0), ()):
        assert refusal_of(SlicePlan, (W(2), W(3)), shape)[1:] == ("SlicePlan", "shape", counts, shape)
    for shape in ((13,), (3, 4), (4, 3, 5), ()):
        refusal = refusal_of(SlicePlan, (W(4), W(3)), (4, 3), shape)
        assert refusal[1:] == ("SlicePlan", "source_shape", extents, shape)
    # Axes of length 0 are not dropped.
    for axes, shape in (((W(2), unread(3, 0)), (2,)), ((W(2),), (2, 0))):
        assert refusal_of(SlicePlan, axes, shape)[2] == "shape"
    # Axes in mode strict_bounds read in bounds, unless the plan has no outputs.
    for axes in ((OUTSIDE,), (W(3), OUTSIDE)):
        refusal = refusal_of(SlicePlan, axes, tuple([axis.count for axis in axes]))
        assert refusal[1:] == ("SlicePlan", "axes", "read inside their extents in mode strict_bounds", axes)
    assert SlicePlan((OUTSIDE, unread(3, 0)), (7, 0)).size == 0
    assert refusal_of(SlicePlan, [W(2)], [2.0])[:3] == (DTypeError, "SlicePlan", "shape")
    # No length is negative, with windows or without.
    for windows in (None, [SourceWindow(0, 0, 1)]):
        for axes, shape in (((W(8),), (-2, -4)), ((W(0),), (0, -1)), ((), (0, -3))):
            assert refusal_of(SlicePlan, axes, shape, (0,), None, windows)[2:4] == ("shape", LENGTHS)
        for axes, shape, source in (((W(8),), (8,), (8, -5)), ((W(0),), (0,), (0, -1)), ((), (0,), (-5,))):
            assert refusal_of(SlicePlan, axes, shape, source, None, windows)[2:4] == ("source_shape", LENGTHS)


def test_plans_without_outputs_are_equal_whatever_they_started_at() -> None:
    axes = [AxisMap.create(9, 1, 2, 3), AxisMap.create(5, -1, 1, 4, WRAP), AxisMap.create(4, 0, 1, 0)]
    plan = SlicePlan(axes)
    assert plan == SlicePlan(tuple(axes), (3, 4, 0))
    assert plan.axes == (unread(9, 3), unread(5, 4), unread(4, 0))
    assert (plan.source_shape, plan.shape) == ((9, 5, 4), (3, 4, 0))
    assert fo.plan.slice((5, 4), [9, 1], [0, 2]) == fo.plan.slice((5, 4), [0, 2], [0, 2])
    assert fo.plan.slice((5, 4), [0, 0], [0, 2]) != fo.plan.slice((5, 4), [0, 0], [0, 3])
