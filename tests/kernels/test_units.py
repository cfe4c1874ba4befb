"""Units: what a table needs is compiled before it runs, and nothing else has to be."""

from __future__ import annotations

import json

from fastops._runtime import _kernels
from fastops.kernels._tables._gather import NEEDS_OF_PLANE
from tests.helpers.processes import run_code
from tests.helpers.torture import scale

# Sees which units a first call has compiled. Then it empties the slots of all units that a table does not need, so that
# calling one of them ends the process, and runs tables of every kind, streamed and not, on one thread and on two.
WITHOUT_THE_REST = """
import random
from fastops._runtime import _kernels
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._schedule import create_schedule
from fastops.kernels import _gather
from fastops.kernels._tables import _gather as t
from fastops.kernels._intrinsics._units import unit_of
from tests.helpers.chains import draw_stages, joined
from tests.helpers.strategies import LAYOUTS, array_of

fo.slice(np.zeros((8, 8)), [0, 0], [8, 4])
always, *groups = [[bool(unit_of(call).slot) for call in group] for group in _gather.UNITS]
assert all(always) and not any(any(group) for group in groups)

kernel = _kernels.compile_kernel("gather")
always, *groups = _gather.UNITS
codes = [[(unit_of(call).slot, unit_of(call).slot.value) for call in group] for group in groups]
chosen = random.Random(3)
seen = set()
for n in range(CASES):
    plan = joined(draw_stages(chosen, 1, lengths=chosen.choice([(1, 3, 4, 40), (2, 9, 90)]), most=8000))
    if not plan.size:
        continue
    dtype, streams = np.dtype(chosen.choice(["u1", "u2", "f4", "c16", "V3", "V6", "V12", "V80"])), chosen.random() < 0.5
    source = array_of(plan.source_shape, dtype, chosen.choice(LAYOUTS))
    strides = [contiguous_byte_strides(plan.shape, dtype.itemsize)]
    schedule = create_schedule((plan,), source.strides, dtype.itemsize, strides, streams=streams)
    table = np.array(schedule.table)
    needs = int(table[t.NEEDS])
    seen.add(needs)
    for i, group in enumerate(codes):
        for slot, code in group:
            slot.value = code if needs >> i & 1 else 0
    out = np.empty(plan.shape, dtype)
    kernel.run((out,), source, table, np.zeros(1000, np.uint8), chosen.randint(1, 2), 0, 1)
    for group in codes:
        for slot, code in group:
            slot.value = code
    expected = plan(source, fill_value=np.zeros((), dtype)[()])
    assert out.tobytes() == expected.tobytes(), (n, plan)
print(sorted(seen))
"""


def test_a_call_compiles_what_its_table_needs_and_calls_nothing_else() -> None:
    seen = set(json.loads(run_code(WITHOUT_THE_REST.replace("CASES", str(scale(1500, 10_000))))))
    assert seen >= {0, 6, 10, 32, 33, 38, 39, 42, 43, 48, 49}


def test_a_first_call_that_cuts_windows_beyond_an_image_compiles_what_it_needs() -> None:
    code = "x = np.zeros((300, 300)); print(fo.windows(x, [[-9, -9]] * 3, [290, 310], mode='reflect').shape)"
    assert run_code(code) == "(3, 290, 310)\n"


def test_the_entry_is_one_function_whatever_is_needed() -> None:
    kernels = [_kernels.compile_kernel("gather", needs) for needs in (0, *NEEDS_OF_PLANE, -1)]
    assert len({kernel.dispatcher for kernel in kernels}) == 1
