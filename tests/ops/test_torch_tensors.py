"""Tensors of PyTorch: which of them fastops takes, and the checks of calls that read a tensor at its address."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

import fastops as fo
from tests.helpers.processes import run_code
from tests.helpers.seeds import scale

# Kernels move float32 of these lengths with the GIL, without the GIL, by several threads, and into pooled memory.
LENGTHS = (8, 30_000, 100_000, 400_000)

BYTES_LIKE = [torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]
PLAIN = [torch.uint8, torch.bool, torch.int16, torch.float16, torch.float32, torch.int64, torch.complex64]
ALL_TYPES = [*PLAIN, *BYTES_LIKE, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu, torch.complex32]


def flip(x: Any, out: Any = None) -> Any:
    return fo.torch.flip(x, (0,), out=out)


def as_bytes(tensor: Any) -> Any:
    return tensor.contiguous().view(torch.uint8)


def refused(error: type[Exception], message: str, call: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    with pytest.raises(error, match=message) as info:
        call(*arguments, **options)
    assert isinstance(info.value, fo.FastopsError)


def hidden_tensors(n: int) -> list[tuple[Any, Any, str]]:
    """Return right tensors, wrong ones that differ in a hidden property, and the rules that these break."""
    cases = []
    for dtype in (torch.float32, torch.bfloat16, torch.float8_e5m2):
        leaf = torch.zeros(n, dtype=dtype).requires_grad_()
        cases += [(leaf.detach(), x, r".*grad.*detach\(\)") for x in (leaf, leaf.view(n))]
    own = torch.complex(torch.arange(float(n)), torch.ones(n))
    # NumPy does not have this type.
    half = torch.arange(2 * n).to(torch.float16).view(torch.complex32)
    for plain, pending in ((own, own.conj()), (own.imag, own.conj().imag), (half, half.conj())):
        assert pending.is_conj() or pending.is_neg()
        cases.append((plain, pending, ".*(conj|resolve_neg)"))
    for size in (0, 4):
        x = torch.arange(n)
        x.untyped_storage().resize_(size)
        cases.append((torch.arange(n), x, "have memory, not a storage that was resized to less"))
    return cases


@pytest.mark.parametrize("n", LENGTHS)
def test_hidden_properties_are_seen_after_right_calls(n: int) -> None:
    for plain, hidden, rule in hidden_tensors(n):
        expected = flip(plain)
        refused(ValueError, f"torch.flip: input must {rule}", flip, hidden)
        refused(ValueError, f"torch.flip: out must {rule}", flip, plain, hidden)
        assert torch.equal(as_bytes(flip(plain)), as_bytes(expected))


# PyTorch warns about its own modules when it loads the modules of forward-mode derivatives.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_dual_tensors_of_forward_mode_are_refused() -> None:
    for n in LENGTHS:
        with forward_ad.dual_level():
            plain = torch.ones(n)
            dual = forward_ad.make_dual(torch.ones(n), torch.ones(n))
            refused(ValueError, "torch.flip: input must not be a dual tensor", flip, dual)
            refused(ValueError, "out must not be a dual", flip, plain, dual)
            refused(ValueError, "numpy.flip: m must not be a dual tensor", fo.numpy.flip, dual)
            assert torch.equal(flip(plain), plain)


def test_views_without_elements_may_begin_anywhere() -> None:
    x = torch.arange(4.0)
    beyond = [x.as_strided((0,), (1,), 100), x.as_strided((3, 0), (1, 1), 100)]
    for view in [x[4:], *beyond, x.bfloat16().as_strided((0, 2), (2, 1), 9)]:
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
def test_errors_of_tensors_that_cannot_be_read_name_the_way_out() -> None:
    x = torch.zeros(8)
    quantized = [torch.quantize_per_tensor(torch.arange(6.0), 0.5, 1, t) for t in (torch.qint8, torch.qint32)]
    for wrong, rule in (
        (x.to("meta"), ".*meta device type tensor"),
        (x.to_sparse(), ".*to_dense"),
        *[(each, ".*gives as an array") for each in quantized],
        (x.byte().view(torch.bits8), ".*gives as an array"),
        (torch.empty(6, dtype=torch.int4), ".*gives as an array"),
        ([1, 2], "be a tensor of PyTorch"),
    ):
        flip(x)
        refused(fo.FastopsError, f"torch.flip: input must {rule}", flip, wrong)
    for each in quantized:
        assert torch.equal(flip(each.int_repr()), torch.flip(each, (0,)).int_repr())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_tensors_inside_of_traces_and_transforms_are_refused() -> None:
    class Padded(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return fo.torch.pad(x, (1, 1))

    x = torch.ones(4, 3)
    fo.torch.pad(x, (1, 1))
    rule = "input must be memory that PyTorch gives as an array"
    with pytest.raises(ValueError, match=rule):
        torch.export.export(Padded(), (x,), strict=False)
    with pytest.raises(ValueError, match=rule):
        make_fx(Padded(), tracing_mode="fake")(x)
    rule = r"(input|m) must (be memory|not be)"
    for function in (lambda x: fo.torch.roll(x + 1, 1, 0), lambda x: fo.numpy.flip(x + 1), flip):
        for transform in (torch.func.functionalize, torch.func.vmap, torch.func.grad):
            refused(fo.FastopsError, rule, transform(function), x)
        refused(fo.FastopsError, rule, torch.func.jvp, function, (x,), (x,))


# Run this in a process of its own, because a thread that changes tensors may crash other tests. The thread ends before
# Python does.
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


def test_a_first_call_within_a_transform_is_right() -> None:
    code = "import torch\nx = torch.arange(12.0)\nwith torch.device('meta'):\n    flipped = fo.torch.flip(x, (0,))\n"
    code += "    print(torch.equal(flipped, x.flip(0)), fo.torch.pad(x, (1, 0), value=3)[0].item())"
    assert run_code(code) == "True 3.0\n"


def test_writing_into_a_tensor_of_a_gradient_is_seen_by_backward() -> None:
    x = torch.arange(4.0)
    writes: list[Callable[[Any], Any]] = [
        lambda out: flip(x, out),
        lambda out: fo.torch.roll(x, 1, out=out),
        lambda out: fo.torch.split(x.repeat(2), 4, out=[torch.empty(4), out]),
        lambda out: fo.numpy.flip(x, out=out),
        lambda out: fo.plan.numpy.flip((4,))(x, out=out),
        lambda out: fo.lazy(x).flip().run(out),
        lambda out: fo.numpy.split(x, 1, out=[out]),
        lambda out: fo.windows(x, [[0]], [4], out=out[None]),
    ]
    for i, write in enumerate(writes):
        weight, kept = torch.ones(4, requires_grad=True), torch.arange(4.0)
        loss = (weight * kept).sum()
        version = kept._version
        write(kept)
        with pytest.raises(fo.FastopsError):
            write(kept[:3])
        assert kept._version == version + 1, i
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward()


@pytest.mark.filterwarnings("ignore:ComplexHalf:UserWarning")
def test_other_functions_give_tensors() -> None:
    for dtype in ALL_TYPES:
        x = torch.arange(12).reshape(3, 4).to(torch.float32).to(dtype)
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
            assert (type(result), result.dtype, result.shape) == (torch.Tensor, dtype, (3, 4)), i
            assert torch.equal(as_bytes(result), as_bytes(x)), (i, dtype)
        out = torch.empty(4, 3, dtype=dtype)
        assert fo.numpy.transpose(x, out=out) is out
        assert torch.equal(as_bytes(out), as_bytes(x.T)), dtype
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
        two = torch.tensor(2.0, dtype=dtype, requires_grad=True)
        results = [fo.slice(x, [-1], [4], mode="fill", fill_value=two)]
        results += [fo.numpy.pad(x, 1, constant_values=two.detach())]
        results += [fo.numpy.pad(np.ones(2), 1, constant_values=two[None].detach())]
        assert [each.tolist() for each in results] == [[2, 1, 1, 2]] * 3
    for wrong in ("x", x):
        refused(fo.FastopsError, "fill_value must", fo.slice, x, [-1], [4], mode="fill", fill_value=wrong)


def test_views_of_tensors_share_their_memory() -> None:
    x = torch.arange(12.0).reshape(3, 4)[:, 1:]
    view, row = fo.numpy.transpose(x, copy=False), fo.numpy.take_slice(x, (1, slice(None, None, 2)), copy=None)
    assert view.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    row.zero_()
    assert x[1, ::2].tolist() == [0, 0]
    assert torch.equal(view, x.T)
    assert x._version == row._version
    rule = r"numpy\.flip: copy must be True or None for a view that is read b"
    refused(fo.AttributeValueError, rule, fo.numpy.flip, x, copy=False)
    assert torch.equal(fo.numpy.flip(x, copy=None), x.flip(0, 1))
    assert fo.numpy.ascontiguousarray(x, copy=None).is_contiguous()
    empty = fo.numpy.take_slice(x, slice(0), copy=None)
    assert (type(empty), empty.shape) == (torch.Tensor, (0, 3))


def test_lists_of_tensors() -> None:
    class Outs(list):  # type: ignore[type-arg]
        pass

    x, two, other = torch.arange(4), torch.ones(2), torch.ones(2, dtype=torch.bfloat16)
    rule = r"windows: data must have tensors of one type, torch\.float32, but tensor 1"
    refused(fo.FastopsError, rule, fo.windows, [two, other], [[0], [0]], [1])
    for tensors in ([two, two], [[other[:1]]]):
        rule = r"numpy\.flip: m must be one tensor, as torch\.stack makes one"
        refused(fo.AttributeValueError, rule, fo.numpy.flip, tensors)
    outs = Outs([torch.zeros_like(x[:1]), torch.zeros_like(x[1:])])
    assert fo.numpy.split(x, [1], out=outs) is outs
    assert outs[1].tolist() == [1, 2, 3]
    for wrong in ([outs[0], None], [outs[0]], outs[0], [outs[0], np.zeros(3, np.int64)]):
        refused(fo.FastopsError, r"numpy\.split: out must be a", fo.numpy.split, x, [1], out=wrong)


def test_values_of_a_type_without_zero() -> None:
    x = torch.ones(3).to(torch.float8_e8m0fnu)
    pad, theirs = fo.torch.pad, torch.nn.functional.pad
    for value in (1, 2.0, 3.0, 2.0**127, 2.0**-126, math.nan):
        wanted = theirs(x, (1, 0), value=value)
        assert torch.equal(as_bytes(pad(x, (1, 0), value=value)), as_bytes(wanted)), value
    assert torch.equal(as_bytes(pad(x, (-1, 0))), as_bytes(x[1:]))
    refused(ValueError, "torch.pad: value must be given, because float8_e8m0fnu has no zero", pad, x, (1, 0))
    for value in (-1, -300, 0, 0.0, -0.0, 1e-45, math.inf, 2.0**128):
        with pytest.raises(RuntimeError):
            theirs(x, (1, 0), value=value)
        refused(ValueError, "torch.pad: value must be a number that PyTorch converts", pad, x, (1, 0), value=value)
