"""What was measured: the rows of groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

#: The contender that each row is about, and the name of one that is no other library, such as a loop.
FASTOPS, REFERENCE = "fastops", "reference"


@dataclass
class Row:
    """One row of a group.

    Attributes
    ----------
    group, name : str
        The group, and the stable name of the row in it.
    what : str
        What is done, in words and shapes.
    unit : str
        The unit of the values: s (seconds of one call) or bytes.
    values : dict
        The median of each contender.
    limits : dict
        Seconds of each copy or fill of the bytes that the case touches. The fastest is the limit.
    how : dict
        The expression by which each contender does it.
    absent : dict
        Why a contender has no value.
    wrong : str
        How the result of fastops differs from the right one; empty if it does not.
    """

    group: str
    name: str
    what: str
    unit: str = "s"
    values: dict[str, float] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)
    how: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    wrong: str = ""

    @property
    def best_peer(self) -> str | None:
        """The fastest contender but fastops and the reference; None without one."""
        peers = {name: value for name, value in self.values.items() if name not in (FASTOPS, REFERENCE)}
        return min(peers, key=peers.__getitem__, default=None)

    def share(self, contender: str) -> float | None:
        """Return a contender's share of the limit, or None without one."""
        value = self.values.get(contender)
        return min(self.limits.values()) / value if value is not None and self.limits else None

    def times(self, contender: str | None) -> float | None:
        """Return the time of a contender divided by that of fastops, or None without one."""
        value = self.values.get(contender or "")
        return None if value is None or FASTOPS not in self.values else value / self.values[FASTOPS]


@dataclass
class Results:
    """All rows of a run, and where it ran.

    Attributes
    ----------
    environment : dict
        Date, versions, processor, threads.
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
