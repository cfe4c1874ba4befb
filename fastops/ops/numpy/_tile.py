"""numpy.tile."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Index, Indices, OneOrMore
from fastops._lowering._arguments import as_one_or_more
from fastops._lowering._axes import check_at_least_0
from fastops._lowering._decorator import lowering
from fastops._lowering._repeats import lower_tiles
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("numpy.tile", Rule(r.TILE, (r.REPEATS,), r.MAY_BE_ONE), reps=as_one_or_more)
def lower_tile(shape: Indices, reps: OneOrMore) -> Windows:
    """Return the plan of `fastops.numpy.tile` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.tile((3,), (2, 2)).shape
    (2, 6)
    """
    check_at_least_0("reps", reps)
    return lower_tiles(shape, reps)


_OPERATOR = Operator(lower_tile, data_name="A")


@keeps_kind
def tile(A: Data, reps: Index | Indices, *, out: Out = None, copy: bool | None = True) -> AnyArray:  # noqa: N803 - NumPy's own name.
    """Repeat an array along its axes: numpy.tile.

    The shorter of A's shape and reps gets ones in front; then output y of an axis of length d reads index ``y mod d``
    for ``0 <= y < d * reps``.

    Parameters
    ----------
    A : array_like
        Any shape, any dtype but object.
    reps : int or list of int
        How often each axis is repeated, >= 0.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap A.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where only axes of length 1 are repeated, and ``out`` is
        not given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of A's dtype, or a view of A.

    Raises
    ------
    AttributeValueError
        Negative repeats.
    DTypeError
        Repeats that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.tile.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.tile(np.arange(3), (2, 1))
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    return _OPERATOR.run_gather(A, (reps,), out, copy)
