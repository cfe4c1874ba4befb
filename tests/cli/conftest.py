"""Where commands run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli._runs import DATA


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a directory of the test's own, with in.npy in it."""
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", DATA)
