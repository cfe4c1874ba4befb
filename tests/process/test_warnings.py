"""Warnings: each once, at the line of the caller's that led to it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.helpers.processes import run_code, run_python
from tests.helpers.torture import scale

WARN_AT_ONCE = """
import threading, warnings
from fastops._process._warnings import warn_once
sys.setswitchinterval(1e-6)
barrier = threading.Barrier(16)
def work():
    for k in range({rounds}):
        barrier.wait()
        warn_once(f"warning {{k}}")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    threads = [threading.Thread(target=work) for _ in range(16)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
print(len(caught), len({{str(each.message) for each in caught}}))
"""


def test_threads_that_meet_a_warning_at_once_give_it_once() -> None:
    rounds = scale(100, 20_000)
    assert run_code(WARN_AT_ONCE.format(rounds=rounds), seconds=300) == f"{rounds} {rounds}\n"


# Kernels that cannot be kept: the warning passes Numba's frames on its way, and the import system's.
PROGRAM = """
import fastops as fo


def work():
    return fo.range(0, 3, 1, "i32")


work()
work()
"""


def test_a_warning_names_the_line_that_called_fastops(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = run_python(program, NUMBA_CACHE_DIR=str(tmp_path / "file"), PYTHONWARNINGS="always", PYTHONPATH=".")
    assert done.returncode == 0, done.stderr
    warned = re.findall(
        r"^(.*):(\d+): RuntimeWarning: fastops: compiled kernels cannot be kept", done.stderr, re.MULTILINE
    )
    assert warned == [(str(program), "6")]
