use jarrah_serve::{Params, Served};
use jarrah_testing::client::{TestClient, post};
use jarrah_tokenizer::chat::Chat;
use serde_json::{Value, json};

use crate::support::{MODEL, Running, engine, model, start, templates_with, tokenizer, usual};

const PATH: &str = "/v1/chat/completions";

fn user(text: &str) -> Value {
    json!([{"role": "user", "content": text}])
}

/// The prompt that the template makes of a request.
fn prompt(address: &str, mut asked: Value) -> String {
    asked["max_tokens"] = 1.into();
    asked["return_token_ids"] = true.into();
    let reply = post(address, PATH, &asked);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let body = reply.json();
    let ids = body["prompt_token_ids"].as_array().unwrap().iter();
    let ids: Vec<u32> = ids.map(|id| id.as_u64().unwrap() as u32).collect();
    tokenizer().decode(&ids, false).unwrap()
}

#[test]
fn a_message_is_answered() {
    let server = usual();
    let asked = json!({"messages": user("fn"), "max_completion_tokens": 5, "ignore_eos": true, "user": "somebody", "unknown": null});
    let body = post(&server.address, PATH, &asked).json();
    assert!(body["id"].as_str().unwrap().starts_with("chatcmpl-"));
    assert_eq!(body["object"], "chat.completion");
    let message = &body["choices"][0]["message"];
    assert_eq!(message["role"], "assistant");
    assert!(message["content"].is_string());
    assert_eq!(body["choices"][0]["finish_reason"], "length");
    assert_eq!(body["usage"]["completion_tokens"], 5);
    // The engine without sockets answers as the server does.
    let asked =
        json!({"messages": user("fn"), "max_completion_tokens": 5, "ignore_eos": true, "temperature": 0});
    let body = post(&server.address, PATH, &asked).json();
    let params = Params { max_tokens: Some(5), ignore_eos: true, ..Params::greedy() };
    let chat = Chat { add_generation_prompt: true, ..Chat::new([("user", "fn")]) };
    let own = engine().chat(&[chat], &params).unwrap();
    assert_eq!(body["choices"][0]["message"]["content"], own[0][0].text.as_str());
}

#[test]
fn the_template_writes_the_prompt() {
    let server = usual();
    let ask = |asked| prompt(&server.address, asked);
    assert_eq!(ask(json!({"messages": user("fn")})), "<user>fn\n<assistant>");
    let parts =
        json!([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]);
    assert_eq!(ask(json!({"messages": parts})), "<user>a\nb\n<assistant>");
    assert_eq!(ask(json!({"messages": user("fn"), "add_generation_prompt": false})), "<user>fn");
    let documents = json!([{"title": "a", "text": "b"}]);
    assert_eq!(ask(json!({"messages": user("fn"), "documents": documents})), "<user>fn\n1<assistant>");
    let variables = json!({"documents": [1, 2]});
    assert_eq!(
        ask(json!({"messages": user("fn"), "chat_template_kwargs": variables})),
        "<user>fn\n2<assistant>"
    );
    let goes_on = json!([{"role": "user", "content": "fn"}, {"role": "assistant", "content": "main"}]);
    assert_eq!(
        ask(json!({"messages": goes_on, "continue_final_message": true})),
        "<user>fn\n<assistant>main"
    );
}

/// The template of the tests does not know developers, as most do not.
#[test]
fn what_developers_say_is_not_left_out() {
    let server = usual();
    let said = |role: &str| json!({"messages": [{"role": role, "content": "len"}, {"role": "user", "content": "fn"}]});
    assert_eq!(prompt(&server.address, said("developer")), "<system>len\n<user>fn\n<assistant>");
}

#[test]
fn what_comes_piece_by_piece_is_the_whole_answer() {
    let server = usual();
    let asked = json!({
        "messages": user("fn"), "max_tokens": 9, "n": 3, "ignore_eos": true, "seed": 4, "logprobs": true, "top_logprobs": 2,
        "return_token_ids": true,
    });
    let whole = post(&server.address, PATH, &asked).json();
    let mut streamed = asked;
    streamed["stream"] = true.into();
    streamed["stream_options"] = json!({"include_usage": true});
    let events = post(&server.address, PATH, &streamed).events();
    let (last, chunks) = events.split_last().unwrap();
    assert_eq!((&last["choices"], &last["usage"]), (&json!([]), &whole["usage"]));
    assert!(chunks.iter().all(|chunk| chunk.get("usage").is_none() && chunk["id"] == last["id"]));
    for (index, choice) in whole["choices"].as_array().unwrap().iter().enumerate() {
        let pieces = || chunks.iter().filter(|c| c["choices"][0]["index"] == index).map(|c| &c["choices"][0]);
        assert_eq!(pieces().next().unwrap()["delta"], json!({"role": "assistant", "content": ""}));
        let text: String = pieces().filter_map(|piece| piece["delta"]["content"].as_str()).collect();
        assert_eq!(text, choice["message"]["content"].as_str().unwrap());
        let logprobs: Vec<Value> =
            pieces().filter_map(|p| p["logprobs"]["content"].as_array()).flatten().cloned().collect();
        assert_eq!(json!(logprobs), choice["logprobs"]["content"]);
        assert_eq!((logprobs.len(), logprobs[0]["top_logprobs"].as_array().unwrap().len()), (9, 2));
        assert!(logprobs[0]["bytes"].is_array() && logprobs[0]["token"].is_string());
        let ends: Vec<&Value> = pieces().map(|p| &p["finish_reason"]).filter(|r| !r.is_null()).collect();
        assert_eq!(ends, [&choice["finish_reason"]]);
    }
    assert_eq!(chunks[0]["prompt_token_ids"], whole["prompt_token_ids"]);
}

#[test]
fn the_last_message_is_echoed_where_it_goes_on() {
    let server = usual();
    let messages = json!([{"role": "user", "content": "fn"}, {"role": "assistant", "content": "main"}]);
    let asked = json!({"messages": messages, "continue_final_message": true, "echo": true, "max_tokens": 2});
    let body = post(&server.address, PATH, &asked).json();
    assert!(body["choices"][0]["message"]["content"].as_str().unwrap().starts_with("main"));
    let mut asked = asked;
    asked["stream"] = true.into();
    let events = post(&server.address, PATH, &asked).events();
    assert_eq!(events[0]["choices"][0]["delta"], json!({"role": "assistant", "content": "main"}));
}

#[test]
fn calls_of_tools_become_objects_for_the_template() {
    let server = usual();
    let call = |arguments: &Value| {
        let function = json!({"name": "look", "arguments": arguments});
        let calls = json!([{"id": "1", "type": "function", "function": function}]);
        json!({"messages": [{"role": "assistant", "content": "fn", "tool_calls": calls}], "max_tokens": 1})
    };
    let absent = {
        let mut absent = call(&Value::Null);
        absent["messages"][0]["tool_calls"][0]["function"].as_object_mut().unwrap().remove("arguments");
        absent
    };
    for arguments in
        [json!(""), json!(" "), json!("{}"), json!("null"), Value::Null, json!(r#"{"at": [1, 2]}"#)]
    {
        assert_eq!(post(&server.address, PATH, &call(&arguments)).status, 200, "{arguments}");
    }
    assert_eq!(post(&server.address, PATH, &absent).status, 200);
    for arguments in ["[1]", "{", "3"] {
        let reply = post(&server.address, PATH, &call(&arguments.into()));
        assert_eq!(reply.status, 400, "{arguments}");
        assert_eq!(reply.json()["error"]["param"], "messages[0].tool_calls[0].function.arguments");
    }
}

/// What was called without arguments was called with none: the template sees an object.
#[test]
fn calls_of_tools_without_arguments_have_an_object_without_entries() {
    let server = templated("{{ messages[0].tool_calls[0].function.arguments | tojson }}");
    for arguments in ["", " ", "null", "{}"] {
        let function = json!({"name": "look", "arguments": arguments});
        let message = json!({"role": "assistant", "content": "fn", "tool_calls": [{"id": "1", "type": "function", "function": function}]});
        let prompt = prompt(&server.address, json!({"messages": [message]}));
        assert!(prompt.contains("{}"), "{arguments:?}: {prompt}");
    }
}

#[test]
fn numbers_of_calls_and_tools_reach_the_prompt_with_all_their_digits() {
    let server = templated(
        "{{ messages[0].tool_calls[0].function.arguments.n }} {{ tools[0].function.parameters.maximum | tojson }}",
    );
    let (first, second) = ("123456789012345678901234567890", "-9007199254740993");
    let asked = format!(
        r#"{{"messages": [{{"role": "assistant", "content": "", "tool_calls": [{{"id": "1", "type": "function", "function": {{"name": "f", "arguments": "{{\"n\": {first}}}"}}}}]}}], "tools": [{{"type": "function", "function": {{"name": "f", "parameters": {{"maximum": {second}}}}}}}], "tool_choice": "none", "max_tokens": 1, "return_token_ids": true}}"#
    );
    let headers = [("content-type", "application/json")];
    let reply = TestClient::new(&server.address).ask("POST", PATH, &headers, Some(asked.as_bytes()));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let ids = reply.json()["prompt_token_ids"].as_array().unwrap().clone();
    let ids: Vec<u32> = ids.iter().map(|id| id.as_u64().unwrap() as u32).collect();
    let prompt = tokenizer().decode(&ids, false).unwrap();
    assert!(prompt.contains(&format!("{first} {second}")), "{prompt}");
}

/// A server whose template has something more at its end.
fn templated(more: &str) -> Running {
    let templates = Some(templates_with(more));
    Running::new(&start(Served { templates, ..Served::with_tokenizer(MODEL, model(), tokenizer()) }), |_| {})
}
