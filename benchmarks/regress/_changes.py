"""Commits whose verdict is known: each an edit of the sources that does one thing, and what the gate must say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

#: The results of a run as JSON holds them; empty if there are none.
Report = dict[str, Any]


# Of the large cases, at least so many stream.
_STREAMED_CASES = 15


@dataclass(frozen=True)
class Edit:
    """One piece of text that becomes another.

    Attributes
    ----------
    file : str
        Below the root.
    old : str
        What occurs there once.
    new : str
    """

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Change:
    """A commit whose verdict is known.

    Attributes
    ----------
    what : str
        In a sentence.
    is_right : callable
        Whether an exit code and a report are what they must be.
    edits : tuple of Edit
        Empty for a commit that changes nothing.
    is_base : bool
        True if the edits make BASE from what else would be HEAD.
    runs : int
        How often it is tried.
    least_right : int
        How often it must come out right.
    is_noisy : bool
        True if other processes keep all cores busy meanwhile.
    counts_anew : bool
        True if each run compiles and counts again.
    """

    what: str
    is_right: Callable[[int, Report], bool]
    edits: tuple[Edit, ...] = ()
    is_base: bool = False
    runs: int = 1
    least_right: int = 1
    is_noisy: bool = False
    counts_anew: bool = False


def flagged(report: Report) -> dict[str, float]:
    """Return how many times as long the benchmarks take that are called regressions, in the first pass, by name."""
    rows = [row for row in report.get("rows", ()) if row["verdict"] == "regression"]
    return {row["name"]: row["passes"][0]["change"]["ratio"] for row in rows}


def worse_counters(report: Report) -> list[str]:
    """Return the counters that are called regressions."""
    return [change["name"] for change in report.get("changes", ()) if change["is_worse"]]


def _is_vector_kernel(code: int, report: Report) -> bool:
    """Reversed runs are what the edit slows down most; strides of 2 and pads, whose edges are such, may follow."""
    names = flagged(report)
    may_be = ("cache/reverse_", "cache/stride_2_", "cache/pad_")
    others = [name for name in names if not name.startswith(may_be)]
    return code == 1 and "cache/reverse_u8" in names and not others and not worse_counters(report)


def _is_latency(code: int, report: Report) -> bool:
    names = flagged(report)
    must_be = {f"latency/warm_tiny_{what}" for what in ("strided_slice", "reflect_pad", "split", "range")}
    return code == 1 and must_be <= set(names) and all(name.startswith("latency/") for name in names)


def _is_serial_clamp(code: int, report: Report) -> bool:
    worse = worse_counters(report)
    return code == 1 and bool(worse) and all("clamp" in name and name.endswith("that write") for name in worse)


def _is_not_streamed(code: int, report: Report) -> bool:
    """Every large case loses its streamed bytes; whatever the clock says of it, or cannot say."""
    worse = worse_counters(report)
    return code == 1 and sum(name.endswith(": bytes streamed") for name in worse) >= _STREAMED_CASES


def _cannot_measure(reason: str) -> Callable[[int, Report], bool]:
    """Return whether an exit code is 2, and a report has this reason."""
    return lambda code, report: code == 2 and reason in report["reason"]


def _steps(file: str, count: int, line: str) -> Edit:
    """Return an edit that puts so many steps of an empty loop before a line, where `range` may be an operator."""
    indent = line[: len(line) - len(line.lstrip())]
    return Edit(file, line, f"{indent}for _ in (None,) * {count}:\n{indent}    pass\n{line}")


_HOT_LOOP = Edit(
    "fastops/kernels/_writer.py",
    "        done = move_vectors(dst, rows.dst_pitch, src, rows.src_pitch, rows.count, n, block, src_pitch, ahead)\n",
    "        done = move_vectors(dst, rows.dst_pitch, src, rows.src_pitch, rows.count, n, block, src_pitch, ahead)\n"
    "        move_vectors(dst, rows.dst_pitch, src, rows.src_pitch, rows.count, n // 2, block, src_pitch, ahead)\n",
)

# About 0.3 of the warm call of each operator.
_CALL = (
    _steps(
        "fastops/ops/_slices.py",
        92,
        "        return _STRIDED_SLICE.run_gather(data, (begin, end, strides), out, copy, None, chunks)\n",
    ),
    _steps(
        "fastops/ops/_slices.py",
        110,
        "    return _SLICE.run_gather(data, (start, size, stride, axes, mode), out, copy, fill_value, chunks)\n",
    ),
    _steps(
        "fastops/ops/_slices.py",
        250,
        "    return _VARIADIC_SPLIT.run_gather(data, (axis, split_lengths), out, copy, None, chunks)\n",
    ),
    _steps("fastops/ops/_range.py", 42, "    return _RANGE.run_range((start, stop, step, output_type), out)"),
)

_SHARED = 'run_launches("execute_launch", total_bytes, *what, 0)'

# Words have the modes of the axes of a piece in every eleventh place; 2 is clamp.
_SERIAL = (
    Edit(
        "fastops/_execution/_execute.py",
        _SHARED,
        f'({_SHARED} if 2 not in words[words[4] + 8 :: 11] else load_entry("execute_launch")(*what, 0, 1, 0, 1))',
    ),
)

#: By name.
CHANGES = {
    "nothing": Change("HEAD against HEAD", lambda code, _report: code == 0, runs=20, least_right=19),
    "comment": Change(
        "a comment in a kernel, so that everything is built, compiled and counted twice",
        lambda code, report: code == 0 and not report.get("changes"),
        (Edit("fastops/kernels/_writer.py", "# Replication copies", "# Replication, here, copies"),),
        runs=5,
        least_right=5,
        counts_anew=True,
    ),
    "kernel": Change(
        "reversed, repeated and strided runs are moved by a kernel that does half of the work again",
        _is_vector_kernel,
        (_HOT_LOOP,),
        runs=20,
        least_right=19,
    ),
    "call": Change(
        "a warm call of each operator takes 1.3 times as long",
        _is_latency,
        _CALL,
        runs=5,
        least_right=4,
    ),
    "serial": Change(
        "clamped axes are written by one thread, and all cores are busy",
        _is_serial_clamp,
        _SERIAL,
        is_noisy=True,
    ),
    "not streamed": Change(
        "nothing is streamed any more, and all cores are busy",
        _is_not_streamed,
        (Edit("fastops/_settings.py", "default=_STREAM_BYTES)", "default=1 << 60)"),),
        is_noisy=True,
    ),
    "no build": Change(
        "BASE does not build",
        _cannot_measure(" does not build: "),
        (Edit("pyproject.toml", 'build-backend = "hatchling.build"', 'build-backend = "no_such.backend"'),),
        is_base=True,
    ),
    "raises": Change(
        "a benchmark raises",
        _cannot_measure(" raised while counting: "),
        (
            Edit(
                "fastops/_execution/_execute.py",
                "    fill = ZEROS\n    if fill_value is not None:\n",
                "    raise RuntimeError(words)\n    fill = ZEROS\n    if fill_value is not None:\n",
            ),
        ),
    ),
    "nothing in common": Change(
        "BASE has no operator",
        _cannot_measure("have no benchmark in common"),
        (
            Edit(
                "fastops/_process.py",
                'if name not in namespace["__all__"]:',
                'if name not in namespace["__all__"] or name[0].islower():',
            ),
        ),
        is_base=True,
    ),
}
