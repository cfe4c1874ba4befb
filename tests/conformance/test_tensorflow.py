"""fastops beside TensorFlow, where its rule of a begin before the axis with a negative stride plays no part."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import fastops as fo
from tests.conformance._draws import Freedom, data_of, draw_pad, draw_spec, draw_split

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
