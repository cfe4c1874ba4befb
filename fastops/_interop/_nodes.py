"""ONNX nodes as calls of `fastops.onnx` and as operators of onnx's reference evaluator, and the plans of a model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import Any

from fastops._errors import AttributeValueError, DTypeError, FastopsError, errors_of
from fastops._geometry._numbers import Indices, as_index
from fastops._interop import _layer
from fastops._interop._graph_values import GraphValues, domain_of, read_type, text_of
from fastops._interop._layer import Layer
from fastops.plan._open_plan import NodePlan
from fastops.plan._range_and_windows_plan import RangePlan

_OP = "onnx.from_node"
_PLANS = "onnx.plans"


# For each operator, the number of parameters of the function of `fastops.onnx` that are inputs of a node, and the
# attributes that a node may have in any version: in older versions, some of the inputs are attributes.
_OPERATORS: dict[str, tuple[int, tuple[str, ...]]] = {
    "CenterCropPad": (2, ("axes",)),
    "DepthToSpace": (1, ("blocksize", "mode")),
    "Expand": (2, ()),
    "Pad": (4, ("mode", "pads", "paddings", "value")),
    "Range": (3, ()),
    "Slice": (5, ("starts", "ends", "axes")),
    "SpaceToDepth": (1, ("blocksize", "mode")),
    "Split": (2, ("axis", "num_outputs", "split")),
    "Tile": (2, ()),
    "Transpose": (1, ("perm",)),
}

# Attributes of older versions of operators, and the arguments that stand for them.
_ARGUMENTS = {"paddings": "pads", "value": "constant_value"}


def from_node(node: Any, opset: int | None = None) -> Layer:
    """Return an ONNX node of the slicing family as a callable.

    Parameters
    ----------
    node : onnx.NodeProto
        A node of Slice, Split, Pad, Tile, Expand, Range, CenterCropPad, Transpose, DepthToSpace or SpaceToDepth, of any
        version of the operator.
    opset : int, optional
        The version of ONNX's operator set that the node's model imports: the node must have inputs and attributes of
        this version. By default, it may have those of any version.

    Returns
    -------
    Layer
        It takes the node's inputs in order, with None for each input that is left out, and returns the result of the
        function of `fastops.onnx`. Its method ``plan`` takes a shape in place of data and returns the plan;
        ``attributes`` are the node's attributes.

    Raises
    ------
    AttributeValueError
        The node is of another operator or domain, or has attributes that no version of the operator has, or that the
        version of ``opset`` does not have.
    DTypeError
        ``node`` is no node, or ``opset`` is no integer.
    ImportError
        onnx is not installed: the extra ``onnx`` has it.

    Notes
    -----
    Specification: ONNX opsets 1 to 28. Tile of opset 1, which takes a count and an axis, is not read. In any opset, a
    Split without lengths gives as many parts as the node has outputs, and the last part may be shorter.

    Examples
    --------
    >>> import numpy as np, onnx.helper
    >>> from fastops import onnx as fonnx
    >>> flip = fonnx.from_node(onnx.helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["y"]))
    >>> flip(np.arange(4), [-1], [-9], [0], [-1])
    array([3, 2, 1, 0])
    >>> print(flip.plan((4,), [-1], [-9], [0], [-1]))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    onnx = _layer.import_extra(_OP, "onnx", "onnx")
    if not isinstance(node, onnx.NodeProto):
        raise DTypeError(_OP, "node", "be an onnx.NodeProto", node)
    op_type = node.op_type
    if node.domain not in ("", "ai.onnx") or op_type not in _OPERATORS:
        name = f"{node.domain}.{op_type}" if node.domain else op_type
        raise AttributeValueError(_OP, "node", f"be of operator {', '.join(_OPERATORS)}", name)
    try:
        written = {_plain(each.name): _plain(onnx.helper.get_attribute_value(each)) for each in node.attribute}
    except (ValueError, TypeError) as error:
        raise AttributeValueError(_OP, "node", "have attributes that onnx reads", op_type) from error
    n_inputs, known = _OPERATORS[op_type]
    if not set(written) <= set(known):
        raise AttributeValueError(_OP, "node", f"have attributes that a {op_type} has", sorted(written))
    if op_type == "Tile" and len(node.input) > 2:
        raise AttributeValueError(_OP, "node", "be of Tile-6 or later, which has two inputs", op_type)
    if opset is not None:
        with errors_of(_OP, {"opset": opset}):
            _check_version(onnx, node, written, as_index("opset", opset))
    attributes = {_ARGUMENTS.get(name, name): value for name, value in written.items()}
    names = [*_layer.parameters_of(_layer.function_of("onnx", op_type))][:n_inputs]
    inputs = [name for name in names if name not in attributes]
    # An input with an empty name is left out.
    if op_type == "Split" and not any(node.input[1:]) and not {"split", "num_outputs"} & set(attributes):
        attributes["num_outputs"] = len(node.output)
    # A call would make as many parts as num_outputs says, even a million.
    if attributes.get("num_outputs", len(node.output)) != len(node.output):
        rule = f"have {attributes['num_outputs']} outputs, as num_outputs says"
        raise AttributeValueError(_OP, "node", rule, len(node.output))
    return Layer("onnx", op_type, node.name, attributes, inputs)


def _check_version(onnx: Any, node: Any, written: Mapping[str, Any], opset: int) -> None:
    """Raise for inputs and attributes that the operator does not have in a version of ONNX's operator set."""
    op_type = node.op_type
    try:
        schema = onnx.defs.get_schema(op_type, opset, "")
    except (onnx.defs.SchemaError, TypeError) as error:
        # onnx raises a TypeError for a version that is no C integer.
        raise AttributeValueError.about("opset", f"have the operator {op_type}", opset) from error
    name = f"{op_type}-{schema.since_version}"
    if not set(written) <= set(schema.attributes):
        raise AttributeValueError.about("node", f"have attributes that {name} of opset {opset} has", sorted(written))
    if not schema.min_input <= len(node.input) <= schema.max_input:
        rule = f"have {schema.min_input} to {schema.max_input} inputs, as {name} of opset {opset}"
        raise AttributeValueError.about("node", rule, len(node.input))


def _plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def reference_ops() -> list[type]:
    """Return classes with which onnx's reference evaluator runs the slicing family on fastops.

    Returns
    -------
    list of type
        Classes for Slice, Split, Pad, Tile, Expand, Range, CenterCropPad, Transpose, DepthToSpace and SpaceToDepth, in
        any version of these operators. They take tensors of all types except strings, which onnx holds as Python's
        objects.

    Raises
    ------
    ImportError
        onnx is not installed.

    Notes
    -----
    Specification: onnx 1.23, ``onnx.reference.ReferenceEvaluator(model, new_ops=fastops.onnx.reference_ops())``.

    Examples
    --------
    >>> from onnx.reference import ReferenceEvaluator
    >>> from onnx.parser import parse_model
    >>> import numpy as np
    >>> from fastops import onnx as fonnx
    >>> graph = "g (int64[2] x, int64[1] n) => (y) {y = Tile(x, n)}"
    >>> model = parse_model('<ir_version: 10, opset_import: ["" : 18]> ' + graph)
    >>> ReferenceEvaluator(model, new_ops=fonnx.reference_ops()).run(None, {"x": np.arange(2), "n": np.array([2])})
    [array([0, 1, 0, 1])]
    """
    op_run: Any = _layer.import_extra("onnx.reference_ops", "onnx.reference.op_run", "onnx").OpRun

    def _run(self: Any, *inputs: Any, **_: Any) -> tuple[Any, ...]:
        # The evaluator passes None for each input that the node leaves out, and all attributes of the newest version.
        result = self._layer(*inputs)
        return tuple(result) if isinstance(result, list) else (result,)

    layer_of = cached_property(lambda self: from_node(self.onnx_node, self.run_params["opsets"].get("")))
    members = {"op_domain": "", "_run": _run, "__module__": __name__}
    return [type(op_type, (op_run,), {**members, "_layer": layer_of}) for op_type in _OPERATORS]


def plans(model: Any, shapes: Mapping[str, Indices] | None = None) -> list[NodePlan]:
    """Return the plan of each slicing node of an ONNX model, without running it.

    onnx infers shapes, node after node. A plan depends on inputs such as starts and pads. They are known if they are
    initializers or Constant nodes, or if the model computes them from such values and from known shapes, as exported
    models do; onnx's reference evaluator computes them.

    Parameters
    ----------
    model : onnx.ModelProto or path
        The model, or the path of a file with a model in ONNX's binary format.
    shapes : mapping of str to list of int, optional
        Shapes of inputs that the model leaves open, such as ``{"x": (1, 3, 224, 224)}``. Dimensions of one name have
        one length.

    Returns
    -------
    list of NodePlan
        One for each node of Slice, Split, Pad, Tile, Expand, Range, CenterCropPad, Transpose, DepthToSpace and
        SpaceToDepth, in the order of the model. If dimensions of data are open, but the plan does not depend on their
        lengths, the plan is a `fastops.plan.OpenPlan` with the names of the dimensions. If a plan is not known before
        a run, the entry has the reason. A node with subgraphs, such as If and Loop, and a node that calls a function
        of the model are entries with a reason too, because the nodes inside them are not read.

    Raises
    ------
    AttributeValueError
        ``shapes`` has a name that no input has, or a shape that an input cannot have; or onnx cannot read the model.
    DTypeError
        ``model`` is neither a model nor a path, or ``shapes`` is no mapping.
    OSError
        The file cannot be read.
    ImportError
        onnx is not installed: the extra ``onnx`` has it.

    Notes
    -----
    ``onnx.inliner.inline_local_functions`` returns a model without functions. Initializers of more than 4096 elements,
    and data in other files, are not read. An initializer counts as constant even if the model also lists it as an
    input.

    Examples
    --------
    >>> from onnx.parser import parse_model
    >>> from fastops import onnx as fonnx
    >>> model = parse_model('''<ir_version: 10, opset_import: ["" : 18]>
    ...     g (float[n, 8] x, int64[2] axes) => (y) <int64[2] starts = {0, 2}, int64[2] ends = {1, 6}>
    ...     {cut = Slice(x, starts, ends)  y = Transpose<perm = [1, 0]>(cut)}''')
    >>> for node in fonnx.plans(model):
    ...     print(node.name, node.op_type, node.plan or node.reason)
    cut Slice data must have a known shape, got x of shape (n, 8)
    y Transpose (?, 4) -> (4, ?)
      axis 0: ?, as it is
      axis 1: extent 4, start 0, stride 1, count 4, strict_bounds
      order: 1, 0
    >>> crop, transpose = fonnx.plans(model, {"x": (5, 8)})
    >>> print(crop.plan)
    (5, 8) -> (1, 4)
      axis 0: extent 5, start 0, stride 1, count 1, strict_bounds
      axis 1: extent 8, start 2, stride 1, count 4, strict_bounds
    """
    onnx = _layer.import_extra(_PLANS, "onnx", "onnx")
    for module in ("onnx.external_data_helper", "onnx.reference", "onnx.shape_inference"):
        _layer.import_extra(_PLANS, module, "onnx")
    proto = _read(onnx, model)
    fixed = {tensor.name for tensor in proto.graph.initializer}
    inputs = {text_of(each.name): read_type(each.type)[1] for each in proto.graph.input if each.name not in fixed}
    values = GraphValues(onnx, proto, _layer.read_shapes(_PLANS, shapes, inputs, "inputs"))
    functions = {(domain_of(each), each.name) for each in proto.functions}
    nodes = []
    for node in proto.graph.node:
        values.add_node(node)
        name = text_of(node.name or next(filter(None, node.output), node.op_type))
        op_type = text_of(node.op_type)
        is_function = (domain_of(node), node.op_type) in functions
        if is_function or any([each.HasField("g") or each.graphs for each in node.attribute]):
            reason = "nodes inside of subgraphs are not read"
            if is_function:
                reason = "nodes inside of functions are not read: onnx.inliner inlines functions"
            nodes.append(NodePlan(name, op_type, None, reason))
        elif not domain_of(node) and node.op_type in _OPERATORS:
            nodes.append(_plan_of(node, values, name))
    return nodes


def _read(onnx: Any, model: Any) -> Any:
    """Return the model, from its file if it is a path; data in other files stays unread."""
    if isinstance(model, onnx.ModelProto):
        return model
    if not isinstance(model, str | os.PathLike):
        raise DTypeError(_PLANS, "model", "be an onnx.ModelProto or a path", model)
    path = os.fspath(model)
    _layer.check_regular_file(_PLANS, "model", path)
    try:
        return onnx.load(path, format="protobuf", load_external_data=False)
    except (import_module("google.protobuf.message").Error, ValueError) as error:
        # The ValueError comes from a path that no file can have.
        raise AttributeValueError(_PLANS, "model", "be a file with an ONNX model", path) from error


def _plan_of(node: Any, values: GraphValues, name: str) -> NodePlan:
    """Return the plan of a node, or the reason why there is none."""
    shape, data = None, ""
    constants: dict[str, Any] = {}
    unknown: dict[str, str] = {}
    try:
        layer = from_node(node, values.opset)
        for argument, source in zip(layer.inputs, node.input, strict=False):
            value = values[source]
            if argument == layer.data_name:
                shape, data = value.shape, text_of(source)
                if shape is None:
                    unknown[argument] = f"{argument} must have a known shape, got {data} of an unknown shape"
            elif source and value.constant is None:
                unknown[argument] = f"{argument} must be a constant, got {text_of(source)}, which is {value.origin}"
            elif source:
                constants[argument] = value.constant
        layer.fix(constants)
        found = _layer.plan_of_layer(layer, name, shape, unknown, data)
    except FastopsError as error:
        return NodePlan(name, node.op_type, None, str(error))
    if found.plan is not None and not isinstance(found.plan, RangePlan):
        parts = found.plan if isinstance(found.plan, list) else [found.plan]
        values.fill_shapes(node.output, [each.shape for each in parts])
    return found
