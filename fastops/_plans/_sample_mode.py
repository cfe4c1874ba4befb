"""Modes: what a coordinate outside its axis reads, and how callers name it."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from fastops._errors import AttributeValueError, DTypeError
from fastops._plans._numbers import as_index, is_of


class SampleMode(IntEnum):
    """What a coordinate outside its axis reads. The numbers of the first five are TensorRT's.

    With coordinate ``x`` and extent ``d``:

    ================ ==========================================================================
    STRICT_BOUNDS    nothing: it is an error
    WRAP             ``x mod d``
    CLAMP            ``min(max(x, 0), d - 1)``
    FILL             the fill value
    REFLECT          ``c = |x| mod (2d - 2)``, then ``2d - 2 - c`` where ``c >= d``; 0 where ``d == 1``
    SYMMETRIC        ``c = x mod 2d``, then ``2d - 1 - c`` where ``c >= d``; not one of TensorRT's modes
    ================ ==========================================================================

    ``DEFAULT`` is another name of STRICT_BOUNDS.
    """

    STRICT_BOUNDS = 0
    WRAP = 1
    CLAMP = 2
    FILL = 3
    REFLECT = 4
    SYMMETRIC = 5
    DEFAULT = 0


def source_index(x: int, extent: int, mode: SampleMode) -> int | None:
    """Return the index that coordinate ``x`` reads on an axis of ``extent`` > 0, or None for the fill value.

    STRICT_BOUNDS reads ``x`` itself: its coordinates were checked when the axis was created.
    """
    if 0 <= x < extent or mode is SampleMode.STRICT_BOUNDS:
        return x
    if mode is SampleMode.FILL:
        return None
    if mode is SampleMode.CLAMP:
        return min(max(x, 0), extent - 1)
    if mode is SampleMode.WRAP:
        return x % extent
    if mode is SampleMode.SYMMETRIC:
        c = x % (2 * extent)
        return 2 * extent - 1 - c if c >= extent else c
    if extent == 1:
        return 0
    c = abs(x) % (2 * extent - 2)
    return 2 * extent - 2 - c if c >= extent else c


_MODES = {name.lower(): mode for name, mode in SampleMode.__members__.items()}

_WORDS_OF_NUMPY = {"constant": "fill", "edge": "clamp"}

_RULE = "be a SampleMode, its number or its name"


def as_mode(attribute: str, mode: Any) -> SampleMode:
    """Return a mode given as a member, its number, its name in any case, or an object that has such a name."""
    if type(mode) is SampleMode:
        return mode
    if type(mode) is str and mode in _MODES:
        return _MODES[mode]
    name = mode if is_of(mode, str) else getattr(mode, "name", None)
    if isinstance(name, str):
        named = _MODES.get(name.lower())
        if named is not None:
            return named
    elif is_of(mode, bool) or not hasattr(type(mode), "__index__"):
        raise DTypeError.about(attribute, _RULE, mode)
    else:
        number = as_index(attribute, mode)
        if number in set(SampleMode):
            return SampleMode(number)
    hint = "".join([f"; {word} of np.pad is {own}" for word, own in _WORDS_OF_NUMPY.items() if word == name])
    raise AttributeValueError.about(attribute, f"be one of {', '.join(_MODES)}{hint}", mode)


def check_fill_mode(mode: SampleMode, fill_value: object) -> None:
    """Raise unless a fill value, which a caller has given, is for mode fill."""
    if mode is not SampleMode.FILL:
        rule = f"be given in mode fill only, not in {mode.name.lower()}"
        raise AttributeValueError.about("fill_value", rule, fill_value)
