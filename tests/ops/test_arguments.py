"""All operators refuse wrong integers, axes and words, with errors that handlers for NumPy and PyTorch catch.

A handler of the error of NumPy or PyTorch also catches the error of fo.numpy or fo.torch.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import (
    Call,
    Refusal,
    Subject,
    all_operators,
    check_refusal,
    tables_of,
    theirs_of,
    without_numpy,
)
from tests.helpers.oracle import MASKS
from tests.helpers.seeds import noted

AXES = ("axis", "axes", "axis1", "axis2", "dim", "dims", "dim0", "dim1", "source", "destination", "perm", "input_order")
FILLS = ("fill_value", "constant_value", "constant_values", "pad_value", "value", "fill", "mode")

#: Arguments that also take floats or booleans; those that may repeat an axis; and those that are no axes of data.
TAKEN = {"openvino.reverse.axis", "crop_or_pad.flip", *(f"strided_slice.{mask}" for mask in MASKS)}
REPEATED = {f"{dialect}.roll.{name}" for dialect in ("openvino", "torch") for name in ("axes", "dims")}
REPEATED |= {"numpy.roll.axis", "tensorflow.roll.axis", "numpy.sliding_window_view.axis"}
NO_AXES = {"torch.tile.dims", "openvino.reverse.axis", "fold.axes"}


def arguments_of_integers(subject: Subject) -> Iterator[tuple[Call, str, Any]]:
    """Yield calls of an operator's table, with each argument that is an integer or a list of integers."""
    for call in tables_of(subject.function)[0]:
        for name, value in call.arguments.items():
            numbers = value if isinstance(value, list) else [value]
            if numbers and all(type(each) is int for each in numbers) and name not in FILLS:
                yield call, name, value


def all_arguments_of_integers() -> Iterator[tuple[Subject, Call, str, Any]]:
    return ((each, *found) for each in map(Subject, all_operators()) for found in arguments_of_integers(each))


def changed_call(call: Call, name: str, value: Any, rule: str) -> Refusal:
    return Refusal(call.shape, {**call.arguments, name: value}, fo.FastopsError, f"{name} {rule}")


def refusal_of(subject: Subject, call: Any, name: str, value: Any) -> fo.FastopsError | None:
    """Return the error of a call with another value, or None if there is none."""
    try:
        with without_numpy():
            subject.run(np.zeros(call.shape, "f4"), {**call.arguments, name: value})
    except fo.FastopsError as error:
        return error
    return None


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    return [change(each) for each in value] if isinstance(value, list) else change(value)


def test_floats_booleans_and_strings_are_no_integers() -> None:
    wrong, seen = [], set()
    for subject, call, name, value in all_arguments_of_integers():
        if f"{subject.op}.{name}" not in TAKEN:
            seen.add((subject.op, name))
            for kind in (float, bool, str):
                error = refusal_of(subject, call, name, changed(value, kind))
                if not isinstance(error, fo.DTypeError) or (error.op, error.attribute) != (subject.op, name):
                    wrong.append((subject.op, name, changed(value, kind), error))
    assert not wrong
    assert len(seen) > 80


def common_refusals(subject: Subject) -> Iterator[tuple[str, Refusal]]:
    """Yield names of arguments, and calls with a number that is too small or with a wrong word."""
    for call, name, value in arguments_of_integers(subject):
        # TensorFlow's fourth number is for channels, and must be 1: change the third.
        k = -2 if subject.name == "extract_patches" else -1
        below = [[*value[:k], n, *value[k:][1:]] if isinstance(value, list) else n for n in (-99, -1, 0, 1)]
        rule = getattr(refusal_of(subject, call, name, below[0]), "rule", "")
        if least := re.fullmatch(r"be at least (\d)", rule):
            yield name, changed_call(call, name, below[1 + int(least[1])], f"must {rule}")
    words = [(call, name, word) for call in tables_of(subject.function)[0] for name, word in call.arguments.items()]
    for call, name, word in words:
        if isinstance(word, str):
            has_case = subject.dialect in ("numpy", "onnx") or name in ("data_format", "padding")
            # Numbers are modes of these operators too.
            numbers = [] if subject.name in ("crop_or_pad", "frame", "patches", "slice") else [1]
            for wrong in ("other", *([word.swapcase()] if has_case else []), *numbers):
                yield name, changed_call(call, name, wrong, "must be one of")


def test_numbers_below_the_least_and_wrong_words() -> None:
    seen = set()
    for subject in map(Subject, all_operators()):
        for name, refusal in common_refusals(subject):
            seen.add(f"{subject.op}.{name}")
            with noted(subject.op, refusal):
                check_refusal(subject, refusal)
    assert len(seen) > 65


def test_axes_out_of_range_or_named_twice() -> None:
    wrong, seen = [], set()
    for subject, call, name, value in all_arguments_of_integers():
        rank, argument = len(call.shape), f"{subject.op}.{name}"
        if name not in AXES or argument in NO_AXES:
            continue
        seen.add(argument)
        # ONNX and OpenVINO take no negative axes in transpositions.
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
    # Without PyTorch, whose functions are left out, there are 29.
    assert len(seen) > 25


VERSION = np.lib.NumpyVersion(np.__version__)

#: Operators and errors of frameworks where the error of fastops has another class, with the reason.
EXEMPT = {
    ("numpy.pad", "MemoryError"): "NumPy reads a whole list before it checks the length",
    ("torch.pad", "NotImplementedError"): "PyTorch has no pad of that mode for so few axes",
    ("torch.unfold", "IndexError"): "PyTorch reads the last of three axes before it counts the axes",
}

# PyTorch has no function like fo.torch.slice.
SUBJECTS = [each for each in map(Subject, all_operators()) if each.dialect in ("numpy", "torch")]
SUBJECTS = [each for each in SUBJECTS if each.op != "torch.slice"]


def is_new_to_numpy(op: str, arguments: dict[str, Any]) -> bool:
    """True for arguments that NumPy does not have, or that this version does not take yet."""
    return "step" in arguments or (op == "numpy.pad" and VERSION < "2.4.0" and isinstance(arguments["pad_width"], dict))


def is_exempt(subject: Subject, refusal: Refusal, error: Exception) -> bool:
    # For a mode that PyTorch does not have, the errors agree.
    is_unknown = subject.op == "torch.pad" and refusal.arguments.get("mode") in ("edge", "other")
    return (subject.op, type(error).__name__) in EXEMPT and not is_unknown


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.op)
def test_handlers_of_the_errors_of_numpy_and_pytorch_catch_ours(subject: Subject) -> None:
    for refusal in [*tables_of(subject.function)[1], *[each for _, each in common_refusals(subject)]]:
        data = subject.own(np.zeros(refusal.shape, "f4"))
        if is_new_to_numpy(subject.op, refusal.arguments):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                theirs_of(subject.function)(data, **refusal.arguments)
            except Exception as error:
                theirs = error
            else:
                continue
        with pytest.raises(fo.FastopsError) as ours:
            subject.function(data, **refusal.arguments)
        assert isinstance(ours.value, type(theirs)) != is_exempt(subject, refusal, theirs), (refusal, theirs)
