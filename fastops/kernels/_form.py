"""The form of the kernels, plain or checked, the prefix of their entries, and a digest of their sources.

Importing this loads no compiler. The digest is computed when this process imports the layouts of tables. The files may
change later: fastops may be upgraded or edited while a process runs with the old modules. Machine code of the new
sources must not read tables that the old modules have written.
"""

import hashlib
import os
from pathlib import Path

#: True for the checked form of the kernels, which asserts that each load and store is inside its buffer. It serves
#: tests, and the search for faults of kernels.
IS_CHECKED = os.environ.get("FASTOPS_CHECKED_KERNELS", "0") not in ("", "0")

#: The prefix of the symbols of entries, the builtin functions by which Python calls kernels.
ENTRY_PREFIX = "fastops.entry."

# The modules of `fastops._runtime` that make objects.
_COMPILER = ("_compiler", "_object_files")


def digest_now() -> str:
    """Return a digest of the sources of kernels and of their compiler, as they are on disk; "" without sources."""
    here = Path(__file__).parent
    sources = sorted(here.rglob("*.py"))
    if here / "_form.py" not in sources:
        return ""
    digest = hashlib.sha256()
    for source in (*sources, *[here.parent / "_runtime" / f"{name}.py" for name in _COMPILER]):
        digest.update(source.read_bytes())
    return digest.hexdigest()


#: The digest of the sources of this process.
SOURCES = digest_now()
