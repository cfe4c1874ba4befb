"""The operators on the command line: their flags, and what a user writes there as the library's arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastops._errors import AttributeValueError
from fastops._geometry._sample_mode import SampleMode, as_mode

# Digits of an integer: more than any coordinate needs, few enough to print what comes of it.
MOST_DIGITS = 60


@dataclass(frozen=True, slots=True)
class Flag:
    """An argument of an operator: its name, how its text is read, what --help says, and whether it can be absent."""

    name: str
    read: Callable[[str, str, str], Any]
    help: str
    is_required: bool = False

    @property
    def option(self) -> str:
        """The option as it is written."""
        return "--" + self.name.replace("_", "-")


def read_list(op: str, attribute: str, text: str) -> tuple[int, ...]:
    """Return ``"0,-1"`` as integers; brackets and blanks are allowed, an empty text is an empty list."""
    inner = text.strip()
    if inner[:1] + inner[-1:] in ("[]", "()"):
        inner = inner[1:-1].strip()
    parts = inner.removesuffix(",").split(",") if inner else []
    if any(len(part) > MOST_DIGITS for part in parts):
        raise AttributeValueError(op, attribute, f"be a list of integers of at most {MOST_DIGITS} digits", text)
    try:
        return tuple(int(part) for part in parts)
    except ValueError:
        raise AttributeValueError(op, attribute, "be a list of integers, as 0,-1", text) from None


def read_integer(op: str, attribute: str, text: str) -> int:
    """Return an integer."""
    if len(text) > MOST_DIGITS:
        raise AttributeValueError(op, attribute, f"be an integer of at most {MOST_DIGITS} digits", text)
    try:
        return int(text)
    except ValueError:
        raise AttributeValueError(op, attribute, "be an integer", text) from None


def read_number(op: str, attribute: str, text: str) -> int | float:
    """Return an integer exactly, or else a float."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    raise AttributeValueError(op, attribute, "be a number", text)


def read_text(_op: str, _attribute: str, text: str) -> str:
    """Return what was written, for the operator to judge."""
    return text


def read_count(op: str, attribute: str, text: str, most: int) -> int:
    """Return an integer from 1 to ``most``."""
    rule = f"be an integer in 1..{most}"
    try:
        count = int(text)
    except ValueError:
        raise AttributeValueError(op, attribute, rule, text) from None
    if not 1 <= count <= most:
        raise AttributeValueError(op, attribute, rule, count)
    return count


_MASKS = (
    ("begin_mask", "1 where begin is ignored, and the axis's own end taken"),
    ("end_mask", "1 where end is ignored, and the axis's own end taken"),
    ("new_axis_mask", "1 where an axis of length 1 is added"),
    ("shrink_axis_mask", "1 where index begin is taken and the axis dropped"),
    ("ellipsis_mask", "1, once, where all axes that no other position names are taken whole"),
)

#: The flags of each operator, by its own argument names.
FLAGS: dict[str, tuple[Flag, ...]] = {
    "strided_slice": (
        Flag("begin", read_list, "first bounds, as 0,-1", is_required=True),
        Flag("end", read_list, "bounds that are not reached", is_required=True),
        Flag("strides", read_list, "steps, not 0 (default: all 1)"),
        *(Flag(name, read_list, text) for name, text in _MASKS),
    ),
    "variadic_split": (
        Flag("axis", read_integer, "axis to split; negative ones count from the end", is_required=True),
        Flag("split_lengths", read_list, "lengths of the parts, of which one may be -1: the rest", is_required=True),
    ),
    "slice": (
        Flag("start", read_list, "first coordinates, not counted from the end", is_required=True),
        Flag("size", read_list, "numbers of outputs", is_required=True),
        Flag("stride", read_list, "coordinates from one output to the next; 0 repeats (default: all 1)"),
        Flag("axes", read_list, "axes that the lists are about (default: all)"),
        Flag(
            "mode",
            read_text,
            "what is read outside: strict_bounds, wrap, clamp, fill, reflect, symmetric, or NumPy's name",
        ),
        Flag("fill_value", read_text, "for mode fill (default: 0); hex bytes for data of void dtype"),
    ),
    "range": (
        Flag("start", read_number, "first value", is_required=True),
        Flag("stop", read_number, "value that is not reached", is_required=True),
        Flag("step", read_number, "increment, not 0", is_required=True),
        Flag("output_type", read_text, "type of the values, as f32, bf16, i64 or float32", is_required=True),
    ),
}


def add_operator_flags(parser: argparse.ArgumentParser, op: str) -> None:
    """Add an operator's flags. None is required by argparse, so that the library's grammar says what is missing."""
    for flag in FLAGS[op]:
        text = flag.help + (" (required)" if flag.is_required else "")
        parser.add_argument(flag.option, metavar=flag.name.upper(), help=text)


def read_flags(op: str, args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments that were given for an operator, by name."""
    values: dict[str, Any] = {}
    for flag in FLAGS[op]:
        text = getattr(args, flag.name)
        if text is not None:
            values[flag.name] = flag.read(op, flag.name, text)
        elif flag.is_required:
            raise AttributeValueError(op, flag.name, f"be given as {flag.option}", None)
    if "fill_value" in values and as_mode("mode", values.get("mode", "strict_bounds")) is not SampleMode.FILL:
        raise AttributeValueError(op, "fill_value", "be given in mode fill only", values["fill_value"])
    return values


def read_path(op: str, attribute: str, text: str | None) -> str:
    """Return a path that has to be given."""
    if not text:
        raise AttributeValueError(op, attribute, "be given as -o OUT" if attribute == "output" else "be given", text)
    if "\0" in text:
        raise AttributeValueError(op, attribute, "be a path", text)
    return text
