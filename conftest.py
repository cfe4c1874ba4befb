"""Options of all tests: which files pytest collects, and one compilation of kernels while the workers collect."""

import os
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

HAS_TORCH = find_spec("torch") is not None

# Programs of recipes have no doctests; tests/test_project_files.py runs one.
collect_ignore_glob = ["docs/recipes/*.py"]
if not HAS_TORCH:
    collect_ignore_glob += ["fastops/ops/torch/*", "tests/ops/test_torch*"]

_WARMUP = pytest.StashKey[subprocess.Popen[bytes]]()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return more workers than there are cores, because many tests wait for processes that they have started."""
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile the kernels into the cache in one process, so that the workers need not."""
    command = [sys.executable, "-m", "fastops", "warmup"]
    config.stash[_WARMUP] = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any) -> None:
    """Wait for the kernels: the first tests begin when all workers have collected."""
    node.config.stash[_WARMUP].wait()


def pytest_report_header() -> str:
    """Say whether tests of PyTorch are left out."""
    return f"fastops.torch: {'tested' if HAS_TORCH else 'left out, PyTorch is not installed'}"
