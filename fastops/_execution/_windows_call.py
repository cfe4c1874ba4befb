"""What windows do when they are called: everything is checked, then all of them are moved in one launch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import encode_fill
from fastops._arrays._integers import Integers, as_column, as_rows
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._errors import AttributeValueError, FastopsError, OutOfBoundsError, shown
from fastops._execution._execute import copy_whole, execute_checked
from fastops._execution._prepared_call import ZEROS, prepare_plans
from fastops._execution._window_sources import WindowSources, as_window_source
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan
from fastops._plans._windows_plan import WindowsPlan
from fastops._runtime._kernels import run_kernel
from fastops._schedules._window_words import WindowGeometry, create_window_words
from fastops._settings import STREAM_BYTES
from fastops.kernels._tables import _window as t
from fastops.kernels._tables._gather import HEADER_COLUMNS

# Sources of a list whose byte strides are looked at for planes of their own.
_MOST_KINDS = 4


class _Windows(NamedTuple):
    """All windows of a call, read and checked.

    Attributes
    ----------
    plan : WindowsPlan
    starts : Integers
    strides : Integers or None
        Of each window, where they are not those of the plan.
    items : ndarray of int64, or None
    """

    plan: WindowsPlan
    starts: Integers
    strides: Integers | None
    items: AnyArray | None

    def axes_of(self, n: int, shape: Sequence[int]) -> SlicePlan:
        """Return the plan of window n on a source of a shape; raises for what its mode does not allow."""
        strides = None if self.strides is None else self.strides.row(n)
        maps = self.plan.window(self.starts.row(n), strides).axes(shape, self.plan.mode)
        return SlicePlan.create(maps)


def run_windows(
    plan: WindowsPlan, sources: WindowSources, starts: Any, strides: Any, items: Any, out: Any, fill_value: Any
) -> AnyArray:
    """Return the windows of sources that have the shape of the plan, along the axes that windows take whole.

    Raises
    ------
    FastopsError
        As `fastops.windows` says, before a byte is written.
    """
    if fill_value is not None and plan.mode is not SampleMode.FILL:
        rule = f"be given in mode fill only, not in {plan.mode.name.lower()}"
        raise AttributeValueError.about("fill_value", rule, fill_value)
    k = len(plan.axes)
    windows = _Windows(
        plan,
        as_rows("starts", starts, k, f"one coordinate for each of {k} axes"),
        None if strides is None else as_rows("stride", strides, k, f"one stride for each of {k} axes"),
        None,
    )
    n = len(windows.starts.array)
    if windows.strides is not None and len(windows.strides.array) != n:
        raise AttributeValueError.about("stride", f"have shape ({n}, {k}), as starts", windows.strides.array.shape)
    if sources.geometries is not None and len(sources.arrays) != n:
        raise AttributeValueError.about("starts", f"have {len(sources.arrays)} rows, one for each of data", n)
    if plan.items:
        windows = windows._replace(items=_as_items(items, n, sources.shape[0]))
    elif items is not None:
        raise AttributeValueError.about("items", "be given for plans with items only", items)
    dtype, shape = sources.dtype, (n, *plan.shape)
    target, result = None, out
    if out is not None:
        target, _pinned = as_output(out, shape, dtype)
    has_outputs = 0 not in shape
    beyond = _check_windows(windows, sources) if has_outputs else ()
    fill = ZEROS if fill_value is None and dtype.itemsize <= ZEROS.nbytes and plan.mode is not SampleMode.FILL else None
    fill = encode_fill(dtype, fill_value) if fill is None and plan.mode is SampleMode.FILL else ZEROS
    if target is None or any([share_memory(target, source) for source in sources.arrays]):
        own = allocate(shape, dtype)
    else:
        own = target
    if has_outputs and dtype.itemsize:
        _move(windows, sources, own, fill)
        for i in beyond:
            source = _source_of(windows, sources, i)
            call = prepare_plans((windows.axes_of(i, source.shape),), source.strides, dtype)
            execute_checked(call, source, (own[i],), fill_value)
    if target is None:
        return own
    if own is not target:
        copy_whole(own, target)
    return result


def _source_of(windows: _Windows, sources: WindowSources, n: int) -> AnyArray:
    """Return what window n reads."""
    if sources.geometries is not None:
        return sources.arrays[n]
    return sources.arrays[0] if windows.items is None else sources.arrays[0][windows.items[n]]


def _as_items(items: Any, n: int, extent: int) -> AnyArray:
    """Return the item of each window."""
    if items is None:
        raise AttributeValueError.about("items", "be given: the plan has items", items)
    column = as_column("items", items, n)
    wrong = (column < 0) | (column >= extent)
    if wrong.any():
        i = int(wrong.argmax())
        raise OutOfBoundsError.about(f"items[{i}]", f"be in 0..{extent - 1}", int(column[i]), 0, extent)
    return column


def _check_windows(windows: _Windows, sources: WindowSources) -> list[int]:
    """Return the windows whose numbers compiled code does not compute with; raise for the first that is wrong.

    What cannot be wrong is found out for all windows at once; the others are lowered one by one.
    """
    doubtful = _doubtful(windows, sources)
    if doubtful is None:
        return []
    beyond = []
    for i in np.flatnonzero(doubtful).tolist():
        try:
            windows.axes_of(i, _source_of(windows, sources, i).shape)
        except OutOfBoundsError as error:
            axes, first = windows.plan.axes, int(windows.plan.items)
            shape = _source_of(windows, sources, i).shape
            _raise_about(windows, i, shape, [axis - first for axis in axes], error)
        starts, strides = windows.starts.row(i), () if windows.strides is None else windows.strides.row(i)
        if any([abs(number) > t.LARGEST for number in (*starts, *(strides or windows.plan.stride))]):
            beyond.append(i)
    return beyond


def _raise_about(windows: _Windows, n: int, shape: Sequence[int], axes: Sequence[int], error: OutOfBoundsError) -> None:
    """Raise an error of a window about the caller's attributes."""
    strides = windows.plan.stride if windows.strides is None else windows.strides.row(n)
    starts = windows.starts.row(n)
    for axis, start, stride, count in zip(axes, starts, strides, windows.plan.size, strict=True):
        one = WindowsPlan((shape[axis],), (count,), (stride,), (0,), False, windows.plan.mode)
        try:
            one.window((start,)).axes((shape[axis],), windows.plan.mode)
        except OutOfBoundsError as found:
            at = axis + int(windows.plan.items)
            if shape[axis] == 0:
                raise OutOfBoundsError.about("size", f"be 0 on an empty axis, as in window {n}", count, at, 0) from None
            raise OutOfBoundsError.about(f"starts[{n}]", found.rule, starts, at, shape[axis]) from None
    raise error


def _doubtful(windows: _Windows, sources: WindowSources) -> AnyArray | None:
    """Return which windows may be wrong, or have numbers that are too large; None for none.

    No number of this computation leaves 64 bits, of the windows that it clears.
    """
    plan, starts = windows.plan, windows.starts.array
    if not plan.axes:
        return None
    strict, strides = plan.mode is SampleMode.STRICT_BOUNDS, None if windows.strides is None else windows.strides.array
    if strides is None and max(map(abs, plan.stride)) > t.LARGEST:
        return np.ones(len(starts), bool)
    extents: Any = [sources.shape[axis] for axis in plan.axes]
    if sources.geometries is not None:
        extents = sources.geometries[:, list(plan.axes)].T
    if strides is None and not strict:
        is_empty = plan.mode is not SampleMode.FILL and any(
            [np.any(extent == 0) for extent in map(np.asarray, extents)]
        )
        if not is_empty and starts.min() >= -t.LARGEST and starts.max() <= t.LARGEST:
            return None
    doubtful: Any = np.zeros(len(starts), bool)
    for j, (extent, count, stride) in enumerate(zip(extents, plan.size, plan.stride, strict=True)):
        column = starts[:, j]
        if strides is None and strict and sources.geometries is None:
            reach = (count - 1) * stride
            if column.min() >= -min(reach, 0) and column.max() <= extent - 1 - max(reach, 0):
                continue
        by = stride if strides is None else strides[:, j]
        doubtful |= (column < -t.LARGEST) | (column > t.LARGEST)
        if strides is not None:
            doubtful |= (by < -t.LARGEST) | (by > t.LARGEST)
        if strict:
            far = np.abs(np.asarray(by, np.float64)) * (count - 1) > t.LARGEST
            reach = np.where(far, 0, by) * (count - 1)
            last = np.where(doubtful, 0, column) + reach
            doubtful |= far | (column < 0) | (column >= extent) | (last < 0) | (last >= extent)
        elif plan.mode is not SampleMode.FILL:
            doubtful |= np.asarray(extent) == 0
    return doubtful if doubtful.any() else None


def _move(windows: _Windows, sources: WindowSources, target: AnyArray, fill: AnyArray) -> None:
    """Write all windows but those whose numbers are too large."""
    plan, first = windows.plan, int(windows.plan.items)
    dtype, n = target.dtype, len(target)
    source = sources.arrays[0]
    total_bytes = target.size * dtype.itemsize
    others: tuple[tuple[int, ...], ...] = ()
    if sources.geometries is not None:
        # Planes depend on the pitches of inner axes: sources that differ in the longest one only are of one kind.
        kinds = {tuple(sorted(array.strides, key=abs)[:-1]): array.strides for array in reversed(sources.arrays)}
        others = tuple(kinds.values())[:_MOST_KINDS]
    strides: list[tuple[int, ...]] = [(1,)] * (source.ndim - first)
    for j, axis in enumerate(plan.axes):
        strides[axis - first] = (plan.stride[j],)
        if windows.strides is not None:
            column = windows.strides.array[:, j]
            strides[axis - first] = tuple(sorted({int(column.max()), int(column.min())}, reverse=True))
    words, needs = create_window_words(
        WindowGeometry(
            source.shape[first:],
            source.strides[first:],
            target.shape[1:],
            tuple(strides),
            target.strides[1:],
            dtype.itemsize,
            plan.mode,
            total_bytes >= STREAM_BYTES,
        ),
        others,
    )
    table = [0] * t.WINDOWS_COLUMNS
    table[:HEADER_COLUMNS] = [t.WINDOWS, total_bytes, needs]
    table[t.N_WINDOWS], table[t.DST_STEP] = n, target.strides[0]
    table[t.N_AXES], table[t.AXIS_NUMBERS] = len(plan.axes), t.WINDOWS_COLUMNS
    table += [axis - first for axis in plan.axes]
    table[t.WORDS], table[t.N_WORDS] = len(table), len(words)
    table += words
    if windows.items is not None:
        table[t.ITEM_PITCH] = source.strides[0]
    behind = []
    at = len(table)
    for column_number, array in (
        (t.STARTS, windows.starts.array),
        (t.STRIDES, None if windows.strides is None else windows.strides.array),
        (t.ITEMS, windows.items),
        (t.GEOMETRIES, sources.geometries),
    ):
        if array is not None:
            table[column_number] = at
            at += array.size
            behind.append(array.ravel())
    whole = np.concatenate((np.array(table, np.int64), *behind))
    dsts = (target,) if sources.geometries is None else (target, *sources.arrays)
    run_kernel("gather", needs, total_bytes, dsts, source, whole, fill)


def _run_plan(plan: WindowsPlan, data: Any, starts: Any, items: Any, out: Any, fill_value: Any) -> AnyArray:
    """Run a plan on an array."""
    try:
        sources = as_window_source(data)
        if sources.shape != plan.source_shape:
            raise AttributeValueError.about("data", f"have shape {shown(plan.source_shape)}", sources.shape)
        return run_windows(plan, sources, starts, None, items, out, fill_value)
    except FastopsError as error:
        error.add_context("plan", {})
        raise


WindowsPlan._run = _run_plan  # type: ignore[method-assign, assignment]
