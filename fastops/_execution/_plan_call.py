"""Windows of data that is not in memory as a whole: each is a box of the output, with a plan of its own.

What plans do when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._arrays._conversions import (
    Normalization,
    channel_axis_of,
    check_channels,
    find_conversion,
    read_normalization,
    with_axis,
)
from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import Element, encode_fills, is_fill_list
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, FastopsError, shown
from fastops._execution._execute import ENTRY, ZEROS, create_call, execute, execute_checked, words_of
from fastops._execution._kinds import find_kind
from fastops._execution._planned_kind import DataCall
from fastops._execution._window_arguments import (
    CallWindows,
    WindowsArguments,
    WindowSources,
    as_window_source,
    as_window_sources,
    channel_of,
    check_window,
    read_windows,
)
from fastops._execution._windows import run_windows
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._blocks import AxisChunks, Chunks, Range
from fastops._geometry._composition import plans_of_channels
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._numbers import is_listed
from fastops._geometry._planned_output import Box, PlannedOutput
from fastops._geometry._range_and_windows import WindowsGeometry, window_of
from fastops._geometry._sample_mode import SampleMode
from fastops._settings import STREAM_BYTES


class WindowBoxes:
    """Windows as the boxes that make an output: one each, or one a channel where they have fill values each."""

    def __init__(self, windows: CallWindows, channels: int | None = None) -> None:
        self._windows = windows
        self._channels = channels

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield the windows that have a part in a region."""
        k, rank = self._channels, len(region)
        for n in range(*region[0]):
            plan = self._plan_of(n)
            if k is None:
                yield Box((n, *(0,) * (rank - 1)), plan)
                continue
            plans = plans_of_channels(plan, k)
            for y in range(*region[k]):
                yield Box((n, *[y if j == k else 0 for j in range(1, rank)]), plans[y])

    def _plan_of(self, n: int) -> Geometry:
        """Return the geometry of a window, with an axis of length 1 before its own."""
        windows, plan = self._windows, self._windows.plan
        shape = plan.source_shape
        first = []
        if windows.items is not None:
            first = [AxisMap.create(shape[0], int(windows.items[n]), 1, 1)]
        own = window_of(plan, windows.starts[n].tolist(), windows.strides_of(n)).axes(shape[len(first) :], plan.mode)
        return geometry_of([*first, *own], (1, *plan.shape), shape)

    def describe(self) -> Iterator[str]:
        """Yield the plan of the windows, and their numbers."""
        yield f"{self._windows.plan!r} {self._channels}"
        for numbers in (self._windows.starts, self._windows.strides, self._windows.items):
            yield "" if numbers is None else numbers.tobytes().hex()

    def chunks(self, chunks: Chunks, most: int) -> list[AxisChunks]:  # noqa: ARG002
        """Return chunks of windows that are as large, together, as chunks of the source."""
        plan = self._windows.plan
        lengths = [max(own) for own in chunks]
        own = [min(n, max(length, 1)) for n, length in zip(plan.shape, lengths[int(plan.items) :], strict=True)]
        return [max(prod(lengths) // max(prod(own), 1), 1), *own]


def call_windows(
    data: Any,
    out: Any,
    plan_of: Callable[[tuple[int, ...]], WindowsGeometry],
    arguments: WindowsArguments,
    *,
    is_list: bool = False,
) -> Any:
    """Return windows of data of any kind, or of a list of it; ``plan_of`` gives the plan of data of a shape."""
    read: Callable[[Any], WindowSources] = as_window_sources if is_list else as_window_source
    is_array = type(data) is np.ndarray and arguments.chunks is None
    kind = None if is_array else find_kind(data[0] if is_list else data, arguments.chunks)

    def run(array: Any, out: Any) -> Any:
        sources = read(array)
        return run_windows(plan_of(sources.shape), sources, arguments, out)

    if kind is None:
        return run(data, out)

    def lower(shape: tuple[Any, ...]) -> list[PlannedOutput]:
        # Of a list of data, it is the shapes of all.
        sources = read(list(map(_stand_in, shape)) if is_list else _stand_in(shape))
        return _planned(read_windows(plan_of(sources.shape), sources, arguments), arguments)

    call = DataCall(run, lower, arguments.fill_value, wanted=arguments.wanted, chunks=arguments.chunks)
    return kind.run_list(call, data, out) if is_list else kind.run(call, data, out)


def _stand_in(shape: tuple[int, ...]) -> AnyArray:
    """Return an array of a shape: what is checked of windows looks at nothing else of a source."""
    return np.broadcast_to(np.empty((), np.uint8), shape)


def _planned(windows: CallWindows, arguments: WindowsArguments) -> list[PlannedOutput]:
    """Return the output that windows are, or one of each that has its own data; raises if one is wrong."""
    plan, n = windows.plan, len(windows.starts)
    for i in range(n):
        check_window(windows, i)
    fills, channels, shape = int(plan.mode is SampleMode.FILL), None, (n, *plan.shape)
    if windows.sources.geometries is not None:
        if is_listed(arguments.fill_value):
            rule = "be one value for a list of data that is not in memory"
            raise AttributeValueError.about("fill_value", rule, arguments.fill_value)
        return [PlannedOutput.of_geometry(windows.plan_of(i)._replace(fills=fills)) for i in range(n)]
    if is_listed(arguments.fill_value):
        channels = 1 + channel_of(plan, arguments.channel_axis)
        fills = shape[channels]
    return [PlannedOutput(shape, plan.source_shape, WindowBoxes(windows, channels), None, fills)]


def run_geometry(
    geometry: Geometry,
    data: ArrayLike,
    out: Any,
    fill_value: Any,
    kept: list[Any],
    wanted: Normalization | None = None,
    chunks: Any = None,
) -> Any:
    """Run one plan on an array; ``kept`` has its words once they are made, and the axis that its channels end on."""
    outs = None if out is None else (out,)
    try:
        words, results = kept[0], None
        if words is None:
            words = kept[0] = words_of((geometry,))
        if fill_value is None and chunks is None and wanted is None and not ENTRY.was_large:
            # As `execute` does it, which is a call of Python more.
            found = ENTRY.run(outs, data, words, None, ZEROS, None, 0, STREAM_BYTES, 0, 0)
            if type(found) is tuple:
                return found[0]
        conversion = None
        if wanted is not None:
            if kept[1] is None:
                kept[1] = channel_axis_of(geometry)
            wanted = with_axis(wanted, kept[1])
            if type(data) is np.ndarray:
                conversion = find_conversion(wanted, data.dtype, out, len(geometry.shape))
        is_plain = chunks is None and (fill_value is None or geometry.fills < 2 or type(fill_value) is Element)
        if is_plain and (wanted is None or conversion is not None):
            results = execute(words, data, outs, fill_value, None, 0, conversion)
        if results is not None:
            return results[0]
        kind = None if type(data) is np.ndarray and chunks is None else find_kind(data, chunks)
        if kind is not None:
            return kind.run(_call_of(geometry, fill_value, wanted, chunks), data, out)
        source, _pinned = as_source(data)
        if wanted is not None:
            conversion = find_conversion(wanted, source.dtype, out, len(geometry.shape))
            check_channels(conversion, geometry.shape)
        check_shape(geometry.source_shape, source.shape)
        is_written = fill_value is not None and type(fill_value) is not Element
        if is_written and (geometry.fills > 1 or is_fill_list(fill_value)):
            fill_value = Element(encode_fills(source.dtype, geometry.fills, fill_value))
        return execute_checked(create_call((geometry,)), source, outs, fill_value, conversion)[0]
    except FastopsError as error:
        error.add_context("plan", {})
        raise


def run_normalized(
    geometry: Geometry,
    data: ArrayLike,
    out: Any,
    fill_value: Any,
    kept: list[Any],
    normalize: Any,
    dtype: Any,
    chunks: Any,
) -> Any:
    """Run one plan on an array, whose elements become what a caller writes as ``normalize=`` and ``dtype=``."""
    try:
        wanted = read_normalization(normalize, dtype)
    except FastopsError as error:
        error.add_context("plan", {})
        raise
    return run_geometry(geometry, data, out, fill_value, kept, wanted, chunks)


def _call_of(geometry: Geometry, fill_value: Any, wanted: Normalization | None, chunks: Any) -> DataCall:
    """Return the call of a plan on data of other kinds."""

    def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
        check_shape(geometry.source_shape, shape)
        return [PlannedOutput.of_geometry(geometry)]

    def run(array: Any, out: Any) -> Any:
        return run_geometry(geometry, array, out, fill_value, [None, None], wanted)

    return DataCall(run, lower, fill_value, wanted=wanted, chunks=chunks)


def check_shape(expected: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Raise for data of another shape than a plan's source."""
    if shape != expected:
        raise AttributeValueError.about("data", f"have shape {shown(expected)}", shape)


def run_windows_geometry(
    geometry: WindowsGeometry,
    data: Any,
    starts: Any,
    items: Any,
    out: Any,
    fill_value: Any,
    normalize: Any = None,
    dtype: Any = None,
    chunks: Any = None,
) -> Any:
    """Run a plan of windows on an array."""

    def plan_of(shape: tuple[int, ...]) -> WindowsGeometry:
        check_shape(geometry.source_shape, shape)
        return geometry

    try:
        wanted = read_normalization(normalize, dtype, -1)
        arguments = WindowsArguments(starts, items=items, fill_value=fill_value, wanted=wanted, chunks=chunks)
        return call_windows(data, out, plan_of, arguments)
    except FastopsError as error:
        error.add_context("plan", {})
        raise
