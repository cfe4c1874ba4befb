"""Modes, which define the index that a coordinate outside its axis reads, and the names that callers use for modes."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal, Protocol, TypeAlias

from fastops._errors import AttributeValueError, DTypeError
from fastops._geometry._numbers import find_integer


class SampleMode(IntEnum):
    """The index that a coordinate outside its axis reads. The first five numbers are TensorRT's.

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


#: TensorRT's names of modes, in lower and upper case.
TensorRTWord: TypeAlias = (
    Literal["strict_bounds", "wrap", "clamp", "fill", "reflect", "default"]
    | Literal["STRICT_BOUNDS", "WRAP", "CLAMP", "FILL", "REFLECT", "DEFAULT"]
)
#: All names of modes in `MODE_WORDS`, in lower and upper case.
ModeWord: TypeAlias = (
    TensorRTWord
    | Literal["symmetric", "edge", "constant", "replicate", "reflect101", "reflect_101", "border_constant"]
    | Literal["border_replicate", "border_reflect", "border_reflect101", "border_reflect_101", "border_wrap"]
    | Literal["SYMMETRIC", "EDGE", "CONSTANT", "REPLICATE", "REFLECT101", "REFLECT_101", "BORDER_CONSTANT"]
    | Literal["BORDER_REPLICATE", "BORDER_REFLECT", "BORDER_REFLECT101", "BORDER_REFLECT_101", "BORDER_WRAP"]
)


class Named(Protocol):
    """An object with the name of a mode, such as a member of another library's enumeration."""

    @property
    def name(self) -> str:
        """The name."""


#: How callers write a mode: as a member, its number, a name, or an object with such a name.
Mode: TypeAlias = SampleMode | int | ModeWord | Named
TensorRTMode: TypeAlias = SampleMode | int | TensorRTWord | Named

_OWN_WORDS = {name.lower(): mode for name, mode in SampleMode.__members__.items()}

#: The names of modes, in lower case: those of `SampleMode`, of NumPy's pad and of OpenCV's borders. OpenCV's
#: BORDER_REFLECT repeats the edge, as "symmetric" does; "reflect" alone does not repeat it.
MODE_WORDS = {
    **_OWN_WORDS,
    **dict.fromkeys(("edge", "replicate", "border_replicate"), SampleMode.CLAMP),
    **dict.fromkeys(("constant", "border_constant"), SampleMode.FILL),
    **dict.fromkeys(("reflect101", "reflect_101", "border_reflect101", "border_reflect_101"), SampleMode.REFLECT),
    "border_reflect": SampleMode.SYMMETRIC,
    "border_wrap": SampleMode.WRAP,
}

#: The rule in the error for an unknown name.
MODE_RULE = f"be one of {', '.join(_OWN_WORDS)}, or NumPy's or OpenCV's name of one, as edge and constant"

#: TensorRT's names of modes.
TENSORRT_WORDS = {name: mode for name, mode in _OWN_WORDS.items() if name != "symmetric"}
_TENSORRT_RULE = f"be one of {', '.join(TENSORRT_WORDS)}, or the number of one"

_NUMBERS = {int(mode): mode for mode in SampleMode}


def as_tensorrt_mode(attribute: str, mode: Any) -> SampleMode:
    """Return one of TensorRT's modes, from TensorRT's name or number of it."""
    own = as_mode(attribute, mode, TENSORRT_WORDS, _TENSORRT_RULE)
    if own is SampleMode.SYMMETRIC:
        raise AttributeValueError.about(attribute, _TENSORRT_RULE, mode)
    return own


def as_mode(attribute: str, mode: Any, words: dict[str, SampleMode] = MODE_WORDS, rule: str = MODE_RULE) -> SampleMode:
    """Return the mode that a member, its number, a name in any case, or an object with such a name stands for."""
    if type(mode) is SampleMode:
        return mode
    if type(mode) is str and mode in words:
        return words[mode]
    name = mode if isinstance(mode, str) else getattr(mode, "name", None)
    if isinstance(name, str):
        found = words.get(name.lower())
    else:
        number = find_integer(attribute, mode)
        if number is None:
            raise DTypeError.about(attribute, "be a SampleMode, its number or its name", mode)
        found = _NUMBERS.get(number)
    if found is None:
        raise AttributeValueError.about(attribute, rule, mode)
    return found


def checked_fill(mode: SampleMode, fill_value: Any) -> Any:
    """Return a fill value; raise if the mode is not FILL."""
    if mode is not SampleMode.FILL:
        rule = f"be given in mode fill only, not in {mode.name.lower()}"
        raise AttributeValueError.about("fill_value", rule, fill_value)
    return fill_value
