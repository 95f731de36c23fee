"""Arrays as NumPy writes them: `npy/DTYPE-RANK.npy` of 0, 1, 2, ... (truth values alternate, complex numbers have the opposite
as imaginary part), `npy/fortran.npy`, the same with the first axis
fastest, and `npy/stored.npz`, `npy/compressed.npz`, two arrays each."""

import common
import numpy as np

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]


def main():
    folder = common.GOLDEN / "npy"
    folder.mkdir(exist_ok=True)
    for dtype in DTYPES:
        for shape in [(), (3,), (2, 3)]:
            x = np.arange(np.prod(shape, dtype=int))
            x = (x % 2 if dtype == "bool" else x - 1j * x if dtype.startswith("complex") else x).astype(dtype).reshape(shape)
            np.save(folder / f"{dtype}-{len(shape)}.npy", x)
    arrays = {"x": np.arange(6, dtype="float32").reshape(2, 3), "deep/n": np.int64(7)}
    np.savez(folder / "stored.npz", **arrays)
    np.savez_compressed(folder / "compressed.npz", **arrays)
    np.save(folder / "fortran.npy", np.asfortranarray(np.arange(6, dtype="float32").reshape(2, 3)))


if __name__ == "__main__":
    main()
