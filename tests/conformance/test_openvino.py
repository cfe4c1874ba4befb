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
from tests.conformance import _openvino, _openvino_plugin
from tests.conformance._live import Array, Function, check_live
from tests.conformance._openvino import DEPARTURES
from tests.conformance._operators import functions_of

openvino = pytest.importorskip("openvino")
opset = pytest.importorskip("openvino.opset13")

# What a layer has as inputs behind the data; the others are attributes.
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


def arguments_of(name: str, *values: Any, **keywords: Any) -> tuple[list[Array], dict[str, Any]]:
    """Return the inputs of a call as arrays, the data first, and its attributes."""
    arguments = signature(getattr(fo.openvino, name)).bind(*values, **keywords).arguments
    arrays = []
    if name != "range":
        data = arguments.pop(next(iter(arguments)))
        # Of data of rank 0, ascontiguousarray makes an axis.
        arrays.append(np.ascontiguousarray(data).reshape(data.shape))
    inputs = {each: arguments.pop(each) for each in INPUTS.get(name, ()) if arguments.get(each) is not None}
    given = [each for each in inputs.values() if isinstance(each, np.ndarray)]
    # The lists of an operator have one type.
    dtype = given[0].dtype if given and name not in ("roll", "range") else np.dtype("int64")
    if name == "reverse" and arguments["mode"].lower() == "mask":
        dtype = np.dtype(bool)
    is_typed = {each: isinstance(value, np.generic | np.ndarray) for each, value in inputs.items()}
    arrays += [np.array(value, value.dtype if is_typed[each] else dtype) for each, value in inputs.items()]
    attributes = {key: tuple(value) if isinstance(value, list) else value for key, value in arguments.items()}
    if name == "range":
        attributes["output_type"] = openvino.Type(np.dtype(attributes["output_type"])).get_type_name()
    if name in ("depth_to_space", "space_to_depth"):
        attributes.setdefault("block_size", 1)
    if name == "slice" and "axes" not in inputs:
        # Without axes, Node.evaluate reads out of bounds. By default they are the first ones.
        arrays.append(np.arange(len(inputs["start"]), dtype=dtype))
    return arrays, attributes


def node_of(name: str, inputs: list[Any], attributes: dict[str, Any]) -> Any:
    # Later opsets have no Reverse.
    factory = openvino.utils.node_factory.NodeFactory("opset1" if name == "reverse" else "opset13")
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in attributes.items()}
    return factory.create(name.title().replace("_", ""), [each.output(0) for each in inputs], lists)


def result_of(name: str, results: list[Array]) -> Array | list[Array]:
    return results if name in ("split", "variadic_split") else results[0]


def reference(name: str, *values: Any, **keywords: Any) -> Any:
    """Return what Node.evaluate gives."""
    arrays, attributes = arguments_of(name, *values, **keywords)
    inputs: list[Any] = [opset.constant(each) for each in arrays]
    if name != "range":
        inputs[0] = opset.parameter(arrays[0].shape, openvino.Type(arrays[0].dtype))
    node = node_of(name, inputs, attributes)
    outputs = [node.output(i) for i in range(node.get_output_size())]
    results = openvino.TensorVector([openvino.Tensor(each.get_element_type(), each.get_shape()) for each in outputs])
    assert node.evaluate(results, openvino.TensorVector([openvino.Tensor(each) for each in arrays]))
    return result_of(name, [each.data.copy() for each in results])


def on_plugin(name: str, *values: Any, constants: int = 0, **keywords: Any) -> Any:
    """Return what a model of one node gives on the CPU plugin; the last inputs are constants of it.

    Others are of any extents, but for patches, which take the extents of images from their type.
    """
    arrays, attributes = arguments_of(name, *values, **keywords)
    last = len(arrays) - constants
    is_fixed = name == "extract_image_patches"
    kinds = tuple([(each.dtype.name, each.shape if is_fixed else (-1,) * each.ndim) for each in arrays[:last]])
    fixed = tuple([tuple(each.tolist()) for each in arrays[last:]])
    compiled = compiled_model(name, kinds, fixed, tuple(attributes.items()))
    return result_of(name, [np.array(each) for each in compiled(arrays[:last]).values()])


@cache
def compiled_model(name: str, kinds: tuple[Any, ...], constants: tuple[Any, ...], attributes: tuple[Any, ...]) -> Any:
    typed = [(openvino.PartialShape(shape), openvino.Type(np.dtype(dtype))) for dtype, shape in kinds]
    parameters = [opset.parameter(*each) for each in typed]
    fixed = [opset.constant(np.array(each, np.int64)) for each in constants]
    node = node_of(name, [*parameters, *fixed], dict(attributes))
    return openvino.Core().compile_model(openvino.Model([node], parameters), "CPU")


@pytest.mark.parametrize("name", functions_of("openvino"))
def test_functions(name: str) -> None:
    theirs = partial(on_plugin if name in ("roll", "extract_image_patches") else reference, name)
    draw, ours = getattr(_openvino, f"draw_{name}"), getattr(fo.openvino, name)
    check_live(Function(name, draw, theirs, ours, refuses=name != "tile"), DEPARTURES)


@pytest.mark.parametrize("name", ["range", "slice", "tile"])
def test_functions_on_the_plugin(name: str) -> None:
    def theirs(*values: Any, **keywords: Any) -> Any:
        if name == "tile" and not len(values[1]):
            raise ValueError("not asked, because it may end the process")
        return on_plugin(name, *values, constants=int(name == "tile"), **keywords)

    draw = getattr(_openvino_plugin, f"draw_{name}")
    known = _openvino_plugin.DEPARTURES
    check_live(Function(name, draw, theirs, getattr(fo.openvino, name), refuses=name == "tile"), known)
