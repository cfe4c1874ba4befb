"""Units: what a table needs is compiled before it runs, and nothing else has to be."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import pytest

import fastops as fo
from fastops._runtime import _kernels
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._schedule import create_schedule
from fastops.kernels._tables import _gather as t

# Empties the slots of all units that a table does not need, so that calling one of them ends the process, and runs
# tables of every kind, streamed and not, on one thread and on two.
WITHOUT_THE_REST = """
import numpy as np
import fastops as fo
from fastops._runtime import _kernels
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._schedule import create_schedule
from fastops.kernels import _gather
from fastops.kernels._tables import _gather as t
from fastops.kernels._intrinsics._units import unit_of

kernel = _kernels.compile_kernel("gather")
always, *groups = _gather.UNITS
codes = [[(unit_of(call).slot, unit_of(call).slot.value) for call in group] for group in groups]
rng = np.random.default_rng(3)
seen = set()
for n in range(4000):
    dtype = np.dtype(rng.choice(["u1", "u2", "f4", "c16", "V3", "V6", "V12", "V80"]))
    shape = tuple(int(extent) for extent in rng.integers(1, [90, 90, 9][: rng.integers(1, 4)]))
    axes = rng.permutation(len(shape))
    size = int(np.prod(shape)) * dtype.itemsize
    source = rng.integers(0, 256, size, np.uint8).view(dtype)
    source = source.reshape([shape[axis] for axis in axes]).transpose(np.argsort(axes))
    mode = str(rng.choice(["clamp", "fill", "reflect", "wrap"]))
    start = [int(each) for each in rng.integers(-9, 9, len(shape))]
    count = [int(each) for each in rng.integers(1, [99, 99, 9][: len(shape)])]
    stride = [int(each) for each in rng.choice([-2, -1, 1, 1, 1, 2, 3], len(shape))]
    plan = fo.plan.slice(source.shape, start, count, stride, mode=mode)
    streams = bool(rng.integers(2))
    schedule = create_schedule(
        (plan,), source.strides, dtype.itemsize, (contiguous_byte_strides(plan.shape, dtype.itemsize),), streams=streams
    )
    table = np.array(schedule.table)
    needs = int(table[t.NEEDS])
    seen.add(needs)
    for i, group in enumerate(codes):
        for slot, code in group:
            slot.value = code if needs >> i & 1 else 0
    out = np.empty(plan.shape, dtype)
    kernel.run((out,), source, table, np.zeros(80, np.uint8), int(rng.integers(1, 3)), 0, 1)
    for group in codes:
        for slot, code in group:
            slot.value = code
    expected = plan(source, fill_value=np.zeros((), dtype)[()])
    assert out.tobytes() == expected.tobytes(), (n, plan)
print(sorted(seen))
"""


def test_a_table_calls_nothing_that_it_does_not_need() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_THE_REST], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    needs = [0, 2, 6, 10, 14, 32, 33, 34, 35, 38, 39, 42, 43, 47, 48, 49, 54, 55, 58, 59]
    assert json.loads(done.stdout) == needs


@pytest.mark.parametrize(
    ("index", "streams", "needs"),
    [
        ((slice(0, 300), slice(0, 200)), False, 0),
        ((slice(0, 300), slice(0, 200)), True, t.NEEDS_STREAMS | t.NEEDS_RUNS),
        ((slice(0, 300), slice(0, 200, 3)), True, t.NEEDS_OF_PLANE[t.PIXELS] | t.NEEDS_STREAMS | t.NEEDS_RUNS),
    ],
)
def test_needs(index: tuple[slice, ...], streams: bool, needs: int) -> None:
    plan = fo.plan.strided_slice((300, 200), *zip(*[(i.start, i.stop, i.step or 1) for i in index], strict=True))
    schedule = create_schedule((plan,), (800, 4), 4, (contiguous_byte_strides(plan.shape, 4),), streams=streams)
    assert schedule.table[t.NEEDS] == needs


def test_a_first_call_compiles_what_it_needs_only() -> None:
    source = "import numpy as np, fastops as fo; fo.slice(np.zeros((8, 8)), [0, 0], [8, 4])\n"
    source += "from fastops.kernels import _gather; from fastops.kernels._intrinsics._units import unit_of\n"
    source += "print([[bool(unit_of(call).slot) for call in group] for group in _gather.UNITS])"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    always, *groups = ast.literal_eval(done.stdout)
    assert all(always)
    assert not any(any(group) for group in groups)


def test_the_entry_is_one_function_whatever_is_needed() -> None:
    kernels = [_kernels.compile_kernel("gather", needs) for needs in (0, *t.NEEDS_OF_PLANE, -1)]
    assert len({kernel.dispatcher for kernel in kernels}) == 1
