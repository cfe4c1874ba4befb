"""The object layout that kernels read: objects have it, the check refuses other layouts, and calls work without it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._execution import _execute, _range_call, _windows_call
from fastops._runtime import _kernels
from fastops.kernels._entries import ENTRIES
from fastops.kernels._intrinsics import _object_layout as layout
from tests.helpers.contract import outcome
from tests.helpers.hostile_calls import good_calls
from tests.helpers.seeds import chooser, noted

FIELDS = ("OBJECT_TYPE", "TUPLE_ITEMS", "TUPLE_LENGTH", "LIST_ITEMS", "SLICE_ITEMS", "SCALAR_VALUE")


def test_another_layout_is_not_taken_for_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each field of CPython's objects at another place; all fields of tuples moved; and another version of NumPy's
    # binary interface.
    moves = (-(2**40), -16, -8, 8, 16, 24, 48, 2**40)
    changes = [{name: getattr(layout, name) + by} for name in FIELDS for by in moves]
    changes += [{name: getattr(layout, name) + by for name in FIELDS if "TUPLE" in name} for by in (-8, 8, 16)]
    changes += [{"_BINARY_INTERFACE": version} for version in (1, 3)]
    is_as_expected = layout.is_as_expected.__wrapped__
    assert is_as_expected()
    for change in changes:
        with monkeypatch.context() as patched:
            for name, value in change.items():
                patched.setattr(layout, name, value)
            assert not is_as_expected(), change


# --- Where objects have another layout -----------------------------------------------------------------------------


def read_no_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that objects have another layout, and fail if a kernel is called that reads their fields."""

    def fail(*arguments: Any) -> None:
        raise AssertionError(f"a kernel reads the fields of {arguments}")

    for module in (_execute, _windows_call):
        monkeypatch.setattr(module, "is_as_expected", lambda: False)
    for entry in (_execute.ENTRY, _range_call._ENTRY):
        monkeypatch.setattr(entry, "run", entry._load_and_run)
    for name in {*ENTRIES} - {"execute_at", "run_range"}:
        _kernels.load_entry(name)
        monkeypatch.setitem(_kernels.load_object().entries, name, fail)


def test_where_objects_have_another_layout_every_call_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, calls = chooser("another layout"), {}
    for name, (function, positions) in good_calls().items():
        for _ in range(30):
            arguments = {each: rng.choice(good) for each, good in positions.items()}
            call = partial(function, **arguments)
            calls[name, str(arguments)] = call, outcome(call)
    image = np.arange(600 * 500, dtype=np.uint8).reshape(600, 500)
    starts = [[2 * n - 300, 3 * n - 300] for n in range(200)]
    for name, call in {
        "many outputs": partial(fo.variadic_split, image, 0, [2] * 300),
        "large": partial(fo.numpy.pad, image, 200, "reflect"),
        "large, into out": partial(fo.numpy.flip, image, out=np.zeros((1000, 600), np.uint8).T[:, ::2]),
        "a large range": partial(fo.range, 0, 1 << 19, 1, "f32"),
        "a range, into out": partial(fo.range, 0, 1 << 19, 1, "i16", out=np.zeros((1 << 19, 3), np.int16)[::-1, 1]),
        "large windows": partial(fo.windows, image, starts, [60, 70], mode="wrap"),
        "converted": partial(fo.windows, image, starts[:3], [9, 8], mode="fill", fill_value=3, normalize=(1.5, 2)),
        "a chain": partial(fo.lazy(image).pad(9, "reflect")[4:-4].flip(1).normalize(3, 2).run),
    }.items():
        calls[name, ""] = call, outcome(call)
    read_no_objects(monkeypatch)
    for (name, arguments), (call, expected) in calls.items():
        with noted(name, arguments):
            assert outcome(call) == expected
