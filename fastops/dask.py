"""Plans on dask arrays: each chunk of the result is one task, which reads the chunks that it needs.

All functions of fastops and all plans take dask arrays too, and return dask arrays. `apply` calls a plan and takes dask
arrays only. The extra ``dask`` installs dask.
"""

from __future__ import annotations

from typing import Any

from fastops._errors import DTypeError, FastopsError
from fastops._interop._layer import import_extra
from fastops._process import public_dir as _public_dir
from fastops._types import R
from fastops.plan._slice_plan import SlicePlan

__all__ = ["apply"]

__dir__ = _public_dir(globals())


def apply(plan: SlicePlan, array: R, *, fill_value: Any = None, chunks: Any = None) -> R:
    """Return the result of a plan on a dask array, lazily.

    Each task makes one chunk of the result. It reads only the chunks of the source that it needs.

    Parameters
    ----------
    plan : SlicePlan
        A plan of one operator or of a chain, for data of the array's shape.
    array : dask.array.Array
        An array of any dtype but object. Its chunks are NumPy arrays of known sizes.
    fill_value : scalar or sequence of scalars, optional
        The value of out-of-range coordinates in mode FILL, as in a call of the plan; zero by default.
    chunks : int, tuple or str, optional
        The chunks of the result, as dask writes them. By default they are regular, as zarr needs them. Along each axis,
        a chunk is as long as the longest chunk of the source axis divided by the stride. A chunk is never larger than
        the array's largest chunk, or than 1 MiB if that is more. Within this limit, chunks are longer if the result
        would have 10,000 chunks more than the array.

    Returns
    -------
    dask.array.Array
        An array of shape ``plan.shape`` and the array's dtype. Equal calls give arrays of one name.

    Raises
    ------
    AttributeValueError
        The shape of the array is not the plan's source shape, a chunk has an unknown size, ``chunks`` do not fit the
        result's shape, or a fill value does not fit the dtype.
    DTypeError
        ``plan`` is no SlicePlan, ``array`` is no dask array, or its elements cannot be moved.

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
        array_type = import_extra("dask.apply", "dask.array", "dask").Array
        if not isinstance(array, array_type):
            raise DTypeError.about("array", "be an array of dask", array)
        result: R = plan(array, fill_value=fill_value, chunks=chunks)
    except FastopsError as error:
        # Name this function in the error: the caller did not call the plan.
        error.op = ""
        error.add_context("dask.apply", {"chunks": chunks}, {"data": "array"})
        raise
    return result
