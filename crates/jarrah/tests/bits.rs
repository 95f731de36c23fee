//! Bits of whole runs: what is trained, fine-tuned, served, measured and run is the same as when `bits.txt` was written, on any machine. A change that
//! means to alter bits raises `NUMERICS_VERSION`; `BLESS=1` writes the list anew.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::Place;
use crate::tasks::with_model;

/// A mixture of experts that is learned in a moment.
const MIXTURE: &str = "model.name=mixtral-8x7b model.layers=1 model.width=16 model.hidden=16 model.heads=2 model.kv_heads=2 model.context=16";

/// Everything of the loop that alters no recipe of those above.
const MANY_KEYS: &str =
    "model.dtype=bf16 ema=0.9 accumulate=2 remat=full scan_layers=true optimizer.name=lion";

/// What is hashed, by its name.
type Work = (&'static str, fn(&Bench) -> String);

/// The folders that the works share.
struct Bench {
    /// With a run `run` and programs.
    text: Place,
    /// With a model `model`, chats, and `few`, the model in few bits.
    model: Place,
}

/// The losses and the weights of a run from a recipe without words.
fn trained(place: &Place, out: &str, words: &str) -> String {
    place.good(&format!("train {words} --out {out}"));
    let (losses, weights) = place.result(out);
    format!("{}\n{weights}", losses.join("\n"))
}

fn fine_tuned(bench: &Bench, out: &str, keys: &str) -> String {
    let words = "--model model --data chats.jsonl task=sft data.template=chatml model.context=32 batch=2 steps=6 log.every=1";
    trained(&bench.model, out, &format!("{words} {keys}"))
}

fn logits(bench: &Bench, model: &str) -> String {
    fs::write(bench.model.path("tokens.json"), "[[1, 5, 9, 33, 70, 2, 4, 8]]").unwrap();
    bench.model.good(&format!("model logits {model} --tokens tokens.json --out logits.safetensors"));
    format!("{:?}", fs::read(bench.model.path("logits.safetensors")).unwrap())
}

/// The choices that a run is asked for at once, with the logarithms of their probabilities.
fn served(bench: &Bench) -> String {
    let line = |i: usize| {
        let temperature = if i.is_multiple_of(2) { 0.0 } else { 0.8 };
        let body = serde_json::json!({
            "prompt": format!("line {i} of"), "max_tokens": 6 + i, "seed": i, "temperature": temperature, "logprobs": 3,
            "ignore_eos": true,
        });
        let asked = serde_json::json!({
            "custom_id": format!("{i}"), "method": "POST", "url": "/v1/completions", "body": body,
        });
        format!("{asked}\n")
    };
    let place = &bench.text;
    fs::write(place.path("in.jsonl"), (0..8).map(line).collect::<String>()).unwrap();
    place.good("run-batch in.jsonl out.jsonl --model run --no-warm-up");
    let text = fs::read_to_string(place.path("out.jsonl")).unwrap();
    let choices = text.lines().map(|line| {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["response"]["status_code"], 200, "{answer}");
        answer["response"]["body"]["choices"].to_string()
    });
    choices.collect()
}

/// The outputs of a program of StableHLO with random inputs.
fn run(bench: &Bench, program: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hlo-format/tests/files").join(program);
    let out = bench.text.path("outputs.safetensors");
    bench.text.good(&format!("hlo run {} --random 1 --outputs {}", file.display(), out.display()));
    format!("{:?}", fs::read(out).unwrap())
}

const WORKS: &[Work] = &[
    ("train", |bench| trained(&bench.text, "default", "--data text steps=2 batch=2 sample.tokens=0")),
    ("train tiny", |bench| trained(&bench.text, "tiny", "tiny.toml --data text")),
    ("train bf16", |bench| trained(&bench.text, "bf16", "tiny.toml --data text precision=bf16")),
    ("train many keys", |bench| trained(&bench.text, "many", &format!("tiny.toml --data text {MANY_KEYS}"))),
    ("train experts", |bench| {
        let words = "--data text tokenizer.vocab_size=300 steps=4 batch=2 sample.tokens=0";
        trained(&bench.text, "experts", &format!("{words} {MIXTURE}"))
    }),
    ("sft", |bench| fine_tuned(bench, "sft", "")),
    ("sft lora", |bench| fine_tuned(bench, "lora", "lora.rank=2")),
    ("sft lora nf4", |bench| fine_tuned(bench, "nf4", "lora.rank=2 lora.quantize=nf4 precision=bf16")),
    ("logits", |bench| logits(bench, "model")),
    ("logits int8", |bench| {
        bench.model.good("model quantize model few --scheme int8");
        logits(bench, "few")
    }),
    ("eval", |bench| bench.text.good("eval run --data text --context 16 --json")),
    ("run-batch", served),
    ("hlo run", |bench| run(bench, "reductions.mlir") + &run(bench, "scatter.mlir")),
];

#[test]
fn runs_have_the_bits_that_are_committed() {
    let bench = Bench { text: Place::new(), model: with_model() };
    bench.text.good("train tiny.toml --data text --out run model.context=64");
    let lines = WORKS.iter().map(|(name, work)| {
        let hash = blake3::hash(work(&bench).as_bytes()).to_hex();
        format!("{name}: {}\n", &hash[..32])
    });
    let text: String = lines.collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bits.txt");
    if std::env::var_os("BLESS").is_some() {
        return fs::write(file, text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&file).unwrap(), "BLESS=1 renews {}", file.display());
}
