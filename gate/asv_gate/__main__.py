"""The command line: ``python -m asv_gate``, and ``asv-gate``."""

import signal
import sys

from .command import main

# What shells say of a program that was told to end.
_TERMINATED = 143


def _end(_signal: int, _frame: object) -> None:
    sys.exit(_TERMINATED)


def run() -> int:
    """Run the command, and end the processes that it has started when it is told to end."""
    signal.signal(signal.SIGTERM, _end)
    return main()


if __name__ == "__main__":
    sys.exit(run())
