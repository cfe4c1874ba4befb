"""Splits: parts of one axis, each by its start and its length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from fastops._errors import AttributeValueError
from fastops._lowering._windows import Windows
from fastops.kernels._tables import _rules as r

#: An axis can be split into that many parts.
MOST_PARTS = r.MOST_PARTS


def lower_splits(shape: Sequence[int], axis: int, lengths: Sequence[int]) -> list[Windows]:
    """Return the windows of parts of an axis that follow each other."""
    return lower_parts(shape, axis, zip(accumulate(lengths, initial=0), lengths, strict=False))


def lower_parts(shape: Sequence[int], axis: int, parts: Iterable[tuple[int, int]]) -> list[Windows]:
    """Return the windows of parts of an axis, each by its start and its length."""
    whole = [(0, 1, extent) for extent in shape]
    before, after = whole[:axis], whole[axis + 1 :]
    return [Windows(shape, [*before, (start, 1, length), *after]) for start, length in parts]


def resolve_lengths(
    attribute: str, lengths: Sequence[int], axis: int, extent: int, *, may_infer: bool = True
) -> tuple[int, ...]:
    """Return lengths of parts that sum to an axis, with a -1, if there may be one, as what the others leave."""
    lowest = -1 if may_infer else 0
    if min(lengths, default=0) < lowest:
        rule = "be at least 0, or -1 once" if may_infer else "be at least 0"
        raise AttributeValueError.about(attribute, rule, tuple(lengths), axis, extent)
    unknown = lengths.count(-1)
    if unknown > 1:
        raise AttributeValueError.about(attribute, "have -1 at most once", tuple(lengths), axis, extent)
    rest = extent - (sum(lengths) + unknown)
    if rest < 0 or (rest > 0 and not unknown):
        rule = f"sum to {extent}, with at least 0 for -1" if unknown else f"sum to {extent}"
        raise AttributeValueError.about(attribute, rule, tuple(lengths), axis, extent)
    return tuple([rest if length == -1 else length for length in lengths])


def equal_lengths(attribute: str, parts: int, axis: int, extent: int) -> tuple[int, ...]:
    """Return the lengths of so many equal parts of an axis."""
    if parts < 1:
        raise AttributeValueError.about(attribute, "be at least 1", parts, axis, extent)
    if extent % parts:
        raise AttributeValueError.about(attribute, f"divide {extent}", parts, axis, extent)
    check_parts(attribute, parts)
    return (extent // parts,) * parts


def check_parts(attribute: str, parts: int) -> None:
    """Raise if an array would be split into more parts than it may."""
    if parts > MOST_PARTS:
        raise AttributeValueError.about(attribute, f"give at most {MOST_PARTS} parts", parts)
