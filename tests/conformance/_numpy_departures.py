"""Where NumPy and fastops answer differently."""

from __future__ import annotations

import numpy as np

from tests.conformance._calls import Call, example
from tests.conformance._departure_table import Departures

DEPARTURES = Departures()

_NO_AXIS = -(2**31)


def _padded_by_integers(call: Call) -> object:
    widths = {axis: np.array(width, int) for axis, width in call.arguments["pad_width"].items()}
    return np.pad(call.data, **{**call.arguments, "pad_width": {axis: each.tolist() for axis, each in widths.items()}})


@DEPARTURES.add("numpy-pad-booleans", example((1,), pad_width={0: True}), _padded_by_integers)
def _has_no_integers(call: Call) -> bool:
    """Whether the pads of a call of numpy.pad are a dictionary that has none but booleans for every axis."""
    widths = call.arguments["pad_width"]
    if not isinstance(widths, dict) or not widths:
        return False
    return len(widths) == call.data.ndim and all(np.array(each).dtype == bool for each in widths.values())


@DEPARTURES.add("numpy-repeat-no-axis", example((2, 2), repeats=2, axis=_NO_AXIS))
def _is_no_axis(call: Call) -> bool:
    repeats = np.ravel(call.arguments["repeats"])
    return call.arguments.get("axis") == _NO_AXIS and repeats.size == 1 and repeats[0] >= 0


@DEPARTURES.add("numpy-roll-nothing", example((), shift=(), axis=()), lambda call: call.data)
def _rolls_along_nothing(call: Call) -> bool:
    axis = call.arguments.get("axis")
    return not call.data.ndim and axis is not None and not np.size(axis) and np.size(call.arguments["shift"]) < 2
