"""The form of the kernels, plain or checked, and the names of those that Python calls. Loads no compiler."""

from __future__ import annotations

import os

#: True for the checked form of the kernels, which asserts that each load and store is inside its buffer. It serves
#: tests, and users who suspect a kernel.
IS_CHECKED = os.environ.get("FASTOPS_CHECKED_KERNELS", "0") not in ("", "0")

#: The prefix of the symbols of entries: builtin functions by which Python calls kernels.
ENTRY_PREFIX = "fastops.entry."
