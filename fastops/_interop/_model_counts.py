"""Counts of a model, which say before anything is computed how much that would be.

A model of a few bytes can ask for any amount of work: functions that call functions, constants that are joined to each
other again and again, numbers of outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fastops._errors import AttributeValueError

# Nodes of a model once its functions are inlined.
_MOST_NODES = 1 << 15

#: Axes of a tensor: NumPy's arrays have no more.
MOST_AXES = 64

# Elements of a constant that shape inference computes with.
_MOST_PROPAGATED = 1 << 14


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


def check_functions(op: str, model: Any) -> None:
    """Raise for functions that call themselves, or that are too many nodes once they are inlined."""
    functions = {(each.domain, each.name, each.overload): each for each in model.functions}
    sizes: dict[Any, int] = {}
    # Each function is counted when all that it calls are: no recursion, so that no depth is too much.
    for start in functions:
        open_ = [start]
        entered: set[Any] = set()
        while open_:
            key = open_[-1]
            called = [call for call in _calls_of(functions[key].node) if call in functions]
            missing = [call for call in called if call not in sizes]
            if not missing:
                nodes = sum(1 for _ in _all_nodes(functions[key].node))
                sizes[key] = nodes + sum([sizes[call] for call in called])
                open_.pop()
            elif key in entered:
                raise AttributeValueError(op, "model", "have no function that calls itself", f"{key[0]}.{key[1]}")
            else:
                entered.add(key)
                open_ += dict.fromkeys(missing)
    nodes = sum(1 for _ in _all_nodes(model.graph.node))
    nodes += sum([sizes.get(call, 0) for call in _calls_of(model.graph.node)])
    if nodes > _MOST_NODES:
        rule = f"have at most {_MOST_NODES} nodes once its functions are inlined"
        raise AttributeValueError(op, "model", rule, nodes)


def _calls_of(nodes: Any) -> list[Any]:
    return [(node.domain, node.op_type, node.overload) for node in _all_nodes(nodes)]


def _all_nodes(nodes: Any) -> Iterator[Any]:
    """Yield nodes, and those of their subgraphs."""
    left = list(nodes)
    while left:
        node = left.pop()
        yield node
        for attribute in node.attribute:
            for graph in (*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])):
                left += graph.node


def may_propagate(graph: Any) -> bool:
    """True unless shape inference, which computes constants, would join some to very long ones."""
    lengths = {tensor.name: count_elements(tensor.dims, _MOST_PROPAGATED) for tensor in graph.initializer}
    for node in graph.node:
        own = [lengths.get(name, 1) for name in node.input]
        length = sum(own) if node.op_type == "Concat" else max(own, default=1)
        if length > _MOST_PROPAGATED:
            return False
        lengths |= dict.fromkeys(node.output, length)
    return True
