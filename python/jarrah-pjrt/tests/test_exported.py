"""Artifacts that Jarrah exported (`crates/testing/examples/exported.rs`), which JAX loads, runs and differentiates at several sizes.

`JARRAH_EXPORTED` is the folder that they were written to.
"""

import os
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from safetensors.numpy import load_file

folder = os.environ.get("JARRAH_EXPORTED")
pytestmark = pytest.mark.skipif(folder is None, reason="JARRAH_EXPORTED names no folder")


def load(name):
    return jax.export.deserialize(bytearray((Path(folder) / f"{name}.jax_export").read_bytes()))


def varied(*shape, start=0.0):
    return np.sin(0.37 * np.arange(np.prod(shape), dtype=np.float32) + start).reshape(shape).astype(np.float32)


@pytest.fixture(autouse=True)
def on_xla(backends):
    """The artifacts are for the platform `cpu`, which is XLA's."""
    with jax.default_device(backends.xla):
        yield


def assert_close(found, expected, **tolerance):
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for mine, theirs in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)
        np.testing.assert_allclose(mine, theirs, **{"rtol": 1e-5, "atol": 1e-6, **tolerance})


def layers():
    return [{"weight": varied(3, 8), "bias": varied(8, start=1)}, {"weight": varied(8, 2), "bias": None}]


def forward(layers, x):
    for layer in layers:
        x = x @ layer["weight"]
        if layer["bias"] is not None:
            x = jnp.tanh(x + layer["bias"])
    return x


@pytest.mark.parametrize("name, sizes", [("static", [4]), ("mlp", [1, 2, 7, 300]), ("platforms", [1, 5])])
def test_a_network_runs_with_any_batch(name, sizes):
    exported = load(name)
    for batch in sizes:
        x = varied(batch, 3)
        assert_close(exported.call(layers(), x), forward(layers(), x))
        assert_close(jax.jit(exported.call)(layers(), x), forward(layers(), x))


def test_the_avals_and_trees_are_as_jax_writes_them():
    exported = load("mlp")
    assert exported.fun_name == "forward"
    assert [str(aval) for aval in exported.in_avals] == [
        "float32[8]", "float32[3,8]", "float32[8,2]", "float32[b,3]",
    ]
    assert [str(aval) for aval in exported.out_avals] == ["float32[b,2]"]
    assert exported.in_tree == jax.tree.structure(((layers(), 0.0), {}))
    assert load("platforms").platforms == ("cpu", "cuda", "tpu")
    again = jax.export.deserialize(exported.serialize())
    assert_close(again.call(layers(), varied(3, 3)), forward(layers(), varied(3, 3)))


@pytest.mark.parametrize("name, sizes", [("static", [4]), ("mlp", [1, 6])])
def test_jax_differentiates_what_was_exported(name, sizes):
    exported = load(name)
    for batch in sizes:
        x = varied(batch, 3)
        found = jax.grad(lambda p: jnp.sum(exported.call(p, x) ** 2))(layers())
        assert_close(found, jax.grad(lambda p: jnp.sum(forward(p, x) ** 2))(layers()), rtol=1e-4)


def test_an_export_is_called_within_another_with_symbols():
    inner = load("mlp")
    b = jax.export.symbolic_shape("b")[0]
    twice = jax.jit(lambda p, x: inner.call(p, jnp.concatenate([x, x])) + 1)
    outer = jax.export.export(twice, platforms=["cpu"])(layers(), jax.ShapeDtypeStruct((b, 3), np.float32))
    x = varied(5, 3)
    assert_close(outer.call(layers(), x), forward(layers(), np.concatenate([x, x])) + 1)


def test_a_training_step():
    exported = load("step")

    def loss(params, x, labels):
        logits = jax.nn.log_softmax(x @ params["w"] + params["b"])
        return -jnp.mean(jnp.take_along_axis(logits, labels[:, None], 1))

    for batch in (2, 5, 64):
        params = {"w": varied(3, 5), "b": varied(5)}
        x, labels = varied(batch, 3), (np.arange(batch) % 5).astype(np.int32)
        value, slopes = jax.value_and_grad(loss)(params, x, labels)
        expected = ({name: params[name] - 0.5 * slopes[name] for name in params}, value)
        assert_close(exported.call(params, x, labels), expected)
    with pytest.raises(ValueError, match="refining shapes"):
        exported.call(params, varied(1, 3), np.zeros(1, np.int32))


def test_attention_over_any_length():
    exported = load("attention")
    for batch, length in ((1, 1), (2, 6), (3, 17)):
        q, k, v = varied(batch, length, 4, 8), varied(batch, length, 2, 8, start=1), varied(batch, length, 2, 8, start=2)
        expected = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        assert_close(exported.call(q, k, v), expected)
        slopes = jax.grad(lambda q, k, v: jnp.sum(exported.call(q, k, v) ** 2), (0, 1, 2))(q, k, v)
        wanted = jax.grad(lambda q, k, v: jnp.sum(jax.nn.dot_product_attention(q, k, v, is_causal=True) ** 2), (0, 1, 2))
        assert_close(slopes, wanted(q, k, v), rtol=1e-4, atol=1e-5)


def test_functions_of_the_sizes():
    exported = load("shapes")
    assert [str(aval) for aval in exported.out_avals][0] == "float32[b*n,3]"
    for b, n in ((1, 2), (4, 6), (9, 31)):
        x = varied(b, n, 3)
        expected = (
            x.reshape(-1, 3),
            jnp.var(x, axis=(0, 1)),
            x / np.sqrt(np.float32(b * n)),
            jnp.arange(n, dtype=jnp.int32),
            x[:, 1:] - x[:, :-1],
            jnp.argmax(x[::-1], axis=1),
        )
        found = exported.call(x)
        assert_close(tuple(map(lambda y, z: y.astype(z.dtype), found, expected)), expected)


def test_a_scan_of_any_length():
    exported = load("recurrence")

    def reference(c, xs):
        return jax.lax.scan(lambda c, x: (jnp.tanh(c + x), c * x), c, xs)

    for n, d in ((1, 1), (5, 3), (40, 2)):
        c, xs = varied(d), varied(n, d)
        assert_close(exported.call(c, xs), reference(c, xs))
        slope = jax.grad(lambda xs: jnp.sum(exported.call(c, xs)[0]))(xs)
        assert_close(slope, jax.grad(lambda xs: jnp.sum(reference(c, xs)[0]))(xs), rtol=1e-4)


def test_random_numbers_are_those_of_jax():
    exported = load("noise")
    for shape in ((1, 2), (4, 6)):
        key = jax.random.key_data(jax.random.key(7))
        found = exported.call(key, jnp.zeros(shape))
        np.testing.assert_array_equal(found, jax.random.uniform(jax.random.key(7), shape))


def test_images_of_any_size():
    exported = load("convolution")
    assert [str(aval) for aval in exported.out_avals] == ["float32[b,4,h - 1,w - 1]"]

    def reference(x, kernel):
        y = jnp.tanh(jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME"))
        return jax.lax.reduce_window(y, 0.0, jax.lax.add, (1, 1, 2, 2), (1, 1, 1, 1), "VALID") / 4

    for b, h, w in ((1, 3, 3), (2, 9, 12)):
        x, kernel = varied(b, 3, h, w), varied(4, 3, 3, 3, start=1)
        assert_close(exported.call(x, kernel), reference(x, kernel), rtol=1e-4)


def test_branches_and_loops():
    exported = load("control")

    def reference(x, n):
        doubled = jnp.exp(jnp.sin(x) * 2)
        looped = jax.lax.fori_loop(0, n, lambda i, y: y * 0.5 + doubled, x)
        return jax.lax.cond(x.sum() > 0, lambda: doubled + x, lambda: x * x.mean()), looped

    for rows, start in ((1, 0.0), (6, 3.0)):
        for steps in (0, 4):
            x = varied(rows, 2, start=start)
            assert_close(exported.call(x, np.int32(steps)), reference(x, steps))


def test_functions_that_stablehlo_lacks():
    exported = load("functions")

    def reference(x):
        return jax.scipy.special.erf(x), jax.scipy.special.gammaln(jnp.abs(x) + 0.5), jnp.sinh(x), jnp.sort(x, axis=0)

    for rows in (1, 9):
        x = varied(rows, 2)
        assert_close(exported.call(x), reference(x))
        slope = jax.grad(lambda x: sum(map(jnp.sum, exported.call(x))))(x)
        assert_close(slope, jax.grad(lambda x: sum(map(jnp.sum, reference(x))))(x), rtol=1e-4)


def test_a_gpt_over_any_batch_and_length():
    exported = load("gpt")
    saved = load_file(Path(folder) / "gpt.safetensors")
    tokens, logits = saved.pop("1.0"), saved.pop("1.1")
    # The tree of the arguments, with the saved arrays by their paths.
    tree, _ = jax.tree.unflatten(exported.in_tree, range(len(exported.in_avals)))[0]

    def fill(node, path):
        if isinstance(node, dict):
            return {key: fill(value, f"{path}.{key}") for key, value in node.items()}
        if isinstance(node, list | tuple):
            return type(node)(fill(value, f"{path}.{i}") for i, value in enumerate(node))
        return None if node is None else saved[path]

    model = fill(tree, "0")
    assert_close(exported.call(model, tokens), logits)
    for rows, columns in ((1, 3), (2, 7)):
        part = exported.call(model, tokens[:rows, :columns])
        np.testing.assert_allclose(part, logits[:rows, :columns], rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="refining shapes"):
        exported.call(model, np.zeros((1, 65), np.int32))
