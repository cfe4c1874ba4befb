"""The speed of the recipes of the documentation, beside code without fastops: ``python -m benchmarks.recipes``.

The command writes `docs/recipes/timings.md`; the page of each recipe that it measures includes its own part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from asv_gate.timing import Call

#: The name of fastops among the ways of a case. The names of the others say which functions they call.
FASTOPS = "fastops"

Ways = Mapping[str, Call]


@dataclass(frozen=True)
class Case:
    """Something that a recipe does.

    Attributes
    ----------
    recipe : str
        The page, by the name of its file.
    what : str
        The work, in words and shapes.
    open : callable
        Gives the ways, ready to be called, and releases their resources afterwards. All ways return equal results.
    needs : tuple of str
        Modules that may not be installed.
    """

    recipe: str
    what: str
    open: Callable[[], AbstractContextManager[Ways]]
    needs: tuple[str, ...] = ()
