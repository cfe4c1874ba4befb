"""The algebra of one axis: sound, idempotent, and unique where it reads in bounds."""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastops import OutOfBoundsError, SampleMode
from fastops.plan import AxisMap
from tests.helpers import oracle as _oracle

STRICT, WRAP, CLAMP, FILL, REFLECT, SYMMETRIC = SampleMode
SMALL = list(itertools.product(range(6), range(-8, 9), range(-4, 5), range(6), SampleMode))


def reading(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> list[int | None] | None:
    """The indices that the arguments describe, from the oracle; None for an error."""
    try:
        return [_oracle.index(start + y * stride, extent, mode.name.lower()) for y in range(count)]
    except IndexError:
        return None


def test_create_is_sound_idempotent_and_unique_over_a_small_domain() -> None:
    errors = 0
    # The maps that read in bounds, by extent and coordinates.
    forms: dict[object, set[AxisMap]] = defaultdict(set)
    for arguments in SMALL:
        expected = reading(*arguments)
        if expected is None:
            errors += 1
            with pytest.raises(OutOfBoundsError):
                AxisMap.create(*arguments)
            continue
        axis = AxisMap.create(*arguments)
        assert [axis.source(y) for y in range(axis.count)] == expected, arguments
        again = AxisMap.create(axis.extent, axis.start, axis.stride, axis.count, axis.mode)
        assert again == axis
        assert hash(again) == hash(axis)
        extent, start, stride, count, _ = arguments
        coordinates = [start + y * stride for y in range(count)]
        if all(0 <= x < extent for x in coordinates):
            forms[extent, tuple(coordinates)].add(axis)
    assert 0 < errors < len(SMALL)
    assert len(forms) > 100
    assert all(len(form) == 1 for form in forms.values())
    assert len({axis for form in forms.values() for axis in form}) == len(forms)


def test_canonical_forms() -> None:
    # For extent, start, stride, count and mode: the start, stride and mode of the canonical form.
    canonical = {
        (5, 9, 7, 0, WRAP): (0, 1, STRICT),
        (5, 2, 2**63, 1, CLAMP): (2, 1, STRICT),
        (5, 0, 1, 5, REFLECT): (0, 1, STRICT),
        (5, 7, 1, 3, CLAMP): (4, 0, STRICT),
        (5, -7, -2, 3, CLAMP): (0, 0, STRICT),
        (5, -2, 1, 3, CLAMP): (0, 0, STRICT),
        (5, 4, 1, 3, CLAMP): (4, 0, STRICT),
        (5, 9, 7, 1, WRAP): (4, 1, STRICT),
        (1, -3, 1, 7, REFLECT): (0, 0, STRICT),
        (5, -1, 0, 3, WRAP): (4, 0, STRICT),
        (5, 3, 1, 3, CLAMP): (3, 1, CLAMP),
        (0, -1, 1, 3, FILL): (-1, 1, FILL),
    }
    for (extent, *numbers, count, mode), (start, stride, own_mode) in canonical.items():
        axis = AxisMap.create(extent, *numbers, count, mode)
        assert (axis.extent, axis.start, axis.stride, axis.count, axis.mode) == (extent, start, stride, count, own_mode)


huge = st.one_of(
    st.integers(-20, 20),
    st.integers(-(2**70), 2**70),
    st.sampled_from([s * 2**e for s in (1, -1) for e in (31, 62, 63)]),
)


@given(st.integers(0, 2**66), huge, huge, st.integers(0, 2**66), st.sampled_from(SampleMode), st.data())
def test_huge_arguments_are_exact(
    extent: int, start: int, stride: int, count: int, mode: SampleMode, data: st.DataObject
) -> None:
    try:
        axis = AxisMap.create(extent, start, stride, count, mode)
    except OutOfBoundsError:
        last = start + (count - 1) * (stride if count > 1 else 0)
        assert extent == 0 or (mode is STRICT and not 0 <= min(start, last) <= max(start, last) < extent)
        return
    if count and (extent < 1000 or mode not in (REFLECT, SYMMETRIC)):
        y = data.draw(st.integers(0, count - 1))
        x = start + y * stride
        fills = mode is FILL and not 0 <= x < extent
        assert axis.source(y) == (None if fills else _oracle.index(x, extent, mode.name.lower()))
