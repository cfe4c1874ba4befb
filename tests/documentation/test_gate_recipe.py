"""The gate of `benchmarks.regress` in another project, with the files of the recipe: it loads, measures and counts."""

from __future__ import annotations

import json
import runpy
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "docs" / "recipes" / "gate"


@pytest.fixture
def regress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of the gate in another project, which is found in place of fastops' own."""
    measure, regress = tmp_path / "benchmarks" / "measure", tmp_path / "benchmarks" / "regress"
    shutil.copytree(ROOT / "benchmarks" / "regress", regress, ignore=shutil.ignore_patterns("__pycache__"))
    measure.mkdir()
    (tmp_path / "benchmarks" / "__init__.py").touch()
    for name in ("__init__.py", "machine.py", "tables.py", "timing.py"):
        shutil.copy(ROOT / "benchmarks" / "measure" / name, measure)
    for name in ("trials.py", "_changes.py"):
        (regress / name).unlink()
    for path in RECIPE.glob("*.py"):
        shutil.copy(path, regress)
    own = {name: sys.modules.pop(name) for name in [*sys.modules] if name.partition(".")[0] == "benchmarks"}
    monkeypatch.syspath_prepend(tmp_path)
    yield regress
    for name in [name for name in sys.modules if name.partition(".")[0] == "benchmarks"]:
        del sys.modules[name]
    sys.modules.update(own)


def test_the_gate_measures_another_project(
    regress: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    modules = {path.stem: import_module(f"benchmarks.regress.{path.stem}") for path in sorted(regress.glob("*.py"))}
    assert all(Path(str(module.__file__)).is_relative_to(regress.parent) for module in modules.values())
    capsys.readouterr()
    assert modules["__main__"].main(["--list", "--quick"]) == 0
    names = capsys.readouterr().out.split()
    assert names == ["average/short", "average/long"]
    called = []

    def moving_average(values: list[int], width: int) -> None:
        called.append((len(values), width))

    monkeypatch.setattr(modules["_worker"], "installed_library", lambda: SimpleNamespace(moving_average=moving_average))
    worker = modules["_worker"].Worker()
    for name in names:
        assert worker.prepare(name) == {}
        assert worker.calibrate(1e-5)["batch"] >= 1
        assert worker.block(1e-5, 2)["seconds"] > 0
    assert {*called} == {(100, 3), (10_000, 9)}
    # What raises is told, and what counts prints what is read.
    assert modules["_project"].refusals(None) == (TypeError,)
    runpy.run_path(str(regress / "_count.py"), run_name="__main__")
    assert {*json.loads(capsys.readouterr().out)} == {"counters", "refused"}
