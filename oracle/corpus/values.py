"""Element types by class, and deterministic numbers of each."""

import common
import ml_dtypes
import numpy as np

SIGNED = [np.dtype(d) for d in (ml_dtypes.int2, ml_dtypes.int4, "int8", "int16", "int32", "int64")]
UNSIGNED = [np.dtype(d) for d in (ml_dtypes.uint2, ml_dtypes.uint4, "uint8", "uint16", "uint32", "uint64")]
REAL = [np.dtype(d) for d in ("float16", ml_dtypes.bfloat16, "float32", "float64")]
SMALL = [
    np.dtype(getattr(ml_dtypes, f"float8_{kind}")) for kind in ("e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz")
] + [np.dtype(ml_dtypes.float4_e2m1fn)]
SCALE = np.dtype(ml_dtypes.float8_e8m0fnu)
SIX = [np.dtype(ml_dtypes.float6_e2m3fn), np.dtype(ml_dtypes.float6_e3m2fn)]
COMPLEX = [np.dtype("complex64"), np.dtype("complex128")]
BOOL = np.dtype(bool)

F32, F64, I32, I64 = np.float32, np.float64, np.int32, np.int64
BF16, F16 = ml_dtypes.bfloat16, np.float16


def width(dtype):
    """Bits of an integer type."""
    return ml_dtypes.iinfo(dtype).bits


def floats(stream, *shape, low=-1.0, high=1.0, dtype=F32):
    middle, span = (low + high) / 2, high - low
    return (common.unit(8000 + stream, shape).astype(F64) * span + middle).astype(dtype)


def complexes(stream, *shape, scale=2.0, dtype=np.complex64):
    return (floats(stream, *shape, dtype=F64) * scale + 1j * floats(stream + 500, *shape, dtype=F64) * scale).astype(dtype)


def ints(stream, *shape, low=-5, high=6, dtype=I32):
    """Integers in [low, high)."""
    return (common.integers(9000 + stream, shape, high - low).astype(I64) + low).astype(dtype)


def words(stream, *shape, dtype):
    """Every bit drawn, of an integer type."""
    raw = common.bits(9500 + stream, int(np.prod(shape))).reshape(shape)
    return (raw >> np.uint64(64 - max(width(dtype), 8))).astype(f"uint{max(width(dtype), 8)}").view(f"int{max(width(dtype), 8)}").astype(dtype) if dtype in SIGNED else (
        raw >> np.uint64(64 - width(dtype))
    ).astype(dtype)


def bools(stream, *shape):
    return common.integers(9800 + stream, shape, 2).astype(bool)


def positive_definite(stream, n, *batch, dtype=F32):
    a = floats(stream, *batch, n, n, dtype=F64)
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * floats(stream + 500, *batch, n, n, dtype=F64)
    return (a @ np.conj(np.swapaxes(a, -1, -2)) + n * np.eye(n)).astype(dtype)


def matrix(stream, *shape, dtype=F32):
    """Well conditioned: uniform entries and a heavy diagonal that alternates in sign."""
    a = complexes(stream, *shape, scale=1.0, dtype=np.complex128) if np.issubdtype(dtype, np.complexfloating) else floats(stream, *shape, dtype=F64)
    k = np.arange(min(shape[-2:]))
    a[..., k, k] += (2 + k * 0.5) * np.where(k % 2 == 0, 1, -1)
    return a.astype(dtype)


def specials(dtype):
    """Zeros, ones, halves; of wide types infinities, NaN, and numbers near the ends of the range whose reciprocals are normal too."""
    info = ml_dtypes.finfo(dtype)
    row = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5]
    if dtype in REAL:
        big, tiny = 2.0 ** (info.maxexp - 3), 2.0 ** (info.minexp + (5 if info.bits == 16 and info.nmant == 10 else 14))
        row += [np.inf, -np.inf, np.nan, big, -big, tiny]
    return np.array(row, F64).astype(dtype)
