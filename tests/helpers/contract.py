"""What every operator of every dialect promises, checked on the calls that its test file gives.

A test file of an operator has a table of calls, with NumPy's word on each, a table of errors, and one line that makes
tests of both. Tests of hostile arguments, threads and overlaps take the same calls from there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import dask.array as da
import h5py
import numpy as np
import pytest

import fastops as fo
from tests.helpers.strategies import array_of, lay_out
from tests.helpers.tracebacks import assert_ends_in_callers_line

Array = np.ndarray[Any, Any]

ALL_DIALECTS = ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")

#: Those that can be called here: PyTorch's functions need PyTorch.
DIALECTS = ALL_DIALECTS if find_spec("torch") else ALL_DIALECTS[:-1]


def has_torch() -> bool:
    """True where PyTorch is installed."""
    return find_spec("torch") is not None


#: Types of calls that do not name others: moved as they are, and zero is made of zero bytes.
DTYPES = ("u1", "<i2", ">f4", "f8", "c16", "?", "m8[s]")

_LAYOUTS = ("C", "F", "negative", "strided", "permuted", "unaligned")


@dataclass(frozen=True)
class Call:
    """A call that is right.

    Attributes
    ----------
    shape : tuple of int
        Of data, the operator's first argument.
    arguments : dict
        The others, by name.
    expected : callable
        Returns what the call gives for an array: an array, or a list of arrays. It uses nothing of fastops.
    dtypes : tuple of str
        What data may be.
    is_flat : bool
        True where the plan is one of the flattened data.
    pieces : int or None
        How many plans make one output, where the operator has a list of them.
    """

    shape: tuple[int, ...]
    arguments: dict[str, Any]
    expected: Callable[[Array], Any]
    dtypes: tuple[str, ...] = field(default=DTYPES)
    is_flat: bool = False
    pieces: int | None = None


@dataclass(frozen=True)
class Refusal:
    """A call that is wrong: the error, and a pattern that its message matches."""

    shape: tuple[int, ...]
    arguments: dict[str, Any]
    error: type[Exception]
    match: str


class Subject:
    """An operator under test: arrays in, and a list of arrays out, whatever it takes and gives itself."""

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
            torch = import_module("torch")
            outs = options.get("out")
            if outs is not None:
                is_list = isinstance(outs, list)
                options["out"] = [torch.from_numpy(out) for out in outs] if is_list else torch.from_numpy(outs)
            # NumPy's negative strides and foreign byte orders are none of PyTorch's.
            data = torch.from_numpy(np.ascontiguousarray(data) if min(data.strides, default=0) < 0 else data)
        result = self.function(data, **arguments, **options)
        results = list(result) if isinstance(result, list | tuple) else [result]
        return [each.numpy() for each in results] if self.dialect == "torch" else results

    def own(self, array: Array) -> Any:
        """Return an array as what the operator takes."""
        return import_module("torch").from_numpy(array) if self.dialect == "torch" else array

    def plans(self, shape: tuple[int, ...], arguments: dict[str, Any]) -> list[fo.plan.SlicePlan]:
        """Return the plans of a call: the plan's function has the arguments that geometry depends on."""
        known = inspect.signature(self.plan_function).parameters
        plan = self.plan_function(shape, **{name: value for name, value in arguments.items() if name in known})
        return plan if isinstance(plan, list) else [plan]

    def dtypes(self, call: Call) -> list[np.dtype[Any]]:
        """Return the types to run a call with."""
        types = [np.dtype(name) for name in call.dtypes]
        return [t for t in types if self.dialect != "torch" or (t.isnative and t.kind != "m")]


def data_of(call: Call, dtype: np.dtype[Any], layout: str = "C") -> Array:
    """Return data for a call: random, without NaNs, and with booleans that are 0 or 1."""
    if dtype.kind == "b":
        return lay_out(np.asarray(array_of(call.shape, np.dtype("u1"), "C") % 2 == 1), layout)
    small = array_of(call.shape, np.dtype("u1"), "C").astype(dtype)
    return lay_out(small, layout)


def outputs_of(expected: Any) -> list[Array]:
    return [np.asarray(each) for each in expected] if isinstance(expected, list | tuple) else [np.asarray(expected)]


def assert_same(results: Sequence[Array], expected: Any) -> None:
    wanted = outputs_of(expected)
    assert [result.shape for result in results] == [each.shape for each in wanted]
    for result, each in zip(results, wanted, strict=True):
        assert result.dtype == each.dtype
        assert result.tobytes() == each.tobytes()


def check_results(subject: Subject, call: Call) -> None:
    for dtype in subject.dtypes(call):
        data = data_of(call, dtype)
        for _ in range(2):
            results = subject.run(data, call.arguments)
            assert_same(results, call.expected(data))
            assert all(result.flags.c_contiguous and not np.shares_memory(result, data) for result in results)


def check_layouts(subject: Subject, call: Call) -> None:
    dtype = subject.dtypes(call)[0]
    for layout in _LAYOUTS:
        data = data_of(call, dtype, layout)
        if subject.dialect != "torch":
            data.flags.writeable = False
        assert_same(subject.run(data, call.arguments), call.expected(np.array(data)))


def check_argument_forms(subject: Subject, call: Call) -> None:
    """Compare each form of integers; twice, as what is learnt of the first call must not be wrong for the next."""
    data = data_of(call, subject.dtypes(call)[0])
    for form in (_as_tuples, _as_arrays, _as_swapped_arrays, _as_numpy_scalars, _as_arrays_of_rank_0):
        arguments = {name: form(value) for name, value in call.arguments.items()}
        for _ in range(2):
            assert_same(subject.run(data, arguments), call.expected(data))


def _as_tuples(value: Any) -> Any:
    return tuple([_as_tuples(each) for each in value]) if isinstance(value, list) else value


def _are_small(value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is int and abs(each) < 2**31 for each in value)


def _as_arrays(value: Any) -> Any:
    return np.array(value, np.int64) if _are_small(value) else value


def _as_swapped_arrays(value: Any) -> Any:
    return np.array(value, np.dtype(np.int64).newbyteorder()) if _are_small(value) else value


def _as_numpy_scalars(value: Any) -> Any:
    return [np.int32(each) for each in value] if _are_small(value) else value


def _as_arrays_of_rank_0(value: Any) -> Any:
    return [np.array(each) for each in value] if _are_small(value) else value


def check_plan(subject: Subject, call: Call) -> None:
    plans = subject.plans(call.shape, call.arguments)
    wanted = outputs_of(call.expected(data_of(call, subject.dtypes(call)[0])))
    if call.pieces is not None:
        assert len(plans) == call.pieces
        assert sum(plan.size for plan in plans) == wanted[0].size
        assert all(plan.source_shape == call.shape for plan in plans)
        return
    assert [plan.size for plan in plans] == [each.size for each in wanted]
    flat = (int(np.prod(call.shape)),)
    assert [plan.shape for plan in plans] == [flat if call.is_flat else each.shape for each in wanted]
    assert all(plan.source_shape == (flat if call.is_flat else call.shape) for plan in plans)


def check_out(subject: Subject, call: Call) -> None:
    data = data_of(call, subject.dtypes(call)[0])
    expected = call.expected(data)
    wanted = outputs_of(expected)
    is_list = isinstance(expected, list | tuple)
    for layout in ("C", "F", "strided", "unaligned"):
        outs = [lay_out(np.zeros(each.shape, each.dtype), layout) for each in wanted]
        results = subject.run(data, call.arguments, out=outs if is_list else outs[0])
        assert_same([np.array(out) for out in outs], expected)
        if subject.dialect != "torch":
            assert all(result is out for result, out in zip(results, outs, strict=True))


def check_out_that_does_not_fit(subject: Subject, call: Call) -> None:
    data = data_of(call, subject.dtypes(call)[0])
    expected = call.expected(data)
    wanted = outputs_of(expected)
    is_list = isinstance(expected, list | tuple)
    for kind in ("shape", "dtype", "list"):
        outs = [np.full(each.shape, 7).astype(each.dtype) for each in wanted]
        if kind == "shape":
            outs[0] = outs[0][None]
        elif kind == "dtype":
            outs[0] = outs[0].astype("f4" if outs[0].dtype != np.float32 else "i4")
        before = [out.tobytes() for out in outs]
        given = outs if is_list != (kind == "list") else outs[0]
        with pytest.raises((fo.OutputError, fo.DTypeError)):
            subject.run(data, call.arguments, out=given)
        assert [out.tobytes() for out in outs] == before


def check_out_over_data(subject: Subject, call: Call) -> None:
    dtype = subject.dtypes(call)[0]
    n = int(np.prod(call.shape))
    given = call.expected(data_of(call, dtype))
    wanted = outputs_of(given)
    if len(wanted) != 1 or not n or not wanted[0].size:
        return
    for shift in (0, 1):
        memory = np.zeros(n + wanted[0].size + 1, dtype)
        data, out = memory[:n].reshape(call.shape), memory[shift : shift + wanted[0].size].reshape(wanted[0].shape)
        data[...] = data_of(call, dtype)
        expected = call.expected(data.copy())
        subject.run(data, call.arguments, out=[out] if isinstance(given, list) else out)
        assert_same([out], expected)


def check_views(subject: Subject, call: Call) -> None:
    if not subject.has_copy:
        return
    data = data_of(call, subject.dtypes(call)[0])
    expected = call.expected(data)
    # Pieces of one output are none.
    is_view = call.pieces in (None, 1) and all(plan.is_view for plan in subject.plans(call.shape, call.arguments))
    results = subject.run(data, call.arguments, copy=None)
    assert_same([np.array(result) for result in results], expected)
    if is_view:
        views = subject.run(data, call.arguments, copy=False)
        assert_same([np.array(view) for view in views], expected)
        assert all(np.shares_memory(view, data) for view in views if view.size and data.size)
    else:
        with pytest.raises(fo.AttributeValueError, match="copy must be True or None"):
            subject.run(data, call.arguments, copy=False)


def check_kinds(subject: Subject, call: Call) -> None:
    """Other kinds of data give their own kind, and data in files gives arrays."""
    if subject.dialect == "torch":
        return
    dtype = subject.dtypes(call)[0]
    data = data_of(call, dtype)
    expected = call.expected(data)
    is_list = isinstance(expected, list | tuple)
    for copy in [True, None] if subject.has_copy else [True]:
        options = {"copy": copy} if subject.has_copy else {}
        for chunks in (2, 3, -1):
            lazy = subject.function(da.from_array(data, chunks=chunks), **call.arguments, **options)
            assert isinstance(lazy, list) == is_list
            for each, wanted in zip(lazy if is_list else [lazy], outputs_of(expected), strict=True):
                assert isinstance(each, da.Array)
                assert (each.shape, each.dtype, each._meta.ndim) == (wanted.shape, wanted.dtype, wanted.ndim)
                # Regular chunks, as zarr needs them, of an array that has such.
                assert da.core._check_regular_chunks(each.chunks)
                assert_same([each.compute(scheduler="sync")], wanted)
        if has_torch() and dtype.isnative and dtype.kind in "biufc":
            torch = import_module("torch")
            tensor = torch.from_numpy(data)
            results = subject.function(tensor, **call.arguments, **options)
            assert isinstance(results, list) == is_list
            assert all(type(each) is torch.Tensor for each in (results if is_list else [results]))
            assert_same([each.numpy() for each in (results if is_list else [results])], expected)
    if call.is_flat or dtype.kind not in "biufc":
        return
    with h5py.File("kinds.h5", "w", driver="core", backing_store=False) as file:
        stored = file.create_dataset("data", data=data)
        results = subject.function(stored, **call.arguments)
        assert_same(results if is_list else [results], expected)
        outs = [np.zeros(each.shape, each.dtype) for each in outputs_of(expected)]
        subject.function(stored, **call.arguments, out=outs if is_list else outs[0])
        assert_same(outs, expected)


def check_kinds_refuse(subject: Subject, call: Call) -> None:
    """Arrays of dask have no place to write to, and no views."""
    if subject.dialect == "torch":
        return
    data = data_of(call, subject.dtypes(call)[0])
    lazy = da.from_array(data, chunks=2)
    expected = call.expected(data)
    outs: Any = [np.array(each) for each in outputs_of(expected)]
    with pytest.raises(fo.FastopsError, match=f"{subject.op}: out must be None for arrays of dask"):
        subject.function(lazy, **call.arguments, out=outs if isinstance(expected, list | tuple) else outs[0])
    if subject.has_copy:
        with pytest.raises(fo.AttributeValueError, match=f"{subject.op}: copy must be True or None for data that is"):
            subject.function(lazy, **call.arguments, copy=False)


CHECKS = (
    check_results,
    check_layouts,
    check_argument_forms,
    check_plan,
    check_out,
    check_out_that_does_not_fit,
    check_out_over_data,
    check_views,
    check_kinds,
    check_kinds_refuse,
)


def check_refusal(subject: Subject, refusal: Refusal) -> None:
    data = np.zeros(refusal.shape, "f4")
    for _ in range(2):
        with pytest.raises(refusal.error, match=refusal.match) as info:
            subject.run(data, refusal.arguments)
        assert isinstance(info.value, fo.FastopsError)
        assert info.value.op == subject.op
        assert info.value.attribute in (subject.data_name, *subject.names)
        assert_ends_in_callers_line(info.value)


def contract(function: Callable[..., Any], calls: Sequence[Call], refusals: Sequence[Refusal]) -> Callable[..., None]:
    """Return a test of an operator: every promise on every call, and every refusal."""
    subject = Subject(function)
    cases = [
        pytest.param(check, call, id=f"{check.__name__.removeprefix('check_')}-{i}")
        for i, call in enumerate(calls)
        for check in CHECKS
    ]
    cases += [pytest.param(check_refusal, refusal, id=f"refusal-{i}") for i, refusal in enumerate(refusals)]

    @pytest.mark.parametrize(("check", "case"), cases)
    def test(check: Callable[[Subject, Any], None], case: Any) -> None:
        check(subject, case)

    return test


def tables_of(function: Callable[..., Any]) -> tuple[list[Call], list[Refusal]]:
    """Return the tables of an operator: CALLS and REFUSALS of its test file, by its name where there are several."""
    home, _, module = function.__module__.removeprefix("fastops.").rpartition(".")
    tests = import_module(f"tests.{home}.test{module}")
    calls, refusals = tests.CALLS, tests.REFUSALS
    return (calls, refusals) if isinstance(calls, list) else (calls[function.__name__], refusals[function.__name__])


def all_operators() -> list[Callable[..., Any]]:
    """Return every operator that has tables: all of the dialects that gather, and frame of the top level."""
    modules = [getattr(fo, dialect) for dialect in DIALECTS]
    functions = [getattr(module, name) for module in modules for name in dir(getattr(fo.plan, module.__name__[8:]))]
    own = [
        function
        for function in functions
        if function.__name__ != "range" and function is not getattr(fo, function.__name__, None)
    ]
    return [fo.frame, *own]


def good_values(function: Callable[..., Any]) -> dict[str, list[Any]]:
    """Return values of each argument of an operator, with which some calls are right."""
    subject = Subject(function)
    calls, _ = tables_of(function)
    values: dict[str, list[Any]] = {subject.data_name: [data_of(call, subject.dtypes(call)[0]) for call in calls]}
    for name in subject.names:
        default = inspect.signature(function).parameters[name].default
        defaults = [] if default is inspect.Parameter.empty else [default]
        values[name] = defaults + [call.arguments[name] for call in calls if name in call.arguments]
    outs = [call.expected(data_of(call, subject.dtypes(call)[0])) for call in calls]
    values["out"] += [[np.array(each) for each in out] if isinstance(out, list) else np.array(out) for out in outs]
    if subject.has_copy:
        values["copy"] = [True, None, False]
    for name in (subject.data_name, "out"):
        values[name] = [subject.own(each) if isinstance(each, np.ndarray) else each for each in values[name]]
    return values
