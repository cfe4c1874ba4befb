"""Traced calls: arguments that were never seen give what plans give, by compiled code, and nothing is kept for them."""

from __future__ import annotations

import itertools
import math
import random
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops import numpy as fnp
from fastops import onnx, openvino, tensorflow, tensorrt
from fastops._execution import _traced_calls
from fastops._execution._attributes import Attributes
from fastops._execution._traced_calls import TracedCalls
from fastops._operators import _gather_runner
from fastops._operators._gather_runner import GatherRunner
from fastops._operators._operator import Operator
from fastops._runtime._kernels import kernels_are_checked
from fastops.kernels._tables import _trace as t
from fastops.ops import _slice, _strided_slice
from tests.helpers.strategies import LAYOUTS, array_of
from tests.helpers.torture import scale

Array = np.ndarray[Any, Any]

IMAGE = np.random.default_rng(0).integers(0, 255, (60, 50, 3), np.uint8)
VOLUME = np.random.default_rng(1).random((5, 40, 30), np.float32)


def crop(y: int, x: int) -> tuple[Array, Array]:
    return fo.slice(IMAGE, [y, x, 0], [20, 16, 3]), IMAGE[y : y + 20, x : x + 16]


def mirrored(y: int, x: int) -> tuple[Array, Array]:
    return fo.slice(IMAGE, [y, x + 15, 0], [20, 16, 3], [1, -1, 1]), IMAGE[y : y + 20, x : x + 16][:, ::-1]


def to_chw(y: int, x: int) -> tuple[Array, Array]:
    out = np.zeros((3, 20, 16), np.uint8)
    fo.slice(IMAGE, [y, x, 0], [20, 16, 3], out=out.transpose(1, 2, 0))
    return out, IMAGE[y : y + 20, x : x + 16].transpose(2, 0, 1)


def strided(y: int, x: int) -> tuple[Array, Array]:
    return fo.strided_slice(IMAGE, [y, x], [y + 20, x + 16], [1, 2]), IMAGE[y : y + 20, x : x + 16 : 2]


def rolled(y: int, x: int) -> tuple[Array, Array]:
    return fnp.roll(VOLUME, (y, -x), (1, 2)), np.roll(VOLUME, (y, -x), (1, 2))


def taken(y: int, x: int) -> tuple[Array, Array]:
    return fnp.take_slice(IMAGE, np.s_[y : y + 9, x, ::-1]), IMAGE[y : y + 9, x, ::-1]


def beyond(mode: str) -> Callable[[int, int], tuple[Array, Array]]:
    # A pad of the whole, of which each window is a part.
    size = 30
    words = {"clamp": "edge", "fill": "constant"}
    padded = np.pad(IMAGE, ((size, size), (size, size), (0, 0)), words.get(mode, mode))

    def window(y: int, x: int) -> tuple[Array, Array]:
        y, x = 2 * y - 20, 2 * x - 20
        part = padded[y + size : y + size + 20, x + size : x + size + 16]
        return fo.slice(IMAGE, [y, x, 0], [20, 16, 3], mode=mode), part

    return window


def padded(form: Callable[[int, int], Any]) -> Callable[[int, int], tuple[Array, Array]]:
    def pad(y: int, x: int) -> tuple[Array, Array]:
        widths = form(y, x)
        return fnp.pad(IMAGE, widths, "reflect"), np.pad(IMAGE, widths, "reflect")

    return pad


CALLS = {
    "crop": crop,
    "mirrored": mirrored,
    "to CHW": to_chw,
    "strided_slice": strided,
    "roll": rolled,
    "take_slice": taken,
    **{mode: beyond(mode) for mode in ("wrap", "clamp", "fill", "reflect", "symmetric")},
    "onnx": lambda y, x: (onnx.slice(IMAGE, [y, x], [y + 9, x + 8]), IMAGE[y : y + 9, x : x + 8]),
    "openvino": lambda y, x: (openvino.slice(IMAGE, [y, x], [y + 9, x + 8], [1, 1]), IMAGE[y : y + 9, x : x + 8]),
    "tensorflow": lambda y, x: (tensorflow.slice(IMAGE, [y, x, 0], [9, 8, -1]), IMAGE[y : y + 9, x : x + 8]),
    "tensorrt": lambda y, x: (
        tensorrt.slice(IMAGE, [y, x, 0], [9, 8, 3], [1, 1, 1], mode="strict_bounds"),
        IMAGE[y : y + 9, x : x + 8],
    ),
    "pad of another shape": lambda y, x: (
        fo.slice(IMAGE[y:, x:], [-4, -5, 0], [60 - y + 8, 50 - x + 10, 3], mode="reflect"),
        np.pad(IMAGE[y:, x:], ((4, 4), (5, 5), (0, 0)), "reflect"),
    ),
    **{
        f"numpy.pad, {name}": padded(form)
        for name, form in {
            "pairs": lambda y, x: ((y, x), (x + 1, 2 * y), (0, 0)),
            "lists": lambda y, x: [[y, x], [0, 0], [x, 0]],
            "one pair": lambda y, x: (y % 7, x % 5),
            "one number": lambda y, x: (y + x) % 9,
        }.items()
    },
    "NumPy's integers": lambda y, x: (
        fo.slice(IMAGE, np.array([y, x, 0]), [np.int64(20), np.int32(16), 3]),
        IMAGE[y : y + 20, x : x + 16],
    ),
}


def places(n: int) -> Iterator[tuple[int, int]]:
    chosen = random.Random(0)
    return iter([(chosen.randrange(40), chosen.randrange(34)) for _ in range(n)])


@pytest.mark.parametrize("name", CALLS)
def test_calls_with_new_arguments_are_right_and_made_by_compiled_code(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = CALLS[name]
    for y, x in places(200):
        result, expected = call(y, x)
        np.testing.assert_array_equal(result, expected)

    def refuse(*args: Any) -> None:
        raise AssertionError("a call was prepared in Python")

    monkeypatch.setattr(GatherRunner, "_create", refuse)
    monkeypatch.setattr(_traced_calls, "create_record", refuse)
    for y, x in itertools.islice(places(300), 200, None):
        result, expected = call(y, x)
        np.testing.assert_array_equal(result, expected)


def _tensors_of(numbers: list[int]) -> Any:
    return pytest.importorskip("torch").tensor(numbers)


# What holds two integers: as ints, and as random generators, arrays and tensors give them.
FORMS: dict[str, Callable[[list[int]], Any]] = {
    "ints": list,
    "tuple": tuple,
    "NumPy's integers": lambda numbers: [np.int64(numbers[0]), np.uint8(numbers[1])],
    "array": np.array,
    "array of int32": lambda numbers: np.array(numbers, np.int32),
    "array in the other byte order": lambda numbers: np.array(numbers, np.dtype(np.int64).newbyteorder()),
    "arrays of rank 0": lambda numbers: [np.array(each) for each in numbers],
    "tensor": _tensors_of,
    "tensors of rank 0": lambda numbers: list(_tensors_of(numbers)),
}


@pytest.mark.parametrize("form", FORMS)
def test_integers_of_any_form_are_read_before_anything_is_looked_up(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    as_form = FORMS[form]

    def calls() -> Iterator[tuple[Any, Any]]:
        for y, x in itertools.islice(drawn, 50):
            yield fo.slice(IMAGE, as_form([y, x]), [20, 16], axes=[0, 1]), IMAGE[y : y + 20, x : x + 16]
            yield fo.strided_slice(IMAGE, as_form([y, x]), [60, 50]), IMAGE[y:60, x:50]
            yield fo.numpy.roll(IMAGE, as_form([y, x]), (0, 1)), np.roll(IMAGE, (y, x), (0, 1))

    drawn = places(150)
    for result, expected in calls():
        np.testing.assert_array_equal(result, expected)

    def refuse(*args: Any) -> None:
        raise AssertionError("a call was looked up")

    monkeypatch.setattr(_gather_runner, "key_of", refuse)
    for result, expected in calls():
        np.testing.assert_array_equal(result, expected)


def test_random_calls_of_transposed_images() -> None:
    # Their interiors are transposes and shuffles, with edges beside them, which traces of several operators have.
    chosen = random.Random(6)
    for _ in range(scale(150, 10_000)):
        dtype = np.dtype(chosen.choice(("u1", "u2", "f4", "f8")))
        shape = (chosen.randint(20, 160), chosen.randint(20, 160), chosen.choice((1, 2, 3, 4)))
        x = np.frombuffer(chosen.randbytes(math.prod(shape) * dtype.itemsize), dtype).reshape(shape)
        x = x.transpose(chosen.choice([(0, 1, 2), (2, 0, 1), (1, 0, 2), (2, 1, 0)]))
        x = x[tuple([slice(None, None, chosen.choice((1, 1, -1))) for _ in range(3)])]
        numbers = [chosen.randint(0, 25 if n > 4 else 1) for n in (*x.shape, *x.shape)]
        before, behind = numbers[:3], numbers[3:]
        widths = list(zip(before, behind, strict=True))
        mode = chosen.choice(["reflect", "edge", "constant", "wrap", "symmetric"])
        expected = np.pad(x, widths, mode)  # type: ignore[call-overload]
        call: Callable[..., Array] = partial(fnp.pad, x, widths, mode)
        kind = chosen.randint(0, 3)
        if kind == 0:
            expected, call = np.roll(x, numbers[:3], (0, 1, 2)), partial(fnp.roll, x, numbers[:3], (0, 1, 2))
        elif kind == 1:
            stride = [chosen.choice((1, -1)) for _ in range(3)]
            ends = [n + k - 1 for n, k in zip(x.shape, behind, strict=True)]
            start = [-n if s > 0 else end for n, end, s in zip(before, ends, stride, strict=True)]
            expected = expected[tuple([slice(None, None, s) for s in stride])]
            name = {"edge": "clamp", "constant": "fill"}.get(mode, mode)
            call = partial(fo.slice, x, start, expected.shape, stride, mode=name)
        told = (kind, x.shape, x.strides, dtype, numbers, mode)
        assert call().tobytes() == expected.tobytes(), told
        out = np.empty(expected.shape[::-1], dtype).T
        assert call(out=out).tobytes() == expected.tobytes(), told


@settings(max_examples=scale(150, 3000), deadline=None)
@given(st.data(), st.sampled_from(["u1", ">f4", "V3", "c16"]), st.sampled_from(LAYOUTS))
def test_random_windows_of_one_rank_agree_with_their_plans(data: st.DataObject, dtype: str, layout: str) -> None:
    rank = data.draw(st.integers(0, 3))
    mode = data.draw(st.sampled_from(["wrap", "clamp", "fill", "reflect", "symmetric"]))
    for _ in range(5):
        shape = tuple(data.draw(st.lists(st.integers(1, 7), min_size=rank, max_size=rank)))
        start = data.draw(st.lists(st.integers(-9, 9), min_size=rank, max_size=rank))
        size = data.draw(st.lists(st.integers(0, 12), min_size=rank, max_size=rank))
        stride = data.draw(st.lists(st.integers(-3, 3), min_size=rank, max_size=rank))
        source = array_of(shape, np.dtype(dtype), layout)
        expected = fo.plan.slice(shape, start, size, stride, mode=mode)(source)
        assert fo.slice(source, start, size, stride, mode=mode).tobytes() == expected.tobytes()
        out = np.zeros((*size[::-1],), dtype).T
        assert fo.slice(source, start, size, stride, mode=mode, out=out).tobytes() == expected.tobytes()
        begin, end = [s % 5 - 2 for s in start], [s - 4 for s in size]
        steps = [s or 1 for s in stride]
        cut = fo.plan.strided_slice(shape, begin, end, steps)(source)
        assert fo.strided_slice(source, begin, end, steps).tobytes() == cut.tobytes()


@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, 2**70, 2**62, -(2**62), [1], np.float64(1)])
def test_what_is_no_integer_of_a_known_call_is_checked_as_ever(wrong: Any) -> None:
    for y, x in places(4):
        crop(y, x)
    with pytest.raises(fo.FastopsError):
        fo.slice(IMAGE, [wrong, 0, 0], [20, 16, 3])


def test_a_call_out_of_bounds_is_refused_by_its_own_numbers() -> None:
    for y, x in places(4):
        crop(y, x)
    with pytest.raises(fo.OutOfBoundsError, match=r"^slice: start must be in 0\.\.59 in mode strict_bounds, got -1"):
        fo.slice(IMAGE, [-1, 0, 0], [20, 16, 3])


def test_outputs_of_another_shape_or_over_the_source_are_seen() -> None:
    def call(out: Array, y: int = 3) -> Array:
        return fo.slice(IMAGE, [y, 4, 0], [20, 16, 3], out=out)

    for y in range(4):
        call(np.zeros((20, 16, 3), np.uint8), y)
    for shape in ((20, 16, 2), (20, 16), (960,)):
        with pytest.raises(fo.OutputError):
            call(np.zeros(shape, np.uint8))
    frozen = np.zeros((20, 16, 3), np.uint8)
    frozen.flags.writeable = False
    with pytest.raises(fo.OutputError):
        call(frozen)
    data = IMAGE.copy()
    for y in (5, 6, 7, 8):
        expected = data[y : y + 20].copy()
        np.testing.assert_array_equal(fo.slice(data, [y, 0, 0], [20, 50, 3], out=data[:20]), expected)


@pytest.mark.parametrize("value", [7, 8])
def test_fill_values_are_those_of_the_call(value: int) -> None:
    for dtype in ("u1", "f4", ">i2"):
        data = np.ones(9, dtype)
        for start in range(-8, 0):
            result = fo.slice(data, [start], [9], mode="fill", fill_value=value)
            assert result.tolist() == [value] * -start + [1] * (9 + start)
    with pytest.raises(fo.FastopsError):
        fo.slice(np.ones(9, "u1"), [-1], [9], mode="fill", fill_value=value + 300)


def test_records_are_few_and_so_are_attempts_to_make_them(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = _traced_calls.create_record
    monkeypatch.setattr(_traced_calls, "create_record", lambda *a, **k: made.append(1) or real(*a, **k))
    monkeypatch.setattr(_traced_calls, "_MOST_RECORDS", 32)
    operator = Operator(_slice.lower_slice)
    # Each rank has records of its own; each axis that is named is one more condition.
    for rank in range(1, 40):
        for _ in range(3):
            data = np.arange(2.0 ** min(rank, 3)).reshape((2,) * min(rank, 3) + (1,) * (rank - min(rank, 3)))
            operator.run_gather(data, ([0] * rank, list(data.shape), None, None, "strict_bounds"))
    calls = operator.load()._traced
    assert len(calls._records) == calls._order[0] == _traced_calls._MOST_RECORDS
    assert {id(each.words) for each in calls._records.values()} == set(calls._order[1:].tolist())
    assert [int(each.words[t.ID]) for each in calls._records.values()] == list(calls._records)
    before = len(made)
    data = np.zeros((3,) * 4)
    for k in range(200):
        # A mode of its own each time, as far as compiled code can tell.
        operator.run_gather(data, ([0] * 4, [3] * 4, None, None, "".join(["str", "ict_bounds", " " * (k < 0)])))
    assert len(made) - before <= 2


def test_a_list_of_attributes_is_taken_apart() -> None:
    taken = Attributes(([1, (2, None)], slice(3, None, 4), "a", 5))
    assert taken.is_known
    assert taken.integers == [[1, 2], [3, 4], [], [5]]
    assert not Attributes((object(),)).is_known
    assert not Attributes(([[[[[[[[[1]]]]]]]]],)).is_known
    assert not Attributes(([1] * 300,)).is_known
    endless: list[Any] = []
    endless.append(endless)
    assert not Attributes((endless,)).is_known


def test_without_the_layout_of_objects_nothing_is_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_traced_calls, "_has_known_layout", lambda: False)
    calls = TracedCalls(_strided_slice._OPERATOR.lowering)
    data = np.arange(9.0)
    for _ in range(3):
        calls.learn(data, ([1], [3], None), None)
    assert calls.execute(data, ([1], [3], None), None, None) is None


@pytest.mark.parametrize(("shape", "strides"), [((4,), (8, 8)), ((2, 2), (8,))])
def test_an_array_that_changes_between_two_questions_is_not_traced(
    shape: tuple[int, ...], strides: tuple[int, ...]
) -> None:
    calls = TracedCalls(_strided_slice._OPERATOR.lowering)
    changing: Any = SimpleNamespace(shape=shape, strides=strides, dtype=np.dtype(float))
    changed = np.zeros((2, 2))[:, ::2]
    for _ in range(3):
        calls.learn(changing, ([1], [3], None), None)
        calls.learn(np.arange(9.0), ([1], [3], None), (changed,))
    assert not calls.has_records


@pytest.mark.skipif(kernels_are_checked(), reason="the checked form makes all tables apart")
def test_small_calls_are_one_entry_into_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    # Records that other tests have left may take some of these calls, so that none is made that takes all.
    monkeypatch.setattr(_slice, "_OPERATOR", Operator(_slice.lower_slice))
    calls = _slice._OPERATOR.load()._traced
    for y, x in places(4):
        crop(y, x)
    runs = []
    real = calls._run
    calls._run = lambda *arguments: runs.append(1) or real(*arguments)
    try:
        monkeypatch.setattr(_gather_runner, "key_of", None)
        crop(11, 13)
    finally:
        calls._run = real
    assert len(runs) == 1


@pytest.mark.parametrize("largest", [90, 500], ids=["small", "large"])
def test_threads_whose_results_have_other_shapes_do_not_disturb_each_other(largest: int) -> None:
    data = np.random.default_rng(2).integers(0, 255, (600, 600), np.uint8)
    failures: list[object] = []

    def work(seed: int) -> None:
        chosen = random.Random(seed)
        try:
            for _ in range(300):
                y, x = chosen.randrange(100), chosen.randrange(100)
                n, m = chosen.randrange(1, largest), chosen.randrange(1, largest)
                result = fo.slice(data, [y, x], [n, m])
                np.testing.assert_array_equal(result, data[y : y + n, x : x + m])
        except BaseException as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures


@pytest.mark.parametrize(("dtype", "planes"), [("u1", False), ("f4", False), ("f8", False), ("V12", True)])
@pytest.mark.parametrize("step", [1, -1])
def test_windows_beyond_large_images_need_few_records(
    dtype: str, planes: bool, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each comparison of a number of theirs divides them: cuts of interiors made 20 to 48 of what were 6 to 21.
    made: list[int] = []
    real = _traced_calls.create_record
    monkeypatch.setattr(_traced_calls, "create_record", lambda *a, **k: made.append(1) or real(*a, **k))
    chosen = random.Random(5)
    image = np.frombuffer(chosen.randbytes(90 * 80 * 3 * np.dtype(dtype).itemsize), dtype).reshape(90, 80, 3)
    if planes:
        image = np.ascontiguousarray(image.transpose(2, 0, 1)).transpose(1, 2, 0)
    operator = Operator(_slice.lower_slice)
    for _ in range(150):
        y, x = chosen.randint(-20, 30), chosen.randint(-20, 30)
        start = (y, x if step > 0 else x + 63, 0)
        operator.run_gather(image, (start, (70, 64, 3), (1, step, 1), None, "reflect"))
    assert 0 < len(made) < 20


def test_forms_of_arguments_in_turn_do_not_slow_each_other_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random crops have many records, and no form of them may stay without one because others came between."""
    monkeypatch.setattr(_slice, "_OPERATOR", Operator(_slice.lower_slice))
    rng = np.random.default_rng(0)
    image = rng.integers(0, 256, (40, 50, 3), np.uint8)
    padded = np.pad(image, ((9, 9), (9, 9), (0, 0)), "reflect")
    out = np.empty((3, 32, 32), np.uint8)
    forms: dict[str, Callable[[Any], Any]] = {
        "list": lambda pair: pair.tolist(),
        "tuple": lambda pair: tuple(pair.tolist()),
        "integers of NumPy": list,
        "array": lambda pair: pair,
    }

    def crop_all(calls: int) -> None:
        for form in forms.values():
            for _ in range(calls):
                pair = rng.integers(-9, (18, 28))
                fo.slice(image, form(pair), [32, 32], axes=[0, 1], mode="reflect", out=out.transpose(1, 2, 0))
                y, x = pair + 9
                np.testing.assert_array_equal(out, padded[y : y + 32, x : x + 32].transpose(2, 0, 1))

    crop_all(300)
    prepared = []
    create_call = _gather_runner.create_call

    def noting(*args: Any, **options: Any) -> Any:
        prepared.append(args)
        return create_call(*args, **options)

    monkeypatch.setattr(_gather_runner, "create_call", noting)
    crop_all(100)
    assert len(prepared) < 40
