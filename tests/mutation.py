"""Mutation testing: of all small changes to the modules of pure integers, how many do the tests notice?

`python -m tests.mutation [module ...]` makes each change that Cosmic Ray's operators can make, one at a time, and runs
tests on it. It prints the changes that survive and the share that was killed; the exit code is 1 if that is less than
`LEAST_KILLED`. `docs/mutation.md` explains the survivors.

Cosmic Ray's own runner writes each change to the file and starts a Python. Here a process is forked that has pytest and
Hypothesis already and loads the changed module from memory, so no file is ever changed. Limits of processor time and
memory end the changes that make loops endless or numbers huge; those count as killed.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from math import ceil
from pathlib import Path
from time import process_time
from types import CodeType
from typing import Any, NoReturn

import numpy as np  # noqa: F401 - loaded here, all forks have it
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parent.parent
# A little less than the tests kill today, so that a test that is lost is noticed.
LEAST_KILLED = 0.72

# The modules, and the tests of each in the folder of its room, the quick ones first: a change is tested until the first
# failure.
MODULES = {
    "_geometry._axis_map": ("test_checks", "test_axis_map"),
    "_geometry._geometry": ("test_checks", "test_json", "test_blocks", "test_composition"),
    "_geometry._range_and_windows": ("test_checks",),
    "_lowering._bounds": ("test_bounds",),
    "kernels._scheduler._boxes": ("scheduler/test_tables",),
    "kernels._scheduler._parts": ("scheduler/test_planes", "scheduler/test_tables"),
    "kernels._scheduler._planes": ("scheduler/test_planes", "scheduler/test_tables"),
    "kernels._scheduler._programs": ("scheduler/test_programs", "scheduler/test_tables"),
    "kernels._scheduler._rows": ("scheduler/test_rows", "scheduler/test_tables"),
    "kernels._scheduler._schedule": ("scheduler/test_planes", "scheduler/test_tables"),
}
# Those of them that run kernels or start a Python.
NOT_RUN = "plan_runs or need_no_numba"

# No changes: the members of an enum and types are equal if they are identical, and which equal numbers are identical is
# up to Python.
SAME_MEANING = ("Is_Eq", "IsNot_NotEq", "Eq_Is", "NotEq_IsNot")

# A change may take this many times the processor time that a test file takes without one, and some seconds more.
_TIMES, _SECONDS_MORE, _LONGEST = 4, 2, 600
_BYTES = 1 << 30
_SURVIVED, _KILLED, _NOT_LOADED = 0, 1, 99

# What takes time and says nothing here: long tracebacks, rewritten asserts, a cache, collecting garbage.
_OPTIONS = ["-xq", "--tb=native", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:unraisableexception"]
_OPTIONS += ["-p", "no:threadexception", "-o", "addopts=", "-k", f"not ({NOT_RUN})"]


@dataclass(frozen=True)
class Mutant:
    """A change: the `occurrence`-th that an operator can make in a module. Without an operator there is none."""

    module: str
    operator: str = ""
    occurrence: int = 0
    line: int = 0

    @property
    def path(self) -> Path:
        """The file of the module."""
        return ROOT.joinpath("fastops", *self.module.split(".")).with_suffix(".py")

    def code(self) -> str:
        """Return the changed source."""
        code = self.path.read_text()
        return mutate_code(code, get_operator(self.operator)(), self.occurrence) if self.operator else code

    def __str__(self) -> str:
        was, now = self.path.read_text().splitlines(), self.code().splitlines()
        old, new = next((a.strip(), b.strip()) for a, b in zip(was, now, strict=False) if a != b)
        return f"{self.module}.py:{self.line} {self.operator.rpartition('/')[2]}\n  - {old}\n  + {new}"


def list_mutants(module: str) -> list[Mutant]:
    """Return the changes to a module, without those to annotations, which nothing evaluates."""
    code = Mutant(module).code()
    tree, annotations = get_ast(code), _annotations(code)
    mutants = []
    for name in operator_names():
        if get_operator(name).arguments() or name.endswith(SAME_MEANING):
            continue
        operator = get_operator(name)()
        starts = [start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node)]
        for occurrence, start in enumerate(starts):
            if not any(low <= start < high for low, high in annotations):
                mutants.append(Mutant(module, name, occurrence, start[0]))
    return mutants


def _annotations(code: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where annotations begin and end, as lines and columns."""
    nodes: list[Any] = list(ast.walk(ast.parse(code)))
    notes = [getattr(node, field, None) for node in nodes for field in ("annotation", "returns")]
    return [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in notes if n is not None]


class _Loader(SourceFileLoader, MetaPathFinder):
    """Finds and loads one module, with other code than its file has."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(f"fastops.{mutant.module}", str(mutant.path))
        self.code = compile(mutant.code(), self.path, "exec")

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Return how to load the module, if it is that one."""
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, _: str) -> CodeType:
        """Return the changed code."""
        return self.code


def _test(mutant: Mutant, tests: Mapping[str, float]) -> NoReturn:
    """Run tests with a changed module, each for its seconds at most, and end this process with what they say."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    sys.meta_path.insert(0, _Loader(mutant))
    # The same examples each time, for the same score. Shrinking them is for people.
    os.environ["FASTOPS_TEST_SEED"] = "0"
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutation", derandomize=True, database=None, deadline=None, phases=phases)
    settings.load_profile("mutation")
    # One file after the other, so that few are collected for most changes.
    for test, seconds in tests.items():
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + seconds), resource.RLIM_INFINITY))
        room = mutant.module.split(".")[0].removeprefix("_")
        if pytest.main([*_OPTIONS, f"tests/{room}/{test}.py"]) != pytest.ExitCode.OK:
            os._exit(_KILLED)
    loader = getattr(sys.modules.get(f"fastops.{mutant.module}"), "__loader__", None)
    os._exit(_SURVIVED if isinstance(loader, _Loader) else _NOT_LOADED)


def _start(mutant: Mutant, tests: Mapping[str, float]) -> int:
    pid = os.fork()
    if not pid:
        try:
            _test(mutant, tests)
        finally:
            # A change that the module cannot be loaded with.
            os._exit(_KILLED)
    return pid


def measure_tests(module: str) -> dict[str, float]:
    """Return the seconds that a change may take in each test of a module: without one all of them pass."""
    seconds = {}
    for test in MODULES[module]:
        _, status, used = os.wait4(_start(Mutant(module), {test: _LONGEST}), 0)
        if os.waitstatus_to_exitcode(status) != _SURVIVED:
            raise SystemExit(f"{test} fails without a change, or does not load {module}.py")
        seconds[test] = _TIMES * (used.ru_utime + used.ru_stime) + _SECONDS_MORE
    return seconds


def find_survivors(mutants: Sequence[Mutant], tests: Mapping[str, float], jobs: int) -> list[Mutant]:
    """Return those changes with which all tests pass, and print each as soon as it is known."""
    survivors, running, left = [], {}, list(reversed(mutants))
    while left or running:
        while left and len(running) < jobs:
            mutant = left.pop()
            running[_start(mutant, tests)] = mutant
        pid, status = os.wait()
        mutant = running.pop(pid)
        if os.waitstatus_to_exitcode(status) == _SURVIVED:
            survivors.append(mutant)
            print(mutant, flush=True)
    return survivors


def main() -> int:
    """Print the survivors and the scores."""
    parser = argparse.ArgumentParser("python -m tests.mutation", description="How many small changes do tests notice?")
    parser.add_argument("modules", nargs="*", help=f"of {', '.join(MODULES)}; all by default")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    rows = []
    for module in arguments.modules or MODULES:
        mutants = list_mutants(module)
        survivors = find_survivors(mutants, measure_tests(module), arguments.jobs)
        rows.append((module, len(mutants) - len(survivors), len(mutants)))
    rows.append(("together", sum([row[1] for row in rows]), sum([row[2] for row in rows])))
    print(f"\n{'module':<30}{'killed':>8}{'of':>8}{'share':>8}")
    for name, killed, total in rows:
        print(f"{name:<30}{killed:>8}{total:>8}{killed / total:>8.1%}")
    return int(rows[-1][1] < LEAST_KILLED * rows[-1][2])


if __name__ == "__main__":
    sys.exit(main())
