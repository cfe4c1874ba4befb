"""The guard of prepared calls: which arrays the compiled code takes, and which it leaves to the checks in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._execution import _execute, _plan_call
from fastops._execution._prepared_call import prepare_plans
from fastops._execution._records import Guard
from fastops._operators import _gather_runner
from fastops._runtime._kernels import compile_kernel
from fastops.kernels._tables import _trace as t
from fastops.plan import SlicePlan

Array = np.ndarray[Any, Any]


def prepared(plan: SlicePlan, data: Array) -> Array:
    out = np.full(plan.shape, 77, data.dtype)
    for _ in range(2):
        plan(data, out=out)
    assert plan._prepared is not None
    return out


def fits(call: Any, outs: list[Any], source: Any) -> bool:
    """What compiled code says of arrays, without moving anything."""
    layout = call.layout
    arrays = (layout.source_shape, layout.byte_strides, layout.span, call.dtype, layout.shapes)
    guard = Guard(*arrays, call.table, call.fill, moves=False)
    own = (np.empty(t.MOST_VALUES, np.int64), np.empty(t.MOST_OUTPUTS, np.int64))
    outcome = compile_kernel("gather_traced").run(tuple(outs), source, (), None, guard.order, *own, 0, t.ONLY_WITH_GIL)
    assert outcome in (t.PREPARED, t.NO_RECORD)
    return bool(outcome == t.PREPARED)


def unfit_pairs() -> list[tuple[str, Array, Array]]:
    """Sources and outputs that a plan of 4 x 5 float32, prepared for contiguous ones, must not take unchecked."""
    data, out = np.arange(20, dtype="f4").reshape(4, 5), np.zeros((4, 5), "f4")
    read_only = out.copy()
    read_only.flags.writeable = False
    memory = np.zeros(60, "f4")
    return [
        ("another dtype", data.astype("i4"), out.astype("i4")),
        ("another byte order", data.astype(">f4"), out.astype(">f4")),
        ("an equal dtype that is another object", data.view(np.dtype("f4", copy=True)), out),
        ("a transposed source", np.asfortranarray(data), out),
        ("a strided source", np.repeat(data, 2, 1)[:, ::2], out),
        ("a strided output", data, np.zeros((4, 10), "f4")[:, ::2]),
        ("a transposed output", data, np.zeros((5, 4), "f4").T),
        ("overlap, the output first", memory[10:30].reshape(4, 5), memory[:20].reshape(4, 5)),
        ("overlap, the source first", memory[:20].reshape(4, 5), memory[19:39].reshape(4, 5)),
        ("the same memory", memory[:20].reshape(4, 5), memory[:20].reshape(4, 5)),
        ("a read-only output", data, read_only),
        ("an output of another shape", data, np.zeros((5, 4), "f4")),
        ("an output of another rank", data, np.zeros((4, 5, 1), "f4")),
        ("an output of another dtype", data, np.zeros((4, 5), "i4")),
        ("a source of another shape", data.reshape(5, 4), out),
        ("a source of another rank", data.reshape(4, 5, 1), out),
    ]


@pytest.mark.parametrize(
    ("what", "source", "out"), unfit_pairs(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_guard_keeps_out_what_a_call_was_not_made_for(what: str, source: Array, out: Array) -> None:
    plan = fo.plan.strided_slice((4, 5), [0, 0], [4, 5])
    data = np.arange(20, dtype="f4").reshape(4, 5)
    np.testing.assert_array_equal(prepared(plan, data), data)
    call = plan._prepared
    assert fits(call, [np.zeros((4, 5), "f4")], data)
    before = out.tobytes()
    assert not fits(call, [out], source), what
    assert out.tobytes() == before


def test_the_guard_takes_neighbours() -> None:
    memory = np.zeros(60, "f4")
    plan = fo.plan.strided_slice((4, 5), [0, 0], [4, 5])
    prepared(plan, memory[:20].reshape(4, 5))
    call = plan._prepared
    for first, second in ((0, 20), (20, 0), (40, 20)):
        source, out = (memory[k : k + 20].reshape(4, 5) for k in (first, second))
        assert fits(call, [out], source)
    backwards = memory[39:19:-1].reshape(4, 5)
    plan = fo.plan.strided_slice((4, 5), [0, 0], [4, 5])
    prepared(plan, backwards)
    call = plan._prepared
    assert fits(call, [memory[:20].reshape(4, 5)], backwards)
    assert fits(call, [memory[40:].reshape(4, 5)], backwards)
    assert not fits(call, [memory[10:30].reshape(4, 5)], backwards)
    assert not fits(call, [memory[39:59].reshape(4, 5)], backwards)


def test_the_guard_takes_as_many_arrays_as_there_are_parts_and_nothing_else() -> None:
    source, memory = np.arange(12, dtype="u2").reshape(2, 6), np.zeros(40, "u2")

    def outs(*places: int) -> list[Any]:
        return [memory[at : at + 2 * n].reshape(2, n) for at, n in zip(places, (1, 3, 2), strict=True)]

    call = prepare_plans(tuple(fo.plan.variadic_split((2, 6), 1, [1, 3, 2])), source.strides, source.dtype)
    for places in ((0, 2, 8), (8, 2, 12), (12, 4, 0)):
        assert fits(call, outs(*places), source)
    for places in ((0, 1, 8), (0, 2, 7), (0, 10, 11), (10, 5, 8), (9, 2, 8)):
        assert not fits(call, outs(*places), source)
    first, second, third = outs(0, 2, 8)
    for others in ([], [first], [first, second], [first, second, third, third], [second, first, third]):
        assert not fits(call, others, source)
    for what in (None, 5, "text", object(), [], np.uint16(1), second.view(np.recarray), memoryview(second)):
        assert not fits(call, [first, what, third], source)
        assert not fits(call, [first, second, third], what)
    assert not memory[12:].any()


@pytest.mark.parametrize("code", [">i4", "M8[s]", "S4", "V4"])
def test_the_guard_takes_types_that_are_made_anew(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = fo.plan.strided_slice((4, 5), [0, 0], [2, 5])
    for _ in range(3):
        dtype = np.dtype(np.dtype(code), copy=True)
        data, out = np.arange(20).astype("i4").astype(dtype).reshape(4, 5), np.zeros((2, 5), dtype)
        assert data.dtype is out.dtype
        for call in (plan, lambda data, out: fo.strided_slice(data, [0, 0], [2, 5], out=out)):
            with monkeypatch.context() as patch:
                for k in range(3):
                    np.testing.assert_array_equal(call(data, out=out), data[:2])
                    if k == 1:
                        # Any more checks in Python would be one call too many.
                        patch.setattr(_gather_runner, "execute_checked", None)
                        patch.setattr(_plan_call, "execute_checked", None)


def test_there_is_no_guard_where_objects_have_another_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_execute, "_has_known_layout", lambda: False)
    monkeypatch.setattr(_execute, "_guards", {})
    data = np.arange(20, dtype="f4").reshape(4, 5)
    plan = fo.plan.strided_slice((4, 5), [0, 1], [4, 5])
    for _ in range(3):
        np.testing.assert_array_equal(prepared(plan, data), data[:, 1:])
        np.testing.assert_array_equal(fo.strided_slice(data[:, :4], [0, 1], [3, 4]), data[:3, 1:4])
    assert plan._prepared.guard is None
