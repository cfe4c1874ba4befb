"""Windows of data that is not in memory as a whole: each is a box of the output, with a plan of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._execution._data_calls import DataCall
from fastops._execution._kinds import find_kind
from fastops._execution._window_channels import channel_of
from fastops._execution._window_checks import CallWindows, WindowsArguments, check_window, read_windows
from fastops._execution._window_sources import WindowSources, as_window_source, as_window_sources
from fastops._execution._windows_call import run_windows
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._blocks import Range
from fastops._geometry._channels import plans_of_channels
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._numbers import is_listed
from fastops._geometry._planned_output import Box, PlannedOutput
from fastops._geometry._result_chunks import AxisChunks, Chunks
from fastops._geometry._sample_mode import SampleMode
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
