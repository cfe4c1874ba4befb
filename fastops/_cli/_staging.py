"""Files that are written out of sight, and put in their places when all of them are whole."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fastops._cli._npy import reason_of
from fastops._cli._signals import ENDING_SIGNALS
from fastops._errors import AttributeValueError
from fastops._process._signals import signals_held_back

# Each unnamed file takes a descriptor until all are whole, and some systems give a process 256 of them.
_MOST_UNNAMED = 64


@contextmanager
def staged_files(op: str, targets: Sequence[str]) -> Iterator[list[Path]]:
    """Give a path for each target to write to; then put all files in place, or, after any error, none.

    Links are followed, and a file that is replaced hands its permissions on.
    """
    try:
        places = [_place_of(op, target) for target in targets]
        if len(set(places)) < len(places):
            raise AttributeValueError(op, "output", "name a file for each part", list(targets))
        with ExitStack() as stack:
            has_few = len(places) <= _MOST_UNNAMED
            staged = [stack.enter_context(_staged_file(place, try_unnamed=has_few)) for place in places]
            yield [file.path for file in staged]
            for file in staged:
                take_permissions(file.place, file.path)
            with signals_held_back(ENDING_SIGNALS):
                for file in staged:
                    file.take_name()
                _replace_all(staged)
    except OSError as error:
        rule = f"be a file that can be written ({reason_of(error)})"
        raise AttributeValueError(op, "output", rule, targets[0]) from error


def _place_of(op: str, target: str) -> Path:
    """Return where a target lies, behind all links."""
    if not os.path.isdir(os.path.dirname(target) or "."):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    place = Path(os.path.realpath(target))
    # What is still a link leads in a circle, and what exists elsewhere is an open file without a name.
    is_other = place.is_symlink() or (os.path.exists(target) and not place.is_file())
    if is_other or os.path.basename(target) in ("", ".", ".."):
        raise AttributeValueError(op, "output", "be the path of a regular file", target)
    return place


@dataclass(frozen=True, slots=True)
class _StagedFile:
    """A file on its way to its place.

    Attributes
    ----------
    place : Path
        Where it is to be.
    name : Path
        A name beside its place: what it is renamed from, and the start of what its predecessor is kept under.
    descriptor : int or None
        The open file while it has no name, or None if it has one from the start.
    """

    place: Path
    name: Path
    descriptor: int | None

    @property
    def path(self) -> Path:
        """The path to write to."""
        return self.name if self.descriptor is None else Path(_path_of(self.descriptor))

    def take_name(self) -> None:
        """Give the file its name, if it has none."""
        if self.descriptor is not None:
            # Given a descriptor, whichever, os.link follows the link that the path of an open file is.
            os.link(self.path, self.name, src_dir_fd=self.descriptor, follow_symlinks=True)


def take_permissions(place: Path, path: Path) -> None:
    """Give what is at a path the mode of what it replaces, and, as far as the user may, its group and owner."""
    if not place.exists():
        return
    # First: nobody but root may change the mode of what is another's.
    shutil.copymode(place, path)
    status = place.stat()
    if hasattr(os, "chown"):
        for owner, group in ((-1, status.st_gid), (status.st_uid, -1)):
            with suppress(OSError):
                os.chown(path, owner, group)


@contextmanager
def _staged_file(place: Path, *, try_unnamed: bool) -> Iterator[_StagedFile]:
    """Give a new file, which is gone after the block unless it was renamed."""
    name = place.with_name(f".fastops-{secrets.token_hex(8)}.npy")
    descriptor = _open_unnamed(place.parent) if try_unnamed else None
    try:
        if descriptor is None and place.exists():
            # Nobody else may read what is going to replace a file that perhaps nobody else may read.
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield _StagedFile(place, name, descriptor)
    finally:
        # What hinders the removing has hindered the writing, and is told.
        with signals_held_back(ENDING_SIGNALS), suppress(OSError):
            if descriptor is not None:
                os.close(descriptor)
            name.unlink(missing_ok=True)


def _open_unnamed(directory: Path) -> int | None:
    """Return the descriptor of a new file without a name, which goes even with a process that is killed.

    Return None where there are no such files; what else is wrong is told by the opening of a file with a name.
    """
    if sys.platform != "linux":
        return None
    try:
        descriptor = os.open(directory, os.O_TMPFILE | os.O_RDWR, 0o666)
    except OSError:
        return None
    if os.path.exists(_path_of(descriptor)):
        return descriptor
    # /proc is not there.
    os.close(descriptor)
    return None


def _path_of(descriptor: int) -> str:
    return f"/proc/self/fd/{descriptor}"


def _replace_all(staged: Sequence[_StagedFile]) -> None:
    """Rename each file to its place; if one cannot be, put back what was there."""
    *others, last = staged
    backups = []
    with ExitStack() as undo:
        for file in others:
            backup = _keep(file.place, file.name.with_suffix(".old"))
            backups.append(backup)
            undo.callback(_put_back, file.place, backup)
            os.replace(file.name, file.place)
        # Nothing comes behind this one that would undo it.
        os.replace(last.name, last.place)
        undo.pop_all()
    for backup in backups:
        if backup:
            backup.unlink()


def _keep(place: Path, backup: Path) -> Path | None:
    """Let a file have another name too, or, where there are no hard links, instead; None if there is no file."""
    if not place.exists():
        return None
    try:
        os.link(place, backup)
    except OSError:
        os.replace(place, backup)
    return backup


def _put_back(place: Path, backup: Path | None) -> None:
    if backup is None:
        place.unlink(missing_ok=True)
        return
    os.replace(backup, place)
    # Both names of one file stay as they are when one is renamed to the other.
    backup.unlink(missing_ok=True)
