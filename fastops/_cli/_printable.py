"""What a terminal shows as it is."""

from __future__ import annotations

import unicodedata

# Controls, marks that change what is beside them (as the direction in which it is read), and separators of lines.
_ESCAPED = ("Cc", "Cf", "Zl", "Zp")


def printable(text: str, kept: str = "") -> str:
    r"""Return a text with escapes for what a terminal would obey instead of showing it, but for characters to be kept.

    Names in files may have any characters: a terminal that obeys them hides lines, or shows what nobody has printed.

    Examples
    --------
    >>> printable("naïve\x1b[2J\u202e")
    'naïve\\x1b[2J\\u202e'
    >>> printable("two\nlines\t", "\n")
    'two\nlines\\t'
    """
    if text.isprintable():
        return text
    return "".join([each if each.isprintable() or each in kept else _escape(each) for each in text])


def _escape(character: str) -> str:
    is_escaped = unicodedata.category(character) in _ESCAPED
    return character.encode("unicode_escape").decode() if is_escaped else character
