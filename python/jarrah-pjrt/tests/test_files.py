"""What outlives a process: checkpoints and exported programs."""

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
import pytest


def state(device):
    """A tree of arrays on a device."""
    with jax.default_device(device):
        key = jax.random.key(0)
        return {
            "weights": jax.random.normal(key, (16, 8)),
            "half": jax.random.normal(key, (5,), jnp.bfloat16),
            "count": jnp.int32(7),
            "layers": [jnp.arange(3), jnp.array([True, False])],
        }


def test_orbax_restores_the_same_bits(backends, tmp_path):
    saved = state(backends.ours)
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(tmp_path / "checkpoint", saved)
        checkpointer.wait_until_finished()
        restored = checkpointer.restore(tmp_path / "checkpoint", jax.tree.map(jnp.zeros_like, saved))
    for mine, theirs in zip(jax.tree.leaves(saved), jax.tree.leaves(restored), strict=True):
        assert theirs.devices() == {backends.ours}
        assert np.asarray(mine).tobytes() == np.asarray(theirs).tobytes()


def test_orbax_moves_a_checkpoint_between_backends(backends, tmp_path):
    saved = state(backends.xla)
    sharding = jax.sharding.SingleDeviceSharding(backends.ours)
    wanted = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=sharding), saved)
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(tmp_path / "checkpoint", saved)
        checkpointer.wait_until_finished()
        restored = checkpointer.restore(tmp_path / "checkpoint", wanted)
    for mine, theirs in zip(jax.tree.leaves(saved), jax.tree.leaves(restored), strict=True):
        assert theirs.devices() == {backends.ours}
        assert np.asarray(mine).tobytes() == np.asarray(theirs).tobytes()


def model(weights, x):
    return jax.nn.softmax(jnp.tanh(x @ weights))


@pytest.mark.parametrize("platforms", [None, ["jarrah"], ["jarrah", "cpu"]])
def test_exported_programs_run_again(backends, platforms):
    weights = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
    x = np.ones((2, 4), np.float32)
    with jax.default_device(backends.ours):
        exported = jax.export.export(jax.jit(model), platforms=platforms)(weights, x)
        again = jax.export.deserialize(exported.serialize(vjp_order=1))
        assert tuple(again.platforms) == tuple(platforms or ["jarrah"])
        y = jax.jit(again.call)(weights, x)
        slopes = jax.grad(lambda w: again.call(w, x)[0, 0])(jnp.asarray(weights))
    np.testing.assert_allclose(y, model(weights, x), rtol=1e-6)
    np.testing.assert_allclose(slopes, jax.grad(lambda w: model(w, x)[0, 0])(weights), rtol=1e-5, atol=1e-7)


def test_exported_programs_with_symbolic_shapes(backends):
    with jax.default_device(backends.ours):
        b = jax.export.symbolic_shape("b")[0]
        exported = jax.export.export(jax.jit(lambda x: jnp.cumsum(x, axis=0) / x.shape[0]))(
            jax.ShapeDtypeStruct((b, 3), np.float32)
        )
        again = jax.export.deserialize(exported.serialize())
        for rows in (1, 5):
            x = np.arange(3 * rows, dtype=np.float32).reshape(rows, 3)
            np.testing.assert_allclose(again.call(x), np.cumsum(x, 0) / rows, rtol=1e-6)


def test_executables_are_serialized(backends):
    from jax.experimental import serialize_executable

    with jax.default_device(backends.ours):
        compiled = jax.jit(lambda x: jnp.sin(x) + 1).lower(jnp.zeros(4)).compile()
        loaded = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled), backend="jarrah")
        np.testing.assert_allclose(loaded(jnp.arange(4.0)), np.sin(np.arange(4.0)) + 1, rtol=1e-6)
