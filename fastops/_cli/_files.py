"""Files of arrays, .npy and zarr: how they are opened, made, and put in place when they are complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._outputs import allocate, too_large
from fastops._errors import AttributeValueError
from fastops._geometry._planned_output import PlannedOutput, source_axes
from fastops._interop._layer import check_regular_file, import_extra

# The most bytes of an array in a file: NumPy would compute the length of a longer file modulo 2^64.
_MOST_BYTES = 2**63 - 2**16


def names_zarr(path: str) -> bool:
    """True if a path names an array of zarr: it ends in .zarr, or has no suffix and lies in a group of zarr."""
    group, name = os.path.split(path.rstrip(os.sep))
    in_group = any([os.path.exists(os.path.join(group, metadata)) for metadata in ("zarr.json", ".zgroup")])
    return name.endswith(".zarr") or (in_group and not os.path.splitext(name)[1])


def open_array(op: str, attribute: str, path: str) -> Any:
    """Return the array in a file, mapped into memory, or the array of zarr in a directory."""
    is_zarr = names_zarr(path) or os.path.isdir(path)
    zarr: Any = import_extra(op, "zarr", "zarr") if is_zarr else None
    if not is_zarr:
        check_regular_file(op, attribute, path)
    try:
        return zarr.open_array(path.rstrip(os.sep), mode="r") if is_zarr else _map_npy(path)
    except Exception as error:
        # NumPy and zarr parse headers and metadata as text, and damaged ones raise whatever the parser raises.
        rule = "be the directory of a zarr array" if is_zarr else "be a readable .npy file, or a directory of zarr"
        raise AttributeValueError(op, attribute, f"{rule} ({reason_of(error)})", path) from error


def _map_npy(path: str) -> AnyArray:
    headers: Any = np.lib.format
    with open(path, "rb") as file:
        # Headers of version 3 are those of version 2 in another encoding.
        read = headers.read_array_header_1_0 if headers.read_magic(file) == (1, 0) else headers.read_array_header_2_0
        shape, _, dtype = read(file)
    # Where an array has no bytes, NumPy may divide by zero, which ends the process.
    has_bytes = prod(shape) * dtype.itemsize != 0
    array: AnyArray = np.load(path, mmap_mode="r" if has_bytes else None, allow_pickle=False)
    return array


@contextmanager
def staged(op: str, targets: Sequence[str]) -> Iterator[list[Path]]:
    """Give a path to write for each target, and move the files into place after the block; none if the block raises.

    The files are written in a directory beside the first target that only this user can read. Links are followed, and a
    new file gets the permissions of the file that it replaces.
    """
    for target in targets:
        if not os.path.basename(target):
            raise AttributeValueError(op, "output", "be the path of a file", target)
        if not names_zarr(target):
            check_regular_file(op, "output", target)
        elif os.path.exists(target):
            # A directory that is no array is not replaced.
            open_array(op, "output", target)
    places = [Path(os.path.realpath(target)) for target in targets]
    with TemporaryDirectory(prefix=".fastops-", dir=places[0].parent) as directory:
        paths = [Path(directory, f"{i}") for i in range(len(places))]
        yield paths
        for path, place in zip(paths, places, strict=True):
            if place.exists():
                shutil.copymode(place, path)
        for path, place in zip(paths, places, strict=True):
            _put_in_place(path, place)


def _put_in_place(path: Path, place: Path) -> None:
    if not (path.is_dir() and place.exists()):
        os.replace(path, place)
        return
    # No system call replaces a directory that has files. The old one is removed with the directory of staged files.
    old = path.with_suffix(".old")
    os.rename(place, old)
    try:
        os.rename(path, place)
    except BaseException:
        os.rename(old, place)
        raise


@contextmanager
def new_npy(path: Path, shape: tuple[int, ...], dtype: AnyDType) -> Iterator[AnyArray]:
    """Give a writable array that is mapped onto a new file, and flush it after the block."""
    total_bytes = prod(shape) * dtype.itemsize
    if total_bytes == 0:
        empty = allocate(shape, dtype)
        with open(path, "wb") as file:
            np.save(file, empty)
        yield empty
        return
    try:
        if total_bytes > _MOST_BYTES:
            raise too_large(shape, dtype)
        mapped = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    except ValueError as error:
        # More axes than NumPy has.
        raise too_large(shape, dtype) from error
    if hasattr(os, "posix_fallocate"):
        # Without this, a full disk ends the process when a mapped page is written.
        with open(path, "r+b") as file:
            os.posix_fallocate(file.fileno(), 0, os.fstat(file.fileno()).st_size)
    yield np.asarray(mapped)
    mapped.flush()


def options_like(source: Any, output: PlannedOutput) -> dict[str, Any]:
    """Return the options of `zarr.create_array` for an output with the format, codecs and attributes of an array."""
    metadata, names = source.metadata, getattr(source.metadata, "dimension_names", None)
    axes, attributes = source_axes(output), dict(source.attrs)
    # In format 2, xarray writes the names of axes here.
    listed = attributes.pop("_ARRAY_DIMENSIONS", None)
    if isinstance(listed, list) and len(listed) == source.ndim and None not in axes:
        attributes["_ARRAY_DIMENSIONS"] = [listed[k] for k in axes if k is not None]
    options = {
        "zarr_format": metadata.zarr_format,
        "attributes": attributes,
        "fill_value": source.fill_value,
        # A codec that transposes axes fits one number of axes.
        "filters": [each for each in source.filters if len(getattr(each, "order", axes)) == len(axes)] or None,
        "compressors": source.compressors or None,
    }
    if metadata.zarr_format == 2:
        encoding = {"name": "v2", "separator": metadata.dimension_separator}
        return {**options, "order": source.order, "chunk_key_encoding": encoding}
    if names is not None:
        options["dimension_names"] = [None if k is None else names[k] for k in axes]
    return {**options, "serializer": source.serializer, "chunk_key_encoding": metadata.chunk_key_encoding}


def new_zarr(op: str, path: Path, **options: Any) -> Any:
    """Return a new array of zarr; the options are those of `zarr.create_array`."""
    zarr = import_extra(op, "zarr", "zarr")
    try:
        # Otherwise zarr leaves out chunks that equal its fill value, although -0.0 and 0.0 have other bytes.
        return zarr.create_array(store=str(path), config={"write_empty_chunks": True}, **options)
    except (ValueError, TypeError) as error:
        raise AttributeValueError(op, "the output", "have a type that zarr stores", reason_of(error)) from error


def part_names(output: str, parts: int) -> list[str]:
    """Return the names of the files of parts.

    Examples
    --------
    >>> part_names("a/x.npy", 2)
    ['a/x-0.npy', 'a/x-1.npy']
    """
    stem, suffix = os.path.splitext(output)
    return [f"{stem}-{i}{suffix}" for i in range(parts)]


def reason_of(error: Exception) -> str:
    """Return the text of an exception as a part of a line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())[:120] or type(error).__name__
