"""The command line: ``fastops`` or ``python -m fastops``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import IO

import fastops
from fastops._cli._demo import add_demo
from fastops._cli._explain import add_explain
from fastops._cli._info import add_info
from fastops._cli._parser import LineParser
from fastops._cli._run import add_run
from fastops._cli._warmup import add_warmup

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
    _prepare_streams()
    # What is printed is kept back, so that an error of standard output is told from any other.
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            code, complaint = _outcome(sys.argv[1:] if argv is None else argv)
        if not complaint:
            code, complaint = _printed_out(printed.getvalue(), code)
    except KeyboardInterrupt:
        return INTERRUPTED
    if complaint:
        try:
            print(complaint, file=sys.stderr)
        except OSError:
            # There is nowhere left to say so, but the exit code.
            _discard(sys.stderr)
    return code


def _prepare_streams() -> None:
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            # The caller has closed it: the next file to be opened would get its number, and what is printed.
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file name that the terminal's encoding has not is printed in escapes.
            stream.reconfigure(errors="backslashreplace")


def _outcome(argv: Sequence[str]) -> tuple[int, str]:
    """Run a command; return its exit code, and what there is to complain of."""
    try:
        return _run_command(argv), ""
    except fastops.FastopsError as error:
        return WRONG_CALL, str(error)
    except fastops.KernelError as error:
        return NO_KERNELS, str(error)
    except MemoryError:
        return WRONG_CALL, "fastops: the arrays must fit in memory, got MemoryError"
    except OSError as error:
        return WRONG_CALL, f"fastops: files must be accessible, got {' '.join(str(error).split())}"


def _printed_out(text: str, code: int) -> tuple[int, str]:
    """Print what a command has to say; return its exit code, or what there is to complain of."""
    try:
        print(text, end="", flush=True)
    except (OSError, KeyboardInterrupt) as error:
        _discard(sys.stdout)
        if isinstance(error, KeyboardInterrupt):
            raise
        if isinstance(error, BrokenPipeError):
            return BROKEN_PIPE, ""
        return WRONG_CALL, f"fastops: standard output must be writable, got {error.strerror}"
    return code, ""


def _discard(stream: IO[str]) -> None:
    """Let a stream lead nowhere, because Python flushes it once more when it ends."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


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
