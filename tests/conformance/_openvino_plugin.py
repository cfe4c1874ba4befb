"""Calls that OpenVINO's CPU plugin answers in another way than its reference kernels, and draws of them.

The inputs of ranges and slices are those of a model with dynamic shapes, which it casts to int32; the repeats of a tile
are constants of the model.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from tests.conformance._calls import Call, Dice, example
from tests.conformance._live import Array, Departures


def draw_range(rng: Dice) -> Call:
    """Numbers of one type; about a third lead away from stop. Sums are exact, but where the count is otherwise."""
    dtype = rng.choice(("int32", "int64", "float32"))
    if dtype == "float32" and rng.random() < 0.2:
        while not _is_counted_otherwise(call := _ranged_call(rng, dtype, 0.1)):
            pass
        return call
    return _ranged_call(rng, dtype, 0.25 if dtype == "float32" else 1)


def _ranged_call(rng: Dice, dtype: str, scale: float) -> Call:
    start, stop = (rng.randint(-20, 20) * scale for _ in range(2))
    step = rng.choice((1, 2, 3, 5)) * scale * (-1 if (stop < start) == (rng.random() < 0.7) else 1)
    arguments = {name: np.dtype(dtype).type(n) for name, n in (("start", start), ("stop", stop), ("step", step))}
    return Call(None, {**arguments, "output_type": dtype}, 4)


def draw_slice(rng: Dice) -> Call:
    """Bounds of one axis, of which some are beyond int32."""
    extent = rng.randint(1, 7)
    far = (2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 2**40, 2**63 - 1, -(2**63))
    step = rng.choice((1, 1, 2, 3, -1, -2))
    start = rng.randint(0, extent - 1)
    stop = rng.choice(far) if rng.random() < 0.4 else rng.randint(-extent, extent)
    if rng.random() < 0.5:
        start, stop = (0, extent) if step > 0 else (extent - 1, -extent - 1)
    lists = {"start": start, "stop": stop, "step": step, "axes": 0}
    data = rng.data((extent,), ("int32",))
    return Call(data, {name: np.array([value], np.int64) for name, value in lists.items()}, 4)


def draw_tile(rng: Dice) -> Call:
    """Repeats of another length than the rank, some of none."""
    shape = tuple([0 if rng.random() < 0.04 else rng.randint(1, 4) for _ in range(rng.randint(1, 3))])
    length = rng.choice([n for n in range(6) if n != len(shape)])
    repeats = [0 if rng.random() < 0.04 else rng.randint(1, 3) for _ in range(length)]
    return Call(rng.data(shape, ("int32", "float32", "uint8")), {"repeats": np.array(repeats, np.int64)}, 1)


DEPARTURES = Departures()


def _no_elements(call: Call) -> Array:
    return np.empty(0, call.arguments["output_type"])


@DEPARTURES.add(
    "openvino-range-leads-away",
    Call(None, {"start": np.int32(5), "stop": np.int32(3), "step": np.int32(1), "output_type": "int32"}, 4),
    _no_elements,
)
def _leads_away(call: Call) -> bool:
    start, stop, step, _ = call.arguments.values()
    return bool((stop - start) * step < 0)


def _count(call: Call, kind: type[Any]) -> int:
    """The elements of a range, counted in a type of floats."""
    start, stop, step = map(kind, list(call.arguments.values())[:3])
    return max(ceil((stop - start) / step), 0)


def _ranged(call: Call) -> Array:
    """The values of Range-4 for float32."""
    return call.arguments["start"] + np.arange(_count(call, float), dtype=np.float32) * call.arguments["step"]


@DEPARTURES.add(
    "openvino-range-counted",
    Call(
        None, {"start": np.float32(-2.9), "stop": np.float32(-0.9), "step": np.float32(1), "output_type": "float32"}, 4
    ),
    _ranged,
)
def _is_counted_otherwise(call: Call) -> bool:
    is_float = call.arguments["output_type"] == "float32"
    return is_float and not _leads_away(call) and _count(call, np.float32) != _count(call, float)


def _sliced(call: Call, *, is_cut: bool = False) -> Array:
    """What a slice gives; with bounds that are cut to 32 bits, what the plugin gives."""
    bounds = [np.int64(call.arguments[name][0]) for name in ("start", "stop", "step")]
    return call.data[slice(*[each.astype(np.int32) if is_cut else each for each in bounds])]


@DEPARTURES.add(
    "openvino-slice-cut",
    example((3,), 4, start=np.array([0]), stop=np.array([2**63 - 1]), step=np.array([1]), axes=np.array([0])),
    _sliced,
)
def _is_cut_otherwise(call: Call) -> bool:
    return _sliced(call).shape != _sliced(call, is_cut=True).shape


@DEPARTURES.add("openvino-tile-no-repeats", example((2, 3), repeats=np.array([], np.int64)), lambda call: call.data)
def _has_no_repeats(call: Call) -> bool:
    return not len(call.arguments["repeats"])
