"""Decoders as JAX programs save them by Orbax, each with the same weights as a folder of Hugging Face has them.

    python oracle/jax_models.py [NAME..]        # crates/models/tests/jax/, all cases or these
    python oracle/jax_models.py check FOLDER    # restores by Orbax what `jarrah model convert --format maxtext` wrote of them

A case is a folder `NAME/` with `config.json`, `model.safetensors` and the tree, in `orbax/` or, where the names alone are of interest, in
`tree.msgpack`, which `flax.serialization` wrote:

* `maxtext_*`: the tree of MaxText, `params/params/..`, scanned (layers along axis 1) or not, in the item `items` of a step of Orbax's manager. Names,
  shapes and arithmetic are those of MaxText's `checkpoint_conversion/utils/param_mapping.py`: `HOOKS` says which tensors differ.
* `nnx`: the state of a decoder that is written in Flax NNX below, with the names of Hugging Face's modules; `expected.safetensors` has its logits.
* `tunix_*`: the names of Tunix's models, as a state of NNX.
* `flax_scanned`: the names of Hugging Face's modules, with layers along the axis 0, as `nnx.vmap` and `nnx.scan` make them.

Numbers are multiples of 1/64, so that no arithmetic between the two rounds; those of `maxtext_gemma_rounded` are not, and its `model.safetensors` has what
MaxText's converter would make of the tree.

Needs orbax-checkpoint==0.12.8 and tensorstore==0.1.86 beside `requirements.txt`.
"""

import json
import os
import pathlib
import shutil
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import common
import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
from absl import logging
from flax import nnx, serialization
from safetensors.numpy import load_file, save_file

logging.set_verbosity(logging.FATAL)
OUT = pathlib.Path(__file__).resolve().parent.parent / "crates" / "models" / "tests" / "jax"

LLAMA = {
    "model_type": "llama", "vocab_size": 5, "hidden_size": 4, "intermediate_size": 3, "num_hidden_layers": 2, "num_attention_heads": 2,
    "num_key_value_heads": 1, "head_dim": 4, "max_position_embeddings": 32, "rms_norm_eps": 1e-6, "rope_theta": 10000.0,
    "tie_word_embeddings": False, "torch_dtype": "float32",
}
LLAMA3 = {"rope_type": "llama3", "factor": 4.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 16}
GEMMA = {"hidden_activation": "gelu_pytorch_tanh", "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": True}
MOE = {"num_experts": 3, "num_experts_per_tok": 2, "moe_intermediate_size": 3, "norm_topk_prob": True, "decoder_sparse_step": 1}

# The architecture that `config.json` names, the differences from LLAMA, and whether layers are scanned.
CASES = {
    "maxtext_llama": ("LlamaForCausalLM", {}, True),
    "maxtext_llama3_bf16": ("LlamaForCausalLM", {"rope_scaling": LLAMA3, "torch_dtype": "bfloat16"}, True),
    "maxtext_mistral_unscanned": ("MistralForCausalLM", {"model_type": "mistral", "sliding_window": None}, False),
    "maxtext_mixtral": ("MixtralForCausalLM", {"model_type": "mixtral", "num_local_experts": 3, "num_experts_per_tok": 2, "sliding_window": None}, True),
    "maxtext_qwen2": ("Qwen2ForCausalLM", {"model_type": "qwen2", "tie_word_embeddings": True}, True),
    "maxtext_qwen3": ("Qwen3ForCausalLM", {"model_type": "qwen3"}, True),
    "maxtext_qwen3_moe": ("Qwen3MoeForCausalLM", {"model_type": "qwen3_moe", **MOE}, True),
    "maxtext_gemma_rounded": ("GemmaForCausalLM", {"model_type": "gemma", "hidden_size": 6, "head_dim": 6, **GEMMA}, True),
    "maxtext_gemma2": ("Gemma2ForCausalLM", {"model_type": "gemma2", "query_pre_attn_scalar": 4, "sliding_window": 8, **GEMMA}, True),
    "maxtext_gemma3": ("Gemma3ForCausalLM", {"model_type": "gemma3_text", "num_hidden_layers": 7, "query_pre_attn_scalar": 4, "sliding_window": 8, **GEMMA}, True),
    "maxtext_gemma3_unscanned": ("Gemma3ForCausalLM", {"model_type": "gemma3_text", "num_hidden_layers": 2, "query_pre_attn_scalar": 4, "sliding_window": 8, **GEMMA}, False),
    "nnx": ("LlamaForCausalLM", {}, None),
    "tunix_qwen2": ("Qwen2ForCausalLM", {"model_type": "qwen2"}, None),
    "tunix_gemma": ("GemmaForCausalLM", {"model_type": "gemma", **GEMMA}, None),
    "flax_scanned": ("Qwen3ForCausalLM", {"model_type": "qwen3"}, None),
}

# The cases that are checkpoints of Orbax.
ORBAX = ("maxtext_llama", "maxtext_mistral_unscanned", "nnx")


def shapes(c):
    """The tensors of a folder of Hugging Face, `[outputs, inputs]`."""
    d, h, m, kind = c["hidden_size"], c["head_dim"], c["intermediate_size"], c["model_type"]
    q, k = c["num_attention_heads"] * h, c["num_key_value_heads"] * h
    made = {"model.embed_tokens.weight": (c["vocab_size"], d), "model.norm.weight": (d,)}
    if not c["tie_word_embeddings"]:
        made["lm_head.weight"] = (c["vocab_size"], d)
    for i in range(c["num_hidden_layers"]):
        at = f"model.layers.{i}."
        made |= {at + "input_layernorm.weight": (d,), at + "post_attention_layernorm.weight": (d,)}
        for name, shape in {"q": (q, d), "k": (k, d), "v": (k, d), "o": (d, q)}.items():
            made[f"{at}self_attn.{name}_proj.weight"] = shape
            if kind == "qwen2" and name != "o":
                made[f"{at}self_attn.{name}_proj.bias"] = shape[:1]
        if kind in ("qwen3", "qwen3_moe", "gemma3_text"):
            made |= {at + "self_attn.q_norm.weight": (h,), at + "self_attn.k_norm.weight": (h,)}
        if kind in ("gemma2", "gemma3_text"):
            made |= {at + "pre_feedforward_layernorm.weight": (d,), at + "post_feedforward_layernorm.weight": (d,)}
        if kind == "mixtral":
            made[at + "block_sparse_moe.gate.weight"] = (c["num_local_experts"], d)
            for e in range(c["num_local_experts"]):
                made |= {f"{at}block_sparse_moe.experts.{e}.w{n}.weight": (d, m) if n == 2 else (m, d) for n in (1, 2, 3)}
        elif kind == "qwen3_moe":
            made[at + "mlp.gate.weight"] = (c["num_experts"], d)
            for e in range(c["num_experts"]):
                made |= {f"{at}mlp.experts.{e}.{n}_proj.weight": (d, m) if n == "down" else (m, d) for n in ("gate", "up", "down")}
        else:
            made |= {at + f"mlp.{n}_proj.weight": (d, m) if n == "down" else (m, d) for n in ("gate", "up", "down")}
    return made


def weights(number, c, exact):
    made = {}
    for i, (name, shape) in enumerate(shapes(c).items()):
        stream = 5000 + 1000 * number + i
        values = common.unit(stream, shape)
        values = np.round(values * 64) / 64 if exact else values
        made[name] = values.astype(np.float32 if c["torch_dtype"] == "float32" else jnp.bfloat16)
    return made


def cut(x, to):
    """A map `[outputs, inputs]` as MaxText has it."""
    return x.T.reshape(to)


class MaxText:
    """Names and numbers of MaxText for a model of Hugging Face."""

    def __init__(self, c):
        self.c, self.kind = c, c["model_type"]
        self.gemma = self.kind.startswith("gemma")
        self.divides = self.kind in ("llama", "mistral", "mixtral", "gemma", "gemma2")
        self.turns = c.get("rope_scaling", {}).get("rope_type") == "llama3"

    def factor(self):
        width = self.c["hidden_size"] ** 0.5
        return np.float32(jnp.bfloat16(width)) if self.kind == "gemma3_text" else np.float32(width)

    def leaf(self, name, x):
        """The leaf of a tensor, by its key below a layer or below the model."""
        h, dtype = self.c["head_dim"], x.dtype
        part = name.split("layers.")[-1].split(".", 1)[-1] if ".layers." in name else name
        wide = x.astype(np.float32)
        if part == "model.embed_tokens.weight":
            return ("token_embedder", "embedding"), (wide * self.factor() if self.gemma else wide).astype(dtype)
        if part == "lm_head.weight":
            return ("decoder", "logits_dense", "kernel"), x.T
        if x.ndim == 1 and not part.endswith("bias"):
            after = {"gemma": "pre_ffw_norm", "gemma2": "post_self_attention_norm", "gemma3_text": "post_self_attention_norm"}
            keys = {
                "model.norm.weight": ("decoder", "decoder_norm"),
                "input_layernorm.weight": ("pre_self_attention_norm" if self.gemma else "pre_self_attention_layer_norm",),
                "post_attention_layernorm.weight": (after.get(self.kind, "post_self_attention_layer_norm"),),
                "pre_feedforward_layernorm.weight": ("pre_ffw_norm",), "post_feedforward_layernorm.weight": ("post_ffw_norm",),
                "self_attn.q_norm.weight": ("self_attention", "query_norm"), "self_attn.k_norm.weight": ("self_attention", "key_norm"),
            }[part]
            return keys + ("scale",), (wide + 1 if self.gemma else wide).astype(dtype)
        if part.startswith("self_attn."):
            kind = {"q": "query", "k": "key", "v": "value", "o": "out"}[part[len("self_attn.")]]
            if part.endswith("bias"):
                return ("self_attention", kind, "bias"), x.reshape(-1, h)
            to = (-1, h, x.shape[0]) if kind == "out" else (x.shape[1], -1, h)
            x = cut(x, to)
            if kind in ("query", "key") and self.turns:
                x = np.stack([x[..., : h // 2], x[..., h // 2 :]], axis=-1).reshape(x.shape)
            if kind == "query" and self.divides:
                x = (x.astype(np.float32) * np.float32(1 / np.sqrt(h))).astype(dtype)
            return ("self_attention", kind, "kernel"), x
        block = "MoeBlock_0" if self.kind == "mixtral" else "moe_block"
        if part.endswith("gate.weight"):
            return (block, "gate", "kernel"), x.T
        which = {"gate_proj": "wi_0", "up_proj": "wi_1", "down_proj": "wo", "w1": "wi_0", "w3": "wi_1", "w2": "wo"}[part.split(".")[-2]]
        if ".experts." in part:
            return (block, which, int(part.split(".experts.")[1].split(".")[0])), x.T
        return ("mlp", which, "kernel"), x.T

    def back(self, name, x):
        """What MaxText's converter makes of a leaf: the tensor `x` after both ways, where that rounds."""
        wide, h = x.astype(np.float32), self.c["head_dim"]
        if self.gemma and name == "model.embed_tokens.weight":
            return (wide * self.factor() / self.factor()).astype(x.dtype)
        if self.gemma and x.ndim == 1:
            return ((wide + 1) - 1).astype(x.dtype)
        if self.divides and name.endswith("q_proj.weight"):
            return (wide * np.float32(1 / np.sqrt(h)) * np.float32(np.sqrt(h))).astype(x.dtype)
        return x

    def tree(self, tensors, scanned):
        layers, root = self.c["num_hidden_layers"], {}
        stacks = {}
        for name, x in tensors.items():
            keys, value = self.leaf(name, np.asarray(x))
            at = None
            if ".layers." in name:
                i, at = int(name.split(".")[2]), None
                if self.kind == "gemma2":
                    keys = (keys[0] + ["_local", "_global"][i % 2],) + keys[1:]
                    above, at = (("decoder", "layers"), i // 2) if scanned else (("decoder", f"layers_{i // 2}"), None)
                elif self.kind == "gemma3_text" and scanned:
                    apart = layers // 6 * 6
                    above = ("decoder", "layers", f"layers_{i % 6}") if i < apart else ("decoder", "layers_remainder", f"layers_{i - apart}")
                    at = i // 6 if i < apart else None
                else:
                    above, at = (("decoder", "layers"), i) if scanned else (("decoder", f"layers_{i}"), None)
                keys = above + keys
            expert = keys[-1] if isinstance(keys[-1], int) else None
            keys = keys[:-1] if expert is not None else keys
            stacks.setdefault(keys, {})[(expert, at)] = value
        for keys, parts in stacks.items():
            experts, ats = sorted({e for e, _ in parts}, key=str), sorted({i for _, i in parts}, key=str)
            one = lambda i: np.stack([parts[e, i] for e in experts]) if experts != [None] else parts[None, i]
            value = np.stack([one(i) for i in ats], axis=1) if ats != [None] else one(None)
            node = root
            for key in keys[:-1]:
                node = node.setdefault(key, {})
            node[keys[-1]] = jnp.asarray(value)
        return root


class Attention(nnx.Module):
    def __init__(self, c, rngs):
        d, h = c["hidden_size"], c["head_dim"]
        self.heads, self.groups, self.width, self.base = c["num_attention_heads"], c["num_key_value_heads"], h, c["rope_theta"]
        linear = lambda a, b: nnx.Linear(a, b, use_bias=False, rngs=rngs)
        self.q_proj, self.k_proj = linear(d, self.heads * h), linear(d, self.groups * h)
        self.v_proj, self.o_proj = linear(d, self.groups * h), linear(self.heads * h, d)

    def __call__(self, x):
        n, h = x.shape[0], self.width
        angles = jnp.arange(n)[:, None] / self.base ** (jnp.arange(0, h, 2) / h)
        angles = jnp.concatenate([angles, angles], -1)[:, None]
        turn = lambda y: y * jnp.cos(angles) + jnp.concatenate([-y[..., h // 2 :], y[..., : h // 2]], -1) * jnp.sin(angles)
        q, k = turn(self.q_proj(x).reshape(n, self.heads, h)), turn(self.k_proj(x).reshape(n, self.groups, h))
        k, v = (jnp.repeat(y, self.heads // self.groups, 1) for y in (k, self.v_proj(x).reshape(n, self.groups, h)))
        scores = jnp.einsum("qhd,khd->hqk", q, k) / h**0.5
        scores = jnp.where(jnp.tril(jnp.ones((n, n), bool)), scores, -jnp.inf)
        return self.o_proj(jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v).reshape(n, -1))


class Mlp(nnx.Module):
    def __init__(self, c, rngs):
        linear = lambda a, b: nnx.Linear(a, b, use_bias=False, rngs=rngs)
        d, m = c["hidden_size"], c["intermediate_size"]
        self.gate_proj, self.up_proj, self.down_proj = linear(d, m), linear(d, m), linear(m, d)

    def __call__(self, x):
        return self.down_proj(jax.nn.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nnx.Module):
    def __init__(self, c, rngs):
        norm = lambda: nnx.RMSNorm(c["hidden_size"], epsilon=c["rms_norm_eps"], rngs=rngs)
        self.input_layernorm, self.post_attention_layernorm = norm(), norm()
        self.self_attn, self.mlp = Attention(c, rngs), Mlp(c, rngs)
        # Its keys are leaves of the state, too, which are no weights.
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))


class Model(nnx.Module):
    def __init__(self, c, rngs):
        self.embed_tokens = nnx.Embed(c["vocab_size"], c["hidden_size"], rngs=rngs)
        self.layers = nnx.List([Layer(c, rngs) for _ in range(c["num_hidden_layers"])])
        self.norm = nnx.RMSNorm(c["hidden_size"], epsilon=c["rms_norm_eps"], rngs=rngs)


class Llama(nnx.Module):
    """A decoder in Flax NNX with the names of Hugging Face's modules."""

    def __init__(self, c, rngs):
        self.model = Model(c, rngs)
        self.lm_head = nnx.Linear(c["hidden_size"], c["vocab_size"], use_bias=False, rngs=rngs)

    def __call__(self, tokens):
        x = self.model.embed_tokens(tokens)
        for layer in self.model.layers:
            x = layer(x)
        return self.lm_head(self.model.norm(x))


def nnx_state(c, tensors):
    """The model with these weights, and its state."""
    model = Llama(c, nnx.Rngs(0))
    state = nnx.state(model)
    flat = dict(nnx.to_flat_state(state))
    for keys, variable in flat.items():
        name = ".".join(map(str, keys))
        if name.endswith((".kernel", ".embedding", ".scale")):
            x = tensors[name.rsplit(".", 1)[0] + ".weight"]
            variable.set_value(jnp.asarray(x.T if name.endswith(".kernel") else x))
    nnx.update(model, nnx.from_flat_state(flat))
    return model, nnx.state(model)


def tunix(c, tensors):
    """The tree of Tunix's models, a variable as `{"value": array}`."""
    d, h, root = c["hidden_size"], c["head_dim"], {}
    gemma = c["model_type"].startswith("gemma")

    def put(name, x):
        node, keys = root, name.split(".")
        for key in keys:
            node = node.setdefault(key, {})
        node["value"] = jnp.asarray(x)

    norms = {"input_layernorm": "pre_attention_norm.scale", "post_attention_layernorm": "pre_ffw_norm.scale"}
    heads = lambda x: x.reshape(-1, h, d).transpose(0, 2, 1)
    for name, x in tensors.items():
        part = name.removeprefix("model.").removesuffix(".weight")
        at, last = part.rsplit(".", 1) if "." in part else ("", part)
        if part == "embed_tokens":
            put("embedder.input_embedding", x)
        elif part == "norm":
            put("final_norm.scale" if gemma else "final_norm.w", x)
        elif part == "lm_head":
            put("lm_head.w", x.T)
        elif last in norms:
            put(f"{at}.{norms[last]}" if gemma else f"{part}.w", x)
        elif ".mlp." in part:
            put(f"{part}.kernel", x.T)
        elif part.endswith(".bias"):
            put(part.replace("self_attn", "attn").replace("_proj.bias", "_bias"), x)
        elif gemma:
            attn = at.replace("self_attn", "attn")
            if last == "q_proj":
                put(f"{attn}.q_einsum.w", heads(x))
            elif last == "k_proj":
                put(f"{attn}.kv_einsum.w", np.stack([heads(x), heads(tensors[name.replace("k_proj", "v_proj")])]))
            elif last == "o_proj":
                put(f"{attn}.attn_vec_einsum.w", cut(x, (-1, h, d)))
        else:
            put(part.replace("self_attn", "attn") + ".w", cut(x, (-1, h, d) if last == "o_proj" else (d, -1, h)))
    return root


def scanned_state(c, tensors):
    """A state whose layers are one behind the other, a variable as `{"value": array}`."""
    root, stacks = {}, {}
    for name, x in tensors.items():
        end = ".embedding" if "embed" in name else ".kernel" if x.ndim == 2 else ".scale"
        keys = (name.removesuffix(".weight") + end).split(".")
        at = next((int(key) for key in keys if key.isdigit()), None)
        stacks.setdefault(tuple(key for key in keys if not key.isdigit()), {})[at] = x.T if end == ".kernel" else x
    for keys, parts in stacks.items():
        node = root
        for key in keys:
            node = node.setdefault(key, {})
        node["value"] = parts[None] if None in parts else np.stack([parts[i] for i in range(c["num_hidden_layers"])])
    return root


def save(folder, tree, step=None):
    if folder.name not in ORBAX:
        (folder / "tree.msgpack").write_bytes(serialization.msgpack_serialize(jax.tree.map(np.asarray, tree)))
        return
    folder = folder / "orbax"
    if step is None:
        with ocp.StandardCheckpointer() as checkpointer:
            checkpointer.save(folder, tree)
        return
    # As MaxText's manager does it.
    registry = ocp.handlers.DefaultCheckpointHandlerRegistry()
    handler = ocp.PyTreeCheckpointHandler(use_ocdbt=True, use_zarr3=True)
    registry.add("items", ocp.args.PyTreeSave, handler)
    registry.add("items", ocp.args.PyTreeRestore, handler)
    with ocp.CheckpointManager(folder, handler_registry=registry) as manager:
        manager.save(step, args=ocp.args.Composite(items=ocp.args.PyTreeSave(tree)))


def case(number, name):
    architecture, differences, scanned = CASES[name]
    c = {"architectures": [architecture], **LLAMA, **differences}
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tensors = weights(number, c, "rounded" not in name)
    if name == "nnx":
        model, state = nnx_state(c, tensors)
        tokens = common.integers(1000, 9, c["vocab_size"])
        save_file({"tokens": tokens, "logits": np.asarray(model(tokens))}, folder / "expected.safetensors")
        save(folder, {"model": state, "step": np.int32(70)})
    elif name.startswith("tunix"):
        save(folder, tunix(c, tensors))
    elif name == "flax_scanned":
        save(folder, {"state": {"params": scanned_state(c, tensors)}, "ema": {"count": np.zeros((3,), np.float32)}})
    else:
        layout = MaxText(c)
        tree = {"params": {"params": layout.tree(tensors, scanned)}, "step": np.int32(5)}
        if name == "maxtext_llama":
            tree["opt_state"] = {"count": jnp.int32(5), "mu": jax.tree.map(jnp.zeros_like, tree["params"])}
        save(folder, tree, 5)
        tensors = {name: layout.back(name, x) for name, x in tensors.items()}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(c, indent=1) + "\n")
    # Marks of a finished save, for stores that cannot rename, name the folder of the machine.
    for mark in folder.rglob("commit_success.txt"):
        mark.unlink()


def check(folder):
    """Restores `FOLDER/NAME/items`, which were written from the folder of the case, and compares it with MaxText's tree."""
    count = 0
    for written in sorted(pathlib.Path(folder).iterdir()):
        architecture, differences, _ = CASES[written.name]
        c = {**LLAMA, **differences}
        want = {"params": {"params": MaxText(c).tree(load_file(OUT / written.name / "model.safetensors"), True)}}
        # As MaxText restores parameters alone: `load_parameters_path`.
        abstract = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), want)
        with ocp.Checkpointer(ocp.PyTreeCheckpointHandler(use_ocdbt=True, use_zarr3=True)) as checkpointer:
            arguments = ocp.checkpoint_utils.construct_restore_args(abstract)
            got = checkpointer.restore(written.resolve() / "items", item=abstract, transforms={}, restore_args=arguments)
        paths = lambda tree: [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(tree)]
        assert paths(got) == paths(want), (written.name, set(paths(got)) ^ set(paths(want)))
        for path, a, b in zip(paths(want), jax.tree.leaves(want), jax.tree.leaves(got)):
            assert a.dtype == b.dtype and a.shape == b.shape and np.array_equal(np.asarray(a), np.asarray(b)), (written.name, path, a.shape, b.shape)
        count += 1
    assert count > 0, folder
    print(f"{count} models are MaxText's")


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        check(sys.argv[2])
    else:
        for number, name in enumerate(CASES):
            if name in sys.argv[1:] or len(sys.argv) == 1:
                case(number, name)
