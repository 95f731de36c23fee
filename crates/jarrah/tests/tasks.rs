//! Fine-tuning, from the command line.

use std::fs;

use jarrah::array::DType;
use jarrah::array::random::Key;
use jarrah::models::{Extents, Pretrained};
use jarrah::tokenizer::{TrainOptions, train};

use crate::support::Place;

/// A small model with its tokenizer as `model`, and chats of it as `chats.jsonl`.
pub fn with_model() -> Place {
    let place = Place::new();
    let chat = |i: usize| {
        format!(
            "{{\"messages\": [{{\"role\": \"user\", \"content\": \"what is {i}?\"}}, {{\"role\": \"assistant\", \"content\": \"it is {i}\"}}]}}\n"
        )
    };
    let chats: String = (0..40).map(chat).collect();
    fs::write(place.path("chats.jsonl"), &chats).unwrap();
    let tokenizer = train(&[chats], &TrainOptions::new(280)).unwrap();
    let extents = Extents { vocabulary: Some(tokenizer.vocab_size()), ..Extents::default() };
    let json = extents.set(Pretrained::preset("test-llama").unwrap()).unwrap();
    Pretrained::random(json, &Key::new(0)).unwrap().save(place.path("model")).unwrap();
    tokenizer.save(&place.path("model/tokenizer.json")).unwrap();
    place
}

pub const SFT: &str = "--model model --data chats.jsonl task=sft data.template=chatml model.context=32 batch=2 lora.rank=2 \
                       lora.quantize=nf4 log.every=1 eval.every=7";

#[test]
fn a_model_is_fine_tuned_asked_measured_and_written_for_others() {
    let place = with_model();
    let out = place.good(&format!("train {SFT} steps=6 --out run"));
    assert!(out.contains(" parameters, ") && out.contains(" trained, 2 layers x 16, context 32"), "{out}");
    // A weight in few bits counts as the numbers that it stands for.
    let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
    let line = out.lines().find_map(|line| line.strip_prefix("model: ")).unwrap();
    let counts: Vec<&str> = line.split_whitespace().collect();
    let (all, trained) = (number(counts[0]), number(counts[2]));
    let told: serde_json::Value = serde_json::from_str(&place.good("model info model --json")).unwrap();
    assert_eq!(all - trained, told["parameters"].as_u64().unwrap(), "{line}");
    assert!(out.contains("adapter: run/adapter, of rank 2"), "{out}");
    let next = out.lines().last().unwrap();
    assert!(next.contains(" generate run --chat --prompt 'what is "), "{next}");
    place.good("generate run --chat --prompt what --max-tokens 5");
    fs::write(place.path("questions.jsonl"), "{\"prompt\": \"what is 3?\", \"answer\": \"it is 3\"}\n")
        .unwrap();
    let out =
        place.good("eval run --chats chats.jsonl --data text --answers questions.jsonl --context 32 --json");
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(found["chat_perplexity"].as_f64().unwrap() > 1.0 && found["exact_answers"].is_number(), "{out}");
    // Bytes differ between 40 chats and text: so do the tokens that count.
    assert!(found["chat_tokens"].as_f64().unwrap() < found["tokens"].as_f64().unwrap(), "{out}");
    place.refused("eval run", "there is nothing to measure on");
    place.refused("eval model --chats chats.jsonl", "the model has no chat template");
    let out = place.good("train --help-recipe");
    assert!(
        out.contains("lora.rank=0 ") && out.contains(" The rank; 0 trains the weights themselves."),
        "{out}"
    );
}

/// Weights that began at random know sequences as long as those that they learned from, whatever their shape is published for.
#[test]
fn a_converted_model_has_the_length_that_it_was_trained_with() {
    let place = with_model();
    let length = |folder: &str| {
        let text = fs::read(place.path(&format!("{folder}/config.json"))).unwrap();
        serde_json::from_slice::<serde_json::Value>(&text).unwrap()["max_position_embeddings"].clone()
    };
    place.good("train --model test-llama --data text steps=1 batch=2 model.context=16 tokenizer.vocab_size=300 sample.tokens=0 --out run");
    place.good("model convert run folder");
    place.good("model convert run run.gguf");
    assert_eq!(length("folder"), 16);
    assert!(place.good("model info run.gguf --json").contains("\"context\":16"));
    let told = |run: &str| {
        let lines = place.good(&format!("model info {run}"));
        let line = lines.lines().find_map(|line| line.strip_prefix("context ")).unwrap().trim().to_owned();
        let json: serde_json::Value =
            serde_json::from_str(&place.good(&format!("model info {run} --json"))).unwrap();
        (line, json["context"].clone(), json["shape_context"].clone())
    };
    let shape = told("test-llama").1;
    let line = format!("16, as it was trained: its shape has {shape}");
    assert_eq!(told("run"), (line, 16.into(), shape));
    assert_eq!(told("folder"), ("16".to_owned(), 16.into(), serde_json::Value::Null));
    fs::write(place.path("ids.json"), "[[1, 2, 3, 4]]").unwrap();
    assert!(place.good("model diff run folder --tokens ids.json").contains(" activations within 1e-4"));
    // Those of a folder know what they knew before.
    place
        .good("train --model model --data text steps=1 batch=2 model.context=16 sample.tokens=0 --out tuned");
    place.good("model convert tuned other");
    assert_eq!(length("other"), 64);
    assert_eq!(
        told("tuned"),
        ("64, of which it was trained here with 16".to_owned(), 64.into(), serde_json::Value::Null)
    );
}

#[test]
fn the_model_of_a_run_is_shown_compared_and_written_in_other_files() {
    let place = with_model();
    place.good(&format!("train {SFT} steps=6 --out run"));
    fs::write(place.path("ids.json"), "[[1, 2, 3, 4], [5, 6, 7, 8]]").unwrap();
    place.good("model convert run merged");
    place.good("model convert model adapted --adapter run/adapter");
    let weights = |folder: &str| fs::read(place.path(&format!("{folder}/model.safetensors"))).unwrap();
    assert_eq!(weights("merged"), weights("adapted"));
    assert_ne!(weights("merged"), weights("model"));

    let same = |arguments: &str, other: &str| {
        let [a, b] = ["run", other].map(|model| place.good(&arguments.replace("MODEL", model)));
        assert_eq!(a, b, "{arguments}");
    };
    same("model info MODEL --json", "merged");
    same("model params MODEL", "merged");
    same("model tree MODEL", "merged");
    assert!(place.good("model diff run merged --tokens ids.json").contains(" activations within 1e-4"));
    let differ = place.jarrah("model diff run model --tokens ids.json");
    assert!(differ.code == Some(2) && differ.err.contains("activations differ by more than"), "{differ:?}");
    place.good("model logits run --tokens ids.json --out run.safetensors");
    place.good("model logits merged --tokens ids.json --out merged.safetensors");
    let logits = |name: &str| fs::read(place.path(name)).unwrap();
    assert_eq!(logits("run.safetensors"), logits("merged.safetensors"));
    place.good("model convert run half --dtype bf16");
    let half = Pretrained::load(place.path("half"), None).unwrap().model;
    assert_eq!(half.embed.table.dtype(), DType::BF16);

    // The folder has the tokenizer and the template of the run, and so has the file.
    place.good("model convert run run.gguf --format gguf");
    let asked = |model: &str| place.good(&format!("generate {model} --chat --prompt what --max-tokens 5"));
    assert_eq!(asked("merged"), asked("run.gguf"));
    let measured = |model: &str| place.good(&format!("eval {model} --chats chats.jsonl --context 32"));
    assert_eq!(measured("merged"), measured("run.gguf"));
    let going_on = "--prompt what --max-tokens 5";
    assert_eq!(
        place.good(&format!("generate merged {going_on}")),
        place.good(&format!("generate model --adapter run/adapter {going_on}"))
    );
    // Where there are no links, a file names the run.
    fs::write(place.path("latest"), "run\n").unwrap();
    assert_eq!(asked("latest"), asked("run"));
    assert_eq!(place.good("model info latest"), place.good("model info run"));
    place.refused(
        "generate run --adapter run/adapter --prompt what",
        "run is a run, and run/adapter an adapter",
    );
}
