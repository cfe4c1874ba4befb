"""A progress bar on one line of a terminal; where there is none, nothing."""

from __future__ import annotations

import shutil
import sys
from types import TracebackType

from fastops._cli._printable import printable

_CELLS = 24


class ProgressBar:
    """A bar of ``total`` steps on standard error, cleared at the end, so that nothing of it stays behind."""

    def __init__(self, total: int) -> None:
        self.total = max(total, 1)
        self.done = 0
        self._stream = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None
        self._shown = 0

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._draw("")

    def show(self, label: str) -> None:
        """Say what is being done now."""
        self._draw(progress_line(self.done, self.total, printable(label), shutil.get_terminal_size().columns))

    def advance(self, steps: int = 1) -> None:
        """Count steps as done; the next `show` draws them."""
        self.done += steps

    def _draw(self, line: str) -> None:
        if self._stream is not None and (line or self._shown):
            # Blanks, not an escape sequence, overwrite a longer line: every terminal knows them.
            try:
                self._stream.write("\r" + line.ljust(self._shown) + ("" if line else "\r"))
                self._stream.flush()
            except (OSError, ValueError):
                # A terminal that has gone away is no reason to stop the work.
                self._stream = None
            self._shown = len(line)


def progress_line(done: int, total: int, label: str, columns: int) -> str:
    """Return the line that shows ``done`` of ``total`` steps, less than ``columns`` wide.

    Examples
    --------
    >>> progress_line(1, 2, "compiling gather", 80)
    '[############............]  50%  compiling gather'
    """
    filled = _CELLS * done // total
    bar = "#" * filled + "." * (_CELLS - filled)
    return f"[{bar}] {100 * done // total:3d}%  {label}"[: max(columns - 1, 0)]
