"""Mutation testing: of all small changes to the modules of pure integers, how many do their tests notice?

``python -m tests.mutation [module ...]`` makes each change that Cosmic Ray's operators can make, one at a time, and runs
`TESTS` on it. It prints the changes that survive and the score of each module; the exit code is 1 if a score is below
`LEAST_KILLED`. `docs/mutation.md` explains the survivors.

Cosmic Ray's own runner starts a Python for each change, which takes an hour. Here a process is forked that has pytest
and Hypothesis already, and loads the changed module from memory: no file is ever changed. Changes that make loops
endless or numbers huge are ended by limits of processor time and memory, and count as killed.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import NoReturn

import numpy as np  # noqa: F401  (here, so that it is loaded once)
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parent.parent
# The modules, and which of the tests to run first: a change is tested until the first failure.
MODULES = {
    "_plan": "test_checks",
    "_range_plan": "test_checks",
    "_bounds": "test_bounds",
    "_byte_axes": "test_byte_axes",
    "_byte_strides": "test_byte_strides",
    "_schedule": "test_decisions",
    "_shuffle_program": "test_shuffle_program",
}
TESTS = (
    "test_bounds",
    "test_byte_strides",
    "test_checks",
    "test_decisions",
    "test_shuffle_program",
    "test_plans",
    "test_byte_axes",
    "test_axis_map",
    "test_tables",
    "test_schedule",
)
# Those of them that run kernels, start a Python or measure a time.
NOT_RUN = "runs or need_no_numba or microseconds"

LEAST_KILLED = 0.95

# Identity and equality are the same for the members of an enum and for types, which is all that is compared by identity,
# and for the numbers that are compared by equality they differ by what Python happens to keep.
SAME_MEANING = ("Is_Eq", "IsNot_NotEq", "Eq_Is", "NotEq_IsNot")

# Several times what all tests take.
_SECONDS, _BYTES = 40, 4 << 30
_SURVIVED, _KILLED, _NOT_LOADED = 0, 1, 99

# What takes time and says nothing here: tracebacks, rewritten asserts, a cache, collecting garbage.
_OPTIONS = ["-xq", "--tb=native", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:unraisableexception"]
_OPTIONS += ["-p", "no:threadexception", "-o", "addopts=", "-k"]


@dataclass(frozen=True)
class Mutant:
    """One change: the `occurrence`-th that an operator can make in a module."""

    module: str
    operator: str
    occurrence: int
    line: int

    @property
    def path(self) -> Path:
        """The file of the module."""
        return ROOT / "fastops" / f"{self.module}.py"

    def code(self) -> str:
        """Return the changed source."""
        changed = mutate_code(self.path.read_text(), get_operator(self.operator)(), self.occurrence)
        assert changed is not None
        return changed

    def __str__(self) -> str:
        was, now = self.path.read_text().splitlines(), self.code().splitlines()
        changed = [(a.strip(), b.strip()) for a, b in zip(was, now, strict=False) if a != b] or [("a line", "none")]
        return (
            f"{self.module}.py:{self.line} {self.operator.rpartition('/')[2]}\n  - {changed[0][0]}\n  + {changed[0][1]}"
        )


def list_mutants(module: str) -> Iterator[Mutant]:
    """Give the changes to a module, without those to annotations, which nothing evaluates."""
    code = (ROOT / "fastops" / f"{module}.py").read_text()
    tree, annotations = get_ast(code), _annotations(code)
    for name in operator_names():
        if get_operator(name).arguments() or name.endswith(SAME_MEANING):
            continue
        operator = get_operator(name)()
        positions = [position for node in ast_nodes(tree) for position in operator.mutation_positions(node)]
        for occurrence, (start, _) in enumerate(positions):
            if not any(low <= start < high for low, high in annotations):
                yield Mutant(module, name, occurrence, start[0])


def _annotations(code: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return from where to where the annotations of a module go: line and column."""
    found = []
    for node in ast.walk(ast.parse(code)):
        for field in ("annotation", "returns"):
            note = getattr(node, field, None)
            if note is not None:
                found.append(((note.lineno, note.col_offset), (note.end_lineno, note.end_col_offset)))
    return found


class _Finder(MetaPathFinder):
    """Finds one module, with other code than its file has."""

    def __init__(self, module: str, code: str) -> None:
        self.name = f"fastops.{module}"
        self.code = code

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how to load the module, if it is that one."""
        if name != self.name:
            return None
        file = str(ROOT / "fastops" / f"{name.rpartition('.')[2]}.py")
        return spec_from_file_location(name, file, loader=_Loader(name, file, self.code))


class _Loader(SourceFileLoader):
    def __init__(self, name: str, file: str, code: str) -> None:
        super().__init__(name, file)
        self.changed = code

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.changed, self.path, "exec")


def _run_tests(mutant: Mutant) -> NoReturn:
    """Run the tests with a changed module, and end this process with what they say."""
    module = mutant.module
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    sys.meta_path.insert(0, _Finder(module, mutant.code()))
    # Shrinking is for people, and the same examples each time make the same score.
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutation", derandomize=True, database=None, deadline=None, phases=phases)
    settings.load_profile("mutation")
    tests = sorted(TESTS, key=lambda name: name != MODULES.get(module))
    status = pytest.main([*_OPTIONS, f"not ({NOT_RUN})", *[f"tests/plan/{name}.py" for name in tests]])
    loaded = sys.modules.get(f"fastops.{module}")
    if status == pytest.ExitCode.OK:
        os._exit(_SURVIVED if loaded is not None and isinstance(loaded.__loader__, _Loader) else _NOT_LOADED)
    os._exit(_KILLED)


def test_mutants(mutants: Sequence[Mutant], jobs: int) -> list[Mutant]:
    """Return those changes that all tests pass with."""
    survivors, running = [], {}
    left = list(reversed(mutants))
    while left or running:
        while left and len(running) < jobs:
            mutant = left.pop()
            pid = os.fork()
            if not pid:
                _run_tests(mutant)
            running[pid] = mutant
        pid, status = os.wait()
        mutant = running.pop(pid)
        if os.waitstatus_to_exitcode(status) == _SURVIVED:
            survivors.append(mutant)
            print(mutant, flush=True)
        elif os.waitstatus_to_exitcode(status) == _NOT_LOADED:
            raise SystemExit(f"the tests do not load {mutant.module}.py")
    return survivors


def main() -> int:
    """Print the survivors and the scores."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description="How many small changes do tests notice?"
    )
    parser.add_argument("modules", nargs="*", default=MODULES, help=f"of {', '.join(MODULES)}; all by default")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    scores = []
    for module in arguments.modules:
        mutants = list(list_mutants(module))
        survivors = test_mutants(mutants, arguments.jobs)
        scores.append((module, len(mutants) - len(survivors), len(mutants)))
    print(f"\n{'module':<20}{'killed':>8}{'of':>8}{'share':>8}")
    for module, killed, total in scores:
        print(f"{module:<20}{killed:>8}{total:>8}{killed / total:>8.1%}")
    return int(any(killed < LEAST_KILLED * total for _, killed, total in scores))


if __name__ == "__main__":
    sys.exit(main())
