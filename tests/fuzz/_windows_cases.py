"""Cases of many windows: their plan, starts, strides and items, the memory of sources and output, and the launches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import prod
from unittest import mock

import numpy as np

from fastops import SampleMode
from fastops._execution import _windows_call
from fastops._execution._windows import WindowsArguments, read_windows
from fastops.plan import WindowsPlan
from tests.fuzz._case import MOST_BYTES, MOST_ELEMENTS, AnyArray, Case, Choices, draw_launches, draw_memory, draw_shape
from tests.fuzz._gather_cases import FAR, MODES, STRIDES, WIDTHS
from tests.helpers.chains import Stage, moved, one_by_one
from tests.helpers.launches import run_launches_by

_MOST_WINDOWS = (3, 40, 9, 1)


@dataclass(frozen=True)
class WindowsCase(Case):
    """Windows of one source, of its items, or of a source for each."""

    plan: WindowsPlan
    starts: tuple[tuple[int, ...], ...]
    strides: tuple[tuple[int, ...], ...] | None
    items: tuple[int, ...] | None

    def move(self, sources: list[AnyArray], targets: list[AnyArray], rights: list[AnyArray]) -> None:
        """Cut the windows."""
        is_listed = len(targets[0]) == len(sources) > 1
        if targets[0].size:
            for i in range(len(self.starts)):
                rights[0][i] = self._window(i, sources[i if is_listed else 0])
        run_launches, stream_bytes = run_launches_by(*self.launches), 0 if self.streams else self.outputs[0].length + 1
        with mock.patch.multiple(_windows_call, run_launches=run_launches, STREAM_BYTES=stream_bytes):
            starts = np.array(self.starts, np.int64).reshape(len(self.starts), len(self.plan.axes))
            strides = None if self.strides is None else [list(row) for row in self.strides]
            items = None if self.items is None else list(self.items)
            arguments = WindowsArguments(starts, strides, items, None, -1, None, None)
            data = sources if is_listed else sources[0]
            windows = read_windows(data, lambda _: self.plan.geometry, arguments, is_list=is_listed)
            _windows_call.run_windows(windows, arguments, targets[0])

    def _window(self, i: int, source: AnyArray) -> AnyArray:
        own = source if self.items is None else source[self.items[i]]
        window = self.plan.window(self.starts[i], None if self.strides is None else self.strides[i])
        maps = tuple(window.axes(own.shape, self.plan.mode))
        shape = tuple([each.count for each in maps])
        stage = Stage(own.shape, maps, tuple(range(own.ndim)), shape, own.shape)
        return moved(own, one_by_one([stage]), np.zeros(1, own.dtype))


def draw_windows_case(choices: Choices) -> WindowsCase:
    """Draw a case."""
    width, mode = choices.pick(WIDTHS), choices.pick(MODES)
    n = choices.integer(1, choices.pick(_MOST_WINDOWS))
    rank = choices.pick((2, 1, 3, 4))
    has_items = rank > 1 and choices.is_rare(4)
    first = int(has_items)
    axes = [axis for axis in range(first, rank) if choices.is_rare(2)]
    most = min(MOST_ELEMENTS, MOST_BYTES // width)
    shapes = [draw_shape(choices, rank, most)]
    whole = prod([shapes[0][k] for k in range(first, rank) if k not in axes])
    n = min(n, most // whole)
    is_listed = not has_items and n > 1 and choices.is_rare(3)
    for _ in range(n - 1 if is_listed else 0):
        # As long along the axes that windows take whole.
        shapes.append(draw_shape(choices, rank, most, {k: shapes[0][k] for k in range(rank) if k not in axes}))
    size = []
    for _ in axes:
        size.append(choices.integer(1, min(most // (n * whole * prod(size)), choices.pick((3, 8, 40, 300)))))
    is_varied = choices.is_rare(3)
    strides = [tuple([_draw_stride(choices, mode) for _ in axes]) for _ in range(n if is_varied else 1)]
    if mode is SampleMode.STRICT_BOUNDS:
        # What all windows reach is inside of the shortest source.
        for j, axis in enumerate(axes):
            reach = max(abs(row[j]) for row in strides)
            shortest = min(shape[axis] for shape in shapes)
            size[j] = min(size[j], (shortest - 1) // reach + 1 if reach else size[j])
    starts = []
    for i in range(n):
        extents, own = [shapes[i if is_listed else 0][axis] for axis in axes], strides[i if is_varied else 0]
        starts.append(tuple(map(partial(_draw_start, choices, mode), extents, size, own)))
    plan = WindowsPlan(shapes[0], size, strides[0], axes, has_items, mode)
    items = tuple([choices.integer(0, shapes[0][0] - 1) for _ in range(n)]) if has_items else None
    sources = tuple([draw_memory(choices, shape, width, may_repeat=True) for shape in shapes])
    output = draw_memory(choices, (n, *plan.shape), width, may_repeat=False)
    run, dtype = (choices.is_rare(3), draw_launches(choices), choices.integer(0, 1000)), np.dtype(f"V{width}")
    varied = tuple(strides) if is_varied else None
    return WindowsCase(sources, (output,), dtype, dtype, *run, plan, tuple(starts), varied, items)


def _draw_stride(choices: Choices, mode: SampleMode) -> int:
    stride = choices.pick(STRIDES)
    return stride if mode is not SampleMode.STRICT_BOUNDS or abs(stride) < 5 else 1


def _draw_start(choices: Choices, mode: SampleMode, extent: int, count: int, stride: int) -> int:
    if mode is not SampleMode.STRICT_BOUNDS:
        start = choices.integer(-extent - 3, 2 * extent + 3) + choices.pick(FAR)
        return max(min(start, 2**63 - 1), -(2**63))
    reach = (count - 1) * stride
    return choices.integer(-min(reach, 0), extent - 1 - max(reach, 0))
