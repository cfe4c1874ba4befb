"""How long tests take that could take for ever."""

from __future__ import annotations

import os
from typing import TypeVar

import pytest

T = TypeVar("T")


def scale(short: T, long: T) -> T:
    """How much a test takes of something: little, or in ``tox -e torture`` much."""
    return long if os.environ.get("FASTOPS_TORTURE") else short


#: Marks tests that compile all kernels once more, in their checked form or for other processors.
in_full = pytest.mark.skipif(
    not scale(os.environ.get("FASTOPS_FULL"), "1"), reason="runs with FASTOPS_FULL=1: it compiles all kernels once more"
)
