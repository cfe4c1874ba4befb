"""fastops beside TensorFlow, where its rule of a begin before the axis with a negative stride plays no part."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import fastops as fo
from tests.conformance._draws import Freedom, data_of, draw_pad, draw_spec, draw_split
from tests.conformance._layout_draws import draw_crops, draw_order, draw_pads, draw_space
from tests.conformance._patch_draws import draw_patches

tensorflow = pytest.importorskip("tensorflow")

PAD_MODES = {"fill": "CONSTANT", "reflect": "REFLECT", "symmetric": "SYMMETRIC"}


def as_integer(mask: tuple[int, ...]) -> int:
    return sum(bit << i for i, bit in enumerate(mask))


@pytest.mark.parametrize("seed", range(400))
def test_strided_slice(seed):
    free = Freedom(ellipsis=seed % 2 == 0, early_begin=False, backward_shrink=False, stray_bits=False)
    case = draw_spec(Random(seed), free)
    data = data_of(case.shape, case.dtype)
    bounds = [np.array(each, np.int64) for each in (case.begin, case.end, case.strides)]
    masks = {name: as_integer(mask) for name, mask in case.attributes.items() if name.endswith("_mask")}
    expected = tensorflow.strided_slice(data, *bounds, **masks).numpy()
    result = fo.strided_slice(data, **case.attributes)
    np.testing.assert_array_equal(result, expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(250))
def test_pad(seed):
    case = draw_pad(Random(seed), tuple(PAD_MODES))
    data = data_of(case.shape, case.dtype)
    pads = list(zip(case.before, case.after, strict=True))
    expected = tensorflow.pad(data, pads, PAD_MODES[case.mode], constant_values=case.fill_value).numpy()
    np.testing.assert_array_equal(fo.slice(data, **case.slice_arguments), expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(100))
def test_variadic_split(seed):
    case = draw_split(Random(seed))
    data = data_of(case.shape, case.dtype)
    results = fo.variadic_split(data, case.axis, case.lengths)
    # TensorFlow refuses a -1 that stands alone.
    lengths = case.lengths if len(case.lengths) > 1 else case.known_lengths
    for result, expected in zip(results, tensorflow.split(data, lengths, case.axis), strict=True):
        np.testing.assert_array_equal(result, expected.numpy(), str(case), strict=True)


@pytest.mark.parametrize("seed", range(150))
def test_transpose(seed):
    case = draw_order(Random(seed), negative=True)
    data = data_of(case.shape, case.dtype)
    perm = case.axes if seed % 10 else None
    expected = tensorflow.transpose(data, perm).numpy()
    np.testing.assert_array_equal(fo.tensorflow.transpose(data, perm), expected, str(case), strict=True)


def as_channels_last(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (shape[0], *shape[2:], shape[1])


@pytest.mark.parametrize("name", ["depth_to_space", "space_to_depth"])
@pytest.mark.parametrize("seed", range(150))
def test_depth_and_space(seed, name):
    case = draw_space(Random(f"{seed} {name}"), least_size=2)
    data = data_of(as_channels_last(case.deep if name == "depth_to_space" else case.wide), case.dtype)
    expected = getattr(tensorflow.nn, name)(data, case.size).numpy()
    result = getattr(fo.tensorflow, name)(data, case.size)
    np.testing.assert_array_equal(result, expected, str(case), strict=True)


@pytest.mark.parametrize("name", ["depth_to_space", "space_to_depth"])
@pytest.mark.parametrize("seed", range(25))
def test_depth_and_space_with_channels_first(seed, name):
    # No kernel of a CPU has format NCHW; XLA compiles one for each shape.
    case = draw_space(Random(f"{seed} {name}"), ("float32", "int32"), least_size=2)
    data = data_of(case.deep if name == "depth_to_space" else case.wide, case.dtype)
    function = getattr(tensorflow.nn, name)
    compiled = tensorflow.function(lambda x: function(x, case.size, "NCHW"), jit_compile=True)
    result = getattr(fo.tensorflow, name)(data, case.size, "NCHW")
    np.testing.assert_array_equal(result, compiled(tensorflow.constant(data)).numpy(), str(case), strict=True)


@pytest.mark.parametrize("name", ["depth_to_space", "space_to_depth"])
@pytest.mark.parametrize("seed", range(25))
def test_shapes_with_vectors_of_channels(seed, name):
    # Only GPUs have format NCHW_VECT_C, in which a last axis of 4 stays as it is. Its shape function runs everywhere;
    # the contract tests compare elements with its formula.
    case = draw_space(Random(f"{seed} {name}"), least_size=2)
    shape = (*(case.deep if name == "depth_to_space" else case.wide), 4)
    function, plan = getattr(tensorflow.nn, name), getattr(fo.plan.tensorflow, name)
    traced = tensorflow.function(lambda x: function(x, case.size, "NCHW_VECT_C"))
    inferred = traced.get_concrete_function(tensorflow.TensorSpec(shape, tensorflow.qint8)).outputs[0].shape
    assert plan(shape, case.size, "NCHW_VECT_C").shape == tuple(inferred), case


@pytest.mark.parametrize("seed", range(150))
def test_space_to_batch_nd(seed):
    case = draw_pads(Random(seed))
    data = data_of(case.shape, case.dtype)
    expected = tensorflow.space_to_batch_nd(data, case.blocks, case.pairs).numpy()
    result = fo.tensorflow.space_to_batch_nd(data, case.blocks, case.pairs)
    np.testing.assert_array_equal(result, expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(150))
def test_batch_to_space_nd(seed):
    case = draw_crops(Random(seed))
    data = data_of(case.shape, case.dtype)
    expected = tensorflow.raw_ops.BatchToSpaceND(input=data, block_shape=case.blocks, crops=case.pairs).numpy()
    result = fo.tensorflow.batch_to_space_nd(data, case.blocks, case.pairs)
    np.testing.assert_array_equal(result, expected, str(case), strict=True)


@pytest.mark.parametrize("padding", ["VALID", "SAME"])
@pytest.mark.parametrize("seed", range(150))
def test_extract_patches(seed, padding):
    case = draw_patches(Random(f"{seed} {padding}"))
    data = data_of((case.batch, *case.extents, case.channels), case.dtype)
    lists = [[1, *pair, 1] for pair in (case.sizes, case.strides, case.rates)]
    try:
        expected = tensorflow.image.extract_patches(data, *lists, padding).numpy()
    except tensorflow.errors.InvalidArgumentError:
        with pytest.raises(fo.AttributeValueError, match="sizes must reach over less than"):
            fo.tensorflow.extract_patches(data, *lists, padding)
        return
    result = fo.tensorflow.extract_patches(data, *lists, padding)
    np.testing.assert_array_equal(result, expected, str(case), strict=True)
