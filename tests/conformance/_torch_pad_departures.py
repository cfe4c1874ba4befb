"""Where PyTorch and fastops pad differently: mostly, where PyTorch's modes have limits that fastops' have not."""

from __future__ import annotations

import numpy as np

from tests.conformance._departure_table import departure
from tests.conformance._live import Call, Departure
from tests.conformance._live_draws import numbered
from tests.conformance._outcomes import Array
from tests.helpers import oracle as _oracle

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


def padded(call: Call) -> Array:
    """Return what fastops gives in modes other than constant; a ValueError where it refuses."""
    mode = call.arguments["mode"]
    pads = [(0, 0)] * call.data.ndim
    for k, (extent, before, after) in enumerate(_sides(call)):
        if mode == "circular" and _left(extent, before, after) < 0:
            raise ValueError("more is cropped than there is")
        pads[-k - 1] = (before, after)
    data = call.data
    if mode == "circular":
        cropped = [
            slice(max(-low, 0), extent + min(high, 0)) for extent, (low, high) in zip(data.shape, pads, strict=True)
        ]
        data, pads = data[tuple(cropped)], [(max(low, 0), max(high, 0)) for low, high in pads]
    size = [extent + low + high for extent, (low, high) in zip(data.shape, pads, strict=True)]
    try:
        return _oracle.slice_(data, [-low for low, _ in pads], size, [1] * data.ndim, _MODES[mode])
    except IndexError as error:
        raise ValueError("an empty axis") from error


def _limit(call: Call) -> str:
    """Say which limit of PyTorch's keeps it from padding in modes other than constant; nothing, if none does."""
    mode, pads, shape = call.arguments.get("mode", "constant"), call.arguments["pad"], call.data.shape
    if (
        mode not in _MODES
        or len(pads) % 2
        or len(pads) > 2 * len(shape)
        or call.arguments.get("value") not in (None, 0)
    ):
        return ""
    if mode == "circular" and _is_undefined(call):
        return "undefined"
    try:
        padded(call)
    except ValueError:
        return ""
    n = len(pads) // 2
    if (n, len(shape)) not in _SUPPORTED:
        return "axes"
    if mode == "circular":
        return "periods" if any(max(before, after) > extent for extent, before, after in _sides(call)) else ""
    if 0 in shape[len(shape) - n - 1 :]:
        return "empty"
    if mode == "reflect" and any(max(before, after) >= extent for extent, before, after in _sides(call)):
        return "periods"
    if all(extent + before + after < 1 for extent, before, after in _sides(call)):
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


def _is_unread(call: Call) -> bool:
    """Whether an integer type does not hold a value that is written nowhere."""
    value, dtype = call.arguments.get("value"), call.data.dtype
    if call.arguments.get("mode", "constant") != "constant" or value is None or dtype.kind not in "iu":
        return False
    pads, sides = call.arguments["pad"], _sides(call)
    if len(pads) % 2 or len(pads) > 2 * call.data.ndim or max(pads, default=0) > 0:
        return False
    info = np.iinfo(dtype)
    return min([_left(*each) for each in sides], default=0) >= 0 and not info.min <= value <= info.max


def _limited(limit: str, shape: tuple[int, ...], pad: tuple[int, ...], mode: str, dtype: str = "int32") -> Departure:
    """Return the departure of a limit, with an example of it."""
    example = Call(numbered(shape, dtype), {"pad": pad, "mode": mode}, 2)
    return departure(f"torch-pad-{limit}", lambda call: _limit(call) == limit, example, padded)


PADS = (
    _limited("axes", (3,), (1, 1), "reflect"),
    _limited("empty", (2, 0, 3), (1, 0), "reflect"),
    _limited("periods", (1, 2), (0, 3), "circular"),
    _limited("cropped", (1, 2), (-1, -1), "replicate"),
    _limited("bool", (1, 2), (1, 0), "replicate", "bool"),
    _limited("undefined", (1, 5), (4, -2), "circular"),
    departure("torch-pad-unread", _is_unread, Call(numbered((3,), "uint8"), {"pad": (-1, 0), "value": 300}, 1)),
)
