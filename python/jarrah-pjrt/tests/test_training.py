"""Training with Flax NNX and Optax, with nothing changed but the device."""

import flax.nnx as nnx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Block(nnx.Module):
    def __init__(self, width: int, rngs: nnx.Rngs):
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(4, width, decode=False, rngs=rngs)
        self.up = nnx.Linear(width, 2 * width, rngs=rngs)
        self.down = nnx.Linear(2 * width, width, rngs=rngs)

    def __call__(self, x):
        x = x + self.attention(self.norm(x), mask=nnx.make_causal_mask(x[..., 0]))
        return x + self.down(nnx.gelu(self.up(x)))


class Model(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.embed = nnx.Embed(32, 16, rngs=rngs)
        self.blocks = nnx.List([Block(16, rngs) for _ in range(2)])
        self.head = nnx.Linear(16, 32, rngs=rngs)

    def __call__(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def train(device, steps: int) -> tuple[list[float], dict]:
    """Losses and final parameters of a small language model that learns to count."""
    with jax.default_device(device):
        model = Model(nnx.Rngs(0))
        # The biases of attention's keys have a gradient of zero: without this `eps` Adam would scale up its rounding errors.
        optimizer = nnx.Optimizer(model, optax.adamw(3e-3, eps=1e-3), wrt=nnx.Param)

        @nnx.jit
        def step(model, optimizer, tokens):
            def loss(model):
                logits = model(tokens[:, :-1])
                return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

            value, slopes = nnx.value_and_grad(loss)(model)
            optimizer.update(model, slopes)
            return value

        tokens = (jnp.arange(8)[:, None] + jnp.arange(12)[None, :]) % 32
        losses = [float(step(model, optimizer, tokens)) for _ in range(steps)]
        state = nnx.to_pure_dict(nnx.state(model, nnx.Param))
    assert all(leaf.devices() == {device} for leaf in jax.tree.leaves(state))
    return losses, jax.tree.map(np.asarray, state)


def test_nnx_and_optax_train_alike(backends):
    ours, parameters = train(backends.ours, 20)
    xla, theirs = train(backends.xla, 20)
    assert ours[-1] < 0.8 * ours[0]
    np.testing.assert_allclose(ours, xla, rtol=1e-3)
    for mine, other in zip(jax.tree.leaves(parameters), jax.tree.leaves(theirs), strict=True):
        np.testing.assert_allclose(mine, other, atol=5e-3)


def test_gradients_of_a_convolution(backends):
    numbers = np.random.default_rng(0)
    images = numbers.standard_normal((2, 8, 8, 3)).astype(np.float32)
    kernel = numbers.standard_normal((3, 3, 3, 4)).astype(np.float32)

    def loss(kernel, images):
        y = jax.lax.conv_general_dilated(images, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jnp.sum(jax.nn.relu(y) ** 2)

    backends.assert_close(jax.value_and_grad(loss), kernel, images, rtol=1e-4, atol=1e-4)
