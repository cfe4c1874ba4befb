"""The operators, one file each: the lowering to plans, which is pure, then the public function."""

# Their plans can be called: it enters itself.
import fastops._execution._plan_call  # noqa: F401
