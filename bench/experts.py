"""A layer of experts next to transformers': time of a pass over many tokens and of one, forward alone, in turn.

    python bench/experts.py target/release/examples/experts --rounds 7

Both run the mixture of Qwen3-MoE (no shared expert): 64 experts of width 512 in a stream of width 1024, 8 for each token, on 2 threads, the same shapes in f32
and in bf16. transformers runs in eager mode with its grouped products (`experts_implementation="grouped_mm"`) and with its loop over experts ("eager"); the faster of the two
counts. Needs torch and transformers (oracle/requirements.txt), `cargo build --release -p jarrah-nn --example experts`, and a machine
with two cores, or `taskset -c 0,1`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time

WIDTH, HIDDEN, EXPERTS, ACTIVE, THREADS = 1024, 512, 64, 8, 2
CASES = [("f32", 512), ("f32", 1), ("bf16", 512), ("bf16", 1)]


def passes(tokens):
    """How often a pass is timed: the median of these is one measurement."""
    return 5 if tokens > 1 else 50


def torch_time(dtype, tokens, implementation):
    import torch
    from transformers import Qwen3MoeConfig
    from transformers.models.qwen3_moe.modeling_qwen3_moe import Qwen3MoeSparseMoeBlock

    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    config = Qwen3MoeConfig(hidden_size=WIDTH, moe_intermediate_size=HIDDEN, num_experts=EXPERTS, num_experts_per_tok=ACTIVE, norm_topk_prob=True)
    config._experts_implementation = implementation
    layer = Qwen3MoeSparseMoeBlock(config)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_(std=0.02)
        layer = layer.to(getattr(torch, {"f32": "float32", "bf16": "bfloat16"}[dtype])).eval()
        x = torch.randn(1, tokens, WIDTH).to(next(layer.parameters()).dtype)
        layer(x)
        times = []
        for _ in range(passes(tokens)):
            start = time.perf_counter()
            layer(x)
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--torch", nargs=3)
    options = parser.parse_args()
    if options.torch:
        dtype, tokens, implementation = options.torch
        print(torch_time(dtype, int(tokens), implementation))
        return
    for dtype, tokens in CASES:
        times = {}
        for _ in range(options.rounds):
            for name in ("jarrah", "grouped_mm", "eager"):
                command = [sys.executable, __file__, "--torch", dtype, str(tokens), name]
                if name == "jarrah":
                    command = [options.program, dtype, *map(str, (tokens, WIDTH, HIDDEN, EXPERTS, ACTIVE, passes(tokens)))]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode == 0:
                    times.setdefault(name, []).append(float(done.stdout.split()[-1]))
        medians = {name: statistics.median(all) for name, all in times.items()}
        best = min(time for name, time in medians.items() if name != "jarrah")
        print(json.dumps({"dtype": dtype, "tokens": tokens, **{name: round(1e3 * time, 3) for name, time in medians.items()}, "ratio": round(medians["jarrah"] / best, 3)}), flush=True)


if __name__ == "__main__":
    main()
