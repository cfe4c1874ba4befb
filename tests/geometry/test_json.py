"""Plans as JSON: written and read back; other documents are refused."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastops as fo
from fastops.plan import AxisMap, RangePlan, SlicePlan
from tests.helpers.chains import draw_chain
from tests.helpers.seeds import scale

PLAN = fo.plan.onnx.pad((3,), [1, 1], mode="edge")
RANGE = RangePlan(0, 0.5, 3)


def test_chains_survive_json_and_pickling() -> None:
    chosen = random.Random(5)
    windows = 0
    for _ in range(scale(400, 20_000)):
        _, plan = draw_chain(chosen, 1, 4)
        if plan is None:
            continue
        windows += plan.windows is not None
        text = plan.to_json()
        assert "\n" not in text
        copies = (SlicePlan.from_json(text), SlicePlan.from_json(text.encode()), pickle.loads(pickle.dumps(plan)))
        for again in copies:
            assert again == plan
            assert (repr(again), again.to_json(), hash(again)) == (repr(plan), text, hash(plan))
    assert windows


@given(*[st.integers() | st.floats(allow_nan=False, allow_infinity=False)] * 2, st.integers(0, 10**30))
def test_range_plans_too(start: float, step: float, count: int) -> None:
    plan = RangePlan(start, step, count)
    again = RangePlan.from_json(plan.to_json())
    assert again == plan
    assert [(type(n), str(n)) for n in (again.start, again.step)] == [(type(n), str(n)) for n in (start, step)]


def test_the_format() -> None:
    axis = {"extent": 3, "start": -1, "stride": 1, "count": 5, "mode": "clamp"}
    document = {"format": "fastops.SlicePlan", "version": 1, "source_shape": [3], "shape": [5], "axes": [axis]}
    assert json.loads(PLAN.to_json()) == {**document, "version": 2, "order": [0], "fills": 0}
    assert SlicePlan.from_json(json.dumps(document)) == PLAN
    written = {"format": "fastops.RangePlan", "version": 1, "start": 0, "step": 0.5, "count": 3}
    assert json.loads(RANGE.to_json()) == written


def changed(plan: Any, **fields: Any) -> str:
    return json.dumps({**json.loads(plan.to_json()), **fields})


def axis(**fields: Any) -> str:
    (only,) = json.loads(PLAN.to_json())["axes"]
    return changed(PLAN, axes=[{**only, **fields}])


def test_anything_else_is_refused() -> None:
    text, no_document, fields = (
        PLAN.to_json(),
        "text must be a JSON document",
        "text must have the fields format, version",
    )
    missing = {name: value for name, value in json.loads(text).items() if name != "source_shape"}
    slices: list[tuple[Any, str]] = [
        ("", f"{no_document} of fastops.SlicePlan, version 1 or 2"),
        *[(wrong, no_document) for wrong in ("{", "[]", "[" * 100_000, b"\xff\xfe\x00")],
        (text.replace('"extent": 3', f'"extent": {"3" * 5000}'), no_document),
        (text.replace('"extent": 3', '"extent": NaN'), "fields must be integers and a SampleMode"),
        ("{}", "format must be fastops.SlicePlan, got None"),
        (" " * (1 << 21), "text must have at most 1048576 characters"),
        (changed(PLAN, version=1), f"{fields}, source_shape, shape, axes, no others"),
        *[(changed(PLAN, version=n), f"version must be 1 or 2, got {n}") for n in (3, True, 1.0)],
        (RANGE.to_json(), "format must be fastops.SlicePlan, got 'fastops.RangePlan'"),
        *[(wrong, fields) for wrong in (changed(PLAN, more=1), json.dumps(missing), changed(PLAN, order=None))],
        (changed(PLAN, axes={}), "axes must be a list"),
        (changed(PLAN, axes=[3]), "axes must have the fields extent, start, stride, count, mode, no others"),
        (changed(PLAN, shape=[4]), "shape must be the counts"),
        (changed(PLAN, shape=[5.0]), "shape must hold integers only, got [5.0]"),
        (changed(PLAN, shape=5), "shape must be a list of integers, got 5"),
        (changed(PLAN, source_shape=[4]), "source_shape must be the extents"),
        (axis(mode="edge"), "mode must be one of strict_bounds, wrap, clamp, fill, reflect, symmetric, got 'edge'"),
        (axis(start="0"), "fields must be integers and a SampleMode"),
        (axis(start=0, count=3, mode="wrap"), "fields must be canonical"),
        (axis(extent=-3), "extent must be at least 0"),
        (axis(start=-1, mode="strict_bounds"), "start must be in 0..2"),
        *[(wrong, no_document) for wrong in (None, {}, bytearray(b"{}"))],
    ]
    ranges: list[tuple[Any, str]] = [
        (text, "format must be fastops.RangePlan"),
        (changed(RANGE, more=1), f"{fields}, start, step, count"),
        (changed(RANGE, start="0"), "start must be an integer or a finite float, got '0'"),
        (changed(RANGE, count=-1), "count must be an integer of at least 0"),
        (RANGE.to_json().replace("0.5", "Infinity"), "step must be an integer or a finite float"),
        (RANGE.to_json().replace("0.5", "1e999"), "step must be an integer or a finite float"),
        (None, no_document),
    ]
    for cls, cases in ((SlicePlan, slices), (RangePlan, ranges)):
        for wrong, message in cases:
            with pytest.raises(fo.FastopsError) as info:
                cls.from_json(wrong)
            assert isinstance(wrong, str | bytes) or type(info.value) is fo.DTypeError
            assert message in str(info.value), (str(wrong)[:200], message)


def test_integers_that_python_does_not_print_are_an_error() -> None:
    for plan in (SlicePlan([AxisMap.whole(10**5000)]), RangePlan(10**5000, 1, 1)):
        with pytest.raises(fo.AttributeValueError, match="have integers of at most 4300 digits"):
            plan.to_json()
