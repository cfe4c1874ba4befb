"""How float32 values round to the float types of at most 8 bits, as a table of steps for the range kernel.

ml_dtypes is the authority on these types: on their overflow, their infinities, their zeros and their NaNs. Rounding is
a step function of the float32 bits in numerical order, so a table of its steps says all of it, for every type alike.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fastops._arrays._dtypes import AnyArray, AnyDType

_INT32_MIN = -(2**31)


@lru_cache(32)
def rounding_steps(dtype: AnyDType) -> NDArray[np.int64]:
    """Return pairs (smallest ordered float32 bits, code), ascending: from there on, values round to that code.

    Ordered bits are the float32's own for positive values, and below -1 for negative ones, so that they sort as the
    values do, NaNs outermost.
    """
    codes = np.arange(256, dtype=np.uint8)
    with np.errstate(all="ignore"):
        values = codes.view(dtype).astype(np.float32)
    limits = np.array([np.finfo(np.float32).max, np.inf, np.nan, 0.0], np.float32)
    anchors = _ordered(np.concatenate([values, limits, -limits]))
    anchors = np.unique(np.append(anchors, [_INT32_MIN, 2**31 - 1]))
    # Between two neighbouring anchors the code changes at most once: find where, for all pairs at once.
    low, high = anchors[:-1], anchors[1:]
    first = _codes(dtype, low)
    for _ in range(32):
        middle = (low + high) // 2
        same = _codes(dtype, middle) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    starts = np.concatenate([anchors, high])
    order = np.argsort(starts, kind="stable")
    starts = starts[order]
    found = _codes(dtype, starts)
    changes = np.append(True, found[1:] != found[:-1])
    return np.stack([starts[changes], found[changes].astype(np.int64)], axis=1)


def _ordered(values: NDArray[np.float32]) -> NDArray[np.int64]:
    bits = values.view(np.int32).astype(np.int64)
    return np.where(bits >= 0, bits, _INT32_MIN - bits - 1)


def _codes(dtype: AnyDType, ordered: NDArray[np.int64]) -> AnyArray:
    """Return the codes of the float32 values with these ordered bits."""
    bits = np.where(ordered >= 0, ordered, _INT32_MIN - ordered - 1).astype(np.int32)
    with np.errstate(all="ignore"):
        return bits.view(np.float32).astype(dtype).view(np.uint8)
