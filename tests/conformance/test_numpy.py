"""fastops beside NumPy."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import fastops as fo
from tests.conformance._draws import Freedom, data_of, draw_bounds, draw_shape, draw_spec, draw_split
from tests.helpers import oracle as _oracle

PAD_MODES = {"wrap": "wrap", "clamp": "edge", "reflect": "reflect", "symmetric": "symmetric", "fill": "constant"}


@pytest.mark.parametrize("seed", range(500))
def test_strided_slice(seed):
    case = draw_spec(Random(seed), Freedom())
    data = data_of(case.shape, case.dtype)
    # The oracle is NumPy's indexing, where a begin before the axis with a negative stride is moved to index 0.
    expected = _oracle.strided_slice(data, **case.attributes)
    np.testing.assert_array_equal(fo.strided_slice(data, **case.attributes), expected, str(case), strict=True)


@pytest.mark.parametrize("seed", range(150))
def test_variadic_split(seed):
    case = draw_split(Random(seed))
    data = data_of(case.shape, case.dtype)
    results = fo.variadic_split(data, case.axis, case.lengths)
    ends = np.cumsum(case.known_lengths)[:-1]
    for result, expected in zip(results, np.split(data, ends, case.axis), strict=True):
        np.testing.assert_array_equal(result, expected, str(case), strict=True)


@pytest.mark.parametrize("mode", PAD_MODES)
@pytest.mark.parametrize("seed", range(100))
def test_slice_reads_what_np_pad_writes(seed, mode):
    rng = Random(f"{seed} {mode}")
    shape = draw_shape(rng)
    start = [rng.randint(-15, 15) for _ in shape]
    stride = [rng.randint(-4, 4) for _ in shape]
    size = [rng.choice((0, 1, 2, 5, 9)) if rng.random() < 0.2 else rng.randint(1, 6) for _ in shape]
    fill_value = rng.randint(1, 99) if mode == "fill" else None
    data = data_of(shape, "int32")
    positions = [b + s * np.arange(n) for b, s, n in zip(start, stride, size, strict=True)]
    pads = [
        (max(0, -x.min(initial=0)), max(0, x.max(initial=0) + 1 - d)) for x, d in zip(positions, shape, strict=True)
    ]
    padded = np.pad(data, pads, PAD_MODES[mode], **({"constant_values": fill_value} if fill_value else {}))
    expected = padded[np.ix_(*(x + before for x, (before, _) in zip(positions, pads, strict=True)))]
    result = fo.slice(data, start, size, stride, mode=mode, fill_value=fill_value)
    message = f"shape {shape}, start {start}, size {size}, stride {stride}, mode {mode}, fill value {fill_value}"
    np.testing.assert_array_equal(result, expected, message, strict=True)


@pytest.mark.parametrize("seed", range(100))
def test_a_whole_slice_of_one_axis(seed):
    rng = Random(seed)
    extent = rng.randint(0, 30)
    step = rng.choice((1, 2, 5, 11))
    begin, end = draw_bounds(rng, extent, step)
    data = data_of((extent,), "int16")
    message = f"extent {extent}, {begin}:{end}:{step}"
    np.testing.assert_array_equal(fo.strided_slice(data, [begin], [end], [step]), data[begin:end:step], message)
