"""What a traceback shows of fastops."""

from __future__ import annotations

import traceback
from pathlib import Path

import fastops as fo

_PACKAGE = str(Path(fo.__file__).parent)


def own_frames(error: BaseException) -> list[list[str]]:
    """The functions of fastops in the traceback of an error, then in those of what it comes from, as Python prints."""
    found: list[list[str]] = []
    each: BaseException | None = error
    while each is not None:
        codes = [frame.f_code for frame, _ in traceback.walk_tb(each.__traceback__)]
        found.append([code.co_name for code in codes if code.co_filename.startswith(_PACKAGE)])
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
    return found


def assert_ends_in_callers_line(error: BaseException) -> None:
    """Behind the caller's line is the public function at most, and nothing of ours in what the error comes from."""
    own, *causes = own_frames(error)
    assert len(own) <= 1, own
    assert not any(causes), causes
