"""One training step of a character model: ours, JAX and PyTorch in turn. See README.md."""
import argparse
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = ["jax-scan", "jax-unrolled", "torch-eager"]


class Worker:
    """A process that answers a line with a number by that many steps, timed."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def steps(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        return self.answer()

    def quit(self):
        self.process.stdin.close()
        last = self.answer()
        self.process.wait()
        return last


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", default=os.path.join(HERE, "../target/release/examples/char_train"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=3, help="steps a round")
    parser.add_argument("--peers", nargs="*", default=PEERS)
    options = parser.parse_args()

    workers = [Worker("jarrah", [options.ours])]
    for peer in options.peers:
        worker = Worker(peer, [sys.executable, os.path.join(HERE, "char_train_peers.py"), peer])
        if worker.ready is None:
            print(f"{peer}: not available", file=sys.stderr)
        else:
            workers.append(worker)

    medians = {worker.name: [] for worker in workers}
    for _ in range(options.rounds):
        for worker in workers:
            medians[worker.name].append(statistics.median(worker.steps(options.steps)["ms"]))

    print(f"{'':14} {'step ms':>9} {'best':>9} {'ours/theirs':>12} {'compile s':>10} {'peak MiB':>9} {'loss':>14}")
    for worker in workers:
        own = medians[worker.name]
        ratio = statistics.median(a / b for a, b in zip(medians["jarrah"], own))
        last = worker.quit()
        losses = f"{last['losses'][0]:.4f} {last['losses'][1]:.4f}"
        print(
            f"{worker.name:14} {statistics.median(own):9.1f} {min(own):9.1f} {ratio:12.3f}"
            f" {worker.ready['compile_s']:10.2f} {last['peak_mib']:9.0f} {losses:>14}"
        )


main()
