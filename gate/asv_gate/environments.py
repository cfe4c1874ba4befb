"""A commit, installed into a virtual environment of its own, which is kept for the next run."""

from __future__ import annotations

import hashlib
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
from pathlib import Path, PurePosixPath

from .processes import WorkerProcess, last_line, variables_for, wait_all
from .project import Settings
from .verdicts import CannotMeasureError

# How many environments are kept. One takes as much of the disk as a virtual environment of the project.
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
        It holds the virtual environment, and the counters of the commit.
    """

    commit: str
    directory: Path

    @property
    def python(self) -> Path:
        """The interpreter."""
        return self.directory / "venv" / "bin" / "python"

    @property
    def kernels(self) -> Path:
        """Where its compiled kernels are kept."""
        return self.directory / "kernels"


@dataclass(frozen=True)
class Store:
    """A project, and the files that the gate keeps of it from run to run.

    Attributes
    ----------
    root : Path
        The repository.
    settings : Settings
    """

    root: Path
    settings: Settings

    @property
    def directory(self) -> Path:
        """Where everything is kept."""
        return self.root / ".asv-gate"

    @property
    def staged(self) -> Path:
        """The gate and the cases of the working tree, without the package: workers run there."""
        return self.directory / "staged"

    def command(self, environment: Environment, *words: str) -> list[str]:
        """Return the command of a worker."""
        return [str(environment.python), "-m", "asv_gate.worker", self.settings.package, self.settings.cases, *words]

    def variables(self, environment: Environment) -> dict[str, str]:
        """Return the environment variables of a worker."""
        return variables_for(self.settings.package, environment.kernels)

    def worker(self, side: str, environment: Environment) -> WorkerProcess:
        """Start a worker."""
        return WorkerProcess(side, self.command(environment), self.staged, self.variables(environment))


def git(root: Path, *arguments: str) -> str:
    """Return the output of git, without the end of the line."""
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if done.returncode:
        raise CannotMeasureError(f"git {' '.join(arguments)}: {last_line(done.stderr)}")
    return done.stdout.strip()


def resolve_commit(root: Path, revision: str) -> str:
    """Return the hash of a commit."""
    try:
        return git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except CannotMeasureError:
        raise CannotMeasureError(f"{revision!r} is no commit here") from None


def default_base(root: Path, head: str) -> str:
    """Return the commit at which HEAD left main, or the commit before HEAD if HEAD has landed on main."""
    # A clone for a pull request may have main only in origin, or an old main of its own beside it. Commits may also be
    # made on the clone's main, which is then ahead of the origin's.
    mains = ("refs/remotes/origin/main", "refs/heads/main")
    branches = git(root, "for-each-ref", "--sort=-refname", "--format=%(refname)", *mains)
    bases = [base for main in branches.splitlines() if (base := _merge_base(root, main, head))]
    # The origin's main comes first, if there is one: its commits have landed.
    ahead = [base for base in bases if base != head]
    if ahead and bases[0] != head:
        return min(ahead, key=lambda base: int(git(root, "rev-list", "--count", f"{base}..{head}")))
    try:
        return resolve_commit(root, f"{head}~1")
    except CannotMeasureError:
        raise CannotMeasureError(f"{head[:12]} has no commit before it here: name BASE, or fetch the history") from None


def _merge_base(root: Path, branch: str, commit: str) -> str:
    """Return where two histories meet; an empty string if the fetched commits do not show it."""
    try:
        return git(root, "merge-base", branch, commit)
    except CannotMeasureError:
        return ""


def build(store: Store, commits: Sequence[str], deadline: float) -> list[Environment]:
    """Return the environments of commits; build missing ones in parallel. ``deadline`` is a monotonic time."""
    environments = [Environment(commit, store.directory / f"env-{_digest(store, commit)}") for commit in commits]
    missing = [each for each in environments if not (each.directory / _READY).exists()]
    _install(store, missing, deadline)
    old = [each for each in environments if each not in missing]
    asked = {tuple(_dependencies(store.root, commit)) for commit in commits}
    if old and len(asked) == 1 and len({tuple(_versions(each).items()) for each in environments}) > 1:
        # Both commits ask for the same packages, but new versions have come out since the old environment was made.
        _install(store, old, deadline)
    _drop_old(store.directory, {each.directory for each in environments})
    return environments


def versions_of(environments: Sequence[Environment]) -> dict[str, str]:
    """Return the versions of the packages that are installed beside the project, both where they differ."""
    found = [_versions(each) for each in environments]
    names = dict.fromkeys(name for versions in found for name in versions)
    return {name: " and ".join(dict.fromkeys(versions.get(name, "none") for versions in found)) for name in names}


def _dependencies(root: Path, commit: str) -> list[str]:
    project = tomllib.loads(git(root, "show", f"{commit}:pyproject.toml")).get("project", {})
    return list(project.get("dependencies", ()))


def _versions(environment: Environment) -> dict[str, str]:
    files = sorted((environment.directory / "venv").rglob("*.dist-info"))
    # The project itself was installed from a path.
    packages = [file for file in files if not (file / "direct_url.json").exists()]
    return dict(file.name.removesuffix(".dist-info").rsplit("-", 1) for file in packages)


def _install(store: Store, environments: Sequence[Environment], deadline: float) -> None:
    """Install commits in parallel, each into its directory."""
    # Commits of equal sources share a directory.
    wanted = {each.directory: each for each in environments}
    done = wait_all({each: partial(_start, store, each) for each in wanted.values()}, deadline)
    for environment, (code, _, _) in done.items():
        if not code:
            (environment.directory / _READY).touch()
    for environment, (code, output, _) in done.items():
        if code:
            raise CannotMeasureError(f"{environment.commit[:12]} does not build: {last_line(output)}")


def _digest(store: Store, commit: str) -> str:
    tree = git(store.root, "ls-tree", commit, *store.settings.sources)
    if not tree:
        # All commits without the sources would share one environment.
        raise CannotMeasureError(f"{commit[:12]} has none of {', '.join(store.settings.sources)}")
    return hashlib.sha256(f"{sys.version}\n{store.settings}\n{tree}".encode()).hexdigest()[:16]


def _start(store: Store, environment: Environment) -> subprocess.Popen[str]:
    """Begin to install a commit."""
    directory = environment.directory
    shutil.rmtree(directory, ignore_errors=True)
    source = directory / "source"
    source.mkdir(parents=True)
    archive = directory / "source.zip"
    git(store.root, "archive", "--output", str(archive), environment.commit)
    shutil.unpack_archive(archive, source)
    archive.unlink()
    venv.create(directory / "venv", symlinks=True)
    # The pip of this environment installs into the other one, which needs none of its own.
    command = [sys.executable, "-m", "pip", "--python", str(environment.python), "install", "--quiet", str(source)]
    command += store.settings.requirements
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """Keep other runs out of the directory."""
    store.directory.mkdir(exist_ok=True)
    (store.directory / ".gitignore").write_text("*\n", encoding="utf-8")
    with (store.directory / "lock").open("w") as file:
        # Imported here: it exists on POSIX only, and other systems can import this module too.
        fcntl = import_module("fcntl")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotMeasureError(f"another run is under way in {store.directory}") from None
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


def stage(store: Store) -> None:
    """Copy the gate, and the file or folder of the cases, to where workers run."""
    first = PurePosixPath(store.settings.cases).parts[0]
    source = store.root / first
    if not (store.root / store.settings.cases).exists():
        raise CannotMeasureError(f"there is no {store.settings.cases}: name the table of cases in pyproject.toml")
    shutil.rmtree(store.staged, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", ".asv")
    shutil.copytree(Path(__file__).parent, store.staged / "asv_gate", ignore=ignored)
    if source.is_dir():
        shutil.copytree(source, store.staged / first, ignore=ignored)
    else:
        shutil.copy(source, store.staged / first)
