"""The tests of what kernels compute, with the kernels in their checked form: none reaches beyond a buffer."""

from __future__ import annotations

from tests.helpers.processes import run_python
from tests.helpers.seeds import scale
from tests.safety._forms import in_checked_form

FEW = "kernels/test_chunks.py kernels/test_gather.py ops/test_variadic_split.py"
# Not those of the repository and of timing, nor those that start processes of their own.
TESTS = "arrays benchmarks/test_cases.py drawings execution geometry kernels lowering ops overloads"


@in_checked_form
def test_the_suite_passes_in_the_checked_form() -> None:
    chosen = [f"tests/{each}" for each in scale(FEW, TESTS).split()]
    # Options of the outer run are no business of the inner one.
    own = {"FASTOPS_CHECKED_KERNELS": "1", "FASTOPS_TORTURE": None, "FASTOPS_FULL": None, "PYTEST_ADDOPTS": None}
    done = run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, seconds=3000, **own)
    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout
