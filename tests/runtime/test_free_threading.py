"""Free-threaded builds of Python: no kernel runs on one, and `fastops info` says so."""

from __future__ import annotations

from tests.helpers.processes import run_code

# A process that takes its own build of Python for a free-threaded one. Neither Python calls kernels then, nor compiled
# code of the user's own; views and plans need none.
CALLS = """
import sysconfig
known = sysconfig.get_config_var
sysconfig.get_config_var = lambda name: 1 if name == "Py_GIL_DISABLED" else known(name)
sys.stderr = sys.stdout

import numba, fastops.numba
from fastops.__main__ import main

x, out, large = np.arange(12).reshape(3, 4), np.full((2, 2), 7), np.zeros((1000, 1000))
plan = fo.plan.slice((3, 4), [0, 0], [2, 2])
for call in (
    lambda: fo.slice(x, [0, 0], [2, 2], out=out),
    lambda: plan(x, out=out),
    lambda: plan(large[:3, :4]),
    lambda: fo.windows(x, [[0, 0]], [2, 2]),
    lambda: fo.range(0, 5, 1, "f32"),
    lambda: fo.numpy.pad(large, 1),
    lambda: fo.variadic_split(large, 0, [1, -1]),
    lambda: fo.lazy(x)[::-1].run(),
    numba.njit(lambda: fo.slice(x, (0, 0), (2, 2))),
    numba.njit(lambda: fo.range(0, 5, 1, np.float32)),
):
    try:
        call()
    except fo.KernelError as error:
        print(error)
assert (out == 7).all()
assert (fo.numpy.flip(x, 0, copy=False) == x[::-1]).all()
print(main(["warmup"]))
main(["info"])
"""

REFUSAL = "fastops: this Python is a free-threaded build, but kernels need the global lock"


def test_no_kernel_runs_on_a_free_threaded_build_and_the_command_line_says_so() -> None:
    printed = run_code(CALLS).splitlines()
    assert (printed[:10], printed[10:12]) == ([REFUSAL] * 10, [REFUSAL, "1"])
    assert "none: they do not run on a free-threaded build of Python" in "".join(printed[12:])
