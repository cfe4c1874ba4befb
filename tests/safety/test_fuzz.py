"""The fuzz: a short run of it, and a test that it finds a fault and says how to repeat it."""

from __future__ import annotations

import multiprocessing
import os
import re
from unittest import mock

import pytest

from fastops.kernels._tables import _words
from tests import fuzz
from tests.helpers.processes import run_python
from tests.helpers.seeds import in_full, scale


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
