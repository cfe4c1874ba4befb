"""Plain types: those of scalars that stay what they are and run no code of a caller's, so that keys may hold them.

They are told by their identities: what a type says it equals, or hashes to, is its author's word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fastops._errors import AttributeValueError
from fastops._geometry._numbers import is_tensor, unreadable

#: Python's and NumPy's integers.
INTEGERS = frozenset(map(id, (int, *(np.dtype(code).type for code in "bBhHiIlLqQ"))))

#: Those, booleans, and real floats.
NUMBERS = INTEGERS | frozenset(map(id, (bool, float, *(np.dtype(code).type for code in "?efdg"))))


def is_plain_number(value: object) -> bool:
    """True for a number of Python's or NumPy's types, which may be a part of a key."""
    return id(type(value)) in NUMBERS


def plain_values(attribute: str, value: Any) -> Any:
    """Return the numbers of a tensor of PyTorch, in lists of its shape; anything else as it is.

    NumPy does not read tensors of every type, nor those that require a gradient. It would compute arrays of dask.
    """
    if hasattr(type(value), "__dask_graph__"):
        raise AttributeValueError.about(attribute, "be computed before the call", type(value))
    if not is_tensor(value):
        return value
    try:
        return value.tolist()
    except RuntimeError as error:
        raise unreadable(attribute, value) from error
