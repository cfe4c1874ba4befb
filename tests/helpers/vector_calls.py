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


def _type_of(name: str) -> Any:
    """Return NumPy's type of a name, which may be OpenVINO's."""
    if name in ("bf16", "bfloat16"):
        return ml_dtypes.bfloat16
    return np.dtype(f"{name[0]}{int(name[1:]) // 8}" if name[1:].isdecimal() else name).type


def _of_types(case: Case, *names: str) -> list[Any]:
    """Return parameters as arrays of the types that the case has for them; None for those that are absent."""
    p = case.parameters
    types = [p.get(f"{name}_dtype", p.get("index_dtype")) for name in names]
    return [None if p[name] is None else np.array(p[name], kind) for name, kind in zip(names, types, strict=True)]


def _onnx_slice(case: Case) -> Any:
    starts, ends, axes, steps = _of_types(case, "start", "stop", "axes", "step")
    return fo.onnx.slice(case.data, starts, ends, axes, steps)


def _onnx_pad(case: Case) -> Any:
    p = case.parameters
    return fo.onnx.pad(case.data, [*p["pads_begin"], *p["pads_end"]], p["fill"], p["axes"], mode=p["mode"])


def _other_of(module: Any) -> Callable[[Case], Any]:
    """Return the call of an operator of which a case has the inputs in order."""

    def call(case: Case) -> Any:
        p = case.parameters
        types = p.get("op_input_dtypes", [None] * len(p["op_inputs"]))
        pairs = zip(p["op_inputs"], types, strict=True)
        inputs = [each if kind is None else np.array(each, kind) for each, kind in pairs]
        return getattr(module, p["op"].lower())(case.data, *inputs, **p["attrs"])

    return call


def _strided_slice(case: Case) -> Any:
    masks = {name: case.parameters[name] for name in MASKS}
    return fo.strided_slice(case.data, *_of_types(case, "begin", "end", "strides"), **masks)


def _tensorflow_strided_slice(case: Case) -> Any:
    masks = {name: sum(bit << i for i, bit in enumerate(case.parameters[name])) for name in MASKS}
    return fo.tensorflow.strided_slice(case.data, *_of_types(case, "begin", "end", "strides"), **masks)


def _numpy_pad(case: Case) -> Any:
    p = case.parameters
    # NumPy takes no empty list for an array without axes.
    widths = np.array([p["pads_begin"], p["pads_end"]], int).T if p["pads_begin"] else 0
    values = {} if p["fill"] is None else {"constant_values": _number(p["fill"], lambda fill: fill)}
    return fo.numpy.pad(case.data, widths, p["mode"], **values)


def _given(function: Callable[..., Any], *names: str, **by_name: str) -> Callable[[Case], Any]:
    """Return the call of a function with parameters of a case as they are."""

    def call(case: Case) -> Any:
        p = case.parameters
        return function(case.data, *[p[name] for name in names], **{name: p[each] for name, each in by_name.items()})

    return call


def _named_of(dialect: str) -> Callable[[Case], Any]:
    """Return the call of a dialect's function that a case names."""

    def call(case: Case) -> Any:
        p = case.parameters
        return getattr(getattr(fo, dialect), p["function"])(case.data, **p["attrs"])

    return call


def _named_of_torch(case: Case) -> Any:
    p, from_numpy = case.parameters, import_module("torch").from_numpy
    attrs = {name: tuple(map(_place, each)) if name == "index" else each for name, each in p["attrs"].items()}
    return getattr(fo.torch, p["function"])(from_numpy(case.data), **attrs).numpy()


def _place(place: Any) -> Any:
    """Return what an index says of an axis: slices stand as lists in the files, an ellipsis as a string."""
    return slice(*place) if isinstance(place, list) else ... if place == "..." else place


def _number(value: Any, scalar: Any) -> Any:
    # "nan" and "inf" stand as strings in the files.
    with np.errstate(over="ignore"):
        return scalar(float(value) if isinstance(value, str) else value)


def _openvino_range(case: Case) -> Any:
    p = case.parameters
    numbers = [_number(p[name], _type_of(p[f"{name}_type"])) for name in ("start", "stop", "step")]
    return fo.range(*numbers, p["output_type"])


def typed_numbers(case: Case) -> list[Any]:
    """Return the inputs of a range in the type of the case."""
    p = case.parameters
    return [_number(p[name], _type_of(p["dtype"])) for name in ("start", "stop", "step")]


#: The call of each file.
CALLS: dict[str, Callable[[Case], Any]] = {
    "openvino_strided_slice": _strided_slice,
    "openvino_variadic_split": lambda case: fo.variadic_split(case.data, *_of_types(case, "axis", "split_lengths")),
    "openvino_slice8": lambda case: fo.openvino.slice(case.data, *_of_types(case, "start", "stop", "step", "axes")),
    "openvino_split": lambda case: fo.openvino.split(
        case.data, *_of_types(case, "axis"), case.parameters["num_splits"]
    ),
    "openvino_pad12": _given(fo.openvino.pad, "pads_begin", "pads_end", "mode", "fill"),
    "openvino_roll_reverse_tile_broadcast": _other_of(fo.openvino),
    "openvino_range": _openvino_range,
    "onnx_slice": _onnx_slice,
    "onnx_pad": _onnx_pad,
    "onnx_split_tile_expand": _other_of(fo.onnx),
    "onnx_range": lambda case: fo.onnx.range(*typed_numbers(case)),
    "tf_strided_slice": _tensorflow_strided_slice,
    "tf_range": lambda case: fo.tensorflow.range(*typed_numbers(case), dtype=case.parameters["dtype"]),
    "numpy_pad": _numpy_pad,
    "trt_slice_formula": _given(fo.tensorrt.slice, "start", "size", "stride", axes="axes", mode="mode", fill="fill"),
    **{f"{name}_{kind}": _named_of(name) for name in ("numpy", "openvino") for kind in ("layout", "patches")},
    "onnx_layout": _named_of("onnx"),
    **dict.fromkeys(("tf_layout", "tf_patches"), _named_of("tensorflow")),
    **dict.fromkeys(("torch_layout", "torch_patches"), _named_of_torch),
}
