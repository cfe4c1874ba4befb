"""Where commands run, and how files are staged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fastops._cli import _staging
from tests.cli._runs import DATA


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a directory of the test's own, with in.npy in it."""
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", DATA)


@pytest.fixture(params=["unnamed", "named"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How files are staged: as on Linux, and as on systems that know no files without a name."""
    if request.param == "named":
        monkeypatch.setattr(_staging, "_open_unnamed", lambda _: None)
    return str(request.param)
