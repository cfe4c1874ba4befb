"""OpenVINO ExtractImagePatches-3."""

from __future__ import annotations

from typing import Any

import fastops as fo
from tests.helpers.contract import Array, Call, Refusal, contract
from tests.helpers.patch_oracle import Cut, as_depth, cut_same, patches


def numbers(sizes: list[int], strides: list[int], rates: list[int], auto_pad: str) -> dict[str, Any]:
    return {"sizes": sizes, "strides": strides, "rates": rates, "auto_pad": auto_pad}


def valid(x: Array, *cuts: Cut) -> Array:
    return as_depth(patches(x, *cuts), first=1, channels=1)


def same(x: Array, sizes: list[int], strides: list[int], rates: list[int], *, more_before: bool = False) -> Array:
    return valid(x, *[cut_same(x, 2 + k, sizes[k], strides[k], rates[k], more_before=more_before) for k in (0, 1)])


CALLS = [
    Call(
        (2, 3, 5, 7),
        numbers([2, 3], [1, 2], [1, 1], "valid"),
        lambda x: valid(x, Cut(2, 2), Cut(3, 3, 2)),
        pieces=1,
    ),
    Call(
        (1, 2, 6, 9),
        numbers([3, 2], [2, 3], [2, 3], "VALID"),
        lambda x: valid(x, Cut(2, 3, 2, 2), Cut(3, 2, 3, 3)),
        pieces=1,
    ),
    Call(
        (2, 3, 5, 4),
        numbers([3, 2], [1, 1], [1, 1], "same_upper"),
        lambda x: same(x, [3, 2], [1, 1], [1, 1]),
        pieces=6,
    ),
    Call(
        (2, 3, 5, 4),
        numbers([3, 2], [1, 1], [1, 1], "Same_Lower"),
        lambda x: same(x, [3, 2], [1, 1], [1, 1], more_before=True),
        pieces=6,
    ),
    Call(
        (1, 2, 5, 6),
        numbers([2, 4], [2, 3], [3, 2], "same_lower"),
        lambda x: same(x, [2, 4], [2, 3], [3, 2], more_before=True),
        pieces=6,
    ),
    Call(
        (1, 2, 3, 3), numbers([5, 4], [1, 1], [1, 1], "valid"), lambda x: x[:, :, :0, :0].reshape(1, 40, 0, 0), pieces=1
    ),
    Call((1, 2, 3, 3), numbers([9, 1], [1, 1], [1, 1], "valid"), lambda x: x[:, :, :0].reshape(1, 18, 0, 3), pieces=1),
    Call((1, 0, 3, 3), numbers([2, 2], [1, 1], [1, 1], "same_upper"), lambda x: x, pieces=1),
]

REFUSALS = [
    Refusal((3, 3, 1), numbers([2, 2], [1, 1], [1, 1], "valid"), ValueError, "data must have 4 axes"),
    Refusal((1, 1, 3, 3), numbers([0, 2], [1, 1], [1, 1], "valid"), ValueError, "sizes must be at least 1"),
    Refusal((1, 1, 3, 3), numbers([2, 2], [1, 0], [1, 1], "valid"), ValueError, "strides must be at least 1"),
    Refusal((1, 1, 3, 3), numbers([2, 2], [1, 1], [0, 1], "valid"), ValueError, "rates must be at least 1"),
    Refusal((1, 1, 3, 3), numbers([2, 2], [1, 1], [1], "valid"), ValueError, "rates must have 2 values"),
    Refusal((1, 1, 3, 3), numbers([2, 2], [1, 1], [1, 1], "explicit"), ValueError, "auto_pad must be one of valid"),
    Refusal(
        (1, 1, 99, 99),
        numbers([70, 70], [1, 1], [1, 1], "same_upper"),
        ValueError,
        "sizes must give at most 4096 pieces",
    ),
]

test_extract_image_patches = contract(fo.openvino.extract_image_patches, CALLS, REFUSALS)
