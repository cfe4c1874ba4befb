"""What pytest collects: tests and doctests of a framework that is not installed are left out."""

from importlib.util import find_spec

HAS_TORCH = find_spec("torch") is not None

collect_ignore_glob = [] if HAS_TORCH else ["fastops/ops/torch/*", "tests/ops/torch/*"]


def pytest_report_header() -> str:
    """Say what is left out."""
    return f"fastops.torch: {'tested' if HAS_TORCH else 'left out, PyTorch is not installed'}"
