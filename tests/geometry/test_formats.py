"""Plans as JSON, as text and as pictures: JSON is read back, and text and pictures say what each output reads."""

from __future__ import annotations

import json
import pickle
import random
import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

import fastops as fo
from fastops._errors import counted
from fastops._geometry._map_composition import Kind, segments_of
from fastops.plan import AxisMap, RangePlan, SlicePlan
from tests.helpers.chains import draw_chain
from tests.helpers.seeds import scale

PLAN = fo.plan.onnx.pad((3,), [1, 1], mode="edge")
RANGE = RangePlan(0, 0.5, 3)


def test_chains_survive_json_and_pickling_and_have_a_text_and_a_drawing() -> None:
    chosen = random.Random(5)
    windows = 0
    for _ in range(scale(400, 20_000)):
        _, plan = draw_chain(chosen, 1, 4)
        if plan is None:
            continue
        windows += plan.windows is not None
        drawn(plan)
        assert plan.explain().startswith(f"{plan.source_shape} -> {plan.shape}: ")
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
    document = {"format": "fastops.SlicePlan", "version": 2, "source_shape": [3], "shape": [5], "axes": [axis]}
    assert json.loads(PLAN.to_json()) == {**document, "order": [0], "fills": 0}
    written = {"format": "fastops.RangePlan", "version": 1, "start": 0, "step": 0.5, "count": 3}
    assert json.loads(RANGE.to_json()) == written


def changed(plan: Any, **fields: Any) -> str:
    return json.dumps({**json.loads(plan.to_json()), **fields})


def axis(**fields: Any) -> str:
    (only,) = json.loads(PLAN.to_json())["axes"]
    return changed(PLAN, axes=[{**only, **fields}])


def test_anything_else_is_refused() -> None:
    text, no_document = PLAN.to_json(), "text must be a JSON document"
    fields = "text must have the fields format, version"
    missing = {name: value for name, value in json.loads(text).items() if name != "source_shape"}
    slices: list[tuple[Any, str]] = [
        ("", f"{no_document} of fastops.SlicePlan, version 2"),
        *[(wrong, no_document) for wrong in ("{", "[]", "[" * 100_000, b"\xff\xfe\x00")],
        (text.replace('"extent": 3', f'"extent": {"3" * 5000}'), no_document),
        (text.replace('"extent": 3', '"extent": NaN'), "extent must be an integer, got nan"),
        ("{}", "format must be fastops.SlicePlan, got None"),
        (" " * (1 << 21), "text must have at most 1048576 characters"),
        *[(changed(PLAN, version=n), f"version must be 2, got {n}") for n in (1, 3, True, 2.0)],
        (RANGE.to_json(), "format must be fastops.SlicePlan, got 'fastops.RangePlan'"),
        *[(wrong, fields) for wrong in (changed(PLAN, more=1), json.dumps(missing), changed(PLAN, order=None))],
        (changed(PLAN, axes={}), "axes must be a list"),
        (changed(PLAN, axes=[3]), "axes must have the fields extent, start, stride, count, mode, no others"),
        (changed(PLAN, shape=[4]), "shape must be the counts"),
        (changed(PLAN, shape=[5.0]), "shape must hold integers only, got [5.0]"),
        (changed(PLAN, shape=5), "shape must be a list of integers, got 5"),
        (changed(PLAN, source_shape=[4]), "source_shape must be the extents"),
        (axis(mode="edge"), "mode must be one of strict_bounds, wrap, clamp, fill, reflect, symmetric, got 'edge'"),
        (axis(start="0"), "start must be an integer, got '0'"),
        (axis(extent=-3), "extent must be at least 0"),
        (axis(start=-1, mode="strict_bounds"), "start must be in 0..2"),
        *[(wrong, no_document) for wrong in (None, {}, bytearray(b"{}"))],
    ]
    ranges: list[tuple[Any, str]] = [
        (text, "format must be fastops.RangePlan"),
        (changed(RANGE, more=1), f"{fields}, start, step, count"),
        *[(changed(RANGE, version=n), f"version must be 1, got {n}") for n in (2, True, 1.0)],
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


SVG = "{http://www.w3.org/2000/svg}"
MODES = list(fo.SampleMode)[1:]
AXES = [AxisMap.create(*each[:3], 9, each[3]) for each in product(range(1, 5), range(-9, 9), range(-4, 5), MODES)]


def drawn(plan: SlicePlan | fo.plan.RangePlan) -> ElementTree.Element:
    """Return the drawing of a plan; all boxes must lie inside the drawing."""
    root = ElementTree.fromstring(plan.to_svg())
    assert root.tag == f"{SVG}svg"
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("x", 0)) + float(rect.attrib["width"]) <= width
        assert float(rect.get("y", 0)) + float(rect.attrib["height"]) <= height
    return root


def kinds(axis: AxisMap) -> Iterator[Kind]:
    """The kind of each output, by the definition of the modes."""
    for y in range(axis.count):
        x, d = axis.start + y * axis.stride, axis.extent
        if axis.is_strict or 0 <= x < d:
            yield Kind.INSIDE
        elif axis.mode in (fo.SampleMode.FILL, fo.SampleMode.CLAMP):
            yield Kind.FILL if axis.mode is fo.SampleMode.FILL else Kind.EDGE
        elif axis.mode is fo.SampleMode.WRAP:
            yield Kind.WRAPPED
        else:
            period = 2 * d if axis.mode is fo.SampleMode.SYMMETRIC else 2 * d - 2
            yield Kind.WRAPPED if x % period < d else Kind.MIRRORED


def table(text: str) -> dict[int, str]:
    """Return the index, or "fill", that each output reads, from the first table in a text."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("  output"))
    outputs, reads = (re.findall(r"[\w.-]+", line)[1:] for line in lines[at : at + 2])
    return {int(y): read for y, read in zip(outputs, reads, strict=True) if y != ".."}


def test_text_and_drawing_say_what_each_output_reads() -> None:
    folded = [axis for axis in AXES if axis != AxisMap.whole(axis.extent)]
    for axis in random.Random(0).sample(folded, scale(300, len(folded))):
        plan = SlicePlan([axis])
        shown = sum([run.count for _, run in islice(segments_of(axis), 7)])
        outputs = ["fill" if x is None else str(x) for x in map(axis.source, range(9))]
        read = {int(x) for x in outputs if x != "fill"}
        coloured = re.findall(r'index (\d+)</title><rect [^>]* fill="#c', plan.to_svg())
        assert coloured == [str(x) for x in range(axis.extent) if x in read], axis
        text = plan.explain()
        assert table(text) == dict(enumerate(outputs[:shown]))
        assert (f"and {counted(9 - shown, 'output')} more" in text) == (shown < 9)
        titles = "\n".join([title.text or "" for title in drawn(plan).iter(f"{SVG}title")])
        said = re.findall(r"^output (\d+) reads (\d*) \((\w+)\)$", titles, re.MULTILINE)
        words = enumerate(zip(outputs[:shown], kinds(axis), strict=False))
        assert said == [(str(y), read.replace("fill", ""), kind.value) for y, (read, kind) in words], axis


def test_long_axes_are_short_in_text_and_in_drawings() -> None:
    many = SlicePlan([AxisMap.create(5, -1, 1, 7, fo.SampleMode.WRAP)] * 64)
    long = [SlicePlan([AxisMap.create(5, -3, 1, n, mode)]) for n in (100, 10**20, 10**5000) for mode in MODES]
    for plan in (many, SlicePlan([AxisMap.create(10**5000, 3, 2, 10**20)]), *long):
        drawing, lines = plan.to_svg(), plan.explain().splitlines()
        assert len(drawing) < 200_000
        assert float(ElementTree.fromstring(drawing).attrib["width"]) < 20_000
        assert max(map(len, lines)) < (160 if plan.shape == (100,) else 700)
        assert sum(map(len, lines)) < 20_000
    for n, m in product((1, 2, 9, 24, 39, 480), repeat=2):
        shown = table(SlicePlan([AxisMap.create(n, -m, 1, n + m, fo.SampleMode.FILL)]).explain())
        assert {0, m - 1, m, n + m - 1} <= {*shown}
        assert list(shown.items()) == [(y, "fill" if y < m else str(y - m)) for y in sorted(shown)]
    assert ["axis 7:" in many.to_svg(), "axis 8:" in many.to_svg()] == [True, False]
    assert "and 56 axes more" in many.to_svg()


def test_ranges_say_their_values_in_two_short_lines() -> None:
    for start, step, count in ((-(10**30), 0.1, 2**62), (1.5e300, -(2**90), 0)):
        lines = fo.plan.RangePlan(start, step, count).explain().splitlines()
        assert max(map(len, lines)) < 250
        assert lines == [f"() -> ({count},): reads nothing", f"  values: start {start}, step {step}, count {count}"]
