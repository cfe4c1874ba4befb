"""What a worker of a process pool runs."""

from __future__ import annotations

import numpy as np

import fastops as fo
from fastops._runtime._launches import count_workers


def count(n: int) -> int:
    """Make a call, and return how many threads large work would have."""
    fo.slice(np.zeros(n), [0], [n])
    return count_workers()
