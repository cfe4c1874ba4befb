"""All operators refuse wrong integers, axes and words, with errors that handlers for NumPy and PyTorch catch.

A handler of the error of NumPy or PyTorch also catches the error of fo.numpy or fo.torch.
"""

from __future__ import annotations

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
    has_torch,
    tables_of,
    theirs_of,
    without_numpy,
)
from tests.helpers.oracle import MASKS
from tests.helpers.seeds import noted

AXES = ("axis", "axes", "axis1", "axis2", "dim", "dims", "dim0", "dim1", "source", "destination", "perm", "input_order")
FILLS = ("fill_value", "constant_value", "constant_values", "pad_value", "value", "fill", "mode")

#: Three sets of arguments: some also take floats or booleans, some may repeat an axis, and some are no axes of data.
TAKEN = {"openvino.reverse.axis", "crop_or_pad.flip", *(f"strided_slice.{mask}" for mask in MASKS)}
REPEATED = {f"{dialect}.roll.{name}" for dialect in ("openvino", "torch") for name in ("axes", "dims")}
REPEATED |= {"numpy.roll.axis", "tensorflow.roll.axis", "numpy.sliding_window_view.axis"}
NO_AXES = {"torch.tile.dims", "openvino.reverse.axis", "fold.axes"}

#: The least number that arguments may be, or hold.
LEAST = {
    0: """
        crop_or_pad.size numpy.pad.pad_width numpy.repeat.repeats numpy.sliding_window_view.window_shape numpy.tile.reps
        onnx.center_crop_pad.shape onnx.split.split onnx.tile.repeats openvino.batch_to_space.crops_begin
        openvino.batch_to_space.crops_end openvino.space_to_batch.pads_begin openvino.space_to_batch.pads_end slice.size
        tensorflow.tile.multiples tensorrt.slice.shape torch.repeat_interleave.repeats torch.slice.size torch.tile.dims
        torch.unfold.padding
    """,
    1: """
        fold.stride frame.frame_length frame.hop_length numpy.sliding_window_view.step onnx.depth_to_space.blocksize
        onnx.space_to_depth.blocksize onnx.split.num_outputs openvino.batch_to_space.block_shape
        openvino.depth_to_space.block_size openvino.extract_image_patches.rates openvino.extract_image_patches.sizes
        openvino.extract_image_patches.strides openvino.shuffle_channels.group openvino.space_to_batch.block_shape
        openvino.space_to_depth.block_size openvino.split.num_splits patches.size patches.stride
        tensorflow.batch_to_space_nd.block_shape tensorflow.extract_patches.rates tensorflow.extract_patches.sizes
        tensorflow.extract_patches.strides tensorflow.space_to_batch_nd.block_shape torch.channel_shuffle.groups
        torch.pixel_shuffle.upscale_factor torch.pixel_unshuffle.downscale_factor torch.unfold.dilation
        torch.unfold.kernel_size torch.unfold.stride
    """,
    2: "tensorflow.depth_to_space.block_size tensorflow.space_to_depth.block_size",
}
LEAST_OF = {argument: least for least, arguments in LEAST.items() for argument in arguments.split()}


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
    """Yield names of arguments, and calls with a number below the least or with a wrong word."""
    for call, name, value in arguments_of_integers(subject):
        least = LEAST_OF.get(f"{subject.op}.{name}")
        if least is not None:
            # The last of four numbers for images is 1, for channels.
            k = -2 if subject.name == "extract_patches" else -1
            wrong = [*value[:k], least - 1, *value[k:][1:]] if isinstance(value, list) else least - 1
            yield name, changed_call(call, name, wrong, f"must be at least {least}")
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
    assert {argument for argument in LEAST_OF if has_torch() or not argument.startswith("torch")} <= seen


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
