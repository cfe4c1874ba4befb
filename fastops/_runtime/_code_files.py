"""Files of machine code: each is whole and what was written, or it is not there; processes may write them at once."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO

from fastops._process._signals import raise_of_handler, signals_held_back
from fastops._process._warnings import warn_once

try:
    import fcntl
except ImportError:  # Systems without it compile side by side, which takes longer and is as right.
    fcntl = None  # type: ignore[assignment]

# How often a process looks if another one has compiled.
_PAUSE_SECONDS = 0.01

# How long this process still waits for others to compile, in all: one that has stopped keeps its lock.
_seconds_left = 60.0

_CHECKSUM_BYTES = hashlib.sha256().digest_size


class DamagedFileError(ValueError):
    """A file does not hold what was written into it."""


def read_code(path: Path) -> bytes | None:
    """Return the content of a file, or None if there is none.

    Raises
    ------
    DamagedFileError
        It is not what was written.
    """
    if not os.path.isfile(path):
        # Nor is it a pipe, which would be read for ever, or out of reach, which is told when the code is written.
        return None
    content = path.read_bytes()
    checksum, code = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
    if _checksum(path.name, code) != checksum:
        raise DamagedFileError(f"{path} is damaged")
    return code


def write_code(path: Path, code: bytes) -> None:
    """Write a file whole, in place of one that may be there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(_checksum(path.name, code) + code)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _checksum(name: str, code: bytes) -> bytes:
    """Return the checksum of a file of this name: in the place of another one, it is a damaged one."""
    return hashlib.sha256(name.encode() + b"\0" + code).digest()


@contextmanager
def one_process(directory: Path) -> Iterator[None]:
    """Let the processes that use a directory through one by one, where its file system can; else all of them at once.

    The system takes the lock from a process that ends, however it does.
    """
    with _open_lock(directory) as file:
        if file is not None:
            _wait_for(file)
        yield


def _open_lock(directory: Path) -> AbstractContextManager[IO[bytes] | None]:
    """Return the file that processes lock, open; None where it cannot be: that is told when code is written.

    It is closed when nobody has it any more, whatever interrupts those who have.
    """
    # A deadline may be an OSError, which is caught here, and by `mkdir`.
    with signals_held_back():
        try:
            directory.mkdir(parents=True, exist_ok=True)
            # Whoever may read it may keep it, so others may not.
            descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return nullcontext()
        return os.fdopen(descriptor, "r+b", buffering=0)


def _wait_for(file: IO[bytes]) -> None:
    """Lock a file; give up where that cannot be, or once this process has waited long enough."""
    global _seconds_left
    while fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise_of_handler(error)
            if _seconds_left <= 0:
                warn_once(
                    "another process keeps the lock of the cache of compiled kernels; they are compiled beside it"
                )
                return
            time.sleep(_PAUSE_SECONDS)
            _seconds_left -= _PAUSE_SECONDS
        except OSError as error:
            raise_of_handler(error)
            return
        else:
            return
