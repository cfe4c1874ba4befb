"""`fastops warmup`: get everything ready that a first call would wait for."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from time import perf_counter

from fastops._cli._flags import LineParser
from fastops._runtime._kernels import link_parallel, load_object

HELP = "compile missing kernels into the cache, so that no later process has to"


def run(argv: Sequence[str]) -> int:
    """Print where the kernels came from; return 1 if the cache does not keep them."""
    LineParser("warmup", prog="fastops warmup", description=HELP).parse_args(argv)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        for kernels, prepare in (("all kernels", _load), ("threads", _link_parallel)):
            started = perf_counter()
            print(f"{kernels:24}  {prepare()}, {perf_counter() - started:.2f} s")
    # The cache warns where it cannot be read or written.
    complaints = {" ".join(str(each.message).split()) for each in caught if each.category is RuntimeWarning}
    for complaint in sorted(complaints):
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def _load() -> str:
    return load_object().origin


def _link_parallel() -> str:
    """Load or compile the kernel that shares work among threads, and say which."""
    # Numba is loaded here: the command's help does without it.
    is_there = import_module("fastops._runtime._parallel").parallel_path().exists()
    if not link_parallel():
        return "none: NUMBA_DISABLE_JIT is set"
    return "from the cache" if is_there else "compiled now"
