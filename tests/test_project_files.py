"""Files of the project agree about versions and environments, and relative links of Markdown files lead somewhere.

Sphinx checks the links of the site when it builds the site. These tests also check pages that only the repository has.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from functools import cache
from pathlib import Path

import fastops
from tests.faults import read_faults

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
