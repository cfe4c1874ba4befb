"""The form of the kernels, plain or checked, and the names of those that Python calls. Loads no compiler."""

from __future__ import annotations

import os

#: True for the checked form of the kernels, in which each load and store is asserted inside its buffer: for tests, and
#: for whoever suspects a kernel.
IS_CHECKED = os.environ.get("FASTOPS_CHECKED_KERNELS", "0") not in ("", "0")

#: What symbols of entries begin with, the builtin functions by which Python calls kernels.
ENTRY_PREFIX = "fastops.entry."
