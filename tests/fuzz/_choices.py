"""Choices: the random numbers that a case is made of."""

from __future__ import annotations

from random import Random


class Choices(Random):
    """A generator of random numbers of its own, with shorter words for what cases draw most."""

    integer, pick = Random.randint, Random.choice

    def __init__(self, source: Random) -> None:
        super().__init__(source.getrandbits(64))

    def is_rare(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.randrange(one_in) == 0
