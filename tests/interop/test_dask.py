"""Arrays of dask: results are lazy, in chunks, and equal to those of the whole array, on each scheduler."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import dask
import dask.array as da
import distributed
import numpy as np
import pytest
import xarray as xr
from xarray.core.indexing import LazilyIndexedArray, NumpyIndexingAdapter

import fastops as fo
from fastops._arrays._outputs import allocate
from fastops._execution import _dask_kind
from tests.helpers.chains import Array
from tests.helpers.processes import peak_of, run_code


@pytest.fixture(autouse=True)
def _in_this_thread() -> Any:
    with dask.config.set(scheduler="sync"):
        yield


def assert_computes(result: Any, expected: Array) -> None:
    assert isinstance(result, da.Array)
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    assert type(result._meta) is np.ndarray
    assert (result._meta.ndim, result._meta.dtype) == (expected.ndim, expected.dtype)
    computed = result.compute(scheduler="sync")
    assert type(computed) in (np.ndarray, expected.dtype.type)
    np.testing.assert_array_equal(computed, expected)


# The most bytes of a chunk of a result whose source has smaller chunks.
SMALL_BYTES = 1 << 20


def test_chunks_of_large_results() -> None:
    source = da.ones((4000, 4000), chunks=4000)
    for result in (
        fo.numpy.pad(source, ((0, 100_000), (0, 100_000))),
        fo.plan.numpy.pad((4000, 4000), 50_000, "edge")(source),
        fo.lazy(source).pad(25_000).pad(25_000, "edge").run(),
    ):
        assert result.chunks == ((4000,) * 26,) * 2
    # Small chunks are joined if there are too many.
    for result in (
        fo.numpy.pad(da.ones(10), 10**8),
        fo.numpy.tile(da.ones(10), 10**7),
        fo.numpy.repeat(da.ones(10), 10**7, 0),
        fo.numpy.broadcast_to(da.ones(10), (10**7, 10)),
        fo.windows(da.ones(10), np.zeros((10**4, 1), int), [10_000], mode="wrap"),
    ):
        assert result.npartitions <= 10_001
        assert prod(result.chunksize) * 8 <= SMALL_BYTES
        assert result[(slice(3),) * result.ndim].compute().shape == tuple([min(n, 3) for n in result.shape])
    # Chunks of windows have at most 1 MiB, or as many elements as the chunks of the source.
    long = fo.numpy.sliding_window_view(da.ones(8000), 200)
    assert (long.chunksize, long.npartitions) == ((651, 200), 12)
    source = da.ones((1000, 1000), chunks=100)
    assert fo.windows(source, np.zeros((1000, 2), int), [5, 5]).chunks == ((400, 400, 200), (5,), (5,))
    with pytest.raises(fo.AttributeValueError, match=r"numpy\.pad: array must have chunks so long that the result has"):
        fo.numpy.pad(da.ones(10), 10**15)


def test_tasks_make_no_more_elements_than_a_chunk_has(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(_dask_kind, "allocate", lambda shape, dtype: made.append(prod(shape)) or allocate(shape, dtype))
    source = da.ones((300, 600), chunks=(300, 600))
    for result in (
        fo.numpy.pad(source, 9_000),
        fo.slice(source, [-9_000, -5], [18_300, 18_300], mode="fill"),
        fo.numpy.pad(source, 9_000, "edge"),
        fo.numpy.pad(source, 9_000, "reflect"),
    ):
        made.clear()
        result[..., :2, :2].compute()
        assert sum(made) <= source.size, result


def test_graphs_of_what_reads_little_or_nothing() -> None:
    data = np.arange(24).reshape(4, 6)
    source = da.from_array(data, chunks=(2, 3))
    calls: list[Callable[[Any], Any]] = [
        lambda a: fo.numpy.tile(a, (0, 2)),
        lambda a: fo.slice(a, [0, 0], [0, 2]),
        lambda a: fo.slice(a, [10, 0], [2, 2], mode="fill", fill_value=3),
        lambda a: fo.numpy.split(a, [0], 0)[0],
        lambda a: fo.windows(a, [[10, 10], [-5, 0]], [2, 2], mode="fill"),
        lambda a: fo.windows(a, [[-50, 0], [1, 1], [40, 0], [2, 3]], [2, 3], mode="fill", fill_value=7),
        lambda a: fo.windows(a, np.zeros((0, 2), int), [2, 2]),
        lambda a: fo.numpy.take_slice(fo.numpy.pad(a, 5), np.s_[:3]),
        lambda a: fo.lazy(a).pad(5)[:, :3].run(),
        lambda a: fo.numpy.roll(fo.numpy.take_slice(a, np.s_[:0]), 3),
    ]
    for call in calls:
        result = call(source)
        assert_computes(result, call(data))
        assert_computes(fo.numpy.pad(result, 1, "constant"), np.pad(call(data), 1))
    # Chunks of fill values read no chunk of the source.
    read: list[int] = []
    ones = da.ones(500, chunks=1).map_blocks(lambda x: read.append(1) or x, meta=np.empty(0))
    padded = fo.numpy.pad(ones, 5)
    read.clear()
    np.testing.assert_array_equal(da.concatenate([padded[:2], padded[-2:]]).compute(), np.zeros(4))
    assert not read


def test_few_elements_of_a_large_array_take_few_tasks_and_little_memory() -> None:
    source = da.ones((50_000, 100_000), chunks=1000, dtype=np.float32)
    few, peak = peak_of(lambda: fo.numpy.pad(source, ((10, 10), (7, 7)), "reflect")[3:8, 3:8].compute())
    np.testing.assert_array_equal(few, np.ones((5, 5), np.float32))
    assert peak < 40 << 20
    result = fo.numpy.pad(source, ((10, 10), (7, 7)), "reflect")
    layer = result.dask.layers[result.name]
    (optimized,) = dask.optimize(result[3:8, 3:8])
    assert len(optimized.__dask_graph__()) <= 4
    assert not layer.is_materialized()
    assert len(layer) == 51 * 101 == len(layer.get_output_keys())
    # With many chunks, only the chunks that are computed are cut.
    many = fo.numpy.pad(da.ones(64 * 10**5, chunks=64), 5, "reflect")
    assert many.npartitions == 10**5 + 1
    np.testing.assert_array_equal(many[-3:].compute(), np.ones(3))


def test_a_result_keeps_no_chunk_of_its_source_and_does_not_change_it() -> None:
    part = fo.numpy.take_slice(da.from_array(np.arange(100), chunks=100), slice(0, 3)).compute()
    assert part.base is None or part.base.size < 100
    # A write to a result does not change the source.
    for call in (fo.numpy.copy, lambda a: fo.numpy.pad(a, 0), lambda a: fo.numpy.split(a, 1)[0]):
        source = da.arange(6, chunks=3)
        result = call(source)
        result[0] = 99
        np.testing.assert_array_equal(source.compute(), np.arange(6))
        np.testing.assert_array_equal(result.compute(), [99, 1, 2, 3, 4, 5])


def test_names_annotations_and_pickles() -> None:
    source = da.ones((6, 6), chunks=3)
    one, other = [fo.numpy.pad(source, 1, constant_values=7) for _ in range(2)]
    assert one.name == other.name
    others = (
        one,
        fo.numpy.pad(source, 1, constant_values=8),
        fo.numpy.pad(source, 2, constant_values=7),
        fo.numpy.pad(source + 1, 1, constant_values=7),
        fo.plan.numpy.pad((6, 6), 1)(source, fill_value=7, chunks=8),
        fo.windows(source, [[0, 0]], [2, 2]),
        fo.windows(source, [[0, 1]], [2, 2]),
    )
    assert len({each.name for each in others}) == len(others)
    with dask.annotate(retries=3):
        result = fo.numpy.pad(da.from_array(np.arange(20), chunks=3), 4, "wrap")
    again = pickle.loads(pickle.dumps(result))
    assert again.name == result.name
    assert again.dask.layers[again.name].annotations == {"retries": 3}
    np.testing.assert_array_equal(again.compute(), np.pad(np.arange(20), 4, "wrap"))


def test_threads_and_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    data = np.arange(600.0).reshape(20, 30)
    filled = fo.numpy.pad(da.from_array(data, chunks=(7, 8)), 3, constant_values=((1, 2), (3, 4)))
    expected = np.pad(data, 3, constant_values=((1, 2), (3, 4)))
    np.testing.assert_array_equal(filled.compute(scheduler="threads"), expected)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        np.testing.assert_array_equal(filled.compute(scheduler=client), expected)
        source = client.persist(da.from_array(data, chunks=(7, 8)))
        padded = fo.numpy.pad(source, ((40, 3), (2, 50)), "symmetric")
        np.testing.assert_array_equal(padded.compute(), np.pad(data, ((40, 3), (2, 50)), "symmetric"))
    # Each task runs one thread.
    seen, kernels = [], sys.modules["fastops._runtime._kernels"]
    count = kernels.count_workers
    monkeypatch.setattr(kernels, "count_workers", lambda: seen.append(count()) or 1)
    fo.numpy.flip(da.ones((2048, 2048), chunks=1024)).compute()
    assert set(seen) == {1}


def test_chunks_and_values_of_the_caller() -> None:
    source, made = da.from_array(np.arange(20), chunks=6), fo.plan.numpy.pad((20,), 2, "reflect")
    for chunks, expected in ((8, (8, 8, 8)), ("auto", (24,)), (((1, 20, 3),), (1, 20, 3)), (-1, (24,))):
        result = made(source, chunks=chunks)
        assert result.chunks == (expected,)
        np.testing.assert_array_equal(result.compute(), np.pad(np.arange(20), 2, "reflect"))
    # The contract tests pass chunks to all operators.
    calls: list[Callable[[Any], Any]] = [
        lambda a: made(a, chunks=7),
        lambda a: fo.lazy(a).pad(2, "reflect").run(chunks=7),
        lambda a: fo.plan.numpy.flip((20,))(a, chunks={0: 7}),
        lambda a: fo.numpy.roll(a.reshape(4, 5), 3, chunks=(3, -1)),
        lambda a: fo.windows(a, [[1], [5], [-2]], [4], mode="wrap", chunks=(2, 3)),
        lambda a: fo.plan.windows((20,), [4])(a, [[1], [5], [9]], chunks=(2, 3)),
        lambda a: fo.numpy.flip(fo.numpy.pad(a, 1, chunks=5), chunks=4),
    ]
    for call in calls:
        plain = call(da.from_array(np.arange(20), chunks=20)).compute()
        result = call(source)
        assert result.chunksize in ((7,), (3, 5), (2, 3), (4,))
        np.testing.assert_array_equal(result.compute(), plain)
        with pytest.raises(fo.AttributeValueError, match="chunks must be None for data that is no array of dask"):
            call(np.arange(20))
    nan = float("nan")
    for chunks in ("x", 0, {0: 0}, ((nan,),), -5, ((5, -2, 21),), ((7, 8),), ((1.5, 22.5),), object()):
        with pytest.raises(fo.AttributeValueError, match=r"chunks must have lengths that add up to the shape \(24,\),"):
            made(source, chunks=chunks)
    slots = fo.plan.numpy.pad((20,), 1).then(fo.plan.numpy.pad((22,), 1))
    np.testing.assert_array_equal(slots(source, fill_value=[8, 9]).compute(), [9, 8, *range(20), 8, 9])
    with pytest.raises(fo.AttributeValueError, match="plan: fill_value must be one value, or a list of 2"):
        slots(source, fill_value=[1, 2, 3])


REFUSED: list[tuple[str, Callable[[Any], Any]]] = [
    (r"plan: data must have shape \(5,\), got \(4,\)", lambda a: fo.plan.numpy.flip((5,))(a)),
    ("numpy.flip: m must have chunks of known sizes: call its compute_chunk", lambda a: fo.numpy.flip(a[a > 1])),
    ("numpy.flip: m must not have elements of object", lambda a: fo.numpy.flip(a.astype(object))),
    ("lazy.run: out must be None for arrays of dask", lambda a: fo.lazy(a).flip().run(np.zeros(4))),
    ("windows: starts must be computed", lambda a: fo.windows(a, da.from_array(np.zeros((1, 1), int)), [2])),
    (r"windows: starts\[0\] must keep coordinates 3..4 in 0..3", lambda a: fo.windows(a, [[3]], [2])),
    ("windows: data must be one array, or a list of", lambda a: fo.windows([a, np.ones(4)], [[1], [1]], [2])),
    ("windows: data must be one array, or a list of", lambda a: fo.windows([np.ones(4), a], [[1], [1]], [2])),
    ("slice: fill_value must be computed before", lambda a: fo.slice(a, [-1], [9], mode="fill", fill_value=a.max())),
    ("numpy.pad: constant_values must be computed before", lambda a: fo.numpy.pad(a, 1, constant_values=a.max())),
    ("numpy.flip: out must be an array of NumPy, .* got <class 'dask", lambda a: fo.numpy.flip(np.zeros(4), out=a)),
    ("m must be one array, or a list of", lambda a: fo.numpy.flip(((a,), (a,)))),
    ("m must be in memory", lambda a: fo.numpy.flip([xr.DataArray(a)])),
]


def test_refusals() -> None:
    source = da.from_array(np.arange(4.0), chunks=2)
    for match, call in REFUSED:
        with pytest.raises(fo.FastopsError, match=match):
            call(source)


def test_xarray() -> None:
    data = np.arange(12.0).reshape(3, 4)
    array = xr.DataArray(da.from_array(data, chunks=2), dims=("y", "x"))
    # A call by xr.apply_ufunc stands in docs/larger.md.
    assert_computes(fo.numpy.flip(array.data), np.flip(data))
    for call in (fo.numpy.flip, fo.plan.numpy.flip((3, 4)), fo.lazy, lambda x: fo.windows([x, x], [[0], [0]], [1])):
        with pytest.raises(fo.AttributeValueError, match=r"must be in memory, or an array of dask: pass its \.data"):
            call(array)
    # Data in a file that xarray has opened without chunks.
    lazy = xr.DataArray(xr.Variable(("y", "x"), LazilyIndexedArray(NumpyIndexingAdapter(data))))
    with pytest.raises(fo.AttributeValueError, match="must be in memory"):
        fo.numpy.flip(lazy)
    near = array.compute()
    assert type(fo.numpy.flip(near)) is np.ndarray
    np.testing.assert_array_equal(fo.numpy.flip(near), np.flip(data))
    np.testing.assert_array_equal(fo.lazy(near).flip().run(), np.flip(data))
    np.testing.assert_array_equal(fo.windows([near, near], [[0, 0], [1, 1]], [1, 1]).ravel(), data[[0, 1], [0, 1]])


LIES: list[Callable[[Any], Any]] = [
    lambda x: x[:1],
    lambda x: x[:, :1],
    lambda x: x.astype(np.float32),
    lambda x: x[0],
    lambda x: np.concatenate([x, x]),
]
READING: list[Callable[[Any], Any]] = [
    lambda a: fo.numpy.pad(a, 1, "edge"),
    lambda a: fo.numpy.transpose(a),
    lambda a: fo.numpy.broadcast_to(a, (2, 4, 6)),
    lambda a: fo.slice(a, [-9, -9], [40, 40], mode="wrap"),
    lambda a: fo.windows(a, [[1, 2]], [2, 3]),
    lambda a: fo.numpy.sliding_window_view(a, (2, 2)),
    lambda a: fo.slice(a, [1, 2], [1, 1]),
    lambda a: fo.numpy.roll(a, 1, 0),
]


def test_chunks_that_are_not_what_the_array_says() -> None:
    for lie, call in product(LIES, READING):
        liar = da.from_array(np.ones((4, 6)), chunks=(2, 3)).map_blocks(lie, dtype=np.float64, meta=np.empty((0, 0)))
        match = r"chunk: data must have the shape .* and the dtype float64 that the whole array declares, got"
        with pytest.raises(fo.AttributeValueError, match=match):
            call(liar).compute()


def test_chunks_in_another_order_of_bytes_and_scalars_of_text() -> None:
    # Pickled arrays of NumPy, and scalars, have the machine's order of bytes; scalars of text are no longer than it.
    swapped, text = np.arange(24).astype(">f8"), np.array([b"a", b"abc"])
    padded = pickle.dumps(fo.numpy.pad(da.from_array(swapped, chunks=6), 2))
    result = pickle.loads(padded).compute()
    assert (result.dtype, result.tobytes()) == (swapped.dtype, np.pad(swapped, 2).tobytes())
    for data in (swapped, text):
        result = fo.numpy.tile(da.from_array(data, chunks=1)[0], 2).compute()
        assert (result.dtype, result.tobytes()) == (data.dtype, np.tile(data[:1], 2).tobytes())


def test_masks_subclasses_and_scalars() -> None:
    class Own(da.Array):
        pass

    plain, data = da.from_array(np.arange(24).reshape(4, 6), chunks=(2, 3)), np.arange(24).reshape(4, 6)
    for source in (da.ma.masked_equal(plain, 3), Own(plain.dask, plain.name, plain.chunks, dtype=plain.dtype)):
        for call in (*READING, fo.numpy.copy, lambda a: fo.variadic_split(a, 0, [2, 1, 1])[0]):
            assert_computes(call(source), call(data))
    np.testing.assert_array_equal(fo.numpy.tile(plain.sum(), 2).compute(), [276, 276])


def test_what_is_imported_and_what_dask_is_told_to_make() -> None:
    printed = run_code("""
fo.numpy.flip(np.zeros(3)); fo.slice([1, 2], [0], [1]); fo.plan.numpy.flip((3,))(np.zeros(3)); fo.lazy([1]).run()
assert not {"dask", "h5py", "zarr", "torch", "xarray"} & set(sys.modules)
import dask
dask.config.set({"array.query-planning": True})
try:
    array = __import__("dask.array").array.arange(4, chunks=2)
except ImportError:
    sys.exit()
try:
    fo.numpy.flip(array)
    print(hasattr(array, "expr"))
except fo.AttributeValueError as error:
    print(error)
""")
    # Some versions of dask have no arrays that are expressions, or have them in a package that is not installed.
    assert printed in ("", "False\n") or "flip: m must be an array of a graph, not an expression" in printed
