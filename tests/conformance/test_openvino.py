"""fastops.openvino beside OpenVINO's reference kernels, through Node.evaluate with shape inference, on random calls.

Its CPU plugin rolls and cuts patches, which have no reference kernels.
"""

from __future__ import annotations

from functools import cache, partial
from inspect import signature
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance import _openvino_plugin
from tests.conformance._live import Function, check_live
from tests.conformance._openvino_departures import DEPARTURES
from tests.conformance._openvino_draws import DRAWS
from tests.conformance._openvino_plugin import DEPARTURES as PLUGIN_DEPARTURES
from tests.conformance._operators import functions_of
from tests.conformance._outcomes import Array

openvino = pytest.importorskip("openvino")
opset = pytest.importorskip("openvino.opset13")

_PARTS = ("split", "variadic_split")

# What a layer has as inputs; the others are attributes.
INPUTS = {
    "batch_to_space": ("block_shape", "crops_begin", "crops_end"),
    "broadcast": ("target_shape", "axes_mapping"),
    "pad": ("pads_begin", "pads_end", "pad_value"),
    "range": ("start", "stop", "step"),
    "reverse": ("axis",),
    "roll": ("shift", "axes"),
    "slice": ("start", "stop", "step", "axes"),
    "space_to_batch": ("block_shape", "pads_begin", "pads_end"),
    "split": ("axis",),
    "strided_slice": ("begin", "end", "strides"),
    "tile": ("repeats",),
    "transpose": ("input_order",),
    "variadic_split": ("axis", "split_lengths"),
}


def arguments_of(name: str, *values: Any, **keywords: Any) -> tuple[Array | None, dict[str, Any], dict[str, Any]]:
    """Return the data of a call, its other inputs as arrays, and its attributes."""
    parameters = tuple(signature(getattr(fo.openvino, name)).parameters)
    arguments = dict(zip(parameters, values, strict=False)) | keywords
    data = None if name == "range" else arguments.pop(parameters[0])
    given = [arguments[each] for each in INPUTS.get(name, ()) if isinstance(arguments.get(each), np.ndarray)]
    is_boolean = name == "reverse" and arguments["mode"].lower() == "mask"
    # The lists of an operator have one type.
    dtype = np.dtype(bool if is_boolean else "int64")
    if given and name not in ("roll", "range"):
        dtype = given[0].dtype
    inputs = {}
    for each in INPUTS.get(name, ()):
        value = arguments.pop(each, None)
        if value is not None:
            own = value.dtype if isinstance(value, np.generic | np.ndarray) else dtype
            inputs[each] = np.array(value, own)
    return data, inputs, arguments


def evaluate(node: Any, *inputs: Array) -> list[Array]:
    outputs = [node.output(i) for i in range(node.get_output_size())]
    results = openvino.TensorVector([openvino.Tensor(each.get_element_type(), each.get_shape()) for each in outputs])
    assert node.evaluate(results, openvino.TensorVector([openvino.Tensor(each) for each in inputs]))
    return [result.data.copy() for result in results]


def parameter_like(data: Array) -> Any:
    return opset.parameter(data.shape, openvino.Type(data.dtype))


def node_of(name: str, first: Any, inputs: dict[str, Any], attributes: dict[str, Any]) -> Any:
    """Return a node of OpenVINO; inputs are its constants."""
    if name == "reverse":
        # Opsets of Python have none.
        factory = openvino.utils.node_factory.NodeFactory("opset1")
        return factory.create("Reverse", [first.output(0), inputs["axis"].output(0)], attributes)
    operator = getattr(opset, name)
    others: dict[str, Any] = dict(attributes)
    if name == "range":
        kind = openvino.Type(np.dtype(others["output_type"])).get_type_name()
        return operator(*inputs.values(), output_type=kind)
    if name == "strided_slice":
        masks = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
        return operator(first, *inputs.values(), *[list(others.get(mask, ())) for mask in masks])
    if name == "broadcast":
        mode = others.get("mode", "numpy")
        return operator(first, inputs["target_shape"], inputs.get("axes_mapping"), mode)
    if name == "pad":
        values = [inputs["pads_begin"], inputs["pads_end"], others["pad_mode"]]
        return operator(first, *values, *([inputs["pad_value"]] if "pad_value" in inputs else []))
    if name == "shuffle_channels":
        return operator(first, others.get("axis", 1), others.get("group", 1))
    others = {key: list(value) if isinstance(value, tuple) else value for key, value in others.items()}
    if name == "extract_image_patches":
        return operator(first, others["sizes"], others["strides"], others["rates"], others["auto_pad"])
    return operator(first, *inputs.values(), **others)


def reference(name: str, *values: Any, **keywords: Any) -> Any:
    """Return what Node.evaluate gives."""
    data, inputs, attributes = arguments_of(name, *values, **keywords)
    if name == "slice" and "axes" not in inputs:
        # Without axes, Node.evaluate reads out of bounds. By default they are the first ones.
        inputs["axes"] = np.arange(len(inputs["start"]), dtype=inputs["start"].dtype)
    arrays = [*([] if data is None else [np.ascontiguousarray(data).reshape(data.shape)]), *inputs.values()]
    first = None if data is None else parameter_like(data)
    constants = {key: opset.constant(value) for key, value in inputs.items()}
    node = node_of(name, first, constants, attributes)
    if name == "extract_image_patches":
        return openvino.Core().compile_model(openvino.Model([node], [first]), "CPU")([arrays[0]])[0]
    results = on_plugin(name, arrays, inputs, attributes) if name == "roll" else evaluate(node, *arrays)
    return results if name in _PARTS else results[0]


def on_plugin(name: str, arrays: list[Array], inputs: dict[str, Array], attributes: dict[str, Any]) -> list[Array]:
    """Return what a model of one node gives on the CPU plugin, which takes inputs of any extents."""
    kinds = tuple([(each.dtype.name, each.ndim) for each in arrays])
    compiled = compiled_model(name, kinds, tuple(inputs), tuple(attributes.items()))
    return [np.array(each) for each in compiled(arrays).values()]


@cache
def compiled_model(
    name: str, kinds: tuple[tuple[str, int], ...], names: tuple[str, ...], attributes: tuple[tuple[str, Any], ...]
) -> Any:
    parameters = [
        opset.parameter(openvino.PartialShape([-1] * rank), openvino.Type(np.dtype(dtype))) for dtype, rank in kinds
    ]
    inputs = parameters[len(parameters) - len(names) :]
    node = node_of(name, parameters[0], dict(zip(names, inputs, strict=True)), dict(attributes))
    return openvino.Core().compile_model(openvino.Model([node], parameters), "CPU")


@pytest.mark.parametrize("name", DRAWS)
def test_functions(name: str) -> None:
    check_live(
        Function(name, DRAWS[name], partial(reference, name), getattr(fo.openvino, name), refuses=name != "tile"),
        DEPARTURES,
    )


@pytest.mark.parametrize("name", ["range", "slice"])
def test_functions_on_the_plugin(name: str) -> None:
    def theirs(*values: Any, **keywords: Any) -> Array:
        data, inputs, attributes = arguments_of(name, *values, **keywords)
        arrays = [*([] if data is None else [np.ascontiguousarray(data)]), *inputs.values()]
        return on_plugin(name, arrays, inputs, attributes)[0]

    draw = getattr(_openvino_plugin, f"draw_{name}")
    check_live(Function(name, draw, theirs, getattr(fo.openvino, name), refuses=False), PLUGIN_DEPARTURES)


def test_tiles_on_the_plugin() -> None:
    check_live(
        Function("tile", _openvino_plugin.draw_tile, tiled_on_plugin, fo.openvino.tile, refuses=True), PLUGIN_DEPARTURES
    )


def tiled_on_plugin(data: Array, repeats: Array) -> Array:
    """What the CPU plugin gives, which must not be asked for no repeats: it may end the process."""
    if not len(repeats):
        raise ValueError("not asked")
    result: Array = np.array(model_of_tile(data.dtype.name, data.ndim, tuple(repeats.tolist()))([data])[0])
    return result


@cache
def model_of_tile(dtype: str, rank: int, repeats: tuple[int, ...]) -> Any:
    parameter = opset.parameter(openvino.PartialShape([-1] * rank), openvino.Type(np.dtype(dtype)))
    node = opset.tile(parameter, opset.constant(np.array(repeats, np.int64)))
    return openvino.Core().compile_model(openvino.Model([node], [parameter]), "CPU")


def test_every_operator_has_random_calls() -> None:
    assert set(DRAWS) == functions_of("openvino")
