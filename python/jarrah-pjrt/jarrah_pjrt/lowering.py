"""What JAX lowers differently for each platform, as one table for this one.

A primitive that is missing here is lowered as for any platform that JAX does not know.
"""

from collections.abc import Callable

import jax
from jax._src import callback, checkify, debugging
from jax._src.lax.linalg import geqp3_p, geqrf_p
from jax.extend.random import threefry2x32_p
from jax.interpreters import mlir
from jax.lax import linalg as lax_linalg

from . import callbacks, linalg, platforms, random

# Rules that are functions of arrays, traced where the primitive stands.
FUNCTIONS: dict = {
    lax_linalg.eig_p: linalg.eig,
    lax_linalg.eigh_p: linalg.eigh,
    geqp3_p: linalg.geqp3,
    geqrf_p: linalg.geqrf,
    lax_linalg.hessenberg_p: linalg.hessenberg,
    lax_linalg.householder_product_p: linalg.householder_product,
    lax_linalg.lu_p: linalg.lu,
    lax_linalg.ormqr_p: linalg.ormqr,
    lax_linalg.schur_p: linalg.schur,
    lax_linalg.svd_p: linalg.svd,
    lax_linalg.tridiagonal_p: linalg.tridiagonal,
    lax_linalg.tridiagonal_solve_p: linalg.tridiagonal_solve,
    threefry2x32_p: random.threefry2x32,
}

# Rules that write the program themselves.
RULES: dict = {
    callback.io_callback_p: callbacks.io_callback,
    callback.pure_callback_p: callbacks.pure_callback,
    checkify.check_p: callbacks.check,
    debugging.debug_callback_p: callbacks.debug_callback,
    debugging.debug_print_p: callbacks.debug_print,
    debugging.inspect_sharding_p: callbacks.inspect_sharding,
    **platforms.RULES,
}


def rules() -> dict:
    """The lowering rule of each primitive."""

    def traced(primitive, function: Callable) -> Callable:
        # The functions are written for JAX's defaults, whatever the caller has set.
        def by_default(*operands, **parameters):
            with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
                return function(*operands, **parameters)

        return mlir.lower_fun(by_default, multiple_results=primitive.multiple_results)

    return {**{primitive: traced(primitive, function) for primitive, function in FUNCTIONS.items()}, **RULES}


def register(platform: str) -> None:
    """Registers all rules for a platform, which JAX has to know already, and lets it donate buffers there."""
    for primitive, rule in rules().items():
        mlir.register_lowering(primitive, rule, platform=platform)
    from jax._src.interpreters.mlir import _platforms_with_donation

    if platform not in _platforms_with_donation:
        _platforms_with_donation.append(platform)
