"""tf.space_to_batch_nd."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import space_to_batch

CALLS = [
    Call((2, 4), {"block_shape": np.zeros(0, np.int32), "paddings": np.zeros((0, 2), np.int32)}, lambda x: x),
    Call(
        (2, 4, 6),
        {"block_shape": [2, 3], "paddings": [[0, 0], [0, 0]]},
        lambda x: space_to_batch(x, [2, 3], [0, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (2, 3, 4),
        {"block_shape": [2, 3], "paddings": [[1, 0], [0, 2]]},
        lambda x: space_to_batch(x, [2, 3], [1, 0], [0, 2]),
        pieces=6,
    ),
    Call(
        (1, 4, 3),
        {"block_shape": [2, 1], "paddings": [[4, 2], [2, 0]]},
        lambda x: space_to_batch(x, [2, 1], [4, 2], [2, 0]),
        pieces=1,
    ),
    Call(
        (2, 1, 2),
        {"block_shape": [3, 1], "paddings": [[4, 4], [0, 1]]},
        lambda x: space_to_batch(x, [3, 1], [4, 0], [4, 1]),
        pieces=3,
    ),
    Call(
        (1, 5, 2),
        {"block_shape": [1, 1], "paddings": [[0, 0], [0, 0]]},
        lambda x: space_to_batch(x, [1, 1], [0, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (2, 0, 3),
        {"block_shape": [2, 1], "paddings": [[1, 1], [0, 0]]},
        lambda x: space_to_batch(x, [2, 1], [1, 0], [1, 0]),
        pieces=2,
    ),
    Call(
        (0, 3, 4),
        {"block_shape": [2, 2], "paddings": [[1, 0], [0, 0]]},
        lambda x: space_to_batch(x, [2, 2], [1, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (1, 3, 2, 3, 4),
        {"block_shape": [2, 2, 1, 2], "paddings": [[1, 2], [0, 2], [0, 0], [1, 1]]},
        lambda x: space_to_batch(x, [2, 2, 1, 2], [1, 0, 0, 1], [2, 2, 0, 1]),
        pieces=8,
    ),
    Call((2, 3, 2), {"block_shape": [2], "paddings": [(1, 0)]}, lambda x: space_to_batch(x, [2], [1], [0]), pieces=2),
    Call((2, 3), {"block_shape": [], "paddings": []}, lambda x: x, pieces=1),
]

REFUSALS = [
    Refusal(
        (2, 3), {"block_shape": [], "paddings": np.zeros((0, 2))}, TypeError, "paddings must be a list of integers"
    ),
    Refusal((2, 3), {"block_shape": [], "paddings": np.zeros((0, 3), int)}, ValueError, "paddings must be a list"),
    Refusal(
        (2, 3),
        {"block_shape": [2], "paddings": [[0, 0]]},
        ValueError,
        r"block_shape must divide each axis with its pads, got \[2\] \(axis 1, extent 3\)",
    ),
    Refusal(
        (1, 1),
        {"block_shape": [4097], "paddings": [[1, 4095]]},
        ValueError,
        "block_shape must give at most 4096 pieces",
    ),
    Refusal(
        (2, 4), {"block_shape": [0], "paddings": [[0, 0]]}, ValueError, r"block_shape must be at least 1, got \[0\]"
    ),
    Refusal(
        (2, 4),
        {"block_shape": [2], "paddings": [[0, -1]]},
        ValueError,
        r"paddings must be at least 0, got \[\[0, -1\]\]",
    ),
    Refusal(
        (2, 4), {"block_shape": [2], "paddings": [[0, 0], [0, 0]]}, ValueError, "paddings must be 1 pair of integers"
    ),
    Refusal((2, 4), {"block_shape": [2], "paddings": [0]}, ValueError, "paddings must be 1 pair of integers"),
    Refusal((2, 4), {"block_shape": [2], "paddings": 0}, TypeError, "paddings must be 1 pair of integers"),
    Refusal(
        (2, 4),
        {"block_shape": [1, 1], "paddings": [[0, 0], [0, 0]]},
        ValueError,
        r"input must have at least 3 axes, got \(2, 4\)",
    ),
    Refusal((2, 4), {"block_shape": [1.0], "paddings": [[0, 0]]}, TypeError, "block_shape must hold integers only"),
]

test_space_to_batch_nd = contract(fo.tensorflow.space_to_batch_nd, CALLS, REFUSALS)
