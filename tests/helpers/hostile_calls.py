"""Random calls of every public function, with good and hostile values in all positions at once."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

import fastops as fo
from tests.helpers.contract import Subject, all_operators, good_values
from tests.helpers.hostile_values import EXTREMES, hostile_values

Fields = tuple[int, int, int, int, fo.SampleMode]


def good_calls() -> dict[str, tuple[Callable[..., Any], dict[str, list[Any]]]]:
    """Return each public function with good values of each of its arguments."""
    data = [np.arange(20.0).reshape(4, 5), np.arange(20.0).reshape(5, 4).T, [[1.0] * 5] * 4, np.zeros((4, 5), "V3")]
    lists = [[0, 0], [1, 2], (2, 2), [1, 1], [0], [-1, -1], np.array([1, 2]), []]
    masks = [(), [0], [1], [0, 1]]
    copies = [True, None, False]
    outs = [None, None, np.zeros((2, 2)), np.zeros((4, 5)), np.zeros((1, 2))]
    shape = [(4, 5), [4, 5], (4,), ()]
    bounds = {"begin": lists, "end": lists, "strides": [None, [1, 1], [-1, 2]]}
    bounds |= dict.fromkeys(("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"), masks)
    split = {"axis": [0, 1, -1, [0]], "split_lengths": [[1, 3], [-1, 1], [4], (5,)]}
    modes = [*fo.SampleMode, "wrap", "FILL", 4, SimpleNamespace(name="CLAMP")]
    window = {
        "start": lists,
        "size": lists,
        "stride": [None, [1, 1], [0, -2]],
        "axes": [None, [0, 1], [1]],
        "mode": modes,
    }
    numbers = [0, 1, 4.5, -2, np.int8(3), -0.0]
    types = ["f32", "i8", "bf16", np.dtype("f8"), np.float32, "f8e4m3"]
    span = {"start": numbers, "stop": numbers, "step": numbers, "output_type": types}
    fills = [None, 0, 1.5, True]
    operators = {}
    for function in all_operators():
        subject = Subject(function)
        good = good_values(function)
        operators[subject.op] = (function, good)
        parameters = inspect.signature(subject.plan_function).parameters
        shapes = [tuple(np.shape(each)) for each in good[subject.data_name]]
        operators[f"plan.{subject.op}"] = (
            subject.plan_function,
            {name: shapes if k == 0 else good[name] for k, name in enumerate(parameters)},
        )
    typed = {"start": numbers, "limit": numbers, "delta": numbers}
    tensorflow_range = {"start": numbers, "limit": [None, *numbers], "delta": numbers, "dtype": [None, "f32", "i64"]}
    axis = {"extent": [4, 0], "start": [0, -1], "stride": [1, -1, 0], "count": [4, 1, 0]}
    maps = [fo.plan.AxisMap.create(4, 0, 1, 4), fo.plan.AxisMap.create(5, -1, 1, 7, fo.SampleMode.FILL)]
    runs = [fo.plan.Run(2, None, 0), fo.plan.Run(3, 3, -1)]
    others = {"source_shape": [None, (4, 5), (4, 1, 5)], "order": [None, (0, 1), [1, 0]]}
    others |= {"windows": [None, None, [(0, 0, 1), (1, 0, 1)]], "fills": [None, 1, 3]}
    plan = fo.plan.slice((4, 5), [0, 0], [2, 2])
    axis_map, slice_plan, range_plan = fo.plan.AxisMap, fo.plan.SlicePlan, fo.plan.RangePlan
    return {
        "strided_slice": (fo.strided_slice, {"data": data, **bounds, "out": outs, "copy": copies}),
        "variadic_split": (
            fo.variadic_split,
            {"data": data, **split, "out": [None, [np.zeros((4, 5))]], "copy": copies},
        ),
        "slice": (fo.slice, {"data": data, **window, "fill_value": fills, "out": outs, "copy": copies}),
        "range": (fo.range, {**span, "out": [None, np.zeros(4, "f4")]}),
        "plan.strided_slice": (fo.plan.strided_slice, {"shape": shape, **bounds}),
        "plan.variadic_split": (fo.plan.variadic_split, {"shape": shape, **split}),
        "plan.slice": (fo.plan.slice, {"shape": shape, **window}),
        "windows": (
            fo.windows,
            {
                "data": [*data, [np.zeros((4, 5)), np.ones((3, 5))]],
                "starts": [[[0, 0], [1, 2]], np.zeros((2, 2), np.int8), [], [[0], [-1]], np.array([[2**63 - 1, 0]])],
                "size": [*lists, 2],
                "stride": [1, [1, 1], [[1, 1], [0, -2]], np.full((2, 2), -1)],
                "axes": [None, [0, 1], [1]],
                "items": [None, None, [0, 1], np.array([3, 0], np.uint8)],
                "mode": modes,
                "fill_value": fills,
                "out": [None, None, np.zeros((2, 2, 2))],
            },
        ),
        "plan.windows": (
            fo.plan.windows,
            {
                "shape": shape,
                "size": [*lists, 2],
                "stride": [1, [1, 1], -2],
                "axes": [None, [0, 1], [1]],
                "items": [False, True],
                "mode": modes,
            },
        ),
        "WindowsPlan": (
            fo.plan.WindowsPlan,
            {
                "source_shape": shape,
                "size": [[2, 2], (1,)],
                "stride": [[1, 1], (0,)],
                "axes": [[0, 1], (1,)],
                "items": [False, True],
                "mode": modes,
            },
        ),
        "plan.range": (fo.plan.range, span),
        "onnx.range": (fo.onnx.range, {**typed, "out": [None, np.zeros(4, "f4")]}),
        "plan.onnx.range": (fo.plan.onnx.range, typed),
        "tensorflow.range": (fo.tensorflow.range, {**tensorflow_range, "out": [None, np.zeros(4, "i4")]}),
        "plan.tensorflow.range": (fo.plan.tensorflow.range, tensorflow_range),
        **operators,
        "plan()": (plan, {"data": data, "out": outs, "fill_value": fills}),
        "range plan()": (fo.plan.range(0, 4, 1, "f32"), {"output_type": types, "out": [None, np.zeros(4, "f4")]}),
        "lazy": (fo.lazy, {"x": data}),
        "SlicePlan.then": (plan.then, {"plan": [fo.plan.numpy.pad((2, 2), 1), plan]}),
        "SlicePlan.transpose": (lambda axes: plan.transpose(axes), {"axes": [None, (1, 0), [-1, 0], [0]]}),
        "SlicePlan.indices": (plan.indices, {"axis": [0, 1, -1, 2]}),
        "SlicePlan.runs": (plan.runs, {"axis": [0, 1, -1, 2]}),
        "SlicePlan.reads_as": (plan.reads_as, {"plan": [plan, fo.plan.numpy.pad((2, 2), 1)]}),
        "AxisMap": (axis_map, {**axis, "mode": list(fo.SampleMode)}),
        "AxisMap.create": (axis_map.create, {**axis, "mode": modes}),
        "AxisMap.whole": (axis_map.whole, {"extent": axis["extent"]}),
        "AxisMap.unread": (axis_map.unread, {"extent": axis["extent"], "count": axis["count"]}),
        "AxisMap.source": (maps[1].source, {"y": [0, 6]}),
        "RunMap": (fo.plan.RunMap, {"extent": axis["extent"], "runs": [runs, tuple(runs), []]}),
        "RunMap.source": (fo.plan.RunMap(4, runs).source, {"y": [0, 4]}),
        "SlicePlan": (slice_plan, {"axes": [tuple(maps), maps], "shape": [(4, 7), [4, 1, 7]], **others}),
        "SlicePlan.create": (slice_plan.create, {"axes": [maps, maps[:1]], "shape": [None, (4, 7)], **others}),
        "SlicePlan.from_json": (slice_plan.from_json, {"text": [plan.to_json(), "{}", plan.to_json().encode()]}),
        "RangePlan.from_json": (range_plan.from_json, {"text": [range_plan(0, 1, 3).to_json(), "[]"]}),
        "SlicePlan.to_json": (plan.to_json, {}),
        "SlicePlan.explain": (plan.explain, {}),
        "SlicePlan.to_svg": (plan.to_svg, {}),
        "RangePlan.to_json": (range_plan(0, 1, 3).to_json, {}),
        "RangePlan.explain": (range_plan(0, 1, 3).explain, {}),
        "RangePlan.to_svg": (range_plan(0, 1, 3).to_svg, {}),
        "RangePlan": (range_plan, {"start": numbers[:4], "step": numbers[:4], "count": [4, 0]}),
    }


def random_fields(rng: random.Random) -> Fields:
    """Return fields of an `AxisMap`, which most often is not canonical, or reads outside of its axis."""
    near = [*range(-3, 7), *([rng.choice(EXTREMES)] if rng.random() < 0.1 else [])]
    extent, count = (max(0, rng.choice(near)) for _ in range(2))
    if rng.random() < 0.3:
        return extent, 0, 1, count, fo.SampleMode.STRICT_BOUNDS
    return extent, rng.choice(near), rng.choice(near), count, rng.choice(list(fo.SampleMode))


def raw_map(rng: random.Random) -> fo.plan.AxisMap:
    """Return a map of the raw constructor: the first random one that it takes."""
    while True:
        try:
            return fo.plan.AxisMap(*random_fields(rng))
        except fo.FastopsError:
            continue


def random_run(rng: random.Random) -> fo.plan.Run:
    """Return a run, which often reads outside of a short axis."""
    near = [*range(-2, 6), *([rng.choice(EXTREMES)] if rng.random() < 0.1 else [])]
    return fo.plan.Run(rng.choice(near), rng.choice([None, *near]), rng.choice(near))


def raw_run_map(rng: random.Random) -> fo.plan.RunMap:
    """Return a map of runs: the first random one that its constructor takes."""
    while True:
        try:
            return fo.plan.RunMap(rng.randint(0, 9), [random_run(rng) for _ in range(rng.randint(0, 3))])
        except fo.FastopsError:
            continue


def raw_plan(rng: random.Random) -> fo.plan.SlicePlan:
    """Return a plan of the raw constructors: the first random one that they take."""
    while True:
        maps = tuple(raw_map(rng) if rng.random() < 0.8 else raw_run_map(rng) for _ in range(rng.randint(0, 3)))
        counts = [axis.count for axis in maps]
        shape = [n for n in counts if n != 1] if rng.random() < 0.3 else counts
        try:
            return fo.plan.SlicePlan(maps, tuple(shape))
        except fo.FastopsError:
            continue


def odd_memory(rng: random.Random, shape: tuple[int, ...], dtype: Any = "f8") -> np.ndarray[Any, Any]:
    """Return an array of this shape, no larger than it has to be: reversed, overlapping itself, or empty and far apart.

    Shapes that no array has give an array of another one.
    """
    memory = np.arange(4096).astype(dtype)
    width = memory.itemsize
    steps = [0, 1, width, -width, 2 * width, 60 * width, -60 * width + 3]
    if 0 in shape:
        steps.append(2**62)
    elif max(shape, default=0) > 8:
        steps = [0]
    try:
        return as_strided(memory[2048:2049], shape, [rng.choice(steps) for _ in shape])
    except (ValueError, OverflowError):
        return memory


def _raw_call(rng: random.Random) -> tuple[Callable[..., Any], dict[str, list[Any]]]:
    """Return a plan of the raw constructors with good values of each argument of its calls."""
    plan = raw_plan(rng)
    outs = [None, np.zeros(plan.shape) if max(plan.shape, default=0) < 8 else None]
    return plan, {"data": [odd_memory(rng, plan.source_shape)], "out": outs, "fill_value": [None, 0, 1.5, True]}


def hostile_calls(rng: random.Random) -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Yield random calls for ever: the name of a function, the function, its arguments, of which some are hostile."""
    while True:
        calls = good_calls()
        maps = [raw_map(rng) if rng.random() < 0.8 else raw_run_map(rng) for _ in range(3)]
        calls["SlicePlan"][1]["axes"] += [maps, tuple(maps[:2]), maps[:1]]
        calls["SlicePlan"][1]["shape"] += [[axis.count for axis in maps[:n]] for n in (1, 2, 3)]
        calls["RunMap"][1]["runs"] += [[random_run(rng)] for _ in range(5)]
        calls["raw plan()"] = _raw_call(rng)
        pool = hostile_values(rng)
        for _ in range(50):
            name = rng.choice(list(calls))
            function, positions = calls[name]
            share = rng.choice([0.0, 0.1, 0.3, 1.0])
            chosen = {
                position: rng.choice(pool) if rng.random() < share else rng.choice(good)
                for position, good in positions.items()
            }
            yield name, function, chosen
