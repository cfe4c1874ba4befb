"""The plans of an IR's slicing layers, as far as they are known before the model runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from fastops._errors import AttributeValueError, DTypeError, FastopsError, shown
from fastops._geometry._numbers import Indices
from fastops._interop._ir import Element, as_layer, edges_of, find_constants, input_names, layers_of, parse_ir, shape_of
from fastops._interop._layer import Layer, given_shape, is_declared, plan_of_layer
from fastops.plan._open_plan import NodePlan

_OP = "openvino.plans"

_UNKNOWN = "must be a constant in the weights, got what another layer gives, or none"


def plans(
    xml: str | bytes | os.PathLike[str],
    weights: bytes | os.PathLike[str] | None = None,
    shapes: Mapping[str, Indices] | None = None,
) -> list[NodePlan]:
    """Return the plan of each slicing layer of an OpenVINO IR, without running it.

    Shapes are those of the layers' ports. Where a port leaves them open, they are those that ``shapes`` has for the
    layer before, or those that the plan of a slicing layer before gives.

    Parameters
    ----------
    xml : str, bytes or path
        A ``<net>``, or the path of a file with one, as for `fastops.openvino.from_ir`.
    weights : bytes or path, optional
        The constants of it; by default the file beside ``xml`` that ends in ``.bin``, if there is one.
    shapes : mapping of str to list of int, optional
        Shapes of what layers give, by their names, as ``{"x": (1, 3, 224, 224)}`` for an input of the model.

    Returns
    -------
    list of NodePlan
        One for each layer that `fastops.openvino.from_ir` reads, in the order of the document. What is not known before
        a run, or is wrong, is an entry that says why: so is a constant of more than 4096 elements that is no data.

    Raises
    ------
    AttributeValueError
        The text is no IR, a file is no regular one, two edges lead to one port, or ``shapes`` names what is no layer,
        or several, or has a shape that a layer cannot give.
    DTypeError
        ``xml`` is neither a text nor a path, or ``shapes`` no mapping.
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
    root, memory = parse_ir(_OP, xml, weights)
    constants_of = find_constants(_OP, root, memory)
    known = _KnownShapes(root, {} if shapes is None else shapes)
    nodes = []
    for element in layers_of(root):
        name, op_type = element.get("name") or element.get("id") or "", element.get("type")
        try:
            node = _plan_of(as_layer(element, constants_of(element), needs_data=False), name, known.of_data(element))
            known.add(element, node.plan)
        except FastopsError as error:
            node = NodePlan(name, op_type, None, str(error))
        nodes.append(node)
    return nodes


class _KnownShapes:
    """The shapes of the results of layers, as far as callers or plans say them."""

    def __init__(self, root: Element, shapes: Mapping[str, Indices]) -> None:
        if not isinstance(shapes, Mapping):
            raise DTypeError(_OP, "shapes", "be a mapping from names of layers to shapes", shapes)
        self._edges = edges_of(_OP, root)
        self._by_port: dict[tuple[str, str], tuple[int, ...]] = {}
        layers: dict[str, list[Element]] = {}
        for each in root.iter("layer"):
            layers.setdefault(each.get("name") or each.get("id"), []).append(each)
        for name, written in shapes.items():
            if name not in layers:
                raise AttributeValueError(_OP, "shapes", "name layers of the model", name)
            if len(layers[name]) > 1:
                got = f"{shown(name)}, which {len(layers[name])} are called"
                raise AttributeValueError(_OP, "shapes", "name one layer each", got)
            layer = layers[name][0]
            shape = given_shape(_OP, "shapes", written)
            for port in layer.findall("output/port"):
                declared = shape_of(port)
                if not is_declared(shape, declared):
                    raise AttributeValueError(_OP, "shapes", f"fit what the model says of {name}, {declared}", shape)
                self._by_port[layer.get("id"), port.get("id")] = shape

    def of_data(self, element: Element) -> tuple[int, ...] | None:
        """Return the shape of a layer's first input, if the layer that it comes from has a known one."""
        first: Any = next((port.get("id") for port in element.findall("input/port")), None)
        edge = self._edges.get((element.get("id"), first))
        return None if edge is None else self._by_port.get((edge.get("from-layer"), edge.get("from-port")))

    def add(self, element: Element, plan: Any) -> None:
        """Add the shape of a layer's result, or of its parts, by its plans."""
        plans = [] if plan is None else plan if isinstance(plan, list) else [plan]
        ports = element.findall("output/port")
        if len(plans) == len(ports):
            for port, each in zip(ports, plans, strict=True):
                self._by_port.setdefault((element.get("id"), port.get("id")), each.shape)


def _plan_of(layer: Layer, name: str, shape: tuple[int, ...] | None) -> NodePlan:
    """Return a layer's plan, on data of a shape if that is known, or why there is none."""
    connected = input_names(layer.op_type)[: len(layer.input_shapes)]
    unknown = {each: f"{each} {_UNKNOWN}" for each in layer.inputs if each in (*connected, *layer.required)}
    unknown.pop(layer.data_name or "", None)
    return plan_of_layer(layer, name, shape, unknown)
