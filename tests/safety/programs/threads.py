"""``threads N SECONDS``: N Python threads call every operator at once. Prints the layer and the number of calls."""

from __future__ import annotations

import sys
import threading
import time
from random import Random

from fastops._layers import threading_layer
from tests.safety.programs._operators import check, every_operator


def main(threads: int, seconds: float) -> None:
    """Run the threads."""
    calls = every_operator()
    for call in calls:
        check(call)
    end = time.monotonic() + seconds
    wrong: list[Exception] = []
    made = [0] * threads

    def work(k: int) -> None:
        random = Random(k)
        try:
            while time.monotonic() < end or not made[k]:
                check(random.choice(calls))
                made[k] += 1
        except Exception as error:
            wrong.append(error)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if wrong:
        raise wrong[0]
    print(threading_layer(), sum(made))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
