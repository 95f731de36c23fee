"""The number of devices, as programs ask JAX's own CPU for it.

`$JARRAH_CPU_DEVICES` goes first; then `jax_num_cpu_devices`, and then `--xla_force_host_platform_device_count` in `$XLA_FLAGS`.
"""

import os
import re

FLAG = re.compile(r"--xla_force_host_platform_device_count[= ](\d+)")


def options() -> dict[str, int]:
    """The options of a client that JAX makes now."""
    from jax._src import xla_bridge

    if os.environ.get("JARRAH_CPU_DEVICES"):
        return {}
    if (devices := xla_bridge.num_cpu_devices.value) > 0:
        return {"num_devices": devices}
    flags = FLAG.findall(os.environ.get("XLA_FLAGS", ""))
    # XLA goes by the last one.
    return {"num_devices": int(flags[-1])} if flags and int(flags[-1]) > 0 else {}
