"""numpy.copy and numpy.ascontiguousarray."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import fastops as fo
from tests.helpers.chains import LAYOUTS, array_of
from tests.helpers.contract import without_numpy
from tests.ops._tables import EIGHT, Call, contract, refuser

SHAPES = [(2, 3), (3, 0, 2), (1, 4, 1), EIGHT, ()]

CALLS = {
    "copy": [*[Call(shape, {}, np.copy) for shape in SHAPES], Call((2, 3), {"order": "C"}, np.copy)],
    "ascontiguousarray": [Call(shape, {}, np.ascontiguousarray) for shape in SHAPES],
}

refuse = refuser((3,))
RULE = "order must be one of C; np.copy has the others, got"
REFUSALS = {
    "copy": [*[refuse(f"{RULE} '{order}'", order=order) for order in "FAKc"], refuse(RULE, TypeError, order=1)],
    "ascontiguousarray": [],
}

test_copy = contract(fo.numpy.copy, CALLS["copy"], REFUSALS["copy"])
test_ascontiguousarray = contract(fo.numpy.ascontiguousarray, CALLS["ascontiguousarray"], REFUSALS["ascontiguousarray"])


def test_results_are_contiguous_whatever_copy_says() -> None:
    for layout, copy in itertools.product(LAYOUTS, (True, None)):
        data = array_of((4, 5, 3), np.dtype("i4"), layout)
        result = fo.numpy.ascontiguousarray(data, copy=copy)
        assert result.flags.c_contiguous
        assert np.array_equal(result, data)
        # NumPy copies what is not contiguous, as copy=None does.
        assert np.shares_memory(result, data) == (copy is None and data.flags.c_contiguous)


def test_no_copy_of_what_is_not_contiguous_is_an_error() -> None:
    data = np.zeros((4, 5))
    assert np.shares_memory(fo.numpy.ascontiguousarray(data, copy=False), data)
    for array, options, rule in (
        (data.T, {"copy": False}, "copy must be True or None for data that is not contiguous, got False"),
        (data, {"copy": 7}, "copy must be True, False or None"),
        (data, {"copy": False, "out": np.zeros((4, 5))}, "copy must .* for a result written into out"),
    ):
        with pytest.raises(fo.AttributeValueError, match=rf"numpy\.ascontiguousarray: {rule}"):
            fo.numpy.ascontiguousarray(array, **options)


def test_objects_are_refused_by_their_name() -> None:
    for function, copy in itertools.product((fo.numpy.copy, fo.numpy.ascontiguousarray), (True, None, False)):
        with without_numpy(), pytest.raises(fo.DTypeError, match=rf"numpy\.{function.__name__}: a must"):
            function(np.array([object()]), copy=copy)
