"""Where PyTorch and fastops pad differently: mostly, where PyTorch's modes have limits that fastops' have not."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.conformance._calls import Call, example, numbered
from tests.conformance._departure_table import Departures
from tests.conformance._outcomes import Array, outcome_of
from tests.helpers import oracle as _oracle

PADS = Departures()

_MODES = {"reflect": "reflect", "replicate": "clamp", "circular": "wrap"}

# How many axes are padded, and of how many: what there are kernels for, in modes other than constant.
_SUPPORTED = ((1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5))


def _sides(call: Call) -> list[tuple[int, int, int]]:
    """The extent and the pads of each axis, the last axes first."""
    pads = call.arguments["pad"]
    return list(zip(call.data.shape[::-1], pads[::2], pads[1::2], strict=False))


def _left(extent: int, before: int, after: int) -> int:
    """The elements that are left of an axis once its sides are cropped."""
    return extent + min(before, 0) + min(after, 0)


def _are_pairs(call: Call) -> bool:
    pads = call.arguments["pad"]
    return len(pads) % 2 == 0 and len(pads) <= 2 * call.data.ndim


def _padded(call: Call) -> Array:
    """Return what fastops gives in modes other than constant; a ValueError where it refuses."""
    data, mode, sides = call.data, call.arguments["mode"], _sides(call)
    pads = [(0, 0)] * (data.ndim - len(sides)) + [side[1:] for side in sides[::-1]]
    if mode == "circular":
        if any(_left(*each) < 0 for each in sides):
            raise ValueError("more is cropped than there is")
        sides_in_order = zip(data.shape, pads, strict=True)
        data = data[tuple([slice(max(-low, 0), extent + min(high, 0)) for extent, (low, high) in sides_in_order])]
        pads = [(max(low, 0), max(high, 0)) for low, high in pads]
    size = [extent + low + high for extent, (low, high) in zip(data.shape, pads, strict=True)]
    # Which is a ValueError if there are too many elements, or less than none.
    np.empty(size, data.dtype)
    try:
        return _oracle.slice_(data, [-low for low, _ in pads], size, [1] * data.ndim, _MODES[mode])
    except IndexError as error:
        raise ValueError("an empty axis") from error


def _limit(call: Call) -> str:
    """Say which limit of PyTorch's keeps it from padding in modes other than constant; nothing, if none does."""
    mode, sides, shape = call.arguments.get("mode", "constant"), _sides(call), call.data.shape
    if mode not in _MODES or not _are_pairs(call) or call.arguments.get("value") not in (None, 0):
        return ""
    if mode == "circular" and _is_undefined(call):
        return "undefined"
    if outcome_of(lambda: _padded(call), ValueError) is None:
        return ""
    if (len(sides), len(shape)) not in _SUPPORTED:
        return "axes"
    if mode != "circular" and 0 in shape[len(shape) - len(sides) - 1 :]:
        return "empty"
    # It reflects less than an axis, and wraps around all of it.
    most = {"reflect": -1, "circular": 0}.get(mode)
    if most is not None and any(max(before, after) > extent + most for extent, before, after in sides):
        return "periods"
    if mode == "circular":
        return ""
    if all(sum(each) < 1 for each in sides):
        return "cropped"
    return "bool" if call.data.dtype == bool else ""


def _is_undefined(call: Call) -> bool:
    """Whether PyTorch wraps an axis around more than is left of it, and takes the call."""
    sides = _sides(call)
    if (len(sides), call.data.ndim) not in _SUPPORTED:
        return False
    if any(max(before, after) > extent or extent + before + after < 0 for extent, before, after in sides):
        return False
    return any(_left(*each) < max(each[1:]) and min(each[1:]) < 0 for each in sides)


def _has_limit(limit: str, call: Call) -> bool:
    return _limit(call) == limit


for _word, _example in {
    "axes": example((3,), 2, pad=(1, 1), mode="reflect"),
    "empty": example((2, 0, 3), 2, pad=(1, 0), mode="reflect"),
    "periods": example((1, 2), 2, pad=(0, 3), mode="circular"),
    "cropped": example((1, 2), 2, pad=(-1, -1), mode="replicate"),
    "bool": Call(numbered((1, 2), "bool"), {"pad": (1, 0), "mode": "replicate"}, 2),
    "undefined": example((1, 5), 2, pad=(4, -2), mode="circular"),
}.items():
    PADS.add(f"torch-pad-{_word}", _example, _padded)(partial(_has_limit, _word))


@PADS.add("torch-pad-unread", Call(numbered((3,), "uint8"), {"pad": (-1, 0), "value": 300}, 1))
def _is_unread(call: Call) -> bool:
    """Whether an integer type does not hold a value that is written nowhere."""
    value, dtype, pads = call.arguments.get("value"), call.data.dtype, call.arguments["pad"]
    if call.arguments.get("mode", "constant") != "constant" or value is None or dtype.kind not in "iu":
        return False
    if not _are_pairs(call) or max(pads, default=0) > 0 or min([_left(*each) for each in _sides(call)], default=0) < 0:
        return False
    return not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
