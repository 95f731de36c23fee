//! `jarrah model`, and `generate` with a folder of Hugging Face.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use jarrah::array::random::Key;
use jarrah::models::Pretrained;
use jarrah::tokenizer::{TrainOptions, train};

use crate::support::{Noise, Place};

const TEMPLATE: &str = "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}";

/// A model of random numbers, with a tokenizer and a template.
fn folder(path: &Path, seed: u64) {
    let mut json = Pretrained::preset("test-llama").unwrap();
    json["vocab_size"] = 300.into();
    Pretrained::random(json, &Key::new(seed)).unwrap().save(path).unwrap();
    let tokenizer = train(&["the quick brown fox jumps over the lazy dog"], &TrainOptions::new(270)).unwrap();
    tokenizer.save(&path.join("tokenizer.json")).unwrap();
    fs::write(path.join("chat_template.jinja"), TEMPLATE).unwrap();
}

#[test]
fn shapes_by_name_need_no_files() {
    let place = Place::new();
    let info = place.good("model info qwen3-0.6b --length 512");
    assert!(info.contains("596049920") && info.contains("16 of 128, 8 of keys and values"), "{info}");
    let json: serde_json::Value = serde_json::from_str(&place.good("model info gpt2 --json")).unwrap();
    assert_eq!((&json["parameters"], &json["vocabulary"]), (&124_439_808.into(), &50257.into()));
    let tree = place.good("model tree llama3.1-405b");
    assert!(
        tree.contains("126 times") && tree.contains("405853388800") && tree.lines().count() < 30,
        "{tree}"
    );
    assert!(tree.contains("DecoderBlock") && tree.contains("1623.4 GB"), "{tree}");
    let params = place.good("model params gemma2-2b");
    assert!(
        params.contains("blocks.25.attention_post_norm.scale") && params.contains("2614341888"),
        "{params}"
    );
    let error = place.refused("model info qwen3-0.7b", "there is no model shape called `qwen3-0.7b`");
    assert!(error.contains("qwen3-0.6b"), "{error}");
    for (command, message) in [
        ("model info Qwen/Qwen3-0.6B", "there is no model shape called `Qwen/Qwen3-0.6B`"),
        ("generate Qwen/Qwen3-0.6B --prompt x", "Qwen/Qwen3-0.6B does not exist"),
    ] {
        assert!(place.refused(command, message).contains("nothing is downloaded"));
    }
}

#[test]
fn models_are_converted_and_compared() {
    let place = Place::new();
    folder(&place.path("one"), 0);
    folder(&place.path("two"), 1);
    fs::write(place.path("ids.json"), "[[1, 2, 3], [4, 5, 6]]").unwrap();
    place.good("model convert one half --dtype bf16");
    assert!(fs::metadata(place.path("half/tokenizer.json")).is_ok());
    place.good("model convert one again");
    assert_eq!(
        fs::read(place.path("one/model.safetensors")).unwrap(),
        fs::read(place.path("again/model.safetensors")).unwrap()
    );
    place.good("model convert one one.safetensors");
    assert!(fs::metadata(place.path("one.safetensors")).unwrap().is_file());
    place.good("model logits one --tokens ids.json --out a.safetensors");
    place.good("model logits one --tokens ids.json --out b.safetensors --backend reference");
    let logits = |name: &str| -> Vec<f64> {
        let file = jarrah::formats::Tensors::open(place.path(name)).unwrap();
        file.get("logits").unwrap().literal().unwrap().to_f64_vec()
    };
    let (a, b) = (logits("a.safetensors"), logits("b.safetensors"));
    assert_eq!(a.len(), 2 * 3 * 300);
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-5));
    assert!(place.good("model diff one again --tokens ids.json").contains("within 1e-4"));
    let rounded = place.jarrah("model diff one half --tokens ids.json");
    rounded.is_refused("32 of 32 activations differ by more than 1e-4");
    // Embeddings are rounded first.
    assert!(rounded.out.starts_with("embed  "), "{rounded:?}");
    place.good("model diff one half --tokens ids.json --tolerance 0.1");
    place.refused("model diff one two --tokens ids.json --tolerance 0.1", "32 of 32 activations differ");
    fs::write(place.path("far.json"), "[1, 300]").unwrap();
    place.refused(
        "model logits one --tokens far.json --out c.safetensors",
        "far.json: 300 is no token of a model of 300",
    );
    fs::write(place.path("ragged.json"), "[[1], [2, 3]]").unwrap();
    place.refused(
        "model logits one --tokens ragged.json --out c.safetensors",
        "ragged.json: rows of [1, 2] tokens",
    );
    place.refused("model convert nothing out", "cannot read nothing");
    assert!(!place.path("c.safetensors").exists());
}

#[test]
fn text_is_generated_from_a_folder() {
    let place = Place::new();
    folder(&place.path("model"), 3);
    let text = place.good("generate model --prompt the --max-tokens 12 --temperature 0");
    assert!(text.starts_with("the") && text.len() > 4, "{text}");
    assert_eq!(text, place.good("generate model --prompt the --max-tokens 12 --temperature 0"));
    let chat = place.good("generate model --prompt the --max-tokens 12 --temperature 0 --chat");
    assert_ne!(chat, text);
    fs::remove_file(place.path("model/chat_template.jinja")).unwrap();
    place.refused("generate model --prompt the --chat", "the model has no chat template");
    // The end of a text that the model's own files name.
    let full = fs::read_to_string(place.path("model/config.json")).unwrap();
    fs::write(place.path("model/config.json"), full.replacen('{', "{\"eos_token_id\": [], ", 1)).unwrap();
    assert_eq!(text, place.good("generate model --prompt the --max-tokens 12 --temperature 0"));
}

#[test]
fn gguf_files_are_models() {
    let place = Place::new();
    folder(&place.path("one"), 0);
    fs::write(place.path("ids.json"), "[[1, 2, 3], [4, 5, 6]]").unwrap();
    place.good("model convert one one.gguf --dtype f32");
    assert!(place.good("model diff one one.gguf --tokens ids.json").contains("within 1e-4"));
    place.good("model logits one.gguf --tokens ids.json --out a.safetensors");
    let info = place.good("model info one.gguf");
    assert!(
        info.starts_with("family        llama (LlamaForCausalLM)") && info.contains("vocabulary    300"),
        "{info}"
    );
    assert_eq!(place.good("model params one.gguf"), place.good("model params one"));
    assert_eq!(place.good("model tree one.gguf"), place.good("model tree one"));
    let generate = "--prompt the --max-tokens 12 --temperature 0";
    assert_eq!(
        place.good(&format!("generate one.gguf {generate}")),
        place.good(&format!("generate one {generate}"))
    );
    let chat = place.good(&format!("generate one.gguf {generate} --chat"));
    assert_eq!(chat, place.good(&format!("generate one {generate} --chat")));
    for dtype in ["f16", "bf16", "q8_0", "q4_0"] {
        let converted = place.jarrah(&format!("model convert one few.gguf --format gguf --dtype {dtype}"));
        // Rows of 16 numbers are no whole blocks.
        let note =
            converted.err.contains("14 matrices are stored as F16") && converted.err.contains("f16[300, 16]");
        assert!(if dtype.starts_with('q') { note } else { converted.err.is_empty() }, "{converted:?}");
        place.good("model diff one few.gguf --tokens ids.json --tolerance 1");
        place.good(&format!("generate few.gguf {generate}"));
    }
    place.good("model convert one half");
    fs::remove_file(place.path("half/tokenizer.json")).unwrap();
    let without = place.jarrah("model convert half without.gguf --format gguf");
    assert!(without.err.contains("the file has no tokenizer"), "{without:?}");
    place.refused(&format!("generate without.gguf {generate}"), "the model has no tokenizer");
    // A folder again, with the tokenizer.
    place.good("model convert one.gguf again");
    assert!(place.good("model diff one again --tokens ids.json").contains("within 1e-4"));
    assert_eq!(
        place.good(&format!("generate again {generate}")),
        place.good(&format!("generate one {generate}"))
    );
    place.refused("model convert one half --dtype q8_0", "blocks of few bits are a form of GGUF");
    place.refused(
        "model convert one half --dtype q5",
        "invalid value 'q5' for '--dtype <DTYPE>': q5 is none of f16, bf16, f32, f64, q8_0, q4_0",
    );
    place.refused(
        "model convert one half.gguf --format gguf --dtype f64",
        "matrices of a GGUF file are not f64 here",
    );
}

#[test]
fn weights_without_a_model_are_listed() {
    let place = Place::new();
    folder(&place.path("one"), 0);
    let weights = place.good("model params one/model.safetensors");
    assert!(weights.contains("model.layers.0.self_attn.q_proj.weight"), "{weights}");
    assert!(place.good("model info one/model.safetensors").contains("there is no config.json"));
    assert!(place.good("model tree one/model.safetensors").contains("self_attn"));
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/golden/");
    let pickle = place.good(&format!("model params {golden}zip.pt"));
    assert!(pickle.contains("nested.list.0"), "{pickle}");
    fs::create_dir(place.path("bin")).unwrap();
    fs::copy(format!("{golden}legacy.pt"), place.path("bin/pytorch_model.bin")).unwrap();
    assert!(place.good("model info bin").contains("format   pickle"));
    place.refused("model logits bin --tokens ids.json --out x", "bin are weights without a config.json");
    place.refused("model info bin/pytorch_model.txt", "there is no model shape called");
}

#[test]
fn models_that_are_no_decoders_are_known() {
    let place = Place::new();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/tests/encoders/");
    fs::write(place.path("ids.json"), "[[1, 2, 3], [4, 5, 6]]").unwrap();
    for name in ["bert", "bert_classes", "t5_gated", "t5_near"] {
        let from = format!("{golden}{name}");
        place.good(&format!("model info {from}"));
        let tree = place.good(&format!("model tree {from}"));
        assert!(tree.contains("attention"), "{tree}");
        place.good(&format!("model convert {from} {name}"));
        assert!(place.good(&format!("model diff {from} {name} --tokens ids.json")).contains("within 1e-4"));
        place.good(&format!("model logits {name} --tokens ids.json --out {name}.safetensors"));
    }
    let image = jarrah::array::Array::ones(&[1, 3, 12, 12]).to_literal().unwrap();
    let image = [jarrah::formats::Tensor::of("pixel_values", &image)];
    jarrah::formats::save_file(&place.path("image"), &image, &Default::default()).unwrap();
    for name in ["vit", "resnet"] {
        let from = format!("{golden}{name}");
        let json: serde_json::Value =
            serde_json::from_str(&place.good(&format!("model info {from} --json"))).unwrap();
        assert_eq!((&json["family"], &json["classes"]), (&name.into(), &3.into()));
        place.good(&format!("model convert {from} {name} --dtype bf16"));
        let params = place.good(&format!("model params {name}"));
        assert!(params.contains("classifier.weight"), "{params}");
        place.good(&format!("model diff {from} {name} --pixels image --tolerance 0.1"));
        place.good(&format!("model logits {from} --pixels image --out logits"));
        place.refused(
            &format!("model logits {from} --tokens ids.json --out x"),
            "the model is given pictures, not tokens",
        );
    }
    place.refused("model logits bert --pixels image --out x", "the model is given tokens, not pictures");
    fs::write(place.path("long.json"), serde_json::to_string(&vec![1; 33]).unwrap()).unwrap();
    place.refused("model logits bert --tokens long.json --out x", "long.json: 33 tokens for a model of 32");
    place.refused("model convert bert bert.gguf --format gguf", "a model of the kind `bert` is no decoder");
    place.refused("generate bert --prompt a", "a model of the kind `bert` is no decoder");
}

/// A model in few bits is written, measured before and after, and read by every command; what is wrong is said.
#[test]
fn models_are_quantized_by_commands() {
    let place = Place::new();
    folder(&place.path("one"), 0);
    fs::write(place.path("text.txt"), "the quick brown fox jumps over the lazy dog ".repeat(60)).unwrap();
    fs::write(place.path("rules.txt"), "# what matters most\nblocks.*.mlp.down = int8\nblocks.0.**=leave\n")
        .unwrap();
    let text = "--calibration text.txt --context 16 --samples 8";
    for (to, command, count) in [
        ("rtn", "--scheme int4:16", 14),
        ("awq", "--method awq --scheme uint4:16 --rules rules.txt", 8),
        ("gptq", "--method gptq --scheme int4:16 --act-order", 14),
        ("few", "--scheme nf4:16", 14),
    ] {
        let told = place.good(&format!("model quantize one {to} {command} {text}"));
        assert!(
            told.contains("perplexity") && told.contains(&format!("{count} weights in few bits")),
            "{told}"
        );
        let told = place.good(&format!("generate {to} --prompt the --max-tokens 3 --temperature 0"));
        assert!(told.starts_with("the"), "{told}");
    }
    let json = place.good(&format!("model quantize one again --scheme w8a8 --json {text}"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["bytes"].as_u64().unwrap() < json["bytes_before"].as_u64().unwrap());
    let off = json["perplexity"].as_f64().unwrap() / json["perplexity_before"].as_f64().unwrap();
    assert!((0.9..1.1).contains(&off), "{json}");
    let whole = place.good("eval one --data text.txt --context 16 --json");
    let few = place.good("eval one --data text.txt --context 16 --json --quantize int8,head=int8");
    assert_ne!(whole, few);
    for (command, message) in [
        ("model quantize one two --method awq", "awq and gptq look at what the model does with a text"),
        ("model quantize one two --scheme int4", "16 inputs are no whole groups of 128"),
        ("model quantize rtn two --scheme int8", "blocks.0.attention.q.weight is in few bits already"),
        (
            "model quantize one two --scheme int8 --method gptq --calibration text.txt --context 9999",
            "--context is 9999",
        ),
        ("generate one --prompt a --quantize int4:32,blocks.9=int8", "the model has no weight at `blocks.9`"),
        ("generate rtn --prompt a --quantize int8", "blocks.0.attention.q.weight is in few bits already"),
        ("serve one --quantization awq", "--quantization is awq, and the folder has its weights as they are"),
        (
            "serve rtn --quantization gptq",
            "--quantization is gptq, and the weights are quantized by compressed-tensors",
        ),
        ("model quantize one rtn --scheme int4:16", "rtn is there, and is no empty folder"),
    ] {
        place.refused(command, message);
    }
    // What failed leaves nothing.
    assert!(!place.path("two").exists() && !place.path(".two.partial").exists());
    // Nor does what is killed leave a folder that looks whole, and the next one takes its place.
    let mut noise = Noise(7);
    for kill in 0..12 {
        let command = format!("model quantize one killed --scheme int4:16 {text}");
        let mut child = place.command(&command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(noise.below(Duration::from_millis(600)));
        child.kill().unwrap();
        child.wait().unwrap();
        if place.path("killed").exists() {
            place.good("generate killed --prompt the --max-tokens 1");
            fs::remove_dir_all(place.path("killed")).unwrap();
        }
        if kill == 11 {
            place.good(&command);
            assert!(!place.path(".killed.partial").exists());
        }
    }
}
