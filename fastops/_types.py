"""Types for type checkers: the kinds of data that calls take, and the types of their results. Nothing of it runs.

An array gives an array of its dtype, a tensor a tensor, an array of dask one of dask, and all other data an array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar, overload

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
P = ParamSpec("P")
#: The parameters behind data.
Rest = ParamSpec("Rest")


class Memory(Protocol[R_co]):
    """Arrays of NumPy and tensors: data in memory, told from other data by methods that give their own kind.

    ``repeat`` may change the shape, so that nothing is said of the result's. Numbers of NumPy have no ``__setitem__``,
    and arrays of JAX, which are made NumPy's, no ``__array_wrap__``.
    """

    def repeat(self, repeats: int, axis: int, /) -> R_co:
        """Return data of the same kind and dtype."""

    def __array_wrap__(self, array: Any, /) -> Any: ...

    def __setitem__(self, key: Any, value: Any, /) -> None: ...


class Chunked(Protocol[R_co]):
    """Arrays of dask."""

    def rechunk(self, /) -> R_co:
        """Return data of the same kind."""


class Stored(Protocol):
    """Data that is made an array or read from a file, and that `ArrayLike` does not have."""

    @property
    def shape(self) -> Any:
        """The extents."""

    @property
    def dtype(self) -> Any:
        """The type of elements."""

    def __getitem__(self, key: Any, /) -> Any: ...


#: Data that gives its own kind, R; lists of arrays, which are stacked, give that of their elements.
DataOf: TypeAlias = "Memory[R] | Chunked[R] | Sequence[Memory[R] | Chunked[R]]"
#: Data that functions take.
Data: TypeAlias = "ArrayLike | Stored"
#: The result for data that is no array yet.
AnyArray: TypeAlias = "NDArray[Any]"
#: Where functions write, if it is given.
Out: TypeAlias = "Memory[Any] | None"
Outs: TypeAlias = "Sequence[Memory[Any]] | None"
#: True for a copy, False for a view, None for a view where there can be one.
Copy: TypeAlias = bool | None


class ArrayFunction(Protocol[P]):
    """A function of data and other parameters that gives the kind of data that it gets."""

    @overload
    def __call__(
        self: ArrayFunction[Concatenate[Any, Rest]],
        data: DataOf[R],
        /,
        *args: Rest.args,
        **kwargs: Rest.kwargs,
    ) -> R: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> NDArray[Any]: ...


class ListFunction(Protocol[P]):
    """A function of data and other parameters that gives a list of the kind of data that it gets."""

    @overload
    def __call__(
        self: ListFunction[Concatenate[Any, Rest]],
        data: DataOf[R],
        /,
        *args: Rest.args,
        **kwargs: Rest.kwargs,
    ) -> list[R]: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[NDArray[Any]]: ...


@overload
def keeps_kind(function: Callable[P, NDArray[Any]]) -> ArrayFunction[P]: ...
@overload
def keeps_kind(function: Callable[P, list[NDArray[Any]]]) -> ListFunction[P]: ...
def keeps_kind(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as it is, which checkers then know to give the kind of data that it gets.

    The function says what it gives where data is no array yet.
    """
    return function
