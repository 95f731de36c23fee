"""Training steps of Flax models and Optax optimizers: loss, gradients and update in one program."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax import lax

from .values import F32, I32, floats, ints

KEY = jax.random.key(7)


def step_of(loss, optimizer):
    """(parameters, optimizer state, batch) -> (loss, parameters, optimizer state)."""

    def step(parameters, state, *batch):
        value, grads = jax.value_and_grad(loss)(parameters, *batch)
        updates, state = optimizer.update(grads, state, parameters)
        return value, optax.apply_updates(parameters, updates), state

    return step


def train(w, name, loss, parameters, *batch, optimizer=None, tol="relative:2e-4", of):
    optimizer = optimizer or optax.sgd(0.1)
    w.add(name, step_of(loss, optimizer), parameters, optimizer.init(parameters), *batch, tol=tol, of=of, reference=False)


class Block(nnx.Module):
    def __init__(self, width, heads, rngs):
        self.norm1, self.norm2 = nnx.LayerNorm(width, rngs=rngs), nnx.RMSNorm(width, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(heads, width, use_bias=False, decode=False, rngs=rngs)
        self.up, self.down = nnx.Linear(width, 2 * width, rngs=rngs), nnx.Linear(2 * width, width, rngs=rngs)

    def __call__(self, x):
        mask = nnx.make_causal_mask(x[..., 0])
        x = x + self.attention(self.norm1(x), mask=mask)
        return x + self.down(nnx.gelu(self.up(self.norm2(x))))


class Transformer(nnx.Module):
    def __init__(self, layers, width, heads, vocabulary, rngs):
        self.embed = nnx.Embed(vocabulary, width, rngs=rngs)
        self.blocks = nnx.List([Block(width, heads, rngs) for _ in range(layers)])
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.head = nnx.Linear(width, vocabulary, use_bias=False, rngs=rngs)

    def __call__(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def transformers(w):
    tokens, labels = ints(1, 2, 6, low=0, high=13), ints(2, 2, 6, low=0, high=13)
    graph, state = nnx.split(Transformer(1, 8, 2, 13, nnx.Rngs(0)), nnx.Param)

    def loss(p, tokens, labels):
        nnx.replace_by_pure_dict(state, p)
        logits = nnx.merge(graph, state)(tokens)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    train(w, "transformer_1_adamw", loss, nnx.to_pure_dict(state), tokens, labels, optimizer=optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-2, weight_decay=0.1)), of="flax.nnx")
    model = nn.Sequential([nn.Embed(11, 8), nn.SelfAttention(2, use_bias=False), nn.LayerNorm(), nn.Dense(11)])
    parameters = model.init(KEY, tokens % 11)
    train(w, "linen_attention", lambda p, t, y: optax.softmax_cross_entropy_with_integer_labels(model.apply(p, t % 11), y % 11).mean(), parameters, tokens, labels, of="flax.linen")

    def scanned(p, x):
        def layer(x, p):
            h = jnp.tanh(x @ p["a"]) @ p["b"]
            return x + h / jnp.sqrt(jnp.square(h).mean(-1, keepdims=True) + 1e-6), None

        return jnp.square(lax.scan(jax.checkpoint(layer), x, p)[0]).mean()

    train(w, "scanned_layers", scanned, {"a": floats(3, 3, 6, 8), "b": floats(4, 3, 8, 6)}, floats(5, 4, 6), optimizer=optax.adam(1e-2), of="lax.scan")


class ConvNet(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Conv(4, (3, 3), use_bias=False)(x)
        x = nn.relu(nn.BatchNorm(use_running_average=not train, momentum=0.9)(x))
        x = nn.max_pool(x, (2, 2), (2, 2))
        x = nn.avg_pool(nn.relu(nn.Conv(4, (3, 3), strides=2, feature_group_count=2)(x)), (2, 2), padding="SAME")
        return nn.Dense(3)(x.reshape(x.shape[0], -1))


def convolutional(w):
    x, labels = floats(10, 3, 8, 8, 2), np.array([0, 2, 1], I32)
    model = ConvNet()
    variables = model.init(KEY, x, True)
    optimizer = optax.sgd(0.1, momentum=0.9, nesterov=True)

    def step(parameters, statistics, state, x, labels):
        def loss(p):
            logits, new = model.apply({"params": p, "batch_stats": statistics}, x, True, mutable=["batch_stats"])
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), new["batch_stats"]

        (value, statistics), grads = jax.value_and_grad(loss, has_aux=True)(parameters)
        updates, state = optimizer.update(grads, state, parameters)
        return value, optax.apply_updates(parameters, updates), statistics, state

    w.add("conv_net_momentum", step, variables["params"], variables["batch_stats"], optimizer.init(variables["params"]), x, labels, tol="relative:5e-4", of="flax.linen", reference=False)
    w.add("conv_net_predict", lambda v, x: model.apply(v, x, False), variables, x, tol="relative:1e-4", of="flax.linen", reference=False)
    residual = nn.Sequential([nn.Conv(4, (3, 3)), nn.GroupNorm(2), nn.silu, nn.ConvTranspose(2, (2, 2), strides=(2, 2))])
    train(w, "conv_transpose_net", lambda p, x: jnp.square(residual.apply(p, x)).mean(), residual.init(KEY, x), x, of="flax.linen")


class UNet(nn.Module):
    """One level down and up, conditioned on a time, as denoisers are."""

    @nn.compact
    def __call__(self, x, t):
        angle = t[:, None] * jnp.exp(-jnp.arange(2.0) * 2)
        time = nn.Dense(4)(nn.silu(nn.Dense(4)(jnp.concatenate([jnp.sin(angle), jnp.cos(angle)], -1))))
        h = nn.silu(nn.GroupNorm(2)(nn.Conv(4, (3, 3))(x)))
        down = nn.Conv(4, (3, 3), strides=2)(h) + time[:, None, None]
        shape = down.shape
        flat = down.reshape(shape[0], -1, 4)
        middle = (flat + nn.SelfAttention(2, use_bias=False)(nn.LayerNorm()(flat))).reshape(shape)
        up = jax.image.resize(middle, h.shape, "nearest")
        return nn.Conv(x.shape[-1], (3, 3))(nn.silu(nn.Conv(4, (3, 3))(jnp.concatenate([h, up], -1))))


def diffusion(w):
    x, noise, t = floats(20, 2, 4, 4, 2), floats(21, 2, 4, 4, 2), np.array([0.2, 0.7], F32)
    model = UNet()

    def loss(p, x, noise, t):
        signal = jnp.cos(t * jnp.pi / 2)[:, None, None, None]
        noisy = signal * x + jnp.sqrt(1 - signal**2) * noise
        return jnp.square(model.apply(p, noisy, t * 10) - noise).mean()

    train(w, "diffusion_unet_adam", loss, model.init(KEY, x, t), x, noise, t, optimizer=optax.chain(optax.adam(1e-3, eps=1e-3), optax.ema(0.9)), of="flax.linen", tol="relative:5e-4")


def recurrent(w):
    x, y = floats(30, 2, 5, 3), floats(31, 2, 5, 4)
    for name, cell in (("lstm", nn.OptimizedLSTMCell(4)), ("gru", nn.GRUCell(4))):
        model = nn.RNN(cell)
        train(w, f"{name}_step", lambda p, x, y, m=model: jnp.square(m.apply(p, x) - y).mean(), model.init(KEY, x), x, y, optimizer=optax.rmsprop(1e-2) if name != "gru" else optax.adagrad(0.1), of="flax.linen.RNN")
    both = nn.Bidirectional(nn.RNN(nn.SimpleCell(4)), nn.RNN(nn.SimpleCell(4)))
    train(w, "bidirectional_step", lambda p, x: jnp.square(both.apply(p, x, seq_lengths=jnp.array([3, 5]))).mean(), both.init(KEY, x), x, of="flax.linen.Bidirectional")


def moe_loss(p, x, y):
    scores = jax.nn.softmax(x @ p["router"])
    weight, expert = lax.top_k(scores, 2)
    flat, tokens = expert.reshape(-1), jnp.repeat(x, 2, 0)
    order = jnp.argsort(flat)
    counts = jnp.bincount(flat, length=3).astype(jnp.int32)
    hidden = jax.nn.silu(lax.ragged_dot(tokens[order], p["up"], counts))
    out = lax.ragged_dot(hidden, p["down"], counts)
    out = jnp.zeros_like(out).at[order].set(out) * weight.reshape(-1, 1)
    return jnp.square(out.reshape(x.shape[0], 2, -1).sum(1) - y).mean() + 0.01 * (scores.mean(0) * counts / counts.sum()).sum()


def others(w):
    moe = {"router": floats(40, 4, 3), "up": floats(41, 3, 4, 6), "down": floats(42, 3, 6, 4)}
    train(w, "moe_adamw", moe_loss, moe, floats(43, 7, 4), floats(44, 7, 4), optimizer=optax.adamw(1e-2), of="lax.ragged_dot", tol="relative:5e-4")

    def vae(p, x, e):
        h = jnp.tanh(x @ p["e"])
        mean, log = jnp.split(h @ p["z"], 2, -1)
        z = mean + jnp.exp(0.5 * log) * e
        logits = jnp.tanh(z @ p["d"]) @ p["o"]
        return optax.sigmoid_binary_cross_entropy(logits, x).sum(-1).mean() - 0.5 * (1 + log - mean**2 - jnp.exp(log)).sum(-1).mean()

    train(w, "vae_step", vae, {"e": floats(45, 6, 5), "z": floats(46, 5, 4), "d": floats(47, 2, 5), "o": floats(48, 5, 6)}, (floats(49, 3, 6) > 0).astype(F32), floats(50, 3, 2), optimizer=optax.adam(1e-2), of="jax.value_and_grad")

    def gnn(p, nodes, edges, labels):
        for k in range(2):
            messages = jax.nn.relu(nodes[edges[:, 0]] @ p["m"][k])
            nodes = jnp.tanh(nodes @ p["s"][k] + jax.ops.segment_sum(messages, edges[:, 1], 5) / jax.ops.segment_sum(jnp.ones(7), edges[:, 1], 5).clip(1)[:, None])
        return optax.softmax_cross_entropy_with_integer_labels(nodes, labels).mean()

    edges = np.array([[0, 1], [1, 2], [2, 0], [3, 1], [4, 4], [0, 4], [2, 3]], I32)
    train(w, "gnn_step", gnn, {"m": floats(51, 2, 4, 4), "s": floats(52, 2, 4, 4)}, floats(53, 5, 4), edges, np.array([0, 1, 2, 3, 0], I32), optimizer=optax.adam(1e-2), of="jax.ops.segment_sum")
    dropout = nn.Sequential([nn.Dense(6), nn.relu, nn.Dropout(0.4, deterministic=False), nn.Dense(2)])
    variables = dropout.init({"params": KEY, "dropout": KEY}, floats(54, 4, 3))
    w.add("dropout_step", lambda p, x, k: jax.value_and_grad(lambda p: jnp.square(dropout.apply(p, x, rngs={"dropout": jax.random.wrap_key_data(k)})).mean())(p), variables, floats(54, 4, 3), np.array([3, 5], np.uint32), tol="relative:1e-4", of="flax.linen.Dropout", reference=False)
    half = jax.tree.map(lambda x: x.astype(jnp.bfloat16), variables)
    w.add("mlp_bf16", lambda p, x: jax.value_and_grad(lambda p: jnp.square(nn.Sequential([nn.Dense(6, dtype=jnp.bfloat16), nn.gelu, nn.Dense(2, dtype=jnp.bfloat16)]).apply({"params": {"layers_0": p["params"]["layers_0"], "layers_2": p["params"]["layers_3"]}}, x).astype(F32)).mean())(p), half, floats(54, 4, 3), tol="relative:5e-2", of="flax.linen", reference=False)


def optimizers(w):
    p, x, y = {"a": floats(60, 4, 6), "b": floats(61, 6), "c": floats(62, 6, 2)}, floats(63, 5, 4), floats(64, 5, 2)

    def loss(p, x, y):
        return jnp.square(jnp.tanh(x @ p["a"] + p["b"]) @ p["c"] - y).mean()

    schedule = optax.warmup_cosine_decay_schedule(0.0, 0.1, 3, 10)
    table = {
        "sgd": optax.sgd(0.1),
        "momentum": optax.sgd(0.1, momentum=0.9),
        "nesterov": optax.sgd(0.1, momentum=0.9, nesterov=True),
        "adam": optax.adam(1e-2),
        "adamw": optax.adamw(1e-2, mask={"a": True, "b": False, "c": True}),
        "nadam": optax.nadam(1e-2),
        "amsgrad": optax.amsgrad(1e-2),
        "adabelief": optax.adabelief(1e-2),
        "lion": optax.lion(1e-2),
        "lamb": optax.lamb(1e-2, weight_decay=0.1),
        "lars": optax.lars(1e-2, weight_decay=0.1),
        "adafactor": optax.adafactor(1e-2, min_dim_size_to_factor=2),
        "rmsprop": optax.rmsprop(1e-2, centered=True, momentum=0.9),
        "adagrad": optax.adagrad(0.1),
        "adamax": optax.adamax(1e-2),
        "radam": optax.radam(1e-2),
        "novograd": optax.novograd(1e-2),
        "sm3": optax.sm3(1e-2),
        "yogi": optax.yogi(1e-2),
        "muon": optax.contrib.muon(1e-2),
        "scheduled": optax.chain(optax.clip_by_global_norm(0.1), optax.scale_by_adam(), optax.scale_by_schedule(schedule), optax.scale(-1.0)),
        "accumulated": optax.MultiSteps(optax.adam(1e-2), 2).gradient_transformation(),
        "clipped": optax.chain(optax.adaptive_grad_clip(0.1), optax.clip(0.05), optax.sgd(0.1)),
        "finite_only": optax.apply_if_finite(optax.sgd(0.1), 2),
    }
    for name, optimizer in table.items():
        train(w, f"optax_{name}", loss, p, x, y, optimizer=optimizer, of=f"optax.{name}", tol="relative:2e-4" if name != "muon" else "relative:2e-3")
    losses = lambda x, y: (optax.huber_loss(x, y).mean(), optax.l2_loss(x, y).mean(), optax.cosine_similarity(x, y), optax.log_cosh(x, y), optax.hinge_loss(x, jnp.sign(y)), optax.kl_divergence(jax.nn.log_softmax(x), jax.nn.softmax(y)), optax.safe_softmax_cross_entropy(x, jax.nn.softmax(y)), optax.smooth_labels(jax.nn.softmax(x), 0.1), optax.sigmoid_focal_loss(x, (y > 0).astype(F32)), optax.global_norm((x, y)))
    w.add("optax_losses", losses, floats(65, 4, 5), floats(66, 4, 5), of="optax.losses")
    w.add("optax_ctc_loss", lambda x, y: optax.ctc_loss(x, jnp.zeros((2, 6)), y, jnp.zeros((2, 3))), floats(67, 2, 6, 4), np.array([[1, 2, 1], [3, 3, 2]], I32), of="optax.ctc_loss", tol="relative:1e-4")
    w.add("mlp_steps_scanned", lambda p, x, y: lax.scan(lambda p, _: (lambda v, g: (jax.tree.map(lambda a, b: a - 0.1 * b, p, g), v))(*jax.value_and_grad(loss)(p, x, y)), p, None, length=5), p, x, y, of="lax.scan", tol="relative:1e-4")


def add_all(w):
    transformers(w)
    convolutional(w)
    diffusion(w)
    recurrent(w)
    others(w)
    optimizers(w)
