"""Tiny random checkpoints of model families, as transformers makes them, with its logits and gradients.

    python oracle/hf_models.py [NAME ..]

Writes to `crates/models/tests`: `families`, one folder for each NAME or all; `fp8` and `whole`, which are names too; `adapter` with `llama` and
`adapter_gpt2` with `gpt2`.
Each folder has config.json and weights as `save_pretrained` writes them, and expected.safetensors: tokens, logits of the whole sequences
(`logits`), of a batch filled up on the left (`left_mask`, `left_logits`), and two numbers of each gradient of the mean
cross-entropy of each next token (`grad.*`, by the names of the file's tensors). Everything but what a parameter is stored in is f32.
"""

import copy
import json
import sys
import tempfile
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import *  # noqa: F403
from transformers.integrations.finegrained_fp8 import Fp8Dequantize
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

assert transformers.__version__.startswith("5."), transformers.__version__

BASE = dict(
    vocab_size=24, hidden_size=16, intermediate_size=20, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=64, bos_token_id=None, eos_token_id=None, pad_token_id=None,
)


def base(**more):
    return {**BASE, **more}


LLAMA3 = dict(rope_type="llama3", rope_theta=10000.0, factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=16)
YARN = dict(rope_type="yarn", rope_theta=10000.0, factor=4.0, original_max_position_embeddings=16)
BOTH = {
    "sliding_attention": dict(rope_type="default", rope_theta=10000.0),
    "full_attention": dict(rope_type="linear", rope_theta=1000000.0, factor=8.0),
}
# Latent attention: the widths of queries', keys' and values' parts, and the experts beside those that are shared.
MLA = dict(q_lora_rank=12, kv_lora_rank=10, qk_nope_head_dim=6, qk_rope_head_dim=4, v_head_dim=5, num_key_value_heads=4,
           moe_intermediate_size=8, n_routed_experts=6, num_experts_per_tok=2)
YARN_ALL = dict(YARN, mscale=0.9, mscale_all_dim=0.7)
TYPES = ["full_attention", "sliding_attention", "full_attention"]
FOUR = {
    "sliding_attention": dict(rope_type="default", rope_theta=10000.0),
    "full_attention": dict(rope_type="proportional", rope_theta=1000.0, partial_rotary_factor=0.5, factor=1.5),
}
MOE = dict(moe_intermediate_size=8, num_experts=5, num_experts_per_tok=2)

# Name: configuration class, its arguments, how it is stored.
MODELS = {
    "llama": (LlamaConfig, base(head_dim=12), {}),
    "llama_tied": (LlamaConfig, base(tie_word_embeddings=True, attention_bias=True, mlp_bias=True, rope_parameters=LLAMA3), "bf16"),
    "llama_yarn": (LlamaConfig, base(rope_parameters=YARN, rms_norm_eps=1e-3), "shards"),
    "llama_dynamic": (LlamaConfig, base(max_position_embeddings=8, rope_parameters=dict(rope_type="dynamic", rope_theta=10000.0, factor=2.0)), {}),
    "mistral": (MistralConfig, base(sliding_window=5, head_dim=12), {}),
    "mistral_tied": (MistralConfig, base(sliding_window=None, tie_word_embeddings=True), "bf16"),
    "mistral_linear": (MistralConfig, base(sliding_window=3, rope_parameters=dict(rope_type="linear", rope_theta=500.0, factor=2.0)), "shards"),
    "mixtral": (MixtralConfig, base(num_local_experts=4, num_experts_per_tok=2), {}),
    "mixtral_window": (MixtralConfig, base(num_local_experts=3, num_experts_per_tok=1, sliding_window=4, head_dim=12), "bf16"),
    "mixtral_tied": (MixtralConfig, base(num_local_experts=4, num_experts_per_tok=3, tie_word_embeddings=True), "shards"),
    "gemma": (GemmaConfig, base(head_dim=12), {}),
    "gemma_untied": (GemmaConfig, base(head_dim=16, tie_word_embeddings=False, attention_bias=True, hidden_act="gelu"), "bf16"),
    "gemma_mqa": (GemmaConfig, base(head_dim=8, num_key_value_heads=1, hidden_act="relu"), "shards"),
    "gemma2": (Gemma2Config, base(head_dim=12, sliding_window=5, query_pre_attn_scalar=20), {}),
    "gemma2_caps": (Gemma2Config, base(head_dim=12, sliding_window=3, attn_logit_softcapping=2.0, final_logit_softcapping=1.5), "bf16"),
    "gemma2_untied": (Gemma2Config, base(head_dim=8, sliding_window=64, tie_word_embeddings=False), "shards"),
    "gemma3": (Gemma3TextConfig, base(head_dim=12, num_hidden_layers=3, sliding_window=5, sliding_window_pattern=3, rope_parameters=BOTH), {}),
    "gemma3_types": (Gemma3TextConfig, base(head_dim=8, sliding_window=4, layer_types=["full_attention", "sliding_attention"], query_pre_attn_scalar=24), "bf16"),
    "gemma3_untied": (Gemma3TextConfig, base(head_dim=8, sliding_window=4, tie_word_embeddings=False), "shards"),
    "qwen2": (Qwen2Config, base(), {}),
    "qwen2_tied": (Qwen2Config, base(tie_word_embeddings=True, rope_parameters=YARN), "bf16"),
    "qwen2_window": (Qwen2Config, base(use_sliding_window=True, sliding_window=4, max_window_layers=1), "shards"),
    "qwen2_moe": (Qwen2MoeConfig, base(shared_expert_intermediate_size=12, **MOE), {}),
    "qwen2_moe_sparse": (Qwen2MoeConfig, base(shared_expert_intermediate_size=16, decoder_sparse_step=2, norm_topk_prob=True, **MOE), "bf16"),
    "qwen2_moe_tied": (Qwen2MoeConfig, base(shared_expert_intermediate_size=12, tie_word_embeddings=True, mlp_only_layers=[0], **MOE), "shards"),
    "qwen3": (Qwen3Config, base(head_dim=12), {}),
    "qwen3_tied": (Qwen3Config, base(head_dim=16, tie_word_embeddings=True), "bf16"),
    "qwen3_bias": (Qwen3Config, base(head_dim=8, attention_bias=True, rope_parameters=YARN), "shards"),
    "qwen3_moe": (Qwen3MoeConfig, base(head_dim=12, norm_topk_prob=True, **MOE), {}),
    "qwen3_moe_plain": (Qwen3MoeConfig, base(head_dim=8, norm_topk_prob=False, mlp_only_layers=[1], **MOE), "bf16"),
    "qwen3_moe_tied": (Qwen3MoeConfig, base(head_dim=8, norm_topk_prob=True, tie_word_embeddings=True, decoder_sparse_step=2, **MOE), "shards"),
    "phi3": (Phi3Config, base(), {}),
    "phi3_long": (Phi3Config, base(max_position_embeddings=64, original_max_position_embeddings=8, rope_parameters=dict(
        rope_type="longrope", rope_theta=10000.0, short_factor=[1.0, 1.2], long_factor=[1.5, 4.0])), "bf16"),
    "phi3_partial": (Phi3Config, base(sliding_window=4, tie_word_embeddings=True, num_attention_heads=2, rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)), "shards"),
    "olmo2": (Olmo2Config, base(), {}),
    "olmo2_tied": (Olmo2Config, base(tie_word_embeddings=True, attention_bias=True), "bf16"),
    "olmo2_linear": (Olmo2Config, base(num_key_value_heads=4, rope_parameters=dict(rope_type="linear", rope_theta=10000.0, factor=3.0)), "shards"),
    "olmo3": (Olmo3Config, base(num_hidden_layers=4, sliding_window=4), {}),
    "olmo3_types": (Olmo3Config, base(sliding_window=3, layer_types=["full_attention", "sliding_attention"]), "bf16"),
    "olmo3_yarn": (Olmo3Config, base(sliding_window=6, rope_parameters={"sliding_attention": dict(rope_type="default", rope_theta=10000.0), "full_attention": YARN}), "shards"),
    "stablelm": (StableLmConfig, base(rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)), {}),
    "stablelm_bias": (StableLmConfig, base(use_qkv_bias=True, num_key_value_heads=4, layer_norm_eps=1e-3, rope_parameters=dict(rope_type="default", rope_theta=500.0, partial_rotary_factor=1.0)), "bf16"),
    "stablelm_tied": (StableLmConfig, base(tie_word_embeddings=True, hidden_act="gelu", rope_parameters=dict(rope_type="linear", rope_theta=10000.0, factor=2.0, partial_rotary_factor=0.5)), "shards"),
    "gpt_oss": (GptOssConfig, base(head_dim=12, num_local_experts=4, num_experts_per_tok=2, sliding_window=4), {}),
    "gpt_oss_one": (GptOssConfig, base(head_dim=8, num_local_experts=3, num_experts_per_tok=1, sliding_window=8, tie_word_embeddings=True), "bf16"),
    "gpt_oss_plain": (GptOssConfig, base(head_dim=8, num_local_experts=4, num_experts_per_tok=3, sliding_window=3, rope_parameters=dict(rope_type="default", rope_theta=500.0)), "shards"),
    "gpt2": (GPT2Config, dict(vocab_size=24, n_positions=64, n_embd=16, n_layer=2, n_head=4, bos_token_id=None, eos_token_id=None), {}),
    "gpt2_wide": (GPT2Config, dict(vocab_size=24, n_positions=32, n_embd=24, n_layer=2, n_head=2, n_inner=28, activation_function="relu", tie_word_embeddings=False, bos_token_id=None, eos_token_id=None), "bf16"),
    "gpt2_scaled": (GPT2Config, dict(vocab_size=24, n_positions=64, n_embd=16, n_layer=3, n_head=4, scale_attn_by_inverse_layer_idx=True, bos_token_id=None, eos_token_id=None), "shards"),
    "gpt_neox": (GPTNeoXConfig, base(num_key_value_heads=None, rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)), {}),
    "gpt_neox_serial": (GPTNeoXConfig, base(num_key_value_heads=None, use_parallel_residual=False, rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=1.0)), "bf16"),
    "gpt_neox_tied": (GPTNeoXConfig, base(num_key_value_heads=None, tie_word_embeddings=True, hidden_act="gelu_new", attention_bias=False, rope_parameters=dict(rope_type="default", rope_theta=100.0, partial_rotary_factor=0.5)), "shards"),
    "deepseek_v2": (DeepseekV2Config, base(**MLA, num_hidden_layers=3, first_k_dense_replace=1, topk_method="group_limited_greedy", n_group=3, topk_group=2, routed_scaling_factor=1.5, rope_parameters=YARN_ALL), {}),
    "deepseek_v2_lite": (DeepseekV2Config, base(**MLA | dict(q_lora_rank=None), topk_method="greedy", n_shared_experts=1, attention_bias=True), "bf16"),
    "deepseek_v2_tied": (DeepseekV2Config, base(**MLA, topk_method="greedy", tie_word_embeddings=True, attention_bias=True, rope_parameters=YARN), "shards"),
    "deepseek_v3": (DeepseekV3Config, base(**MLA, num_hidden_layers=3, first_k_dense_replace=1, n_group=3, topk_group=2, rope_parameters=YARN_ALL), {}),
    "deepseek_v3_halves": (DeepseekV3Config, base(**MLA | dict(q_lora_rank=None), first_k_dense_replace=0, n_group=2, topk_group=1, rope_interleave=False, n_shared_experts=2, norm_topk_prob=False), "bf16"),
    "deepseek_v3_tied": (DeepseekV3Config, base(**MLA, first_k_dense_replace=1, n_group=1, topk_group=1, tie_word_embeddings=True, attention_bias=True, routed_scaling_factor=0.7), "shards"),
    "gpt_oss_mxfp4": (GptOssConfig, base(hidden_size=32, intermediate_size=64, head_dim=8, num_local_experts=3, num_experts_per_tok=2, sliding_window=4), "mxfp4"),
    "gemma4": (Gemma4TextConfig, base(num_hidden_layers=5, head_dim=8, global_head_dim=12, sliding_window=4, num_kv_shared_layers=2, use_double_wide_mlp=True, hidden_size_per_layer_input=6, vocab_size_per_layer_input=24, layer_types=TYPES + ["sliding_attention", "full_attention"], rope_parameters=FOUR, final_logit_softcapping=3.0), {}),
    "gemma4_experts": (Gemma4TextConfig, base(head_dim=8, global_head_dim=16, sliding_window=5, hidden_size_per_layer_input=0, layer_types=TYPES[1:], num_global_key_value_heads=1, attention_k_eq_v=True, enable_moe_block=True, num_experts=5, top_k_experts=2, moe_intermediate_size=8, rope_parameters=FOUR), "bf16"),
    "gemma4_untied": (Gemma4TextConfig, base(num_hidden_layers=3, head_dim=12, global_head_dim=12, sliding_window=3, num_kv_shared_layers=1, hidden_size_per_layer_input=4, vocab_size_per_layer_input=24, layer_types=["full_attention", "sliding_attention", "full_attention"], tie_word_embeddings=False, attention_bias=True), "shards"),
    "llama4": (Llama4TextConfig, base(num_hidden_layers=4, head_dim=8, intermediate_size_mlp=12, num_local_experts=3, interleave_moe_layer_step=2, attention_chunk_size=5, floor_scale=3, attn_scale=0.7), {}),
    "llama4_plain": (Llama4TextConfig, base(head_dim=12, intermediate_size_mlp=12, num_local_experts=4, num_experts_per_tok=2, use_qk_norm=False, no_rope_layers=[0, 1], attention_chunk_size=4, attention_bias=True, floor_scale=100, attn_scale=0.7), "bf16"),
    "llama4_tied": (Llama4TextConfig, base(num_hidden_layers=3, head_dim=8, intermediate_size_mlp=12, num_local_experts=3, moe_layers=[1], attention_chunk_size=3, no_rope_layer_interval=2, attn_temperature_tuning=False, tie_word_embeddings=True, rope_parameters=dict(LLAMA3, low_freq_factor=1.0, high_freq_factor=1.0)), "shards"),
}


def numbers(model, generator):
    """Numbers of every parameter and buffer that make each part count: none is zero or one."""
    for name, tensor in model.state_dict().items():
        if tensor.is_floating_point():
            spread = 0.3 if tensor.dim() > 1 else 0.5
            center = 1.0 if name.endswith("norm.weight") and "gemma" not in model.config.model_type else 0.0
            values = torch.randn(tensor.shape, generator=generator) * spread + center
            tensor.copy_(values)


def few_bits(model, generator):
    """Experts' matrices of random codes and exponents in MXFP4: what transformers makes of them, put into the model, and the two tensors of each."""
    packed = {}
    for name, parameter in model.named_parameters():
        if name.endswith(("gate_up_proj", "down_proj")) and ".experts." in name:
            experts, inputs, outputs = parameter.shape
            blocks = torch.randint(0, 256, (experts, outputs, inputs // 32, 16), generator=generator, dtype=torch.uint8)
            scales = torch.randint(120, 126, blocks.shape[:-1], generator=generator, dtype=torch.uint8)
            parameter.copy_(convert_moe_packed_tensors(blocks, scales, dtype=torch.float32))
            packed |= {name: None, name + "_blocks": blocks, name + "_scales": scales}
    return packed


def eight_bits(folder):
    """A folder of Qwen 3 whose matrices are in floats of 8 bits, with scales of blocks of 8 by 4, and the logits of what transformers dequantizes."""
    config = Qwen3Config(**base(head_dim=12, intermediate_size=24), attn_implementation="eager")  # noqa: F405
    generator = torch.Generator().manual_seed(300)
    model = Qwen3ForCausalLM(config).eval()  # noqa: F405
    tensors = {}
    with torch.no_grad():
        numbers(model, generator)
        for name, parameter in model.named_parameters():
            tensors[name] = parameter
            if name.endswith("proj.weight"):
                rows, columns = parameter.shape
                blocks = parameter.reshape(rows // 8, 8, columns // 4, 4)
                scales = blocks.abs().amax((1, 3)) / 448
                codes = (blocks / scales[:, None, :, None]).reshape(rows, columns).to(torch.float8_e4m3fn)
                parameter.copy_(Fp8Dequantize(None)._dequantize_one(codes, scales, torch.float32))
                tensors |= {name: codes, name + "_scale_inv": scales}
    folder.mkdir(parents=True, exist_ok=True)
    config.architectures = ["Qwen3ForCausalLM"]
    config.quantization_config = dict(quant_method="fp8", weight_block_size=[8, 4], activation_scheme="dynamic")
    (folder / "config.json").write_text(json.dumps(config.to_dict(), indent=2) + "\n")
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    tokens = torch.randint(0, config.vocab_size, (2, 13), generator=generator)
    save_file({"tokens": tokens.to(torch.int32), "logits": model(tokens).logits.detach()}, folder / "expected.safetensors")


def whole(folder):
    """Folders of models that also see, and the logits of their text. Gemma 3's config.json is in the form in which it was published."""
    sight = dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4)
    text = base(num_hidden_layers=6, head_dim=8, sliding_window=4)
    gemma4 = base(pad_token_id=0, num_hidden_layers=3, head_dim=8, global_head_dim=12, sliding_window=4, num_kv_shared_layers=1, hidden_size_per_layer_input=4,
                  vocab_size_per_layer_input=24, layer_types=TYPES, rope_parameters=FOUR)
    llama4 = base(head_dim=8, intermediate_size_mlp=12, num_local_experts=2, attention_chunk_size=5)
    sees = dict(sight, vision_output_dim=8, projector_input_dim=8, projector_output_dim=8)
    models = {
        "gemma3": Gemma3Config(text_config=text, vision_config=dict(sight, vision_use_head=False), mm_tokens_per_image=1),  # noqa: F405
        "gemma4": Gemma4Config(text_config=gemma4, vision_config=None, audio_config=None),  # noqa: F405
        "llama4": Llama4Config(text_config=llama4, vision_config=sees),  # noqa: F405
    }
    for i, (name, config) in enumerate(models.items()):
        generator = torch.Generator().manual_seed(400 + i)
        model = AutoModelForImageTextToText.from_config(config).eval()  # noqa: F405
        with torch.no_grad():
            numbers(model, generator)
            model.tie_weights()
        for old in (folder / name).glob("*"):
            old.unlink()
        model.save_pretrained(folder / name)
        (folder / name / "generation_config.json").unlink(missing_ok=True)
        if name == "gemma3":
            described = json.loads((folder / name / "config.json").read_text())
            kept = ["model_type", "sliding_window", *BASE]
            published = {key: described["text_config"].get(key) for key in kept if key not in ("pad_token_id", "bos_token_id", "eos_token_id")}
            described["text_config"] = published | dict(head_dim=8, rope_scaling=dict(factor=8.0, rope_type="linear"))
            (folder / name / "config.json").write_text(json.dumps(described, indent=2) + "\n")
        model = AutoModelForImageTextToText.from_pretrained(folder / name, attn_implementation="eager").eval()  # noqa: F405
        tokens = torch.randint(0, config.text_config.vocab_size, (2, 13), generator=generator)
        # Llama 4's whole fails without images in this version of transformers.
        text = model.language_model if name == "llama4" else model
        logits = text(input_ids=tokens).logits.detach()
        save_file({"tokens": tokens.to(torch.int32), "logits": logits}, folder / name / "expected.safetensors")


def gradients(model):
    """The gradients of parameters, and zeros for buffers, as tensors of a file: what `save_pretrained` writes of a model that has them for parameters."""
    slopes = copy.deepcopy(model)
    with torch.no_grad():
        for slope, parameter in zip(slopes.parameters(), model.parameters()):
            slope.copy_(parameter.grad if parameter.grad is not None else torch.zeros_like(parameter))
        for buffer in slopes.buffers():
            buffer.zero_()
    with tempfile.TemporaryDirectory() as folder:
        slopes.save_pretrained(folder)
        return load_file(Path(folder) / "model.safetensors")


# Adapters: the folder of each, and the maps that it is on; those of gpt2 are its matrices of queries, keys and values, and of outputs, which lie as [inputs, outputs].
ADAPTERS = {"llama": ("adapter", ["q_proj", "v_proj"]), "gpt2": ("adapter_gpt2", ["c_attn", "mlp.c_proj"])}


def adapt(model, tokens, folder, targets):
    """An adapter of PEFT on some maps, with numbers in both factors, and the logits with it."""
    import peft

    model = peft.get_peft_model(model, peft.LoraConfig(r=2, lora_alpha=6, target_modules=targets, task_type="CAUSAL_LM"))
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "lora_" in name:
                parameter.copy_(torch.randn(parameter.shape, generator=generator))
    model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    # It does not say where the model lay.
    config = folder / "adapter_config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"base_model_name_or_path": None}, indent=2, sort_keys=True))
    save_file({"tokens": tokens.to(torch.int32), "logits": model(tokens).logits.detach()}, folder / "expected.safetensors")


def main():
    out = Path(__file__).resolve().parent.parent / "crates" / "models" / "tests" / "families"
    wanted = sys.argv[1:]
    if not wanted or "fp8" in wanted:
        eight_bits(out.parent / "fp8")
    if not wanted or "whole" in wanted:
        whole(out.parent / "whole")
    for i, (name, (kind, arguments, storage)) in enumerate(MODELS.items()):
        if wanted and name not in wanted:
            continue
        arguments = {key: value for key, value in arguments.items() if value is not None or key != "num_key_value_heads"}
        config = kind(**arguments)
        config._attn_implementation = "eager"
        torch.manual_seed(i)
        model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()  # noqa: F405
        generator = torch.Generator().manual_seed(100 + i)
        with torch.no_grad():
            numbers(model, generator)
            if config.tie_word_embeddings:
                model.tie_weights()
            packed = few_bits(model, generator) if storage == "mxfp4" else {}
            if storage == "bf16":
                for parameter in model.parameters():
                    parameter.copy_(parameter.bfloat16().float())
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*"):
            old.unlink()
        size = sum(p.numel() * p.element_size() for p in model.parameters())
        # A copy: buffers of the model that computes, such as rotary rates, must stay as they are.
        stored = copy.deepcopy(model) if storage == "bf16" else model
        for parameter in stored.parameters() if storage == "bf16" else ():
            parameter.data = parameter.data.bfloat16()
        stored.save_pretrained(folder, **({"max_shard_size": size // 3 + 2000} if storage == "shards" else {}))
        if packed:
            (folder / "model.safetensors").unlink()
            tensors = {name: tensor for name, tensor in (model.state_dict() | packed).items() if tensor is not None}
            save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
            described = json.loads((folder / "config.json").read_text())
            described["quantization_config"] = dict(quant_method="mxfp4", modules_to_not_convert=["lm_head"])
            (folder / "config.json").write_text(json.dumps(described, indent=2) + "\n")
        tokens = torch.randint(0, config.vocab_size, (2, 13), generator=generator)
        mask = torch.ones_like(tokens)
        mask[0, :4] = 0
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
        logits = model(tokens).logits
        loss = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        left = model(tokens, attention_mask=mask, position_ids=positions).logits
        expected = {
            "tokens": tokens.to(torch.int32), "logits": logits.detach(), "left_mask": mask.to(torch.int32),
            "left_logits": left.detach(), "loss": loss.detach(),
        }
        # Two numbers of each gradient: its product with cosines of 1, 2, 3, .., and its norm.
        for key, gradient in gradients(model).items():
            flat = gradient.flatten().double()
            probe = torch.cos(torch.arange(1, flat.numel() + 1, dtype=torch.float64))
            expected["grad." + key] = torch.stack([flat @ probe, flat.norm()]).float()
        save_file(expected, folder / "expected.safetensors")
        (folder / "generation_config.json").unlink(missing_ok=True)
        if name in ADAPTERS:
            adapter, targets = ADAPTERS[name]
            adapt(model, tokens, out.parent / adapter, targets)
        print(name, sorted(p.name for p in folder.iterdir()), float(loss))


if __name__ == "__main__":
    main()
