"""Arrays of dask: lazily, by chunks, on each scheduler, and equal to NumPy on the whole array."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import dask
import dask.array as da
import distributed
import numpy as np
import pytest
import xarray as xr
from dask._task_spec import Alias
from dask.graph_manipulation import bind, clone

import fastops as fo
from fastops import dask as fod
from fastops._arrays._outputs import allocate
from fastops._execution import _block_call
from fastops._interop import _dask_layer
from fastops._operators import _gather_runner
from fastops._plans import _result_chunks
from tests.helpers.torture import scale

Array = np.ndarray[Any, Any]

PADS = scale(80, 2_000)
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


@pytest.fixture(autouse=True)
def _in_this_thread() -> Any:
    with dask.config.set(scheduler="sync"):
        yield


def chunked(chosen: random.Random, data: Array) -> Any:
    """The array in chunks of any lengths."""
    lengths = []
    for n in data.shape:
        own: list[int] = []
        while sum(own) < n:
            own.append(chosen.randint(1, n - sum(own)))
        lengths.append(tuple(own) or (0,))
    return da.from_array(data, chunks=tuple(lengths))


def assert_computes(result: Any, expected: Array) -> None:
    assert isinstance(result, da.Array)
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    assert type(result._meta) is np.ndarray
    assert (result._meta.ndim, result._meta.dtype) == (expected.ndim, expected.dtype)
    result.__dask_graph__().validate()
    np.testing.assert_array_equal(result.compute(), expected)


def largest_chunk(array: Any) -> int:
    return int(np.prod([max(lengths) for lengths in array.chunks], dtype=object))


def is_regular(lengths: tuple[int, ...]) -> bool:
    return len(set(lengths[:-1])) <= 1 and lengths[-1] <= lengths[0]


def tasks_of(result: Any, source: Any) -> int:
    return len(result.__dask_graph__()) - len(source.__dask_graph__())


def test_random_pads_far_beyond_the_axis() -> None:
    chosen = random.Random(1)
    for _ in range(PADS):
        shape = [chosen.randint(1, 9) for _ in range(chosen.randint(1, 3))]
        data = np.arange(int(np.prod(shape))).reshape(shape)
        widths = [(chosen.randint(0, 25), chosen.randint(0, 25)) for _ in shape]
        mode = chosen.choice(MODES)
        source = chunked(chosen, data)
        result = fo.numpy.pad(source, widths, mode)
        assert_computes(result, np.pad(data, widths, mode))
        theirs = da.pad(source, widths, mode=mode)
        assert largest_chunk(result) <= largest_chunk(source)
        if theirs.shape == result.shape and largest_chunk(theirs) <= largest_chunk(source):
            assert tasks_of(result, source) <= tasks_of(theirs, source)


CALLS: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (lambda f, a, k: f.roll(a, (k, -2 * k), (0, 1)), lambda d, a, k: d.roll(a, (k, -2 * k), (0, 1))),
    (lambda f, a, k: f.tile(a, (k % 3 + 1, 2)), lambda d, a, k: d.tile(a, (k % 3 + 1, 2))),
    (lambda f, a, _: f.transpose(a), lambda d, a, _: d.transpose(a)),
    (lambda f, a, _: f.flip(a), lambda d, a, _: d.flip(a)),
    (lambda f, a, k: f.rot90(a, k), lambda d, a, k: d.rot90(a, k)),
    (lambda f, a, k: f.repeat(a, k % 3 + 3, 1), lambda d, a, k: d.repeat(a, k % 3 + 3, 1)),
    (
        lambda f, a, k: f.take_slice(a, (slice(None, None, -(k % 4) - 1), slice(1, None, 2))),
        lambda _, a, k: a[:: -(k % 4) - 1, 1::2],
    ),
    (lambda f, a, _: f.broadcast_to(a, (5, *a.shape)), lambda d, a, _: d.broadcast_to(a, (5, *a.shape))),
]


@pytest.mark.parametrize("which", range(len(CALLS)))
def test_random_calls_beside_dask(which: int) -> None:
    ours, theirs = CALLS[which]
    chosen = random.Random(which)
    for k in range(scale(25, 200)):
        shape = (chosen.randint(2, 30), chosen.randint(2, 30))
        data = np.arange(shape[0] * shape[1]).reshape(shape)
        length = chosen.randint(1, 12)
        source = da.from_array(data, chunks=length)
        result = ours(fo.numpy, source, k)
        assert_computes(result, theirs(np, data, k))
        assert largest_chunk(result) <= largest_chunk(source)
        dasks = theirs(da, source, k)
        if largest_chunk(dasks) <= largest_chunk(source):
            assert tasks_of(result, source) <= tasks_of(dasks, source)


# How large a chunk of windows that overlap may be.
SMALL_BYTES = 1 << 20

# What is called with an array of four axes, of which the second and the third are even and the last divides by 4, and
# numbers; and if it is windows that overlap.
SIZED: list[tuple[Callable[[Any, list[int]], Any], bool]] = [
    (lambda a, k: fo.numpy.pad(a, [(0, k[0]), (k[1], 0), (0, 2), (1, 0)]), False),
    (lambda a, k: fo.numpy.pad(a, [(0, 1), (k[0], k[1]), (0, 0), (0, k[2])], "edge"), False),
    (lambda a, k: fo.numpy.pad(a, [(0, 1), (k[0], k[1]), (0, 0), (0, k[2])], "reflect"), False),
    (lambda a, k: fo.slice(a, [-k[0], k[1], 0, 3], [k[2] + 1, 9, 4, k[0] + 1], mode="fill", fill_value=7), False),
    (lambda a, k: fo.slice(a, [k[0], 0, -k[1], 0], [40, 1, 1, 40], [1, 1, 1, -2], mode="wrap"), False),
    (lambda a, k: fo.onnx.center_crop_pad(a, np.array([k[0] + 1, 3, k[1] + 1, k[2] + 1])), False),
    (lambda a, k: fo.numpy.tile(a, (k[0] % 3, 2, 1, k[1] % 5, 3)), False),
    (lambda a, k: fo.numpy.repeat(a, k[0] % 6, k[1] % 4), False),
    (lambda a, k: fo.numpy.broadcast_to(a, (k[0] % 5, 3, *a.shape)), False),
    (lambda a, k: fo.numpy.broadcast_to(fo.numpy.take_slice(a, np.s_[..., :1]), (*a.shape[:3], k[0])), False),
    (lambda a, k: fo.numpy.transpose(a, [(i + k[0]) % 4 for i in range(4)]), False),
    (lambda a, _: fo.tensorflow.space_to_depth(a, 2), False),
    (lambda a, _: fo.tensorflow.depth_to_space(a, 2), False),
    (lambda a, _: fo.onnx.depth_to_space(fo.numpy.moveaxis(a, 3, 1), 2, mode="CRD"), False),
    (lambda a, k: fo.openvino.space_to_batch(a, [1, 2, 2, 1], [0, k[0] % 3, 0, 0], [0, k[0] % 3, 0, 0]), False),
    (
        lambda a, k: fo.openvino.batch_to_space(
            fo.numpy.tile(a, (2, 1, 1, 1)), [1, 2, 1, 1], [0, k[0] % 2, 0, 0], [0] * 4
        ),
        False,
    ),
    (lambda a, k: fo.tensorflow.extract_patches(a, [1, 2, 3, 1], [1, k[0] % 3 + 1, 1, 1], [1] * 4, "SAME"), True),
    (lambda a, k: fo.numpy.sliding_window_view(a, (2, k[0] % 4 + 1), (1, 3)), True),
    (lambda a, k: fo.frame(a, 3, k[0] % 3 + 1, axis=3), True),
    (lambda a, k: fo.windows(a, [[k[0], 0, -k[1], 0], [0, 1, 2, k[2]]], [5, 2, 9, 1], mode="reflect"), False),
    (
        lambda a, k: (
            fo.lazy(a)
            .pad(((0, 0), (k[0], 0), (0, 0), (1, 1)))[:, ::-1]
            .tile((1, 1, 3, 1))
            .transpose((3, 0, 1, 2))
            .run()
        ),
        False,
    ),
    (lambda a, k: fo.numpy.array_split(a, k[0] % 4 + 1, 2)[0], False),
]


@pytest.mark.parametrize("which", range(len(SIZED)))
def test_no_chunk_is_larger_than_the_largest_of_the_source(which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    call, overlaps = SIZED[which]
    chosen = random.Random(which)
    for _ in range(scale(12, 300)):
        shape = (chosen.randint(1, 5), 2 * chosen.randint(1, 6), 2 * chosen.randint(1, 4), 4 * chosen.randint(1, 3))
        data = np.arange(int(np.prod(shape))).reshape(shape)
        equal = tuple([chosen.randint(1, n) for n in shape])
        source = da.from_array(data, chunks=equal) if chosen.random() < 0.5 else chunked(chosen, data)
        k = [chosen.randint(0, 30) for _ in range(3)]
        # Windows may have this, so that a small one shows that no more is taken.
        small = chosen.choice([8 * 40, SMALL_BYTES])
        monkeypatch.setattr(_result_chunks, "_SMALL_BYTES", small)
        result = call(source, k)
        most = largest_chunk(source)
        if all(is_regular(lengths) for lengths in source.chunks):
            assert all(is_regular(lengths) for lengths in result.chunks), "zarr takes no others"
        # So many that there were more than 10,000.
        is_longer = overlaps or result.npartitions > 5_000
        assert largest_chunk(result) <= (max(most, small // 8) if is_longer else most)
        assert_computes(result, call(data, k))


def test_chunks_of_pads_beyond_arrays_of_one_chunk() -> None:
    source = da.ones((4000, 4000), chunks=4000)
    for result in (
        fo.numpy.pad(source, ((0, 100_000), (0, 100_000))),
        fo.slice(source, [0, 0], [104_000, 104_000], mode="fill"),
        fo.onnx.center_crop_pad(source, np.array([104_000, 104_000])),
        fod.apply(fo.plan.numpy.pad((4000, 4000), 50_000, "edge"), source),
        fo.lazy(source).pad(25_000).pad(25_000, "edge").run(),
    ):
        assert result.chunks == ((4000,) * 26,) * 2


@pytest.mark.parametrize(
    "call",
    [
        lambda a: fo.numpy.pad(a, 10**8),
        lambda a: fo.numpy.tile(a, 10**7),
        lambda a: fo.numpy.repeat(a, 10**7, 0),
        lambda a: fo.numpy.broadcast_to(a, (10**7, 10)),
        lambda a: fo.windows(a, np.zeros((10**4, 1), int), [10_000], mode="wrap"),
    ],
)
def test_small_chunks_are_longer_where_they_were_too_many(call: Any) -> None:
    result = call(da.ones(10))
    assert 5_000 < result.npartitions <= 10_001
    assert largest_chunk(result) * 8 <= SMALL_BYTES
    few = result[(slice(3),) * result.ndim].compute()
    assert few.shape == tuple([min(n, 3) for n in result.shape])


def test_windows_have_chunks_of_a_mebibyte_at_most() -> None:
    long = fo.numpy.sliding_window_view(da.ones(8000), 200)
    assert (long.chunksize, long.npartitions) == ((651, 200), 12)
    source = da.ones((1000, 1000), chunks=100)
    assert largest_chunk(fo.numpy.sliding_window_view(source, (10, 10))) * 8 <= SMALL_BYTES
    # Of larger chunks, those of windows are no larger.
    source = da.ones((4000, 4000), chunks=1000)
    assert largest_chunk(fo.numpy.sliding_window_view(source, (10, 10))) <= 10**6
    assert largest_chunk(fo.frame(source, 999, 1, axis=1)) <= 10**6


def test_a_result_of_too_many_chunks_is_refused() -> None:
    with pytest.raises(
        fo.AttributeValueError, match=r"numpy\.pad: array must have chunks so long that the result has at"
    ):
        fo.numpy.pad(da.ones(10), 10**15)


@pytest.mark.parametrize(
    "call",
    [
        lambda a: fo.numpy.pad(a, 30_000),
        lambda a: fo.slice(a, [-30_000, -5], [61_000, 61_000], mode="fill"),
        lambda a: fo.numpy.pad(a, 30_000, "edge"),
        lambda a: fo.numpy.pad(a, 30_000, "reflect"),
        lambda a: fo.numpy.broadcast_to(a, (1000, 1000, 2000)),
    ],
)
def test_tasks_make_no_more_elements_than_a_chunk_has(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(shape: tuple[int, ...], dtype: Any) -> Array:
        made.append(int(np.prod(shape)))
        return allocate(shape, dtype)

    for module in (_dask_layer, _block_call):
        monkeypatch.setattr(module, "allocate", counted)
    source = da.ones((1000, 2000), chunks=(1000, 2000))
    call(source)[..., :2, :2].compute()
    assert sum(made) <= source.size


@pytest.mark.parametrize(
    "call",
    [
        lambda a: fo.numpy.tile(a, (0, 2)),
        lambda a: fo.slice(a, [0, 0], [0, 2]),
        lambda a: fo.slice(a, [10, 0], [2, 2], mode="fill", fill_value=3),
        lambda a: fo.numpy.split(a, [0], 0)[0],
        lambda a: fo.windows(a, [[10, 10], [-5, 0]], [2, 2], mode="fill"),
        lambda a: fo.windows(a, np.zeros((0, 2), int), [2, 2]),
        lambda a: fo.numpy.take_slice(fo.numpy.pad(a, 5), np.s_[:3]),
        lambda a: fo.lazy(a).pad(5)[:, :3].run(),
        lambda a: fo.numpy.roll(fo.numpy.take_slice(a, np.s_[:0]), 3),
    ],
)
def test_graphs_of_what_reads_nothing(call: Any) -> None:
    data = np.arange(24).reshape(4, 6)
    source = da.from_array(data, chunks=(2, 3))
    result = call(source)
    assert_computes(result, call(data))
    assert_computes(fo.numpy.pad(result, 1, "constant"), np.pad(call(data), 1))
    for other in (clone(result), bind(result, source)):
        other.__dask_graph__().validate()
        np.testing.assert_array_equal(other.compute(), call(data))


def test_random_chains() -> None:
    chosen = random.Random(3)
    for _ in range(scale(60, 600)):
        shape = (chosen.randint(1, 12), chosen.randint(1, 12), 3)
        data = np.arange(int(np.prod(shape)), dtype=np.int16).reshape(shape)

        def chain(x: Any, k: int = chosen.randint(0, 20), mode: str = chosen.choice(MODES)) -> Any:
            padded = fo.lazy(x).pad(((k, 1), (2, k), (0, 0)), mode)
            return padded[::-2].roll(k, 1).transpose((2, 0, 1)).tile((1, 2, 1)).run()

        result = chain(chunked(chosen, data))
        assert_computes(result, chain(data))


@pytest.mark.parametrize(
    ("ours", "theirs", "most"),
    [
        (lambda a: fo.numpy.pad(a, 10, "reflect"), lambda a: da.pad(a, 10, mode="reflect"), 81),
        (lambda a: fo.numpy.roll(a, (3, 7), (0, 1)), lambda a: da.roll(a, (3, 7), (0, 1)), 64),
        (lambda a: fo.numpy.repeat(a, 2, 0), lambda a: da.repeat(a, 2, 0), 128),
    ],
)
def test_one_task_a_chunk(ours: Any, theirs: Any, most: int) -> None:
    source = da.zeros((4096, 4096), chunks=512)
    result = ours(source)
    assert tasks_of(result, source) <= most < tasks_of(theirs(source), source)


def test_a_chunk_that_is_read_as_it_is_is_passed_on() -> None:
    data = np.arange(24).reshape(4, 6)
    source = da.from_array(data, chunks=(2, 3))
    for result in (
        fo.numpy.roll(source, 2, 0),
        fo.numpy.tile(source, (2, 2)),
        fo.numpy.take_slice(source, (slice(2, None), slice(3))),
        fo.slice(source, [-4, 0], [8, 6], mode="wrap"),
    ):
        layer = result.dask.layers[result.name]
        assert all(type(layer[key]) is Alias for key in layer)
    same = fo.numpy.copy(source)
    assert (same.name, len(same.__dask_graph__())) == (source.name, len(source.__dask_graph__()))
    repeated = fo.numpy.broadcast_to(source, (1000, 4, 6))
    task = repeated.dask.layers[repeated.name][repeated.name, 0, 1, 0]
    assert np.shares_memory(task(dict.fromkeys(task.dependencies, data[2:, :3])), data)


def test_a_view_keeps_no_chunk_alive_of_which_it_is_a_part() -> None:
    source = da.from_array(np.arange(100), chunks=100)
    result = fo.numpy.take_slice(source, slice(0, 3))
    assert result.compute().base is None or result.compute().base.size < 100


def test_few_elements_of_a_large_array_take_few_tasks() -> None:
    source = da.ones((50_000, 100_000), chunks=1000, dtype=np.float32)
    result = fo.numpy.pad(source, ((10, 10), (7, 7)), "reflect")
    layer = result.dask.layers[result.name]
    assert not layer.is_materialized()
    few = result[3:8, 3:8]
    (optimized,) = dask.optimize(few)
    assert len(optimized.__dask_graph__()) <= 4
    assert not layer.is_materialized()
    np.testing.assert_array_equal(few.compute(), np.ones((5, 5), np.float32))
    assert len(layer) == 51 * 101
    assert len(layer.get_output_keys()) == len(layer)


def test_chunks_of_fill_values_alone_need_nothing_of_the_source() -> None:
    for source in (da.ones(2000, chunks=1), da.ones(2000, chunks=1)[:1000], fo.numpy.pad(da.ones(2000, chunks=1), 5)):
        padded = fo.numpy.pad(source, 5)
        padded.__dask_graph__().validate()
        for few in (padded[:2], padded[-2:]):
            culled = few.__dask_graph__().cull(few.__dask_keys__())
            assert [len(layer) for layer in culled.layers.values()] == [2, 2]
            np.testing.assert_array_equal(few.compute(), [0, 0])
            # Beside what is needed of the same source.
            zeros, ones, first = dask.compute(few, padded[11:13], source[6])
            assert [*zeros, *ones, first] == [0, 0, 1, 1, 1]


def test_cuts_of_many_chunks_are_made_when_they_are_asked_for() -> None:
    result = fo.numpy.pad(da.ones(64 * 10**5, chunks=64), 5, "reflect")
    assert result.npartitions == 10**5 + 1
    np.testing.assert_array_equal(result[-3:].compute(), np.ones(3))


def test_equal_calls_have_one_name() -> None:
    source = da.ones((6, 6), chunks=3)
    one, other = [fo.numpy.pad(source, 1, constant_values=7) for _ in range(2)]
    assert one.name == other.name
    names = {
        one.name,
        fo.numpy.pad(source, 1, constant_values=8).name,
        fo.numpy.pad(source, 2, constant_values=7).name,
        fo.numpy.pad(source + 1, 1, constant_values=7).name,
        fod.apply(fo.plan.numpy.pad((6, 6), 1), source, fill_value=7, chunks=8).name,
        fo.windows(source, [[0, 0]], [2, 2]).name,
        fo.windows(source, [[0, 1]], [2, 2]).name,
    }
    assert len(names) == 7


@pytest.mark.parametrize("scheduler", ["sync", "threads", "processes"])
def test_schedulers(scheduler: str) -> None:
    data = np.arange(60.0).reshape(6, 10)
    result = fo.numpy.pad(da.from_array(data, chunks=(2, 5)), 3, constant_values=((1, 2), (3, 4)))
    with dask.config.set(scheduler=scheduler):
        np.testing.assert_array_equal(result.compute(), np.pad(data, 3, constant_values=((1, 2), (3, 4))))


def test_a_cluster_of_two_processes() -> None:
    data = np.arange(600.0).reshape(20, 30)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        source = client.persist(da.from_array(data, chunks=(7, 8)))
        padded = fo.numpy.pad(source, ((40, 3), (2, 50)), "symmetric")
        np.testing.assert_array_equal(padded.compute(), np.pad(data, ((40, 3), (2, 50)), "symmetric"))
        windows = fo.windows(source, [[-2, 3], [15, 28]], [6, 6], mode="fill", fill_value=9)
        np.testing.assert_array_equal(
            windows.compute(), fo.windows(data, [[-2, 3], [15, 28]], [6, 6], mode="fill", fill_value=9)
        )
        large = fo.numpy.pad(da.ones((50_000, 100_000), chunks=1000, dtype=np.float32), 10, "reflect")
        np.testing.assert_array_equal(large[3:8, 3:8].compute(), np.ones((5, 5), np.float32))


def test_results_pickle() -> None:
    data = np.arange(20)
    result = fo.numpy.pad(da.from_array(data, chunks=3), 4, "wrap")
    again = pickle.loads(pickle.dumps(result))
    assert again.name == result.name
    np.testing.assert_array_equal(again.compute(), np.pad(data, 4, "wrap"))


def test_chunks_of_the_caller() -> None:
    source = da.from_array(np.arange(20), chunks=6)
    made = fo.plan.numpy.pad((20,), 2, "reflect")
    for chunks, expected in ((8, (8, 8, 8)), ("auto", (24,)), (((1, 20, 3),), (1, 20, 3)), (-1, (24,))):
        result = fod.apply(made, source, chunks=chunks)
        assert result.chunks == (expected,)
        np.testing.assert_array_equal(result.compute(), np.pad(np.arange(20), 2, "reflect"))
    with pytest.raises(fo.AttributeValueError, match=r"chunks of an array of shape \(24,\), got 'x'"):
        fod.apply(made, source, chunks="x")


def test_values_of_slots() -> None:
    made = fo.plan.numpy.pad((3,), 1).then(fo.plan.numpy.pad((5,), 1))
    source = da.from_array(np.arange(3), chunks=2)
    np.testing.assert_array_equal(fod.apply(made, source, fill_value=[8, 9]).compute(), [9, 8, 0, 1, 2, 8, 9])
    np.testing.assert_array_equal(made(source, fill_value=[8, 9]).compute(), [9, 8, 0, 1, 2, 8, 9])
    with pytest.raises(fo.AttributeValueError, match=r"dask\.apply: fill_value must be one value, or a list of 2"):
        fod.apply(made, source, fill_value=[1, 2, 3])


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda a: fod.apply(3, a), "dask.apply: plan must be a SlicePlan, got 3"),
        (lambda _: fod.apply(fo.plan.numpy.flip((4,)), np.zeros(4)), "dask.apply: array must be an array of dask"),
        (lambda a: fod.apply(fo.plan.numpy.flip((5,)), a), r"dask.apply: array must have shape \(5,\), got \(4,\)"),
        (lambda a: fo.plan.numpy.flip((5,))(a), r"plan: data must have shape \(5,\), got \(4,\)"),
        (lambda a: fo.numpy.flip(a[a > 1]), "numpy.flip: m must have chunks of known sizes: call its compute_chunk"),
        (lambda a: fo.numpy.flip(a.astype(object)), "numpy.flip: m must not have elements of object"),
        (lambda a: fo.lazy(a[a > 1]), "lazy: x must have chunks of known sizes"),
        (lambda a: fo.lazy(a).flip().run(np.zeros(4)), "lazy.run: out must be None for arrays of dask"),
        (lambda a: fo.windows(a, da.from_array(np.zeros((1, 1), int)), [2]), "windows: starts must be computed"),
        (lambda a: fo.windows(a, [[3]], [2]), r"windows: starts\[0\] must keep coordinates 3..4 in 0..3"),
        (lambda a: fo.windows([a, a], [[1], [1]], [2]), "windows: data must be one array, or a list of arrays"),
        (lambda a: fo.windows(a, [[1]], [2], out=np.zeros((1, 2))), "windows: out must be None for arrays of dask"),
        (lambda a: fo.windows(a, [[1]], [2], fill_value=1), "windows: fill_value must be given in mode fill only"),
        (lambda a: fo.slice(a, [-1], [9], mode="fill", fill_value="x"), "slice: fill_value must be"),
        (lambda a: fo.slice(a, [-1], [9]), "slice: start must be in 0..3"),
        (
            lambda a: fo.slice(a, [-1], [9], mode="fill", fill_value=a.max()),
            "slice: fill_value must be computed before",
        ),
        (lambda a: fo.numpy.pad(a, 1, constant_values=a.max()), "numpy.pad: constant_values must be computed before"),
        (lambda a: fo.numpy.flip(np.zeros(4), out=a), "numpy.flip: out must be an array of NumPy, .* got <class 'dask"),
    ],
)
def test_refusals(call: Any, match: str) -> None:
    source = da.from_array(np.arange(4.0), chunks=2)
    with pytest.raises(fo.FastopsError, match=match):
        call(source)


def test_windows_of_items() -> None:
    data = np.arange(7 * 8 * 9).reshape(7, 8, 9)
    source = da.from_array(data, chunks=(2, 3, 4))
    starts, items = [[-1, 2], [5, 7], [0, -9]], [6, 0, 3]
    for options in ({"mode": "reflect"}, {"mode": "fill", "fill_value": -1}, {"mode": "wrap", "stride": [[1, 2]] * 3}):
        own: dict[str, Any] = {"axes": [1, 2], "items": items, **options}
        assert_computes(fo.windows(source, starts, [4, 3], **own), fo.windows(data, starts, [4, 3], **own))
    assert_computes(fo.windows(source, np.zeros((0, 3), int), [2, 2, 2]), np.zeros((0, 2, 2, 2), data.dtype))


def test_chunks_of_windows_are_as_large_as_those_of_the_source() -> None:
    source = da.zeros((100, 100), chunks=50)
    assert fo.windows(source, np.zeros((1000, 2), int), [5, 5]).chunks == ((100,) * 10, (5,), (5,))


def test_xarray() -> None:
    data = np.arange(12.0).reshape(3, 4)
    array = xr.DataArray(da.from_array(data, chunks=2), dims=("y", "x"))
    padded = xr.apply_ufunc(
        fo.numpy.pad,
        array,
        kwargs={"pad_width": ((1, 1), (0, 0)), "mode": "edge"},
        input_core_dims=[["y", "x"]],
        output_core_dims=[["rows", "x"]],
        dask="allowed",
    )
    assert isinstance(padded.data, da.Array)
    np.testing.assert_array_equal(padded.compute().data, np.pad(data, ((1, 1), (0, 0)), "edge"))
    assert_computes(fo.numpy.flip(array.data), np.flip(data))
    for call in (fo.numpy.flip, fo.plan.numpy.flip((3, 4)), fo.lazy, lambda x: fo.windows([x, x], [[0], [0]], [1])):
        with pytest.raises(fo.AttributeValueError, match=r"must be in memory, or an array of dask: pass its \.data"):
            call(array)
        with pytest.raises(fo.AttributeValueError, match="must be in memory"):
            call(array.variable)
    near = array.compute()
    assert type(fo.numpy.flip(near)) is np.ndarray
    np.testing.assert_array_equal(fo.numpy.flip(near), np.flip(data))
    np.testing.assert_array_equal(fo.lazy(near).flip().run(), np.flip(data))
    np.testing.assert_array_equal(fo.windows([near, near], [[0, 0], [1, 1]], [1, 1]).ravel(), data[[0, 1], [0, 1]])


def test_one_thread_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    kernels = sys.modules["fastops._runtime._kernels"]
    launches = sys.modules["fastops._runtime._launches"]
    monkeypatch.setattr(kernels, "count_workers", lambda: seen.append(launches.count_workers()) or 1)
    fo.numpy.flip(da.ones((2048, 2048), chunks=1024)).compute()
    assert seen
    assert set(seen) == {1}


def test_dask_is_not_imported_for_other_data() -> None:
    code = """
import sys, numpy as np, fastops as fo
fo.numpy.flip(np.zeros(3)); fo.slice([1, 2], [0], [1]); fo.plan.numpy.flip((3,))(np.zeros(3)); fo.lazy([1]).run()
assert not {"dask", "h5py", "zarr", "torch", "xarray"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_subclass_is_of_the_kind() -> None:
    class Own(da.Array):
        pass

    plain = da.from_array(np.arange(4), chunks=2)
    own = Own(plain.dask, plain.name, plain.chunks, dtype=plain.dtype)
    assert_computes(fo.numpy.flip(own), np.arange(4)[::-1])
    assert _gather_runner.find_kind(own) is not None


@pytest.mark.parametrize(
    "lie",
    [
        lambda x: x[:1],
        lambda x: x[:, :1],
        lambda x: x.astype(np.float32),
        lambda x: x[0],
        lambda x: np.concatenate([x, x]),
        lambda x: np.pad(x, ((0, 0), (0, 1))),
        lambda x: x[None],
    ],
)
@pytest.mark.parametrize(
    "call",
    [
        lambda a: fo.numpy.pad(a, 1, "edge"),
        lambda a: fo.numpy.transpose(a),
        lambda a: fo.numpy.broadcast_to(a, (2, 4, 6)),
        lambda a: fo.slice(a, [-9, -9], [40, 40], mode="wrap"),
        lambda a: fo.windows(a, [[1, 2]], [2, 3]),
        lambda a: fo.numpy.sliding_window_view(a, (2, 2)),
        lambda a: fo.slice(a, [1, 2], [1, 1]),
        lambda a: fo.numpy.roll(a, 1, 0),
    ],
)
def test_chunks_that_are_not_what_the_array_says(lie: Any, call: Any) -> None:
    liar = da.from_array(np.ones((4, 6)), chunks=(2, 3)).map_blocks(lie, dtype=np.float64, meta=np.empty((0, 0)))
    with pytest.raises(fo.AttributeValueError, match=r"chunk: data must give .* of float64, as its array says, got"):
        call(liar).compute()


@pytest.mark.parametrize(
    "call",
    [
        lambda a: fo.numpy.pad(a, 1),
        lambda a: fo.numpy.roll(a, 2, 0),
        lambda a: fo.numpy.copy(a),
        lambda a: fo.numpy.broadcast_to(a, (3, 6)),
        lambda a: fo.variadic_split(a, 0, [2, 1, 3])[0],
    ],
)
def test_masks_and_subclasses_of_chunks_are_dropped(call: Any) -> None:
    masked = da.ma.masked_equal(da.from_array(np.arange(6), chunks=2), 3)
    result = call(masked)
    assert type(result.compute()) is np.ndarray
    assert_computes(result, call(np.arange(6)))


def test_results_are_arrays_of_their_own() -> None:
    source = da.arange(6, chunks=3)
    for call in (fo.numpy.copy, lambda a: fo.numpy.pad(a, 0), lambda a: fo.numpy.split(a, 1)[0]):
        result = call(source)
        result[0] = 99
        np.testing.assert_array_equal(source.compute(), np.arange(6))
        np.testing.assert_array_equal(result.compute(), [99, 1, 2, 3, 4, 5])


def test_graphs_are_cloned_and_bound() -> None:
    data = np.arange(64.0).reshape(8, 8)
    source = da.from_array(data, chunks=(3, 4))
    for call in (
        lambda a: fo.numpy.pad(a, 2, "reflect"),
        lambda a: fo.numpy.roll(a, 3, 0),
        lambda a: fo.numpy.pad(a, 9),
    ):
        result = call(source)
        for other in (clone(result), clone(result, omit=source), bind(result, da.ones(3)), bind(result, source)):
            assert other.name != result.name
            np.testing.assert_array_equal(other.compute(), call(data))


def test_annotations_are_kept() -> None:
    with dask.annotate(retries=3):
        result = fo.numpy.pad(da.arange(6, chunks=3), 2)
    again = pickle.loads(pickle.dumps(result))
    assert again.dask.layers[again.name].annotations == {"retries": 3}


@pytest.mark.parametrize(
    "chunks", [0, {0: 0}, ((float("nan"),),), -5, ((5, -2, 13),), ((7, 8),), ((1.5, 14.5),), object()]
)
def test_chunks_that_are_none(chunks: Any) -> None:
    made = fo.plan.numpy.pad((12,), 2, "reflect")
    with pytest.raises(
        fo.AttributeValueError, match=r"dask\.apply: chunks must be what dask takes as chunks of .* \(16,\)"
    ):
        fod.apply(made, da.arange(12, chunks=5), chunks=chunks)


def test_rolls_of_all_elements() -> None:
    """Without an axis: of data that is not flattened, in chunks that are the source's."""
    chosen = random.Random(0)
    for _ in range(scale(40, 1000)):
        shape = tuple([chosen.randint(1, 5) for _ in range(chosen.randint(0, 5))])
        data = np.arange(int(np.prod(shape))).reshape(shape)
        source = chunked(chosen, data)
        shift = chosen.choice([0, 1, chosen.randint(-400, 400)])
        result = fo.numpy.roll(source, shift)
        assert result.chunks == source.chunks
        assert_computes(result, np.roll(data, shift))
    large = da.ones((101, 60, 100_000), chunks=(101, 1, 100_000))
    rolled = fo.numpy.roll(large, 3)
    assert (rolled.chunks, len(rolled.__dask_graph__())) == (large.chunks, 120)


def test_rolls_of_arrays_with_empty_chunks() -> None:
    data = np.arange(24).reshape(3, 8)
    for chunks in (((0, 2, 1), (8,)), ((3, 0), (4, 0, 4))):
        assert_computes(fo.numpy.roll(da.from_array(data, chunks=chunks), 3), np.roll(data, 3))


def test_expressions_are_refused() -> None:
    code = """
import dask
dask.config.set({"array.query-planning": True})
import dask.array as da, fastops as fo
array = da.arange(4, chunks=2)
print("expression" if hasattr(array, "expr") else "graph")
try:
    fo.numpy.flip(array)
except fo.AttributeValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    if not done.stdout.startswith("expression"):
        pytest.skip("this version of dask has no arrays that are expressions")
    assert "numpy.flip: m must be an array of a graph, not an expression" in done.stdout


@pytest.mark.parametrize("make", [lambda a: [a, a], lambda a: ((a,), (a,)), lambda a: [xr.DataArray(a)]])
def test_lists_of_arrays_are_not_computed(make: Any) -> None:
    with pytest.raises(fo.AttributeValueError, match=r"m must be (one array, or a list of|in memory)"):
        fo.numpy.flip(make(da.arange(4, chunks=2)))


def test_the_memory_of_few_elements_of_a_large_array() -> None:
    code = """
import resource, numpy as np, dask, dask.array as da, fastops as fo
dask.config.set(scheduler="sync")
fo.numpy.pad(da.ones((30, 30), chunks=20), 1, "reflect").compute()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
source = da.ones((50_000, 100_000), chunks=1000, dtype=np.float32)
assert fo.numpy.pad(source, 10, "reflect")[3:8, 3:8].compute().sum() == 25
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < 100_000, grown
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("call", [lambda a: fo.numpy.pad(a, 1), lambda a: fo.numpy.broadcast_to(a, (3, 4))])
def test_chunks_that_are_no_arrays_of_numpy(call: Any) -> None:
    listed = da.from_array(np.arange(4.0), chunks=2).map_blocks(list, dtype=np.float64, meta=np.empty(0))
    with pytest.raises(fo.AttributeValueError, match="chunk: data must be an array of NumPy, as its array says, got"):
        call(listed).compute()


def test_chunks_that_are_scalars() -> None:
    total = da.from_array(np.arange(4.0), chunks=2).sum()
    np.testing.assert_array_equal(fo.numpy.tile(total, 2).compute(), [6, 6])
