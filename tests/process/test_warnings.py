"""Warnings: each once, at the line of the caller's that led to it."""

from __future__ import annotations

import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

from fastops._process import _warnings
from fastops._process._lazy_names import lazy_names


class SlowDict(dict[str, object]):
    """A dictionary that lets other threads run between what it is asked and the answer."""

    def __contains__(self, key: object) -> bool:
        found = super().__contains__(key)
        time.sleep(0.001)
        return found

    def get(self, key: str, default: object = None) -> object:
        return self[key] if key in self else default  # noqa: SIM401


def test_threads_that_meet_a_warning_at_once_give_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_warnings, "_told", SlowDict())
    threads = [threading.Thread(target=_warnings.warn_once, args=("a warning",)) for _ in range(16)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [str(each.message) for each in caught] == ["fastops: a warning"]


def test_a_warning_names_the_line_that_called_fastops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # It passes others' frames on its way, and the import system's.
    (tmp_path / "warns.py").write_text("from fastops._process._warnings import warn_once\nwarn_once('found late')\n")
    monkeypatch.syspath_prepend(tmp_path)
    find = lazy_names({}, {"module": "warns"})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line = sys._getframe().f_lineno + 1
        find("module")
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, line)]
