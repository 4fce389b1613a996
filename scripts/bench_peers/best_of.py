"""How every peer is timed: one run unmeasured (compiles, warms the file cache), then the best of some."""
import time


def best_of(runs, work):
    """Seconds of the fastest of `runs` calls."""
    work()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
