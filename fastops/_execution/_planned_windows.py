"""Windows of data that is not in memory as a whole: each is a box of the output, with a plan of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from fastops._arrays._conversions import Normalization, with_axis
from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._execution._data_calls import DataCall
from fastops._execution._window_channels import channel_of
from fastops._execution._window_checks import CallWindows, check_window, read_windows
from fastops._execution._window_sources import WindowSources, as_window_source, as_window_sources
from fastops._execution._windows_call import run_windows
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._blocks import Range
from fastops._geometry._channels import plans_of_channels
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._numbers import is_listed
from fastops._geometry._planned_output import Box, ListedBoxes, PlannedOutput
from fastops._geometry._result_chunks import AxisChunks, Chunks
from fastops._geometry._sample_mode import SampleMode, check_fill_mode
from fastops._geometry._windows_geometry import WindowsGeometry, window_of


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


def call_of_windows(
    plan: WindowsGeometry,
    starts: Any,
    strides: Any,
    items: Any,
    fill_value: Any,
    channel_axis: int,
    wanted: Normalization | None,
    chunks: Any,
) -> DataCall:
    """Return the call of windows on data of other kinds."""

    def run(array: Any, out: Any) -> Any:
        source = as_window_source(array)
        return run_windows(plan, source, starts, strides, items, out, fill_value, channel_axis, wanted)

    def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
        windows = _checked(plan, WindowSources((_stand_in(shape),), (), None), starts, strides, items, fill_value)
        output_shape = (len(windows.starts), *plan.shape)
        fills, channels = int(plan.mode is SampleMode.FILL), None
        if is_listed(fill_value):
            channels = 1 + channel_of(plan, channel_axis)
            fills = output_shape[channels]
        return [PlannedOutput(output_shape, shape, WindowBoxes(windows, channels), None, fills)]

    own = wanted and with_axis(wanted, len(plan.shape))
    return DataCall(run, lower, fill_value, wanted=own, chunks=chunks)


def call_of_listed(
    plan_of: Callable[[WindowSources], WindowsGeometry],
    starts: Any,
    strides: Any,
    fill_value: Any,
    channel_axis: int,
    wanted: Normalization | None,
) -> DataCall:
    """Return the call of windows on a list of data of other kinds, an output for each of which is planned."""

    def run(arrays: Any, out: Any) -> Any:
        sources = as_window_sources(arrays)
        return run_windows(plan_of(sources), sources, starts, strides, None, out, fill_value, channel_axis, wanted)

    def lower(shapes: Sequence[tuple[int, ...]]) -> list[PlannedOutput]:
        if is_listed(fill_value):
            raise AttributeValueError.about("fill_value", "be one value for a list of data in files", fill_value)
        sources = as_window_sources(list(map(_stand_in, shapes)))
        windows = _checked(plan_of(sources), sources, starts, strides, None, fill_value)
        fills = int(windows.plan.mode is SampleMode.FILL)
        geometries = [windows.plan_of(n) for n in range(len(shapes))]
        boxes = [ListedBoxes([Box((0,) * len(each.shape), each)]) for each in geometries]
        pairs = zip(geometries, boxes, strict=True)
        return [PlannedOutput(each.shape, each.source_shape, own, None, fills) for each, own in pairs]

    return DataCall(run, lower, fill_value, wanted=wanted)


def _stand_in(shape: tuple[int, ...]) -> AnyArray:
    """Return an array of a shape: what is checked of windows looks at nothing else of a source."""
    return np.broadcast_to(np.empty((), np.uint8), shape)


def _checked(
    plan: WindowsGeometry, sources: WindowSources, starts: Any, strides: Any, items: Any, fill_value: Any
) -> CallWindows:
    """Return the windows of a call, of which none is wrong."""
    if fill_value is not None:
        check_fill_mode(plan.mode, fill_value)
    windows = read_windows(plan, sources, starts, strides, items)
    for n in range(len(windows.starts)):
        check_window(windows, n)
    return windows
