"""Lazy arrays and chains: stages that are collected, and run in one call.

One run of the kernel gives the result of the stages one by one, for every dtype and layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from fastops._execution._views import as_view
from tests.helpers.chains import LAYOUTS, Array, array_of, draw_stages, joined, lay_out, moved, one_by_one
from tests.helpers.seeds import chooser, noted, scale

IMAGE = np.arange(8 * 9 * 3, dtype=np.uint8).reshape(8, 9, 3)


def test_all_stages_give_what_numpy_gives() -> None:
    chain = (
        fo.lazy(IMAGE)
        .pad(((2, 1), (3, 0), (0, 0)), "reflect")[1:, ::-1]
        .slice([-1, 0], [12, 20], axes=[0, 1], mode="fill", fill_value=9)
        .repeat(2, axis=1)
        .transpose((2, 0, 1))
    )
    x = np.pad(IMAGE, ((2, 1), (3, 0), (0, 0)), "reflect")[1:, ::-1]
    x = np.pad(x, ((1, 1), (0, 8), (0, 0)), constant_values=9)
    x = np.repeat(x, 2, axis=1).transpose(2, 0, 1)
    assert (chain.shape, chain.dtype, chain.ndim) == (x.shape, x.dtype, 3)
    assert np.array_equal(chain.run(), x)
    assert np.array_equal(np.asarray(chain), x)
    assert np.asarray(chain, np.int32).dtype == np.int32
    out = np.empty(x.shape[::-1], np.uint8).T
    assert chain.run(out=out) is out
    assert np.array_equal(out, x)
    assert chain.plan(IMAGE, fill_value=9).tobytes() == x.tobytes()


def test_stages_do_not_change_the_chain_that_they_go_on_from() -> None:
    chain = fo.lazy(IMAGE).flip(1)
    assert (chain[0].shape, chain[:, 0].shape) == ((9, 3), (8, 3))
    assert repr(chain) == "Lazy((8, 9, 3) -> (8, 9, 3), uint8: flip)"
    assert repr(fo.lazy([1, 2])) == "Lazy((2,) -> (2,), int64: no stages)"
    assert fo.lazy([[1, 2], [3, 4]]).repeat(2).run().tolist() == [1, 1, 2, 2, 3, 3, 4, 4]


def test_data_is_read_when_a_chain_is_run_with_the_fill_value_of_each_stage() -> None:
    data = np.zeros((2, 2), np.int16)
    chain = fo.lazy(data).pad(1, constant_values=5).pad(((1, 0), (0, 2)), "constant", ((1, 2), (3, 4)))
    data[:] = np.arange(4).reshape(2, 2)
    expected = np.pad(np.pad(data, 1, constant_values=5), ((1, 0), (0, 2)), constant_values=((1, 2), (3, 4)))
    assert np.array_equal(chain.run(), expected)
    assert np.array_equal(fo.lazy(data).slice([-1, -1], [4, 4], mode="fill").run(), np.pad(data, 1))


def test_a_stage_that_cannot_join_says_where_to_cut() -> None:
    flat = fo.lazy(IMAGE[..., 0]).pad(1, "wrap").transpose().repeat(2)
    rule = "stage must join the stages before it, pad, transpose, repeat, in one plan, but it does not keep .*"
    with pytest.raises(fo.AttributeValueError, match=rf"^lazy\.pad: {rule}: go on with the result of run\(\)"):
        flat.pad(3, "reflect")
    assert np.array_equal(fo.lazy(flat.run()).pad(3, "reflect").run(), np.pad(flat.run(), 3, "reflect"))


def test_errors_name_the_stage() -> None:
    image, widths = fo.lazy(IMAGE), ((1, 2), (3, 4), (5, 6))
    for stage, message in (
        (lambda: image[9], r"take_slice: index must be in -8..7, got 9 \(axis 0, extent 8\)"),
        (lambda: image.tile(-1), "tile: reps must be at least 0, got -1"),
        (lambda: image.roll(1), "roll: axis must be given unless there is one axis"),
        (lambda: image.flip(3), "flip: axis must be in -3..2"),
        (lambda: image.transpose([0]), r"transpose: axes must name each of the 3 axes once, got \[0\]"),
        (lambda: image.pad(1, constant_values="a"), "pad: constant_values must be a value that NumPy assigns to uint8"),
        (lambda: image.slice([0], [1], axes=[0], mode="fill", fill_value=300), "slice: fill_value must"),
        (lambda: image.slice([-1], [1], axes=[0]), "slice: start must be in 0..7 in mode strict_bounds"),
        (lambda: image.pad(-1, constant_values=widths), "pad: pad_width must be at least 0, got -1"),
        (lambda: image.pad("a", constant_values=widths), "pad: pad_width must be an integer"),
        (lambda: image.pad(1, np.array(["edge", "wrap"])), "pad: mode must be one of constant, edge"),
        (lambda: image.flip().run(out=np.zeros(3, "u1")), r"run: out must have shape \(8, 9, 3\), got \(3,\)"),
        (lambda: fo.lazy(np.array([None])), "x must"),
    ):
        with pytest.raises(fo.FastopsError, match=rf"^lazy(\.|: ){message}"):
            stage()


def test_a_lazy_array_is_no_array_by_accident() -> None:
    chain = fo.lazy([1, 2, 3])
    with pytest.raises(TypeError):
        np.add(chain, 1)
    with pytest.raises(TypeError):
        iter(chain)  # type: ignore[call-overload]


def test_a_chain_that_reads_in_bounds_can_become_a_view() -> None:
    view = np.asarray(fo.lazy(IMAGE)[::2, ::-1].transpose((2, 0, 1)), copy=False)
    assert np.shares_memory(view, IMAGE)
    assert np.array_equal(view, IMAGE[::2, ::-1].transpose(2, 0, 1))
    for stage, reason in ((fo.lazy(IMAGE).pad(1), "out of bounds"), (fo.lazy(IMAGE).repeat(2, axis=0), "merge axes")):
        with pytest.raises(ValueError, match=reason):
            np.asarray(stage, copy=False)
    with pytest.raises(ValueError, match="stages cast"):
        np.asarray(fo.lazy(IMAGE), np.int32, copy=False)


def test_axes_may_be_arguments_of_their_own() -> None:
    image = np.arange(24).reshape(2, 3, 4)
    for axes in ((2, 0, 1), (0, -1, 1)):
        assert np.array_equal(fo.lazy(image).transpose(*axes).run(), image.transpose(axes))
        plans = fo.lazy(image).plan.transpose(*axes), fo.lazy(image).transpose(*axes).plan
        assert set(plans) == {fo.plan.numpy.transpose(image.shape, axes), fo.lazy(image).transpose(axes).plan}
    row = fo.lazy(np.arange(5))
    assert row.plan.transpose(0) == row.plan.transpose(np.int64(0)) == row.plan.transpose() == row.transpose(0).plan
    with pytest.raises(fo.AttributeValueError, match="axes must name the one axis once, got"):
        row.transpose(0, 1)
    for chain in (fo.lazy(image), fo.lazy(image).plan):
        with pytest.raises(fo.FastopsError, match=r"axes must .*, got \(2, 0\)"):
            chain.transpose(2, 0)


EAGER: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in ("flip", "repeat", "roll", "tile", "transpose")},
    "pad": fo.numpy.pad,
    "slice": fo.slice,
    "__getitem__": lambda x, key: x[key],
}


def draw_stage(dice: Random, shape: tuple[int, ...], axis: int) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """Return a stage for data of three axes, one of them for channels."""
    name = dice.choice([*EAGER, "slice", "pad"])
    if name == "slice":
        start, size, stride = [[dice.randint(*ends) for _ in range(3)] for ends in ((-3, 3), (1, 6), (-2, 2))]
        values = dice.choice((77, [dice.randint(100, 255) for _ in range(size[axis])]))
        return name, (start, size, stride), {"mode": "fill", "fill_value": values, "channel_axis": axis - 3}
    if name == "pad":
        widths = [(dice.randint(0, 2), dice.randint(0, 2)) for _ in range(3)]
        if mode := dice.choice(("wrap", "edge", "reflect", "")):
            return name, (widths, mode), {}
        fills = [dice.randint(100, 255) for _ in range(shape[axis] + sum(widths[axis]))]
        return name, (widths,), {"constant_values": fills, "channel_axis": axis}
    arguments: dict[str, tuple[Any, ...]] = {
        "transpose": (dice.sample(range(3), 3),),
        "__getitem__": ((slice(dice.randint(0, 1), None), slice(None, None, dice.choice((-1, 2)))),),
        "repeat": (2, (axis + 1) % 3),
        "tile": ((1, 2, 1),),
    }
    return name, arguments.get(name, (dice.randint(0, 2), axis) if name == "roll" else (axis,)), {}


def test_random_chains_fill_each_channel_as_the_calls_one_after_the_other_do() -> None:
    for k in range(scale(60, 5_000)):
        dice = chooser(f"chain of channels {k}")
        dtype = np.dtype(dice.choice(("u1", ">i2", "f2", ml_dtypes.bfloat16, "f4", "c8")))
        x: Any = np.arange(1, 61).astype(dtype).reshape(3, 4, 5)
        chain, axis = fo.lazy(x), dice.randrange(3)
        for _ in range(dice.randint(1, 6)):
            name, values, options = draw_stage(dice, x.shape, axis)
            with noted(k, chain, name, values, options):
                x = EAGER[name](x, *values, **options)
                try:
                    chain = getattr(chain, name)(*values, **options)
                except fo.AttributeValueError as error:
                    if "go on with the result" not in str(error):
                        raise
                    chain = getattr(fo.lazy(chain.run()), name)(*values, **options)
                axis = values[0].index(axis) if name == "transpose" else axis
                np.testing.assert_array_equal(chain.run(), x, strict=True)
            if not x.size or x.size > 10_000:
                # NumPy does not pad empty axes.
                break
        with noted(k, chain, axis):
            for key in [..., (..., slice(0, 0)), *[(slice(None),) * axis + (0,)] * min(x.size, 1)]:
                out = np.empty(x[key].shape[::-1], dtype).T
                assert chain[key].run(out=out) is out
                assert out.tobytes() == x[key].tobytes()
            if x.shape[axis] and dtype.name in ("uint8", "float16", "float32"):
                numbers = range(1, x.shape[axis] + 1)
                normal = fo.lazy(x).normalize(numbers, numbers, axis=axis).run()
                assert chain.normalize(numbers, numbers, axis=axis).run().tobytes() == normal.tobytes()


@pytest.mark.parametrize("package", ["torch", "dask.array"])
def test_chains_that_fill_each_channel_read_other_kinds_of_data(package: str) -> None:
    module = pytest.importorskip(package)
    data = module.from_numpy(IMAGE) if package == "torch" else module.from_array(IMAGE, 4)
    window = {"start": [-2, 3, 0], "size": [9, 11, 3], "mode": "fill", "fill_value": [1, 2, 3]}
    eager = fo.slice(IMAGE, **window)[::-1].transpose(2, 0, 1)
    chain = fo.lazy(data).slice(**window).flip(0).transpose(2, 0, 1)
    assert type(chain.run()) is type(data)
    assert np.array_equal(np.asarray(chain.run()), eager)
    normal = fo.lazy(eager).normalize((1, 2, 3), 2, axis=0).run()
    assert np.array_equal(np.asarray(chain.normalize((1, 2, 3), 2, axis=0).run()), normal)


def test_what_is_wrong_with_fill_values_of_channels() -> None:
    image = fo.lazy(IMAGE)
    window = {"start": [-1, 0, 0], "size": [9, 9, 3], "mode": "fill"}
    filled = image.slice(**window, fill_value=[1, 2, 3])
    apart, widths = "stage must join the stages before it, .* in one plan, but it", ((0, 0), (1, 0), (0, 0))
    for stage, message in (
        (lambda: image.slice(**window, fill_value=[1, 2]), "slice: fill_value must be a scalar, or a list of 3"),
        (lambda: image.slice(**window, fill_value=[1, 2, 300]), "slice: fill_value must"),
        (lambda: image.slice([0] * 3, [2] * 3, fill_value=[1, 300]), "slice: fill_value must"),
        (lambda: image.slice(**window, fill_value=[1], channel_axis=3), "slice: channel_axis must be in -3..2"),
        (lambda: image.pad(1, "edge", channel_axis=0), "pad: channel_axis must not be given in mode edge, got 0"),
        (lambda: image.pad(1, constant_values=[1], channel_axis=0), "pad: constant_values must be a scalar, or a list"),
        (lambda: filled.repeat(2, -1), f"repeat: {apart} merges the axis of channels, .*go on with the result"),
        (lambda: filled.pad(widths, constant_values=range(9), channel_axis=0), f"pad: {apart} has channels .*go on"),
    ):
        with pytest.raises(fo.FastopsError, match=rf"^lazy\.{message}"):
            stage()


# Types of every width that kernels know, and of other widths; both byte orders, and types in which not every byte is
# valid.
DTYPES = [
    *("?", "u1", "i1", "<i2", ">u2", "f2", "V3", "f4", ">i4", "V5", "V6", "S7", "U2", "f8", ">f8", "c8", "M8[s]"),
    *("V9", ">U3", "V12", "c16", ">c16", "V16", "V24", "V32", "V40", "V100", "V200", ml_dtypes.bfloat16),
    [("a", "<i2"), ("b", ">f4"), ("c", "u1", 3)],
    np.dtype([("x", "f8"), ("y", "?"), ("z", "S3")], align=True),
]

# Limits of small chains, and of chains whose rows are long enough for vectors.
LIMITS: list[dict[str, Any]] = [{}, {"lengths": (1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 48, 64, 97), "most": 20_000}]


def elements(chosen: Random, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Return random elements, with zeros between the fields of records: fill values do not have these bytes."""
    if dtype.names is not None:
        record = np.zeros(shape, dtype)
        for name in dtype.names:
            field = dtype[name]
            record[name] = elements(chosen, (*shape, *field.shape), field.base)
        return record
    made = array_of(shape, dtype, "C", seed=chosen.randint(0, 1 << 30)).copy()
    if dtype.kind == "U":
        points = made.reshape(-1).view("u4") % 0xD7FF + 1
        return points.astype(dtype.byteorder + "u4").view(dtype).reshape(shape)
    return np.asarray(made.view("u1") & 1).view("?") if dtype.kind == "b" else made


def test_random_chains_of_every_dtype_and_layout() -> None:
    counted: Counter[str] = Counter()
    for case in range(scale(320, 20_000)):
        chosen = chooser(f"chain {case}")
        stages = draw_stages(chosen, chosen.choice((1, 2, 2, 3, 3, 4, 4)), **LIMITS[case % 2])
        dtype = np.dtype(DTYPES[case % len(DTYPES)])
        # NumPy does not copy the bytes between fields, so compare elements as raw bytes.
        cell = f"V{dtype.itemsize}"
        while (plan := joined(stages)) is None:
            stages.pop()
            counted["several plans"] += 1
        assert plan.fills == sum([stage.plan.fills for stage in stages])
        data, fills = elements(chosen, plan.source_shape, dtype), elements(chosen, (plan.fills,), dtype)
        is_raw = dtype.kind == "S" or (dtype.kind == "V" and dtype.names is None and dtype.isbuiltin != 2)
        values: Any = [value.tobytes() if is_raw else value for value in fills]
        if chosen.random() < 0.3:
            # One value for all, or zeros.
            fills = fills[:1].view(cell).repeat(plan.fills).view(dtype) if fills.size else fills
            values = values[0] if values else None
        elif chosen.random() < 0.3:
            values, fills = None, np.zeros(fills.shape, dtype)
        expected = moved(data, one_by_one(stages), fills) if plan.size else np.zeros(plan.shape, dtype)
        with noted(case, plan, dtype, values):
            source = lay_out(data.view(cell), chosen.choice(LAYOUTS[:-1])).view(dtype)
            source.flags.writeable = chosen.random() < 0.7
            result = plan(source, fill_value=values)
            assert (result.dtype, result.flags.c_contiguous, result.tobytes()) == (dtype, True, expected.tobytes())
            out = lay_out(np.zeros(plan.shape, dtype), chosen.choice(LAYOUTS[:-1]))
            assert plan(source, out, values) is out
            assert out.view(cell).tobytes() == expected.tobytes()
            if plan.is_view:
                counted["views"] += 1
                view = as_view(plan.geometry, source)
                assert (view.shape, view.view(cell).tobytes()) == (expected.shape, expected.tobytes())
                assert not view.size or np.shares_memory(view, source)
    assert min(counted[each] for each in ("several plans", "views")) > 0, counted
