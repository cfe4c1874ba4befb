"""ONNX Runtime on the CPU: a session for each case, of one operator."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers._race import CannotExpressError, Way
from benchmarks.peers._work import Work

_PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap"}

# The types that elements of so many bytes may be moved as. Operators are there for some types only.
_MOVED_AS = {1: ("uint8",), 2: ("uint16", "float16"), 4: ("float32",), 8: ("int64", "float64"), 16: ("float64",)}

_OPSET, _IR_VERSION = 21, 10


def ways(work: Work, outs: list[Any] | None, threads: int) -> list[Way]:
    """Return runs with input and outputs bound, or plain runs."""
    operator = _node(work)[0]
    types = ("uint8",) if work.dtype.names else _MOVED_AS[work.dtype.itemsize]
    moved = [work] if work.kind == "range" else [work.contiguous().retyped(dtype) for dtype in types]
    return [Way(f"{operator}, {each.dtype}", partial(_build, each, outs, threads)) for each in moved]


def _build(work: Work, outs: list[Any] | None, threads: int) -> Any:
    ort = import_module("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = ort.InferenceSession(_model(work), options, providers=["CPUExecutionProvider"])
    inputs = _inputs(work)
    if outs is None:
        return partial(session.run, None, inputs)
    binding = session.io_binding()
    for name, value in inputs.items():
        binding.bind_input(name, "cpu", 0, value.dtype, value.shape, value.ctypes.data)
    for i, (out, shape) in enumerate(zip(outs, work.shapes, strict=True)):
        binding.bind_output(f"y{i}", "cpu", 0, work.dtype, shape, out.ctypes.data)

    # The binding knows the addresses of the arrays only: the call keeps them.
    def call(_kept: object = (inputs, outs)) -> None:
        session.run_with_iobinding(binding)

    return call


def _inputs(work: Work) -> dict[str, Any]:
    """Return the inputs: data, or the three scalars of a range, which the session would fold if they were constants."""
    if work.kind == "range":
        return {name: np.array(n, work.dtype) for name, n in zip(("start", "stop", "step"), work.range, strict=True)}
    return {"x": work.data}


def _node(work: Work) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the operator, its constant inputs and its attributes."""
    if work.kind == "range":
        return "Range", {}, {}
    if work.kind == "split":
        axis, lengths = work.split
        return "Split", {"split": np.array(lengths)}, {"axis": axis}
    if (repeats := work.repeats) is not None:
        if work.kind == "view":
            return "Expand", {"shape": np.array(work.shapes[0])}, {}
        return "Tile", {"repeats": np.array(repeats)}, {}
    if work.kind == "pad":
        pads, mode = work.pad(_PAD_MODES)
        return "Pad", {"pads": np.array(pads).T.ravel()}, {"mode": mode}
    lowest = np.iinfo(np.int64).min
    # -1 would count from the end of the axis.
    rows = [(axis.start, lowest if axis.stop < 0 else axis.stop, i, axis.stride) for i, axis in enumerate(work.axes)]
    return "Slice", dict(zip(("starts", "ends", "axes", "steps"), np.transpose(rows), strict=True)), {}


def _model(work: Work) -> bytes:
    onnx, helper = import_module("onnx"), import_module("onnx.helper")
    operator, constants, attributes = _node(work)
    element = helper.np_dtype_to_tensor_dtype(work.dtype)
    if element == onnx.TensorProto.UNDEFINED:
        raise CannotExpressError(f"has no type {work.dtype}")
    fed = _inputs(work)
    outputs = [f"y{i}" for i in range(len(work.shapes))]
    graph = helper.make_graph(
        [helper.make_node(operator, [*fed, *constants], outputs, **attributes)],
        "case",
        [helper.make_tensor_value_info(name, element, value.shape) for name, value in fed.items()],
        [helper.make_tensor_value_info(name, element, shape) for name, shape in zip(outputs, work.shapes, strict=True)],
        [onnx.numpy_helper.from_array(value.astype(np.int64), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
