"""A call after many calls with other arguments, arrays and types does the same as a first call.

Compiled code reads the arguments of most calls; Python reads the rest, and keeps the words of recent ones. Tests tell
the two apart only by the number of functions that a call runs. The expected results are those of a plan made anew for
each call.
"""

from __future__ import annotations

import gc
import random
import tracemalloc
import weakref
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import pairwise, product
from operator import attrgetter
from typing import Any

import numpy as np

import fastops as fo
from fastops import numpy as fnp
from fastops._settings import CACHE_SIZE
from fastops.kernels._form import IS_CHECKED
from tests.helpers.chains import LAYOUTS, array_of, lay_out
from tests.helpers.contract import Array, has_torch, outcome, without_numpy
from tests.helpers.processes import count_functions
from tests.helpers.seeds import scale

# The most functions that a call runs if compiled code reads its arguments; if Python reads them, some tens run. In the
# checked form, each call of compiled code adds two.
FEW = 7 + 2 * IS_CHECKED

MODES = ("wrap", "clamp", "fill", "reflect", "symmetric")


def run_anew(plan: Any, data: Array, arguments: tuple[Any, ...], options: dict[str, Any], **fill: Any) -> Any:
    made = plan(data.shape, *arguments, **options)
    return [each(data) for each in made] if isinstance(made, list) else made(data, **fill)


# Calls whose arguments compiled code reads.
READ: list[Callable[..., Any]] = [
    lambda x, **how: fo.slice(x, np.array([1, -9], np.int32), (20, 16), axes=[0, 1], mode="reflect", **how),
    lambda x, **how: fo.strided_slice(x, [np.int64(1), 2], [20, 16], [1, 2], **how),
    lambda x, **how: fnp.pad(x, ((1, 2), [3, 4], (0, 0)), "edge", **how),
    lambda x, **how: fnp.roll(x, (3, -4), (0, 1), **how),
    lambda x, **how: fnp.take_slice(x, np.s_[1:9, 3, ::-1], **how),
    lambda x, **how: fo.variadic_split(x, 1, [9, -1], **how),
]


def test_compiled_code_reads_calls() -> None:
    for call, dtype in product(READ, ("u1", ">f8", "S3")):
        data = np.zeros((60, 50, 3), dtype)
        # The first call of an operator loads what runs it, so do not count that call's functions.
        result = call(data)
        outs = [None] if isinstance(result, list) else [None, np.zeros(result.shape[::-1], data.dtype).T]
        assert max(count_functions(partial(call, data, out=out))[1] for out in outs) <= FEW, READ.index(call)


class Text(str):
    __slots__ = ()


def test_words_of_modes_are_told_apart_by_their_text() -> None:
    data = np.arange(20.0).reshape(4, 5)
    words: list[Any] = [*[f"{mode}"[:k] for mode in (*MODES, "strict_bounds") for k in range(3, 14)]]
    words += [str(b"reflect", "ascii"), "r\u00e9flect", "re\u0142ect", "\U0001f600eflect", "reflect\0", "Reflect", ""]
    words += [Text("reflect"), Text("mirror"), b"reflect", None, 4, np.str_("reflect"), fo.SampleMode.REFLECT]
    named = 0
    for word in words:
        arguments = [-1, -1], [6, 7]
        expected = outcome(partial(run_anew, fo.plan.slice, data, arguments, {"mode": word}))
        for _ in range(2):
            assert outcome(partial(fo.slice, data, *arguments, mode=word)) == expected, word
        named += isinstance(expected, list)
    assert 6 < named < len(words) - 20


# Values of other types; most equal 1 or look like it.
TWINS = (True, 1.0, np.float32(1), np.bool_(True), np.int64(1), "1", None, [1], slice(1), Ellipsis)


# Integers near or beyond the largest that words hold.
HUGE = (2**61, -(2**61) - 1, 2**62, 2**63 - 1, -(2**63), 2**63, 2**64 + 1, -(10**30))


# Forms of lists of integers: some that compiled code reads, and some that only Python reads.
FORMS: list[Callable[[list[int]], Any]] = [
    tuple,
    np.array,
    lambda numbers: [*map(np.int64, numbers[:1]), *numbers[1:]],
    lambda numbers: np.array(numbers, np.int16),
    lambda numbers: np.array(numbers, np.dtype(np.int32).newbyteorder()),
    lambda numbers: np.array([[each, 7] for each in numbers], np.int32)[:, 0],
    lambda numbers: np.frombuffer(b"0" + np.array(numbers).tobytes(), np.int64, len(numbers), 1),
    lambda numbers: [np.array(each) for each in numbers],
]
if has_torch():
    FORMS += [import_module("torch").tensor, lambda numbers: list(import_module("torch").tensor(numbers))]


def draw_list(chosen: random.Random, low: int = -1, high: int = 3) -> Any:
    made: list[Any] = [chosen.randint(low, high) for _ in range(chosen.choice((2, 2, 2, 2, 2, 2, 1, 3)))]
    if chosen.random() < 0.1:
        made[0] = chosen.choice((*TWINS, *HUGE))
        return made
    return chosen.choice(FORMS)(made) if chosen.random() < 0.3 else made


def draw_index(chosen: random.Random) -> Any:
    numbers = (None, 0, 1, 2, -1, chosen.choice(TWINS) if chosen.random() < 0.1 else -2)
    slices = [slice(*[chosen.choice(numbers) for _ in range(chosen.randint(1, 3))]) for _ in range(3)]
    indices = [chosen.choice((*slices, None, Ellipsis, 0, 1, True)) for _ in range(chosen.randint(0, 2))]
    return (*indices, slices[0])


# Names of functions, options, and functions that draw the other arguments.
DRAWN: list[tuple[str, dict[str, Any], Callable[[random.Random], tuple[Any, ...]]]] = [
    ("slice", {}, lambda c: (draw_list(c, 0, 1), draw_list(c, 0, 2), c.choice((None, [1, -1], [0, 1])))),
    *[("slice", {"mode": mode}, lambda c: (draw_list(c), draw_list(c, 0), draw_list(c, -2))) for mode in MODES],
    ("strided_slice", {}, lambda c: (draw_list(c), draw_list(c), c.choice((None, None, [1, 2], draw_list(c))))),
    *[("strided_slice", {"end_mask": [1, bit]}, lambda c: (draw_list(c), draw_list(c))) for bit in (0, 1)],
    ("variadic_split", {}, lambda c: (c.choice((0, 1, -1, True)), draw_list(c))),
    *[("numpy.take_slice", {}, lambda c: (draw_index(c),))] * 3,
    ("numpy.pad", {"mode": "edge"}, lambda c: (c.choice((draw_list(c, 0), [draw_list(c, 0), draw_list(c, 0)], 2)),)),
    ("numpy.roll", {}, lambda c: (draw_list(c, -9, 9), draw_list(c, -2, 1))),
    ("numpy.transpose", {}, lambda c: (draw_list(c, 0, 1),)),
]


@without_numpy()
def test_any_call_after_any_others_is_as_a_first_one() -> None:
    """Draw few different numbers, so that many calls differ only in a type, or in the lengths of lists."""
    held: list[list[Any]] = [[], [], []]
    right, n = 0, scale(2500, 100_000)
    for k in range(n):
        chosen = random.Random(f"any call {k}")
        name, options, draw = chosen.choice(DRAWN)
        layout = chosen.choice(LAYOUTS) if k % 4 == 0 else "C"
        data = array_of(chosen.choice(((3, 4), (4, 3))), np.dtype(chosen.choice(("u1", ">f4"))), layout, seed=k)
        arguments = draw(chosen)
        if chosen.random() < 0.5:
            # Pass the list objects of earlier calls, with new numbers.
            for i, each in enumerate(arguments):
                held[i][:] = each if type(each) is list else []
            arguments = tuple([held[i] if type(each) is list else each for i, each in enumerate(arguments)])
        fill = {"fill_value": chosen.choice((0, 7, 300))} if options.get("mode") == "fill" and k % 2 else {}
        told = (k, name, data.shape, data.strides, data.dtype, arguments, options, fill)
        function, plan = attrgetter(name)(fo), attrgetter(name)(fo.plan)
        expected = outcome(partial(run_anew, plan, data, arguments, options, **fill))
        call = partial(function, data, *arguments, **options, **fill)
        # With copy=None, Python reads the arguments. A view that repeats one element may have any length.
        may_view = "pad" not in name and not any(str(huge) in str(arguments) for huge in HUGE)
        view = {"copy": None} if chosen.random() < 0.5 and may_view else {}
        first = outcome(partial(call, **view))
        assert outcome(partial(call, **view)) == first, told
        if not isinstance(expected, list):
            assert not isinstance(first, list), told
            continue
        right += 1
        assert first == expected, told
        out = [lay_out(np.zeros(shape, dtype), chosen.choice(LAYOUTS[:-1])) for dtype, shape, _ in expected]
        assert outcome(partial(call, out=out if "split" in name else out[0])) == expected, told
        if "split" in name:
            for wrong in (out[:-1], [*out, out[0]], [None, *out[1:]], [out[0][None], *out[1:]], [out[0], out[0]]):
                assert outcome(partial(call, out=wrong))[0] is fo.OutputError, (told, wrong)
    assert 0.4 * n < right < 0.9 * n


def new_arguments(data: Array, k: int) -> None:
    y, x = divmod(k, 190)
    fo.strided_slice(data, [y, x], [y + 8, x + 8])
    fo.slice(data, [y - 50, x - 50], [8, 8], mode="reflect")


def new_arguments_for_python(data: Array, k: int) -> None:
    y, x = divmod(k, 190)
    fo.slice(data, np.array([y, x], np.int16), [7, 8])


def new_kind(data: Array, k: int) -> None:
    for _ in range(3):
        fo.slice(data.view(np.dtype([(f"kind {k}", "f4")])), [0, 0], [1, 1])


# Functions of an array of 200 x 200 and a number, the calls of a round, and the most bytes that a round may add.
KEEPING: list[tuple[Callable[[Array, int], Any], int, int]] = [
    (new_arguments, 300, 16 * 300),
    (new_arguments_for_python, CACHE_SIZE * 2 // 5, 60 * CACHE_SIZE),
    (lambda a, k: fo.slice(a, list(divmod(k, 190)), [8, 8], copy=False), CACHE_SIZE * 2 // 5, 60 * CACHE_SIZE),
    (new_kind, 50, 3000),
    # Splits into many parts are not kept at all: each would be 50 KB.
    (lambda a, k: fo.variadic_split(a[0], 0, [k, -1, *[1] * 90]), 8, 3000),
]


def test_what_is_kept_does_not_grow() -> None:
    data, grown = np.zeros((200, 200), np.float32), []
    # Trace memory before the first call, so that all that calls keep is counted.
    tracemalloc.start()
    try:
        for call, n, _ in KEEPING:
            sizes = []
            for k in range(7 * n):
                call(data, k)
                if k % n == n - 1:
                    gc.collect()
                    sizes.append(tracemalloc.get_traced_memory()[0])
            # The least growth counts: a cache that is emptied at once also shrinks, while memory kept for good grows
            # each time.
            grown.append(min([after - before for before, after in pairwise(sizes[2:])]))
    finally:
        tracemalloc.stop()
    assert all(size < most for size, (_, _, most) in zip(grown, KEEPING, strict=True)), grown


def test_nothing_of_a_call_is_kept_alive() -> None:
    data, out, start = np.zeros((7, 9)), np.zeros((3, 3)), np.array([1, 2])
    plan = fo.plan.slice((7, 9), [0, 0], [3, 3])
    for _ in range(4):
        fo.slice(data, start, [3, 3], mode="wrap", out=out)
        fo.variadic_split(data, 0, [3, -1])
        fnp.pad(data, 2, constant_values=data[0, 0])
        plan(data, out=out)
        fo.lazy(data).flip().pad(1).run()
    gone = [weakref.ref(each) for each in (data, out, start)]
    del data, out, start
    gc.collect()
    assert [each() for each in gone] == [None] * 3
