"""What every oracle script shares: the golden folder, the counter-based numbers, and writing files.

Numbers that a test can regenerate are not stored.  They come from one hash of a stream number and an
element number (all arithmetic on unsigned 64-bit integers, wrapping):

    x = (stream << 32) | index
    z = x + 0x9E3779B97F4A7C15
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    bits(stream, index) = z ^ (z >> 31)

    unit(stream, index)      = (bits >> 40) * 2^-24 - 0.5        in [-0.5, 0.5), exact in f32
    integer(stream, index, n) = bits mod n                       in [0, n)

`unit(...) * scale + offset` is exact in f32 for the scales (powers of two) and offsets (0 or 1) used here
up to the rounding of the sum, which f32 arithmetic repeats.
"""

import json
import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np
from safetensors.numpy import save_file

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "crates" / "testing" / "tests" / "golden"


def bits(stream, count):
    """The first `count` words of a stream, as u64."""
    with np.errstate(over="ignore"):
        x = (np.uint64(stream) << np.uint64(32)) | np.arange(count, dtype=np.uint64)
        z = x + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def unit(stream, shape):
    """f32 in [-0.5, 0.5), element numbers in row-major order."""
    words = bits(stream, int(np.prod(shape, dtype=np.int64)))
    return ((words >> np.uint64(40)).astype(np.float32) * np.float32(2**-24) - np.float32(0.5)).reshape(shape)


def integers(stream, shape, n):
    """i32 in [0, n), element numbers in row-major order."""
    words = bits(stream, int(np.prod(shape, dtype=np.int64)))
    return (words % np.uint64(n)).astype(np.int32).reshape(shape)


def save_tensors(name, tensors):
    """Writes a safetensors file under the golden folder, names sorted, arrays contiguous."""
    path = GOLDEN / name
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = {key: np.ascontiguousarray(tensors[key]).reshape(np.shape(tensors[key])) for key in sorted(tensors)}
    save_file(ordered, str(path))
    print(f"{name}: {len(ordered)} tensors, {path.stat().st_size} bytes")


def save_json(name, value, compact=False):
    """Writes a JSON file under the golden folder."""
    path = GOLDEN / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, separators=(",", ":")) if compact else json.dumps(value, indent=1)
    path.write_text(text + "\n")
    print(f"{name}: {path.stat().st_size} bytes")
