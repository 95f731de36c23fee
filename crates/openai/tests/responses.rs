use jarrah_testing::client::{get, post};
use serde_json::{Value, json};

use crate::support::usual;

const PATH: &str = "/v1/responses";

#[test]
fn an_input_is_answered() {
    let server = usual();
    let asked = json!({
        "input": "fn", "instructions": "Be brief.", "max_output_tokens": 4, "metadata": {"a": "b"},
        "include": ["message.output_text.logprobs"], "top_logprobs": 1, "ignore_eos": true,
    });
    let body = post(&server.address, PATH, &asked).json();
    assert!(body["id"].as_str().unwrap().starts_with("resp_"));
    assert_eq!((&body["object"], &body["status"]), (&json!("response"), &json!("incomplete")));
    assert_eq!(body["incomplete_details"], json!({"reason": "max_output_tokens"}));
    assert_eq!((&body["instructions"], &body["metadata"]), (&asked["instructions"], &asked["metadata"]));
    let item = &body["output"][0];
    assert_eq!((&item["type"], &item["role"]), (&json!("message"), &json!("assistant")));
    assert_eq!(item["content"][0]["type"], "output_text");
    assert_eq!(item["content"][0]["logprobs"].as_array().unwrap().len(), 4);
    assert_eq!((&body["usage"]["output_tokens"], &body["truncation"]), (&json!(4), &json!("disabled")));
    // What is too long is refused, unless the last of it is to be taken.
    let mut asked = json!({"input": "fn ".repeat(250), "max_output_tokens": 4});
    assert_eq!(post(&server.address, PATH, &asked).json()["error"]["code"], "context_length_exceeded");
    asked["truncation"] = "auto".into();
    let body = post(&server.address, PATH, &asked).json();
    assert_eq!(
        (&body["usage"]["input_tokens"], &body["truncation"]),
        (&json!(252), &json!("auto")),
        "{body}"
    );
    asked["truncation"] = "some".into();
    assert_eq!(post(&server.address, PATH, &asked).json()["error"]["param"], "truncation");
}

#[test]
fn what_was_said_before_is_input() {
    let server = usual();
    let input = json!([
        {"role": "developer", "content": "fn"},
        {"role": "user", "content": [{"type": "input_text", "text": "main"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "fn"}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "name": "look", "arguments": "{\"at\": 1}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": "nothing"},
    ]);
    let reply = post(&server.address, PATH, &json!({"input": input, "max_output_tokens": 2}));
    assert_eq!(reply.status, 200, "{}", reply.text());
}

#[test]
fn its_events_lead_to_the_whole_response() {
    let server = usual();
    let asked = json!({"input": "fn", "max_output_tokens": 6, "seed": 3, "temperature": 0.5});
    let whole = post(&server.address, PATH, &asked).json();
    let mut streamed = asked;
    streamed["stream"] = true.into();
    let reply = post(&server.address, PATH, &streamed);
    let events: Vec<Value> = reply
        .text()
        .split_terminator("\n\n")
        .map(|event| {
            let (kind, data) = event.split_once('\n').unwrap();
            let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
            assert_eq!(kind.strip_prefix("event: "), data["type"].as_str());
            data
        })
        .collect();
    let numbers: Vec<usize> =
        events.iter().map(|e| e["sequence_number"].as_u64().unwrap() as usize).collect();
    assert_eq!(numbers, (0..events.len()).collect::<Vec<_>>());
    let mut kinds: Vec<&str> = events.iter().map(|e| e["type"].as_str().unwrap()).collect();
    kinds.dedup();
    assert_eq!(
        kinds,
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.incomplete",
        ]
    );
    let text: String = events.iter().filter_map(|e| e["delta"].as_str()).collect();
    let last = &events.last().unwrap()["response"];
    assert_eq!(last["output"][0]["content"], whole["output"][0]["content"]);
    assert_eq!(
        (last["output"][0]["content"][0]["text"].as_str(), &last["usage"]),
        (Some(text.as_str()), &whole["usage"])
    );
}

#[test]
fn nothing_is_kept() {
    let server = usual();
    assert_eq!(get(&server.address, "/v1/responses/resp_1").status, 404);
    assert_eq!(post(&server.address, "/v1/responses/resp_1/cancel", &json!({})).status, 404);
    for (name, value) in [
        ("previous_response_id", json!("resp_1")),
        ("background", json!(true)),
        ("prompt", json!({"id": "p"})),
    ] {
        let mut asked = json!({"input": "fn"});
        asked[name] = value;
        let reply = post(&server.address, PATH, &asked);
        assert_eq!((reply.status, &reply.json()["error"]["param"]), (400, &json!(name)));
    }
}
