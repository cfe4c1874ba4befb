"""The command line: ``fastops`` or ``python -m fastops``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module
from typing import IO, Any

import fastops
from fastops._cli._printable import printable

#: Exit codes besides 0 and those of the commands: Numba does not work here, a wrong call, Ctrl-C, a reader that went
#: away.
NO_KERNELS, WRONG_CALL, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


_COMMANDS = ("demo", "run", "explain", "info", "warmup")


def create_parser() -> Any:
    """Return the parser of all commands."""
    # Imported here, so that Ctrl-C ends the imports as it ends the rest.
    parser = import_module("fastops._cli._parser").LineParser(
        prog="fastops", description="Exact tensor slicing, splitting, padding and ranges on the CPU."
    )
    parser.add_argument("--version", action="version", version=f"fastops {fastops.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND")
    for name in _COMMANDS:
        getattr(import_module(f"fastops._cli._{name}"), f"add_{name}")(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; errors are one line on standard error."""
    can_print = sys.stdout is not None
    _prepare_streams()
    # What is printed is kept back, so that an error of standard output is told from any other.
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            code, complaint = _outcome(sys.argv[1:] if argv is None else argv)
        if not complaint:
            code, complaint = _printed_out(printed.getvalue(), code, can_print=can_print)
    except KeyboardInterrupt:
        return INTERRUPTED
    if complaint:
        try:
            print(printable(complaint, "\n"), file=sys.stderr)
        except (OSError, ValueError):
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
            # A file name that the terminal's encoding does not have is printed in escapes.
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
    except ImportError as error:
        # Of an extra that the command needs.
        return WRONG_CALL, str(error)
    except Warning as warning:
        # Where warnings are errors.
        return WRONG_CALL, " ".join(str(warning).split())
    except OSError as error:
        return WRONG_CALL, f"fastops: files must be accessible, got {' '.join(str(error).split())}"


def _printed_out(text: str, code: int, *, can_print: bool) -> tuple[int, str]:
    """Print what a command has to say; return its exit code, or what there is to complain of."""
    if text and not can_print:
        return WRONG_CALL, "fastops: standard output must be open, got a closed one"
    try:
        print(printable(text, "\n"), end="", flush=True)
    except (OSError, ValueError, KeyboardInterrupt) as error:
        # A stream of a program that calls `main` may be closed, or its own.
        _discard(sys.stdout)
        if isinstance(error, KeyboardInterrupt):
            raise
        if isinstance(error, BrokenPipeError):
            return BROKEN_PIPE, ""
        return WRONG_CALL, f"fastops: standard output must be writable, got {getattr(error, 'strerror', None) or error}"
    return code, ""


def _discard(stream: IO[str]) -> None:
    """Let a stream lead nowhere, because Python flushes it once more when it ends."""
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def _run_command(argv: Sequence[str]) -> int:
    try:
        parser = create_parser()
        args = parser.parse_args(argv)
        if not hasattr(args, "run"):
            # Without a command. It is no error to ask what there is, so the exit code is 0, as cargo's and pip's.
            parser.print_help()
            return 0
        code: int = args.run(args)
    except SystemExit as done:
        # --help and --version end in this way.
        return int(done.code or 0)
    return code


if __name__ == "__main__":
    sys.exit(main())
