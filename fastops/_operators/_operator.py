"""Operators: from what a caller writes to plans, to a launch that is remembered, and to arrays.

An operator is its name and its lowering, a function from a shape and attributes to plans. All else is the same for all
of them, and is here: the words of errors, what is remembered, the order in which a call checks, holds and runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import unwrap
from itertools import islice
from typing import Any, ParamSpec, TypeVar, cast

from numpy import ndarray

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._outputs import check_out
from fastops._arrays._pins import hold, hold_all
from fastops._errors import AttributeValueError, FastopsError, OutputError, is_own, reading
from fastops._execution._execute import as_source, run_fresh, run_fresh_parts, run_into, run_launch
from fastops._execution._prepared_call import MOST_KEPT_PARTS, Launch, create_launch, prepare_launch
from fastops._execution._rebased_calls import create_crop
from fastops._execution._views import run_or_view
from fastops._operators._call_cache import Unkept, as_plain, is_plain, look_up, remembered
from fastops._plans._axis_map import AxisMap
from fastops._plans._integers import as_shape, own_words
from fastops._plans._slice_plan import SlicePlan

P = ParamSpec("P")
T = TypeVar("T")

#: Returns the launch of a shape, byte strides, a dtype and the attributes of a call.
CreateLaunch = Callable[..., Launch]


def lowering(op: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function from a shape and attributes to plans: a lowering.

    The shape that it gets is checked. An error about an attribute shows it as its caller wrote it, not as what was made
    of it.
    """

    def decorate(lower: Callable[P, T]) -> Callable[P, T]:
        undecorated: Callable[..., T] = lower
        shape_name, names = lower.__code__.co_varnames[0], _names_of(lower)

        @wraps(lower)
        def plan(*args: Any, **kwargs: Any) -> T:
            # The shape of data may have any name, and may be given by it.
            if not args and shape_name not in kwargs:
                return undecorated(**kwargs)  # which says what is missing
            shape, *rest = args or (kwargs.pop(shape_name),)
            with own_words({**dict(zip(names, rest, strict=False)), **kwargs}):
                return undecorated(as_shape(op, shape, shape_name), *rest, **kwargs)

        return cast(Callable[P, T], plan)

    return decorate


def _names_of(lower: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a lowering's parameters behind the shape, those that are given by name only at the end."""
    code = lower.__code__
    return code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]


class Operator:
    """An operator that gathers: it has a name, and a lowering to one plan an output.

    Parameters
    ----------
    name : str
        How errors call it.
    lower : callable
        Returns the plan, or a list of one plan a part, of a shape and attributes.
    data_name, fill_name : str
        What the operator calls data and its fill value.
    create : callable, optional
        Returns the launch of a shape, byte strides, a dtype and the attributes, where it is not that of the plans
        alone, or there is a quicker way to it. It raises for whatever ``lower`` raises for.
    """

    __slots__ = ("_find", "_lower", "_names", "_own_names", "_positional", "create", "name")

    def __init__(
        self,
        name: str,
        lower: Callable[..., Any],
        create: CreateLaunch | None = None,
        *,
        data_name: str = "data",
        fill_name: str = "fill_value",
    ) -> None:
        self.name = name
        self._own_names = {"data": data_name, "fill_value": fill_name}
        self._lower = lower
        undecorated = unwrap(lower)
        self._names = _names_of(undecorated)
        self._positional = undecorated.__code__.co_argcount - 1
        self.create = create or self._create_through_plans
        self._find = remembered(self.create)

    def _create_through_plans(
        self, shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: AnyDType, *attributes: Any
    ) -> Launch:
        n = self._positional
        named = dict(zip(self._names[n:], attributes[n:], strict=True))
        lowered = self._lower(shape, *attributes[:n], **named)
        if type(lowered) is SlicePlan:
            if lowered.is_view and lowered.size and lowered.extents == shape:
                bounds = [(axis.start, axis.stride, axis.count) for axis in lowered.axes]
                return create_crop(shape, byte_strides, dtype, bounds, lowered.shape)
            return create_launch((lowered,), byte_strides, dtype)
        launch = create_launch(tuple(lowered), byte_strides, dtype)
        if len(lowered) > MOST_KEPT_PARTS:
            raise Unkept(launch)
        return launch

    def run(
        self, data: Any, attributes: Sequence[Any], out: Any = None, copy: Any = True, fill_value: object = None
    ) -> Any:
        """Run an operator that has one output; the attributes are those of the lowering, in its order."""
        source = data
        try:
            launch = None
            if type(data) is ndarray:
                launch = look_up(self._find, data.shape, data.strides, data.dtype, attributes)
            if launch is None:
                source, launch, _held = self._prepare(data, attributes, (out,), copy)
            if copy is True:
                if out is None:
                    return run_fresh(self.name, launch, source, fill_value)
                run_into(self.name, launch, source, (out,), fill_value)
                return out
            return run_or_view(self.name, launch, source, None if out is None else (out,), fill_value, copy)[0]
        except FastopsError as error:
            self._rename(error)
            raise

    def as_source(self, data: Any, outs: tuple[Any, ...], copy: Any) -> tuple[AnyArray, list[Any]]:
        """Return data as an array that can be moved, and what holds it and the outputs."""
        try:
            return as_source(self.name, data, outs, may_copy=copy is not False)
        except FastopsError as error:
            self._rename(error)
            raise

    def _rename(self, error: FastopsError) -> None:
        """Let an error call data and the fill value as the operator does."""
        if is_own(error) and error.attribute in self._own_names:
            error.attribute = self._own_names[error.attribute]

    def run_flat(self, data: Any, attributes: Sequence[Any], out: Any = None, copy: Any = True) -> Any:
        """Run an operator that has one output on flattened data, and give the result, of as many elements, its shape.

        Data that is not contiguous is copied first, and a result for an ``out`` that is not is copied behind.
        """
        source, _held = self.as_source(data, (out,), copy)
        shape = source.shape
        target = None if out is None else check_out(self.name, out, shape, source.dtype)
        if not source.flags.c_contiguous:
            if copy is False:
                raise AttributeValueError(self.name, "copy", "be True or None for data that is not contiguous", copy)
            source = _copy_whole(self.name, source)
        flat = source.reshape(-1)
        if target is None:
            return self.run(flat, attributes, None, copy).reshape(shape)
        if target.flags.c_contiguous:
            self.run(flat, attributes, target.reshape(-1), copy)
        else:
            _copy_whole(self.name, self.run(flat, attributes).reshape(shape), target)
        return out

    def run_parts(self, data: Any, attributes: Sequence[Any], out: Any = None, copy: Any = True) -> list[Any]:
        """Run an operator that has a list of outputs."""
        source = data
        try:
            launch = None
            if type(data) is ndarray:
                launch = look_up(self._find, data.shape, data.strides, data.dtype, attributes)
            if launch is None:
                source, launch, _held = self._prepare(data, attributes, tuple(out) if is_plain(out) else (), copy)
            outs, _held_outs = (None, None) if out is None else self._as_outs(out, source, len(launch.shapes))
            if copy is True:
                if outs is None:
                    return run_fresh_parts(self.name, launch, source)
                run_into(self.name, launch, source, outs)
                return list(outs)
            return run_or_view(self.name, launch, source, outs, None, copy)
        except FastopsError as error:
            self._rename(error)
            raise

    def _prepare(
        self, data: Any, attributes: Sequence[Any], outs: tuple[Any, ...], copy: Any
    ) -> tuple[Any, Launch, list[Any]]:
        """Return data as an array, the launch, and what holds all arrays: attributes may be objects of the caller's."""
        source, held = as_source(self.name, data, outs, may_copy=copy is not False)
        plain = [as_plain(attribute) for attribute in attributes]
        launch = look_up(self._find, source.shape, source.strides, source.dtype, plain)
        if launch is None:
            try:
                with own_words(dict(zip(self._names, attributes, strict=False))):
                    launch = self.create(source.shape, source.strides, source.dtype, *attributes)
            except Unkept as unkept:
                launch = unkept.launch
        return source, launch, held

    def _as_outs(self, out: Any, source: Any, parts: int) -> tuple[tuple[Any, ...], list[Any]]:
        """Return the caller's arrays, one a part, out of a list that may change, and what holds them and the source."""
        if is_plain(out):
            outs = (*out[: parts + 1],)
            if len(outs) == parts:
                return outs, []
        held = hold(source)
        rule = f"be a list of {parts} arrays"
        with reading(self.name, "out", rule, out, OutputError):
            if not isinstance(out, list | tuple):
                raise OutputError(self.name, "out", rule, out)
            # Each as soon as it is known: the next may be given by code of the caller's.
            outs = ()
            for each in islice(out, parts + 1):
                held += hold_all(self.name, None, (each,))
                outs += (each,)
            if len(outs) != parts:
                raise OutputError(self.name, "out", rule, out)
        return outs, held


def _copy_whole(op: str, source: Any, out: Any = None) -> Any:
    """Return a contiguous copy of an array, or write it into ``out``."""
    plan = SlicePlan.create(tuple([AxisMap.whole(extent) for extent in source.shape]))
    launch = prepare_launch((plan,), source.strides, source.dtype)
    return run_launch(op, launch, source, None if out is None else (out,))[0]
