"""The files of `fastops run`: what IN is read as, and how outputs are written, by what the names say."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element
from fastops._cli._dask_runs import apply_outputs, as_dask, store_all
from fastops._cli._npy import created_npy, open_npy
from fastops._cli._npy_blocks import write_blocks
from fastops._cli._progress import ProgressBar
from fastops._cli._run_calls import Lowered, RunCall
from fastops._cli._staging import staged_files
from fastops._cli._zarr_files import ZarrSource, check_zarr, create_zarr, names_zarr, open_zarr, without_slash
from fastops._cli._zarr_staging import staged_stores
from fastops._errors import AttributeValueError
from fastops._execution._range_call import execute_range, prepare_range
from fastops._interop._extras import import_extra
from fastops._plans._axis_map import AxisMap
from fastops._plans._planned_output import PlannedOutput
from fastops._plans._range_plan import RangePlan
from fastops._plans._slice_plan import SlicePlan

# The format of new arrays of zarr, where IN has none.
_NEWEST = 3


class Written(NamedTuple):
    """A file that was written."""

    path: str
    shape: tuple[int, ...]
    dtype: AnyDType


def load_extras(op: str, source_path: str | None, output: str) -> None:
    """Load what arrays of zarr need, where IN or OUT is one; raise an ImportError that says what is missing."""
    is_source = source_path is not None and _is_zarr(source_path)
    if source_path is not None and is_source:
        # A directory of anything else needs no package to say so.
        check_zarr(op, "IN", source_path)
    if is_source or names_zarr(output):
        import_extra(op, "zarr", "zarr")
        import_extra(op, "dask.array", "dask")


def write_outputs(call: RunCall, source_path: str, output: str) -> list[Written]:
    """Write what a call gives of IN: all files of it, or none."""
    op = call.op
    is_zarr_source = _is_zarr(source_path)
    source = open_zarr(op, "IN", source_path) if is_zarr_source else open_npy(op, "IN", source_path)
    check_movable("IN", source.dtype)
    lowered = call.lower(source.shape)
    call.check_fills(lowered)
    fill = call.fill(lowered, source.dtype)
    own = without_slash(output) if names_zarr(output) else output
    if os.path.basename(own) in ("", ".", ".."):
        raise AttributeValueError(op, "output", "be the path of a regular file", output)
    targets = name_parts(own, len(lowered.outputs)) if lowered.has_parts else [own]
    if not isinstance(source, ZarrSource) and not names_zarr(output):
        shapes = [source.shape] if lowered.is_flat else [each.shape for each in lowered.outputs]
        dtype = source.dtype
        _write_npy(op, lowered, shapes, source, fill, targets)
        del source
        return [Written(*each, dtype) for each in zip(targets, shapes, strict=True)]
    if lowered.is_flat:
        rule = "be given where IN or OUT is a zarr array, whose chunks are no parts of what is flattened"
        raise AttributeValueError(op, "dims" if op.startswith("torch.") else "axis", rule, None)
    return _write_stores(op, lowered.outputs, source, fill, targets)


def _is_zarr(path: str) -> bool:
    """True if IN is to be read as an array of zarr."""
    return names_zarr(path) or os.path.isdir(path)


def _write_npy(
    op: str,
    lowered: Lowered,
    shapes: Sequence[tuple[int, ...]],
    source: AnyArray,
    fill: Element,
    targets: Sequence[str],
) -> None:
    """Write files of .npy from one, block by block."""
    if lowered.is_flat:
        if not source.flags.c_contiguous:
            rule = "be in C order where it is flattened, or else a copy of it would be"
            raise AttributeValueError(op, "IN", rule, "an array in Fortran order")
        source = source.reshape(-1)
    with staged_files(op, targets) as paths, ProgressBar(sum([prod_of(shape) for shape in shapes])) as bar:
        for path, shape, output, target in zip(paths, shapes, lowered.outputs, targets, strict=True):
            bar.show(f"writing {target}")
            with created_npy(op, path, shape, source.dtype) as out:
                for done in write_blocks(output, source, out, fill):
                    bar.advance(done)
                    bar.show(f"writing {target}")
        # Some systems do not replace a file that is mapped, and OUT may be IN.
        del source
