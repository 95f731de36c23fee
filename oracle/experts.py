"""Mixtures of experts: what is dropped where experts take so many tokens only, and routers of models in bf16.

    python oracle/experts.py

Writes `crates/nn/tests/golden/capacity.safetensors`: outputs and gradients of a mixture whose experts are full, in f64, token by token. An expert takes
`int(max(ceil(T k / E) factor, factor))` choices of a sequence of T tokens that choose k of E experts (MaxText), the first ones in the order of the tokens, and of a
token in that of its scores.

Writes `crates/models/tests/routers.safetensors`: of checkpoints in bf16 of `crates/models/tests/families`, as transformers runs them, what the first layer with
experts takes (`NAME.x`), the logits of its router, its weights as a matrix of tokens and experts, and what it gives.
"""

import math
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM

TESTS = Path(__file__).resolve().parent.parent / "crates"
FACTORS = [0.3, 0.5, 1.0, 1.25, 4.0]


def full(x, router, gate_up, down, active, factor):
    """The mixture, one choice after another."""
    experts, hidden = down.shape[0], down.shape[1]
    capacity = int(max(math.ceil(x.shape[1] * active / experts) * factor, factor))
    rows = []
    for sequence in x:
        taken = [0] * experts
        for token in sequence:
            weights, chosen = torch.softmax(token @ router, -1).topk(active)
            weights = weights / weights.sum()
            y = torch.zeros_like(token)
            for weight, expert in zip(weights, chosen.tolist()):
                taken[expert] += 1
                if taken[expert] <= capacity:
                    both = token @ gate_up[expert]
                    y = y + weight * ((torch.nn.functional.silu(both[:hidden]) * both[hidden:]) @ down[expert])
            rows.append(y)
    return torch.stack(rows).reshape(x.shape)


def capacity():
    generator = torch.Generator().manual_seed(11)
    sequences, length, width, experts, hidden, active = 3, 14, 6, 5, 4, 2
    shapes = dict(x=(sequences, length, width), router=(width, experts), gate_up=(experts, width, 2 * hidden), down=(experts, hidden, width), by=(sequences, length, width))
    leaves = {name: torch.randn(shape, generator=generator, dtype=torch.float32) for name, shape in shapes.items()}
    tensors = dict(leaves)
    for i, factor in enumerate(FACTORS):
        inputs = {name: leaf.double().requires_grad_() for name, leaf in leaves.items() if name != "by"}
        y = full(**inputs, active=active, factor=factor)
        (y * leaves["by"].double()).sum().backward()
        tensors[f"{i}.factor"] = torch.tensor(factor)
        tensors[f"{i}.y"] = y.detach().float()
        tensors |= {f"{i}.grad.{name}": leaf.grad.float() for name, leaf in inputs.items()}
    save_file(tensors, TESTS / "nn/tests/golden/capacity.safetensors")


def routers():
    tensors = {}
    for i, name in enumerate(["deepseek_v2_lite", "deepseek_v3_halves", "qwen2_moe_sparse", "mixtral_window"]):
        folder = TESTS / "models/tests/families" / name
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16, attn_implementation="eager", experts_implementation="eager").eval()
        mixture = next(layer.mlp for layer in model.model.layers if hasattr(layer.mlp, "gate"))
        generator = torch.Generator().manual_seed(600 + i)
        x = torch.randn(1, 24, model.config.hidden_size, generator=generator).bfloat16()
        with torch.no_grad():
            logits, weights, chosen = mixture.gate(x.reshape(24, -1))
            y = mixture(x)
            y = y[0] if isinstance(y, tuple) else y
        dense = torch.zeros(logits.shape, dtype=torch.float32).scatter_(1, chosen, weights.float())
        tensors |= {f"{name}.x": x, f"{name}.logits": logits, f"{name}.weights": dense, f"{name}.y": y}
        print(name, logits.dtype, weights.dtype)
    save_file(tensors, TESTS / "models/tests/routers.safetensors")


if __name__ == "__main__":
    capacity()
    routers()
