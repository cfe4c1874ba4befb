"""How a case is run: by how many threads, in how many launches, and which of these are serial."""

from __future__ import annotations

from tests.fuzz._choices import Choices

#: For each launch of a call whether it is serial after all, and the threads of a launch.
Launches = tuple[tuple[bool, ...], int]


def draw_launches(choices: Choices) -> Launches:
    """Draw them; one serial launch is the most frequent."""
    launches = choices.pick((1, 1, 1, 1, 2, 3))
    workers = choices.pick((1, 1, 1, 2, 3, 5)) if launches == 1 else choices.pick((2, 3, 5))
    return tuple([not choices.is_rare(2) for _ in range(launches)]), workers
