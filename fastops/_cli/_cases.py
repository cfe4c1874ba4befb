"""What `fastops demo` runs: each operator in every mode, and the same computation by NumPy alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np

import fastops
from fastops._arrays._dtypes import AnyArray, as_output_type, is_long_double
from fastops._cli._slice_notes import count_outside
from fastops._cli._words import maps_of
from fastops._geometry._sample_mode import ModeWord, SampleMode
from fastops.plan._slice_plan import SlicePlan

Arrays: TypeAlias = Sequence[AnyArray]

_PADS: dict[ModeWord, str] = {
    "wrap": "wrap",
    "clamp": "edge",
    "fill": "constant",
    "reflect": "reflect",
    "symmetric": "symmetric",
}
_PAD = 16

# An axis shorter than this is left alone by crops, strides and pads, as channels are.
_SHORT = 4

# start, step and count, exact in each type, so that start + count * step is.
_RANGES: dict[str, tuple[float, float, int]] = {
    "f32": (-1, 2**-22, 2**23),
    "f64": (-1, 2**-22, 2**23),
    "f16": (-1, 2**-22, 2**23),
    "i32": (7, 3, 2**23),
    "i64": (-(2**42), 250_007, 2**23),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the demo.

    Attributes
    ----------
    operator, title : str
        What runs.
    outs : callable
        Return fresh arrays for the results.
    run : callable
        Let fastops write into such arrays.
    rival : callable
        Compute the same in NumPy's usual way, into such arrays where NumPy can: what is timed.
    expected : callable
        Return the results by NumPy alone: what is compared. Often the rival's.
    read_bytes : int
        The bytes of the source that the results need, at most all of it.
    """

    operator: str
    title: str
    outs: Callable[[], list[AnyArray]]
    run: Callable[[Arrays], object]
    rival: Callable[[Arrays], Arrays]
    expected: Callable[[], Arrays]
    read_bytes: int


def create_cases(data: AnyArray) -> Iterator[Case]:
    """Yield the cases that make sense for an array of any rank and dtype."""
    channels = data.ndim - 1 if data.ndim > 2 and data.shape[-1] <= _SHORT else None
    long_axes = [k for k, n in enumerate(data.shape) if n >= _SHORT and k != channels]
    plane = long_axes[-2:] or [data.ndim - 1]
    yield from _strided_slice_cases(data, plane, channels)
    yield from _variadic_split_cases(data, plane, channels)
    yield from _slice_cases(data, plane)
    for name, (start, step, count) in _RANGES.items():
        yield _range_case(name, start, step, count)


def _strided_slice_cases(data: AnyArray, plane: Sequence[int], channels: int | None) -> Iterator[Case]:
    middle = {k: slice(data.shape[k] // 4, data.shape[k] // 4 + max(data.shape[k] // 2, 1)) for k in plane}
    yield _strided_slice_case(data, "crop", middle)
    yield _strided_slice_case(data, "stride 2", dict.fromkeys(plane, slice(None, None, 2)))
    yield _strided_slice_case(data, "horizontal flip" if channels else "flip", {plane[-1]: slice(None, None, -1)})
    if channels is not None and data.shape[channels] > 1:
        title = "BGR -> RGB" if data.shape[channels] == 3 else "reverse channels"
        yield _strided_slice_case(data, title, {channels: slice(None, None, -1)})
    if data.ndim > 1:
        yield _strided_slice_case(data, "last item", {0: -1})


def _strided_slice_case(data: AnyArray, title: str, keys: Mapping[int, slice | int]) -> Case:
    """Return the case of a basic index, written with one position an axis and masks where a bound is absent."""
    begin, end, strides = [0] * data.ndim, [0] * data.ndim, [1] * data.ndim
    begin_mask, end_mask, shrink = [1] * data.ndim, [1] * data.ndim, [0] * data.ndim
    for k, key in keys.items():
        if isinstance(key, int):
            begin[k], shrink[k] = key, 1
            continue
        strides[k] = key.step or 1
        if key.start is not None:
            begin[k], begin_mask[k] = key.start, 0
        if key.stop is not None:
            end[k], end_mask[k] = key.stop, 0
    masks: dict[str, Any] = {"begin_mask": begin_mask, "end_mask": end_mask, "shrink_axis_mask": shrink}
    made = fastops.plan.strided_slice(data.shape, begin, end, strides, **masks)
    view = as_plain(data)[tuple(keys.get(k, slice(None)) for k in range(data.ndim))]
    return _view_case(
        "strided_slice",
        title,
        data,
        [made],
        [view],
        lambda outs: fastops.strided_slice(data, begin, end, strides, **masks, out=outs[0]),
    )


def _variadic_split_cases(data: AnyArray, plane: Sequence[int], channels: int | None) -> Iterator[Case]:
    splits = [(plane[-1], 2, "in halves")] + ([(channels, data.shape[channels], "planes")] if channels else [])
    for axis, parts, title in splits:
        extent = data.shape[axis]
        lengths = [extent // parts] * (parts - 1) + [-1]
        made = fastops.plan.variadic_split(data.shape, axis, lengths)
        views = np.split(as_plain(data), [extent // parts * k for k in range(1, parts)], axis=axis)

        def run(outs: Arrays, axis: int = axis, lengths: list[int] = lengths) -> object:
            return fastops.variadic_split(data, axis, lengths, out=list(outs))

        yield _view_case("variadic_split", title, data, made, views, run)


def _slice_cases(data: AnyArray, plane: Sequence[int]) -> Iterator[Case]:
    start, size = [data.shape[k] // 8 for k in plane], [max(data.shape[k] // 2, 1) for k in plane]
    made = fastops.plan.slice(data.shape, start, size, axes=plane)
    key = [slice(None)] * data.ndim
    for k, first, count in zip(plane, start, size, strict=True):
        key[k] = slice(first, first + count)
    yield _view_case(
        "slice",
        "strict_bounds",
        data,
        [made],
        [as_plain(data)[tuple(key)]],
        lambda outs: fastops.slice(data, start, size, axes=plane, out=outs[0]),
    )
    for mode in _PADS:
        yield _pad_case(data, mode, plane)


def _pad_case(data: AnyArray, mode: ModeWord, plane: Sequence[int]) -> Case:
    pads = [min(_PAD, max(data.shape[k] // 4, 1)) for k in plane]
    start, size = [-pad for pad in pads], [data.shape[k] + 2 * pad for k, pad in zip(plane, pads, strict=True)]
    made = fastops.plan.slice(data.shape, start, size, axes=plane, mode=mode)
    plain = as_plain(data)
    widths = [(0, 0)] * data.ndim
    for k, pad in zip(plane, pads, strict=True):
        widths[k] = (pad, pad)
    options: dict[str, Any] = {"mode": _PADS[mode]}
    if mode == "fill":
        options["constant_values"] = np.zeros((), plain.dtype)[()]
    return Case(
        "slice",
        f"{mode} pad",
        lambda: [np.empty(made.shape, data.dtype)],
        lambda outs: fastops.slice(data, start, size, axes=plane, mode=mode, out=outs[0]),
        lambda _: [np.pad(plain, widths, **options)],
        lambda: [np.pad(plain, widths, **options)],
        count_read(made) * data.itemsize,
    )


def _view_case(
    operator: str,
    title: str,
    data: AnyArray,
    plans: Sequence[SlicePlan],
    views: Arrays,
    run: Callable[[Arrays], object],
) -> Case:
    """Return the case of results that are views of the source in NumPy."""

    def rival(outs: Arrays) -> Arrays:
        for out, view in zip(outs, views, strict=True):
            np.copyto(as_plain(out), view)
        return outs

    return Case(
        operator,
        title,
        lambda: [np.empty(made.shape, data.dtype) for made in plans],
        run,
        rival,
        lambda: [np.ascontiguousarray(view) for view in views],
        min(sum(map(count_read, plans)), data.size) * data.itemsize,
    )


def _range_case(name: str, start: float, step: float, count: int) -> Case:
    stop: Any = start + count * step
    dtype = as_output_type("output_type", name)
    working = np.dtype(np.int64 if dtype.kind == "i" else np.float64 if name == "f64" else np.float32)

    def expected() -> Arrays:
        positions = np.arange(count).astype(working)
        return [(working.type(start) + positions * working.type(step)).astype(dtype)]

    return Case(
        "range",
        name,
        lambda: [np.empty(count, dtype)],
        lambda outs: fastops.range(start, stop, step, name, out=outs[0]),
        lambda _: [np.arange(start, stop, step, dtype=dtype)],
        expected,
        0,
    )


def as_plain(data: AnyArray) -> AnyArray:
    """Return an array whose elements NumPy moves as they are.

    It moves records field by field, and extended floats without their padding, so both are taken as bytes.
    """
    if data.dtype.names is not None or is_long_double(data.dtype):
        return data.view(f"V{data.itemsize}")
    return data


def count_read(made: SlicePlan) -> int:
    """Return how many elements of the source a plan reads, at most all of them."""
    inside = 1
    for axis in maps_of(made):
        outside = count_outside(axis.start, axis.stride, axis.count, axis.extent)
        inside *= axis.count - (sum(outside) if axis.mode is SampleMode.FILL else 0)
    return min(inside, prod(made.source_shape))
