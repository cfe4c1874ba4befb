"""The form of the kernels: plain, or checked. Importing this loads no compiler."""

from __future__ import annotations

import os

#: True for the checked form of the kernels, in which each load and store is asserted inside its buffer: for tests, and
#: for whoever suspects a kernel.
IS_CHECKED = os.environ.get("FASTOPS_CHECKED_KERNELS", "0") not in ("", "0")
