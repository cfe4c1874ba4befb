"""What `fastops explain` gives of plans: words or JSON, and a drawing."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from fastops._cli._npy import reason_of
from fastops._errors import AttributeValueError, counted
from fastops.plan._plan_list import PlanList
from fastops.plan._range_plan import RangePlan
from fastops.plan._slice_plan import SlicePlan

#: What the function of a plan returns: several plans are those of parts, or of the pieces of a result.
Plans: TypeAlias = SlicePlan | RangePlan | PlanList


def add_json(parser: argparse.ArgumentParser, **options: Any) -> None:
    """Add the flag that has JSON printed in place of words."""
    text = "print JSON in place of words: the plan, as `fastops run plan` reads it, or a list of the plans of parts"
    parser.add_argument("--json", dest="JSON", action="store_true", help=text, **options)


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a call that is explained."""
    # The parser of the command has these too; its values stay, unless those here are given.
    add_json(parser, default=argparse.SUPPRESS)
    add_svg(parser, default=argparse.SUPPRESS)


def add_svg(parser: argparse.ArgumentParser, **options: Any) -> None:
    """Add the flag that has a drawing written too."""
    text = "write a drawing of the plan to this file besides; those of parts stand one below the other in it"
    parser.add_argument("--svg", dest="SVG", metavar="FILE", help=text, **options)


def print_plans(op: str, plans: Plans, args: argparse.Namespace, lines: Callable[[], Sequence[str]]) -> None:
    """Print plans as the flags say, in words that are given as lines or as JSON, and write their drawing."""
    text = plans_to_json(plans) if args.JSON else "\n".join(lines())
    if args.SVG is not None:
        _write_drawing(op, plans, args.SVG)
    print(text)


def plans_to_json(plans: Plans) -> str:
    """Return the JSON of a plan, or a list of those of several.

    Examples
    --------
    >>> plans_to_json(RangePlan(0, 2, 3))
    '{"format": "fastops.RangePlan", "version": 1, "start": 0, "step": 2, "count": 3}'
    """
    return f"[{', '.join([each.to_json() for each in plans])}]" if isinstance(plans, list) else plans.to_json()


def plans_in_words(name: str, plans: Plans) -> list[str]:
    """Return the lines of what `explain` says of a plan, or of each of several, below a name."""
    if not isinstance(plans, list):
        head, *lines = plans.explain().splitlines()
        return [f"{name}: {head}", *[f"  {line}" for line in lines]]
    lines = [f"{name}: {counted(len(plans), 'part')}"]
    for i, part in enumerate(plans):
        lines += [f"  {line}" for line in plans_in_words(f"part {i}", part)]
    return lines


def _write_drawing(op: str, plans: Plans, path: str) -> None:
    try:
        Path(path).write_text(plans.to_svg(), encoding="utf-8")
    except (OSError, ValueError) as error:
        # A ValueError is of a null byte.
        raise AttributeValueError(op, "svg", f"be a file that can be written ({reason_of(error)})", path) from error
