"""Pads that ONNX Runtime and fastops answer differently."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tests.conformance._calls import Call, are_axes, example
from tests.conformance._departure_table import Departures
from tests.conformance._outcomes import Array

#: The extent of an axis, and the pads before and behind it.
Sides = list[tuple[int, int, int]]

PADS = Departures()


def _mode(call: Call) -> Any:
    return call.arguments.get("mode", "constant")


def _sides(call: Call, *, may_repeat: bool = False) -> Sides | None:
    """Return the pads of each axis; None if the call is wrong. Of an axis that is named twice, the last count."""
    rank, mode = call.data.ndim, _mode(call)
    axes = [int(axis) for axis in call.arguments.get("axes", range(rank))]
    pads = [int(pad) for pad in call.arguments["pads"]]
    if len(pads) != 2 * len(axes) or mode not in ("constant", "edge", "wrap", "reflect"):
        return None
    if not are_axes(axes, rank, may_repeat=may_repeat) or (may_repeat and are_axes(axes, rank)):
        return None
    named = dict(zip([axis % rank for axis in axes], zip(pads, pads[len(axes) :], strict=False), strict=True))
    sides = [(extent, *named.get(axis, (0, 0))) for axis, extent in enumerate(call.data.shape)]
    counts = [sum(each) for each in sides]
    is_read = 0 not in counts and mode != "constant" and min(_left(sides), default=1) <= 0
    return None if min(counts, default=0) < 0 or is_read else sides


def _left(sides: Sides) -> list[int]:
    """The elements of each axis that are left once it is cropped, before it is padded."""
    return [extent + min(low, 0) + min(high, 0) for extent, low, high in sides]


def _padded(call: Call) -> Array:
    """What a pad in another mode than constant gives, read from what is left of each axis once it is cropped."""
    sides = _sides(call) or []
    if 0 in [sum(each) for each in sides]:
        return np.empty([sum(each) for each in sides], call.data.dtype)
    kept = call.data[tuple([slice(max(-low, 0), d + min(high, 0)) for d, low, high in sides])]
    return np.pad(kept, [(max(low, 0), max(high, 0)) for _, low, high in sides], _mode(call)) if sides else kept


def _reason(call: Call, *, may_repeat: bool = False) -> str:
    """Return why ONNX Runtime refuses a right pad, by the end of its name in the table."""
    sides, mode = _sides(call, may_repeat=may_repeat), _mode(call)
    if not sides:
        return "wrong" if sides is None else "rank-0"
    if mode == "constant":
        return ""
    if mode != "wrap" and not call.data.size:
        return "nothing-left" if any(extent == 0 < low + high for extent, low, high in sides) else ""
    if min(_left(sides)) <= 0:
        return "nothing-left"
    is_near = all(max(low, high) < n for n, (_, low, high) in zip(_left(sides), sides, strict=True))
    return "" if mode != "reflect" or is_near else "reflects"


def _is_for(reason: str, call: Call) -> bool:
    return _reason(call) == reason


for _word, _example in {
    "rank-0": example((), pads=[]),
    "reflects": example((2,), pads=[2, 0], mode="reflect"),
    "nothing-left": example((1,), pads=[-1, 0], mode="edge"),
}.items():
    PADS.add(f"onnx-pad-{_word}", _example, _padded)(partial(_is_for, _word))


@PADS.add("onnx-pad-one-axis-twice", example((1,), pads=[1, 2, 0, 0], axes=[0, -1]))
def _takes_last(call: Call) -> bool:
    """Whether an axis is named twice, and all is right but that."""
    return _reason(call, may_repeat=True) == ""
