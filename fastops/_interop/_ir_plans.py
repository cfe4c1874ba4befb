"""The plans of an IR's slicing layers, as far as they are known before it runs."""

from __future__ import annotations

import os
from typing import Any

from fastops._errors import FastopsError, without_own_frames
from fastops._interop._ir import as_layer, input_names, layers_of, parse_ir, read_weights
from fastops._interop._ir_document import Constants
from fastops._interop._layer import Layer
from fastops._interop._node_plan import NodePlan, fill_of_constant, fills

_OP = "openvino.plans"

_UNKNOWN = "must be a constant in the weights, got what another layer gives, or none"


@without_own_frames
def plans(xml: str | bytes | os.PathLike[str], weights: bytes | os.PathLike[str] | None = None) -> list[NodePlan]:
    """Return the plan of each slicing layer of an OpenVINO IR, without running it.

    Shapes are those of the layers' ports.

    Parameters
    ----------
    xml : str, bytes or path
        A ``<net>``, or the path of a file with one, as for `fastops.openvino.from_ir`.
    weights : bytes or path, optional
        The constants of it; by default the file beside ``xml`` that ends in ``.bin``, if there is one.

    Returns
    -------
    list of NodePlan
        One for each layer that `fastops.openvino.from_ir` reads, in the order of the document. What is not known before
        a run, or is wrong, is an entry that says why.

    Raises
    ------
    AttributeValueError
        The text is no IR.
    DTypeError
        ``xml`` is neither a text nor a path.
    OSError
        A file cannot be read.
    ImportError
        defusedxml is not installed: the extra ``ir`` has it.

    Notes
    -----
    Specification: OpenVINO 2026 IR, version 11.

    Examples
    --------
    >>> from fastops import openvino
    >>> (node,) = openvino.plans('''<net><layers><layer id="1" name="s2d" type="SpaceToDepth" version="opset1">
    ...     <data mode="blocks_first" block_size="2"/><input><port id="0"><dim>1</dim><dim>1</dim><dim>4</dim>
    ...     <dim>6</dim></port></input></layer></layers></net>''')
    >>> print(node.name, node.op_type, node.plan.shape)
    s2d SpaceToDepth (1, 4, 2, 3)
    """
    root, path = parse_ir(_OP, xml)
    constants = Constants(_OP, root, read_weights(weights, path))
    nodes = []
    for element in layers_of(root):
        name, op_type = element.get("name") or element.get("id") or "", element.get("type")
        try:
            nodes.append(_plan_of(as_layer(element, constants), name))
        except FastopsError as error:
            nodes.append(NodePlan(name, op_type, None, str(error)))
    return nodes


def _plan_of(layer: Layer, name: str) -> NodePlan:
    """Return a layer's plan, or why there is none."""
    connected = input_names(layer.op_type)[: len(layer.input_shapes)]
    for each in layer.inputs:
        is_used = each in layer.required or (each in layer.plan_arguments and each in connected)
        if is_used and each != layer.data_name:
            return NodePlan(name, layer.op_type, None, f"{each} {_UNKNOWN}")
    plan = layer.plan(*[None] * len(layer.inputs))
    fill_value, reason = _fill_of(layer) if fills(plan) else (None, "")
    return NodePlan(name, layer.op_type, plan, reason, fill_value)


def _fill_of(layer: Layer) -> tuple[Any, str]:
    """Return the fill value of a layer as a scalar, or why it is not known."""
    argument = layer.fill_name or ""
    if argument in layer.attributes:
        return fill_of_constant(argument, layer.attributes[argument])
    if argument not in input_names(layer.op_type)[: len(layer.input_shapes)]:
        return None, ""
    return None, f"{argument} {_UNKNOWN}"
