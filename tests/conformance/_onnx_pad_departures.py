"""Pads that ONNX Runtime and fastops answer differently."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.conformance._departure_table import departure
from tests.conformance._live import Call, Departure
from tests.conformance._live_draws import numbered
from tests.conformance._outcomes import Array

#: The extent of an axis, and the pads before and behind it.
Sides = list[tuple[int, int, int]]

_MODES = ("constant", "edge", "wrap", "reflect")


def _mode(call: Call) -> str:
    mode: str = call.arguments.get("mode", "constant")
    return mode


def _sides(call: Call, *, may_repeat: bool = False) -> Sides | None:
    """Return the pads of each axis; None if the call is wrong. Of an axis that is named twice, the last count."""
    rank = call.data.ndim
    axes = [int(axis) for axis in call.arguments.get("axes", range(rank))]
    pads = [int(pad) for pad in call.arguments["pads"]]
    if len(pads) != 2 * len(axes) or not all(-rank <= axis < rank for axis in axes):
        return None
    if (len({axis % rank for axis in axes}) != len(axes)) != may_repeat or _mode(call) not in _MODES:
        return None
    before, behind = [0] * rank, [0] * rank
    for axis, low, high in zip(axes, pads[: len(axes)], pads[len(axes) :], strict=True):
        before[axis], behind[axis] = low, high
    sides = list(zip(call.data.shape, before, behind, strict=True))
    counts = [sum(each) for each in sides]
    is_read = 0 not in counts and _mode(call) != "constant" and min(_left(sides), default=1) <= 0
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
    return np.pad(kept, [(max(low, 0), max(high, 0)) for _, low, high in sides], _mode(call))


def _is_refused(call: Call) -> str | None:
    """Return why ONNX Runtime refuses a right pad: by the end of its name in the table."""
    sides = _sides(call)
    return None if sides is None else _reason(call, sides)


def _reason(call: Call, sides: Sides) -> str | None:
    mode = _mode(call)
    if not sides:
        return "rank-0"
    if mode == "constant":
        return None
    if mode != "wrap" and not call.data.size:
        return "nothing-left" if any(extent == 0 < low + high for extent, low, high in sides) else None
    if min(_left(sides)) <= 0:
        return "nothing-left"
    is_near = all(max(low, high) < n for n, (_, low, high) in zip(_left(sides), sides, strict=True))
    return None if mode != "reflect" or is_near else "reflects"


def _takes_last(call: Call) -> bool:
    """Whether an axis is named twice, and all is right but that."""
    sides = _sides(call, may_repeat=True)
    return sides is not None and _reason(call, sides) is None


def _pad(word: str, shape: tuple[int, ...], **arguments: Any) -> Departure:
    """Return the departure of pads that ONNX Runtime refuses, with an example of them."""

    def answer(call: Call) -> Array:
        return call.data if word == "rank-0" else _padded(call)

    example = Call(numbered(shape), arguments, 1)
    return departure(f"onnx-pad-{word}", lambda call: _is_refused(call) == word, example, answer)


PADS = (
    _pad("rank-0", (), pads=[]),
    _pad("reflects", (2,), pads=[2, 0], mode="reflect"),
    _pad("nothing-left", (1,), pads=[-1, 0], mode="edge"),
    departure("onnx-pad-one-axis-twice", _takes_last, Call(numbered((1,)), {"pads": [1, 2, 0, 0], "axes": [0, -1]}, 1)),
)
