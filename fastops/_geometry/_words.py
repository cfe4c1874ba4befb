"""Plans in few words, as `print` shows them."""

from __future__ import annotations

from fastops._errors import shown
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._plan_runs import windows_of
from fastops._geometry._slice_plan import SlicePlan


def plan_in_words(plan: SlicePlan) -> str:
    """Return the shapes of a plan, a line for each axis, and what becomes of the axes."""
    lines = [f"{shown(plan.source_shape)} -> {shown(plan.shape)}"]
    lines += [f"  axis {k}: {axis}{window_in_words(plan, k)}" for k, axis in enumerate(plan.axes)]
    return "\n".join([*lines, *[f"  {line}" for line in (*moves_in_words(plan), *fills_in_words(plan))]])


def fills_in_words(plan: SlicePlan) -> list[str]:
    """Return what the slots of a plan with several fill values are called, and which of them is read."""
    if plan.fills < 2:
        return []
    return [f"fill values: {plan.fills}, one for each stage that fills; fill1 lies over fill0, and so on"]


def window_in_words(plan: SlicePlan, k: int) -> str:
    """Return what of the source an axis reads, where that is no axis of it as a whole."""
    source, offset, step = windows_of(plan)[k]
    if source == NO_AXIS or (plan.source_shape[source], offset, step) == (plan.axes[k].extent, 0, 1):
        return ""
    return f", window of source axis {source}: offset {shown(offset)}, step {shown(step)}"


def moves_in_words(plan: SlicePlan) -> list[str]:
    """Return what becomes of axes between source and result: which are reordered, merged, new and dropped."""
    if not plan.size:
        return []
    lines = []
    if not plan.is_ordered:
        lines.append(f"order: {', '.join(map(str, plan.order))}")
    merged, new, dropped = _changes_of(plan)
    lines += [f"merged: axes {', '.join(map(str, own))} are axis {target} of the result" for target, own in merged]
    lines += [f"new: axis {k} of the result, of length 1" for k in new]
    lines += [f"dropped: axis {k}, of one output" for k in dropped]
    return lines


def _changes_of(plan: SlicePlan) -> tuple[list[tuple[int, list[int]]], list[int], list[int]]:
    """Return the axes of the result that are merged and of what, new ones, and axes that it has not.

    Where there are several ways to say so, the first axes are kept.
    """
    counts = [plan.axes[k].count for k in plan.order]
    factors = find_factors(counts, plan.shape)
    assert factors is not None
    merged = []
    for target in range(len(plan.shape)):
        own = [k for k, factor in zip(plan.order, factors, strict=True) if factor.axis == target]
        if len(own) > 1:
            merged.append((target, own))
    new: list[int] = []
    dropped: list[int] = []
    target = 0
    for k, factor in zip(plan.order, factors, strict=True):
        if factor.axis == NO_AXIS:
            if target < len(plan.shape) and plan.shape[target] == 1:
                target += 1
            else:
                dropped.append(k)
        elif factor.axis >= target:
            new += range(target, factor.axis)
            target = factor.axis + 1
    return merged, [*new, *range(target, len(plan.shape))], sorted(dropped)
