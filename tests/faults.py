"""Faults: how many mistakes in the code do the tests notice?

``python -m tests.faults [name ...]`` makes the mistakes of `faults.toml`, one at a time, each in a copy of the
repository. For each mistake, the tests near it run first; if these pass, all tests run.

The command prints which test notices each fault. The exit code is 1 if a test fails without a fault, or if no test
notices a fault.

Each copy has a cache of kernels of its own, which begins with the content of NUMBA_CACHE_DIR, so kernels are compiled
only if their sources have changed. Tests that take longer than the limit count as having noticed a fault. The fault
`nothing`, which changes nothing, comes first: it shows that all tests pass in a copy, and in time.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.helpers.seeds import SEED

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tests" / "faults.toml"

# Printed in place of the test that notices a fault.
NOT_NOTICED, HANGS, CRASHES = "no", "hangs", "crashes"

# Hypothesis must draw the same examples each time, so that a fault has the same answer each time.
_PYTEST = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
# This test fails in each copy, because the fault is already made there.
_PYTEST.append("--deselect=tests/test_project_files.py::test_faults_can_be_made")

# Prints where a module is found.
_FIND = "import sys; from importlib.util import find_spec; print(find_spec(sys.argv[1]).origin)"


class Fault(NamedTuple):
    """A mistake; `faults.toml` describes the fields."""

    name: str
    file: str
    was: str
    now: str
    says: str
    near: list[str]

    def changed(self) -> str:
        """Return the file with the mistake in it; raise if the mistake cannot be made, or compiled."""
        text = (ROOT / self.file).read_text()
        if text.count(self.was) != 1 or not all([(ROOT / each).exists() for each in self.near]):
            raise SystemExit(f"{self.name}: {self.file} must have the old text once, and tests near it must exist")
        compile(changed := text.replace(self.was, self.now), self.file, "exec")
        return changed


def read_faults() -> dict[str, Fault]:
    """Return the faults by their names; raise for one that cannot be made."""
    faults = [Fault(**each) for each in tomllib.loads(FAULTS.read_text())["fault"]]
    named = {fault.name: fault for fault in faults if fault.changed()}
    if len(named) < len(faults):
        raise SystemExit("two faults have one name")
    return named


def copy_with(fault: Fault, place: Path) -> dict[str, str]:
    """Copy the files that git tracks, with a fault in them; return the environment in which the copy is imported."""
    for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
    (place / fault.file).write_text(fault.changed())
    kernels = place.with_name("kernels")
    if os.path.isdir(warm := os.environ.get("NUMBA_CACHE_DIR", "")):
        shutil.copytree(warm, kernels, ignore=shutil.ignore_patterns("*.tmp"))
    paths = os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(kernels), "FASTOPS_TEST_SEED": str(SEED)}
    command = [sys.executable, "-c", _FIND, fault.file.removesuffix(".py").replace("/", ".")]
    found = subprocess.check_output(command, cwd=place.parent, env=environment, text=True).strip()
    assert Path(found) == place / fault.file, f"{fault.name}: {found} is imported"
    return environment


def run_tests(arguments: list[str], place: Path, environment: dict[str, str], seconds: float) -> str:
    """Run tests in a copy; return the first that fails, or NOT_NOTICED, HANGS or CRASHES."""
    # Interrupt the tests first, so that they end the processes that they have started.
    command = ["timeout", "--foreground", "--signal=INT", "--kill-after=30", f"{seconds}", *_PYTEST, *arguments]
    # The output goes into a file: a pipe would stay open if a test left a process behind.
    with place.with_name("log").open("wb") as log:
        code = subprocess.run(command, cwd=place, env=environment, stdout=log, stderr=log).returncode
    printed = place.with_name("log").read_text(errors="replace")
    if code in (4, 5):
        raise SystemExit(f"pytest was called wrongly, or has found no tests:\n{printed[-2000:]}")
    failed = re.search(r"(?m)^(?:FAILED|ERROR) (.+?)(?: - .*)?$", printed.rpartition(" short test summary info ")[2])
    # The last two codes are those of `timeout` when it has ended the tests.
    return {0: NOT_NOTICED, 124: HANGS, 137: HANGS}.get(code) or (failed[1] if failed else CRASHES)


def try_fault(fault: Fault, tests: list[str], seconds: float) -> tuple[str, str]:
    """Return the stage in which a fault is noticed, near or plain, and what notices it."""
    with TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as directory:
        place = Path(directory).resolve() / "repository"
        environment = copy_with(fault, place)
        for stage, arguments in (("near", fault.near), ("plain", tests)):
            if arguments and (noticed := run_tests(arguments, place, environment, seconds)) != NOT_NOTICED:
                return stage, noticed
    return "not", NOT_NOTICED


def main() -> int:
    """Print what notices each fault."""
    parser = argparse.ArgumentParser("python -m tests.faults", description="How many mistakes do the tests notice?")
    parser.add_argument("names", nargs="*", metavar="name", help="of a fault; default: all")
    parser.add_argument("--tests", default="-n auto", metavar="ARGS", help="of pytest in stage plain; '' for none")
    parser.add_argument("--seconds", type=float, default=900, help="limit of each of the two runs (default: 900)")
    given, faults = parser.parse_args(), read_faults()
    if not {*given.names} <= faults.keys():
        parser.error("no such fault")
    if find_spec("torch") is None:
        parser.error("PyTorch is not installed: its tests would fail without a fault")
    stages: list[str] = []
    is_right = True
    for fault in [faults[name] for name in given.names or faults]:
        stage, noticed = try_fault(fault, given.tests.split(), given.seconds)
        print(f"{fault.name:<28} {stage:<5} {noticed}", flush=True)
        stages.append(stage)
        is_right &= (stage == "not") == (fault.was == fault.now)
    counts = ", ".join([f"{stages.count(stage)} {stage}" for stage in ("near", "plain", "not")])
    print(f"{len(stages)} faults: {counts}")
    return int(not is_right)


if __name__ == "__main__":
    sys.exit(main())
