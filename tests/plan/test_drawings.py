"""Pictures of plans: what they say of each output is what it reads."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import product
from xml.etree import ElementTree

from hypothesis import given, settings

import fastops as fo
from fastops.plan import AxisMap, SlicePlan
from fastops.plan._text import Kind, segments_of
from tests.helpers.chains import plans
from tests.helpers.seeds import scale

SVG = "{http://www.w3.org/2000/svg}"
MODES = list(fo.SampleMode)[1:]
AXES = [AxisMap.create(*each[:3], 9, each[3]) for each in product(range(1, 5), range(-9, 9), range(-4, 5), MODES)]


def drawn(plan: SlicePlan | fo.plan.RangePlan) -> ElementTree.Element:
    """The drawing of a plan, all of whose boxes lie in it."""
    root = ElementTree.fromstring(plan.to_svg())
    assert root.tag == f"{SVG}svg"
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("x", 0)) + float(rect.attrib["width"]) <= width
        assert float(rect.get("y", 0)) + float(rect.attrib["height"]) <= height
    return root


def titles_of(plan: SlicePlan) -> list[str]:
    return [title.text or "" for title in drawn(plan).iter(f"{SVG}title")]


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


def test_segments_are_the_outputs_in_order() -> None:
    for axis in AXES:
        segments = segments_of(axis, 99)
        assert [segment.kind for segment in segments for _ in range(segment.length)] == list(kinds(axis))
        assert [segment.first for segment in segments[1:]] == [s.first + s.length for s in segments[:-1]]
        assert segments_of(axis, 2) == segments[:2]


def table(text: str) -> dict[int, str]:
    """What each output reads, of the first axis that has a table."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("  output"))
    outputs, reads = (re.findall(r"[\w.-]+", line)[1:] for line in lines[at : at + 2])
    return {int(y): read for y, read in zip(outputs, reads, strict=True) if y != ".."}


def test_text_and_drawing_say_what_each_output_reads() -> None:
    folded = [axis for axis in AXES if axis != AxisMap.whole(axis.extent)]
    for axis in random.Random(0).sample(folded, scale(300, len(folded))):
        plan = SlicePlan([axis])
        shown = sum([segment.length for segment in segments_of(axis, 7)])
        outputs = ["fill" if x is None else str(x) for x in map(axis.source, range(9))]
        read = {int(x) for x in outputs if x != "fill"}
        coloured = re.findall(r'index (\d+)</title><rect [^>]* fill="#c', plan.to_svg())
        assert coloured == [str(x) for x in range(axis.extent) if x in read], axis
        text = plan.explain()
        assert table(text) == dict(enumerate(outputs[:shown]))
        assert (f"and {9 - shown} outputs more" in text) == (shown < 9)
        said = re.findall(r"^output (\d+) reads (\d*) \((\w+)\)$", "\n".join(titles_of(plan)), re.MULTILINE)
        words = enumerate(zip(outputs[:shown], kinds(axis), strict=False))
        assert said == [(str(y), read.replace("fill", ""), kind.value) for y, (read, kind) in words], axis


@settings(max_examples=scale(60, 1000), deadline=None)
@given(plans())
def test_every_plan_has_a_text_and_a_drawing(plan: SlicePlan) -> None:
    assert plan.explain().startswith(f"{plan.source_shape} -> {plan.shape}: ")
    drawn(plan)


def test_long_axes_are_short_in_text_and_in_drawings() -> None:
    for count, mode in product((100, 10**20, 10**5000), MODES):
        text = SlicePlan([AxisMap.create(5, -3, 1, count, mode)]).explain()
        assert max(map(len, text.splitlines())) < (160 if count == 100 else 700)
        assert len(text) < 5000
    for n, m in product((1, 2, 9, 24, 39, 480), repeat=2):
        shown = table(SlicePlan([AxisMap.create(n, -m, 1, n + m, fo.SampleMode.FILL)]).explain())
        assert {0, m - 1, m, n + m - 1} <= {*shown}
        assert list(shown.items()) == [(y, "fill" if y < m else str(y - m)) for y in sorted(shown)]
    many = SlicePlan([AxisMap.create(5, -1, 1, 7, fo.SampleMode.WRAP)] * 64)
    assert "axis 7:" in many.to_svg()
    assert "axis 8:" not in many.to_svg()
    assert "and 56 axes more" in many.to_svg()
    huge = AxisMap.create(10**5000, 3, 2, 10**20)
    far = AxisMap.create(4, -(10**6), 1, 9, fo.SampleMode.FILL)
    for plan in (
        many,
        *[SlicePlan([axis]) for axis in (huge, far)],
        fo.plan.slice((9**6,), [-8], [9**7], mode=1),
    ):
        drawing = plan.to_svg()
        assert len(drawing) < 200_000
        assert float(ElementTree.fromstring(drawing).attrib["width"]) < 20_000


def test_ranges_say_their_values_in_two_short_lines() -> None:
    for start, step, count in ((-(10**30), 0.1, 2**62), (1.5e300, -(2**90), 0)):
        lines = fo.plan.RangePlan(start, step, count).explain().splitlines()
        assert max(map(len, lines)) < 250
        assert lines == [f"() -> ({count},): reads nothing", f"values: start {start}, step {step}, count {count}"]
