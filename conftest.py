"""What pytest collects: doctests of modules whose framework is not installed are left out."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["fastops/ops/torch/*", "tests/ops/torch/*"]
