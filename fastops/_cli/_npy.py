"""Memory-mapped .npy files."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import prod
from pathlib import Path
from typing import IO

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._outputs import too_large
from fastops._errors import AttributeValueError, counted
from fastops._interop._files import check_regular_file

# What a file can hold, but for its header.
_MOST_BYTES = 2**63 - 2**16

# Bytes of a header. NumPy takes no more than 10,000 characters.
_LONGEST_HEADER = 2**16


def open_npy(op: str, attribute: str, path: str) -> AnyArray:
    """Return the array of a file, mapped into memory and read-only."""
    check_regular_file(op, attribute, path)
    try:
        # NumPy warns of what it makes of odd headers.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            empty = _check_header(path)
            return np.lib.format.open_memmap(path, mode="r") if empty is None else empty
    except Exception as error:
        # A header is Python source that NumPy parses, so a damaged one raises whatever the parser raises.
        rule = f"be a readable .npy file, or the directory of a zarr array ({reason_of(error)})"
        raise AttributeValueError(op, attribute, rule, path) from error


def _check_header(path: str) -> AnyArray | None:
    """Raise for a header that NumPy must not map; return the array of one that has no bytes, which cannot be mapped.

    NumPy divides by the bytes of an element, which are none for some types, and takes negative extents.
    """
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        # Headers of version 3 are those of version 2 but for the encoding of names, which are not looked at here.
        is_first = version == (1, 0)
        if not is_first:
            _check_header_length(file)
        read = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(file)
        stored_bytes = os.fstat(file.fileno()).st_size - file.tell()
    if dtype.hasobject:
        raise ValueError("arrays of objects are not read")
    if any([type(extent) is not int or extent < 0 for extent in shape]):
        raise ValueError(f"its shape is {shape}")
    if prod(shape) * dtype.itemsize > stored_bytes:
        raise ValueError(f"it has {counted(stored_bytes, 'byte')} of data, not {prod(shape) * dtype.itemsize}")
    return None if prod(shape) * dtype.itemsize else np.ndarray(shape, dtype)


def _check_header_length(file: IO[bytes]) -> None:
    """Raise for a header that is longer than one of version 1 can be: NumPy reads up to 4 GiB before it refuses."""
    place = file.tell()
    length = int.from_bytes(file.read(4), "little")
    if length > _LONGEST_HEADER:
        raise ValueError(f"its header has {counted(length, 'byte')}")
    file.seek(place)


def write_npy(
    op: str,
    paths: Sequence[Path],
    shapes: Sequence[tuple[int, ...]],
    dtype: AnyDType,
    write: Callable[[list[AnyArray]], None],
) -> None:
    """Let a function write arrays that are mapped onto new files, and bring them to the disk.

    The arrays are gone when this returns: some systems do not replace a file that is mapped.
    """
    with ExitStack() as stack:
        files = zip(paths, shapes, strict=True)
        write([stack.enter_context(_created_npy(op, path, shape, dtype)) for path, shape in files])


@contextmanager
def _created_npy(op: str, path: Path, shape: tuple[int, ...], dtype: AnyDType) -> Iterator[AnyArray]:
    """Give a writable array that is mapped onto a new file, and bring it to the disk in the end."""
    total_bytes = prod(shape) * dtype.itemsize
    rule = f"fit in a file as elements of {counted(dtype.itemsize, 'byte')}"
    if total_bytes > _MOST_BYTES:
        # NumPy would compute the length of the file modulo 2^64.
        raise AttributeValueError(op, "the output", rule, shape)
    try:
        if total_bytes == 0:
            # There is nothing to map.
            empty: AnyArray = np.ndarray(shape, dtype)
        else:
            out = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    except ValueError as error:
        # More axes, or more elements of no bytes, than NumPy has.
        raise too_large(shape, dtype) from error
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EFBIG, errno.ENOMEM):
            raise AttributeValueError(op, "the output", rule, shape) from error
        raise
    if total_bytes == 0:
        with open(path, "wb") as file:
            np.save(file, empty)
        yield empty
        return
    if hasattr(os, "posix_fallocate"):
        # Without this, a disk that is full ends the process when a mapped page is written.
        with open(path, "r+b") as file:
            os.posix_fallocate(file.fileno(), 0, os.fstat(file.fileno()).st_size)
    yield np.asarray(out)
    out.flush()


def reason_of(error: Exception) -> str:
    """Return what an exception says, as a part of a line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())[:120] or type(error).__name__
