"""Pictures of plans: what they say of each output is what it reads."""

from __future__ import annotations

import re
from itertools import product
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops._drawings._segments import Kind, segments_of, shown_outputs
from fastops._plans._words import moves_in_words
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.strategies import plans

SVG = "{http://www.w3.org/2000/svg}"
MODES = list(fo.SampleMode)[1:]


def ways(axis: AxisMap) -> list[Kind]:
    """The kind of each output, by the definition of the modes."""
    kinds = []
    for y in range(axis.count):
        x, d = axis.start + y * axis.stride, axis.extent
        if axis.is_strict or 0 <= x < d:
            kinds.append(Kind.INSIDE)
        elif axis.mode is fo.SampleMode.FILL:
            kinds.append(Kind.FILL)
        elif axis.mode is fo.SampleMode.CLAMP:
            kinds.append(Kind.EDGE)
        elif axis.mode is fo.SampleMode.WRAP:
            kinds.append(Kind.WRAPPED)
        else:
            period = 2 * d if axis.mode is fo.SampleMode.SYMMETRIC else 2 * d - 2
            kinds.append(Kind.WRAPPED if x % period < d else Kind.MIRRORED)
    return kinds


def test_segments_are_the_outputs_in_order() -> None:
    for extent, start, stride, mode in product(range(1, 5), range(-9, 9), range(-4, 5), MODES):
        axis = AxisMap.create(extent, start, stride, 9, mode)
        segments = segments_of(axis, 99)
        assert [segment.kind for segment in segments for _ in range(segment.length)] == ways(axis)
        assert [segment.first for segment in segments[1:]] == [s.first + s.length for s in segments[:-1]]
        assert segments_of(axis, 2) == segments[:2]


def test_shown_outputs_rise_and_have_the_ends() -> None:
    for most, n, m in product(range(4, 30), range(1, 40), range(1, 40)):
        segments = segments_of(AxisMap.create(n, -m, 1, n + m, fo.SampleMode.FILL), 9)
        shown = shown_outputs(segments, most)
        numbers = [y for y in shown if y is not None]
        assert numbers == sorted(set(numbers))
        assert {0, m - 1, m, n + m - 1} <= set(numbers)
        assert len(shown) <= most + 8
        for one, gap, other in zip(shown, shown[1:], shown[2:], strict=False):
            assert gap is not None or (one is not None and other is not None and other > one + 1)


@pytest.mark.parametrize(
    ("counts", "shape", "expected"),
    [
        ((2, 3), (2, 3), []),
        ((2, 1, 3), (2, 3), ["dropped: axis 1, of one output"]),
        ((2, 3), (1, 2, 3, 1), ["new: axis 0 of the result, of length 1", "new: axis 3 of the result, of length 1"]),
        ((1, 2), (2, 1), ["new: axis 1 of the result, of length 1", "dropped: axis 0, of one output"]),
        ((1, 1), (1,), ["dropped: axis 1, of one output"]),
        ((), (1, 1), ["new: axis 0 of the result, of length 1", "new: axis 1 of the result, of length 1"]),
        ((2, 3, 4), (6, 4), ["merged: axes 0, 1 are axis 0 of the result"]),
    ],
)
def test_what_becomes_of_axes(counts: tuple[int, ...], shape: tuple[int, ...], expected: list[str]) -> None:
    assert moves_in_words(SlicePlan.create([AxisMap.whole(n) for n in counts], shape)) == expected


def table(text: str) -> dict[int, str]:
    """What each output reads, of the first axis that has a table."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("  output"))
    outputs, reads = (re.findall(r"[\w.-]+", line)[1:] for line in lines[at : at + 2])
    return {int(y): read for y, read in zip(outputs, reads, strict=True) if y != ".."}


def test_the_text_says_what_each_output_reads() -> None:
    for extent, start, stride, mode in product(range(1, 5), range(-9, 9), range(-4, 5), MODES):
        axis = AxisMap.create(extent, start, stride, 9, mode)
        if axis == AxisMap.whole(extent):
            continue
        shown = sum([segment.length for segment in segments_of(axis, 7)])
        expected = {y: "fill" if axis.source(y) is None else str(axis.source(y)) for y in range(shown)}
        text = SlicePlan.create([axis]).explain()
        assert table(text) == expected
        assert (f"and {9 - shown} outputs more" in text) == (shown < 9)
        if "read by" in text:
            tables = [line.split() for line in text.splitlines() if line.startswith(("  source", "  read by"))]
            sources, readers = (row[-extent:] for row in tables)
            for index, outputs in zip(sources, readers, strict=True):
                ys = [] if outputs == "-" else [int(y) for y in outputs.split(",")]
                assert ys == [y for y in range(9) if axis.source(y) == int(index)]


def test_long_axes_are_short_in_text() -> None:
    for count in (100, 10**6, 10**20, 10**5000):
        for mode in MODES:
            text = SlicePlan.create([AxisMap.create(5, -3, 1, count, mode)]).explain()
            assert max(map(len, text.splitlines())) < (160 if count < 10**6 else 700)
            assert len(text) < 5000
    reads = table(fo.plan.numpy.pad((480,), 8, "wrap").explain())
    assert (reads[0], reads[7], reads[8], reads[495]) == ("472", "479", "0", "7")


def test_the_text_says_what_may_surprise() -> None:
    text = fo.plan.strided_slice(
        (2, 9, 4, 6), [0, 1, -1, 0], [0, 9, -9, 6], [1, 3, -1, 1], shrink_axis_mask=[1]
    ).explain()
    for line in (
        "axis 0: extent 2, start 0, stride 1, count 1, strict_bounds",
        "dropped: axis 0, of one output",
        "  note: one index of 2",
        "  note: one of every 3 indices is read, the others never",
        "  note: the whole axis, backwards",
    ):
        assert line in text.splitlines()
    assert "new: axis 0 of the result, of length 1" in fo.plan.numpy.take_slice((3,), None).explain()
    assert "repeated 4 times: a view of it is read-only" in fo.plan.onnx.expand((1,), [4]).explain()
    assert "nothing is read" in fo.plan.slice((3,), [9], [0]).explain()
    assert "no output reads at a coordinate that is inside" in fo.plan.slice((3,), [3], [3], mode="wrap").explain()
    assert "more than once" in fo.plan.numpy.pad((3,), 9, "reflect").explain()


@settings(max_examples=300, deadline=None)
@given(plans())
def test_every_plan_has_a_text_and_a_drawing(plan: SlicePlan) -> None:
    assert plan.explain().startswith(f"{plan.source_shape} -> {plan.shape}: ")
    root = ElementTree.fromstring(plan.to_svg())
    assert root.tag == f"{SVG}svg"
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for rect in root.iter(f"{SVG}rect"):
        x, y = float(rect.get("x", 0)), float(rect.get("y", 0))
        assert x + float(rect.attrib["width"]) <= width
        assert y + float(rect.attrib["height"]) <= height


def test_the_drawing_says_what_each_output_reads() -> None:
    for extent, start, stride, mode in product(range(1, 5), range(-6, 6), range(-3, 4), MODES):
        axis = AxisMap.create(extent, start, stride, 9, mode)
        if axis == AxisMap.whole(extent):
            continue
        root = ElementTree.fromstring(SlicePlan.create([axis]).to_svg())
        titles = [title.text or "" for title in root.iter(f"{SVG}title")]
        said = [re.fullmatch(r"output (\d+) reads (\d*) \((\w+)\)", title) for title in titles]
        found = [match.groups() for match in said if match]
        shown = sum([segment.length for segment in segments_of(axis, 7)])
        expected = ["" if axis.source(y) is None else str(axis.source(y)) for y in range(shown)]
        assert found == [(str(y), expected[y], ways(axis)[y].value) for y in range(shown)]


def test_a_grid_says_what_each_element_reads() -> None:
    plan = fo.plan.onnx.pad((2, 3), [1, 0, 0, 2])
    titles = [t.text or "" for t in ElementTree.fromstring(plan.to_svg()).iter(f"{SVG}title")]
    rows, columns = plan.axes
    for i, j in product(range(3), range(5)):
        row, column = rows.source(i), columns.source(j)
        way = "fill" if row is None or column is None else "inside"
        text = "" if row is None or column is None else f"{row},{column}"
        assert f"result {i}, {j} reads {text} ({way})" in titles


def test_the_grid_has_the_axes_that_change() -> None:
    pads = [(1, 1), (2, 0), (0, 0)]
    for shape, changed in (((4, 5, 3), "axes 0 and 1"), ((400, 500, 3), "axes 0 and 1"), ((3, 4, 5), "axes 1 and 2")):
        widths = pads if changed == "axes 0 and 1" else pads[2:] + pads[:2]
        assert f"{changed} of the source" in fo.plan.numpy.pad(shape, widths).to_svg()
    assert "axes 0 and 1 of the source" in fo.plan.numpy.flip((4, 5, 3), 1).to_svg()
    assert "axes 1 and 2 of the source" in fo.plan.numpy.flip((3, 4, 5), 1).to_svg()
    assert "of the source" not in fo.plan.numpy.flip((3, 4, 5), ()).to_svg()


def test_regions_of_long_axes_say_what_they_read() -> None:
    plan = fo.plan.numpy.pad((30, 20), ((2, 1), (0, 5)), "reflect")
    boxes = list(ElementTree.fromstring(plan.to_svg()).iter(f"{SVG}rect"))
    sizes = {
        t.text: (float(b.attrib["width"]), float(b.attrib["height"])) for b in boxes for t in b.iter(f"{SVG}title")
    }
    regions = {title for title in sizes if title.startswith("result")}
    assert regions == {
        f"result {rows}, {columns}: {'inside' if rows == '2 to 31' and columns == '0 to 19' else 'mirrored'}"
        for rows in ("0 to 1", "2 to 31", "32 to 32")
        for columns in ("0 to 19", "20 to 24")
    }
    assert "read: 0 to 29, 0 to 19" in sizes
    width, height = sizes["result 2 to 31, 0 to 19: inside"]
    assert round(height / width, 9) == 30 / 20
    crop = ElementTree.fromstring(fo.plan.slice((1000, 2000), [10, 600], [100, 50]).to_svg())
    assert "read: 10 to 109, 600 to 649" in [title.text for title in crop.iter(f"{SVG}title")]
    assert "more than 16 regions" in fo.plan.slice((3, 19), [0, -200], [3, 1000], mode="reflect").to_svg()


def test_drawings_of_huge_plans_are_small() -> None:
    for plan in (
        fo.plan.slice((10**6,), [-8], [10**7], mode="reflect"),
        SlicePlan.create([AxisMap.create(10**5000, 3, 2, 10**20)]),
        SlicePlan.create([AxisMap.create(10**5000, 3, 2, 10**20), AxisMap.create(2, -9, 1, 40, fo.SampleMode.CLAMP)]),
        SlicePlan.create([AxisMap.create(5, -1, 1, 7, fo.SampleMode.WRAP)] * 64),
        fo.plan.slice((0, 19), [0, -200], [3, 1000], mode="fill"),
    ):
        assert len(plan.to_svg()) < 200_000


@settings(max_examples=100, deadline=None)
@given(
    st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-(10**30), 10**30) | st.floats(-1e300, 1e300),
    st.integers(0, 2**62),
)
def test_ranges_show_their_values(start: float, step: float, count: int) -> None:
    plan = fo.plan.RangePlan(start, step, count)
    lines = plan.explain().splitlines()
    assert max(map(len, lines)) < 250
    if count:
        outputs, values = (line.split()[1:] for line in lines[2:])
        for output, value in zip(outputs, values, strict=True):
            assert value == (".." if output == ".." else str(start + int(output) * step))
    assert ElementTree.fromstring(plan.to_svg()).tag == f"{SVG}svg"


def test_a_drawing_of_a_range_has_a_cell_a_value() -> None:
    root = ElementTree.fromstring(fo.plan.RangePlan(1, 3, 4).to_svg())
    assert [cell.findtext(f"{SVG}text") for cell in root.findall(f"{SVG}g")] == ["1", "4", "7", "10"]
    assert [cell.findtext(f"{SVG}title") for cell in root.findall(f"{SVG}g")] == [
        "output 0: 1",
        "output 1: 4",
        "output 2: 7",
        "output 3: 10",
    ]
