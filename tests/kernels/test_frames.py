"""Frames: rows of one long run with a few cells on either side, of every width and around every length of a span."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._execution._prepared_call import prepare_plans
from fastops.kernels._tables import _gather as t

Array = np.ndarray[Any, Any]

MODES = {"wrap": "wrap", "reflect": "reflect", "clamp": "edge", "symmetric": "symmetric"}

# Bytes of a span: below and above each length from which on it is moved in another way.
SPANS = (15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 600)
PADS = ((1, 1), (0, 3), (2, 0), (16, 16), (16, 17), (17, 2), (31, 70), (5, 9))


def padded(source: Array, pads: tuple[int, int], mode: str, **options: Any) -> tuple[Array, bytes]:
    """Pad rows into memory with guard bytes on both sides; return the result, and the guards."""
    low, high = pads
    shape = (source.shape[0] + 2, source.shape[1] + low + high)
    n = shape[0] * shape[1] * source.itemsize
    memory = np.full(n + 128, 0xA5, np.uint8)
    out = memory[64 : 64 + n].view(source.dtype).reshape(shape)
    fo.slice(source, [-1, -low], shape, mode=mode, out=out, **options)
    return out, memory[:64].tobytes() + memory[64 + n :].tobytes()


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16, 3])
@pytest.mark.parametrize("mode", [*MODES, "fill"])
def test_rows_of_every_length(width: int, mode: str) -> None:
    rng = np.random.default_rng(width)
    for span in SPANS:
        cells = max(-(-span // width), 2)
        source = np.frombuffer(rng.bytes(3 * cells * width), f"V{width}").reshape(3, cells)
        for low, high in PADS:
            result, guards = padded(source, (low, high), mode)
            pads = ((1, 1), (low, high))
            expected = np.pad(source, pads) if mode == "fill" else np.pad(source, pads, MODES[mode])  # type: ignore[call-overload]
            assert result.tobytes() == expected.tobytes(), (span, low, high)
            assert guards == b"\xa5" * 128


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("mode", [*MODES, "fill"])
def test_rows_of_pixels(dtype: str, channels: int, mode: str) -> None:
    rng = np.random.default_rng(channels)
    for columns in (6, 16, 40):
        source = rng.integers(0, 255, (3, columns, channels)).astype(dtype)
        for low, high in ((0, 1), (1, 4), (5, 5), (6, 2), (7, 16), (17, 33), (80, 3)):
            shape = (5, columns + low + high, channels)
            size = int(np.prod(shape)) * source.itemsize
            memory = np.full(size + 128, 0xA5, np.uint8)
            out = memory[64 : 64 + size].view(source.dtype).reshape(shape)
            options: dict[str, Any] = {"fill_value": 3} if mode == "fill" else {}
            fo.slice(source, [-1, -low, 0], shape, mode=mode, out=out, **options)
            pads = ((1, 1), (low, high), (0, 0))
            expected = (
                np.pad(source, pads, constant_values=3) if mode == "fill" else np.pad(source, pads, MODES[mode])  # type: ignore[call-overload]
            )
            np.testing.assert_array_equal(out, expected, err_msg=str((columns, low, high)))
            assert (np.delete(memory, np.s_[64 : 64 + size]) == 0xA5).all()


def test_a_fill_value_on_one_side_and_cells_on_none() -> None:
    source = np.arange(3 * 40, dtype=np.uint16).reshape(3, 40)
    result, _ = padded(source, (5, 0), "fill", fill_value=7)
    np.testing.assert_array_equal(result, np.pad(source, ((1, 1), (5, 0)), constant_values=7))


def test_a_source_of_any_layout() -> None:
    base = np.arange(50 * 60, dtype=np.int32).reshape(50, 60)
    for source in (base[::2], base[::-1], base[:, 10:50], base[5:20, 3:], np.broadcast_to(base[:1], (9, 60))):
        expected = np.pad(source, ((1, 1), (2, 3)), "reflect") if len(source) > 1 else None
        result, _ = padded(source, (2, 3), "reflect")
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("index", "needs"),
    [
        (((0, 1, 100), (-2, 1, 104)), t.NEEDS_FRAMES),
        (((0, 1, 100), (0, 1, 100)), 0),
        (((-2, 1, 104), (0, 1, 100)), 0),
    ],
)
def test_tables_that_need_frames_say_so(index: tuple[tuple[int, int, int], ...], needs: int) -> None:
    start, stride, size = zip(*index, strict=True)
    plan = fo.plan.slice((100, 100), start, size, stride, mode="reflect")
    call = prepare_plans((plan,), (400, 4), np.dtype("f4"))
    assert call.layout.needs & t.NEEDS_FRAMES == needs
