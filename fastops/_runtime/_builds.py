"""Builds: objects that are compiled on this machine, by a process of their own, and kept in the user's cache."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from fastops._errors import KernelError
from fastops._process._signals import signals_held_back
from fastops._process._warnings import warn_once
from fastops._runtime._code_files import (
    UntrustedFileError,
    cache_directory,
    make_directory,
    read_code,
    warn_not_kept,
    write_code,
)
from fastops._runtime._object_files import (
    KERNELS,
    MARK,
    Manifest,
    Target,
    UnfitObjectError,
    check,
    this_process,
    unpack,
)
from fastops.kernels._sources import SOURCES

#: Where this is 0, nothing is compiled: what neither came with the package nor is in the cache is an error.
VARIABLE = "FASTOPS_COMPILE"

#: What is said on standard error before kernels are compiled.
NOTE = "fastops: compiling kernels, once for this machine: about 15 s"

# How long a process waits before it looks again whether another one has compiled what it needs.
_SECONDS_BETWEEN_LOOKS = 0.1

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
    return build_once(object_path(target), KERNELS, target, partial(_noted_compiler, target))


def _noted_compiler(target: Target) -> bytes:
    """Return a new object for a target, after a line on standard error that says so."""
    if sys.stderr is not None:
        with signals_held_back(), suppress(OSError, ValueError):
            print(NOTE, file=sys.stderr, flush=True)
    return run_compiler(target)


def build_once(path: Path, name: str, target: Target, make: Callable[[], bytes]) -> tuple[Manifest, bytes]:
    """Return what the cache has of a name and for a target, or what is made now, and kept if that can be."""
    with one_builder():
        with signals_held_back():
            # Another process may have built it meanwhile.
            found = find(path, name, target)
        if found is not None:
            return found
        content = make()
        with signals_held_back():
            try:
                manifest, code = unpack(content)
                check(manifest)
            except UnfitObjectError as error:
                raise _cannot_compile(f"what was compiled is of no use: {error}") from error
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
    except (UnfitObjectError, UntrustedFileError) as error:
        warn_once(f"{path} is not used: {error}. It is compiled anew")
        return None
    except OSError as error:
        warn_not_kept(error)
        return None
    return manifest, code


def run_compiler(target: Target) -> bytes:
    """Return a new object for a target.

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
    pipe, own_group = subprocess.PIPE, os.name == "posix"
    try:
        with signals_held_back():
            process = subprocess.Popen(  # noqa: S603
                command,
                cwd=root,
                env=own,
                stdin=subprocess.DEVNULL,
                stdout=pipe,
                stderr=pipe,
                start_new_session=own_group,
            )
    except OSError as error:
        raise _cannot_compile(str(error)) from error
    with process:
        try:
            content, complaint = process.communicate()
        except BaseException:
            # With the process that it has started itself.
            os.killpg(process.pid, signal.SIGKILL) if own_group else process.kill()
            process.wait()
            raise
    if process.returncode:
        # The last line of a traceback says what it was.
        lines = [line for line in complaint.decode(errors="replace").splitlines() if line.strip()]
        raise _cannot_compile(lines[-1] if lines else f"exit code {process.returncode}")
    return content.partition(MARK)[2]


def _import_paths() -> list[str]:
    """Return where this process imports from, by absolute paths as far as there is a current directory."""
    # Whatever programs put there, Python looks at strings only.
    entries: list[object] = [*sys.path]
    paths = [path for path in entries if isinstance(path, str)]
    try:
        here = os.getcwd()
    except OSError:
        return [path for path in paths if os.path.isabs(path)]
    return [os.path.join(here, path) for path in paths]


def _cannot_compile(reason: str) -> KernelError:
    return KernelError(f"fastops: kernels cannot be compiled here: {' '.join(reason.split())}")


# True while a thread of this process waits for the lock of the cache, or has it.
_is_builder = False


@contextmanager
def one_builder() -> Iterator[None]:
    """Wait until no other process of this user builds into the cache, as far as the system lets that be known.

    Where it does not, each builds; what they write is whole in any case. So it is with what a handler of a signal
    calls meanwhile, which must not wait for its own process.
    """
    global _is_builder
    with signals_held_back():
        descriptor = None if _is_builder else _open_lock(os.O_CREAT)
    if descriptor is None:
        yield
        return
    _is_builder = True
    try:
        while _is_locked(descriptor):
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        yield
    finally:
        _is_builder = False
        os.close(descriptor)


def _open_lock(create: int = 0) -> int | None:
    """Return a descriptor of the cache's lock, which nobody else can have; None where there is none."""
    if find_spec("fcntl") is None:
        return None
    try:
        if create:
            make_directory(cache_directory())
        return os.open(cache_directory() / "lock", os.O_RDWR | create, 0o600)
    except OSError:
        return None


def _is_locked(descriptor: int) -> bool:
    """Return whether a process has the lock; where none has, this one takes it."""
    fcntl = importlib.import_module("fcntl")
    with signals_held_back():
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            # A file system without locks.
            return False
    return False


def is_building() -> bool:
    """Return whether a process builds into the cache just now, as far as the system lets that be known."""
    descriptor = _open_lock()
    if descriptor is None:
        return False
    try:
        return _is_locked(descriptor)
    finally:
        os.close(descriptor)
