"""What a worker of a process pool runs."""

from __future__ import annotations

import os

import numpy as np

import fastops as fo
from fastops._runtime._launches import count_workers


def count() -> tuple[int, int]:
    """Make a call, and return how many threads large work would have: by default, and where the user chooses."""
    fo.slice(np.zeros(2), [0], [2])
    default = count_workers()
    os.environ["NUMBA_NUM_THREADS"] = "chosen"
    return default, count_workers()
