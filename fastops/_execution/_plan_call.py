"""Calls of plans of one output, on data of any kind."""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from fastops._arrays._conversions import (
    Normalization,
    channel_axis_of,
    check_channels,
    find_conversion,
    with_axis,
)
from fastops._arrays._fill_values import Element, encode_fills
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, shown
from fastops._execution._execute import ENTRY, ZEROS, execute, execute_checked, find_call, words_of
from fastops._execution._kinds import find_kind
from fastops._execution._planned_kind import DataCall
from fastops._geometry._geometry import Geometry
from fastops._geometry._numbers import is_listed
from fastops._geometry._planned_output import PlannedOutput
from fastops._settings import STREAM_BYTES


def run_geometry(
    geometry: Geometry,
    data: Any,
    out: Any,
    fill_value: Any,
    kept: list[Any],
    wanted: Normalization | None = None,
    chunks: Any = None,
) -> Any:
    """Run one plan on data; ``kept`` holds its words once they are made, and the axis along which its channels lie."""
    outs = None if out is None else (out,)
    words = kept[0]
    if words is None:
        words = kept[0] = words_of([PlannedOutput.of_geometry(geometry)])
    if fill_value is None and chunks is None and wanted is None and not ENTRY.was_large:
        # A call of `execute`, without the time of a call of Python.
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
        results = execute(words, data, outs, fill_value, None, conversion)
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
    is_written = fill_value is not None and type(fill_value) is not Element
    if is_written and (geometry.fills > 1 or is_listed(fill_value)):
        fill_value = Element(encode_fills(source.dtype, geometry.fills, fill_value))
    return execute_checked(find_call(geometry), source, outs, fill_value, conversion)[0]


def _call_of(geometry: Geometry, fill_value: Any, wanted: Normalization | None, chunks: Any) -> DataCall:
    """Return the call of a plan on data of other kinds."""

    def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
        check_shape(geometry.source_shape, shape)
        return [PlannedOutput.of_geometry(geometry)]

    def run(array: Any, out: Any) -> Any:
        return run_geometry(geometry, array, out, fill_value, [None, None], wanted)

    return DataCall(run, lower, fill_value, wanted=wanted, chunks=chunks)


def check_shape(expected: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Raise for data of another shape than the source of a plan."""
    if shape != expected:
        raise AttributeValueError.about("data", f"have shape {shown(expected)}", shape)
