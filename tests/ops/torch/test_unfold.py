"""torch.nn.functional.unfold."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Array, Call, Refusal, contract
from tests.helpers.patch_oracle import Cut, patches


def columns(x: Array, rows_cut: Cut, columns_cut: Cut) -> Array:
    """Return patches of images as columns; the axes of the cuts are those of images with a batch."""
    images = x if x.ndim == 4 else x[None]
    found = patches(images, rows_cut, columns_cut).transpose(0, 1, 4, 5, 2, 3)
    n, channels, rows, cols, *counts = found.shape
    result = found.reshape(n, channels * rows * cols, counts[0] * counts[1])
    return result if x.ndim == 4 else result[0]


CALLS = [
    Call((2, 3, 5, 6), {"kernel_size": 3}, lambda x: columns(x, Cut(2, 3), Cut(3, 3)), pieces=1),
    Call((3, 4, 5), {"kernel_size": [2, 1]}, lambda x: columns(x, Cut(2, 2), Cut(3, 1)), pieces=1),
    Call(
        (2, 2, 4, 5),
        {"kernel_size": 3, "padding": 1},
        lambda x: columns(x, Cut(2, 3, 1, 1, 1, 1), Cut(3, 3, 1, 1, 1, 1)),
        pieces=9,
    ),
    Call(
        (2, 6, 7),
        {"kernel_size": [2, 3], "dilation": [2, 1], "padding": [0, 2], "stride": [1, 2]},
        lambda x: columns(x, Cut(2, 2, 1, 2), Cut(3, 3, 2, 1, 2, 2)),
        pieces=3,
    ),
    # Blocks of zeros alone are one piece.
    Call(
        (1, 2, 2, 3),
        {"kernel_size": [1, 2], "padding": [4, 5]},
        lambda x: columns(x, Cut(2, 1, 1, 1, 4, 4), Cut(3, 2, 1, 1, 5, 5)),
        pieces=15,
    ),
    Call(
        (1, 1, 8, 8),
        {"kernel_size": 4, "stride": 4},
        lambda x: columns(x, Cut(2, 4, 4), Cut(3, 4, 4)),
        pieces=1,
    ),
    Call((0, 1, 4, 4), {"kernel_size": 2, "padding": 1}, lambda x: x.reshape(0, 4, 25), pieces=1),
]

REFUSALS = [
    Refusal((4, 4), {"kernel_size": 2}, ValueError, "input must have 3 or 4 axes"),
    Refusal((1, 0, 4, 4), {"kernel_size": 2}, ValueError, "input must have no empty axis but the batch"),
    Refusal((1, 1, 3, 9), {"kernel_size": 6, "padding": 1}, ValueError, "kernel_size must be at most 5 long.*got 6"),
    Refusal((1, 1, 4, 4), {"kernel_size": 0}, ValueError, "kernel_size must be at least 1"),
    Refusal((1, 1, 4, 4), {"kernel_size": 2, "stride": [1, -1]}, ValueError, "stride must be at least 1"),
    Refusal((1, 1, 4, 4), {"kernel_size": 2, "dilation": 0}, ValueError, "dilation must be at least 1"),
    Refusal((1, 1, 4, 4), {"kernel_size": 2, "padding": -1}, ValueError, "padding must be at least 0"),
    Refusal((1, 1, 4, 4), {"kernel_size": [2]}, ValueError, "kernel_size must have 2 values"),
    Refusal((1, 1, 4, 4), {"kernel_size": 2.5}, TypeError, "kernel_size must be an integer"),
    Refusal((1, 1, 9, 9), {"kernel_size": 70, "padding": 70}, ValueError, "kernel_size must give at most 4096 pieces"),
]

test_unfold = contract(fo.torch.unfold, CALLS, REFUSALS)
