"""Random calls on arrays of dask in random chunks, and calls on their results."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import prod
from typing import Any

import dask.array as da
import numpy as np
import pytest
from dask.array.core import _check_regular_chunks as is_regular

import fastops as fo
from fastops._geometry import _blocks
from tests.helpers.chains import draw_chunks
from tests.helpers.seeds import scale
from tests.interop.test_dask import SMALL_BYTES, assert_computes


def chain(a: Any, k: list[int]) -> Any:
    mode = ("constant", "edge", "reflect", "symmetric", "wrap")[k[1] % 5]
    padded = fo.lazy(a).pad(((0, 0), (k[0], 1), (2, k[0]), (1, 1)), mode)
    return padded[:, ::-2].roll(k[2], 2).tile((1, 1, 3, 1)).transpose((3, 0, 1, 2)).run()


# Calls that are no single plan, or whose results have other chunks than the source. The array has four axes: the second
# and the third have even lengths, and the length of the last is a multiple of 4. The numbers ``k`` are below 21.
SIZED: list[Callable[[Any, list[int]], Any]] = [
    lambda a, k: fo.tensorflow.extract_patches(a, [1, 2, 3, 1], [1, k[0] % 3 + 1, 1, 1], [1] * 4, "SAME"),
    lambda a, k: fo.numpy.sliding_window_view(a, (2, k[0] % 4 + 1), (1, 3)),
    lambda a, k: fo.frame(a, 3, k[0] % 3 + 1, axis=3),
    lambda a, k: fo.slice(a, [k[0], 0, -k[1], 0], [40, 1, 1, 40], [1, 1, 1, -2], mode="wrap"),
    lambda a, k: fo.onnx.center_crop_pad(a, np.array([k[0] + 1, 3, k[1] + 1, k[2] + 1])),
    lambda a, k: fo.numpy.tile(a, (k[0] % 3, 2, 1, k[1] % 5, 3)),
    lambda a, k: fo.numpy.broadcast_to(a, (k[0] % 5, 3, *a.shape)),
    lambda a, k: fo.numpy.broadcast_to(fo.numpy.take_slice(a, np.s_[..., :1]), (*a.shape[:3], k[0])),
    lambda a, k: fo.numpy.rot90(a, k[1]),
    lambda a, _: fo.tensorflow.space_to_depth(a, 2),
    lambda a, _: fo.onnx.depth_to_space(fo.numpy.moveaxis(a, 3, 1), 2, mode="CRD"),
    lambda a, k: fo.openvino.space_to_batch(a, [1, 2, 2, 1], [0, k[0] % 3, 0, 0], [0, k[0] % 3, 0, 0]),
    lambda a, k: fo.openvino.batch_to_space(fo.numpy.tile(a, (2, 1, 1, 1)), [1, 2, 1, 1], [0, k[0] % 2, 0, 0], [0] * 4),
    lambda a, k: fo.windows(a, [[k[0], 0, -k[1], 0], [0, 1, 2, k[2]]], [5, 2, 9, 1], mode="reflect"),
    lambda a, k: fo.windows(a, [[-k[0], 2], [5, k[1]]], [4, 3], axes=[1, 2], items=[0, 0], mode="fill", fill_value=-1),
    lambda a, k: fo.windows(a, [[k[0], 2]], [3, 3], axes=[1, 2], items=[0], mode="wrap", stride=[[1, 2]]),
    chain,
    lambda a, k: fo.numpy.array_split(a, k[0] % 4 + 1, 2)[0],
]


def test_random_calls_in_chunks_no_larger_than_those_of_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    for case in range(len(SIZED) * scale(5, 300)):
        chosen, call = random.Random(f"call {case}"), SIZED[case % len(SIZED)]
        shape = (chosen.randint(1, 4), 2 * chosen.randint(1, 5), 2 * chosen.randint(1, 3), 4 * chosen.randint(1, 3))
        data = np.arange(prod(shape), dtype=chosen.choice(["i8", ">i4", "f4"])).reshape(shape)
        source = da.from_array(data, chunks=tuple([draw_chunks(chosen, n) for n in shape]))
        k = [chosen.randint(0, 20) for _ in range(3)]
        # With the small limit, the chunks of the source limit those of the result.
        small = chosen.choice([8 * 4, SMALL_BYTES])
        monkeypatch.setattr(_blocks, "SMALL_BYTES", small)
        result, most = call(source, k), prod(source.chunksize)
        # zarr takes regular chunks only.
        assert is_regular(result.chunks) or not is_regular(source.chunks), case
        assert prod(result.chunksize) <= max(most, small // data.itemsize), case
        assert len(result.dask.layers[result.name]) == result.npartitions, case
        expected = call(data, k)
        assert_computes(result, expected)
        if case % 3 == 0:
            assert_computes(*[fo.numpy.roll(each, k[0], 0) for each in (result, expected)])
