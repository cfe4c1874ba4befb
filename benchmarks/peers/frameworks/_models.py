"""PyTorch's functions, and models of one operator for ONNX Runtime and OpenVINO."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers._race import CannotExpressError, Way, prepared
from benchmarks.peers._work import Work, forward_index, retype

_ONNX_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap"}

# The types that elements of so many bytes may be moved as. ONNX Runtime implements each operator for some types only.
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
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    onnx.checker.check_model(model)
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


_PAD_MODES = {"reflect": "reflect", "clamp": "replicate", "fill": "constant", "wrap": "circular", "symmetric": ""}

# Types that few operators take, and types of the same size that all operators take.
_MOVED_AS = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}

# A last axis of up to this many elements is also copied index by index, each index with all the other axes.
_FEW = 8


def ways_of_torch(work: Work, outs: list[Any] | None, _threads: int) -> list[Way]:
    """Return the ways that PyTorch has."""
    torch = import_module("torch")
    if work.dtype.names:
        work = work.retyped("uint8")
    elif work.dtype.name in _MOVED_AS and work.kind != "range":
        work = work.retyped(_MOVED_AS[work.dtype.name])
    if any(stride < 0 for stride in work.data.strides):
        raise CannotExpressError("has no negative byte strides, so no such input")
    data = torch.from_numpy(work.data)
    targets = None if outs is None else [torch.from_numpy(retype(out, work.dtype.name)) for out in outs]
    if work.kind == "range":
        how: dict[str, Any] = {"dtype": torch.from_numpy(np.empty(0, work.dtype)).dtype}
        how |= {} if targets is None else {"out": targets[0]}
        return [prepared("torch.arange", partial(torch.arange, *work.range, **how))]
    if work.kind == "split":
        return _splits(torch, work, data, targets)
    made = _views(torch, work, data) if work.kind == "view" else _pads(torch, work, data)
    if targets is None:
        return [prepared(how, _contiguous(torch, call)) for how, call in made.items()]
    target = targets[0]
    found = [prepared(f"out.copy_({how})", lambda call=call: target.copy_(call())) for how, call in made.items()]
    if work.kind == "view":
        found += _views_out(torch, work, data, target)
    if work.kind == "pad" and (repeats := work.repeats) is not None:
        folded = target.view([n for pair in zip(repeats, data.shape, strict=True) for n in pair])
        once = data.reshape([n for extent in data.shape for n in (1, extent)]).expand_as(folded)
        found.append(prepared("copy_ of a broadcast", lambda: folded.copy_(once)))
    return found


def _splits(torch: Any, work: Work, data: Any, targets: list[Any] | None) -> list[Way]:
    axis, lengths = work.split
    copy = partial(torch.split_with_sizes_copy, data, lengths, axis)
    if targets is None:
        clone = {"memory_format": torch.contiguous_format}
        return [
            prepared("clone of each split", lambda: [part.clone(**clone) for part in torch.split(data, lengths, axis)]),
            prepared("torch.split_with_sizes_copy", copy),
        ]
    return [
        prepared(
            "copy_ of each split",
            lambda: [
                target.copy_(part) for target, part in zip(targets, torch.split(data, lengths, axis), strict=True)
            ],
        ),
        prepared("torch.split_with_sizes_copy(out=)", partial(copy, out=targets)),
    ]


def _views(torch: Any, work: Work, data: Any) -> dict[str, Callable[[], Any]]:
    """Return ways to the view, or to a copy of it where no view exists."""
    index, flipped = forward_index(work.axes)
    if not flipped:
        return {"data[index]": lambda: data[index].expand(work.shapes[0])}
    found: dict[str, Callable[[], Any]] = {"data[index].flip()": lambda: data[index].flip(flipped)}
    if len(flipped) == 1:
        (axis,) = flipped
        backwards = torch.arange(work.shapes[0][axis]).flip(0)
        found["data[index].index_select()"] = lambda: data[index].index_select(axis, backwards)
    return found


def _views_out(torch: Any, work: Work, data: Any, target: Any) -> list[Way]:
    """Return ways that write the output themselves."""
    index, flipped = forward_index(work.axes)
    found = []
    if len(flipped) == 1:
        (axis,) = flipped
        backwards = torch.arange(target.shape[axis]).flip(0)
        select = partial(torch.index_select, dim=axis, index=backwards, out=target)
        found.append(prepared("torch.index_select(out=)", lambda: select(data[index])))
    if target.shape[-1] <= _FEW and data.ndim > 1 and {*flipped} <= {data.ndim - 1}:
        found.append(prepared("last axis one by one", partial(_copy_lasts, data, index, bool(flipped), target)))
    return found


def _copy_lasts(data: Any, index: Any, is_reversed: bool, target: Any) -> None:
    view, n = data[index], target.shape[-1]
    for i in range(n):
        target.select(-1, i).copy_(view.select(-1, n - 1 - i if is_reversed else i))


def _pads(torch: Any, work: Work, data: Any) -> dict[str, Callable[[], Any]]:
    """Return ways that allocate a padded tensor: F.pad pads the last one to three axes, after one or two others."""
    pads, mode = work.pad(_PAD_MODES)
    found: dict[str, Callable[[], Any]] = {}
    if mode:
        first = next(i for i, pair in enumerate(pads) if pair != (0, 0))
        widths = [n for pair in reversed(pads[first:]) for n in pair]
        shape, result = (-1, *data.shape[first:]), work.shapes[0]
        pad = torch.nn.functional.pad
        if mode == "constant":
            found["F.pad"] = lambda: pad(data, widths)
        else:
            found["F.pad"] = lambda: pad(data.reshape(shape), widths, mode).reshape(result)
    if (repeats := work.repeats) is not None:
        found["torch.tile"] = lambda: torch.tile(data, repeats)
    if mode != "constant":
        chosen = [(i, torch.from_numpy(axis.sources())) for i, axis in enumerate(work.axes) if not axis.is_whole]
        found["index_select of each axis"] = partial(_select_axes, data, chosen)
    return found


def _select_axes(data: Any, chosen: list[tuple[int, Any]]) -> Any:
    for axis, sources in chosen:
        data = data.index_select(axis, sources)
    return data


def _contiguous(torch: Any, call: Callable[[], Any]) -> Callable[[], Any]:
    """Return the call that copies a view; if the result is a copy already, return the call itself."""
    first = call()
    if first.is_contiguous() and first._base is None:
        return call
    return lambda: call().clone(memory_format=torch.contiguous_format)
