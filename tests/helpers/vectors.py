"""The recorded outcomes of real frameworks, as frozen cases, and the call of fastops for each group of them.

A case expects the outcome that its specification gives: `recommended` where there is one, else the framework's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import fastops as fo
from tests.helpers.oracle import MASKS

Outputs = list[tuple[tuple[int, ...], list[Any]]]


def outputs_of(outcome: dict[str, Any]) -> Outputs | None:
    """Return the shapes and values of a recorded outcome, or None for an error."""
    told = {name.removeprefix("output_"): value for name, value in outcome.items()}
    if told["status"] == "error" or "data" not in told:
        return None
    shapes, values = (told["shapes"], told["data"]) if "shapes" in told else ([told["shape"]], [told["data"]])
    return list(zip(map(tuple, shapes), values, strict=True))


@dataclass(frozen=True)
class Case:
    """One recorded call by its parameters."""

    parameters: dict[str, Any]

    @cached_property
    def expected(self) -> Outputs | None:
        """The shapes and values of the arrays that the call must give, or None for an error."""
        outcome = self.parameters.get("recommended", self.parameters)
        assert not outcome.get("unsafe"), "an unsafe outcome is no expectation"
        return outputs_of(outcome)

    @property
    def data(self) -> np.ndarray[Any, Any]:
        """The source array."""
        shape, dtype = self.parameters["input_shape"], self.parameters["input_dtype"]
        values = self.parameters["input_data"]
        flat = np.arange(np.prod(shape, dtype=int)) if isinstance(values, str) else np.array(values)
        return flat.astype(dtype).reshape(shape)


@cache
def read_groups() -> dict[str, list[dict[str, Any]]]:
    """Return the parameters and outcomes of all recorded cases, by framework and operator, such as "onnx_slice"."""
    documents = {path.stem: json.loads(path.read_text()) for path in (Path(__file__).parents[1] / "vectors").iterdir()}
    assert {each["schema"] for each in documents.values()} == {"slice-family-vectors/2"}
    return {
        f"{framework}_{name}": group["cases"]
        for framework, document in documents.items()
        for name, group in document["groups"].items()
    }


def load_cases(name: str) -> list[Case]:
    """Return the cases of a group."""
    return [Case(case) for case in read_groups()[name]]


def _call(function: Callable[..., Any], *names: str, **by_name: str) -> Callable[[Case], Any]:
    """Return the call of a function with parameters of a case; those by position have the types that the case names."""

    def call(case: Case) -> Any:
        p = case.parameters
        types = [p.get(f"{name}_dtype", p.get("index_dtype")) for name in names]
        typed = [
            p[name] if None in (p[name], kind) else np.array(p[name], kind)
            for name, kind in zip(names, types, strict=True)
        ]
        return function(case.data, *typed, **{name: p[each] for name, each in by_name.items()})

    return call


def _call_of_op(dialect: str) -> Callable[[Case], Any]:
    """Return the call of a dialect's operator that a case names, with its inputs in order."""

    def call(case: Case) -> Any:
        p = case.parameters
        types = p.get("op_input_dtypes", [None] * len(p["op_inputs"]))
        pairs = zip(p["op_inputs"], types, strict=True)
        inputs = [each if kind is None else np.array(each, kind) for each, kind in pairs]
        return getattr(getattr(fo, dialect), p["op"].lower())(case.data, *inputs, **p["attrs"])

    return call


def _call_of_function(dialect: str) -> Callable[[Case], Any]:
    """Return the call of a dialect's function that a case names, with its arguments by name."""

    def call(case: Case) -> Any:
        function = getattr(getattr(fo, dialect), case.parameters["function"])
        attrs = case.parameters["attrs"]
        if dialect != "torch":
            return function(case.data, **attrs)
        # The files write a slice as a list and an ellipsis as a string.
        index = {"index": tuple([_place(each) for each in attrs["index"]])} if "index" in attrs else {}
        return function(import_module("torch").from_numpy(case.data), **attrs | index).numpy()

    return call


def _place(place: Any) -> Any:
    return slice(*place) if isinstance(place, list) else ... if place == "..." else place


def _tensorflow_strided_slice(data: Any, *bounds: Any, **masks: Any) -> Any:
    bits = {name: sum(bit << i for i, bit in enumerate(mask)) for name, mask in masks.items()}
    return fo.tensorflow.strided_slice(data, *bounds, **bits)


def _onnx_pad(data: Any, before: Any, after: Any, *others: Any, mode: str) -> Any:
    return fo.onnx.pad(data, [*before, *after], *others, mode=mode)


def _numpy_pad(data: Any, before: Any, after: Any, mode: Any, fill: Any) -> Any:
    # NumPy takes no empty list for an array without axes.
    widths = np.array([before, after], int).T if before else 0
    values = {} if fill is None else {"constant_values": _number(fill, lambda number: number)}
    return fo.numpy.pad(data, widths, mode, **values)


def _number(value: Any, scalar: Any) -> Any:
    # The files write "nan" and "inf" as strings.
    with np.errstate(over="ignore"):
        return scalar(float(value) if isinstance(value, str) else value)


def numbers_of(case: Case) -> list[Any]:
    """Return the inputs of a range in the types that the case names, as NumPy or OpenVINO names them."""
    p, found = case.parameters, []
    for name in ("start", "stop", "step"):
        kind = p.get(f"{name}_type") or p["dtype"]
        if kind in ("bf16", "bfloat16"):
            scalar: Any = ml_dtypes.bfloat16
        else:
            scalar = np.dtype(f"{kind[0]}{int(kind[1:]) // 8}" if kind[1:].isdecimal() else kind).type
        found.append(_number(p[name], scalar))
    return found


#: The call of each group.
CALLS: dict[str, Callable[[Case], Any]] = {
    "openvino_strided_slice": _call(fo.strided_slice, "begin", "end", "strides", **{name: name for name in MASKS}),
    "openvino_variadic_split": _call(fo.variadic_split, "axis", "split_lengths"),
    "openvino_slice8": _call(fo.openvino.slice, "start", "stop", "step", "axes"),
    "openvino_split": _call(fo.openvino.split, "axis", "num_splits"),
    "openvino_pad12": _call(fo.openvino.pad, "pads_begin", "pads_end", "mode", "fill"),
    "openvino_roll_reverse_tile_broadcast": _call_of_op("openvino"),
    "openvino_range": lambda case: fo.range(*numbers_of(case), case.parameters["output_type"]),
    "onnx_slice": _call(fo.onnx.slice, "start", "stop", "axes", "step"),
    "onnx_pad": _call(_onnx_pad, "pads_begin", "pads_end", "fill", "axes", mode="mode"),
    "onnx_split_tile_expand": _call_of_op("onnx"),
    "onnx_range": lambda case: fo.onnx.range(*numbers_of(case)),
    "tf_strided_slice": _call(_tensorflow_strided_slice, "begin", "end", "strides", **{name: name for name in MASKS}),
    "tf_range": lambda case: fo.tensorflow.range(*numbers_of(case), dtype=case.parameters["dtype"]),
    "numpy_pad": _call(_numpy_pad, "pads_begin", "pads_end", "mode", "fill"),
    "trt_slice_formula": _call(fo.tensorrt.slice, "start", "size", "stride", axes="axes", mode="mode", fill="fill"),
    **{
        f"{prefix}_{kind}": _call_of_function(dialect)
        for prefix, dialect in {"tf": "tensorflow", **{each: each for each in ("numpy", "openvino", "torch")}}.items()
        for kind in ("layout", "patches")
    },
    "onnx_layout": _call_of_function("onnx"),
}
