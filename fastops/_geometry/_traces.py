"""Traces: what a pure function of integers does, as a list of operations and conditions that compiled code repeats.

The function is run once with integers that take note of what is done with them. Sums and products become operations;
each comparison becomes a condition: that it has the outcome that it has now. Where a function wants to see the number
itself, as an index or a key, that becomes a condition too. So the operations give what the function would give, for
all inputs that fulfil the conditions, and nothing is said about others.

Nothing that a function can ask of such an integer goes unnoticed: it is no `int`, so that whatever is asked has a
method here, and what has none is a TypeError.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from fastops.kernels._tables import _trace as t

T = TypeVar("T")


class Program(NamedTuple):
    """A trace that is done.

    Attributes
    ----------
    n_inputs : int
        How many integers it is given. They are its first values.
    constants : tuple of int
        The values behind those.
    rows : tuple of (int, int, int)
        What is done: an operation and the numbers of two values. Operations give the values behind the constants, each
        in turn; conditions give none.
    outputs : tuple of int
        The numbers of the values that it gives.
    """

    n_inputs: int
    constants: tuple[int, ...]
    rows: tuple[tuple[int, int, int], ...]
    outputs: tuple[int, ...]


class Trace:
    """A trace that is being made.

    Attributes
    ----------
    is_too_large : bool
        True if a value of it is larger than those that compiled code computes with.
    """

    def __init__(self) -> None:
        self.is_too_large = False
        self._n_inputs = 0
        self._constants: dict[int, int] = {}
        # By what they are, so that nothing is done twice; the number of what gives a value is that among all of these.
        self._rows: dict[tuple[int, int, int], int] = {}
        self._n_results = 0

    def new_input(self, value: int) -> TracedInteger:
        """Return an integer that is an input from now on; inputs come before all else."""
        self._n_inputs += 1
        return TracedInteger(self, value, self._n_inputs - 1)

    def operate(self, operation: int, value: int, one: Any, other: Any) -> TracedInteger:
        """Return the value of an operation on two integers, traced or not."""
        row = (operation, self.number_of(one), self.number_of(other))
        if row not in self._rows:
            self._rows[row] = self._n_results
            self._n_results += 1
            self.is_too_large = self.is_too_large or not -t.LARGEST <= value <= t.LARGEST
        return TracedInteger(self, value, -1 - self._rows[row])

    def require(self, condition: int, one: Any, other: Any) -> None:
        """Make it a condition that two integers, traced or not, compare as they do now."""
        self._rows.setdefault((condition, self.number_of(one), self.number_of(other)), 0)

    def number_of(self, integer: Any) -> int:
        """Return what stands for an integer until the trace is done: inputs, constants and results are counted apart.

        Results are negative, and constants begin beyond all inputs.
        """
        if type(integer) is TracedInteger:
            # One of another trace, from something that is kept, would stand for whatever has its number here.
            assert integer.trace is self
            return integer.number
        return _CONSTANTS + self._constants.setdefault(integer, len(self._constants))

    def program(self, outputs: Sequence[Any]) -> Program:
        """Return the trace, done: the outputs are integers, traced or not."""
        numbers = [self.number_of(each) for each in outputs]
        first = self._n_inputs + len(self._constants)

        def place(number: int) -> int:
            if number < 0:
                return first - 1 - number
            return number if number < _CONSTANTS else self._n_inputs + number - _CONSTANTS

        rows = tuple([(operation, place(one), place(other)) for operation, one, other in self._rows])
        return Program(self._n_inputs, tuple(self._constants), rows, tuple(map(place, numbers)))


_CONSTANTS = 1 << 32


def plain(integer: Any) -> Any:
    """Return the number that an integer is, traced or not."""
    return integer.value if type(integer) is TracedInteger else integer


def smaller(one: int, other: int) -> int:
    """Return the smaller one of two integers; where they are traced, which one that is is no condition, as with min."""
    if type(one) is int is type(other):
        return one if one < other else other
    chosen: int = _choose(t.SMALLER, min, one, other)
    return chosen


def larger(one: int, other: int) -> int:
    """Return the larger one of two integers; where they are traced, which one that is is no condition, as with max."""
    if type(one) is int is type(other):
        return one if one > other else other
    chosen: int = _choose(t.LARGER, max, one, other)
    return chosen


def _choose(operation: int, choose: Callable[[int, int], int], one: Any, other: Any) -> Any:
    for each in (one, other):
        if type(each) is TracedInteger:
            return each.trace.operate(operation, choose(plain(one), plain(other)), one, other)
    return choose(one, other)


def _operator(operation: int, compute: Callable[[int, int], int]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the methods of an operation for when the traced integer stands on the left, and on the right."""

    def left(self: TracedInteger, other: Any) -> Any:
        if type(other) is not int and type(other) is not TracedInteger:
            return NotImplemented
        return self.trace.operate(operation, compute(self.value, plain(other)), self, other)

    def right(self: TracedInteger, other: Any) -> Any:
        if type(other) is not int:
            return NotImplemented
        return self.trace.operate(operation, compute(other, self.value), other, self)

    return left, right


class TracedInteger:
    """An integer that takes note of what is done with it."""

    __slots__ = ("number", "trace", "value")

    # Functions of an integer or of a list of them ask which it is.
    __class__ = property(lambda _: int)

    def __init__(self, trace: Trace, value: int, number: int) -> None:
        self.trace = trace
        self.value = value
        self.number = number

    __add__, __radd__ = _operator(t.ADD, int.__add__)
    __sub__, __rsub__ = _operator(t.SUBTRACT, int.__sub__)
    __mul__, __rmul__ = _operator(t.MULTIPLY, int.__mul__)
    __floordiv__, __rfloordiv__ = _operator(t.DIVIDE, int.__floordiv__)
    __mod__, __rmod__ = _operator(t.REMAINDER, int.__mod__)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __neg__(self) -> Any:
        return 0 - self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __lt__(self, other: Any) -> bool:
        return self._compare(self.value < plain(other), t.IS_LESS, t.IS_AT_MOST, self, other)

    def __gt__(self, other: Any) -> bool:
        return self._compare(self.value > plain(other), t.IS_LESS, t.IS_AT_MOST, other, self)

    def __le__(self, other: Any) -> bool:
        return self._compare(self.value <= plain(other), t.IS_AT_MOST, t.IS_LESS, self, other)

    def __ge__(self, other: Any) -> bool:
        return self._compare(self.value >= plain(other), t.IS_AT_MOST, t.IS_LESS, other, self)

    def _compare(self, outcome: bool, holds: int, holds_not: int, one: Any, other: Any) -> bool:
        """Return the outcome of one < other or one <= other, which becomes a condition; if false, the reverse one."""
        if outcome:
            self.trace.require(holds, one, other)
        else:
            self.trace.require(holds_not, other, one)
        return outcome

    def __eq__(self, other: object) -> Any:
        if type(other) is not int and type(other) is not TracedInteger:
            return NotImplemented
        outcome = self.value == plain(other)
        self.trace.require(t.IS_EQUAL if outcome else t.DIFFERS, self, other)
        return outcome

    def __ne__(self, other: object) -> Any:
        outcome: Any = self.__eq__(other)
        return outcome if outcome is NotImplemented else not outcome

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __index__(self) -> int:
        self.trace.require(t.IS_EQUAL, self, self.value)
        return self.value

    __int__ = __index__

    def __hash__(self) -> int:
        return hash(self.__index__())

    def __repr__(self) -> str:
        return f"TracedInteger({self.__index__()})"
