"""What tensors of PyTorch are taken, and that calls which run at a tensor's address are checked as all others are."""

from __future__ import annotations

import gc
import itertools
import math
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
from tests.helpers.torture import scale

# Moved with Python's lock, without it, by several threads, and into memory that is allocated when its size is known.
LENGTHS = (8, 30_000, 100_000, 400_000)

BYTES_LIKE = [torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]
PLAIN = [torch.uint8, torch.bool, torch.int16, torch.float16, torch.float32, torch.int64, torch.complex64]
ALL_TYPES = [*PLAIN, *BYTES_LIKE, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu, torch.complex32]

only_at_addresses = pytest.mark.skipif(kernels_are_checked(), reason="the checked form takes no addresses")


def flip(x: Any, out: Any = None) -> Any:
    return fo.torch.flip(x, (0,), out=out)


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
        with pytest.raises(error, match=message) as info:
            call()
        assert isinstance(info.value, fo.FastopsError)


def test_types_and_strides() -> None:
    for n, dtype in [
        *itertools.product((8, 30_000), PLAIN + BYTES_LIKE),
        *zip(LENGTHS[2:] * 4, ALL_TYPES, strict=False),
    ]:
        x = (torch.arange(n) % 100).to(dtype)
        flipped = thrice(lambda x=x: flip(x))
        assert flipped.dtype is dtype
        assert torch.equal(as_bytes(flipped), as_bytes(x).view(n, -1).flip(0).reshape(-1)), (n, dtype)
        parts = fo.torch.split(x, n // 2)
        assert {part.dtype for part in parts} == {dtype}
        assert torch.equal(torch.cat([as_bytes(part) for part in parts]), as_bytes(x)), (n, dtype)
    for n in LENGTHS:
        x = torch.arange(3 * n).reshape(3, n)
        for k, view in enumerate((x.T, x[:, ::2], x[1:, 3:], x[:1].expand(4, n), x[:, 5])):
            assert torch.equal(thrice(lambda view=view: flip(view)), view.flip(0)), (n, k)


def test_what_changes_between_calls_is_read_anew() -> None:
    x = torch.arange(6)
    assert thrice(lambda: flip(x)).tolist() == [5, 4, 3, 2, 1, 0]
    x.resize_(3)
    assert flip(x).tolist() == [2, 1, 0]
    x.unsqueeze_(0)
    assert flip(x).tolist() == [[0, 1, 2]]
    x, pads = torch.arange(8.0), [1, 1]
    for k in (1, 1, 2, 0, 1):
        pads[0] = k
        assert thrice(lambda: fo.torch.pad(x, pads)).tolist() == [0] * k + list(range(8)) + [0]
    for pads_of_another_type in ((1.0, 1), (True, 1)):
        thrice(lambda: fo.torch.pad(x, (1, 1)))
        with pytest.raises(fo.DTypeError):
            fo.torch.pad(x, pads_of_another_type)
    thrice(lambda: fo.torch.narrow(x, 0, 1, 1))
    for start in (True, 1.0):
        refused(
            lambda start=start: fo.torch.narrow(x, 0, start, 1), TypeError, f"start must be an integer, got {start}"
        )


def hidden_tensors(n: int) -> list[tuple[Any, Any, str]]:
    """Return tensors that are taken, such ones with a hidden property that is refused, and the rules."""
    cases = []
    for dtype in (torch.float32, torch.bfloat16, torch.float8_e5m2):
        leaf = torch.zeros(n, dtype=dtype).requires_grad_()
        cases += [(leaf.detach(), x, r"not require a gradient.*tensor\.detach\(\)") for x in (leaf, leaf.view(n))]
    own = torch.complex(torch.arange(float(n)), torch.ones(n))
    # A type that NumPy does not have.
    half = torch.arange(2 * n).to(torch.float16).view(torch.complex32)
    for plain, pending in ((own, own.conj()), (own.imag, own.conj().imag), (half, half.conj())):
        assert pending.is_conj() or pending.is_neg()
        cases.append((plain, pending, "have no pending"))
    for size in (0, 4):
        x = torch.arange(n)
        x.untyped_storage().resize_(size)
        cases.append((torch.arange(n), x, "have memory, not a storage that was resized to less"))
    return cases


@pytest.mark.parametrize("n", LENGTHS)
def test_hidden_properties_are_seen_whatever_was_moved_before(n: int) -> None:
    for plain, hidden, rule in hidden_tensors(n):
        expected = thrice(lambda plain=plain: flip(plain))
        refused(lambda hidden=hidden: flip(hidden), ValueError, f"torch.flip: input must {rule}")
        refused(lambda plain=plain, hidden=hidden: flip(plain, hidden), ValueError, f"torch.flip: out must {rule}")
        assert torch.equal(as_bytes(flip(plain)), as_bytes(expected))


# PyTorch warns of its own modules when it loads what differentiates.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_dual_tensors_of_forward_mode_are_refused() -> None:
    for n in LENGTHS:
        with forward_ad.dual_level():
            plain = torch.ones(n)
            dual = forward_ad.make_dual(torch.ones(n), torch.ones(n))
            refused(lambda dual=dual: flip(dual), ValueError, "torch.flip: input must not be a dual tensor")
            refused(lambda plain=plain, dual=dual: flip(plain, dual), ValueError, "out must not be a dual")
            refused(lambda dual=dual: fo.numpy.flip(dual), ValueError, "numpy.flip: m must not be a dual tensor")
            assert torch.equal(thrice(lambda plain=plain: flip(plain)), plain)


def test_a_tensor_that_gets_other_data_amid_a_call_spoils_no_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    changing, others = torch.arange(7.0), [torch.arange(7.0), torch.arange(7.0)]
    as_array = _tensor_operator.as_array

    def as_other_array(attribute: str, tensor: torch.Tensor) -> Any:
        tensor.data = torch.arange(7, dtype=torch.int32)
        return as_array(attribute, tensor)

    with monkeypatch.context() as patch:
        patch.setattr(_tensor_operator, "as_array", as_other_array)
        assert flip(changing).dtype is torch.int32
    for other in others:
        assert torch.equal(thrice(lambda other=other: flip(other)), torch.arange(6.0, -1, -1))


def test_views_without_elements_may_begin_anywhere() -> None:
    x = torch.arange(4.0)
    beyond = [x.as_strided((0,), (1,), 100), x.as_strided((3, 0), (1, 1), 100)]
    for view in (x[4:], *beyond, x.bfloat16().as_strided((0, 2), (2, 1), 9)):
        for _ in range(3):
            for result, expected in (
                (flip(view), torch.flip(view, (0,))),
                (flip(view, torch.empty_like(view)), view),
                (fo.torch.roll(view, 1), torch.roll(view, 1)),
                (fo.torch.pad(view, (1, 2)), torch.nn.functional.pad(view, (1, 2))),
                (fo.torch.split(view, 1)[0], torch.split(view, 1)[0]),
            ):
                assert result.dtype is expected.dtype
                assert torch.equal(result, expected)


@pytest.mark.filterwarnings("ignore:.*quantize")
def test_tensors_that_cannot_be_read_are_told_what_stands_for_them() -> None:
    thrice(lambda: flip(torch.zeros(3)))
    conjugate = torch.zeros(3, dtype=torch.complex64).conj()
    quantized = [
        torch.quantize_per_tensor(torch.arange(6.0), 0.5, 1, getattr(torch, f"q{t}")) for t in ("int8", "int32")
    ]
    for x, error, rule in (
        (torch.zeros(3, device="meta"), ValueError, "have memory: tensors of the device meta have none"),
        (
            torch.zeros(3).to_sparse(),
            ValueError,
            "be dense, and not of layout torch.sparse_coo: pass tensor.to_dense()",
        ),
        (conjugate, ValueError, "have no pending conjugation: pass tensor.resolve_conj()"),
        (conjugate.imag, ValueError, "have no pending negation: pass tensor.resolve_neg()"),
        *[(x, TypeError, "not be quantized: pass its integers, tensor.int_repr()") for x in quantized],
        (torch.zeros(6, dtype=torch.uint8).view(torch.bits8), TypeError, "not be of type torch.bits8, which NumPy has"),
        (torch.empty(6, dtype=torch.int4), TypeError, "be of a type whose elements are whole bytes"),
        ([1, 2], TypeError, "be a tensor of PyTorch"),
    ):
        refused(lambda x=x: flip(x), error, re.escape(f"torch.flip: input must {rule}"))
    for x in quantized:
        assert torch.equal(flip(x.int_repr()), torch.flip(x, (0,)).int_repr())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_tensors_inside_of_traces_and_transforms_are_refused() -> None:
    class Padded(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return fo.torch.pad(x, (1, 1))

    x = torch.ones(4, 3)
    thrice(lambda: fo.torch.pad(x, (1, 1)))
    for trace in (
        lambda: torch.export.export(Padded(), (x,), strict=False),
        lambda: make_fx(Padded(), tracing_mode="fake")(x),
    ):
        with pytest.raises(
            ValueError, match=r"a FakeTensor and other tensors of a trace \(torch\.export, torch\.compile"
        ):
            trace()
    for function in (lambda x: fo.torch.roll(x + 1, 1, 0), lambda x: fo.numpy.flip(x + 1), lambda x: flip(x)):
        for name in ("functionalize", "vmap", "grad", "jvp"):
            transform, inputs = getattr(torch.func, name), ((x,), (x,)) if name == "jvp" else (x,)
            call = (lambda: transform(function, *inputs)) if name == "jvp" else lambda: transform(function)(*inputs)  # noqa: B023
            refused(call, fo.FastopsError, r"(input|m) must (have memory|not require a gradient|not be)")


def test_results_are_tensors_of_their_own_and_outputs_are_returned() -> None:
    x = torch.arange(4)
    results = [flip(x) for _ in range(5)]
    x.zero_()
    gc.collect()
    for i, result in enumerate(results):
        assert result.tolist() == [3, 2, 1, 0]
        result += i
    parameter = torch.nn.Parameter(torch.arange(3.0), requires_grad=False)
    flipped = thrice(lambda: flip(parameter))
    assert (type(flipped), flipped.tolist()) == (torch.Tensor, [2, 1, 0])
    x, out = torch.arange(6).reshape(2, 3), torch.zeros(3, 2, dtype=torch.int64).T
    assert fo.torch.roll(x, 1, 1, out=out) is out
    assert out.tolist() == [[2, 0, 1], [5, 3, 4]]
    refused(lambda: fo.torch.roll(x, 1, 1, out=out.to(torch.int32)), ValueError, "out must have dtype torch.int64")


# A thread that changes what others read may crash them. It is ended before Python ends, while it is in PyTorch's code.
HARMED = """
import contextlib, threading, torch
torch.set_num_threads(1)
sys.setswitchinterval(1e-6)
harmless = contextlib.suppress(fo.FastopsError, RuntimeError)
for n in (30_000, 300_000, 3_000_000):
    storages, swapped, ends = [torch.ones(0).untyped_storage()], torch.zeros(n, dtype=torch.uint8), []
    def change():
        k = 0
        while not ends:
            k += 1
            with harmless:
                storages[0].resize_(0)
            swapped.data = torch.full((n + k % 3,), k % 200, dtype=torch.uint8)
    for _ in range(3):
        fo.torch.pad(torch.ones(n, dtype=torch.uint8), (1, 1))
        fo.torch.roll(swapped, 1, 0)
    thread = threading.Thread(target=change, daemon=True)
    thread.start()
    rounds = right = 0
    while rounds < max(ROUNDS * 30_000 // n, 40) or right < 10:
        rounds += 1
        with harmless:
            tensor = torch.ones(n, dtype=torch.uint8)
            storages[0] = tensor.untyped_storage()
            assert fo.torch.pad(tensor, (1, 1))[1:-1].all()
        with harmless:
            result = fo.torch.roll(swapped, 1, 0)
            assert len(result) in (n, n + 1, n + 2) and (result == result[0]).all(), result
            right += 1
    ends.append(True)
    thread.join()
print("right")
"""


def test_a_thread_that_resizes_storages_or_gives_a_tensor_other_data_harms_nothing() -> None:
    assert run_code(HARMED.replace("ROUNDS", str(scale(1000, 30_000)))) == "right\n"


@pytest.fixture
def own_operator(monkeypatch: pytest.MonkeyPatch) -> TensorOperator:
    """A roll of which nothing was traced yet."""
    operator = TensorOperator(lower_roll)
    monkeypatch.setattr(_roll, "_OPERATOR", operator)
    return operator


@only_at_addresses
def test_calls_of_other_sizes_in_turn_keep_no_memory(own_operator: TensorOperator) -> None:
    for x in [torch.arange(8), torch.arange(30_000)] * 20:
        assert torch.equal(fo.torch.roll(x, 1, 0), x.roll(1))
    records = own_operator._traced._records.values()
    assert {record.keeps_gil for record in records} == {True, False}
    assert sum([len(record.tables) for record in records]) <= 1


@only_at_addresses
def test_large_tensors_are_moved_by_threads_without_the_lock(
    own_operator: TensorOperator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_traced_calls, "workers_in_compiled_code", lambda n: ONE_IF_SMALL if n < PARALLEL_BYTES else 2)
    for n, expected in ((8, ONLY_WITH_GIL), (30_000, ONE_IF_SMALL), (100_000, 2)):
        x = torch.arange(n)
        thrice(lambda x=x: fo.torch.roll(x, 1, 0))
        calls = Mock(side_effect=own_operator._traced._run)
        with monkeypatch.context() as patch:
            patch.setattr(own_operator._traced, "_run", calls)
            assert torch.equal(fo.torch.roll(x, 1, 0), x.roll(1))
        assert [call.args[-1] for call in calls.mock_calls] == [expected]


@only_at_addresses
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


def test_more_than_one_launch() -> None:
    x = torch.arange(251, dtype=torch.uint8).repeat((64 << 20) // 251 + 1)
    for k in (1, 2, 3):
        assert torch.equal(fo.torch.roll(x, k, 0), x.roll(k))


def test_threads_roll_tensors_of_all_sizes_at_once() -> None:
    tensors = [torch.arange(n) for n in (8, 8_000, 9_000, 30_000, 50_000, 100_000, 400_000)]

    def work(seed: int) -> None:
        chosen = random.Random(seed)
        for _ in range(100):
            x, k = chosen.choice(tensors), chosen.randrange(1, 8)
            assert torch.equal(fo.torch.roll(x, k, 0), x.roll(k)), (len(x), k)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))


def test_a_gradient_is_not_computed_of_what_was_written_over() -> None:
    writes: list[Callable[[Any, Any], Any]] = [
        flip,
        lambda x, out: fo.torch.roll(x, 1, out=out),
        lambda x, out: fo.torch.split(x, len(x), out=[out]),
        lambda x, out: fo.numpy.flip(x, out=out),
        lambda x, out: fo.plan.numpy.flip(tuple(x.shape))(x, out=out),
        lambda x, out: fo.lazy(x).flip().run(out),
        lambda x, out: fo.numpy.split(x, 1, out=[out]),
        lambda x, out: fo.windows(x, [[0]], [len(x)], out=out[None]),
    ]
    for i, write in enumerate(writes):
        weight = torch.ones(4, requires_grad=True)
        kept = torch.arange(4.0)
        loss = (weight * kept).sum()
        version = kept._version
        write(torch.arange(4.0), kept)
        assert kept._version == version + 1, i
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward()
        with pytest.raises(fo.FastopsError):
            write(torch.arange(4.0), kept[:3])
        assert kept._version == version + 1, i


@pytest.mark.filterwarnings("ignore:ComplexHalf:UserWarning")
def test_other_functions_give_tensors() -> None:
    for dtype in ALL_TYPES:
        x = torch.arange(12).reshape(3, 4).to(torch.float32).to(dtype)
        wanted = as_bytes(x).reshape(3, 4, -1)
        for i, result in enumerate(
            (
                fo.slice(x, [0, 0], [3, 4]),
                fo.numpy.ascontiguousarray(x),
                fo.plan.torch.narrow((3, 4), 0, 0, 3)(x),
                fo.lazy(x)[:3].run(),
                fo.windows(x, [[0, 0]], [3, 4])[0],
                fo.plan.windows((3, 4), [3, 4])(x, [[0, 0]])[0],
                fo.windows([x, x], [[0, 0], [0, 0]], [3, 4])[1],
                fo.variadic_split(x, 0, [3])[0],
                fo.numpy.roll(x, 0),
                fo.onnx.pad(x, [0, 0, 0, 0]),
            )
        ):
            assert (type(result), result.dtype) == (torch.Tensor, dtype), i
            assert torch.equal(as_bytes(result).reshape(3, 4, -1), wanted), (i, dtype)
        out = torch.empty(4, 3, dtype=dtype)
        assert fo.numpy.transpose(x, out=out) is out
        assert torch.equal(as_bytes(out).reshape(4, 3, -1), as_bytes(x.T).reshape(4, 3, -1)), dtype
    leaf = torch.ones(2, requires_grad=True)
    for call in (lambda: fo.numpy.flip(leaf), lambda: fo.lazy(leaf), lambda: fo.slice(leaf, [0], [2])):
        with pytest.raises(fo.FastopsError):
            call()


def test_fill_values_are_of_the_tensors_type_and_may_be_tensors() -> None:
    for dtype in (torch.bfloat16, torch.float8_e5m2, torch.float16, torch.int8):
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
    x = torch.ones(2)
    for dtype in (torch.float32, torch.bfloat16):
        two = torch.tensor(2.0).to(dtype).requires_grad_()
        assert fo.slice(x, [-1], [4], mode="fill", fill_value=two).tolist() == [2, 1, 1, 2]
        assert fo.numpy.pad(x, 1, constant_values=two.detach()).tolist() == [2, 1, 1, 2]
        assert fo.numpy.pad(np.ones(2), 1, constant_values=two[None].detach()).tolist() == [2, 1, 1, 2]
    for wrong in ("x", torch.ones(2)):
        with pytest.raises(fo.FastopsError, match="fill_value must"):
            fo.slice(x, [-1], [4], mode="fill", fill_value=wrong)


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
        fo.AttributeValueError, match=r"numpy\.flip: copy must be True or None for a view that is read b"
    ):
        fo.numpy.flip(x, copy=False)
    assert torch.equal(fo.numpy.flip(x, copy=None), x.flip(0, 1))
    assert fo.numpy.ascontiguousarray(x, copy=None).is_contiguous()
    empty = fo.numpy.take_slice(x, slice(0), copy=None)
    assert (type(empty), empty.shape) == (torch.Tensor, (0, 3))


def test_lists_of_tensors_are_data_of_windows_and_outputs_of_parts() -> None:
    class Outs(list):  # type: ignore[type-arg]
        pass

    two, other = torch.ones(2), torch.ones(2, dtype=torch.bfloat16)
    with pytest.raises(fo.FastopsError, match=r"windows: data must have tensors of one type, torch\.float32, which"):
        fo.windows([two, other], [[0], [0]], [1])
    for tensors in ([two, two], [[other[:1]]]):
        with pytest.raises(
            fo.AttributeValueError, match=r"numpy\.flip: m must be one tensor, as torch\.stack makes one"
        ):
            fo.numpy.flip(tensors)
    outs = Outs([torch.zeros(1, dtype=torch.int64), torch.zeros(3, dtype=torch.int64)])
    assert fo.numpy.split(torch.arange(4), [1], out=outs) is outs
    assert outs[1].tolist() == [1, 2, 3]
    for wrong in ([outs[0], None], [outs[0]], outs[0], [outs[0], np.zeros(3, np.int64)]):
        with pytest.raises(fo.FastopsError, match=r"numpy\.split: out must be a"):
            fo.numpy.split(torch.arange(4), [1], out=wrong)


def test_values_of_a_type_without_zero() -> None:
    x = torch.ones(3).to(torch.float8_e8m0fnu)
    pad, theirs = fo.torch.pad, torch.nn.functional.pad
    for value in (1, 2.0, 3.0, 2.0**127, 2.0**-126, math.nan):
        wanted = theirs(x, (1, 0), value=value)
        assert torch.equal(as_bytes(thrice(lambda value=value: pad(x, (1, 0), value=value))), as_bytes(wanted)), value
    assert torch.equal(as_bytes(pad(x, (-1, 0))), as_bytes(x[1:]))
    for value in (None, -1, -300, 0, 0.0, -0.0, 1e-45, math.inf, 2.0**128):
        options = {} if value is None else {"value": value}
        with pytest.raises(RuntimeError):
            theirs(x, (1, 0), **options)
        rule = "given for torch.float8_e8m0fnu, which has" if value is None else "a number that PyTorch converts"
        refused(lambda options=options: pad(x, (1, 0), **options), ValueError, f"torch.pad: value must be {rule}")
    for options in ({}, *[{"constant_values": value} for value in (0, -1, -300, 0.0, -0.0, ((1, -1),))]):
        calls = [lambda options=options: fo.numpy.pad(x, 1, **options)]
        if not isinstance(options.get("constant_values"), tuple):
            calls.append(lambda options=options: fo.lazy(x).pad(1, **options))
        for call in calls:
            refused(call, ValueError, "pad: constant_values must be positive for float8_e8m0fnu")
