"""Quantized weights: codes, scales and values of the implementations that others quantize with.

Writes `crates/quant/tests/golden/quant.safetensors` and the StableHLO texts of JAX's products with integer weights beside it. Weights are
`[outputs, inputs]`, as files have them.

* `q4_0`, `q8_0`: the `gguf` package's quantizer and dequantizer.
* `nf4`, `nf4_nested`: bitsandbytes on its CPU backend.
* `gptq4`, `gptq8`, `gptq_order`: random codes in AutoGPTQ's layout; values by its formula, in f16.
* `awq`: random codes in AutoAWQ's layout; values by its formula, in f16.
* `mxfp4`: all codes with all scales, values by `ml_dtypes`; codes by the specification's algorithm.
* `int8`, `uint8`, `int4`, `uint4`, `f8e4m3fn`, `f8e5m2`: nearest values, ties to even, by NumPy and `ml_dtypes`, a scale for each group of 32.

Needs gguf==0.19.0, bitsandbytes==0.50.2 and torch==2.15.0 (its CPU part) beside `requirements.txt`.
"""

import pathlib

import common

import bitsandbytes.functional as bnb
import gguf
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import torch

common.GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "crates" / "quant" / "tests" / "golden"
N, K, GROUP = 24, 256, 32


def weights():
    x = common.unit(1, (N, K)) * np.float32(4)
    x = x * x * x
    x[0, :64] = 0
    x[1, :64] = np.float32(0.7)
    x[2, :64] = -np.float32(0.7)
    x[3, :64] *= np.float32(1e-20)
    x[4, :64] *= np.float32(1e6)
    # The first of two largest magnitudes decides.
    x[5, 3], x[5, 9] = np.float32(9), np.float32(-9)
    x[6, 3], x[6, 9] = np.float32(-9), np.float32(9)
    # Halves: ties.
    x[7, :32] = np.arange(-16, 16, dtype=np.float32) / 2
    x[7, 0] = 127
    return x


def ggml(out, x):
    for name, kind in (("q4_0", gguf.GGMLQuantizationType.Q4_0), ("q8_0", gguf.GGMLQuantizationType.Q8_0)):
        blocks = gguf.quants.quantize(x, kind)
        out[f"{name}/blocks"] = blocks
        out[f"{name}/values"] = gguf.quants.dequantize(blocks, kind)


def nf4(out, x):
    for name, nested in (("nf4", False), ("nf4_nested", True)):
        packed, state = bnb.quantize_4bit(torch.from_numpy(x), blocksize=64, quant_type="nf4", compress_statistics=nested)
        out[f"{name}/packed"] = packed.numpy()
        out[f"{name}/absmax"] = state.absmax.numpy()
        out[f"{name}/values"] = bnb.dequantize_4bit(packed, state).numpy()
        if nested:
            out[f"{name}/table"] = state.state2.code.numpy()
            out[f"{name}/maxima"] = state.state2.absmax.numpy()
            out[f"{name}/offset"] = np.float32(state.offset.item())


def words(codes, bits, axis, order):
    """Codes along `axis` in 32-bit words; the word's code i is the one at order[i] of those that share it."""
    each = 32 // bits
    codes = np.moveaxis(codes, axis, -1).astype(np.uint32)
    codes = codes.reshape(*codes.shape[:-1], -1, each)
    packed = np.zeros(codes.shape[:-1], np.uint32)
    for i in range(each):
        packed |= codes[..., order[i]] << np.uint32(bits * i)
    return np.moveaxis(packed, -1, axis).view(np.int32)


def integer_layers(out):
    for stream, (name, bits) in enumerate((("gptq4", 4), ("gptq8", 8), ("gptq_order", 4), ("awq", 4)), 10):
        most = 1 << bits
        codes = common.integers(stream, (K, N), most)
        zeros = common.integers(stream + 100, (K // GROUP, N), most)
        zeros[0] = 0
        scales = (common.unit(stream + 200, zeros.shape) * np.float32(0.1)).astype(np.float16)
        scales[1] = np.float16(6e-8)
        group = np.arange(K) // GROUP
        if name == "gptq_order":
            group = group[np.argsort(common.bits(stream + 300, K))]
            out[f"{name}/g_idx"] = group.astype(np.int32)
        if name == "awq":
            order, points = [0, 2, 4, 6, 1, 3, 5, 7], zeros
            out[f"{name}/qweight"] = words(codes, bits, 1, order)
        else:
            # The stored number is one less.
            order, points = range(32 // bits), zeros + 1
            out[f"{name}/qweight"] = words(codes, bits, 0, order)
        out[f"{name}/qzeros"] = words(zeros, bits, 1, order)
        out[f"{name}/scales"] = scales
        out[f"{name}/values"] = (codes - points[group]).astype(np.float16) * scales[group]


def mxfp4(out, x):
    f4, e8 = ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e8m0fnu
    blocks = common.bits(30, 256 * 16).view(np.uint8)[: 256 * 16].reshape(32, 8, 16)
    scales = np.arange(256, dtype=np.uint8).reshape(32, 8)
    codes = np.stack([blocks & 15, blocks >> 4], axis=-1).reshape(32, 8, 32)
    with np.errstate(over="ignore", invalid="ignore"):
        values = codes.view(f4).astype(np.float32) * scales.view(e8).astype(np.float32)[..., None]
    out |= {"mxfp4/blocks": blocks, "mxfp4/scales": scales, "mxfp4/values": values.reshape(32, 256)}
    groups = x.reshape(N, -1, 32)
    most = np.abs(groups).max(-1)
    exponent = np.where(most == 0, -127, np.frexp(most)[1] - 1 - 2).clip(-127, 127)
    scale = np.exp2(exponent.astype(np.float64)).astype(np.float32)
    codes = (groups / scale[..., None]).clip(-6, 6).astype(f4).view(np.uint8).reshape(N, K)
    out["mxfp4/own_scales"] = (exponent + 127).astype(np.uint8)
    out["mxfp4/own_blocks"] = (codes[:, 0::2] | codes[:, 1::2] << 4).reshape(N, -1, 16)


def nearest(out, x):
    groups = x.reshape(N, -1, GROUP)
    most = np.abs(groups).max(-1, keepdims=True)

    def save(name, codes, scale, values):
        # In the order of products: inputs first.
        out[f"{name}/codes"] = codes.reshape(N, K).T
        out[f"{name}/scales"] = scale[..., 0].T
        out[f"{name}/values"] = values.astype(np.float32).reshape(N, K).T

    one = lambda scale: np.where(scale == 0, np.float32(1), scale)
    for name, top, offset in (("int8", 127, 0), ("int4", 7, 8)):
        scale = most / np.float32(top)
        # Integers have no zero below zero.
        codes = np.rint(groups / one(scale)).clip(-top, top).astype(np.int32)
        save(name, (codes + offset).astype(np.int8 if top > 7 else np.uint8), scale, codes.astype(np.float32) * scale)
    for name, top in (("uint8", 255), ("uint4", 15)):
        high, low = (f(groups, -1, keepdims=True) for f in (np.max, np.min))
        high, low = np.maximum(high, 0), np.minimum(low, 0)
        scale = high / np.float32(top) - low / np.float32(top)
        zero = np.rint(-low / one(scale)).clip(0, top)
        codes = (np.rint(groups / one(scale)) + zero).clip(0, top)
        out[f"{name}/zeros"] = zero[..., 0].astype(np.uint8).T
        save(name, codes.astype(np.uint8), scale, (codes - zero).astype(np.float32) * scale)
    for name, dtype, top in (("f8e4m3fn", ml_dtypes.float8_e4m3fn, 448), ("f8e5m2", ml_dtypes.float8_e5m2, 57344)):
        scale = most / np.float32(top)
        codes = (groups / one(scale)).clip(-top, top).astype(dtype)
        save(name, codes.view(np.uint8), scale, codes.astype(np.float32) * scale)


def programs(out):
    """Products as JAX lowers them; the tests make the same operands."""
    rows, depth, columns = 4, 512, 256
    x = ((np.arange(rows * depth) * 37 % 101).reshape(rows, depth) / np.float32(64) - np.float32(0.75)).astype(np.float32)
    codes = (np.arange(depth)[:, None] * 7 + np.arange(columns) * 13) % 16
    scale = (np.arange(columns) % 7 + 1).astype(np.float32) / np.float32(32)
    packed = (codes[0::2] | codes[1::2] << 4).astype(np.uint8)
    pairs = (codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8)

    def convert(x, w, scale):
        return x @ (w.astype(x.dtype) * scale.astype(x.dtype))

    def grouped(x, w, scale):
        wide = w.astype(x.dtype).reshape(-1, 64, w.shape[1]) * scale.astype(x.dtype)[:, None]
        return x @ wide.reshape(w.shape)

    def nibbles(x, packed, scale):
        codes = jnp.stack([packed & 15, packed >> 4], 1).reshape(-1, packed.shape[1])
        return x @ ((codes.astype(x.dtype) - 8) * scale)

    def shifted(x, packed, scale):
        shifts = jnp.array([0, 4], jnp.uint8)[:, None]
        codes = ((packed[:, None] >> shifts) & 15).reshape(-1, packed.shape[1])
        return x @ ((codes.astype(x.dtype) - 8) * scale)

    def bitcast(x, pairs, scale):
        codes = jax.lax.bitcast_convert_type(pairs, jnp.int4).reshape(pairs.shape[0], -1)
        return x @ (codes.astype(x.dtype) * scale)

    int8, int4 = (codes - 8).astype(np.int8), (codes - 8).astype(ml_dtypes.int4)
    group_scale = np.stack([scale * (1 + g % 3) for g in range(depth // 64)]).astype(np.float32)
    for name, f, args in (
        ("int8", convert, (x, int8, scale)),
        ("int8_bf16", convert, (x.astype(ml_dtypes.bfloat16), int8, scale.astype(ml_dtypes.bfloat16))),
        ("int4", convert, (x, int4, scale)),
        ("int4_grouped", grouped, (x, int4, group_scale)),
        ("nibbles", nibbles, (x, packed, scale)),
        ("shifted", shifted, (x, packed, scale)),
        ("bitcast", bitcast, (x, pairs, scale)),
    ):
        f = jax.jit(f)
        args = [jnp.asarray(a) for a in args]
        (common.GOLDEN / f"{name}.mlir").write_text(f.lower(*args).as_text())
        out[f"program/{name}"] = np.asarray(f(*args).astype(jnp.float32))
    out["bitcast/int4"] = np.asarray(
        jax.lax.bitcast_convert_type(jnp.arange(256, dtype=jnp.uint8), jnp.int4).astype(jnp.int8)
    )


def main():
    common.GOLDEN.mkdir(parents=True, exist_ok=True)
    x = weights()
    out = {"weights": x}
    ggml(out, x)
    nf4(out, x)
    integer_layers(out)
    mxfp4(out, x)
    nearest(out, x)
    programs(out)
    common.save_tensors("quant.safetensors", out)


if __name__ == "__main__":
    main()
