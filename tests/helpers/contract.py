"""The promises that all operators make, tested with the calls that the test file of each operator gives.

The test of an operator is `contract(function)(*rows)`: right calls with their results by NumPy, and wrong calls with
their errors. Other tests take calls from these rows, too.
"""

from __future__ import annotations

import inspect
import operator
import random
import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import fastops as fo
from fastops._execution import _numpy_fallback
from tests.helpers.chains import FORMS, LAYOUTS, array_of, assert_right, in_form, lay_out
from tests.helpers.processes import names_of
from tests.helpers.seeds import chooser, deal, noted, scale

Array = np.ndarray[Any, Any]

ALL_DIALECTS = ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")


def has_torch() -> bool:
    """True where PyTorch is installed."""
    return find_spec("torch") is not None


#: The dialects that can be called here: fastops.torch needs PyTorch.
DIALECTS = ALL_DIALECTS if has_torch() else ALL_DIALECTS[:-1]

#: Default types of data: kernels move their elements unchanged, and all bytes of their zeros are zero.
DTYPES = ("u1", "<i2", ">f4", "f8", "c16", "?", "m8[s]")


@dataclass(frozen=True)
class Call:
    """A right call: the shape of data, which is the first argument, the other arguments, and the result."""

    shape: tuple[int, ...]
    arguments: dict[str, Any]
    #: Computes the result from data without fastops: an array or a list of arrays.
    expected: Callable[[Array], Any]
    dtypes: tuple[str, ...] = field(default=DTYPES)
    #: True where the plan reads the flattened data.
    is_flat: bool = False
    #: The number of plans that make one output, if the operator has a list of plans.
    pieces: int | None = None


@dataclass(frozen=True)
class Refusal:
    """A wrong call, its error, and a pattern that matches the message; `contract` adds the shape and the arguments."""

    shape: tuple[int, ...] | None
    arguments: dict[str, Any]
    error: type[Exception]
    match: str


def refuse(
    rule: str, error: type[Exception] = ValueError, shape: tuple[int, ...] | None = None, /, **arguments: Any
) -> Refusal:
    """Return a refusal of the call that `contract` is given, with other arguments or another shape."""
    return Refusal(shape, arguments, error, rule)


class Subject:
    """An operator under test; ``run`` takes and returns arrays, even if the operator takes tensors."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = function.__name__
        *_, dialect, _ = function.__module__.split(".")
        self.dialect = "" if dialect == "ops" else dialect
        self.op = f"{self.dialect}.{self.name}" if self.dialect else self.name
        self.plan_function = getattr(getattr(fo.plan, self.dialect) if self.dialect else fo.plan, self.name)
        self.data_name, *self.names = inspect.signature(function).parameters
        self.has_copy = "copy" in self.names

    def run(self, data: Array, arguments: dict[str, Any], **options: Any) -> list[Array]:
        """Call the operator."""
        if self.dialect == "torch":
            # PyTorch has no negative strides.
            data = self.own(np.ascontiguousarray(data) if min(data.strides, default=0) < 0 else data)
            outs = options.get("out")
            options |= {} if outs is None else {"out": self.own(outs)}
        results = listed(self.function(data, **arguments, **options))
        return [each.numpy() for each in results] if self.dialect == "torch" else results

    def own(self, given: Any) -> Any:
        """Return an array or a list of arrays, as tensors if the operator takes these."""
        if self.dialect != "torch" or not isinstance(given, list | np.ndarray):
            return given
        from_numpy = import_module("torch").from_numpy
        return [from_numpy(each) for each in given] if isinstance(given, list) else from_numpy(given)

    def plans(self, shape: tuple[int, ...], arguments: dict[str, Any]) -> list[fo.plan.SlicePlan]:
        """Return the plans of a call; functions of plans take only the arguments that geometry depends on."""
        known = inspect.signature(self.plan_function).parameters
        return listed(self.plan_function(shape, **{name: arguments[name] for name in known if name in arguments}))

    def dtypes(self, call: Call) -> list[np.dtype[Any]]:
        """Return the types to run a call with."""
        types = [np.dtype(name) for name in call.dtypes]
        return [t for t in types if self.dialect != "torch" or (t.isnative and t.kind != "m")]


def data_of(call: Call, dtype: np.dtype[Any], layout: str = "C") -> Array:
    """Return random data for a call, without NaNs."""
    small = array_of(call.shape, np.dtype("u1"), "C")
    return lay_out(np.asarray(small % 2 == 1 if dtype.kind == "b" else small.astype(dtype)), layout)


def theirs_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of NumPy or PyTorch for one of `fastops.numpy` or `fastops.torch`."""
    subject = Subject(function)
    if subject.name == "take_slice":
        return lambda data, index: operator.getitem(data, index)
    if subject.dialect == "numpy":
        homes: list[Any] = [np, np.lib.stride_tricks]
    else:
        torch = import_module("torch")
        homes = [torch.nn.functional, torch]
    return next(getattr(home, subject.name) for home in homes if hasattr(home, subject.name))


def listed(results: Any) -> list[Any]:
    return list(results) if isinstance(results, list | tuple) else [results]


def outcome(call: Callable[[], Any]) -> Any:
    """Return the results of a call, with the bytes of arrays, or its error's type, attribute and rule."""
    try:
        results = listed(call())
    except fo.FastopsError as error:
        return type(error), error.attribute, error.rule
    return [(each.dtype, each.shape, each.tobytes()) if type(each) is np.ndarray else str(each) for each in results]


def outputs_of(expected: Any) -> list[Array]:
    return [np.asarray(each) for each in listed(expected)]


def assert_same(results: Sequence[Array], expected: Any) -> None:
    wanted = outputs_of(expected)
    assert [result.shape for result in results] == [each.shape for each in wanted]
    for result, each in zip(results, wanted, strict=True):
        # Some results are scalars of NumPy, which have no byte order.
        each = each if result.ndim else each.astype(each.dtype.newbyteorder(result.dtype.byteorder))
        assert result.dtype == each.dtype
        assert result.tobytes() == each.tobytes()


@dataclass
class Trial:
    """A call with a drawn dtype, layout and form of its arguments."""

    subject: Subject
    call: Call
    dtype: np.dtype[Any]
    layout: str
    form: str
    is_writeable: bool

    def __post_init__(self) -> None:
        self.data = data_of(self.call, self.dtype, self.layout)
        if not self.is_writeable and self.subject.dialect != "torch":
            self.data.flags.writeable = False
        self.arguments = {name: in_form(value, self.form) for name, value in self.call.arguments.items()}
        self.expected = self.call.expected(np.array(self.data))
        self.wanted = [each.astype(self.dtype) for each in outputs_of(self.expected)]
        self.is_list = isinstance(self.expected, list | tuple)

    def run(self, **options: Any) -> list[Array]:
        """Make the call, and assert that it does not change its data."""
        before = self.data.tobytes()
        results = self.subject.run(self.data, self.arguments, **options)
        assert self.data.tobytes() == before
        return results

    def as_given(self, outs: list[Array]) -> Any:
        """Return outputs in the form that the operator takes: a list, or the only output."""
        return outs if self.is_list else outs[0]


def check_fresh(trial: Trial) -> None:
    """Call twice: what the first call keeps must be right for the second call."""
    for _ in range(2):
        results = trial.run()
        assert_same(results, trial.expected)
        assert all(result.flags.c_contiguous and not np.may_share_memory(result, trial.data) for result in results)


def check_view(trial: Trial) -> None:
    subject, call, data = trial.subject, trial.call, trial.data
    if not subject.has_copy:
        return
    # A result of several pieces is no view.
    is_view = call.pieces in (None, 1) and all(plan.is_view for plan in subject.plans(call.shape, call.arguments))
    if call.is_flat or subject.name == "ascontiguousarray":
        is_view = is_view and data.flags.c_contiguous
    if not is_view:
        with pytest.raises(fo.AttributeValueError, match="copy must be True or None"):
            trial.run(copy=False)
    numbers = outputs_of(call.expected(np.arange(data.size).reshape(call.shape)) if is_view else trial.expected)
    for copy in (None, False) if is_view else (None,):
        views = trial.run(copy=copy)
        assert_same([np.array(view) for view in views], trial.expected)
        for view, own in zip(views, numbers, strict=True):
            if view.size and data.size:
                assert np.shares_memory(view, data) == is_view
            if is_view and view.size:
                # A view that shows an element twice is read-only, and so are all views by these two operators.
                may_write = subject.name not in ("broadcast_to", "sliding_window_view") and data.flags.writeable
                assert view.flags.writeable == (may_write and np.unique(own).size == own.size)


def check_out(trial: Trial, layout: str) -> None:
    for _ in range(2):
        outs = [lay_out(np.zeros(each.shape, each.dtype), layout) for each in trial.wanted]
        results = trial.run(out=trial.as_given(outs))
        assert_same([np.array(out) for out in outs], trial.wanted)
        if trial.subject.dialect != "torch":
            assert all(result is out for result, out in zip(results, outs, strict=True))


def check_out_over_data(trial: Trial, shift: int) -> None:
    n = trial.data.size
    if len(trial.wanted) != 1 or not n or not trial.wanted[0].size:
        return
    (wanted,) = trial.wanted
    memory = np.zeros(n + wanted.size + 1, trial.dtype)
    data, out = memory[:n].reshape(trial.call.shape), memory[shift : shift + wanted.size].reshape(wanted.shape)
    data[...] = trial.data
    trial.subject.run(data, trial.arguments, out=trial.as_given([out]))
    assert_same([out], trial.wanted)


def check_out_that_does_not_fit(trial: Trial, fault: str) -> None:
    outs = [np.full(each.shape, 7).astype(each.dtype) for each in trial.wanted]
    if fault == "shape":
        outs[0] = outs[0][None]
    elif fault == "dtype":
        outs[0] = np.full(outs[0].shape, 7, "f4" if trial.dtype != np.float32 else "i4")
    before = [out.tobytes() for out in outs]
    given = outs if trial.is_list != (fault == "list") else outs[0]
    with pytest.raises((fo.OutputError, fo.DTypeError)):
        trial.run(out=given)
    assert [out.tobytes() for out in outs] == before


#: Each call is made with each of these targets.
_TARGETS: dict[str, Callable[[Trial], None]] = {
    "fresh": check_fresh,
    "view": check_view,
    **{f"out, {each}": partial(check_out, layout=each) for each in ("C", "F", "permuted", "strided", "unaligned")},
    **{f"out over data, shifted by {shift}": partial(check_out_over_data, shift=shift) for shift in (0, 1)},
    **{f"wrong {each}": partial(check_out_that_does_not_fit, fault=each) for each in ("shape", "dtype", "list")},
}


def check_draws(subject: Subject, call: Call, rng: random.Random) -> None:
    """Make a call with each target, dtype, layout and form of integers, in drawn combinations."""
    n = len(_TARGETS) * scale(1, 20)
    layouts = LAYOUTS[:-1] if subject.dialect == "torch" else LAYOUTS
    dimensions = (list(_TARGETS), subject.dtypes(call), layouts, list(FORMS), [True, False])
    for target, *drawn in zip(*[deal(rng, values, n) for values in dimensions], strict=True):
        with noted(target, *drawn):
            trial = Trial(subject, call, *drawn)
            _TARGETS[target](trial)
            # A right call must work after any other call, right or wrong.
            assert_same(trial.run(), trial.expected)


def check_plan(subject: Subject, call: Call) -> None:
    plans = subject.plans(call.shape, call.arguments)
    wanted = outputs_of(call.expected(data_of(call, subject.dtypes(call)[0])))
    flat = (int(np.prod(call.shape)),)
    for plan in plans:
        assert_right(plan.geometry)
    assert {plan.source_shape for plan in plans} <= {flat if call.is_flat else call.shape}
    if call.pieces is not None:
        assert len(plans) == call.pieces
        assert sum(plan.size for plan in plans) == wanted[0].size
        return
    assert [plan.size for plan in plans] == [each.size for each in wanted]
    assert [plan.shape for plan in plans] == [flat if call.is_flat else each.shape for each in wanted]


#: Makes calls of `fastops.numpy` fail where they would fall back on NumPy, like FASTOPS_FALLBACK=error.
without_numpy = partial(patch.object, _numpy_fallback, "FALLBACK", "error")


def check_refusal(subject: Subject, refusal: Refusal) -> None:
    data = np.zeros(refusal.shape or (), "f4")
    is_alone = subject.dialect != "numpy" or not _is_taken_by_numpy(subject, refusal)
    for _ in range(2):
        with nullcontext() if is_alone else without_numpy(), pytest.raises(refusal.error, match=refusal.match) as info:
            subject.run(data, refusal.arguments)
        assert isinstance(info.value, fo.FastopsError)
        assert info.value.op == subject.op
        assert info.value.attribute in (subject.data_name, *subject.names, *refusal.arguments)
    if refusal.arguments.keys() <= inspect.signature(subject.plan_function).parameters.keys():
        # Functions of plans take the shape of data in place of data.
        match = re.sub(rf"\b{subject.data_name} must", "shape must", refusal.match)
        with pytest.raises(fo.FastopsError, match=match):
            subject.plans(refusal.shape or (), refusal.arguments)


def _is_taken_by_numpy(subject: Subject, refusal: Refusal) -> bool:
    """Return whether NumPy does a call; if so, assert that the operator gives the same result."""
    if subject.name == "take_slice" or any(type(value) is range for value in refusal.arguments.values()):
        # NumPy has no take_slice, and would make a list of a range that is longer than memory.
        return False
    data = np.zeros(refusal.shape or (), "f4")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = theirs_of(subject.function)(data, **refusal.arguments)
        except Exception:
            return False
        assert_same(subject.run(data, refusal.arguments), expected)
    return True


# The tables of operators whose test files have been imported.
_TABLES: dict[Callable[..., Any], tuple[list[Call], list[Refusal]]] = {}


def contract(
    function: Callable[..., Any], shape: tuple[int, ...] = (), /, **arguments: Any
) -> Callable[..., Callable[[], None]]:
    """Return a function that makes a test of rows: all promises for each call, and the error of each refusal.

    Refusals are calls with this shape and these arguments, unless they give their own.
    """

    def of_rows(*rows: Call | Refusal) -> Callable[[], None]:
        calls = [row for row in rows if isinstance(row, Call)]
        refusals = [row for row in rows if isinstance(row, Refusal)]
        for i, row in enumerate(refusals):
            own = shape if row.shape is None else row.shape
            refusals[i] = replace(row, shape=own, arguments={**arguments, **row.arguments})
        _TABLES[function] = (calls, refusals)
        return lambda: check_contract(Subject(function), calls, refusals)

    return of_rows


def check_contract(subject: Subject, calls: Sequence[Call], refusals: Sequence[Refusal]) -> None:
    rng = chooser(subject.op)
    for i, call in enumerate(calls):
        with noted(f"{subject.op}, call {i}: {call}"):
            check_plan(subject, call)
            check_draws(subject, call, rng)
    for refusal in refusals:
        with noted(subject.op, refusal):
            check_refusal(subject, refusal)


def tables_of(function: Callable[..., Any]) -> tuple[list[Call], list[Refusal]]:
    """Return the calls and refusals that the test file of an operator gives to `contract`."""
    *_, dialect, module = function.__module__.split(".")
    import_module(f"tests.ops.test_{module[1:] if dialect == 'ops' else dialect}")
    return _TABLES[function]


def all_operators() -> list[Callable[..., Any]]:
    """Return every operator that has tables: all but ranges and windows; those of the top level come first."""
    modules = [(getattr(fo, dialect), getattr(fo.plan, dialect)) for dialect in DIALECTS]
    functions = [getattr(module, name) for module, plans in modules for name in names_of(plans)]
    own = [each for each in functions if each.__name__ != "range" and each is not getattr(fo, each.__name__, None)]
    top = [fo.crop_or_pad, fo.fold, fo.frame, fo.patches, fo.slice, fo.strided_slice, fo.variadic_split]
    return [*top, *own]
