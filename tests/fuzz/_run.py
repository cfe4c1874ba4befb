"""Running cases: which one a number stands for, whether it is right, and the shortest one that is wrong."""

from __future__ import annotations

import sys
import time
from pprint import pformat
from random import Random
from typing import Any

from fastops._runtime._kernels import link_parallel
from fastops.kernels._form import IS_CHECKED
from tests.fuzz._case import Case, Choices
from tests.fuzz._conversion_cases import draw_conversion_case
from tests.fuzz._gather_cases import draw_gather_case
from tests.fuzz._range_cases import draw_range_case
from tests.fuzz._windows_cases import draw_windows_case

# Ranges are a simpler kernel than the gather kernel, and windows and conversions run the same movers as plans: one case
# in so many.
_RANGES, _WINDOWS, _CONVERSIONS = 8, 4, 4

# After how many failures the shortest of them is printed.
_FAILURES = 50


def draw_case(seed: int, i: int) -> Case:
    """Draw case i of a seed, which is the same wherever it runs."""
    choices = Choices(Random((seed << 64) + i))
    if choices.is_rare(_RANGES):
        return draw_range_case(choices)
    if choices.is_rare(_WINDOWS):
        return draw_windows_case(choices)
    return draw_conversion_case(choices) if choices.is_rare(_CONVERSIONS) else draw_gather_case(choices)


def work(*arguments: Any) -> None:
    """Find a failure, and end the process with it, if there is one."""
    sys.exit(find_failure(*arguments))


def find_failure(seed: int, first: int, cases: int, seconds: float, counter: Any) -> str | None:
    """Run cases until time or cases are over, or many have failed; return what to print of the shortest of those.

    ``counter.value`` counts the cases that are done.
    """
    link_parallel()
    end = time.monotonic() + seconds
    failures: list[str] = []
    for i in range(first, first + cases):
        if time.monotonic() > end or len(failures) == _FAILURES:
            break
        case = draw_case(seed, i)
        try:
            wrong = case.run()
        except Exception as error:
            # Of any kind: what a case raises is what is looked for.
            wrong = f"{type(error).__name__}: {error}"
        if wrong is not None:
            form = "checked" if IS_CHECKED else "plain"
            again = f"--seed {seed} --first {i} --cases 1 --processes 1 --form {form}"
            failures.append(f"{wrong}\n{pformat(case, width=120)}\nagain: {again}")
        counter.value += 1
    return min(failures, key=len, default=None)
