"""tf.image.extract_patches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Array, Call, Refusal, contract
from tests.helpers.patch_oracle import Cut, as_depth, cut_same, patches


def numbers(sizes: tuple[int, int], strides: tuple[int, int], rates: tuple[int, int], padding: str) -> dict[str, Any]:
    lists = {"sizes": sizes, "strides": strides, "rates": rates}
    return {**{name: [1, *pair, 1] for name, pair in lists.items()}, "padding": padding}


def valid(x: Array, *cuts: Cut) -> Array:
    return as_depth(patches(x, *cuts), first=3, channels=3)


def same(x: Array, sizes: tuple[int, int], strides: tuple[int, int], rates: tuple[int, int]) -> Array:
    return valid(x, *[cut_same(x, 1 + k, sizes[k], strides[k], rates[k]) for k in (0, 1)])


CALLS = [
    Call(
        (2, 5, 7, 3),
        numbers((2, 3), (1, 2), (1, 1), "VALID"),
        lambda x: valid(x, Cut(1, 2), Cut(2, 3, 2)),
        pieces=1,
    ),
    Call(
        (1, 6, 9, 2),
        numbers((3, 2), (2, 3), (2, 3), "VALID"),
        lambda x: valid(x, Cut(1, 3, 2, 2), Cut(2, 2, 3, 3)),
        pieces=1,
    ),
    Call(
        (1, 4, 6, 1), numbers((2, 3), (2, 3), (1, 1), "VALID"), lambda x: valid(x, Cut(1, 2, 2), Cut(2, 3, 3)), pieces=1
    ),
    Call((2, 3, 3, 2), numbers((1, 1), (1, 1), (5, 5), "SAME"), lambda x: x, pieces=1),
    Call(
        (2, 5, 4, 3),
        numbers((3, 3), (1, 1), (1, 1), "SAME"),
        lambda x: same(x, (3, 3), (1, 1), (1, 1)),
        pieces=9,
    ),
    Call(
        (1, 5, 6, 2),
        numbers((2, 4), (2, 3), (2, 1), "SAME"),
        lambda x: same(x, (2, 4), (2, 3), (2, 1)),
        pieces=6,
    ),
    # No patch lies inside.
    Call(
        (1, 2, 1, 2),
        numbers((5, 3), (1, 1), (1, 2), "SAME"),
        lambda x: same(x, (5, 3), (1, 1), (1, 2)),
        pieces=2,
    ),
    Call((0, 3, 3, 2), numbers((2, 2), (1, 1), (1, 1), "SAME"), lambda x: same(x, (2, 2), (1, 1), (1, 1)), pieces=1),
    Call((1, 3, 3, 0), numbers((2, 2), (1, 1), (1, 1), "SAME"), lambda x: same(x, (2, 2), (1, 1), (1, 1)), pieces=1),
    # TensorFlow rounds to no patches.
    Call((1, 2, 2, 3), numbers((5, 2), (2, 1), (1, 1), "VALID"), lambda x: x[:, :0, :1].reshape(1, 0, 1, 30), pieces=1),
]

REFUSALS = [
    Refusal((3, 3, 1), numbers((2, 2), (1, 1), (1, 1), "SAME"), ValueError, "images must have 4 axes"),
    Refusal(
        (1, 2, 2, 1),
        numbers((5, 5), (1, 1), (1, 1), "VALID"),
        ValueError,
        r"sizes must reach over less .*, 3 elements, with VALID, got \[1, 5, 5, 1\] \(axis 1, extent 2\)",
    ),
    Refusal((1, 3, 3, 1), numbers((0, 2), (1, 1), (1, 1), "SAME"), ValueError, "sizes must be at least 1"),
    Refusal((1, 3, 3, 1), numbers((2, 2), (1, 0), (1, 1), "SAME"), ValueError, "strides must be at least 1"),
    Refusal((1, 3, 3, 1), numbers((2, 2), (1, 1), (-1, 1), "SAME"), ValueError, "rates must be at least 1"),
    Refusal((1, 3, 3, 1), numbers((2, 2), (1, 1), (1, 1), "same"), ValueError, "padding must be one of VALID, SAME"),
    Refusal(
        (1, 3, 3, 1),
        {**numbers((2, 2), (1, 1), (1, 1), "SAME"), "strides": [1, 1]},
        ValueError,
        "strides must be 4 values, of which the first and the last are 1",
    ),
    Refusal(
        (1, 3, 3, 1),
        {**numbers((2, 2), (1, 1), (1, 1), "SAME"), "sizes": [1, 2, 2, 2]},
        ValueError,
        "sizes must be 4 values, of which the first and the last are 1",
    ),
    Refusal((1, 99, 99, 1), numbers((70, 70), (1, 1), (1, 1), "SAME"), ValueError, "sizes must give at most 4096"),
    Refusal((1, 3, 3, 1), numbers((2.0, 2), (1, 1), (1, 1), "SAME"), TypeError, "sizes"),  # type: ignore[arg-type]
]

test_extract_patches = contract(fo.tensorflow.extract_patches, CALLS, REFUSALS)


def test_patches_that_overlap_are_a_read_only_view() -> None:
    image = np.arange(4 * 5).reshape(1, 4, 5, 1)
    view = fo.tensorflow.extract_patches(image, [1, 1, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID", copy=False)
    assert np.shares_memory(view, image)
    assert not view.flags.writeable
    with pytest.raises(fo.AttributeValueError, match="copy must be True or None for a result that merges axes"):
        fo.tensorflow.extract_patches(image, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID", copy=False)
    with pytest.raises(fo.AttributeValueError, match="copy must be True or None for a result that reads out of bounds"):
        fo.tensorflow.extract_patches(image, [1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME", copy=False)
