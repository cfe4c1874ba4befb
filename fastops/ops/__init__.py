"""The operators, one file each: the lowering to plans, which is pure, then the public function; nothing shared."""

# By itself, before anything of it: where another thread is amid its import, Python waits for it here, but not for the
# package of a module that it is asked for.
import numpy  # noqa: F401
