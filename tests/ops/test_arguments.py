"""What arguments of the same kind refuse in all operators: floats in place of integers, and axes that are not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import fastops as fo
from tests.helpers.contract import Subject, all_operators, tables_of

AXES = ("axis", "axes", "axis1", "axis2", "dim", "dims", "dim0", "dim1", "source", "destination", "perm", "input_order")
FILLS = ("fill_value", "constant_value", "constant_values", "pad_value", "value", "fill", "mode")

#: Arguments that take floats or booleans too, that name an axis several times, and that are no axes.
TAKEN = {"numpy.roll.shift", "openvino.reverse.axis"}
REPEATED = {f"{dialect}.roll.{name}" for dialect in ("openvino", "torch") for name in ("axes", "dims")}
REPEATED |= {"numpy.roll.axis", "tensorflow.roll.axis", "numpy.sliding_window_view.axis"}
NO_AXES = {"torch.tile.dims", "openvino.reverse.axis"}


def arguments_of_integers() -> Iterator[tuple[Subject, Any, str, Any]]:
    """Give operators, with calls of their tables and each argument that is an integer, or a list of some."""
    for subject in map(Subject, all_operators()):
        for call in tables_of(subject.function)[0]:
            for name, value in call.arguments.items():
                numbers = value if isinstance(value, list) else [value]
                if numbers and all(type(each) is int for each in numbers) and name not in FILLS:
                    yield subject, call, name, value


def refusal_of(subject: Subject, call: Any, name: str, value: Any) -> fo.FastopsError | None:
    """Return the error of a call with another value; None for one that is taken."""
    try:
        subject.run(np.zeros(call.shape, "f4"), {**call.arguments, name: value})
    except fo.FastopsError as error:
        return error
    return None


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    return [change(each) for each in value] if isinstance(value, list) else change(value)


def test_floats_booleans_and_strings_are_no_integers() -> None:
    wrong, seen = [], set()
    for subject, call, name, value in arguments_of_integers():
        if f"{subject.op}.{name}" not in TAKEN:
            seen.add((subject.op, name))
            for kind in (float, bool, str):
                error = refusal_of(subject, call, name, changed(value, kind))
                if not isinstance(error, fo.DTypeError) or (error.op, error.attribute) != (subject.op, name):
                    wrong.append((subject.op, name, changed(value, kind), error))
    assert not wrong
    assert len(seen) > 80


def test_axes_that_are_not_there_or_named_twice() -> None:
    wrong, seen = [], set()
    for subject, call, name, value in arguments_of_integers():
        rank, argument = len(call.shape), f"{subject.op}.{name}"
        if name not in AXES or argument in NO_AXES:
            continue
        seen.add(argument)
        # ONNX and OpenVINO count the axes of a transposition from the front alone.
        is_from_front = argument in ("onnx.transpose.perm", "openvino.transpose.input_order")
        for far in (rank + 1, -rank - 2):
            error = refusal_of(subject, call, name, changed(value, lambda _, far=far: far))
            expected = fo.AttributeValueError if is_from_front and far < 0 else fo.AxisError
            if not isinstance(error, expected) or error.attribute not in (name, subject.data_name):
                wrong.append((argument, far, error))
        if isinstance(value, list) and len(value) > 1 and argument not in REPEATED:
            twice = [0, 0 if is_from_front else -rank, *value[2:]]
            error = refusal_of(subject, call, name, twice)
            if not isinstance(error, fo.AttributeValueError) or "must name each axis once" not in str(error):
                wrong.append((argument, twice, error))
    assert not wrong
    assert len(seen) > 35
