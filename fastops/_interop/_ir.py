"""Layers of OpenVINO's IR as calls of `fastops.openvino`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import as_output_type
from fastops._errors import AttributeValueError, DTypeError, without_own_frames
from fastops._interop._extras import import_extra
from fastops._interop._layer import Layer, Shape
from fastops._plans._numbers import MOST_INDICES
from fastops.ops._range import lower_range, range
from fastops.ops._strided_slice import lower_strided_slice, strided_slice
from fastops.ops._variadic_split import lower_variadic_split, variadic_split
from fastops.ops.openvino._batch_to_space import batch_to_space, lower_batch_to_space
from fastops.ops.openvino._broadcast import broadcast, lower_broadcast
from fastops.ops.openvino._depth_to_space import depth_to_space, lower_depth_to_space
from fastops.ops.openvino._extract_image_patches import extract_image_patches, lower_extract_image_patches
from fastops.ops.openvino._pad import lower_pad, pad
from fastops.ops.openvino._reverse import lower_reverse, reverse
from fastops.ops.openvino._roll import lower_roll, roll
from fastops.ops.openvino._shuffle_channels import lower_shuffle_channels, shuffle_channels
from fastops.ops.openvino._slice import lower_slice, slice
from fastops.ops.openvino._space_to_batch import lower_space_to_batch, space_to_batch
from fastops.ops.openvino._space_to_depth import lower_space_to_depth, space_to_depth
from fastops.ops.openvino._split import lower_split, split
from fastops.ops.openvino._tile import lower_tile, tile
from fastops.ops.openvino._transpose import lower_transpose, transpose

_OP = "openvino.from_ir"


class _Form(NamedTuple):
    """A function and its lowering; which arguments are a layer's inputs, and how its attributes are read."""

    function: Callable[..., Any]
    lower: Callable[..., Any]
    inputs: tuple[str, ...]
    attributes: Mapping[str, Callable[[str], Any]]
    optional: frozenset[str] = frozenset()


def _integer(text: str) -> int:
    # Python's own reading takes underscores, and the digits of all scripts.
    if not re.fullmatch(r"\s*[+-]?[0-9]+\s*", text):
        raise ValueError(text)
    return int(text)


def _integers(text: str) -> list[int]:
    if text.count(",") >= MOST_INDICES:
        raise ValueError(text)
    return [_integer(part) for part in text.split(",")] if text.strip() else []


# Attributes of layers of blocks, and those that may be left out.
_OF_BLOCKS: tuple[dict[str, Callable[[str], Any]], frozenset[str]] = (
    {"mode": str, "block_size": _integer},
    frozenset(("block_size",)),
)

_FORMS = {
    "StridedSlice": _Form(
        strided_slice,
        lower_strided_slice,
        ("data", "begin", "end", "strides"),
        dict.fromkeys(("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"), _integers),
        frozenset(("new_axis_mask", "shrink_axis_mask", "ellipsis_mask")),
    ),
    "VariadicSplit": _Form(variadic_split, lower_variadic_split, ("data", "axis", "split_lengths"), {}),
    "Split": _Form(split, lower_split, ("data", "axis"), {"num_splits": _integer}),
    "Slice": _Form(slice, lower_slice, ("data", "start", "stop", "step", "axes"), {}),
    "Pad": _Form(pad, lower_pad, ("arg", "pads_begin", "pads_end", "pad_value"), {"pad_mode": str}),
    "Tile": _Form(tile, lower_tile, ("data", "repeats"), {}),
    "Roll": _Form(roll, lower_roll, ("data", "shift", "axes"), {}),
    "Reverse": _Form(reverse, lower_reverse, ("data", "axis"), {"mode": str}),
    "Broadcast": _Form(
        broadcast, lower_broadcast, ("data", "target_shape", "axes_mapping"), {"mode": str}, frozenset(("mode",))
    ),
    "Transpose": _Form(transpose, lower_transpose, ("data", "input_order"), {}),
    "DepthToSpace": _Form(depth_to_space, lower_depth_to_space, ("data",), *_OF_BLOCKS),
    "SpaceToDepth": _Form(space_to_depth, lower_space_to_depth, ("data",), *_OF_BLOCKS),
    "ShuffleChannels": _Form(
        shuffle_channels,
        lower_shuffle_channels,
        ("data",),
        {"axis": _integer, "group": _integer},
        frozenset(("axis", "group")),
    ),
    "ExtractImagePatches": _Form(
        extract_image_patches,
        lower_extract_image_patches,
        ("data",),
        {"sizes": _integers, "strides": _integers, "rates": _integers, "auto_pad": str},
    ),
    "SpaceToBatch": _Form(space_to_batch, lower_space_to_batch, ("data", "block_shape", "pads_begin", "pads_end"), {}),
    "BatchToSpace": _Form(
        batch_to_space, lower_batch_to_space, ("data", "block_shape", "crops_begin", "crops_end"), {}
    ),
    "Range": _Form(range, lower_range, ("start", "stop", "step"), {"output_type": str}),
}


@without_own_frames
def from_ir(
    xml: str | bytes | os.PathLike[str], layer: str | None = None, weights: bytes | os.PathLike[str] | None = None
) -> Layer:
    """Return a layer of an OpenVINO IR as a callable.

    Parameters
    ----------
    xml : str, bytes or path
        A ``<layer>`` element, a ``<net>`` with layers and edges, or the path of a file with one. The ``...`` of the
        published pages, and a ``<data>`` that they leave open, are taken too. A document type is refused, and with it
        every entity.
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
        The text is no IR, has none of these layers, or several and none is named, or the layer has attributes that are
        unknown, missing or malformed.
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
    root, path = parse_ir(_OP, xml)
    elements = layers_of(root)
    chosen = [each for each in elements if layer is None or layer in (each.get("name"), each.get("id"))]
    if len(chosen) != 1:
        names = ", ".join([str(each.get("name") or each.get("id")) for each in elements[:16]])
        rule = f"name one layer of {', '.join(_FORMS)}; there are: {names or 'none'}"
        raise AttributeValueError(_OP, "layer", rule, layer)
    return as_layer(root, chosen[0], read_weights(weights, path))


def parse_ir(op: str, xml: Any) -> tuple[Any, Path | None]:
    """Return the element of an IR, and the file that it comes from; ``op`` is who reads it."""
    parser = import_extra(op, "defusedxml.ElementTree", "ir")
    text, path = _read(op, xml)
    try:
        return parser.fromstring(_tidy(text), forbid_dtd=True), path
    except SyntaxError as error:
        raise AttributeValueError(op, "xml", "be an OpenVINO IR, of well-formed XML", text) from error
    except ValueError as error:
        # Of defusedxml.
        raise AttributeValueError(op, "xml", "be an OpenVINO IR without a document type", text) from error


def layers_of(root: Any) -> list[Any]:
    """Return the elements of the slicing family."""
    return [each for each in root.iter("layer") if each.get("type") in _FORMS]


def read_weights(weights: bytes | os.PathLike[str] | None, path: Path | None) -> bytes | None:
    """Return the constants of an IR, by default those of the file beside its own; None where there are none."""
    if weights is None:
        beside = None if path is None else path.with_suffix(".bin")
        if beside is None or not beside.exists():
            return None
        weights = beside
    return weights if isinstance(weights, bytes) else Path(weights).read_bytes()


def _read(op: str, xml: Any) -> tuple[str, Path | None]:
    """Return the text of an IR, and the file that it comes from."""
    if isinstance(xml, str) and "<" not in xml:
        if not xml or "\0" in xml:
            raise AttributeValueError(op, "xml", "be a text with a layer, or a path", xml)
        xml = Path(xml)
    if isinstance(xml, os.PathLike):
        path = Path(xml)
        return path.read_text(encoding="utf-8"), path
    if isinstance(xml, bytes):
        try:
            return xml.decode(), None
        except UnicodeDecodeError as error:
            raise AttributeValueError(op, "xml", "be text in UTF-8", "bytes") from error
    if not isinstance(xml, str):
        raise DTypeError(op, "xml", "be a text or a path", xml)
    return xml, None


def _tidy(text: str) -> str:
    """Return a text without what the published pages leave out: dots for other attributes, and the end of <data>."""
    text = text.strip()
    # A tag ends at the next "<" at the latest, so that no part of a text is searched for its end more than once.
    if "..." in text:
        dots = re.compile(r"""("[^"]*"|'[^']*')|\.\.\.""")
        text = re.sub(r"<layer\s[^<>]*>", lambda tag: dots.sub(lambda part: part[1] or "", tag.group()), text)
    if "</data>" not in text:
        text = re.sub(r"(<data\s[^<>]*[^/<>])>", r"\1/>", text)
    return text


def as_layer(root: Any, element: Any, weights: bytes | None) -> Layer:
    """Return the layer of an element of an IR; its inputs that are constants are fixed if weights are known."""
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
    ports = [_shape_of(port) for port in element.findall("input/port")]
    if len(ports) > len(form.inputs):
        raise AttributeValueError(_OP, op_type, f"have at most {len(form.inputs)} input ports", len(ports))
    for number, value in _constants_of(root, element, weights).items():
        if number < len(form.inputs):
            attributes[form.inputs[number]] = value
    inputs = [each for each in form.inputs if each not in attributes]
    outputs = [_shape_of(port) for port in element.findall("output/port")]
    return Layer(form.function, form.lower, op_type, name, attributes, inputs, ports, outputs)


def _shape_of(port: Any) -> Shape:
    """Return the shape of a port; -1 stands for an extent that is not fixed."""
    extents: list[int | None] = []
    for dim in port.findall("dim"):
        try:
            extent = _integer(dim.text or "")
        except ValueError as error:
            raise AttributeValueError(_OP, "dim", "be an integer", dim.text) from error
        extents.append(None if extent < 0 else extent)
    return tuple(extents)


def _constants_of(root: Any, element: Any, weights: bytes | None) -> dict[int, Any]:
    """Return the constants that lead to a layer's inputs, by the number of the input."""
    if weights is None:
        return {}
    sources = {each.get("id"): each for each in root.iter("layer") if each.get("type") == "Const"}
    ports = [port.get("id") for port in element.findall("input/port")]
    found = {}
    for edge in root.iter("edge"):
        source = sources.get(edge.get("from-layer"))
        if edge.get("to-layer") == element.get("id") and source is not None and edge.get("to-port") in ports:
            found[ports.index(edge.get("to-port"))] = _constant(source, weights)
    return found


def _constant(element: Any, memory: bytes) -> Any:
    """Return the value of a Const layer."""
    data = element.find("data")
    rule = "have a type, a shape, an offset and a size within the weights"
    try:
        name = data.get("element_type")
        dtype = np.dtype(bool) if name == "boolean" else as_output_type("element_type", name)
        shape = _integers(data.get("shape"))
        offset, size = _integer(data.get("offset")), _integer(data.get("size"))
        if offset < 0 or size < 0 or offset + size > len(memory):
            raise ValueError(offset)
        # Of an empty list OpenVINO writes one byte.
        size = 0 if 0 in shape else size
        return np.frombuffer(memory[offset : offset + size], dtype).reshape(shape).copy()
    except (AttributeError, TypeError, ValueError) as error:
        # Of what is missing, or does not fit.
        raise AttributeValueError(_OP, "Const", rule, element.get("name")) from error
