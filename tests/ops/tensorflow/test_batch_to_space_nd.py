"""tf.raw_ops.BatchToSpaceND."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import batch_to_space

CALLS = [
    Call(
        (12, 3, 2),
        {"block_shape": [2, 3], "crops": [[0, 0], [0, 0]]},
        lambda x: batch_to_space(x, [2, 3], [0, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (12, 3, 2),
        {"block_shape": [2, 3], "crops": [[1, 0], [0, 2]]},
        lambda x: batch_to_space(x, [2, 3], [1, 0], [0, 2]),
        pieces=4,
    ),
    Call(
        (4, 4, 3),
        {"block_shape": [2, 2], "crops": [[1, 3], [2, 1]]},
        lambda x: batch_to_space(x, [2, 2], [1, 2], [3, 1]),
        pieces=6,
    ),
    Call(
        (3, 4, 2),
        {"block_shape": [3, 1], "crops": [[4, 4], [0, 1]]},
        lambda x: batch_to_space(x, [3, 1], [4, 0], [4, 1]),
        pieces=2,
    ),
    Call(
        (3, 4, 2),
        {"block_shape": [3, 1], "crops": [[4, 7], [0, 0]]},
        lambda x: batch_to_space(x, [3, 1], [4, 0], [7, 0]),
        pieces=1,
    ),
    Call(
        (1, 5, 2),
        {"block_shape": [1, 1], "crops": [[2, 1], [0, 0]]},
        lambda x: batch_to_space(x, [1, 1], [2, 0], [1, 0]),
        pieces=1,
    ),
    Call(
        (2, 2, 3),
        {"block_shape": [2, 1], "crops": [[4, 0], [0, 0]]},
        lambda x: batch_to_space(x, [2, 1], [4, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (0, 2, 3),
        {"block_shape": [2, 1], "crops": [[1, 1], [0, 0]]},
        lambda x: batch_to_space(x, [2, 1], [1, 0], [1, 0]),
        pieces=1,
    ),
    Call(
        (2, 0, 3),
        {"block_shape": [2, 1], "crops": [[0, 0], [0, 0]]},
        lambda x: batch_to_space(x, [2, 1], [0, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (8, 2, 1, 3, 2),
        {"block_shape": [2, 1, 2, 2], "crops": [[1, 1], [0, 0], [1, 2], [0, 1]]},
        lambda x: batch_to_space(x, [2, 1, 2, 2], [1, 0, 1, 0], [1, 0, 2, 1]),
        pieces=8,
    ),
    Call((4, 3, 2), {"block_shape": [2], "crops": [(1, 0)]}, lambda x: batch_to_space(x, [2], [1], [0]), pieces=2),
    Call((2, 3), {"block_shape": [], "crops": []}, lambda x: x, pieces=1),
]

REFUSALS = [
    Refusal(
        (3, 3),
        {"block_shape": [2], "crops": [[0, 0]]},
        ValueError,
        r"block_shape must have a product that divides the batch, got \[2\] \(axis 0, extent 3\)",
    ),
    Refusal(
        (2, 3),
        {"block_shape": [2], "crops": [[4, 3]]},
        ValueError,
        r"crops must crop at most 6 elements together, got \[\[4, 3\]\] \(axis 1, extent 3\)",
    ),
    Refusal((2, 4), {"block_shape": [0], "crops": [[0, 0]]}, ValueError, r"block_shape must be at least 1, got \[0\]"),
    Refusal(
        (2, 4), {"block_shape": [2], "crops": [[0, -1]]}, ValueError, r"crops must be at least 0, got \[\[0, -1\]\]"
    ),
    Refusal((2, 4), {"block_shape": [2], "crops": [[0, 0], [0, 0]]}, ValueError, "crops must be 1 pair of integers"),
    Refusal((2, 4), {"block_shape": [2], "crops": [0]}, ValueError, "crops must be 1 pair of integers"),
    Refusal((2, 4), {"block_shape": [2], "crops": 0}, TypeError, "crops must be 1 pair of integers"),
    Refusal(
        (2, 4),
        {"block_shape": [1, 1], "crops": [[0, 0], [0, 0]]},
        ValueError,
        r"input must have at least 3 axes, got \(2, 4\)",
    ),
    Refusal((2, 4), {"block_shape": [1.0], "crops": [[0, 0]]}, TypeError, "block_shape must hold integers only"),
]

test_batch_to_space_nd = contract(fo.tensorflow.batch_to_space_nd, CALLS, REFUSALS)
