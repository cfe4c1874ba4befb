"""The program of the recipe for PyTorch's data loader."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.helpers.processes import run_python

RECIPES = Path(__file__).parents[2] / "docs" / "recipes"


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_it_prints_what_the_page_says() -> None:
    done = run_python(RECIPES / "data_loader.py", seconds=300)
    assert done.returncode == 0, done.stderr
    shown = (RECIPES / "data_loader.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    assert done.stdout == shown
