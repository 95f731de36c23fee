//! Fine-tuning, from the command line.

use std::fs;

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
    place.refused("eval model --chats chats.jsonl", "model has no chat template");
    let out = place.good("train --help-recipe");
    assert!(
        out.contains("lora.rank=0 ") && out.contains(" The rank; 0 trains the weights themselves."),
        "{out}"
    );
}
