"""Errors of fo.numpy are caught by what catches those of NumPy, for each refusal in the tables of operators."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Refusal, all_operators, tables_of
from tests.helpers.frameworks import theirs_of

FUNCTIONS = {each.__name__: each for each in all_operators() if getattr(fo.numpy, each.__name__, None) is each}

#: Refusals whose errors no handler of NumPy's errors catches: each with what NumPy raises, and why ours is none.
EXEMPT = {
    ("pad", "AssertionError"): "a check that NumPy itself calls unreachable",
    ("pad", "MemoryError"): "NumPy reads all of a list before it finds it too long",
    ("rot90", "IndexError"): "NumPy refuses a float as an axis by how it happens to use it",
    ("split", "ZeroDivisionError"): "np.array_split raises a ValueError for no parts",
}

OF_DICTIONARIES = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="numpy.pad takes dictionaries from version 2.4 on"
)


def refusals() -> list[Any]:
    """Return all refusals of the tables, but for those of arguments that NumPy does not have."""
    return [
        pytest.param(function, refusal, id=f"{name}-{i}")
        for name, function in FUNCTIONS.items()
        for i, refusal in enumerate(tables_of(function)[1])
        if "step" not in refusal.arguments and not _is_new_to_numpy(name, refusal.arguments)
    ]


def _is_new_to_numpy(name: str, arguments: dict[str, Any]) -> bool:
    """True for arguments that this version of NumPy refuses for their type, and a later one reads."""
    version = np.lib.NumpyVersion(np.__version__)
    if name == "roll":
        return version < "2.2.0" and np.asarray(arguments["shift"]).dtype.kind == "f"
    return name == "pad" and version < "2.4.0" and isinstance(arguments["pad_width"], dict)


@pytest.mark.parametrize(("function", "refusal"), refusals())
def test_who_catches_numpys_error_catches_ours(function: Any, refusal: Refusal) -> None:
    data = np.zeros(refusal.shape, "f4")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs_of(function)(data, **refusal.arguments)
        except Exception as error:
            caught = type(error)
        else:
            return
    with pytest.raises(fo.FastopsError) as info:
        function(data, **refusal.arguments)
    assert isinstance(info.value, caught) != ((function.__name__, caught.__name__) in EXEMPT)


@pytest.mark.parametrize(
    "call",
    [
        lambda lib, x: lib.flip(x, 2),
        lambda lib, x: lib.roll(x, 1, -3),
        lambda lib, x: lib.repeat(x, 2, 5),
        lambda lib, x: lib.moveaxis(x, 0, 2),
        lambda lib, x: lib.swapaxes(x, 2, 0),
        lambda lib, x: lib.transpose(x, (0, 2)),
        lambda lib, x: lib.permute_dims(x, (0, -3)),
        lambda lib, x: lib.split(x, 1, 2),
        lambda lib, x: lib.array_split(x, 1, 2),
        lambda lib, x: lib.split(x[0, 0], 1),
        pytest.param(lambda lib, x: lib.pad(x, {2: 1}), marks=OF_DICTIONARIES),
        pytest.param(lambda lib, x: lib.pad(x, {-3: (1, 2)}), marks=OF_DICTIONARIES),
        lambda lib, x: lib.flip(x[0, 0], 0),
    ],
)
def test_an_axis_that_is_not_there(call: Any) -> None:
    with pytest.raises(IndexError) as theirs:
        call(np, np.zeros((2, 3)))
    with pytest.raises(type(theirs.value)) as ours:
        call(fo.numpy, np.zeros((2, 3)))
    assert isinstance(ours.value, fo.AxisError)
