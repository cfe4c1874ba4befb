"""fastops beside NumPy."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import fastops as fo
from tests.conformance._draws import Freedom, data_of, draw_bounds, draw_move, draw_shape, draw_spec, draw_split
from tests.helpers import oracle as _oracle

MOVES = (
    "transpose",
    "permute_dims",
    "moveaxis",
    "swapaxes",
    "rot90",
    "fliplr",
    "flipud",
    "repeat",
    "copy",
    "ascontiguousarray",
)

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


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("seed", range(100))
def test_moves(seed, name):
    case = draw_move(Random(f"{seed} {name}"), name)
    ours, theirs = getattr(fo.numpy, name), getattr(np, name)
    expected = outcome(theirs, case.data, case.arguments, Exception)
    assert outcome(ours, case.data, case.arguments, fo.FastopsError) == expected, case
    if expected is not None:
        assert ours(case.data, **case.arguments).flags.c_contiguous


def outcome(function, data, arguments, error):
    """Shape, type and bytes of a result, or None for an error."""
    try:
        result = function(data, **arguments)
    except error:
        return None
    return result.shape, result.dtype, result.tobytes()


@pytest.mark.parametrize("name", MOVES)
def test_most_moves_are_right_and_some_are_wrong(name):
    cases = [draw_move(Random(f"{seed} {name}"), name) for seed in range(100)]
    outcomes = [outcome(getattr(np, name), case.data, case.arguments, Exception) for case in cases]
    assert sum(each is not None and bool(each[2]) for each in outcomes) > 40
    assert (None in outcomes) == (name not in ("copy", "ascontiguousarray"))
