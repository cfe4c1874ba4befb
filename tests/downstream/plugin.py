"""A plugin of pytest: the functions of `fastops.numpy` in the place of NumPy's, and the outcome of each test in a file.

pytest loads it before the library under test, so that what that imports from NumPy is replaced too.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np
import pytest

_outcomes: dict[str, str] = {}
_calls = 0
_thread = threading.local()


def _in_place_of(theirs: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is ours for everybody but fastops itself."""

    @wraps(theirs)
    def run(*args: Any, **kwargs: Any) -> Any:
        global _calls
        if getattr(_thread, "is_in_fastops", False):
            return theirs(*args, **kwargs)
        _calls += 1
        _thread.is_in_fastops = True
        try:
            return ours(*args, **kwargs)
        finally:
            _thread.is_in_fastops = False

    return run


def replace_functions() -> None:
    """Put the functions of `fastops.numpy` in the place of NumPy's."""
    from fastops import numpy as dialect

    for home in (np, np.lib.stride_tricks):
        for name in [each for each in dir(dialect) if each[0] != "_" and hasattr(home, each)]:
            setattr(home, name, _in_place_of(getattr(home, name), getattr(dialect, name)))


if os.environ["DOWNSTREAM_FUNCTIONS"] == "fastops":
    replace_functions()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what a test comes to: what its call comes to, or the phase before or behind it that has failed."""
    if report.when == "call" or report.outcome != "passed":
        _outcomes[report.nodeid] = report.outcome


def pytest_sessionfinish() -> None:
    """Write the outcomes, and how many calls were of fastops."""
    told = json.dumps({"outcomes": _outcomes, "calls": _calls})
    Path(os.environ["DOWNSTREAM_REPORT"]).write_text(told, "utf-8")
