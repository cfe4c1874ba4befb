"""Caches of kernels, what is in them, and processes that fill them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from fastops._runtime import _kernels
from fastops.kernels._intrinsics._units import unit_of
from tests.helpers.processes import ROOT


def copy_of(warm: Path, place: Path) -> list[Path]:
    """Copy a cache; return its files of code."""
    subprocess.run(["cp", "-r", f"{warm}/.", place], check=True)
    files = sorted(place.rglob("*.nbc"))
    assert files
    return files


def copy_of_package(place: Path) -> Path:
    """Copy fastops as it is installed first: without the bytecode that Python would write into it."""
    package = place / "fastops"
    shutil.copytree(ROOT / "fastops", package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


def functions_of_kernels() -> list[str]:
    """The qualified names of all functions that kernels are compiled as."""
    modules = {name: import_module(module) for name, module in _kernels.KERNELS.items()}
    units = {call for module in modules.values() for group in module.UNITS for call in group}
    return sorted([*modules, *(unit_of(call).function.__qualname__ for call in units)])


@contextmanager
def started(code: str, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Start Python; end it with the block, if it has not come to its end."""
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()
