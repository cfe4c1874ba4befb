"""Arrays of zarr, which are directories: how they are opened, made, and told from others."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._cli._npy import reason_of
from fastops._cli._signals import ENDING_SIGNALS
from fastops._errors import AttributeValueError
from fastops._interop._extras import import_extra
from fastops._process._signals import signals_held_back

_SUFFIX = ".zarr"

# One of these lies in the directory of an array or a group.
_METADATA = ("zarr.json", ".zarray", ".zgroup")

_NO_ARRAY = "be a readable zarr array, which is a directory with a zarr.json or .zarray"


def names_zarr(path: str) -> bool:
    """True if a path names what is written as zarr."""
    return without_slash(path).endswith(_SUFFIX)


def without_slash(path: str) -> str:
    """Return a path without the slash that shells put behind the names of directories."""
    return path.rstrip(os.sep + (os.altsep or "")) or path


class ZarrSource:
    """An array of zarr that is read, whose errors are those of IN.

    Attributes
    ----------
    shape, dtype, ndim
        Those of the array.
    chunks : tuple of int
        The lengths of its chunks.
    zarr_format : int
        The version of its format, 2 or 3.
    """

    def __init__(self, op: str, path: str, array: Any) -> None:
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.ndim = len(self.shape)
        self.dtype: AnyDType = np.dtype(array.dtype)
        self.chunks: tuple[int, ...] = tuple(array.chunks)
        self.zarr_format: int = array.metadata.zarr_format
        self._op, self._path, self._array = op, path, array

    def __getitem__(self, key: Any) -> AnyArray:
        try:
            return np.asarray(self._array[key])
        except MemoryError:
            raise
        except Exception as error:
            # Each codec has its own word for bytes that it did not write.
            rule = f"be a zarr array that can be read ({reason_of(error)})"
            raise AttributeValueError(self._op, "IN", rule, self._path) from error


def check_zarr(op: str, attribute: str, path: str) -> None:
    """Raise for what has no metadata of zarr."""
    if not any([os.path.isfile(os.path.join(path, name)) for name in _METADATA]):
        raise AttributeValueError(op, attribute, _NO_ARRAY, path)


def open_zarr(op: str, attribute: str, path: str) -> ZarrSource:
    """Return an array of zarr, of which nothing but its metadata is read yet."""
    check_zarr(op, attribute, path)
    zarr = import_extra(op, "zarr", "zarr")
    try:
        with _without_warnings():
            found = zarr.open(without_slash(path), mode="r")
            if isinstance(found, zarr.Array):
                return ZarrSource(op, path, found)
    except Exception as error:
        # Metadata is JSON that zarr reads: what is damaged raises whatever is met first.
        rule = f"be a readable zarr array ({reason_of(error)})"
        raise AttributeValueError(op, attribute, rule, path) from error
    raise AttributeValueError(op, attribute, "be a zarr array, not a group", path)


def create_zarr(
    op: str, path: Path, shape: tuple[int, ...], dtype: AnyDType, chunks: Sequence[Sequence[int]], zarr_format: int
) -> Any:
    """Return a new array of zarr in a directory that is empty; the chunks along each axis are of one length."""
    zarr = import_extra(op, "zarr", "zarr")
    lengths = tuple([max(own[0], 1) for own in chunks])
    try:
        with _without_warnings(), signals_held_back(ENDING_SIGNALS):
            # zarr leaves out chunks that equal its fill value, of whatever bytes: a complex zero has signs.
            return zarr.create_array(
                store=str(path),
                shape=shape,
                chunks=lengths,
                dtype=dtype,
                zarr_format=zarr_format,
                config={"write_empty_chunks": True},
            )
    except (ValueError, TypeError) as error:
        rule = f"have a type that zarr stores ({reason_of(error)})"
        raise AttributeValueError(op, "the output", rule, str(dtype)) from error


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Keep back what zarr says of types that are no part of its specification yet."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
