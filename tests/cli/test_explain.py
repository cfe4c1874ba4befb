"""`fastops explain`: plans in words, as JSON and as drawings, notes on what may surprise, and models."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import fastops as fo
from fastops._cli._slice_notes import count_outside
from fastops._cli._strided_slice_notes import Written, note_slice
from tests.cli._runs import ran, transcript

PLANS: dict[str, Any] = {
    "slice --shape 5 --start -1 --size 7 --mode fill --fill-value 3": fo.plan.slice((5,), [-1], [7], mode="fill"),
    "variadic_split --shape 5 --axis 0 --split-lengths 2,-1": fo.plan.variadic_split((5,), 0, [2, -1]),
    "range --start 0 --stop 9 --step 2 --output-type i32": fo.plan.range(0, 9, 2, "i32"),
    "tensorflow range --start 5": fo.plan.tensorflow.range(5),
    "openvino space_to_batch --shape 2,4 --block-shape 1,2 --pads-begin 0,1 --pads-end 0,1": (
        fo.plan.openvino.space_to_batch((2, 4), [1, 2], [0, 1], [0, 1])
    ),
}


def printed(command: str) -> str:
    """What explain prints of a call that is right, without the end of the last line."""
    result = ran(f"explain {command}")
    assert (result.code, result.err, result.out[-1:]) == (0, "", "\n"), result
    return result.out[:-1]


def test_json_and_drawings() -> None:
    for call, expected in PLANS.items():
        words, text = printed(call), printed(f"{call} --json")
        plans = expected if isinstance(expected, list) else [expected]
        documents = json.loads(text) if isinstance(expected, list) else [json.loads(text)]
        assert [type(plan).from_json(json.dumps(each)) for plan, each in zip(plans, documents, strict=True)] == plans
        # Before the operator or behind it, and where a file is written too.
        assert printed(f"{call} --svg 1.svg") == printed(f"--svg 2.svg {call}") == words
        assert printed(f"--json {call} --svg 3.svg") == text
        assert {Path(f"{i}.svg").read_text(encoding="utf-8") for i in (1, 2, 3)} == {expected.to_svg()}, call


def test_what_calls_mean_and_what_may_surprise_in_them() -> None:
    wrong = [
        (call, result)
        for call, text in transcript("explained.txt")
        if (result := ran(call)) != (0, f"{text.rstrip()}\n", "")
    ]
    assert wrong == []


def test_notes_are_there_exactly_where_numpy_differs_or_nothing_is_taken() -> None:
    for extent, begin, end, stride in product(range(5), range(-8, 9), range(-8, 9), (-3, -1, 1, 2)):
        ours = fo.plan.strided_slice([extent], [begin], [end], [stride]).shape[0]
        found = note_slice(extent, Written(begin, end, stride))
        differs = ours != len(range(extent)[begin:end:stride])
        assert any(note.startswith("NumPy") for note in found) == differs, (extent, begin, end, stride)
        assert any(note.startswith("nothing is taken") for note in found) == (ours == 0 < extent)


def test_coordinates_outside_are_counted() -> None:
    for extent, start, stride, count in product(range(4), range(-7, 8), range(-4, 5), range(6)):
        coordinates = [start + y * stride for y in range(count)]
        expected = (sum(x < 0 for x in coordinates), sum(x >= extent for x in coordinates))
        assert count_outside(start, stride, count, extent) == expected, (extent, start, stride, count)


def test_values_of_ranges_are_those_that_are_written() -> None:
    for name in ("i8", "u8", "i4", "u64", "i64", "f16", "bf16", "f32", "f64", "f8e4m3"):
        for start, stop, step in ((0, 9, 1), (-3.7, 300.2, 1.3), (7, -200, -3)):
            values = fo.range(start, stop, step, name)
            shown = f"  values: {' '.join(map(str, values[:5]))} ...; the last is {values[-1]!s}"
            call = f"range --start={start} --stop={stop} --step={step} --output-type {name}"
            assert shown in printed(call).splitlines(), call


MODEL = """<ir_version: 10, opset_import: ["" : 18]>
g (float[n, 8] x) => (y) <int64[1] starts = {2}, int64[1] ends = {6}, int64[1] axes = {1}> {
  cut = Slice(x, starts, ends, axes)
  a, b = Split<axis = 1, num_outputs = 2>(cut)
  y = Add(a, b)
}"""


def test_nodes_of_models() -> None:
    onnx = pytest.importorskip("onnx")
    onnx.save(onnx.parser.parse_model(MODEL), "m.onnx")
    onnx.save(
        onnx.parser.parse_model('<ir_version: 10, opset_import: ["" : 18]> g (float x) => (y) {y = Neg(x)}'), "none"
    )
    # Names are shown, and not obeyed.
    name = "naïve\x1b[2J\n\x07\u202e\u2028\xad 名"
    value = onnx.helper.make_tensor_value_info
    nodes = [onnx.helper.make_node("Transpose", ["x"], ["y"], name), onnx.helper.make_node("Transpose", [name], ["z"])]
    graph = onnx.helper.make_graph(nodes, "g", [value("x", 1, [2, 3])], [value("y", 1, None)])
    onnx.save(onnx.helper.make_model(graph), "odd.onnx")
    layer = '<layer id="1" name="naïve&#10;\u202e\u2028\xad 名" type="SpaceToDepth"/>'
    Path("odd.xml").write_text(layer, encoding="utf-8")
    results = [(call, text.rstrip(), ran(call)) for call, text in transcript("explained_models.txt")]
    assert [each for each in results if f"{each[2].out}{each[2].err}" != f"{each[1]}\n"] == []
