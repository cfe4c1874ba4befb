"""The operators, one file a family in each dialect: of each the lowering, which is pure, then the public function."""

# By itself, before anything of it: where another thread is amid its import, Python waits for it here, but not for the
# package of a module that it is asked for.
import numpy as _numpy  # noqa: F401
