"""The checked form of the kernels, and the fuzz.

The checks of that form see every access and catch wrong ones, and tests of kernels and operators pass in it. A short
run of the fuzz passes, and the fuzz finds a fault and says how to repeat it.
"""

from __future__ import annotations

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

# What emits an access of memory, or makes a pointer whose bounds no `Pointer` knows: methods of a builder, functions of
# Numba and of kernels, and names of LLVM's functions.
ACCESS = re.compile(
    r"builder\.(?:load|store|load_atomic|store_atomic|cmpxchg|atomic_rmw|inttoptr|asm)\b"
    r"|\b(?:alloca_once_value|_?load_field|(?:raw_)?mem(?:cpy|move|set)(?:_padding)?)\("
    r'|"llvm\.(?:mem|masked\.|vp\.)'
)

# The number of such places in each module: for `Pointer`, for variables on the stack, and for fields of objects.
ACCESSES = {"_access": 11, "_entries": 2, "_memory": 1, "_objects": 9}


def test_every_access_goes_through_the_checks() -> None:
    found = {module.stem: len(ACCESS.findall(module.read_text())) for module in KERNELS.rglob("*.py")}
    assert {stem: n for stem, n in found.items() if n} == ACCESSES


@in_full
def test_accesses_beyond_a_buffer_are_caught() -> None:
    done = run_program("violations", seconds=300, FASTOPS_CHECKED_KERNELS="1")
    assert (done.returncode, done.stdout) == (0, "caught\n"), done.stderr


FEW = "kernels/test_launches.py kernels/test_gather.py ops/test_slices.py ops/test_windows.py"
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
    cases = scale(2000, 300_000)
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
