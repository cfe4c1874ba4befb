"""Compare functions of dialects with their frameworks on random calls. A framework that is not installed is skipped."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from inspect import signature
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.conformance import _numpy, _onnx, _openvino, _tensorflow, _torch
from tests.conformance._calls import Array, are_axes
from tests.conformance._live import Function, check_live
from tests.conformance.matrix import functions_of
from tests.helpers.oracle import MASKS

Run = Callable[..., Any]


def framework(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed")


# NumPy


def sliding_window_view(x: Array, window_shape: Any, axis: Any = None, *, step: int = 1) -> Array:
    """NumPy's function has no step: take every step-th window."""
    windows = np.lib.stride_tricks.sliding_window_view(x, window_shape, axis)
    axes = range(x.ndim) if axis is None else np.ravel(axis).astype(int).tolist()
    steps = {k % x.ndim: step for k in axes}
    return windows[tuple([slice(None, None, steps.get(k, 1)) for k in range(x.ndim)])]


NUMPY = {"take_slice": lambda x, index: x[index], "sliding_window_view": sliding_window_view}


def as_arrays(function: Run) -> Run:
    """Return a function that returns arrays in place of scalars, in the byte order of data."""

    def run(data: Array, *arguments: Any, **keywords: Any) -> Any:
        result = function(data, *arguments, **keywords)
        return result if isinstance(result, list | tuple | np.ndarray) else np.asarray(result, data.dtype)

    return run


@pytest.mark.parametrize("name", functions_of("numpy"))
def test_numpy(name: str) -> None:
    theirs, ours = as_arrays(NUMPY.get(name) or getattr(np, name)), as_arrays(getattr(fo.numpy, name))
    function = Function(name, _numpy.DRAWS[name], theirs, ours, name != "ascontiguousarray", _numpy.NumPyDice)
    check_live(function, _numpy.DEPARTURES)


# PyTorch


def as_tensor(array: Array) -> Any:
    """Return a tensor of an array's memory."""
    if array.dtype == ml_dtypes.bfloat16:
        return framework("torch").from_numpy(array.view(np.int16)).view(framework("torch").bfloat16)
    return framework("torch").from_numpy(array)


def of_tensor(tensor: Any) -> Array:
    """Return an array of a tensor's elements."""
    if str(tensor.dtype) == "torch.bfloat16":
        return tensor.contiguous().view(framework("torch").int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.resolve_conj().numpy()


def on_arrays(function: Run) -> Run:
    """Return a function of arrays for a function of tensors."""

    def run(data: Array, *arguments: Any, **keywords: Any) -> Any:
        result = function(as_tensor(data), *arguments, **keywords)
        return list(map(of_tensor, result)) if isinstance(result, list | tuple) else of_tensor(result)

    return run


# PyTorch has no function for windows in other modes than strict bounds.
@pytest.mark.parametrize("name", [each for each in functions_of("torch") if each != "slice"])
def test_torch(name: str) -> None:
    torch = framework("torch")
    # These calls move few elements: waiting for other threads would take most of the time.
    torch.set_num_threads(1)
    own = {"take_slice": lambda x, index: x[index]}.get(name) or getattr(torch.nn.functional, name, None)
    theirs = on_arrays(own or getattr(torch, name))
    function = Function(name, _torch.DRAWS[name], theirs, on_arrays(getattr(fo.torch, name)), True, _torch.TorchDice)
    check_live(function, _torch.DEPARTURES)


# TensorFlow


def of_tensorflow(name: str) -> Run:
    """Return TensorFlow's function of a name; it returns arrays."""
    tf = framework("tensorflow")
    others = {
        "batch_to_space_nd": lambda x, block_shape, crops: tf.raw_ops.BatchToSpaceND(
            input=x, block_shape=block_shape, crops=crops
        ),
        "depth_to_space": tf.nn.depth_to_space,
        "extract_patches": tf.image.extract_patches,
        "space_to_depth": tf.nn.space_to_depth,
    }
    function = others.get(name) or getattr(tf, name)

    def run(*arguments: Any, **keywords: Any) -> Any:
        result = function(*arguments, **keywords)
        return [each.numpy() for each in result] if isinstance(result, list) else result.numpy()

    return run


@pytest.mark.parametrize("name", functions_of("tensorflow"))
def test_tensorflow(name: str) -> None:
    ours = getattr(fo.tensorflow, name)
    function = Function(name, _tensorflow.DRAWS[name], of_tensorflow(name), ours, True, _tensorflow.TensorFlowDice)
    check_live(function, _tensorflow.DEPARTURES)


# ONNX Runtime, and onnx's own evaluator for operators without a kernel. Each call is made twice: of the function, and
# of a model's node that `fastops.onnx.from_node` reads.

# The opset of each operator; SpaceToDepth has modes from opset 28 on.
OPSETS = {
    **dict.fromkeys(("DepthToSpace", "Expand", "Slice", "Tile"), 13),
    **dict.fromkeys(("CenterCropPad", "Split"), 18),
    "Pad": 19,
    "Range": 11,
    "SpaceToDepth": 28,
    "Transpose": 21,
}


def node_of(name: str, *values: Any, **keywords: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """Return the node of a call, as the arguments of `proto_of`, and its inputs; None is an input that is left out."""
    arguments = signature(getattr(fo.onnx, name)).bind(*values, **keywords).arguments
    op = name.title().replace("_", "")
    first, *others = [each.name for each in framework("onnx").defs.get_schema(op, OPSETS[op]).inputs]
    inputs: list[Any] = [np.asarray(arguments.pop(first))]
    outputs = len(arguments["split"]) if "split" in arguments else max(arguments.get("num_outputs", 1), 0)
    given = [arguments[each] for each in others if isinstance(arguments.get(each), np.ndarray)]
    # The lists of Slice have one type.
    indices = given[0].dtype if name == "slice" and given else np.dtype("int64")
    for each in others:
        value = arguments.pop(each, None)
        dtype = getattr(value, "dtype", inputs[0].dtype if each == "constant_value" else indices)
        inputs.append(None if value is None else np.asarray(value, dtype))
    while inputs[-1] is None:
        inputs.pop()
    lists = {key: tuple(map(int, each)) for key, each in arguments.items() if isinstance(each, list | np.ndarray)}
    dtypes = tuple([each if each is None else each.dtype for each in inputs])
    return (op, dtypes, outputs, tuple((arguments | lists).items())), inputs


@cache
def proto_of(op: str, dtypes: tuple[Any, ...], outputs: int, attributes: tuple[Any, ...]) -> Any:
    onnx = framework("onnx")
    inputs = [f"input_{i}" if dtype is not None else "" for i, dtype in enumerate(dtypes)]
    node = onnx.helper.make_node(op, inputs, [f"output_{i}" for i in range(outputs)])
    for key, value in attributes:
        # onnx cannot tell the type of an empty list.
        kind = onnx.AttributeProto.INTS if value == () else None
        node.attribute.append(onnx.helper.make_attribute(key, value, attr_type=kind))
    return node


@cache
def session_of(op: str, dtypes: tuple[Any, ...], outputs: int, attributes: tuple[Any, ...]) -> Any:
    """Return a session of a model of one node, with inputs of any shape."""
    onnx, onnxruntime = framework("onnx"), framework("onnxruntime")
    node = proto_of(op, dtypes, outputs, attributes)
    described = [
        [
            onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(dtype), None)
            for name, dtype in zip(names, types, strict=True)
            if name
        ]
        for names, types in ((node.input, dtypes), (node.output, dtypes[:1] * outputs))
    ]
    graph = onnx.helper.make_graph([node], "graph", *described)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", OPSETS[op])], ir_version=10)
    if op == "SpaceToDepth":
        # ONNX Runtime has no kernel of this version.
        return framework("onnx.reference").ReferenceEvaluator(model)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run_onnx(name: str, *values: Any, **keywords: Any) -> Any:
    node, inputs = node_of(name, *values, **keywords)
    results = session_of(*node).run(None, {f"input_{i}": each for i, each in enumerate(inputs) if each is not None})
    return list(results) if name == "split" else results[0]


def run_node(name: str, *values: Any, **keywords: Any) -> Any:
    node, inputs = node_of(name, *values, **keywords)
    return fo.onnx.from_node(proto_of(*node))(*inputs)


@pytest.mark.parametrize("way", ["function", "node"])
@pytest.mark.parametrize("name", functions_of("onnx"))
def test_onnx(name: str, way: str) -> None:
    framework("onnxruntime")
    ours = getattr(fo.onnx, name) if way == "function" else partial(run_node, name)
    function = Function(name, _onnx.DRAWS[name], partial(run_onnx, name), ours, True, _onnx.OnnxDice)
    check_live(function, _onnx.DEPARTURES)


# OpenVINO's reference kernels, by Node.evaluate with shape inference. Its CPU plugin runs roll and
# extract_image_patches, because these have no reference kernels.

# Layers whose arguments except data are all attributes, and the attributes of other layers. Other arguments are inputs.
WITHOUT_INPUTS = ("depth_to_space", "extract_image_patches", "shuffle_channels", "space_to_depth")
ATTRIBUTES = ("mode", "num_splits", "output_type", "pad_mode", *MASKS)


def inputs_of(name: str, *values: Any, **keywords: Any) -> tuple[list[Array], dict[str, Any]]:
    """Return the inputs of a layer as arrays, the data first, and its attributes."""
    arguments = signature(getattr(fo.openvino, name)).bind(*values, **keywords).arguments
    arrays = []
    if name != "range":
        data = arguments.pop(next(iter(arguments)))
        # ascontiguousarray adds an axis to data of rank 0.
        arrays.append(np.ascontiguousarray(data).reshape(data.shape))
    names = [] if name in WITHOUT_INPUTS else [each for each in arguments if each not in ATTRIBUTES]
    inputs = {each: arguments.pop(each) for each in names}
    given = [each for each in inputs.values() if isinstance(each, np.ndarray)]
    # The lists of an operator have one type.
    dtype = given[0].dtype if given and name not in ("roll", "range") else np.dtype("int64")
    if name == "reverse" and arguments["mode"].lower() == "mask":
        dtype = np.dtype(bool)
    arrays += [np.array(each, getattr(each, "dtype", dtype)) for each in inputs.values()]
    attributes = {key: tuple(value) if isinstance(value, list) else value for key, value in arguments.items()}
    if name == "range":
        attributes["output_type"] = framework("openvino").Type(np.dtype(attributes["output_type"])).get_type_name()
    if name in ("depth_to_space", "space_to_depth"):
        attributes.setdefault("block_size", 1)
    if name == "slice" and "axes" not in inputs:
        # Pass the default, the first axes: Node.evaluate reads out of bounds without axes.
        arrays.append(np.arange(len(inputs["start"]), dtype=dtype))
    return arrays, attributes


def layer_of(name: str, inputs: list[Any], attributes: dict[str, Any]) -> Any:
    # Later opsets have no Reverse.
    opset = "opset1" if name == "reverse" else "opset13"
    factory = framework("openvino").utils.node_factory.NodeFactory(opset)
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in attributes.items()}
    return factory.create(name.title().replace("_", ""), [each.output(0) for each in inputs], lists)


def result_of(name: str, results: list[Array]) -> Array | list[Array]:
    return results if name in ("split", "variadic_split") else results[0]


def reference(name: str, *values: Any, **keywords: Any) -> Any:
    """Return the results of Node.evaluate."""
    ov, opset = framework("openvino"), framework("openvino.opset13")
    arrays, attributes = inputs_of(name, *values, **keywords)
    inputs: list[Any] = [opset.constant(each) for each in arrays]
    if name != "range":
        inputs[0] = opset.parameter(arrays[0].shape, ov.Type(arrays[0].dtype))
    layer = layer_of(name, inputs, attributes)
    outputs = [layer.output(i) for i in range(layer.get_output_size())]
    results = ov.TensorVector([ov.Tensor(each.get_element_type(), each.get_shape()) for each in outputs])
    assert layer.evaluate(results, ov.TensorVector([ov.Tensor(each) for each in arrays]))
    return result_of(name, [each.data.copy() for each in results])


def on_plugin(name: str, *values: Any, **keywords: Any) -> Any:
    """Return the results of the CPU plugin for a model of one layer.

    The model takes inputs of any extents. For extract_image_patches, it takes images of one shape.
    """
    arrays, attributes = inputs_of(name, *values, **keywords)
    is_fixed = name == "extract_image_patches"
    kinds = tuple([(each.dtype.name, each.shape if is_fixed else (-1,) * each.ndim) for each in arrays])
    model = compiled_model
    if name == "roll" and not are_axes(arrays[2].ravel().tolist(), arrays[0].ndim, may_repeat=True):
        # Compile a new model: a model that gets the shapes of its last call does not check axes, and writes out of
        # bounds.
        model = compiled_model.__wrapped__
    return result_of(name, [np.array(each) for each in model(name, kinds, tuple(attributes.items()))(arrays).values()])


@cache
def compiled_model(name: str, kinds: tuple[Any, ...], attributes: tuple[Any, ...]) -> Any:
    ov, opset = framework("openvino"), framework("openvino.opset13")
    parameters = [opset.parameter(ov.PartialShape(shape), ov.Type(np.dtype(dtype))) for dtype, shape in kinds]
    layer = layer_of(name, parameters, dict(attributes))
    return ov.Core().compile_model(ov.Model([layer], parameters), "CPU")


@pytest.mark.parametrize("name", functions_of("openvino"))
def test_openvino(name: str) -> None:
    framework("openvino")
    is_of_plugin = name in ("roll", "extract_image_patches")
    theirs = partial(on_plugin if is_of_plugin else reference, name)
    dice = _openvino.PluginDice if is_of_plugin else _openvino.OpenVINODice
    function = Function(name, _openvino.DRAWS[name], theirs, getattr(fo.openvino, name), name != "tile", dice)
    check_live(function, _openvino.DEPARTURES)
