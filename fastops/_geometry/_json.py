"""Plans as JSON, which `docs/design/plans.md` describes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from fastops._errors import AttributeValueError, DTypeError
from fastops._geometry._axis_map import AxisMap, Map, Run, RunMap
from fastops._geometry._geometry import Geometry, SourceWindow, create_geometry
from fastops._geometry._range_and_windows import RangeGeometry, create_range
from fastops._geometry._sample_mode import SampleMode

_T = TypeVar("_T", Run, SourceWindow)

# A shape whose open dimensions are names, or None.
_OpenShape: TypeAlias = Sequence[int | str | None]

# The fields of plans. Slice plans may also have windows.
_SLICE_FIELDS = ("source_shape", "shape", "axes", "order", "fills")
_RANGE_FIELDS = ("start", "step", "count")
_MODES = {mode.name.lower(): mode for mode in SampleMode}

# The most characters of a document. Plans have at most 4096 axes, of a few numbers each.
_LONGEST = 1 << 20


def geometry_to_json(geometry: Geometry) -> str:
    """Return a plan as JSON, on one line."""
    fields = {name: getattr(geometry, name) for name in _SLICE_FIELDS}
    fields["axes"] = list(map(_axis_to_json, geometry.axes))
    if geometry.windows is not None:
        fields["windows"] = geometry.windows
    return _dump("SlicePlan", 2, fields)


def open_to_json(
    source_shape: _OpenShape, shape: _OpenShape, axes: Sequence[Map | str | None], order: Sequence[int]
) -> str:
    """Return a plan with open dimensions as JSON, on one line."""
    own = [axis if axis is None or isinstance(axis, str) else _axis_to_json(axis) for axis in axes]
    return _dump("OpenPlan", 1, {"source_shape": source_shape, "shape": shape, "axes": own, "order": order})


def range_to_json(geometry: RangeGeometry) -> str:
    """Return a plan as JSON, on one line; integers stay integers, and floats lose no digit."""
    return _dump("RangePlan", 1, geometry._asdict())


def geometry_from_json(text: str | bytes) -> Geometry:
    """Return the plan that a document describes; raise a FastopsError for other documents."""
    fields = _load("SlicePlan", text, 2, _SLICE_FIELDS, "windows")
    if type(fields["axes"]) is not list:
        raise AttributeValueError("SlicePlan", "axes", "be a list", fields["axes"])
    fields["axes"] = list(map(_axis_from_json, fields["axes"]))
    if "windows" in fields:
        fields["windows"] = _triples("windows", fields["windows"], SourceWindow)
    return create_geometry(**fields)


def range_from_json(text: str | bytes) -> RangeGeometry:
    """Return the plan that a document describes; raise an AttributeValueError or a DTypeError for other documents."""
    return create_range(**_load("RangePlan", text, 1, _RANGE_FIELDS))


def _axis_to_json(axis: Map) -> dict[str, Any]:
    if type(axis) is RunMap:
        return {"extent": axis.extent, "runs": axis.runs}
    assert type(axis) is AxisMap
    return {**axis._asdict(), "mode": axis.mode.name.lower()}


def _axis_from_json(axis: Any) -> Map:
    if type(axis) is dict and set(axis) == {"extent", "runs"}:
        return RunMap(axis["extent"], _triples("runs", axis["runs"], Run))
    _check_fields("SlicePlan", "axes", axis, AxisMap._fields)
    if axis["mode"] not in [*_MODES]:
        raise AttributeValueError("SlicePlan", "mode", f"be one of {', '.join(_MODES)}", axis["mode"])
    return AxisMap(**{**axis, "mode": _MODES[axis["mode"]]})


def _triples(attribute: str, values: Any, kind: Callable[[Any, Any, Any], _T]) -> list[_T]:
    """Return lists of three numbers as runs or windows, whose numbers are checked later."""
    if type(values) is not list or any([type(value) is not list or len(value) != 3 for value in values]):
        raise AttributeValueError("SlicePlan", attribute, "be a list of lists of three integers", values)
    return [kind(*value) for value in values]


def _dump(op: str, version: int, fields: Mapping[str, Any]) -> str:
    try:
        return json.dumps({"format": f"fastops.{op}", "version": version, **fields})
    except ValueError as error:
        # Python converts no integers of more than 4300 digits to text.
        raise AttributeValueError(op, "plan", "have integers of at most 4300 digits", "a longer one") from error


def _load(op: str, text: str | bytes, version: int, fields: Sequence[str], optional: str = "") -> dict[str, Any]:
    """Return the fields of a document, which has all of ``fields`` and may have the one that is optional."""
    rule = f"be a JSON document of fastops.{op}, version {version}"
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
    head: dict[str, Any] = {"format": f"fastops.{op}", "version": version}
    for name, expected in head.items():
        if type(document.get(name)) is not type(expected) or document[name] != expected:
            raise AttributeValueError(op, name, f"be {expected}", document.get(name))
    found = [*fields, *([optional] if optional in document else [])]
    _check_fields(op, "text", document, (*head, *found))
    return {name: document[name] for name in found}


def _check_fields(op: str, attribute: str, document: Any, fields: Sequence[str]) -> None:
    if type(document) is not dict or set(document) != set(fields) or None in document.values():
        rule = f"have the fields {', '.join(fields)}, no others, and none of them null"
        raise AttributeValueError(op, attribute, rule, document)
