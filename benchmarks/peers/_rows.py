"""What was measured: rows of groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

#: The contender that every bar is about, and the one that a group measures beside it where there is one.
FASTOPS, REFERENCE = "fastops", "reference"


@dataclass
class Row:
    """One row of a group.

    Attributes
    ----------
    group, name : str
        Where it belongs, and its stable name there.
    what : str
        What is done, in words and shapes.
    unit : str
        Of the values: s (seconds of one call) or bytes.
    values : dict
        The median of each contender; REFERENCE is one that is no peer.
    limits : dict
        Seconds of each copy or fill of the bytes that the case touches, the best of which is the limit.
    touched_bytes : int
        These bytes; 0 where there is no limit.
    how : dict
        The expression by which each contender does it.
    absent : dict
        Why a contender has no value.
    asked : dict
        The bars: a number for each kind that `_bars` knows.
    wrong : str
        How the result of fastops differs from the right one; empty if it does not.
    """

    group: str
    name: str
    what: str
    unit: str = "s"
    values: dict[str, float] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)
    touched_bytes: int = 0
    how: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    asked: dict[str, float] = field(default_factory=dict)
    wrong: str = ""

    @property
    def peers(self) -> dict[str, float]:
        """The values of all contenders but fastops and the reference."""
        return {name: value for name, value in self.values.items() if name not in (FASTOPS, REFERENCE)}

    @property
    def best_peer(self) -> str | None:
        """The fastest of the peers, or None without one."""
        return min(self.peers, key=self.peers.__getitem__, default=None)

    @property
    def limit(self) -> float | None:
        """Seconds of the best copy or fill, or None where there is none."""
        return min(self.limits.values(), default=None)

    def share(self, contender: str) -> float | None:
        """Return a contender's share of the limit, or None without one."""
        value = self.values.get(contender)
        return None if value is None or self.limit is None else self.limit / value

    def times(self, contender: str) -> float | None:
        """Return how many times as fast as a contender fastops is, or None without one."""
        value = self.values.get(contender)
        return None if value is None or FASTOPS not in self.values else value / self.values[FASTOPS]


@dataclass
class Results:
    """All rows of a run, and where it ran.

    Attributes
    ----------
    environment : dict
        Date, versions, CPU, threads and the like.
    rows : list of Row
    """

    environment: dict[str, Any]
    rows: list[Row]

    def of_group(self, group: str) -> list[Row]:
        """Return the rows of a group."""
        return [row for row in self.rows if row.group == group]

    @property
    def groups(self) -> list[str]:
        """The names of all groups that have rows, in their order."""
        return list(dict.fromkeys(row.group for row in self.rows))
