"""Random ranges: start, end and step in each framework's forms and types."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from tests.conformance._live import Call
from tests.conformance._live_draws import LEFT_OUT, spelled

_NUMBERS = (0, 1, 2, 3, 5, 7, 20, -1, -4, -20)
_FRACTIONS = (0.5, 0.1, 0.3, 1.5, 2.75, -0.2, -3.5, 10.0)


def draw_tensorflow_range(rng: Random) -> Call:
    if rng.random() < 0.03:
        halves = {"start": rng.choice((0, 1.5)), "limit": rng.choice((3, 2.5)), "delta": rng.choice((1, 0.1))}
        return spelled(rng, None, {**halves, "dtype": "float16"})
    is_float = rng.random() < 0.5

    def draw(numbers: tuple[Any, ...] = _NUMBERS) -> Any:
        return rng.choice((*_FRACTIONS, *numbers) if is_float else numbers)

    start, limit = sorted((draw(), draw()))
    delta = abs(draw()) or 1
    if rng.random() < 0.3:
        start, limit, delta = limit, start, -delta
    if rng.random() < 0.08:
        delta = rng.choice((0, -delta))
    is_far = rng.random() < 0.06
    if is_far:
        limit, delta = rng.choice(((2**31 - 1, 2**29), (2**63 - 1, 2**61), (-(2**63), -(2**60)), (2**31, 2**30)))
    if is_float and rng.random() < 0.06:
        values = [start, limit, delta]
        values[rng.randrange(3)] = rng.choice((float("nan"), float("inf"), -float("inf")))
        return spelled(rng, None, dict(zip(("start", "limit", "delta"), values, strict=True)))
    dtype: Any = LEFT_OUT
    if rng.random() < 0.3:
        dtype = rng.choice(("int32", "int64", "float32", "float64"))
    # Floats that an integer type does not hold become any number of it.
    if rng.random() < 0.4 and not (is_far and dtype in ("int32", "int64")):
        names = ("float32", "float64") if is_float else ("int32", "int64", "float32", "float64")
        start, limit, delta = (_typed(rng, value, names) for value in (start, limit, delta))
    if not is_far and rng.random() < 0.15:
        return spelled(rng, None, {"start": limit, "limit": LEFT_OUT, "delta": LEFT_OUT, "dtype": dtype})
    delta = LEFT_OUT if not is_far and rng.random() < 0.2 else delta
    return spelled(rng, None, {"start": start, "limit": limit, "delta": delta, "dtype": dtype})


def _typed(rng: Random, value: Any, names: tuple[str, ...]) -> Any:
    """A number of Python's, or one of NumPy's of a type that can express it."""
    name = rng.choice(names)
    if rng.random() < 0.3 or (name[0] == "i" and not -(2**31) <= value < 2**31):
        return value
    return np.dtype(name).type(value)


def draw_onnx_range(rng: Random) -> Call:
    """Numbers of one type, of which few are of another."""
    dtype = rng.choice(("int16", "int32", "int64", "float32", "float64"))
    numbers = (*_FRACTIONS, *_NUMBERS) if dtype[0] == "f" else _NUMBERS
    start, limit = sorted((rng.choice(numbers), rng.choice(numbers)))
    delta = abs(rng.choice(numbers)) or 1
    if rng.random() < 0.3:
        start, limit, delta = limit, start, -delta
    if rng.random() < 0.08:
        delta = rng.choice((0, -delta))
    if rng.random() < 0.06:
        most = 2 ** {"int16": 15, "int32": 31}.get(dtype, 63)
        limit, delta = rng.choice(((most - 1, most // 8), (-most, -most // 8)))
        start = rng.choice((start, most - 3 if limit > 0 else -most + 5))
    values = [start, limit, delta]
    if dtype[0] == "f" and rng.random() < 0.04:
        values[rng.randrange(3)] = rng.choice((float("nan"), float("inf"), -float("inf")))
    typed = [np.dtype(dtype).type(value) for value in values]
    if rng.random() < 0.03:
        at = rng.randrange(3)
        typed[at] = np.dtype("float32" if dtype == "int64" else "int64").type(1)
    names = ("start", "limit", "delta")
    return spelled(rng, None, dict(zip(names, typed, strict=True)))


def draw_openvino_range(rng: Random) -> Call:
    """Numbers of any types, each of its own, as numbers of an output type."""
    output_type = rng.choice(("int8", "uint8", "int16", "int32", "int64", "uint32", "float16", "float32", "float64"))
    is_signed = output_type[0] != "u"
    numbers: tuple[Any, ...] = tuple([each for each in _NUMBERS if is_signed or each >= 0])
    input_type = rng.choice((output_type, "float32", "float64", "float64"))
    if input_type[0] == "f":
        numbers = (*numbers, *[each for each in _FRACTIONS if is_signed or each >= 0])
    start, stop = sorted((rng.choice(numbers), rng.choice(numbers)))
    step = abs(rng.choice(numbers)) or 1
    if is_signed and rng.random() < 0.3:
        start, stop, step = stop, start, -step
    elif rng.random() < 0.08:
        start, stop = stop, start
    if rng.random() < 0.04:
        step = 0
    values = [start, stop, step]
    if input_type[0] == "f" and rng.random() < 0.03:
        values[rng.randrange(3)] = rng.choice((float("nan"), float("inf"), -float("inf")))
    arrays = [np.array(value, input_type)[()] for value in values]
    names = ("start", "stop", "step")
    return spelled(rng, None, {**dict(zip(names, arrays, strict=True)), "output_type": output_type})
