"""Counters of two commits, compared: whatever differs is told, and what is worse by itself is a regression."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.regress._count import COUNTING_THREADS
from benchmarks.regress._environments import Environment, last_line
from benchmarks.regress._processes import environment_for
from benchmarks.regress._verdicts import CannotMeasureError, CounterChange

# All kernels are compiled in a twentieth of it.
_TIMEOUT = 300

# A call's memory may change by a few small objects of Python without anyone's noticing.
_FEW_BYTES = 1024

#: When a change from base to head is worse, by the end of a counter's name. Of streaming stores, fewer may be just
#: another loop; none where there were some is a loss.
WORSE: dict[str, Callable[[int, int], bool]] = {
    "import: threads": lambda base, head: head > base,
    ": kernels compiled first": lambda base, head: head > base,
    # Of all cases together: kernels come with what is new.
    "all: kernels compiled": lambda _base, _head: False,
    ": launches": lambda base, head: head > base,
    ": launches into out": lambda base, head: head > base,
    ": bytes allocated": lambda base, head: head > base + _FEW_BYTES,
    ": bytes allocated into out": lambda base, head: head > base + _FEW_BYTES,
    ": threads that write": lambda base, head: head < base,
    ": vector bytes": lambda base, head: head < base,
    ": streaming stores": lambda base, head: head == 0 < base,
}


def is_worse(name: str, base: int, head: int) -> bool:
    """Return whether a change of a counter is a regression by itself."""
    (rule,) = [rule for end, rule in WORSE.items() if name.endswith(end)]
    return rule(base, head)


def changes_between(base: dict[str, int], head: dict[str, int]) -> list[CounterChange]:
    """Return the counters of both that differ, what is worse first."""
    changes = [
        CounterChange(name, count, head[name], is_worse(name, count, head[name]))
        for name, count in base.items()
        if name in head and head[name] != count
    ]
    return sorted(changes, key=lambda change: not change.is_worse)


def count(base: Environment, head: Environment, staged: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return the counters of two commits, which also compiles their kernels; or those known from an earlier run."""
    environments = (base, head)
    digest = _digest(staged)
    files = {each.directory: each.directory / f"counters-{digest}.json" for each in environments}
    running = {}
    for each in environments:
        if not files[each.directory].exists() and each.directory not in running:
            running[each.directory] = _start(each, staged)
    printed = {directory: _wait(process) for directory, process in running.items()}
    for directory, process in running.items():
        output, errors = printed[directory]
        if process.returncode:
            commit = next(each.commit for each in environments if each.directory == directory)
            raise CannotMeasureError(f"{commit[:12]} raised while counting: {last_line(errors)}")
        for old in directory.glob("counters-*.json"):
            old.unlink()
        files[directory].write_text(output, encoding="utf-8")
    of_base, of_head = [json.loads(files[each.directory].read_text(encoding="utf-8")) for each in environments]
    # Which BASE may do: it need not know what HEAD does.
    for name, reason in of_head["refused"].items():
        raise CannotMeasureError(f"{name} raised in head: {reason}")
    return of_base["counters"], of_head["counters"]


def _start(environment: Environment, staged: Path) -> subprocess.Popen[str]:
    # Only what is compiled anew is counted, and has assembly to look at.
    shutil.rmtree(environment.kernels, ignore_errors=True)
    environment.kernels.mkdir()
    return subprocess.Popen(  # noqa: S603 - the gate's own program.
        [environment.python, "-m", "benchmarks.regress._count"],
        cwd=staged,
        env=environment_for(environment.kernels) | {"NUMBA_NUM_THREADS": str(COUNTING_THREADS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _wait(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return what a process printed; one that takes too long is ended."""
    try:
        return process.communicate(timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
        return output, f"{errors}\nTimeoutError: no answer in {_TIMEOUT} s"


def _digest(staged: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(staged.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
