"""The command line: ``python -m benchmarks.regress``."""

from __future__ import annotations

import signal
import sys
from importlib import import_module

# What shells say of a program that was told to end.
_TERMINATED = 143


def main(arguments: list[str] | None = None) -> int:
    """Run the gate; a gate that cannot be loaded, as in a project that has copied a part of it, has no verdict."""
    try:
        command = import_module("benchmarks.regress._command")
    except Exception as error:
        sys.stderr.write(f"could not measure: {type(error).__name__}: {' '.join(str(error).split())}\n")
        return 2
    code: int = command.main(arguments)
    return code


def _end(_signal: int, _frame: object) -> None:
    sys.exit(_TERMINATED)


if __name__ == "__main__":
    # Or nobody would end the processes that were started.
    signal.signal(signal.SIGTERM, _end)
    sys.exit(main())
