"""Models in GGUF as llama.cpp's own package writes them, and the reading of ours by transformers.

    python oracle/gguf_models.py crates/models/tests

writes `gguf/NAME.gguf` of some checkpoints of `families/NAME` (see hf_models.py), whose logits are those of `families/NAME/expected.safetensors`: names of
tensors by the package's own map from Hugging Face's, rows of Llama's q and k in llama.cpp's order, Gemma's scales plus one. `gguf/blocks.gguf` has a matrix of each
encoding, and `gguf/blocks.safetensors` the logits of transformers for it. Also
`gguf/bpe.gguf` and `gguf/pieces.gguf`: tokenizers, with `gguf/ids.json`, ids of texts by `tokenizers` and `sentencepiece`.

    python oracle/gguf_models.py readback crates/models/tests target/debug/jarrah

converts families by `jarrah model convert --format gguf`, reads the files with transformers, and compares logits.

Needs torch==2.15.0, transformers==5.24.0, gguf==0.19.0, tokenizers and sentencepiece beside `requirements.txt`.
"""

import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import gguf
import numpy as np
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM

# Name of the family's checkpoint: the architecture, and the encoding of matrices.
MODELS = {
    "llama": ("llama", "F32"), "llama_tied": ("llama", "BF16"), "llama_yarn": ("llama", "F32"), "qwen2": ("qwen2", "F32"), "qwen3_bias": ("qwen3", "F32"),
    "qwen3_moe": ("qwen3moe", "F32"), "mixtral": ("llama", "F32"), "qwen2_moe": ("qwen2moe", "F32"), "gemma": ("gemma", "F32"), "gemma2": ("gemma2", "F32"),
    "gemma3": ("gemma3", "F32"), "phi3": ("phi3", "F32"), "phi3_long": ("phi3", "F32"), "gpt2": ("gpt2", "F32"),
}
TEXTS = ["Hello world", "  two  spaces\nand a line", "größe 123456 über!", "日本語 and 😀", "<s>not special</s>", "don't we'll I'M"]


def turned(x, heads):
    """Rows in the order in which llama.cpp turns neighbours."""
    return x.reshape(heads, 2, x.shape[0] // heads // 2, *x.shape[1:]).swapaxes(1, 2).reshape(x.shape)


def fields(writer, c, arch):
    g = lambda *names: next((getattr(c, n) for n in names if getattr(c, n, None) is not None), None)  # noqa: E731
    heads, width = g("num_attention_heads", "n_head"), g("hidden_size", "n_embd")
    head = g("head_dim") or width // heads
    writer.add_context_length(g("max_position_embeddings", "n_positions"))
    writer.add_embedding_length(width)
    writer.add_block_count(g("num_hidden_layers", "n_layer"))
    writer.add_feed_forward_length(g("intermediate_size", "n_inner") or 4 * width)
    writer.add_head_count(heads)
    if arch == "gpt2":
        writer.add_layer_norm_eps(c.layer_norm_epsilon)
        return
    writer.add_head_count_kv(c.num_key_value_heads)
    writer.add_layer_norm_rms_eps(c.rms_norm_eps)
    writer.add_key_length(head), writer.add_value_length(head)
    rope = c.rope_parameters
    full = rope.get("full_attention", rope)
    writer.add_rope_dimension_count(int(head * full.get("partial_rotary_factor", 1.0)))
    writer.add_rope_freq_base(full["rope_theta"])
    if full["rope_type"] in ("linear", "yarn"):
        writer.add_rope_scaling_type(gguf.RopeScalingType(full["rope_type"]))
        writer.add_rope_scaling_factor(full["factor"])
    if full["rope_type"] == "yarn":
        writer.add_rope_scaling_orig_ctx_len(full["original_max_position_embeddings"])
    pairs = head // 2
    if full["rope_type"] == "llama3":
        # The published rule, pair by pair.
        low, high = full["original_max_position_embeddings"] / full["low_freq_factor"], full["original_max_position_embeddings"] / full["high_freq_factor"]
        factors = []
        for i in range(pairs):
            wave = 2 * np.pi * full["rope_theta"] ** (2 * i / head)
            smooth = (full["original_max_position_embeddings"] / wave - full["low_freq_factor"]) / (full["high_freq_factor"] - full["low_freq_factor"])
            factors.append(1 if wave < high else full["factor"] if wave > low else 1 / ((1 - smooth) / full["factor"] + smooth))
        writer.add_tensor("rope_freqs.weight", np.array(factors, dtype=np.float32))
    if full["rope_type"] == "longrope":
        original = full.get("original_max_position_embeddings") or c.original_max_position_embeddings
        scale = c.max_position_embeddings / original
        writer.add_rope_scaling_orig_ctx_len(original)
        writer.add_rope_scaling_attn_factors(float(np.sqrt(1 + np.log(scale) / np.log(original))))
        writer.add_tensor("rope_factors_long.weight", np.array(full["long_factor"], dtype=np.float32))
        writer.add_tensor("rope_factors_short.weight", np.array(full["short_factor"], dtype=np.float32))
    if arch in ("gemma2", "gemma3"):
        writer.add_sliding_window(c.sliding_window)
        # llama.cpp has the scale from the size of the model; these sizes are not its own.
        writer.add_float32(f"{arch}.attention.scale", c.query_pre_attn_scalar**-0.5)
    if arch == "gemma2":
        writer.add_attn_logit_softcapping(c.attn_logit_softcapping), writer.add_final_logit_softcapping(c.final_logit_softcapping)
    if arch == "gemma3":
        writer.add_key_value("gemma3.attention.sliding_window_pattern", [k == "sliding_attention" for k in c.layer_types], gguf.GGUFValueType.ARRAY, gguf.GGUFValueType.BOOL)
    experts = g("num_experts", "num_local_experts")
    if experts:
        writer.add_expert_count(experts), writer.add_expert_used_count(c.num_experts_per_tok)
        if g("moe_intermediate_size"):
            writer.add_expert_feed_forward_length(c.moe_intermediate_size)
        if g("shared_expert_intermediate_size"):
            writer.add_expert_shared_feed_forward_length(c.shared_expert_intermediate_size)


def tensors(model, c, arch):
    """Names and numbers as llama.cpp has them."""
    # The map knows experts apart by their old names.
    layers = getattr(c, "num_hidden_layers", None) or c.n_layer
    names = gguf.get_tensor_name_map({v: k for k, v in gguf.MODEL_ARCH_NAMES.items()}[arch], layers)
    for name, x in model.state_dict().items():
        x = x.float().numpy()
        if name == "lm_head.weight" and c.tie_word_embeddings:
            continue
        if name.endswith(("experts.gate_up_proj", "experts.down_proj")):
            layer = f"blk.{name.split('.')[2]}."
            if name.endswith("down_proj"):
                yield layer + "ffn_down_exps.weight", x
            else:
                half = x.shape[1] // 2
                yield layer + "ffn_gate_exps.weight", np.ascontiguousarray(x[:, :half])
                yield layer + "ffn_up_exps.weight", np.ascontiguousarray(x[:, half:])
            continue
        if arch == "gpt2" and name.endswith((".c_attn.weight", ".c_proj.weight", ".c_fc.weight")):
            x = np.ascontiguousarray(x.T)
        if arch == "llama" and "q_proj" in name:
            x = turned(x, c.num_attention_heads)
        if arch == "llama" and "k_proj" in name:
            x = turned(x, c.num_key_value_heads)
        if arch.startswith("gemma") and name.endswith("norm.weight"):
            x = x + 1
        if name.endswith("shared_expert_gate.weight"):
            x = x[0]
        name = name.replace("block_sparse_moe.", "mlp.") if arch == "llama" else name
        theirs = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if name.endswith("mlp.gate.weight"):
            theirs = f"blk.{name.split('.')[2]}.ffn_gate_inp.weight"
        assert theirs, name
        yield theirs, np.ascontiguousarray(x)


def write(folder, out, arch, kind):
    model = AutoModelForCausalLM.from_pretrained(folder)
    writer = gguf.GGUFWriter(out, arch)
    fields(writer, model.config, arch)
    types = gguf.GGMLQuantizationType
    for name, x in tensors(model, model.config, arch):
        if x.ndim > 1 and kind != "F32":
            writer.add_tensor(name, gguf.quants.quantize(x, types[kind]), raw_dtype=types[kind])
        else:
            writer.add_tensor(name, x)
    writer.write_header_to_file(), writer.write_kv_data_to_file(), writer.write_tensors_to_file()
    writer.close()


def blocks(out):
    """A model with a matrix of every encoding that is read, and its logits as transformers has them of the same file."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(vocab_size=24, hidden_size=256, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1, head_dim=32,
                         max_position_embeddings=32, tie_word_embeddings=False)
    torch.manual_seed(0)
    model = LlamaForCausalLM(config)
    writer = gguf.GGUFWriter(out / "blocks.gguf", "llama")
    fields(writer, config, "llama")
    types = gguf.GGMLQuantizationType
    kinds = {"token_embd": "F16", "attn_q": "Q4_K", "attn_k": "Q6_K", "attn_v": "Q4_K", "attn_output": "Q8_0", "ffn_gate": "Q6_K", "ffn_up": "BF16", "ffn_down": "Q4_0"}
    generator = np.random.default_rng(0)
    for name, x in tensors(model, config, "llama"):
        kind = kinds.get(name.split(".")[-2], "F32")
        if kind in ("Q4_K", "Q6_K"):
            # Random blocks: the package writes none of these. Their scales are small f16 numbers.
            size, scales = {"Q4_K": (144, [0, 2]), "Q6_K": (210, [208])}[kind]
            data = generator.integers(0, 256, (x.shape[0], x.shape[1] // 256 * size), dtype=np.uint8)
            for row in data:
                for at in scales:
                    row[at : at + 2] = np.array([generator.uniform(1e-4, 3e-4)], dtype=np.float16).view(np.uint8)
            writer.add_tensor(name, data, raw_dtype=types[kind])
        elif kind in ("F32", "F16"):
            writer.add_tensor(name, x.astype({"F32": np.float32, "F16": np.float16}[kind]))
        else:
            writer.add_tensor(name, gguf.quants.quantize(x, types[kind]), raw_dtype=types[kind])
    writer.write_header_to_file(), writer.write_kv_data_to_file(), writer.write_tensors_to_file()
    writer.close()
    read = AutoModelForCausalLM.from_pretrained(out, gguf_file="blocks.gguf", dtype=torch.float32, config=config)
    tokens = torch.arange(12).reshape(2, 6)
    save_file({"tokens": tokens.to(torch.int32), "logits": read(tokens).logits.detach()}, out / "blocks.safetensors")


def tokenizers_(out, texts):
    import sentencepiece
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    ids = {}
    t = Tokenizer(models.BPE(ignore_merges=True))
    split = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    from tokenizers import Regex

    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(split), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=300, special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    t.encode_special_tokens = True
    ids["bpe"] = [t.encode(text, add_special_tokens=False).ids for text in TEXTS]
    made = json.loads(t.to_str())
    vocab = {i: token for token, i in t.get_vocab(with_added_tokens=True).items()}
    tokens = [vocab[i] for i in range(len(vocab))]
    w = gguf.GGUFWriter(out / "bpe.gguf", "llama")
    w.add_tokenizer_model("gpt2"), w.add_tokenizer_pre("llama-bpe"), w.add_token_list(tokens)
    w.add_token_types([3 if token in ("<s>", "</s>") else 1 for token in tokens])
    w.add_token_merges([" ".join(m) if isinstance(m, list) else m for m in made["model"]["merges"]])
    w.add_bos_token_id(0), w.add_eos_token_id(1), w.add_add_bos_token(True)
    w.add_chat_template("{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}")
    finish(w, out / "llama.gguf")

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(texts), model_writer=model, vocab_size=340, model_type="bpe", byte_fallback=True, character_coverage=0.98,
                                             normalization_rule_name="identity", remove_extra_whitespaces=False, minloglevel=2)
    model = model.getvalue()
    (out / "pieces.model").write_bytes(model)
    s = sentencepiece.SentencePieceProcessor(model_proto=model)
    ids["pieces"] = [s.encode(text) for text in TEXTS]
    kinds = [2 if s.is_unknown(i) else 3 if s.is_control(i) else 6 if s.is_byte(i) else 1 for i in range(len(s))]
    w = gguf.GGUFWriter(out / "pieces.gguf", "llama")
    w.add_tokenizer_model("llama"), w.add_tokenizer_pre("default"), w.add_token_list([s.id_to_piece(i) for i in range(len(s))])
    w.add_token_scores([s.get_score(i) for i in range(len(s))]), w.add_token_types(kinds)
    w.add_bos_token_id(s.bos_id()), w.add_eos_token_id(s.eos_id()), w.add_unk_token_id(s.unk_id())
    finish(w, out / "llama.gguf")
    ids["texts"] = TEXTS
    (out / "ids.json").write_text(json.dumps(ids, ensure_ascii=False) + "\n")


def finish(w, like):
    """The fields and tensors of the file `like` behind those of `w`."""
    model = gguf.GGUFReader(like)
    for name, field in model.fields.items():
        if name.startswith("llama."):
            w.add_key_value(name, field.contents(), field.types[0])
    for t in model.tensors:
        w.add_tensor(t.name, t.data)
    w.write_header_to_file(), w.write_kv_data_to_file(), w.write_tensors_to_file()
    w.close()


def readback(tests, jarrah):
    # Families whose form transformers reads, with what llama.cpp's form has a place for.
    for name in ["llama", "mistral_tied", "qwen2", "qwen3", "qwen3_tied", "gemma2", "gemma3_untied", "phi3", "gpt2"]:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([jarrah, "model", "convert", tests / "families" / name, f"{folder}/m.gguf", "--format", "gguf", "--dtype", "f32"], check=True)
            gguf.GGUFReader(f"{folder}/m.gguf")
            # Of some architectures it does not read all fields: the folder's own configuration has them.
            config = None if name.startswith("mistral") else AutoConfig.from_pretrained(tests / "families" / name, attn_implementation="eager")
            model = AutoModelForCausalLM.from_pretrained(folder, gguf_file="m.gguf", dtype=torch.float32, config=config)
            expected = load_file(tests / "families" / name / "expected.safetensors")
            found = model(expected["tokens"].long()).logits
            off = ((found - expected["logits"]).abs().max() / expected["logits"].abs().max()).item()
            print(f"{name}: {off:.1e}")
            assert off < 1e-4


if __name__ == "__main__" and sys.argv[1] == "readback":
    readback(Path(sys.argv[2]), sys.argv[3])
elif __name__ == "__main__":
    tests = Path(sys.argv[1])
    (tests / "gguf").mkdir(exist_ok=True)
    for name, (arch, kind) in MODELS.items():
        write(tests / "families" / name, tests / "gguf" / f"{name}.gguf", arch, kind)
    blocks(tests / "gguf")
    license = Path(__file__).resolve().parent.parent / "LICENSE"
    tokenizers_(tests / "gguf", license.read_text().splitlines())
