"""Random bits: the block cipher is one operation of Jarrah's compiler, and no loop."""

import jax
import jax.numpy as jnp


def threefry2x32(k1: jax.Array, k2: jax.Array, x1: jax.Array, x2: jax.Array) -> list[jax.Array]:
    """Threefry-2x32 with twenty rounds of the counters `x1, x2` under the key `k1, k2`, each `u32`, broadcast together."""
    operands = jnp.broadcast_arrays(k1, k2, x1, x2)
    result = jax.ShapeDtypeStruct(operands[0].shape, operands[0].dtype)
    return list(jax.ffi.ffi_call("cu_threefry2x32_ffi", [result, result])(*operands))
