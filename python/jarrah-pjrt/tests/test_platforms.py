"""Programs that know the platform `cpu`, and not this one."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax


def test_a_branch_for_cpu_is_taken():
    def f(x):
        return lax.platform_dependent(x, cpu=lambda x: x + 1, default=lambda x: x + 100)

    np.testing.assert_array_equal(jax.jit(f)(jnp.arange(3)), [1, 2, 3])
    np.testing.assert_array_equal(jax.vmap(f)(jnp.arange(3)), [1, 2, 3])


def test_a_branch_for_this_platform_comes_first():
    def f(x):
        return lax.platform_dependent(x, cpu=lambda x: x + 1, jarrah=lambda x: x + 10)

    np.testing.assert_array_equal(jax.jit(f)(jnp.arange(3)), [10, 11, 12])


def test_the_default_is_for_other_platforms():
    def f(x):
        return lax.platform_dependent(x, tpu=lambda x: x + 1, default=lambda x: x + 100)

    np.testing.assert_array_equal(jax.jit(f)(jnp.arange(3)), [100, 101, 102])


def test_a_function_exported_for_cpu_runs():
    def f(x):
        return lax.platform_dependent(jnp.sin(x), cpu=lambda x: x + 1, tpu=lambda x: x + 10)

    exported = export.export(jax.jit(f), platforms=("tpu", "cpu"))(jnp.arange(3.0))
    again = export.deserialize(exported.serialize())
    np.testing.assert_allclose(jax.jit(again.call)(jnp.arange(3.0)), np.sin(np.arange(3.0)) + 1, rtol=1e-6)
