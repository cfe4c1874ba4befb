"""A commit, installed into a virtual environment of its own, which is kept for the next run."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.regress._verdicts import CannotMeasureError

# What an installed commit is made of: commits that agree in these share an environment.
_SOURCES = ("fastops", "pyproject.toml", "LICENSE", "README.md")

# Environments that are kept, each of some hundred megabytes.
_KEPT = 6

_READY = "ready"

# What decides the speed besides fastops itself.
_DEPENDENCIES = ("numba", "llvmlite", "numpy", "ml_dtypes")


@dataclass(frozen=True)
class Environment:
    """Where a commit is installed.

    Attributes
    ----------
    commit : str
        Its hash.
    directory : Path
        The virtual environment, and beside it what has been found out about it.
    """

    commit: str
    directory: Path

    @property
    def python(self) -> Path:
        """The interpreter."""
        return self.directory / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"

    @property
    def kernels(self) -> Path:
        """Where its kernels are kept once they are compiled."""
        return self.directory / "kernels"


def git(root: Path, *arguments: str) -> str:
    """Return what git prints, without the end of the line."""
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if done.returncode:
        raise CannotMeasureError(f"git {' '.join(arguments)}: {last_line(done.stderr)}")
    return done.stdout.strip()


def resolve_commit(root: Path, revision: str) -> str:
    """Return the hash of a commit."""
    return git(root, "rev-parse", "--verify", f"{revision}^{{commit}}")


def default_base(root: Path, head: str) -> str:
    """Return the commit that HEAD left main at, or the one before HEAD if it is main's own."""
    for main in ("main", "origin/main"):
        done = subprocess.run(  # noqa: S603
            ["git", "-C", root, "merge-base", main, head],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
        )
        base = done.stdout.strip()
        if done.returncode == 0 and base != resolve_commit(root, head):
            return base
    return resolve_commit(root, f"{head}~1")


def build(root: Path, store: Path, commits: Sequence[str]) -> list[Environment]:
    """Return the environments of commits, those that do not exist yet built at once."""
    environments = [Environment(commit, store / f"env-{_digest(root, commit)}") for commit in commits]
    missing = {each.directory: each for each in environments if not (each.directory / _READY).exists()}
    _install(root, missing)
    old = {each.directory: each for each in environments if each.directory not in missing}
    if len({tuple(_versions(each).items()) for each in environments}) > 1:
        # What was installed then, and what is installed now, may differ without either commit's asking for it.
        _install(root, old)
    _drop_old(store, {each.directory for each in environments})
    return environments


def versions_of(environments: Sequence[Environment]) -> dict[str, str]:
    """Return the versions of what commits stand on, all of them where they differ."""
    found = [_versions(each) for each in environments]
    names = dict.fromkeys(name for versions in found for name in versions)
    return {name: " and ".join(dict.fromkeys(versions.get(name, "none") for versions in found)) for name in names}


def _versions(environment: Environment) -> dict[str, str]:
    files = sorted((environment.directory / "venv").rglob("*.dist-info"))
    pairs = [file.name.removesuffix(".dist-info").rsplit("-", 1) for file in files]
    return {name: version for name, version in pairs if name in _DEPENDENCIES}


def _install(root: Path, missing: Mapping[Path, Environment]) -> None:
    """Install commits at once, each into its directory."""
    builds = {directory: _start(root, each) for directory, each in missing.items()}
    outputs = {directory: process.communicate()[0] for directory, process in builds.items()}
    for directory, process in builds.items():
        if process.returncode:
            commit = missing[directory].commit
            raise CannotMeasureError(f"{commit[:12]} does not build: {last_line(outputs[directory])}")
        (directory / _READY).touch()


def _digest(root: Path, commit: str) -> str:
    tree = git(root, "ls-tree", commit, *_SOURCES)
    return hashlib.sha256(f"{sys.version}\n{tree}".encode()).hexdigest()[:16]


def _start(root: Path, environment: Environment) -> subprocess.Popen[str]:
    """Begin to install a commit."""
    directory = environment.directory
    shutil.rmtree(directory, ignore_errors=True)
    source = directory / "source"
    source.mkdir(parents=True)
    archive = directory / "source.tar"
    git(root, "archive", "--output", str(archive), environment.commit)
    with tarfile.open(archive) as tar:
        tar.extractall(source, filter="data")
    archive.unlink()
    # pip of this environment installs into the other one, which needs none of its own.
    steps = (
        [sys.executable, "-m", "venv", "--without-pip", str(directory / "venv")],
        [sys.executable, "-m", "pip", "--python", str(environment.python), "install", "--quiet", str(source)],
    )
    program = "import subprocess, sys\n" + "\n".join(
        f"done = subprocess.run({step!r}).returncode\nif done: sys.exit(done)" for step in steps
    )
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def _drop_old(store: Path, used: set[Path]) -> None:
    """Remove the environments that were used the longest time ago."""
    for directory in used:
        (directory / _READY).touch()
    kept = sorted(store.glob(f"env-*/{_READY}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in kept[_KEPT:]:
        shutil.rmtree(old.parent)


def stage_benchmarks(root: Path, store: Path) -> Path:
    """Return a directory that holds the benchmarks of the working tree, and no fastops."""
    staged = store / "staged"
    shutil.rmtree(staged, ignore_errors=True)
    shutil.copytree(root / "benchmarks", staged / "benchmarks", ignore=shutil.ignore_patterns("__pycache__", ".asv"))
    return staged


def last_line(text: str) -> str:
    """Return what went wrong, from what a program printed."""
    # pip ends with hints; what went wrong is its last line that says error.
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["no message"])[-1]
