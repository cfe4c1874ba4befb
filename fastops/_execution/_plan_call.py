"""Calls of plans of one output on data of any kind, also with a fill value for each channel.

If all channels of a pixel lie side by side in memory, a pixel is moved as one element with one fill value. Otherwise
the plan of each channel writes a part of the output.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from numpy import ndarray

from fastops._arrays._conversions import Normalization, channel_axis_of, check_channels, find_conversion, with_axis
from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import Element, as_pixels, encode_channels, encode_fills
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, FastopsError, shown
from fastops._execution import _execute as calls
from fastops._execution._execute import ENTRY, ZEROS
from fastops._execution._kinds import find_kind
from fastops._execution._planned_kind import DataCall
from fastops._geometry._composition import plan_of_pixels, plans_of_channels
from fastops._geometry._geometry import Geometry, is_view
from fastops._geometry._planned_output import Box, ListedBoxes, PlannedOutput
from fastops._lowering._arguments import as_scalar
from fastops._lowering._bounds import resolve_axis_of
from fastops._lowering._windows import Lowering, check_pieces
from fastops._settings import CACHE_SIZE, STREAM_BYTES

if TYPE_CHECKING:
    from fastops._execution._operator import Operator


def run_geometry(
    geometry: Geometry, data: Any, out: Any, fill_value: Any, kept: list[Any], wanted: Normalization | None, chunks: Any
) -> Any:
    """Run one plan on data; ``kept`` caches the plan's words and the axis along which its channels lie."""
    outs = None if out is None else (out,)
    words = kept[0]
    if words is None:
        words = kept[0] = calls.find_call(geometry).words
    if fill_value is None and chunks is None and wanted is None and not ENTRY.was_large:
        # This does the work of `execute`, without the time of another Python call.
        found = ENTRY.run(outs, data, words, None, ZEROS, None, STREAM_BYTES, 0, 0)
        if type(found) is tuple:
            return found[0]
    conversion = None
    if wanted is not None:
        if kept[1] is None:
            kept[1] = channel_axis_of(geometry)
        wanted = with_axis(wanted, kept[1])
        if type(data) is ndarray:
            conversion = find_conversion(wanted, data.dtype, out, len(geometry.shape))
    is_plain = chunks is None and (fill_value is None or geometry.fills < 2 or type(fill_value) is Element)
    if is_plain and (wanted is None or conversion is not None):
        results = calls.execute(words, data, outs, fill_value, None, conversion)
        if results is not None:
            return results[0]
    kind = find_kind(data, chunks)
    if kind is not None:
        return kind.run(_call_of(geometry, fill_value, wanted, chunks), data, out)
    source, _pinned = as_source(data)
    if wanted is not None:
        conversion = find_conversion(wanted, source.dtype, out, len(geometry.shape))
        check_channels(conversion, geometry.shape)
    check_shape(geometry.source_shape, source.shape)
    if fill_value is not None and type(fill_value) is not Element:
        fill_value = encode_fills(source.dtype, geometry.fills, fill_value)
    return calls.execute_checked(calls.find_call(geometry), source, outs, fill_value, conversion)[0]


def _call_of(geometry: Geometry, fill_value: Any, wanted: Normalization | None, chunks: Any) -> DataCall:
    """Return the call of a plan on data of other kinds."""

    def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
        check_shape(geometry.source_shape, shape)
        return [PlannedOutput.of_geometry(geometry)]

    def run(array: Any, out: Any) -> Any:
        return run_geometry(geometry, array, out, fill_value, [None, None], wanted, None)

    return DataCall(run, lower, fill_value, wanted=wanted, chunks=chunks)


def check_shape(expected: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Raise for data of another shape than the source of a plan."""
    if shape != expected:
        raise AttributeValueError.about("data", f"have shape {shown(expected)}", shape)


#: The plan of a result, and the axis of the result along which channels lie, which is not negative.
ChannelPlan: TypeAlias = tuple[Geometry, int]


def run_channels(
    operator: Operator,
    data: Any,
    attributes: tuple[Any, ...],
    channel_axis: Any,
    given: tuple[str, Any],
    out: Any = None,
    copy: Any = True,
    chunks: Any = None,
) -> Any:
    """Run an operator with one output, which has the axes of data; ``given`` names an attribute of fill values."""
    lowering = operator.lowering
    try:
        values = lowering.read(attributes)
        axis = as_scalar("channel_axis", channel_axis)
        kind = find_kind(data, chunks)
        if kind is None:
            data, _pinned = as_source(data, may_copy=copy is not False)
        shape, dtype = (data.shape, data.dtype) if kind is None else kind.describe(data)
        plan = _find_plan(lowering, shape, axis, *values)
        fill = encode_channels(*given, dtype, plan[0].shape[plan[1]])
        if kind is None:
            return _run_on_array(plan, data, fill, out, copy)
        return run_filled(plan, fill, data, out, copy, None, chunks)
    except FastopsError as error:
        operator.explain(error, **dict(zip(lowering.names, attributes, strict=False)))
        raise


def run_filled(
    plan: ChannelPlan, fill: Element, data: Any, out: Any, copy: Any, wanted: Normalization | None, chunks: Any
) -> Any:
    """Run a plan on data of any kind; ``fill`` has the values of all slots of channel 0, then of channel 1 etc."""

    def run(array: Any, out: Any) -> Any:
        source, _pinned = as_source(array)
        if wanted is None:
            return _run_on_array(plan, source, fill, out, copy)
        return calls.convert_whole(_run_on_array(plan, source, fill, None, copy), wanted, out)

    kind = find_kind(data, chunks)
    if kind is None:
        return run(data, out)
    return kind.run(DataCall(run, lambda _: [_planned(*plan)], fill, copy, wanted=wanted, chunks=chunks), data, out)


@lru_cache(CACHE_SIZE)
def _find_plan(lowering: Lowering, shape: tuple[int, ...], axis: int, *values: Any) -> ChannelPlan:
    own = resolve_axis_of(shape, "channel_axis", axis)
    geometry = lowering.geometry(shape, values)
    check_pieces("channel_axis", geometry.shape[own], axis, "each channel")
    return geometry, own


@lru_cache(CACHE_SIZE)
def _find_call(geometry: Geometry, axis: int) -> calls.Call:
    return calls.create_call([_planned(geometry, axis)])


@lru_cache(CACHE_SIZE)
def _find_pixels(geometry: Geometry) -> calls.Call | None:
    """Return the call that moves each pixel as one element; None if there is none."""
    of_pixels = plan_of_pixels(geometry) if geometry.fills < 2 else None
    return None if of_pixels is None else calls.find_call(of_pixels)


def _planned(geometry: Geometry, axis: int) -> PlannedOutput:
    """Return the output with a box for each channel; one box for a result without elements."""
    shape = geometry.shape
    if 0 in shape:
        return PlannedOutput.of_geometry(geometry)
    plans = plans_of_channels(geometry, axis)
    starts = [tuple([y if k == axis else 0 for k in range(len(shape))]) for y in range(shape[axis])]
    return PlannedOutput(shape, geometry.source_shape, ListedBoxes(map(Box, starts, plans)), None, plans[0].fills)


def _run_on_array(plan: ChannelPlan, source: AnyArray, fill: Element, out: Any, copy: Any) -> Any:
    """Run a plan on an array that `as_source` returned."""
    outs, (geometry, axis) = None if out is None else (out,), plan
    if copy is not True and (copy is not None or (outs is None and is_view(geometry))):
        return calls.execute_views(calls.find_call(geometry), source, outs, fill, copy)[0]
    if axis == len(geometry.shape) - 1:
        result = _run_pixels(geometry, source, fill, out)
        if result is not None:
            return result
    call = _find_call(geometry, axis)
    return (calls.execute(call.words, source, outs, fill) or calls.execute_checked(call, source, outs, fill))[0]


def _run_pixels(geometry: Geometry, source: AnyArray, fill: Element, out: Any) -> Any:
    """Run the plan of pixels, with a pixel as fill value; return None, with nothing written, if that is impossible."""
    call, n = _find_pixels(geometry), geometry.shape[-1]
    pixels = None if call is None else as_pixels(source, n)
    if call is None or pixels is None:
        return None
    value = Element(fill.array.view(pixels.dtype))
    if out is None:
        made = calls.execute(call.words, pixels, None, value)
        return None if made is None else made[0].view(source.dtype)
    # Another thread may give the caller's array another shape, but not this view of it.
    own = as_pixels(out.view(), n) if type(out) is ndarray and out.dtype == source.dtype else None
    return None if own is None or calls.execute(call.words, pixels, (own,), value) is None else out
