"""Types for type checkers: the kinds of data that calls take, and the types of their results. No call uses them.

Calls return NumPy arrays of the same dtype for NumPy arrays, tensors for tensors, dask arrays for dask arrays, and
NumPy arrays for all other data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypedDict, TypeVar, overload

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from torch import Tensor

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
P = ParamSpec("P")
#: The parameters after data.
Rest = ParamSpec("Rest")


class Memory(Protocol[R_co]):
    """NumPy arrays and tensors: data in memory, distinguished from other data by its methods.

    The return type of ``repeat`` is the type of the result; ``repeat`` may change the shape, so that type leaves the
    shape open. The other two methods exclude NumPy's numbers, which have no ``__setitem__``, and JAX arrays, which are
    converted to NumPy arrays and have no ``__array_wrap__``.
    """

    def repeat(self, repeats: int, axis: int, /) -> R_co:
        """Return data of the same kind and dtype."""

    def __array_wrap__(self, array: Any, /) -> Any: ...

    def __setitem__(self, key: Any, value: Any, /) -> None: ...


class Chunked(Protocol[R_co]):
    """Dask arrays."""

    def rechunk(self, /) -> R_co:
        """Return data of the same kind."""


class Stored(Protocol):
    """Other data than `ArrayLike` that is converted to an array or read from a file."""

    @property
    def shape(self) -> Any:
        """The extents."""

    @property
    def dtype(self) -> Any:
        """The type of elements."""

    def __getitem__(self, key: Any, /) -> Any: ...


#: Data whose results are of its own kind, R. Lists of arrays are stacked, and give the kind of their elements.
DataOf: TypeAlias = "Memory[R] | Chunked[R] | Sequence[Memory[R]]"
#: Data that functions take.
Data: TypeAlias = "ArrayLike | Stored"
#: The result for data that is converted to an array.
AnyArray: TypeAlias = "NDArray[Any]"
#: The outputs that functions write into, if they are given.
Out: TypeAlias = "Memory[Any] | None"
Outs: TypeAlias = "Sequence[Memory[Any]] | None"
#: True for a copy, False for a view, None for a view if one is possible.
Copy: TypeAlias = bool | None


class Options(TypedDict, total=False):
    """The arguments that operators of one output share; `fastops._lowering._windows.define` adds them to a function."""

    out: Out
    copy: Copy
    chunks: Any


class PartsOptions(TypedDict, total=False):
    """The arguments that operators of several outputs share."""

    out: Outs
    copy: Copy
    chunks: Any


class TensorOptions(TypedDict, total=False):
    """The argument that operators of `fastops.torch` share."""

    out: Tensor | None


class Converted(TypedDict, total=False):
    """The arguments that say how the elements of a result are converted."""

    normalize: Any
    dtype: Any


class WindowsOptions(Converted, total=False):
    """The last arguments of a plan of windows."""

    fill_value: Any
    chunks: Any


class ArrayFunction(Protocol[P]):
    """A function whose result is of the kind of its data."""

    @overload
    def __call__(
        self: ArrayFunction[Concatenate[Any, Rest]], data: DataOf[R], /, *args: Rest.args, **kwargs: Rest.kwargs
    ) -> R: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> NDArray[Any]: ...


class ListFunction(Protocol[P]):
    """A function whose results are a list of the kind of its data."""

    @overload
    def __call__(
        self: ListFunction[Concatenate[Any, Rest]], data: DataOf[R], /, *args: Rest.args, **kwargs: Rest.kwargs
    ) -> list[R]: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[NDArray[Any]]: ...
