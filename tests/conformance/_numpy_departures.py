"""Where NumPy and fastops answer differently."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.conformance._departure_table import departure
from tests.conformance._live import Call, Departure
from tests.conformance._live_draws import numbered

_departure = partial(Departure, "NumPy")

_NO_AXIS = -(2**31)


def _repeats_nothing(call: Call) -> bool:
    """Whether a call of numpy.repeat has negative repeats of an axis without elements."""
    shape, axis = call.data.shape, call.arguments.get("axis")
    if np.ravel(call.arguments["repeats"])[0] >= 0:
        return False
    if axis in (None, _NO_AXIS) or not shape:
        return call.data.size == 0
    return -len(shape) <= axis < len(shape) and shape[axis] == 0


def _is_no_axis(call: Call) -> bool:
    return call.arguments.get("axis") == _NO_AXIS and np.ravel(call.arguments["repeats"])[0] >= 0


def _rolls_along_nothing(call: Call) -> bool:
    axis = call.arguments.get("axis")
    return not call.data.ndim and axis is not None and not np.size(axis) and np.size(call.arguments["shift"]) < 2


def _tiles_nothing(call: Call) -> bool:
    """Whether all negative repeats of a call of numpy.tile, of which there are some, are of axes without elements."""
    repeats = np.ravel(call.arguments["reps"]).tolist()
    extents = [*[1] * (len(repeats) - call.data.ndim), *call.data.shape]
    negative = [extent for extent, n in zip(extents[::-1], repeats[::-1], strict=False) if n < 0]
    return bool(negative) and not any(negative)


def _kind_of(call: Call, argument: str) -> str:
    """Return the kind of the type of an argument that is one number."""
    value = call.arguments.get(argument)
    return np.asarray(value).dtype.kind if isinstance(value, bool | float) else "i"


def _has_no_integers(call: Call) -> bool:
    """Whether the pads of a call of numpy.pad are a dictionary that has none but booleans for every axis."""
    widths = call.arguments["pad_width"]
    if not isinstance(widths, dict) or not widths:
        return False
    pairs = [width if isinstance(width, tuple) else (width,) for width in widths.values()]
    return len(widths) == call.data.ndim and all(isinstance(each, bool) for pair in pairs for each in pair)


def _padded_by_integers(call: Call) -> object:
    widths = {
        axis: tuple(map(int, width)) if isinstance(width, tuple) else int(width)
        for axis, width in call.arguments["pad_width"].items()
    }
    return np.pad(call.data, **{**call.arguments, "pad_width": widths})


def _no_integers(function: str, argument: str, value: object, theirs: str, **others: object) -> Departure:
    """The departure of a function that takes other numbers for integers."""

    return _departure(
        function,
        f"Takes booleans for {argument}, and, where its code does, floats. numpy.{function} names integers only; "
        "fastops refuses other types wherever an integer is meant.",
        leaves=False,
        when=lambda call: _kind_of(call, argument) in "bf",
        example=Call(numbered((2, 2)), {argument: value, **others}),
        theirs=theirs,
    )


def _boolean_axis(function: str, argument: str, theirs: str, **others: object) -> Departure:
    """The departure of a function that takes True for axis 1."""
    return _departure(
        function,
        f"Takes True and False for axes 1 and 0 as {argument}. numpy.{function} names integers only; fastops refuses "
        "booleans wherever an integer is meant.",
        leaves=False,
        when=lambda call: _kind_of(call, argument) == "b",
        example=Call(numbered((2, 2)), {argument: True, **others}),
        theirs=theirs,
    )


DEPARTURES = (
    _boolean_axis("roll", "axis", "2x2 [2, 1, 4, 3]", shift=1),
    _boolean_axis("sliding_window_view", "axis", "2x1x2 [1, 2, 3, 4]", window_shape=2),
    departure(
        "numpy-pad-booleans", _has_no_integers, Call(numbered((1,)), {"pad_width": {0: True}}, 1), _padded_by_integers
    ),
    departure(
        "numpy-roll-texts",
        lambda call: np.asarray(call.arguments["shift"]).dtype.kind in "Uc",
        Call(numbered((2,)), {"shift": "1"}, 1),
    ),
    _no_integers("repeat", "repeats", 2.5, "8 [1, 1, 2, 2, 3, 3, 4, 4]"),
    _no_integers("tile", "reps", True, "2x2 [1, 2, 3, 4]"),
    _no_integers("array_split", "indices_or_sections", 1.5, "2x2 [1, 2, 3, 4]"),
    _no_integers("split", "indices_or_sections", True, "2x2 [1, 2, 3, 4]"),
    _no_integers("rot90", "k", True, "2x2 [2, 4, 1, 3]"),
    _boolean_axis("flip", "axis", "2x2 [2, 1, 4, 3]"),
    _boolean_axis("moveaxis", "source", "2x2 [1, 3, 2, 4]", destination=0),
    _boolean_axis("swapaxes", "axis1", "2x2 [1, 3, 2, 4]", axis2=0),
    departure("numpy-negative-repeats", _repeats_nothing, Call(numbered((0,)), {"repeats": -2, "axis": 0}, 2)),
    departure("numpy-repeat-no-axis", _is_no_axis, Call(numbered((2, 2)), {"repeats": 2, "axis": _NO_AXIS}, 1)),
    departure(
        "numpy-roll-nothing",
        _rolls_along_nothing,
        Call(numbered(()), {"shift": (), "axis": ()}, 1),
        lambda call: call.data,
    ),
    departure("numpy-tile-nothing", _tiles_nothing, Call(numbered((0,)), {"reps": -2}, 1)),
)
