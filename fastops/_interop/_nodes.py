"""ONNX nodes as calls of `fastops.onnx`, as operators of onnx's reference evaluator, and their plans in a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._geometry._numbers import Indices, as_index
from fastops._interop._graph_values import GraphValues, domain_of, read_type, text_of
from fastops._interop._layer import Layer, check_regular_file, import_extra, parameters_of, plan_of_layer, read_shapes
from fastops.ops.onnx._moves import depth_to_space, expand, space_to_depth, tile, transpose
from fastops.ops.onnx._range import range
from fastops.ops.onnx._slices import center_crop_pad, pad, slice, split
from fastops.plan._open_plan import NodePlan
from fastops.plan._range_and_windows_plan import RangePlan

_OP = "onnx.from_node"
_PLANS = "onnx.plans"


class _Operator(NamedTuple):
    """A function, how many of its parameters are inputs of a node, and the attributes that a node may have.

    Older versions of an operator have some of the inputs as attributes.
    """

    function: Callable[..., Any]
    n_inputs: int
    attributes: tuple[str, ...] = ()


_OPERATORS = {
    "CenterCropPad": _Operator(center_crop_pad, 2, ("axes",)),
    "DepthToSpace": _Operator(depth_to_space, 1, ("blocksize", "mode")),
    "Expand": _Operator(expand, 2),
    "Pad": _Operator(pad, 4, ("mode", "pads", "paddings", "value")),
    "Range": _Operator(range, 3),
    "Slice": _Operator(slice, 5, ("starts", "ends", "axes")),
    "SpaceToDepth": _Operator(space_to_depth, 1, ("blocksize", "mode")),
    "Split": _Operator(split, 2, ("axis", "num_outputs", "split")),
    "Tile": _Operator(tile, 2),
    "Transpose": _Operator(transpose, 1, ("perm",)),
}

_INSIDE = "nodes inside of a node are not read"

# Arguments that attributes of older versions have another name for.
_ARGUMENTS = {"paddings": "pads", "value": "constant_value"}


def from_node(node: Any, opset: int | None = None) -> Layer:
    """Return an ONNX node of the slicing family as a callable.

    Parameters
    ----------
    node : onnx.NodeProto
        A node of Slice, Split, Pad, Tile, Expand, Range, CenterCropPad, Transpose, DepthToSpace or SpaceToDepth, of any
        version of the operator.
    opset : int, optional
        The version of ONNX's operator set that the node's model imports. The node must then have the inputs and
        attributes that the operator has in this version; by default, those of any version.

    Returns
    -------
    Layer
        It takes the node's inputs in order, with None for inputs that are left out, and returns the result of the
        function of `fastops.onnx`. ``plan`` returns the plan of such a call from data's shape, ``attributes`` are the
        node's attributes.

    Raises
    ------
    AttributeValueError
        The node is of another operator or domain, or has attributes that no version of the operator has, or not that
        of ``opset``.
    DTypeError
        It is no node, or ``opset`` is no integer.
    ImportError
        onnx is not installed: the extra ``onnx`` has it.

    Notes
    -----
    Specification: ONNX opsets 1 to 28. Tile of opset 1, with a count and an axis, is left out. A Split without lengths
    gives as many parts as the node has outputs, and the last part may be shorter, in any opset.

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
    onnx = import_extra(_OP, "onnx", "onnx")
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
    function, n_inputs, known = _OPERATORS[op_type]
    if not set(written) <= set(known):
        raise AttributeValueError(_OP, "node", f"have attributes that a {op_type} has", sorted(written))
    if op_type == "Tile" and len(node.input) > 2:
        raise AttributeValueError(_OP, "node", "be of Tile-6 or later, which has two inputs", op_type)
    if opset is not None:
        try:
            _check_version(onnx, node, written, as_index("opset", opset))
        except FastopsError as error:
            error.add_context(_OP, {"opset": opset})
            raise
    attributes = {_ARGUMENTS.get(name, name): value for name, value in written.items()}
    inputs = [name for name in [*parameters_of(function)][:n_inputs] if name not in attributes]
    # An empty name stands for an input that is left out.
    if op_type == "Split" and not any(node.input[1:]) and not {"split", "num_outputs"} & set(attributes):
        attributes["num_outputs"] = len(node.output)
    # Check the number before any part is made: it may be very large.
    if attributes.get("num_outputs", len(node.output)) != len(node.output):
        raise AttributeValueError(
            _OP, "node", f"have {attributes['num_outputs']} outputs, as num_outputs says", len(node.output)
        )
    plan = getattr(import_module("fastops.plan.onnx"), function.__name__)
    return Layer(function, plan, op_type, node.name, attributes, inputs)


def _check_version(onnx: Any, node: Any, written: Mapping[str, Any], opset: int) -> None:
    """Raise unless a node has inputs and attributes of its operator in a version of ONNX's operator set."""
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
        any version of theirs. They take tensors of all types but strings, which onnx holds as Python's objects.

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
    op_run: Any = import_extra("onnx.reference_ops", "onnx.reference.op_run", "onnx").OpRun

    def _run(self: Any, *inputs: Any, **_: Any) -> tuple[Any, ...]:
        # The evaluator gives None for inputs that the node leaves out, and all attributes of the newest version.
        result = self._layer(*inputs)
        return tuple(result) if isinstance(result, list) else (result,)

    def _layer(self: Any) -> Layer:
        return from_node(self.onnx_node, self.run_params["opsets"].get(""))

    members = {"op_domain": "", "_run": _run, "__module__": __name__}
    return [type(op_type, (op_run,), {**members, "_layer": cached_property(_layer)}) for op_type in _OPERATORS]


def plans(model: Any, shapes: Mapping[str, Indices] | None = None) -> list[NodePlan]:
    """Return the plan of each slicing node of an ONNX model, without running it.

    onnx infers shapes, node after node. Inputs that a plan depends on are known if they are initializers or Constant
    nodes, or are computed from such and from known shapes, as exporters do; onnx's reference evaluator computes them.

    Parameters
    ----------
    model : onnx.ModelProto or path
        The model, or the file that it is in, in ONNX's binary format.
    shapes : mapping of str to list of int, optional
        Shapes of inputs of the model that it leaves open, as ``{"x": (1, 3, 224, 224)}``. Dimensions of the same
        name have the same length.

    Returns
    -------
    list of NodePlan
        One for each node of Slice, Split, Pad, Tile, Expand, Range, CenterCropPad, Transpose, DepthToSpace and
        SpaceToDepth, in the order of the model. If dimensions of data are open, but the plan does not depend on their
        lengths, it is a `fastops.plan.OpenPlan` with their names. If a plan is not known before a run, the entry has
        the reason. A node with subgraphs, such as If and Loop, or that calls a function of the model, is an entry with
        a reason too: the nodes inside it are not read.

    Raises
    ------
    AttributeValueError
        ``shapes`` has a name of no input, or a shape that an input cannot have; or onnx cannot read the model.
    DTypeError
        It is neither a model nor a path.
    OSError
        The file cannot be read.
    ImportError
        onnx is not installed: the extra ``onnx`` has it.

    Notes
    -----
    ``onnx.inliner.inline_local_functions`` returns a model without functions. Initializers of more than 4096 elements,
    and data in other files, are not read. An initializer that is an input of the model too counts as constant.

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
    onnx = import_extra(_PLANS, "onnx", "onnx")
    for module in ("onnx.external_data_helper", "onnx.reference", "onnx.shape_inference"):
        import_extra(_PLANS, module, "onnx")
    proto = _read(onnx, model)
    fixed = {tensor.name for tensor in proto.graph.initializer}
    inputs = {text_of(each.name): read_type(each.type)[1] for each in proto.graph.input if each.name not in fixed}
    values = GraphValues(onnx, proto, read_shapes(_PLANS, shapes, inputs, "inputs"))
    functions = {(domain_of(each), each.name) for each in proto.functions}
    nodes = []
    for node in proto.graph.node:
        values.add_node(node)
        name = text_of(node.name or next(filter(None, node.output), node.op_type))
        op_type = text_of(node.op_type)
        if (domain_of(node), node.op_type) in functions:
            nodes.append(NodePlan(name, op_type, None, f"{_INSIDE}, such as functions: onnx.inliner inlines them"))
        elif any([each.HasField("g") or each.graphs for each in node.attribute]):
            nodes.append(NodePlan(name, op_type, None, f"{_INSIDE}, such as subgraphs"))
        elif not domain_of(node) and node.op_type in _OPERATORS:
            nodes.append(_plan_of(node, values, name))
    return nodes


def _read(onnx: Any, model: Any) -> Any:
    """Return a model, without data in other files."""
    if isinstance(model, onnx.ModelProto):
        return model
    if not isinstance(model, str | os.PathLike):
        raise DTypeError(_PLANS, "model", "be an onnx.ModelProto or a path", model)
    path = os.fspath(model)
    check_regular_file(_PLANS, "model", path)
    try:
        return onnx.load(path, format="protobuf", load_external_data=False)
    except (import_module("google.protobuf.message").Error, ValueError) as error:
        # A ValueError is of a path that no file can have.
        raise AttributeValueError(_PLANS, "model", "be a file with an ONNX model", path) from error


def _plan_of(node: Any, values: GraphValues, name: str) -> NodePlan:
    """Return a node's plan, or why there is none."""
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
        found = plan_of_layer(layer, name, shape, unknown, data)
    except FastopsError as error:
        return NodePlan(name, node.op_type, None, str(error))
    if found.plan is not None and not isinstance(found.plan, RangePlan):
        parts = found.plan if isinstance(found.plan, list) else [found.plan]
        values.fill_shapes(node.output, [each.shape for each in parts])
    return found
