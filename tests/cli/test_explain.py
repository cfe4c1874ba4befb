"""`fastops explain`: plans in words, as JSON and as drawings, and models."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

import fastops as fo
from tests.cli.conftest import ran

PLANS: dict[str, Any] = {
    "slice --shape 5 --start -1 --size 7 --mode fill": fo.plan.slice((5,), [-1], [7], mode="fill"),
    "variadic_split --shape 5 --axis 0 --split-lengths 2,-1": fo.plan.variadic_split((5,), 0, [2, -1]),
    "range --start 0 --stop 9 --step 2 --output-type i32": fo.plan.range(0, 9, 2, "i32"),
    "tensorflow range --start 5": fo.plan.tensorflow.range(5),
    "numpy pad --shape 2,3 --pad-width ((1,1),(0,-0))": fo.plan.numpy.pad((2, 3), ((1, 1), (0, 0))),
    "numpy take_slice --shape 4,5,6 --index 1:,...,None,::-2": fo.plan.numpy.take_slice(
        (4, 5, 6), (slice(1, None), ..., None, slice(None, None, -2))
    ),
    "openvino space_to_batch --shape 2,4 --block-shape 1,2 --pads-begin 0,1 --pads-end 0,1": (
        fo.plan.openvino.space_to_batch((2, 4), [1, 2], [0, 1], [0, 1])
    ),
}


def printed(command: str) -> str:
    """The output of a right call of explain, without the end of the last line."""
    result = ran(f"explain {command}")
    assert (result.code, result.err, result.out[-1:]) == (0, "", "\n"), result
    return result.out[:-1]


def test_words_json_and_drawings() -> None:
    for call, expected in PLANS.items():
        op = call.partition(" --")[0].replace(" ", ".")
        svg = " --svg p.svg" if hasattr(expected, "to_svg") else ""
        assert printed(f"{call}{svg}") == f"{op}: {indent(expected.explain(), '  ').lstrip()}", call
        assert not svg or Path("p.svg").read_text(encoding="utf-8") == expected.to_svg()
        document = json.loads(printed(f"{call} --json"))
        is_list = isinstance(expected, list)
        plans, documents = (expected, document) if is_list else ([expected], [document])
        assert [type(plan).from_json(json.dumps(each)) for plan, each in zip(plans, documents, strict=True)] == plans


MODEL = """<ir_version: 10, opset_import: ["" : 18]>
g (float[n, 8] x) => (y) <int64[1] starts = {2}, int64[1] ends = {6}, int64[1] axes = {1}> {
  cut = Slice(x, starts, ends, axes)
  a, b = Split<axis = 1, num_outputs = 2>(cut)
  rows = Slice(x, starts, ends)
  y = Add(a, b)
}"""

OPEN = """cut (Slice): (n, 8) -> (n, 4)
    axis 0: n, as it is
    axis 1: extent 8, start 2, stride 1, count 4, strict_bounds
a (Split): part 0: (n, 4) -> (n, 2)
    axis 0: n, as it is
    axis 1: extent 4, start 0, stride 1, count 2, strict_bounds

  part 1: (n, 4) -> (n, 2)
    axis 0: n, as it is
    axis 1: extent 4, start 2, stride 1, count 2, strict_bounds
rows (Slice): no plan: data must have a known shape, got x of shape (n, 8)"""


def test_nodes_of_models() -> None:
    onnx = pytest.importorskip("onnx")
    onnx.save(onnx.parser.parse_model(MODEL), "m.onnx")
    nodes = cut, split, _ = fo.onnx.plans("m.onnx", {"x": (3, 8)})
    words = [f"{node.name} ({node.op_type}): {indent(node.plan.explain(), '  ').lstrip()}" for node in nodes]
    assert printed("--model m.onnx --input-shape x=3,8") == "\n".join(words)
    first, second, _ = json.loads(printed("--model m.onnx --input-shape x=3,8 --json"))
    assert first == {"name": "cut", "op_type": "Slice", "plan": json.loads(cut.plan.to_json())}
    assert second["plan"] == [json.loads(part.to_json()) for part in split.plan]
    assert printed("--model m.onnx") == OPEN
    first, second, last = json.loads(printed("--model m.onnx --json"))
    assert (first["plan"]["shape"], first["plan"]["axes"][0], len(second["plan"])) == (["n", 4], "n", 2)
    assert last["reason"] == OPEN.rpartition("no plan: ")[2]
    empty = '<ir_version: 10, opset_import: ["" : 18]> g (float x) => (y) {y = Neg(x)}'
    onnx.save(onnx.parser.parse_model(empty), "none.onnx")
    assert printed("--model none.onnx") == "the model has no slicing nodes"


def test_names_are_shown_and_not_obeyed() -> None:
    layer = '<layer id="1" name="naïve&#10;\u202e\u2028\xad 名" type="SpaceToDepth"/>'
    Path("odd.xml").write_text(layer, encoding="utf-8")
    assert printed("--model odd.xml").startswith(
        r"naïve\n\u202e\u2028\xad 名 (SpaceToDepth): no plan: openvino.from_ir"
    )
