"""What a terminal shows as it is."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return a text with escapes for what a terminal would obey instead of showing it, as names in files may have it.

    Examples
    --------
    >>> printable("naïve\x1b[2J\u202e")
    'naïve\\x1b[2J\\u202e'
    """
    return "".join([each if each.isprintable() else each.encode("unicode_escape").decode() for each in text])
