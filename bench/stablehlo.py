"""Single StableHLO ops: `jarrah hlo run` and JAX in turn, on the same program and inputs. See README.md."""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from safetensors.numpy import load_file, save_file

HERE = pathlib.Path(__file__).parent
RNG = np.random.default_rng(1)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def complexes(*shape):
    return (RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)).astype(np.complex64)


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def mean_pool(x):
    return lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4


IMAGES = (32, 56, 56, 64)
PROGRAMS = {
    "cumsum [256,4096]": (lambda x: lax.cumsum(x, 1), [floats(256, 4096)]),
    "cumsum [256,4096], reverse": (lambda x: lax.cumsum(x, 1, reverse=True), [floats(256, 4096)]),
    "cummax [256,4096]": (lambda x: lax.cummax(x, 1), [floats(256, 4096)]),
    "max pool 3x3/2": (max_pool, [floats(*IMAGES)]),
    "its gradient": (jax.grad(lambda x: max_pool(x).sum()), [floats(*IMAGES)]),
    "mean pool 2x2/2": (mean_pool, [floats(*IMAGES)]),
    "i8 product 512^3": (
        lambda x: lax.dot(x, x, preferred_element_type=jnp.int32),
        [RNG.integers(-128, 128, (512, 512)).astype(np.int8)],
    ),
    "x * x + x, c64 [1024,1024]": (lambda x: x * x + x, [complexes(1024, 1024)]),
    "top 50 of [64,100352]": (lambda x: lax.top_k(x, 50), [floats(64, 100352)]),
    "4096 rows of [50000,256]": (
        lambda x, i: x[i],
        [floats(50000, 256), RNG.integers(0, 50000, 4096).astype(np.int32)],
    ),
    "fft c64 [256,1024]": (jnp.fft.fft, [complexes(256, 1024)]),
    "rfft2 [16,256,256]": (jnp.fft.rfft2, [floats(16, 256, 256)]),
    "lgamma [1024,1024]": (lax.lgamma, [floats(1024, 1024)]),
}


def theirs(function, inputs, repeat):
    times = []
    for _ in range(repeat):
        begun = time.perf_counter()
        jax.block_until_ready(function(*inputs))
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def ours(binary, folder, repeat):
    files = ["--inputs", folder / "in.safetensors", "--outputs", folder / "out.safetensors"]
    command = [binary, "hlo", "run", folder / "program.mlir", *files, "--repeat", str(repeat), "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", default=HERE / "../target/release/jarrah")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=5, help="runs a round")
    parser.add_argument("names", nargs="*", help="parts of names; all programs otherwise")
    options = parser.parse_args()
    print(f"{'':28} {'ours, ms':>9} {'JAX, ms':>9} {'ours/JAX':>9} {'memory/io':>9}")
    for name, (function, inputs) in PROGRAMS.items():
        if options.names and not any(part in name for part in options.names):
            continue
        folder = pathlib.Path(tempfile.mkdtemp())
        save_file({str(i): x for i, x in enumerate(inputs)}, folder / "in.safetensors")
        function = jax.jit(function)
        (folder / "program.mlir").write_text(function.lower(*inputs).as_text())
        inputs = [jax.device_put(x) for x in inputs]
        wanted = [np.asarray(x) for x in jax.tree.leaves(function(*inputs))]
        rounds = []
        for _ in range(options.rounds):
            report = ours(options.ours, folder, options.repeat)
            rounds.append((report["run_s"], theirs(function, inputs, options.repeat)))
        found = load_file(folder / "out.safetensors")
        for i, x in enumerate(wanted):
            y = found[str(i)].view(x.dtype).reshape(x.shape)
            assert np.allclose(x, y, rtol=1e-3, atol=1e-3), name
        io = sum(x.nbytes for x in [*inputs, *wanted])
        mine, other = (statistics.median(times) * 1e3 for times in zip(*rounds))
        ratio = statistics.median(a / b for a, b in rounds)
        print(f"{name:28} {mine:9.2f} {other:9.2f} {ratio:9.2f} {report['peak_bytes'] / io:9.1f}", flush=True)


if __name__ == "__main__":
    main()
