"""Object files: the machine code of all kernels for one kind of processors, and a manifest of what it was compiled for.

A file is a line with a checksum, a line of JSON, which is the manifest, and an object file as LLVM writes it. Neither
Numba nor a compiler is needed to read one. The code holds sizes and offsets of CPython's and NumPy's objects, so it is
only for the Python and the layout that it was compiled on; and it holds kernels, so it is only for their sources.

Files of machine code: each is whole, or it is not there; processes may write them at once.

Whoever can write such a file can run code as the user who loads it. So files and their directories must belong to this
user or to the superuser, and nobody else may write them.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import shlex
import stat
import struct
import sys
from collections.abc import Mapping
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
from llvmlite import binding as llvm

from fastops._process import warn_once
from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics import _object_layout
from fastops.kernels._sources import SOURCES

#: What a process that compiles writes before what it has made: Python may print something when it starts.
MARK = b"\0fastops: "

#: The name of the object of all kernels.
KERNELS = "kernels"

_V2 = "cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3"
_V3 = f"{_V2} avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"

#: The features that each level of processors has, by LLVM's names.
#:
#: References
#: ----------
#: System V Application Binary Interface, AMD64 supplement, 1.0: Micro-Architecture Levels.
LEVELS = {
    "x86_64": {
        "x86-64-v4": f"{_V3} avx512f avx512bw avx512cd avx512dq avx512vl",
        "x86-64-v3": _V3,
        "x86-64-v2": _V2,
    },
    # Every 64-bit ARM has what the kernels use.
    "aarch64": {"generic": ""},
}


class Target(NamedTuple):
    """What code is compiled for.

    Attributes
    ----------
    triple : str
        LLVM's name of the machine and the system.
    cpu : str
        LLVM's name of a processor, or of a level of them.
    features : str
        Further instructions that there are or are not, as LLVM writes them: "+avx2,-avx512f".
    """

    triple: str
    cpu: str
    features: str

    @property
    def machine(self) -> str:
        """The machine, by the first word of LLVM's names."""
        return self.triple.partition("-")[0]

    def needed(self) -> frozenset[str]:
        """Return the features that a processor must have for the code to run, as far as the target says them."""
        level = LEVELS.get(self.machine, {}).get(self.cpu, "")
        return frozenset([*level.split(), *[each[1:] for each in self.features.split(",") if each.startswith("+")]])

    def runs_on(self, features: Mapping[str, bool]) -> bool:
        """Return whether the code runs on a processor with these features, by LLVM's names.

        What the name of a processor stands for is not known, unless it is a level. So of others all features must be
        said to be there or not.
        """
        is_level = self.cpu in LEVELS.get(self.machine, {})
        said = {each[1:] for each in self.features.split(",")}
        return (is_level or said >= {*features}) and all([features.get(name, False) for name in self.needed()])


class Manifest(NamedTuple):
    """What an object was compiled for, and what it holds.

    Attributes
    ----------
    name : str
        What it is: "kernels", or the name of a parallel kernel.
    process : dict
        What `this_process` returned there.
    target : Target
        The processors that it is for.
    symbols : list of str
        The symbols that it has for others.
    undefined : list of str
        The symbols that it wants.
    """

    name: str
    process: dict[str, Any]
    target: Target
    symbols: list[str]
    undefined: list[str]


class UnfitObjectError(ValueError):
    """An object is not for this process, or not an object."""


@cache
def this_process() -> dict[str, Any]:
    """Return what an object must have been compiled for to be loaded here, besides the processor."""
    layout = {name: value for name, value in vars(_object_layout).items() if name.isupper() and isinstance(value, int)}
    return {
        "sources": SOURCES,
        "form": "checked" if IS_CHECKED else "plain",
        # It names the version, the system and what else extension modules depend on.
        "python": EXTENSION_SUFFIXES[0],
        "machine": llvm.get_process_triple().partition("-")[0],
        "layout": layout,
        # A version of Numba, whose calling convention kernels have, is for one of llvmlite.
        "llvm": [llvmlite.__version__, *llvm.llvm_version_info],
    }


def pack(manifest: Manifest, code: bytes) -> bytes:
    """Return the content of an object file."""
    content = json.dumps(manifest._asdict(), sort_keys=True).encode() + b"\n" + code
    return _checksum(content) + b"\n" + content


def unpack(content: bytes) -> tuple[Manifest, bytes]:
    """Return the manifest and the code of an object file.

    Raises
    ------
    UnfitObjectError
        It is none, or not what was written.
    """
    checksum, _, content = content.partition(b"\n")
    if checksum != _checksum(content):
        raise UnfitObjectError("it is damaged")
    head, _, code = content.partition(b"\n")
    fields = json.loads(head)
    return Manifest(**{**fields, "target": Target(*fields["target"])}), code


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def check(manifest: Manifest) -> None:
    """Raise unless an object, or a parallel kernel, was compiled for what this process is, but for the processor.

    Raises
    ------
    UnfitObjectError
        It says for what it was compiled instead.
    """
    if not SOURCES:
        raise UnfitObjectError("here are no sources of fastops, by which it is known what it was compiled from")
    if manifest.process.get("sources") != SOURCES:
        raise UnfitObjectError("it was compiled from other sources than this process has")
    for key, value in this_process().items():
        if manifest.process.get(key) != value:
            raise UnfitObjectError(f"it was compiled for other {key}: {manifest.process.get(key)}, here {value}")


def undefined_symbols(code: bytes) -> list[str]:
    """Return the symbols that an object file in the format ELF wants, or nothing for another format.

    References
    ----------
    System V Application Binary Interface, 4.3: Symbol Table (``Elf64_Sym``).
    """
    if not code.startswith(b"\x7fELF"):
        return []
    sections = {section.name(): section.data() for section in llvm.ObjectFileRef.from_data(code).sections()}
    names, found = sections[b".strtab"], set()
    # The name, what it is, the section that it is in or 0, and its value and size.
    for at, _, _, section, _, _ in struct.iter_unpack("<IBBHQQ", sections[b".symtab"]):
        if section == 0 and at:
            found.add(names[at : names.index(b"\0", at)].decode())
    return sorted(found)


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
