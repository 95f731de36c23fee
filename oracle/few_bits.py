"""Tiny random checkpoints with weights in few bits, as the packages of others write them, with the logits of what they stand for.

    python oracle/few_bits.py [NAME ..]

Writes to `crates/models/tests/packed`, one folder for each NAME or all: config.json and weights, and expected.safetensors with tokens and logits. Each
matrix goes through the package's own compressor, and the numbers that its decompressor makes of it are put into the model whose logits are kept, in f32; where
activations are quantized, so are those of that model, by hooks. Of `ct_*` and `nf4*` the logits of the folder as transformers loads it are compared with these.
GPTQ and AWQ have no package that runs here: codes are random, the layouts are AutoGPTQ's and AutoAWQ's, and values are by their formulas.

Needs transformers==5.24.0, torch==2.15.0 (its CPU part), compressed-tensors==0.20.0, bitsandbytes==0.50.2 and accelerate==1.15.0 beside `requirements.txt`.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from compressed_tensors.compressors import BaseCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme
from compressed_tensors.quantization.utils import calculate_qparams
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, CompressedTensorsConfig, LlamaConfig, Phi3Config, Qwen3MoeConfig

from quant import words

BASE = dict(vocab_size=24, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
            max_position_embeddings=64, bos_token_id=None, eos_token_id=None, pad_token_id=None)
DYNAMIC = dict(num_bits=8, type="int", symmetric=True, strategy="token", dynamic=True)
LLAMA = (LlamaConfig, BASE)
PHI3 = (Phi3Config, BASE)
MOE = (Qwen3MoeConfig, dict(BASE, head_dim=16, moe_intermediate_size=32, num_experts=3, num_experts_per_tok=2, norm_topk_prob=True))


def weights(bits, strategy, kind="int", symmetric=True, size=None, **more):
    return dict(num_bits=bits, type=kind, symmetric=symmetric, strategy=strategy, group_size=size, dynamic=False, **more)


MX = dict(scale_dtype=torch.uint8, zp_dtype=torch.uint8)
# Name: the model, and groups: a pattern of modules, the format, the weights, the activations.
COMPRESSED = {
    "ct_int4": (LLAMA, [("", "pack-quantized", weights(4, "group", size=32), None)]),
    "ct_int4_asym": (LLAMA, [("", "pack-quantized", weights(4, "group", symmetric=False, size=16), None)]),
    "ct_int8": (LLAMA, [("", "pack-quantized", weights(8, "channel"), None)]),
    "ct_w8a8": (LLAMA, [("", "int-quantized", weights(8, "channel"), DYNAMIC)]),
    "ct_fp8": (LLAMA, [("", "float-quantized", weights(8, "channel", "float"), None)]),
    "ct_fp8_tensor": (LLAMA, [("", "float-quantized", weights(8, "tensor", "float"), None)]),
    "ct_fp8_block": (LLAMA, [("", "float-quantized", weights(8, "block", "float", block_structure=[16, 32]), None)]),
    "ct_mxfp4": (LLAMA, [("", "mxfp4-pack-quantized", weights(4, "group", "float", size=32, **MX), None)]),
    "ct_mixed": (LLAMA, [("self_attn", "pack-quantized", weights(8, "channel"), None), ("mlp", "pack-quantized", weights(4, "group", size=32), None)]),
    "ct_joint": (PHI3, [("", "pack-quantized", weights(4, "group", symmetric=False, size=32), None)]),
    "ct_experts": (MOE, [("", "pack-quantized", weights(4, "group", size=32), None)]),
}


def random(kind, arguments, seed, dtype=torch.float32):
    """A model with numbers that make each part count, and tokens."""
    generator = torch.Generator().manual_seed(seed)
    config = kind(**arguments)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager", dtype=dtype).eval()
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            spread, center = (0.2, 0.0) if tensor.dim() > 1 else (0.3, 1.0)
            tensor.copy_(torch.randn(tensor.shape, generator=generator) * spread + center)
    return model, torch.randint(0, config.vocab_size, (2, 11), generator=generator)


def matrices(model):
    """The matrices of layers, by their names in files, each with a view of the parameter."""
    found = {}
    for name, parameter in model.named_parameters():
        if name.endswith("experts.gate_up_proj"):
            stem = name.removesuffix("gate_up_proj")
            half = parameter.shape[1] // 2
            for e in range(parameter.shape[0]):
                found[f"{stem}{e}.gate_proj"], found[f"{stem}{e}.up_proj"] = parameter[e, :half], parameter[e, half:]
        elif name.endswith("experts.down_proj"):
            for e in range(parameter.shape[0]):
                found[name.removesuffix("down_proj") + f"{e}.down_proj"] = parameter[e]
        elif name.endswith("_proj.weight"):
            found[name.removesuffix(".weight")] = parameter
    return found


def others(model):
    """The tensors of a file that are no such matrices."""
    return {name: tensor for name, tensor in model.state_dict().items() if ".experts." not in name and not name.endswith("_proj.weight")}


def parameters_of(weight, args):
    """The scale and the zero point of each block of a matrix, by the package."""
    rows, columns = weight.shape
    if args.strategy == "group":
        blocks = weight.reshape(rows, -1, args.group_size)
    elif args.strategy == "block":
        a, b = args.block_structure
        blocks = weight.reshape(rows // a, a, columns // b, b).transpose(1, 2).flatten(2)
    else:
        blocks = weight.reshape(1, 1, -1) if args.strategy == "tensor" else weight.reshape(rows, 1, columns)
    scale, zero = calculate_qparams(blocks.amin(-1), blocks.amax(-1), args)
    return (scale.flatten(), zero.flatten()) if args.strategy == "tensor" else (scale, zero)


def write(folder, config, tensors, model, tokens, quantization):
    folder.mkdir(parents=True, exist_ok=True)
    described = config.to_dict() | dict(architectures=[type(model).__name__], quantization_config=quantization)
    (folder / "config.json").write_text(json.dumps(described, indent=2) + "\n")
    save_file({name: tensor.detach().contiguous().clone() for name, tensor in tensors.items()}, folder / "model.safetensors", metadata={"format": "pt"})
    with torch.no_grad():
        logits = model(tokens).logits
    save_file({"tokens": tokens.to(torch.int32), "logits": logits.float()}, folder / "expected.safetensors")
    return logits


def rounded(_, arguments):
    """An argument as integers of 8 bits would have it, a scale for each token."""
    (x,) = arguments
    scale = x.abs().amax(-1, keepdim=True) / 127
    return ((x / torch.where(scale == 0, 1, scale)).round() * scale,)


def compressed(folder, model_of, groups, seed):
    model, tokens = random(*model_of, seed)
    tensors, described = others(model), {}
    for i, (part, form, args, inputs) in enumerate(groups):
        args = QuantizationArgs(**args)
        scheme = QuantizationScheme(targets=["Linear"], weights=args, input_activations=QuantizationArgs(**inputs) if inputs else None, format=form)
        compressor = BaseCompressor.get_value_from_registry(form)
        names = [name for name in matrices(model) if part in name]
        for name in names:
            weight = matrices(model)[name]
            scale, zero = parameters_of(weight.detach(), args)
            state = {"weight": weight.detach(), "weight_scale": scale}
            if not args.symmetric:
                state["weight_zero_point"] = zero.to(torch.int8)
            state = compressor.compress(state, scheme)
            with torch.no_grad():
                weight.copy_(compressor.decompress(state, scheme)["weight"])
            tensors |= {f"{name}.{key}": value for key, value in state.items()}
        if inputs:
            for name, module in model.named_modules():
                if name in names:
                    module.register_forward_pre_hook(rounded)
        described[f"group_{i}"] = json.loads(scheme.model_dump_json()) | dict(targets=[f"re:.*{part}.*_proj"] if part else ["Linear"])
    forms = {form for _, form, _, _ in groups}
    quantization = dict(quant_method="compressed-tensors", format=forms.pop() if len(forms) == 1 else "mixed-precision", quantization_status="compressed",
                        ignore=["lm_head"] + ["re:.*mlp.gate$"] * (model_of is MOE), config_groups=described, kv_cache_scheme=None)
    logits = write(folder, model.config, tensors, model, tokens, quantization)
    if model_of is MOE or "block" in folder.name:
        return
    # Of packed zero points this transformers makes modules of another shape, unless it dequantizes.
    again = {} if groups[0][2]["symmetric"] else dict(quantization_config=CompressedTensorsConfig(dequantize=True))
    if "mxfp4" in folder.name:
        # Numbers of this format are made in bf16, whatever is asked for.
        again["dtype"] = torch.bfloat16
    # The package has 127.5 for the largest activation, which is another rounding of each.
    compare(folder, tokens, logits, again, 0.1 if "dtype" in again or any(inputs for *_, inputs in groups) else 2e-3)


def compare(folder, tokens, logits, arguments, bound=2e-3):
    arguments = dict(dtype=torch.float32, attn_implementation="eager") | arguments
    again = AutoModelForCausalLM.from_pretrained(folder, **arguments).eval()
    with torch.no_grad():
        off = (again(tokens).logits - logits).abs().max() / logits.abs().max()
    print(f"  transformers: {off:.2e}")
    assert off < bound, off


def integers(folder, kind, seed):
    """GPTQ with and without an order of activations, in both formats; AWQ."""
    model, tokens = random(*LLAMA, seed)
    tensors, draw, size = others(model), np.random.default_rng(seed), 32
    bits = 8 if kind == "gptq8" else 4
    most = 1 << bits
    for name, weight in matrices(model).items():
        outputs, inputs = weight.shape
        codes = draw.integers(0, most, (inputs, outputs))
        zeros = draw.integers(0, most - 1, (inputs // size, outputs))
        scales = (draw.uniform(0.2, 1.0, zeros.shape) * 0.5 / most).astype(np.float16)
        group = np.arange(inputs) // size
        if kind == "awq":
            order, points = [0, 2, 4, 6, 1, 3, 5, 7], zeros
            own = dict(qweight=words(codes, bits, 1, order))
        else:
            order, points = range(32 // bits), zeros if kind == "gptq_v2" else zeros + 1
            group = draw.permutation(group) if kind == "gptq_order" else group
            own = dict(qweight=words(codes, bits, 0, order), g_idx=group.astype(np.int32))
        own |= dict(qzeros=words(zeros, bits, 1, order), scales=scales)
        tensors |= {f"{name}.{key}": torch.from_numpy(np.ascontiguousarray(value)) for key, value in own.items()}
        values = (codes - points[group]).astype(np.float32) * scales[group].astype(np.float32)
        with torch.no_grad():
            weight.copy_(torch.from_numpy(values.T))
    if kind == "awq":
        quantization = dict(quant_method="awq", bits=4, group_size=size, zero_point=True, version="gemm", modules_to_not_convert=None)
    else:
        quantization = dict(quant_method="gptq", bits=bits, group_size=size, desc_act=kind == "gptq_order", sym=False, lm_head=False)
        quantization |= dict(checkpoint_format="gptq_v2") if kind == "gptq_v2" else {}
    write(folder, model.config, tensors, model, tokens, quantization)


def normal(folder, kind, seed):
    import bitsandbytes.functional as bnb

    model, tokens = random(*LLAMA, seed)
    tensors = others(model)
    for name, weight in matrices(model).items():
        packed, state = bnb.quantize_4bit(weight.detach().contiguous(), blocksize=32, quant_type="nf4", compress_statistics=kind == "nf4_nested")
        with torch.no_grad():
            weight.copy_(bnb.dequantize_4bit(packed, state))
        tensors |= {f"{name}.weight": packed} | {f"{name}.weight.{key}": value for key, value in state.as_dict(packed=True).items()}
    quantization = dict(quant_method="bitsandbytes", load_in_4bit=True, load_in_8bit=False, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=kind == "nf4_nested",
                        bnb_4bit_compute_dtype="float32", bnb_4bit_quant_storage="uint8", llm_int8_skip_modules=["lm_head"])
    logits = write(folder, model.config, tensors, model, tokens, quantization)
    # Its products on CPUs are in bf16.
    compare(folder, tokens, logits, {}, 0.05)


def main():
    out = Path(__file__).resolve().parent.parent / "crates" / "models" / "tests" / "packed"
    wanted = sys.argv[1:]
    jobs = {name: (lambda folder, seed, of=of: compressed(folder, *of, seed)) for name, of in COMPRESSED.items()}
    jobs |= {kind: (lambda folder, seed, kind=kind: integers(folder, kind, seed)) for kind in ("gptq", "gptq8", "gptq_v2", "gptq_order", "awq")}
    jobs |= {kind: (lambda folder, seed, kind=kind: normal(folder, kind, seed)) for kind in ("nf4", "nf4_nested")}
    for seed, (name, job) in enumerate(jobs.items(), 500):
        if not wanted or name in wanted:
            print(name)
            job(out / name, seed)


if __name__ == "__main__":
    main()
