"""What tensors of PyTorch are taken, and that calls which run at a tensor's address are checked as all others are."""

from __future__ import annotations

import gc
import math
import random
import re
import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

import fastops as fo
from fastops._execution import _traced_calls
from fastops._operators import _tensor_operator
from fastops._operators._tensor_operator import TensorOperator
from fastops._runtime._kernels import kernels_are_checked
from fastops.kernels._tables._trace import ONE_IF_SMALL, ONLY_WITH_GIL, PARALLEL_BYTES
from fastops.ops.torch import _roll
from fastops.ops.torch._roll import lower_roll
from tests.helpers.processes import run_code

# Moved with Python's lock, without it, by several threads, and into memory that is allocated when its size is known.
LENGTHS = (8, 30_000, 100_000, 400_000)

BYTES_LIKE = [torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]
PLAIN = [torch.uint8, torch.bool, torch.int16, torch.float16, torch.float32, torch.int64, torch.complex64]


def thrice(call: Callable[[], Any]) -> Any:
    """Return what a call gives, which is the same the first time and later."""
    first, second, third = call(), call(), call()
    assert torch.equal(as_bytes(first), as_bytes(second))
    assert torch.equal(as_bytes(first), as_bytes(third))
    return first


def as_bytes(tensor: Any) -> Any:
    return tensor.contiguous().view(torch.uint8)


def refused(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    for _ in range(3):
        with pytest.raises(error, match=message):
            call()


@pytest.mark.parametrize("dtype", PLAIN + BYTES_LIKE, ids=str)
@pytest.mark.parametrize("n", LENGTHS)
def test_types(n: int, dtype: torch.dtype) -> None:
    x = (torch.arange(n) % 100).to(dtype)
    flipped = thrice(lambda: fo.torch.flip(x, (0,)))
    assert flipped.dtype is dtype
    assert torch.equal(as_bytes(flipped), as_bytes(x).view(n, -1).flip(0).reshape(-1))
    parts = fo.torch.split(x, n // 2)
    assert {part.dtype for part in parts} == {dtype}
    assert torch.equal(torch.cat([as_bytes(part) for part in parts]), as_bytes(x))


@pytest.mark.parametrize("n", LENGTHS)
def test_views_of_any_strides(n: int) -> None:
    x = torch.arange(3 * n).reshape(3, n)
    for view in (x.T, x[:, ::2], x[1:, 3:], x[:1].expand(4, n), x[:, 5]):
        assert torch.equal(thrice(lambda view=view: fo.torch.flip(view, (0,))), view.flip(0))


def test_a_tensor_that_was_resized_in_place() -> None:
    x = torch.arange(6)
    assert thrice(lambda: fo.torch.flip(x, (0,))).tolist() == [5, 4, 3, 2, 1, 0]
    x.resize_(3)
    assert fo.torch.flip(x, (0,)).tolist() == [2, 1, 0]
    x.unsqueeze_(0)
    assert fo.torch.flip(x, (0,)).tolist() == [[0, 1, 2]]


def test_a_list_that_changes_between_calls() -> None:
    x, pads = torch.arange(3), [1, 1]
    thrice(lambda: fo.torch.pad(x, pads))
    pads[0] = 0
    assert fo.torch.pad(x, pads).tolist() == [0, 1, 2, 0]


def test_equal_attributes_of_other_types_are_refused() -> None:
    x = torch.arange(3)
    thrice(lambda: fo.torch.narrow(x, 0, 1, 1))
    refused(lambda: fo.torch.narrow(x, 0, True, 1), TypeError, "start must be an integer, got True")
    refused(lambda: fo.torch.narrow(x, 0, 1.0, 1), TypeError, "start must be an integer, got 1.0")  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float8_e5m2], ids=str)
@pytest.mark.parametrize("n", LENGTHS)
def test_tensors_that_require_a_gradient(n: int, dtype: torch.dtype) -> None:
    plain = torch.zeros(n, dtype=dtype)
    thrice(lambda: fo.torch.flip(plain, (0,)))
    leaf = torch.zeros(n, dtype=dtype).requires_grad_()
    for x in (leaf, leaf.view(n)):
        refused(
            lambda x=x: fo.torch.flip(x, (0,)), ValueError, r"input must not require a gradient.*tensor\.detach\(\)"
        )
        refused(lambda x=x: fo.torch.flip(plain, (0,), out=x), ValueError, "out must not require a gradient")
    assert torch.equal(as_bytes(fo.torch.flip(leaf.detach(), (0,))), as_bytes(plain))


@pytest.mark.parametrize("n", LENGTHS)
def test_pending_conjugations_and_negations(n: int) -> None:
    x = torch.complex(torch.arange(float(n)), torch.ones(n))
    thrice(lambda: fo.torch.flip(x, (0,)))
    thrice(lambda: fo.torch.flip(x.imag, (0,)))
    for pending in (x.conj(), x.conj().imag):
        assert pending.is_conj() or pending.is_neg()
        refused(lambda pending=pending: fo.torch.flip(pending, (0,)), ValueError, "no pending")


@pytest.mark.parametrize("n", LENGTHS)
def test_pending_conjugations_of_a_type_that_numpy_does_not_have(n: int) -> None:
    x = torch.arange(2 * n).to(torch.float16).view(torch.complex32)
    thrice(lambda: fo.torch.flip(x, (0,)))
    assert x.conj().is_conj()
    refused(lambda: fo.torch.flip(x.conj(), (0,)), ValueError, "no pending")


def test_lists_that_change_between_calls_are_read_anew() -> None:
    x, pads = torch.arange(8.0), [1, 1]
    for k in (1, 1, 2, 1):
        pads[0] = k
        assert thrice(lambda: fo.torch.pad(x, pads)).tolist() == [0] * k + list(range(8)) + [0]
    for pads_of_another_type in ((1.0, 1), (True, 1)):
        thrice(lambda: fo.torch.pad(x, (1, 1)))
        with pytest.raises(fo.DTypeError):
            fo.torch.pad(x, pads_of_another_type)


def test_a_tensor_that_gets_other_data_amid_a_call_spoils_no_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    changing, others = torch.arange(7.0), [torch.arange(7.0), torch.arange(7.0)]
    as_array = _tensor_operator.as_array

    def as_other_array(attribute: str, tensor: torch.Tensor) -> Any:
        tensor.data = torch.arange(7, dtype=torch.int32)
        return as_array(attribute, tensor)

    with monkeypatch.context() as patch:
        patch.setattr(_tensor_operator, "as_array", as_other_array)
        assert fo.torch.flip(changing, (0,)).dtype is torch.int32
    for other in others:
        assert torch.equal(thrice(lambda other=other: fo.torch.flip(other, (0,))), torch.arange(6.0, -1, -1))


@pytest.mark.parametrize("size", [0, 4])
@pytest.mark.parametrize("n", LENGTHS)
def test_storages_that_became_shorter(n: int, size: int) -> None:
    x, whole = torch.arange(n), torch.arange(n)
    thrice(lambda: fo.torch.flip(whole, (0,)))
    x.untyped_storage().resize_(size)
    refused(
        lambda: fo.torch.flip(x, (0,)), ValueError, "input must have memory, not a storage that was resized to less"
    )
    refused(lambda: fo.torch.flip(whole, (0,), out=x), ValueError, "out must have memory")


EMPTY_VIEWS = {
    "behind the last element": lambda x: x[4:],
    "far behind it": lambda x: x.as_strided((0,), (1,), 100),
    "without elements along one axis": lambda x: x.as_strided((3, 0), (1, 1), 100),
    "of bfloat16": lambda x: x.bfloat16().as_strided((0, 2), (2, 1), 9),
}


@pytest.mark.parametrize("name", EMPTY_VIEWS)
def test_views_without_elements_may_begin_anywhere(name: str) -> None:
    view = EMPTY_VIEWS[name](torch.arange(4.0))
    for _ in range(3):
        for result, expected in (
            (fo.torch.flip(view, (0,)), torch.flip(view, (0,))),
            (fo.torch.roll(view, 1), torch.roll(view, 1)),
            (fo.torch.pad(view, (1, 2)), torch.nn.functional.pad(view, (1, 2))),
            (fo.torch.tile(view, (2,)), torch.tile(view, (2,))),
            (fo.torch.split(view, 1)[0], torch.split(view, 1)[0]),
            (fo.torch.flip(view, (0,), out=torch.empty_like(view)), view),
        ):
            assert result.dtype is expected.dtype
            assert torch.equal(result, expected)


@pytest.mark.filterwarnings("ignore:.*quantize")
@pytest.mark.parametrize("name", ["qint8", "quint8", "qint32"])
def test_quantized_tensors_are_told_how_to_pass_their_integers(name: str) -> None:
    x = torch.quantize_per_tensor(torch.arange(6.0), 0.5, 1, getattr(torch, name))
    refused(lambda: fo.torch.flip(x, (0,)), TypeError, r"input must not be quantized: pass .* tensor\.int_repr\(\)")
    assert torch.equal(fo.torch.flip(x.int_repr(), (0,)), torch.flip(x, (0,)).int_repr())


def test_types_that_numpy_does_not_have_are_told_what_stands_for_them() -> None:
    x = torch.arange(6, dtype=torch.uint8).view(torch.bits8)
    refused(lambda: fo.torch.flip(x, (0,)), TypeError, r"not be of type torch\.bits8, .* tensor\.view\(torch\.uint8\)")
    x = torch.empty(6, dtype=torch.int4)
    refused(lambda: fo.torch.flip(x, (0,)), TypeError, "of a type whose elements are whole bytes")


def test_tensors_of_a_trace_are_told_of_tracers() -> None:
    class Padded(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return fo.torch.pad(x, (1, 1))

    for trace in (
        lambda: torch.export.export(Padded(), (torch.zeros(2, 3),), strict=False),
        lambda: make_fx(Padded(), tracing_mode="fake")(torch.zeros(2, 3)),
    ):
        refused(trace, ValueError, r"a FakeTensor and other tensors of a trace \(torch\.export, torch\.compile\)")


def test_what_has_no_memory() -> None:
    thrice(lambda: fo.torch.flip(torch.zeros(3), (0,)))
    for other, rule in (
        (torch.zeros(3, device="meta"), "have memory: tensors of the device meta have none"),
        (torch.zeros(3).to_sparse(), "be dense, and not of layout torch.sparse_coo: pass tensor.to_dense()"),
        (torch.zeros(3, dtype=torch.complex64).conj(), "have no pending conjugation: pass tensor.resolve_conj()"),
        (torch.zeros(3, dtype=torch.complex64).conj().imag, "have no pending negation: pass tensor.resolve_neg()"),
    ):
        refused(lambda other=other: fo.torch.flip(other, (0,)), ValueError, re.escape(f"input must {rule}, got"))
    refused(lambda: torch.vmap(lambda x: fo.torch.flip(x, (0,)))(torch.zeros(2, 3)), ValueError, "memory that can")
    refused(lambda: fo.torch.flip([1, 2], (0,)), TypeError, "input must be a tensor of PyTorch")


def test_tensors_that_stand_for_others_are_refused() -> None:
    thrice(lambda: fo.torch.flip(torch.arange(8.0), (0,)))
    with pytest.raises(fo.FastopsError, match="input must have memory that can be read"):
        torch.func.functionalize(lambda x: fo.torch.flip(x, (0,)))(torch.arange(8.0))


def test_subclasses_are_tensors() -> None:
    x = torch.nn.Parameter(torch.arange(3.0), requires_grad=False)
    flipped = thrice(lambda: fo.torch.flip(x, (0,)))
    assert type(flipped) is torch.Tensor
    assert flipped.tolist() == [2, 1, 0]


def test_results_are_their_own() -> None:
    x = torch.arange(4)
    results = [fo.torch.flip(x, (0,)) for _ in range(5)]
    x.zero_()
    gc.collect()
    for i, result in enumerate(results):
        assert result.tolist() == [3, 2, 1, 0]
        result += i


def test_out_is_returned() -> None:
    x = torch.arange(6).reshape(2, 3)
    out = torch.zeros(3, 2, dtype=torch.int64).T
    assert fo.torch.roll(x, 1, 1, out=out) is out
    assert out.tolist() == [[2, 0, 1], [5, 3, 4]]
    refused(lambda: fo.torch.roll(x, 1, 1, out=out.to(torch.int32)), ValueError, "out must have dtype torch.int64")


# Of programs with a thread in PyTorch's code: one that runs it when Python ends would end the process.
RESIZED = """
import sys, threading, time
import torch
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from fastops import torch as fot
torch.set_num_threads(1)
sys.setswitchinterval(1e-6)
met = {}
def resize():
    while "end" not in met:
        try:
            met["storage"].resize_(0)
        except (KeyError, RuntimeError):
            pass
for _ in range(3):
    fot.pad(torch.ones(%d, dtype=torch.uint8), (1, 1))
thread = threading.Thread(target=resize, daemon=True)
thread.start()
end = time.monotonic() + 2
while time.monotonic() < end:
    tensor = torch.ones(%d, dtype=torch.uint8)
    met["storage"] = tensor.untyped_storage()
    try:
        assert fot.pad(tensor, (1, 1))[1:-1].all()
    except (fo.FastopsError, RuntimeError):
        pass
met["end"] = True
thread.join()
print("right")
"""


SWAPPED = """
import sys, threading, time
import torch
from fastops import torch as fot
torch.set_num_threads(1)
sys.setswitchinterval(1e-6)
n = %d
tensor = torch.zeros(n, dtype=torch.uint8)
for _ in range(3):
    fot.roll(tensor, 1, 0)
ends, right = [], 0
def swap():
    k = 0
    while not ends:
        k += 1
        tensor.data = torch.full((n + k %% 3,), k %% 200, dtype=torch.uint8)
thread = threading.Thread(target=swap, daemon=True)
thread.start()
end = time.monotonic() + 2
while time.monotonic() < end:
    try:
        result = fot.roll(tensor, 1, 0)
    except fo.FastopsError:
        continue
    assert len(result) in (n, n + 1, n + 2) and (result == result[0]).all(), result
    right += 1
ends.append(True)
thread.join()
assert right > 10, right
print("right")
"""


@pytest.mark.parametrize("n", [30_000, 300_000, 3_000_000])
def test_a_thread_that_gives_a_tensor_other_data_harms_nothing(n: int) -> None:
    assert run_code(SWAPPED % n) == "right\n"


@pytest.mark.skipif(kernels_are_checked(), reason="the checked form takes no addresses")
def test_calls_of_other_sizes_in_turn_keep_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    operator = TensorOperator(lower_roll)
    monkeypatch.setattr(_roll, "_OPERATOR", operator)
    tensors = [torch.arange(n) for n in (8, 30_000)]
    for _ in range(20):
        for x in tensors:
            assert torch.equal(fo.torch.roll(x, 1, 0), x.roll(1))
    records = operator._traced._records.values()
    assert {record.keeps_gil for record in records} == {True, False}
    assert sum([len(record.tables) for record in records]) <= 1


@pytest.mark.skipif(kernels_are_checked(), reason="the checked form takes no addresses")
def test_large_tensors_are_moved_by_threads_without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    operator = TensorOperator(lower_roll)
    monkeypatch.setattr(_roll, "_OPERATOR", operator)
    monkeypatch.setattr(_traced_calls, "workers_in_compiled_code", lambda n: ONE_IF_SMALL if n < PARALLEL_BYTES else 2)
    for n, expected in ((8, ONLY_WITH_GIL), (30_000, ONE_IF_SMALL), (100_000, 2)):
        x = torch.arange(n)
        thrice(lambda x=x: fo.torch.roll(x, 1, 0))
        calls = Mock(side_effect=operator._traced._run)
        with monkeypatch.context() as patch:
            patch.setattr(operator._traced, "_run", calls)
            assert torch.equal(fo.torch.roll(x, 1, 0), x.roll(1))
        assert [call.args[-1] for call in calls.mock_calls] == [expected]


def test_more_than_one_launch() -> None:
    x = torch.arange((64 << 20) + 5).to(torch.uint8)
    for k in (1, 2, 3):
        assert torch.equal(fo.torch.roll(x, k, 0), x.roll(k))


def test_threads_roll_tensors_of_all_sizes_at_once() -> None:
    tensors = [torch.arange(n) for n in (8, 8_000, 9_000, 30_000, 50_000, 100_000, 400_000)]
    wrong: list[object] = []

    def work(seed: int) -> None:
        chosen = random.Random(seed)
        try:
            for _ in range(150):
                x, k = chosen.choice(tensors), chosen.randrange(1, 8)
                if not torch.equal(fo.torch.roll(x, k, 0), x.roll(k)):
                    wrong.append((len(x), k))
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(kernels_are_checked(), reason="the checked form takes no addresses")
@pytest.mark.parametrize("n", LENGTHS)
def test_no_array_is_made_of_a_tensor_whose_like_was_traced(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.arange(n)
    expected = [thrice(lambda k=k: fo.torch.roll(x, k, 0)) for k in (1, 2)]
    monkeypatch.setattr(_tensor_operator, "as_array", None)
    for k, result in zip((1, 2), expected, strict=True):
        assert torch.equal(fo.torch.roll(x, k, 0), result)
        # Memory of another length than the last one's, less and more.
        for m in (n - 3, n):
            assert torch.equal(fo.torch.roll(x[:m], k, 0), x[:m].roll(k))


@pytest.mark.parametrize("n", [30_000, 300_000, 3_000_000])
def test_a_thread_that_resizes_storages_harms_nothing(n: int) -> None:
    assert run_code(RESIZED % (n, n)) == "right\n"


# PyTorch warns of its own modules when it loads what differentiates.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("n", LENGTHS)
def test_dual_tensors_of_forward_mode_are_refused(n: int) -> None:
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(n), torch.ones(n))
        refused(
            lambda: fo.torch.flip(dual, (0,)), fo.AttributeValueError, "torch.flip: input must not be a dual tensor"
        )
        refused(lambda: fo.torch.flip(torch.ones(n), (0,), out=dual), fo.AttributeValueError, "out must not be a dual")
        refused(lambda: fo.numpy.flip(dual), fo.AttributeValueError, "numpy.flip: m must not be a dual tensor")
        plain = torch.ones(n)
        assert torch.equal(thrice(lambda: fo.torch.flip(plain, (0,))), plain)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["functionalize", "vmap", "grad", "jvp"])
@pytest.mark.parametrize("function", [lambda x: fo.torch.roll(x + 1, 1, 0), lambda x: fo.numpy.flip(x + 1)])
def test_tensors_inside_of_transforms_are_refused(name: str, function: Any) -> None:
    x = torch.ones(4, 3)
    transform = getattr(torch.func, name)
    call = (lambda: transform(function, (x,), (x,))) if name == "jvp" else (lambda: transform(function)(x))
    refused(call, fo.FastopsError, r"(input|m) must (have memory|not require a gradient|not be)")


WRITES: list[Callable[[Any, Any], Any]] = [
    lambda x, out: fo.torch.flip(x, (0,), out=out),
    lambda x, out: fo.torch.roll(x, 1, out=out),
    lambda x, out: fo.numpy.flip(x, out=out),
    lambda x, out: fo.numpy.roll(x, 1, out=out),
    lambda x, out: fo.slice(x, [0], [len(x)], out=out),
    lambda x, out: fo.plan.numpy.flip(tuple(x.shape))(x, out=out),
    lambda x, out: fo.lazy(x).flip().run(out),
    lambda x, out: fo.numpy.split(x, 1, out=[out]),
    lambda x, out: fo.windows(x, [[0]], [len(x)], out=out[None]),
]


@pytest.mark.parametrize("write", WRITES)
def test_a_gradient_is_not_computed_of_what_was_written_over(write: Callable[[Any, Any], Any]) -> None:
    weight = torch.ones(4, requires_grad=True)
    kept = torch.arange(4.0)
    loss = (weight * kept).sum()
    version = kept._version
    write(torch.arange(4.0), kept)
    assert kept._version == version + 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    with pytest.raises(fo.FastopsError):
        write(torch.arange(4.0), kept[:3])
    assert kept._version == version + 1


ALL_TYPES = [*PLAIN, *BYTES_LIKE, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu, torch.complex32]


@pytest.mark.filterwarnings("ignore:ComplexHalf:UserWarning")
@pytest.mark.parametrize("dtype", ALL_TYPES, ids=str)
def test_other_functions_give_tensors(dtype: torch.dtype) -> None:
    x = torch.arange(12).reshape(3, 4).to(torch.float32).to(dtype)
    wanted = as_bytes(x).reshape(3, 4, -1)
    for result in (
        fo.slice(x, [0, 0], [3, 4]),
        fo.strided_slice(x, [0, 0], [3, 4]),
        fo.numpy.copy(x),
        fo.numpy.ascontiguousarray(x),
        fo.plan.torch.narrow((3, 4), 0, 0, 3)(x),
        fo.plan.slice((3, 4), [0, 0], [3, 4])(x),
        fo.lazy(x).run(),
        fo.lazy(x)[:3].run(),
        fo.windows(x, [[0, 0]], [3, 4])[0],
        fo.plan.windows((3, 4), [3, 4])(x, [[0, 0]])[0],
        fo.windows([x, x], [[0, 0], [0, 0]], [3, 4])[1],
        fo.variadic_split(x, 0, [3])[0],
        fo.numpy.roll(x, 0),
        fo.onnx.pad(x, [0, 0, 0, 0]),
    ):
        assert type(result) is torch.Tensor
        assert result.dtype is dtype
        assert torch.equal(as_bytes(result).reshape(3, 4, -1), wanted)
    out = torch.empty(4, 3, dtype=dtype)
    assert fo.numpy.transpose(x, out=out) is out
    assert torch.equal(as_bytes(out).reshape(4, 3, -1), as_bytes(x.T).reshape(4, 3, -1))
    for function in (fo.numpy.flip, fo.lazy, fo.slice):
        with pytest.raises(fo.FastopsError):
            function(torch.ones(2, requires_grad=True), *([[0], [2]] if function is fo.slice else []))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float8_e5m2, torch.float16, torch.int8], ids=str)
def test_fill_values_are_of_the_tensors_type(dtype: torch.dtype) -> None:
    x = torch.ones(2).to(dtype)
    for result in (
        fo.slice(x, [-1], [4], mode="fill", fill_value=2),
        fo.numpy.pad(x, 1, constant_values=2),
        fo.plan.numpy.pad((2,), 1)(x, fill_value=2),
        fo.lazy(x).pad(1, "constant", 2).run(),
        fo.windows(x, [[-1]], [4], mode="fill", fill_value=2)[0],
    ):
        assert result.to(torch.float32).tolist() == [2, 1, 1, 2]
    assert fo.numpy.pad(x, 1, constant_values=((2, 3),)).to(torch.float32).tolist() == [2, 1, 1, 3]
    with pytest.raises(fo.FastopsError, match="fill_value"):
        fo.slice(x, [-1], [4], mode="fill", fill_value="x")


def test_views_of_tensors_share_their_memory() -> None:
    x = torch.arange(12.0).reshape(3, 4)[:, 1:]
    view = fo.numpy.transpose(x, copy=False)
    assert view.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    assert torch.equal(view, x.T)
    row = fo.numpy.take_slice(x, (1, slice(None, None, 2)), copy=None)
    row.zero_()
    assert x[1, ::2].tolist() == [0, 0]
    assert x._version == row._version
    with pytest.raises(
        fo.AttributeValueError, match=r"numpy\.flip: copy must be True or None for a view that is read backw"
    ):
        fo.numpy.flip(x, copy=False)
    assert torch.equal(fo.numpy.flip(x, copy=None), x.flip(0, 1))
    assert fo.numpy.ascontiguousarray(x, copy=None).is_contiguous()
    empty = fo.numpy.take_slice(x, slice(0), copy=None)
    assert (type(empty), empty.shape) == (torch.Tensor, (0, 3))


def test_lists_of_tensors_are_of_one_type() -> None:
    with pytest.raises(fo.FastopsError, match=r"windows: data must have tensors of one type, torch\.float32, which"):
        fo.windows([torch.ones(2), torch.ones(2, dtype=torch.bfloat16)], [[0], [0]], [1])


E8M0 = torch.ones(3).to(torch.float8_e8m0fnu)


@pytest.mark.parametrize("value", [None, -1, -300, 0, 0.0, -0.0, 1e-45, math.inf, 2.0**128])
def test_values_that_float8_e8m0fnu_cannot_be(value: Any) -> None:
    options = {} if value is None else {"value": value}
    with pytest.raises(RuntimeError):
        torch.nn.functional.pad(E8M0, (1, 0), **options)
    rule = "given for torch.float8_e8m0fnu, which has no zero" if value is None else "a number that PyTorch converts"
    refused(lambda: fo.torch.pad(E8M0, (1, 0), **options), fo.AttributeValueError, f"torch.pad: value must be {rule}")


@pytest.mark.parametrize("value", [0, -1, -300, 0.0, -0.0])
def test_other_pads_with_values_that_float8_e8m0fnu_cannot_be(value: float) -> None:
    for call in (
        lambda: fo.numpy.pad(E8M0, 1, constant_values=value),
        lambda: fo.numpy.pad(E8M0, 1, constant_values=((1, value),)),
        lambda: fo.lazy(E8M0).pad(1, "constant", value),
        lambda: fo.numpy.pad(E8M0, 1),
        lambda: fo.lazy(E8M0).pad(1),
    ):
        refused(call, fo.AttributeValueError, "pad: constant_values must be positive for float8_e8m0fnu")


def test_values_may_be_tensors() -> None:
    x = torch.ones(2)
    for dtype in (torch.float32, torch.bfloat16):
        two = torch.tensor(2.0).to(dtype).requires_grad_()
        assert fo.slice(x, [-1], [4], mode="fill", fill_value=two).tolist() == [2, 1, 1, 2]
        assert fo.numpy.pad(x, 1, constant_values=two.detach()).tolist() == [2, 1, 1, 2]
        assert fo.numpy.pad(np.ones(2), 1, constant_values=two[None].detach()).tolist() == [2, 1, 1, 2]
    with pytest.raises(fo.FastopsError, match="fill_value must be a scalar"):
        fo.slice(x, [-1], [4], mode="fill", fill_value=torch.ones(2))


def test_lists_of_tensors_are_no_data() -> None:
    for tensors in ([torch.ones(2), torch.ones(2)], [[torch.ones(1, dtype=torch.bfloat16)]]):
        with pytest.raises(
            fo.AttributeValueError, match=r"numpy\.flip: m must be one tensor, as torch\.stack makes one"
        ):
            fo.numpy.flip(tensors)


def test_outputs_of_parts() -> None:
    class Outs(list):  # type: ignore[type-arg]
        pass

    x = torch.arange(4)
    outs = Outs([torch.zeros(1, dtype=torch.int64), torch.zeros(3, dtype=torch.int64)])
    assert fo.numpy.split(x, [1], out=outs) is outs
    assert outs[1].tolist() == [1, 2, 3]
    for wrong in ([outs[0], None], [outs[0]], outs[0], [outs[0], np.zeros(3, np.int64)]):
        with pytest.raises(fo.FastopsError, match=r"numpy\.split: out must be a"):
            fo.numpy.split(x, [1], out=wrong)


@pytest.mark.parametrize("value", [1, 2.0, 3.0, 2.0**127, 2.0**-126, math.nan])
def test_values_that_float8_e8m0fnu_can_be(value: float) -> None:
    wanted = torch.nn.functional.pad(E8M0, (1, 0), value=value)
    assert torch.equal(as_bytes(thrice(lambda: fo.torch.pad(E8M0, (1, 0), value=value))), as_bytes(wanted))
    assert torch.equal(as_bytes(fo.torch.pad(E8M0, (-1, 0))), as_bytes(E8M0[1:]))
