"""fastops.tensorflow beside TensorFlow, function by function, on random calls."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pytest

import fastops as fo
from tests.conformance import _tensorflow_draws
from tests.conformance._live import Array, Function, check_live
from tests.conformance._operators import functions_of
from tests.conformance._tensorflow_departures import DEPARTURES

tensorflow = pytest.importorskip("tensorflow")


def arrays_of(result: Any) -> Any:
    return [each.numpy() for each in result] if isinstance(result, list) else result.numpy()


def numpy_of(function: Any) -> Any:
    return lambda *arguments, **named: arrays_of(function(*arguments, **named))


def batch_to_space_nd(data: Array, block_shape: Any, crops: Any) -> Array:
    return tensorflow.raw_ops.BatchToSpaceND(input=data, block_shape=block_shape, crops=crops).numpy()


@cache
def compiled(name: str, block_size: int, data_format: str) -> Any:
    function = getattr(tensorflow.nn, name)
    return tensorflow.function(lambda images: function(images, block_size, data_format), jit_compile=True)


def image_function(name: str) -> Any:
    """Return a function of images. Kernels of a CPU have no format NCHW; XLA compiles one for each shape."""

    def run(data: Array, block_size: int, data_format: str = "NHWC") -> Array:
        if data_format == "NCHW":
            return compiled(name, block_size, data_format)(tensorflow.constant(data)).numpy()
        return getattr(tensorflow.nn, name)(data, block_size, data_format).numpy()

    return run


OTHERS = {
    "batch_to_space_nd": batch_to_space_nd,
    "depth_to_space": image_function("depth_to_space"),
    "extract_patches": numpy_of(tensorflow.image.extract_patches),
    "space_to_depth": image_function("space_to_depth"),
}


@pytest.mark.parametrize("name", functions_of("tensorflow"))
def test_functions(name: str) -> None:
    theirs = OTHERS.get(name) or numpy_of(getattr(tensorflow, name))
    draw = getattr(_tensorflow_draws, f"draw_{name}")
    check_live(Function(name, draw, theirs, getattr(fo.tensorflow, name)), DEPARTURES)


@pytest.mark.parametrize("name", ["depth_to_space", "space_to_depth"])
def test_shapes_with_vectors_of_channels(name: str) -> None:
    # Only GPUs have format NCHW_VECT_C, in which a last axis of 4 stays as it is. Its shape function runs everywhere;
    # the contract tests compare elements with its formula.
    function, plan = getattr(tensorflow.nn, name), getattr(fo.plan.tensorflow, name)
    for size, extents in product((2, 3), product((1, 2), repeat=4)):
        factors = (1, size * size, 1, 1) if name == "depth_to_space" else (1, 1, size, size)
        shape = (*(extent * factor for extent, factor in zip(extents, factors, strict=True)), 4)
        traced = tensorflow.function(lambda x, size=size: function(x, size, "NCHW_VECT_C"))
        inferred = traced.get_concrete_function(tensorflow.TensorSpec(shape, tensorflow.qint8)).outputs[0].shape
        assert plan(shape, size, "NCHW_VECT_C").shape == tuple(inferred), shape
