"""Plans as JSON: version 1 of a format that is read strictly. `docs/design/plan.md` describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._plans._axis_map import AxisMap
from fastops._plans._range_plan import RangePlan
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan

_VERSION = 1
_SLICE_FORMAT, _RANGE_FORMAT = "fastops.SlicePlan", "fastops.RangePlan"
_AXIS_FIELDS = ("extent", "start", "stride", "count", "mode")
_MODES = {mode.name.lower(): mode for mode in SampleMode}

# Longer documents are refused before they are read: plans have 4096 axes at most, of a few numbers each.
_LONGEST = 1 << 20


def slice_plan_to_json(plan: SlicePlan) -> str:
    """Return a plan as JSON, on one line."""
    axes = [
        {**{name: getattr(axis, name) for name in _AXIS_FIELDS}, "mode": axis.mode.name.lower()} for axis in plan.axes
    ]
    return _dump(
        "SlicePlan",
        {
            "format": _SLICE_FORMAT,
            "version": _VERSION,
            "source_shape": plan.source_shape,
            "shape": plan.shape,
            "axes": axes,
        },
    )


def range_plan_to_json(plan: RangePlan) -> str:
    """Return a plan as JSON, on one line; integers stay integers, and floats are exact."""
    numbers = {"start": plan.start, "step": plan.step, "count": plan.count}
    return _dump("RangePlan", {"format": _RANGE_FORMAT, "version": _VERSION, **numbers})


def slice_plan_from_json(text: str | bytes) -> SlicePlan:
    """Return the plan that a document describes; raise an AttributeValueError for anything else."""
    document = _load("SlicePlan", _SLICE_FORMAT, ("source_shape", "shape", "axes"), text)
    axes = document["axes"]
    if type(axes) is not list:
        _refuse("SlicePlan", "axes", "be a list", axes)
    maps = []
    for axis in axes:
        _check_fields("SlicePlan", "axes", axis, _AXIS_FIELDS)
        mode = axis["mode"]
        if type(mode) is not str or mode not in _MODES:
            _refuse("SlicePlan", "mode", f"be one of {', '.join(_MODES)}", mode)
        extent, start, stride, count = [_integer("SlicePlan", name, axis[name]) for name in _AXIS_FIELDS[:-1]]
        maps.append(AxisMap(extent, start, stride, count, _MODES[mode]))
    shapes = [_integers("SlicePlan", name, document[name]) for name in ("shape", "source_shape")]
    return SlicePlan(tuple(maps), *shapes)


def range_plan_from_json(text: str | bytes) -> RangePlan:
    """Return the plan that a document describes; raise an AttributeValueError for anything else."""
    document = _load("RangePlan", _RANGE_FORMAT, ("start", "step", "count"), text)
    return RangePlan(document["start"], document["step"], document["count"])


def _dump(op: str, document: dict[str, Any]) -> str:
    try:
        return json.dumps(document)
    except ValueError as error:
        # Python writes no integers of more than 4300 digits.
        raise AttributeValueError(op, "plan", "have integers of at most 4300 digits", "a longer one") from error


def _load(op: str, format_name: str, fields: Sequence[str], text: str | bytes) -> dict[str, Any]:
    """Return the fields of a document of this format and version."""
    rule = f"be a JSON document of {format_name}, version {_VERSION}"
    if type(text) is not str and type(text) is not bytes:
        raise DTypeError(op, "text", rule, text)
    if len(text) > _LONGEST:
        _refuse(op, "text", f"have at most {_LONGEST} characters", len(text))
    try:
        document: dict[str, Any] = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise AttributeValueError(op, "text", rule, text) from error
    _check_fields(op, "text", document, ("format", "version", *fields))
    if document["format"] != format_name:
        _refuse(op, "format", f"be {format_name}", document["format"])
    if type(document["version"]) is not int or document["version"] != _VERSION:
        _refuse(op, "version", f"be {_VERSION}", document["version"])
    return document


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name is given twice")
    return fields


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _check_fields(op: str, attribute: str, document: Any, fields: Sequence[str]) -> None:
    if type(document) is not dict or set(document) != set(fields):
        _refuse(op, attribute, f"have the fields {', '.join(fields)}, and no others", document)


def _integers(op: str, attribute: str, values: Any) -> tuple[int, ...]:
    if type(values) is not list:
        _refuse(op, attribute, "be a list of integers", values)
    return tuple([_integer(op, attribute, value) for value in values])


def _integer(op: str, attribute: str, value: Any) -> int:
    if type(value) is not int:
        _refuse(op, attribute, "be an integer", value)
    number: int = value
    return number


def _refuse(op: str, attribute: str, rule: str, got: object) -> NoReturn:
    error: FastopsError = AttributeValueError(op, attribute, rule, got)
    raise error
