"""Optimizers of `optax.contrib`, and those that Optax lacks, written here in JAX after their papers."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from optax import contrib

SCHEDULE = optax.linear_schedule(0.02, 0.005, 40)
MATRICES = lambda p: jax.tree.map(lambda x: x.ndim >= 2, p)


def signs(key, shape, dtype=float, **_):
    """Rademacher's signs from the uniform numbers of f32, whatever the precision of the session."""
    return (2 * jax.random.bernoulli(key, np.float32(0.5), shape).astype(jnp.int32) - 1).astype(dtype)


jax.random.rademacher = signs


class Probed:
    """An optimizer that takes the loss as `obj_fn`."""

    def __init__(self, inner):
        self.inner = optax.with_extra_args_support(inner)
        self.init = self.inner.init

    def update(self, grads, state, params, value_fn, **_):
        return self.inner.update(grads, state, params, obj_fn=value_fn)


class Plain:
    """An optimizer that takes nothing beside."""

    def __init__(self, inner):
        self.inner, self.init = inner, inner.init

    def update(self, grads, state, params, **_):
        return self.inner.update(grads, state, params)


class Opaque:
    """Sharpness-aware minimization with its own gradients."""

    def __init__(self, inner):
        self.inner, self.init = inner, inner.init

    def update(self, grads, state, params, value_fn, **_):
        return self.inner.update(grads, state, params, grad_fn=lambda p, _: jax.grad(value_fn)(p))


class PerExample:
    """An optimizer of gradients of examples: here the gradient times 1, -0.5 and 2."""

    def __init__(self, inner):
        self.inner, self.init = inner, inner.init

    def update(self, grads, state, params, **_):
        factors = jnp.array([1.0, -0.5, 2.0])
        each = jax.tree.map(lambda g: jnp.tensordot(factors.astype(g.dtype), g, 0), grads)
        return self.inner.update(each, state, params)


def axis_gram(g, axis):
    rows = jnp.moveaxis(g, axis, 0).reshape(g.shape[axis], -1)
    return rows @ rows.T


def along(matrix, x, axis):
    return jnp.moveaxis(jnp.tensordot(matrix, x, ((1,), (axis,))), 0, axis)


def shampoo(rate, b2, every, graft, eps=1e-8):
    """Gupta, Koren and Singer (2018), with averages, relative eps and grafting after Anil et al. (2020)."""

    def init(params):
        square = lambda p, f: [f(n) if p.ndim >= 2 else jnp.zeros((0, 0), p.dtype) for n in p.shape]
        return {
            "count": jnp.zeros([], jnp.int32),
            "nu": jax.tree.map(jnp.zeros_like, params),
            "preconditioners": jax.tree.map(lambda p: square(p, lambda n: jnp.eye(n, dtype=p.dtype)), params),
            "statistics": jax.tree.map(lambda p: square(p, lambda n: jnp.zeros((n, n), p.dtype)), params),
        }

    def root(m, p):
        values, vectors = jnp.linalg.eigh(m)
        shifted = jnp.maximum(values, 0) + values.max() * eps
        return vectors @ jnp.diag(shifted ** (-1.0 / p)) @ vectors.T

    def leaf(g, count, statistics, preconditioners, nu):
        weight = 1.0 if b2 == 1.0 else 1.0 - b2
        nu = b2 * nu + weight * g**2
        square = nu if b2 == 1.0 else nu / (1 - b2 ** (count + 1))
        diagonal = g / (jnp.sqrt(square) + eps)
        if g.ndim < 2:
            return diagonal, statistics, preconditioners, nu
        statistics = [b2 * l + weight * axis_gram(g, k) for k, l in enumerate(statistics)]
        new = [root(l, 2 * g.ndim) for l in statistics]
        preconditioners = [jnp.where(count % every == 0, a, b) for a, b in zip(new, preconditioners)]
        u = g
        for k, m in enumerate(preconditioners):
            u = along(m, u, k)
        if graft:
            u = u * jnp.linalg.norm(diagonal.ravel()) / jnp.linalg.norm(u.ravel())
        return u, statistics, preconditioners, nu

    def update(grads, state, params=None):
        out = {k: leaf(g, state["count"], state["statistics"][k], state["preconditioners"][k], state["nu"][k]) for k, g in grads.items()}
        part = lambda i: {k: v[i] for k, v in out.items()}
        new = {"count": state["count"] + 1, "statistics": part(1), "preconditioners": part(2), "nu": part(3)}
        return part(0), new

    return optax.chain(optax.GradientTransformation(init, update), optax.trace(0.9), optax.add_decayed_weights(0.01), optax.scale(-rate))


def soap(rate, every, max_dim, b1=0.95, b2=0.95, beta=0.95, eps=1e-8):
    """Vyas et al. (2024), algorithms 3 and 4; the first step only finds the bases."""

    def init(params):
        square = lambda p, f: [f(n) if p.ndim >= 2 and n <= max_dim else jnp.zeros((0, 0), p.dtype) for n in p.shape]
        return {
            "count": jnp.zeros([], jnp.int32),
            "mu": jax.tree.map(jnp.zeros_like, params),
            "nu": jax.tree.map(jnp.zeros_like, params),
            "statistics": jax.tree.map(lambda p: square(p, lambda n: jnp.zeros((n, n), p.dtype)), params),
            "bases": jax.tree.map(lambda p: square(p, lambda n: jnp.eye(n, dtype=p.dtype)), params),
        }

    def leaf(g, count, mu, nu, statistics, bases):
        turned = g
        new_mu = b1 * mu + (1 - b1) * g
        turned_mu = new_mu
        if g.ndim >= 2:
            for k, q in enumerate(bases):
                if q.size:
                    turned, turned_mu = along(q.T, turned, k), along(q.T, turned_mu, k)
            statistics = [beta * l + (1 - beta) * axis_gram(g, k) if l.size else l for k, l in enumerate(statistics)]
        new_nu = b2 * nu + (1 - b2) * turned**2
        t = jnp.maximum(count, 1)
        u = turned_mu / (1 - b1**t) / (jnp.sqrt(new_nu / (1 - b2**t)) + eps)
        first = count == 0
        if g.ndim >= 2:
            for k, q in enumerate(bases):
                u = along(q, u, k) if q.size else u
            found = [jnp.linalg.eigh(l)[1] if l.size else l for l in statistics]
            turned_on = [jnp.linalg.qr(l @ q)[0] if l.size else l for l, q in zip(statistics, bases)]
            again = (count + 1) % every == 0
            bases = [jnp.where(first, a, jnp.where(again, b, c)) for a, b, c in zip(found, turned_on, bases)]
        keep = lambda new, old: jnp.where(first, old, new)
        return keep(u, jnp.zeros_like(u)), keep(new_mu, mu), keep(new_nu, nu), statistics, bases

    def update(grads, state, params=None):
        names = ("mu", "nu", "statistics", "bases")
        out = {k: leaf(g, state["count"], *(state[n][k] for n in names)) for k, g in grads.items()}
        part = lambda i: {k: v[i] for k, v in out.items()}
        return part(0), {"count": state["count"] + 1} | {n: part(i + 1) for i, n in enumerate(names)}

    return optax.chain(optax.GradientTransformation(init, update), optax.scale(-rate))


ascent = lambda: optax.chain(contrib.normalize(), optax.sgd(0.05))

REFERENCES = {
    "acprop": lambda: contrib.acprop(0.01, eps_root=1e-6, weight_decay=0.01),
    "ademamix": lambda: contrib.ademamix(0.01, b3=0.99, alpha=3.0, weight_decay=0.01),
    "ademamix.schedule": lambda: contrib.ademamix(0.01, b3=optax.linear_schedule(0.9, 0.99, 30), alpha=optax.linear_schedule(0.0, 5.0, 30)),
    "simplified_ademamix": lambda: contrib.simplified_ademamix(0.001, b1=0.9, alpha=2.0),
    "adopt": lambda: contrib.adopt(0.01),
    "adopt.nesterov": lambda: contrib.adopt(0.01, b2=0.99, nesterov=True, use_clipping=False),
    "cocob": lambda: contrib.cocob(alpha=20.0, eps=1e-3, weight_decay=0.01),
    "dadapt_adamw": lambda: contrib.dadapt_adamw(estim_lr0=1e-3, weight_decay=0.01),
    "dpsgd": lambda: PerExample(contrib.dpsgd(0.05, 0.5, 0.1, 7, momentum=0.5)),
    "differentially_private_aggregate": lambda: PerExample(
        optax.chain(contrib.differentially_private_aggregate(0.3, 0.0, jax.random.key(7)), optax.scale(-0.1))
    ),
    "dog": lambda: contrib.dog(init_step=("heuristic", 1e-2), weight_decay=0.01),
    "dog.rate": lambda: contrib.dog(init_step=("learning_rate", 0.1)),
    "dog.distance": lambda: contrib.dog(learning_rate=SCHEDULE, init_step=("distance", 0.5)),
    "dowg": lambda: contrib.dowg(init_estim_sq_dist=0.01),
    "galore~params": lambda: contrib.galore(0.01, rank=1, update_proj_gap=20, scale=0.5, weight_decay=0.01),
    "madgrad": lambda: contrib.madgrad(0.02, weight_decay=0.01),
    "madgrad.schedule": lambda: contrib.madgrad(SCHEDULE, momentum=0.5),
    "mechanize": lambda: contrib.mechanize(optax.adam(1.0), s_init=1e-3),
    "momo": lambda: contrib.momo(0.2, weight_decay=0.01),
    "momo.adapt": lambda: contrib.momo(0.2, lower_bound=-2.0, weight_decay=0.01, adapt_lower_bound=True),
    "momo_adam": lambda: contrib.momo_adam(0.02, lower_bound=-2.0),
    "momo_adam.adapt": lambda: contrib.momo_adam(SCHEDULE, lower_bound=-2.0, weight_decay=0.01, adapt_lower_bound=True),
    "muon": lambda: contrib.muon(0.02, weight_decay=0.01),
    "muon.dion": lambda: contrib.muon(0.02, ns_coeffs="dion", nesterov=False, adaptive=True, preconditioning="spectral"),
    "muon.aol": lambda: contrib.muon(SCHEDULE, preconditioning="aol", consistent_rms=0.2, adam_learning_rate=0.01),
    "muon.schatten": lambda: contrib.muon(0.02, ns_steps=3, preconditioning="schatten", adam_weight_decay=0.1),
    "normalize": lambda: optax.chain(contrib.normalize(), optax.scale(-0.05)),
    "prodigy": lambda: contrib.prodigy(estim_lr0=1e-3, weight_decay=0.01),
    "prodigy.warmup": lambda: contrib.prodigy(
        optax.linear_schedule(0.1, 1.0, 20), beta3=0.9, estim_lr0=1e-3, estim_lr_coef=0.5, safeguard_warmup=True
    ),
    "reduce_on_plateau": lambda: optax.chain(
        optax.sgd(0.3), contrib.reduce_on_plateau(factor=0.5, patience=2, rtol=0.02, cooldown=3, accumulation_size=2, min_scale=0.1)
    ),
    "sam": lambda: Plain(contrib.sam(optax.adam(0.01), ascent())),
    "sam.period": lambda: Plain(
        contrib.sam(optax.sgd(0.05, 0.5), optax.chain(contrib.normalize(), optax.sgd(0.02, 0.5)), sync_period=3, reset_state=False)
    ),
    "opaque_sam": lambda: Opaque(contrib.sam(optax.adam(0.01), ascent(), sync_period=3, opaque_mode=True)),
    "schedule_free": lambda: contrib.schedule_free(optax.sgd(SCHEDULE), SCHEDULE, b1=0.8, weight_lr_power=1.0),
    "schedule_free_adamw": lambda: contrib.schedule_free_adamw(0.02, warmup_steps=10, weight_decay=0.01),
    "schedule_free_sgd": lambda: contrib.schedule_free_sgd(0.1, warmup_steps=5, weight_decay=0.01),
    "shampoo": lambda: shampoo(0.01, 0.9, 5, True, 1e-3),
    "shampoo.sum": lambda: shampoo(0.01, 1.0, 1, False, 1e-3),
    "soap~params": lambda: soap(0.01, 3, 3),
    "sophia": lambda: Probed(contrib.sophia(0.02, gamma=0.5, update_interval=3)),
    "sophia.free": lambda: Probed(contrib.sophia(0.01, gamma=2.0, eps=0.5, clip_threshold=None, update_interval=5)),
}
