"""Which tests of other libraries pass with NumPy's functions, and fail with those of `fastops.numpy`?

``python -m tests.downstream [SUITE ...]`` runs each suite twice, and ends with 1 if there is such a test that does not
write through a view. ``tox -e downstream`` installs the libraries.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.downstream._suites import SUITES, Suite

_ROOT = Path(__file__).parents[2]
_SHOWN = 20


def run_suite(suite: Suite, functions: str) -> dict[str, Any]:
    """Run a suite with the functions of "numpy" or "fastops"; return the outcome of each test, and fastops' calls."""
    with TemporaryDirectory() as folder:
        report, settings = Path(folder) / "report.json", Path(folder) / "pytest.ini"
        settings.write_text("[pytest]\n", "utf-8")
        # The libraries' own plugins and settings count, not those of fastops.
        options = ["-q", "--tb=no", "--disable-warnings", "--no-summary", "-p", "no:cacheprovider", "-c", str(settings)]
        command = [
            sys.executable,
            "-m",
            "pytest",
            *options,
            "-p",
            "tests.downstream.plugin",
            "--pyargs",
            *suite.modules,
        ]
        own = {"DOWNSTREAM_FUNCTIONS": functions, "DOWNSTREAM_REPORT": str(report), "PYTHONPATH": str(_ROOT)}
        done = subprocess.run(command, cwd=folder, env=os.environ | own, capture_output=True, text=True, check=False)
        # 0 and 1: all tests passed, or some failed.
        if done.returncode not in (0, 1):
            raise SystemExit(f"{suite.name}: pytest has ended with {done.returncode}\n{done.stdout}{done.stderr}")
        found: dict[str, Any] = json.loads(report.read_text("utf-8"))
        return found


def check_suite(suite: Suite) -> bool:
    """Run a suite with both, print what differs, and return whether nothing is wrong."""
    theirs = run_suite(suite, "numpy")["outcomes"]
    ran = run_suite(suite, "fastops")
    passed = [name for name, outcome in theirs.items() if outcome == "passed"]
    failed = [name for name in passed if ran["outcomes"].get(name) != "passed"]
    plain = {name: name.partition("[")[0] for name in failed}
    writing = [name for name in failed if plain[name].endswith(tuple(suite.views))]
    wrong = [name for name in failed if name not in writing]
    stale = [end for end in suite.views if not any(name.endswith(end) for name in plain.values())]
    print(
        f"{suite.name}: {len(passed)} tests pass with NumPy's functions; with fastops', which were called "
        f"{ran['calls']} times, {len(writing)} of them fail since they write through views, and {len(wrong)} others",
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
    if set(names) - set(known):
        parser.error(f"there is no suite {', '.join(sorted(set(names) - set(known)))}")
    results = [check_suite(suite) for suite in SUITES if suite.name in names]
    print(f"{results.count(True)} of {len(results)} suites are as they are with NumPy's functions")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
