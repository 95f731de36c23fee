"""Programs that say what to do on the platform `cpu`, and nothing of this one, do here what they do there.

The devices are CPUs, so that is what whoever wrote `jax.lax.platform_dependent(cpu=...)`, or exported a function for `cpu`,
would want. What names this platform, too, goes by that.
"""

from jax._src.export._export import _call_exported_lowering, call_exported_p
from jax._src.lax.control_flow.conditionals import (
    _cond_lowering,
    _platform_index_lowering,
    cond_p,
    platform_index_p,
)

from . import PLATFORM

KIN = "cpu"


def _with_kin(branches: tuple) -> tuple:
    """The platforms of each branch (None: of all others), with this one beside its kin."""
    if any(platforms and PLATFORM in platforms for platforms in branches):
        return branches
    return tuple((*platforms, PLATFORM) if platforms and KIN in platforms else platforms for platforms in branches)


def platform_index(ctx, *, platforms):
    """Which branch of `jax.lax.platform_dependent` is for the platform."""
    return _platform_index_lowering(ctx, platforms=_with_kin(platforms))


def cond(ctx, *operands, branches_platforms=None, **parameters):
    """`jax.lax.cond`, and the branches of `jax.lax.platform_dependent`."""
    if branches_platforms is not None:
        branches_platforms = _with_kin(branches_platforms)
    return _cond_lowering(ctx, *operands, branches_platforms=branches_platforms, **parameters)


def call_exported(ctx, *operands, exported):
    """A call of an exported function."""
    if PLATFORM in exported.platforms or KIN not in exported.platforms:
        return _call_exported_lowering(ctx, *operands, exported=exported)
    there = ctx.replace(module_context=ctx.module_context.replace(platforms=(KIN,)))
    results = _call_exported_lowering(there, *operands, exported=exported)
    if there.tokens_out is not None:
        ctx.set_tokens_out(there.tokens_out)
    return results


RULES = {call_exported_p: call_exported, cond_p: cond, platform_index_p: platform_index}
