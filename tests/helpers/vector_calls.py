"""How each file of recorded cases is called: from a case's parameters to a call of fastops."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import ml_dtypes
import numpy as np

import fastops as fo
from tests.helpers.vectors import Case

MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")

_NUMPY_TYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    **{f"{kind[0]}{bits}": np.dtype(f"{kind}{bits}").type for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
}


def _indices(case: Case, *names: str) -> list[Any]:
    """Return parameters as arrays of the case's index type; None for those that are absent."""
    p = case.parameters
    return [None if p[name] is None else np.array(p[name], dtype=p["index_dtype"]) for name in names]


def _axes(case: Case) -> Any:
    p = case.parameters
    return None if p["axes"] is None else np.array(p["axes"], dtype=p["axes_dtype"])


def _strided_slice(case: Case) -> Any:
    masks = {name: case.parameters[name] for name in MASKS}
    return fo.strided_slice(case.data, *_indices(case, "begin", "end", "strides"), **masks)


def _variadic_split(case: Case) -> Any:
    p = case.parameters
    return fo.variadic_split(case.data, np.array(p["axis"], dtype=p["axis_dtype"]), *_indices(case, "split_lengths"))


def _openvino_slice(case: Case) -> Any:
    return fo.openvino.slice(case.data, *_indices(case, "start", "stop", "step"), _axes(case))


def _openvino_split(case: Case) -> Any:
    p = case.parameters
    return fo.openvino.split(case.data, np.array(p["axis"], dtype=p["axis_dtype"]), p["num_splits"])


def _openvino_pad(case: Case) -> Any:
    p = case.parameters
    return fo.openvino.pad(case.data, p["pads_begin"], p["pads_end"], p["mode"], p["fill"])


def _openvino_other(case: Case) -> Any:
    p = case.parameters
    inputs = [np.array(v, dtype=t) for v, t in zip(p["op_inputs"], p["op_input_dtypes"], strict=True)]
    return getattr(fo.openvino, p["op"].lower())(case.data, *inputs, **p["attrs"])


def _onnx_slice(case: Case) -> Any:
    starts, ends, steps = _indices(case, "start", "stop", "step")
    return fo.onnx.slice(case.data, starts, ends, _axes(case), steps)


def _onnx_pad(case: Case) -> Any:
    p = case.parameters
    return fo.onnx.pad(case.data, [*p["pads_begin"], *p["pads_end"]], p["fill"], p["axes"], mode=p["mode"])


def _onnx_other(case: Case) -> Any:
    p = case.parameters
    return getattr(fo.onnx, p["op"].lower())(case.data, *p["op_inputs"], **p["attrs"])


def _tensorflow_strided_slice(case: Case) -> Any:
    masks = {name: sum(bit << i for i, bit in enumerate(case.parameters[name])) for name in MASKS}
    return fo.tensorflow.strided_slice(case.data, *_indices(case, "begin", "end", "strides"), **masks)


def _numpy_pad(case: Case) -> Any:
    p = case.parameters
    # NumPy takes no empty list for an array without axes.
    widths = np.array([p["pads_begin"], p["pads_end"]], int).T if p["pads_begin"] else 0
    values = {}
    if p["fill"] is not None:
        values["constant_values"] = float(p["fill"]) if isinstance(p["fill"], str) else p["fill"]
    return fo.numpy.pad(case.data, widths, p["mode"], **values)


def _trt_slice(case: Case) -> Any:
    p = case.parameters
    return fo.tensorrt.slice(
        case.data, p["start"], p["size"], p["stride"], axes=p["axes"], mode=p["mode"], fill=p["fill"]
    )


def _named_of(dialect: str) -> Callable[[Case], Any]:
    """Return the call of a dialect's function that a case names."""

    def call(case: Case) -> Any:
        p = case.parameters
        return getattr(getattr(fo, dialect), p["function"])(case.data, **p["attrs"])

    return call


def _named_of_torch(case: Case) -> Any:
    torch = import_module("torch")
    p = case.parameters
    attrs = dict(p["attrs"])
    if "index" in attrs:
        attrs["index"] = tuple([_place(place) for place in attrs["index"]])
    return getattr(fo.torch, p["function"])(torch.from_numpy(case.data), **attrs).numpy()


def _place(place: Any) -> Any:
    """Return what an index says of an axis: slices stand as lists in the files, an ellipsis as a string."""
    return slice(*place) if isinstance(place, list) else ... if place == "..." else place


def _number(value: Any, scalar: Any) -> Any:
    # "nan" and "inf" stand as strings in the files.
    with np.errstate(over="ignore"):
        return scalar(float(value) if isinstance(value, str) else value)


def _openvino_range(case: Case) -> Any:
    p = case.parameters
    numbers = [_number(p[name], _NUMPY_TYPES[p[f"{name}_type"]]) for name in ("start", "stop", "step")]
    return fo.range(*numbers, p["output_type"])


def typed_numbers(case: Case) -> list[Any]:
    """Return the inputs of a range in the type of the case."""
    p = case.parameters
    scalar = ml_dtypes.bfloat16 if p["dtype"] == "bfloat16" else np.dtype(p["dtype"]).type
    return [_number(p[name], scalar) for name in ("start", "stop", "step")]


#: The call of each file.
CALLS: dict[str, Callable[[Case], Any]] = {
    "openvino_strided_slice": _strided_slice,
    "openvino_variadic_split": _variadic_split,
    "openvino_slice8": _openvino_slice,
    "openvino_split": _openvino_split,
    "openvino_pad12": _openvino_pad,
    "openvino_roll_reverse_tile_broadcast": _openvino_other,
    "openvino_range": _openvino_range,
    "onnx_slice": _onnx_slice,
    "onnx_pad": _onnx_pad,
    "onnx_split_tile_expand": _onnx_other,
    "onnx_range": lambda case: fo.onnx.range(*typed_numbers(case)),
    "tf_strided_slice": _tensorflow_strided_slice,
    "tf_range": lambda case: fo.tensorflow.range(*typed_numbers(case), dtype=case.parameters["dtype"]),
    "numpy_pad": _numpy_pad,
    "trt_slice_formula": _trt_slice,
    **{f"{name}_layout": _named_of(name) for name in ("numpy", "onnx", "openvino")},
    "tf_layout": _named_of("tensorflow"),
    "torch_layout": _named_of_torch,
    **{f"{name}_patches": _named_of(name) for name in ("numpy", "openvino")},
    "tf_patches": _named_of("tensorflow"),
    "torch_patches": _named_of_torch,
}
