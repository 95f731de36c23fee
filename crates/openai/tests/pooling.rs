use jarrah_array::{Array, TreeExt};
use jarrah_serve::Pooling;
use jarrah_testing::client::post;
use serde_json::{Value, json};

use crate::support::{Running, engine, model, own_engine, tokenizer, usual};

fn vector(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn vectors(address: &str, path: &str, asked: &Value) -> Vec<Vec<f64>> {
    let reply = post(address, path, asked);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let field = if path == "/pooling" { "data" } else { "embedding" };
    let body = reply.json();
    body["data"].as_array().unwrap().iter().map(|entry| vector(&entry[field])).collect()
}

#[test]
fn texts_become_vectors_of_length_one() {
    let server = usual();
    let ids = tokenizer().encode("fn main").unwrap();
    let body = post(&server.address, "/v1/embeddings", &json!({"input": ["fn main", "fn len"]})).json();
    assert_eq!((&body["object"], &body["data"][1]["index"]), (&json!("list"), &json!(1)));
    assert_eq!(body["data"][0]["object"], "embedding");
    assert_eq!(body["usage"]["prompt_tokens"], body["usage"]["total_tokens"]);
    let of = |input: Value| vectors(&server.address, "/v1/embeddings", &json!({"input": input}));
    let two = of(json!(["fn main", "fn len"]));
    assert!(two.iter().all(|v| (product(v, v) - 1.0).abs() < 1e-5) && two[0] != two[1]);
    assert_eq!(of(json!("fn main")), two[..1]);
    assert_eq!(of(json!(ids)), two[..1]);
    assert_eq!(of(json!([ids])), two[..1]);
    let pooled = vectors(&server.address, "/pooling", &json!({"input": "fn main"}));
    assert_eq!(pooled, two[..1]);
    let raw = vectors(&server.address, "/pooling", &json!({"input": "fn main", "use_activation": false}));
    let own = engine().encode(vec![ids.clone()], Pooling::Last).unwrap();
    assert_eq!(raw[0], own[0].iter().map(|&x| f64::from(x)).collect::<Vec<f64>>());
    let length = product(&raw[0], &raw[0]).sqrt();
    assert!((length - 1.0).abs() > 1e-3);
    assert!(raw[0].iter().zip(&two[0]).all(|(a, b)| (a / length - b).abs() < 1e-6));
    let chat = json!({"messages": [{"role": "user", "content": "fn"}]});
    let written = of(json!(tokenizer().encode("<user>fn\n<assistant>").unwrap()));
    assert_eq!(vectors(&server.address, "/v1/embeddings", &chat), written);
}

#[test]
fn vectors_come_in_base_64() {
    let server = usual();
    let asked = json!({"input": "fn main"});
    let plain = &vectors(&server.address, "/v1/embeddings", &asked)[0];
    let asked = json!({"input": "fn main", "encoding_format": "base64", "dimensions": plain.len()});
    let body = post(&server.address, "/v1/embeddings", &asked).json();
    let text = body["data"][0]["embedding"].as_str().unwrap();
    let digit = |c: char| match c {
        'A'..='Z' => c as u32 - 65,
        'a'..='z' => c as u32 - 97 + 26,
        '0'..='9' => c as u32 - 48 + 52,
        '+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for part in text.trim_end_matches('=').chars().collect::<Vec<char>>().chunks(4) {
        let bits = (0..4).fold(0, |bits, i| bits << 6 | part.get(i).map_or(0, |&c| digit(c)));
        bytes.extend(&bits.to_be_bytes()[1..part.len()]);
    }
    let numbers = bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap())));
    assert_eq!(&numbers.collect::<Vec<f64>>(), plain);
}

#[test]
fn pairs_are_scored_and_documents_ordered_by_cosines() {
    let server = usual();
    let texts = ["fn main", "fn len", "main"];
    let all = vectors(&server.address, "/v1/embeddings", &json!({"input": texts}));
    let near = |a: usize, b: usize| product(&all[a], &all[b]);
    let scores = engine().score(texts[0], &texts, Pooling::Last).unwrap();
    assert!(scores.iter().enumerate().all(|(i, score)| (score - near(0, i)).abs() < 1e-5), "{scores:?}");
    for path in ["/score", "/v1/score"] {
        let body = post(&server.address, path, &json!({"text_1": texts[0], "text_2": texts})).json();
        for (i, entry) in body["data"].as_array().unwrap().iter().enumerate() {
            assert!((entry["score"].as_f64().unwrap() - near(0, i)).abs() < 1e-5);
        }
        let asked = json!({"text_1": [texts[0], texts[1]], "text_2": [texts[2], texts[2]]});
        let body = post(&server.address, path, &asked).json();
        assert!((body["data"][1]["score"].as_f64().unwrap() - near(1, 2)).abs() < 1e-5);
    }
    for path in ["/rerank", "/v1/rerank", "/v2/rerank"] {
        let asked =
            json!({"query": texts[1], "documents": [texts[0], {"text": texts[1]}, texts[2]], "top_n": 2});
        let body = post(&server.address, path, &asked).json();
        let results = body["results"].as_array().unwrap();
        assert_eq!((results.len(), &results[0]["index"]), (2, &json!(1)));
        assert_eq!(results[0]["document"], json!({"text": texts[1]}));
        assert!((results[0]["relevance_score"].as_f64().unwrap() - 1.0).abs() < 1e-5);
        let second = if near(1, 0) >= near(1, 2) { 0 } else { 2 };
        assert_eq!(results[1]["index"], second);
    }
}

#[test]
fn what_has_no_vector_is_refused() {
    let server = usual();
    for (path, param, asked) in [
        ("/v1/embeddings", "input", json!({})),
        ("/v1/embeddings", "input", json!({"input": []})),
        ("/v1/embeddings", "input[0]", json!({"input": [null]})),
        ("/v1/embeddings", "dimensions", json!({"input": "fn", "dimensions": 3})),
        ("/v1/embeddings", "encoding_format", json!({"input": "fn", "encoding_format": "f16"})),
        ("/score", "text_2", json!({"text_1": "a"})),
        ("/score", "text_1", json!({"text_1": ["a", "b"], "text_2": ["a"]})),
        ("/rerank", "documents", json!({"query": "a", "documents": []})),
        ("/rerank", "documents[0].text", json!({"query": "a", "documents": [{}]})),
    ] {
        let reply = post(&server.address, path, &asked);
        assert_eq!((reply.status, reply.json()["error"]["param"].as_str()), (400, Some(param)), "{asked}");
    }
}

#[test]
fn a_request_has_texts_within_a_bound() {
    let server = usual();
    let inputs: Vec<[u32; 1]> = (0..2049).map(|i| [i % 256]).collect();
    let texts = vec!["fn"; 2049];
    let reply = post(&server.address, "/v1/embeddings", &json!({"input": inputs[..2048]}));
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.json()["data"].as_array().unwrap().len(), 2048);
    for (path, param, asked) in [
        ("/v1/embeddings", "input", json!({"input": inputs})),
        ("/pooling", "input", json!({"input": texts})),
        ("/rerank", "documents", json!({"query": "fn", "documents": texts})),
        ("/score", "text_1", json!({"text_1": texts, "text_2": texts})),
        ("/score", "documents", json!({"queries": "fn", "documents": texts})),
    ] {
        let reply = post(&server.address, path, &asked);
        let error = &reply.json()["error"];
        assert_eq!((reply.status, error["param"].as_str()), (400, Some(param)), "{path}: {error}");
        assert_eq!(error["message"], format!("`{param}` has 2049 texts, but a request has at most 2048"));
    }
}

#[test]
fn no_adapter_is_loaded_where_there_is_no_room() {
    let server = Running::new(&engine(), |options| options.api.dev = true);
    let asked = json!({"lora_name": "a", "lora_path": "nowhere"});
    for path in ["/v1/load_lora_adapter", "/v1/unload_lora_adapter"] {
        let reply = post(&server.address, path, &asked);
        assert_eq!(reply.status, 400, "{}", reply.text());
    }
    let reply =
        post(&server.address, "/v1/load_lora_adapter", &json!({"lora_name": "tiny", "lora_path": "a"}));
    assert_eq!(reply.json()["error"]["param"], "lora_name");
}

#[test]
fn a_model_whose_numbers_are_none_is_the_servers_fault() {
    let engine = own_engine();
    engine.set_weights(model().map_leaves(|w: &Array| w * f64::NAN)).unwrap();
    let server = Running::new(&engine, |_| {});
    for (path, asked) in [
        ("/v1/embeddings", json!({"input": "fn"})),
        ("/pooling", json!({"input": "fn"})),
        ("/score", json!({"text_1": "fn", "text_2": "fn"})),
        ("/v1/completions", json!({"prompt": "fn", "max_tokens": 2})),
        ("/v1/completions", json!({"prompt": "fn", "max_tokens": 2, "n": 2, "use_beam_search": true})),
    ] {
        let reply = post(&server.address, path, &asked);
        let error = &reply.json()["error"];
        assert_eq!((reply.status, error["type"].as_str()), (500, Some("server_error")), "{path}: {error}");
        assert!(error["message"].as_str().unwrap().contains("are not numbers"), "{path}: {error}");
    }
}
