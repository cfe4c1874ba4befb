"""The sources that machine code is made of, as this process found them when it first imported what runs kernels.

They may be others later: fastops is upgraded, or edited, while a process goes on that has its modules in memory.
Machine code of other sources would be called with tables that these have written.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from fastops._errors import KernelError

# The modules beside this one that objects are made by.
_COMPILER = ("_compiler", "_object_files")


def digest_now() -> str:
    """Return a digest of all that kernels are made of and by, as it lies on disk."""
    here = Path(__file__).parent
    sources = sorted((here.parent / "kernels").rglob("*.py"))
    # Without them, a digest would not change with the kernels, and stale machine code would be loaded.
    assert sources
    digest = hashlib.sha256()
    for source in (*sources, *[here / f"{name}.py" for name in _COMPILER]):
        digest.update(source.read_bytes())
    return digest.hexdigest()


#: The digest of the sources of this process.
SOURCES = digest_now()


def check_unchanged() -> None:
    """Raise before modules are imported whose code goes with the kernels of this process, if they are others now.

    Raises
    ------
    KernelError
        The sources have changed.
    """
    if digest_now() != SOURCES:
        raise KernelError("fastops: it has changed on disk since this process imported it; start the process anew")
