"""Counts of a model and of its nodes, which say before anything is computed how much that would be.

A model of a few bytes can ask for any amount of work: functions that call functions, constants that are joined to each
other again and again, numbers of outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError

#: Domain, name and overload.
FunctionKey: TypeAlias = tuple[str, str, str]

#: Axes of a tensor: NumPy's arrays have no more.
MOST_AXES = 64


def count_elements(dims: Iterable[int], most: int) -> int:
    """Return the number of elements of a tensor, or a larger number than ``most``: of many axes that is a long one."""
    lengths = tuple(dims)
    if 0 in lengths:
        return 0
    count = 1
    for length in lengths:
        count *= length
        if count > most:
            return most + 1
    return count


class _Size(NamedTuple):
    """How much nodes are, with those of their subgraphs."""

    nodes: int
    names: int
    size_bytes: int

    def plus(self, others: Iterable[_Size]) -> _Size:
        return _Size(*map(sum, zip(self, *others, strict=True)))


#: Values of more elements are not looked at: what says where to slice has a few for each axis.
MOST_ELEMENTS = 1 << 12

# Of a model once its functions are inlined.
_MOST = _Size(1 << 14, 1 << 16, 1 << 25)
_WHAT = ("nodes", "inputs and outputs of nodes", "bytes of nodes")

#: Operators with an input that is the shape of their result, and its number.
SHAPED = {"ConstantOfShape": 0, "Expand": 1}

# Operators that may take every element many times.
_GATHERS = ("Gather", "GatherND")

#: The value of an input that is left out.
NO_SHAPE: AnyArray = np.zeros(0, np.int64)

# What a node counts for at least, and how many bytes count as an element: calls take time too, and texts memory.
_LEAST_COUNTED = 1 << 10
_ELEMENT_BYTES = 8


def check_functions(op: str, model: Any) -> None:
    """Raise for functions that call themselves, or that are too much once they are inlined."""
    functions = {key_of(each, each.name): each for each in model.functions}
    sizes: dict[FunctionKey, _Size] = {}
    # Each function is counted when all that it calls are: no recursion, so that no depth is too much.
    for start in functions:
        open_ = [start]
        entered: set[FunctionKey] = set()
        while open_:
            key = open_[-1]
            called = [call for call in _calls_of(functions[key].node) if call in functions]
            missing = [call for call in called if call not in sizes]
            if not missing:
                sizes[key] = _size_of(functions[key].node).plus([sizes[call] for call in called])
                open_.pop()
            elif key in entered:
                raise AttributeValueError(op, "model", "have no function that calls itself", f"{key[0]}.{key[1]}")
            else:
                entered.add(key)
                open_ += dict.fromkeys(missing)
    inlined = [sizes[call] for call in _calls_of(model.graph.node) if call in sizes]
    # What the model itself has is no larger than its file, but for each node of it there is one more to look at.
    own = _Size(sum(1 for _ in _all_nodes(model.graph.node)), 0, 0)
    for most, found, what in zip(_MOST, own.plus(inlined), _WHAT, strict=True):
        if found > most:
            raise AttributeValueError(op, "model", f"have at most {most} {what} once its functions are inlined", found)


def domain_of(each: Any) -> str:
    """Return the domain of a node, function or import, by one name: that of ONNX's own operators has two."""
    return "" if each.domain == "ai.onnx" else str(each.domain)


def _size_of(nodes: Any) -> _Size:
    every = list(_all_nodes(nodes))
    names = sum([len(each.input) + len(each.output) for each in every])
    return _Size(len(every), names, sum([each.ByteSize() for each in nodes]))


def key_of(each: Any, name: str) -> FunctionKey:
    """Return what tells a function from others: of itself by its name, or of a node by its operator."""
    return domain_of(each), name, each.overload


def _calls_of(nodes: Any) -> list[FunctionKey]:
    return [key_of(node, node.op_type) for node in _all_nodes(nodes)]


def _all_nodes(nodes: Any) -> Iterator[Any]:
    """Yield nodes, and those of their subgraphs."""
    left = list(nodes)
    while left:
        node = left.pop()
        yield node
        for attribute in node.attribute:
            for graph in (*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])):
                left += graph.node


def is_large(tensor: Any) -> bool:
    """True for a tensor whose values are not looked at."""
    if len(tensor.dims) > MOST_AXES or count_elements(tensor.dims, MOST_ELEMENTS) > MOST_ELEMENTS:
        return True
    # As an array, each text has the length of the longest.
    texts = tensor.string_data
    return max(map(len, texts), default=0) * len(texts) > MOST_ELEMENTS * _ELEMENT_BYTES


def most_elements(node: Any, inputs: Sequence[AnyArray]) -> int:
    """Return an upper bound of how many elements a node makes of these inputs; long ones count for several."""
    texts = [text for each in node.attribute for text in (each.s, *each.strings, *each.t.string_data)]
    item_bytes = max([each.itemsize for each in inputs] + [4 * len(text) for text in texts], default=0)
    written = max([len(each.ints) + len(each.floats) + len(each.strings) for each in node.attribute], default=0)
    elements = max(_most_made(node.op_type, inputs), written, _LEAST_COUNTED)
    return elements * max(item_bytes // _ELEMENT_BYTES, 1)


def _most_made(op_type: str, inputs: Sequence[AnyArray]) -> int:
    sizes = [each.size for each in inputs]
    if op_type in SHAPED:
        shape = inputs[SHAPED[op_type]] if len(inputs) > SHAPED[op_type] else NO_SHAPE
        return prod([max(int(extent), 1) for extent in shape.reshape(-1)]) * max(sizes[0], 1)
    if op_type in _GATHERS:
        return prod(sizes)
    try:
        return max(prod(np.broadcast_shapes(*[each.shape for each in inputs])), sum(sizes))
    except ValueError:
        # Of operators whose inputs are not broadcast, which make no more than they get.
        return sum(sizes)
