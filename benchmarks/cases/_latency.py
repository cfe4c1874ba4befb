"""Tiny calls, where all the time is the way to the kernel and back: what the latency suite times."""

from __future__ import annotations

import numpy as np

from benchmarks.cases._case import Case, Size
from benchmarks.cases._moves import pad_functions

LATENCY_CASES = (
    Case(
        "tiny_strided_slice",
        "latency",
        "strided_slice",
        "float32",
        Size((8, 8)),
        Size((8, 8)),
        lambda _size: {"begin": [1, 0], "end": [7, 8], "strides": [1, 2]},
        lambda data, _size: data[1:7, ::2],
    ),
    Case(
        "tiny_reflect_pad",
        "latency",
        "slice",
        "float32",
        Size((8, 8), 2),
        Size((8, 8), 2),
        *pad_functions("reflect"),
    ),
    Case(
        "tiny_split",
        "latency",
        "variadic_split",
        "float32",
        Size((8, 8)),
        Size((8, 8)),
        lambda _size: {"axis": 0, "split_lengths": [3, 3, -1]},
        lambda data, _size: np.split(data, [3, 6]),
    ),
    Case(
        "tiny_range",
        "latency",
        "range",
        "float32",
        Size((100,)),
        Size((100,)),
        lambda _size: {"start": 0, "stop": 100, "step": 1, "output_type": "float32"},
        lambda positions, _size: positions.astype("float32"),
    ),
)
