"""Assembly: the shuffles of each processor, which LLVM names; nothing here runs on it."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from tests.helpers.processes import run_python

ASSEMBLY = """
import re
import numba
from fastops._runtime._kernel_cache import compile_entry
from fastops.kernels._intrinsics._units import OPTIONS, unit_of
from fastops.kernels._runs import move_rows

numba.get_num_threads()
unit = unit_of(move_rows)
dispatcher, _ = compile_entry(unit.function, unit.signature, OPTIONS)
(compiled,) = dispatcher.overloads.values()
print(*sorted(set(re.findall(r"^\\s+(v?p\\w+)\\s.*[xyz]mm", compiled.library.get_asm_str(), re.MULTILINE))))
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names processors of x86")
@pytest.mark.parametrize(
    ("processor", "has", "has_not"),
    [
        # 64 bytes by one shuffle each: reversed bytes, and every second one of 128.
        ("icelake-server", {"vpermb", "vpermt2b"}, set()),
        ("skylake-avx512", {"vpermw", "vpermt2w"}, {"vpermb", "vpermt2b"}),
        ("haswell", {"vpshufb"}, {"vpermb", "vpermw", "vpermt2b", "vpermt2w"}),
        ("nehalem", {"pshufb"}, {"vpshufb", "vpermb"}),
    ],
)
def test_constant_shuffles_take_what_the_processor_has(
    processor: str, has: set[str], has_not: set[str], tmp_path: Path
) -> None:
    # In a cache of its own: the one of all tests holds code for one processor.
    environment = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = run_python("-c", ASSEMBLY, **environment)
    assert done.returncode == 0, done.stderr
    shuffles = set(done.stdout.split())
    assert has <= shuffles
    assert not has_not & shuffles
