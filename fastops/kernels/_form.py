"""The form of the kernels, plain or checked, and the prefix of their entries. Importing this loads no compiler."""

from __future__ import annotations

import os

#: True for the checked form of the kernels, in which each load and store is asserted to be inside its buffer. It is for
#: tests, and to find out whether a kernel is wrong.
IS_CHECKED = os.environ.get("FASTOPS_CHECKED_KERNELS", "0") not in ("", "0")

#: The prefix of the symbols of entries, the builtin functions by which Python calls kernels.
ENTRY_PREFIX = "fastops.entry."
