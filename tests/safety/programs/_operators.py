"""Every operator, on work that is large enough for threads and on small work, with what NumPy says of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import fastops as fo
from tests.helpers.contract import Subject, all_operators, data_of, outputs_of, tables_of

Call = tuple[str, Callable[[], Any], Any]

# Read here, so that an interrupt meets calls, and not imports of the tests. PyTorch has threads of its own, and takes
# seconds to import.
_FIRST_CALLS = [
    (subject, tables_of(subject.function)[0][0])
    for subject in map(Subject, all_operators())
    if subject.dialect != "torch"
]


def every_operator() -> list[Call]:
    """Return calls: their name, the call, and what it returns if it is right."""
    images = np.arange(3 * 300 * 320, dtype=np.int64).reshape(3, 300, 320)
    pixels = np.arange(500 * 400 * 3, dtype=np.uint32).reshape(500, 400, 3)
    planes = (np.arange(900 * 800) % 251).astype(np.uint8).reshape(800, 900)
    around = np.arange(-2, 22) % 20
    small = np.arange(60.0).reshape(3, 20)
    plan = fo.plan.slice((3, 300, 320), [0, -4, -4], [3, 308, 328], mode="reflect")
    padded = np.pad(images, ((0, 0), (4, 4), (4, 4)), "reflect")
    window = ([-3, -3], [306, 326])
    padding = {"reflect": "reflect", "clamp": "edge", "wrap": "wrap", "symmetric": "symmetric"}
    calls: list[Call] = [
        ("flip", lambda: fo.strided_slice(images, [0, 0, -1], [3, 300, -999], [1, 1, -1]), images[:, :, ::-1]),
        ("channels", lambda: fo.strided_slice(pixels, [0, 0, -1], [500, 400, -9], [1, 1, -1]), pixels[:, :, ::-1]),
        ("transposed bytes", lambda: fo.slice(planes.T, [0, 0], [900, 800]), planes.T),
        ("transposed", lambda: fo.slice(images.T, [0, 0, 0], [320, 300, 3]), images.T),
        ("split", lambda: np.concatenate(fo.variadic_split(images, 2, [100, -1, 20]), 2), images),
        ("plan", lambda: plan(images), padded),
        ("plan into out", lambda: plan(images, out=np.empty(plan.shape, np.int64)), padded),
        ("range i64", lambda: fo.range(5, 200_005, 1, "i64"), np.arange(5, 200_005)),
        ("range f16", lambda: fo.range(0, 300_000, 1, "f32"), np.arange(300_000, dtype=np.float32)),
        ("small slice", lambda: fo.slice(small, [-2], [24], axes=[1], mode="wrap"), np.take(small, around, 1)),
        ("small split", lambda: fo.variadic_split(small, 0, [1, 2])[1], small[1:]),
        ("small range", lambda: fo.range(0, 1, 0.25, "f64"), np.arange(0, 1, 0.25)),
    ]  # fmt: skip
    for mode, name in padding.items():
        expected = np.pad(images, ((0, 0), (3, 3), (3, 3)), name)  # type: ignore[call-overload]
        calls.append((mode, partial(fo.slice, images, *window, axes=[1, 2], mode=mode), expected))
    for subject, call in _FIRST_CALLS:
        data = data_of(call, subject.dtypes(call)[0])
        expected = _joined(outputs_of(call.expected(data)))
        calls.append((subject.op, partial(_run_joined, subject, data, call.arguments), expected))
    filled = np.pad(images, ((0, 0), (3, 3), (3, 3)), constant_values=7)
    calls.append(("fill", partial(fo.slice, images, *window, axes=[1, 2], mode="fill", fill_value=7), filled))
    return calls


def _run_joined(subject: Subject, data: Any, arguments: dict[str, Any]) -> Any:
    return _joined(subject.run(data, arguments))


def _joined(outputs: list[Any]) -> Any:
    return np.concatenate([output.ravel() for output in outputs])


def check(call: Call) -> None:
    """Make a call; raise unless it is right."""
    name, run, expected = call
    if not np.array_equal(run(), expected):
        raise ValueError(f"{name} is wrong")


def check_all() -> None:
    """Make each call once."""
    for call in every_operator():
        check(call)
