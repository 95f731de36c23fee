"""What `jax.random` draws with threefry2x32 in its partitionable form, bit for bit.

Writes `random.json` (each case: function, arguments, result name) and `random.safetensors`. Keys are
u32[2] words; a case's key is `key` in the JSON. Words, bits, uniform, randint, bernoulli, permutation, split and
fold_in must match exactly; normal, gumbel, exponential, truncated_normal go through log, erf_inv and the like and match
to a few units in the last place (`exact` says which).
"""

import common
import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.random import threefry_2x32

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_threefry_partitionable", True)

SEEDS = [0, 1, 7, 42, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40 + 3, -1, -5]
SHAPES = [[], [1], [2], [3], [7], [8], [2, 3], [3, 5], [2, 2, 3]]


def words(key):
    return [int(w) for w in np.asarray(jax.random.key_data(key))]


def main():
    cases, tensors = [], {}

    def add(function, key, value, exact=True, **arguments):
        name = f"{len(cases):03}.{function}"
        if jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
            value = jax.random.key_data(value)
        tensors[name] = np.asarray(value)
        cases.append(dict(name=name, function=function, key=words(key), exact=exact, **arguments))

    for seed in SEEDS:
        key = jax.random.key(seed)
        add("key", key, key, seed=seed)
        for n in (1, 2, 3, 8):
            add("split", key, jax.random.split(key, n), count=n)
        add("split", key, jax.random.split(key, (2, 3)), shape=[2, 3])
        for data in (0, 1, 5, 2**31, 2**32 - 1):
            add("fold_in", key, jax.random.fold_in(key, np.uint32(data)), data=data)

    for seed in (0, 42):
        key = jax.random.key(seed)
        for n in (2, 6, 7):
            counts = jnp.arange(n, dtype=jnp.uint32) * jnp.uint32(0x9E3779B9)
            tensors[f"threefry.counts.{n}"] = np.asarray(counts)
            value = threefry_2x32(jax.random.key_data(key), counts)
            add("threefry2x32", key, value, counts=f"threefry.counts.{n}")

    key = jax.random.fold_in(jax.random.key(7), 3)
    other = jax.random.split(jax.random.key(1), 4)[2]
    for k in (key, other):
        for shape in SHAPES:
            for dtype in ("uint8", "uint16", "uint32", "uint64"):
                add("bits", k, jax.random.bits(k, shape, dtype), shape=shape, dtype=dtype)
            for dtype in ("float32", "float64", "bfloat16", "float16"):
                add("uniform", k, jax.random.uniform(k, shape, dtype), shape=shape, dtype=dtype, low=0.0, high=1.0)
                add("normal", k, jax.random.normal(k, shape, dtype), exact=False, shape=shape, dtype=dtype)
            for low, high in ((-1.0, 1.0), (0.25, 3.0)):
                value = jax.random.uniform(k, shape, jnp.float32, low, high)
                add("uniform", k, value, shape=shape, dtype="float32", low=low, high=high)
            for p in (0.1, 0.5, 0.9):
                add("bernoulli", k, jax.random.bernoulli(k, jnp.float32(p), shape), shape=shape, p=p)
            for dtype, low, high in (("int32", 0, 10), ("int32", -5, 1000), ("int64", 0, 2**40), ("uint8", 0, 200), ("int32", -(2**31), 2**31 - 1)):
                add("randint", k, jax.random.randint(k, shape, low, high, dtype), shape=shape, dtype=dtype, low=low, high=high)
            add("gumbel", k, jax.random.gumbel(k, shape, jnp.float32), exact=False, shape=shape, dtype="float32")
            add("exponential", k, jax.random.exponential(k, shape, jnp.float32), exact=False, shape=shape, dtype="float32")
            value = jax.random.truncated_normal(k, -2.0, 2.0, shape, jnp.float32)
            add("truncated_normal", k, value, exact=False, shape=shape, dtype="float32", low=-2.0, high=2.0)
        add("bits", k, jax.random.bits(k, [1025], "uint32"), shape=[1025], dtype="uint32")
        add("normal", k, jax.random.normal(k, [1025], jnp.float32), exact=False, shape=[1025], dtype="float32")
        for n in (1, 2, 5, 16, 100):
            add("permutation", k, jax.random.permutation(k, n), count=n)
        logits = common.unit(5000, (3, 7)) * np.float32(4)
        tensors["categorical.logits"] = logits
        add("categorical", k, jax.random.categorical(k, jnp.asarray(logits), axis=-1), logits="categorical.logits", axis=1)
        add("categorical", k, jax.random.categorical(k, jnp.asarray(logits), axis=0), logits="categorical.logits", axis=0)
        add("categorical", k, jax.random.categorical(k, jnp.asarray(logits), axis=-1, shape=(5, 3)), logits="categorical.logits", axis=1, shape=[5, 3])
    common.save_json("random.json", dict(cases=cases), compact=True)
    common.save_tensors("random.safetensors", tensors)


if __name__ == "__main__":
    main()
