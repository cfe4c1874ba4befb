"""What all groups need: who takes part, how much is spent, and the rows to make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from benchmarks.cases import Case, Size
from benchmarks.measure.timing import Effort
from benchmarks.peers._rows import Row
from benchmarks.peers.frameworks import Framework, create_framework


@dataclass(frozen=True)
class Setup:
    """A run of this tool.

    Attributes
    ----------
    peers : tuple of str
        The frameworks that are installed and wanted.
    threads : int
        For every contender that has threads.
    effort : Effort
    is_small : bool
        True for the small sizes of the cases, whose times mean nothing.
    """

    peers: tuple[str, ...]
    threads: int
    effort: Effort
    is_small: bool
    _made: dict[str, Framework] = field(default_factory=dict)

    def framework(self, name: str) -> Framework:
        """Return a framework, made at its first use, ready for as many threads as this run has."""
        if name not in self._made:
            self._made[name] = create_framework(name, self.threads)
        self._made[name].take_threads()
        return self._made[name]

    def contenders(self, names: Sequence[str]) -> list[Framework]:
        """Return fastops, and those of the named peers that take part."""
        return [self.framework(name) for name in ("fastops", *[name for name in names if name in self.peers])]

    @contextmanager
    def one_thread(self) -> Iterator[Setup]:
        """Give the same with one thread for every contender."""
        try:
            yield replace(self, threads=1, _made={})
        finally:
            for framework in self._made.values():
                framework.take_threads()

    def size_of(self, case: Case) -> Size:
        """Return the size to run a case in."""
        return case.small if self.is_small else case.full


@dataclass(frozen=True)
class Job:
    """One row to be measured.

    Attributes
    ----------
    group, name : str
        Those of the row.
    run : callable
        Measures it.
    """

    group: str
    name: str
    run: Callable[[Setup], Row]
