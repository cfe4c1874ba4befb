"""The file that keeps results, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from benchmarks.peers._bars import bars_of
from benchmarks.peers._rows import Results, Row


class StoreError(Exception):
    """A file cannot be read, or holds no results."""


def save(results: Results, path: Path) -> None:
    """Write results, with what became of their bars for whoever reads the file."""
    rows = [asdict(row) | {"bars": [asdict(bar) for bar in bars_of(row)]} for row in results.rows]
    text = json.dumps({"environment": results.environment, "rows": rows}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def load(path: Path) -> Results:
    """Return results that were saved; their bars are judged anew when they are shown."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        rows = [Row(**{key: value for key, value in row.items() if key != "bars"}) for row in stored["rows"]]
        return Results(dict(stored["environment"]), rows)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreError(f"{path} is no file of --json: {type(error).__name__}, {error}") from error
