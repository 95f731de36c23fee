"""Ids of `vocab.json` and `merges.txt` by the classes of transformers that read them.

    python oracle/tokenizer_pairs.py        writes `crates/tokenizer/tests/golden/pairs.json`

The vocabulary and the merges are those of `llama.json`, which `tokenizers_ids.py` made; the texts and the hashes are its, too: `ids` without
special tokens around the text, `prompts` with them, and names of special tokens in the text read as these.

Needs transformers==5.24.0 beside `requirements.txt` and what `tokenizers_ids.py` needs.
"""

import json
import pathlib
import tempfile

from tokenizers_ids import COUNT, OUT, fnv, texts

from transformers import AutoTokenizer


def added(*tokens, **about):
    return [{"content": token, "lstrip": False, "rstrip": False, "single_word": False, "normalized": False, "special": True, **about} for token in tokens]


def cases(size):
    return [
        {"config": {"tokenizer_class": "GPT2Tokenizer", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}},
        {"config": {"tokenizer_class": "GPT2Tokenizer", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "add_prefix_space": True}},
        {"config": {"tokenizer_class": "CodeGenTokenizer", "bos_token": "</s>", "eos_token": "</s>", "unk_token": "</s>"}},
        {"config": {"tokenizer_class": "RobertaTokenizer"}, "added_tokens": {"<pad>": size, "<mask>": size + 1}},
        {"config": {"tokenizer_class": "BartTokenizer"}, "added_tokens": {"<pad>": size, "<mask>": size + 1}},
        {"config": {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "</s>", "pad_token": "</s>", "unk_token": "</s>",
                    "additional_special_tokens": ["<user>"],
                    "added_tokens_decoder": {str(size): added("<user>")[0], str(size + 1): added("<|endoftext|>")[0]}}},
    ]


def main():
    model = json.loads((OUT / "llama.json").read_text())["model"]
    merges = "#version: 0.2\n" + "".join(" ".join(pair) + "\n" for pair in model["merges"])
    found = []
    for case in cases(len(model["vocab"])):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "vocab.json").write_text(json.dumps(model["vocab"], ensure_ascii=False))
            (folder / "merges.txt").write_text(merges)
            (folder / "tokenizer_config.json").write_text(json.dumps(case["config"]))
            if "added_tokens" in case:
                (folder / "added_tokens.json").write_text(json.dumps(case["added_tokens"]))
            tokenizer = AutoTokenizer.from_pretrained(folder)
        prompts = [tokenizer(text)["input_ids"] for text in texts(COUNT)]
        chats = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts(COUNT)]
        found.append({**case, "class": type(tokenizer).__name__, "size": len(tokenizer), "eos": tokenizer.eos_token_id, "chats": fnv(chats), "prompts": fnv(prompts)})
        print(found[-1]["class"], found[-1]["size"], prompts[5][:12])
    (OUT / "pairs.json").write_text(json.dumps({"merges": merges, "cases": found}, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
