"""Rules: what compiled code makes of attributes is what Python makes of them, for each operator that has a rule."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import fastops as fo
from fastops._errors import FastopsError
from fastops._execution._execute import create_call, execute, execute_checked
from fastops._lowering._windows import Lowering
from fastops.kernels._tables import _rules as r
from tests.helpers.seeds import SEED, chooser, scale

OPS = Path(fo.__file__).parent / "ops"


def lowerings() -> Iterator[Lowering]:
    """All lowerings of operators that have a rule."""
    for path in sorted(OPS.rglob("_*.py")):
        if path.stem != "__init__":
            module = import_module(".".join(("fastops.ops", *path.relative_to(OPS).with_suffix("").parts)))
            for each in vars(module).values():
                lowering = getattr(each, "lowering", None)
                if type(lowering) is Lowering and lowering.rule is not None and each.__module__ == module.__name__:
                    yield lowering


class Drawn:
    """What attributes are drawn from: the shape of data, and a number of values that lists have in common."""

    def __init__(self, chosen: random.Random, lowering: Lowering, shape: tuple[int, ...]) -> None:
        assert lowering.rule is not None
        self.words = lowering.rule.words.tolist()
        self.chosen, self.shape = chosen, shape
        self.rank = len(shape)
        self.n = self.rank if chosen.random() < 0.7 else chosen.randint(0, self.rank + 1)
        first = r.HEADER_COLUMNS + self.words[r.ATTRIBUTES]
        addresses = self.words[first::2]
        self.constants = [each for each in lowering.rule.constants if id(each) in addresses]

    def integers(self, low: int, high: int, n: int | None = None) -> Any:
        """Integers in one of the forms that callers write, mostly as many as the other lists."""
        n = self.n if n is None else n
        n += self.chosen.choice((0,) * 30 + (1, -1))
        values = [self.chosen.randint(low, high) for _ in range(max(n, 0))]
        return self.form(values)

    def form(self, values: list[int]) -> Any:
        """A list in one of the forms that compiled code reads."""
        view = np.array([*values, *values], np.int32)[: len(values)][::-1][::-1]
        return self.chosen.choice((values, tuple(values), [*map(np.int64, values)], np.array(values, np.int64), view))

    def number(self, low: int, high: int) -> Any:
        """An integer in one of these forms."""
        value = self.chosen.randint(low, high)
        return self.chosen.choice((value, np.int64(value), np.int32(value)))

    def one_or_more(self, low: int, high: int, share: float) -> Any:
        """An integer in a share of the draws, otherwise integers."""
        return self.number(low, high) if self.chosen.random() < share else self.integers(low, high)

    def axes(self, n: int | None = None) -> Any:
        """Axes, mostly each once."""
        axes = self.chosen.sample(range(self.rank), min(self.n if n is None else n, self.rank))
        axes = [axis - self.chosen.choice((0, self.rank)) for axis in axes]
        return self.form(axes + [0] * (self.chosen.random() < 0.03))

    def bits(self) -> Any:
        """A mask, as the dialect writes it."""
        if self.chosen.random() < 0.5:
            return 0 if self.words[r.SECOND_OPTION] == r.BIT_FIELDS else ()
        if self.words[r.SECOND_OPTION] == r.BIT_FIELDS:
            return self.number(0, 7) if self.chosen.random() < 0.9 else self.chosen.choice((-1, 2**31, 2**40, [1]))
        return self.integers(0, 1) if self.chosen.random() < 0.9 else self.chosen.choice(([2], [-1, 0], 1, [[1]]))

    def places(self) -> Any:
        """A basic index."""
        numbers = (None, 0, 1, 2, -1, -2, 5)
        parts: list[Any] = [slice(*[self.chosen.choice(numbers) for _ in range(3)]) for _ in range(self.rank)]
        parts = [part if self.chosen.random() < 0.7 else self.chosen.randint(-3, 2) for part in parts]
        parts = parts[: self.chosen.randint(0, self.rank)]
        for extra in (None, Ellipsis):
            if self.chosen.random() < 0.3:
                parts.insert(self.chosen.randint(0, len(parts)), extra)
        return parts[0] if len(parts) == 1 else tuple(parts)

    def pads(self) -> Any:
        """Pads, as the dialect writes them."""
        option = self.words[r.OPTION]
        if option == r.BY_SIDES:
            return self.integers(0, 3, self.rank)
        if option in (r.BY_HALVES, r.FROM_THE_LAST):
            return self.integers(self.chosen.choice((0, 0, 0, -1)), 3, 2 * self.n)
        pairs = [self.chosen.choice((list, tuple))(self.number(0, 3) for _ in "ab") for _ in range(self.rank)]
        if option == r.BY_PAIRS:
            return pairs
        return self.chosen.choice((pairs, self.integers(0, 3, 2), self.number(0, 3), np.ones((self.rank, 2), np.int64)))

    def argument(self, family: int, parameter: int) -> Any:
        """A value for a parameter of a family, and rarely none."""
        if self.chosen.random() < 0.02:
            return None
        parameter %= r.OPTIONAL
        if family == r.WINDOWS and self.words[r.OPTION] == r.ONE_AXIS:
            return self.number(-1, 1) if parameter == r.AXES else self.number(-3, 4)
        is_framed = self.words[r.OPTION] == r.AS_FRAMES
        draws: dict[tuple[int, int], Callable[[], Any]] = {
            (r.WINDOWS, r.START): lambda: self.integers(-3, 4),
            (r.WINDOWS, r.SIZE): lambda: self.integers(self.chosen.choice((0, 1, -1)), 4),
            **dict.fromkeys(((r.SLICES, r.BEGIN), (r.SLICES, r.END)), lambda: self.integers(-6, 6)),
            (r.INDEX, r.BEGIN): self.places,
            **dict.fromkeys(((r.PADS, r.BEFORE), (r.PADS, r.AFTER)), self.pads),
            (r.ROLL, r.SHIFT): lambda: self.one_or_more(-9, 9, 0.5),
            (r.FLIP, r.AXES): lambda: self.chosen.choice((self.axes(), self.axes(), self.number(-1, 0), None)),
            (r.TILE, r.REPEATS): lambda: self.one_or_more(self.chosen.choice((0, 0, -1)), 3, 0.3),
            (r.SPLIT, r.LENGTHS): self.lengths,
            (r.SPLIT, r.AXIS): lambda: self.number(-1, 1),
            (r.SPLIT, r.NUMBER): lambda: None,
            (r.TRANSPOSE, r.ORDER): lambda: self.chosen.choice((self.axes(self.rank), None)),
            **dict.fromkeys(((r.SWAP, r.FIRST), (r.SWAP, r.SECOND)), lambda: self.number(-2, 2)),
            (r.ROTATE, r.TURNS): lambda: self.number(-9, 9),
            (r.ROTATE, r.AXES): lambda: self.axes(2),
            **dict.fromkeys(
                ((r.ROLL, r.AXES), (r.MOVE, r.SOURCE), (r.MOVE, r.DESTINATION)),
                lambda: self.chosen.choice((self.axes(), self.number(-1, 0))),
            ),
            (r.REPEAT, r.REPEATS): lambda: self.number(self.chosen.choice((0, 0, 0, -1)), 3),
            (r.REPEAT, r.AXIS): lambda: self.chosen.choice((self.number(-2, 1), None)),
            (r.BROADCAST, r.SHAPE): self.wider_shape,
            (r.SLIDE, r.SIZE): lambda: self.one_or_more(0, 3, 1 if is_framed else 0.2),
            (r.SLIDE, r.STRIDE): lambda: self.one_or_more(is_framed ^ 1, 4, 1 if is_framed else 0.5),
        }
        if (family, parameter) in draws:
            return draws[family, parameter]()
        if family == r.SLIDE and (is_framed or self.chosen.random() < 0.1):
            return self.number(-2, 1)
        if parameter == r.STRIDE:
            return self.integers(-2, 2) if self.chosen.random() < 0.7 else self.form([1] * self.n)
        if parameter == r.AXES:
            return self.axes() if self.chosen.random() < 0.6 else None
        if parameter == r.MODE:
            return self.chosen.choice(self.constants)
        return self.bits()

    def wider_shape(self) -> Any:
        """A shape that data may be broadcast to."""
        lengths = [self.chosen.randint(0, 3) if extent == 1 else extent for extent in self.shape]
        lengths = [2] * self.chosen.choice((0, 0, 1, 2)) + lengths
        if lengths and self.chosen.random() < 0.1:
            lengths[0] = self.chosen.randint(-1, 2)
        return lengths[0] if len(lengths) == 1 and self.chosen.random() < 0.5 else self.form(lengths)

    def lengths(self) -> Any:
        """What splits an axis."""
        extent, parts = max(self.shape, default=0), self.chosen.randint(1, 4)
        if self.chosen.random() < 0.4:
            return self.number(0, 4)
        if self.words[r.OPTION] == r.ARE_INDICES:
            return self.integers(-4, 6, parts)
        cuts = sorted([self.chosen.randint(0, extent) for _ in range(parts)])
        lengths = [end - begin for begin, end in zip([0, *cuts], [*cuts, extent], strict=True)]
        if self.chosen.random() < 0.3:
            lengths[self.chosen.randrange(len(lengths))] = -1
        return self.form(lengths)


def test_compiled_code_lowers_attributes_as_python_does() -> None:
    taken, right, seen = Counter[str](), Counter[str](), 0
    for lowering in lowerings():
        seen += 1
        for k in range(scale(400, 20_000)):
            chosen = chooser(f"rule of {lowering.op}, {k}")
            lengths = (1, 2, 3, 4, 4, 0 if chosen.random() < 0.1 else 5)
            shape = tuple(chosen.choices(lengths, k=chosen.choice((1, 2, 3, 2, 3, 0, 4))))
            drawn = Drawn(chosen, lowering, shape)
            parameters = drawn.words[r.HEADER_COLUMNS :][: drawn.words[r.ATTRIBUTES]]
            attributes = tuple([drawn.argument(drawn.words[r.FAMILY], parameter) for parameter in parameters])
            data = np.arange(1, 1 + np.prod(shape, dtype=int), dtype=np.int16).reshape(shape)
            assert lowering.rule is not None
            found = execute(lowering.rule.words, data, None, None, attributes)
            try:
                call = create_call(lowering.outputs(shape, lowering.read(attributes)))
                # Rolls without axes are of flattened data.
                expected = execute_checked(call, data) if call.outputs[0].source_shape == shape else None
            except FastopsError:
                expected = None
            told = (lowering.op, k, shape, attributes, SEED)
            if found is not None:
                assert expected is not None, told
                assert [each.shape for each in found] == [each.shape for each in expected], told
                assert all(map(np.array_equal, found, expected)), told
                taken[lowering.op] += 1
            right[lowering.op] += expected is not None
    assert seen > 40
    assert min(right.values()) > 20, right
    # The others are lowered by Python: crops by pads, text in any case, and what no list has room for.
    assert {op for op in right if taken[op] < 0.6 * right[op]} == set(), (taken, right)
