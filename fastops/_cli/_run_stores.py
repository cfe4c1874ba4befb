"""Outputs where IN or OUT is an array of zarr: what is made before they are computed, chunk by chunk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import Element
from fastops._cli._dask_runs import apply_outputs, as_dask, store_all
from fastops._cli._npy import open_npy, write_npy
from fastops._cli._run_calls import Written
from fastops._cli._staging import staged_files
from fastops._cli._zarr_files import ZarrSource, create_zarr, names_zarr
from fastops._cli._zarr_staging import staged_stores
from fastops._execution._range_call import RangeCall, execute_range
from fastops._geometry._geometry import whole_geometry
from fastops._geometry._planned_output import PlannedOutput

# The version of the format of arrays whose source has none.
_ZARR_FORMAT = 3


def store_outputs(
    op: str, outputs: Sequence[PlannedOutput], source: AnyArray | ZarrSource, fill: Element, targets: Sequence[str]
) -> list[Written]:
    """Write outputs of a source, all of zarr, or all of .npy, by the names of the targets."""
    results = apply_outputs(op, outputs, as_dask(op, source), fill)
    if not names_zarr(targets[0]):
        with staged_files(op, targets) as paths:
            shapes = [each.shape for each in results]
            write_npy(
                *(op, paths, shapes, source.dtype),
                lambda files: store_all(op, results, files, f"writing {targets[0]}"),
            )
        return [Written(target, each.shape, source.dtype) for target, each in zip(targets, results, strict=True)]
    zarr_format = source.zarr_format if isinstance(source, ZarrSource) else _ZARR_FORMAT
    stores: list[Any] = []
    with staged_stores(op, targets) as paths:
        for path, each in zip(paths, results, strict=True):
            stores.append(create_zarr(op, path, each.shape, source.dtype, each.chunks, zarr_format))
        store_all(op, results, stores, f"writing {targets[0]}")
    return [Written(target, each.shape, np.dtype(each.dtype)) for target, each in zip(targets, stores, strict=True)]


def store_range(call: RangeCall, target: str) -> list[Written]:
    """Write a range as an array of zarr.

    Its values are written to a file first, because they are rounded by their places in all of it.
    """
    with tempfile.TemporaryDirectory(prefix=".fastops-", dir=os.path.dirname(target) or ".") as directory:
        path = Path(directory, "values.npy")
        write_npy("range", [path], [call.shape], call.dtype, lambda outs: execute_range(call, outs[0]))
        whole = PlannedOutput.of_geometry(whole_geometry(call.shape))
        fill = Element(np.zeros(1, call.dtype))
        return store_outputs("range", [whole], open_npy("range", "output", str(path)), fill, [target])
