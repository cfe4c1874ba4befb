"""Figures that carry over from one machine to another: ratios of times that were taken in turn."""

from __future__ import annotations

from typing import ClassVar

import fastops
from benchmarks.cases import CASES, names_of, operator_of
from benchmarks.measure.timing import FULL, QUICK

# Modules, lest asv takes a class of the name Setup for the set-up of all benchmarks here.
from benchmarks.peers import _contest, _environment, _setup
from benchmarks.peers._rows import FASTOPS, Row
from benchmarks.peers._work import create_work
from benchmarks.suite import Suite

_LARGE = [*names_of("bandwidth"), *names_of("ranges")]


class Figures(Suite):
    """A case beside something else, its result compared with NumPy's before."""

    param_names: ClassVar = ["case"]

    def setup(self, name: str) -> None:
        """Skip versions without the operator."""
        operator_of(fastops, CASES[name].operator)

    def row(self, name: str, peers: tuple[str, ...], *, fresh: bool) -> Row:
        """Return what fastops and others took, in turn."""
        threads, effort = _environment.start_threads(None), QUICK if self.is_small else FULL
        setup = _setup.Setup(peers, threads, effort, self.is_small)
        work = create_work(CASES[name], self.size_of(CASES[name]))
        row = _contest.contest(setup, "asv", name, work, peers, fresh=fresh, asked={})
        if row.wrong:
            raise ValueError(f"{name}: {row.wrong}")
        return row


class ShareOfLimit(Figures):
    """Large cases beside copies, and ranges beside fills, of as many bytes as they must touch, with as many threads."""

    params = _LARGE
    unit = "share"

    def track_out(self, name: str) -> float:
        """Return the share of the limit of a call into the caller's output: 1 is the limit, more is better."""
        share = self.row(name, (), fresh=False).share(FASTOPS)
        if share is None:
            raise ValueError(f"{name} has no limit")
        return share


class RatioToNumPy(Figures):
    """Cases beside the fastest of NumPy's ways to do them."""

    # Not ranges of floats: np.arange gives other elements.
    params = (*names_of("bandwidth"), "range_i64", "range_i32", "range_u8", *names_of("latency"))
    unit = "ratio"

    def track_fresh(self, name: str) -> float:
        """Return the time of a call that allocates its output over NumPy's: less is better."""
        values = self.row(name, ("numpy",), fresh=True).values
        return values[FASTOPS] / values["numpy"]
