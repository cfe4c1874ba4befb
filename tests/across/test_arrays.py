"""Arrays of every dtype and layout, and arrays that change during a call: no call crashes.

Every dtype is moved bit for bit. During a call, a pin keeps NumPy from resizing the arrays that the call reads and
writes, and their bases.
"""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import getweakrefcount

import ml_dtypes
import numba
import numpy as np
import pytest

import fastops as fo
from fastops._arrays._outputs import pin
from tests.helpers.chains import array_of
from tests.helpers.contract import Array, without_numpy
from tests.helpers.hostile_values import FillHook, FinalizeRaises, FinalizeReshapes
from tests.helpers.processes import run_python
from tests.helpers.seeds import scale

ML_DTYPES = [
    np.dtype(each) for each in vars(ml_dtypes).values() if isinstance(each, type) and issubclass(each, np.generic)
]
CODES = ("?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e", "f", "d", "g", "F", "D", "G", "M8[ns]", "m8[us]")
CODES += ("S1", "S7", "U3", "V1", "V3", ">i2", ">f8", ">U2", "V0")
RECORDS = [
    np.dtype([("a", "u1"), ("b", "<f2")]),
    np.dtype([("a", "u1"), ("b", "<f8")], align=True),
    np.dtype([("rgb", "u1", 3)]),
    np.dtype([("x", [("y", ">i4"), ("z", "S3")])]),
]
ALL_DTYPES = [*map(np.dtype, CODES), *RECORDS, *ML_DTYPES]


def raw(array: Array) -> Array:
    """View elements as plain bytes, because NumPy does not copy the padding between fields."""
    return array.view(f"V{array.itemsize}") if array.itemsize else array


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_every_dtype_is_moved_bit_for_bit(dtype: np.dtype[Any]) -> None:
    data = array_of((5, 6), dtype, "C") if dtype.itemsize else np.ndarray((5, 6), dtype)
    wrapped = raw(data)[np.arange(-1, 6) % 5][:, np.arange(-2, 9) % 6]
    results = {
        "crop": (fo.strided_slice(data, [1, -1], [4, -9], [1, -2]), raw(data)[1:4, ::-2]),
        "part": (fo.variadic_split(data, 1, [1, -1, 2])[1], raw(data)[:, 1:4]),
        "wrapped": (fo.slice(data, [-1, -2], [7, 11], mode="wrap"), wrapped),
        "view": (fo.slice(data, [4, 0], [5, 6], [-1, 1], copy=False), raw(data)[::-1]),
        "windows": (fo.numpy.sliding_window_view(data[0], 5, copy=False), raw(data)[0, [[*range(5)], [*range(1, 6)]]]),
        "no elements": (fo.strided_slice(data, [0], [0], copy=None), raw(data)[:0]),
    }
    for name, (result, expected) in results.items():
        assert (result.dtype, result.shape) == (dtype, expected.shape), name
        assert raw(result).tobytes() == expected.tobytes(), name
    assert np.shares_memory(results["view"][0], data) == (dtype.itemsize > 0)
    if dtype != np.dtype(ml_dtypes.float8_e8m0fnu):
        filled = fo.slice(data, [-1, 0], [7, 6], mode="fill")
        assert filled[1:6].tobytes() == raw(data).tobytes()
        assert set(filled[0].tobytes() + filled[6].tobytes()) <= {0}


@pytest.mark.parametrize("dtype", [np.dtype(object), np.dtype([("a", object)]), np.dtypes.StringDType()], ids=str)
def test_references_are_refused(dtype: Any) -> None:
    data = np.zeros(3, dtype)
    for function, arguments in ((fo.strided_slice, ([0], [1])), (fo.variadic_split, (0, [3])), (fo.slice, ([0], [1]))):
        with pytest.raises(fo.DTypeError, match="data must not have elements of object or StringDType"):
            function(data, *arguments)  # type: ignore[operator]


def test_subclasses_and_masks_are_dropped() -> None:
    class Subclass(np.ndarray[Any, Any]):
        def __array_finalize__(self, obj: object) -> None:
            assert obj is None or isinstance(obj, np.ndarray)

    masked = np.ma.masked_array([1, 2, 3], [0, 1, 0])
    for data in (masked, np.arange(3).view(Subclass), [[1, 2, 3]], (1, 2, 3), range(3), memoryview(b"abc")):
        result = fo.strided_slice(data, [0], [9])
        assert type(result) is np.ndarray
        np.testing.assert_array_equal(result, np.asarray(data))


def test_errors_show_data_that_is_no_array() -> None:
    for data, got in (([[1], [1, 2]], ""), (None, ", got None")):
        for call in (lambda data: fo.slice(data, [0], [1]), fo.numpy.flip):
            with without_numpy(), pytest.raises(fo.DTypeError, match=f"must be an array, or nested lists .*shape{got}"):
                call(data)


# NumPy 2.5 deprecates assignments to the shape and the dtype, which callers may still make.
pytestmark = pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")

# For so many seconds, another thread changes the arrays of each call.
SECONDS = scale(0.1, 15)


def test_no_call_crashes_while_another_thread_changes_its_arrays() -> None:
    done = run_python("-m", "tests.helpers.hammer", SECONDS, seconds=60 + 60 * SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


# Kernels move arrays of these lengths with the GIL held, without it, and by several threads.
@pytest.mark.parametrize("n", [20, 1 << 14, 1 << 18])
def test_arrays_that_change_while_a_fill_value_is_read(n: int) -> None:
    plan = fo.plan.slice((n,), [0], [n + 2], mode="fill")
    calls: list[Callable[..., Any]] = [plan, partial(fo.slice, start=[0], size=[n + 2], mode="fill")]
    changes: list[Callable[[Array], Any]] = [
        lambda array: array.resize(1, refcheck=False),
        lambda array: setattr(array, "shape", (2, -1)),
        lambda array: setattr(array, "dtype", "u8"),
    ]
    expected = [*range(n), 7.0, 7.0]
    for call, change, _ in itertools.product(calls, changes, range(3)):
        data, out = np.arange(float(n)), np.zeros(n + 2)
        assert call(data, fill_value=7, out=out).tolist() == expected

        def changed(array: Array, change: Callable[[Array], Any] = change) -> None:
            # NumPy refuses to resize an array that is pinned already.
            with suppress(ValueError):
                change(array)

        try:
            result = call(data, fill_value=FillHook(partial(changed, out)), out=out).tolist()
        except fo.OutputError as error:
            result = None
            assert re.search("out must have (shape|dtype)", str(error))  # noqa: PT017
        assert result == (expected if out.shape == (n + 2,) and out.dtype == np.float64 else None)
        # The call reads a view that it made before the change.
        assert call(data, fill_value=FillHook(partial(changed, data))).tolist() == expected


def test_views_and_indices_of_many_kinds() -> None:
    numbers = np.arange(24, dtype="i2")

    class Lying(np.ndarray):
        @property
        def __array_interface__(self) -> Any:
            raise ZeroDivisionError

    ring = np.lib.stride_tricks.as_strided(numbers, (24,), (2,))
    ring.base.base = ring.base
    lost = np.lib.stride_tricks.as_strided(numbers, (24,), (2,))
    del lost.base.base
    iterator = np.nditer([numbers.copy()], [], [["readwrite", "updateifcopy"]], op_dtypes=["f8"], casting="unsafe")
    with iterator:
        arrays = [numbers[::-1], numbers.reshape(4, 6).T[1:], numbers.view(Lying)[2:], np.asarray(numbers.view(Lying))]
        arrays += [np.broadcast_to(numbers, (3, 24)), np.lib.stride_tricks.sliding_window_view(numbers, 3)]
        arrays += [numbers.view("u1")[1:-1].view("i2"), numbers.view([("a", "i1"), ("b", "i1")])["b"]]
        arrays += [numbers.astype("c8").imag, np.frombuffer(bytes(48), "i2"), numbers[5:5], ring, lost]
        for data in (*arrays, iterator.operands[0][1:]):
            start, size = np.zeros(data.ndim, "u1"), np.array(data.shape, "i4")
            np.testing.assert_array_equal(fo.slice(data, start, size), data)
            np.testing.assert_array_equal(fo.strided_slice(data, start, size), data)


def test_subclasses_with_hooks() -> None:
    data = np.arange(20.0).reshape(4, 5)
    # Views of `odd` have one dimension.
    odd, out = data.view(FinalizeReshapes), np.zeros((4, 5)).view(FinalizeReshapes)
    assert fo.slice(odd, [0], [20]).tolist() == fo.slice(odd, [0], [20], out=out).tolist() == [*range(20)]
    for armed in (data.view(FinalizeRaises), np.zeros((4, 5)).view(FinalizeRaises)):
        armed.armed = True
        assert fo.slice(armed, [0, 0], [4, 5]).tolist() == np.asarray(armed).tolist()
        assert fo.slice(data, [0, 0], [4, 5], out=armed) is armed
        np.testing.assert_array_equal(np.asarray(armed), data)


# Kernels run for milliseconds, so that another thread can look during a call; on a busy machine, this takes many calls.
N = 1 << 21
CALLS = 1000


class Derived(np.ndarray):
    """A subclass, which a call views as an ndarray."""


@pytest.fixture(params=[1, None], ids=["one_thread", "all_threads"])
def threads(request: pytest.FixtureRequest) -> Iterator[None]:
    before = numba.get_num_threads()
    numba.set_num_threads(request.param or before)
    yield
    numba.set_num_threads(before)


def are_pinned(call: Callable[[], Any], *owners: Array) -> bool:
    """True if another thread finds all arrays pinned during one of the calls, and none is pinned afterwards."""
    seen, is_over = threading.Event(), threading.Event()

    def look() -> None:
        while not is_over.is_set():
            if all([getweakrefcount(owner) for owner in owners]):
                seen.set()

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        for _ in range(CALLS):
            call()
            if seen.is_set():
                break
    finally:
        is_over.set()
        watcher.join()
    return seen.is_set() and not any([getweakrefcount(owner) for owner in owners])


def test_a_pinned_array_is_not_resized() -> None:
    owner = np.zeros(9)
    pinned = pin(owner[1:])
    with pytest.raises(ValueError, match="cannot resize"):
        owner.resize(1, refcheck=False)
    del pinned
    owner.resize(1, refcheck=False)


@pytest.mark.usefixtures("threads")
def test_all_memory_of_a_call_is_pinned_while_it_runs() -> None:
    plan, ranges = fo.plan.slice((N,), [N - 1], [N], [-1]), fo.plan.RangePlan(0, 1, N)
    data, out = np.full(N, 5.0), np.zeros(N)
    derived = np.ndarray.__new__(Derived, (N,), np.float64)
    derived[...] = 5
    reads: list[Callable[[Array], Any]] = [
        partial(fo.slice, start=[0], size=[N], out=out),
        partial(fo.slice, start=[0], size=[N]),
        partial(fo.strided_slice, begin=[0], end=[N], strides=[2]),
        plan,
    ]
    # Arrays with the memory of another array, as views or buffers.
    shown = [derived, derived[:], derived.view(np.ndarray), derived.view(np.ndarray)[::-1], np.frombuffer(derived)]
    shown += [np.frombuffer(memoryview(memoryview(derived))), np.lib.stride_tricks.as_strided(derived)]
    for read, array in itertools.product(reads, shown):
        assert are_pinned(partial(read, array), derived)
        assert set(read(array)[::9999].tolist()) == {5.0}
    writes: list[Callable[[Array], Any]] = [
        lambda out: fo.slice(data, [0], [N], out=out),
        lambda out: fo.slice(data.astype(">f8"), [0], [N], out=out.view(">f8")),
        lambda out: fo.strided_slice(data, [0], [N], out=out),
        lambda out: fo.variadic_split(data, 0, [3, N - 3], out=[np.zeros(3), out[3:]]),
        lambda out: fo.range(1, N + 1, 1, "f64", out=out),
        lambda out: ranges("f64", out=out),
        lambda out: plan(data, out=out),
    ]
    for write, given in itertools.product(writes, (out, out[:], out[::-1], out.view(Derived))):
        out[...] = 0
        assert are_pinned(partial(write, given), out)
        assert np.count_nonzero(out) >= N - 3
