"""ONNX nodes as calls, and the reference evaluator on fastops."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.layout_oracle import depth_to_space, space_to_depth

onnx = pytest.importorskip("onnx")
helper = pytest.importorskip("onnx.helper")

X = np.arange(12).reshape(3, 4)


LAYOUTS = ("DepthToSpace", "SpaceToDepth", "Transpose")


def node(op_type: str, inputs: str = "x", outputs: str = "y", **attributes: Any) -> Any:
    return helper.make_node(op_type, inputs.split(), outputs.split(), **attributes)


# Nodes of today and of older versions: the inputs behind data, and what comes of X.
CALLS: list[tuple[Any, tuple[Any, ...], Any]] = [
    (node("Slice", "x starts ends axes steps"), ([-1], [0], [1], [-2]), X[:, :0:-2]),
    (node("Slice", "x starts ends"), ([1], [3]), X[1:]),
    (node("Slice", starts=[0, 1], ends=[2, 4], axes=[0, 1]), (), X[0:2, 1:4]),
    (node("Split", outputs="a b", axis=1), (), [X[:, :2], X[:, 2:]]),
    (node("Split", "x split", "a b", axis=-1), ([1, 3],), [X[:, :1], X[:, 1:]]),
    (node("Split", outputs="a b", axis=1, split=[3, 1]), (), [X[:, :3], X[:, 3:]]),
    (node("Split", outputs="a b c", num_outputs=3), (), [X[:1], X[1:2], X[2:]]),
    (helper.make_node("Split", ["x", ""], ["a", "b"], axis=1), (), [X[:, :2], X[:, 2:]]),
    (node("Pad", "x pads value axes", mode="edge"), ([1, 0], None, [1]), np.pad(X, ((0, 0), (1, 0)), "edge")),
    (node("Pad", "x pads value"), ([1, 0, 0, 0], 7), np.pad(X, ((1, 0), (0, 0)), constant_values=7)),
    (node("Pad", pads=[0, 1, 0, 0], mode="reflect"), (), np.pad(X, ((0, 0), (1, 0)), "reflect")),
    (node("Pad", paddings=[0, 1, 0, 0], mode="constant"), (), np.pad(X, ((0, 0), (1, 0)))),
    (node("Tile", "x repeats"), ([1, 2],), np.tile(X, (1, 2))),
    (node("Expand", "x shape"), ([2, 1, 1],), np.broadcast_to(X, (2, 3, 4))),
    (node("CenterCropPad", "x shape", axes=[0]), ([1],), X[1:2]),
    (node("Transpose"), (), X.T),
    (node("Transpose", perm=[0, 1]), (), X),
]


@pytest.mark.parametrize(("made", "inputs", "expected"), CALLS, ids=lambda each: getattr(each, "op_type", None))
def test_every_node(made: Any, inputs: tuple[Any, ...], expected: Any) -> None:
    call = fo.onnx.from_node(made)
    assert call.op_type == made.op_type
    results, plans = call(X, *inputs), call.plan(X.shape, *inputs)
    if not isinstance(results, list):
        results, plans, expected = [results], [plans], [expected]
    for result, plan, each in zip(results, plans, expected, strict=True):
        np.testing.assert_array_equal(result, each)
        assert plan.shape == each.shape


IMAGE = np.arange(24).reshape(1, 4, 2, 3)


@pytest.mark.parametrize(
    ("made", "data", "expected"),
    [
        (node("DepthToSpace", blocksize=2), IMAGE, depth_to_space(IMAGE, 2, depth_first=False)),
        (node("DepthToSpace", blocksize=2, mode="CRD"), IMAGE, depth_to_space(IMAGE, 2, depth_first=True)),
        (node("SpaceToDepth", blocksize=1), IMAGE, IMAGE),
        (node("SpaceToDepth", blocksize=2), IMAGE[..., :2], space_to_depth(IMAGE[..., :2], 2, depth_first=False)),
    ],
)
def test_nodes_of_images(made: Any, data: Any, expected: Any) -> None:
    call = fo.onnx.from_node(made)
    np.testing.assert_array_equal(call(data), expected)
    assert call.plan(data.shape).shape == expected.shape


def test_ranges() -> None:
    call = fo.onnx.from_node(node("Range", "start limit delta"))
    assert call(1, 10, 3).tolist() == [1, 4, 7]
    assert call.plan(1, 10, 3).count == 3


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


def test_a_whole_model_runs_on_fastops() -> None:
    parser = pytest.importorskip("onnx.parser")
    reference = pytest.importorskip("onnx.reference")
    text = """<ir_version: 10, opset_import: ["" : 18]> g (float[3, 4] x) => (y) {
        pads = Constant <value = int64[4] {1, 0, 0, 0}> () padded = Pad <mode = "edge"> (x, pads)
        a, b = Split <axis = 1, num_outputs = 2> (padded) y = Concat <axis = 0> (b, a) }"""
    model = parser.parse_model(text)
    calls = []
    ops = [type(op.__name__, (op,), {"_run": _counted(op, calls)}) for op in fo.onnx.reference_ops()]
    (result,) = reference.ReferenceEvaluator(model, new_ops=ops).run(None, {"x": X.astype("f4")})
    padded = np.pad(X.astype("f4"), ((1, 0), (0, 0)), "edge")
    np.testing.assert_array_equal(result, np.concatenate([padded[:, 2:], padded[:, :2]]))
    assert calls == ["Pad", "Split"]


def _counted(op: Any, calls: list[str]) -> Any:
    def _run(self: Any, *inputs: Any, **attributes: Any) -> Any:
        calls.append(op.__name__)
        return op._run(self, *inputs, **attributes)

    return _run


def test_the_operators_are_the_family() -> None:
    names = {"CenterCropPad", "Expand", "Pad", "Range", "Slice", "Split", "Tile", *LAYOUTS}
    assert {op.__name__ for op in fo.onnx.reference_ops()} == names
    assert all(op.op_domain == "" for op in fo.onnx.reference_ops())


def test_onnx_s_own_tests_pass() -> None:
    backend = pytest.importorskip("tests.conformance.onnx_backend")
    tests = backend.backend_tests()
    assert len(tests) >= 40
    for test in tests:
        backend.run_test(test)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_onnx_s_own_bodies_of_functions_are_taken() -> None:
    """Bodies of functions pass scalars as tensors of one element, to Pad and Range."""
    backend = pytest.importorskip("tests.conformance.onnx_backend")
    runs = 0
    for test in backend.tests_of("Pad", "Range"):
        session = backend.ReferenceEvaluator(test.model, new_ops=fo.onnx.reference_ops())
        for inputs, outputs in test.data_sets:
            named = dict(zip(session.input_names, map(backend.as_array, inputs), strict=False))
            results = session.run(None, named)
            for result, expected in zip(results, map(backend.as_array, outputs), strict=True):
                # What other nodes compute of copies may differ in the last bits.
                np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-5)
            runs += 1
    assert runs > 30


@pytest.mark.parametrize("function", ["from_node", "reference_ops"])
def test_without_onnx_the_error_names_the_extra(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "onnx"]:
        monkeypatch.setitem(sys.modules, name, None)
    arguments = [None] if function == "from_node" else []
    with pytest.raises(ImportError, match=f"onnx.{function}: onnx is not installed: .* or the extra onnx"):
        getattr(fo.onnx, function)(*arguments)
