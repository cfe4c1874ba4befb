"""Random draws of tests: the seed, which a failing test prints, and the number of draws.

Each process draws other values. ``FASTOPS_TEST_SEED=N`` in the environment repeats the values of seed N, even if only
some tests run.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import pytest

T = TypeVar("T")


def scale(short: T, long: T) -> T:
    """Return the short one of two values, or in ``tox -e torture`` the long one."""
    return long if os.environ.get("FASTOPS_TORTURE") else short


#: Marks tests that compile all kernels once more, in their checked form or for other processors.
in_full = pytest.mark.skipif(
    not scale(os.environ.get("FASTOPS_FULL"), "1"), reason="runs with FASTOPS_FULL=1: it compiles all kernels once more"
)

SEED = int(os.environ.get("FASTOPS_TEST_SEED") or time.time_ns() % 2**32)


def chooser(name: str) -> random.Random:
    """Return the random generator of one test."""
    return random.Random(f"{SEED} {name}")


def deal(rng: random.Random, values: Sequence[T], n: int) -> list[T]:
    """Return n values in random order; each occurs equally often, or once more than the others."""
    rounds = -(-n // max(len(values), 1))
    return [value for _ in range(rounds) for value in rng.sample(list(values), len(values))][:n]


@contextmanager
def noted(*drawn: object) -> Iterator[None]:
    """Add the drawn values and the seed to an error."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"{', '.join(map(str, drawn))}; FASTOPS_TEST_SEED={SEED} draws it again")
        raise
