"""Objects that are compiled on this machine: a separate process compiles them, and the user's cache keeps them.

A file of the cache is complete or missing, even if several processes write it. Whoever can write such a file can run
code as the user who loads it. So files and their directories must belong to this user or to the superuser, and nobody
else may write them.
"""

from __future__ import annotations

import errno
import hashlib
import importlib
import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from fastops._errors import KernelError
from fastops._process import warn_once
from fastops._runtime._locks import saying_why
from fastops._runtime._object_files import MARK, Manifest, Target, UnfitObjectError, check, this_process, unpack
from fastops.kernels._form import SOURCES

#: With the value 0, kernels are never compiled. A call then raises an error if neither the package nor the cache has
#: them.
VARIABLE = "FASTOPS_COMPILE"

#: The line on standard error before kernels are compiled.
NOTE = "fastops: compiling kernels, once for this machine: about 15 s"

# The import paths of this process let the new process find the same packages.
_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from fastops._runtime._compiler import main
main()
"""

# The owner may write files and directories of the cache; everybody may read them, as far as the umask permits.
_FILE_MODE, _DIRECTORY_MODE = 0o644, 0o755

# --- The cache ------------------------------------------------------------------------------------------------------


def cache_directory() -> Path:
    """Return the directory of objects, in ``NUMBA_CACHE_DIR`` or else in the user's cache directory.

    The variable is read from the environment and not from Numba. Numba also reads it from a file in the current
    directory, ``.numba_config.yaml``. Another user could write this file and so let this user load foreign code.
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
    """Write an object into the cache and replace an older file; if that is impossible, a warning says why."""
    temporary = None
    try:
        _make_directory()
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
        temporary.chmod(_FILE_MODE)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        _warn(error)


def _make_directory() -> None:
    """Make the directory of the cache if it is missing; raise an OSError if it cannot be used."""
    _check_directory()
    directory = cache_directory()
    # Whatever the umask is, others may not write the new directories.
    for each in (*reversed(directory.parents), directory):
        if not each.exists():
            each.mkdir(_DIRECTORY_MODE, exist_ok=True)
    # Another process may have made the directory meanwhile.
    _check_directory()


def _check_directory() -> None:
    reason = why_not_used()
    if reason is not None:
        raise PermissionError(errno.EPERM, reason)


def why_not_used() -> str | None:
    """Return why others may write the cache's directory or its parent, or None; neither need exist."""
    directory = cache_directory()
    if not directory.is_absolute():
        return f"{directory.parent} is not an absolute path"
    for place in filter(Path.exists, (directory.parent, directory)):
        # In a sticky directory such as /tmp, users cannot remove each other's files.
        is_sticky = place != directory and place.stat().st_mode & stat.S_ISVTX
        reason = None if is_sticky else _why_not_trusted(place)
        if reason is not None:
            return reason
    return None


def _why_not_trusted(path: Path) -> str | None:
    """Return why others may have written a file or a directory, or None."""
    if not hasattr(os, "geteuid"):
        # On Windows, other users cannot write this user's directories.
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


# --- The compiler ---------------------------------------------------------------------------------------------------


def is_forbidden() -> bool:
    """Return whether the user forbids compiling kernels."""
    return os.environ.get(VARIABLE, "").strip() == "0"


def build_once(path: Path, name: str, target: Target, make: Callable[[], bytes]) -> tuple[Manifest, bytes]:
    """Return the object of a name and a target from the cache, or make it and keep it if possible."""
    with _one_builder():
        # Another process may have built the object meanwhile.
        found = find(path, name, target)
        if found is not None:
            return found
        content = make()
        with saying_why("compile kernels"):
            manifest, code = unpack(content)
            check(manifest)
        keep(path, content)
        return manifest, code


@contextmanager
def _one_builder() -> Iterator[None]:
    """Wait until no other process of this user builds into the cache.

    Where files cannot be locked, each process builds for itself. Locks belong to processes, so a signal handler that
    calls fastops meanwhile does not wait for its own process.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            fcntl = importlib.import_module("fcntl")
            _make_directory()
            # No other user can open the file, and so lock it.
            opener = lambda path, flags: os.open(path, flags, 0o600)  # noqa: E731
            fcntl.lockf(stack.enter_context(open(cache_directory() / "lock", "w", opener=opener)), fcntl.LOCK_EX)
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
    command = [sys.executable, *options, "-c", _PROGRAM, json.dumps(_import_paths()), *target]
    # Do not run it in the current directory, where Numba may find a file of settings.
    root = Path(__file__).parents[2]
    # Standard error may be missing or closed.
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(NOTE, file=sys.stderr, flush=True)
    try:
        done = subprocess.run(  # noqa: S603
            command,
            cwd=root,
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
        lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        raise _cannot_compile(lines[-1] if lines else f"exit code {done.returncode}")
    return made


def _import_paths() -> list[str]:
    """Return the absolute paths that this process imports from."""
    # Programs may put other objects than strings there; Python skips them.
    paths = [path for path in list[object](sys.path) if isinstance(path, str)]
    # The current directory may have been removed.
    with suppress(OSError):
        paths = [os.path.abspath(path) for path in paths]
    return [path for path in paths if os.path.isabs(path)]


def _cannot_compile(reason: str) -> KernelError:
    return KernelError(f"fastops: kernels cannot be compiled here: {' '.join(reason.split())}")
