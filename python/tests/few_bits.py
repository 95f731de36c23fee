"""Folders that `jarrah model quantize` writes, as transformers reads them.

    pip install transformers==5.24.0 compressed-tensors==0.20.0 bitsandbytes==0.50.2 accelerate==1.15.0 torch==2.15.0 pytest
    cargo build
    JARRAH=target/debug/jarrah python -m pytest -q python/tests/few_bits.py

A small model is trained on the sources here and quantized by every method and scheme; logits are those of `jarrah model logits`.
"""

import json
import os
import pathlib
import subprocess

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, CompressedTensorsConfig

ROOT = pathlib.Path(__file__).resolve().parents[2]
JARRAH = str(pathlib.Path(os.environ.get("JARRAH", ROOT / "target/debug/jarrah")).resolve())
TEXT = str(ROOT / "crates/openai")
IDS = [[1, 5, 9, 200, 17, 3, 60, 8]]


def run(*arguments):
    return subprocess.run([JARRAH, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    recipe = "steps=20 batch=4 model.width=64 model.hidden=96 model.context=64 tokenizer.vocab_size=400".split()
    run("train", "--model", "test-llama", "--data", TEXT, "--out", folder / "run", *recipe)
    run("model", "convert", folder / "run", folder / "whole", "--dtype", "f32")
    (folder / "ids.json").write_text(json.dumps(IDS))
    return folder


CASES = [
    ("rtn", "int8", 1e-4),
    ("rtn", "int4:16", 1e-4),
    ("gptq", "int4:32", 1e-4),
    ("gptq", "uint4:16", 1e-4),
    ("awq", "int4:32", 1e-4),
    ("awq", "uint8", 1e-4),
    ("rtn", "fp8", 1e-4),
    # Numbers of MXFP4 are made in bf16, products with NF4 are in bf16.
    ("rtn", "mxfp4", 0.05),
    ("rtn", "nf4:32", 0.05),
    # Its package has 127.5 for the largest activation.
    ("rtn", "w8a8", 0.05),
]


@pytest.mark.parametrize("method, scheme, bound", CASES)
def test_transformers_reads_it(model, method, scheme, bound):
    out = model / f"{method}-{scheme.replace(':', '-')}"
    told = run("model", "quantize", model / "whole", out, "--method", method, "--scheme", scheme,
               "--calibration", TEXT, "--samples", 8, "--context", 64)
    assert "perplexity" in told
    run("model", "logits", out, "--tokens", model / "ids.json", "--out", model / "logits.safetensors")
    wanted = load_file(model / "logits.safetensors")["logits"].float()
    # Of packed zero points this transformers makes modules of another shape, unless it dequantizes.
    more = dict(quantization_config=CompressedTensorsConfig(dequantize=True)) if scheme.startswith("uint") else {}
    dtype = torch.bfloat16 if scheme == "mxfp4" else torch.float32
    theirs = AutoModelForCausalLM.from_pretrained(out, dtype=dtype, attn_implementation="eager", **more).eval()
    with torch.no_grad():
        found = theirs(torch.tensor(IDS)).logits.float()
    off = (found - wanted).abs().max() / wanted.abs().max()
    assert off < bound, off
