"""The file that keeps results, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from benchmarks.peers._bars import bars_of
from benchmarks.peers._rows import Results, Row


def save(results: Results, path: Path) -> None:
    """Write results, with what became of their bars for whoever reads the file."""
    rows = [asdict(row) | {"bars": [asdict(bar) for bar in bars_of(row)]} for row in results.rows]
    text = json.dumps({"environment": results.environment, "rows": rows}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def load(path: Path) -> Results:
    """Return results that were saved; their bars are judged anew when they are shown."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    rows = [Row(**{key: value for key, value in row.items() if key != "bars"}) for row in stored["rows"]]
    return Results(stored["environment"], rows)
