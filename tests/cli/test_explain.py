"""`fastops explain` of the dialects, and its pictures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops.__main__ import main
from fastops._cli._dialect_calls import DIALECTS, read_literal

INDEX = (slice(1, None), ..., None, slice(None, None, -2))
CALLS = {
    "onnx pad --shape 3,4 --pads 1,2,0,-1 --mode reflect": fo.plan.onnx.pad((3, 4), [1, 2, 0, -1], mode="reflect"),
    "openvino slice --shape 5 --start 1 --stop 3 --step 1": fo.plan.openvino.slice((5,), [1], [3], [1]),
    "numpy pad --shape 2,2 --pad-width [[1,2],[0,3]]": fo.plan.numpy.pad((2, 2), ((1, 2), (0, 3))),
    "numpy take_slice --shape 4,5,6 --index 1:,...,None,::-2": fo.plan.numpy.take_slice((4, 5, 6), INDEX),
    "tensorflow strided_slice --shape 4 --begin 0 --end 9 --end-mask 1": fo.plan.strided_slice((4,), [0], [4]),
    "tensorrt slice --input-shape 3 --start -1 --shape 5 --stride 1 --mode WRAP": fo.plan.slice(
        (3,), [-1], [5], mode="wrap"
    ),
    "torch roll --shape 5 --shifts 2 --dims 0": fo.plan.torch.roll((5,), 2, 0),
    "onnx expand --input-shape 1,3 --shape [2,1]": fo.plan.onnx.expand((1, 3), [2, 1]),
}


@pytest.mark.parametrize(("arguments", "expected"), CALLS.items(), ids=list(CALLS))
def test_a_call_is_that_of_the_library(
    arguments: str, expected: fo.plan.SlicePlan, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *arguments.split()]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    # What `SlicePlan.explain` says, and nothing else.
    own_head, *own_lines = expected.explain().splitlines()
    assert head == f"{'.'.join(arguments.split()[:2])}: {own_head}"
    assert lines == [f"  {line}" for line in own_lines]


def lines_of(arguments: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["explain", *arguments.split()]) == 0
    return capsys.readouterr().out.splitlines()


def test_splits_and_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of("onnx split --shape 7 --num-outputs 3", capsys)
    assert [line for line in lines if not line.startswith("    ")] == [
        "onnx.split: 3 parts",
        "  part 0: (7,) -> (3,): reads in bounds, so it can be a view",
        "  part 1: (7,) -> (3,): reads in bounds, so it can be a view",
        "  part 2: (7,) -> (1,): reads in bounds, so it can be a view",
    ]
    assert lines_of("onnx range --start 1 --limit 10 --delta 3", capsys) == [
        "onnx.range: () -> (3,): reads nothing",
        "  values: start 1, step 3, count 3",
        "    output   0 1 2",
        "    value    1 4 7",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("openvino slice --shape 5 --start -8 --stop -10 --step -1", [
            "axis 0: start -8 lies before the axis: under a negative step it is moved to index 0",
            "axis 0: stop clamped from -10 to before index 0",
            "axis 0: NumPy takes nothing here: it moves start to before index 0 under a negative step",
        ]),
        ("openvino slice --shape 5,6 --start 0 --stop 9223372036854775807 --step 1 --axes -1", [
            "axis 1: stop clamped from 9223372036854775807 to 6",
            "axis 1: OpenVINO's CPU plugin cuts stop 9223372036854775807 to 32 bits",
        ]),
        ("onnx slice --shape 5,6 --starts 0,5 --ends 99,-1 --axes 1,0 --steps 2,-1", [
            "axis 1: end clamped from 99 to 6",
            "axis 0: start clamped from 5 to 4",
            "axis 0: end -1 counts from the end: 4; only one below -5 reaches index 0",
            "axis 0: nothing is taken: end is not after start in the direction of the step",
        ]),
        ("onnx slice --shape 5 --starts 3 --ends 9223372036854775807 --steps -1", [
            "axis 0: end clamped from 9223372036854775807 to 4",
            "axis 0: nothing is taken: end is not after start in the direction of the step",
            "axis 0: ONNX Runtime takes an end of 9223372036854775807 for one before index 0 under a negative step",
        ]),
        ("onnx slice --shape 0,3 --starts 3 --ends 5", ["axis 0: the axis is empty: start and end are ignored"]),
        ("onnx slice --shape 5 --starts 1 --ends 3", []),
    ],
)  # fmt: skip
def test_notes_on_bounds(arguments: str, expected: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of(arguments, capsys)
    assert [line for line in lines if line.startswith("  note: axis")] == [f"  note: {note}" for note in expected]


SHOWN = {
    "slice --shape 5 --start -1 --size 7 --mode fill --fill-value 3": fo.plan.slice((5,), [-1], [7], mode="fill"),
    "strided_slice --shape 5 --begin 1 --end 4": fo.plan.strided_slice((5,), [1], [4]),
    "variadic_split --shape 5 --axis 0 --split-lengths 2,-1": fo.plan.variadic_split((5,), 0, [2, -1]),
    "range --start 0 --stop 9 --step 2 --output-type i32": fo.plan.range(0, 9, 2, "i32"),
    "numpy pad --shape 2,2 --pad-width 1 --mode edge": fo.plan.numpy.pad((2, 2), 1, "edge"),
    "onnx split --shape 7 --num-outputs 3": fo.plan.onnx.split((7,), num_outputs=3),
    "openvino space_to_batch --shape 2,4 --block-shape 1,2 --pads-begin 0,1 --pads-end 0,1": (
        fo.plan.openvino.space_to_batch((2, 4), [1, 2], [0, 1], [0, 1])
    ),
    "tensorflow range --start 5": fo.plan.tensorflow.range(5),
}


@pytest.mark.parametrize(("arguments", "expected"), SHOWN.items(), ids=list(SHOWN))
def test_json_and_drawings(arguments: str, expected: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = lines_of(arguments, capsys)
    drawing = tmp_path / "plan.svg"
    assert lines_of(f"{arguments} --svg {drawing}", capsys) == words
    assert drawing.read_text(encoding="utf-8") == expected.to_svg()
    printed = "\n".join(lines_of(f"{arguments} --json", capsys))
    plans = expected if isinstance(expected, list) else [expected]
    documents = json.loads(printed) if isinstance(expected, list) else [json.loads(printed)]
    assert [type(plan).from_json(json.dumps(each)) for plan, each in zip(plans, documents, strict=True)] == plans
    # Also before the operator, and where a file is written too.
    assert lines_of(f"--json {arguments} --svg {drawing}", capsys) == [printed]
    drawing.unlink()
    assert lines_of(f"--svg {drawing} {arguments}", capsys) == words
    assert drawing.read_text(encoding="utf-8") == expected.to_svg()


def test_what_is_printed_as_json_can_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "in.npy", np.arange(5))
    (text,) = lines_of("slice --shape 5 --start -1 --size 7 --mode wrap --json", capsys)
    (tmp_path / "plan.json").write_text(text)
    files = [str(tmp_path / name) for name in ("in.npy", "plan.json", "out.npy")]
    assert main(["run", "plan", files[0], "--plan", files[1], "-o", files[2]]) == 0
    assert np.load(files[2]).tolist() == [4, 0, 1, 2, 3, 4, 0]


@pytest.mark.parametrize("path", ["missing/plan.svg", "", "."])
def test_drawings_that_cannot_be_written(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for call in (["slice", "--shape", "5", "--start", "1", "--size", "2"], ["numpy", "flip", "--shape", "5"]):
        assert main(["explain", *call, "--svg", path]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert re.search(r"svg must be a file that can be written \(.*\), got ", captured.err)


def test_calls_that_are_wrong_write_no_drawing(tmp_path: Path) -> None:
    drawing = tmp_path / "plan.svg"
    assert main(["explain", "slice", "--shape", "5", "--start", "4", "--size", "2", "--svg", str(drawing)]) == 2
    assert not drawing.exists()


MODEL = """<ir_version: 10, opset_import: ["" : 18]>
g (float[n, 8] x) => (y) <int64[1] starts = {2}, int64[1] ends = {6}, int64[1] axes = {1}> {
  cut = Slice(x, starts, ends, axes)
  a, b = Split<axis = 1, num_outputs = 2>(cut)
  y = Add(a, b)
}"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    onnx = pytest.importorskip("onnx")
    path = tmp_path / "model.onnx"
    onnx.save(onnx.parser.parse_model(MODEL), path)
    return str(path)


def test_nodes_of_a_model(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lines_of(f"--model {model}", capsys) == [
        "cut (Slice): no plan: data must have a known shape, got x of shape (None, 8)",
        "a (Split): no plan: input must have a known shape, got cut of shape (None, 4)",
    ]
    lines = lines_of(f"--model {model} --input-shape x=3,8", capsys)
    assert [line for line in lines if not line.startswith("  ")] == [
        "cut (Slice): (3, 8) -> (3, 4): reads in bounds, so it can be a view",
        "a (Split): 2 parts",
    ]
    (text,) = lines_of(f"--model {model} --input-shape x=3,8 --json", capsys)
    cut, halves = json.loads(text)
    assert (cut["name"], cut["op_type"], len(halves["plan"])) == ("cut", "Slice", 2)
    assert fo.plan.SlicePlan.from_json(json.dumps(cut["plan"])) == fo.plan.slice((3, 8), [0, 2], [3, 4])
    (text,) = lines_of(f"--json --model {model}", capsys)
    assert [each.get("plan") for each in json.loads(text)] == [None, None]
    assert "must have a known shape" in json.loads(text)[0]["reason"]


def test_names_of_a_model_are_shown_and_not_obeyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    helper = pytest.importorskip("onnx").helper
    name = "naïve\x1b[2J\n\x07\u202e\u2028\xad 名"
    data = helper.make_tensor_value_info("x", 1, [2, 3])
    nodes = [helper.make_node("Transpose", ["x"], ["y"], name), helper.make_node("Transpose", [name], ["z"])]
    graph = helper.make_graph(nodes, "g", [data], [helper.make_tensor_value_info("y", 1, None)])
    (tmp_path / "m.onnx").write_bytes(helper.make_model(graph).SerializeToString())
    layer = '<layer id="1" name="naïve&#10;\u202e\u2028\xad 名" type="SpaceToDepth"/>'
    (tmp_path / "m.xml").write_text(layer, encoding="utf-8")
    escaped = r"naïve\x1b[2J\n\x07\u202e\u2028\xad 名"
    first, *_, last = lines_of(f"--model {tmp_path / 'm.onnx'}", capsys)
    assert first == f"{escaped} (Transpose): (2, 3) -> (3, 2): reads in bounds, so it can be a view"
    assert last == f"z (Transpose): no plan: data must have a known shape, got {escaped} of an unknown shape"
    (line,) = lines_of(f"--model {tmp_path / 'm.xml'}", capsys)
    assert line.startswith(r"naïve\n\u202e\u2028\xad 名 (SpaceToDepth): no plan: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "explain: OP must be one of strided_slice, variadic_split, slice, range, numpy, "),
        ("--model", "explain: --model must have a value, got None"),
        ("--model missing.onnx", "fastops: files must be accessible, got [Errno 2]"),
        ("--input-shape x=1 numpy flip --shape 3", "explain: input_shape must be given without an operator, not with"),
        ("--input-shape x=1", "explain: input_shape must be given with a model, got ['x=1']"),
        ("--model MODEL --svg plan.svg", "explain: svg must be given with an operator: a model has many plans, got "),
        ("--model MODEL slice", "explain: model must be given without an operator, not with slice, got "),
        ("--model MODEL numpy flip", "explain: model must be given without an operator, not with numpy, got "),
        ("--model MODEL --input-shape 3,8", "explain: input_shape must be a name and a shape, as x=1,3,224,224, got"),
        ("--model MODEL --input-shape x=a", "explain: input_shape must be a list of integers"),
        ("--model MODEL --input-shape z=3,8", "onnx.plans: shapes must name inputs of the model: x, got 'z'"),
        ("--model MODEL --input-shape x=3,9", "onnx.plans: shapes must fit what the model says of x, (None, 8), got"),
    ],
)
def test_errors_about_models(arguments: str, message: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *arguments.replace("MODEL", model).split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1


def test_a_model_without_such_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    onnx = pytest.importorskip("onnx")
    onnx.save(
        onnx.parser.parse_model('<ir_version: 10, opset_import: ["" : 18]> g (float x) => (y) {y = Neg(x)}'),
        tmp_path / "m",
    )
    assert lines_of(f"--model {tmp_path / 'm'}", capsys) == ["the model has no slicing nodes"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "onnx",
            "onnx: OP must be one of center_crop_pad, depth_to_space, expand, pad, range, slice, space_to_depth, ",
        ),
        ("onnx odd", "onnx: OP must be one of"),
        ("onnx pad --shape 3", "onnx.pad: pads must be given as --pads, got None"),
        ("onnx pad --pads 1,1", "onnx.pad: shape must be given as --shape, got None"),
        ("onnx pad --shape 3 --pads 1,x", "onnx.pad: pads must be a list of integers, got '1,x'"),
        (f"numpy rot90 --shape 3,3 --k {'1' * 5000}", "numpy.rot90: k must have integers of at most 60 digits, got"),
        (
            f"variadic_split --shape 3 --split-lengths 3 --axis {'1' * 5000}",
            "variadic_split: axis must be an integer of at",
        ),
        ("onnx pad --shape 3 --pads 1,1 --mode odd", "onnx.pad: mode must be one of constant"),
        ("onnx pad --shape 3 --pads 1,1 --more 3", "onnx.pad: arguments must be ones that --help lists"),
        ("numpy take_slice --shape 3 --index 1:2:3:4", "numpy.take_slice: index must be integers, slices"),
        ("numpy take_slice --shape 3 --index a", "numpy.take_slice: index must be integers, slices"),
    ],
)
def test_errors_are_one_line(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "onnx", "pad", "--help"]) == 0
    printed = capsys.readouterr().out
    assert "usage: fastops explain onnx pad " in printed
    assert "--pads VALUE" in printed
    assert main(["explain", "onnx", "--help"]) == 0


words = st.sampled_from(["--shape", "3,4", "--pads", "1", "--axis", "-1", "--index", ":", "[[", "9" * 5000, "--", "\0"])


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(DIALECTS), st.data())
def test_any_arguments_give_lines_or_an_error(dialect: str, data: st.DataObject) -> None:
    names = dir(getattr(fo.plan, dialect))
    arguments = [data.draw(st.sampled_from(names)), *data.draw(st.lists(words, max_size=6))]
    assert main(["explain", dialect, *arguments]) in (0, 2)


def test_long_texts_are_words() -> None:
    assert read_literal("op", "mode", "[" * 9000) == "[" * 9000
    with pytest.raises(fo.AttributeValueError, match="op: mode must have at most 10000 characters"):
        read_literal("op", "mode", "[" * 10_001)


def test_axes_as_lists_have_notes_too(capsys: pytest.CaptureFixture[str]) -> None:
    for axis in ("0", "[0]"):
        lines = lines_of(f"openvino variadic_split --shape 5 --axis {axis} --split-lengths 2,-1", capsys)
        assert lines[0] == "variadic_split: (5,) -> 2 parts along axis 0"
