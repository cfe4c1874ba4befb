"""Files of the project agree about versions and environments, and pages agree with files and programs.

Relative links of Markdown files lead to files that exist, and to headings of these files. Sphinx checks the links of
the site when it builds the site. These tests also check pages that only the repository has. The program of the recipe
for PyTorch's data loader prints what the recipe shows.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops
from tests.faults import read_faults
from tests.helpers.processes import run_python

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_hooks_have_the_version_of_the_group() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    for group, tool, hooks in (("lint", "ruff", "ruff-pre-commit"), ("types", "mypy", "mirrors-mypy")):
        (version,) = re.findall(rf"/{hooks}\n +rev: v(.+)", text)
        assert f"{tool}=={version}" in PYPROJECT["dependency-groups"][group]


def test_the_version_is_in_one_place_and_the_citation_has_it() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert {f"version: {fastops.__version__}", f"license: {PYPROJECT['project']['license']}"} <= set(lines)
    assert PYPROJECT["tool"]["hatch"]["version"]["path"] == "fastops/__init__.py"
    assert "version" in PYPROJECT["project"]["dynamic"]
    assert "version" not in PYPROJECT["project"]


def test_a_source_tree_has_a_version_without_an_installation(tmp_path: Path) -> None:
    (tmp_path / "fastops").symlink_to(ROOT / "fastops")
    # The option -S leaves out the directories of installed packages.
    command = [sys.executable, "-S", "-c", "import fastops; print(fastops.__version__)"]
    done = subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{fastops.__version__}\n", "")


def test_environments_of_tox_are_those_of_github_and_of_the_classifiers() -> None:
    tox = ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    pythons = dict(re.findall(r'environment: ([\w-]+), python: "([\d.]+)"', text))
    (full,) = re.findall(r"-e ([\w,-]+)", tox["testenv:full"]["commands"])
    assert {*re.findall(r"[\w-]+", tox["tox"]["env_list"]), *full.split(",")} == set(pythons)
    for environment, python in pythons.items():
        assert not re.fullmatch(r"py\d+", environment) or environment == f"py{python.replace('.', '')}"
    named = re.findall(r"Python :: 3\.(\d+)", "\n".join(PYPROJECT["project"]["classifiers"]))
    # Environments that name no Python use the lowest one.
    assert [pythons["py"].removeprefix("3."), *re.findall(r"py3(\d+)", full)] == named
    assert f"testenv:py{{3{',3'.join(named[1:])}}}" in tox.sections()


def test_faults_can_be_made() -> None:
    # Each fault replaces a text that stands in a file once. A change of that text must change the fault too.
    assert read_faults()["nothing"].was == read_faults()["nothing"].now


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCED = re.compile(r"^(```+|~~~+).*?^\1", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
# The text of a link may contain code and brackets. Code contains no links.
_LINK = re.compile(r"\]\(([^()\s]+)\)")


def prose_of(path: Path) -> str:
    """Return the text of a page without its code."""
    return _CODE.sub("", _FENCED.sub("", path.read_text(encoding="utf-8")))


def links_of(path: Path) -> list[str]:
    """Return the targets of relative links, of pictures too."""
    return [link for link in _LINK.findall(prose_of(path)) if not re.match(r"[a-z]+:|/", link)]


@cache
def anchors_of(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.+)$", _FENCED.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_somewhere(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    return target.exists() and (not anchor or anchor in anchors_of(target))


def test_links_lead_somewhere() -> None:
    links = [(page, link) for page in PAGES for link in links_of(page)]
    assert sum("#" in link for _, link in links) > 50
    assert [(str(page), link) for page, link in links if not leads_somewhere(page, link)] == []


RECIPES = ROOT / "docs" / "recipes"

needs_torch = pytest.mark.skipif(not find_spec("torch") or not find_spec("PIL"), reason="PyTorch or Pillow is missing")


@needs_torch
def test_the_data_loader_prints_what_the_page_says() -> None:
    done = run_python(RECIPES / "data_loader.py", seconds=300)
    assert done.returncode == 0, done.stderr
    shown = (RECIPES / "data_loader.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    assert done.stdout == shown


@needs_torch
def test_batches_of_the_data_loader_are_those_of_numpy() -> None:
    torch: Any = import_module("torch")
    spec = spec_from_file_location("data_loader", RECIPES / "data_loader.py")
    assert spec is not None
    assert spec.loader is not None
    recipe: Any = module_from_spec(spec)
    spec.loader.exec_module(recipe)
    rng = np.random.default_rng(0)
    # Images smaller and larger than the crops.
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
