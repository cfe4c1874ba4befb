"""Where commands run, and how files are staged."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli._runs import DATA


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a directory of the test's own, with in.npy in it."""
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", DATA)


@pytest.fixture(params=["unnamed", "named"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How files are staged: as on Linux, and as on systems that know no files without a name."""
    own = os.open

    def open_named(path: Any, flags: int, *mode: int, **options: Any) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        return own(path, flags, *mode, **options)

    if request.param == "named" and hasattr(os, "O_TMPFILE"):
        monkeypatch.setattr(os, "open", open_named)
    return str(request.param)
