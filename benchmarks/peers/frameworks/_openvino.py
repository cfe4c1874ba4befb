"""OpenVINO on the CPU: a compiled model for each case, of one operator."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers._race import Way
from benchmarks.peers._work import Work, retype

_PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "symmetric": "symmetric"}

# The types that elements of so many bytes may be moved as: wider ones are narrowed inside, so they move in parts.
_MOVED_AS = {1: ("uint8",), 2: ("float16", "uint16"), 4: ("float32", "int32"), 8: ("int32",), 16: ("int32",)}


@cache
def _core() -> Any:
    return import_module("openvino").Core()


def ways(work: Work, outs: list[Any] | None, threads: int) -> list[Way]:
    """Return requests with the caller's tensors, or inference whose results are copied to new arrays."""
    if work.kind == "pad" and work.repeats is None:
        work.pad(_PAD_MODES)
    types = ("uint8",) if work.dtype.names else _MOVED_AS[work.dtype.itemsize]
    moved = [work] if work.kind == "range" else [work.contiguous().retyped(dtype) for dtype in types]
    return [Way(f"{work.kind}, {each.dtype}", partial(_build, each, outs, threads)) for each in moved]


def _build(work: Work, outs: list[Any] | None, threads: int) -> Any:
    ov = import_module("openvino")
    # Without the last option, float32 may be computed in fewer bits.
    options = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = _core().compile_model(_model(ov, work), "CPU", options).create_infer_request()
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


def _model(ov: Any, work: Work) -> Any:
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
        pads, mode = work.pad(_PAD_MODES)
        before, after = np.transpose(pads).tolist()
        value = ops.constant(np.zeros((), work.dtype))
        node = ops.pad(parameters[0], constant(before), constant(after), mode, value)
    else:
        begin, end, strides = np.transpose([(axis.start, axis.stop, axis.stride) for axis in work.axes]).tolist()
        # -1 would count from the end of the axis.
        masks = [0] * len(begin), [int(stop < 0) for stop in end]
        node = ops.strided_slice(parameters[0], constant(begin), constant(end), constant(strides), *masks)
    return ov.Model(list(node.outputs()), parameters, "case")
