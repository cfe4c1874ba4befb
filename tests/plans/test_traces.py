"""Traces: what a function of integers does, done again by the list of its operations and conditions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastops._lowering._bounds import ClampRule, resolve_bounds
from fastops._plans._axis_map import canonical_axis
from fastops._plans._sample_mode import SampleMode
from fastops._plans._traces import Program, Trace, TracedInteger, larger, plain, smaller
from fastops.kernels._tables import _trace as t

OPERATIONS: dict[int, Callable[[int, int], int]] = {
    t.ADD: int.__add__,
    t.SUBTRACT: int.__sub__,
    t.MULTIPLY: int.__mul__,
    t.DIVIDE: int.__floordiv__,
    t.REMAINDER: int.__mod__,
    t.SMALLER: min,
    t.LARGER: max,
}
CONDITIONS: dict[int, Callable[[int, int], bool]] = {
    t.IS_LESS: int.__lt__,
    t.IS_AT_MOST: int.__le__,
    t.IS_EQUAL: int.__eq__,
    t.DIFFERS: int.__ne__,
}


def run(program: Program, inputs: Sequence[int]) -> list[int] | None:
    """What a program gives, by its rows one after the other; None where a condition does not hold."""
    values = [*inputs, *program.constants]
    for operation, one, other in program.rows:
        if operation in CONDITIONS:
            if not CONDITIONS[operation](values[one], values[other]):
                return None
        elif operation in (t.DIVIDE, t.REMAINDER) and values[other] == 0:
            return None
        else:
            values.append(OPERATIONS[operation](values[one], values[other]))
    return [values[i] for i in program.outputs]


def trace_of(function: Callable[..., Sequence[Any]], inputs: Sequence[int]) -> Program:
    trace = Trace()
    return trace.program(function(*map(trace.new_input, inputs)))


def lay(extent: int, begin: int, end: int, stride: int) -> Sequence[int]:
    return resolve_bounds(extent, begin, end, stride, ClampRule.OPENVINO)


def read(extent: int, start: int, stride: int, count: int) -> Sequence[int]:
    axis = canonical_axis(extent, start, stride, count, SampleMode.REFLECT)
    return axis.extent, axis.start, axis.stride, axis.count, axis.mode


def use_all(a: int, b: int, c: int, _: int) -> Sequence[int]:
    numbers = sorted([a, -b, abs(c), 7], reverse=True)
    quotient, rest = divmod(a, c) if c else (0, 0)
    quotient += divmod(100, b)[1] if b else 5
    chosen = max(a, b) if a in (b, 3) else min(a, b, c)
    return [*numbers, sum([a, b, c]), math.prod([a, b]), quotient, rest, chosen, [1, 2, 3][a % 3], 1 - a, 7 // (b or 2)]


extents, numbers, steps = st.integers(1, 9), st.integers(-12, 12), st.sampled_from([-3, -2, -1, 1, 2, 3])


@given(st.lists(st.tuples(extents, numbers, steps.map(abs), extents), min_size=2, max_size=6))
def test_a_map_that_fulfils_the_conditions_of_another_one_is_made_by_its_trace(calls: list[tuple[int, ...]]) -> None:
    program = trace_of(read, calls[0])
    assert run(program, calls[0]) == list(read(*calls[0]))
    for call in calls[1:]:
        assert run(program, call) in (None, list(read(*call)))


@pytest.mark.parametrize("function", [lay, use_all])
@given(st.lists(st.tuples(extents, numbers, numbers, steps), min_size=2, max_size=6))
def test_what_a_trace_gives_is_what_the_function_gives(
    function: Callable[..., Sequence[int]], calls: list[tuple[int, ...]]
) -> None:
    program = trace_of(function, calls[0])
    assert run(program, calls[0]) == list(function(*calls[0]))
    for call in calls[1:]:
        assert run(program, call) in (None, list(function(*call)))


def test_a_trace_holds_for_other_integers() -> None:
    program = trace_of(lay, (10, 2, 8, 1))
    assert run(program, (20, 5, 9, 1)) == [5, 1, 4]
    assert run(program, (20, -5, 9, 1)) is None


def test_the_smaller_and_the_larger_one_are_no_conditions() -> None:
    program = trace_of(lambda a, b: [smaller(a, b), larger(a, 4), smaller(3, b)], (3, 5))
    assert run(program, (9, 2)) == [2, 9, 2]
    assert (smaller(4, 2), larger(4, 2)) == (2, 4)


def test_nothing_is_done_twice() -> None:
    program = trace_of(lambda a, b: [a + b + (a + b), a + b], (3, 4))
    assert len(program.rows) == 2
    assert run(program, (5, 6)) == [22, 11]


@pytest.mark.parametrize(
    "look",
    [hash, bool, int, range, lambda i: [0] * 9 and (0,) * i, lambda i: {i: 1}[i], lambda i: "abcde"[i], repr, math.gcd],
)
def test_whoever_looks_at_the_number_makes_it_a_condition(look: Callable[[Any], object]) -> None:
    def function(a: Any) -> list[int]:
        look(a)
        return [a * 2]

    program = trace_of(function, (3,))
    assert run(program, (3,)) == [6]
    assert run(program, (0,)) is None


def test_an_integer_of_another_trace_is_none_of_this_one() -> None:
    other = Trace().new_input(3)
    with pytest.raises(AssertionError):
        Trace().program([other])
    with pytest.raises(AssertionError):
        _ = Trace().new_input(1) + other


def test_it_stands_for_an_integer_and_for_nothing_else() -> None:
    traced = Trace().new_input(3)
    assert isinstance(traced, int)
    assert type(traced) is TracedInteger
    assert plain(traced) == plain(3) == 3
    assert traced != "3"
    for wrong in (lambda: traced + "a", lambda: traced << 1, lambda: traced / 2, lambda: traced**2, lambda: traced & 1):
        with pytest.raises(TypeError):
            wrong()
