"""numpy.copy and numpy.ascontiguousarray; also functions that make results as NumPy does: scalars, read-only views."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike

from fastops._errors import AttributeValueError, DTypeError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, is_tensor
from fastops._lowering._arguments import Rule, one_of
from fastops._lowering._windows import Windows
from fastops._types import AnyArray, Copy, Data, Out
from fastops.kernels._tables import _rules as r

__all__ = ["ascontiguousarray", "copy"]


def as_numpy_scalar(result: Any, out: Any, copy: Any) -> Any:
    """Return a fresh array of rank 0 as a scalar, and anything else unchanged."""
    is_scalar = type(result) is np.ndarray and result.ndim == 0 and out is None and copy is True
    return result[()] if is_scalar else result


def as_scalar_if(data: Any, result: Any, out: Any, copy: Any) -> Any:
    """Return a fresh array of rank 0 as a scalar if data is a NumPy scalar, and anything else unchanged."""
    return as_numpy_scalar(result, out, copy) if isinstance(data, np.generic) else result


def as_read_only(result: Any, out: Any, copy: Any) -> Any:
    """Make a result read-only if the caller asked for a view, as NumPy does, and return it."""
    if copy is not True and out is None and type(result) is np.ndarray:
        result.flags.writeable = False
    return result


def _lower_copy(shape: Indices, order: Literal["C"]) -> Windows:  # noqa: ARG001 - the only order.
    return Windows(shape, [(0, 1, extent) for extent in shape])


_COPY = Operator(_lower_copy, order=one_of(("C",), hint="; np.copy has other orders"))


def _lower_ascontiguousarray(shape: Indices) -> Windows:
    return Windows(shape, [(0, 1, extent) for extent in shape], shape=shape or (1,))


@_COPY
def copy(
    a: Data,
    order: Literal["C", "K", "A", "F"] = "C",
    subok: bool = False,
    *,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Copy an array: numpy.copy, with several threads for large arrays.

    Parameters
    ----------
    order : str
        The order of the result in memory. The default is "C"; the default of np.copy is "K". For the orders "K", "A"
        and "F", this function calls NumPy.
    subok : bool
        True to keep a subclass of ndarray; NumPy makes these copies.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given. A view has the strides of ``a``.

    Raises
    ------
    AttributeValueError
        An unknown order.
    DTypeError
        An order that is not a string.

    Examples
    --------
    >>> x = np.arange(6).reshape(2, 3)
    >>> y = fnp.copy(x.T)
    >>> y.flags.c_contiguous, np.array_equal(x.T, y)
    (True, True)
    """
    return _COPY.run_gather(a, (order,), out, copy, None, chunks, {"subok": subok} if subok else {})


def _has_dtype(a: Any, dtype: Any) -> bool:
    return type(a) is np.ndarray and isinstance(dtype, np.dtype | type | str) and a.dtype == dtype


@(_ASCONTIGUOUSARRAY := Operator(_lower_ascontiguousarray, Rule(r.WHOLE)))
def ascontiguousarray(
    a: Data, dtype: DTypeLike | None = None, *, like: Any = None, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Return the elements of an array in C order: numpy.ascontiguousarray, as a copy.

    The result has the shape of ``a``, or (1,) for data of rank 0. If ``a`` is C-contiguous and of rank 1 or more,
    np.ascontiguousarray returns ``a``; this function returns a view of it for ``copy=None``.

    Parameters
    ----------
    dtype : dtype, optional
        The dtype of the result. If data is a list or has another dtype, this function calls NumPy.
    like : array_like, optional
        An array of another library; the function of that library makes the result.
    copy : bool or None
        True: a copy. False: a view of C-contiguous data, and an error for other data. None: a view of C-contiguous data
        if ``out`` is not given, and a copy otherwise.

    Raises
    ------
    AttributeValueError
        ``copy`` is False and data is not C-contiguous.
    DTypeError
        A ``dtype`` that NumPy does not know.

    Examples
    --------
    >>> fnp.ascontiguousarray(np.float32(3))
    array([3.], dtype=float32)
    >>> x = np.arange(6).reshape(2, 3)
    >>> fnp.ascontiguousarray(x, np.float32).dtype
    dtype('float32')
    >>> np.shares_memory(x, fnp.ascontiguousarray(x, copy=None))
    True
    >>> fnp.ascontiguousarray(x.T, copy=None).flags.c_contiguous
    True
    """
    if like is not None or (dtype is not None and not _has_dtype(a, dtype)):
        name, value = ("dtype", dtype) if like is None else ("like", like)
        error = DTypeError.about(name, "be left out, or be the type of an array, where elements are moved", value)
        return _ASCONTIGUOUSARRAY.fall_back(error, a, {"dtype": dtype, "like": like}, out, copy, chunks)
    if copy is None and type(a) is np.ndarray and not a.flags.c_contiguous:
        copy = True
    result = _ASCONTIGUOUSARRAY.run_gather(a, (), out, copy, None, chunks)
    if copy is True or out is not None or _is_contiguous(result):
        return result
    # A view would not be contiguous.
    if copy is False:
        rule = "be True or None for data that is not contiguous"
        raise AttributeValueError(_ASCONTIGUOUSARRAY.name, "copy", rule, copy)
    return _ASCONTIGUOUSARRAY.run_gather(a, (), None, True, None, chunks)


def _is_contiguous(result: Any) -> bool:
    """True also for arrays of dask, whose blocks are made later."""
    if is_tensor(result):
        return bool(result.is_contiguous())
    return not isinstance(result, np.ndarray) or result.flags.c_contiguous
