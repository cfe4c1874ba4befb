"""ONNX Runtime and OpenVINO on the CPU: a model for each case, of one operator."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers._race import CannotExpressError, Way
from benchmarks.peers._work import Work, retype

_ONNX_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap"}

# The types that elements of so many bytes may be moved as. Operators are there for some types only.
_ONNX_TYPES = {1: ("uint8",), 2: ("uint16", "float16"), 4: ("float32",), 8: ("int64", "float64"), 16: ("float64",)}

_OPSET, _IR_VERSION = 21, 10


def ways_of_onnxruntime(work: Work, outs: list[Any] | None, threads: int) -> list[Way]:
    """Return runs with input and outputs bound, or plain runs."""
    operator = _node(work)[0]
    types = ("uint8",) if work.dtype.names else _ONNX_TYPES[work.dtype.itemsize]
    moved = [work] if work.kind == "range" else [work.contiguous().retyped(dtype) for dtype in types]
    return [Way(f"{operator}, {each.dtype}", partial(_build_session, each, outs, threads)) for each in moved]


def _build_session(work: Work, outs: list[Any] | None, threads: int) -> Any:
    ort = import_module("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = ort.InferenceSession(_onnx_model(work), options, providers=["CPUExecutionProvider"])
    inputs = _inputs_by_name(work)
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


def _inputs_by_name(work: Work) -> dict[str, Any]:
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
        pads, mode = work.pad(_ONNX_MODES)
        return "Pad", {"pads": np.array(pads).T.ravel()}, {"mode": mode}
    lowest = np.iinfo(np.int64).min
    # -1 would count from the end of the axis.
    rows = [(axis.start, lowest if axis.stop < 0 else axis.stop, i, axis.stride) for i, axis in enumerate(work.axes)]
    return "Slice", dict(zip(("starts", "ends", "axes", "steps"), np.transpose(rows), strict=True)), {}


def _onnx_model(work: Work) -> bytes:
    onnx, helper = import_module("onnx"), import_module("onnx.helper")
    operator, constants, attributes = _node(work)
    element = helper.np_dtype_to_tensor_dtype(work.dtype)
    if element == onnx.TensorProto.UNDEFINED:
        raise CannotExpressError(f"has no type {work.dtype}")
    fed = _inputs_by_name(work)
    outputs = [f"y{i}" for i in range(len(work.shapes))]
    graph = helper.make_graph(
        [helper.make_node(operator, [*fed, *constants], outputs, **attributes)],
        "case",
        [helper.make_tensor_value_info(name, element, value.shape) for name, value in fed.items()],
        [helper.make_tensor_value_info(name, element, shape) for name, shape in zip(outputs, work.shapes, strict=True)],
        [onnx.numpy_helper.from_array(value.astype(np.int64), name) for name, value in constants.items()],
    )
    model = helper.make_onnx_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    onnx.checker.check_onnx_model(model)
    return bytes(model.SerializeToString())


_OPENVINO_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "symmetric": "symmetric"}

# The types that elements of so many bytes may be moved as: wider ones are narrowed inside, so they move in parts.
_OPENVINO_TYPES = {1: ("uint8",), 2: ("float16", "uint16"), 4: ("float32", "int32"), 8: ("int32",), 16: ("int32",)}


@cache
def _core() -> Any:
    return import_module("openvino").Core()


def ways_of_openvino(work: Work, outs: list[Any] | None, threads: int) -> list[Way]:
    """Return requests with the caller's tensors, or inference whose results are copied to new arrays."""
    if work.kind == "pad" and work.repeats is None:
        work.pad(_OPENVINO_MODES)
    types = ("uint8",) if work.dtype.names else _OPENVINO_TYPES[work.dtype.itemsize]
    moved = [work] if work.kind == "range" else [work.contiguous().retyped(dtype) for dtype in types]
    return [Way(f"{work.kind}, {each.dtype}", partial(_build_request, each, outs, threads)) for each in moved]


def _build_request(work: Work, outs: list[Any] | None, threads: int) -> Any:
    ov = import_module("openvino")
    # Without the last option, float32 may be computed in fewer bits.
    options = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = _core().compile_model(_openvino_model(ov, work), "CPU", options).create_infer_request()
    arrays = _inputs(work)
    targets = [retype(out, work.dtype.name) for out in outs or ()]
    for i, array in enumerate(arrays):
        request.set_input_tensor(i, ov.Tensor(array, shared_memory=True))
    for i, target in enumerate(targets):
        request.set_output_tensor(i, ov.Tensor(target, shared_memory=True))

    # The tensors do not keep the arrays alive: the call does.
    def call(_kept: object = (arrays, targets)) -> list[Any] | None:
        if targets:
            request.start_async()
            request.wait()
            return None
        return list(request.infer(share_outputs=False).values())

    return call


def _inputs(work: Work) -> list[Any]:
    """Return the inputs: data, or the three scalars of a range, which would be folded if they were constants."""
    return [np.array(number, work.dtype) for number in work.range] if work.kind == "range" else [work.data]


def _openvino_model(ov: Any, work: Work) -> Any:
    ops = import_module("openvino.opset15")
    element = ov.Type(work.dtype)
    parameters = [ops.parameter(list(each.shape), element) for each in _inputs(work)]

    def constant(values: Any) -> Any:
        return ops.constant(np.array(values, np.int64))

    if work.kind == "range":
        node = ops.range(*parameters, output_type=element)
    elif work.kind == "split":
        axis, lengths = work.split
        node = ops.variadic_split(parameters[0], constant(axis), constant(lengths))
    elif (repeats := work.repeats) is not None:
        node = ops.tile(parameters[0], constant(repeats))
    elif work.kind == "pad":
        pads, mode = work.pad(_OPENVINO_MODES)
        before, after = np.transpose(pads).tolist()
        value = ops.constant(np.zeros((), work.dtype))
        node = ops.pad(parameters[0], constant(before), constant(after), mode, value)
    else:
        begin, end, strides = np.transpose([(axis.start, axis.stop, axis.stride) for axis in work.axes]).tolist()
        # -1 would count from the end of the axis.
        masks = [0] * len(begin), [int(stop < 0) for stop in end]
        node = ops.strided_slice(parameters[0], constant(begin), constant(end), constant(strides), *masks)
    return ov.Model(list(node.outputs()), parameters, "case")
