"""Plans on arrays of dask: one task for each chunk of the result, which reads the chunks that it needs.

All functions of fastops and all plans take arrays of dask too, and give such arrays. `apply` is a call of a plan that
takes no other data. The extra ``dask`` has what it needs.
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
        longest one of the array along the axis that is read, divided by the stride with which it is read, and never of
        more elements than the array's largest chunk, or than 1 MiB. They are longer, within this limit, where there
        were more than 10,000 chunks more than the array has.

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
        array_type = import_extra("dask.apply", "dask.array", "dask").Array
        if not isinstance(array, array_type):
            raise DTypeError.about("array", "be an array of dask", array)
        result: R = plan(array, fill_value=fill_value, chunks=chunks)
    except FastopsError as error:
        # The caller has called this function and not the plan.
        error.op = ""
        error.add_context("dask.apply", {"chunks": chunks}, {"data": "array"})
        raise
    return result
