//! `jarrah model`, and `generate` with a folder of Hugging Face.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use jarrah::array::random::Key;
use jarrah::models::Pretrained;
use jarrah::tokenizer::{TrainOptions, train};

use crate::support::{Done, Noise, Place};

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
fn a_model_without_a_tokenizer_goes_on_from_ids_of_tokens() {
    let place = Place::new();
    folder(&place.path("one"), 0);
    fs::remove_file(place.path("one/tokenizer.json")).unwrap();
    let generate = |prompt: &str| {
        let mut command = place.command("generate one --max-tokens 4 --temperature 0 --prompt");
        Done::from(command.arg(prompt).output().unwrap())
    };
    let done = generate("[1, 2, 3]");
    let ids: Vec<u32> = serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {done:?}"));
    assert!(ids.len() == 7 && ids[..3] == [1, 2, 3], "{done:?}");
    assert_eq!(generate("[1,2,3]").out, done.out);
    // A generated list is a prompt.
    let more: Vec<u32> = serde_json::from_str(&generate(done.out.trim()).out).unwrap();
    assert_eq!((more.len(), &more[..7]), (11, &ids[..]));
    for (prompt, message) in
        [("the fox", "takes no text"), ("", "starts from tokens"), ("[1, -2]", "takes no text")]
    {
        let done = generate(prompt);
        done.is_refused("one has no tokenizer, so it ");
        assert!(done.err.contains(message) && done.err.contains("--prompt \"[1, 2, 3]\""), "{done:?}");
    }
    generate("[]").is_refused("");
    generate("[1, 999999]").is_refused("");
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
    place.refused("model convert nothing out", "nothing does not exist");
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
    let written = place.good("model convert one one.gguf --dtype f32");
    assert!(written.ends_with(" serve one.gguf\n") && written.contains("\nnext: "), "{written}");
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
    place.refused(
        &format!("generate without.gguf {generate}"),
        "without.gguf has no tokenizer, so it takes no text",
    );
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

/// What a run trains, whose files have their matrices transposed, is written in few bits, measured, and served as the run itself is with the same rules.
#[test]
fn runs_are_quantized_by_commands() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run");
    for scheme in ["int4:8", "nf4:8", "w8a8"] {
        let told = place.good(&format!(
            "model quantize run {scheme} --scheme {scheme} --eval text/01.txt --context 8 --json"
        ));
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let measured = |what: &str| -> f64 {
            let json = place.good(&format!("eval {what} --data text/01.txt --context 8 --json"));
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            json["perplexity"].as_f64().unwrap()
        };
        let off = |a: f64, b: &serde_json::Value| (a / b.as_f64().unwrap() - 1.0).abs();
        assert!(off(measured("run"), &told["perplexity_before"]) < 1e-9, "{scheme}: {told}");
        for what in [scheme.to_owned(), format!("run --quantize {scheme}")] {
            let found = measured(&what);
            assert!(off(found, &told["perplexity"]) < 1e-9, "{what}: {found} and {told}");
        }
        let texts = [scheme.to_owned(), format!("run --quantize {scheme}")]
            .map(|what| place.good(&format!("generate {what} --prompt line --max-tokens 4 --temperature 0")));
        assert_eq!(texts[0], texts[1]);
    }
    // What cannot be written is said before the text is read, which is not there.
    for (rules, message) in [
        ("int8\nhead=int8", "the rule `head=int8` names the output layer"),
        ("int8\n*.*.attention.q=leave", "transformer.h.0.attn.c_attn.weight is one matrix of the file"),
        ("nf4:8\nblocks.*.mlp.up=int8", "3 matrices are nf4 and 1 are not"),
    ] {
        fs::write(place.path("rules"), rules).unwrap();
        place.refused("model quantize run two --rules rules --eval nothing.txt", message);
        assert!(!place.path("two").exists() && !place.path(".two.partial").exists());
    }
}

/// What is in few bits, by which scheme and in how many bytes, is said of folders, those of others too, and of GGUF files.
#[test]
fn what_is_in_few_bits_is_said() {
    let place = Place::new();
    folder(&place.path("one"), 0);
    let info = |what: &str| -> (String, serde_json::Value) {
        let json = place.good(&format!("model info {what} --json"));
        (place.good(&format!("model info {what}")), serde_json::from_str(&json).unwrap())
    };
    fs::write(
        place.path("rules"),
        "blocks.0.mlp.down=int8\nhead=int8\nblocks.1.attention.{q,k}=leave\nint4:8",
    )
    .unwrap();
    place.good("model quantize one few --rules rules");
    let (told, json) = info("few");
    for line in [
        "int4:8, ",
        "bits each: blocks.{0}.attention.{q,k}, blocks.*.attention.{v,out}, ",
        "blocks.{1}.mlp.down",
        ", 8.",
        "blocks.{0}.mlp.down, head\n",
        "embed, blocks.{1}.attention.{q,k} and ",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let file = fs::metadata(place.path("few/model.safetensors")).unwrap().len();
    let bytes = json["bytes"].as_u64().unwrap();
    assert!(bytes < file && file - bytes < 12_000, "{bytes} of {file}");
    let weights = json["quantization"]["weights"].as_array().unwrap();
    let all: u64 = weights.iter().map(|weight| weight["bytes"].as_u64().unwrap()).sum();
    assert_eq!((all, &json["quantization"]["method"]), (bytes, &"compressed-tensors".into()));
    let by = |scheme: &str| weights.iter().filter(|weight| weight["scheme"] == scheme).count();
    assert_eq!((by("int4:8"), by("int8")), (11, 2));
    // Numbers as they are have the bytes of their dtype.
    assert!(info("one").0.contains(" in f32") && info("one").1["quantization"].is_null());
    place.good("model convert one one.gguf --format gguf --dtype f16");
    assert!(info("one.gguf").1["quantization"].is_null());
    let others = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/tests/");
    for (what, method, scheme) in [
        ("packed/gptq", "gptq", "gptq4:32,"),
        ("packed/awq", "awq", "awq:32,"),
        ("packed/nf4_nested", "bitsandbytes", "nf4"),
        ("packed/ct_w8a8", "compressed-tensors", "w8a8"),
        ("families/gpt_oss_mxfp4", "mxfp4", "mxfp4"),
    ] {
        let (told, json) = info(&format!("{others}{what}"));
        assert_eq!(json["quantization"]["method"], method, "{told}");
        let line = told.lines().find(|line| line.starts_with("in few bits")).unwrap();
        assert!(line.contains(&format!("  {scheme}")), "{what}: {told}");
        let bits = json["quantization"]["bits_per_weight"].as_f64().unwrap();
        assert!(bits > 4.0 && bits < 24.0, "{told}");
    }
}

/// What is converted has its name when all of it is there: a full disk leaves nothing, and nothing is written over.
#[test]
fn converted_folders_are_whole() {
    let place = Place::new();
    folder(&place.path("one"), 0);
    let limited = |arguments: &str| {
        let line = format!("trap '' XFSZ; ulimit -f 40; exec {} {arguments}", env!("CARGO_BIN_EXE_jarrah"));
        let mut shell = std::process::Command::new("sh");
        crate::support::Done::from(shell.args(["-c", &line]).current_dir(place.path("")).output().unwrap())
    };
    for to in ["two", "above/two", "two.safetensors", "two.gguf"] {
        let before: Vec<_> =
            fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().path()).collect();
        let done = limited(&format!("model convert one {to}"));
        assert!(done.code == Some(1) && done.err.starts_with("error: cannot write"), "{done:?}");
        let after: Vec<_> =
            fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(before.len(), after.len(), "{to}: {after:?}");
    }
    place.good("model convert one above/two");
    place.good("generate above/two --prompt the --max-tokens 1");
    place.refused("model convert one above/two", "above/two is there, and is no empty folder");
}

/// A model in few bits is written, measured before and after, and read by every command; what is wrong is said.
#[test]
fn models_are_quantized_by_commands() {
    for file in ["x.gguf", "x.safetensors"] {
        let place = Place::new();
        place.refused(&format!("model quantize nothing {file}"), &format!("{file} is the name of a file"));
    }
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
        ("model quantize rtn two --scheme int8", "blocks.0.attention.k.weight is in few bits already"),
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
