"""What may surprise in calls of ONNX's and OpenVINO's slice: pure functions of their attributes and a shape."""

from __future__ import annotations

from collections.abc import Sequence

from fastops._cli._strided_slice_notes import Written, note_slice
from fastops._geometry._numbers import as_indices
from fastops._lowering._axes import resolve_axes

# ONNX Runtime reads these as "until the end", and goes past index 0 under a negative step.
_ENDS_OF_ONNX_RUNTIME = (2**31 - 1, 2**63 - 1)


def note_onnx_slice(
    shape: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    axes: Sequence[int] | None = None,
    steps: Sequence[int] | None = None,
) -> list[str]:
    """Return notes on a call of `fastops.onnx.slice` that is right."""
    notes = []
    for axis, at in _written(shape, ("start", "end", "step"), starts, ends, steps, axes):
        notes += [f"axis {axis}: {note}" for note in note_slice(shape[axis], at)]
        if at.stride < 0 and at.end in _ENDS_OF_ONNX_RUNTIME and shape[axis]:
            notes.append(
                f"axis {axis}: ONNX Runtime takes an end of {at.end} for one before index 0 under a negative step"
            )
    return notes


def note_openvino_slice(
    shape: Sequence[int],
    start: Sequence[int],
    stop: Sequence[int],
    step: Sequence[int],
    axes: Sequence[int] | None = None,
) -> list[str]:
    """Return notes on a call of `fastops.openvino.slice` that is right."""
    notes = []
    for axis, at in _written(shape, ("start", "stop", "step"), start, stop, step, axes):
        notes += [f"axis {axis}: {note}" for note in note_slice(shape[axis], at)]
        for word, bound in zip(at.words, (at.begin, at.end), strict=False):
            if shape[axis] and not -(2**31) <= bound < 2**31:
                notes.append(f"axis {axis}: OpenVINO's CPU plugin cuts {word} {bound} to 32 bits")
    return notes


def _written(
    shape: Sequence[int],
    words: tuple[str, str, str],
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int] | None,
    axes: Sequence[int] | None,
) -> list[tuple[int, Written]]:
    """Return what is written for each axis that is named, in order of the names."""
    begins = as_indices(words[0], starts)
    n = len(begins)
    named = resolve_axes("axes", range(n) if axes is None else as_indices("axes", axes), len(shape))
    strides = (1,) * n if steps is None else as_indices(words[2], steps)
    bounds = zip(begins, as_indices(words[1], ends), strides, strict=True)
    return [(axis, Written(*each, words=words, has_masks=False)) for axis, each in zip(named, bounds, strict=True)]
