"""Documents of OpenVINO's IR: what is read of their XML, and their constants.

Layers of OpenVINO's IR as calls of `fastops.openvino`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fastops._arrays._dtypes import AnyArray, as_output_type
from fastops._errors import AttributeValueError, DTypeError, counted
from fastops._geometry._numbers import MOST_INDICES
from fastops._interop._layer import Layer, Shape, check_regular_file, import_extra
from fastops.ops._range import range
from fastops.ops._slices import strided_slice, variadic_split
from fastops.ops.openvino._blocks import (
    batch_to_space,
    depth_to_space,
    extract_image_patches,
    shuffle_channels,
    space_to_batch,
    space_to_depth,
)
from fastops.ops.openvino._moves import broadcast, reverse, roll, tile, transpose
from fastops.ops.openvino._slices import pad, slice, split

#: An element of a document.
Element: TypeAlias = Any

_PathLike = str | bytes | os.PathLike[str]


def parse_ir(op: str, xml: Any, weights: _PathLike | None) -> tuple[Element, bytes | None]:
    """Return the root of a document, and its weights, which lie beside it; ``op`` is who reads it."""
    parser = import_extra(op, "defusedxml.ElementTree", "ir")
    text, path = xml, None
    if isinstance(xml, os.PathLike) or (isinstance(xml, str) and "<" not in xml and "\0" not in xml and xml):
        path = Path(xml)
        check_regular_file(op, "xml", path)
        text = path.read_bytes()
    elif not isinstance(xml, str | bytes):
        raise DTypeError(op, "xml", "be a text or a path", xml)
    try:
        root = parser.fromstring(text.strip(), forbid_dtd=True)
    except (SyntaxError, ValueError) as error:
        # The second is of a document type. Nothing is shown of a file: it may be any, and is no IR then.
        rule = "be an OpenVINO IR, of well-formed XML without a document type"
        raise AttributeValueError(op, "xml", rule, xml if path is None else path) from error
    if root.tag not in ("net", "layer"):
        raise AttributeValueError(op, "xml", "be an OpenVINO IR, a <net> or a <layer>", xml if path is None else path)
    if weights is None and path is not None and path.with_suffix(".bin").exists():
        weights = path.with_suffix(".bin")
    if weights is None or isinstance(weights, bytes):
        return root, weights
    check_regular_file(op, "weights", weights)
    return root, Path(os.fsdecode(weights)).read_bytes()


def as_integer(text: str) -> int:
    """Return an integer of a document."""
    # Python's own reading takes underscores, and the digits of all scripts.
    if not re.fullmatch(r"\s*[+-]?[0-9]+\s*", text):
        raise ValueError(text)
    return int(text)


def as_integers(text: str) -> list[int]:
    """Return a list of integers of a document."""
    if text.count(",") >= MOST_INDICES:
        raise ValueError(text)
    return [as_integer(part) for part in text.split(",")] if text.strip() else []


def edges_of(op: str, root: Element) -> dict[tuple[str, str], Element]:
    """Return the edges of a document by the layer, and the port of it, that each leads to."""
    edges: dict[tuple[str, str], Element] = {}
    for edge in root.iter("edge"):
        layer, port = edge.get("to-layer"), edge.get("to-port")
        if edges.setdefault((layer, port), edge) is not edge:
            got = f"two to port {port} of layer {layer}"
            raise AttributeValueError(op, "xml", "have one edge at most to each port", got)
    return edges


def find_constants(op: str, root: Element, weights: bytes | None) -> Callable[[Element], dict[int, AnyArray]]:
    """Return what finds the constants that lead to a layer, by the numbers of its inputs, as views of weights."""
    edges = edges_of(op, root)
    sources = {each.get("id"): each for each in root.iter("layer") if each.get("type") == "Const"}

    def constants_of(element: Element) -> dict[int, AnyArray]:
        found = {}
        for number, port in enumerate(element.findall("input/port")):
            edge = edges.get((element.get("id"), port.get("id")))
            source = None if edge is None else sources.get(edge.get("from-layer"))
            if source is not None and weights is not None:
                found[number] = _constant_of(op, source, weights)
        return found

    return constants_of


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
        # Of an empty list OpenVINO writes one byte.
        size = 0 if 0 in shape else size
        return np.frombuffer(memoryview(weights)[offset : offset + size], dtype).reshape(shape)
    except (AttributeError, TypeError, ValueError) as error:
        # Of what is missing, or does not fit.
        rule = "have a type, a shape, an offset and a size within the weights"
        raise AttributeValueError(op, "Const", rule, element.get("name")) from error


_OP = "openvino.from_ir"


class _Form(NamedTuple):
    """A function; which of its arguments are a layer's inputs, and how its attributes are read."""

    function: Callable[..., Any]
    inputs: tuple[str, ...]
    attributes: Mapping[str, Callable[[str], Any]]
    optional: frozenset[str] = frozenset()


# Attributes of layers of blocks, and those that may be left out.
_OF_BLOCKS: tuple[dict[str, Callable[[str], Any]], frozenset[str]] = (
    {"mode": str, "block_size": as_integer},
    frozenset(("block_size",)),
)

_FORMS = {
    "StridedSlice": _Form(
        strided_slice,
        ("data", "begin", "end", "strides"),
        dict.fromkeys(("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"), as_integers),
        frozenset(("new_axis_mask", "shrink_axis_mask", "ellipsis_mask")),
    ),
    "VariadicSplit": _Form(variadic_split, ("data", "axis", "split_lengths"), {}),
    "Split": _Form(split, ("data", "axis"), {"num_splits": as_integer}),
    "Slice": _Form(slice, ("data", "start", "stop", "step", "axes"), {}),
    "Pad": _Form(pad, ("arg", "pads_begin", "pads_end", "pad_value"), {"pad_mode": str}),
    "Tile": _Form(tile, ("data", "repeats"), {}),
    "Roll": _Form(roll, ("data", "shift", "axes"), {}),
    "Reverse": _Form(reverse, ("data", "axis"), {"mode": str}),
    "Broadcast": _Form(broadcast, ("data", "target_shape", "axes_mapping"), {"mode": str}, frozenset(("mode",))),
    "Transpose": _Form(transpose, ("data", "input_order"), {}),
    "DepthToSpace": _Form(depth_to_space, ("data",), *_OF_BLOCKS),
    "SpaceToDepth": _Form(space_to_depth, ("data",), *_OF_BLOCKS),
    "ShuffleChannels": _Form(
        shuffle_channels,
        ("data",),
        {"axis": as_integer, "group": as_integer},
        frozenset(("axis", "group")),
    ),
    "ExtractImagePatches": _Form(
        extract_image_patches,
        ("data",),
        {"sizes": as_integers, "strides": as_integers, "rates": as_integers, "auto_pad": str},
    ),
    "SpaceToBatch": _Form(space_to_batch, ("data", "block_shape", "pads_begin", "pads_end"), {}),
    "BatchToSpace": _Form(batch_to_space, ("data", "block_shape", "crops_begin", "crops_end"), {}),
    "Range": _Form(range, ("start", "stop", "step"), {"output_type": str}),
}


def from_ir(
    xml: str | bytes | os.PathLike[str], layer: str | None = None, weights: bytes | os.PathLike[str] | None = None
) -> Layer:
    """Return a layer of an OpenVINO IR as a callable.

    Parameters
    ----------
    xml : str, bytes or path
        A ``<layer>`` element, a ``<net>`` with layers and edges, or the path of a file with one. A document type is
        refused, and with it every entity.
    layer : str, optional
        The name or id of the layer, where the document has several of the slicing family.
    weights : bytes or path, optional
        The constants of a ``<net>``; by default the file beside ``xml`` that ends in ``.bin``, if there is one. Inputs
        that are constants are fixed then.

    Returns
    -------
    Layer
        Called with the layer's inputs in the order of its ports, but for those that are constants, it returns what the
        function of `fastops.openvino` does; ``plan`` gives the plan of such a call, ``attributes`` what the layer
        fixes, ``input_shapes`` and ``output_shapes`` its ports. Data must have the shape of its port.

    Raises
    ------
    AttributeValueError
        The text is no IR, or a file is no regular one; it has none of these layers, or several and none is named; the
        layer has attributes that are unknown, missing or malformed, or a constant of more than 4096 elements that is no
        data; or two edges lead to one port.
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
    root, memory = parse_ir(_OP, xml, weights)
    elements = layers_of(root)
    chosen = [each for each in elements if layer is None or layer in (each.get("name"), each.get("id"))]
    if len(chosen) != 1:
        names = ", ".join([str(each.get("name") or each.get("id")) for each in elements[:16]])
        rule = f"name one layer of {', '.join(_FORMS)}; there are: {names or 'none'}"
        raise AttributeValueError(_OP, "layer", rule, layer)
    return as_layer(chosen[0], find_constants(_OP, root, memory)(chosen[0]))


def layers_of(root: Element) -> list[Element]:
    """Return the elements of the slicing family."""
    return [each for each in root.iter("layer") if each.get("type") in _FORMS]


def input_names(op_type: str) -> tuple[str, ...]:
    """Return what the inputs of a layer are called, in the order of its ports."""
    return _FORMS[op_type].inputs


def as_layer(element: Element, constants: Mapping[int, AnyArray], *, needs_data: bool = True) -> Layer:
    """Return the layer of an element of an IR; inputs that are constants are fixed, large data where it is needed."""
    op_type = element.get("type")
    form = _FORMS[op_type]
    name = element.get("name") or element.get("id") or op_type
    data = element.find("data")
    written = {} if data is None else dict(data.attrib)
    unknown, missing = set(written) - set(form.attributes), set(form.attributes) - form.optional - set(written)
    if unknown or missing:
        rule = f"have the attributes {', '.join(form.attributes)}"
        raise AttributeValueError(_OP, op_type, rule, sorted(unknown) or f"none of {sorted(missing)}")
    attributes = {}
    for attribute, text in written.items():
        try:
            attributes[attribute] = form.attributes[attribute](text)
        except ValueError as error:
            raise AttributeValueError(_OP, attribute, "be as the specification says", text) from error
    ports = [shape_of(port) for port in element.findall("input/port")]
    if len(ports) > len(form.inputs):
        raise AttributeValueError(_OP, op_type, f"have at most {len(form.inputs)} input ports", len(ports))
    outputs = [shape_of(port) for port in element.findall("output/port")]
    # Splits have a length for each output.
    most = max(MOST_INDICES, len(outputs))
    for number, constant in constants.items():
        argument = form.inputs[number]
        is_data = number == 0 and op_type != "Range"
        if constant.size <= most or (is_data and needs_data):
            # A copy keeps no other constant in memory.
            attributes[argument] = constant.copy()
        elif not is_data:
            raise AttributeValueError(_OP, argument, f"have at most {most} elements", constant.size)
    inputs = [each for each in form.inputs if each not in attributes]
    _check_parts(element, attributes)
    plan = getattr(import_module("fastops.plan.openvino"), form.function.__name__)
    return Layer(form.function, plan, op_type, name, attributes, inputs, ports, outputs)


def _check_parts(element: Element, attributes: Mapping[str, Any]) -> None:
    """Raise for another number of parts than there are outputs, before any is made: a number is only a few bytes."""
    ports = len(element.findall("output/port"))
    parts = attributes.get("num_splits")
    if parts is not None and parts > MOST_INDICES and not ports:
        raise AttributeValueError(_OP, "num_splits", f"be at most {MOST_INDICES} where no output is listed", parts)
    if parts is not None and ports and parts != ports:
        raise AttributeValueError(_OP, "num_splits", f"be {ports}, the number of outputs", parts)
    lengths = attributes.get("split_lengths")
    if lengths is not None and ports and np.size(lengths) != ports:
        raise AttributeValueError(_OP, "split_lengths", f"have {counted(ports, 'value')}, one for each output", lengths)


def shape_of(port: Element) -> Shape:
    """Return the shape of a port; -1 stands for an extent that is not fixed."""
    extents: list[int | None] = []
    for dim in port.findall("dim"):
        try:
            extent = as_integer(dim.text or "")
        except ValueError as error:
            raise AttributeValueError(_OP, "dim", "be an integer", dim.text) from error
        extents.append(None if extent < 0 else extent)
    return tuple(extents)
