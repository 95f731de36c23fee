"""The processes of `jarrah launch` as a cluster of JAX: `jax.distributed.initialize()` needs no arguments there.

JAX knows of a cluster once its class is there, so a program imports `jarrah_pjrt` before it calls `initialize`.
"""

import os
import warnings

from jax._src import clusters, distributed

RANK = "JARRAH_RANK"
WORLD_SIZE = "JARRAH_WORLD_SIZE"
COORDINATOR = "JAX_COORDINATOR_ADDRESS"


class Launched(clusters.ClusterEnv):
    """The processes that `jarrah launch` has started on this machine."""

    name = "jarrah"

    @classmethod
    def is_env_present(cls) -> bool:
        return all(variable in os.environ for variable in (RANK, WORLD_SIZE, COORDINATOR))

    @classmethod
    def get_coordinator_address(cls, timeout_secs: int | None, override_coordinator_port: str | None) -> str:
        address = os.environ[COORDINATOR]
        return f"{address.rsplit(':', 1)[0]}:{override_coordinator_port}" if override_coordinator_port else address

    @classmethod
    def get_process_count(cls) -> int:
        return int(os.environ[WORLD_SIZE])

    @classmethod
    def get_process_id(cls) -> int:
        return int(os.environ[RANK])


def warn_of_lone_work() -> None:
    """Warns where a process of a launch looks for its devices and has not joined the others."""
    processes = int(os.environ.get(WORLD_SIZE, 1))
    if processes > 1 and distributed.global_state.client is None:
        warnings.warn(
            f"this is one of {processes} processes of `jarrah launch` and has not joined the others: each does all of"
            " the work alone. Call `import jarrah_pjrt, jax; jax.distributed.initialize()` first, or set"
            f" {WORLD_SIZE}=1 if that is meant.",
            stacklevel=2,
        )
