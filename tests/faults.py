"""Faults: of the mistakes that a tired programmer makes in one line, how many do the tests notice?

`python -m tests.faults [name ...]` makes those of `faults.toml`, one at a time, each in a copy of the repository. The
tests that are near it run first, and all tests if these notice nothing. What has noticed each is printed; the exit code
is 1 if one is not noticed that the file says is noticed, or if something is where nothing is wrong.

Each copy has a cache of kernels: what is in NUMBA_CACHE_DIR is copied too, so that only kernels with a fault in them
are compiled anew. Tests that take longer than the limit count as having noticed a fault. So `nothing` comes first: that
it is not noticed says that a plain run passes in a copy, and in time.
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

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tests" / "faults.toml"

# What is in place of the test that has noticed a fault.
NOT_NOTICED, HANGS, CRASHES = "no", "hangs", "crashes"

# The same examples each time, for the same answer.
_PYTEST = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
# That a fault is made already is none of its effects.
_PYTEST.append("--deselect=tests/test_project_files.py::test_faults_can_be_made")

# Where a module is found, by the path alone.
_FIND = "import sys; from importlib.util import find_spec; print(find_spec(sys.argv[1]).origin)"


class Fault(NamedTuple):
    """A mistake; `faults.toml` says what the fields are."""

    name: str
    file: str
    was: str
    now: str
    says: str
    near: list[str]
    noticed: str

    def changed(self) -> str:
        """Return the file with the mistake in it; raise if it cannot be made, or compiled."""
        text = (ROOT / self.file).read_text()
        if text.count(self.was) != 1 or not all([(ROOT / each).exists() for each in self.near]):
            raise SystemExit(f"{self.name}: what was there is not in {self.file} once, or tests near it are missing")
        compile(changed := text.replace(self.was, self.now), self.file, "exec")
        return changed


def read_faults() -> dict[str, Fault]:
    """Return the faults by their names; raise for one that cannot be made."""
    faults = [Fault(**each) for each in tomllib.loads(FAULTS.read_text())["fault"]]
    named = {fault.name: fault for fault in faults if fault.changed()}
    if len(named) < len(faults):
        raise SystemExit("two faults have one name")
    return named


def write_noticed(name: str, noticed: str) -> None:
    """Write into `faults.toml` what has noticed a fault."""
    entry = rf'(\nname = "{name}"\n(?:.*\n)*?noticed = ).*'
    FAULTS.write_text(re.sub(entry, lambda found: f"{found[1]}'''{noticed}'''", FAULTS.read_text(), count=1))


def copy_with(fault: Fault, place: Path) -> dict[str, str]:
    """Copy what git knows of the repository, with a fault in it; return the environment in which it is imported."""
    for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
    (place / fault.file).write_text(fault.changed())
    kernels = place.with_name("kernels")
    if os.path.isdir(warm := os.environ.get("NUMBA_CACHE_DIR", "")):
        shutil.copytree(warm, kernels, ignore=shutil.ignore_patterns("*.tmp"))
    paths = os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(kernels)}
    command = [sys.executable, "-c", _FIND, fault.file.removesuffix(".py").replace("/", ".")]
    found = subprocess.check_output(command, cwd=place.parent, env=environment, text=True).strip()
    assert Path(found) == place / fault.file, f"{fault.name}: {found} is imported"
    return environment


def run_tests(arguments: list[str], place: Path, environment: dict[str, str], seconds: float) -> str:
    """Run tests in a copy; return the first that fails, or what else came of them."""
    # Tests that are interrupted end the processes that they have started.
    command = ["timeout", "--foreground", "--signal=INT", "--kill-after=30", f"{seconds}", *_PYTEST, *arguments]
    # A file and no pipe, which a process that a test has left would keep open.
    with place.with_name("log").open("wb") as log:
        code = subprocess.run(command, cwd=place, env=environment, stdout=log, stderr=log).returncode
    printed = place.with_name("log").read_text(errors="replace")
    if code in (4, 5):
        raise SystemExit(f"pytest was called wrongly, or has found no tests:\n{printed[-2000:]}")
    failed = re.search(r"(?m)^(?:FAILED|ERROR) (.+?)(?: - .*)?$", printed.rpartition(" short test summary info ")[2])
    # The last two are of `timeout`, where it has ended the tests.
    return {0: NOT_NOTICED, 124: HANGS, 137: HANGS}.get(code) or (failed[1] if failed else CRASHES)


def try_fault(fault: Fault, tests: list[str], seconds: float) -> tuple[str, str]:
    """Return the stage in which a fault is noticed, near or plain, and by what."""
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
    parser.add_argument("names", nargs="*", metavar="name", help="of a fault; all by default")
    parser.add_argument("--tests", default="-n auto", metavar="ARGS", help="pytest's of a plain run; '' for none")
    parser.add_argument("--seconds", type=float, default=900, help="limit of each of the two runs (default: 900)")
    parser.add_argument("--write", action="store_true", help="write the answers into faults.toml")
    given, faults = parser.parse_args(), read_faults()
    if not faults.keys() >= set(given.names):
        parser.error(f"no fault is called {', '.join(set(given.names) - faults.keys())}")
    if find_spec("torch") is None:
        parser.error("PyTorch is not installed: its tests would fail without a fault")
    stages: list[str] = []
    is_wrong = False
    for fault in [faults[name] for name in given.names or faults]:
        stage, noticed = try_fault(fault, given.tests.split(), given.seconds)
        print(f"{fault.name:<28} {stage:<5} {noticed}", flush=True)
        stages.append(stage)
        # What notices that nothing is wrong, or no longer notices what is.
        is_wrong |= fault.was == fault.now if stage != "not" else fault.noticed not in ("", NOT_NOTICED)
        if given.write:
            write_noticed(fault.name, noticed)
    print(f"{len(stages)} faults:", ", ".join([f"{stages.count(stage)} {stage}" for stage in ("near", "plain", "not")]))
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
