"""How far gradients of GPT-2 (124M) are from the truth: ours and JAX's in f32, against JAX's in f64.

    python oracle/accuracy.py prepare FOLDER
    cargo run --release -p jarrah-testing --example gradients FOLDER
    python oracle/accuracy.py compare FOLDER [--most 1.1]

`prepare` writes the folder `model` (GPT-2's initialization, as Hugging Face has it), `batch.safetensors` (`tokens` and
`targets`, i32 `[B,T]`), `truth.safetensors` (gradients in f64) and `jax.safetensors` (gradients in f32); the example
writes `ours.safetensors`. `compare` prints root mean square errors per group of parameters and over all of them, and
fails if ours is more than `--most` times JAX's. The model is that of `gpt_grads.py`; tensors have the names of GPT-2's
files.

Tokens are skewed as those of text are: the cube of a uniform number picks one, so that a few rows of the embedding
get many updates.
"""

import argparse
import json
import pathlib
import re
import sys

import common
import gpt_grads
import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file, save_file


PARTS = {
    "blocks.": "h.",
    "attn.qkv": "attn.c_attn",
    "attn.proj": "attn.c_proj",
    "mlp.up": "mlp.c_fc",
    "mlp.down": "mlp.c_proj",
    ".scale": ".weight",
}


def in_files(name):
    """The name of the tensor of GPT-2's files that is a parameter of `gpt_grads`."""
    name = f"transformer.{name}" + ("" if "." in name else ".weight")
    for ours, theirs in PARTS.items():
        name = name.replace(ours, theirs)
    return name


def parameters(m):
    """Normal with deviation 0.02, over sqrt(2 layers) into the residual stream; biases 0, scales 1."""
    numbers = np.random.default_rng(0)
    for name, shape, _, offset in gpt_grads.parameter_table(m):
        if len(shape) == 1:
            yield name, np.full(shape, offset, np.float32)
            continue
        residual = name.endswith(("proj.weight", "down.weight"))
        deviation = m["scale"] / np.sqrt(2 * m["layers"]) if residual else m["scale"]
        yield name, (numbers.standard_normal(shape) * deviation).astype(np.float32)


def prepare(folder, m):
    (folder / "model").mkdir(parents=True, exist_ok=True)
    params = dict(parameters(m))
    u = common.unit(1000, [m["batch"], m["length"] + 1]).astype(np.float64) + 0.5
    text = (u**3 * m["vocabulary"]).astype(np.int32)
    tokens, targets = np.ascontiguousarray(text[:, :-1]), np.ascontiguousarray(text[:, 1:])
    config = dict(model_type="gpt2", vocab_size=m["vocabulary"], n_positions=m["context"])
    config |= dict(n_layer=m["layers"], n_head=m["heads"], n_embd=m["width"])
    (folder / "model" / "config.json").write_text(json.dumps(config))
    save_file({in_files(n): value for n, value in params.items()}, str(folder / "model" / "model.safetensors"))
    save_file({"tokens": tokens, "targets": targets}, str(folder / "batch.safetensors"))
    step = jax.jit(jax.value_and_grad(lambda p: gpt_grads.loss(p, tokens, targets, m)))
    for file, dtype in (("truth", jnp.float64), ("jax", jnp.float32)):
        loss, grads = step({name: jnp.asarray(value, dtype) for name, value in params.items()})
        assert loss.dtype == dtype and all(g.dtype == dtype for g in grads.values())
        print(f"{file}: loss {float(loss):.9f}", flush=True)
        save_file({in_files(n): np.asarray(g) for n, g in grads.items()}, str(folder / f"{file}.safetensors"))


def compare(folder, most):
    truth = load_file(str(folder / "truth.safetensors"))
    found = {who: load_file(str(folder / f"{who}.safetensors")) for who in ("jax", "ours")}
    groups, whole = {}, np.zeros(4)
    for name, true in truth.items():
        squares = [((found[who][name].astype(np.float64) - true) ** 2).sum() for who in ("jax", "ours")]
        facts = np.array([true.size, (true**2).sum(), *squares])
        group = re.sub(r"h\.\d+\.", "h.*.", name)
        groups[group] = groups.get(group, 0) + facts
        whole += facts
    print(f"{'gradients of':32} {'their rms':>10} {'JAX off':>10} {'ours off':>10}  ours/JAX")
    for group, (count, *squares) in [*groups.items(), ("all", whole)]:
        rms, jax_off, our_off = np.sqrt(np.array(squares) / count)
        print(f"{group:32} {rms:10.2e} {jax_off:10.2e} {our_off:10.2e} {our_off / jax_off:9.2f}")
    ratio = np.sqrt(whole[3] / whole[2])
    if not ratio <= most:
        sys.exit(f"ours are {ratio:.2f} times as far off as JAX's, more than {most}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["prepare", "compare"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--most", type=float, default=1.1)
    arguments = parser.parse_args()
    if arguments.what == "prepare":
        m = dict(layers=arguments.layers, width=768, heads=12, context=1024, vocabulary=50257, scale=0.02)
        prepare(arguments.folder, m | dict(batch=arguments.batch, length=arguments.length))
    else:
        compare(arguments.folder, arguments.most)


if __name__ == "__main__":
    main()
