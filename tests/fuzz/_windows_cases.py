"""Cases of many windows: their plan, starts, strides and items, the memory of sources and output, and the launches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from unittest import mock

import numpy as np

from fastops import SampleMode
from fastops._execution import _windows_call
from fastops._execution._window_sources import as_window_source, as_window_sources
from fastops.plan import WindowsPlan
from tests.fuzz._choices import Choices
from tests.fuzz._gather_cases import FAR, MODES, STRIDES, WIDTHS, moved
from tests.fuzz._launches import Launches, draw_launches
from tests.fuzz._memory import MOST_BYTES, MOST_ELEMENTS, AnyArray, Memory, draw_memory
from tests.helpers.chains import Stage

_MOST_WINDOWS = (3, 40, 9, 1)


@dataclass(frozen=True)
class WindowsCase:
    """Windows and their memory: of one source, of its items, or of a source for each."""

    plan: WindowsPlan
    starts: tuple[tuple[int, ...], ...]
    strides: tuple[tuple[int, ...], ...] | None
    items: tuple[int, ...] | None
    width: int
    sources: tuple[Memory, ...]
    output: Memory
    streams: bool
    launches: Launches
    seed: int

    def run(self) -> str | None:
        """Run the kernel; return what is wrong with the bytes afterwards, or None."""
        cell = np.dtype(f"V{self.width}")
        buffers = [memory.new_buffer(self.seed + i) for i, memory in enumerate(self.sources)]
        before = [buffer.copy() for buffer in buffers]
        sources = [memory.array_in(buffer, cell) for memory, buffer in zip(self.sources, buffers, strict=True)]
        is_listed = self.output.shape[0] == len(sources) > 1
        buffer = self.output.new_buffer(self.seed + 7)
        expected = buffer.copy()
        if 0 not in self.output.shape:
            right = self.output.array_in(expected, cell)
            for i in range(len(self.starts)):
                right[i] = self._window(i, sources[i if is_listed else 0])
        changed = {
            "run_kernel": self.launches.run_kernel,
            "STREAM_BYTES": 0 if self.streams else self.output.length + 1,
        }
        with mock.patch.multiple(_windows_call, **changed):
            _windows_call.run_windows(
                self.plan,
                as_window_sources(sources) if is_listed else as_window_source(sources[0]),
                np.array(self.starts, object).reshape(len(self.starts), len(self.plan.axes)),
                None if self.strides is None else [list(row) for row in self.strides],
                None if self.items is None else list(self.items),
                self.output.array_in(buffer, cell),
                None,
            )
        if any(not np.array_equal(buffer, old) for buffer, old in zip(buffers, before, strict=True)):
            return "a source has been written"
        return self.output.wrong_in(buffer, expected)

    def _window(self, i: int, source: AnyArray) -> AnyArray:
        own = source if self.items is None else source[self.items[i]]
        window = self.plan.window(self.starts[i], None if self.strides is None else self.strides[i])
        maps = tuple(window.axes(own.shape, self.plan.mode))
        shape = tuple([each.count for each in maps])
        stage = Stage(own.shape, maps, tuple(range(own.ndim)), shape, own.shape)
        return moved([stage], own, np.zeros((1, self.width), np.uint8))


def draw_windows_case(choices: Choices) -> WindowsCase:
    """Draw a case."""
    width, mode = choices.pick(WIDTHS), choices.pick(MODES)
    n = choices.integer(1, choices.pick(_MOST_WINDOWS))
    rank = choices.pick((2, 1, 3, 4))
    has_items = rank > 1 and choices.is_rare(4)
    first = int(has_items)
    axes = [axis for axis in range(first, rank) if choices.is_rare(2)]
    most = max(min(MOST_ELEMENTS, MOST_BYTES // width), 1)
    shapes = [_draw_shape(choices, rank, most)]
    n = min(n, max(most // prod([shapes[0][k] for k in range(first, rank) if k not in axes]), 1))
    is_listed = not has_items and n > 1 and choices.is_rare(3)
    for _ in range(n - 1 if is_listed else 0):
        # As long along the axes that windows take whole.
        shapes.append(_draw_shape(choices, rank, most, {k: shapes[0][k] for k in range(rank) if k not in axes}))
    room = max(most // n, 1)
    for k in range(first, rank):
        room = room if k in axes else max(room // shapes[0][k], 1)
    size = []
    for _ in axes:
        size.append(choices.integer(1, max(min(room, choices.pick((3, 8, 40, 300))), 1)))
        room = max(room // size[-1], 1)
    common = [_draw_stride(choices, mode) for _ in axes]
    is_varied = choices.is_rare(3)
    strides = [tuple([_draw_stride(choices, mode) for _ in axes]) if is_varied else tuple(common) for _ in range(n)]
    if mode is SampleMode.STRICT_BOUNDS:
        # What all windows reach is inside of the shortest source.
        for j, axis in enumerate(axes):
            reach = max(abs(row[j]) for row in strides)
            shortest = min(shape[axis] for shape in shapes)
            size[j] = min(size[j], (shortest - 1) // reach + 1 if reach else size[j])
    reached = [[shapes[i if is_listed else 0][axis] for axis in axes] for i in range(n)]
    starts = [tuple(map(partial(_draw_start, choices, mode), reached[i], size, strides[i])) for i in range(n)]
    plan = WindowsPlan(shapes[0], size, common, axes, has_items, mode)
    items = tuple([choices.integer(0, shapes[0][0] - 1) for _ in range(n)]) if has_items else None
    sources = tuple([draw_memory(choices, shape, width, may_repeat=True) for shape in shapes])
    output = draw_memory(choices, (n, *plan.shape), width, may_repeat=False)
    own = tuple(strides) if is_varied else None
    run = (choices.is_rare(3), draw_launches(choices), choices.integer(0, 1000))
    return WindowsCase(plan, tuple(starts), own, items, width, sources, output, *run)


def _draw_shape(choices: Choices, rank: int, room: int, known: Mapping[int, int] | None = None) -> tuple[int, ...]:
    """Draw the shape of a source of at most ``room`` elements, of which some extents are known."""
    shape = dict(known or {})
    for extent in shape.values():
        room //= extent
    for k in range(rank):
        if k not in shape:
            shape[k] = choices.integer(1, max(min(choices.pick((4, 9, 20, 70, 300)), room), 1))
            room //= shape[k]
    return tuple([shape[k] for k in range(rank)])


def _draw_stride(choices: Choices, mode: SampleMode) -> int:
    stride = choices.pick(STRIDES)
    return stride if mode is not SampleMode.STRICT_BOUNDS or abs(stride) < 5 else 1


def _draw_start(choices: Choices, mode: SampleMode, extent: int, count: int, stride: int) -> int:
    if mode is not SampleMode.STRICT_BOUNDS:
        return choices.integer(-extent - 3, 2 * extent + 3) + choices.pick(FAR)
    reach = (count - 1) * stride
    return choices.integer(-min(reach, 0), extent - 1 - max(reach, 0))
