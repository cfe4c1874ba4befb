"""Random draws of tests, from a seed that a failure prints, and how many of them a test makes.

Each process draws other values. ``FASTOPS_TEST_SEED=N`` in the environment repeats those of seed N, whichever tests
run besides.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


def scale(short: T, long: T) -> T:
    """What a test takes of something: little, or in ``tox -e torture`` much."""
    return long if os.environ.get("FASTOPS_TORTURE") else short


SEED = int(os.environ.get("FASTOPS_TEST_SEED") or time.time_ns() % 2**32)


def chooser(name: str) -> random.Random:
    """Return what draws for one test."""
    return random.Random(f"{SEED} {name}")


def deal(rng: random.Random, values: Sequence[T], n: int) -> list[T]:
    """Return n of the values in random order, each as often as any other one, or once more."""
    rounds = -(-n // max(len(values), 1))
    return [value for _ in range(rounds) for value in rng.sample(list(values), len(values))][:n]


@contextmanager
def noted(*drawn: object) -> Iterator[None]:
    """Add to an error what was drawn, and the seed that draws it again."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"{', '.join(map(str, drawn))}; FASTOPS_TEST_SEED={SEED} draws it again")
        raise
