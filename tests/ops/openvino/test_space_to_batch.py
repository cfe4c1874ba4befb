"""OpenVINO SpaceToBatch-2."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import space_to_batch

CALLS = [
    Call(
        (2, 4, 6),
        {"block_shape": [1, 2, 3], "pads_begin": [0, 0, 0], "pads_end": [0, 0, 0]},
        lambda x: space_to_batch(x, [2, 3], [0, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (2, 3, 4),
        {"block_shape": [1, 2, 3], "pads_begin": [0, 1, 0], "pads_end": [0, 0, 2]},
        lambda x: space_to_batch(x, [2, 3], [1, 0], [0, 2]),
        pieces=6,
    ),
    Call(
        (1, 4, 3),
        {"block_shape": [1, 2, 1], "pads_begin": [0, 4, 2], "pads_end": [0, 2, 0]},
        lambda x: space_to_batch(x, [2, 1], [4, 2], [2, 0]),
        pieces=1,
    ),
    Call(
        (2, 1, 2),
        {"block_shape": [1, 3, 1], "pads_begin": [0, 4, 0], "pads_end": [0, 4, 1]},
        lambda x: space_to_batch(x, [3, 1], [4, 0], [4, 1]),
        pieces=3,
    ),
    Call(
        (1, 5, 2),
        {"block_shape": [1, 1, 1], "pads_begin": [0, 0, 0], "pads_end": [0, 0, 0]},
        lambda x: space_to_batch(x, [1, 1], [0, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (2, 0, 3),
        {"block_shape": [1, 2, 1], "pads_begin": [0, 1, 0], "pads_end": [0, 1, 0]},
        lambda x: space_to_batch(x, [2, 1], [1, 0], [1, 0]),
        pieces=2,
    ),
    Call(
        (0, 3, 4),
        {"block_shape": [1, 2, 2], "pads_begin": [0, 1, 0], "pads_end": [0, 0, 0]},
        lambda x: space_to_batch(x, [2, 2], [1, 0], [0, 0]),
        pieces=1,
    ),
    Call(
        (1, 3, 2, 3, 4),
        {"block_shape": [1, 2, 2, 1, 2], "pads_begin": [0, 1, 0, 0, 1], "pads_end": [0, 2, 2, 0, 1]},
        lambda x: space_to_batch(x, [2, 2, 1, 2], [1, 0, 0, 1], [2, 2, 0, 1]),
        pieces=8,
    ),
    Call(
        (2, 3),
        {"block_shape": [1, 2], "pads_begin": [0, 1], "pads_end": [0, 0]},
        lambda x: space_to_batch(x, [2], [1], [0]),
        pieces=2,
    ),
]

REFUSALS = [
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 2, 1], "pads_begin": [0, 0, 0], "pads_end": [0, 0, 0]},
        ValueError,
        r"block_shape must divide each axis with its pads, got \[1, 2, 1\] \(axis 1, extent 3\)",
    ),
    Refusal(
        (1, 1),
        {"block_shape": [1, 4097], "pads_begin": [0, 1], "pads_end": [0, 4095]},
        ValueError,
        "block_shape must give at most 4096 pieces",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1], "pads_begin": [0, 0, 0], "pads_end": [0, 0, 0]},
        ValueError,
        "block_shape must have 3 values, one for each axis of data",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "pads_begin": [0, 0], "pads_end": [0, 0, 0]},
        ValueError,
        r"pads_begin must have 3 values, .*, got \[0, 0\]",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [2, 1, 1], "pads_begin": [0, 0, 0], "pads_end": [0, 0, 0]},
        ValueError,
        "block_shape must begin with 1, for the batch, got",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "pads_begin": [0, 0, 0], "pads_end": [1, 0, 0]},
        ValueError,
        "pads_end must begin with 0, for the batch, got",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 0, 1], "pads_begin": [0, 0, 0], "pads_end": [0, 0, 0]},
        ValueError,
        r"block_shape must be at least 1, got \[1, 0, 1\]",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "pads_begin": [0, -1, 0], "pads_end": [0, 0, 0]},
        ValueError,
        r"pads_begin must be at least 0, got \[0, -1, 0\]",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1, 1], "pads_begin": [0, 0, 0], "pads_end": [0, 0, -1]},
        ValueError,
        r"pads_end must be at least 0, got \[0, 0, -1\]",
    ),
    Refusal(
        (2, 3, 4),
        {"block_shape": [1, 1.5, 1], "pads_begin": [0, 0, 0], "pads_end": [0, 0, 0]},
        TypeError,
        "block_shape must hold integers only",
    ),
    Refusal(
        (2,),
        {"block_shape": [1], "pads_begin": [0], "pads_end": [0]},
        ValueError,
        r"data must have at least 2 axes, got \(2,\)",
    ),
]

test_space_to_batch = contract(fo.openvino.space_to_batch, CALLS, REFUSALS)
