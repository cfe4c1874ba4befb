"""The command line: ``fastops`` or ``python -m fastops``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import fastops
from fastops._cli._flags import COMMANDS, printable

#: Exit codes besides 0 and those of the commands: kernels do not work here, a wrong call, Ctrl-C, a closed pipe.
NO_KERNELS, WRONG_CALL, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; errors are one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Print file names with escapes if the terminal's encoding lacks characters.
            stream.reconfigure(errors="backslashreplace")
    code = WRONG_CALL
    try:
        code_of_command = _run_command(sys.argv[1:] if argv is None else argv)
        print(end="", flush=True)
        return code_of_command
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # At exit, Python flushes standard output once more; let it flush into the null device.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (fastops.FastopsError, ImportError, Warning) as error:
        # An ImportError names an extra that the command needs. A Warning arrives here where warnings are errors.
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
        for command, text in COMMANDS.items():
            print(f"  {command:8}  {text}")
        print("\nEach command has --help; fastops --version prints the version.")
        return 0
    if name == "--version":
        print(f"fastops {fastops.__version__}")
        return 0
    if name not in COMMANDS:
        raise fastops.AttributeValueError("fastops", "COMMAND", f"be one of {', '.join(COMMANDS)}", name)
    try:
        return int(import_module(f"fastops._cli._{name}").run(rest))
    except SystemExit as done:
        # The --help of a command raises this.
        return int(done.code or 0)


if __name__ == "__main__":
    sys.exit(main())
