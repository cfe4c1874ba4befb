"""The command line: ``python -m asv_gate``, and ``asv-gate``."""

import signal
import sys

from .command import main

# The exit code that shells give a program that SIGTERM has ended.
_TERMINATED = 143


def _end(_signal: int, _frame: object) -> None:
    sys.exit(_TERMINATED)


def run() -> int:
    """Run the command; on SIGTERM, end the processes that it has started."""
    signal.signal(signal.SIGTERM, _end)
    return main()


if __name__ == "__main__":
    sys.exit(run())
