"""The gate of `benchmarks.regress` in another project, with the files of the recipe."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "docs" / "recipes" / "gate"

# Builds a wheel of nothing but Python's own library, so that pip has nothing to fetch.
BACKEND = """
import zipfile
from pathlib import Path

INFO = "smoothing-1.0.dist-info"
FILES = {
    f"{INFO}/METADATA": "Metadata-Version: 2.1\\nName: smoothing\\nVersion: 1.0\\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}


def build_wheel(directory, config_settings=None, metadata_directory=None):
    files = FILES | {"smoothing/__init__.py": Path("smoothing/__init__.py").read_text()}
    files[f"{INFO}/RECORD"] = "".join(f"{name},,\\n" for name in [*files, f"{INFO}/RECORD"])
    with zipfile.ZipFile(Path(directory, "smoothing-1.0-py3-none-any.whl"), "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
    return "smoothing-1.0-py3-none-any.whl"
"""

PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "smoothing"
version = "1.0"
"""

# A running sum, and a sum of each window anew.
FAST = """
def moving_average(values, width):
    total, averages = sum(values[:width]), []
    averages.append(total / width)
    for old, new in zip(values, values[width:]):
        total += new - old
        averages.append(total / width)
    return averages
"""
SLOW = """
def moving_average(values, width):
    return [sum(list(values[i : i + width])) / width for i in range(len(values) - width + 1)]
"""


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", root, *identity, *arguments], capture_output=True, check=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Another project: two commits of a package, the second slower, and the gate as the recipe has it."""
    root = tmp_path / "project"
    (root / "smoothing").mkdir(parents=True)
    (root / "backend.py").write_text(BACKEND)
    (root / "pyproject.toml").write_text(PROJECT)
    measure, regress = root / "benchmarks" / "measure", root / "benchmarks" / "regress"
    shutil.copytree(ROOT / "benchmarks" / "regress", regress, ignore=shutil.ignore_patterns("__pycache__"))
    measure.mkdir()
    (root / "benchmarks" / "__init__.py").touch()
    for name in ("__init__.py", "machine.py", "tables.py", "timing.py"):
        shutil.copy(ROOT / "benchmarks" / "measure" / name, measure)
    for name in ("trials.py", "_changes.py"):
        (regress / name).unlink()
    for path in RECIPE.glob("*.py"):
        shutil.copy(path, regress)
    git(root, "init", "--quiet", "--initial-branch=main")
    for text in (FAST, SLOW):
        (root / "smoothing" / "__init__.py").write_text(text)
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "a commit")
    return root


def test_the_gate_sees_a_slower_commit_of_another_project(project: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-m", "benchmarks.regress", "--quick", "HEAD~1"]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    rows = {line.split()[0]: line.split()[-1] for line in done.stdout.splitlines() if line.startswith("average/")}
    assert rows == {"average/short": "regression", "average/long": "regression"}
