"""Caches of kernels, what is in them, and processes that fill them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.helpers.processes import ROOT


def copy_of_package(place: Path) -> Path:
    """Copy fastops as it is installed first: without the bytecode that Python would write into it."""
    package = place / "fastops"
    shutil.copytree(ROOT / "fastops", package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


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
