"""Choices: the random numbers that a case is made of, so that a failing case can be made smaller without knowing it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

# How often a failing case is run to make it smaller.
_MOST_TRIALS = 3000


class Choices:
    """Integers drawn at random, or those of a list, and zeros once it has ended; ``made`` holds what was drawn."""

    def __init__(self, random: Random | None = None, replayed: Sequence[int] = ()) -> None:
        self._random = random
        self._replayed = replayed
        self.made: list[int] = []

    def integer(self, low: int, high: int) -> int:
        """An integer of [low, high], of which ``low`` is the simplest."""
        if self._random is not None:
            drawn = int(self._random.random() * (high - low + 1))
        else:
            at = len(self.made)
            drawn = min(self._replayed[at], high - low) if at < len(self._replayed) else 0
        self.made.append(drawn)
        return low + drawn

    def pick(self, options: Sequence[T]) -> T:
        """One of some options, of which the first is the simplest."""
        return options[self.integer(0, len(options) - 1)]

    def is_rare(self, one_in: int) -> bool:
        """True once in so many times; False is simpler."""
        return self.integer(0, one_in - 1) == one_in - 1

    # The same, as `random.Random` has them, for what draws of either.

    def random(self) -> float:
        """A number of (0, 1], of which 1 is the simplest: most of what is drawn is rare, and so below a number."""
        return 1 - self.integer(0, 999) / 1000

    def randint(self, a: int, b: int) -> int:
        """An integer of [a, b], of which the one nearest to 0 is the simplest."""
        nearest = min(max(a, 0), b)
        drawn = self.integer(0, b - a)
        return nearest + drawn if drawn <= b - nearest else b - drawn

    def choice(self, seq: Sequence[T]) -> T:
        """One of some options, of which the first is the simplest."""
        return self.pick(seq)

    def shuffle(self, x: list[Any]) -> None:
        """Bring a list into another order; the one that it has is the simplest."""
        for i in range(len(x) - 1):
            j = self.integer(i, len(x) - 1)
            x[i], x[j] = x[j], x[i]


def shrink(choices: Sequence[int], fails: Callable[[Sequence[int]], bool]) -> list[int]:
    """Return smaller choices that still fail: with some left out, and with others nearer to zero."""
    smallest = list(choices)
    trials = 0

    def take(candidate: list[int]) -> bool:
        nonlocal smallest, trials
        trials += 1
        if trials > _MOST_TRIALS or not fails(candidate):
            return False
        smallest = candidate
        return True

    before: list[int] = []
    while before != smallest and trials <= _MOST_TRIALS:
        before = smallest
        for size in (16, 8, 4, 2, 1):
            at = len(smallest) - size
            while at >= 0:
                take(smallest[:at] + smallest[at + size :])
                at -= size
        for at in range(len(smallest)):
            if at < len(smallest) and smallest[at] and not take([*smallest[:at], 0, *smallest[at + 1 :]]):
                _lower(at, lambda: smallest, take)
    return smallest


def _lower(at: int, current: Callable[[], list[int]], take: Callable[[list[int]], bool]) -> None:
    """Bring one choice as near to zero as still fails, by halving how far it goes."""
    low, value = 0, current()[at]
    while value - low > 1:
        middle = (low + value) // 2
        if take([*current()[:at], middle, *current()[at + 1 :]]):
            value = middle
        else:
            low = middle
