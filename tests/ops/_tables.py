"""Short forms of calls and refusals for tables of operators, tables that several dialects share, and the contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.helpers.contract import DTYPES, Call, Refusal, contract, refuse
from tests.helpers.oracle import Cut, as_depth, batch_to_space, cut_same, patches, space_to_batch

__all__ = ["DTYPES", "EIGHT", "Call", "Refusal", "alike", "batch_to_spaces", "contract", "refuse"]
__all__ += ["patches_as_depth", "space_to_batches", "tiles", "transposes"]

#: Many axes, some of length 1.
EIGHT = (2, 1, 2, 3, 1, 2, 2, 2)


def alike(function: Callable[..., Any], names: str, *rows: tuple[Any, ...], **options: Any) -> list[Call]:
    """Return calls that give what a function of NumPy gives with the same values.

    A row is a shape and the values of the arguments in ``names``, in that order. The function of NumPy takes the values
    by position.
    """
    return [
        Call(
            shape,
            dict(zip(names.split(), values, strict=False)),
            lambda x, values=values: function(x, *values),
            **options,
        )
        for shape, *values in rows
    ]


def tiles(name: str, *rows: tuple[tuple[int, ...], Any]) -> list[Call]:
    """Return calls of a tile with one number for each axis, and the calls of other rows."""
    return alike(np.tile, name, ((2, 3), [2, 1]), ((2, 3), [3, 5]), ((1, 3), [4, 1]), ((2, 3), [0, 2]), ((), []), *rows)


def transposes(name: str) -> list[Call | Refusal]:
    """Return transpositions, and refusals of orders that name too few axes, one twice, or one out of range."""
    rows: list[Any] = [((2, 3, 4), [2, 0, 1]), ((5,), [0]), ((), []), ((3, 0, 2), [1, 2, 0])]
    rules = {(0,): r"name each of the 2 axes once, got \[0\]", (1, 1): "name each axis once", (0, 2): r"be in -2\.\.1"}
    return [
        *alike(np.transpose, name, *rows, ((1, 4, 1, 3), [0, 3, 2, 1])),
        *[Refusal((2, 3), {name: list(order)}, ValueError, f"{name} must {rule}") for order, rule in rules.items()],
    ]


def patches_as_depth(x: Any, sizes: Any, strides: Any, rates: Any, padding: str, *, channels: int) -> Any:
    """Return the patches of images whose channels are axis 1 or 3, with each patch as channels."""
    rows = 2 if channels == 1 else 1
    numbers = [(rows + k, sizes[k], strides[k], rates[k]) for k in (0, 1)]
    more_before = padding == "same_lower"
    cuts = [Cut(*each) if padding == "valid" else cut_same(x, *each, more_before=more_before) for each in numbers]
    return as_depth(patches(x, *cuts), first=channels, channels=channels)


_Blocks = tuple[tuple[int, ...], list[int], list[int], list[int], int]

#: Shapes, sizes of blocks, pads before and behind each spatial axis, and the number of pieces.
_PADDED: list[_Blocks] = [
    ((2, 4, 6), [2, 3], [0, 0], [0, 0], 1),
    ((2, 3, 4), [2, 3], [1, 0], [0, 2], 4),
    ((1, 4, 3), [2, 1], [4, 2], [2, 0], 6),
    ((2, 1, 2), [3, 1], [4, 0], [4, 1], 6),
    ((1, 5, 2), [1, 1], [0, 0], [0, 0], 1),
    ((2, 0, 3), [2, 1], [1, 0], [1, 0], 1),
    ((0, 3, 4), [2, 2], [1, 0], [0, 0], 1),
    ((1, 3, 2, 3, 4), [2, 2, 1, 2], [1, 0, 0, 1], [2, 2, 0, 1], 18),
    ((2, 3), [2], [1], [0], 2),
]

#: The same, with crops.
_CROPPED: list[_Blocks] = [
    ((12, 3, 2), [2, 3], [0, 0], [0, 0], 1),
    ((12, 3, 2), [2, 3], [1, 0], [0, 2], 4),
    ((4, 4, 3), [2, 2], [1, 2], [3, 1], 6),
    ((3, 4, 2), [3, 1], [4, 0], [4, 1], 2),
    ((3, 4, 2), [3, 1], [4, 0], [7, 0], 1),
    ((1, 5, 2), [1, 1], [2, 0], [1, 0], 1),
    ((2, 2, 3), [2, 1], [4, 0], [0, 0], 1),
    ((0, 2, 3), [2, 1], [1, 0], [1, 0], 1),
    ((2, 0, 3), [2, 1], [0, 0], [0, 0], 1),
    ((8, 2, 1, 3, 2), [2, 1, 2, 2], [1, 0, 1, 0], [1, 0, 2, 1], 8),
    ((4, 3), [2], [1], [0], 2),
]


def space_to_batches(arguments: Callable[..., dict[str, Any]], *rows: _Blocks) -> list[Call]:
    """Return calls of the table of pads and of other rows; ``arguments`` makes arguments from sizes and pads."""
    return _of_blocks(space_to_batch, [*_PADDED, *rows], arguments)


def batch_to_spaces(arguments: Callable[..., dict[str, Any]], *rows: _Blocks) -> list[Call]:
    """Return calls of the table of crops and of other rows; ``arguments`` makes arguments from sizes and crops."""
    return _of_blocks(batch_to_space, [*_CROPPED, *rows], arguments)


def _of_blocks(function: Callable[..., Any], rows: list[_Blocks], arguments: Any) -> list[Call]:
    return [
        Call(shape, arguments(*lists), lambda x, lists=lists: function(x, *lists), pieces=pieces)
        for shape, *lists, pieces in rows
    ]
