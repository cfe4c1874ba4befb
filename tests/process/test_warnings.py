"""Warnings: each once, at the line of the caller's that led to it."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pytest

from fastops._process._lazy_names import lazy_names


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
