"""What pytest collects: tests and doctests of a framework that is not installed are left out."""

import os
from importlib.util import find_spec

import pytest

HAS_TORCH = find_spec("torch") is not None

# Programs of recipes have no doctests; tests/documentation runs them.
collect_ignore_glob = ["docs/recipes/*.py", "docs/recipes/gate/*"]
if not HAS_TORCH:
    collect_ignore_glob += ["fastops/ops/torch/*", "tests/ops/torch/*"]


def pytest_configure() -> None:
    """End where nothing may be left out, as in CI."""
    if os.environ.get("FASTOPS_NEEDS_TORCH") and not HAS_TORCH:
        raise pytest.UsageError("FASTOPS_NEEDS_TORCH is set, and PyTorch is not installed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return more workers than there are cores: many tests wait for processes that they have started."""
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2


def pytest_report_header() -> str:
    """Say what is left out."""
    return f"fastops.torch: {'tested' if HAS_TORCH else 'left out, PyTorch is not installed'}"
