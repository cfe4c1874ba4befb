"""Where OpenVINO and fastops answer differently: its reference kernels, or its CPU plugin only."""

from __future__ import annotations

import numpy as np

from tests.conformance._calls import Call, are_axes, example
from tests.conformance._departure_table import Departures
from tests.conformance._outcomes import Array, are_alike

DEPARTURES = Departures()


def _integers(call: Call, name: str) -> list[int]:
    return [int(each) for each in np.ravel(np.array(call.arguments[name], int))]


def _empty_pad(call: Call) -> Array:
    sides = zip(call.data.shape, _integers(call, "pads_begin"), _integers(call, "pads_end"), strict=True)
    return np.empty([sum(each) for each in sides], call.data.dtype)


@DEPARTURES.add(
    "openvino-pad-of-an-empty-axis", example((0,), 3, pads_begin=[0], pads_end=[0], pad_mode="reflect"), _empty_pad
)
def _reflects_nothing(call: Call) -> bool:
    """Whether a right pad reflects data of which an axis is empty, and has no pads."""
    before, behind = _integers(call, "pads_begin"), _integers(call, "pads_end")
    shape, mode = call.data.shape, call.arguments["pad_mode"].lower()
    if mode != "reflect" or 0 not in shape or not len(before) == len(behind) == len(shape):
        return False
    sides = zip(shape, before, behind, strict=True)
    return all(max(low, high) <= max(n - 1, 0) and n + low + high >= 0 for n, low, high in sides)


@DEPARTURES.add(
    "openvino-step-of-nothing",
    Call(None, {"start": np.float64(0), "stop": np.float64(2), "step": np.float64(0.5), "output_type": "int32"}, 4),
)
def _steps_by_nothing(call: Call) -> bool:
    """Whether finite floats make a range of integers whose step is 0 once it is truncated, but not before."""
    *numbers, output_type = call.arguments.values()
    step = numbers[2]
    return output_type[0] in "iu" and all(map(np.isfinite, numbers)) and step != 0 and int(step) == 0


def _rolled(call: Call) -> Array:
    axes, shifts = _integers(call, "axes"), _integers(call, "shift")
    return np.roll(call.data, shifts * (len(axes) // len(shifts)), axes)


@DEPARTURES.add("openvino-lone-shift", example((2, 2), 2, shift=1, axes=[0, 1]), _rolled)
def _rolls_all_alike(call: Call) -> bool:
    """Whether one shift is given for several axes of data with elements."""
    axes = _integers(call, "axes")
    is_lone = np.ndim(call.arguments["shift"]) == 0 and len(axes) > 1 and call.data.size > 0
    return is_lone and are_axes(axes, call.data.ndim, may_repeat=True)


@DEPARTURES.add("openvino-roll-far", example((3,), 2, shift=[1, 2**31 - 1], axes=[0, 0]), _rolled)
def _adds_up_to_more(call: Call) -> bool:
    """Whether the shifts of an axis are more than int32 holds, and it shows."""
    axes, shifts, rank = _integers(call, "axes"), _integers(call, "shift"), call.data.ndim
    if len(axes) != len(shifts) or not are_axes(axes, rank, may_repeat=True) or not call.data.size:
        return False
    moved, wrapped = [0] * rank, [0] * rank
    for axis, shift in zip(axes, shifts, strict=True):
        extent = call.data.shape[axis]
        moved[axis] = (moved[axis] + shift) % extent
        # It keeps the remainder of each sum.
        wrapped[axis] = ((wrapped[axis] + shift + 2**31) % 2**32 - 2**31) % extent
    return not are_alike(np.roll(call.data, moved, range(rank)), np.roll(call.data, wrapped, range(rank)))
