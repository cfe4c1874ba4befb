"""Lazy arrays: stages that are collected, and run in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo

IMAGE = np.arange(8 * 9 * 3, dtype=np.uint8).reshape(8, 9, 3)


def test_all_stages_give_what_numpy_gives() -> None:
    chain = (
        fo.lazy(IMAGE)
        .pad(((2, 1), (3, 0), (0, 0)), "reflect")[1:, ::-1]
        .roll((1, -2), (0, 1))
        .flip(0)
        .tile((1, 2, 1))
        .slice([-1, 0], [12, 20], axes=[0, 1], mode="fill", fill_value=9)
        .repeat(2, axis=1)
        .transpose((2, 0, 1))
    )
    x = np.pad(IMAGE, ((2, 1), (3, 0), (0, 0)), "reflect")[1:, ::-1]
    x = np.tile(np.flip(np.roll(x, (1, -2), (0, 1)), 0), (1, 2, 1))
    x = np.pad(x, ((1, 5), (0, 0), (0, 0)), constant_values=9)[:12, :20]
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


def test_the_same_chain_of_other_types_has_its_fill_value_too() -> None:
    # Chains of one geometry share a plan, and with it the call that the last one prepared.
    for dtype in ("u1", "f4", "i8", "u1", "c8", "?"):
        data = np.arange(12).reshape(3, 4).astype(dtype)
        expected = np.pad(data, 1, constant_values=1)
        for chain in (
            fo.lazy(data).pad(1, constant_values=1),
            fo.lazy(data).slice((-1, -1), (5, 6), mode="fill", fill_value=1),
        ):
            for result in (chain.run(), chain.run(out=np.empty((6, 5), dtype).T)):
                np.testing.assert_array_equal(result, expected, strict=True)


@pytest.mark.parametrize("dtype", [">i2", ">f8", ">U3", np.dtype({"names": ["a"], "formats": ["u1"], "itemsize": 4})])
def test_types_that_numpy_does_not_keep_when_it_joins_arrays_have_their_fill_value(dtype: Any) -> None:
    data = np.arange(6, dtype="u1").astype(dtype).reshape(2, 3)
    padded = fo.lazy(data).pad(1, "constant").flip(0).pad(2, "constant").run()
    expected = fo.numpy.pad(fo.numpy.flip(fo.numpy.pad(data, 1), 0), 2)
    assert padded.dtype == data.dtype
    assert np.array_equal(padded, expected)


def test_a_stage_that_cannot_join_says_where_to_cut() -> None:
    flat = fo.lazy(IMAGE[..., 0]).pad(1, "wrap").transpose().repeat(2)
    rule = (
        "stage must join the stages before it, pad, transpose, repeat, in one plan, but it does not keep .*cut there, "
    )
    with pytest.raises(fo.AttributeValueError, match=rf"^lazy\.pad: {rule}and go on with run\(\)"):
        flat.pad(3, "reflect")
    assert np.array_equal(fo.lazy(flat.run()).pad(3, "reflect").run(), np.pad(flat.run(), 3, "reflect"))


def test_errors_name_the_stage() -> None:
    image, widths = fo.lazy(IMAGE), ((1, 2), (3, 4), (5, 6))
    for stage, message in (
        (lambda: image[9], r"take_slice: index must be in -8..7, got 9 \(axis 0, extent 8\)"),
        (lambda: image.tile(-1), "tile: reps must be at least 0, got -1"),
        (lambda: image.roll(1), "roll: axis must be given where there is not one axis"),
        (lambda: image.flip(3), "flip: axis must be in -3..2"),
        (lambda: image.transpose([0]), r"transpose: axes must name each of the 3 axes once, got \[0\]"),
        (lambda: image.pad(1, constant_values="a"), "pad: constant_values must be what NumPy converts to uint8"),
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
    with pytest.raises(ValueError, match="another dtype"):
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
