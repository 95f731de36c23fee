"""Loading a folder of Hugging Face until a byte of every page was looked at, next to safetensors' own reader, each in a process of its own, in turn.

    cargo build --release -p jarrah-models --example load
    python bench/load.py target/release/examples/load FOLDER --rounds 5

safetensors reads into tensors of PyTorch (`safetensors.torch.load_file`), file by file. Imports and the start of a process do not count. Both find the
files in the page cache. Needs torch and safetensors (oracle/requirements.txt).
"""

import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import time


def theirs(folder):
    import torch
    from safetensors.torch import load_file

    start = time.perf_counter()
    tensors = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.safetensors"))):
        tensors |= load_file(path)
    total = sum(int(tensor.view(torch.uint8).flatten()[::4096].sum(dtype=torch.int64)) for tensor in tensors.values())
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "bytes": sum(tensor.nbytes for tensor in tensors.values()), "sum": total}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("load")
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", action="store_true", help="internal: safetensors' process")
    options = parser.parse_args()
    if options.one:
        return print(json.dumps(theirs(options.folder)))
    commands = {
        "jarrah": [options.load, options.folder],
        "safetensors": [sys.executable, __file__, options.load, options.folder, "--one"],
    }
    times = {name: [] for name in commands}
    for round in range(options.rounds + 1):
        for name, command in commands.items():
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            result = json.loads(done.stdout.splitlines()[-1])
            # The first round fills the page cache.
            if round > 0:
                times[name].append(result["seconds"])
                print(f"{name}: {result['seconds']:.3f} s, {result['bytes'] / 1e9:.2f} GB, bytes add up to {result['sum']}", flush=True)
    ours, other = (statistics.median(times[name]) for name in commands)
    print(f"{ours:.3f} s, safetensors {other:.3f} s: {ours / other:.2f} of its time")


main()
