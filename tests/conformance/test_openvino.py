"""fastops beside OpenVINO's reference kernels, through Node.evaluate with shape inference.

Only cases that OpenVINO takes and that are safe in it. It reads or writes out of bounds, after which valid calls can
return garbage, on rank 0, on an empty axis with a negative stride, and where ellipsis_mask and shrink_axis_mask are set
at one position: there its shape inference sees an ellipsis, and its evaluation a shrunk axis.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance._draws import Array, Freedom, data_of, draw_shape, draw_spec, draw_split
from tests.conformance._layout_draws import draw_crops, draw_order, draw_pads, draw_space
from tests.conformance._patch_draws import draw_patches

openvino = pytest.importorskip("openvino")
opset = pytest.importorskip("openvino.opset13")

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATS = ("float16", "float32", "float64")


def evaluate(node: Any, *inputs: Array) -> list[Array]:
    outputs = [node.output(i) for i in range(node.get_output_size())]
    results = openvino.TensorVector([openvino.Tensor(each.get_element_type(), each.get_shape()) for each in outputs])
    assert node.evaluate(results, openvino.TensorVector([openvino.Tensor(each) for each in inputs]))
    return [result.data.copy() for result in results]


def parameter_like(data: Array) -> Any:
    return opset.parameter(data.shape, openvino.Type(data.dtype))


@pytest.mark.parametrize("seed", range(500))
def test_strided_slice(seed):
    case = draw_spec(Random(seed), Freedom(least=1, shrunk_ellipsis=False))
    data = data_of(case.shape, case.dtype)
    bounds = [np.array(each, np.int64) for each in (case.begin, case.end, case.strides)]
    masks = [list(mask) for name, mask in case.attributes.items() if name.endswith("_mask")]
    node = opset.strided_slice(parameter_like(data), *map(opset.constant, bounds), *masks)
    (expected,) = evaluate(node, data, *bounds)
    np.testing.assert_array_equal(fo.strided_slice(data, **case.attributes), expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(200))
def test_variadic_split(seed):
    case = draw_split(Random(seed))
    data = data_of(case.shape, case.dtype)
    axis, lengths = np.array(case.axis, np.int64), np.array(case.lengths, np.int64)
    node = opset.variadic_split(parameter_like(data), opset.constant(axis), opset.constant(lengths))
    results = fo.variadic_split(data, case.axis, case.lengths)
    for result, expected in zip(results, evaluate(node, data, axis, lengths), strict=True):
        np.testing.assert_array_equal(result, expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(150))
def test_transpose(seed):
    case = draw_order(Random(seed))
    data, order = data_of(case.shape, case.dtype), np.array(case.axes, np.int64)
    (expected,) = evaluate(opset.transpose(parameter_like(data), opset.constant(order)), data, order)
    np.testing.assert_array_equal(fo.openvino.transpose(data, order), expected, str(case), strict=True)


@pytest.mark.parametrize("mode", ["blocks_first", "depth_first"])
@pytest.mark.parametrize("name", ["depth_to_space", "space_to_depth"])
@pytest.mark.parametrize("seed", range(100))
def test_depth_and_space(seed, name, mode):
    case = draw_space(Random(f"{seed} {name} {mode}"), axes=(1, 2, 2, 3))
    data = data_of(case.deep if name == "depth_to_space" else case.wide, case.dtype)
    (expected,) = evaluate(getattr(opset, name)(parameter_like(data), mode, case.size), data)
    result = getattr(fo.openvino, name)(data, mode, case.size)
    np.testing.assert_array_equal(result, expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(150))
def test_shuffle_channels(seed):
    rng = Random(seed)
    shape = list(draw_shape(rng))
    axis, group = rng.randint(-len(shape), len(shape) - 1), rng.randint(1, 4)
    shape[axis] *= group
    data = data_of(tuple(shape), rng.choice(INTEGERS))
    (expected,) = evaluate(opset.shuffle_channels(parameter_like(data), axis, group), data)
    result = fo.openvino.shuffle_channels(data, axis, group)
    np.testing.assert_array_equal(result, expected, f"shape {shape}, axis {axis}, group {group}", strict=True)


@pytest.mark.parametrize(("name", "draw"), [("space_to_batch", draw_pads), ("batch_to_space", draw_crops)])
@pytest.mark.parametrize("seed", range(150))
def test_batches(seed, name, draw):
    # SpaceToBatch has no reference kernel for data of rank 2.
    case = draw(Random(f"{seed} {name}"), smallest_rank=3)
    data = data_of(case.shape, case.dtype)
    lists = [case.whole(1, case.blocks), case.whole(0, case.before), case.whole(0, case.behind)]
    inputs = [np.array(each, np.int64) for each in lists]
    node = getattr(opset, name)(parameter_like(data), *map(opset.constant, inputs))
    (expected,) = evaluate(node, data, *inputs)
    np.testing.assert_array_equal(getattr(fo.openvino, name)(data, *lists), expected, str(case), strict=True)


@pytest.mark.parametrize("auto_pad", ["valid", "same_upper", "same_lower"])
@pytest.mark.parametrize("seed", range(100))
def test_extract_image_patches(seed, auto_pad):
    # It has no reference kernel; the CPU plugin compiles it for each case.
    case = draw_patches(Random(f"{seed} {auto_pad}"), ("float32", "int32", "uint8"))
    data = data_of((case.batch, case.channels, *case.extents), case.dtype)
    arguments = (case.sizes, case.strides, case.rates, auto_pad)
    images = parameter_like(data)
    model = openvino.Model([opset.extract_image_patches(images, *arguments)], [images])
    expected = openvino.Core().compile_model(model, "CPU")([data])[0]
    result = fo.openvino.extract_image_patches(data, *arguments)
    assert result.shape == expected.shape, str(case)
    np.testing.assert_array_equal(result, expected, str(case), strict=True)


def draw_integer(rng: Random) -> tuple[str, list[Array]]:
    """A range of an integer type from integers or floats that it can hold; a fractional step is at least 1."""
    output_type = rng.choice(INTEGERS)
    input_type = rng.choice((output_type, "float32", "float64"))
    least = -100 if np.dtype(output_type).kind == "i" else 0
    start, stop = (rng.uniform(least, 100) for _ in range(2))
    step = rng.uniform(1, 9) * (rng.choice((1, -1)) if least and input_type[0] != "u" else 1)
    if np.dtype(input_type).kind in "iu":
        start, stop, step = int(start), int(stop), int(step)
    return output_type, [np.array(each, input_type) for each in (start, stop, step)]


def draw_float(rng: Random) -> tuple[str, list[Array]]:
    output_type, input_type = rng.choice(FLOATS), rng.choice(FLOATS)
    start, stop = (rng.uniform(-50, 50) for _ in range(2))
    step = rng.choice((0.1, 0.3, 0.5, 1.0, 1.7, 10.0)) * rng.choice((1, -1))
    return output_type, [np.array(each, input_type) for each in (start, stop, step)]


@pytest.mark.parametrize("draw", [draw_integer, draw_float])
@pytest.mark.parametrize("seed", range(150))
def test_range(seed, draw):
    output_type, inputs = draw(Random(seed))
    name = openvino.Type(np.dtype(output_type)).get_type_name()
    node = opset.range(*map(opset.constant, inputs), output_type=name)
    (expected,) = evaluate(node, *inputs)
    message = f"start, stop, step {inputs} as {[each.dtype.name for each in inputs]}, output type {output_type}"
    np.testing.assert_array_equal(fo.range(*inputs, output_type), expected, message, strict=True)
