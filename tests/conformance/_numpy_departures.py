"""Where NumPy and fastops answer differently."""

from __future__ import annotations

import numpy as np

from tests.conformance._calls import Call, example
from tests.conformance._departure_table import Departures
from tests.conformance._live import Departure

DEPARTURES = Departures()

_NO_AXIS = -(2**31)


def _add_number(function: str, argument: str, value: object, theirs: str, what: str, **others: object) -> None:
    """Add the departure of a function that takes other numbers for integers, of which ``what`` says more."""

    def when(call: Call) -> bool:
        given = call.arguments.get(argument)
        return isinstance(given, bool) or (isinstance(given, float) and "floats" in what)

    text = f"{what} numpy.{function} names integers only; fastops refuses {{}} wherever an integer is meant."
    text = text.format("other types" if "floats" in what else "booleans")
    arguments = {argument: value, **others}
    DEPARTURES.append(Departure("NumPy", function, text, False, when, example((2, 2), 0, **arguments), theirs))


def _add_axis(function: str, argument: str, theirs: str, **others: object) -> None:
    what = f"Takes True and False for axes 1 and 0 as {argument}."
    _add_number(function, argument, True, theirs, what, **others)


def _add_integer(function: str, argument: str, value: object, theirs: str) -> None:
    what = f"Takes booleans for {argument}, and, where its code does, floats."
    _add_number(function, argument, value, theirs, what)


_add_axis("roll", "axis", "2x2 [2, 1, 4, 3]", shift=1)
_add_axis("sliding_window_view", "axis", "2x1x2 [1, 2, 3, 4]", window_shape=2)
_add_integer("repeat", "repeats", 2.5, "8 [1, 1, 2, 2, 3, 3, 4, 4]")
_add_integer("tile", "reps", True, "2x2 [1, 2, 3, 4]")
_add_integer("array_split", "indices_or_sections", 1.5, "2x2 [1, 2, 3, 4]")
_add_integer("split", "indices_or_sections", True, "2x2 [1, 2, 3, 4]")
_add_integer("rot90", "k", True, "2x2 [2, 4, 1, 3]")
_add_axis("flip", "axis", "2x2 [2, 1, 4, 3]")
_add_axis("moveaxis", "source", "2x2 [1, 3, 2, 4]", destination=0)
_add_axis("swapaxes", "axis1", "2x2 [1, 3, 2, 4]", axis2=0)


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


@DEPARTURES.add("numpy-roll-types", example((2,), shift=1.5))
def _rolls_by_no_integers(call: Call) -> bool:
    return isinstance(call.arguments["shift"], bool | float | complex | str)


@DEPARTURES.add("numpy-negative-repeats", example((0,), 2, repeats=-2, axis=0))
def _repeats_nothing(call: Call) -> bool:
    """Whether a call of numpy.repeat has negative repeats of an axis without elements."""
    shape, axis = call.data.shape, call.arguments.get("axis")
    if np.ravel(call.arguments["repeats"])[0] >= 0:
        return False
    if axis in (None, _NO_AXIS) or not shape:
        return call.data.size == 0
    return -len(shape) <= axis < len(shape) and shape[axis] == 0


@DEPARTURES.add("numpy-repeat-no-axis", example((2, 2), repeats=2, axis=_NO_AXIS))
def _is_no_axis(call: Call) -> bool:
    return call.arguments.get("axis") == _NO_AXIS and np.ravel(call.arguments["repeats"])[0] >= 0


@DEPARTURES.add("numpy-roll-nothing", example((), shift=(), axis=()), lambda call: call.data)
def _rolls_along_nothing(call: Call) -> bool:
    axis = call.arguments.get("axis")
    return not call.data.ndim and axis is not None and not np.size(axis) and np.size(call.arguments["shift"]) < 2


def tiles_nothing(call: Call, argument: str) -> bool:
    """Whether all negative repeats of a call, of which there are some, are of axes without elements."""
    repeats = np.ravel(call.arguments[argument]).tolist()
    extents = [*[1] * (len(repeats) - call.data.ndim), *call.data.shape]
    negative = [extent for extent, n in zip(extents[::-1], repeats[::-1], strict=False) if n < 0]
    return bool(negative) and not any(negative)


@DEPARTURES.add("numpy-tile-nothing", example((0,), reps=-2))
def _tiles_nothing(call: Call) -> bool:
    return tiles_nothing(call, "reps")
