"""The handle that the gate has on a worker."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.regress._verdicts import CannotMeasureError

# Of one answer. The longest, a first call that compiles, takes a tenth of it.
_TIMEOUT = 180.0

# What a process inherits. Not what would change its kernels, its caches or where it finds fastops.
_DROPPED = ("FASTOPS_", "NUMBA_", "PYTHON")
_KEPT = ("NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER")


def environment_for(kernels: Path) -> dict[str, str]:
    """Return the variables of a worker whose kernels are kept in a directory."""
    kept = {key: value for key, value in os.environ.items() if key in _KEPT or not key.startswith(_DROPPED)}
    # Hashes of strings decide where dictionaries look first: the same in all processes.
    return kept | {"NUMBA_CACHE_DIR": str(kernels), "PYTHONHASHSEED": "0"}


class WorkerProcess:
    """A worker of a side (base, head, control), with one request under way at most."""

    def __init__(self, side: str, python: Path, staged: Path, kernels: Path) -> None:
        self.side = side
        # Where its last words are, if it ends.
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - `close` closes it.
        self._process = subprocess.Popen(  # noqa: S603 - the gate's own program.
            [python, "-m", "benchmarks.regress._worker"],
            cwd=staged,
            env=environment_for(kernels),
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
        """Send a request, whose answer `answer` returns."""
        try:
            print(json.dumps({"do": what, **arguments}), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise CannotMeasureError(f"the process of {self.side} ended: {self._last_words()}") from None

    def answer(self) -> dict[str, Any]:
        """Wait for the answer to the last request."""
        if not self._selector.select(_TIMEOUT):
            raise CannotMeasureError(f"the process of {self.side} gave no answer in {_TIMEOUT:.0f} s")
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
            if pipe is not None:
                pipe.close()
        self._errors.close()

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        return lines[-1] if lines else f"exit code {self._process.returncode}"
