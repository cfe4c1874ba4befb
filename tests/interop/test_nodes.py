"""ONNX nodes as calls, and onnx's reference evaluator with operators of fastops."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import listed
from tests.helpers.oracle import depth_to_space

onnx = pytest.importorskip("onnx")
helper = pytest.importorskip("onnx.helper")

X = np.arange(12).reshape(3, 4)
IMAGE = np.arange(24).reshape(1, 4, 2, 3)


def node(op_type: str, inputs: str = "x", outputs: str = "y", **attributes: Any) -> Any:
    return helper.make_node(op_type, inputs.split(), outputs.split(), **attributes)


# Nodes of older versions, or with inputs left out, their inputs, and the results. onnx's own tests cover other nodes.
CALLS: list[tuple[Any, tuple[Any, ...], Any]] = [
    (node("Slice", starts=[0, 1], ends=[2, 4], axes=[0, 1]), (X,), X[0:2, 1:4]),
    (node("Split", outputs="a b", axis=1), (X,), [X[:, :2], X[:, 2:]]),
    (node("Split", outputs="a b", axis=1, split=[3, 1]), (X,), [X[:, :3], X[:, 3:]]),
    (helper.make_node("Split", ["x", ""], ["a", "b"], axis=1), (X,), [X[:, :2], X[:, 2:]]),
    (node("Pad", "x pads value axes", mode="edge"), (X, [1, 0], None, [1]), np.pad(X, ((0, 0), (1, 0)), "edge")),
    (node("Pad", pads=[0, 1, 0, 0], mode="reflect"), (X,), np.pad(X, ((0, 0), (1, 0)), "reflect")),
    (node("Pad", paddings=[0, 1, 0, 0], mode="constant"), (X,), np.pad(X, ((0, 0), (1, 0)))),
    (node("CenterCropPad", "x shape", axes=[0]), (X, [1]), X[1:2]),
    (node("DepthToSpace", blocksize=2, mode="CRD"), (IMAGE,), depth_to_space(IMAGE, 2, depth_first=True)),
]


def test_every_node() -> None:
    for made, (data, *inputs), expected in CALLS:
        call = fo.onnx.from_node(made)
        plans, wanted = listed(call.plan(data.shape, *inputs)), listed(expected)
        for result, each in zip(listed(call(data, *inputs)), wanted, strict=True):
            np.testing.assert_array_equal(result, each, err_msg=str(made))
        assert [plan.shape for plan in plans] == [each.shape for each in wanted], made
        assert call.op_type == made.op_type
    call = fo.onnx.from_node(node("Range", "start limit delta"))
    assert call(1, 10, 3).tolist() == [1, 4, 7]
    assert call.plan(1, 10, 3).count == 3
    names = "CenterCropPad DepthToSpace Expand Pad Range Slice SpaceToDepth Split Tile Transpose"
    assert " ".join(sorted(op.__name__ for op in fo.onnx.reference_ops())) == names
    assert {op.op_domain for op in fo.onnx.reference_ops()} == {""}


@pytest.mark.parametrize(
    ("made", "error", "message"),
    [
        (node("Conv"), ValueError, "node must be of operator CenterCropPad, DepthToSpace, .*, got 'Conv'"),
        (helper.make_node("Slice", ["x"], ["y"], domain="mine"), ValueError, "got 'mine.Slice'"),
        (node("Slice", more=1), ValueError, r"node must have attributes that a Slice has, got \['more'\]"),
        (node("Tile", "x tiles axis"), ValueError, "node must be of Tile-6 or later"),
        ("Slice", TypeError, "node must be an onnx.NodeProto, got 'Slice'"),
        (None, TypeError, "node must be an onnx.NodeProto"),
    ],
)
def test_refusals(made: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as info:
        fo.onnx.from_node(made)
    assert str(info.value).startswith("onnx.from_node: ")


# How the names of onnx's own tests of operators begin; those of Pad begin with a mode.
OWN = (
    *("center_crop_pad", "depthtospace", "expand", "range", "slice", "spacetodepth", "split", "tile", "transpose"),
    *("constant_pad", "edge_pad", "reflect_pad", "wrap_pad"),
)


def as_array(value: Any) -> Any:
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


# While onnx makes tests of other operators, numbers overflow on purpose, and NumPy 2.5 warns of shapes that are set.
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
def test_onnx_s_own_tests_pass_by_operators_of_fastops() -> None:
    loader, reference = (pytest.importorskip(f"onnx.{name}") for name in ("backend.test.loader", "reference"))
    operators = {each.__name__ for each in fo.onnx.reference_ops()}
    chosen = []
    for test in loader.load_model_tests(kind="node"):
        used = {node.op_type for node in test.model.graph.node}
        is_own = bool(used & operators) and test.name.removeprefix("test_").startswith(OWN)
        # Bodies of functions pass scalars as tensors of one element, to Pad and Range.
        if is_own or used & {"Pad", "Range"}:
            chosen.append((test, is_own))
    assert sum(is_own for _, is_own in chosen) >= 40
    for test, is_own in chosen:
        session = reference.ReferenceEvaluator(test.model, new_ops=fo.onnx.reference_ops())
        for inputs, outputs in test.data_sets:
            named = dict(zip(session.input_names, map(as_array, inputs), strict=False))
            for result, expected in zip(session.run(None, named), map(as_array, outputs), strict=True):
                if is_own:
                    np.testing.assert_array_equal(result, expected, strict=True, err_msg=test.name)
                # Other nodes may compute results that differ in the last bits.
                np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-5, err_msg=test.name)


@pytest.mark.parametrize("function", ["from_node", "reference_ops"])
def test_without_onnx_the_error_names_the_extra(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "onnx"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=f"onnx.{function}: onnx is not installed: .* or the extra onnx"):
        getattr(fo.onnx, function)(*([None] if function == "from_node" else []))
