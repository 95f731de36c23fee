"""The end of a process that runs programs together with others.

`jax.distributed` makes a process wait at its end until all processes are there. A process that ends by an exception would wait
for one that waits for its values, so each says goodbye to the others before it waits: what they still ask of it fails at once.
"""

import ctypes
import functools
import pathlib
import time

# The seconds between two questions whether the runs over several processes are over. Ctrl-C ends the wait between them.
INTERVAL = 0.005


def register(library: pathlib.Path) -> None:
    """Lets `jax.distributed.shutdown`, which JAX also calls at exit, say goodbye to the other processes first."""
    from jax._src import distributed

    leave = ctypes.CDLL(str(library)).jarrah_leave
    leave.restype = ctypes.c_bool
    shutdown = distributed.State.shutdown

    @functools.wraps(shutdown)
    def leave_and_shut_down(self) -> None:
        while not leave():
            time.sleep(INTERVAL)
        shutdown(self)

    distributed.State.shutdown = leave_and_shut_down
