"""``threads N SECONDS``: N Python threads call every operator at once, from the first call on.

Prints the layer, the number of calls, and that of fastops' warnings.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from random import Random

from fastops._runtime._threading_layers import threading_layer
from tests.safety.programs._operators import check, every_operator


def main(threads: int, seconds: float) -> None:
    """Run the threads."""
    calls = every_operator()
    barrier = threading.Barrier(threads)
    wrong: list[BaseException] = []
    made = [0] * threads

    def work(k: int) -> None:
        random = Random(k)
        try:
            # All of them load or compile the same kernels now, and meet the same warnings.
            barrier.wait()
            end = time.monotonic() + seconds
            for call in calls:
                check(call)
                made[k] += 1
            while time.monotonic() < end:
                check(random.choice(calls))
                made[k] += 1
        except BaseException as error:
            wrong.append(error)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        workers = [threading.Thread(target=work, args=(k,)) for k in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    if wrong:
        raise wrong[0]
    print(threading_layer(), sum(made), sum(str(each.message).startswith("fastops: ") for each in caught))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
