"""The program of the recipe for PyTorch's data loader."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers.processes import run_python

RECIPES = Path(__file__).parents[1] / "docs" / "recipes"

torch = pytest.importorskip("torch")
pytest.importorskip("PIL")


def test_it_prints_what_the_page_says() -> None:
    done = run_python(RECIPES / "data_loader.py", seconds=300)
    assert done.returncode == 0, done.stderr
    shown = (RECIPES / "data_loader.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    assert done.stdout == shown


def test_its_batches_are_those_of_numpy() -> None:
    spec = spec_from_file_location("data_loader", RECIPES / "data_loader.py")
    assert spec is not None
    assert spec.loader is not None
    recipe: Any = module_from_spec(spec)
    spec.loader.exec_module(recipe)
    rng = np.random.default_rng(0)
    # Smaller and larger than the crops.
    samples = [(rng.integers(0, 256, (rows, 130, 3), np.uint8), rows) for rows in (90, 112, 113, 150, 200, 301)]
    torch.manual_seed(4)
    batch, labels = recipe.augment(samples)
    assert labels.tolist() == [label for _, label in samples]
    torch.manual_seed(4)
    drawn = np.random.default_rng(int(torch.randint(2**63 - 1, ())))
    spare = np.array([image.shape[:2] for image, _ in samples]) - recipe.SIZE
    starts = drawn.integers(np.minimum(spare, 0) - recipe.PAD, np.maximum(spare, 0) + recipe.PAD, endpoint=True)
    mirrored = drawn.random(len(samples)) < 0.5
    assert set(mirrored.tolist()) == {False, True}
    for (image, _), (y, x), is_mirrored, found in zip(samples, starts + 60, mirrored, batch.numpy(), strict=True):
        padded = np.pad(image, ((60, 60), (60, 60), (0, 0)), "reflect")
        crop = padded[y : y + recipe.SIZE, x : x + recipe.SIZE]
        expected = ((crop[:, ::-1] if is_mirrored else crop) - np.array(recipe.MEAN)) / recipe.STD
        np.testing.assert_allclose(found, expected.transpose(2, 0, 1), atol=1e-6)
