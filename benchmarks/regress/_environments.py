"""A commit, installed into a virtual environment of its own, which is kept for the next run."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

from benchmarks.regress._processes import last_line, wait_all
from benchmarks.regress._project import DEPENDENCIES, PACKAGE, SOURCES
from benchmarks.regress._verdicts import CannotMeasureError

# Environments that are kept, each of some hundred megabytes.
_KEPT = 6

_READY = "ready"


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
    # Where there is no repository, this says so.
    git(root, "rev-parse", "--git-dir")
    try:
        return git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except CannotMeasureError:
        raise CannotMeasureError(f"{revision!r} is no commit here") from None


def default_base(root: Path, head: str) -> str:
    """Return the commit at which a commit left main, or the one before it if it has landed there."""
    # A clone for a pull request may have main as the origin's only, or an old one of its own beside it; work may be
    # done on a main of one's own, which then is ahead of the origin's.
    mains = ("refs/remotes/origin/main", "refs/heads/main")
    branches = git(root, "for-each-ref", "--sort=-refname", "--format=%(refname)", *mains)
    bases = [base for main in branches.splitlines() if (base := _merge_base(root, main, head))]
    # The origin's comes first, if there is one: what it has, has landed.
    ahead = [base for base in bases if base != head]
    if ahead and bases[0] != head:
        return min(ahead, key=lambda base: int(git(root, "rev-list", "--count", f"{base}..{head}")))
    try:
        return resolve_commit(root, f"{head}~1")
    except CannotMeasureError:
        raise CannotMeasureError(f"{head[:12]} has no commit before it here: name BASE, or fetch the history") from None


def _merge_base(root: Path, branch: str, commit: str) -> str:
    """Return where two histories meet; an empty string if they do not, or not in what was fetched."""
    try:
        return git(root, "merge-base", branch, commit)
    except CannotMeasureError:
        return ""


def build(root: Path, store: Path, commits: Sequence[str], deadline: float) -> list[Environment]:
    """Return the environments of commits, those that do not exist yet built at once, by a monotonic time."""
    environments = [Environment(commit, store / f"env-{_digest(root, commit)}") for commit in commits]
    missing = [each for each in environments if not (each.directory / _READY).exists()]
    _install(root, missing, deadline)
    old = [each for each in environments if each not in missing]
    asked = {tuple(_dependencies(root, commit)) for commit in commits}
    if old and len(asked) == 1 and len({tuple(_versions(each).items()) for each in environments}) > 1:
        # What was installed then, and what is installed now, differ without either commit's asking for it.
        _install(root, old, deadline)
    _drop_old(store, {each.directory for each in environments})
    return environments


def versions_of(environments: Sequence[Environment]) -> dict[str, str]:
    """Return the versions of what commits stand on, all of them where they differ."""
    found = [_versions(each) for each in environments]
    names = dict.fromkeys(name for versions in found for name in versions)
    return {name: " and ".join(dict.fromkeys(versions.get(name, "none") for versions in found)) for name in names}


def _dependencies(root: Path, commit: str) -> list[str]:
    project = tomllib.loads(git(root, "show", f"{commit}:pyproject.toml")).get("project", {})
    return list(project.get("dependencies", ()))


def _versions(environment: Environment) -> dict[str, str]:
    files = sorted((environment.directory / "venv").rglob("*.dist-info"))
    pairs = [file.name.removesuffix(".dist-info").rsplit("-", 1) for file in files]
    return {name: version for name, version in pairs if name in DEPENDENCIES}


def _install(root: Path, environments: Sequence[Environment], deadline: float) -> None:
    """Install commits at once, each into its directory."""
    # Commits of equal sources share a directory.
    wanted = {each.directory: each for each in environments}
    done = wait_all({each: partial(_start, root, each) for each in wanted.values()}, deadline)
    for environment, (code, _, _) in done.items():
        if not code:
            (environment.directory / _READY).touch()
    for environment, (code, output, _) in done.items():
        if code:
            raise CannotMeasureError(f"{environment.commit[:12]} does not build: {last_line(output)}")


def _digest(root: Path, commit: str) -> str:
    tree = git(root, "ls-tree", commit, *SOURCES)
    if not any(line.endswith(f"\t{PACKAGE}") for line in tree.splitlines()):
        # Commits without it would all seem to be equal.
        raise CannotMeasureError(f"{commit[:12]} has no {PACKAGE}/")
    return hashlib.sha256(f"{sys.version}\n{tree}".encode()).hexdigest()[:16]


def _start(root: Path, environment: Environment) -> subprocess.Popen[str]:
    """Begin to install a commit."""
    directory = environment.directory
    shutil.rmtree(directory, ignore_errors=True)
    source = directory / "source"
    source.mkdir(parents=True)
    archive = directory / "source.zip"
    git(root, "archive", "--output", str(archive), environment.commit)
    shutil.unpack_archive(archive, source)
    archive.unlink()
    venv.create(directory / "venv", symlinks=os.name != "nt")
    # pip of this environment installs into the other one, which needs none of its own.
    pip = [sys.executable, "-m", "pip", "--python", str(environment.python), "install", "--quiet", str(source)]
    return subprocess.Popen(pip, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Keep other runs out of what this one keeps."""
    store.mkdir(exist_ok=True)
    with (store / "lock").open("w") as file:
        # Of POSIX, like waiting for pipes; imported here, so that asv can look for benchmarks elsewhere too.
        fcntl = import_module("fcntl")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotMeasureError(f"another run is under way in {store}") from None
        yield


def _drop_old(store: Path, used: set[Path]) -> None:
    """Remove the environments that were used the longest time ago, and those that were never finished."""
    for directory in used:
        (directory / _READY).touch()
    for directory in store.glob("env-*"):
        if not (directory / _READY).exists():
            shutil.rmtree(directory)
    kept = sorted(store.glob(f"env-*/{_READY}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in kept[_KEPT:]:
        shutil.rmtree(old.parent)


def stage_benchmarks(root: Path, store: Path) -> Path:
    """Return a directory that holds the benchmarks of the working tree, and not the library."""
    staged = store / "staged"
    if staged.exists():
        shutil.rmtree(staged)
    shutil.copytree(root / "benchmarks", staged / "benchmarks", ignore=shutil.ignore_patterns("__pycache__", ".asv"))
    return staged
