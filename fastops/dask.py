"""Plans on arrays of dask: one task for each chunk of the result, which reads the chunks that it needs.

The extra ``dask`` has what this module imports. Functions of fastops that take an array of dask give one, by `apply`.
"""

from __future__ import annotations

from typing import Any

from dask.array import Array

from fastops._arrays._fill_values import Element, encode_fills
from fastops._errors import AttributeValueError, DTypeError, FastopsError, shown
from fastops._interop._dask_kind import DASK_ARRAYS, apply_output
from fastops._plans._planned_output import PlannedOutput
from fastops._plans._slice_plan import SlicePlan

__all__ = ["apply"]


def apply(plan: SlicePlan, array: Any, *, fill_value: Any = None, chunks: Any = None) -> Any:
    """Return the result of a plan on an array of dask, lazily.

    A task gives one chunk of the result. It reads the chunks of the source that it needs, and no other; where it is one
    of them as it is, that is passed on without a copy.

    Parameters
    ----------
    plan : SlicePlan
        One operator's, or a chain's, for data of the array's shape.
    array : dask.array.Array
        Of any dtype but object, in chunks of known sizes, which are arrays of NumPy.
    fill_value : scalar or sequence of scalars, optional
        What out-of-range coordinates in mode FILL read, as for a call of the plan; zero by default.
    chunks : int, tuple or str, optional
        The chunks of the result, as dask writes them. By default they are regular, as zarr needs them: as long as the
        longest one of the array along the axis that is read, divided by the stride with which it is read.

    Returns
    -------
    dask.array.Array
        Of shape ``plan.shape`` and the array's dtype. Equal calls give arrays of one name.

    Raises
    ------
    AttributeValueError
        The array has another shape than the plan's source, or chunks of unknown sizes, or ``chunks`` are none of the
        result's shape, or a fill value does not fit.
    DTypeError
        ``plan`` is no slice plan, ``array`` none of dask, or its elements cannot be moved.

    Examples
    --------
    >>> import dask.array as da
    >>> from fastops import dask, plan
    >>> image = da.arange(12, chunks=5)
    >>> padded = dask.apply(plan.numpy.pad((12,), 2, "reflect"), image)
    >>> padded.chunks, len(padded.dask.layers[padded.name])
    (((5, 5, 5, 1),), 4)
    >>> padded[:4].compute()
    array([2, 1, 0, 1])
    """
    try:
        if type(plan) is not SlicePlan:
            raise DTypeError.about("plan", "be a SlicePlan", plan)
        if not isinstance(array, Array):
            raise DTypeError.about("array", "be an array of dask", array)
        shape, dtype = DASK_ARRAYS.describe(array)
        if shape != plan.source_shape:
            raise AttributeValueError.about("array", f"have shape {shown(plan.source_shape)}", shape)
        fill = Element(encode_fills(dtype, plan.fills, fill_value))
        return apply_output(PlannedOutput.of_plan(plan), array, fill, chunks)
    except FastopsError as error:
        error.add_context("dask.apply", {"chunks": chunks}, {"data": "array"})
        raise
