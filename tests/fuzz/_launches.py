"""How a case is run: by how many threads, in how many launches, and which of these are serial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.fuzz._choices import Choices
from tests.helpers.launches import run_kernel_by


@dataclass(frozen=True)
class Launches:
    """The threads of a launch, and for each launch of the call whether it is serial after all."""

    workers: int
    are_serial: tuple[bool, ...]

    @property
    def run_kernel(self) -> Callable[..., Any]:
        """What takes the place of `fastops._runtime._kernels.run_kernel`."""
        return run_kernel_by(self.are_serial, self.workers)


def draw_launches(choices: Choices) -> Launches:
    """Draw them; one serial launch is the simplest, and the most frequent."""
    launches = choices.pick((1, 1, 1, 1, 2, 3))
    workers = choices.pick((1, 1, 1, 2, 3, 5)) if launches == 1 else choices.pick((2, 3, 5))
    return Launches(workers, tuple([not choices.is_rare(2) for _ in range(launches)]))
