"""The training step of char_train.py in JAX or PyTorch: `char_train_peers.py jax-scan|jax-unrolled|torch-eager`.

Prints one JSON line when ready, one for each line read (the number of steps to do), and one at the end.
"""
import json
import resource
import sys
import time

LAYERS, WIDTH, HEADS, VOCABULARY, CONTEXT, BATCH = 6, 384, 6, 65, 256, 12
LEARNING_RATE, BETAS, WEIGHT_DECAY = 3e-4, (0.9, 0.95), 0.1
# Of the initial weights; smaller where a projection adds to the residual stream.
DEVIATION, RESIDUAL = 0.02, 0.02 / (2 * LAYERS) ** 0.5


def serve(compile_s, step):
    """`step` does one step, waits for it, and returns the loss."""
    losses = [step(), step()]
    print(json.dumps({"compile_s": compile_s}), flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter()
            losses.append(step())
            times.append((time.perf_counter() - start) * 1e3)
        print(json.dumps({"ms": times}), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"peak_mib": peak, "losses": [losses[0], losses[-1]]}), flush=True)


def with_jax(scanned):
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax

    random = np.random.default_rng(0)

    def normal(*shape, deviation=DEVIATION):
        return jnp.asarray(deviation * random.standard_normal(shape, dtype=np.float32))

    def norm():
        return {"scale": jnp.ones(WIDTH), "bias": jnp.zeros(WIDTH)}

    def linear(inputs, outputs, deviation=DEVIATION):
        return {"weight": normal(inputs, outputs, deviation=deviation), "bias": jnp.zeros(outputs)}

    def block():
        return {
            "norm1": norm(),
            "qkv": linear(WIDTH, 3 * WIDTH),
            "out": linear(WIDTH, WIDTH, RESIDUAL),
            "norm2": norm(),
            "up": linear(WIDTH, 4 * WIDTH),
            "down": linear(4 * WIDTH, WIDTH, RESIDUAL),
        }

    blocks = [block() for _ in range(LAYERS)]
    if scanned:
        blocks = jax.tree.map(lambda *leaves: jnp.stack(leaves), *blocks)
    params = {"tokens": normal(VOCABULARY, WIDTH), "positions": normal(CONTEXT, WIDTH), "blocks": blocks, "norm": norm()}

    def normed(p, x):
        mean = x.mean(-1, keepdims=True)
        variance = jnp.square(x - mean).mean(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p["scale"] + p["bias"]

    def affine(p, x):
        return x @ p["weight"] + p["bias"]

    def apply_block(x, p):
        shape = (BATCH, CONTEXT, HEADS, WIDTH // HEADS)
        q, k, v = (part.reshape(shape) for part in jnp.split(affine(p["qkv"], normed(p["norm1"], x)), 3, axis=-1))
        mixed = jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(BATCH, CONTEXT, WIDTH)
        x = x + affine(p["out"], mixed)
        return x + affine(p["down"], jax.nn.gelu(affine(p["up"], normed(p["norm2"], x))))

    def loss_of(p, tokens, targets):
        x = p["tokens"][tokens] + p["positions"]
        if scanned:
            x, _ = jax.lax.scan(lambda x, b: (apply_block(x, b), None), x, p["blocks"])
        else:
            for b in p["blocks"]:
                x = apply_block(x, b)
        logits = normed(p["norm"], x) @ p["tokens"].T
        return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()

    optimizer = optax.adamw(LEARNING_RATE, *BETAS, weight_decay=WEIGHT_DECAY)

    def update(p, s, tokens, targets):
        loss, gradients = jax.value_and_grad(loss_of)(p, tokens, targets)
        updates, s = optimizer.update(gradients, s, p)
        return optax.apply_updates(p, updates), s, loss

    tokens, targets = (jnp.asarray(random.integers(0, VOCABULARY, (BATCH, CONTEXT))) for _ in range(2))
    state = [params, optimizer.init(params)]
    start = time.perf_counter()
    compiled = jax.jit(update, donate_argnums=(0, 1)).lower(*state, tokens, targets).compile()
    compile_s = time.perf_counter() - start

    def step():
        state[0], state[1], loss = compiled(*state, tokens, targets)
        jax.block_until_ready(state)
        return float(loss)

    serve(compile_s, step)


def with_torch():
    import torch
    from torch import nn
    from torch.nn import functional

    torch.manual_seed(0)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

        def forward(self, x):
            heads = [
                part.view(BATCH, CONTEXT, HEADS, WIDTH // HEADS).transpose(1, 2)
                for part in self.qkv(self.norm1(x)).split(WIDTH, dim=-1)
            ]
            mixed = functional.scaled_dot_product_attention(*heads, is_causal=True)
            x = x + self.out(mixed.transpose(1, 2).reshape(BATCH, CONTEXT, WIDTH))
            return x + self.down(functional.gelu(self.up(self.norm2(x)), approximate="tanh"))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
            self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
            self.norm = nn.LayerNorm(WIDTH)
            for name, parameter in self.named_parameters():
                if parameter.ndim > 1:
                    adds = name.endswith(("out.weight", "down.weight"))
                    nn.init.normal_(parameter, std=RESIDUAL if adds else DEVIATION)
                elif name.endswith("bias"):
                    nn.init.zeros_(parameter)

        def forward(self, tokens):
            x = self.tokens(tokens) + self.positions.weight
            for block in self.blocks:
                x = block(x)
            return self.norm(x) @ self.tokens.weight.T

    model = Model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, betas=BETAS, weight_decay=WEIGHT_DECAY)
    tokens, targets = (torch.randint(0, VOCABULARY, (BATCH, CONTEXT)) for _ in range(2))

    def step():
        loss = functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss.item()

    serve(0.0, step)


system = sys.argv[1]
try:
    if system == "torch-eager":
        with_torch()
    else:
        with_jax(scanned=system == "jax-scan")
except ImportError as missing:
    print(f"{system}: {missing}", file=sys.stderr)
