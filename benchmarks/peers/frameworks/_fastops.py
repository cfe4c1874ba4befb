"""fastops itself."""

from __future__ import annotations

from functools import partial
from typing import Any

import numba

import fastops
from benchmarks.peers._work import Work
from benchmarks.peers.frameworks._base import Arrays, Framework, Recipe


class Fastops(Framework):
    """The public functions."""

    name = "fastops"

    def take_threads(self) -> None:
        """Set Numba's number."""
        numba.set_num_threads(self.threads)

    def out_recipes(self, work: Work, outs: Arrays) -> list[Recipe]:
        """The operator with ``out``."""
        out = outs if work.kind == "split" else outs[0]
        return [Recipe(f"fastops.{work.case.operator}(out=)", lambda: partial(self._call(work), out=out))]

    def fresh_recipes(self, work: Work) -> list[Recipe]:
        """The operator."""
        return [Recipe(f"fastops.{work.case.operator}", lambda: self._call(work))]

    def _call(self, work: Work) -> Any:
        data = () if work.kind == "range" else (work.data,)
        return partial(getattr(fastops, work.case.operator), *data, **work.attributes)
