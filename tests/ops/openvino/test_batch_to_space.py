"""OpenVINO BatchToSpace-2."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import batch_to_space

CALLS = [
    Call(
        (12, 3, 2),
        {"block_shape": [1, 2, 3], "crops_begin": [0, 0, 0], "crops_end": [0, 0, 0]},
        lambda x: batch_to_space(x, [2, 3], [0, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (12, 3, 2),
        {"block_shape": [1, 2, 3], "crops_begin": [0, 1, 0], "crops_end": [0, 0, 2]},
        lambda x: batch_to_space(x, [2, 3], [1, 0], [0, 2]),
        pieces=4,
    ),
    Call(
        (4, 4, 3),
        {"block_shape": [1, 2, 2], "crops_begin": [0, 1, 2], "crops_end": [0, 3, 1]},
        lambda x: batch_to_space(x, [2, 2], [1, 2], [3, 1]),
        pieces=6,
    ),
    Call(
        (3, 4, 2),
        {"block_shape": [1, 3, 1], "crops_begin": [0, 4, 0], "crops_end": [0, 4, 1]},
        lambda x: batch_to_space(x, [3, 1], [4, 0], [4, 1]),
        pieces=2,
    ),
    Call(
        (3, 4, 2),
        {"block_shape": [1, 3, 1], "crops_begin": [0, 4, 0], "crops_end": [0, 7, 0]},
        lambda x: batch_to_space(x, [3, 1], [4, 0], [7, 0]),
        pieces=1,
    ),
    Call(
        (1, 5, 2),
        {"block_shape": [1, 1, 1], "crops_begin": [0, 2, 0], "crops_end": [0, 1, 0]},
        lambda x: batch_to_space(x, [1, 1], [2, 0], [1, 0]),
        pieces=1,
    ),
    Call(
        (2, 2, 3),
        {"block_shape": [1, 2, 1], "crops_begin": [0, 4, 0], "crops_end": [0, 0, 0]},
        lambda x: batch_to_space(x, [2, 1], [4, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (0, 2, 3),
        {"block_shape": [1, 2, 1], "crops_begin": [0, 1, 0], "crops_end": [0, 1, 0]},
        lambda x: batch_to_space(x, [2, 1], [1, 0], [1, 0]),
        pieces=1,
    ),
    Call(
        (2, 0, 3),
        {"block_shape": [1, 2, 1], "crops_begin": [0, 0, 0], "crops_end": [0, 0, 0]},
        lambda x: batch_to_space(x, [2, 1], [0, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (8, 2, 1, 3, 2),
        {"block_shape": [1, 2, 1, 2, 2], "crops_begin": [0, 1, 0, 1, 0], "crops_end": [0, 1, 0, 2, 1]},
        lambda x: batch_to_space(x, [2, 1, 2, 2], [1, 0, 1, 0], [1, 0, 2, 1]),
        pieces=8,
    ),
    Call(
        (4, 3),
        {"block_shape": [1, 2], "crops_begin": [0, 1], "crops_end": [0, 0]},
        lambda x: batch_to_space(x, [2], [1], [0]),
        pieces=2,
    ),
]

REFUSALS = [
    Refusal(
        (3, 3, 4),
        {"block_shape": [1, 2, 1], "crops_begin": [0, 0, 0], "crops_end": [0, 0, 0]},
        ValueError,
        r"block_shape must have a product that divides the batch, got \[1, 2, 1\] \(axis 0, extent 3\)",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 2, 1], "crops_begin": [0, 4, 0], "crops_end": [0, 3, 0]},
        ValueError,
        r"crops_begin must crop at most 6 elements together, got \[0, 4, 0\] \(axis 1, extent 3\)",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "crops_begin": [0, 0, 2], "crops_end": [0, 0, 3]},
        ValueError,
        r"crops_end must crop at most 4 elements together, got \[0, 0, 3\] \(axis 2, extent 4\)",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1], "crops_begin": [0, 0, 0], "crops_end": [0, 0, 0]},
        ValueError,
        "block_shape must have 3 values, one for each axis of data",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "crops_begin": [0, 0], "crops_end": [0, 0, 0]},
        ValueError,
        r"crops_begin must have 3 values, .*, got \[0, 0\]",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [2, 1, 1], "crops_begin": [0, 0, 0], "crops_end": [0, 0, 0]},
        ValueError,
        "block_shape must begin with 1, for the batch, got",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "crops_begin": [0, 0, 0], "crops_end": [1, 0, 0]},
        ValueError,
        "crops_end must begin with 0, for the batch, got",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 0, 1], "crops_begin": [0, 0, 0], "crops_end": [0, 0, 0]},
        ValueError,
        r"block_shape must be at least 1, got \[1, 0, 1\]",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "crops_begin": [0, -1, 0], "crops_end": [0, 0, 0]},
        ValueError,
        r"crops_begin must be at least 0, got \[0, -1, 0\]",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "crops_begin": [0, 0, 0], "crops_end": [0, 0, -1]},
        ValueError,
        r"crops_end must be at least 0, got \[0, 0, -1\]",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1.5, 1], "crops_begin": [0, 0, 0], "crops_end": [0, 0, 0]},
        TypeError,
        "block_shape must hold integers only",
    ),
    Refusal(
        (2,),
        {"block_shape": [1], "crops_begin": [0], "crops_end": [0]},
        ValueError,
        r"data must have at least 2 axes, got \(2,\)",
    ),
]

test_batch_to_space = contract(fo.openvino.batch_to_space, CALLS, REFUSALS)
