"""The operators, one file each: the lowering to plans, which is pure, then the public function."""

# Their plans can be called: it enters itself.
import fastops._plan_launch  # noqa: F401
