"""Frames of a signal, as librosa cuts them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Array, Call, Refusal, contract
from tests.helpers.patch_oracle import Cut, patches


def framed(x: Array, length: int, hop: int, axis: int = -1, *, pads: int = 0, mode: str = "constant") -> Array:
    k = axis % x.ndim
    found = patches(x, Cut(k, length, hop, 1, pads, pads), mode=mode)
    return np.moveaxis(found, -1, k if axis < 0 else k + 1)


CALLS = [
    Call((10,), {"frame_length": 4, "hop_length": 3}, lambda x: framed(x, 4, 3), pieces=1),
    Call((10,), {"frame_length": 4, "hop_length": 3, "axis": 0}, lambda x: framed(x, 4, 3, 0), pieces=1),
    Call((2, 11), {"frame_length": 3, "hop_length": 5}, lambda x: framed(x, 3, 5), pieces=1),
    Call((11, 2), {"frame_length": 5, "hop_length": 2, "axis": 0}, lambda x: framed(x, 5, 2, 0), pieces=1),
    Call((3, 9, 2), {"frame_length": 5, "hop_length": 1, "axis": -2}, lambda x: framed(x, 5, 1, -2), pieces=1),
    Call((3, 9, 2), {"frame_length": 5, "hop_length": 1, "axis": 1}, lambda x: framed(x, 5, 1, 1), pieces=1),
    Call(
        (2, 11),
        {"frame_length": 6, "hop_length": 2, "center": True},
        lambda x: framed(x, 6, 2, pads=3, mode="reflect"),
        pieces=4,
    ),
    Call(
        (11,),
        {"frame_length": 5, "hop_length": 4, "axis": 0, "center": True, "mode": "clamp"},
        lambda x: framed(x, 5, 4, 0, pads=2, mode="edge"),
        pieces=2,
    ),
    Call(
        (3,),
        {"frame_length": 9, "hop_length": 2, "center": True, "mode": "wrap"},
        lambda x: framed(x, 9, 2, pads=4, mode="wrap"),
        pieces=2,
    ),
    Call(
        (4,),
        {"frame_length": 2, "hop_length": 1, "center": True, "mode": "fill", "fill_value": 7},
        lambda x: framed(np.concatenate([[7], x, [7]]).astype(x.dtype), 2, 1),
        dtypes=("u1", "f4", "c16"),
        pieces=3,
    ),
    Call((5,), {"frame_length": 1, "hop_length": 2, "center": True}, lambda x: x[None, ::2], pieces=1),
    Call((0, 5), {"frame_length": 3, "hop_length": 1}, lambda x: framed(x, 3, 1), pieces=1),
]

REFUSALS = [
    Refusal((), {"frame_length": 1, "hop_length": 1}, ValueError, "x must have at least one axis"),
    Refusal((5,), {"frame_length": 0, "hop_length": 1}, ValueError, "frame_length must be at least 1, got 0"),
    Refusal((5,), {"frame_length": 2, "hop_length": 0}, ValueError, "hop_length must be at least 1, got 0"),
    Refusal((5,), {"frame_length": 6, "hop_length": 1}, ValueError, "frame_length must be at most 5, .*, got 6"),
    Refusal((5,), {"frame_length": 2, "hop_length": 1, "axis": 1}, ValueError, r"axis must be in -1\.\.0"),
    Refusal((5,), {"frame_length": 2, "hop_length": 1, "center": 1}, TypeError, "center must be True or False"),
    Refusal((5,), {"frame_length": 2, "hop_length": 1, "mode": "odd"}, ValueError, "mode must be one of"),
    Refusal(
        (5,),
        {"frame_length": 2, "hop_length": 1, "center": True, "mode": "strict_bounds"},
        ValueError,
        "mode must be one that reads beyond the signal",
    ),
    Refusal(
        (0,), {"frame_length": 2, "hop_length": 1, "center": True}, ValueError, "mode must be fill for a signal of"
    ),
    Refusal(
        (5,), {"frame_length": 2, "hop_length": 1, "fill_value": 0}, ValueError, "fill_value must be given in mode"
    ),
    Refusal((5,), {"frame_length": 2.0, "hop_length": 1}, TypeError, "frame_length must be an integer"),
    Refusal(
        (9000,),
        {"frame_length": 8000, "hop_length": 1, "center": True},
        ValueError,
        "frame_length must give at most 4096 pieces, of which .*, got 8000",
    ),
]

test_frame = contract(fo.frame, CALLS, REFUSALS)


@pytest.mark.parametrize("seed", range(200))
def test_random_frames(seed: int) -> None:
    rng = Random(seed)
    shape = tuple(rng.randint(1, 9) for _ in range(rng.randint(1, 3)))
    x = np.arange(np.prod(shape)).astype(rng.choice(["u1", "i2", "f4"])).reshape(shape)
    axis = rng.randrange(-x.ndim, x.ndim)
    length, hop, center = rng.randint(1, 6), rng.randint(1, 5), rng.random() < 0.7
    mode, theirs = rng.choice([("reflect", "reflect"), ("clamp", "edge"), ("wrap", "wrap"), ("fill", "constant")])
    pads = length // 2 if center else 0
    if x.shape[axis] + 2 * pads < length:
        with pytest.raises(fo.AttributeValueError, match="frame_length must be at most"):
            fo.frame(x, length, hop, axis=axis, center=center, mode=mode)
        return
    expected = framed(x, length, hop, axis, pads=pads, mode=theirs)
    result = fo.frame(x, length, hop, axis=axis, center=center, mode=mode)
    np.testing.assert_array_equal(result, expected, strict=True)
