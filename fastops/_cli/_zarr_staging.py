"""Directories that are written out of sight, and put in their places when all of them are whole."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fastops._cli._npy import reason_of
from fastops._cli._signals import ENDING_SIGNALS
from fastops._cli._staging import take_permissions
from fastops._cli._zarr_files import open_zarr, without_slash
from fastops._errors import AttributeValueError
from fastops._process._signals import signals_held_back

# What lies in the directory of an array: its metadata, and chunks, by their numbers.
_PARTS_OF_ARRAYS = re.compile(r"zarr\.json|\.zarray|\.zattrs|\.zmetadata|c|\d+(\.\d+)*")


@contextmanager
def staged_stores(op: str, targets: Sequence[str]) -> Iterator[list[Path]]:
    """Give an empty directory for each target; then put all of them in place, or, after any error, none.

    Links are followed. What is replaced has to be an array of zarr, and hands its permissions on.
    """
    try:
        places = [_place_of(op, target) for target in targets]
        if len(set(places)) < len(places):
            raise AttributeValueError(op, "output", "name a directory for each part", list(targets))
        with ExitStack() as stack:
            staged = [stack.enter_context(_staged_store(place)) for place in places]
            yield [store.name for store in staged]
            for store in staged:
                take_permissions(store.place, store.name)
            with signals_held_back(ENDING_SIGNALS):
                _replace_all(staged)
    except OSError as error:
        rule = f"be a directory that can be written ({reason_of(error)})"
        raise AttributeValueError(op, "output", rule, targets[0]) from error


def _place_of(op: str, target: str) -> Path:
    """Return where a target lies, behind all links."""
    if not os.path.isdir(os.path.dirname(without_slash(target)) or "."):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    place = Path(os.path.realpath(target))
    # What is still a link leads in a circle.
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise AttributeValueError(op, "output", "be the path of a zarr array, or a new one", target)
    if place.exists():
        open_zarr(op, "output", target)
        others = sorted([name for name in os.listdir(place) if not _PARTS_OF_ARRAYS.fullmatch(name)])
        if others:
            rule = f"be the path of a zarr array and nothing else, but it has {others[0]}"
            raise AttributeValueError(op, "output", rule, target)
    return place


@dataclass(frozen=True, slots=True)
class _StagedStore:
    """A directory on its way to its place, and its name beside that."""

    place: Path
    name: Path


@contextmanager
def _staged_store(place: Path) -> Iterator[_StagedStore]:
    """Give a new directory, which is gone after the block unless it was renamed."""
    name = place.with_name(f".fastops-{secrets.token_hex(8)}.zarr")
    try:
        # Nobody else may read what is going to replace a directory that perhaps nobody else may read.
        os.mkdir(name, 0o700 if place.exists() else 0o777)
        yield _StagedStore(place, name)
    finally:
        # What hinders the removing has hindered the writing, and is told.
        with signals_held_back(ENDING_SIGNALS), suppress(OSError):
            shutil.rmtree(name)


def _replace_all(staged: Sequence[_StagedStore]) -> None:
    """Rename each directory to its place; if one cannot be, put back what was there."""
    backups = []
    with ExitStack() as undo:
        for store in staged:
            if store.place.exists():
                backup = store.name.with_suffix(".old")
                os.rename(store.place, backup)
                undo.callback(os.rename, backup, store.place)
                backups.append(backup)
            os.rename(store.name, store.place)
            undo.callback(os.rename, store.place, store.name)
        undo.pop_all()
    for backup in backups:
        try:
            shutil.rmtree(backup)
        except OSError as error:
            # What was asked for is done.
            print(f"fastops: {backup} is left, of what was replaced ({reason_of(error)})", file=sys.stderr)
