"""Builds: objects that are compiled on this machine, by a process of their own, and kept in the user's cache."""

from __future__ import annotations

import errno
import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from fastops._errors import KernelError
from fastops._process import signals_held_back, warn_once
from fastops._runtime._locks import saying_why
from fastops._runtime._object_files import (
    KERNELS,
    MARK,
    Manifest,
    Target,
    UnfitObjectError,
    cache_directory,
    check,
    make_directory,
    read_code,
    this_process,
    unpack,
    warn_not_kept,
    write_code,
)
from fastops.kernels._sources import SOURCES

#: Where this is 0, nothing is compiled: what neither came with the package nor is in the cache is an error.
VARIABLE = "FASTOPS_COMPILE"

#: What is said on standard error before kernels are compiled.
NOTE = "fastops: compiling kernels, once for this machine: about 15 s"

# It is given the paths of this process, so that it finds the same packages.
_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from fastops._runtime._compiler import main
main()
"""


def path_of(name: str, *key: object) -> Path:
    """Return where code for this process is kept that is for something else too."""
    digest = hashlib.sha256(json.dumps([this_process(), key], sort_keys=True).encode()).hexdigest()
    return cache_directory() / f"{name}-{digest[:16]}.object"


def object_path(target: Target) -> Path:
    """Return where the object for a target is kept."""
    return path_of(KERNELS, target)


def is_forbidden() -> bool:
    """Return whether the user forbids compiling all kernels."""
    return os.environ.get(VARIABLE, "").strip() == "0"


def build(target: Target) -> tuple[Manifest, bytes]:
    """Return the object for a target, compiled now, and kept in the cache if that can be.

    Signals are heard while another process compiles, and held back amid all else.

    Raises
    ------
    KernelError
        It cannot be compiled, or must not.
    """
    if is_forbidden():
        raise KernelError(
            f"fastops: no kernels for this machine came with the package or are in {cache_directory()}, and "
            f"{VARIABLE}=0 forbids compiling them"
        )
    return build_once(object_path(target), KERNELS, target, partial(run_compiler, target))


def build_once(path: Path, name: str, target: Target, make: Callable[[], bytes]) -> tuple[Manifest, bytes]:
    """Return what the cache has of a name and for a target, or what is made now, and kept if that can be."""
    with _one_builder():
        with signals_held_back():
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


def keep(path: Path, content: bytes) -> None:
    """Write an object into the cache, or warn that this cannot be done."""
    try:
        write_code(path, content)
    except OSError as error:
        warn_not_kept(error)


def find_object(target: Target) -> tuple[Manifest, bytes] | None:
    """Return the object for a target that is in the cache, or None."""
    return find(object_path(target), KERNELS, target)


def find(path: Path, name: str, target: Target) -> tuple[Manifest, bytes] | None:
    """Return what the cache has of a name and for a target; None, with a warning, if it cannot be used."""
    try:
        content = read_code(path)
        if content is None:
            return None
        manifest, code = unpack(content)
        check(manifest)
        if (manifest.name, manifest.target) != (name, target):
            raise UnfitObjectError("it is another one")
    except UnfitObjectError as error:
        warn_once(f"{path} is not used: {error}. It is compiled anew")
        return None
    except OSError as error:
        warn_not_kept(error)
        return None
    return manifest, code


def run_compiler(target: Target) -> bytes:
    """Return a new object for a target, after a line on standard error that says so.

    Raises
    ------
    KernelError
        It cannot be compiled here.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        raise KernelError("fastops: kernels cannot be compiled here, as there is no Python to run beside this program")
    if not SOURCES:
        raise _cannot_compile("there are no sources of fastops")
    # Flags of Numba's change other code than kernels, and strings are to be hashed alike each time.
    own = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    own |= {"PYTHONHASHSEED": "0"}
    # Options such as -I say what else of the environment counts.
    options = [*subprocess._args_from_interpreter_flags(), "-Wignore"]  # type: ignore[attr-defined]
    command = [sys.executable, *options, "-c", _PROGRAM, json.dumps(_import_paths()), *target]
    # A file of settings that Numba finds in the current directory is not for kernels.
    root = Path(importlib.import_module("fastops").__file__ or "").parents[1]
    pipe = subprocess.PIPE
    try:
        with signals_held_back():
            if sys.stderr is not None:
                with suppress(OSError, ValueError):
                    print(NOTE, file=sys.stderr, flush=True)
            process = subprocess.Popen(command, cwd=root, env=own, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)  # noqa: S603
    except OSError as error:
        raise _cannot_compile(str(error)) from error
    with process:
        try:
            content, complaint = process.communicate()
        except BaseException:
            # The process that it has started itself ends when it finds nobody who reads what it writes.
            process.kill()
            process.wait()
            raise
    _, mark, made = content.partition(MARK)
    if process.returncode or not mark:
        # The last line of a traceback says what it was.
        lines = [line for line in complaint.decode(errors="replace").splitlines() if line.strip()]
        raise _cannot_compile(lines[-1] if lines else f"exit code {process.returncode}")
    return made


def _import_paths() -> list[str]:
    """Return where this process imports from, by absolute paths as far as there is a current directory."""
    # Whatever programs put there, Python looks at strings only.
    entries: list[object] = [*sys.path]
    paths = [path for path in entries if isinstance(path, str)]
    with suppress(OSError):
        here = os.getcwd()
        paths = [os.path.join(here, path) for path in paths]
    return [path for path in paths if os.path.isabs(path)]


def _cannot_compile(reason: str) -> KernelError:
    return KernelError(f"fastops: kernels cannot be compiled here: {' '.join(reason.split())}")


@contextmanager
def _one_builder() -> Iterator[None]:
    """Wait until no other process of this user builds into the cache.

    Where the system, or the file system, has no such locks, each builds; what they write is whole in any case. A lock
    is of a process: what a handler of a signal calls meanwhile does not wait for its own process.
    """
    with signals_held_back():
        try:
            fcntl = importlib.import_module("fcntl")
            make_directory(cache_directory())
            file = os.open(cache_directory() / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except (ImportError, OSError):
            file = None
    if file is None:
        yield
        return
    try:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX)
        except OSError as error:
            # Whatever else comes out is what a handler of a signal raises.
            if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):
                raise
        yield
    finally:
        os.close(file)
