"""Layers of Flax NNX: outputs, gradients and state, for crates/nn/tests/flax.

A case is a row of CASES: a name, what makes the module, what calls it, and its inputs.  Parameters, statistics and inputs are numbers of
`common.unit`, so that the values do not depend on Flax's keys.  Everything is computed in f64, but for cases with random bits, which depend
on the dtype, and is stored in f32:

    NAME/x/I         the I-th input
    NAME/p/PATH      a parameter or statistic, by our path
    NAME/y/I         the I-th output
    NAME/dx/I        the gradient of `sum(output * weights)` in the I-th input, where it is a float;
                     the weights are ((7 i mod 11) - 5) / 8 for the element number i of each output
    NAME/dp/PATH     the gradient in a parameter
    NAME/s/PATH      a statistic after the call

It also writes metrics (`metrics/..`), and states as `flax.serialization` writes them (`flax_*.msgpack`).  Writes to crates/nn/tests/golden/.
"""

import math

import common

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx, serialization
from safetensors.numpy import save_file

GOLDEN = common.GOLDEN.parents[2] / "nn" / "tests" / "golden"
NAMES = {"kernel": "weight", "embedding": "table", "query_ln": "query_norm", "key_ln": "key_norm"}
F64 = dict(param_dtype=jnp.float64, dtype=jnp.float64)


def own_name(path, value):
    """Our path of a variable, and its value in our shape."""
    steps = [str(NAMES.get(step, step)) for step in path]
    return ".".join(steps), value


def attention(path, value):
    """Heads lie side by side in our matrices."""
    name, value = own_name(path, value)
    if path[0] == "out":
        return name, value.reshape(-1, value.shape[-1]) if path[1] == "kernel" else value
    if path[0] in ("query", "key", "value"):
        return name, value.reshape(value.shape[0], -1) if path[1] == "kernel" else value.reshape(-1)
    return name, value


def spectral(path, value):
    if path[0] == "batch_stats":
        return own_name(("statistics", *path[1][:-1], path[1][-1]), value)
    return own_name(("layer", *path[1:]), value)


def weight_norm(path, value):
    """The lengths stand beside the weight."""
    if path[0] == "scales":
        return own_name((*path[1], "scale"), value)
    name, value = own_name(path[1:], value)
    return (name + ".base" if path[-1] == "kernel" else name), value


def lora(path, value):
    """The adapter lies within the weight."""
    names = {("kernel",): "weight.base", ("lora", "lora_a"): "weight.adapter.a", ("lora", "lora_b"): "weight.adapter.b"}
    return names.get(tuple(path), ".".join(path)), value


def values(stream, path, shape, exact):
    """A leaf of the module as numbers: scales and variances are around 1."""
    x = common.unit(stream, shape)
    if path[-1] in ("scale", "var", "sigma") or path[0] == "scales":
        x = x + np.float32(1)
    return jnp.asarray(x, jnp.float64 if exact else jnp.float32)


def weights(y):
    return ((7 * np.arange(math.prod(y.shape))) % 11 - 5).reshape(y.shape) / 8


CASES = []


def case(name, make, *inputs, call=None, export=own_name, exact=True, gates=None):
    """`inputs` are shapes, or arrays."""
    CASES.append((name, make, inputs, call or (lambda m, *x: m(*x)), export, exact, gates))


# Dense.
case("linear_general", lambda r: nnx.LinearGeneral((3, 4), (2, 5), axis=(1, -1), rngs=r, **F64), (2, 3, 6, 4))
case("linear_general_batch", lambda r: nnx.LinearGeneral(4, (3, 2), axis=-1, batch_axis={0: 2}, rngs=r, **F64), (2, 5, 4))
case("einsum", lambda r: nnx.Einsum("...hi,hio->...ho", (2, 3, 4), (2, 4), rngs=r, **F64), (2, 3, 2, 3))
case("einsum_middle", lambda r: nnx.Einsum("abc,cd->adb", (3, 4), (4,), rngs=r, **F64), (2, 5, 3))
case("prelu", lambda r: nnx.PReLU(param_dtype=jnp.float64), (3, 4))
case("embed", lambda r: nnx.Embed(5, 3, rngs=r, **F64), np.array([[0, 3], [4, 3]], np.int32), (2, 3),
     call=lambda m, i, x: (m(i), m.attend(x)))
case("dropout", lambda r: nnx.Dropout(0.4, broadcast_dims=(1,), rngs=r), (4, 3, 5), exact=False,
     call=lambda m, x: m(x, rngs=jax.random.key(7)))
case("lora", lambda r: nnx.LoRALinear(4, 3, lora_rank=2, lora_param_dtype=jnp.float64, rngs=r, **F64), (2, 4), export=lora)

# Convolutions.
conv = lambda *a, **k: lambda r: nnx.Conv(*a, rngs=r, **F64, **k)
MASK = (np.arange(3 * 2 * 3) % 4 != 1).reshape(3, 2, 3).astype(np.float32)
case("conv_same", conv(2, 3, (3,), strides=2), (2, 6, 2))
case("conv_even", conv(2, 3, (4, 2)), (1, 5, 4, 2))
case("conv_groups", conv(4, 6, (3, 3), strides=(2, 1), kernel_dilation=(1, 2), feature_group_count=2), (2, 7, 6, 4))
case("conv_dilated", conv(2, 3, (3, 2), padding=((1, 2), (0, 1)), input_dilation=(2, 3)), (1, 4, 3, 2))
case("conv_circular", conv(2, 3, (3, 4), padding="CIRCULAR", strides=2, kernel_dilation=(2, 1)), (1, 5, 6, 2))
case("conv_reflect", conv(2, 3, (4,), padding="REFLECT"), (2, 5, 2))
case("conv_causal", conv(2, 3, (3,), padding="CAUSAL", kernel_dilation=2), (2, 6, 2))
case("conv_valid", conv(2, 3, (2, 2, 2), padding="VALID", use_bias=False), (3, 4, 3, 2))
case("conv_mask", conv(2, 3, (3,), mask=jnp.asarray(MASK)), (2, 3, 5, 2))

back = lambda *a, **k: lambda r: nnx.ConvTranspose(*a, rngs=r, **F64, **k)
case("conv_transpose_same", back(2, 3, (3, 4), strides=(2, 2)), (1, 4, 3, 2))
case("conv_transpose_wide", back(2, 3, (2,), strides=(3,)), (2, 4, 2))
case("conv_transpose_valid", back(2, 3, (3,), strides=(2,), padding="VALID", kernel_dilation=(2,)), (5, 2))
case("conv_transpose_pairs", back(2, 3, (3,), strides=(2,), padding=((1, 2),)), (2, 4, 2))
case("conv_transpose_mirrored", back(2, 3, (3, 2), strides=(2, 1), transpose_kernel=True), (1, 4, 3, 2))
case("conv_transpose_circular", back(2, 3, (4, 3), strides=(2, 1), padding="CIRCULAR"), (1, 4, 3, 2))
case("conv_transpose_circular_mirrored", back(2, 3, (4,), strides=(3,), padding="CIRCULAR", transpose_kernel=True), (1, 3, 2))

# Pooling.
for name, f, args, kwargs, shape in [
    ("pool_mean", nnx.avg_pool, ((2, 3),), dict(strides=(1, 2), padding="SAME"), (2, 4, 5, 3)),
    ("pool_mean_inside", nnx.avg_pool, ((2, 3),), dict(strides=(1, 2), padding="SAME", count_include_pad=False), (2, 4, 5, 3)),
    ("pool_max", nnx.max_pool, ((3,),), dict(strides=(2,), padding=((1, 1),)), (2, 6, 2)),
    ("pool_min", nnx.min_pool, ((2, 2),), dict(), (4, 3, 2)),
]:
    case(name, lambda r: nnx.Dropout(0.0), shape, call=lambda m, x, f=f, a=args, k=kwargs: f(x, *a, **k))

# Normalizations.
case("layer_norm", lambda r: nnx.LayerNorm(5, rngs=r, **F64), (2, 3, 5))
case("layer_norm_axes", lambda r: nnx.LayerNorm(3, reduction_axes=(1, 2), feature_axes=1, rngs=r, **F64), (2, 3, 5))
case("layer_norm_plain", lambda r: nnx.LayerNorm(5, use_scale=False, use_bias=False, rngs=r, **F64), (2, 5))
case("rms_norm", lambda r: nnx.RMSNorm(5, rngs=r, **F64), (2, 3, 5))
case("rms_norm_axes", lambda r: nnx.RMSNorm(3, reduction_axes=(1, 2), feature_axes=1, rngs=r, **F64), (2, 3, 5))
case("group_norm", lambda r: nnx.GroupNorm(6, num_groups=2, rngs=r, **F64), (2, 3, 2, 6))
case("group_norm_flat", lambda r: nnx.GroupNorm(6, num_groups=None, group_size=2, use_bias=False, rngs=r, **F64), (3, 6))
case("instance_norm", lambda r: nnx.InstanceNorm(4, rngs=r, **F64), (2, 3, 2, 4))
case("batch_norm", lambda r: nnx.BatchNorm(4, momentum=0.9, rngs=r, **F64), (3, 2, 4))
case("batch_norm_running", lambda r: nnx.BatchNorm(4, rngs=r, use_running_average=True, **F64), (3, 2, 4))
case("batch_norm_axis", lambda r: nnx.BatchNorm(2, axis=1, use_scale=False, rngs=r, **F64), (3, 2, 4))
case("batch_norm_mask", lambda r: nnx.BatchNorm(4, rngs=r, **F64), (3, 2, 4),
     call=lambda m, x: m(x, mask=(jnp.arange(6) % 3 != 1).reshape(3, 2, 1)))
case("weight_norm", lambda r: nnx.WeightNorm(nnx.Linear(4, 3, rngs=r, **F64), rngs=r, **{"dtype": jnp.float64}), (2, 4), export=weight_norm)
case("weight_norm_conv", lambda r: nnx.WeightNorm(nnx.Conv(2, 3, (3,), rngs=r, **F64), feature_axes=(-2, -1), rngs=r), (2, 5, 2), export=weight_norm)
case("weight_norm_whole", lambda r: nnx.WeightNorm(nnx.Linear(4, 3, rngs=r, **F64), feature_axes=None, rngs=r), (2, 4), export=weight_norm)
case("spectral_norm", lambda r: nnx.SpectralNorm(nnx.Linear(4, 3, rngs=r, **F64), rngs=r, **F64), (2, 4), export=spectral)
case("spectral_norm_conv", lambda r: nnx.SpectralNorm(nnx.Conv(2, 3, (3,), rngs=r, **F64), n_steps=3, rngs=r, **F64), (2, 5, 2), export=spectral)
case("spectral_norm_kept", lambda r: nnx.SpectralNorm(nnx.Linear(4, 3, rngs=r, **F64), update_stats=False, rngs=r, **F64), (2, 4), export=spectral)

# Attention.
mha = lambda *a, **k: lambda r: nnx.MultiHeadAttention(*a, rngs=r, **F64, **k)
PAIRS = (np.arange(20) % 3 != 1).reshape(1, 1, 4, 5)
case("attention", mha(2, 6, decode=False), (2, 4, 6), export=attention)
case("attention_causal", mha(4, 6, qkv_features=8, out_features=5, num_kv_heads=2, use_bias=False, decode=False), (2, 4, 6),
     call=lambda m, x: m(x, is_causal=True), export=attention)
case("attention_cross", mha(4, 6, qkv_features=8, in_kv_features=3, num_kv_heads=2, normalize_qk=True, decode=False), (2, 4, 6), (2, 5, 3), (2, 5, 3),
     call=lambda m, q, k, v: m(q, k, v, mask=jnp.broadcast_to(PAIRS, (2, 1, 4, 5))), export=attention)


def with_weights(m, x):
    y, maps = nnx.capture(lambda m, x: m(x, is_causal=True, sow_weights=True), nnx.Intermediate)(m, x)
    return y, maps["attention_weights"][0]


case("attention_weights", mha(4, 6, qkv_features=8, num_kv_heads=2, decode=False), (2, 4, 6), call=with_weights, export=attention)
case("attention_dropout", lambda r: nnx.MultiHeadAttention(2, 6, dropout_rate=0.4, deterministic=False, decode=False, rngs=r), (2, 4, 6),
     call=lambda m, x: m(x, rngs=nnx.Rngs(dropout=jax.random.key(7))), export=attention, exact=False)


def decoded(m, x):
    m.init_cache(x.shape, jnp.float64)
    return jnp.concatenate([m(x[:, i : i + 1], decode=True) for i in range(x.shape[1])], 1)


case("attention_decode", mha(2, 6, decode=False), (2, 4, 6), call=decoded, export=attention)

# Recurrent layers.
GATES = (("ii", "hi"), ("if_", "hf"), ("ig", "hg"), ("io", "ho"))
simple = lambda r: nnx.SimpleCell(3, 4, rngs=r, **F64)
gru = lambda r: nnx.GRUCell(3, 4, rngs=r, **F64)
lstm = lambda r: nnx.OptimizedLSTMCell(3, 4, rngs=r, **F64)
LENGTHS = np.array([4, 2], np.int32)
case("simple_cell", lambda r: nnx.SimpleCell(3, 4, residual=True, rngs=r, **F64), (2, 4), (2, 3))
case("gru_cell", gru, (2, 4), (2, 3))
case("lstm_cell", lstm, (2, 4), (2, 4), (2, 3), call=lambda m, c, h, x: jax.tree.leaves(m((c, h), x)))
case("lstm_cell_apart", lambda r: nnx.LSTMCell(3, 4, rngs=r, **F64), (2, 4), (2, 4), (2, 3),
     call=lambda m, c, h, x: jax.tree.leaves(m((c, h), x)), gates=True)
case("rnn", lambda r: nnx.RNN(gru(r)), (2, 4, 3))
case("rnn_time_major", lambda r: nnx.RNN(simple(r), time_major=True, return_carry=True), (4, 2, 3))
case("rnn_reverse", lambda r: nnx.RNN(gru(r), reverse=True, return_carry=True), (2, 4, 3))
case("rnn_lengths", lambda r: nnx.RNN(lstm(r), return_carry=True), (2, 4, 3), (2, 4), (2, 4),
     call=lambda m, x, c, h: jax.tree.leaves(m(x, initial_carry=(c, h), seq_lengths=LENGTHS)))
case("rnn_lengths_reverse", lambda r: nnx.RNN(gru(r), reverse=True, keep_order=True, return_carry=True), (2, 4, 3),
     call=lambda m, x: m(x, seq_lengths=LENGTHS))
case("bidirectional", lambda r: nnx.Bidirectional(nnx.RNN(gru(r)), nnx.RNN(lstm(r)), return_carry=True), (2, 4, 3),
     call=lambda m, x: jax.tree.leaves(m(x, seq_lengths=LENGTHS)))


def joined(stored):
    """The gates of an LSTM side by side, as we have them."""
    out = {}
    for side, which in (("dense_i", 0), ("dense_h", 1)):
        for part in ("weight", "bias"):
            parts = [stored.get(f"{gate[which]}.{part}") for gate in GATES]
            if all(x is not None for x in parts):
                out[f"{side}.{part}"] = np.concatenate(parts, -1)
    return out


def run(number, name, make, inputs, call, export, exact, gates):
    with jax.enable_x64(exact):
        stream = 7000 + 100 * number
        graph, rng, state = nnx.split(make(nnx.Rngs(0)), nnx.RngState, ...)
        flat = list(nnx.to_flat_state(state))
        trained = [isinstance(leaf, nnx.Param) or path[0] == "scales" for path, leaf in flat]
        arrays = [values(stream + i, path, leaf.shape, exact) for i, (path, leaf) in enumerate(flat)]
        dtype = np.float64 if exact else np.float32
        given = [
            common.unit(stream + 50 + i, x).astype(dtype) if isinstance(x, tuple) else x for i, x in enumerate(inputs)
        ]
        floats = [i for i, x in enumerate(given) if x.dtype == dtype]

        def run_with(arrays, xs):
            """The outputs, the loss and the state after the call."""
            whole = list(given)
            for i, x in zip(floats, xs):
                whole[i] = x
            leaves = [
                (path, leaf.replace(value) if isinstance(leaf, nnx.Variable) else value)
                for (path, leaf), value in zip(flat, arrays)
            ]
            model = nnx.merge(graph, jax.tree.map(lambda x: x, rng), nnx.from_flat_state(leaves))
            y = call(model, *[jnp.asarray(x) for x in whole])
            ys = list(y) if isinstance(y, (tuple, list)) else [y]
            loss = sum(jnp.sum(y * weights(y)) for y in ys)
            after = nnx.to_flat_state(nnx.split(model, nnx.RngState, nnx.Cache, ...)[3])
            after = {path: leaf[...] for path, leaf in after if isinstance(leaf, nnx.BatchStat)}
            return loss, (ys, after)

        xs = [jnp.asarray(given[i]) for i in floats]
        (_, (ys, after)), (dp, dx) = jax.value_and_grad(run_with, argnums=(0, 1), has_aux=True)(arrays, xs)

        stored = {"p": {}, "dp": {}, "s": {}}
        for (path, leaf), value, slope, train in zip(flat, arrays, dp, trained):
            own, value = export(path, np.asarray(value))
            stored["p"][own] = value
            if train:
                stored["dp"][own] = export(path, np.asarray(slope))[1]
            if path in after and not np.array_equal(np.asarray(after[path]), np.asarray(value)):
                stored["s"][own] = export(path, np.asarray(after[path]))[1]
        if gates:
            stored = {kind: joined(leaves) for kind, leaves in stored.items()}
        tensors = {f"{name}/{kind}/{own}": x for kind, leaves in stored.items() for own, x in leaves.items()}
        tensors |= {f"{name}/x/{i}": x for i, x in enumerate(given)}
        tensors |= {f"{name}/y/{i}": x for i, x in enumerate(ys)}
        tensors |= {f"{name}/dx/{i}": x for i, x in zip(floats, dx)}
        narrow = lambda x: np.asarray(x, np.float32) if np.asarray(x).dtype == np.float64 else np.asarray(x)
        return {key: np.ascontiguousarray(narrow(x)).reshape(np.shape(x)) for key, x in tensors.items()}


def initial():
    """The weights that layers begin with, of the first key of a stream."""
    rngs = lambda: nnx.Rngs(params=jax.random.key(3))
    layers = {
        "linear": nnx.Linear(5, 3, rngs=rngs()),
        "general": nnx.LinearGeneral((3, 4), (2, 5), axis=(-2, -1), rngs=rngs()),
        "conv": nnx.Conv(4, 6, (3, 2), feature_group_count=2, rngs=rngs()),
        "back": nnx.ConvTranspose(2, 3, (4,), rngs=rngs()),
        "einsum": nnx.Einsum("ab,bc->ac", (4, 3), rngs=rngs()),
    }
    cell = nnx.SimpleCell(3, 4, rngs=rngs())
    return {f"initial/y/{name}": np.asarray(layer.kernel[...]) for name, layer in layers.items()} | {
        "initial/y/recurrent": np.asarray(cell.dense_h.kernel[...])
    }


def streams():
    """The words of keys that streams give, in turn."""
    rngs = nnx.Rngs(0, dropout=7)
    taken = [rngs.params(), rngs.dropout(), rngs.noise(), rngs.dropout(), rngs.default()]
    words = np.stack([np.asarray(jax.random.key_data(key)) for key in taken])
    return {"streams/y/words": words.view(np.int32)}


def metrics():
    """Metrics over two batches, of which the second has a mask."""
    values = [common.unit(9000, (3, 2)), common.unit(9001, (4, 2))]
    logits = [common.unit(9002, (3, 4)), common.unit(9003, (2, 4))]
    labels = [common.integers(9004, (3,), 4), common.integers(9005, (2,), 4)]
    mask = np.array([[1, 0], [1, 1], [0, 0], [1, 1]], np.bool_)
    average, welford = nnx.metrics.Average(), nnx.metrics.Welford()
    accuracy, above = nnx.metrics.Accuracy(), nnx.metrics.Accuracy(threshold=0.1)
    for i in range(2):
        average.update(values=jnp.asarray(values[i]), **({"mask": jnp.asarray(mask)} if i else {}))
        welford.update(values=jnp.asarray(values[i]))
        accuracy.update(logits=jnp.asarray(logits[i]), labels=jnp.asarray(labels[i]))
        above.update(logits=jnp.asarray(logits[i][:, 0]), labels=jnp.asarray(labels[i] % 2))
    found = welford.compute()
    results = {
        "average": average.compute(),
        "accuracy": accuracy.compute(),
        "above": above.compute(),
        "mean": found.mean,
        "standard_deviation": found.standard_deviation,
        "standard_error_of_mean": found.standard_error_of_mean,
    }
    tensors = {f"metrics/y/{name}": np.asarray(x, np.float32) for name, x in results.items()}
    tensors["metrics/x/mask"] = mask.astype(np.int32)
    for name, each in (("values", values), ("logits", logits), ("labels", labels)):
        tensors |= {f"metrics/x/{name}{i}": x for i, x in enumerate(each)}
    return tensors


def states():
    """A state of arrays alone; the same in chunks of 16 bytes; and one with all else that files of Flax hold."""
    arrays = {
        "blocks": {
            "0": {"bias": jnp.asarray([1.5, -2.0], jnp.bfloat16), "weight": np.arange(6, dtype=np.float32).reshape(2, 3)},
            "1": {"bias": np.zeros((0,), np.float16), "weight": np.full((20,), 7, np.int8)},
        },
        "mask": np.array([True, False]),
        "step": np.array(300, np.int32),
        "table": common.unit(9100, (9, 9)),
    }
    whole = serialization.MAX_CHUNK_SIZE
    files = {"arrays": serialization.msgpack_serialize(arrays)}
    serialization.MAX_CHUNK_SIZE = 16
    files["chunks"] = serialization.msgpack_serialize(arrays)
    serialization.MAX_CHUNK_SIZE = whole
    other = {
        "complex": 1 + 2j,
        "float": 0.25,
        "integers": [3, -3, 200, -200, 70000, -70000, 2**40, -(2**40)],
        "none": None,
        "scalar": np.float32(0.5),
        "more": {7: {"yes": True}},
    }
    files["other"] = serialization.msgpack_serialize(other)
    for name, data in files.items():
        (GOLDEN / f"flax_{name}.msgpack").write_bytes(data)
        print(f"flax_{name}.msgpack: {len(data)} bytes")


def main():
    tensors = initial() | streams() | metrics()
    for number, row in enumerate(CASES):
        tensors |= run(number, *row)
    GOLDEN.mkdir(parents=True, exist_ok=True)
    states()
    path = GOLDEN / "flax_layers.safetensors"
    save_file({key: tensors[key] for key in sorted(tensors)}, str(path))
    print(f"{path.name}: {len(CASES)} cases, {len(tensors)} tensors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
