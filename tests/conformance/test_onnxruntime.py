"""fastops beside ONNX Runtime: Slice-13, Split-13, Pad-19, Transpose-25, DepthToSpace-13 and SpaceToDepth-13."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance._draws import DTYPES, Array, data_of, draw_bounds, draw_pad, draw_shape, draw_split
from tests.conformance._layout_draws import draw_order, draw_space

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnx.reference")
onnxruntime = pytest.importorskip("onnxruntime")

# Those for which it has kernels of DepthToSpace and SpaceToDepth.
IMAGE_DTYPES = ("float32", "float16", "float64", "uint8", "int8")

PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap"}


@cache
def session_of(opset: int, op: str, dtypes: tuple[str, ...], outputs: int = 1, **attributes: Any) -> Any:
    """A session of a model of one node, with inputs of any shape."""

    def describe(name: str, dtype: str) -> Any:
        return onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), None)

    inputs = [describe(f"input_{i}", dtype) for i, dtype in enumerate(dtypes)]
    results = [describe(f"output_{i}", dtypes[0]) for i in range(outputs)]
    names = [[each.name for each in values] for values in (inputs, results)]
    graph = onnx.helper.make_graph([onnx.helper.make_node(op, *names, **attributes)], "graph", inputs, results)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=10)
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


@cache
def reference_of(opset: int, op: str, dtype: str, **attributes: Any) -> Any:
    """onnx's own evaluator of a model of one node."""
    kind = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    ends = [[onnx.helper.make_tensor_value_info(name, kind, None)] for name in ("x", "y")]
    graph = onnx.helper.make_graph([onnx.helper.make_node(op, ["x"], ["y"], **attributes)], "graph", *ends)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    return onnx.reference.ReferenceEvaluator(model)


def run(session: Any, *inputs: Array) -> list[Array]:
    return session.run(None, {f"input_{i}": each for i, each in enumerate(inputs)})


@pytest.mark.parametrize("seed", range(350))
def test_slice(seed):
    rng = Random(seed)
    shape, dtype = draw_shape(rng, least=0 if seed % 5 == 0 else 1), rng.choice(DTYPES)
    axes = rng.sample(range(len(shape)), rng.randint(1, len(shape)))
    steps = [rng.choice((1, 1, 2, 3, -1, -1, -2, -3)) for _ in axes]
    starts, ends = zip(
        *(draw_bounds(rng, shape[axis], step) for axis, step in zip(axes, steps, strict=True)), strict=True
    )
    # Here INT32_MAX and INT64_MAX mean "to the end", which is backwards where the step is negative.
    ends = [end - 1 if end in (2**31 - 1, 2**63 - 1) else end for end in ends]
    named = [axis - rng.choice((0, len(shape))) for axis in axes]
    data = data_of(shape, dtype)
    session = session_of(13, "Slice", (dtype, "int64", "int64", "int64", "int64"))
    (expected,) = run(session, data, *(np.array(each, np.int64) for each in (starts, ends, named, steps)))
    bounds = {"begin": [0] * len(shape), "end": [0] * len(shape), "strides": [1] * len(shape)}
    for axis, *values in zip(axes, starts, ends, steps, strict=True):
        for each, value in zip(bounds.values(), values, strict=True):
            each[axis] = value
    mask = [int(axis not in axes) for axis in range(len(shape))]
    message = f"shape {shape}, starts {starts}, ends {ends}, axes {named}, steps {steps}"
    result = fo.strided_slice(data, **bounds, begin_mask=mask, end_mask=mask)
    np.testing.assert_array_equal(result, expected, message, strict=True)


@pytest.mark.parametrize("seed", range(350))
def test_pad(seed):
    case = draw_pad(Random(seed), tuple(PAD_MODES), crops=True)
    data = data_of(case.shape, case.dtype)
    session = session_of(19, "Pad", (case.dtype, "int64", case.dtype), mode=PAD_MODES[case.mode])
    pads = np.array(case.before + case.after, np.int64)
    (expected,) = run(session, data, pads, np.array(case.fill_value, case.dtype))
    np.testing.assert_array_equal(fo.slice(data, **case.slice_arguments), expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(100))
def test_split(seed):
    case = draw_split(Random(seed))
    data = data_of(case.shape, case.dtype)
    lengths = np.array(case.known_lengths, np.int64)
    session = session_of(13, "Split", (case.dtype, "int64"), len(lengths), axis=case.axis)
    results = fo.variadic_split(data, case.axis, case.lengths)
    for result, expected in zip(results, run(session, data, lengths), strict=True):
        np.testing.assert_array_equal(result, expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(150))
def test_transpose(seed):
    case = draw_order(Random(seed))
    data = data_of(case.shape, case.dtype)
    # Every tenth has no order.
    attributes = {"perm": tuple(case.axes)} if seed % 10 else {}
    (expected,) = run(session_of(25, "Transpose", (case.dtype,), **attributes), data)
    np.testing.assert_array_equal(fo.onnx.transpose(data, **attributes), expected, str(case), strict=True)


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("seed", range(100))
def test_depth_to_space(seed, mode):
    case = draw_space(Random(f"{seed} {mode}"), IMAGE_DTYPES)
    data = data_of(case.deep, case.dtype)
    session = session_of(13, "DepthToSpace", (case.dtype,), blocksize=case.size, mode=mode)
    (expected,) = run(session, data)
    np.testing.assert_array_equal(fo.onnx.depth_to_space(data, case.size, mode), expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(100))
def test_space_to_depth(seed):
    case = draw_space(Random(seed), IMAGE_DTYPES)
    data = data_of(case.wide, case.dtype)
    (expected,) = run(session_of(13, "SpaceToDepth", (case.dtype,), blocksize=case.size), data)
    np.testing.assert_array_equal(fo.onnx.space_to_depth(data, case.size), expected, str(case), strict=True)


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("seed", range(100))
def test_space_to_depth_28(seed, mode):
    # ONNX Runtime has no SpaceToDepth-28, the first with modes; onnx itself evaluates it.
    case = draw_space(Random(f"{seed} {mode}"))
    data = data_of(case.wide, case.dtype)
    expected = reference_of(28, "SpaceToDepth", case.dtype, blocksize=case.size, mode=mode).run(None, {"x": data})[0]
    np.testing.assert_array_equal(fo.onnx.space_to_depth(data, case.size, mode), expected, str(case), strict=True)
