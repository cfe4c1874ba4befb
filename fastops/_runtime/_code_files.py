"""Files of machine code: each is whole, or it is not there; processes may write them at once.

Whoever can write such a file can run code as the user who loads it. So files and their directories must belong to this
user or to the superuser, and nobody else may write them.
"""

from __future__ import annotations

import errno
import os
import secrets
import shlex
import stat
import sys
from pathlib import Path

from fastops._process._warnings import warn_once
from fastops._runtime._object_files import UnfitObjectError

# Whoever runs fastops may write what is created, all others may read it, as far as the umask lets them.
_FILE_MODE, _DIRECTORY_MODE = 0o644, 0o755


def cache_directory() -> Path:
    """Return the directory of compiled kernels, in ``NUMBA_CACHE_DIR`` or else the user's cache directory.

    The variable is read from the environment, not from Numba: Numba also takes it from a file ``.numba_config.yaml`` in
    the current directory, so that whoever wrote that file could have other code loaded.
    """
    return Path(os.environ.get("NUMBA_CACHE_DIR") or _user_cache()) / "fastops-kernels"


def _user_cache() -> str:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches")
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")


def why_not_used() -> str | None:
    """Return why compiled kernels are not kept in their directory, or None if they are."""
    try:
        check_directory(cache_directory())
    except PermissionError as error:
        return error.strerror
    return None


def warn_not_kept(error: OSError) -> None:
    """Warn that the cache cannot be read or written."""
    warn_once(
        f"compiled kernels cannot be kept in {cache_directory()}, so each process compiles its own: {error.strerror}. "
        "NUMBA_CACHE_DIR names another directory"
    )


def read_code(path: Path) -> bytes | None:
    """Return the content of a file, or None if there is none.

    Raises
    ------
    UnfitObjectError
        It belongs to another user, or others may write it.
    PermissionError
        That is so of its directory.
    """
    if not os.path.isfile(path):
        # Skip anything but regular files. If the directory is out of reach, writing the code will say so.
        return None
    check_directory(path.parent)
    # Nobody else can put another file in its place.
    reason = _why_not_trusted(path)
    if reason is not None:
        raise UnfitObjectError(reason)
    return path.read_bytes()


def write_code(path: Path, code: bytes) -> None:
    """Write a file whole, in place of one that may be there.

    Raises
    ------
    PermissionError
        The directory belongs to another user, or others may write it.
    """
    make_directory(path.parent)
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), _FILE_MODE)
        with open(descriptor, "wb") as file:
            file.write(code)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def check_directory(directory: Path) -> None:
    """Raise PermissionError unless code may be kept in a directory, which need not exist yet.

    Directory and parent must belong to this user or to the superuser, and nobody else may write them. The parent
    may be a directory such as /tmp, where users cannot remove each other's files.
    """
    if not directory.is_absolute():
        raise PermissionError(errno.EPERM, f"{directory.parent} is not an absolute path")
    for place, may_be_shared in ((directory.parent, True), (directory, False)):
        if os.path.exists(place) and not (may_be_shared and os.stat(place).st_mode & stat.S_ISVTX):
            reason = _why_not_trusted(place)
            if reason is not None:
                raise PermissionError(errno.EPERM, reason)


def make_directory(directory: Path) -> None:
    """Make a directory that only this user may write, whatever the umask, unless it is there.

    Raises
    ------
    PermissionError
        It belongs to another user, or others may write it.
    """
    check_directory(directory)
    _make_directories(directory)
    # Another process may have made it meanwhile.
    check_directory(directory)


def _make_directories(directory: Path) -> None:
    if not directory.parent.exists():
        _make_directories(directory.parent)
    directory.mkdir(_DIRECTORY_MODE, exist_ok=True)


def _why_not_trusted(path: Path) -> str | None:
    """Return why code of a file, or a directory, is not run, and how that ends if it lies with this user; or None."""
    if not hasattr(os, "geteuid"):
        # Windows: the user's directories are not other users' to write.
        return None
    status = os.stat(path)
    if status.st_uid not in (0, os.geteuid()):
        return f"{path} belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others than its owner may write {path} (chmod go-w {shlex.quote(str(path))} ends that)"
    return None
