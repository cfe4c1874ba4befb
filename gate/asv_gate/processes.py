"""Processes that the gate starts: workers, and others that it waits for. All of them end with the gate."""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from .verdicts import CannotMeasureError

# How long to wait for one answer.
_ANSWER_SECONDS = 60.0

# Workers do not inherit variables with the prefixes _CLEARED, which would change the measurement, except those in
# _KEPT.
_CLEARED, _KEPT = ("PYTHON", "NUMBA_"), ("NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER")

# The end of a traceback, which pip prints neither last nor at the beginning of its line.
_EXCEPTION = re.compile(r"[\w.]+(Error|Exception|Exit|Interrupt)(:.*)?$")

Key = TypeVar("Key", bound=Hashable)


def variables_for(package: str, kernels: Path) -> dict[str, str]:
    """Return the environment variables of a worker. Each commit has a directory of its own for compiled kernels."""
    cleared = (*_CLEARED, f"{package.upper()}_")
    kept = {key: value for key, value in os.environ.items() if key in _KEPT or not key.startswith(cleared)}
    # The order of sets and the places in dictionaries follow the hashes of strings, which are now the same in all
    # processes.
    return kept | {"NUMBA_CACHE_DIR": str(kernels), "PYTHONHASHSEED": "0"}


def last_line(text: str) -> str:
    """Return the last exception that a program printed, or else its last error, or else its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    exceptions = [found[0] for line in lines if (found := _EXCEPTION.search(line))]
    errors = [line for line in lines if "error" in line.lower()]
    return (exceptions or errors or lines or ["no message"])[-1]


def wait_all(
    starts: Mapping[Key, Callable[[], subprocess.Popen[str]]], deadline: float
) -> dict[Key, tuple[int, str, str]]:
    """Start processes in parallel; return the exit code and the output of each. End those that run at the deadline."""
    running: dict[Key, subprocess.Popen[str]] = {}
    outputs = {}
    try:
        for key, start in starts.items():
            running[key] = start()
        for key, process in running.items():
            try:
                output, errors = process.communicate(timeout=max(deadline - time.monotonic(), 0))
            except subprocess.TimeoutExpired:
                raise CannotMeasureError(f"time was up before this ended: {process.args!r}") from None
            outputs[key] = process.returncode, output, errors or ""
    finally:
        for process in running.values():
            if process.poll() is None:
                process.kill()
                process.communicate()
    return outputs


class WorkerProcess:
    """A worker of a side (base, head, control), which has at most one request at a time."""

    def __init__(self, side: str, command: list[str], cwd: Path, variables: dict[str, str]) -> None:
        self.side = side
        # If the worker ends, the reason is at the end of this file.
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - `close` closes it.
        self._process = subprocess.Popen(  # noqa: S603 - the gate's own program.
            command,
            cwd=cwd,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            bufsize=1,
        )
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)

    @property
    def _output(self) -> Any:
        return self._process.stdout

    def ask(self, what: str, **arguments: Any) -> None:
        """Send a request; `answer` returns the answer to it."""
        try:
            print(json.dumps({"do": what, **arguments}), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise CannotMeasureError(f"the process of {self.side} ended: {self._last_words()}") from None

    def answer(self) -> dict[str, Any]:
        """Wait for the answer to the last request."""
        if not self._selector.select(_ANSWER_SECONDS):
            raise CannotMeasureError(f"the process of {self.side} gave no answer in {_ANSWER_SECONDS:.0f} s")
        line = self._output.readline()
        if not line:
            raise CannotMeasureError(f"the process of {self.side} ended: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        self._selector.close()
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            # Closing writes out a request that the process has not read.
            with suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]
        self._errors.close()

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        text = self._errors.read()
        return last_line(text) if text.strip() else f"exit code {self._process.returncode}"
