"""What plans refuse, with which words, and what they are as objects: frozen, hashable, printable."""

from __future__ import annotations

import copy
import itertools
import pickle
from dataclasses import FrozenInstanceError, replace
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from fastops import AttributeValueError, DTypeError, OutOfBoundsError, SampleMode
from fastops._errors import FastopsError
from fastops.plan import AxisMap, RangePlan, SlicePlan, SourceWindow

STRICT, CLAMP, FILL, WRAP = SampleMode.STRICT_BOUNDS, SampleMode.CLAMP, SampleMode.FILL, SampleMode.WRAP
OUTSIDE = AxisMap.unread(5, 7)


def fields(error: FastopsError) -> tuple[Any, ...]:
    return type(error), error.op, error.attribute, error.rule, error.got


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((-1, 0, 1, 1), (AttributeValueError, "extent", "be at least 0", -1)),
        ((-1, 0, 1, -2), (AttributeValueError, "extent", "be at least 0", -1)),
        ((0, 0, 1, -2), (AttributeValueError, "count", "be at least 0", -2)),
        ((0, 3, 1, 2, WRAP), (OutOfBoundsError, "count", "be 0 on an empty axis", 2)),
        ((0, 3, 1, 1), (OutOfBoundsError, "count", "be 0 on an empty axis", 1)),
        ((5, 5, 1, 1), (OutOfBoundsError, "start", "be in 0..4 in mode strict_bounds", 5)),
        ((5, 7, 1, 1), (OutOfBoundsError, "start", "be in 0..4 in mode strict_bounds", 7)),
        ((5, -1, 1, 9), (OutOfBoundsError, "start", "be in 0..4 in mode strict_bounds", -1)),
        ((8, 8, 1, 2), (OutOfBoundsError, "start", "be in 0..7 in mode strict_bounds", 8)),
        ((8, 7, 1, 2), (OutOfBoundsError, "count", "keep coordinates 7..8 in 0..7 in mode strict_bounds", 2)),
        ((5, 4, 1, 2), (OutOfBoundsError, "count", "keep coordinates 4..5 in 0..4 in mode strict_bounds", 2)),
        ((5, 0, -1, 2), (OutOfBoundsError, "count", "keep coordinates 0..-1 in 0..4 in mode strict_bounds", 2)),
        ((5, 1, 2, 3), (OutOfBoundsError, "count", "keep coordinates 1..5 in 0..4 in mode strict_bounds", 3)),
    ],
)
def test_an_axis_that_cannot_be_says_why(arguments: tuple[Any, ...], expected: tuple[Any, ...]) -> None:
    with pytest.raises(FastopsError) as info:
        AxisMap.create(*arguments)
    assert fields(info.value) == (expected[0], "AxisMap", *expected[1:])


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("value", [1.0, True, np.int64(1), None])
def test_fields_of_an_axis_are_plain_integers(place: int, value: object) -> None:
    numbers: list[Any] = [5, 1, 1, 1]
    numbers[place] = value
    with pytest.raises(AttributeValueError) as info:
        AxisMap(*numbers, STRICT)
    assert fields(info.value)[1:] == ("AxisMap", "fields", "be integers and a SampleMode", (*numbers, STRICT))


def test_the_mode_of_an_axis_is_a_member() -> None:
    with pytest.raises(AttributeValueError) as info:
        AxisMap(5, 1, 1, 1, 0)
    assert info.value.attribute == "fields"


@pytest.mark.parametrize(("extent", "count", "attribute"), [(-1, 0, "extent"), (0, -1, "count"), (-1, -2, "extent")])
def test_lengths_are_checked_without_create_too(extent: int, count: int, attribute: str) -> None:
    with pytest.raises(AttributeValueError) as info:
        AxisMap(extent, 0, 1, count, STRICT)
    got = extent if attribute == "extent" else count
    assert fields(info.value)[1:] == ("AxisMap", attribute, "be at least 0", got)
    assert AxisMap(0, 0, 1, 0, STRICT) == AxisMap.create(0, 0, 1, 0)


@pytest.mark.parametrize("places", [set(p) for n in range(1, 5) for p in itertools.combinations(range(4), n)], ids=str)
def test_create_takes_any_integers_and_says_which_are_none(places: set[int]) -> None:
    numbers = [9, 1, 2, 3]
    for kind in (np.int8, lambda n: np.array([n], np.uint64), lambda n: [n]):
        arguments: list[Any] = [kind(n) if i in places else n for i, n in enumerate(numbers)]
        axis = AxisMap.create(*arguments, mode="wrap")
        assert axis == AxisMap(9, 1, 2, 3, STRICT)
        assert {type(number) for number in (axis.extent, axis.start, axis.stride, axis.count)} == {int}
    arguments = [float(n) if i in places else n for i, n in enumerate(numbers)]
    with pytest.raises(DTypeError) as info:
        AxisMap.create(*arguments)
    assert (info.value.op, info.value.attribute) == ("AxisMap", ("extent", "start", "stride", "count")[min(places)])


def test_create_names_the_mode_that_it_does_not_know() -> None:
    with pytest.raises(AttributeValueError) as info:
        AxisMap.create(5, 0, 1, 5, "mirror")
    assert (info.value.op, info.value.attribute, info.value.got) == ("AxisMap", "mode", "mirror")


@pytest.mark.parametrize(("y", "count"), [(-1, 3), (3, 3), (9, 3), (0, 0)])
def test_source_says_which_outputs_there_are(y: int, count: int) -> None:
    with pytest.raises(OutOfBoundsError) as info:
        AxisMap.create(3, 0, 1, count).source(y)
    assert fields(info.value)[1:] == ("AxisMap.source", "y", f"be in 0..{count - 1}", y)


def test_axes_tell_whether_they_read_inside() -> None:
    for extent, start, stride, count in itertools.product(range(4), range(-2, 5), range(-2, 3), range(4)):
        axis = AxisMap.create(extent, start, stride, count, FILL)
        is_inside = all(0 <= start + y * stride < extent for y in range(count))
        assert axis.reads_inside == axis.is_strict == is_inside
    assert not OUTSIDE.reads_inside
    assert OUTSIDE.is_strict


@pytest.mark.parametrize("mode", SampleMode)
def test_axes_have_their_canonical_fields_however_they_are_made(mode: SampleMode) -> None:
    for numbers in itertools.product(range(4), range(-3, 6), range(-2, 3), range(4)):
        try:
            canonical = AxisMap.create(*numbers, mode)
        except OutOfBoundsError:
            canonical = None
        if canonical is not None:
            assert AxisMap(*[getattr(canonical, name) for name in AxisMap.__slots__]) == canonical
        _, start, stride, count = numbers
        fields_of = canonical and (canonical.start, canonical.stride, canonical.count, canonical.mode)
        if fields_of == (start, stride, count, mode) or (mode is STRICT and (start, stride) == (0, 1)):
            assert AxisMap(*numbers, mode).count == count
        else:
            with pytest.raises((AttributeValueError, OutOfBoundsError)):
                AxisMap(*numbers, mode)


def test_plans_of_no_outputs_have_one_form_however_they_are_made() -> None:
    axes = (AxisMap.create(5, 3, -1, 2), AxisMap.unread(3, 0))
    plan = SlicePlan(axes, (2, 0))
    assert plan == SlicePlan.create(axes, (2, 0))
    assert plan.axes == (AxisMap.unread(5, 2), AxisMap.unread(3, 0))
    assert AxisMap.unread(np.int64(5), [2]) == AxisMap.unread(5, 2)


def test_plans_and_maps_are_made_once() -> None:
    axis = AxisMap.create(8, 2, 1, 3)
    plan = SlicePlan.create([axis])
    for made in (
        lambda: axis.__init__(8, 0, 1, 100, STRICT),
        lambda: plan.__init__((AxisMap.whole(8),), (8,)),
    ):
        with pytest.raises(FrozenInstanceError, match="is made once"):
            made()
    for one in (axis, plan):
        with pytest.raises(FrozenInstanceError, match="is made once"):
            one.__setstate__([8, 0, 1, 100, STRICT])
    assert (axis, plan.shape, plan.axes) == (AxisMap(8, 2, 1, 3, STRICT), (3,), (axis,))


def test_a_plan_that_is_made_while_it_is_made_is_made_once() -> None:
    axes = (AxisMap.create(8, 2, 1, 3),)
    plan = SlicePlan.__new__(SlicePlan)

    class Extent:
        def __index__(self) -> int:
            plan.__init__(axes, (3,))  # type: ignore[misc]
            return 8

    with pytest.raises(FrozenInstanceError, match="is made once"):
        plan.__init__((AxisMap.whole(8),), [Extent()])  # type: ignore[misc]
    assert plan == SlicePlan(axes, (3,))


@pytest.mark.parametrize("one", [AxisMap.create(8, -1, 1, 4, CLAMP), SlicePlan.create([AxisMap.create(8, 2, 1, 3)])])
def test_plans_and_maps_can_be_copied_and_replaced(one: Any) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(one, protocol)) == one
    assert copy.copy(one) == copy.deepcopy(one) == replace(one) == one
    changed = replace(one, start=-2) if isinstance(one, AxisMap) else replace(one, shape=(1, 3))
    assert changed != one


def test_a_plan_is_no_base_class() -> None:
    for cls in (SlicePlan, RangePlan):
        with pytest.raises(TypeError, match=f"{cls.__name__} cannot be subclassed"):
            type("Derived", (cls,), {})


def test_a_plan_does_not_read_axes_for_ever() -> None:
    for axes in (itertools.repeat(AxisMap.whole(1)), (AxisMap.whole(1),) * 5000):
        with pytest.raises(AttributeValueError, match="axes must be at most 4096 AxisMaps"):
            SlicePlan(axes, ())


def test_a_plan_has_as_many_axes_as_it_may() -> None:
    assert len(SlicePlan((AxisMap.whole(1),) * 4096, ()).axes) == 4096
    read = itertools.count()
    for axes in ((AxisMap.whole(1),) * 4097, (AxisMap.whole(1) for _ in read)):
        with pytest.raises(AttributeValueError, match="axes must be at most 4096 AxisMaps"):
            SlicePlan(axes, ())
    assert next(read) == 4097


def test_axes_may_come_from_an_iterator() -> None:
    for make in (SlicePlan, SlicePlan.create):
        assert make((AxisMap.whole(extent) for extent in (2, 3)), (2, 3)) == SlicePlan.create(
            tuple(map(AxisMap.whole, (2, 3)))
        )


def test_axes_that_read_all_or_nothing() -> None:
    assert AxisMap.whole(4) == AxisMap(4, 0, 1, 4, STRICT)
    assert AxisMap.unread(4, 7) == AxisMap(4, 0, 1, 7, STRICT)


def test_a_plan_takes_axis_maps_only() -> None:
    for axes in ((AxisMap.whole(3), 3), (None,)):
        for make in (SlicePlan, SlicePlan.create):
            with pytest.raises(AttributeValueError) as info:
                make(axes, (3,))
            assert fields(info.value)[1:] == ("SlicePlan", "axes", "be AxisMaps or RunMaps", axes)


@pytest.mark.parametrize("shape", [(3, 2), (2,), (7,), (2, 3, 2), (2, 3, 0), (1, 1), ()])
def test_a_shape_that_is_not_the_counts_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(AttributeValueError) as info:
        SlicePlan((AxisMap.whole(2), AxisMap.whole(3)), shape)
    rule = "be the counts (2, 3), merged or not, with axes of length 1 added or dropped"
    assert fields(info.value)[1:] == ("SlicePlan", "shape", rule, shape)


def test_axes_of_no_outputs_do_not_come_and_go() -> None:
    for axes, shape in (((AxisMap.whole(2), AxisMap.unread(3, 0)), (2,)), ((AxisMap.whole(2),), (2, 0))):
        with pytest.raises(AttributeValueError, match="axes of length 1"):
            SlicePlan(axes, shape)


@pytest.mark.parametrize("shape", [(4, 3), (1, 4, 3), (4, 1, 3, 1)])
def test_axes_of_length_one_may_come_and_go(shape: tuple[int, ...]) -> None:
    axes = (AxisMap.whole(4), AxisMap.whole(1), AxisMap.whole(3))
    assert SlicePlan(axes, shape).shape == shape
    assert SlicePlan.create(axes).shape == (4, 1, 3)
    assert SlicePlan.create(list(axes), [np.int64(n) for n in shape]) == SlicePlan(axes, shape)


@pytest.mark.parametrize("source_shape", [(4, 3), (1, 4, 3), (4, 1, 3, 1)])
def test_axes_of_length_one_may_come_and_go_in_the_source(source_shape: tuple[int, ...]) -> None:
    axes = (AxisMap.create(1, 0, 0, 5), AxisMap.create(4, 3, -1, 4), AxisMap.whole(3))
    plan = SlicePlan(axes, (5, 4, 3), source_shape)
    assert (plan.source_shape, plan.extents) == (source_shape, (1, 4, 3))
    data = np.arange(12).reshape(source_shape)
    assert plan(data).tolist() == [data.reshape(4, 3)[::-1].tolist()] * 5
    assert pickle.loads(pickle.dumps(plan)) == plan != SlicePlan(axes, (5, 4, 3), (1, 1, 4, 3))
    assert (", source_shape=" in repr(plan)) == (source_shape != (1, 4, 3))


@pytest.mark.parametrize("source_shape", [(13,), (3, 4), (4, 3, 5), (4,), ()])
def test_a_source_shape_that_is_not_the_extents_is_refused(source_shape: tuple[int, ...]) -> None:
    with pytest.raises(AttributeValueError) as info:
        SlicePlan((AxisMap.whole(4), AxisMap.whole(3)), (4, 3), source_shape)
    rule = "be the extents (4, 3), merged or not, with axes of length 1 added or dropped"
    assert fields(info.value)[1:] == ("SlicePlan", "source_shape", rule, source_shape)


def test_strict_axes_of_a_plan_read_inside() -> None:
    for axes in ((OUTSIDE,), (OUTSIDE, AxisMap.whole(3)), (AxisMap.whole(3), OUTSIDE)):
        with pytest.raises(AttributeValueError) as info:
            SlicePlan(axes, tuple([axis.count for axis in axes]))
        rule = "read inside their extents in mode strict_bounds"
        assert fields(info.value)[1:] == ("SlicePlan", "axes", rule, axes)
    # Without outputs nothing is read, and other modes read outside as they say.
    assert SlicePlan((OUTSIDE, AxisMap.unread(3, 0)), (7, 0)).size == 0
    assert SlicePlan((AxisMap(5, 4, 1, 2, FILL),), (2,)).size == 2


def test_a_shape_is_a_list_of_integers() -> None:
    with pytest.raises(DTypeError) as info:
        SlicePlan.create([AxisMap.whole(2)], [2.0])
    assert (info.value.op, info.value.attribute) == ("SlicePlan", "shape")


def test_a_plan_knows_its_source_shape_size_and_whether_it_is_a_view() -> None:
    view = SlicePlan.create([AxisMap.create(9, 1, 2, 3), AxisMap.whole(4)])
    assert (view.source_shape, view.shape, view.size, view.is_view) == ((9, 4), (3, 4), 12, True)
    padded = SlicePlan.create([AxisMap.whole(4), AxisMap.create(9, -1, 1, 3, WRAP)])
    assert (padded.source_shape, padded.size, padded.is_view) == ((4, 9), 12, False)
    scalar = SlicePlan.create([])
    assert (scalar.source_shape, scalar.shape, scalar.size, scalar.is_view) == ((), (), 1, True)


def test_axes_of_a_plan_without_outputs_keep_extents_and_counts() -> None:
    plan = SlicePlan.create([AxisMap.create(9, 1, 2, 3), AxisMap.create(5, -1, 1, 4, WRAP), AxisMap.create(4, 0, 1, 0)])
    assert plan.axes == (AxisMap.unread(9, 3), AxisMap.unread(5, 4), AxisMap.unread(4, 0))
    assert (plan.source_shape, plan.shape) == ((9, 5, 4), (3, 4, 0))


@pytest.mark.parametrize(
    "plan",
    [AxisMap.whole(3), SlicePlan.create([AxisMap.whole(3)]), RangePlan(0, 1, 2)],
    ids=lambda plan: type(plan).__name__,
)
def test_plans_are_frozen_and_hold_their_fields_only(plan: Any) -> None:
    name = "axes" if isinstance(plan, SlicePlan) else "count"
    with pytest.raises(FrozenInstanceError):
        setattr(plan, name, 7)
    assert not hasattr(plan, "__dict__")
    assert {plan: 1}[copy.copy(plan)] == 1


def test_what_a_plan_keeps_for_itself_is_no_part_of_it() -> None:
    one, other = SlicePlan.create([AxisMap.whole(3)]), SlicePlan.create([AxisMap.whole(3)])
    shown = f"SlicePlan(axes=({AxisMap.whole(3)!r},), shape=(3,))"
    assert repr(one) == shown
    hash(one)
    one._prepare("something")
    assert one._prepared == "something"
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == shown
    again = pickle.loads(pickle.dumps(one))
    assert (again, again.source_shape, again._prepared) == (one, (3,), None)


def test_plans_differ_by_axes_and_by_shape() -> None:
    plan = SlicePlan.create([AxisMap.whole(3)])
    assert plan != SlicePlan.create([AxisMap.whole(3)], (3, 1))
    assert plan != SlicePlan.create([AxisMap.create(3, 2, -1, 3)])
    assert len({plan, SlicePlan.create([AxisMap.whole(3)], (3, 1)), SlicePlan.create([AxisMap.whole(3)])}) == 2


def test_plans_print_what_they_read() -> None:
    plan = SlicePlan.create([AxisMap.whole(4), AxisMap.create(9, -1, 2, 3, WRAP)], (4, 1, 3))
    assert str(plan) == (
        "(4, 9) -> (4, 1, 3)\n"
        "  axis 0: extent 4, start 0, stride 1, count 4, strict_bounds\n"
        "  axis 1: extent 9, start -1, stride 2, count 3, wrap\n"
        "  new: axis 1 of the result, of length 1"
    )
    assert str(RangePlan(-1, 0.5, 3)) == "() -> (3,)\n  values: start -1, step 0.5, count 3"
    # Python refuses to print integers beyond 4300 digits.
    assert "an integer of 20001 bits" in str(AxisMap.create(3, 2**20000, 1, 2, WRAP))


@pytest.mark.parametrize("number", [inf, -inf, nan, True, "1", None, np.float64(1)])
def test_a_range_starts_and_steps_by_finite_numbers(number: Any) -> None:
    for name, arguments in (("start", (number, 1, 1)), ("step", (1, number, 1))):
        with pytest.raises(AttributeValueError) as info:
            RangePlan(*arguments)
        assert fields(info.value)[1:4] == ("RangePlan", name, "be an integer or a finite float")
        assert info.value.got is number


@pytest.mark.parametrize("count", [-1, 1.0, True, None])
def test_a_range_has_a_count(count: Any) -> None:
    with pytest.raises(AttributeValueError) as info:
        RangePlan(0, 1, count)
    assert fields(info.value)[1:] == ("RangePlan", "count", "be an integer of at least 0", count)


@pytest.mark.parametrize("number", [0, -1.5, 2**70, -1e308, 0.0])
def test_any_finite_number_is_taken(number: float) -> None:
    assert RangePlan(number, number, 0).shape == (0,)
    assert RangePlan(number, number, 7).shape == (7,)


@pytest.mark.parametrize("make", [AxisMap.whole, lambda n: AxisMap.unread(n, 2), lambda n: AxisMap.unread(2, n)])
def test_lengths_are_any_integers_of_at_least_0(make: Any) -> None:
    for n in (0, 1, 5):
        for kind in (np.int8, np.uint64, lambda n: [n]):
            axis = make(kind(n))
            assert axis == make(n)
            assert {type(number) for number in (axis.extent, axis.start, axis.stride, axis.count)} == {int}
    for wrong in (-1, -7, np.int8(-1)):
        with pytest.raises(AttributeValueError, match="must be at least 0"):
            make(wrong)
    with pytest.raises(DTypeError):
        make(1.0)
    with pytest.raises(DTypeError):
        make(True)


@pytest.mark.parametrize("windows", [None, [SourceWindow(0, 0, 1)]])
@pytest.mark.parametrize(
    ("axes", "shape", "source_shape"),
    [
        ([AxisMap.whole(8)], (8,), (8, -5)),
        ([AxisMap.whole(8)], (-2, -4), (8,)),
        ([AxisMap.whole(0)], (0, -1), (0,)),
        ([AxisMap.whole(0)], (0,), (0, -1)),
        ([], (0, -3), (5,)),
        ([], (0,), (-5,)),
    ],
)
def test_no_length_of_a_shape_is_negative(axes: Any, shape: Any, source_shape: Any, windows: Any) -> None:
    attribute = "shape" if min(shape) < 0 else "source_shape"
    with pytest.raises(AttributeValueError, match=f"SlicePlan: {attribute} must hold lengths of at least 0, got"):
        SlicePlan(axes, shape, source_shape, windows=windows)
