"""fastops itself: the public functions."""

from __future__ import annotations

from functools import partial
from typing import Any

import fastops
from benchmarks.peers._race import Way
from benchmarks.peers._work import Work


def ways(work: Work, outs: list[Any] | None, _threads: int) -> list[Way]:
    """Return the operator, with ``out`` or without."""
    data = () if work.kind == "range" else (work.data,)
    call = partial(getattr(fastops, work.case.operator), *data, **work.attributes)
    if outs is not None:
        call = partial(call, out=outs if work.kind == "split" else outs[0])
    return [Way(f"fastops.{work.case.operator}", lambda: call)]
