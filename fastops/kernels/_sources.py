"""A digest of the sources of machine code, as this process found them when it imported the layouts of tables.

The sources may change later, when fastops is upgraded or edited. Machine code of the new sources would misread tables
that this process has laid out.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

# The modules of `fastops._runtime` that compile objects.
_COMPILER = ("_compiler", "_object_files")


def digest_now() -> str:
    """Return a digest of the sources of kernels and of their compiler on disk, or "" if they are not installed."""
    here = Path(__file__).parent
    sources = sorted(here.rglob("*.py"))
    if here / "_sources.py" not in sources:
        return ""
    digest = hashlib.sha256()
    for source in (*sources, *[here.parent / "_runtime" / f"{name}.py" for name in _COMPILER]):
        digest.update(source.read_bytes())
    return digest.hexdigest()


#: The digest of the sources of this process.
SOURCES = digest_now()
