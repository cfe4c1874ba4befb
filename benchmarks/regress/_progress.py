"""A bar on a terminal; nothing elsewhere."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Progress:
    """How many benchmarks have been measured, of how many."""

    def __init__(self) -> None:
        # Imported here, because asv imports every module below its directory, in environments without tqdm.
        self._bar: Any = import_module("tqdm").tqdm(total=0, unit="benchmark", disable=None, leave=False)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.close()

    def expect(self, count: int) -> None:
        """Note that so many are to come."""
        self._bar.total += count
        self._bar.refresh()

    def begin(self, name: str) -> None:
        """Show which one is under way."""
        self._bar.set_description_str(name)

    def finish(self) -> None:
        """Note that one is done."""
        self._bar.update()
