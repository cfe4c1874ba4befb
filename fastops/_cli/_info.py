"""`fastops info`: the versions, the machine, the threads and the kernels."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import fastops
from fastops._errors import counted
from fastops._runtime._kernels import is_free_threaded, thread_count
from fastops._runtime._thread_limits import ThreadLimits
from fastops._runtime._threading_layers import read_thread_count, serial_work, threading_layer
from fastops._settings import KEEP_BYTES, PARALLEL_BYTES, STREAM_BYTES
from fastops.kernels._form import IS_CHECKED

_PACKAGES = ("numpy", "numba", "llvmlite", "ml_dtypes")

# How the libraries of each threading layer are called.
_LIBRARIES = {"omp": ("libgomp", "libomp", "libiomp"), "tbb": ("libtbb.",), "workqueue": ("workqueue",)}

_MAPS = Path("/proc/self/maps")


def add_info(commands: Any) -> None:
    """Add the command to the parser."""
    text = "print versions, CPU, threads and which kernels are used"
    commands.add_parser("info", help=text, description=text).set_defaults(run=run_info)


def run_info(_: argparse.Namespace) -> int:
    """Print what a report of a problem should have."""
    lines = [
        ("fastops", f"{fastops.__version__}, {Path(fastops.__file__).parent}"),
        ("python", f"{platform.python_version()}, {platform.platform()}"),
    ]
    lines += [(package, version(package)) for package in _PACKAGES]
    lines += _cpu_lines() + _thread_lines() + _limit_lines() + _kernel_lines()
    width = max(len(name) for name, _ in lines)
    for name, value in lines:
        print(f"{name:{width}}  {value}")
    return 0


def _cpu_lines() -> list[tuple[str, str]]:
    binding = import_module("llvmlite.binding")
    features = sorted(name for name, is_on in binding.get_host_cpu_features().items() if is_on)
    return [("cpu", binding.get_host_cpu_name()), ("cpu features", " ".join(features))]


def _thread_lines() -> list[tuple[str, str]]:
    # This starts the threads, so that the layer is known.
    threads = thread_count()
    layer = threading_layer() or "none"
    maps = _MAPS.read_text().splitlines() if _MAPS.exists() else []
    library = find_library(layer, maps) or "library unknown"
    lines = [("threads", str(threads)), ("thread limits", _limits_text(ThreadLimits.read()))]
    lines.append(("threading layer", f"{layer} ({library})"))
    serial = serial_work(layer)
    if serial:
        lines.append(("large work", serial))
    if not import_module("fastops.kernels._intrinsics._clock").HAS_CLOCK:
        lines.append(("launches", "not timed on this processor: threads that wait for a core are not noticed"))
    return lines


def _limits_text(limits: ThreadLimits) -> str:
    """Say what the number of threads comes from."""
    quota = "no quota" if limits.quota is None else f"a quota of {limits.quota:g}"
    asked = f"Numba {read_thread_count()}, affinity {limits.affinity}, {quota}"
    return f"{asked}, a worker of a pool" if limits.is_pool_worker else asked


def _limit_lines() -> list[tuple[str, str]]:
    is_never = sys.maxsize <= STREAM_BYTES
    streams = "never (FASTOPS_STREAM_BYTES)" if is_never else f"from {_shown(STREAM_BYTES)} of output on"
    kept = f"of results, up to {_shown(KEEP_BYTES)}" if KEEP_BYTES else "none (FASTOPS_KEEP_BYTES)"
    if not import_module("fastops._arrays._buffer_pool").CAN_COUNT:
        kept = "none: this Python does not tell what is in use"
    return [
        ("parallel", f"from {_shown(PARALLEL_BYTES)} of output on"),
        ("streaming stores", streams),
        ("memory kept", kept),
    ]


def _shown(limit: int) -> str:
    """Return a limit as the documentation has it: in binary units where it is a whole number of them."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if limit and limit % size == 0:
            return f"{limit // size} {unit}"
    return counted(limit, "byte")


def find_library(layer: str, maps: Iterable[str]) -> str | None:
    """Return the file name of a layer's library, from the lines of a process's memory maps; None if none is there."""
    for line in maps:
        fields = line.split(maxsplit=5)
        name = Path(fields[5]).name if len(fields) == 6 else ""
        if name.startswith(_LIBRARIES.get(layer, ())):
            return name
    return None


def _kernel_lines() -> list[tuple[str, str]]:
    code_files = import_module("fastops._runtime._code_files")
    reason = code_files.why_not_used()
    unused = f", not used: {reason}" if reason else ""
    lines = [("kernels", _code_text())]
    objects = import_module("fastops._runtime._objects")
    lines += [("not used", f"{name}: {why}") for name, why in objects.refused().items()]
    lines += [("cache", f"{code_files.cache_directory()}{unused}")]
    if not import_module("fastops.kernels._intrinsics._object_layout").is_as_expected():
        lines.append(("calls", "slow: arrays or tuples have a layout here that kernels do not know"))
    return lines


def _code_text() -> str:
    """Say which code calls of this machine run, without compiling any."""
    if is_free_threaded():
        return "none: they do not run on a free-threaded build of Python"
    found = import_module("fastops._runtime._objects").find_ready()
    form = " in their checked form (FASTOPS_CHECKED_KERNELS)" if IS_CHECKED else ""
    if found is not None:
        return f"{found[0]}{form}"
    builds = import_module("fastops._runtime._builds")
    if builds.is_building():
        return f"being compiled{form} by another process"
    if builds.is_forbidden():
        return f"none{form}, and {builds.VARIABLE}=0 forbids compiling them"
    return f"not compiled yet{form}: the first call does that, or fastops warmup"
