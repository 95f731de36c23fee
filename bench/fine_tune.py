"""Steps of fine-tuning, next to PyTorch with PEFT: time of a step and peak memory, each in a process of its own, in turn.

    python bench/fine_tune.py target/release/jarrah --shape qwen3-0.6b --mode lora --rounds 3

Both train the same random model in bf16 on sequences of 512 tokens, one a step: all weights by AdamW with states in bf16, or adapters of rank 16
on all maps. PyTorch is eager, with `torch.set_num_threads(2)`. Needs torch, transformers and peft (oracle/requirements.txt).
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

SHAPES = {
    "qwen3-0.6b": dict(kind="Qwen3", vocab_size=151936, hidden_size=1024, intermediate_size=3072, num_hidden_layers=28, num_attention_heads=16,
                       num_key_value_heads=8, head_dim=128, tie_word_embeddings=True, rope_theta=1e6, max_position_embeddings=40960),
    "llama3.2-1b": dict(kind="Llama", vocab_size=128256, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32,
                        num_key_value_heads=8, head_dim=64, tie_word_embeddings=True, rope_theta=5e5, max_position_embeddings=131072),
    "tiny": dict(kind="Llama", vocab_size=512, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                 num_key_value_heads=2, head_dim=16, tie_word_embeddings=True, rope_theta=1e4, max_position_embeddings=1024),
}
MAPS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
LENGTH, RANK, THREADS = 512, 16, 2


def make(folder, shape):
    """A folder with a random model in bf16, a tokenizer of bytes and a template, and chats beside it."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    about = dict(SHAPES[shape])
    kind = about.pop("kind")
    torch.manual_seed(0)
    config = getattr(transformers, kind + "Config")(**about)
    model = getattr(transformers, kind + "ForCausalLM")(config).to(torch.bfloat16)
    model.save_pretrained(folder)
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: i for i, letter in enumerate(letters)} | {"<|endoftext|>": 256}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|endoftext|>"])
    tokenizer.save(os.path.join(folder, "tokenizer.json"))
    with open(os.path.join(folder, "chats.jsonl"), "w") as out:
        for i in range(400):
            chat = [{"role": "user", "content": f"tell me of {i} " * 5}, {"role": "assistant", "content": f"of {i}: " + "so it is. " * 30}]
            out.write(json.dumps({"messages": chat}) + "\n")


def torch_steps(folder, mode, steps):
    import torch
    import transformers

    torch.set_num_threads(THREADS)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16)
    model.train()
    if mode == "lora":
        import peft

        model = peft.get_peft_model(model, peft.LoraConfig(r=RANK, lora_alpha=2 * RANK, target_modules=MAPS, lora_dropout=0.0))
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-4, betas=(0.9, 0.95), weight_decay=0.0)
    ids = torch.randint(0, 257, (1, LENGTH))
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        times.append(time.perf_counter() - start)
    return times


def jarrah_steps(binary, folder, mode, steps, out):
    keys = ["task=sft", "data.template=chatml", f"steps={steps}", "batch=1", f"model.context={LENGTH}", "model.dtype=bf16", f"threads={THREADS}",
            "log.every=1", "eval.every=0", "checkpoint.every=0", "sample.tokens=0", "optimizer.lr=1e-4", "optimizer.min_lr=1e-5",
            "optimizer.weight_decay=0.0", "eval.batches=1"]
    keys += [f"lora.rank={RANK}"] if mode == "lora" else []
    command = [binary, "train", "--model", folder, "--data", os.path.join(folder, "chats.jsonl"), "--out", out, *keys]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    lines = [json.loads(line) for line in open(os.path.join(out, "metrics.jsonl"))]
    return [LENGTH / line["tokens_per_second"] for line in lines if "tokens_per_second" in line]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jarrah")
    parser.add_argument("--shape", choices=SHAPES, default="qwen3-0.6b")
    parser.add_argument("--mode", choices=["lora", "full"], default="lora")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", help="keep the model here, and use it if it is there")
    parser.add_argument("--one", choices=["torch", "jarrah", "make"], help="internal: one process")
    parser.add_argument("--out")
    options = parser.parse_args()
    if options.one:
        if options.one == "make":
            return make(options.folder, options.shape)
        if options.one == "torch":
            times = torch_steps(options.folder, options.mode, options.steps)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        else:
            times = jarrah_steps(options.jarrah, options.folder, options.mode, options.steps, options.out)
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        # The first step compiles, allocates and warms up.
        return print(json.dumps({"seconds": statistics.median(times[1:]), "memory": memory * 1024}))
    with tempfile.TemporaryDirectory() as place:
        folder = options.folder or os.path.join(place, "model")

        def child(*more):
            command = [sys.executable, __file__, options.jarrah, "--shape", options.shape, "--mode", options.mode, "--steps", str(options.steps),
                       "--folder", folder, *more]
            return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

        if not os.path.exists(os.path.join(folder, "config.json")):
            os.makedirs(folder, exist_ok=True)
            child("--one", "make")
        results = {"torch": [], "jarrah": []}
        for round in range(options.rounds):
            for who in results:
                result = json.loads(child("--one", who, "--out", os.path.join(place, f"run{round}")).splitlines()[-1])
                results[who].append(result)
                print(f"{who}: {result['seconds']:.2f} s a step, {result['memory'] / 2**30:.2f} GiB", flush=True)
        for what in ["seconds", "memory"]:
            ours, theirs = (statistics.median(r[what] for r in results[who]) for who in ["jarrah", "torch"])
            print(f"{options.shape} {options.mode}: {what} {ours / theirs:.2f} of PyTorch's")


main()
