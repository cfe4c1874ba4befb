"""Memory-mapped .npy files: read in place, and written beside their place until they are whole."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path

import numpy as np

from fastops._dtypes import AnyArray, AnyDType
from fastops._errors import AttributeValueError

# What a file can hold, but for its header.
_MOST_BYTES = 2**63 - 2**16


def open_npy(op: str, attribute: str, path: str) -> AnyArray:
    """Return the array of a file, mapped into memory and read-only."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise AttributeValueError(op, attribute, "be a regular file", path)
    try:
        return np.lib.format.open_memmap(path, mode="r")
    except Exception as error:
        # A header is Python source that NumPy parses, so a damaged one raises whatever the parser raises.
        raise AttributeValueError(op, attribute, f"be a readable .npy file ({reason_of(error)})", path) from error


def create_npy(op: str, path: Path, shape: tuple[int, ...], dtype: AnyDType) -> AnyArray:
    """Return a writable array that is mapped onto a new file; one without bytes is written at once."""
    total_bytes = prod(shape) * dtype.itemsize
    rule = f"fit in a file as elements of {dtype.itemsize} bytes"
    if total_bytes > _MOST_BYTES:
        # NumPy would compute the length of the file modulo 2^64.
        raise AttributeValueError(op, "the output", rule, shape)
    if total_bytes == 0:
        empty: AnyArray = np.ndarray(shape, dtype)
        np.save(path, empty)
        return empty
    try:
        out: AnyArray = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EFBIG, errno.ENOMEM):
            raise AttributeValueError(op, "the output", rule, shape) from error
        raise
    if hasattr(os, "posix_fallocate"):
        # Without this, a disk that is full ends the process when a mapped page is written.
        with open(path, "r+b") as file:
            os.posix_fallocate(file.fileno(), 0, os.fstat(file.fileno()).st_size)
    return out


@contextmanager
def staged_files(op: str, targets: Sequence[str]) -> Iterator[list[Path]]:
    """Give a path beside each target to write to; then put all files in place, or, after any error, none.

    Links are followed, and a file that is replaced hands its permissions on.
    """
    places = [Path(os.path.realpath(target)) for target in targets]
    staged = [place.with_name(f".fastops-{secrets.token_hex(8)}.npy") for place in places]
    try:
        for target, place in zip(targets, places, strict=True):
            if place.exists() and not place.is_file():
                raise AttributeValueError(op, "output", "be the path of a regular file", target)
        yield staged
        for temporary, place in zip(staged, places, strict=True):
            if place.exists():
                shutil.copymode(place, temporary)
        _replace_all(staged, places)
    except OSError as error:
        raise AttributeValueError(
            op, "output", f"be a file that can be written ({reason_of(error)})", targets[0]
        ) from error
    finally:
        for temporary in staged:
            temporary.unlink(missing_ok=True)


def _replace_all(staged: Sequence[Path], places: Sequence[Path]) -> None:
    """Rename each staged file to its place; if one cannot be, put back what was there."""
    if len(places) == 1:
        os.replace(staged[0], places[0])
        return
    backups: list[tuple[Path, Path | None]] = []
    try:
        for temporary, place in zip(staged, places, strict=True):
            backup = temporary.with_suffix(".old") if place.exists() else None
            if backup:
                os.replace(place, backup)
            backups.append((place, backup))
            os.replace(temporary, place)
    except BaseException:
        for place, backup in backups:
            if backup:
                os.replace(backup, place)
            else:
                place.unlink(missing_ok=True)
        raise
    for _, backup in backups:
        if backup:
            backup.unlink()


def reason_of(error: Exception) -> str:
    """Return what an exception says, as a part of a line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())[:120] or type(error).__name__
