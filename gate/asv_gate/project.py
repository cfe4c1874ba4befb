"""The settings of a project, and its cases: a table in a Python file, or asv's benchmarks in a folder."""

from __future__ import annotations

import pkgutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

from .counting import Counter
from .timing import Call

#: Prepares a case, untimed, and returns the call to time.
Prepare = Callable[[], Call]

DEFAULT_CASES = "gate_cases.py"


@dataclass(frozen=True)
class Settings:
    """The table ``[tool.asv-gate]`` of a pyproject.toml.

    Attributes
    ----------
    package : str
        The name that is imported; by default, the project's name.
    cases : str
        The path of the table, or of the folder of asv's benchmarks.
    sources : tuple of str
        Paths of the files that are installed. Commits that agree in them share an environment. By default, all files.
    requirements : tuple of str
        Packages that the cases import besides the project.
    """

    package: str
    cases: str = DEFAULT_CASES
    sources: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()


def read_settings(root: Path) -> Settings:
    """Return the settings of a project.

    Raises
    ------
    ValueError
        A setting is unknown, or there is no pyproject.toml.
    """
    file = root / "pyproject.toml"
    if not file.is_file():
        raise ValueError(f"there is no {file}")
    stored = tomllib.loads(file.read_text(encoding="utf-8"))
    name = stored.get("project", {}).get("name", root.name)
    given: dict[str, Any] = stored.get("tool", {}).get("asv-gate", {})
    if unknown := given.keys() - Settings.__dataclass_fields__.keys():
        raise ValueError(f"pyproject.toml: [tool.asv-gate] has no setting {min(unknown)!r}")
    lists = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return Settings(**{"package": name.replace("-", "_"), **lists})


@dataclass(frozen=True)
class Cases:
    """The cases of a project.

    Attributes
    ----------
    timed : dict
        Each case by its name.
    quick : frozenset of str
        Those that ``--quick`` measures.
    count : callable or None
        Returns counters of the project's own.
    """

    timed: Mapping[str, Prepare]
    quick: frozenset[str]
    count: Callable[[], Mapping[str, Counter]] | None


def load_cases(path: str) -> Cases:
    """Import the table or the folder at a path, relative to a directory that Python imports from."""
    module = import_module(".".join(PurePosixPath(path).with_suffix("").parts))
    if not hasattr(module, "__path__"):
        timed = module.CASES
        return Cases(timed, frozenset(getattr(module, "QUICK", timed)), getattr(module, "count", None))
    timed, tracked = _asv_benchmarks(module)
    return Cases(timed, frozenset(timed), lambda: {name: Counter(call()(), "") for name, call in tracked.items()})


def _asv_benchmarks(package: ModuleType) -> tuple[dict[str, Prepare], dict[str, Callable[[], Callable[[], Any]]]]:
    """Return the benchmarks that asv would time, and those that it would track, by the names that asv shows."""
    timed: dict[str, Prepare] = {}
    tracked: dict[str, Callable[[], Callable[[], Any]]] = {}
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = import_module(info.name)
        shown = info.name.removeprefix(f"{package.__name__}.")
        for owner, name in _methods_of(module):
            where = shown if owner is module else f"{shown}.{owner.__name__}"
            params = getattr(owner if owner is not module else getattr(module, name), "params", None) or []
            axes = params if params and isinstance(params[0], list | tuple) else [params] if params else []
            for values in product(*axes):
                label = f"{where}.{name}" + (f"({', '.join(map(repr, values))})" if values else "")
                (timed if name.startswith("time_") else tracked)[label] = partial(_prepare, module, owner, name, values)
    return timed, tracked


def _methods_of(module: ModuleType) -> Iterator[tuple[Any, str]]:
    """Give functions of a module, and methods of its classes, that asv times or tracks."""
    classes = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    for owner in (module, *classes):
        for name in dir(owner):
            if name.startswith(("time_", "track_")) and callable(getattr(owner, name)):
                yield owner, name


def _prepare(module: ModuleType, owner: Any, name: str, values: tuple[Any, ...]) -> Callable[[], Any]:
    """Run the set-up that asv would run, and return the call."""
    instance = owner() if isinstance(owner, type) else owner
    function = getattr(instance, name)
    setups = [getattr(module, "setup", None), getattr(function if instance is module else instance, "setup", None)]
    cached = (instance.setup_cache(),) if hasattr(instance, "setup_cache") else ()
    for setup in dict.fromkeys(filter(None, setups)):
        setup(*cached, *values)
    return partial(function, *cached, *values)
