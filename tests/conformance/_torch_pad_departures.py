"""Where PyTorch and fastops pad differently: mostly, where PyTorch's modes have limits that fastops' have not."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.conformance._live import Call, Departure
from tests.conformance._live_draws import numbered
from tests.conformance._outcomes import UNDEFINED, Array
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


def _limited(limit: str, text: str, example: Call, ours: str, theirs: str = "an error", **others: Any) -> Departure:
    return Departure(
        *("PyTorch", "pad", text),
        leaves=False,
        when=lambda call: _limit(call) == limit,
        example=example,
        theirs=theirs,
        ours=ours,
        answer=padded,
        **others,
    )


def _example(shape: tuple[int, ...], pad: tuple[int, ...], mode: str, dtype: str = "int32") -> Call:
    return Call(numbered(shape, dtype), {"pad": pad, "mode": mode}, 2)


PADS = (
    _limited(
        "axes",
        "Pads the last axis of two or three in modes other than constant, the last two of three or four, and the last "
        "three of four or five, as torch.nn.functional.pad says. fastops pads any number of axes of "
        "a tensor of any rank.",
        _example((3,), (1, 1), "reflect"),
        "5 [2, 1, 2, 3, 2]",
    ),
    _limited(
        "empty",
        "Refuses to reflect or replicate where an axis other than the batch is empty, though it is not padded. fastops "
        "gives a tensor without elements.",
        _example((2, 0, 3), (1, 0), "reflect"),
        "2x0x4 []",
    ),
    _limited(
        "periods",
        "Reflects an axis at most once, and wraps around it at most once. fastops does both any number of times, as "
        "numpy.pad does.",
        _example((1, 2), (0, 3), "circular"),
        "1x5 [1, 2, 1, 2, 1]",
    ),
    _limited(
        "cropped",
        "Refuses to crop the whole of each axis that is padded in modes reflect and replicate, but not the whole of "
        "some. fastops gives a tensor without elements.",
        _example((1, 2), (-1, -1), "replicate"),
        "1x0 []",
    ),
    _limited(
        "bool",
        "Has no kernels for booleans in modes reflect and replicate. fastops pads them like any other type.",
        _example((1, 2), (1, 0), "replicate", "bool"),
        "1x3 [1, 1, 1]",
    ),
    _limited(
        "undefined",
        "Crops one side of an axis in mode circular, and for the other reads more than is left: elements that are not "
        "written yet. fastops wraps around what is left, any number of times, and refuses to where nothing is.",
        _example((1, 5), (4, -2), "circular"),
        "1x7 [3, 1, 2, 3, 1, 2, 3]",
        UNDEFINED,
    ),
    Departure(
        *("PyTorch", "pad"),
        "Does not look at the value where no side is padded. In every call, fastops refuses a value "
        "that the type does not hold.",
        leaves=False,
        when=_is_unread,
        example=Call(numbered((3,), "uint8"), {"pad": (-1, 0), "value": 300}, 1),
        theirs="2 [2, 3]",
    ),
)
