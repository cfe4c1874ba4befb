"""The files of `fastops run`: what IN is read as, and how outputs are written, by what the names say."""

from __future__ import annotations

import os
from functools import partial
from math import prod

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element
from fastops._cli._npy import open_npy, write_npy
from fastops._cli._npy_blocks import write_blocks
from fastops._cli._progress import ProgressBar
from fastops._cli._run_calls import Lowered, RunCall, Written
from fastops._cli._run_stores import store_outputs, store_range
from fastops._cli._staging import staged_files
from fastops._cli._zarr_files import ZarrSource, check_zarr, names_zarr, open_zarr, without_slash
from fastops._errors import AttributeValueError
from fastops._execution._range_call import execute_range, prepare_range
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._range_geometry import RangeGeometry
from fastops._interop._extras import import_extra


def load_extras(op: str, source_path: str | None, output: str) -> None:
    """Load what arrays of zarr need, where IN or OUT is one; raise an ImportError that says what is missing."""
    is_source = source_path is not None and _is_zarr(source_path)
    if source_path is not None and is_source:
        # A directory of anything else needs no package to say so.
        check_zarr(op, "IN", source_path)
    if is_source or names_zarr(output):
        # dask by itself first: one without arrays is told by another name.
        for module, extra in (("zarr", "zarr"), ("dask", "dask"), ("dask.array", "dask")):
            import_extra(op, module, extra)


def write_outputs(call: RunCall, source_path: str, output: str) -> list[Written]:
    """Write what a call gives of IN: all files of it, or none."""
    op = call.op
    if not _is_zarr(source_path) and not names_zarr(output):
        return _write_npy(call, source_path, output)
    source = open_zarr(op, "IN", source_path) if _is_zarr(source_path) else open_npy(op, "IN", source_path)
    lowered, fill = _prepare(call, source)
    targets = _targets(op, lowered, output)
    inside = os.path.realpath(source_path) + os.sep
    if any([os.path.realpath(target).startswith(inside) for target in targets]):
        raise AttributeValueError(op, "output", "not lie in IN", output)
    return store_outputs(op, lowered.outputs, source, fill, targets)


def _is_zarr(path: str) -> bool:
    """True if IN is to be read as an array of zarr."""
    return names_zarr(path) or os.path.isdir(path)


def _prepare(call: RunCall, source: AnyArray | ZarrSource) -> tuple[Lowered, Element]:
    """Return what a call gives of a source, and its fill values."""
    check_movable("IN", source.dtype)
    lowered = call.lower(source.shape)
    return lowered, call.fill(lowered, source.dtype)


def _targets(op: str, lowered: Lowered, output: str) -> list[str]:
    """Return the names of the files that are to be written."""
    own = without_slash(output) if names_zarr(output) else output
    if os.path.basename(own) in ("", ".", ".."):
        raise AttributeValueError(op, "output", "be the path of a regular file", output)
    return name_parts(own, len(lowered.outputs)) if lowered.has_parts else [own]


def _write_npy(call: RunCall, source_path: str, output: str) -> list[Written]:
    """Write files of .npy from one, block by block, on maps of their memory."""
    source = open_npy(call.op, "IN", source_path)
    lowered, fill = _prepare(call, source)
    dtype, shapes = source.dtype, [each.shape for each in lowered.outputs]
    targets = _targets(call.op, lowered, output)
    with staged_files(call.op, targets) as paths, ProgressBar(sum([prod(shape) for shape in shapes])) as bar:
        for path, shape, own, target in zip(paths, shapes, lowered.outputs, targets, strict=True):
            bar.show(f"writing {target}")
            write = partial(_write_blocks, own, np.asarray(source), fill, bar, target)
            write_npy(call.op, [path], [shape], dtype, write)
            del write
        # Some systems do not replace a file that is mapped, and OUT may be IN.
        del source
    return [Written(target, shape, dtype) for target, shape in zip(targets, shapes, strict=True)]


def _write_blocks(
    output: PlannedOutput, source: AnyArray, fill: Element, bar: ProgressBar, target: str, outs: list[AnyArray]
) -> None:
    for done in write_blocks(output, source, outs[0], fill):
        bar.advance(done)
        bar.show(f"writing {target}")


def write_range(geometry: RangeGeometry, dtype: AnyDType, output: str) -> list[Written]:
    """Write the values of a range."""
    call = prepare_range(geometry, dtype)
    if names_zarr(output):
        return store_range(call, without_slash(output))
    with staged_files("range", [output]) as paths:
        write_npy("range", paths, [call.shape], dtype, lambda outs: execute_range(call, outs[0]))
    return [Written(output, call.shape, dtype)]


def name_parts(output: str, parts: int) -> list[str]:
    """Return the names of the parts' files.

    Examples
    --------
    >>> name_parts("a/x.npy", 2), name_parts("p{}.npy", 1)
    (['a/x-0.npy', 'a/x-1.npy'], ['p0.npy'])
    """
    if "{}" not in output:
        stem, suffix = os.path.splitext(output)
        output = f"{stem}-{{}}{suffix}"
    return [output.replace("{}", str(i)) for i in range(parts)]
