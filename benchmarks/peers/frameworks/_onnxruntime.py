"""ONNX Runtime on the CPU: a session for each case, of one operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.peers._moves import pads_of
from benchmarks.peers._work import Work
from benchmarks.peers.frameworks._base import (
    Arrays,
    Call,
    CannotExpressError,
    Framework,
    LazyModule,
    Recipe,
    contiguous_input,
    range_numbers,
    repeats_of,
    the_mode,
)

if TYPE_CHECKING:
    import onnx
    import onnxruntime as ort
    from onnx import helper, numpy_helper
else:
    ort, onnx = LazyModule("onnxruntime"), LazyModule("onnx")
    helper, numpy_helper = LazyModule("onnx.helper"), LazyModule("onnx.numpy_helper")

_PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "wrap": "wrap"}

# The types that elements of so many bytes may be moved as. Operators are there for some types only.
_MOVED_AS = {1: ("uint8",), 2: ("uint16", "float16"), 4: ("float32",), 8: ("int64", "float64"), 16: ("float64",)}

_OPSET, _IR_VERSION = 21, 10


class OnnxRuntime(Framework):
    """Sessions with bound outputs, or with outputs that they allocate."""

    name = "onnxruntime"

    def out_recipes(self, work: Work, outs: Arrays) -> list[Recipe]:
        """Runs with input and outputs bound."""
        return [
            Recipe(f"{operator}, {moved.dtype}, io_binding", lambda moved=moved: self._bound(moved, outs))  # type: ignore[misc]
            for operator, moved in self._choices(work)
        ]

    def fresh_recipes(self, work: Work) -> list[Recipe]:
        """Plain runs."""
        return [
            Recipe(f"{operator}, {moved.dtype}, run", lambda moved=moved: self._plain(moved))  # type: ignore[misc]
            for operator, moved in self._choices(work)
        ]

    def _choices(self, work: Work) -> list[tuple[str, Work]]:
        if work.kind == "range":
            return [("Range", work)]
        contiguous_input(work)
        operator = _node(work)[0]
        types = ("uint8",) if work.dtype.names else _MOVED_AS[work.dtype.itemsize]
        return [(operator, work.retyped(dtype)) for dtype in dict.fromkeys(types)]

    def _session(self, work: Work) -> Any:
        options = ort.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        return ort.InferenceSession(_model(work), options, providers=["CPUExecutionProvider"])

    def _plain(self, work: Work) -> Call:
        session, inputs = self._session(work), _inputs(work)
        return lambda: session.run(None, inputs)

    def _bound(self, work: Work, outs: Arrays) -> Call:
        session, inputs = self._session(work), _inputs(work)
        binding = session.io_binding()
        # The arrays have to outlive the binding, which knows their addresses only: the call keeps them.
        kept = (inputs, outs)
        for name, value in inputs.items():
            binding.bind_input(name, "cpu", 0, value.dtype, value.shape, value.ctypes.data)
        for i, (out, shape) in enumerate(zip(outs, work.shapes, strict=True)):
            binding.bind_output(f"y{i}", "cpu", 0, work.dtype, shape, out.ctypes.data)

        def call(_kept: object = kept) -> None:
            session.run_with_iobinding(binding)

        return call


def _inputs(work: Work) -> dict[str, Any]:
    """Return what is fed: data, or the three scalars of a range, lest the session computes it once and for all."""
    if work.kind == "range":
        names = ("start", "stop", "step")
        return {name: np.array(n, work.dtype) for name, n in zip(names, range_numbers(work), strict=True)}
    return {"x": work.data}


def _node(work: Work) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the operator, its constant inputs and its attributes."""
    if work.kind == "range":
        return "Range", {}, {}
    if work.kind == "split":
        axis, lengths = work.split
        return "Split", {"split": np.array(lengths)}, {"axis": axis}
    if (repeats := repeats_of(work)) is not None:
        if work.kind == "view":
            return "Expand", {"shape": np.array(work.shapes[0])}, {}
        return "Tile", {"repeats": np.array(repeats)}, {}
    if work.kind == "pad":
        mode = the_mode(work)
        if mode not in _PAD_MODES:
            raise CannotExpressError(f"has no pad in mode {mode}")
        pads = np.array(pads_of(work.axes)).T.ravel()
        return "Pad", {"pads": pads}, {"mode": _PAD_MODES[mode]}
    axes = work.axes
    lowest = np.iinfo(np.int64).min
    ends = [axis.start + axis.stride * (axis.count - 1) + (1 if axis.stride > 0 else -1) for axis in axes]
    constants = {
        "starts": np.array([axis.start for axis in axes]),
        # -1 would count from the end of the axis.
        "ends": np.array([lowest if end < 0 else end for end in ends]),
        "axes": np.arange(len(axes)),
        "steps": np.array([axis.stride for axis in axes]),
    }
    return "Slice", constants, {}


def _model(work: Work) -> bytes:
    operator, constants, attributes = _node(work)
    element = helper.np_dtype_to_tensor_dtype(work.dtype)
    if element == onnx.TensorProto.UNDEFINED:
        raise CannotExpressError(f"has no type {work.dtype}")
    fed = _inputs(work)
    outputs = [f"y{i}" for i in range(len(work.shapes))]
    node = helper.make_node(operator, [*fed, *constants], outputs, **attributes)
    graph = helper.make_graph(
        [node],
        "case",
        [helper.make_tensor_value_info(name, element, value.shape) for name, value in fed.items()],
        [helper.make_tensor_value_info(name, element, shape) for name, shape in zip(outputs, work.shapes, strict=True)],
        [numpy_helper.from_array(value.astype(np.int64), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
