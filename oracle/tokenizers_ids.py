"""Tokenizers of each kind, small, and the ids that `sentencepiece`, `tiktoken` and `tokenizers` give for random texts.

    python oracle/tokenizers_ids.py                        writes `crates/tokenizer/tests/golden/`
    python oracle/tokenizers_ids.py compare [COUNT] [DATA] [WORD]
                                                           compares our ids with theirs on COUNT (100,000) random texts and on the texts in
                                                           the folder DATA, for the small tokenizers and for the real ones in DATA
                                                           (those with WORD in their names)

`compare` runs `cargo run --release -p jarrah-tokenizer --example ids`. It prints a line for each tokenizer and fails if a text differs.

Text number i is made of `common.bits(3000 + i, ..)`: word 0 mod 24 is the number of parts; part k is drawn by words 2k + 1 and 2k + 2: the first
mod 16 chooses a row of `PARTS`, the second an entry: a code point of a range, or a text of a list. `ids.json` has, for each tokenizer, the
FNV-1a hashes (64 bits) of the ids of 100 texts at a time: four little-endian bytes an id, and four bytes of ones behind each text. `long` is that of all texts
joined.

Needs sentencepiece==0.2.3, tiktoken==0.14.0 and tokenizers==0.23.3 beside `requirements.txt`.
"""

import base64
import io
import json
import pathlib
import subprocess
import sys

import common

import numpy as np
import sentencepiece
import tiktoken
import tokenizers

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "crates" / "tokenizer" / "tests" / "golden"
common.GOLDEN = OUT
COUNT = 3000
JSONS = ("llama", "bert", "t5", "mistral")

PARTS = [
    (0x20, 0x7F), (0x20, 0x7F), (0x61, 0x7B), (0x61, 0x7B), (0x30, 0x3A), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700),
    (0x4E00, 0x9FA6), (0x3040, 0x3100), (0x1F300, 0x1F650), (0xFF00, 0xFFE0), (0x20, 0x3000),
    [" ", "  ", "\n", "\r\n", "\t", "\u3000", "\u00a0", "\u2028", "     ", "\n\n\n", " \n ", "\u2581", "\u200b", "\u0000"],
    ["the", " and", "The", "Hello", " world", "don't", "I'LL", "it's", "'S", "fi\ufb01", "caf\u00e9", "cafe\u0301", "\ufdfa", "\u2460", "\uff21\uff22",
     "<s>", "</s>", "<unk>", "<user>", "<|endoftext|>", "1234567", "3.14", "http://a.b/c?d=e", "\U0001F469\u200d\U0001F469\u200d\U0001F467", "\U0001F1E9\U0001F1EA",
     "\u0e2a\u0e27\u0e31\u0e2a", "\u05e9\u05dc\u05d5\u05dd", "\ud55c\uad6d\uc5b4", "\u017f", "\u212a"],
]


def texts(count):
    out = []
    for i in range(count):
        words = common.bits(3000 + i, 49)
        parts = []
        for k in range(int(words[0] % np.uint64(24))):
            kind, choice = PARTS[int(words[2 * k + 1] % np.uint64(16))], int(words[2 * k + 2])
            if isinstance(kind, tuple):
                parts.append(chr(kind[0] + choice % (kind[1] - kind[0])))
            else:
                parts.append(kind[choice % len(kind)])
        out.append("".join(parts))
    return out


def fnv(ids_of_texts):
    hashes = []
    for start in range(0, len(ids_of_texts), 100):
        value = 0xCBF29CE484222325
        for ids in ids_of_texts[start : start + 100]:
            for byte in np.array([*ids, 0xFFFFFFFF], dtype="<u4").tobytes():
                value = (value ^ byte) * 0x100000001B3 % 2**64
        hashes.append(f"{value:016x}")
    return hashes


CORPUS = [
    "The quick brown fox jumps over the lazy dog. It's the dog's fault, don't you think?",
    "She sells sea shells by the sea shore, and the shells she sells are surely seashells.",
    "Größe und Länge: die Straße ist 12 km lang. Ça va? Où est le café? El niño comió piñas.",
    "日本語のテキストと中文文本，以及한국어 텍스트。 Привет, мир! שלום עולם مرحبا",
    "fn main() { let x = 42; println!(\"{x}\"); }\n\nfor i in range(10):\n    print(i)\n",
] + [f"word{i} number {i * 7} and the thing that {('is', 'was', 'has')[i % 3]} here" for i in range(120)]


def train_sentencepiece(name, **options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(CORPUS), model_writer=model, minloglevel=2, num_threads=1, hard_vocab_limit=False, **options)
    (OUT / name).write_bytes(model.getvalue())


def train_all():
    train_sentencepiece("unigram.model", model_type="unigram", vocab_size=360)
    train_sentencepiece("unigram_plain.model", model_type="unigram", vocab_size=480, normalization_rule_name="identity", remove_extra_whitespaces=False,
                        byte_fallback=True, user_defined_symbols=["<user>", "dog"], control_symbols=["<control>"])
    train_sentencepiece("bpe.model", model_type="bpe", vocab_size=680, normalization_rule_name="identity", byte_fallback=True,
                        remove_extra_whitespaces=False, split_digits=True, allow_whitespace_only_pieces=True, user_defined_symbols=["<user>"])
    train_sentencepiece("bpe_suffix.model", model_type="bpe", vocab_size=420, normalization_rule_name="identity", add_dummy_prefix=False,
                        treat_whitespace_as_suffix=True, bos_id=-1)
    unused("bpe.model", "bpe_unused.model")

    # Merges of frequent pairs, learned here so that nothing is downloaded.
    ranks = {bytes([b]): b for b in range(256)}
    words = [list(bytes([b]) for b in w.encode()) for line in CORPUS for w in line.replace(" ", "\0 ").split("\0")]
    while len(ranks) < 600:
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        best = max(sorted(counts), key=counts.get)
        ranks[best[0] + best[1]] = len(ranks)
        for word in words:
            i = 0
            while i + 1 < len(word):
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    lines = [f"{base64.b64encode(token).decode()} {rank}" for token, rank in ranks.items()]
    (OUT / "small.tiktoken").write_text("\n".join(lines) + "\n")

    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    special = ["<s>", "</s>", "<unk>"]
    llama = Tokenizer(models.BPE())
    pattern = Regex(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
    llama.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(pattern, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    llama.decoder = decoders.ByteLevel()
    llama.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=500, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    llama.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 0)])
    llama.add_tokens([AddedToken("<user>", special=False, lstrip=True)])

    bert = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    bert.normalizer = normalizers.BertNormalizer(lowercase=True)
    bert.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    bert.decoder = decoders.WordPiece()
    bert.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=400, special_tokens=["[UNK]", "[CLS]", "[SEP]"], show_progress=False))
    bert.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))

    t5 = Tokenizer(models.Unigram())
    t5.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    t5.pre_tokenizer = pre_tokenizers.Metaspace()
    t5.decoder = decoders.Metaspace()
    t5.train_from_iterator(CORPUS, trainers.UnigramTrainer(vocab_size=300, special_tokens=special, unk_token="<unk>", show_progress=False))
    t5.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])

    mistral = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    mistral.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    mistral.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    mistral.train_from_iterator([line.replace(" ", "\u2581") for line in CORPUS], trainers.BpeTrainer(
        vocab_size=600, special_tokens=[*special, *(f"<0x{b:02X}>" for b in range(256))], show_progress=False, max_token_length=8))
    mistral.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    for name, tokenizer in zip(JSONS, (llama, bert, t5, mistral), strict=True):
        tokenizer.save(str(OUT / f"{name}.json"), pretty=False)


def unused(source, target):
    """The model with some merged pieces marked as not used: they are taken apart again."""
    from sentencepiece import sentencepiece_model_pb2

    model = sentencepiece_model_pb2.ModelProto.FromString((OUT / source).read_bytes())
    for piece in model.pieces:
        if piece.type == 1 and len(piece.piece) in (3, 4) and piece.piece.isascii():
            piece.type = 5
    (OUT / target).write_bytes(model.SerializeToString())


PATTERNS = {
    "gpt2": r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s""",
    "cl100k": r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s""",
    "o200k": "|".join([
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}""", r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""", r"""\s*[\r\n]+""", r"""\s+(?!\S)""", r"""\s+""",
    ]),
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "qwen": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}
PATTERNS["p50k"] = PATTERNS["gpt2"]


class Reference:
    """Ids, ids of a prompt where they can be compared, and the text of ids, by the library that a file is of."""

    def __init__(self, path, encoding=None):
        self.path, self.encoding = path, encoding
        if encoding:
            ranks = {base64.b64decode(t): int(r) for t, r in (line.split() for line in path.read_bytes().splitlines() if line)}
            inner = tiktoken.Encoding(path.stem, pat_str=PATTERNS[encoding], mergeable_ranks=ranks, special_tokens={})
            self.ids = lambda text: inner.encode(text, disallowed_special=())
            self.prompt, self.text = None, inner.decode
        elif path.suffix == ".json":
            inner, plain = tokenizers.Tokenizer.from_file(str(path)), tokenizers.Tokenizer.from_file(str(path))
            plain.encode_special_tokens = True
            self.ids = lambda text: plain.encode(text, add_special_tokens=False).ids
            self.prompt = lambda text: inner.encode(text).ids
            self.text = lambda ids: inner.decode(ids)
        else:
            inner = sentencepiece.SentencePieceProcessor(model_proto=path.read_bytes())
            self.ids, self.prompt, self.text = inner.encode, None, inner.decode

    @property
    def name(self):
        return f"{self.path.name}{f' {self.encoding}' if self.encoding else ''}"


def small():
    models = [Reference(path) for path in sorted([*OUT.glob("*.model"), *(OUT / f"{name}.json" for name in JSONS)])]
    return models + [Reference(OUT / "small.tiktoken", name) for name in sorted(PATTERNS)]


def write():
    OUT.mkdir(parents=True, exist_ok=True)
    train_all()
    all_texts = texts(COUNT)
    answers = {}
    for model in small():
        ids = [model.ids(text) for text in all_texts]
        answers[model.name] = {"long": fnv([model.ids("".join(all_texts))]), "ids": fnv(ids), "texts": fnv([list(model.text(i).encode()) for i in ids])}
        if model.prompt:
            answers[model.name]["prompts"] = fnv([model.prompt(text) for text in all_texts])
    common.save_json("ids.json", {"count": COUNT, "texts": fnv([list(text.encode()) for text in all_texts]), "tokenizers": answers})


def compare(count, data, word):
    models, all_texts = small(), texts(count)
    if data:
        models += [Reference(path) for path in sorted([*data.glob("sentencepiece/*.model"), *data.glob("maxtext_tokenizers/tokenizer.*")])]
        models += [Reference(path, encoding) for path in sorted(data.glob("gpt2_tokenizer/*.tiktoken")) for encoding in sorted(PATTERNS)]
        for path in ("sentencepiece/botchan.txt", "llamafactory_demos/wiki_demo.txt", "gsm8k/test.jsonl", "fastchat/dummy_conversation.json"):
            text = (data / path).read_text()
            all_texts += text.splitlines() + [text[:200_000]]
    models = [model for model in models if word in model.name]
    failed = 0
    subprocess.run(["cargo", "build", "--release", "-p", "jarrah-tokenizer", "--example", "ids"], cwd=ROOT, check=True)
    for model in models:
        command = ["cargo", "run", "-q", "--release", "-p", "jarrah-tokenizer", "--example", "ids", str(model.path)]
        lines = "".join(json.dumps(text) + "\n" for text in all_texts)
        answer = subprocess.run([*command, *([model.encoding] if model.encoding else [])], input=lines, text=True, capture_output=True, cwd=ROOT)
        ours = [json.loads(line) for line in answer.stdout.split("\n") if line]
        wrong = [] if len(ours) == len(all_texts) else [(answer.stderr[-300:], None, None)]
        for text, (ids, prompt, back) in zip(all_texts, ours):
            theirs = model.ids(text)
            for got, want in ((ids, theirs), (prompt, model.prompt(text) if model.prompt else prompt), (back, model.text(theirs))):
                if got != want:
                    wrong.append((text, got, want))
        failed += bool(wrong)
        print(f"{model.name}: {len(ours)} texts, {len(wrong)} differ", *(f"\n  {repr(w)[:600]}" for w in wrong[:3]), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        count, data, word = [*sys.argv[2:], *["100000", "", ""][len(sys.argv) - 2 :]]
        compare(int(count), pathlib.Path(data) if data else None, word)
    else:
        write()
