"""Right calls with arrays of dask, zarr and xarray, and one wrong call."""

from typing import Any

import dask.array as da
import xarray as xr
import zarr
from numpy.typing import NDArray

import fastops as fo


def of_chunks(chunked: da.Array, stored: zarr.Array[Any], labelled: xr.DataArray) -> None:
    chunked = fo.numpy.pad(chunked, 1)
    chunked = fo.numpy.split(chunked, 2)[0]
    chunked = fo.windows(chunked, [[0], [1]], [2])
    chunked = fo.plan.slice((9,), [0], [1])(chunked)
    array: NDArray[Any] = fo.numpy.pad(stored, 1)
    array = fo.numpy.pad(labelled, 1)
    array = fo.lazy(stored).flip().run()
    fo.numpy.pad(chunked, 1, "mean-ish")  # bad
    print(array)
