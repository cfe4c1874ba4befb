"""What a call costs, in numbers that are the same on any machine: functions that are called, and memory."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastops as fo

_PACKAGE = str(Path(fo.__file__).parent)


def count_functions(call: Callable[[], Any]) -> tuple[Any, int]:
    """What a call gives, and how many functions of fastops, and of C that these call, have been called for it."""
    made = 0

    def note(frame: Any, event: str, _: Any) -> None:
        nonlocal made
        made += event in ("call", "c_call") and frame.f_code.co_filename.startswith(_PACKAGE)

    sys.setprofile(note)
    try:
        result = call()
    finally:
        sys.setprofile(None)
    return result, made


def peak_of(call: Callable[[], Any]) -> tuple[Any, int]:
    """What a call gives, and the most bytes that were allocated for it at once."""
    tracemalloc.start()
    try:
        result = call()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
