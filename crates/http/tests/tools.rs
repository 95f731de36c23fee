//! Calls of tools and reasoning, read from what a model writes that writes a certain text.

use jarrah_array::random::Key;
use jarrah_array::{Array, TreeExt};
use jarrah_http::Options;
use jarrah_models::{Decoder, DecoderConfig};
use jarrah_serve::Served;
use jarrah_structured::{ReasoningFormat, ToolFormat};
use serde_json::{Value, json};

use crate::client::post;
use crate::support::{MODEL, Running, start, templates, tokenizer};

const PATH: &str = "/v1/chat/completions";
const CONTEXT: usize = 256;
/// As many tokens as the model has, which are as many as its vectors have numbers.
const VOCABULARY: usize = 300;

/// A model that writes `text`, then ends, behind a prompt of `prompt` tokens, whatever they are: its vectors are those of positions alone, one number of
/// which is not 0, and its head has a 1 where the token of a position meets it.
fn writes(prompt: usize, text: &str) -> Served {
    let mut tokens = tokenizer().encode(text).unwrap();
    tokens.push(tokenizer().eos_id().unwrap());
    let base = DecoderConfig::named("test-llama").unwrap();
    let config = DecoderConfig {
        vocabulary: VOCABULARY,
        context: CONTEXT,
        width: CONTEXT,
        learned_positions: Some(CONTEXT),
        tied: false,
        ..base
    };
    let mut head = vec![0f32; VOCABULARY * CONTEXT];
    for (i, token) in tokens.iter().enumerate() {
        head[*token as usize * CONTEXT + prompt - 1 + i] = 1.0;
    }
    let model = Decoder::new(&config, &Key::new(0));
    let model = model.try_map_with_paths(|path: &str, leaf: &Array| {
        Ok(match path.split('.').next().unwrap() {
            "positions" => Array::eye(CONTEXT),
            "head" => Array::new(&head, &[VOCABULARY, CONTEXT]),
            "norm" => leaf.clone(),
            _ => Array::zeros(&leaf.shape()),
        })
    });
    let templates = Some(templates());
    Served { templates, ..Served::with_tokenizer(MODEL, model.unwrap(), tokenizer()) }
}

fn request() -> Value {
    let tool = |name: &str| json!({"type": "function", "function": {"name": name, "parameters": {"type": "object"}}});
    json!({
        "messages": [{"role": "user", "content": "fn"}], "tools": [tool("look"), tool("find")], "temperature": 0,
    })
}

fn server(text: &str, change: impl FnOnce(&mut Options)) -> Running {
    let prompt = tokenizer().encode("<user>fn\n<assistant>").unwrap().len();
    Running::new(&start(writes(prompt, text)), |options| {
        options.reasoning = Some(ReasoningFormat::Qwen3);
        options.tools = Some(ToolFormat::Hermes);
        change(options);
    })
}

const TEXT: &str = "<think>I look.</think>So:\n<tool_call>{\"name\": \"look\", \"arguments\": {\"at\": [1, \"<\"]}}</tool_call>\
                    <tool_call>{\"name\": \"find\", \"arguments\": {}}</tool_call>";

#[test]
fn calls_and_reasoning_are_apart() {
    let server = server(TEXT, |_| {});
    let reply = post(&server.address, PATH, &request());
    assert_eq!(reply.status, 200, "{}", reply.text());
    let choice = &reply.json()["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    let message = &choice["message"];
    assert_eq!(
        (&message["reasoning"], message["content"].as_str().map(str::trim)),
        (&json!("I look."), Some("So:"))
    );
    let calls = message["tool_calls"].as_array().unwrap();
    let said: Vec<(&Value, Value)> = calls
        .iter()
        .map(|call| {
            let arguments = call["function"]["arguments"].as_str().unwrap();
            (&call["function"]["name"], serde_json::from_str(arguments).unwrap())
        })
        .collect();
    assert_eq!(said, [(&json!("look"), json!({"at": [1, "<"]})), (&json!("find"), json!({}))]);
    assert!(calls.iter().all(|call| call["type"] == "function" && call.get("index").is_none()));
    assert_ne!(calls[0]["id"], calls[1]["id"]);
}

#[test]
fn their_pieces_are_the_whole_message() {
    let server = server(TEXT, |_| {});
    let whole = post(&server.address, PATH, &request()).json()["choices"][0]["message"].clone();
    let mut asked = request();
    asked["stream"] = true.into();
    let events = post(&server.address, PATH, &asked).events();
    let (mut reasoning, mut content, mut calls) = (String::new(), String::new(), Vec::new());
    for event in &events {
        let delta = &event["choices"][0]["delta"];
        reasoning += delta["reasoning"].as_str().unwrap_or_default();
        content += delta["content"].as_str().unwrap_or_default();
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            if call.get("id").is_some() {
                assert_eq!(call["index"], calls.len());
                calls.push((call["function"]["name"].clone(), String::new()));
            }
            let at = call["index"].as_u64().unwrap() as usize;
            calls[at].1 += call["function"]["arguments"].as_str().unwrap();
        }
    }
    assert_eq!((json!(reasoning), json!(content)), (whole["reasoning"].clone(), whole["content"].clone()));
    for (call, whole) in calls.iter().zip(whole["tool_calls"].as_array().unwrap()) {
        assert_eq!(
            (&call.0, json!(call.1)),
            (&whole["function"]["name"], whole["function"]["arguments"].clone())
        );
    }
    assert_eq!(events.last().unwrap()["choices"][0]["finish_reason"], "tool_calls");
    assert_eq!(calls.len(), 2);
}

#[test]
fn what_is_no_call_is_content() {
    let server = server("<tool_call>{\"name\"", |options| options.reasoning = None);
    let choice = &post(&server.address, PATH, &request()).json()["choices"][0];
    assert_eq!((&choice["finish_reason"], choice["message"].get("tool_calls")), (&json!("stop"), None));
    assert_eq!(choice["message"]["content"], "<tool_call>{\"name\"");
    let mut asked = request();
    asked["tool_choice"] = "none".into();
    let choice = &post(&server.address, PATH, &asked).json()["choices"][0];
    assert_eq!(choice["message"]["content"], "<tool_call>{\"name\"");
}

/// A model that would write something else is kept to a call, or to a form behind its reasoning.
#[test]
fn calls_that_must_come_and_forms_behind_reasoning() {
    let server = server("<think>ab</think>zzzz", |_| {});
    let parameters = json!({
        "type": "object", "properties": {"city": {"enum": ["Perth", "Albany"]}}, "required": ["city"], "additionalProperties": false,
    });
    let tool = json!({"type": "function", "function": {"name": "weather", "parameters": parameters}});
    let user = json!([{"role": "user", "content": "fn"}]);
    for choice in [json!("required"), json!({"type": "function", "function": {"name": "weather"}})] {
        let asked = json!({"messages": user, "tools": [tool], "tool_choice": choice, "parallel_tool_calls": false, "temperature": 0});
        let reply = post(&server.address, PATH, &asked);
        assert_eq!(reply.status, 200, "{reply:?}");
        let choice = &reply.json()["choices"][0];
        let call = &choice["message"]["tool_calls"][0]["function"];
        let arguments: Value = serde_json::from_str(call["arguments"].as_str().unwrap()).unwrap();
        assert!(["Perth", "Albany"].contains(&arguments["city"].as_str().unwrap()), "{choice}");
        assert_eq!((&call["name"], &choice["message"]["reasoning"]), (&json!("weather"), &json!("ab")));
    }
    let format = json!({"type": "json_schema", "json_schema": {"name": "w", "schema": parameters}});
    let asked = json!({"messages": user, "response_format": format, "temperature": 0});
    let message = &post(&server.address, PATH, &asked).json()["choices"][0]["message"];
    let content: Value = serde_json::from_str(message["content"].as_str().unwrap()).unwrap();
    assert!(content["city"].is_string() && message["reasoning"] == "ab", "{message}");
    // Reasoning is made to end where its tokens are spent.
    let asked = json!({"messages": user, "thinking_token_budget": 1, "temperature": 0, "max_tokens": 30});
    let message = &post(&server.address, PATH, &asked).json()["choices"][0]["message"];
    assert!(message["reasoning"].as_str().is_none_or(|text| text.len() < 2), "{message}");
    let asked = json!({"messages": user, "tools": [tool], "tool_choice": "required", "response_format": {"type": "json_object"}});
    assert_eq!(post(&server.address, PATH, &asked).status, 400);
}
