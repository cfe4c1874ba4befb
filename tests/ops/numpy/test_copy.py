"""numpy.copy and numpy.ascontiguousarray."""

from __future__ import annotations

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.strategies import LAYOUTS, array_of

SHAPES = [(2, 3), (5,), (3, 0, 2), (1, 4, 1), (2, 1, 2, 3, 1, 2, 2, 2), ()]

CALLS = {
    "copy": [*[Call(shape, {}, np.copy) for shape in SHAPES], Call((2, 3), {"order": "C"}, np.copy)],
    "ascontiguousarray": [Call(shape, {}, np.ascontiguousarray) for shape in SHAPES],
}

REFUSALS = {
    "copy": [
        *[
            Refusal(
                (3,), {"order": order}, ValueError, f"order must be one of C; np.copy has the others, got '{order}'"
            )
            for order in ("F", "A", "K", "c")
        ],
        Refusal((3,), {"order": 1}, TypeError, "order must be one of C; np.copy has the others, got 1"),
    ],
    "ascontiguousarray": [],
}

test_copy = contract(fo.numpy.copy, CALLS["copy"], REFUSALS["copy"])
test_ascontiguousarray = contract(fo.numpy.ascontiguousarray, CALLS["ascontiguousarray"], REFUSALS["ascontiguousarray"])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_results_are_contiguous_whatever_copy_says(layout: str) -> None:
    data = array_of((4, 5, 3), np.dtype("i4"), layout)
    for copy in (True, None):
        result = fo.numpy.ascontiguousarray(data, copy=copy)
        assert result.flags.c_contiguous
        assert np.array_equal(result, data)
        # NumPy copies what is not contiguous, as copy=None does.
        assert np.shares_memory(result, data) == (copy is None and data.flags.c_contiguous)


def test_no_copy_of_what_is_not_contiguous_is_an_error() -> None:
    data = np.zeros((4, 5))
    rule = r"numpy\.ascontiguousarray: copy must be True or None for data that is not contiguous, got False"
    with pytest.raises(fo.AttributeValueError, match=rule):
        fo.numpy.ascontiguousarray(data.T, copy=False)
    assert np.shares_memory(fo.numpy.ascontiguousarray(data, copy=False), data)
    with pytest.raises(fo.AttributeValueError, match=r"numpy\.ascontiguousarray: copy must be True, False or None"):
        fo.numpy.ascontiguousarray(data, copy=7)  # type: ignore[arg-type]
    with pytest.raises(fo.AttributeValueError, match="for a result written into out"):
        fo.numpy.ascontiguousarray(data, copy=False, out=np.zeros((4, 5)))


@pytest.mark.parametrize("copy", [True, None, False])
def test_objects_are_refused_by_their_name(copy: bool | None) -> None:
    for function in (fo.numpy.copy, fo.numpy.ascontiguousarray):
        with pytest.raises(fo.DTypeError, match=rf"numpy\.{function.__name__}: a must"):
            function(np.array([object()]), copy=copy)
