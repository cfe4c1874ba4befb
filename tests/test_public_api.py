"""The public functions, by name and signature: each framework's own names, argument order and defaults, and ours."""

from __future__ import annotations

import doctest
import inspect
import pickle
import re
from collections.abc import Callable
from importlib import import_module
from inspect import isfunction
from itertools import chain
from typing import Any, Literal, get_args, get_origin

import pytest

import fastops as fo
from fastops._lowering._decorator import lowering_of
from fastops._plans._sample_mode import MODE_WORDS

_MASKS = "begin_mask=(), end_mask=(), new_axis_mask=(), shrink_axis_mask=(), ellipsis_mask=()"

# Written out: a function that goes, or an argument that moves, breaks programs.
SIGNATURES = {
    "frame": (
        "(x, frame_length, hop_length, *, axis=-1, center=False, mode='reflect', fill_value=None, out=None, copy=True)"
    ),
    "range": "(start, stop, step, output_type, *, out=None)",
    "slice": (
        "(data, start, size, stride=None, *, axes=None, mode='strict_bounds', fill_value=None, out=None, copy=True)"
    ),
    "strided_slice": f"(data, begin, end, strides=None, *, {_MASKS}, out=None, copy=True)",
    "variadic_split": "(data, axis, split_lengths, *, out=None, copy=True)",
    "openvino.broadcast": "(data, target_shape, axes_mapping=None, mode='numpy', *, out=None, copy=True)",
    "openvino.extract_image_patches": "(data, sizes, strides, rates, auto_pad, *, out=None, copy=True)",
    "openvino.plans": "(xml, weights=None, shapes=None)",
    "openvino.from_ir": "(xml, layer=None, weights=None)",
    "openvino.pad": "(arg, pads_begin, pads_end, pad_mode, pad_value=None, *, out=None, copy=True)",
    "openvino.range": "(start, stop, step, output_type, *, out=None)",
    "openvino.reverse": "(data, axis, mode, *, out=None, copy=True)",
    "openvino.roll": "(data, shift, axes, *, out=None, copy=True)",
    "openvino.slice": "(data, start, stop, step, axes=None, *, out=None, copy=True)",
    "openvino.split": "(data, axis, num_splits, *, out=None, copy=True)",
    "openvino.strided_slice": f"(data, begin, end, strides=None, *, {_MASKS}, out=None, copy=True)",
    "openvino.tile": "(data, repeats, *, out=None, copy=True)",
    "openvino.variadic_split": "(data, axis, split_lengths, *, out=None, copy=True)",
    "tensorrt.slice": "(input, start, shape, stride, *, axes=None, mode=<SampleMode.STRICT_BOUNDS: 0>, fill=None, "
    "out=None, copy=True)",
    "onnx.center_crop_pad": "(input_data, shape, *, axes=None, out=None, copy=True)",
    "onnx.expand": "(input, shape, *, out=None, copy=True)",
    "onnx.from_node": "(node)",
    "onnx.plans": "(model, shapes=None)",
    "onnx.pad": "(data, pads, constant_value=None, axes=None, *, mode='constant', out=None, copy=True)",
    "onnx.range": "(start, limit, delta, *, out=None)",
    "onnx.reference_ops": "()",
    "onnx.slice": "(data, starts, ends, axes=None, steps=None, *, out=None, copy=True)",
    "onnx.split": "(input, split=None, *, axis=0, num_outputs=None, out=None, copy=True)",
    "onnx.tile": "(input, repeats, *, out=None, copy=True)",
    "tensorflow.extract_patches": "(images, sizes, strides, rates, padding, *, out=None, copy=True)",
    "tensorflow.pad": "(tensor, paddings, mode='CONSTANT', constant_values=0, *, out=None, copy=True)",
    "tensorflow.range": "(start, limit=None, delta=1, dtype=None, *, out=None)",
    "tensorflow.reverse": "(tensor, axis, *, out=None, copy=True)",
    "tensorflow.roll": "(input, shift, axis, *, out=None, copy=True)",
    "tensorflow.slice": "(input_, begin, size, *, out=None, copy=True)",
    "tensorflow.split": "(value, num_or_size_splits, axis=0, num=None, *, out=None, copy=True)",
    "tensorflow.strided_slice": (
        "(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, "
        "shrink_axis_mask=0, *, out=None, copy=True)"
    ),
    "tensorflow.tile": "(input, multiples, *, out=None, copy=True)",
    "numpy.array_split": "(ary, indices_or_sections, axis=0, *, out=None, copy=True)",
    "numpy.broadcast_to": "(array, shape, *, out=None, copy=True)",
    "numpy.flip": "(m, axis=None, *, out=None, copy=True)",
    "numpy.pad": (
        "(array, pad_width, mode='constant', *, constant_values=<no value>, reflect_type=<no value>, "
        "stat_length=<no value>, end_values=<no value>, out=None, copy=True)"
    ),
    "numpy.roll": "(a, shift, axis=None, *, out=None, copy=True)",
    "numpy.sliding_window_view": "(x, window_shape, axis=None, *, step=1, out=None, copy=True)",
    "numpy.split": "(ary, indices_or_sections, axis=0, *, out=None, copy=True)",
    "numpy.take_slice": "(x, index, *, out=None, copy=True)",
    "numpy.tile": "(A, reps, *, out=None, copy=True)",
    "torch.flip": "(input, dims, *, out=None)",
    "torch.narrow": "(input, dim, start, length, *, out=None)",
    "torch.pad": "(input, pad, mode='constant', value=None, *, out=None)",
    "torch.roll": "(input, shifts, dims=None, *, out=None)",
    "torch.split": "(tensor, split_size_or_sections, dim=0, *, out=None)",
    "numpy.ascontiguousarray": "(a, *, out=None, copy=True)",
    "numpy.copy": "(a, order='C', *, out=None, copy=True)",
    "numpy.fliplr": "(m, *, out=None, copy=True)",
    "numpy.flipud": "(m, *, out=None, copy=True)",
    "numpy.moveaxis": "(a, source, destination, *, out=None, copy=True)",
    "numpy.permute_dims": "(a, axes=None, *, out=None, copy=True)",
    "numpy.repeat": "(a, repeats, axis=None, *, out=None, copy=True)",
    "numpy.rot90": "(m, k=1, axes=(0, 1), *, out=None, copy=True)",
    "numpy.swapaxes": "(a, axis1, axis2, *, out=None, copy=True)",
    "numpy.transpose": "(a, axes=None, *, out=None, copy=True)",
    "onnx.depth_to_space": "(input, blocksize, mode='DCR', *, out=None, copy=True)",
    "onnx.space_to_depth": "(input, blocksize, mode='DCR', *, out=None, copy=True)",
    "onnx.transpose": "(data, perm=None, *, out=None, copy=True)",
    "openvino.batch_to_space": "(data, block_shape, crops_begin, crops_end, *, out=None, copy=True)",
    "openvino.depth_to_space": "(data, mode, block_size=1, *, out=None, copy=True)",
    "openvino.shuffle_channels": "(data, axis=1, group=1, *, out=None, copy=True)",
    "openvino.space_to_batch": "(data, block_shape, pads_begin, pads_end, *, out=None, copy=True)",
    "openvino.space_to_depth": "(data, mode, block_size=1, *, out=None, copy=True)",
    "openvino.transpose": "(data, input_order, *, out=None, copy=True)",
    "tensorflow.batch_to_space_nd": "(input, block_shape, crops, *, out=None, copy=True)",
    "tensorflow.depth_to_space": "(input, block_size, data_format='NHWC', *, out=None, copy=True)",
    "tensorflow.space_to_batch_nd": "(input, block_shape, paddings, *, out=None, copy=True)",
    "tensorflow.space_to_depth": "(input, block_size, data_format='NHWC', *, out=None, copy=True)",
    "tensorflow.transpose": "(a, perm=None, *, out=None, copy=True)",
    "torch.channel_shuffle": "(input, groups, *, out=None)",
    "torch.permute": "(input, dims, *, out=None)",
    "torch.pixel_shuffle": "(input, upscale_factor, *, out=None)",
    "torch.pixel_unshuffle": "(input, downscale_factor, *, out=None)",
    "torch.repeat_interleave": "(input, repeats, dim=None, *, out=None)",
    "torch.rot90": "(input, k=1, dims=(0, 1), *, out=None)",
    "torch.slice": "(input, start, size, stride=None, *, axes=None, mode='strict_bounds', fill_value=None, out=None)",
    "torch.take_slice": "(input, index, *, out=None)",
    "torch.tile": "(input, dims, *, out=None)",
    "torch.transpose": "(input, dim0, dim1, *, out=None)",
    "torch.unfold": "(input, kernel_size, dilation=1, padding=0, stride=1, *, out=None)",
}

DIALECTS = ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")


def signature_of(function: Any) -> str:
    """The arguments and their defaults, without types."""
    signature = inspect.signature(function)
    plain = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def test_the_signatures() -> None:
    found = {name: signature_of(getattr(fo, name)) for name in SIGNATURES if "." not in name}
    for dialect in DIALECTS:
        module = getattr(fo, dialect)
        found |= {f"{dialect}.{name}": signature_of(getattr(module, name)) for name in dir(module) if name[0].isalpha()}
    assert found == SIGNATURES


@pytest.mark.parametrize(
    "name", ["", "plan", "dask", "numba", "typing", *DIALECTS, *[f"plan.{each}" for each in DIALECTS]]
)
def test_completion_shows_public_names_only(name: str) -> None:
    module = import_module(f"fastops.{name}".removesuffix("."))
    assert dir(module)
    assert all(each[0].isalpha() or each == "__version__" for each in dir(module))
    assert not {"annotations", "TYPE_CHECKING", "Any"} & set(dir(module))
    assert all(hasattr(module, each) for each in dir(module))


PLANS = [(fo.plan, name) for name in dir(fo.plan) if isfunction(getattr(fo.plan, name))]
PLANS += [(module, name) for module in [getattr(fo.plan, each) for each in DIALECTS] for name in dir(module)]


@pytest.mark.parametrize(("module", "name"), PLANS, ids=[f"{module.__name__}.{name}" for module, name in PLANS])
def test_a_plan_is_called_what_users_call_it(module: Any, name: str) -> None:
    plan = getattr(module, name)
    # The operators of the top level are OpenVINO's too.
    home = fo.plan if plan is getattr(fo.plan, name, None) else module
    assert (plan.__module__, plan.__name__, plan.__qualname__) == (home.__name__, name, name)
    assert pickle.loads(pickle.dumps(plan)) is plan
    # Modules that load their names when they are used show doctest none.
    examples = doctest.DocTestFinder(recurse=False).find(plan, name, globs={})
    assert sum([len(each.examples) for each in examples]) > 1
    assert f"fo.{home.__name__.removeprefix('fastops.')}.{name}(" in (plan.__doc__ or "")
    for each in examples:
        assert doctest.DocTestRunner().run(each).failed == 0


def words_of(annotation: Any) -> set[str]:
    """The strings of all literals in an annotation."""
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    return set().union(*map(words_of, get_args(annotation)))


def read_words() -> dict[tuple[str, str], tuple[set[str], Callable[[str, Any], Any]]]:
    """For each attribute that is a word: what checkers know of it, and its reader."""
    found = {}
    for module, name in PLANS:
        plan = getattr(module, name)
        if not hasattr(plan, "lowering"):
            continue
        for attribute, reader in lowering_of(plan).readers.items():
            annotation = inspect.signature(plan).parameters[attribute].annotation
            words = words_of(eval(annotation, plan.__wrapped__.__globals__))
            if words:
                found[f"{module.__name__}.{name}", attribute] = (words, reader)
    return found


WORDS = read_words()


def takes(reader: Callable[[str, Any], Any], word: str) -> bool:
    try:
        reader("mode", word)
    except fo.AttributeValueError:
        return False
    return True


def test_checkers_know_the_words_that_readers_take() -> None:
    assert len(WORDS) > 20
    known = {*MODE_WORDS, *chain.from_iterable(words for words, _ in WORDS.values())}
    for _, reader in WORDS.values():
        with pytest.raises(fo.AttributeValueError) as info:
            reader("mode", "no such word")
        known |= set(re.findall(r"\w+", info.value.rule))
    known = {word.lower() for word in known} | {word.upper() for word in known}
    for place, (words, reader) in WORDS.items():
        assert words == {word for word in known if takes(reader, word)}, place


def test_operators_and_plans_take_the_same_words() -> None:
    for plan, attribute in WORDS:
        *path, name = plan.removeprefix("fastops.plan.").split(".")
        function = getattr(import_module(".".join(["fastops", *path])), name)
        lower = getattr(import_module(plan.rpartition(".")[0]), name)
        own, its = (inspect.signature(each).parameters[attribute].annotation for each in (function, lower))
        assert own == its


def test_every_operator_has_a_plan() -> None:
    of_models = {"from_ir", "from_node", "plans", "reference_ops"}
    operators = {name for name in SIGNATURES if name.rpartition(".")[2] not in of_models}
    plans = {name for name in operators if "." not in name and callable(getattr(fo.plan, name))}
    for dialect in DIALECTS:
        plans |= {f"{dialect}.{name}" for name in dir(getattr(fo.plan, dialect))}
    assert plans == operators
