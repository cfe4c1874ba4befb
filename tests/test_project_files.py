"""Files of the project that repeat what others say: versions, environments, kinds of fragments."""

from __future__ import annotations

import re
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("group", "tool", "hooks"), [("lint", "ruff", "ruff-pre-commit"), ("types", "mypy", "mirrors-mypy")]
)
def test_hooks_have_the_version_of_the_group(group: str, tool: str, hooks: str) -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    (version,) = re.findall(rf"/{hooks}\n +rev: v(.+)", text)
    assert f"{tool}=={version}" in PYPROJECT["dependency-groups"][group]


def test_the_citation_has_the_version_and_the_licence() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    for name in ("version", "license"):
        assert f"{name}: {PYPROJECT['project'][name]}" in lines


def test_every_environment_of_a_plain_tox_runs_on_github() -> None:
    tox = ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    pythons = dict(re.findall(r'environment: ([\w-]+), python: "([\d.]+)"', text))
    assert set(re.findall(r"[\w-]+", tox["tox"]["env_list"])) <= set(pythons)
    for environment, python in pythons.items():
        assert not re.fullmatch(r"py\d+", environment) or environment == f"py{python.replace('.', '')}"


def test_fragments_are_of_known_types() -> None:
    types = {each["directory"] for each in PYPROJECT["tool"]["towncrier"]["type"]}
    for path in (ROOT / "changelog.d").iterdir():
        name, _, kind = path.name.removesuffix(".md").rpartition(".")
        assert path.name == "template.md" or (path.suffix == ".md" and name and kind in types), path.name
