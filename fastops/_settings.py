"""Sizes at which fastops begins to work in another way, and settings from the environment."""

from __future__ import annotations

import os
import sys

from fastops._process import warn_once
from fastops.kernels._tables import _gather


def read_limit(name: str, default: int, never: int = sys.maxsize) -> int:
    """Return the number of bytes in an environment variable; ``never`` for the word "never"."""
    written = os.environ.get(name, "").strip()
    if written.lower() == "never":
        return never
    if written.isdecimal() and len(written) < 20:
        return min(int(written), sys.maxsize)
    if written:
        warn_once(f"{name} must be a number of bytes or never, got {written!r}; {default} is used")
    return default


def read_word(name: str, words: tuple[str, ...]) -> str:
    """Return the word in an environment variable, which is one of ``words``; the first of them by default."""
    written = os.environ.get(name, "").strip().lower() or words[0]
    if written in words:
        return written
    warn_once(f"{name} must be one of {', '.join(words)}, got {written!r}; {words[0]} is used")
    return words[0]


#: Results of at least this number of bytes are written with nontemporal stores, which are faster for them (measured).
STREAM_BYTES = read_limit("FASTOPS_STREAM_BYTES", default=_gather.STREAM_BYTES)

#: The most bytes of memory of dropped results that the pool keeps for later results.
KEEP_BYTES = read_limit("FASTOPS_KEEP_BYTES", default=1 << 28, never=0)

#: Calls of `fastops.numpy` that fastops refuses: NumPy runs them ("allow"), NumPy runs them with a warning ("warn"), or
#: they are errors ("error").
FALLBACK = read_word("FASTOPS_FALLBACK", ("allow", "warn", "error"))

#: The most entries of a cache of plans, calls or types.
CACHE_SIZE = 1024
