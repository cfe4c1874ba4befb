"""`fastops explain` of the dialects, and its pictures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops.__main__ import main
from fastops._cli._dialect_calls import DIALECTS, explain_call, read_literal

INDEX = (slice(1, None), ..., None, slice(None, None, -2))
CALLS = {
    "onnx pad --shape 3,4 --pads 1,2,0,-1 --mode reflect": fo.plan.onnx.pad((3, 4), [1, 2, 0, -1], mode="reflect"),
    "openvino slice --shape 5 --start -8 --stop -10 --step -1": fo.plan.openvino.slice((5,), [-8], [-10], [-1]),
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


def test_splits_and_ranges() -> None:
    lines = explain_call("onnx", ["split", "--shape", "7", "--num-outputs", "3"])
    assert [line for line in lines if not line.startswith("    ")] == [
        "onnx.split: 3 parts",
        "  part 0: (7,) -> (3,): reads in bounds, so it can be a view",
        "  part 1: (7,) -> (3,): reads in bounds, so it can be a view",
        "  part 2: (7,) -> (1,): reads in bounds, so it can be a view",
    ]
    assert explain_call("onnx", ["range", "--start", "1", "--limit", "10", "--delta", "3"]) == [
        "onnx.range: () -> (3,): reads nothing",
        "  values: start 1, step 3, count 3",
        "    output   0 1 2",
        "    value    1 4 7",
    ]


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
