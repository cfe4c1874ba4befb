"""Builds: a process of its own compiles the object of all kernels on this machine, and the user's cache keeps it."""

from __future__ import annotations

import errno
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from fastops._errors import KernelError
from fastops._runtime._cache import cache_directory, find, keep, make_directory, path_of
from fastops._runtime._locks import saying_why
from fastops._runtime._object_files import KERNELS, MARK, Manifest, Target, check, unpack
from fastops.kernels._form import SOURCES

#: With the value 0, kernels are never compiled: if neither the package nor the cache has them, that is an error.
VARIABLE = "FASTOPS_COMPILE"

#: The line on standard error before kernels are compiled.
NOTE = "fastops: compiling kernels, once for this machine: about 15 s"

# The import paths of this process let it find the same packages.
_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from fastops._runtime._compiler import main
main()
"""


def object_path(target: Target) -> Path:
    """Return the path of the object for a target in the cache."""
    return path_of(KERNELS, target)


def is_forbidden() -> bool:
    """Return whether the user forbids compiling kernels."""
    return os.environ.get(VARIABLE, "").strip() == "0"


def build(target: Target) -> tuple[Manifest, bytes]:
    """Return the object for a target, compiled now, and keep it in the cache if possible.

    Raises
    ------
    KernelError
        The object cannot be compiled, or the user forbids that.
    """
    if is_forbidden():
        raise KernelError(
            f"fastops: no kernels for this machine came with the package or are in {cache_directory()}, and "
            f"{VARIABLE}=0 forbids compiling them"
        )
    return build_once(object_path(target), KERNELS, target, partial(run_compiler, target))


def build_once(path: Path, name: str, target: Target, make: Callable[[], bytes]) -> tuple[Manifest, bytes]:
    """Return the object of a name and a target from the cache, or make it and keep it if possible."""
    with _one_builder():
        # Another process may have built it meanwhile.
        found = find(path, name, target)
        if found is not None:
            return found
        content = make()
        with saying_why("compile kernels"):
            manifest, code = unpack(content)
            check(manifest)
        keep(path, content)
        return manifest, code


def run_compiler(target: Target) -> bytes:
    """Return a new object for a target, after a line on standard error that says so.

    Raises
    ------
    KernelError
        The object cannot be compiled here.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        raise KernelError("fastops: kernels cannot be compiled here, as there is no Python to run beside this program")
    if not SOURCES:
        raise _cannot_compile("there are no sources of fastops")
    # Numba's flags are for other code than kernels. With a fixed hash seed, the same sources give the same bytes.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment |= {"PYTHONHASHSEED": "0"}
    # Options such as -I say which other variables of the environment count.
    options = [*subprocess._args_from_interpreter_flags(), "-Wignore"]  # type: ignore[attr-defined]
    command = [sys.executable, *options, "-c", _PROGRAM, json.dumps(_import_paths()), *target]
    # Not the current directory, in which Numba may find a file of settings.
    root = Path(importlib.import_module("fastops").__file__ or "").parents[1]
    pipe = subprocess.PIPE
    # There may be no standard error, or a closed one.
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(NOTE, file=sys.stderr, flush=True)
    try:
        process = subprocess.Popen(  # noqa: S603
            command, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )
    except OSError as error:
        raise _cannot_compile(str(error)) from error
    with process:
        try:
            content, complaint = process.communicate()
        except BaseException:
            # Ctrl-C, for instance. The process's own child ends when nobody reads its output.
            process.kill()
            process.wait()
            raise
    _, mark, made = content.partition(MARK)
    if process.returncode or not mark:
        # The last line of a traceback has the reason.
        lines = [line for line in complaint.decode(errors="replace").splitlines() if line.strip()]
        raise _cannot_compile(lines[-1] if lines else f"exit code {process.returncode}")
    return made


def _import_paths() -> list[str]:
    """Return the absolute paths that this process imports from."""
    # Programs may put other objects there, which Python skips.
    entries: list[object] = [*sys.path]
    paths = [path for path in entries if isinstance(path, str)]
    # There may be no current directory.
    with suppress(OSError):
        here = os.getcwd()
        paths = [os.path.join(here, path) for path in paths]
    return [path for path in paths if os.path.isabs(path)]


def _cannot_compile(reason: str) -> KernelError:
    return KernelError(f"fastops: kernels cannot be compiled here: {' '.join(reason.split())}")


def _open_own(path: str, flags: int) -> int:
    """Open a file that no other user can open, and so lock."""
    return os.open(path, flags, 0o600)


@contextmanager
def _one_builder() -> Iterator[None]:
    """Wait until no other process of this user builds into the cache.

    Where files cannot be locked, each process builds for itself. Locks belong to processes: a signal handler that calls
    fastops meanwhile does not wait for its own process.
    """
    with ExitStack() as stack:
        lock = None
        with suppress(ImportError, OSError):
            fcntl = importlib.import_module("fcntl")
            make_directory()
            lock = stack.enter_context(open(cache_directory() / "lock", "w", opener=_open_own))
        if lock is not None:
            try:
                fcntl.lockf(lock, fcntl.LOCK_EX)
            except OSError as error:
                # Any other error comes from a signal handler.
                if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):
                    raise
        yield
