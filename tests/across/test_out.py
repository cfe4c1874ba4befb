"""The caller's output: every reason to refuse it, before a byte is written. Overlaps: see test_overlap.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._arrays import _outputs


@pytest.mark.parametrize(
    ("out", "rule"),
    [
        (np.zeros(4), r"out must have shape \(3,\), got \(4,\)"),
        (np.zeros((3, 1)), r"out must have shape \(3,\), got \(3, 1\)"),
        (np.zeros(3, np.float32), "out must have dtype float64, got dtype"),
        (np.zeros(3, ">f8"), "out must have dtype float64, got"),
        (np.frombuffer(bytes(24)), "out must be writeable"),
        (np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)), "out must hold each element at bytes of its own"),
        ([0.0, 0.0, 0.0], "out must be an array of NumPy, without a mask, got"),
        (np.ma.zeros(3), "out must be an array of NumPy, without a mask, got"),
    ],
)
def test_an_out_that_does_not_fit_is_refused_before_a_byte_is_written(out: Any, rule: str) -> None:
    before = bytes(out.tobytes()) if isinstance(out, np.ndarray) else None
    data = np.arange(1.0, 4.0)
    calls: list[Callable[[Any], Any]] = [
        lambda out: fo.strided_slice(data, [0], [3], out=out),
        lambda out: fo.slice(data, [0], [3], out=out),
        lambda out: fo.variadic_split(data, 0, [3], out=[out]),
        lambda out: fo.range(0, 3, 1, "f64", out=out),
        lambda out: fo.plan.slice((3,), [0], [3])(data, out=out),
        lambda out: fo.plan.range(0, 3, 1, "f64")("f64", out=out),
    ]
    for call in calls:
        for _ in range(2):
            with pytest.raises(fo.OutputError, match=rule):
                call(out)
            # What is prepared for this one must not be taken for the other.
            call(np.zeros(3))
    assert before is None or out.tobytes() == before


def test_split_wants_one_out_a_part_and_names_the_one_that_is_wrong() -> None:
    for out in ([np.zeros(1)], [np.zeros(1)] * 3, np.zeros((2, 1)), None.__class__):
        with pytest.raises(fo.OutputError, match="out must be a list of 2 arrays"):
            fo.variadic_split(np.arange(2.0), 0, [1, 1], out=out)
    first = np.zeros((2, 5))
    with pytest.raises(fo.OutputError, match=r"out\[1\] must have shape \(1, 5\), got \(2, 5\)"):
        fo.variadic_split(np.ones((3, 5)), 0, [2, 1], out=[first, np.zeros((2, 5))])
    assert not first.any()


def test_outs_that_overlap_each_other_are_refused_and_interleaved_ones_are_not() -> None:
    data = np.arange(12.0).reshape(3, 4)
    buffer = np.zeros((3, 4))
    with pytest.raises(fo.OutputError, match="overlap each other"):
        fo.variadic_split(data, 1, [2, 2], out=[buffer[:, :2], buffer[:, 1:3]])
    assert not buffer.any()
    fo.variadic_split(data, 1, [2, 2], out=[buffer[:, 2:], buffer[:, :2]])
    np.testing.assert_array_equal(buffer, np.roll(data, 2, axis=1))


def test_many_interleaved_outputs_are_not_compared_in_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    n, compared = 3000, []
    data, memory = np.arange(4 * n).reshape(4, n), np.zeros((4, n + 1), np.int64)
    outs = [memory[:, k : k + 1] for k in range(n)]
    share_memory = _outputs.share_memory
    monkeypatch.setattr(_outputs, "share_memory", lambda *pair: compared.append(0) or share_memory(*pair))
    fo.variadic_split(data, 1, [1] * n, out=outs)
    np.testing.assert_array_equal(memory[:, :n], data)
    with pytest.raises(fo.OutputError, match="out must hold arrays that do not overlap each other"):
        fo.variadic_split(data, 1, [1] * n, out=[*outs[:-1], outs[5]])
    assert len(compared) < 3 * n
