"""Warnings: each message once in a process, at the line that called fastops."""

from __future__ import annotations

import os
import sys
import warnings
from types import FrameType

# By message, something that tells who has said it first.
_told: dict[str, object] = {}


def warn_once(message: str) -> None:
    """Warn, unless it has been said. Where warnings are errors it raises, but the next call works."""
    mine = object()
    if _told.setdefault(message, mine) is mine:
        warnings.warn(f"fastops: {message}", RuntimeWarning, stacklevel=_caller_level())


def _caller_level() -> int:
    """Return the stack level of the first frame beyond all of fastops: others of Numba's may lie between those."""
    frame: FrameType | None = sys._getframe(1)
    level, outermost = 1, 1
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(PACKAGE):
            outermost = level
        # Those of the import system do not count.
        level += not ("importlib" in name and "_bootstrap" in name)
        frame = frame.f_back
    return outermost + 1


#: How the names of this package's files begin, as its code has them: they may be elsewhere by now, or nowhere.
PACKAGE = os.path.join(os.path.dirname(os.path.dirname(warn_once.__code__.co_filename)), "")
