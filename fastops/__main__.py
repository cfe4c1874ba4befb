"""The command line: ``fastops`` or ``python -m fastops``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import fastops
from fastops._cli._demo import add_demo
from fastops._cli._explain import add_explain
from fastops._cli._info import add_info
from fastops._cli._parser import LineParser
from fastops._cli._run import add_run
from fastops._cli._warmup import add_warmup
from fastops._runtime import KernelError

#: Exit codes besides 0 and those of the commands: Numba does not work here, a wrong call, Ctrl-C, a reader that went
#: away.
NO_KERNELS, WRONG_CALL, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


def create_parser() -> LineParser:
    """Return the parser of all commands."""
    parser = LineParser(prog="fastops", description="Exact tensor slicing, splitting, padding and ranges on the CPU.")
    parser.add_argument("--version", action="version", version=f"fastops {fastops.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for add in (add_demo, add_run, add_explain, add_info, add_warmup):
        add(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; errors are one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file name that the terminal's encoding has not is printed in escapes.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run_command(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except fastops.FastopsError as error:
        print(error, file=sys.stderr)
        return WRONG_CALL
    except KernelError as error:
        print(error, file=sys.stderr)
        return NO_KERNELS
    except MemoryError:
        print("fastops: the arrays must fit in memory, got MemoryError", file=sys.stderr)
        return WRONG_CALL
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # Commands turn what happens to their files into errors of fastops: what is left is standard output. Python
        # flushes it once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return BROKEN_PIPE
        print(f"fastops: standard output must be writable, got {error.strerror}", file=sys.stderr)
        return WRONG_CALL
    return code


def _run_command(argv: Sequence[str]) -> int:
    try:
        args = create_parser().parse_args(argv)
    except SystemExit as done:
        # --help and --version end in this way.
        return int(done.code or 0)
    code: int = args.run(args)
    return code


if __name__ == "__main__":
    sys.exit(main())
