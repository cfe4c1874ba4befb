"""Plans as JSON: written, read back, and everything else refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops.plan import AxisMap, RangePlan, SlicePlan
from tests.helpers.strategies import plans

PLAN = fo.plan.onnx.pad((3,), [1, 1], mode="edge")
RANGE = RangePlan(0, 0.5, 3)


@settings(max_examples=300, deadline=None)
@given(plans())
def test_what_is_written_is_read_back(plan: SlicePlan) -> None:
    text = plan.to_json()
    assert "\n" not in text
    for form in (text, text.encode()):
        again = SlicePlan.from_json(form)
        assert again == plan
        assert again.to_json() == text


numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


@given(numbers, numbers, st.integers(0, 10**30))
def test_range_plans_too(start: float, step: float, count: int) -> None:
    plan = RangePlan(start, step, count)
    again = RangePlan.from_json(plan.to_json())
    assert again == plan
    assert [(type(n), str(n)) for n in (again.start, again.step)] == [(type(n), str(n)) for n in (start, step)]


def test_the_format() -> None:
    assert json.loads(PLAN.to_json()) == {
        "format": "fastops.SlicePlan",
        "version": 2,
        "source_shape": [3],
        "shape": [5],
        "axes": [{"extent": 3, "start": -1, "stride": 1, "count": 5, "mode": "clamp"}],
        "order": [0],
        "fills": 0,
    }
    assert json.loads(RANGE.to_json()) == {
        "format": "fastops.RangePlan",
        "version": 1,
        "start": 0,
        "step": 0.5,
        "count": 3,
    }


def changed(plan: Any, **fields: Any) -> str:
    return json.dumps({**json.loads(plan.to_json()), **fields})


def axis(**fields: Any) -> str:
    (only,) = json.loads(PLAN.to_json())["axes"]
    return changed(PLAN, axes=[{**only, **fields}])


def without(plan: Any, name: str) -> str:
    document = json.loads(plan.to_json())
    del document[name]
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "text must be a JSON document of fastops.SlicePlan, version 1 or 2"),
        ("{", "text must be a JSON document"),
        ("[]", "text must be a JSON document"),
        ("{}", "text must have the field format"),
        ("[" * 100_000, "text must be a JSON document"),
        (" " * (1 << 21), "text must have at most 1048576 characters"),
        (b"\xff\xfe\x00", "text must be a JSON document"),
        (PLAN.to_json().replace("3", "NaN", 1), "text must be a JSON document"),
        (PLAN.to_json().replace('"extent": 3', '"extent": 3, "extent": 3'), "text must be a JSON document"),
        (PLAN.to_json().replace('"extent": 3', '"extent": ' + "3" * 5000), "text must be a JSON document"),
        (changed(PLAN, version=1), "text must have the fields format, version, source_shape, shape, axes, and no"),
        (changed(PLAN, version=3), "version must be 1 or 2, got 3"),
        (changed(PLAN, version=True), "version must be 1 or 2, got True"),
        (changed(PLAN, version=1.0), "version must be 1 or 2, got 1.0"),
        (changed(PLAN, format="fastops.RangePlan"), "format must be fastops.SlicePlan, got 'fastops.RangePlan'"),
        (changed(PLAN, more=1), "text must have the fields"),
        (without(PLAN, "source_shape"), "text must have the fields"),
        (changed(PLAN, axes={}), "axes must be a list"),
        (changed(PLAN, axes=[3]), "axes must have the fields extent, start, stride, count, mode, and no others"),
        (changed(PLAN, shape=[4]), "shape must be the counts"),
        (changed(PLAN, shape=[5.0]), "shape must be an integer, got 5.0"),
        (changed(PLAN, shape=5), "shape must be a list of integers, got 5"),
        (changed(PLAN, source_shape=[4]), "source_shape must be the extents"),
        (axis(mode="edge"), "mode must be one of strict_bounds, wrap, clamp, fill, reflect, symmetric, got 'edge'"),
        (axis(mode=2), "mode must be one of"),
        (axis(start="0"), "start must be an integer, got '0'"),
        (axis(count=True), "count must be an integer, got True"),
        (axis(start=0, count=3, mode="wrap"), "fields must be canonical"),
        (axis(extent=-3), "extent must be at least 0"),
        (axis(start=-1, mode="strict_bounds"), "start must be in 0..2"),
    ],
)
def test_anything_else_is_refused(text: Any, message: str) -> None:
    with pytest.raises(fo.FastopsError, match=message):
        SlicePlan.from_json(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAN.to_json(), "format must be fastops.RangePlan"),
        (changed(RANGE, more=1), "text must have the fields format, version, start, step, count"),
        (changed(RANGE, start="0"), "start must be an integer or a finite float, got '0'"),
        (changed(RANGE, count=-1), "count must be an integer of at least 0"),
        (RANGE.to_json().replace("0.5", "Infinity"), "text must be a JSON document of fastops.RangePlan"),
        (RANGE.to_json().replace("0.5", "1e999"), "step must be an integer or a finite float"),
    ],
)
def test_anything_else_is_no_range_plan(text: Any, message: str) -> None:
    with pytest.raises(fo.FastopsError, match=message):
        RangePlan.from_json(text)


@pytest.mark.parametrize("text", [None, 3, {}, bytearray(b"{}"), object()])
def test_other_types_are_no_text(text: Any) -> None:
    for cls in (SlicePlan, RangePlan):
        with pytest.raises(fo.DTypeError, match="text must be a JSON document"):
            cls.from_json(text)


def test_integers_that_python_does_not_print_are_an_error() -> None:
    for plan in (SlicePlan.create([AxisMap.whole(10**5000)]), RangePlan(10**5000, 1, 1)):
        with pytest.raises(fo.AttributeValueError, match="have integers of at most 4300 digits"):
            plan.to_json()
