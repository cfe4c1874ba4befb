"""`fastops warmup`: compile and load the kernels that a first call would wait for."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from fastops._cli._flags import LineParser
from fastops._runtime._kernels import link_parallel, load_object


def run(argv: Sequence[str]) -> int:
    """Print where the kernels came from; raise a RuntimeWarning if the cache cannot keep them."""
    LineParser("warmup").parse_args(argv)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "fastops: compiled kernels cannot be kept", RuntimeWarning)
        print(f"all kernels  {load_object().origin}")
        print(f"threads      {'ready' if link_parallel() else 'none: this version of Numba differs'}")
    return 0
