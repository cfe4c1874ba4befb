"""Errors: their grammar, fields and pickles, and messages about values of any size; settings from the environment."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops import _process, _settings
from tests.helpers.processes import peak_of


def raised(call: Callable[[], object]) -> Any:
    with pytest.raises(fo.FastopsError) as info:
        call()
    return info.value


def test_the_grammar_and_the_fields() -> None:
    error = raised(lambda: fo.slice(np.zeros((3, 4)), [0, 9], [3, 1]))
    assert str(error) == "slice: start must be in 0..3 in mode strict_bounds, got 9 (axis 1, extent 4)"
    fields = error.op, error.attribute, error.rule, error.got, error.axis, error.extent
    assert fields == ("slice", "start", "be in 0..3 in mode strict_bounds", 9, 1, 4)
    for cls in (fo.AttributeValueError, fo.OutOfBoundsError, fo.DTypeError, fo.OutputError):
        error = cls("slice", "size", "be at least 0", (1, -2), 1, 5)
        read = pickle.loads(pickle.dumps(error))
        assert type(read) is cls
        assert str(read) == str(error) == "slice: size must be at least 0, got (1, -2) (axis 1, extent 5)"


class Printed:
    """A value whose `__repr__` returns a text, or raises if the text is None."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def __repr__(self) -> str:
        if self.text is None:
            raise RuntimeError
        return self.text


def test_values_of_any_size_are_shown_short() -> None:
    for got, shown in (
        ([10**5000], "[an integer of 16610 bits]"),
        (np.zeros((1000, 1000)), "an array of shape (1000, 1000) and dtype float64"),
        (np.float32(1.5), "np.float32(1.5)"),
        (list(range(10**6)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ...]"),
        (np.ndarray, "<class 'numpy.ndarray'>"),
        (fo.SampleMode.WRAP, "<SampleMode.WRAP: 1>"),
    ):
        assert str(fo.DTypeError("op", "x", "be short", got)) == f"op: x must be short, got {shown}"
    axis = fo.plan.AxisMap.create(10**5000, 0, 1, 1)
    assert repr(axis).startswith("AxisMap(extent=an integer of 16610 bits, start=0, stride=1, count=1, mode=<SampleMod")
    assert "an integer of 16610 bits" in repr(fo.plan.range(0, 10**5000, 1, "i64"))
    assert "shape=(an integer of 16610 bits,)" in repr(fo.plan.SlicePlan([fo.plan.AxisMap.whole(10**5000)]))


def test_a_message_is_one_short_line_whatever_a_value_prints_or_raises() -> None:
    for text in ("a\nb", "a\r\n b", "a\u2028b", "a\x0bb" * 1000, None):
        value = Printed(text)
        for error in (
            fo.DTypeError("op", "x", "be short", value),
            fo.DTypeError("op", "x", "be\n" + str(text), [value] * 99),
        ):
            assert len(str(error).splitlines()) == 1, text
            assert len(str(error)) < 1000, text
            assert repr(error) == f"DTypeError({str(error)!r})"
    assert "Printed" in str(fo.DTypeError("op", "x", "be printable", Printed(None)))


def test_a_value_that_is_large_is_not_printed_to_be_cut() -> None:
    ring: list[object] = []
    ring.append(ring)
    nested: list[object] = [0] * 16
    for _ in range(8):
        nested = [nested] * 16
    for value in (ring, bytes(10**8), dict.fromkeys(range(10**6)), range(10**18), np.zeros((1,) * 64), nested):
        text, peak = peak_of(lambda: str(fo.DTypeError("op", "x", "be short", value)))  # noqa: B023
        # The full text would take many times as much memory.
        assert (len(text) < 1000, peak < 1 << 20) == (True, True)


def test_errors_that_are_of_several_classes_are_public_ones_by_name() -> None:
    for call, public, others in (
        (lambda: fo.numpy.flip(np.zeros(3), 1), fo.AxisError, (np.exceptions.AxisError, fo.AttributeValueError)),
        (lambda: fo.numpy.moveaxis(np.zeros(3), [[0]], 0), fo.AttributeValueError, (ValueError, TypeError)),
        (lambda: fo.plan.torch.flip((3,), [1]), fo.AxisError, (np.exceptions.AxisError, IndexError, RuntimeError)),
        (lambda: fo.plan.torch.roll((3,), []), fo.AttributeValueError, (ValueError, RuntimeError)),
        (lambda: fo.plan.torch.flip((3,), [0.5]), fo.DTypeError, (TypeError, RuntimeError)),
    ):
        error = raised(call)
        error.add_note("a note")
        for each in (error, pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert type(each) is type(error)
            assert all(isinstance(each, cls) for cls in (public, *others))
            assert (type(each).__module__, type(each).__qualname__) == ("fastops", public.__name__)
            assert (str(each), vars(each)) == (str(error), vars(error))
    # Only errors of a framework's own operators derive from the framework's exception.
    for call in (lambda: fo.numpy.tile(np.zeros(3), -1), lambda: fo.variadic_split(np.zeros(3), 0, [9])):
        assert not isinstance(raised(call), RuntimeError)
    # The error has NumPy's fields too.
    error = raised(lambda: fo.numpy.flip(np.zeros((3, 4)), (0, -3)))
    assert str(error) == "numpy.flip: axis must be in -2..1, for data of rank 2, got -3"
    assert (error.axis, error.ndim, error.extent) == (-3, 2, None)


def test_the_environment_moves_the_limit_of_streaming(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"": 7, "  ": 7, "0": 0, "1048576": 1 << 20, "never": sys.maxsize, " NEVER ": sys.maxsize}
    limits |= {"9" * 19: sys.maxsize, str(sys.maxsize - 1): sys.maxsize - 1}
    for written, expected in limits.items():
        monkeypatch.setenv("FASTOPS_STREAM_BYTES", written)
        assert _settings.read_limit("FASTOPS_STREAM_BYTES", 7) == expected, written
    for written in ("-1", "1e6", "16 MiB", "off", "9" * 5000):
        monkeypatch.setenv("FASTOPS_STREAM_BYTES", written)
        monkeypatch.setattr(_process, "_told", {})
        with pytest.warns(RuntimeWarning, match="FASTOPS_STREAM_BYTES must be a number of bytes or never"):
            assert _settings.read_limit("FASTOPS_STREAM_BYTES", 7) == 7


def test_the_environment_says_what_numpy_does(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("allow", "warn", "error")
    for written, expected in {"": "allow", " ": "allow", "WARN": "warn", " error ": "error"}.items():
        monkeypatch.setenv("FASTOPS_FALLBACK", written)
        assert _settings.read_word("FASTOPS_FALLBACK", words) == expected
    monkeypatch.setenv("FASTOPS_FALLBACK", "never")
    monkeypatch.setattr(_process, "_told", {})
    with pytest.warns(RuntimeWarning, match="FASTOPS_FALLBACK must be one of allow, warn, error, got 'never'; allow"):
        assert _settings.read_word("FASTOPS_FALLBACK", words) == "allow"
