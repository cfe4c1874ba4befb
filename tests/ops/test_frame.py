"""Frames of a signal, as librosa cuts them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import DTYPES, Array, Call, contract
from tests.helpers.patch_oracle import Cut, patches
from tests.helpers.seeds import noted
from tests.ops._tables import refuser

#: NumPy's words for modes.
WORDS = {"reflect": "reflect", "clamp": "edge", "wrap": "wrap", "fill": "constant"}


def framed(x: Array, length: int, hop: int, axis: int = -1, mode: str = "", fill_value: int = 0) -> Array:
    """Return the frames; centered ones if a mode is named."""
    k, pads = axis % x.ndim, length // 2 if mode else 0
    widths = [(pads, pads) if j == k else (0, 0) for j in range(x.ndim)]
    options = {"constant_values": fill_value} if mode == "fill" else {}
    padded = np.pad(x, widths, WORDS[mode or "reflect"], **options)  # type: ignore[call-overload]
    return np.moveaxis(patches(padded, Cut(k, length, hop)), -1, k if axis < 0 else k + 1)


def frames(shape, length, hop, axis=-1, pieces=1, dtypes=DTYPES, **centered):
    arguments = {"frame_length": length, "hop_length": hop, "axis": axis}
    if centered:
        arguments |= {"center": True, **centered}
    return Call(shape, arguments, lambda x: framed(x, length, hop, axis, **centered), dtypes, pieces=pieces)


CALLS = [
    Call((10,), {"frame_length": 4, "hop_length": 3}, lambda x: framed(x, 4, 3), pieces=1),
    frames((10,), 4, 3, 0),
    frames((2, 11), 3, 5),
    frames((11, 2), 5, 2, 0),
    frames((3, 9, 2), 5, 1, -2),
    frames((3, 9, 2), 5, 1, 1),
    frames((2, 11), 6, 2, pieces=4, mode="reflect"),
    frames((11,), 5, 4, 0, pieces=2, mode="clamp"),
    frames((3,), 9, 2, pieces=2, mode="wrap"),
    frames((4,), 2, 1, pieces=3, dtypes=("u1", "f4", "c16"), mode="fill", fill_value=7),
    frames((5,), 1, 2, mode="reflect"),
    frames((0, 5), 3, 1),
]

refuse = refuser((5,), frame_length=2, hop_length=1)
REFUSALS = [
    refuse("x must have at least one axis", ValueError, ()),
    refuse("frame_length must be at most 5, .*, got 6", frame_length=6),
    refuse("frame_length must be an integer", TypeError, frame_length=2.0),
    refuse(r"axis must be in -1\.\.0", axis=1),
    refuse("center must be True or False", TypeError, center=1),
    refuse("mode must be one that reads beyond the signal", center=True, mode="strict_bounds"),
    refuse("mode must be fill for a signal of no samples, got 'edge'", ValueError, (0,), center=True, mode="edge"),
    refuse("fill_value must be given in mode", fill_value=0),
]

test_frame = contract(fo.frame, CALLS, REFUSALS)


def test_random_frames() -> None:
    rng = Random(0)
    for _ in range(200):
        shape = tuple(rng.randint(1, 9) for _ in range(rng.randint(1, 3)))
        x = np.arange(np.prod(shape)).astype(rng.choice(["u1", "i2", "f4"])).reshape(shape)
        axis, length, hop = rng.randrange(-x.ndim, x.ndim), rng.randint(1, 6), rng.randint(1, 5)
        center, mode = rng.random() < 0.7, rng.choice(list(WORDS))
        options: Any = {"axis": axis, "center": center, "mode": mode}
        with noted(shape, length, hop, options):
            if x.shape[axis] + 2 * (length // 2 if center else 0) < length:
                with pytest.raises(fo.AttributeValueError, match="frame_length must be at most"):
                    fo.frame(x, length, hop, **options)
            else:
                expected = framed(x, length, hop, axis, mode if center else "")
                np.testing.assert_array_equal(fo.frame(x, length, hop, **options), expected, strict=True)
