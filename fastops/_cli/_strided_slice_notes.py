"""What may surprise in a call of strided_slice: pure functions of its attributes and a shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastops import plan
from fastops._cli._words import Block, describe_axis, describe_plan, maps_of, numbered
from fastops._drawings._text import draw_axis
from fastops._lowering._bounds import ClampRule, resolve_bounds
from fastops._lowering._strided_slice import Position, Use, fit_mask, positions_of
from fastops.plan._slice_plan import SlicePlan

_MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")


@dataclass(frozen=True, slots=True)
class Written:
    """What the caller writes at one position: the bounds, the stride, and the names of the masks whose bit is set.

    ``words`` are what the operator calls them; not every operator has masks.
    """

    begin: int
    end: int
    stride: int
    masks: frozenset[str] = frozenset()
    words: tuple[str, str, str] = ("begin", "end", "stride")
    has_masks: bool = True


def explain_strided_slice(
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
    **masks: Sequence[int],
) -> list[Block]:
    """Return a block for the call, then one for each axis and each new axis, in the order of the positions.

    Raises what the operator raises where the call is wrong.
    """
    made = plan.strided_slice(shape, begin, end, strides, **masks)
    n = len(begin)
    bits = {name: fit_mask(masks.get(name, ()), n) for name in _MASKS}
    written = [
        Written(*values, frozenset(name for name in _MASKS if bits[name][i]))
        for i, values in enumerate(zip(begin, end, (1,) * n if strides is None else strides, strict=True))
    ]
    blocks = [Block(describe_plan("strided_slice", made), note_masks(n, masks))]
    uses = (bits["new_axis_mask"], bits["shrink_axis_mask"], bits["ellipsis_mask"])
    for position in positions_of(len(shape), begin, *uses):
        blocks += _position_blocks(made, position, written[position.i] if position.i < n else None)
    return blocks


def note_masks(n: int, masks: dict[str, Sequence[int]]) -> tuple[str, ...]:
    """Return notes on masks that are longer or shorter than the n values of begin."""
    notes = []
    for name, mask in masks.items():
        if len(mask) > n:
            bits = numbered(n, len(mask) - 1, "bit", "bits")
            notes.append(f"{name} is longer than begin: {bits} ignored")
        elif 0 < len(mask) < n:
            bits = numbered(len(mask), n - 1, "bit", "bits")
            notes.append(f"{name} is shorter than begin: {bits} taken as 0")
    return tuple(notes)


def note_slice(extent: int, written: Written) -> tuple[str, ...]:
    """Return notes on ``begin : end : stride`` of an axis that is sliced."""
    begin_word, end_word, stride_word = written.words
    if extent == 0:
        return (f"the axis is empty: {begin_word} and {end_word} are ignored",)
    masked = {"begin_masked": "begin_mask" in written.masks, "end_masked": "end_mask" in written.masks}
    bounds = (extent, written.begin, written.end, written.stride)
    start, _, count = resolve_bounds(*bounds, ClampRule.OPENVINO, **masked)
    notes: list[str] = []
    if not masked["begin_masked"]:
        notes += _begin_notes(extent, written, start)
    if not masked["end_masked"]:
        notes += _end_notes(extent, written)
    elif written.stride < 0:
        notes.append("end_mask under a negative stride takes index 0 too")
    if count == 0:
        notes.append(f"nothing is taken: {end_word} is not after {begin_word} in the direction of the {stride_word}")
    elif count == 1 and abs(written.stride) > 1:
        notes.append(f"{stride_word} {written.stride} has no effect: one index is taken")
    if count != resolve_bounds(*bounds, ClampRule.NUMPY, **masked)[2]:
        notes.append(
            f"NumPy takes nothing here: it moves {begin_word} to before index 0 under a negative {stride_word}"
        )
    return tuple(notes)


def _begin_notes(extent: int, written: Written, start: int) -> list[str]:
    begin, word = written.begin, written.words[0]
    counted = begin + extent if begin < 0 else begin
    if counted < 0 and written.stride < 0:
        return [f"{word} {begin} lies before the axis: under a negative {written.words[2]} it is moved to index 0"]
    if counted != start:
        return [f"{word} clamped from {begin} to {start}"]
    return [f"{word} {begin} counts from the end: {counted}"] if begin < 0 else []


def _end_notes(extent: int, written: Written) -> list[str]:
    end, word = written.end, written.words[1]
    counted = end + extent if end < 0 else end
    if written.stride > 0:
        clamped, shown = min(max(counted, 0), extent), ""
    else:
        clamped = min(max(counted, -1), extent - 1)
        shown = "before index 0" if clamped == -1 else ""
    if clamped != counted:
        return [f"{word} clamped from {end} to {shown or clamped}"]
    if end < 0 and written.stride < 0:
        if counted == -1:
            return [f"{word} {end} counts from the end: one before index 0, so that index 0 is taken"]
        mask = "end_mask, or " if written.has_masks else ""
        return [f"{word} {end} counts from the end: {counted}; only {mask}one below -{extent} reaches index 0"]
    return [f"{word} {end} counts from the end: {counted}, which is not taken"] if end < 0 else []


def note_shrink(extent: int, written: Written) -> tuple[str, ...]:
    """Return notes on an axis that is shrunk to one index."""
    notes = []
    if written.begin < 0:
        notes.append(f"begin {written.begin} counts from the end: {written.begin + extent}")
    notes.append("end is ignored by shrink" if written.stride == 1 else "end and stride are ignored by shrink")
    notes += [f"{name} is ignored by shrink" for name in ("begin_mask", "end_mask") if name in written.masks]
    return tuple(notes)


def note_unused(use: Use, written: Written) -> tuple[str, ...]:
    """Return notes on a position whose bounds mean nothing: a new axis or the ellipsis."""
    what = "the ellipsis" if use is Use.ELLIPSIS else "a new axis"
    own = "ellipsis_mask" if use is Use.ELLIPSIS else "new_axis_mask"
    others = [f"{name} is ignored at {what}" for name in _MASKS if name in written.masks and name != own]
    return (f"begin, end and stride are ignored at {what}", *others)


def _position_blocks(made: SlicePlan, position: Position, written: Written | None) -> list[Block]:
    """Return the blocks of one position, or, where nothing is written, of the axes that none names."""
    if position.use is Use.NEW_AXIS:
        assert written is not None
        return [Block("new axis: length 1 in the result", note_unused(position.use, written))]
    axes = list(enumerate(maps_of(made)))[position.axis : position.axis + position.rank]
    lines = [describe_axis(k, axis, is_read=made.size > 0) for k, axis in axes]
    pictures = [tuple(draw_axis(axis)) if made.size else () for _, axis in axes]
    if position.use is Use.ELLIPSIS:
        notes = (
            (f"begin does not name {numbered(axes[0][0], axes[-1][0], 'axis', 'axes')}: taken whole",)
            if not written
            else note_unused(position.use, written)
        )
        lines = lines or ["ellipsis: stands for no axis"]
        return [Block(line, notes if i == 0 else ()) for i, line in enumerate(lines)]
    assert written is not None
    extent = axes[0][1].extent
    if position.use is Use.SHRINK:
        return [Block(f"{lines[0]}; dropped from the result", note_shrink(extent, written), pictures[0])]
    return [Block(lines[0], note_slice(extent, written), pictures[0])]
