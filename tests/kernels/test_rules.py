"""Rules: compiled code and Python lower attributes to the same results, for each operator that has a rule.

The attributes are those of the operator's rows (`tests.helpers.contract`), with other numbers, lengths and forms.
"""

from __future__ import annotations

import random
from collections import Counter
from math import prod
from typing import Any

import numpy as np

from fastops._errors import FastopsError
from fastops._execution._execute import create_call, execute, execute_checked
from fastops._lowering._windows import Lowering
from fastops.kernels._tables import _rules as r
from tests.helpers.contract import all_operators, tables_of
from tests.helpers.seeds import SEED, chooser, scale

# The most elements of a result.
MOST_ELEMENTS = 10**6


class Changes:
    """Draws values near given attributes of a rule; the constants of the rule are modes and their names."""

    def __init__(self, chosen: random.Random, constants: list[Any]) -> None:
        self.chosen, self.constants = chosen, constants

    def near(self, value: Any) -> Any:
        """Return a value like this one; an integer is at most 2 more or less, and rarely of another type or huge."""
        if type(value) is int and abs(value) < 10**9:
            value += self.chosen.choice((0,) * 8 + (1, -1, 2, -2))
            return self.chosen.choice((value,) * 60 + (np.int64(value), np.int32(value), -value, 2**40, -1, True))
        if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            value = value.tolist()
        if isinstance(value, list | tuple):
            items = [self.near(each) for each in value]
            length = self.chosen.choice((0,) * 40 + (1, -1))
            items = [*items, *items[:length]] if length >= 0 else items[:length]
            return self.form(items) if all(type(n) is int and abs(n) < 2**62 for n in items) else type(value)(items)
        if type(value) is slice:
            return slice(*map(self.near, (value.start, value.stop, value.step)))
        is_constant = value is not None and any(value is each for each in self.constants)
        return self.chosen.choice(self.constants) if is_constant else value

    def form(self, values: list[int]) -> Any:
        """A list in one of the forms that compiled code reads."""
        view = np.array([*values, *values], np.int64)[: len(values)][::-1][::-1]
        mixed = [self.chosen.choice((int, np.int64))(each) for each in values]
        return self.chosen.choice((values, tuple(values), mixed, np.array(values, np.int64), view))


def test_compiled_code_lowers_attributes_as_python_does() -> None:
    taken, right, seen = Counter[str](), Counter[str](), 0
    for function in all_operators():
        lowering: Any = getattr(function, "lowering", None)
        if type(lowering) is not Lowering or lowering.rule is None:
            continue
        seen += 1
        rows, _ = tables_of(function)
        names, parameters = lowering.names[: lowering.rule.words[r.ATTRIBUTES]], lowering.signature.parameters
        for k in range(scale(400, 20_000)):
            chosen = chooser(f"rule of {lowering.op}, {k}")
            changes, row = Changes(chosen, [*lowering.rule.constants]), chosen.choice(rows)
            shape = tuple([max(n + chosen.choice((0,) * 8 + (1, -1)), 0) for n in row.shape])
            given = [chosen.choice(rows) if chosen.random() < 0.05 else row for _ in names]
            values = [own.arguments.get(name, parameters[name].default) for name, own in zip(names, given, strict=True)]
            attributes = tuple(map(changes.near, values))
            data = np.arange(1, 1 + np.prod(shape, dtype=int), dtype=np.int16).reshape(shape)
            try:
                call = create_call(lowering.outputs(shape, lowering.read(attributes)))
                if sum(prod(each.shape) for each in call.outputs) > MOST_ELEMENTS:
                    continue
                # Rolls without axes read flattened data.
                expected = execute_checked(call, data) if call.outputs[0].source_shape == shape else None
            except FastopsError:
                expected = None
            found = execute(lowering.rule.words, data, None, None, attributes)
            told = (lowering.op, k, shape, attributes, SEED)
            if found is not None:
                assert expected is not None, told
                assert [each.shape for each in found] == [each.shape for each in expected], told
                assert all(map(np.array_equal, found, expected)), told
                taken[lowering.op] += 1
            right[lowering.op] += expected is not None
    assert seen > 40
    assert min(right.values()) > 20, right
    # Python lowers the others: crops by pads, text in any case, splits by a number, and lists that are too long.
    assert taken.total() > 0.6 * right.total()
    assert {op for op in right if taken[op] < 0.1 * right[op]} == set(), (taken, right)
