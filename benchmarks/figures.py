"""Figures that carry over from one machine to another: ratios of times that were taken in turn."""

from __future__ import annotations

from typing import ClassVar

from benchmarks.cases import names_of
from benchmarks.measure.timing import FULL, QUICK
from benchmarks.peers._contest import contest
from benchmarks.peers._environment import start_threads
from benchmarks.peers._rows import FASTOPS, Row
from benchmarks.peers._setup import Setup
from benchmarks.peers._work import create_work
from benchmarks.suite import Suite, case_to_time

_LARGE = [*names_of("bandwidth"), *names_of("ranges")]


class Figures(Suite):
    """A case beside something else, its result compared with NumPy's before."""

    param_names: ClassVar = ["case"]

    def contest(self, name: str, peers: tuple[str, ...], *, fresh: bool) -> Row:
        """Return what fastops and others took, in turn."""
        case = case_to_time(name)
        setup = Setup(peers, start_threads(None), QUICK if self.is_small else FULL, self.is_small)
        row = contest(setup, "asv", name, create_work(case, self.size_of(case)), peers, fresh=fresh, asked={})
        if row.wrong:
            raise ValueError(f"{name}: {row.wrong}")
        return row


class ShareOfLimit(Figures):
    """Large cases beside copies, and ranges beside fills, of as many bytes as they must touch, with as many threads."""

    params = _LARGE
    unit = "share"

    def track_out(self, name: str) -> float:
        """Return the share of the limit of a call into the caller's output: 1 is the limit, more is better."""
        share = self.contest(name, (), fresh=False).share(FASTOPS)
        if share is None:
            raise ValueError(f"{name} has no limit")
        return share


class RatioToNumPy(Figures):
    """Cases beside the fastest of NumPy's ways to do them."""

    params = (*_LARGE, *names_of("latency"))
    unit = "ratio"

    def track_fresh(self, name: str) -> float:
        """Return the time of a call that allocates its output over NumPy's: less is better."""
        values = self.contest(name, ("numpy",), fresh=True).values
        return values[FASTOPS] / values["numpy"]
