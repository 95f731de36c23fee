"""Model files as the libraries that invented them write them, and the values that these libraries read from them.

Writes `crates/formats/tests/golden/`:

* `types.safetensors`: a tensor of each element type, with metadata; `llama/`: a model of transformers in shards with an index.
* `zip.pt`, `legacy.pt`: one dictionary by both forms of `torch.save`, with views, shared and transposed tensors; `torch.safetensors`: its
  values, by the names that dots make.
* `all.gguf`: every kind of field, and a tensor of each encoding that is decoded; `floats.gguf`: the same numbers as F32, Q8_0 and Q4_0, by the
  quantizers of the `gguf` package; `gguf.safetensors`: the values of both, as that package decodes them.
* `lora/`, `ranks/`: adapters of PEFT for that model, the second with ranks and scales of its own; `changes.safetensors`: what they add to weights.

    python oracle/formats.py readback

reads with transformers, PEFT and gguf what the example `rewrite` of `crates/formats` writes of those files, and compares.

Needs torch==2.15.0, transformers==5.24.0, gguf==0.19.0 and peft==0.21.2 beside `requirements.txt`.
"""

import collections
import copy
import pathlib
import shutil
import subprocess
import sys
import tempfile

import common

import gguf
import ml_dtypes
import numpy as np
import torch
from safetensors.torch import save_file

OUT = pathlib.Path(__file__).resolve().parent.parent / "crates" / "formats" / "tests" / "golden"
common.GOLDEN = OUT


def tensor(stream, shape, dtype=torch.float32, scale=2.0):
    return torch.from_numpy(common.unit(stream, shape) * np.float32(scale)).to(dtype)


def types():
    floats = ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "complex64"]
    integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
    out = {f"float.{name}": tensor(i, (2, 3), getattr(torch, name)) for i, name in enumerate(floats)}
    for i, name in enumerate(integers):
        out[f"integer.{name}"] = torch.from_numpy(common.integers(20 + i, (5,), 100)).to(getattr(torch, name))
    out["bool"] = torch.tensor([True, False, True])
    out["scalar"] = torch.tensor(1.5)
    out["empty"] = torch.zeros((0, 4))
    save_file(out, OUT / "types.safetensors", metadata={"format": "pt"})


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(vocab_size=48, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
                         num_key_value_heads=2, max_position_embeddings=64, tie_word_embeddings=False)
    torch.manual_seed(0)
    model = LlamaForCausalLM(config).to(torch.bfloat16)
    shutil.rmtree(OUT / "llama", ignore_errors=True)
    model.save_pretrained(OUT / "llama", max_shard_size="6KB")
    return model


def lora(model):
    from peft import LoraConfig, get_peft_model

    kind = {"task_type": "CAUSAL_LM", "target_modules": ["q_proj", "v_proj"]}
    configs = {
        "lora": LoraConfig(r=2, lora_alpha=4, **kind),
        "ranks": LoraConfig(r=2, lora_alpha=4, rank_pattern={"v_proj": 3}, alpha_pattern={"layers.1.self_attn.q_proj": 7}, use_rslora=True,
                            modules_to_save=["lm_head"], **kind),
    }
    changes = {}
    for name, config in configs.items():
        shutil.rmtree(OUT / name, ignore_errors=True)
        adapted = get_peft_model(copy.deepcopy(model), config)
        for i, (key, parameter) in enumerate(sorted(adapted.named_parameters())):
            if "lora_" in key:
                parameter.data = tensor(100 + i, tuple(parameter.shape))
        for key, module in adapted.base_model.model.named_modules():
            if hasattr(module, "get_delta_weight"):
                changes[f"{name}/{key}"] = module.get_delta_weight("default").contiguous()
        adapted.save_pretrained(OUT / name)
        (OUT / name / "README.md").unlink()
    save_file(changes, OUT / "changes.safetensors")


def pickles():
    base = tensor(40, (4, 6))
    big = torch.arange(24, dtype=torch.int64).reshape(2, 3, 4)
    state = collections.OrderedDict()
    state["weight"] = torch.nn.Parameter(base)
    state["tied"] = state["weight"]
    state["view"] = base[1:3, 2:5]
    state["turned"] = big.permute(2, 0, 1)
    state["expanded"] = torch.tensor([1.0, 2.0]).unsqueeze(1).expand(2, 3)
    state["step"] = torch.tensor(7)
    state["empty"] = torch.zeros(0, 3)
    for name in ["float64", "float16", "bfloat16", "int32", "int16", "int8", "uint8", "complex64", "complex128"]:
        state[name] = tensor(41, (3,), getattr(torch, name), 60.0)
    state["bool"] = torch.tensor([True, False])
    state["nested"] = {"lr": 0.1, "name": "a", "list": [torch.ones(2), 3, None], 5: torch.zeros(1)}
    zipped = dict(state)
    zipped["float8"] = tensor(42, (3,), torch.float8_e4m3fn)
    zipped["uint16"] = torch.tensor([1, 65535], dtype=torch.uint16)
    torch.save(zipped, OUT / "zip.pt")
    torch.save(state, OUT / "legacy.pt", _use_new_zipfile_serialization=False)
    values = {k: v for k, v in zipped.items() if k != "nested"}
    values |= {"nested.list.0": torch.ones(2), "nested.5": torch.zeros(1)}
    # The format has no complex128.
    values["complex128"] = torch.view_as_real(values["complex128"]).reshape(-1)
    save_file({k: v.detach().clone().contiguous() for k, v in values.items()}, OUT / "torch.safetensors")


def blocks(stream, kind, rows):
    """Random blocks with small finite scales: those are the only f16 numbers in them."""
    size, scales = {"Q4_K": (144, [0, 2]), "Q6_K": (210, [208])}[kind]
    out = common.integers(stream, (rows, size), 256).astype(np.uint8)
    for i, at in enumerate(scales):
        out[:, at : at + 2] = (common.unit(stream + 1 + i, (rows, 1)) / 16).astype(np.float16).view(np.uint8)
    return out


def ggufs():
    types = gguf.GGMLQuantizationType
    values = {}
    writer = gguf.GGUFWriter(OUT / "all.gguf", "llama")
    writer.add_uint8("kind.u8", 200), writer.add_int8("kind.i8", -7), writer.add_uint16("kind.u16", 60000)
    writer.add_int16("kind.i16", -300), writer.add_uint32("kind.u32", 4_000_000_000), writer.add_int32("kind.i32", -70000)
    writer.add_float32("kind.f32", 0.1), writer.add_bool("kind.bool", True), writer.add_string("kind.text", "größe\n")
    writer.add_uint64("kind.u64", 1 << 60), writer.add_int64("kind.i64", -(1 << 60)), writer.add_float64("kind.f64", 0.1)
    writer.add_array("kind.texts", ["a", "", "ü"]), writer.add_array("kind.numbers", [1, 2, 3])
    x = common.unit(50, (3, 64)) * np.float32(4)
    for name, dtype in (("F32", np.float32), ("F16", np.float16)):
        writer.add_tensor(name, x.astype(dtype)), values.update({f"all/{name}": x.astype(dtype)})
    values["all/BF16"] = x.astype(ml_dtypes.bfloat16)
    writer.add_tensor("BF16", values["all/BF16"].view(np.uint8), raw_dtype=types.BF16)
    writer.add_tensor("I32", np.arange(5, dtype=np.int32)), values.update({"all/I32": np.arange(5, dtype=np.int32)})
    stored = {"Q8_0": gguf.quants.quantize(x, types.Q8_0), "Q4_0": gguf.quants.quantize(x, types.Q4_0)}
    stored |= {"Q4_K": blocks(60, "Q4_K", 3), "Q6_K": blocks(70, "Q6_K", 3)}
    for name, data in stored.items():
        writer.add_tensor(name, data, raw_dtype=types[name])
        values[f"all/{name}"] = gguf.quants.dequantize(data, types[name])
    finish(writer)

    x = common.unit(80, (6, 96)) * np.float32(8)
    x = x * x * x
    x[0, :32] = 0
    # Ties, equal magnitudes of both signs, tiny and large numbers.
    x[1, :32] = np.arange(-16, 16, dtype=np.float32) / 2
    x[2, 3], x[2, 9], x[3, 3], x[3, 9] = 99, -99, -99, 99
    x[4] *= np.float32(1e-9)
    x[5] *= np.float32(1e2)
    writer = gguf.GGUFWriter(OUT / "floats.gguf", "llama")
    for name in ("F32", "Q8_0", "Q4_0"):
        writer.add_tensor(name, x if name == "F32" else gguf.quants.quantize(x, types[name]), raw_dtype=None if name == "F32" else types[name])
    finish(writer)
    common.save_tensors("gguf.safetensors", values)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def readback():
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    load = AutoModelForCausalLM.from_pretrained
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run(["cargo", "run", "-q", "-p", "jarrah-formats", "--example", "rewrite", str(OUT), str(folder)], cwd=OUT.parents[3], check=True)
        pairs = [(load(OUT / "llama"), load(folder / "llama"))]
        for name in ("lora", "ranks"):
            pairs.append(tuple(PeftModel.from_pretrained(load(OUT / "llama"), root / name) for root in (OUT, folder)))
        for theirs, ours in pairs:
            theirs, ours = theirs.state_dict(), ours.state_dict()
            assert theirs.keys() == ours.keys() and all(v.dtype == ours[k].dtype and torch.equal(v, ours[k]) for k, v in theirs.items())
            print(f"{len(ours)} tensors are the same")
        for name in ("all.gguf", "floats.gguf"):
            theirs, ours = gguf.GGUFReader(OUT / name), gguf.GGUFReader(folder / name)
            assert list(theirs.fields) == list(ours.fields) and [t.name for t in theirs.tensors] == [t.name for t in ours.tensors]
            assert all(a.tensor_type == b.tensor_type and np.array_equal(a.data, b.data) for a, b in zip(theirs.tensors, ours.tensors))
            print(f"{len(ours.tensors)} tensors of {name} are the same")


if __name__ == "__main__" and sys.argv[1:] == ["readback"]:
    readback()
elif __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    types()
    lora(llama())
    pickles()
    ggufs()
