"""The layout of objects that the kernels assume: that it is that of live objects, and no other is taken for it."""

from __future__ import annotations

import numpy as np
import pytest

from fastops.kernels._intrinsics import _object_layout as layout
from tests.helpers.processes import run_code

FLAGS = {"C_CONTIGUOUS", "HAS_REFERENCES", "OWNS_DATA", "WRITEABLE", "INT32_MASK"}
FLAGS |= {"TYPE_UINT8", "TYPE_LAST"}
OFFSETS = [name for name, value in vars(layout).items() if name[0] != "_" and type(value) is int and name not in FLAGS]


def test_another_layout_is_not_taken_for_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each field elsewhere; one more or less before all fields of an object; and other bits of an array's flags.
    moves = (-(2**40), -16, -8, 8, 16, 24, 48, 2**40)
    changes = [{name: getattr(layout, name) + by} for name in OFFSETS for by in moves]
    for owner in ("NDARRAY", "DTYPE", "TUPLE"):
        fields = [name for name in OFFSETS if name.startswith(owner)]
        changes += [{name: getattr(layout, name) + by for name in fields} for by in (-8, 8, 16)]
    changes += [{name: bit} for name in ("C_CONTIGUOUS", "WRITEABLE") for bit in (0x0002, 0x0004, 0x0100, 0x0200)]
    changes += [{"HAS_REFERENCES": bit} for bit in (0x0000, 0x0080, 0x0100)]
    assert len(OFFSETS) == 16
    assert layout.is_as_expected()
    mistaken = []
    for change in changes:
        with monkeypatch.context() as patched:
            for name, value in change.items():
                patched.setattr(layout, name, value)
            if layout.is_as_expected():
                mistaken.append(change)
    assert mistaken == []


def test_flags_of_arrays_are_those_of_numpy() -> None:
    whole = np.zeros((3, 4))
    for array in (whole, whole[:, ::2], whole[1:], np.broadcast_to(whole, (2, 3, 4)), np.zeros((3, 4), order="F")):
        flags = [bool(array.flags.num & bit) for bit in (layout.OWNS_DATA, layout.C_CONTIGUOUS, layout.WRITEABLE)]
        assert flags == [array.flags.owndata, array.flags.c_contiguous, array.flags.writeable]


def test_trying_it_loads_no_compiler() -> None:
    code = "import sys; from fastops.kernels._intrinsics import _object_layout as layout\n"
    assert run_code(code + "print(layout.is_as_expected(), 'numba' in sys.modules)").split() == ["True", "False"]
