//! Damaged bodies, and damaged requests.

use std::time::Duration;

use jarrah_testing::client::TestClient;
use jarrah_testing::mutants::{MutantLimits, Random, Trial, alone, change, damage, mutants, text_of};
use serde_json::{Value, json};

use crate::support::{Running, engine};

/// Requests that have nearly every field.
fn requests() -> Vec<(&'static str, Value)> {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let tool =
        json!({"type": "function", "function": {"name": "look", "description": "d", "parameters": schema}});
    let sampling = json!({
        "model": "tiny", "n": 2, "temperature": 0.7, "top_p": 0.9, "top_k": 5, "min_p": 0.01, "presence_penalty": 0.1,
        "frequency_penalty": 0.1, "repetition_penalty": 1.1, "seed": 3, "stop": ["zz", "yy"], "stop_token_ids": [7],
        "include_stop_str_in_output": true, "ignore_eos": false, "min_tokens": 1, "skip_special_tokens": true,
        "logit_bias": {"97": 1.5, "98": -3}, "allowed_token_ids": [97, 98, 99, 100, 7], "bad_words": ["xx"],
        "priority": 1, "cache_salt": "salt", "truncate_prompt_tokens": 20, "return_token_ids": true, "user": "u",
        "max_tokens": 4, "truncation_side": "left",
    });
    let with = |more: Value| {
        let mut asked = sampling.clone();
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        asked
    };
    let messages = json!([
        {"role": "system", "content": "fn"},
        {"role": "user", "content": [{"type": "text", "text": "main"}]},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{\"a\": 1}"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "2"},
    ]);
    vec![
        ("/v1/completions", with(json!({"prompt": "fn main", "logprobs": 2, "echo": true}))),
        (
            "/v1/completions",
            with(json!({"prompt": [[97, 98], [99]], "prompt_logprobs": 1, "add_special_tokens": true})),
        ),
        (
            "/v1/completions",
            with(
                json!({"prompt": ["fn", "main"], "stream": true, "stream_options": {"include_usage": true}}),
            ),
        ),
        (
            "/v1/chat/completions",
            with(json!({"messages": messages, "logprobs": true, "top_logprobs": 2, "echo": true})),
        ),
        (
            "/v1/chat/completions",
            with(json!({
                "messages": messages, "stream": true, "stream_options": {"continuous_usage_stats": true},
                "tools": [tool], "tool_choice": "none", "parallel_tool_calls": true, "documents": [{"title": "a", "text": "b"}],
                "chat_template_kwargs": {"enable_thinking": true}, "reasoning_effort": "low",
                "response_format": {"type": "text"},
            })),
        ),
        (
            "/v1/chat/completions",
            json!({
                "messages": messages, "max_completion_tokens": 3, "continue_final_message": true, "tools": [tool],
                "tool_choice": {"type": "function", "function": {"name": "look"}},
                "response_format": {"type": "json_schema", "json_schema": {"name": "s", "schema": schema, "strict": true}},
            }),
        ),
        (
            "/v1/responses",
            json!({
                "input": [
                    {"role": "user", "content": [{"type": "input_text", "text": "fn"}]},
                    {"type": "function_call", "name": "look", "arguments": "{}", "call_id": "1"},
                    {"type": "function_call_output", "call_id": "1", "output": "2"}],
                "instructions": "i", "max_output_tokens": 3, "stream": true, "metadata": {"a": "b"}, "top_logprobs": 1,
                "include": ["message.output_text.logprobs"], "text": {"format": {"type": "text"}}, "temperature": 0.5,
            }),
        ),
        (
            "/v1/responses",
            json!({
                "input": "fn", "max_output_tokens": 3, "tools": [{"type": "function", "name": "look", "parameters": schema}],
                "tool_choice": "none", "text": {"format": {"type": "json_schema", "name": "s", "schema": schema}},
                "reasoning": {"effort": "low"}, "parallel_tool_calls": false,
            }),
        ),
        (
            "/v1/embeddings",
            with(json!({"input": ["fn main", "fn"], "encoding_format": "base64", "dimensions": 32})),
        ),
        (
            "/pooling",
            json!({"input": [[97, 98], [99]], "use_activation": false, "truncate_prompt_tokens": 1}),
        ),
        ("/score", json!({"text_1": "fn", "text_2": ["fn", "main"], "priority": 2})),
        ("/rerank", json!({"query": "fn", "documents": ["fn", {"text": "main"}], "top_n": 1})),
        ("/tokenize", json!({"prompt": "fn main", "add_special_tokens": true, "return_token_strs": true})),
        ("/tokenize", json!({"messages": messages, "add_generation_prompt": true})),
        ("/detokenize", json!({"tokens": [97, 98, 99]})),
    ]
}

/// What the server says of a request; anything but an answer or a refusal is a defect.
fn outcome(client: &mut TestClient, path: &str, body: &[u8]) -> Result<&'static str, String> {
    let reply = client.ask("POST", path, &[], Some(body));
    let text = String::from_utf8_lossy(&reply.body);
    match reply.status {
        200 if text.contains("server_error") => Err(format!("an answer failed: {text}")),
        200 => Ok("answered"),
        400 | 404 | 413 => {
            let error = serde_json::from_slice::<Value>(&reply.body).map_err(|e| format!("{e}: {text}"))?;
            match error["error"]["message"].as_str() {
                Some(message) if !message.is_empty() => Ok("refused"),
                _ => Err(format!("a refusal without words: {text}")),
            }
        }
        status => Err(format!("status {status}: {text}")),
    }
}

#[test]
fn damaged_bodies_are_answered_or_refused() {
    alone("mutants::damaged_bodies_are_answered_or_refused", || {
        let server = Running::new(&engine(), |_| {});
        let requests = requests();
        let mut client = TestClient::new(&server.address);
        for (path, asked) in &requests {
            let first = outcome(&mut client, path, asked.to_string().as_bytes());
            assert!(first.is_ok(), "{path}: {first:?}");
        }
        let limits = MutantLimits { time: Duration::from_secs(5), memory: 256 << 20 };
        let counts = Trial::run(limits, 10_000, |number, random| {
            let (path, mut asked) = requests[number % requests.len()].clone();
            change(&mut asked, random);
            outcome(&mut client, path, &text_of(&asked, random))
        });
        let total: usize = counts.values().sum();
        assert!(counts["answered"] > total / 10 && counts["refused"] > total / 10, "{counts:?}");
        assert_eq!(client.get("/load").json(), json!({"server_load": 0}));
    });
}

#[test]
fn damaged_requests_end_in_an_answer_or_a_closed_connection() {
    let server = Running::new(&engine(), |options| {
        options.http.head_time = Duration::from_millis(20);
        options.http.body_time = Duration::from_millis(20);
    });
    let body = json!({"prompt": "fn", "max_tokens": 2}).to_string();
    let request = format!(
        "POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer a\r\n\
         x-request-id: b\r\norigin: c\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    for number in 0..mutants(1000).min(5000) as u64 {
        let mut random = Random((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut bytes = request.clone().into_bytes();
        damage(&mut bytes, request.as_bytes(), &mut random);
        let mut client = TestClient::new(&server.address);
        client.write(&bytes).unwrap();
        if !client.is_closed() {
            let status = client.head().status;
            assert!(status < 500, "mutant {number}: {status}");
        }
    }
    assert_eq!(TestClient::new(&server.address).get("/health").status, 200);
}
