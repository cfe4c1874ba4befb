"""Limits, from which on work is done in another way, and what is kept of earlier calls."""

from __future__ import annotations

import os
import sys

from fastops._process import warn_once
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


def read_word(name: str, words: tuple[str, ...]) -> str:
    """Return the one of these words that an environment variable says; the first of them is the default."""
    written = os.environ.get(name, "").strip().lower() or words[0]
    if written in words:
        return written
    warn_once(f"{name} must be one of {', '.join(words)}, got {written!r}; {words[0]} is used")
    return words[0]


#: Work that writes fewer bytes than this stays in the caches: measured, where streaming stores overtake ordinary ones.
STREAM_BYTES = read_limit("FASTOPS_STREAM_BYTES", default=_STREAM_BYTES)

#: The memory of dropped results is kept for later ones up to this many bytes in all.
KEEP_BYTES = read_limit("FASTOPS_KEEP_BYTES", default=1 << 28, never=0)

#: What calls of `fastops.numpy` that are no movement of elements do: NumPy does them ("allow"), the same with a
#: warning ("warn"), or they are errors ("error").
FALLBACK = read_word("FASTOPS_FALLBACK", ("allow", "warn", "error"))

#: Calls with other attributes, shapes, strides or types that each public function remembers.
CACHE_SIZE = 1024
