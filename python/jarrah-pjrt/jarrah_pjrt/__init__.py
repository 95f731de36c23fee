"""Jarrah as a backend of JAX: `pip install` it, and `jax.devices()` are Jarrah's.

JAX finds this module by the entry point group `jax_plugins` and calls `initialize` when it first looks for devices.
"""

import os
import pathlib

from . import cluster, processes

PLATFORM = "jarrah"
LIBRARY = "libjarrah_pjrt_plugin.so"
# JAX registers its own CPU backend with priority 0 and GPU plugins with 400 to 500.
PRIORITY = 300

processes.watch_shutdown()


def plugin_path() -> pathlib.Path:
    """The plugin's shared library: `$JARRAH_PJRT_LIBRARY`, or the one that was built into this package.

    Raises `FileNotFoundError` if there is none.
    """
    named = os.environ.get("JARRAH_PJRT_LIBRARY")
    path = pathlib.Path(named) if named else pathlib.Path(__file__).with_name(LIBRARY)
    if not path.is_file():
        how = "$JARRAH_PJRT_LIBRARY names it" if named else "this package was installed without its library"
        raise FileNotFoundError(
            f"{path} does not exist ({how}): run `pip install ./python/jarrah-pjrt`, or"
            " `cargo build --release -p jarrah-pjrt-plugin` and set JARRAH_PJRT_LIBRARY to"
            f" target/release/{LIBRARY}"
        )
    # A bare file name would be looked for in the folders of libraries.
    return path.resolve()


def initialize() -> None:
    """Registers the backend `jarrah` with JAX, and the lowering rules that JAX has only for its own backends.

    Where `$PJRT_NAMES_AND_LIBRARY_PATHS` names a library for `jarrah`, JAX registers that one itself, right after this.
    """
    from jax._src import xla_bridge

    from . import devices, dlpack, ffi, lowering

    cluster.warn_of_lone_work()
    dlpack.register(PLATFORM)
    for entry in os.environ.get("PJRT_NAMES_AND_LIBRARY_PATHS", "").split(","):
        name, _, path = entry.partition(os.path.pathsep)
        if name == PLATFORM:
            xla_bridge.register_plugin_callbacks(lambda c_api: lowering.register(PLATFORM))
            ffi.register(PLATFORM, pathlib.Path(path))
            processes.register(pathlib.Path(path))
            return
    path = plugin_path()
    xla_bridge.register_plugin(PLATFORM, priority=PRIORITY, library_path=str(path), options=devices.options)
    lowering.register(PLATFORM)
    ffi.register(PLATFORM, path)
    processes.register(path)
