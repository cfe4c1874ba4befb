"""Random calls of the functions of fastops.tensorflow, and where they depart from TensorFlow.

Data has dtypes that TensorFlow has a kernel for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np

from tests.conformance import _draws
from tests.conformance._calls import LEFT_OUT, Array, Call, Dice, are_axes, example, extent_of, is_far
from tests.conformance._draws import Draw, family
from tests.conformance._live import departures_of

_COMMON = ("float32", "float16", "float64", "bfloat16", "uint8", "int32", "int64", "int8", "int16")
_UNSIGNED = ("uint16", "uint32", "uint64")


class TensorFlowDice(Dice):
    """Arguments in the forms that TensorFlow takes."""

    dtypes = (*_COMMON, *_UNSIGNED, "bool", "complex64", "complex128")
    index_types = ("int32", "int64")

    def lists(self, *lists: Sequence[Any], lone: float | None = None, **_: Any) -> list[Any]:
        """Lists, or arrays of one type: TensorFlow converts all to the first one's type, which may change numbers.

        Most empty lists are arrays, because TensorFlow refuses empty lists.
        """
        if lone:
            return [each[0] if len(each) == 1 else list(each) for each in lists]
        are_far = is_far(chain(*lists))
        if not are_far and self.random() < 0.5 and (all(lists) or self.random() < 0.1):
            return [self.choice((list, tuple))(each) for each in lists]
        dtype = "int64" if are_far else self.choice(self.index_types)
        return [np.array(each, dtype) for each in lists]


@family
def pads(rng: TensorFlowDice) -> Call:
    data = rng.data(None, (*_COMMON, "bool", "complex64"))
    mode: Any = rng.choice(("CONSTANT", "CONSTANT", "constant", "REFLECT", "Reflect", "SYMMETRIC"))
    pairs = rng.pads(data.shape, mode.lower())
    is_wrong = 0 < data.ndim < 6 and rng.random() < 0.1
    if is_wrong:
        axis = rng.randrange(data.ndim)
        pairs[axis][rng.randrange(2)] = rng.choice((-1, data.shape[axis] + 1))
        pairs = rng.choice((pairs, pairs, pairs[1:], [*pairs, [0, 0]]))
    is_list = rng.random() < (0.6 if pairs else 0.1)
    paddings = rng.choice((list, tuple))(pairs) if is_list else rng.array(pairs).reshape(-1, 2)
    value = LEFT_OUT if is_wrong or rng.random() < 0.3 else _constant(rng, data.dtype)
    mode = LEFT_OUT if mode == "CONSTANT" and rng.random() < 0.5 else mode
    return rng.call(data, {"paddings": paddings, "mode": mode, "constant_values": value})


def _constant(rng: TensorFlowDice, dtype: np.dtype[Any]) -> Any:
    """A constant; most often one that the dtype holds."""
    if rng.random() < 0.15:
        return rng.choice((300, True, -0.0, 0.0, 2.5, 2**40, 1e300, np.int64(5), np.float32(2)))
    if dtype.kind == "b":
        return rng.choice((True, False, np.True_))
    if dtype.kind in "iu":
        return rng.choice((0, 1, 100, dtype.type(7)))
    return rng.choice((0, 1, 0.5, 0.0, -1.5, float("nan"), float("inf"), dtype.type(3)))


@family
def ranges(rng: TensorFlowDice) -> Call:
    if rng.random() < 0.03:
        halves = {"start": rng.choice((0, 1.5)), "limit": rng.choice((3, 2.5)), "delta": rng.choice((1, 0.1))}
        return rng.call(None, {**halves, "dtype": "float16"})
    is_float, has_extremes = rng.random() < 0.5, rng.random() < 0.06
    start, limit, delta = rng.range(of_floats=is_float)
    if has_extremes:
        limit, delta = rng.choice(((2**31 - 1, 2**29), (2**63 - 1, 2**61), (-(2**63), -(2**60)), (2**31, 2**30)))
    if not all(map(isfinite, (start, limit, delta))):
        return rng.call(None, {"start": start, "limit": limit, "delta": delta})
    dtype: Any = rng.choice(("int32", "int64", "float32", "float64")) if rng.random() < 0.3 else LEFT_OUT
    # TensorFlow converts floats beyond an integer type to arbitrary integers.
    if rng.random() < 0.4 and not (has_extremes and dtype in ("int32", "int64")):
        names = ("float32", "float64") if is_float else ("int32", "int64", "float32", "float64")
        start, limit, delta = (_typed(rng, value, names) for value in (start, limit, delta))
    if not has_extremes and rng.random() < 0.15:
        return rng.call(None, {"start": limit, "limit": LEFT_OUT, "delta": LEFT_OUT, "dtype": dtype})
    delta = LEFT_OUT if not has_extremes and rng.random() < 0.2 else delta
    return rng.call(None, {"start": start, "limit": limit, "delta": delta, "dtype": dtype})


def _typed(rng: TensorFlowDice, value: Any, names: tuple[str, ...]) -> Any:
    """A Python number, or a NumPy number of a type that holds it."""
    name = rng.choice(names)
    return value if rng.random() < 0.3 or (name[0] == "i" and is_far([value])) else np.dtype(name).type(value)


@family
def splits(rng: TensorFlowDice) -> Call:
    data = rng.data()
    axis: Any = rng.axis(data.ndim)
    extent = extent_of(data.shape, axis)
    parts: Any = rng.choice((1, 1, extent, 2, 3, *((0, -1) if rng.random() < 0.2 else ())))
    if rng.random() < 0.6:
        parts = rng.lengths(extent)
        rng.spoil(parts, 0.4, (-1,))
        rng.spoil(parts, 0.1, (-2, 1, 2**40, -1))
        parts = [] if rng.random() < 0.01 else rng.listed(parts)
    num = rng.choice((1, 2, 3)) if rng.random() < 0.1 else LEFT_OUT
    axis = LEFT_OUT if axis == 0 and rng.random() < 0.7 else axis
    return rng.call(data, {"num_or_size_splits": parts, "axis": axis, "num": num})


@family
def slices(rng: TensorFlowDice) -> Call:
    data = rng.data()
    begin = [rng.randint(0, max(extent - 1, 0)) for extent in data.shape]
    size = [rng.choice((-1, n - low, rng.randint(0, n - low))) for n, low in zip(data.shape, begin, strict=True)]
    if data.ndim and rng.random() < 0.15:
        at = rng.randrange(data.ndim)
        # TensorFlow adds begin and size as int64, and reads out of bounds if the sum wraps around.
        extent = data.shape[at]
        rng.choice((begin, size))[at] = rng.choice((-1, -2, extent, extent + 1, *rng.extremes[:3]))
    elif rng.random() < 0.05:
        rng.choice((begin, size)).append(0)
    return rng.call(data, dict(zip(("begin", "size"), rng.lists(begin, size), strict=True)))


@family
def strided_slices(rng: TensorFlowDice) -> Call:
    """Arguments as in other dialects, but each mask is a number, and no dropped axis has a negative stride."""
    shape, bounds, lists = _draws.strided(rng)
    for i, is_dropped in enumerate(lists["shrink_axis_mask"][: len(bounds["strides"])]):
        bounds["strides"][i] *= -1 if is_dropped and bounds["strides"][i] < 0 else 1
    rng.spoil(bounds["strides"], 0.05, (0, *rng.extremes))
    if rng.random() < 0.02:
        bounds["end"] = bounds["end"][1:]
    elif rng.random() < 0.05:
        bounds = {name: [] for name in bounds}
    given = dict(zip(bounds, rng.lists(*bounds.values()), strict=True))
    if rng.random() < 0.1:
        given["strides"] = LEFT_OUT
    for name in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"):
        number = sum(bit << i for i, bit in enumerate(lists[name]))
        given[name] = LEFT_OUT if number == 0 and rng.random() < 0.7 else number
    if rng.random() < 0.02:
        given[rng.choice(tuple(lists))] = rng.choice((-1, 2**31 - 1, 2**31, 3))
    return rng.call(rng.data(shape), given)


@family
def blocks(rng: TensorFlowDice, name: str) -> Call:
    """Both arguments are lists or arrays; without a block, arrays of shapes [0] and [0, 2]."""
    shape, sizes, sides = rng.blocks(crops=name == "crops")
    if sizes and sides and rng.random() < 0.5:
        given: list[Any] = [rng.choice((list, tuple))(each) for each in (sizes, sides)]
    else:
        given = [rng.array(sizes), rng.array(sides).reshape(-1, 2)]
    return rng.call(rng.data(shape, (*_COMMON, *_UNSIGNED)), {"block_shape": given[0], name: given[1]})


@family
def patches(rng: TensorFlowDice) -> Call:
    shape = rng.images({1: rng.randint(1, 6), 2: rng.randint(1, 6)})
    lists = [[1, *pair, 1] for pair in rng.patches()]
    if rng.random() < 0.03:
        rng.choice(lists)[rng.choice((0, 3))] = rng.choice((0, 2))
    is_long = rng.random() < 0.02
    if is_long:
        rng.choice(lists).append(1)
    given = dict(zip(("sizes", "strides", "rates"), map(rng.choice([list, tuple]), lists), strict=True))
    padding = "SAME" if is_long else rng.mostly(("VALID", "SAME"), ("valid",), 0.02)
    return rng.call(rng.data(shape, (*_COMMON, *_UNSIGNED, "complex64")), {**given, "padding": padding})


# No CPU kernel takes format NCHW.
_images = partial(_draws.images, "block_size", others={"data_format": ((LEFT_OUT, "NHWC", "NHWC"), ("nhwc",))})

DRAWS: dict[str, Draw] = {
    "batch_to_space_nd": blocks("crops"),
    "depth_to_space": _images(lambda size, _: {-1: size * size}),
    "extract_patches": patches(),
    "pad": pads(),
    "range": ranges(),
    "reverse": _draws.calls(axis=_draws.any_axes),
    "roll": _draws.rolls("shift", "axis", far=2, lone=0.5),
    "slice": slices(),
    "space_to_batch_nd": blocks("paddings"),
    "space_to_depth": _images(lambda size, _: {1: size, 2: size}),
    "split": splits(),
    "strided_slice": strided_slices(),
    "tile": _draws.tiles("multiples", -1, -3, dtypes=(*_COMMON, "bool", "complex64", "complex128")),
    "transpose": _draws.transposes("perm", LEFT_OUT),
}


def _has_empty_lists(call: Call) -> bool:
    return any(isinstance(value, list | tuple) and not value for value in call.arguments.values())


def _padded(call: Call) -> Array:
    mode = call.get("mode", "constant").lower()
    constant = {"constant_values": call.get("constant_values", 0)} if mode == "constant" else {}
    return np.pad(call.data, np.reshape(call.integers("paddings"), (-1, 2)), mode, **constant)


def _is_changed(call: Call) -> bool:
    """Whether TensorFlow converts a constant to another number."""
    value, dtype = np.asarray(call.arguments["constant_values"]), call.data.dtype
    is_kept = np.array_equal(value.astype(dtype), value, equal_nan=True)
    return not is_kept or not np.can_cast(value.dtype, dtype, "same_kind")


def _is_truncated(call: Call) -> bool:
    """Whether NumPy floats are inputs of a range of integers."""
    are_floats = any(isinstance(each, np.floating) for each in call.arguments.values())
    return are_floats and call.get("dtype") in ("int32", "int64")


DEPARTURES = departures_of(
    {
        "tensorflow-pad-empty-list": (example((), 0, paddings=[]), _has_empty_lists),
        "tensorflow-slice-empty-list": (example((), 0, begin=[], size=[]), _has_empty_lists),
        "tensorflow-roll-empty-list": (example((2,), 0, shift=[], axis=[]), _has_empty_lists),
        "tensorflow-strided-slice-empty-list": (example((2,), 0, begin=[], end=[]), _has_empty_lists),
        "tensorflow-long-lists": (
            example((1, 1, 2, 1), 0, sizes=[1] * 4, strides=[1] * 5, rates=[1] * 4, padding="SAME"),
            lambda call: max(len(call.arguments[name]) for name in ("sizes", "strides", "rates")) > 4,
        ),
        "tensorflow-pad-axes": (
            example([1] * 6, 2, paddings=[[0, 0]] * 5 + [[1, 0]], mode="SYMMETRIC"),
            lambda call: call.data.ndim > 5,
            _padded,
        ),
        "tensorflow-pad-sign": (
            example((1,), 1, "float32", paddings=[[1, 0]], constant_values=-0.0),
            lambda call: str(call.get("constant_values")) == "-0.0",
            _padded,
        ),
        "tensorflow-pad-no-number": (
            example((1,), 1, "uint8", paddings=[[1, 0]], constant_values=True),
            lambda call: type(call.get("constant_values")) in (bool, int),
            _padded,
        ),
        "tensorflow-pad-changed": (example((1,), 1, "uint8", paddings=[[1, 0]], constant_values=300), _is_changed),
        "tensorflow-halves": (
            Call(None, {"start": 0, "limit": 2, "delta": 1, "dtype": "float16"}, 2),
            lambda call: call.get("dtype") == "float16",
        ),
        "tensorflow-range-truncated": (
            Call(None, {"start": np.float32(0), "limit": np.float32(2.5), "delta": 1, "dtype": "int32"}, 2),
            _is_truncated,
        ),
        "tensorflow-reverse-nothing": (
            example((), axis=[0]),
            lambda call: not are_axes(call.integers("axis"), call.data.ndim),
        ),
        "tensorflow-roll-far": (
            example((5,), 2, shift=[7, 2**31 - 1], axis=[0, 0]),
            lambda call: is_far([sum(map(abs, call.integers("shift"))) + max(call.data.shape)]),
            _draws.rolled("shift", "axis"),
        ),
        "tensorflow-split-in-one": (
            example((2,), num_or_size_splits=[-1]),
            lambda call: call.integers("num_or_size_splits") == [-1],
            lambda call: [call.data],
        ),
    }
)
