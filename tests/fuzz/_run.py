"""Running cases: which one a number stands for, whether it is right, and the smallest one that is as wrong."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pprint import pformat
from random import Random
from typing import Any

from fastops._runtime._kernels import KERNELS, compile_kernel
from fastops.kernels._intrinsics._types import IS_CHECKED
from tests.fuzz._choices import Choices, shrink
from tests.fuzz._gather_cases import GatherCase, draw_gather_case
from tests.fuzz._range_cases import RangeCase, draw_range_case
from tests.fuzz._windows_cases import WindowsCase, draw_windows_case

# Ranges are a simpler kernel than the gather kernel, and windows run the same movers as plans: one case in so many.
_RANGES, _WINDOWS = 8, 4


def draw_case(choices: Choices) -> GatherCase | RangeCase | WindowsCase:
    """Draw a case of either kernel."""
    if choices.is_rare(_RANGES):
        return draw_range_case(choices)
    return draw_windows_case(choices) if choices.is_rare(_WINDOWS) else draw_gather_case(choices)


def find_failure(seed: int, first: int, cases: int, seconds: float, counter: Any) -> str | None:
    """Run cases until time or cases are over, or one fails; return what to print of that, made as small as it can be.

    Case i of a seed is the same wherever it runs. ``counter.value`` counts those that are done.
    """
    for name in KERNELS:
        compile_kernel(name)
    end = time.monotonic() + seconds
    for i in range(first, first + cases):
        if time.monotonic() > end:
            return None
        choices = Choices(Random((seed << 64) + i))
        if _wrong_with(choices) is not None:
            return replay(shrink(choices.made, lambda made: _wrong_with(Choices(replayed=made)) is not None))
        counter.value += 1
    return None


def replay(made: Sequence[int]) -> str | None:
    """Run the case of some choices; return what to print if it fails."""
    wrong = _wrong_with(Choices(replayed=made))
    if wrong is None:
        return None
    case = draw_case(Choices(replayed=made))
    form = "checked" if IS_CHECKED else "plain"
    return f"{wrong}\n{pformat(case, width=120)}\nagain: --form {form} --replay {','.join(map(str, made))}"


def _wrong_with(choices: Choices) -> str | None:
    """What is wrong with a case: with its bytes, or what it raises."""
    case = draw_case(choices)
    try:
        return case.run()
    except Exception as error:
        # Of any kind: what a case raises is what is looked for.
        return f"{type(error).__name__}: {error}"
