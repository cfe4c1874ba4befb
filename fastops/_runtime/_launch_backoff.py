"""Launch backoff: large work is serial for a while after a launch has taken longer than one thread would have.

A launch waits for each of its threads. Beside other processes, one that does not run keeps it waiting until the system
gives it a processor: milliseconds, for work of microseconds. What such a launch has lost is known when it is over, and
is made up for by serial work: until that has taken a multiple of what was lost, nothing is launched. So however often
launches fail, the mean time stays near that of one thread; and where they gain, each of them is made.
"""

from __future__ import annotations

# Serial work takes so many times as long as a failed launch has lost: at first, and after many that have failed in a
# row. The mean is at most 1 + 1 / 2 of the serial time, and falls to 1 + 1 / 64.
_LEAST_PATIENCE = 2
_MOST_PATIENCE = 64


class LaunchBackoff:
    """Whether work of some size is launched, by what the last launches of it have lost.

    Attributes
    ----------
    serial_ticks : int
        For how long work is serial from now on.
    patience : int
        What the next loss is multiplied by.
    """

    __slots__ = ("patience", "serial_ticks")

    def __init__(self) -> None:
        self.serial_ticks = 0
        self.patience = _LEAST_PATIENCE

    def note_launch(self, lost_ticks: int) -> None:
        """Take note of a launch that took so much longer than one thread would have.

        Examples
        --------
        >>> backoff = LaunchBackoff()
        >>> backoff.note_launch(8_000)
        >>> backoff.note_serial(50)
        >>> backoff.serial_ticks
        15950
        """
        if lost_ticks <= 0:
            self.patience = _LEAST_PATIENCE
            return
        self.serial_ticks = lost_ticks * self.patience
        self.patience = min(2 * self.patience, _MOST_PATIENCE)

    def note_serial(self, ticks: int) -> None:
        """Take note of serial work that took so long."""
        self.serial_ticks -= ticks
