"""Documents of OpenVINO's IR: what is read of their XML, and their constants."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, as_output_type
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import MOST_INDICES
from fastops._interop._extras import import_extra

#: An element of a document.
Element: TypeAlias = Any

# What stands before the first element, and that; a document type is left to the parser, which refuses it.
_BEGINNING = re.compile(r"\ufeff?\s*+(?>(?><\?.*?\?>|<!--.*?-->)\s*+)*+<(?:net|layer|!DOCTYPE)[\s/>]", re.DOTALL)

# The shortest elements of an IR, as <dim>1</dim>, have so many characters for each "<".
_FEWEST_CHARACTERS = 6

# Shorter texts are parsed at once, whatever they are.
_SHORT = 1 << 16


def parse(op: str, text: str, source: object) -> Element:
    """Return the root of a document; ``op`` is who reads it, and ``source`` what errors show of where it comes from."""
    parser = import_extra(op, "defusedxml.ElementTree", "ir")
    tidy = _tidy(text)
    # The parser makes every element of a text before anybody can look at the first one.
    is_dense = len(tidy) > _SHORT and tidy.count("<") * _FEWEST_CHARACTERS > len(tidy)
    if is_dense or not _BEGINNING.match(tidy):
        raise AttributeValueError(op, "xml", _RULE, source)
    try:
        return parser.fromstring(tidy, forbid_dtd=True)
    except SyntaxError as error:
        raise AttributeValueError(op, "xml", _RULE, source) from error
    except UnicodeEncodeError as error:
        raise AttributeValueError(
            op, "xml", "be text without lone surrogates, which are no characters", source
        ) from error
    except ValueError as error:
        # Of defusedxml.
        raise AttributeValueError(op, "xml", "be an OpenVINO IR without a document type", source) from error


_RULE = "be an OpenVINO IR, of well-formed XML"


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


def edges_of(op: str, root: Element) -> dict[str, dict[str, Element]]:
    """Return the edges of a document by the layers, and the ports of these, that they lead to."""
    edges: dict[str, dict[str, Element]] = {}
    for edge in root.iter("edge"):
        layer, port = edge.get("to-layer"), edge.get("to-port")
        if edges.setdefault(layer, {}).setdefault(port, edge) is not edge:
            got = f"two to port {port} of layer {layer}"
            raise AttributeValueError(op, "xml", "have one edge at most to each port", got)
    return edges


class Constant:
    """A constant of a document, of which nothing is copied until it is asked for its value.

    Attributes
    ----------
    size : int
        Its elements.
    value : ndarray
    """

    def __init__(self, memory: memoryview, dtype: AnyDType, shape: list[int]) -> None:
        self._view = np.frombuffer(memory, dtype).reshape(shape)
        self.size = self._view.size

    @cached_property
    def value(self) -> AnyArray:
        """The value, which keeps no other constant in memory."""
        return self._view.copy()


class Constants:
    """The constants of a document, by the layers and ports that they lead to; none without the memory of weights."""

    def __init__(self, op: str, root: Element, weights: bytes | None) -> None:
        self._op, self._memory = op, memoryview(weights or b"")
        self._sources: dict[str, Element] = {}
        self._edges: dict[str, dict[str, Element]] = {}
        self._read: dict[str, Constant] = {}
        if weights is not None:
            self._sources = {each.get("id"): each for each in root.iter("layer") if each.get("type") == "Const"}
            self._edges = edges_of(op, root)

    def of_layer(self, element: Element) -> dict[int, Constant]:
        """Return the constants that lead to a layer's inputs, by the number of the input."""
        edges = self._edges.get(element.get("id"), {})
        found = {}
        for number, port in enumerate(element.findall("input/port")):
            edge = edges.get(port.get("id"))
            source = None if edge is None else edge.get("from-layer")
            if source in self._sources:
                if source not in self._read:
                    self._read[source] = self._constant_of(self._sources[source])
                found[number] = self._read[source]
        return found

    def _constant_of(self, element: Element) -> Constant:
        """Return the constant of a Const layer."""
        data = element.find("data")
        rule = "have a type, a shape, an offset and a size within the weights"
        try:
            name = data.get("element_type")
            dtype = np.dtype(bool) if name == "boolean" else as_output_type("element_type", name)
            shape = as_integers(data.get("shape"))
            offset, size = as_integer(data.get("offset")), as_integer(data.get("size"))
            if offset < 0 or size < 0 or offset + size > len(self._memory):
                raise ValueError(offset)
            # Of an empty list OpenVINO writes one byte.
            size = 0 if 0 in shape else size
            return Constant(self._memory[offset : offset + size], dtype, shape)
        except (AttributeError, TypeError, ValueError) as error:
            # Of what is missing, or does not fit.
            raise AttributeValueError(self._op, "Const", rule, element.get("name")) from error
