"""Counters of two commits, compared: whatever differs is told, and what is worse by itself is a regression."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure.machine import cpu_model
from benchmarks.regress._environments import Environment
from benchmarks.regress._processes import environment_for, last_line, wait_all
from benchmarks.regress._project import COUNTING_VARIABLES
from benchmarks.regress._verdicts import CannotMeasureError, CounterChange, Counters

# A call's memory may change by a few small objects of Python without anyone's noticing, and an import by a few modules.
_FEW_BYTES, _FEW_MODULES = 1024, 10

#: When a change from base to head is worse, by the end of a counter's name. Of streaming stores, fewer may be just
#: another loop; none where there were some is a loss.
WORSE: dict[str, Callable[[int, int], bool]] = {
    "import: threads": lambda base, head: head > base,
    "import: modules": lambda base, head: head > base + _FEW_MODULES,
    ": kernels compiled first": lambda base, head: head > base,
    # Of all cases together: kernels come with what is new.
    "all: kernels compiled": lambda _base, _head: False,
    ": launches": lambda base, head: head > base,
    ": launches into out": lambda base, head: head > base,
    ": bytes allocated": lambda base, head: head > base + _FEW_BYTES,
    ": bytes allocated into out": lambda base, head: head > base + _FEW_BYTES,
    ": threads that write": lambda base, head: head < base,
    ": bytes streamed": lambda base, head: head < base,
    ": vector bytes": lambda base, head: head < base,
    ": streaming stores": lambda base, head: head == 0 < base,
}


def is_worse(name: str, base: int, head: int) -> bool:
    """Return whether a change of a counter is a regression by itself."""
    (rule,) = [rule for end, rule in WORSE.items() if name.endswith(end)]
    return rule(base, head)


def changes_between(base: Counters, head: Counters) -> list[CounterChange]:
    """Return the counters of both that differ, what is worse first."""
    changes = [
        CounterChange(name, count, head[name], is_worse(name, count, head[name]))
        for name, count in base.items()
        if name in head and head[name] != count
    ]
    return sorted(changes, key=lambda change: not change.is_worse)


def count(base: Environment, head: Environment, staged: Path, deadline: float) -> tuple[Counters, Counters]:
    """Return the counters of two commits, which also compiles their kernels; or those known from an earlier run.

    By a monotonic time, or not at all.
    """
    digest = _digest(staged)
    files = {each: each.directory / f"counters-{digest}.json" for each in (base, head)}
    # Commits of equal sources share a directory.
    missing = {each.directory: each for each in files if not files[each].exists()}
    outputs = wait_all({each: _command(each, staged) for each in missing.values()}, deadline)
    for each, (code, output, errors) in outputs.items():
        if code:
            reason = last_line(errors) if errors.strip() else f"exit code {code}"
            raise CannotMeasureError(f"{each.commit[:12]} raised while counting: {reason}")
        _store(files[each], json.loads(output))
    of_base, of_head = (json.loads(files[each].read_text(encoding="utf-8")) for each in (base, head))
    # Which BASE may do: it need not know what HEAD does.
    for name, reason in of_head["refused"].items():
        raise CannotMeasureError(f"{name} raised in head: {reason}")
    return of_base["counters"], of_head["counters"]


def _command(environment: Environment, staged: Path) -> Callable[[], subprocess.Popen[str]]:
    def start() -> subprocess.Popen[str]:
        # Only what is compiled anew is counted, and has assembly to look at.
        shutil.rmtree(environment.kernels, ignore_errors=True)
        environment.kernels.mkdir()
        return subprocess.Popen(  # noqa: S603 - the gate's own program.
            [environment.python, "-m", "benchmarks.regress._count"],
            cwd=staged,
            env=environment_for(environment.kernels) | COUNTING_VARIABLES,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def _store(file: Path, found: dict[str, Any]) -> None:
    for old in file.parent.glob("counters-*"):
        old.unlink()
    # An interrupted write leaves another name.
    written = file.with_suffix(".part")
    written.write_text(json.dumps(found), encoding="utf-8")
    written.replace(file)


def _digest(staged: Path) -> str:
    """Return what counters depend on, besides the commit: the benchmarks, and the machine's instructions."""
    digest = hashlib.sha256(cpu_model().encode())
    for path in sorted(staged.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
