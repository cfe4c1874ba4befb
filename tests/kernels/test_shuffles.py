"""Shuffles of each processor: the assembly, which LLVM makes for any, and that permutes are right on every one."""

from __future__ import annotations

import platform
from pathlib import Path

import llvmlite.binding
import pytest

from fastops._runtime import _kernels
from fastops.kernels._intrinsics._target import instructions_of, shuffles_halves
from tests.helpers.processes import run_program, run_python
from tests.helpers.torture import scale

ASSEMBLY = """
import importlib
import re
import sys
import numba
from fastops._runtime._kernel_cache import compile_entry
from fastops.kernels._intrinsics._units import OPTIONS, unit_of

module, name = sys.argv[1:]
numba.get_num_threads()
unit = unit_of(getattr(importlib.import_module("fastops.kernels." + module), name))
dispatcher, _ = compile_entry(unit.function, unit.signature, OPTIONS)
(compiled,) = dispatcher.overloads.values()
print(*sorted(set(re.findall(r"^\\s+(v?p\\w+)\\s.*[xyz]mm", compiled.library.get_asm_str(), re.MULTILINE))))
"""

on_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="names processors of x86")


def shuffles_of(module: str, name: str, processor: str, cache: Path) -> set[str]:
    """The instructions on vectors of integers in a unit's machine code for a processor."""
    # In a cache of its own: the one of all tests holds code for one processor.
    environment = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(cache)}
    done = run_python("-c", ASSEMBLY, module, name, **environment)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


# Constant shuffles: reversed bytes, and every second one of 128. Programs: groups of pixels, from one line or two.
CONSTANT, PROGRAMS = ("_runs", "move_rows"), ("_planes", "shuffle_groups")


@on_x86
@pytest.mark.parametrize(
    ("unit", "processor", "has", "has_not"),
    [
        (CONSTANT, "icelake-server", {"vpermb", "vpermt2b"}, set()),
        (CONSTANT, "skylake-avx512", {"vpermw", "vpermt2w"}, {"vpermb", "vpermt2b"}),
        (CONSTANT, "haswell", {"vpshufb"}, {"vpermb", "vpermw", "vpermt2b", "vpermt2w"}),
        (CONSTANT, "nehalem", {"pshufb"}, {"vpshufb", "vpermb"}),
        (PROGRAMS, "icelake-server", {"vpermb", "vpermt2b"}, set()),
        (PROGRAMS, "znver4", {"vpermb", "vpermt2b"}, set()),
        (PROGRAMS, "skylake-avx512", {"vpshufb"}, {"vpermb", "vpermt2b"}),
        (PROGRAMS, "haswell", {"vpshufb"}, {"vpermb", "vpermt2b"}),
        (PROGRAMS, "x86-64", set(), {"pshufb", "vpshufb", "vpermb"}),
    ],
)
def test_shuffles_take_what_the_processor_has(
    unit: tuple[str, str], processor: str, has: set[str], has_not: set[str], tmp_path: Path
) -> None:
    shuffles = shuffles_of(*unit, processor, tmp_path)
    assert has <= shuffles
    assert not has_not & shuffles


@on_x86
@pytest.mark.parametrize(
    ("processor", "features", "has"),
    [
        ("icelake-server", "", True),
        ("icelake-server", "-avx512vbmi", False),
        ("x86-64", "", False),
        ("x86-64", "+avx512vbmi", True),
    ],
)
def test_the_name_and_the_features_say_what_there_is(processor: str, features: str, has: bool) -> None:
    _kernels.compile_kernel("gather")  # Numba tells LLVM of this machine's target then.
    assert ("permb" in instructions_of(llvmlite.binding.get_process_triple(), processor, features, 64)) == has


@on_x86
@pytest.mark.parametrize(
    ("processor", "features", "has"),
    [
        *[(processor, "", True) for processor in ("haswell", "znver3", "skylake-avx512", "icelake-server")],
        *[(processor, "", False) for processor in ("x86-64", "nehalem", "sandybridge")],
        ("x86-64", "+avx2", True),
        ("haswell", "-avx2", False),
    ],
)
def test_halves_of_32_bytes_are_shuffled_by_avx2(processor: str, features: str, has: bool) -> None:
    _kernels.compile_kernel("gather")
    assert shuffles_halves(llvmlite.binding.get_process_triple(), processor, features) == has


@pytest.mark.parametrize(
    ("triple", "processor"), [("aarch64-linux-gnu", "generic"), ("arm64-apple-darwin", "apple-m1")]
)
def test_processors_of_arm_shuffle_by_tables(triple: str, processor: str) -> None:
    llvmlite.binding.initialize_all_targets()
    llvmlite.binding.initialize_all_asmprinters()
    assert "tbl" in instructions_of(triple, processor, "", 16)
    assert "permb" not in instructions_of(triple, processor, "", 64)
    assert not shuffles_halves(triple, processor, "")


def test_pixels_by_permutes_are_right(tmp_path: Path) -> None:
    # The processor need not have them: they are done byte by byte in their place.
    form = scale(short="0", long="1")
    cases = scale(short=300, long=3000)
    done = run_program("permutes", cases, seconds=300, FASTOPS_CHECKED_KERNELS=form, NUMBA_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    lines, violation = done.stdout.split(maxsplit=1)
    assert violation == "None\n"
    assert int(lines) > 2 * cases
