"""The command line: ``fastops`` or ``python -m fastops``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import fastops
from fastops._cli._flags import printable

#: Exit codes besides 0 and those of the commands: Numba does not work here, a wrong call, Ctrl-C, a reader that went
#: away.
NO_KERNELS, WRONG_CALL, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141

_COMMANDS = ("demo", "run", "explain", "info", "warmup")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; errors are one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file name that the terminal's encoding does not have is printed in escapes.
            stream.reconfigure(errors="backslashreplace")
    code = WRONG_CALL
    try:
        code_of_command = _run_command(sys.argv[1:] if argv is None else argv)
        print(end="", flush=True)
        return code_of_command
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes the stream once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (fastops.FastopsError, ImportError, Warning) as error:
        # An ImportError is of an extra that the command needs, and warnings are raised where they are errors.
        complaint = str(error)
    except fastops.KernelError as error:
        code, complaint = NO_KERNELS, str(error)
    except MemoryError:
        complaint = "fastops: the arrays must fit in memory, got MemoryError"
    except OSError as error:
        complaint = f"fastops: files must be accessible, got {error}"
    print(printable(" ".join(complaint.split())), file=sys.stderr)
    return code


def _run_command(argv: Sequence[str]) -> int:
    name, *rest = argv or ["--help"]
    if name in ("-h", "--help"):
        print("usage: fastops COMMAND ...\n\nExact tensor slicing, splitting, padding and ranges on the CPU.\n")
        for command in _COMMANDS:
            print(f"  {command:8}  {import_module(f'fastops._cli._{command}').HELP}")
        print("\nEach command has --help; fastops --version prints the version.")
        return 0
    if name == "--version":
        print(f"fastops {fastops.__version__}")
        return 0
    if name not in _COMMANDS:
        raise fastops.AttributeValueError("fastops", "COMMAND", f"be one of {', '.join(_COMMANDS)}", name)
    try:
        code: int = import_module(f"fastops._cli._{name}").run(rest)
    except SystemExit as done:
        # --help of a command ends in this way.
        return int(done.code or 0)
    return code


if __name__ == "__main__":
    sys.exit(main())
