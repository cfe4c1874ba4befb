"""Copies, repeats, broadcasts and sliding windows of numpy."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from fastops._geometry._geometry import SourceWindow
from fastops._geometry._numbers import Index, Indices, OneForAll, OneOrMore, as_index, is_tensor
from fastops._lowering._arguments import Rule, one_of, optional
from fastops._lowering._bounds import check_at_least, check_length, one_each, resolve_axes
from fastops._lowering._moves import lower_broadcasts, lower_repeats, lower_tiles
from fastops._types import AnyArray, Copy, Data, Options, Out
from fastops.ops import Assembly, AttributeValueError, DTypeError, Operator, SampleMode, Windows, r

__all__ = ["ascontiguousarray", "broadcast_to", "copy", "repeat", "sliding_window_view", "tile"]


def as_numpy_scalar(result: Any, out: Any, copy: Any) -> Any:
    """Return a fresh array of rank 0 as a scalar, and anything else unchanged."""
    is_scalar = type(result) is np.ndarray and result.ndim == 0 and out is None and copy is True
    return result[()] if is_scalar else result


class ScalarOperator(Operator):
    """An operator that returns a scalar of NumPy for a scalar of NumPy."""

    _body = "run_scalar({data}, ({attributes}), out, copy, chunks)"

    def run_scalar(self, data: Any, attributes: tuple[Any, ...], out: Any, copy: Any, chunks: Any) -> Any:
        """Run the operator."""
        result = self.run_gather(data, attributes, out, copy, None, chunks)
        return as_numpy_scalar(result, out, copy) if isinstance(data, np.generic) else result


def as_read_only(result: Any, out: Any, copy: Any) -> Any:
    """Make a result read-only if the caller asked for a view, as NumPy does, and return it."""
    if copy is not True and out is None and type(result) is np.ndarray:
        result.flags.writeable = False
    return result


def _lower_copy(shape: Indices, order: Literal["C"]) -> Windows:  # noqa: ARG001 - the only order.
    return Windows(shape, [(0, 1, extent) for extent in shape])


def _lower_ascontiguousarray(shape: Indices) -> Windows:
    return Windows(shape, [(0, 1, extent) for extent in shape], shape=shape or (1,))


@(_COPY := Operator(_lower_copy, order=one_of(("C",), hint="; np.copy has other orders")))
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


@Operator(lower_tiles, Rule(r.TILE, (r.REPEATS,), r.MAY_BE_ONE))
def tile(A: Data, reps: OneOrMore, **rest: Unpack[Options]) -> AnyArray:  # noqa: N803 - NumPy's own name.
    """Repeat an array along its axes: numpy.tile.

    The shorter of the shape of A and reps gets ones in front. Then output y of an axis of length d reads index
    ``y mod d`` for ``0 <= y < d * reps``.

    Parameters
    ----------
    reps : int or list of int
        How often each axis is repeated, >= 0.

    Raises
    ------
    AttributeValueError
        A negative number.

    Examples
    --------
    >>> fnp.tile(np.arange(3), (2, 1))
    array([[0, 1, 2],
           [0, 1, 2]])
    """


@Operator(
    partial(lower_repeats, least_rank=1), Rule(r.REPEAT, (r.REPEATS, r.AXIS)), repeats=as_index, axis=optional(as_index)
)
def repeat(a: Data, repeats: OneOrMore | ArrayLike, axis: Index | None = None, **rest: Unpack[Options]) -> AnyArray:
    """Repeat each element: numpy.repeat.

    If ``repeats`` is one number, output y of an axis of length d reads index ``y // repeats`` for
    ``0 <= y < d * repeats``. Without ``axis``, the elements of the flattened array are repeated, and the result has one
    axis.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype. Data of rank 0 counts as one element of one axis.
    repeats : int or array_like of int
        How often each element is repeated, >= 0. If there is a number for each element of the axis, NumPy makes the
        result.
    axis : int, optional
        The axis; negative axes count from the end.
    copy : bool or None
        True: a copy. False: a view, or an error if the result cannot be a view. None: a view if nothing is repeated,
        the result can be a view and ``out`` is not given, and a copy otherwise.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have, a negative number, or a list that does not have the length of the axis.

    Examples
    --------
    >>> fnp.repeat(np.array([[1, 2], [3, 4]]), 2)
    array([1, 1, 2, 2, 3, 3, 4, 4])
    >>> fnp.repeat(np.array([[1, 2], [3, 4]]), 2, axis=1)
    array([[1, 1, 2, 2],
           [3, 3, 4, 4]])
    """


@(_BROADCAST_TO := Operator(lower_broadcasts, Rule(r.BROADCAST, (r.REPEATS,), r.MAY_BE_ONE)))
def broadcast_to(
    array: Data, shape: OneOrMore, subok: bool = False, *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Broadcast an array to a shape: numpy.broadcast_to, as a copy.

    The shape of the array gets ones in front. Output y of an axis reads index 0 if the array has length 1 there, and
    index y otherwise.

    Parameters
    ----------
    shape : int or list of int
        The shape of the result.
    subok : bool
        True to keep a subclass of ndarray; NumPy broadcasts these.
    copy : bool or None
        True: a copy. False: a read-only view, as NumPy's. None: a read-only view, unless ``out`` is given.

    Raises
    ------
    AttributeValueError
        The array has more axes than the shape, or an axis whose length is neither 1 nor that of the shape.
    DTypeError
        A shape that is not a list of integers.

    Examples
    --------
    >>> fnp.broadcast_to(np.arange(3), (2, 3))
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    others = {"subok": subok} if subok else {}
    return as_read_only(_BROADCAST_TO.run_gather(array, (shape,), out, copy, None, chunks, others), out, copy)


def _lower_sliding_window_view(
    shape: Indices, window_shape: Indices, axis: Indices | None, step: OneForAll
) -> Assembly:
    rank = len(shape)
    axes = tuple(range(rank)) if axis is None else resolve_axes("axis", axis, rank, may_repeat=True)
    which = "axis of x" if axis is None else "of axis"
    check_length("window_shape", window_shape, len(axes), which)
    steps = one_each("step", step, len(axes), which)
    check_at_least(0, window_shape=window_shape)
    check_at_least(1, step=steps)
    starts, step_of = list(shape), dict(zip(axes, steps, strict=True))
    for k, size, own_step in zip(axes, window_shape, steps, strict=True):
        if size > starts[k]:
            raise AttributeValueError.about("window_shape", f"be at most {starts[k]}", window_shape, k, shape[k])
        if own_step != step_of[k]:
            raise AttributeValueError.about("step", "be the same number for an axis that is named twice", steps)
        starts[k] -= size - 1
    windows = [-(-count // step_of.get(k, 1)) for k, count in enumerate(starts)]
    lengths = [*windows, *window_shape]
    # The axis that counts windows and the axis of elements in a window read the same axis of data.
    reads = [SourceWindow(k, 0, step_of.get(k, 1) if n > 1 else 0) for k, n in enumerate(windows)]
    reads += [SourceWindow(k, 0, 1) for k in axes]
    bounds, order = [(0, 1, n) for n in lengths], range(len(lengths))
    return Assembly.of_one(Windows(lengths, bounds, SampleMode.STRICT_BOUNDS, lengths, shape, order, reads))


@(_SLIDING_WINDOW_VIEW := Operator(_lower_sliding_window_view, Rule(r.SLIDE, (r.SIZE, r.AXES, r.STRIDE))))
def sliding_window_view(
    x: Data,
    window_shape: OneOrMore,
    axis: OneOrMore | None = None,
    *,
    subok: bool = False,
    writeable: bool = False,
    step: OneForAll = 1,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    r"""Return all windows of an array: np.lib.stride_tricks.sliding_window_view, as a copy, with steps.

    Window y along an axis begins at index ``y * step``; all windows lie inside. The result is that of NumPy's function,
    with a slice ``[::step]`` along each axis that counts windows.

    Parameters
    ----------
    window_shape : int or list of int
        The number of elements of a window along each of the axes, >= 0.
    axis : int or list of int, optional
        The axes of x; negative axes count from the end. All axes by default. An axis that is named twice gives windows
        of windows.
    subok : bool
        True to keep a subclass of ndarray; NumPy makes these windows.
    writeable : bool
        True for a view that may be written, although its windows share elements. Copies may always be written.
    step : int or list of int
        The distance from one window to the next, >= 1: one number for all axes, or one for each axis, which must be the
        same number for an axis that is named twice.
    copy : bool or None
        True: a copy. False: a read-only view, as NumPy's. None: a read-only view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the dtype of x, or a view of x; of shape (\*shape of x with numbers of
        windows at the axes, \*window_shape).

    Raises
    ------
    AttributeValueError
        A window longer than its axis, a size below 0, a step below 1, lists of different lengths, or an axis that x
        does not have.

    Notes
    -----
    Specification: NumPy 2.4, numpy.lib.stride_tricks.sliding_window_view, which returns the view of ``copy=False``.

    Examples
    --------
    >>> fnp.sliding_window_view(np.arange(7), 3, step=2)
    array([[0, 1, 2],
           [2, 3, 4],
           [4, 5, 6]])
    """
    others = {"subok": subok, "writeable": writeable} if subok or writeable else {}
    if writeable and copy is not True and out is None:
        error = AttributeValueError.about("writeable", "be False for a view whose windows share elements", writeable)
        arguments = {"window_shape": window_shape, "axis": axis, "step": step, **others}
        return _SLIDING_WINDOW_VIEW.fall_back(error, x, arguments, out, copy, chunks)
    result = _SLIDING_WINDOW_VIEW.run_gather(x, (window_shape, axis, step), out, copy, None, chunks, others)
    return as_read_only(result, out, copy)
