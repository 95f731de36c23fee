"""Saving and restoring checkpoints here and with Orbax, in turn, with the time that `dd` with fsync takes for as many bytes.

    cargo build --release -p jarrah-checkpoint --example measure
    .venv/bin/pip install jax==0.10.2 orbax-checkpoint==0.12.8
    .venv/bin/python bench/checkpoints.py target/release/examples/measure FOLDER [ROUNDS]

A row is a tree of so many mebibytes in so many arrays. `held` is how long the call of `save` takes, `save` the time until the checkpoint is durable, `restore` that
of opening it and reading everything from the page cache. Medians of the rounds, and the medians of the ratios within rounds, Orbax's time over ours.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
import orbax.checkpoint as ocp
from absl import logging

logging.set_verbosity(logging.FATAL)

ROWS = [(1024, 64), (1, 1000)]


class Ours:
    def __init__(self, program, folder, mebibytes, count):
        arguments = [program, folder, str(mebibytes), str(count)]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def round(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        times = json.loads(self.process.stdout.readline())
        return {"held": times["held"], "save": times["save"], "restore": times["open"] + times["load"], "taken": times["taken"]}


class Orbax:
    def __init__(self, folder, mebibytes, count):
        rng = np.random.default_rng(0)
        extent = max((mebibytes << 20) // count // 4, 1)
        arrays = [jax.numpy.asarray(rng.integers(0, 2**31, extent, np.int32)) for _ in range(count)]
        self.state = {"params": {str(i): {str(j): arrays[j] for j in range(i, count, 100)} for i in range(min(count, 100))}}
        self.manager = ocp.CheckpointManager(folder, options=ocp.CheckpointManagerOptions(max_to_keep=1))
        self.step = 0

    def round(self):
        self.step += 1
        begun = time.perf_counter()
        self.manager.save(self.step, args=ocp.args.StandardSave(self.state))
        held = time.perf_counter() - begun
        self.manager.wait_until_finished()
        saved = time.perf_counter() - begun
        begun = time.perf_counter()
        jax.block_until_ready(self.manager.restore(self.step, args=ocp.args.StandardRestore(self.state)))
        return {"held": held, "save": saved, "restore": time.perf_counter() - begun}


def disk(folder, mebibytes):
    """The seconds of writing so many mebibytes and making them durable."""
    path = folder / "dd"
    begun = time.perf_counter()
    subprocess.run(["dd", "if=/dev/zero", f"of={path}", "bs=1M", f"count={mebibytes}", "conv=fsync"], check=True, stderr=subprocess.DEVNULL)
    taken = time.perf_counter() - begun
    path.unlink()
    return taken


def main():
    program, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    for mebibytes, count in ROWS:
        place = folder / f"checkpoints-{mebibytes}-{count}"
        shutil.rmtree(place, ignore_errors=True)
        (place / "ours").mkdir(parents=True)
        ours, orbax = Ours(program, place / "ours", mebibytes, count), Orbax(place / "orbax", mebibytes, count)
        of = {"ours": [], "orbax": [], "dd": []}
        for number in range(rounds + 1):
            times = {"dd": disk(place, mebibytes), "ours": ours.round(), "orbax": orbax.round()}
            # The first round warms up.
            if number > 0:
                [of[name].append(value) for name, value in times.items()]
        print(f"{mebibytes} MiB in {count} arrays: dd {statistics.median(of['dd']):.3f} s ({min(of['dd']):.3f} to {max(of['dd']):.3f})")
        for what in ["held", "save", "restore"]:
            mine, theirs = [row[what] for row in of["ours"]], [row[what] for row in of["orbax"]]
            ratio = statistics.median(b / a for a, b in zip(mine, theirs))
            print(f"  {what:8} ours {statistics.median(mine):.4f} s, Orbax {statistics.median(theirs):.4f} s, Orbax / ours {ratio:.2f}")
        to_disk = statistics.median(d / row["save"] for d, row in zip(of["dd"], of["ours"]))
        print(f"  dd / our save {to_disk:.2f}; memory taken by a save {max(row['taken'] for row in of['ours']) / 2**20:.1f} MiB")
        orbax.manager.close()
        ours.process.stdin.close()
        ours.process.wait()
        shutil.rmtree(place)


main()
