"""The checked form of the kernels, and the fuzz.

The checks of that form see every access and catch wrong ones, and all tests pass in it. A short run of the fuzz passes,
and the fuzz finds a fault and says how to repeat it.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
import re
from pathlib import Path
from unittest import mock

import pytest

import fastops.kernels
from fastops.kernels._tables import _words
from tests import fuzz
from tests.helpers.processes import run_program, run_python
from tests.helpers.seeds import in_full, scale

KERNELS = Path(fastops.kernels.__file__).parent

# The functions that access memory: by `Pointer`, of a variable on the stack, of objects whose layout is NumPy's or
# CPython's, of the word of a kernel that is compiled later, and of the records of the checks.
MAY_ACCESS = {
    "_access": "Pointer.load Pointer.load_first Pointer.store Pointer.store_first Pointer.copy_from Variable.__init__ "
    "Variable.get Variable.set _emit_long_copy _emit_record",
    "_entries": "_emit_entry",
    "_memory": "memory_in",
    "_objects": "_load_field _object fields_of half_at integer_at word_at",
    "_outlined": "emit_call",
    "_symbols": "take_violation",
}

# Methods of a builder that access memory, or make a pointer whose bounds no `Pointer` knows; and functions that do so
# whatever they belong to.
_OF_A_BUILDER = re.compile("load|store|load_atomic|store_atomic|cmpxchg|atomic_rmw|inttoptr|asm")
_OF_ANYBODY = re.compile("alloca_once_value|_?load_field|memcpy|memmove|memset|memset_padding|raw_memcpy|raw_memmove")

# Prefixes of the names of LLVM's functions that access memory.
_INTRINSICS = ("llvm.mem", "llvm.masked.", "llvm.vp.")


def is_access(node: ast.AST) -> bool:
    """True if a node emits an access of memory, or makes a pointer of an integer."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.startswith(_INTRINSICS)
    if isinstance(node, ast.Name):
        return _OF_ANYBODY.fullmatch(node.id) is not None
    if not isinstance(node, ast.Attribute):
        return False
    owner = getattr(node.value, "id", getattr(node.value, "attr", ""))
    names = (_OF_ANYBODY, _OF_A_BUILDER) if owner.lower().endswith("builder") else (_OF_ANYBODY,)
    return any(each.fullmatch(node.attr) for each in names)


def accesses(source: str) -> set[str]:
    """The functions and methods of a module's source that emit an access, and "" if the module itself does."""
    made = set()

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for each in body:
            if isinstance(each, ast.ClassDef):
                visit(each.body, f"{prefix}{each.name}.")
            elif any(map(is_access, ast.walk(each))):
                made.add(prefix + each.name if isinstance(each, ast.FunctionDef) else prefix)

    visit(ast.parse(source).body, "")
    return made


def test_every_access_goes_through_the_checks() -> None:
    made = {f"{module.stem}.{name}" for module in KERNELS.rglob("*.py") for name in accesses(module.read_text())}
    assert made == {f"{stem}.{name}" for stem, names in MAY_ACCESS.items() for name in names.split()}


@in_full
def test_accesses_beyond_a_buffer_are_caught_and_harm_nothing() -> None:
    done = run_program("violations", seconds=300, FASTOPS_CHECKED_KERNELS="1")
    assert (done.returncode, done.stdout) == (0, "caught\n"), done.stderr


FEW = "kernels/test_launches.py kernels/test_gather.py ops/test_slices.py"
# Tests of the repository and of timing do not run kernels, and tests that start processes take long.
TESTS = "benchmarks/test_cases.py execution geometry kernels ops overloads"


@in_full
def test_the_suite_passes_in_the_checked_form() -> None:
    chosen = [f"tests/{each}" for each in scale(FEW, TESTS).split()]
    # The inner run must not take options of the outer one.
    own = {"FASTOPS_CHECKED_KERNELS": "1", "FASTOPS_TORTURE": None, "FASTOPS_FULL": None, "PYTEST_ADDOPTS": None}
    done = run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, seconds=3000, **own)
    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout


class Counter:
    value = 0


@pytest.mark.parametrize("form", ["plain", pytest.param("checked", marks=in_full)])
def test_random_cases_are_right(form: str) -> None:
    cases = scale(1200, 300_000)
    # One process is enough for a few cases: each process loads all kernels.
    processes = scale(["--processes", 1], [])
    done = run_python("-m", "tests.fuzz", "--cases", cases, "--form", form, *processes, seconds=6000)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"^(\d+) cases in all: all are right$", done.stdout, re.MULTILINE)
    assert found and int(found[1]) >= cases  # noqa: PT018


def test_a_fault_and_an_exception_are_found_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = fuzz.to_words

    def faulty(source_shape, shapes, pieces):  # type: ignore[no-untyped-def]
        words = real(source_shape, shapes, pieces)
        mode = words[_words.FIRST_PIECE] + _words.PIECE_COLUMNS + _words.MODE
        # Words of results without elements have no pieces.
        if mode < len(words) and pieces[0].geometry.axes and words[mode] == _words.WRAP:
            words[mode] = _words.CLAMP
        return words

    monkeypatch.setattr(fuzz, "to_words", faulty)
    printed = fuzz.find_failure(1, 0, 2000, 60, Counter())
    assert printed is not None
    found = re.search(r"more, are wrong\nagain: --seed 1 --first (\d+) --cases 1 --", printed)
    assert found is not None
    assert "case = GatherCase(source=Memory(" in printed
    case = int(found[1])
    again = fuzz.find_failure(1, case, 1, 60, Counter())
    assert again is not None
    assert again.splitlines()[-1] == printed.splitlines()[-1]
    monkeypatch.undo()
    assert fuzz.find_failure(1, case, 1, 60, Counter()) is None
    monkeypatch.setattr(fuzz, "to_words", mock.Mock(side_effect=KeyError("no words")))
    assert "KeyError: 'no words'" in str(fuzz.find_failure(1, 0, 1000, 60, Counter()))


def test_a_process_that_dies_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(fuzz, "work", lambda *_: os._exit(3))
    monkeypatch.setattr(fuzz, "CONTEXT", multiprocessing.get_context("fork"))
    assert fuzz.main(["--seed", "5", "--processes", "1", "--form", "plain"]) == 1
    printed = capsys.readouterr().out
    assert "a case ended its process (exit code 3): --seed 5 --first 0 --cases 1 --processes 1 --form plain" in printed
