"""np.lib.stride_tricks.sliding_window_view, as a copy, with steps."""

from __future__ import annotations

from typing import Any

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._geometry import SourceWindow
from fastops._geometry._numbers import Index, Indices, OneOrMore
from fastops._lowering._arguments import Rule, as_index_or_indices, as_one_or_more, optional
from fastops._lowering._bounds import check_at_least_0, check_length, resolve_axes
from fastops._lowering._patches import check_steps
from fastops._lowering._windows import Assembly, Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._results import as_read_only


@lowering(
    "numpy.sliding_window_view",
    Rule(r.SLIDE, (r.SIZE, r.AXES, r.STRIDE)),
    window_shape=as_one_or_more,
    axis=optional(as_one_or_more),
    step=as_index_or_indices,
)
def lower_sliding_window_view(
    shape: Indices, window_shape: Indices, axis: Indices | None = None, *, step: OneOrMore = 1
) -> Assembly:
    """Return the plan of `fastops.numpy.sliding_window_view` on data of this shape: a list of one.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.numpy.sliding_window_view((4, 5), (2, 3))]
    [(3, 3, 2, 3)]
    >>> [plan.shape for plan in fo.plan.numpy.sliding_window_view((4, 5), 3, axis=1, step=2)]
    [(4, 2, 3)]
    """
    rank = len(shape)
    axes = tuple(range(rank)) if axis is None else resolve_axes("axis", axis, rank, may_repeat=True)
    check_length("window_shape", window_shape, len(axes), "axis of x" if axis is None else "of axis")
    steps = (step,) * len(axes) if isinstance(step, int) else step
    check_length("step", steps, len(axes), "axis of x" if axis is None else "of axis")
    check_at_least_0("window_shape", window_shape)
    if axes:
        check_steps(step=steps)
    starts, step_of = list(shape), dict(zip(axes, steps, strict=True))
    for k, size, own_step in zip(axes, window_shape, steps, strict=True):
        if size > starts[k]:
            raise AttributeValueError.about("window_shape", f"be at most {starts[k]}", window_shape, k, shape[k])
        if own_step != step_of[k]:
            raise AttributeValueError.about("step", "be one number for an axis that is named twice", steps)
        starts[k] -= size - 1
    windows = [-(-count // step_of.get(k, 1)) for k, count in enumerate(starts)]
    lengths = [*windows, *window_shape]
    # Windows of an axis, and what is in them, read the same axis.
    reads = [SourceWindow(k, 0, step_of.get(k, 1) if n > 1 else 0) for k, n in enumerate(windows)]
    reads += [SourceWindow(k, 0, 1) for k in axes]
    bounds = [(0, 1, n) for n in lengths]
    order = range(len(lengths))
    return Assembly.of_one(
        Windows(lengths, bounds, shape=lengths, source_shape=shape, order=order, source_windows=reads)
    )


_OPERATOR = Operator(lower_sliding_window_view, data_name="x")


@keeps_kind
def sliding_window_view(
    x: Data,
    window_shape: Index | Indices,
    axis: Index | Indices | None = None,
    *,
    subok: bool = False,
    writeable: bool = False,
    step: OneOrMore = 1,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    r"""Return all windows of an array: np.lib.stride_tricks.sliding_window_view, as a copy, with steps.

    Window y of an axis begins at ``y * step`` of it; all windows lie inside. The result is
    ``np.lib.stride_tricks.sliding_window_view(x, window_shape, axis)`` with a slice ``[::step]`` of each of these axes.

    Parameters
    ----------
    x : array_like
        Any shape, any dtype.
    window_shape : int or list of int
        Elements of a window along each of the axes, >= 0.
    axis : int or list of int, optional
        Axes of x; by default all. Of an axis that is named twice, windows of windows are taken.
    subok : bool
        True to keep a subclass of ndarray: NumPy makes the windows of such.
    writeable : bool
        True for a view that can be written, though its windows share elements. Copies can always be.
    step : int or list of int
        Coordinates from one window to the next, >= 1: one for all, or one for each of the axes, alike for an axis that
        is named twice.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap x.
    copy : bool or None
        True: a copy. False: a read-only view, as NumPy gives. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of x's dtype, or a view of x; of shape (\*shape of x with windows at
        axes, \*window_shape).

    Raises
    ------
    AttributeValueError
        A window longer than its axis, a size below 0, a step below 1, lists of different lengths, or an axis that x has
        not.
    DTypeError
        Numbers that are no integers.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.lib.stride_tricks.sliding_window_view, with ``copy=False`` for its view.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.sliding_window_view(np.arange(7), 3, step=2)
    array([[0, 1, 2],
           [2, 3, 4],
           [4, 5, 6]])
    """
    others = {"subok": subok, "writeable": writeable} if subok or writeable else {}
    if writeable and copy is not True and out is None:
        error = AttributeValueError.about("writeable", "be False for a view whose windows share elements", writeable)
        arguments = {"window_shape": window_shape, "axis": axis, "step": step, **others}
        return _OPERATOR.fall_back(error, x, arguments, out, copy, chunks)
    return as_read_only(_OPERATOR.run_gather(x, (window_shape, axis, step), out, copy, None, chunks, others), out, copy)
