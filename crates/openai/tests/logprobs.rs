//! What is told of tokens: names, bytes and places in the text. The model of the tests says bytes at random, which are parts of characters, or none.

use jarrah_testing::client::post;
use serde_json::{Value, json};

use crate::support::{tokenizer, usual};

fn bytes(entry: &Value) -> Vec<u8> {
    entry["bytes"].as_array().unwrap().iter().map(|byte| byte.as_u64().unwrap() as u8).collect()
}

fn joined(content: &[Value]) -> String {
    String::from_utf8_lossy(&content.iter().flat_map(bytes).collect::<Vec<u8>>()).into_owned()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().unwrap().clone()
}

/// An answer of many tokens that are no characters by themselves.
fn asked(seed: u64) -> Value {
    json!({
        "messages": [{"role": "user", "content": "fn"}], "max_tokens": 60, "seed": seed, "temperature": 1.5, "logprobs": true,
        "top_logprobs": 3, "return_token_ids": true, "min_tokens": 40,
    })
}

#[test]
fn bytes_of_logprobs_are_those_of_the_tokens_and_joined_the_text() {
    let (server, tokenizer) = (usual(), tokenizer());
    let mut parts = 0;
    for seed in 0..6 {
        let whole = post(&server.address, "/v1/chat/completions", &asked(seed)).json();
        let choice = &whole["choices"][0];
        let content = list(&choice["logprobs"]["content"]);
        assert_eq!(joined(&content), choice["message"]["content"].as_str().unwrap());
        let ids = list(&choice["token_ids"]);
        assert_eq!(ids.len(), content.len());
        for (id, entry) in ids.iter().zip(&content) {
            let own = tokenizer.token_bytes(id.as_u64().unwrap() as u32).unwrap();
            assert!(bytes(entry) == own || bytes(entry).is_empty(), "{entry}");
            for top in list(&entry["top_logprobs"]) {
                let name = top["token"].as_str().unwrap();
                match String::from_utf8(bytes(&top)) {
                    Ok(text) => assert_eq!(name, text),
                    Err(part) => {
                        let hex: String =
                            part.as_bytes().iter().map(|byte| format!("\\x{byte:02x}")).collect();
                        assert_eq!(name, format!("bytes:{hex}"));
                        parts += 1;
                    }
                }
            }
        }

        let mut streamed = asked(seed);
        streamed["stream"] = true.into();
        let events = post(&server.address, "/v1/chat/completions", &streamed).events();
        let told = events.iter().filter_map(|event| event["choices"][0]["logprobs"]["content"].as_array());
        let told: Vec<Value> = told.flatten().cloned().collect();
        assert_eq!(told, content);
    }
    assert!(parts > 50, "{parts} tokens that are parts of characters");
}

#[test]
fn bytes_of_a_response_joined_are_its_text() {
    let server = usual();
    let asked = json!({
        "input": "fn", "max_output_tokens": 60, "temperature": 1.5, "include": ["message.output_text.logprobs"], "top_logprobs": 2,
        "ignore_eos": true,
    });
    let body = post(&server.address, "/v1/responses", &asked).json();
    let part = &body["output"][0]["content"][0];
    assert_eq!(joined(&list(&part["logprobs"])), part["text"].as_str().unwrap());
}

/// The token that ends an answer is no part of its text, and is told with its probability all the same.
#[test]
fn a_token_that_ends_the_text_has_no_bytes_of_it() {
    let server = usual();
    let mut asked = asked(1);
    let ids = list(&post(&server.address, "/v1/chat/completions", &asked).json()["choices"][0]["token_ids"]);
    asked["min_tokens"] = 0.into();
    asked["stop_token_ids"] = json!([ids[20]]);
    let body = post(&server.address, "/v1/chat/completions", &asked).json();
    let choice = &body["choices"][0];
    let content = list(&choice["logprobs"]["content"]);
    assert_eq!(joined(&content), choice["message"]["content"].as_str().unwrap());
    let last = content.last().unwrap();
    assert_eq!((&last["bytes"], &choice["stop_reason"]), (&json!([]), &ids[20]));
    assert!(!last["token"].as_str().unwrap().is_empty());
}

/// A token of a part of a character begins where the character does, or behind it.
#[test]
fn offsets_of_a_completion_count_characters_once() {
    let server = usual();
    for stream in [false, true] {
        let asked = json!({
            "prompt": "größe €", "max_tokens": 0, "echo": true, "logprobs": 1, "stream": stream,
        });
        let reply = post(&server.address, "/v1/completions", &asked);
        let choice = match stream {
            false => reply.json()["choices"][0].clone(),
            true => reply.events()[0]["choices"][0].clone(),
        };
        assert_eq!(choice["text"], "größe €");
        let offsets: Vec<u64> =
            list(&choice["logprobs"]["text_offset"]).iter().map(|at| at.as_u64().unwrap()).collect();
        // A token for each byte: two for ö and ß, three for the sign.
        assert_eq!(offsets, [0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7].map(|at: u64| at), "{choice}");
        let tokens = list(&choice["logprobs"]["tokens"]);
        assert_eq!((&tokens[2], &tokens[3]), (&json!("bytes:\\xc3"), &json!("bytes:\\xb6")));
    }
}

/// Bytes that are no UTF-8 are characters of the text, one for each part that begins none.
#[test]
fn offsets_of_a_completion_count_bytes_that_are_no_text() {
    let server = usual();
    let [first, second] = tokenizer().encode("é").unwrap()[..] else { panic!("two bytes") };
    let [one] = tokenizer().encode("1").unwrap()[..] else { panic!("one byte") };
    let prompt = [second, second, one, first, one, first, second, one];
    let asked = json!({"prompt": prompt, "max_tokens": 0, "echo": true, "logprobs": 1});
    let body = post(&server.address, "/v1/completions", &asked).json();
    let choice = &body["choices"][0];
    assert_eq!(choice["text"], "\u{fffd}\u{fffd}1\u{fffd}1é1");
    assert_eq!(choice["logprobs"]["text_offset"], json!([0, 1, 2, 3, 4, 5, 6, 6]));
}
