"""The sources that machine code is made of, as this process found them when it imported the layout of tables.

They may be others later: fastops is upgraded, or edited, while a process goes on that has its modules in memory.
Machine code of other sources would read tables that these have laid out.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

# The modules of `fastops._runtime` that objects are made by.
_COMPILER = ("_compiler", "_object_files")


def digest_now() -> str:
    """Return a digest of all that kernels are made of and by, as it lies on disk; "" where that is left out."""
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
