"""Which rule a recorded case of SpaceToBatch or BatchToSpace is about."""

from __future__ import annotations

from math import prod
from typing import Any

Parameters = dict[str, Any]


def rule_of_space_to_batch(case: Parameters) -> str:
    """The rule of SpaceToBatch."""
    fault = _fault_of_lists(case)
    if fault:
        return fault
    blocks, sides = _blocks_and_sides(case)
    axes = list(zip(case["input_shape"][1:], blocks, sides, strict=False))
    if any((extent + sum(pads)) % block for extent, block, pads in axes):
        return "blocks: one does not divide its axis with the pads"
    if prod(case["input_shape"]) == 0:
        return f"data without elements{_rank_of(case)}"
    if not any(map(sum, sides)):
        return f"pads: none{_rank_of(case)}"
    is_whole = not any(pad % block for _, block, pads in axes for pad in pads)
    return f"pads: {'multiples of the blocks' if is_whole else 'others'}{_rank_of(case)}"


def rule_of_batch_to_space(case: Parameters) -> str:
    """The rule of BatchToSpace."""
    fault = _fault_of_lists(case)
    if fault:
        return fault
    blocks, sides = _blocks_and_sides(case)
    batch, *spatial = case["input_shape"]
    if batch % prod(blocks):
        return "blocks: their product does not divide the batch"
    lengths = [extent * block - sum(crops) for extent, block, crops in zip(spatial, blocks, sides, strict=False)]
    if min(lengths, default=0) < 0:
        return "crops: more than there is"
    if prod(case["input_shape"]) == 0:
        return "data without elements"
    if 0 in lengths:
        return "crops: all of an axis"
    if not any(map(sum, sides)):
        return "crops: none"
    is_whole = not any(crop % block for block, crops in zip(blocks, sides, strict=True) for crop in crops)
    return f"crops: {'multiples of the blocks' if is_whole else 'others'}"


def _rank_of(case: Parameters) -> str:
    """Return what is said of data with one axis behind the batch."""
    return ", data of rank 2" if len(case["input_shape"]) == 2 else ""


def _lists(case: Parameters) -> tuple[list[int], list[Any]]:
    """Return the blocks, and the lists of pads or crops: those before and those behind, or one of pairs."""
    blocks, *sides = case["attrs"].values()
    return blocks, sides


def _blocks_and_sides(case: Parameters) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the blocks of the axes behind the batch, and what is added or taken away before and behind each."""
    blocks, sides = _lists(case)
    if len(sides) == 2:
        return blocks[1:], list(zip(*[side[1:] for side in sides], strict=True))
    return blocks, [(before, behind) for before, behind in sides[0]]


def _fault_of_lists(case: Parameters) -> str | None:
    """Say which rule of its lists alone a case is about; None if they are as they must be."""
    rank, (blocks, sides) = len(case["input_shape"]), _lists(case)
    has_batch = len(sides) == 2
    if rank == 0 or (has_batch and rank == 1):
        return f"data of rank {rank}"
    if len(blocks) != rank if has_batch else len(blocks) >= rank:
        return "blocks: another number of them than axes"
    if not has_batch and any(not isinstance(pair, list) or len(pair) != 2 for pair in sides[0]):
        return "pads and crops: no pairs"
    if any(len(side) != len(blocks) for side in sides):
        return "pads and crops: another number of them than blocks"
    if has_batch and blocks[0] != 1:
        return "blocks: one of the batch other than 1"
    if has_batch and any(side[0] for side in sides):
        return "pads and crops: of the batch"
    if min(blocks, default=1) < 1:
        return "blocks: below 1"
    numbers = sides if has_batch else sides[0]
    if any(number < 0 for each in numbers for number in each):
        return "pads and crops: negative"
    return None if blocks else "blocks: none"
