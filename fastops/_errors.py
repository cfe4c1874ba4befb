"""The exceptions of fastops and the one grammar of their messages.

The message of a FastopsError reads ``{op}: {attribute} must {rule}, got {value}``, followed by ``(axis i, extent n)``
if the rule is about an axis. Names and values are those that the caller wrote. Errors about arguments are raised before
the first byte is written.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import cache, reduce
from typing import Any, Self, TypeVar

T = TypeVar("T")

# By dialect, the exception that users of the framework catch: errors of the dialect's operators derive from it too.
_CAUGHT_IN = {"torch": RuntimeError}

# The most characters of a rule or a value in a message.
_LONGEST_TEXT = 400


class FastopsError(Exception):
    """Base of the exceptions of fastops, except KernelError.

    Exceptions that an argument's own code raises, such as its ``__index__`` or ``__array__``, are not changed. If NumPy
    or PyTorch runs that code, they may be the cause of a FastopsError.

    Attributes
    ----------
    op : str
        The name of the operator's public function.
    attribute : str
        The name of the argument that breaks a rule.
    rule : str
        The rule, as it follows "must" in the message.
    got : object
        The caller's value.
    axis, extent : int or None
        The axis of the source and its length, if the rule is about an axis.
    """

    __module__ = "fastops"

    # The other base classes of a class that `also` has made.
    _others: tuple[type[Exception], ...] = ()

    def __new__(cls, op: str, *_fields: object, **_named: object) -> Self:
        return super().__new__(_class_in(cls, op))

    def __init__(
        self, op: str, attribute: str, rule: str, got: object, axis: int | None = None, extent: int | None = None
    ) -> None:
        # All fields are positional arguments, so that exceptions can be pickled. `super()` may be a class of NumPy,
        # which takes other arguments.
        Exception.__init__(self, op, attribute, rule, got, axis, extent)
        self.op, self.attribute, self.rule, self.got, self.axis, self.extent = op, attribute, rule, got, axis, extent

    @classmethod
    def about(cls, attribute: str, rule: str, got: object, axis: int | None = None, extent: int | None = None) -> Self:
        """Return an error without an operator, which the public function adds by `add_context`."""
        return cls("", attribute, rule, got, axis, extent)

    @classmethod
    def also(cls, other: type[Exception]) -> type[Self]:
        """Return a class of the same name that derives from ``other`` too."""
        kinds: tuple[Any, Any] = (cls, other)
        return cls if issubclass(cls, other) else _derive(*kinds)

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickling finds classes by their names, but not those that `also` has made.
        own = next(cls for cls in type(self).__mro__ if "_others" not in vars(cls) or cls is FastopsError)
        return _restore, (own, self._others, self.args), self.__dict__

    def add_context(self, op: str, written: Mapping[str, Any], names: Mapping[str, str] | None = None) -> None:
        """Add the operator and the caller's words to an error, unless it has an operator.

        Parameters
        ----------
        op : str
            The name of the operator's public function.
        written : mapping
            The arguments by name, as the caller wrote them. They replace tuples and enumeration members in the message.
        names : mapping, optional
            The operator's own names for arguments that all operators have.
        """
        if self.op:
            return
        self.op = op
        self.__class__ = _class_in(type(self), op)
        self.attribute = (names or {}).get(self.attribute, self.attribute)
        if isinstance(self.got, tuple | Enum) and written.get(self.attribute) is not None:
            self.got = written[self.attribute]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __str__(self) -> str:
        message = f"{self.op}: {self.attribute} must {_on_a_line(self.rule)}, got {shown(self.got)}"
        if self.extent is not None:
            message += f" (axis {self.axis}, extent {self.extent})"
        return message


class errors_of:  # noqa: N801, it is used like a function
    """Adds an operator and the caller's words to errors that are raised inside, as `FastopsError.add_context` does."""

    __slots__ = ("_context",)

    def __init__(self, op: str, written: Mapping[str, Any], names: Mapping[str, str] | None = None) -> None:
        self._context = op, written, names

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: object, _traceback: object) -> None:
        if isinstance(error, FastopsError):
            error.add_context(*self._context)


@cache
def _derive(cls: type[Any], other: type[Exception]) -> type[Any]:
    named = {"__module__": cls.__module__, "__doc__": cls.__doc__, "_others": (*cls._others, other)}
    return type(cls.__name__, (cls, other), named)


def _class_in(cls: type[T], op: str) -> type[T]:
    """Return the class of an operator's errors."""
    other = _CAUGHT_IN.get(op.partition(".")[0])
    return cls if other is None else cls.also(other)  # type: ignore[attr-defined]


def _restore(cls: type[FastopsError], others: tuple[type[Exception], ...], values: tuple[Any, ...]) -> FastopsError:
    """Return an error that was pickled."""
    return reduce(lambda own, other: own.also(other), others, cls)(*values)


class AttributeValueError(FastopsError, ValueError):
    """An attribute has a value, a length or a rank that the operator does not allow."""

    __module__ = "fastops"


class OutOfBoundsError(FastopsError, IndexError):
    """A coordinate lies outside its axis where the operator does not allow it."""

    __module__ = "fastops"


class DTypeError(FastopsError, TypeError):
    """An argument has a type that the operator does not allow."""

    __module__ = "fastops"


class OutputError(FastopsError, ValueError):
    """The output cannot be allocated, or does not fit ``out``."""

    __module__ = "fastops"


class KernelError(RuntimeError):
    """The environment cannot compile or run kernels, or start threads; the call may be right."""

    __module__ = "fastops"


@contextmanager
def saying_why(task: str) -> Iterator[None]:
    """Raise a KernelError of one line in place of an exception of Numba or LLVM."""
    try:
        yield
    except (Warning, KernelError):
        # A Warning arrives here only if the user has turned warnings into errors.
        raise
    except Exception as error:
        raise KernelError(f"fastops: this process cannot {task}: {' '.join(str(error).split())}") from error


#: The error for a list in place of one value, one value in place of a list, or nested lists.
RankError = AttributeValueError.also(TypeError)


def shown(value: object) -> str:
    """Return a short representation of any value, on one line; exceptions of its ``__repr__`` are caught."""
    try:
        return _on_a_line(_Shown().repr(value))
    except Exception:
        return object.__repr__(value)


def each_axis(rank: int) -> str:
    """Return the words that a rule uses for all axes of data of a rank.

    Examples
    --------
    >>> each_axis(1), each_axis(3)
    ('the one axis', 'each of the 3 axes')
    """
    return "the one axis" if rank == 1 else f"each of the {shown(rank)} axes"


def counted(count: int, noun: str) -> str:
    """Return a number and a noun, in the plural unless the number is 1.

    Examples
    --------
    >>> counted(1, "value"), counted(2, "value"), counted(0, "axis")
    ('1 value', '2 values', '0 axes')
    """
    if type(count) is int and count == 1:
        return f"1 {noun}"
    return f"{shown(count)} {'axes' if noun == 'axis' else f'{noun}s'}"


def fields_shown(value: Any) -> str:
    """Return the representation of a data class or a named tuple, with long integers shortened."""
    # Without `dataclasses.fields`, importing fastops loads a dozen modules less.
    names = getattr(value, "_fields", None) or [name for name, own in value.__dataclass_fields__.items() if own.repr]
    texts = []
    for name in names:
        part = getattr(value, name)
        is_numbers = {*map(type, part if type(part) is tuple else [part])} == {int}
        texts.append(f"{name}={shown(part) if is_numbers else repr(part)}")
    return f"{type(value).__name__}({', '.join(texts)})"


def named(dtype: object) -> str:
    """Return the name of a dtype, shortened, because a dtype may have thousands of fields."""
    return _on_a_line(str(dtype))


def _on_a_line(text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        text = f"{text[: _LONGEST_TEXT - 3]}..."
    return text if len(text.splitlines()) < 2 else " ".join(text.split())


class _Shown(reprlib.Repr):
    """Makes short representations of values of any size, such as large arrays and long integers."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = 16
        self.maxlong = self.maxstring = 80
        self.maxlevel, self.maxother = 3, 200

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to print integers beyond 4300 digits.
        return super().repr_int(x, level) if x.bit_length() < 1024 else f"an integer of {x.bit_length()} bits"

    def repr1(self, x: Any, level: int) -> str:
        shape, dtype = getattr(x, "shape", None), getattr(x, "dtype", None)
        if isinstance(shape, tuple) and shape and dtype is not None:
            return f"an array of shape {super().repr_tuple(shape, level)} and dtype {named(dtype)}"
        # Do not make the full text of a large value only to shorten it.
        if isinstance(x, bytes | dict | set) and len(x) > 1000:
            return f"{type(x).__name__} of {len(x)} elements"
        return super().repr1(x, level)
