"""`fastops warmup`: compile every kernel into the cache."""

from __future__ import annotations

import argparse
import sys
import warnings
from importlib import import_module
from time import perf_counter
from typing import Any

from fastops._cli._progress import ProgressBar, note_compiling
from fastops._cli._table import format_table
from fastops._runtime._kernels import KERNELS, compile_kernel

# What users' compiled code calls, besides what the kernels are made of.
_USER_CALLS = "user_calls"


def add_warmup(commands: Any) -> None:
    """Add the command to the parser."""
    text = "compile all kernels into the cache, so that no later process has to"
    commands.add_parser("warmup", help=text, description=text).set_defaults(run=run_warmup)


def run_warmup(_: argparse.Namespace) -> int:
    """Print where each kernel came from; return 1 if the cache does not keep them."""
    rows = []
    names = (*KERNELS, _USER_CALLS)
    with warnings.catch_warnings(record=True) as caught, ProgressBar(len(names)) as bar:
        warnings.simplefilter("always", RuntimeWarning)
        note_compiling(bar, "warmup")
        for name in names:
            bar.show(f"compiling {name}")
            started = perf_counter()
            from_cache = _link_user_calls() if name == _USER_CALLS else compile_kernel(name).from_cache
            seconds = perf_counter() - started
            rows.append((name, "was in the cache" if from_cache else "compiled", f"{seconds:.2f}"))
            bar.advance()
    print("\n".join(format_table(("kernel", "outcome", "s"), rows, right=(2,))))
    # The cache warns where it cannot be read or written.
    complaints = {" ".join(str(each.message).split()) for each in caught if each.category is RuntimeWarning}
    for complaint in sorted(complaints):
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def _link_user_calls() -> bool:
    """Compile what users' compiled code calls, or load it; return True if all of it was in the cache."""
    # Numba is loaded here: the command's help does without it.
    loaded: bool = import_module("fastops._overloads._link").link_units()
    return loaded
