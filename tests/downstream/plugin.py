"""A plugin of pytest: NumPy's functions are those of fastops, and the outcome of each test is written into a file.

It is loaded before what is tested, so that a name that a library takes from NumPy is fastops' too.
"""

from __future__ import annotations

import functools
import json
import os
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

OUTCOMES: dict[str, str] = {}
CALLS: Counter[str] = Counter()

_inside = threading.local()


def _in_place_of(theirs: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is fastops' for all callers but fastops."""

    @functools.wraps(theirs)
    def run(*args: Any, **kwargs: Any) -> Any:
        if getattr(_inside, "fastops", False):
            return theirs(*args, **kwargs)
        CALLS[ours.__name__] += 1
        _inside.fastops = True
        try:
            return ours(*args, **kwargs)
        finally:
            _inside.fastops = False

    return run


def replace_functions() -> None:
    """Put the functions of `fastops.numpy` in the place of NumPy's."""
    from fastops import numpy as ours

    for name in dir(ours):
        for home in (np, np.lib.stride_tricks):
            if name[0] != "_" and hasattr(home, name):
                setattr(home, name, _in_place_of(getattr(home, name), getattr(ours, name)))


if os.environ.get("DOWNSTREAM_WITH") == "fastops":
    replace_functions()


@pytest.hookimpl
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the worst of what a test's phases come to."""
    if report.when == "call" or report.outcome != "passed":
        OUTCOMES[report.nodeid] = "passed" if report.outcome == "passed" else report.outcome


def pytest_sessionfinish() -> None:
    Path(os.environ["DOWNSTREAM_REPORT"]).write_text(json.dumps({"outcomes": OUTCOMES, "calls": CALLS}), "utf-8")
