"""How many lines of Python something runs: that they do not grow with counts shows on a busy machine too."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


class TooManyStepsError(AssertionError):
    """What is counted would go on."""


def steps_of(function: Callable[[], object], most: int) -> int:
    """Call a function, and return how many lines it has run; end it where they are more."""
    steps = 0

    def note(_frame: Any, event: str, _argument: Any) -> Any:
        nonlocal steps
        steps += event == "line"
        if steps > most:
            raise TooManyStepsError(f"more than {most} lines")
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        function()
    finally:
        sys.settrace(before)
    return steps
