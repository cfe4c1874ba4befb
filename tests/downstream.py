"""Test suites of other libraries: which tests pass with NumPy's functions, and fail with those of `fastops.numpy`?

``python -m tests.downstream [SUITE ...]`` runs each suite twice. The exit code is 1 if such a test is not listed as
writing through a view, or a listed one passes. ``tox -e downstream`` installs the libraries.

This module is also a plugin of pytest, which replaces the functions and notes the outcome of each test. pytest loads it
before the library under test, so that names which the library imports from NumPy are replaced too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest

_ROOT = Path(__file__).parents[1]
_SHOWN = 20


class Suite(NamedTuple):
    """Tests of a library: its name, modules and packages of tests, and, in `views`, the ends of some tests' names.

    These tests write through a view of NumPy's, or try to.
    """

    name: str
    modules: str
    views: tuple[str, ...] = ()


SUITES = (
    Suite("pywt", "pywt"),
    Suite(
        "skimage",
        "skimage.util skimage.transform skimage.exposure skimage.filters.tests.test_gaussian "
        "skimage.filters.tests.test_median skimage.feature.tests.test_corner skimage.feature.tests.test_hog "
        "skimage.feature.tests.test_util skimage.restoration.tests.test_restoration "
        "skimage.measure.tests.test_blur_effect",
    ),
    # ndimage.vectorized_filter writes through np.moveaxis, and signal.oaconvolve through np.split.
    Suite("scipy.ndimage", "scipy.ndimage", ("TestVectorizedFilter::test_against_generic_filter",)),
    Suite(
        "scipy.signal",
        "scipy.signal.tests.test_signaltools scipy.signal.tests.test_savitzky_golay scipy.signal.tests.test_spectral "
        "scipy.signal.tests.test_upfirdn",
        tuple(f"TestOAConvolve::test_{n}" for n in ("real_manylens", "1d_noaxes", "1d_axes", "2d_noaxes", "2d_axes")),
    ),
    # sklearn.preprocessing.scale writes through np.rollaxis.
    Suite(
        "sklearn",
        "sklearn.preprocessing.tests.test_data sklearn.preprocessing.tests.test_common "
        "sklearn.feature_extraction.tests.test_image",
        (
            *("::test_missing_value_handling", "::test_scale_1d", "::test_scale_function_without_centering"),
            *("::test_scaler_2d_arrays", "::test_standard_scaler_numerical_stability"),
            *("::test_power_transformer_1d", "::test_power_transformer_2d"),
        ),
    ),
    # This test expects that the windows of sliding_window_view are read-only.
    Suite(
        "xarray",
        "xarray.tests.test_variable xarray.tests.test_duck_array_ops xarray.tests.test_nputils",
        ("TestVariable::test_rolling_window",),
    ),
    Suite("pandas", "pandas.tests.reshape pandas.tests.indexes.multi pandas.tests.arrays.categorical"),
)

# --- The plugin -----------------------------------------------------------------------------------------------------

_outcomes: dict[str, str] = {}
_calls = 0
_thread = threading.local()


def _in_place_of(theirs: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls ours, and theirs when fastops itself calls it."""

    @wraps(theirs)
    def run(*args: Any, **kwargs: Any) -> Any:
        global _calls
        if getattr(_thread, "is_in_fastops", False):
            return theirs(*args, **kwargs)
        _calls += 1
        _thread.is_in_fastops = True
        try:
            return ours(*args, **kwargs)
        finally:
            _thread.is_in_fastops = False

    return run


def replace_functions() -> None:
    """Put the functions of `fastops.numpy` in the place of NumPy's."""
    from fastops import numpy as dialect

    for home in (np, np.lib.stride_tricks):
        for name in [each for each in dir(dialect) if each[0] != "_" and hasattr(home, each)]:
            setattr(home, name, _in_place_of(getattr(home, name), getattr(dialect, name)))


if os.environ.get("DOWNSTREAM_FUNCTIONS") == "fastops":
    replace_functions()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the outcome of a test: that of its call, or of another phase unless that has passed."""
    if report.when == "call" or report.outcome != "passed":
        _outcomes[report.nodeid] = report.outcome


def pytest_sessionfinish() -> None:
    """Write the outcomes, and the number of calls of fastops."""
    told = json.dumps({"outcomes": _outcomes, "calls": _calls})
    Path(os.environ["DOWNSTREAM_REPORT"]).write_text(told, "utf-8")


# --- The command ----------------------------------------------------------------------------------------------------


def run_suite(suite: Suite, functions: str) -> dict[str, Any]:
    """Run a suite with the functions of "numpy" or "fastops"; return the outcomes, and the calls of fastops."""
    with TemporaryDirectory() as folder:
        report, settings = Path(folder) / "report.json", Path(folder) / "pytest.ini"
        settings.write_text("[pytest]\n", "utf-8")
        # Use the libraries' own plugins and pytest's default settings, and nothing of fastops.
        options = ["-q", "--tb=no", "--disable-warnings", "--no-summary", "-p", "no:cacheprovider", "-c", str(settings)]
        command = [sys.executable, "-m", "pytest", *options, "-p", "tests.downstream", "--pyargs"]
        command += suite.modules.split()
        own = {"DOWNSTREAM_FUNCTIONS": functions, "DOWNSTREAM_REPORT": str(report), "PYTHONPATH": str(_ROOT)}
        done = subprocess.run(command, cwd=folder, env=os.environ | own, capture_output=True, text=True, check=False)
        # The codes 0 and 1 mean that all tests passed, or that some failed.
        if done.returncode not in (0, 1):
            raise SystemExit(f"{suite.name}: pytest has ended with {done.returncode}\n{done.stdout}{done.stderr}")
        found: dict[str, Any] = json.loads(report.read_text("utf-8"))
        return found


def check_suite(suite: Suite) -> bool:
    """Run a suite with the functions of both, print the differences, and return whether nothing is wrong."""
    theirs = run_suite(suite, "numpy")["outcomes"]
    ran = run_suite(suite, "fastops")
    passed = [name for name, outcome in theirs.items() if outcome == "passed"]
    failed = [name for name in passed if ran["outcomes"].get(name) != "passed"]
    wrong = [name for name in failed if not name.partition("[")[0].endswith(suite.views)]
    stale = [end for end in suite.views if not any(name.partition("[")[0].endswith(end) for name in failed)]
    print(
        f"{suite.name}: {len(passed)} tests pass with NumPy's functions; with fastops' functions, called "
        f"{ran['calls']} times, {len(failed) - len(wrong)} of these tests fail because they write through views, and "
        f"{len(wrong)} other tests fail",
        flush=True,
    )
    for name in wrong[:_SHOWN]:
        print(f"  fails with fastops: {name}")
    for end in stale:
        print(f"  does not fail, but is listed as writing through a view: {end}")
    return not wrong and not stale


def main() -> int:
    """Run the suites of the command line, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.downstream", description=__doc__)
    known = [suite.name for suite in SUITES]
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"one of {', '.join(known)}; all by default")
    names = parser.parse_args().suites or known
    if unknown := sorted({*names} - {*known}):
        parser.error(f"there is no suite {', '.join(unknown)}")
    results = [check_suite(suite) for suite in SUITES if suite.name in names]
    print(f"{results.count(True)} of {len(results)} suites pass with fastops' functions")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
