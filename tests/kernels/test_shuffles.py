"""Shuffles of each processor: the assembly, which LLVM makes for any, and that permutes are right on every one."""

from __future__ import annotations

import ctypes
import platform
from pathlib import Path

import pytest

from fastops.kernels._intrinsics._shuffles import has_permutes
from tests.helpers.processes import run_program, run_python
from tests.helpers.seeds import scale
from tests.safety.programs import permutes

# Prints the instructions on vectors of integers in the machine code of two kernels, a line each: of constant shuffles,
# reversed bytes and every second one of 128, and of programs, groups of pixels from one line or two.
ASSEMBLY = """
import re, sys
from fastops._runtime._compiler import code_of
from fastops._runtime._object_files import Target
from fastops.kernels._intrinsics._outlined import outlined_by
from fastops.kernels._planes import shuffle_groups
from fastops.kernels._writer import move_rows

for call in (move_rows, shuffle_groups):
    codegen, module = code_of(Target("x86_64-unknown-linux-gnu", *sys.argv[1:]), [outlined_by(call)])
    assembly = codegen._tm.emit_assembly(module)
    print(*sorted(set(re.findall(r"^\\s+(v?p\\w+)\\s.*[xyz]mm", assembly, re.MULTILINE))))
"""

on_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="names processors of x86")

VBMI = {"vpermb", "vpermt2b"}

# Of a processor: what constant shuffles have and have not, and what programs have and have not.
PROCESSORS: dict[tuple[str, str], list[set[str]]] = {
    ("icelake-server", "+avx2,+avx512vbmi,+ssse3"): [VBMI, set(), VBMI, set()],
    ("x86-64-v3", ""): [{"vpshufb"}, {*VBMI, "vpermw", "vpermt2w"}, {"vpshufb"}, VBMI],
    ("x86-64", ""): [set(), VBMI, set(), {"pshufb", "vpshufb", "vpermb"}],
}


@on_x86
@pytest.mark.parametrize("processor", PROCESSORS)
def test_shuffles_take_what_the_processor_has(processor: tuple[str, str]) -> None:
    done = run_python("-c", ASSEMBLY, *processor)
    assert done.returncode == 0, done.stderr
    constant, programs = [set(line.split()) for line in done.stdout.splitlines()]
    has, has_not, programs_have, programs_have_not = PROCESSORS[processor]
    assert (has - constant, has_not & constant) == (set(), set())
    assert (programs_have - programs, programs_have_not & programs) == (set(), set())


def test_pixels_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    # By whatever this processor has.
    monkeypatch.setattr(permutes, "_emulate_here", ctypes.c_int64)
    permutes.main(scale(short=300, long=3000))


@pytest.mark.skipif(
    scale(short=has_permutes(), long=False),
    reason="this processor permutes, and the test before this one has shown it",
)
def test_pixels_by_emulated_permutes_are_right(tmp_path: Path) -> None:
    # They are done byte by byte, and all kernels are compiled once more, in a cache of their own.
    form = scale(short="0", long="1")
    cases = scale(short=300, long=3000)
    done = run_program("permutes", cases, seconds=300, FASTOPS_CHECKED_KERNELS=form, NUMBA_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    lines, violation = done.stdout.split(maxsplit=1)
    assert violation == "None\n"
    assert int(lines) > 2 * cases
