"""What NumPy's functions return where it is not a writeable array: scalars, and views that are read-only."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_numpy_scalar(result: Any, out: Any, copy: Any) -> Any:
    """Return a fresh array of no dimensions as a scalar, and anything else as it is."""
    is_scalar = type(result) is np.ndarray and result.ndim == 0 and out is None and copy is True
    return result[()] if is_scalar else result


def as_scalar_if(data: Any, result: Any, out: Any, copy: Any) -> Any:
    """Return the result of a method that NumPy's scalars have, too: a scalar for a scalar."""
    return as_numpy_scalar(result, out, copy) if isinstance(data, np.generic) else result


def as_read_only(result: Any, out: Any, copy: Any) -> Any:
    """Return a result that was asked for as a view, read-only as NumPy's."""
    if copy is not True and out is None and type(result) is np.ndarray:
        result.flags.writeable = False
    return result
