"""Random calls of the functions of fastops.openvino, and where they depart from OpenVINO.

The CPU plugin runs roll and extract_image_patches, which have no reference kernels.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tests.conformance import _draws
from tests.conformance._calls import LEFT_OUT, SOME_AXES, Array, Call, Dice, example, is_far
from tests.conformance._draws import Draw, family
from tests.conformance._live import departures_of

_FILLED = ("float32", "int32", "uint8", "int64", "float16")
# The CPU plugin converts other dtypes, such as float64 to float32, and changes NaNs of float16.
_PLUGIN = ("float32", "int32", "uint8", "int8")


class OpenVINODice(Dice):
    """Arguments in the forms that OpenVINO takes."""

    dtypes = (*_FILLED, "float64", "int8", "int16", "uint16", "uint32", "uint64")
    index_types = ("int32", "int64")


class PluginDice(OpenVINODice):
    """Arguments with dtypes that the CPU plugin does not convert."""

    dtypes = _PLUGIN


@family
def splits(rng: OpenVINODice) -> Call:
    shape = rng.shape()
    axis, parts = rng.axis(len(shape)), rng.mostly((1, 2, 2, 3), (0, -1, 2**31), 0.05)
    if -len(shape) <= axis < len(shape) and rng.random() < 0.9:
        shape[axis] *= max(parts, 0) if parts < 9 else 1
    return rng.call(rng.data(shape), {"axis": axis, "num_splits": parts})


@family
def pads(rng: OpenVINODice) -> Call:
    shape = rng.shape(ranks=SOME_AXES)
    data = rng.data(shape, _FILLED)
    mode = rng.choice(("constant", "constant", "edge", "reflect", "symmetric"))
    # Mode edge cannot pad an empty axis.
    pairs = [
        pair if extent or mode != "edge" else [0, 0] for extent, pair in zip(shape, rng.pads(shape, mode), strict=True)
    ]
    sides = [list(each) for each in zip(*pairs, strict=True)]
    at = rng.randrange(len(shape))
    if rng.random() < 0.25:
        rng.choice(sides)[at] = rng.choice((-1, -1, -2, -3)) if shape[at] else 0
    if rng.random() < 0.06:
        rng.choice(sides)[at] = shape[at] + rng.choice((0, 1))
    if rng.random() < 0.03:
        rng.choice(sides).append(0)
    value = data.dtype.type(rng.choice((0, 1, 7, 100))) if rng.random() < 0.5 else LEFT_OUT
    given = dict(zip(("pads_begin", "pads_end"), rng.lists(*sides), strict=True))
    mode = mode.upper() if rng.random() < 0.1 else rng.mostly((mode,), ("wrap",), 0.02)
    return rng.call(data, {**given, "pad_mode": mode, "pad_value": value})


@family
def ranges(rng: OpenVINODice) -> Call:
    """Numbers of one input type for a range of an output type; the types may differ."""
    output_type = rng.choice(("int8", "uint8", "int16", "int32", "int64", "uint32", "float16", "float32", "float64"))
    input_type = rng.choice((output_type, "float32", "float64", "float64"))
    values = rng.range(of_floats=input_type[0] == "f")
    values = [abs(each) for each in values] if output_type[0] == "u" else values
    numbers = dict(zip(("start", "stop", "step"), [np.array(each, input_type)[()] for each in values], strict=True))
    return rng.call(None, {**numbers, "output_type": output_type})


@family
def reverses(rng: OpenVINODice) -> Call:
    """Axes, or a mask of them."""
    data = rng.data()
    if rng.random() < 0.6:
        mode = rng.mostly(("index", "INDEX"), ("indices",))
        return rng.call(data, {"axis": _draws.any_axes(rng, data), "mode": mode})
    mask = [rng.random() < 0.5 for _ in range(data.ndim + (rng.random() < 0.05))]
    axis = np.array(mask, bool) if rng.random() < 0.5 else rng.choice((list, tuple))(mask)
    return rng.call(data, {"axis": axis, "mode": rng.choice(("mask", "MASK"))})


@family
def broadcasts(rng: OpenVINODice) -> Call:
    """Shapes without empty axes, because OpenVINO ends the process where data has no elements."""
    target = [extent or 1 for extent in rng.shape(ranks=SOME_AXES)]
    mode = rng.choice(("numpy", "numpy", "explicit", "bidirectional", LEFT_OUT))
    mapping: Any = LEFT_OUT

    def part() -> list[int]:
        return [extent if rng.random() < 0.6 else 1 for extent in target[rng.choice((0, 0, 1)) :]]

    shape = part()
    if mode == "bidirectional":
        target = part()
    elif mode == "explicit":
        axes = sorted(rng.sample(range(len(target)), rng.randint(0, len(target))))
        shape = [target[axis] if rng.random() < 0.7 else 1 for axis in axes]
        # OpenVINO may hang if two axes are mapped to one, so a wrong call has only its last axis wrong.
        if axes and rng.random() < 0.05:
            axes[-1] = len(target)
        mapping = rng.listed(axes)
    if shape and rng.random() < 0.08:
        shape[0] += 1
    mode = mode if mode is LEFT_OUT or rng.random() < 0.9 else mode.upper()
    return rng.call(rng.data(shape), {"target_shape": rng.listed(target), "axes_mapping": mapping, "mode": mode})


@family
def channels(rng: OpenVINODice) -> Call:
    shape = rng.shape(ranks=(1, 2, 2, 3, 4, 5))
    axis: Any = rng.axis(len(shape)) if rng.random() < 0.67 else LEFT_OUT
    at = 1 if axis is LEFT_OUT else axis
    group: Any = rng.mostly((1, 2, 3, 4), (0, -1), 0.04)
    if -len(shape) <= at < len(shape) and rng.random() < 0.93:
        shape[at] *= abs(group)
    return rng.call(rng.data(shape), {"axis": axis, "group": LEFT_OUT if group == 1 else group})


@family
def blocks(rng: OpenVINODice, name: str, numbers: tuple[int, ...], ranks: range) -> Call:
    """Blocks of data of these ranks, because other ranks have no reference kernel."""
    shape, sizes, sides = rng.blocks(numbers, crops=name == "crops")
    while len(shape) not in ranks:
        shape, sizes, sides = rng.blocks(numbers, crops=name == "crops")
    lists = {"block_shape": (1, sizes), f"{name}_begin": (0, [low for low, _ in sides])}
    lists[f"{name}_end"] = (0, [high for _, high in sides])
    # OpenVINO reads out of bounds where a list has another length than data has axes.
    given = {key: ([first, *each, *[first] * len(shape)])[: len(shape)] for key, (first, each) in lists.items()}
    return rng.call(rng.data(shape), {key: rng.listed(each, types=("int64",)) for key, each in given.items()})


@family
def patches(rng: OpenVINODice) -> Call:
    """Patches of dtypes that the CPU plugin does not convert, because patches have no reference kernel."""
    shape = [max(extent, 1) for extent in rng.images({2: rng.randint(1, 6), 3: rng.randint(1, 6)})]
    # OpenVINO hangs at negative numbers, and a size of 0 has no defined result.
    lists = [[max(each, least) for each in values] for least, values in zip((1, 0, 0), rng.patches(), strict=True)]
    given = dict(zip(("sizes", "strides", "rates"), map(rng.choice([list, tuple]), lists), strict=True))
    auto_pad = rng.mostly(("valid", "same_upper", "same_lower"), ("same",))
    return rng.call(rng.data(shape, _PLUGIN), {**given, "auto_pad": auto_pad})


_modes = (("blocks_first", "depth_first", "DEPTH_FIRST"), ("first",))
_images = partial(
    *(_draws.images, "block_size"), others={"mode": _modes, "block_size": ()}, ranks=(3, 4, 4, 5), default=1
)

DRAWS: dict[str, Draw] = {
    "batch_to_space": blocks("crops", (1, 1, 2, 2, 2, 3), range(9)),
    "broadcast": broadcasts(),
    "depth_to_space": _images(lambda size, rank: {1: size ** (rank - 2)}),
    "extract_image_patches": patches(),
    "pad": pads(),
    "range": ranges(),
    "reverse": reverses(),
    "roll": _draws.rolls("shift", "axes", far=2, ranks=SOME_AXES, lone=0.5, least=1),
    "shuffle_channels": channels(),
    "slice": _draws.bounded_slices("start", "stop", "step", "axes", ranks=SOME_AXES),
    "space_to_batch": blocks("pads", (1, 2, 2, 3), range(3, 6)),
    "space_to_depth": _images(lambda size, rank: dict.fromkeys(range(2, rank), size)),
    "split": splits(),
    "strided_slice": _draws.strided_slices(zeros=0.03, least=1, shrunk_ellipsis=False),
    "tile": _draws.tiles("repeats", -1, -3, fits=False, ranks=SOME_AXES, least=1),
    "transpose": _draws.transposes("input_order", [], is_counted_back=False),
    # OpenVINO reads out of bounds if lengths beside a -1 have a wrong sum.
    "variadic_split": _draws.variadic_splits(overfills=False),
}


def _steps_by_nothing(call: Call) -> bool:
    """Whether the output type truncates a float step to 0."""
    *_, step, output_type = call.arguments.values()
    return output_type[0] in "iu" and 0 < abs(step) < 1


def _empty_pad(call: Call) -> Array:
    sides = zip(call.data.shape, call.integers("pads_begin"), call.integers("pads_end"), strict=True)
    return np.empty([sum(each) for each in sides], call.data.dtype)


def _range_of(dtype: str, start: float, stop: float, step: float, output_type: str) -> Call:
    numbers = dict(zip(("start", "stop", "step"), map(np.dtype(dtype).type, (start, stop, step)), strict=True))
    return Call(None, {**numbers, "output_type": output_type}, 4)


DEPARTURES = departures_of(
    {
        "openvino-pad-of-an-empty-axis": (
            example((0,), 3, pads_begin=[0], pads_end=[0], pad_mode="reflect"),
            lambda call: call.arguments["pad_mode"].lower() == "reflect" and not call.data.size,
            _empty_pad,
        ),
        "openvino-step-of-nothing": (_range_of("float64", 0, 2, 0.5, "int32"), _steps_by_nothing),
        "openvino-lone-shift": (
            example((2, 2), 2, shift=1, axes=[0, 1]),
            lambda call: np.ndim(call.arguments["shift"]) == 0 and len(call.integers("axes")) > 1,
            _draws.rolled("shift", "axes"),
        ),
        "openvino-roll-far": (
            example((3,), 2, shift=[1, 2**31 - 1], axes=[0, 0]),
            lambda call: is_far([sum(map(abs, call.integers("shift")))]),
            _draws.rolled("shift", "axes"),
        ),
    }
)


def _never(_: Call) -> bool:
    return False


# Answers of OpenVINO 2026.4.1's CPU plugin for operators with reference kernels. Random calls run the reference
# kernels, so they do not meet these departures.
_AT = {name: np.array([number]) for name, number in (("start", 0), ("stop", 2**63 - 1), ("step", 1), ("axes", 0))}
PLUGIN_DEPARTURES = departures_of(
    {
        "openvino-range-leads-away": (_range_of("int32", 5, 3, 1, "int32"), _never),
        "openvino-range-counted": (_range_of("float32", -2.9, -0.9, 1, "float32"), _never),
        "openvino-slice-cut": (example((3,), 4, **_AT), _never),
        "openvino-tile-no-repeats": (example((2, 3), repeats=np.array([], np.int64)), _never),
    }
)
