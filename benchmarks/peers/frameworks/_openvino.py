"""OpenVINO on the CPU: a compiled model for each case, of one operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.peers._moves import pads_of
from benchmarks.peers._work import Work, retype
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
    import openvino as ov
    from openvino import opset15 as ops
else:
    ov, ops = LazyModule("openvino"), LazyModule("openvino.opset15")

_PAD_MODES = {"reflect": "reflect", "clamp": "edge", "fill": "constant", "symmetric": "symmetric"}

# The types that elements of so many bytes may be moved as: wider ones are narrowed inside, so they move in parts.
_MOVED_AS = {1: ("uint8",), 2: ("float16", "uint16"), 4: ("float32", "int32"), 8: ("int32",), 16: ("int32",)}


class OpenVino(Framework):
    """Infer requests whose tensors share memory with the caller's arrays."""

    name = "openvino"

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.core = ov.Core()
        self.options = {
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": "LATENCY",
            # Otherwise float32 may be computed in fewer bits.
            "INFERENCE_PRECISION_HINT": "f32",
        }

    def out_recipes(self, work: Work, outs: Arrays) -> list[Recipe]:
        """Requests with the caller's tensors."""
        return [
            Recipe(f"{operator}, {moved.dtype}, set_tensors", lambda moved=moved: self._shared(moved, outs))  # type: ignore[misc]
            for operator, moved in self._choices(work)
        ]

    def fresh_recipes(self, work: Work) -> list[Recipe]:
        """Inference whose results are copied to new arrays, and requests made anew."""
        recipes = []
        for operator, moved in self._choices(work):
            how = f"{operator}, {moved.dtype}"
            recipes.append(Recipe(f"{how}, infer", lambda moved=moved: self._copied(moved)))  # type: ignore[misc]
            recipes.append(Recipe(f"{how}, new request", lambda moved=moved: self._new_request(moved)))  # type: ignore[misc]
        return recipes

    def arrays_of(self, result: Any) -> Arrays:
        """Return the outputs as arrays of NumPy."""
        return [np.asarray(each.array if isinstance(each, _Output) else each) for each in result]

    def _choices(self, work: Work) -> list[tuple[str, Work]]:
        if work.kind == "range":
            return [("Range", work)]
        contiguous_input(work)
        if work.kind == "pad" and repeats_of(work) is None and the_mode(work) not in _PAD_MODES:
            raise CannotExpressError(f"has no pad in mode {the_mode(work)}")
        types = ("uint8",) if work.dtype.names else _MOVED_AS[work.dtype.itemsize]
        return [(work.kind, work.retyped(dtype)) for dtype in types]

    def _compiled(self, work: Work) -> Any:
        return self.core.compile_model(_model(work), "CPU", self.options)

    def _request(self, work: Work) -> tuple[Any, Arrays]:
        """Return a request with its inputs, and these: their tensors do not keep them alive."""
        request = self._compiled(work).create_infer_request()
        arrays = _inputs(work)
        for i, array in enumerate(arrays):
            request.set_input_tensor(i, ov.Tensor(array, shared_memory=True))
        return request, arrays

    def _shared(self, work: Work, outs: Arrays) -> Call:
        request, arrays = self._request(work)
        targets = [retype(out, work.dtype.name) for out in outs]
        for i, target in enumerate(targets):
            request.set_output_tensor(i, ov.Tensor(target, shared_memory=True))

        def call(_kept: object = (arrays, targets)) -> None:
            request.start_async()
            request.wait()

        return call

    def _copied(self, work: Work) -> Call:
        request, arrays = self._request(work)

        def call(_kept: object = arrays) -> list[Any]:
            return list(request.infer(share_outputs=False).values())

        return call

    def _new_request(self, work: Work) -> Call:
        compiled, arrays = self._compiled(work), _inputs(work)
        outputs = range(len(compiled.outputs))

        def call() -> list[Any]:
            request = compiled.create_infer_request()
            for i, array in enumerate(arrays):
                request.set_input_tensor(i, ov.Tensor(array, shared_memory=True))
            request.infer(share_outputs=True)
            return [_Output(request, request.get_output_tensor(i).data) for i in outputs]

        return call


class _Output(NamedTuple):
    """A result, and the request that owns its memory."""

    request: Any
    array: Any


def _inputs(work: Work) -> Arrays:
    """Return what is fed: data, or the three scalars of a range, lest the model is folded to a constant."""
    if work.kind == "range":
        return [np.array(number, work.dtype) for number in range_numbers(work)]
    return [work.data]


def _model(work: Work) -> Any:
    element = ov.Type(work.dtype)
    parameters = [ops.parameter(list(each.shape), element) for each in _inputs(work)]
    if work.kind == "range":
        node = ops.range(*parameters, output_type=element)
    elif work.kind == "split":
        axis, lengths = work.split
        node = ops.variadic_split(parameters[0], _constant(axis), _constant(lengths))
    elif (repeats := repeats_of(work)) is not None:
        node = ops.tile(parameters[0], _constant(repeats))
    elif work.kind == "pad":
        before, after = np.array(pads_of(work.axes)).T.tolist()
        value = ops.constant(np.zeros((), work.dtype))
        node = ops.pad(parameters[0], _constant(before), _constant(after), _PAD_MODES[the_mode(work)], value)
    else:
        node = _strided_slice(work, parameters[0])
    return ov.Model(list(node.outputs()), parameters, "case")


def _strided_slice(work: Work, data: Any) -> Any:
    axes = work.axes
    begin, strides = [axis.start for axis in axes], [axis.stride for axis in axes]
    end = [axis.start + axis.stride * (axis.count - 1) + (1 if axis.stride > 0 else -1) for axis in axes]
    # -1 would count from the end of the axis.
    end_mask = [int(stop < 0) for stop in end]
    return ops.strided_slice(data, _constant(begin), _constant(end), _constant(strides), [0] * len(axes), end_mask)


def _constant(values: Any) -> Any:
    return ops.constant(np.array(values, np.int64))
