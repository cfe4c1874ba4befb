"""The exception for an axis that data does not have. Importing this loads NumPy, whose exception is a base of it."""

from __future__ import annotations

from numpy.exceptions import AxisError as NumPyAxisError

from fastops._errors import AttributeValueError


class AxisError(AttributeValueError, NumPyAxisError):
    """Data has no axis of this number.

    It is a ``numpy.exceptions.AxisError``, and so an `IndexError` and a `ValueError`: what catches the error of NumPy
    or of PyTorch catches this one.

    Attributes
    ----------
    axis : int
        The number that the caller has written.
    ndim : int
        The rank of the data.
    """

    __module__ = "fastops"

    def __init__(
        self,
        op: str,
        attribute: str,
        rule: str,
        got: object,
        axis: int | None = None,
        extent: int | None = None,
        ndim: int | None = None,
    ) -> None:
        super().__init__(op, attribute, rule, got, axis, extent)
        self.args = (op, attribute, rule, got, axis, extent, ndim)
        self.ndim = ndim
