"""The likeliest tokens behind prompts of many lengths, as transformers continues them, for each folder of `hf_models.py`.

    python oracle/hf_greedy.py

Writes `crates/serve/tests/greedy.safetensors`: `prompts` i32[32,40]; for each family NAME how many tokens of each it is given,
`NAME.lengths` i32[32], the 16 behind them, `NAME.tokens` i32[32,16], and how many of them are certain, `NAME.certain` i32[32]: those that have a position, before the first place where the two
largest logits lie within 1e-4 of the range of all. The prompts go through the model one by one, without a cache, in f32.
"""

from pathlib import Path

import torch
import transformers
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM

assert transformers.__version__.startswith("5."), transformers.__version__

COUNT, LONGEST, NEW = 32, 40, 16


def continued(model, prompt):
    """The tokens behind a prompt, and how many of them are certain."""
    tokens, certain = list(prompt), None
    for step in range(NEW):
        logits = model(torch.tensor([tokens]), use_cache=False).logits[0, -1].double()
        best = logits.topk(2)
        if certain is None and best.values[0] - best.values[1] <= 1e-4 * (logits.max() - logits.min()):
            certain = step
        tokens.append(int(best.indices[0]))
    return tokens[len(prompt):], NEW if certain is None else certain


def main():
    crates = Path(__file__).resolve().parent.parent / "crates"
    generator = torch.Generator().manual_seed(14)
    lengths = torch.randint(1, LONGEST + 1, (COUNT,), generator=generator)
    lengths[:4] = torch.tensor([1, 2, LONGEST, 17])
    prompts = torch.randint(0, 24, (COUNT, LONGEST), generator=generator)
    # Some prompts begin alike.
    prompts[8:12, :20] = prompts[2, :20]
    torch.set_num_threads(1)
    out = {"prompts": prompts.int()}
    for folder in sorted((crates / "models/tests/families").iterdir()):
        model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
        positions = model.config.max_position_embeddings
        fitting = lengths.clamp(max=max(positions - NEW, 3))
        with torch.no_grad():
            found = [continued(model, p[:n].tolist()) for p, n in zip(prompts, fitting)]
        found = [(tokens, min(certain, positions - int(n))) for (tokens, certain), n in zip(found, fitting)]
        out[f"{folder.name}.lengths"] = fitting.int()
        out[f"{folder.name}.tokens"] = torch.tensor([tokens for tokens, _ in found]).int()
        out[f"{folder.name}.certain"] = torch.tensor([certain for _, certain in found]).int()
        print(folder.name, [certain for _, certain in found if certain < NEW], len({tuple(t) for t, _ in found}))
    save_file(out, crates / "serve/tests/greedy.safetensors")


if __name__ == "__main__":
    main()
