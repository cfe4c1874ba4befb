"""Fixtures of the runs on files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fastops._cli import _staging
from tests.cli._runs import DATA


@pytest.fixture
def in_npy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with in.npy in it."""
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", DATA)
    return tmp_path


@pytest.fixture(params=["unnamed", "named"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How files are staged: as on Linux, and as where there are no unnamed files."""
    if request.param == "named":
        monkeypatch.setattr(_staging, "_open_unnamed", lambda _: None)
    return str(request.param)
