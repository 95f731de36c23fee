"""What transformers makes of entries of config.json: logits of the checkpoints of `crates/models/tests/families` with other entries.

    python oracle/hf_readings.py

Writes `crates/models/tests/readings.json`, a list of cases: the folder, the entries that are set, those that are removed, and whether transformers refuses
them; and `readings.safetensors`, the logits of each other case by its number, for the tokens of the folder's `expected.safetensors`. The pins are those of
`hf_models.py`.
"""

import json
import shutil
import tempfile
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file

assert transformers.__version__ == "5.24.0", transformers.__version__

TESTS = Path(__file__).resolve().parent.parent / "crates" / "models" / "tests"
LINEAR = {"rope_type": "linear", "factor": 2.0}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}
LLAMA3 = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16}
LONG = {"long_factor": [1.5, 4.0], "short_factor": [1.0, 1.2]}
SLIDING = ["sliding_attention", "sliding_attention"]

# Folder, entries that are set, entries that are removed.
CASES = [
    ("llama", {"rope_scaling": LINEAR, "rope_theta": 500.0}, []),
    ("llama", {"rope_scaling": LINEAR, "rope_parameters": {"rope_type": "default", "rope_theta": 500.0}}, []),
    ("llama", {"rope_scaling": {}, "rope_parameters": {"rope_type": "default", "rope_theta": 500.0}}, []),
    ("llama", {"rope_scaling": None, "rope_parameters": {"rope_type": "linear", "rope_theta": 500.0, "factor": 3.0}}, []),
    ("llama", {"rope_scaling": {"type": "linear", "factor": 2.0}}, ["rope_parameters"]),
    ("llama", {"rope_theta": 300.0}, ["rope_parameters"]),
    ("llama", {"rope_theta": 300.0}, []),
    ("llama", {}, ["rope_parameters", "rms_norm_eps"]),
    ("llama", {"partial_rotary_factor": 0.5}, []),
    ("llama", {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}}, []),
    ("llama", {"rope_scaling": LINEAR, "partial_rotary_factor": 0.5}, []),
    ("llama", {"rope_scaling": YARN, "partial_rotary_factor": 0.5}, []),
    ("llama", {"rope_parameters": {**YARN, "rope_theta": 10000.0}, "original_max_position_embeddings": 8}, []),
    ("llama", {"rope_parameters": {**LLAMA3, "rope_theta": 10000.0}, "original_max_position_embeddings": 32}, []),
    ("llama", {"rope_parameters": {**YARN, "rope_theta": 10000.0, "truncate": False, "attention_factor": 1.3}}, []),
    ("llama", {"layer_types": SLIDING, "sliding_window": 2}, []),
    ("llama_tied", {"attention_bias": True, "mlp_bias": True, "hidden_act": "gelu"}, []),
    ("mistral", {}, ["sliding_window"]),
    ("mistral", {"sliding_window": None}, []),
    ("mistral", {"sliding_window": 3, "layer_types": ["full_attention", "full_attention"]}, []),
    ("mistral", {"attention_bias": True, "mlp_bias": True}, []),
    ("mixtral", {}, ["rms_norm_eps", "rope_parameters", "sliding_window"]),
    ("mixtral", {"sliding_window": 3, "attention_bias": True}, []),
    ("qwen2", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}, ["layer_types"]),
    ("qwen2", {"use_sliding_window": False, "sliding_window": 3}, ["layer_types"]),
    ("qwen2", {"use_sliding_window": True, "max_window_layers": 0}, ["layer_types", "sliding_window"]),
    ("qwen2", {"layer_types": SLIDING, "use_sliding_window": False, "sliding_window": 3}, []),
    ("qwen2", {"layer_types": SLIDING, "use_sliding_window": True, "sliding_window": 3}, []),
    ("qwen2", {"attention_bias": False}, []),
    ("qwen2_moe", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 2}, ["layer_types"]),
    ("qwen2_moe", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 0}, ["layer_types"]),
    ("qwen2_moe", {"norm_topk_prob": True}, []),
    ("qwen3", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}, ["layer_types"]),
    ("qwen3", {"rope_scaling": YARN, "rope_theta": 77.0}, []),
    ("qwen3_moe", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}, ["layer_types"]),
    ("qwen3_moe", {"shared_expert_intermediate_size": 8}, []),
    ("phi3", {}, ["rms_norm_eps", "sliding_window", "rope_parameters"]),
    ("phi3", {"rope_scaling": {"type": "yarn", **LONG}, "original_max_position_embeddings": 8}, []),
    ("phi3", {"rope_scaling": {"type": "longrope", **LONG, "original_max_position_embeddings": 8}}, ["original_max_position_embeddings"]),
    ("phi3", {"rope_scaling": LINEAR}, []),
    ("phi3", {"partial_rotary_factor": 0.5, "rope_theta": 99.0}, ["rope_parameters"]),
    ("phi3_partial", {"sliding_window": 3, "layer_types": ["full_attention", "full_attention"]}, []),
    ("olmo2", {}, ["rms_norm_eps"]),
    ("olmo2", {"rope_scaling": LINEAR}, []),
    ("olmo3", {"rope_scaling": YARN, "rope_theta": 2000.0}, ["rope_parameters"]),
    ("olmo3", {"rope_theta": 2000.0}, ["rope_parameters"]),
    ("olmo3", {}, ["rope_parameters", "rms_norm_eps", "layer_types", "sliding_window"]),
    ("gpt_oss", {}, ["rope_parameters", "rms_norm_eps", "sliding_window", "layer_types"]),
    ("gpt_oss", {"rope_scaling": {**YARN, "truncate": False}, "rope_theta": 2000.0}, []),
    ("gpt_oss", {"attention_bias": True}, ["swiglu_alpha", "swiglu_limit"]),
    ("gemma", {"hidden_act": "gelu"}, []),
    ("gemma", {"rope_scaling": LINEAR, "rope_theta": 700.0}, []),
    ("gemma2", {}, ["attn_logit_softcapping", "final_logit_softcapping", "sliding_window", "query_pre_attn_scalar"]),
    ("gemma2", {"attn_logit_softcapping": None, "final_logit_softcapping": None}, []),
    ("gemma2_caps", {"attn_logit_softcapping": None}, ["layer_types"]),
    ("gemma2", {"sliding_window": None}, []),
    ("gemma3", {"rope_scaling": {"rope_type": "linear", "factor": 2.0}}, []),
    ("gemma3", {"rope_scaling": {"rope_type": "linear", "factor": 4.0}, "rope_theta": 5000.0, "rope_local_base_freq": 100.0}, ["rope_parameters"]),
    ("gemma3", {}, ["rope_parameters", "layer_types", "sliding_window_pattern"]),
    ("gemma3", {"sliding_window_pattern": 2, "_sliding_window_pattern": 3}, ["layer_types"]),
    ("gemma3", {"sliding_window": None}, []),
    ("gemma4", {}, ["rope_parameters"]),
    ("gemma4", {"rope_scaling": LINEAR}, []),
    ("llama4", {}, ["attention_chunk_size"]),
    ("llama4", {"attention_chunk_size": None}, ["layer_types"]),
    ("llama4", {"rope_scaling": LLAMA3, "rope_theta": 900.0}, []),
    ("deepseek_v3", {"rope_scaling": {**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}, "rope_theta": 900.0}, []),
    ("deepseek_v3", {"partial_rotary_factor": 0.5, "rope_parameters": {"rope_type": "default", "rope_theta": 300.0}}, []),
    ("mistral", {"sliding_window": 3, "layer_types": ["sliding_attention", "full_attention"]}, []),
    ("deepseek_v2", {"rope_scaling": LINEAR}, []),
    ("gpt_neox", {"rotary_pct": 0.5, "rotary_emb_base": 300}, ["rope_parameters"]),
    ("gpt_neox", {"rotary_pct": 1.0, "rope_theta": 300.0}, ["rope_parameters"]),
    ("gpt_neox", {"rotary_pct": 0.5, "rope_scaling": LINEAR}, ["rope_parameters"]),
    ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, []),
    ("gpt2", {"scale_attn_weights": False, "activation_function": "relu"}, []),
    ("gemma", {"layer_types": SLIDING, "sliding_window": 2}, []),
    ("gemma3", {"attn_logit_softcapping": 0.5}, []),
    ("gemma3", {"final_logit_softcapping": 0.5}, []),
    ("gemma3", {"rope_scaling": {"type": "linear", "factor": 4.0}, "rope_theta": 5000.0}, ["rope_parameters"]),
    ("gemma3", {"rope_scaling": {"type": "linear", "factor": 4.0}}, []),
    ("gemma3", {"rope_scaling": {"type": "linear", "factor": 4.0}, "rope_parameters": {"full_attention": {"rope_theta": 5000.0}, "sliding_attention": {"rope_type": "default"}}}, []),
    ("olmo3", {"rope_scaling": {"type": "linear", "factor": 4.0}, "rope_theta": 5000.0}, ["rope_parameters"]),
    ("deepseek_v2", {"rope_interleave": False, "norm_topk_prob": True}, []),
    ("deepseek_v3", {"norm_topk_prob": None}, []),
    ("deepseek_v3", {"rope_interleave": None}, []),
    ("deepseek_v3", {}, ["norm_topk_prob", "rope_interleave"]),
]


def logits(folder, entries, removed):
    with tempfile.TemporaryDirectory() as place:
        for file in (TESTS / "families" / folder).iterdir():
            shutil.copy(file, place)
        path = Path(place) / "config.json"
        config = {**json.loads(path.read_text()), **entries}
        path.write_text(json.dumps({name: value for name, value in config.items() if name not in removed}))
        model = transformers.AutoModelForCausalLM.from_pretrained(place, dtype=torch.float32, attn_implementation="eager").eval()
        tokens = load_file(TESTS / "families" / folder / "expected.safetensors")["tokens"].long()
        with torch.no_grad():
            return model(tokens).logits


def main():
    cases, tensors = [], {}
    for i, (folder, entries, removed) in enumerate(CASES):
        case = {"folder": folder, "entries": entries, "removed": removed}
        try:
            tensors[str(i)] = logits(folder, entries, removed).contiguous()
        except Exception as error:  # what transformers raises is of many kinds
            case["refused"] = True
            print(i, folder, entries, removed, "refused:", str(error).split("\n")[0][:150])
        cases.append(case)
    lines = ",\n".join(json.dumps(case) for case in cases)
    (TESTS / "readings.json").write_text(f"[\n{lines}\n]\n")
    save_file(tensors, TESTS / "readings.safetensors")


main()
