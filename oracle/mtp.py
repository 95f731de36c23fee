"""Multi-token prediction: tiny random checkpoints of DeepSeek V3 with the modules that predict further tokens.

    python oracle/mtp.py

Writes to `crates/models/tests/mtp`, a folder each, as `hf_models.py` does. transformers reads none of these modules; they are put together here from its
decoder layers, as DeepSeek-AI, DeepSeek-V3 technical report (2024), section 2.2, defines them, for module k = 1 .. D behind L layers:

    h_0 = what the model's last normalization gives
    h_k = shared_head.norm(layer(eh_proj [enorm(embed(t_{i+k})); hnorm(h_{k-1})]))        at position i, of i + k below T
    logits of token i + k + 1 = shared_head.head(h_k)

`mtp.K` are the logits of module K at the T - K positions whose tokens are known. The loss is the mean cross-entropy of the next tokens, and FACTOR times the mean
of those of all modules together.
"""

import json
from pathlib import Path

import torch
from hf_models import MLA, YARN_ALL, base, gradients, numbers
from safetensors.torch import load_file, save_file
from torch.nn.functional import cross_entropy
from transformers import DeepseekV3Config, DeepseekV3ForCausalLM
from transformers.masking_utils import create_causal_mask
from transformers.models.deepseek_v3.modeling_deepseek_v3 import DeepseekV3RMSNorm

FACTOR = 0.3

# Name: layers, modules, whether embeddings and head lie beside each module ("copies", or "own" with numbers of their own), dtype, other arguments.
MODELS = {
    "copies": (2, 2, "copies", torch.float32, dict(first_k_dense_replace=1, n_group=3, topk_group=2, rope_parameters=YARN_ALL)),
    "shared": (2, 1, None, torch.bfloat16, dict(first_k_dense_replace=1, n_group=2, topk_group=1, q_lora_rank=None)),
    "own": (2, 1, "own", torch.float32, dict(first_k_dense_replace=4, n_group=1, topk_group=1, tie_word_embeddings=True)),
}


class Module(torch.nn.Module):
    """The parts of a module beside its decoder layer, with the names that files have."""

    def __init__(self, config, own):
        super().__init__()
        width = config.hidden_size
        self.enorm = DeepseekV3RMSNorm(width, eps=config.rms_norm_eps)
        self.hnorm = DeepseekV3RMSNorm(width, eps=config.rms_norm_eps)
        self.eh_proj = torch.nn.Linear(2 * width, width, bias=False)
        self.shared_head = torch.nn.Module()
        self.shared_head.norm = DeepseekV3RMSNorm(width, eps=config.rms_norm_eps)
        if own:
            self.embed_tokens = torch.nn.Embedding(config.vocab_size, width)
            self.shared_head.head = torch.nn.Linear(width, config.vocab_size, bias=False)


def further(model, modules, layers, tokens):
    """The logits of the next token, and those of each module."""
    inner = model.model
    h = inner(tokens).last_hidden_state
    logits = [model.lm_head(h)]
    for k, module in enumerate(modules, 1):
        embedded = (module.embed_tokens if hasattr(module, "embed_tokens") else inner.embed_tokens)(tokens[:, k:])
        x = module.eh_proj(torch.cat([module.enorm(embedded), module.hnorm(h[:, :-1])], -1))
        positions = torch.arange(x.shape[1])[None]
        mask = create_causal_mask(config=model.config, inputs_embeds=x, attention_mask=None, cache=None, position_ids=positions)
        x = inner.layers[layers + k - 1](x, position_embeddings=inner.rotary_emb(x, positions), attention_mask=mask, position_ids=positions)
        h = module.shared_head.norm(x)
        head = module.shared_head.head if hasattr(module.shared_head, "head") else model.lm_head
        logits.append(head(h))
    return logits


def main():
    out = Path(__file__).resolve().parent.parent / "crates" / "models" / "tests" / "mtp"
    for i, (name, (layers, count, copies, dtype, arguments)) in enumerate(MODELS.items()):
        config = DeepseekV3Config(**base(**MLA | arguments, num_hidden_layers=layers + count))
        config._attn_implementation = "eager"
        model = DeepseekV3ForCausalLM._from_config(config, attn_implementation="eager").eval()
        modules = torch.nn.ModuleList(Module(config, copies == "own") for _ in range(count))
        modules.config = config
        generator = torch.Generator().manual_seed(500 + i)
        with torch.no_grad():
            for part in (model, modules):
                numbers(part, generator)
            model.tie_weights()
            for parameter in [*model.parameters(), *modules.parameters()]:
                parameter.copy_(parameter.to(dtype).float())

        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*"):
            old.unlink()
        model.save_pretrained(folder)
        (folder / "generation_config.json").unlink(missing_ok=True)
        tensors = load_file(folder / "model.safetensors")
        for k, module in enumerate(modules):
            prefix = f"model.layers.{layers + k}."
            tensors |= {prefix + key: value.detach() for key, value in module.state_dict().items()}
            if copies == "copies":
                tensors[prefix + "embed_tokens.weight"] = model.model.embed_tokens.weight.detach().clone()
                tensors[prefix + "shared_head.head.weight"] = model.lm_head.weight.detach().clone()
        # The bias by which experts are chosen stays in f32, as published.
        stored = {key: value if key.endswith("correction_bias") else value.to(dtype) for key, value in tensors.items()}
        save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
        described = json.loads((folder / "config.json").read_text())
        described |= dict(num_hidden_layers=layers, num_nextn_predict_layers=count, dtype=str(dtype).removeprefix("torch."))
        (folder / "config.json").write_text(json.dumps(described, indent=2) + "\n")

        config.num_hidden_layers = layers
        tokens = torch.randint(0, config.vocab_size, (2, 13), generator=generator)
        logits = further(model, modules, layers, tokens)
        losses = [cross_entropy(x[:, : 12 - k].flatten(0, 1), tokens[:, k + 1 :].flatten(), reduction="sum") for k, x in enumerate(logits)]
        known = [tokens.shape[0] * (12 - k) for k in range(count + 1)]
        loss = losses[0] / known[0] + FACTOR * sum(losses[1:]) / sum(known[1:])
        loss.backward()
        expected = {"tokens": tokens.to(torch.int32), "loss": loss.detach(), "logits": logits[0].detach()}
        expected |= {f"mtp.{k}": x.detach() for k, x in enumerate(logits) if k > 0}
        config.num_hidden_layers = layers + count
        slopes = gradients(model)
        for k, module in enumerate(modules):
            slopes |= {f"model.layers.{layers + k}.{key}": value.grad for key, value in module.named_parameters()}
        for key, gradient in slopes.items():
            flat = gradient.flatten().double()
            probe = torch.cos(torch.arange(1, flat.numel() + 1, dtype=torch.float64))
            expected["grad." + key] = torch.stack([flat @ probe, flat.norm()]).float()
        save_file(expected, folder / "expected.safetensors")
        print(name, float(loss), sorted(p.name for p in folder.iterdir()), len(stored))


if __name__ == "__main__":
    main()
