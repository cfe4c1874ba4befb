"""Files that a caller names, before they are opened."""

from __future__ import annotations

import os

from fastops._errors import AttributeValueError


def check_regular_file(op: str, attribute: str, path: str | bytes | os.PathLike[str]) -> None:
    """Raise for what is no regular file: a pipe may never have anything to read, and a device may never end.

    A path that leads nowhere is left to whoever opens it.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise AttributeValueError(op, attribute, "be a regular file", os.fsdecode(path))
