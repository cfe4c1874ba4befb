"""Objects that are compiled on this machine: a separate process compiles them, and the user's cache keeps them.

A file of the cache is complete or missing, even if several processes write it. Whoever can write such a file can run
code as the user who loads it. So the files and their directory must belong to this user or to the superuser, and nobody
else may write them.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path

from fastops._errors import KernelError, saying_why
from fastops._process import warn_once
from fastops._runtime._object_files import MARK, Manifest, Target, UnfitObjectError, check, this_process, unpack
from fastops.kernels._form import SOURCES

#: The line on standard error before kernels are compiled.
NOTE = "fastops: compiling kernels, once for this machine: about 15 s"

# The import paths of this process let the new process find the same packages.
_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from fastops._runtime._compiler import main
main()
"""

# --- The cache ------------------------------------------------------------------------------------------------------


def cache_directory() -> Path:
    """Return the directory of objects, in ``NUMBA_CACHE_DIR`` or else in the user's cache directory.

    The variable is read from the environment and not from Numba. Numba also reads it from a file in the current
    directory, ``.numba_config.yaml``. Another user could write this file and so let this user load foreign code.
    """
    cache = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(cache) / "fastops-kernels"


def path_of(target: Target) -> Path:
    """Return the path of the object for this process and a target."""
    digest = hashlib.sha256(json.dumps([this_process(), target], sort_keys=True).encode()).hexdigest()
    return cache_directory() / f"kernels-{digest[:16]}.object"


def find(target: Target) -> tuple[Manifest, bytes] | None:
    """Return the object for a target, or None; a warning says why a file cannot be used."""
    path = path_of(target)
    try:
        _check_directory()
        if not path.exists():
            return None
        if reason := _why_not_trusted(path):
            raise UnfitObjectError(reason)
        # The name of the file has a digest of this process and target.
        return unpack(path.read_bytes())
    except UnfitObjectError as error:
        warn_once(f"{path} is not used: {error}. It is compiled anew")
    except OSError as error:
        _warn(error)
    return None


def keep(path: Path, content: bytes) -> None:
    """Write an object into the cache and replace an older file; if that is impossible, a warning says why."""
    temporary = path.with_suffix(f".{os.getpid()}")
    try:
        _make_directory()
        try:
            temporary.write_bytes(content)
            # The umask may let others write new files.
            temporary.chmod(0o644)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        _warn(error)


def _make_directory() -> None:
    """Make the directory of the cache if it is missing; raise an OSError if it cannot be used."""
    _check_directory()
    cache_directory().parent.mkdir(parents=True, exist_ok=True)
    cache_directory().mkdir(0o755, exist_ok=True)


def _check_directory() -> None:
    if reason := why_not_used():
        raise PermissionError(0, reason)


def why_not_used() -> str | None:
    """Return why the cache's directory cannot be used, or None; the directory need not exist."""
    directory = cache_directory()
    if not directory.is_absolute():
        return f"{directory.parent} is not an absolute path"
    return _why_not_trusted(directory) if directory.exists() else None


def _why_not_trusted(path: Path) -> str | None:
    """Return why others may have written a file or a directory, or None."""
    if not hasattr(os, "geteuid"):
        # On Windows, other users cannot write this user's directories.
        return None
    # A symbolic link has an owner too.
    if not {path.lstat().st_uid, path.stat().st_uid} <= {0, os.geteuid()}:
        return f"{path} belongs to another user"
    is_open = path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return f"others than its owner may write {path} (chmod go-w {path} ends that)" if is_open else None


def _warn(error: OSError) -> None:
    reason = f"each process compiles its own: {error.strerror}. NUMBA_CACHE_DIR names another directory"
    warn_once(f"compiled kernels cannot be kept in {cache_directory()}, so {reason}")


# --- The compiler ---------------------------------------------------------------------------------------------------


def build_once(target: Target) -> tuple[Manifest, bytes]:
    """Return the object for a target from the cache, or compile it and keep it if possible.

    Raises
    ------
    KernelError
        The object cannot be compiled here.
    """
    with _one_builder():
        # Another process may have built the object meanwhile.
        if found := find(target):
            return found
        content = run_compiler(target)
        with saying_why("compile kernels"):
            manifest, code = unpack(content)
            check(manifest)
        keep(path_of(target), content)
        return manifest, code


@contextmanager
def _one_builder() -> Iterator[None]:
    """Wait until no other process of this user builds into the cache.

    Where files cannot be locked, each process builds for itself. Locks belong to processes, so a signal handler that
    calls fastops meanwhile does not wait for its own process.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            fcntl = import_module("fcntl")
            _make_directory()
            # No other user can open the file, so no other user can lock it.
            file = os.open(cache_directory() / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            stack.callback(os.close, file)
            fcntl.lockf(file, fcntl.LOCK_EX)
        yield


def run_compiler(target: Target) -> bytes:
    """Print a line on standard error, and return a new object for a target.

    Raises
    ------
    KernelError
        The object cannot be compiled here.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        raise _cannot_compile("there is no Python to run beside this program")
    if not SOURCES:
        raise _cannot_compile("there are no sources of fastops")
    # Leave out the user's settings for Numba, which are for other code than kernels. With a fixed hash seed, the same
    # sources give the same bytes.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    # Pass on Python's options: some, such as -I, decide which environment variables Python reads.
    options = [*subprocess._args_from_interpreter_flags(), "-Wignore"]  # type: ignore[attr-defined]
    # Standard error may be closed.
    with suppress(ValueError, OSError):
        print(NOTE, file=sys.stderr, flush=True)
    try:
        # Programs may put other objects than strings into the list; Python skips them.
        paths = json.dumps([os.path.abspath(path) for path in list[object](sys.path) if isinstance(path, str)])
        done = subprocess.run(  # noqa: S603
            [sys.executable, *options, "-c", _PROGRAM, paths, *target],
            # Numba may find a file of settings in the current directory.
            cwd=Path(__file__).parents[2],
            env=environment | {"PYTHONHASHSEED": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise _cannot_compile(str(error)) from error
    _, mark, made = done.stdout.partition(MARK)
    if done.returncode or not mark:
        # The last line of a traceback has the reason.
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise _cannot_compile(lines[-1].strip() if lines else f"exit code {done.returncode}")
    return made


def _cannot_compile(reason: str) -> KernelError:
    return KernelError(f"fastops: kernels cannot be compiled here: {reason}")
