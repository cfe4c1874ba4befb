"""Documents of OpenVINO's IR: what is read of their XML, and their constants."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from fastops._arrays._dtypes import AnyArray, as_output_type
from fastops._errors import AttributeValueError, DTypeError
from fastops._geometry._numbers import MOST_INDICES
from fastops._interop._extras import import_extra
from fastops._interop._files import check_regular_file

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
