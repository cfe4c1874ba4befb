"""Wheels: the objects that the build hook puts into them, and its messages if it cannot compile."""

from __future__ import annotations

import os
import platform
import sys
import zipfile
from pathlib import Path

import pytest

from fastops._runtime import _builds, _objects
from fastops._runtime._object_files import LEVELS, Target, unpack
from tests.helpers.processes import ALLOWED_SYMBOLS, run_python
from tests.helpers.seeds import in_full

pytest.importorskip("hatchling")

PURE = "py3-none-any.whl"
NO_KERNELS = "a wheel without kernels: each machine compiles them once"


def build(directory: Path, *, target: str = "wheel", **environment: str | None) -> tuple[Path, str]:
    """Build a wheel; return its path, and the output of the build."""
    done = run_python("-m", "hatchling", "build", "-t", target, "-d", directory, seconds=300, **environment)
    assert done.returncode == 0, done.stderr
    (built,) = directory.iterdir()
    return built, " ".join((done.stdout + done.stderr).split())


def objects_in(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if name.startswith("fastops/_objects/")]
        return {Path(name).stem: file.read(name) for name in names}


def test_a_wheel_is_built_where_nothing_can_be_compiled(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('no numba here')")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    wheel, said = build(tmp_path / "wheel", PYTHONPATH=path)
    assert (wheel.name.endswith(PURE), objects_in(wheel)) == (True, {})
    assert "fastops: compiling kernels for host" in said
    assert "no kernels for host in this wheel: fastops.KernelError: " in said
    assert "ImportError: no numba here" in said
    assert NO_KERNELS in said


def test_objects_may_be_left_out_and_unknown_levels_are_told(tmp_path: Path) -> None:
    for name, levels in (("none", "none"), ("nothing", ""), ("unknown", "z80")):
        wheel, said = build(tmp_path / name, FASTOPS_LEVELS=levels)
        assert (wheel.name.endswith(PURE), objects_in(wheel)) == (True, {})
        assert NO_KERNELS in said
        assert ("no kernels for z80 in this wheel: it is no level of this machine" in said) == (name == "unknown")
    source, said = build(tmp_path / "source", target="sdist")
    assert (source.suffixes[-2:], "kernels" in said) == ([".tar", ".gz"], False)


@in_full
def test_a_wheel_has_an_object_for_this_machine_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    wheels = [build(tmp_path / name, FASTOPS_LEVELS=None)[0] for name in ("one", "two")]
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{python}-{python}-" in wheels[0].name
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    found = objects_in(wheels[0])
    assert [*found] == ["host"]
    manifest, _ = unpack(found["host"])
    host = _objects.host()
    assert manifest.target == host
    if not os.environ.get("FASTOPS_CHECKED_KERNELS"):
        assert _builds.run_compiler(host) == found["host"]


@in_full
def test_a_wheel_may_have_all_levels_and_stays_small(tmp_path: Path) -> None:
    levels = LEVELS[_objects.host().machine]
    wheel, _ = build(tmp_path, FASTOPS_LEVELS=" ".join(levels))
    assert {*objects_in(wheel)} == {*levels}
    assert wheel.stat().st_size < 3 << 20
    if sys.platform == "linux":
        assert wheel.name.endswith(f"-manylinux_2_17_{platform.machine()}.whl")


@in_full
@pytest.mark.parametrize("machine", LEVELS)
def test_objects_for_each_machine_want_only_what_is_allowed(machine: str) -> None:
    manifest, code = unpack(_builds.run_compiler(Target(f"{machine}-unknown-linux-gnu", [*LEVELS[machine]][-1], "")))
    assert manifest.process["machine"] == machine
    assert {"memcpy", "PyEval_SaveThread"} <= {*manifest.undefined} <= ALLOWED_SYMBOLS
    assert len(code) > 50_000
