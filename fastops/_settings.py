"""Limits, from which on work is done in another way, and what is kept of earlier calls."""

from __future__ import annotations

import os
import sys

from fastops._process._warnings import warn_once
from fastops.kernels._tables._gather import LAUNCH_BYTES as LAUNCH_BYTES
from fastops.kernels._tables._gather import PARALLEL_BYTES as PARALLEL_BYTES
from fastops.kernels._tables._gather import STREAM_BYTES as _STREAM_BYTES

#: In place of a number of bytes.
NEVER = "never"


def read_limit(name: str, default: int, never: int = sys.maxsize) -> int:
    """Return the number of bytes that an environment variable says, what stands for "never", or the default."""
    written = os.environ.get(name, "").strip()
    if written.lower() == NEVER:
        return never
    if written.isdecimal():
        # Python reads no number of more than 4300 digits.
        digits = written.lstrip("0") or "0"
        return min(int(digits), sys.maxsize) if len(digits) < 20 else sys.maxsize
    if written:
        warn_once(f"{name} must be a number of bytes or {NEVER}, got {written!r}; {default} is used")
    return default


#: Work that writes fewer bytes than this stays in the caches: measured, where streaming stores overtake ordinary ones.
STREAM_BYTES = read_limit("FASTOPS_STREAM_BYTES", default=_STREAM_BYTES)

#: The memory of dropped results is kept for later ones up to this many bytes in all.
KEEP_BYTES = read_limit("FASTOPS_KEEP_BYTES", default=1 << 28, never=0)

#: Calls with other attributes, shapes, strides or types that each public function remembers.
CACHE_SIZE = 1024
