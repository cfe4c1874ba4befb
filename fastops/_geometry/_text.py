"""Plans as a few lines of text, as `print` shows them.

Plans as JSON, read strictly: slice plans in version 2 or 1, ranges in version 1. See `docs/design/plan.md`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from fastops._errors import AttributeValueError, DTypeError, shown
from fastops._geometry._axis_map import AxisMap, Map, Run, RunMap
from fastops._geometry._geometry import (
    NO_AXIS,
    Geometry,
    SourceWindow,
    create_geometry,
    find_factors,
    is_ordered,
    size_of,
    windows_of,
)
from fastops._geometry._range_and_windows import RangeGeometry, create_range
from fastops._geometry._sample_mode import SampleMode


def geometry_text(geometry: Geometry) -> str:
    """Return the shapes of a plan, a line for each axis, and what becomes of the axes."""
    lines = [f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}"]
    lines += [f"  axis {k}: {axis}{window_text(geometry, k)}" for k, axis in enumerate(geometry.axes)]
    return "\n".join([*lines, *[f"  {line}" for line in (*moves_text(geometry), *fills_text(geometry))]])


def fills_text(geometry: Geometry) -> list[str]:
    """Return what the slots of a plan with several fill values are called, and which of them is read."""
    if geometry.fills < 2:
        return []
    return [f"fill values: {geometry.fills}, one for each stage that fills; fill1 lies over fill0, and so on"]


def window_text(geometry: Geometry, k: int) -> str:
    """Return what of the source an axis reads, where that is no axis of it as a whole."""
    source, offset, step = windows_of(geometry)[k]
    if source == NO_AXIS or (geometry.source_shape[source], offset, step) == (geometry.axes[k].extent, 0, 1):
        return ""
    return f", window of source axis {source}: offset {shown(offset)}, step {shown(step)}"


def moves_text(geometry: Geometry) -> list[str]:
    """Return what becomes of axes between source and result: which are reordered, merged, new and dropped."""
    if not size_of(geometry):
        return []
    lines = []
    if not is_ordered(geometry):
        lines.append(f"order: {', '.join(map(str, geometry.order))}")
    merged, new, dropped = _changes_of(geometry)
    lines += [f"merged: axes {', '.join(map(str, own))} are axis {target} of the result" for target, own in merged]
    lines += [f"new: axis {k} of the result, of length 1" for k in new]
    lines += [f"dropped: axis {k}, of one output" for k in dropped]
    return lines


def _changes_of(geometry: Geometry) -> tuple[list[tuple[int, list[int]]], list[int], list[int]]:
    """Return the axes of the result that are merged and of what, new ones, and axes that it has not.

    Where there are several ways to say so, the first axes are kept.
    """
    counts = [geometry.axes[k].count for k in geometry.order]
    factors = find_factors(counts, geometry.shape)
    assert factors is not None
    merged = []
    for target in range(len(geometry.shape)):
        own = [k for k, (axis, _) in zip(geometry.order, factors, strict=True) if axis == target]
        if len(own) > 1:
            merged.append((target, own))
    new: list[int] = []
    dropped: list[int] = []
    target = 0
    for k, (axis, _) in zip(geometry.order, factors, strict=True):
        if axis == NO_AXIS:
            if target < len(geometry.shape) and geometry.shape[target] == 1:
                target += 1
            else:
                dropped.append(k)
        elif axis >= target:
            new += range(target, axis)
            target = axis + 1
    return merged, [*new, *range(target, len(geometry.shape))], sorted(dropped)


_SLICE_FORMAT, _OPEN_FORMAT, _RANGE_FORMAT = "fastops.SlicePlan", "fastops.OpenPlan", "fastops.RangePlan"
_AXIS_FIELDS = ("extent", "start", "stride", "count", "mode")
_RUN_FIELDS = ("extent", "runs")

# What version 2 has besides, the last field only where a plan has windows.
_SLICE_FIELDS = ("source_shape", "shape", "axes", "order", "fills")
_MODES = {mode.name.lower(): mode for mode in SampleMode}

_Triple = TypeVar("_Triple", Run, SourceWindow)

# Longer documents are refused before they are read: plans have 4096 axes at most, of a few numbers each.
_LONGEST = 1 << 20


def geometry_to_json(geometry: Geometry) -> str:
    """Return a plan as JSON, on one line, in version 2."""
    document = {
        "format": _SLICE_FORMAT,
        "version": 2,
        "source_shape": geometry.source_shape,
        "shape": geometry.shape,
        "axes": [_axis_to_json(axis) for axis in geometry.axes],
        "order": geometry.order,
        "fills": geometry.fills,
    }
    if geometry.windows is not None:
        document["windows"] = geometry.windows
    return _dump("SlicePlan", document)


def open_to_json(
    source_shape: Sequence[int | str | None],
    shape: Sequence[int | str | None],
    axes: Sequence[Map | str | None],
    order: Sequence[int],
) -> str:
    """Return a plan with open dimensions as JSON, on one line."""
    own = [axis if axis is None or isinstance(axis, str) else _axis_to_json(axis) for axis in axes]
    shapes = {"source_shape": source_shape, "shape": shape}
    return _dump("OpenPlan", {"format": _OPEN_FORMAT, "version": 1, **shapes, "axes": own, "order": order})


def _axis_to_json(axis: Map) -> dict[str, Any]:
    if type(axis) is RunMap:
        return {"extent": axis.extent, "runs": axis.runs}
    assert type(axis) is AxisMap
    return {**{name: getattr(axis, name) for name in _AXIS_FIELDS}, "mode": axis.mode.name.lower()}


def range_to_json(geometry: RangeGeometry) -> str:
    """Return a plan as JSON, on one line; integers stay integers, and floats are exact."""
    numbers = {"start": geometry.start, "step": geometry.step, "count": geometry.count}
    return _dump("RangePlan", {"format": _RANGE_FORMAT, "version": 1, **numbers})


def geometry_from_json(text: str | bytes) -> Geometry:
    """Return the plan that a document describes; raise an AttributeValueError for anything else."""
    document = _load("SlicePlan", _SLICE_FORMAT, (1, 2), text)
    is_first = document["version"] == 1
    has_windows = not is_first and "windows" in document
    fields = _SLICE_FIELDS[:3] if is_first else (*_SLICE_FIELDS, "windows") if has_windows else _SLICE_FIELDS
    _check_fields("SlicePlan", "text", document, ("format", "version", *fields))
    if type(document["axes"]) is not list:
        raise AttributeValueError("SlicePlan", "axes", "be a list", document["axes"])
    maps = tuple([_axis_from_json(axis) for axis in document["axes"]])
    shape, source_shape = [_integers(name, document[name]) for name in ("shape", "source_shape")]
    if is_first:
        return create_geometry(maps, shape, source_shape)
    windows = _triples("windows", document["windows"], SourceWindow) if has_windows else None
    order, (fills,) = _integers("order", document["order"]), _integers("fills", [document["fills"]])
    return create_geometry(maps, shape, source_shape, order, windows, fills)


def _axis_from_json(axis: Any) -> Map:
    if type(axis) is dict and set(axis) == set(_RUN_FIELDS):
        return RunMap(axis["extent"], _triples("runs", axis["runs"], Run))
    _check_fields("SlicePlan", "axes", axis, _AXIS_FIELDS)
    extent, start, stride, count, mode = [axis[name] for name in _AXIS_FIELDS]
    if type(mode) is not str or mode not in _MODES:
        raise AttributeValueError("SlicePlan", "mode", f"be one of {', '.join(_MODES)}", mode)
    return AxisMap(extent, start, stride, count, _MODES[mode])


def _triples(attribute: str, values: Any, kind: Callable[[Any, Any, Any], _Triple]) -> list[_Triple]:
    """Return what lists of three are as tuples of a kind, whose numbers are checked where a map or a plan is made."""
    if type(values) is not list or any([type(value) is not list or len(value) != 3 for value in values]):
        raise AttributeValueError("SlicePlan", attribute, "be a list of three integers each", values)
    return [kind(*value) for value in values]


def range_from_json(text: str | bytes) -> RangeGeometry:
    """Return the plan that a document describes; raise an AttributeValueError for anything else."""
    document = _load("RangePlan", _RANGE_FORMAT, (1,), text)
    _check_fields("RangePlan", "text", document, ("format", "version", "start", "step", "count"))
    return create_range(document["start"], document["step"], document["count"])


def _dump(op: str, document: dict[str, Any]) -> str:
    try:
        return json.dumps(document)
    except ValueError as error:
        # Python writes no integers of more than 4300 digits.
        raise AttributeValueError(op, "plan", "have integers of at most 4300 digits", "a longer one") from error


def _load(op: str, format_name: str, versions: Sequence[int], text: str | bytes) -> dict[str, Any]:
    """Return a document of this format and of one of these versions."""
    rule = f"be a JSON document of {format_name}, version {' or '.join(map(str, versions))}"
    if type(text) is not str and type(text) is not bytes:
        raise DTypeError(op, "text", rule, text)
    if len(text) > _LONGEST:
        raise AttributeValueError(op, "text", f"have at most {_LONGEST} characters", len(text))
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AttributeValueError(op, "text", rule, text) from error
    if type(document) is not dict:
        raise AttributeValueError(op, "text", rule, document)
    if document.get("format") != format_name:
        raise AttributeValueError(op, "format", f"be {format_name}", document.get("format"))
    version = document.get("version")
    if type(version) is not int or version not in versions:
        raise AttributeValueError(op, "version", f"be {' or '.join(map(str, versions))}", version)
    found: dict[str, Any] = document
    return found


def _check_fields(op: str, attribute: str, document: Any, fields: Sequence[str]) -> None:
    if type(document) is not dict or set(document) != set(fields):
        raise AttributeValueError(op, attribute, f"have the fields {', '.join(fields)}, and no others", document)


def _integers(attribute: str, values: Any) -> list[int]:
    if type(values) is not list or any([type(value) is not int for value in values]):
        raise AttributeValueError("SlicePlan", attribute, "be integers", values)
    integers: list[int] = values
    return integers
