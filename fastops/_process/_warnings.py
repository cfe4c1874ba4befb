"""Warnings: each message once in a process."""

from __future__ import annotations

import warnings

# By message, something that tells who has said it first.
_told: dict[str, object] = {}


def warn_once(message: str) -> None:
    """Warn, unless it has been said. Where warnings are errors it raises, but the next call works."""
    mine = object()
    if _told.setdefault(message, mine) is mine:
        warnings.warn(f"fastops: {message}", RuntimeWarning, stacklevel=2)
