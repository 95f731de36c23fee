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


# The key under which the plugin of the first process says in which folder all meet, or the process that it has left. JAX puts the platform before keys of plugins.
MEETING = "jarrah:jarrah/exchange/0"
LEFT = "left"
# The milliseconds in which the first process says one of the two.
PATIENCE = 15_000


def tell_of_early_end(state) -> None:
    """Tells the others, which may wait for this process with their devices, that it ends without having asked for its own."""
    from jax._src import xla_bridge

    if state.client is None or xla_bridge.backends_are_initialized():
        return
    try:
        if state.process_id == 0:
            state.client.key_value_set(MEETING, LEFT)
            return
        folder = state.client.blocking_key_value_get(MEETING, PATIENCE)
        if folder != LEFT:
            with (pathlib.Path(folder) / "ended").open("a") as ended:
                ended.write(f"{state.process_id} it has left before it asked for its devices\n")
    except (OSError, RuntimeError):
        # Nobody waits: the first process has ended, or all have met.
        pass


# Says goodbye to the other processes, once the plugin is loaded; no, as long as runs over several processes are in flight.
_leave = None


def watch_shutdown() -> None:
    """Lets `jax.distributed.shutdown`, which JAX also calls at exit, tell the other processes first that this one ends."""
    from jax._src import distributed

    shutdown = distributed.State.shutdown

    @functools.wraps(shutdown)
    def leave_and_shut_down(self) -> None:
        tell_of_early_end(self)
        while _leave is not None and not _leave():
            time.sleep(INTERVAL)
        shutdown(self)

    distributed.State.shutdown = leave_and_shut_down


def register(library: pathlib.Path) -> None:
    """Takes the plugin's function that says goodbye."""
    global _leave
    _leave = ctypes.CDLL(str(library)).jarrah_leave
    _leave.restype = ctypes.c_bool
