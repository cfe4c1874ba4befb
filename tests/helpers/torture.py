"""How long tests take that could take for ever."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")


def scale(short: T, long: T) -> T:
    """What a test takes of something: little, or in ``tox -e torture`` much."""
    return long if os.environ.get("FASTOPS_TORTURE") else short
