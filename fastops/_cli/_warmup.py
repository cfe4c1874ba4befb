"""`fastops warmup`: get everything ready that a first call would wait for."""

from __future__ import annotations

import argparse
import sys
import warnings
from importlib import import_module
from time import perf_counter
from typing import Any

from fastops._cli._progress import ProgressBar
from fastops._cli._table import format_table
from fastops._runtime._kernels import PARALLEL, link_parallel, load_object


def add_warmup(commands: Any) -> None:
    """Add the command to the parser."""
    text = "compile what is missing of the kernels into the cache, so that no later process has to"
    commands.add_parser("warmup", help=text, description=text).set_defaults(run=run_warmup)


def run_warmup(_: argparse.Namespace) -> int:
    """Print where the kernels came from; return 1 if the cache does not keep them."""
    rows = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        started = perf_counter()
        # It says itself that it compiles, before there is a bar.
        rows.append(("all kernels", load_object().origin, f"{perf_counter() - started:.2f}"))
        with ProgressBar(len(PARALLEL)) as bar:
            for name in PARALLEL:
                bar.show(f"compiling {name} for threads")
                started = perf_counter()
                rows.append((f"{name} for threads", _link_parallel(name), f"{perf_counter() - started:.2f}"))
                bar.advance()
    print("\n".join(format_table(("kernels", "code", "s"), rows, right=(2,))))
    # The cache warns where it cannot be read or written.
    complaints = {" ".join(str(each.message).split()) for each in caught if each.category is RuntimeWarning}
    for complaint in sorted(complaints):
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def _link_parallel(name: str) -> str:
    """Load a kernel that runs on threads, or compile it, and say which."""
    # Numba is loaded here: the command's help does without it.
    is_there = import_module("fastops._runtime._parallel").parallel_path(name).exists()
    if not link_parallel(name):
        return "none: NUMBA_DISABLE_JIT is set"
    return "from the cache" if is_there else "compiled now"
