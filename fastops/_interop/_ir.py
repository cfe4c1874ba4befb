"""OpenVINO's IR: its XML, the constants in its weights, its layers as calls of `fastops.openvino`, and their plans."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from fastops._arrays._dtypes import AnyArray, as_output_type
from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._geometry._numbers import MOST_INDICES, Indices
from fastops._interop import _layer
from fastops._interop._layer import Layer, Shape
from fastops.plan._open_plan import NodePlan

#: An element of a document.
Element: TypeAlias = Any

#: The content of a file, or its path.
PathOrContent: TypeAlias = str | bytes | os.PathLike[str]

# The id of a layer, and the id of one of its ports.
_Port: TypeAlias = tuple[str | None, str | None]


def parse_ir(op: str, xml: Any, weights: PathOrContent | None) -> tuple[Element, bytes | None]:
    """Return the root of a document, which function ``op`` reads, and its weights."""
    parser = _layer.import_extra(op, "defusedxml.ElementTree", "ir")
    text, path = xml, None
    if isinstance(xml, os.PathLike) or (isinstance(xml, str) and "<" not in xml and "\0" not in xml and xml):
        path = Path(xml)
        _layer.check_regular_file(op, "xml", path)
        text = path.read_bytes()
    elif not isinstance(xml, str | bytes):
        raise DTypeError(op, "xml", "be a text or a path", xml)
    try:
        root = parser.fromstring(text.strip(), forbid_dtd=True)
        if root.tag not in ("net", "layer"):
            raise ValueError(root.tag)
    except (SyntaxError, ValueError) as error:
        # The parser raises a ValueError for a document type. The error quotes no text of a file, which may be secret.
        rule = "be an OpenVINO IR, of well-formed XML without a document type, with the root <net> or <layer>"
        raise AttributeValueError(op, "xml", rule, xml if path is None else path) from error
    if weights is None and path is not None and path.with_suffix(".bin").exists():
        weights = path.with_suffix(".bin")
    if weights is None or isinstance(weights, bytes):
        return root, weights
    _layer.check_regular_file(op, "weights", weights)
    return root, Path(os.fsdecode(weights)).read_bytes()


def as_integer(text: str) -> int:
    """Return an integer of a document."""
    # `int` would also read underscores, and digits of other scripts.
    if not re.fullmatch(r"\s*[+-]?[0-9]+\s*", text):
        raise ValueError(text)
    return int(text)


def as_integers(text: str) -> list[int]:
    """Return a list of integers of a document."""
    if text.count(",") >= MOST_INDICES:
        raise ValueError(text)
    return [as_integer(part) for part in text.split(",")] if text.strip() else []


class _Net:
    """A document that function ``op`` reads: its layers, the constants that they read, and the shapes of their data."""

    def __init__(self, op: str, xml: Any, weights: PathOrContent | None) -> None:
        self._op = op
        self._root, self._weights = parse_ir(op, xml, weights)
        self.layers = [each for each in self._root.iter("layer") if each.get("type") in _ATTRIBUTES]
        self._constants = {each.get("id"): each for each in self._root.iter("layer") if each.get("type") == "Const"}
        self._shapes: dict[_Port, tuple[int, ...]] = {}
        # For each port of an input, the port of an output from which an edge leads to it.
        self._edges: dict[_Port, _Port] = {}
        for edge in self._root.iter("edge"):
            layer, port = edge.get("to-layer"), edge.get("to-port")
            if (layer, port) in self._edges:
                got = f"two to port {port} of layer {layer}"
                raise AttributeValueError(op, "xml", "have one edge at most to each port", got)
            self._edges[layer, port] = edge.get("from-layer"), edge.get("from-port")

    def _sources_of(self, element: Element) -> list[_Port | None]:
        """Return the port that gives each input of a layer; None if no edge leads to the input."""
        return [self._edges.get((element.get("id"), port.get("id"))) for port in element.findall("input/port")]

    def constants_of(self, element: Element) -> dict[int, AnyArray]:
        """Return the constants that a layer reads, as views of the weights, by the numbers of its inputs."""
        if self._weights is None:
            return {}
        sources = [self._constants.get(source[0]) if source else None for source in self._sources_of(element)]
        given = {number: source for number, source in enumerate(sources) if source is not None}
        return {number: _constant_of(self._op, source, self._weights) for number, source in given.items()}

    def shape_of_data(self, element: Element) -> tuple[int, ...] | None:
        """Return the shape of a layer's first input, if it is known."""
        source = next(iter(self._sources_of(element)), None)
        return self._shapes.get(source) if source else None

    def add_given(self, shapes: Mapping[str, Indices] | None) -> None:
        """Add shapes from a caller for the results of layers."""
        layers = [(each.get("name") or each.get("id") or "", each) for each in self._root.iter("layer")]
        given = _layer.read_shapes(self._op, shapes, dict.fromkeys([name for name, _ in layers]), "layers")
        for name, layer in layers:
            for port in layer.findall("output/port") if name in given else ():
                declared = shape_of(port)
                _layer.check_shape(self._op, "shapes", _layer.rule_of(name, declared), given[name], declared)
                self._shapes[layer.get("id"), port.get("id")] = given[name]

    def add_planned(self, element: Element, plan: Any) -> None:
        """Add the shapes of a layer's results, from its plans."""
        plans = [] if plan is None else plan if isinstance(plan, list) else [plan]
        ports = element.findall("output/port")
        if len(plans) == len(ports):
            for port, each in zip(ports, plans, strict=True):
                self._shapes.setdefault((element.get("id"), port.get("id")), each.shape)


def _constant_of(op: str, element: Element, weights: bytes) -> AnyArray:
    """Return the constant of a Const layer, as a view of the weights."""
    data = element.find("data")
    try:
        name = data.get("element_type")
        dtype = np.dtype(bool) if name == "boolean" else as_output_type("element_type", name)
        shape = as_integers(data.get("shape"))
        offset, size = as_integer(data.get("offset")), as_integer(data.get("size"))
        if offset < 0 or size < 0 or offset + size > len(weights):
            raise ValueError(offset)
        # OpenVINO writes one byte for an empty list.
        size = 0 if 0 in shape else size
        return np.frombuffer(memoryview(weights)[offset : offset + size], dtype).reshape(shape)
    except (AttributeError, TypeError, ValueError) as error:
        # An attribute is missing, or points outside the weights.
        rule = "have a type, a shape, an offset and a size within the weights"
        raise AttributeValueError(op, "Const", rule, element.get("name")) from error


_OP = "openvino.from_ir"
_PLANS = "openvino.plans"

_UNKNOWN = "must be a constant in the weights, got what another layer gives, or none"


_WITHOUT = ("VariadicSplit", "Slice", "Tile", "Roll", "Transpose", "SpaceToBatch", "BatchToSpace")

# The attributes of each layer. The other parameters of the function of `fastops.openvino` are the layer's inputs.
_ATTRIBUTES: dict[str, tuple[str, ...]] = dict.fromkeys(_WITHOUT, ()) | {
    "StridedSlice": ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"),
    "Split": ("num_splits",),
    "Pad": ("pad_mode",),
    "Reverse": ("mode",),
    "Broadcast": ("mode",),
    "DepthToSpace": ("mode", "block_size"),
    "SpaceToDepth": ("mode", "block_size"),
    "ShuffleChannels": ("axis", "group"),
    "ExtractImagePatches": ("sizes", "strides", "rates", "auto_pad"),
    "Range": ("output_type",),
}

# The readers of attributes, by the annotations of the function's parameters; others are words.
_READERS: dict[str, Callable[[str], Any]] = {"Index": as_integer, "Indices": as_integers}


def from_ir(xml: PathOrContent, layer: str | None = None, weights: PathOrContent | None = None) -> Layer:
    """Return a layer of an OpenVINO IR as a callable.

    Parameters
    ----------
    xml : str, bytes or path
        A ``<layer>`` element, a ``<net>`` with layers and edges, or the path of a file with one. A document with a
        document type, and so with entities, is refused.
    layer : str, optional
        The name or id of the layer, if the document has several layers that this function reads.
    weights : bytes or path, optional
        The constants of a ``<net>``; by default the file beside ``xml`` that ends in ``.bin``, if there is one. With
        weights, inputs that are constants become attributes of the layer.

    Returns
    -------
    Layer
        It takes the layer's inputs in the order of its ports, without constants, and returns the result of the function
        of `fastops.openvino`. Its method ``plan`` returns the plan of such a call; ``attributes`` are the layer's
        attributes and constants, ``input_shapes`` and ``output_shapes`` the shapes of its ports. Data must have the
        shape of its port.

    Raises
    ------
    AttributeValueError
        The text is no IR, or a file is no regular one; the document has none of these layers, or has several and
        ``layer`` names none; the layer has unknown, missing or malformed attributes, or a constant of more than 4096
        elements that is not its data; or two edges lead to one port.
    DTypeError
        ``xml`` is neither a text nor a path.
    OSError
        A file cannot be read.
    ImportError
        defusedxml is not installed: the extra ``ir`` has it.

    Notes
    -----
    Specification: OpenVINO 2026 IR, version 11; layers StridedSlice, VariadicSplit, Split, Slice, Pad, Tile, Roll,
    Reverse, Broadcast, Transpose, DepthToSpace, SpaceToDepth, ShuffleChannels, ExtractImagePatches, SpaceToBatch,
    BatchToSpace and Range.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> layer = openvino.from_ir('''<layer id="1" name="flip" type="Reverse" version="opset1"><data mode="index"/>
    ...     <input><port id="0"><dim>2</dim><dim>3</dim></port><port id="1"><dim>1</dim></port></input></layer>''')
    >>> layer(np.arange(6).reshape(2, 3), [1])
    array([[2, 1, 0],
           [5, 4, 3]])
    >>> layer.plan(None, [1]).shape
    (2, 3)
    """
    net = _Net(_OP, xml, weights)
    chosen = [each for each in net.layers if layer is None or layer in (each.get("name"), each.get("id"))]
    if len(chosen) != 1:
        names = ", ".join([str(each.get("name") or each.get("id")) for each in net.layers[:16]])
        rule = f"name one layer of {', '.join(_ATTRIBUTES)}; there are: {names or 'none'}"
        raise AttributeValueError(_OP, "layer", rule, layer)
    return as_layer(chosen[0], net.constants_of(chosen[0]))


def input_names(op_type: str) -> list[str]:
    """Return the names of a layer's inputs, in the order of its ports."""
    others = (*_ATTRIBUTES[op_type], "out", "copy", "chunks")
    return [name for name in _layer.parameters_of(_layer.function_of("openvino", op_type)) if name not in others]


def as_layer(element: Element, constants: Mapping[int, AnyArray], *, needs_data: bool = True) -> Layer:
    """Return the layer of an element of an IR, with its constants; long data is left out unless ``needs_data``."""
    op_type = element.get("type")
    known, parameters = _ATTRIBUTES[op_type], _layer.parameters_of(_layer.function_of("openvino", op_type))
    data = element.find("data")
    written = {} if data is None else dict(data.attrib)
    required = {name for name in known if parameters[name].default is inspect.Parameter.empty}
    unknown, missing = set(written) - set(known), required - set(written)
    if unknown or missing:
        rule = f"have the attributes {', '.join(known)}"
        raise AttributeValueError(_OP, op_type, rule, sorted(unknown) or f"none of {sorted(missing)}")
    attributes = {}
    for attribute, text in written.items():
        try:
            attributes[attribute] = _READERS.get(parameters[attribute].annotation, str)(text)
        except ValueError as error:
            raise AttributeValueError(_OP, attribute, "be as the specification says", text) from error
    names = input_names(op_type)
    ports, outputs = [[shape_of(port) for port in element.findall(f"{side}/port")] for side in ("input", "output")]
    if len(ports) > len(names):
        raise AttributeValueError(_OP, op_type, f"have at most {len(names)} input ports", len(ports))
    # A split has a length for each output.
    most = max(MOST_INDICES, len(outputs))
    for number, constant in constants.items():
        is_data = number == 0 and op_type != "Range"
        if constant.size <= most or (is_data and needs_data):
            # A view would keep all weights in memory.
            attributes[names[number]] = constant.copy()
        elif not is_data:
            raise AttributeValueError(_OP, names[number], f"have at most {most} elements", constant.size)
    _check_parts(attributes, len(outputs))
    name = element.get("name") or element.get("id") or op_type
    inputs = [each for each in names if each not in attributes]
    return Layer("openvino", op_type, name, attributes, inputs, ports, outputs)


def _check_parts(attributes: Mapping[str, Any], outputs: int) -> None:
    """Raise for a split into more or fewer parts than the layer has outputs, before any part is made."""
    for name in {"num_splits", "split_lengths"} & {*attributes}:
        n = attributes[name] if name == "num_splits" else np.size(attributes[name])
        if n != outputs and (outputs or n > MOST_INDICES):
            rule = f"give {outputs} parts, one for each output" if outputs else f"give at most {MOST_INDICES} parts"
            raise AttributeValueError(_OP, name, rule, attributes[name])


def shape_of(port: Element) -> Shape:
    """Return the shape of a port; an extent that is not fixed, -1 in the document, is None."""
    extents: list[int | None] = []
    for dim in port.findall("dim"):
        try:
            extent = as_integer(dim.text or "")
        except ValueError as error:
            raise AttributeValueError(_OP, "dim", "be an integer", dim.text) from error
        extents.append(None if extent < 0 else extent)
    return tuple(extents)


def plans(
    xml: PathOrContent, weights: PathOrContent | None = None, shapes: Mapping[str, Indices] | None = None
) -> list[NodePlan]:
    """Return the plan of each slicing layer of an OpenVINO IR, without running it.

    The ports of a layer give the shape of its data. If a port leaves the shape open, the layer before gives the shape,
    by ``shapes`` or by its plan.

    Parameters
    ----------
    xml : str, bytes or path
        A ``<net>``, or the path of a file with one, as for `fastops.openvino.from_ir`.
    weights : bytes or path, optional
        Its constants; by default the file beside ``xml`` that ends in ``.bin``, if there is one.
    shapes : mapping of str to list of int, optional
        Shapes of the results of layers, by the layers' names: ``{"x": (1, 3, 224, 224)}`` for an input ``x``.

    Returns
    -------
    list of NodePlan
        One for each layer that `fastops.openvino.from_ir` reads, in the order of the document. If a plan is not known
        before a run, or if a layer is wrong, the entry has the reason.

    Raises
    ------
    AttributeValueError
        The text is no IR, a file is no regular one, two edges lead to one port, or ``shapes`` has a name that no layer
        has, or a shape that the model does not allow.
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
    net = _Net(_PLANS, xml, weights)
    net.add_given(shapes)
    nodes = []
    for element in net.layers:
        name, op_type = element.get("name") or element.get("id") or "", element.get("type")
        try:
            layer = as_layer(element, net.constants_of(element), needs_data=False)
            connected = input_names(layer.op_type)[: len(layer.input_shapes)]
            unknown = {each: f"{each} {_UNKNOWN}" for each in layer.inputs if each in (*connected, *layer.required)}
            unknown.pop(layer.data_name or "", None)
            node = _layer.plan_of_layer(layer, name, net.shape_of_data(element), unknown)
            net.add_planned(element, node.plan)
        except FastopsError as error:
            node = NodePlan(name, op_type, None, str(error))
        nodes.append(node)
    return nodes
