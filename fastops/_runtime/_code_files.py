"""Files of machine code: each is whole and what was written, or it is not there; processes may write them at once."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

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
