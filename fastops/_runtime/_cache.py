"""The cache of objects in the user's directory: each file is whole or missing, also where several processes write it.

Whoever can write such a file can run code as the user who loads it. So files and their directories must belong to this
user or to the superuser, and nobody else may write them.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import sys
import tempfile
from pathlib import Path

from fastops._process import warn_once
from fastops._runtime._object_files import Manifest, Target, UnfitObjectError, check, this_process, unpack

# The owner may write files and directories of the cache; everybody may read them, as far as the umask permits.
_FILE_MODE, _DIRECTORY_MODE = 0o644, 0o755


def cache_directory() -> Path:
    """Return the directory of objects, in ``NUMBA_CACHE_DIR`` or else in the user's cache directory.

    The variable is read from the environment and not from Numba. Numba also reads it from a file in the current
    directory, ``.numba_config.yaml``, by which another user could have this user load foreign code.
    """
    return Path(os.environ.get("NUMBA_CACHE_DIR") or _user_cache()) / "fastops-kernels"


def _user_cache() -> str:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches")
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")


def path_of(name: str, *key: object) -> Path:
    """Return the path of an object for this process and for a key."""
    digest = hashlib.sha256(json.dumps([this_process(), key], sort_keys=True).encode()).hexdigest()
    return cache_directory() / f"{name}-{digest[:16]}.object"


def find(path: Path, name: str, target: Target) -> tuple[Manifest, bytes] | None:
    """Return the object of a name and a target at a path, or None; a warning says why a file cannot be used."""
    try:
        # Skip anything but regular files, such as pipes.
        if not os.path.isfile(path):
            return None
        _check_directory()
        reason = _why_not_trusted(path)
        if reason is not None:
            raise UnfitObjectError(reason)
        manifest, code = unpack(path.read_bytes())
        check(manifest)
        if (manifest.name, manifest.target) != (name, target):
            raise UnfitObjectError("it is another object")
    except UnfitObjectError as error:
        warn_once(f"{path} is not used: {error}. It is compiled anew")
        return None
    except OSError as error:
        _warn(error)
        return None
    return manifest, code


def keep(path: Path, content: bytes) -> None:
    """Write an object into the cache, in place of a file that may be there; a warning says why that cannot be done."""
    temporary = None
    try:
        make_directory()
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
        temporary.chmod(_FILE_MODE)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        _warn(error)


def make_directory() -> None:
    """Make the directory of the cache, unless it is there; raise an OSError where it cannot be used."""
    _check_directory()
    directory = cache_directory()
    # Whatever the umask, others may not write it.
    for each in (*reversed(directory.parents), directory):
        if not each.exists():
            each.mkdir(_DIRECTORY_MODE, exist_ok=True)
    # Another process may have made it meanwhile.
    _check_directory()


def why_not_used() -> str | None:
    """Return why the cache cannot be used, or None if it can."""
    try:
        _check_directory()
    except PermissionError as error:
        return error.strerror
    return None


def _check_directory() -> None:
    """Raise a PermissionError if others may write the cache's directory or its parent; neither need exist.

    The parent may be a directory such as /tmp, where users cannot remove each other's files.
    """
    directory = cache_directory()
    if not directory.is_absolute():
        raise PermissionError(errno.EPERM, f"{directory.parent} is not an absolute path")
    for place in (directory.parent, directory):
        is_sticky = place != directory and place.exists() and place.stat().st_mode & stat.S_ISVTX
        reason = _why_not_trusted(place) if place.exists() and not is_sticky else None
        if reason is not None:
            raise PermissionError(errno.EPERM, reason)


def _why_not_trusted(path: Path) -> str | None:
    """Return why others may have written a file or a directory, or None."""
    if not hasattr(os, "geteuid"):
        # Windows: other users cannot write this user's directories.
        return None
    status = path.stat()
    if status.st_uid not in (0, os.geteuid()):
        return f"{path} belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others than its owner may write {path} (chmod go-w {path} ends that)"
    return None


def _warn(error: OSError) -> None:
    warn_once(
        f"compiled kernels cannot be kept in {cache_directory()}, so each process compiles its own: {error.strerror}. "
        "NUMBA_CACHE_DIR names another directory"
    )
