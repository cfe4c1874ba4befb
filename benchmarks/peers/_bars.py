"""The bars: whether the values of a row are enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks.peers._rows import FASTOPS, REFERENCE, Row


@dataclass(frozen=True)
class Bar:
    """One bar of one row.

    Attributes
    ----------
    text : str
        What is asked for.
    met : bool
        Whether it is so.
    """

    text: str
    met: bool


def _share(row: Row, least: float) -> Bar | None:
    share = row.share(FASTOPS)
    return None if share is None else Bar(f"{least:g} of the limit", share >= least)


def _best_peer(row: Row, least: float) -> Bar | None:
    times = row.times(row.best_peer) if row.best_peer else None
    return None if times is None else Bar(f"{least:g}x the best peer", times >= least)


def _best_peer_with_room(row: Row, least: float) -> Bar | None:
    """The limit leaves the room if nobody would have to pass it."""
    share = row.share(row.best_peer) if row.best_peer else None
    return None if share is None or share * least > 1 else _best_peer(row, least)


def _numpy_and_torch(row: Row, least: float) -> Bar | None:
    times = [row.times(name) for name in ("numpy", "torch") if name in row.values]
    return Bar(f"{least:g}x NumPy and PyTorch", min(filter(None, times)) >= least) if times else None


def _writing(row: Row, most: float) -> Bar | None:
    """The time of writing is the limit."""
    share = row.share(FASTOPS)
    return None if share is None else Bar(f"{most:g}x writing", 1 / share <= most)


def _contender(title: str, name: str, row: Row, least: float) -> Bar | None:
    times = row.times(name)
    return None if times is None else Bar(f"{least:g}x {title}", times >= least)


def _speedup(row: Row, least: float) -> Bar | None:
    times = row.times(REFERENCE)
    return None if times is None else Bar(f"{least:g}x one thread", times >= least)


def _times_reference(row: Row, most: float) -> Bar | None:
    times = row.times(REFERENCE)
    return None if times is None else Bar(f"at most {most:g}x the reference", 1 / times <= most)


def _over_reference(row: Row, most: float) -> Bar | None:
    if REFERENCE not in row.values:
        return None
    return Bar(f"the reference + {most * 1e3:g} ms", row.values[FASTOPS] - row.values[REFERENCE] <= most)


def _seconds(row: Row, most: float) -> Bar | None:
    shown = f"{most:g} s" if most >= 1 else f"{most * 1e6:g} us"
    return Bar(f"at most {shown}", row.values[FASTOPS] <= most)


def _bytes(row: Row, most: float) -> Bar | None:
    return Bar(f"at most {most / 2**20:g} MiB", row.values[FASTOPS] <= most)


#: The kinds of bars by their names in `Row.asked`: each gives None where there is nothing to compare with.
RULES: dict[str, Callable[[Row, float], Bar | None]] = {
    "share": _share,
    "best_peer": _best_peer,
    "best_peer_with_room": _best_peer_with_room,
    "numpy_and_torch": _numpy_and_torch,
    "writing": _writing,
    "recipe": partial(_contender, "the recipe", REFERENCE),
    "opencv": partial(_contender, "OpenCV", "opencv"),
    "torch": partial(_contender, "PyTorch", "torch"),
    "speedup": _speedup,
    "times_reference": _times_reference,
    "over_reference": _over_reference,
    "seconds": _seconds,
    "bytes": _bytes,
}


def bars_of(row: Row) -> list[Bar]:
    """Return the bars that apply to a row; one that cannot be met, if there is no right result to speak of."""
    if row.wrong or FASTOPS not in row.values:
        return [Bar("a right result", met=False)]
    bars = [RULES[kind](row, number) for kind, number in row.asked.items()]
    return [bar for bar in bars if bar is not None]


def is_met(row: Row) -> bool:
    """Return whether a row is at all of its bars."""
    return all(bar.met for bar in bars_of(row))
