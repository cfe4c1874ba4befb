"""The plans of a model's slicing nodes, as far as they are known before it runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._geometry._numbers import Indices
from fastops._interop._graph_values import GraphValues, domain_of, read_type, text_of
from fastops._interop._layer import check_regular_file, given_shape, import_extra, is_declared, plan_of_layer
from fastops._interop._nodes import OP_TYPES, from_node
from fastops.plan._open_plan import NodePlan, shape_text
from fastops.plan._range_and_windows_plan import RangePlan

_OP = "onnx.plans"

_INSIDE = "what is inside of a node is not looked at"


def plans(model: Any, shapes: Mapping[str, Indices] | None = None) -> list[NodePlan]:
    """Return the plan of each slicing node of an ONNX model, without running it.

    Shapes are those that onnx infers, of one node after the other. Inputs that a plan depends on are known if they are
    initializers or Constant nodes, or computed from such and from known shapes, as exporters do; onnx's reference
    evaluator computes them.

    Parameters
    ----------
    model : onnx.ModelProto or path
        The model, or the file that it is in, in ONNX's binary format.
    shapes : mapping of str to list of int, optional
        Shapes of inputs of the model, where it leaves them open, as ``{"x": (1, 3, 224, 224)}``. Dimensions of the same
        name have the same length.

    Returns
    -------
    list of NodePlan
        One for each node of Slice, Split, Pad, Tile, Expand, Range, CenterCropPad, Transpose, DepthToSpace and
        SpaceToDepth, in the order of the model. Where dimensions of data are open, but the plan does not depend on
        them, it is an `fastops.plan.OpenPlan`, in which they have their names. What is not known before a run is an
        entry that says why; so is a node with subgraphs, such as If and Loop, or that calls a function of the model,
        whose own nodes are not looked at.

    Raises
    ------
    AttributeValueError
        ``shapes`` names what is no input, or has a shape that an input cannot have; or onnx cannot read the model.
    DTypeError
        It is neither a model nor a path.
    OSError
        The file cannot be read.
    ImportError
        onnx is not installed: the extra ``onnx`` has it.

    Notes
    -----
    ``onnx.inliner.inline_local_functions`` gives a model without functions. Initializers of more than 4096 elements are
    not looked at, nor is data in other files; an initializer that is an input of the model too counts as fixed.

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
    onnx = import_extra(_OP, "onnx", "onnx")
    for module in ("onnx.external_data_helper", "onnx.reference", "onnx.shape_inference"):
        import_extra(_OP, module, "onnx")
    proto = _read(onnx, model)
    values = GraphValues(onnx, proto, _read_shapes(proto, {} if shapes is None else shapes))
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
        elif not domain_of(node) and node.op_type in OP_TYPES:
            nodes.append(_plan_of(node, values, name))
    return nodes


def _read(onnx: Any, model: Any) -> Any:
    """Return a model, without data in other files."""
    if isinstance(model, onnx.ModelProto):
        return model
    if not isinstance(model, str | os.PathLike):
        raise DTypeError(_OP, "model", "be an onnx.ModelProto or a path", model)
    path = os.fspath(model)
    check_regular_file(_OP, "model", path)
    try:
        return onnx.load(path, format="protobuf", load_external_data=False)
    except (import_module("google.protobuf.message").Error, ValueError) as error:
        # A ValueError is of a path that no file can have.
        raise AttributeValueError(_OP, "model", "be a file with an ONNX model", path) from error


def _read_shapes(model: Any, shapes: Mapping[str, Indices]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of inputs that a caller has written."""
    if not isinstance(shapes, Mapping):
        raise DTypeError(_OP, "shapes", "be a mapping from names of inputs to shapes", shapes)
    fixed = {tensor.name for tensor in model.graph.initializer}
    inputs = {each.name: read_type(each.type)[1] for each in model.graph.input if each.name not in fixed}
    read = {}
    for name, shape in shapes.items():
        if name not in inputs:
            raise AttributeValueError(
                _OP, "shapes", f"name inputs of the model: {', '.join(map(text_of, inputs)) or 'none'}", name
            )
        read[name] = given_shape(_OP, "shapes", shape)
        if not is_declared(read[name], inputs[name]):
            raise AttributeValueError(
                _OP, "shapes", f"fit what the model says of {name}, {shape_text(inputs[name] or ())}", read[name]
            )
    return read


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
