"""The exceptions of fastops and the one grammar of their messages.

Every message reads ``{op}: {attribute} must {rule}, got {value}``, with ``(axis i, extent n)`` behind it where an
axis is meant. Names and values are the caller's own. Every error comes before the first byte is written.
"""

from __future__ import annotations

import reprlib
from typing import Any


class FastopsError(Exception):
    """Base of all errors that fastops raises.

    Attributes
    ----------
    op : str
        The operator, by the name of its public function.
    attribute : str
        The argument that breaks a rule, by the caller's spelling.
    rule : str
        The rule, as it follows "must" in the message.
    got : object
        The caller's value.
    axis, extent : int or None
        The axis of the source and its length, where the rule is about one.
    """

    __module__ = "fastops"

    def __init__(
        self, op: str, attribute: str, rule: str, got: object, axis: int | None = None, extent: int | None = None
    ) -> None:
        # All fields are positional arguments, so that exceptions survive pickling between processes.
        super().__init__(op, attribute, rule, got, axis, extent)
        self.op = op
        self.attribute = attribute
        self.rule = rule
        self.got = got
        self.axis = axis
        self.extent = extent

    def __str__(self) -> str:
        message = f"{self.op}: {self.attribute} must {self.rule}, got {shown(self.got)}"
        if self.axis is not None:
            message += f" (axis {self.axis}, extent {self.extent})"
        return message


class AttributeValueError(FastopsError, ValueError):
    """An attribute has a value, a length or a rank that the operator does not take."""

    __module__ = "fastops"


class OutOfBoundsError(FastopsError, IndexError):
    """A coordinate lies outside its axis where the operator does not allow it."""

    __module__ = "fastops"


class DTypeError(FastopsError, TypeError):
    """An argument has a type that the operator does not take."""

    __module__ = "fastops"


class OutputError(FastopsError, ValueError):
    """The output cannot be allocated, or ``out`` cannot take it."""

    __module__ = "fastops"


def shown(value: object) -> str:
    """Return a short representation of any value, for messages: it never raises."""
    return _Shown().repr(value)


class _Shown(reprlib.Repr):
    """Short representations: a value may be an array of millions or an integer of thousands of digits."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = 16
        self.maxlong = 80
        self.maxstring = 80
        self.maxother = 200

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to print integers beyond 4300 digits.
        return super().repr_int(x, level) if x.bit_length() < 1024 else f"an integer of {x.bit_length()} bits"

    def repr1(self, x: Any, level: int) -> str:
        shape, dtype = getattr(x, "shape", None), getattr(x, "dtype", None)
        if isinstance(shape, tuple) and shape and dtype is not None:
            return f"an array of shape {shape} and dtype {dtype}"
        return super().repr1(x, level)
