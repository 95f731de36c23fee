"""Rotary position embeddings of Hugging Face: rates, factors and turned vectors, for crates/nn/tests/rope.rs.

Needs transformers==5.24.0 and torch==2.15.0.  Writes crates/nn/tests/golden/rope.safetensors:

    x              f32 [2, 5, 3, 16]
    positions      i32 [2, 5]
    NAME/rates     the rates of the pairs
    NAME/factor    the factor on the turned elements
    NAME/y         x as `apply_rotary_pos_emb` turns it: halves are pairs
    neighbours/y   x with neighbours as pairs, by their numbers as complex numbers
    axes           i32 [3, 2, 5], positions of three axes
    sections/y     x turned by these in sections of 2, 3 and 3 pairs, as Qwen2-VL's rotary embedding has them
    interleaved/y  x turned by these in interleaved sections of 4, 2 and 2 pairs, as Qwen3-VL's has them
"""

import common

import numpy as np
import torch
from safetensors.numpy import save_file
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb
from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLTextConfig
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLRotaryEmbedding
from transformers.models.qwen3_vl.configuration_qwen3_vl import Qwen3VLTextConfig
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLTextRotaryEmbedding

WIDTH, BASE, ORIGINAL = 16, 500.0, 64
FACTORS = [1.0, 1.1, 1.3, 1.7, 2.5, 4.0, 6.0, 9.0]
KINDS = {
    "plain": {"rope_type": "default"},
    "linear": {"rope_type": "linear", "factor": 4.0},
    "llama3": {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": ORIGINAL,
    },
    "yarn": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": ORIGINAL},
    "yarn_fractions": {
        "rope_type": "yarn",
        "factor": 4.0,
        "original_max_position_embeddings": ORIGINAL,
        "truncate": False,
        "beta_fast": 8.0,
        "attention_factor": 1.25,
    },
    "factors": {
        "rope_type": "longrope",
        "factor": 4.0,
        "original_max_position_embeddings": ORIGINAL,
        "short_factor": FACTORS,
        "long_factor": FACTORS,
    },
}


def main():
    x = common.unit(9200, (2, 5, 3, WIDTH))
    positions = np.array([[0, 1, 2, 3, 4], [90, 91, 17, 40, 63]], np.int32)
    tensors = {"x": x, "positions": positions}
    heads = torch.tensor(x, dtype=torch.float64).transpose(1, 2)
    at = torch.tensor(positions, dtype=torch.float64)[..., None]
    for name, kind in KINDS.items():
        config = LlamaConfig(
            hidden_size=3 * WIDTH, num_attention_heads=3, head_dim=WIDTH, max_position_embeddings=4 * ORIGINAL,
            rope_parameters={"rope_theta": BASE, **kind},
        )
        if name == "plain":
            rates, factor = BASE ** (-torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH), 1.0
        else:
            rates, factor = ROPE_INIT_FUNCTIONS[kind["rope_type"]](config, torch.device("cpu"))
        angles = at * rates.double()
        both = torch.cat((angles, angles), -1)
        y, _ = apply_rotary_pos_emb(heads, heads, both.cos() * factor, both.sin() * factor)
        tensors[f"{name}/rates"] = rates.float().numpy()
        tensors[f"{name}/factor"] = np.array(factor, np.float32)
        tensors[f"{name}/y"] = y.transpose(1, 2).float().numpy()
        if name == "plain":
            pairs = torch.view_as_complex(torch.tensor(x, dtype=torch.float64).reshape(2, 5, 3, WIDTH // 2, 2))
            turned = torch.view_as_real(pairs * torch.exp(1j * angles)[:, :, None])
            tensors["neighbours/y"] = turned.reshape(x.shape).float().numpy()
    axes = np.stack([positions, positions[:, ::-1] + 3, (positions * 7) % 31]).astype(np.int32)
    tensors["axes"] = axes
    kinds = {"sections": (Qwen2VLTextConfig, Qwen2VLRotaryEmbedding, [2, 3, 3]), "interleaved": (Qwen3VLTextConfig, Qwen3VLTextRotaryEmbedding, [4, 2, 2])}
    for name, (Config, Rotary, counts) in kinds.items():
        about = {"rope_type": "default", "rope_theta": BASE, "mrope_section": counts}
        config = Config(hidden_size=3 * WIDTH, num_attention_heads=3, head_dim=WIDTH, rope_parameters=about)
        cos, sin = Rotary(config)(heads, torch.tensor(axes, dtype=torch.int64))
        y, _ = apply_rotary_pos_emb(heads, heads, cos, sin)
        tensors[f"{name}/y"] = y.transpose(1, 2).float().numpy()
    path = common.GOLDEN.parents[2] / "nn" / "tests" / "golden" / "rope.safetensors"
    save_file({key: np.ascontiguousarray(tensors[key]) for key in sorted(tensors)}, str(path))
    path.chmod(0o644)
    print(f"{path.name}: {len(tensors)} tensors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
