//! Vectors, pairs and classes by encoders.

use jarrah_array::TreeExt;
use jarrah_array::random::Key;
use jarrah_base::Result;
use jarrah_models::{Bert, PretrainedModel};
use jarrah_serve::{Engine, EngineOptions, Pooling, ServedEncoder};
use jarrah_testing::client::{get, post};
use jarrah_tokenizer::Tokenizer;
use serde_json::{Value, json};

use crate::support::Running;

const WORDS: [&str; 12] =
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "dog", "sleeps", "fox", "runs", "over", "##s", "lazy"];

/// Words between `[CLS]` and `[SEP]`, two texts with one more `[SEP]`.
fn tokenizer() -> Tokenizer {
    let vocabulary: serde_json::Map<String, Value> =
        (0..).zip(WORDS).map(|(id, word)| (word.to_owned(), Value::from(id))).collect();
    let special = |name: &str, id: u32| json!({"id": name, "ids": [id], "tokens": [name]});
    let token = |id: &str, kind: u32| json!({"SpecialToken": {"id": id, "type_id": kind}});
    let text = |id: &str, kind: u32| json!({"Sequence": {"id": id, "type_id": kind}});
    let added = (0..4).map(|id| {
        json!({"id": id, "content": WORDS[id], "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})
    });
    let json = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": added.collect::<Vec<_>>(),
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [token("[CLS]", 0), text("A", 0), token("[SEP]", 0)],
            "pair": [token("[CLS]", 0), text("A", 0), token("[SEP]", 0), text("B", 1), token("[SEP]", 1)],
            "special_tokens": {"[CLS]": special("[CLS]", 2), "[SEP]": special("[SEP]", 3)},
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tokenizer.json"), json.to_string()).unwrap();
    Tokenizer::load(folder.path()).unwrap()
}

fn engine(classes: usize) -> Result<(Engine, Pooling)> {
    let kind = if classes == 0 { "BertModel" } else { "BertForSequenceClassification" };
    let json = json!({
        "model_type": "bert", "vocab_size": WORDS.len(), "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 16, "max_position_embeddings": 16, "architectures": [kind], "num_labels": classes,
    });
    let model = PretrainedModel::<Bert>::random(json, &Key::new(1))?.model;
    let model = model.map_leaves(|w: &jarrah_array::Array| w * 8.0);
    let served = ServedEncoder { tokenizer: Some(tokenizer()), ..ServedEncoder::new("bert", model) };
    let pooling = served.pooling;
    Ok((Engine::start_encoder(served, EngineOptions::default())?, pooling))
}

fn running(classes: usize) -> Running {
    let (engine, pooling) = engine(classes).unwrap();
    Running::new(&engine, |options| options.api.pooling = pooling)
}

#[test]
fn an_encoder_gives_vectors_and_nothing_else() {
    let server = running(0);
    let ask = |path: &str, body: Value| post(&server.address, path, &body);
    let reply =
        ask("/v1/embeddings", json!({"input": ["the dog sleeps", "the fox runs", "the dog sleeps"]})).json();
    assert_eq!(reply["usage"]["prompt_tokens"], 15);
    assert_eq!(reply["data"][0]["embedding"], reply["data"][2]["embedding"]);
    assert_ne!(reply["data"][0]["embedding"], reply["data"][1]["embedding"]);
    assert_eq!(reply["data"][0]["embedding"].as_array().unwrap().len(), 8);
    // A text as long as the context, and one that is longer.
    let long = "dog ".repeat(14);
    assert_eq!(ask("/v1/embeddings", json!({"input": long})).status, 200);
    let longer = "dog ".repeat(15);
    let refused = ask("/v1/embeddings", json!({"input": longer}));
    assert_eq!(
        (refused.status, refused.json()["error"]["code"].as_str()),
        (400, Some("context_length_exceeded"))
    );
    assert_eq!(ask("/v1/embeddings", json!({"input": longer, "truncate_prompt_tokens": -1})).status, 200);
    let score = ask("/score", json!({"text_1": "the dog", "text_2": ["the dog", "fox"]})).json();
    assert!((score["data"][0]["score"].as_f64().unwrap() - 1.0).abs() < 1e-6, "{score}");
    for (path, body) in
        [("/v1/completions", json!({"prompt": "the dog"})), ("/classify", json!({"input": "the dog"}))]
    {
        let reply = ask(path, body);
        assert_eq!(reply.status, 400, "{path}: {}", reply.text());
    }
    assert_eq!(get(&server.address, "/health").status, 200);
}

#[test]
fn a_model_of_pairs_scores_them_together() {
    let server = running(1);
    let ask = |path: &str, body: Value| post(&server.address, path, &body);
    let documents = ["the dog sleeps", "lazy fox", "runs over"];
    let scores = ask("/score", json!({"text_1": "the dog", "text_2": documents})).json();
    let scores: Vec<f64> =
        scores["data"].as_array().unwrap().iter().map(|one| one["score"].as_f64().unwrap()).collect();
    assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)) && scores[0] != scores[1], "{scores:?}");
    let (own, _) = engine(1).unwrap();
    assert_eq!(own.score("the dog", &documents, Pooling::Classes).unwrap(), scores);
    // One by one, and the other way round: it is no angle between two vectors.
    let alone = ask("/score", json!({"text_1": "the dog", "text_2": "lazy fox"})).json();
    assert_eq!(alone["data"][0]["score"].as_f64(), Some(scores[1]));
    let turned = ask("/score", json!({"text_1": "lazy fox", "text_2": "the dog"})).json();
    assert_ne!(turned["data"][0]["score"].as_f64(), Some(scores[1]));
    let ranks = ask("/rerank", json!({"query": "the dog", "documents": documents})).json();
    let ranks = ranks["results"].as_array().unwrap();
    for pair in ranks.windows(2) {
        assert!(pair[0]["relevance_score"].as_f64() >= pair[1]["relevance_score"].as_f64());
    }
    for rank in ranks {
        let index = rank["index"].as_u64().unwrap() as usize;
        assert_eq!(rank["relevance_score"].as_f64(), Some(scores[index]));
    }
    let bare =
        ask("/score", json!({"text_1": "the dog", "text_2": "lazy fox", "use_activation": false})).json();
    let logit = bare["data"][0]["score"].as_f64().unwrap();
    assert!((1.0 / (1.0 + (-logit).exp()) - scores[1]).abs() < 1e-12);
}

#[test]
fn a_classifier_says_classes() {
    let server = running(3);
    let ask = |path: &str, body: Value| post(&server.address, path, &body);
    let reply = ask("/classify", json!({"input": ["the dog sleeps", "fox"]})).json();
    for one in reply["data"].as_array().unwrap() {
        let probs: Vec<f64> = one["probs"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        assert!(probs.len() == 3 && (probs.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let best = (0..3).max_by(|&a, &b| probs[a].total_cmp(&probs[b])).unwrap();
        assert_eq!(one["label"], format!("LABEL_{best}"));
    }
    for (path, body) in [
        ("/v1/embeddings", json!({"input": "the dog"})),
        ("/score", json!({"text_1": "the dog", "text_2": "fox"})),
    ] {
        let reply = ask(path, body);
        assert!(reply.status == 400 && reply.text().contains("/classify"), "{}", reply.text());
    }
}
