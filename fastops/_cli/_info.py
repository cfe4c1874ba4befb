"""`fastops info`: the versions, the machine, the threads and the kernels."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from llvmlite import binding as llvm

import fastops
from fastops._arrays import _outputs
from fastops._cli._flags import LineParser
from fastops._runtime import _builds, _objects
from fastops._runtime._kernels import is_free_threaded, thread_count
from fastops._runtime._threads import SERIAL_WORK, ThreadLimits, read_thread_count, threading_layer
from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics import _object_layout


def run(argv: Sequence[str]) -> int:
    """Print the facts that a report of a problem should contain."""
    LineParser("info").parse_args(argv)
    for name, value in [*_machine(), *_threads(), *_kernels()]:
        print(f"{name:16}  {value}")
    return 0


def _machine() -> Iterator[tuple[str, str]]:
    yield "fastops", f"{fastops.__version__}, {Path(fastops.__file__).parent}"
    yield "python", f"{platform.python_version()}, {platform.platform()}"
    for package in ("numpy", "numba", "llvmlite", "ml_dtypes"):
        yield package, version(package)
    yield "cpu", llvm.get_host_cpu_name()
    yield "cpu features", " ".join(sorted([name for name, is_on in llvm.get_host_cpu_features().items() if is_on]))


def _threads() -> Iterator[tuple[str, str]]:
    # Counting starts the threads; only then is the layer known.
    yield "threads", str(thread_count())
    limits, layer = ThreadLimits.read(), threading_layer() or "none"
    quota = "no quota" if limits.quota is None else f"a quota of {limits.quota:g}"
    worker = ", a worker of a pool" if limits.is_pool_worker else ""
    yield "thread limits", f"Numba {read_thread_count()}, affinity {limits.affinity}, {quota}{worker}"
    yield "threading layer", layer
    if layer in SERIAL_WORK:
        yield "large work", SERIAL_WORK[layer]


def _kernels() -> Iterator[tuple[str, str]]:
    if is_free_threaded():
        yield "kernels", "none: they do not run on a free-threaded build of Python"
    else:
        found = _objects.find_ready()
        yield "kernels", found[0] if found else "not compiled yet: the first call does that, or fastops warmup"
    if IS_CHECKED:
        yield "checked", "FASTOPS_CHECKED_KERNELS is set: kernels check each access to memory"
    for name, why in _objects.look_at_shipped()[1].items():
        yield "not used", f"{name}: {why}"
    reason = _builds.why_not_used()
    yield "cache", f"{_builds.cache_directory()}{f', not used: {reason}' if reason else ''}"
    if not _outputs.CAN_COUNT:
        yield "memory kept", "none: this Python does not tell what is in use"
    if not _object_layout.is_as_expected():
        yield "calls", "slow: arrays or tuples have a layout here that kernels do not know"
