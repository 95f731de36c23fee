//! Calls of tools and reasoning, read from what a model writes that writes a certain text.

use jarrah_array::random::Key;
use jarrah_array::{Array, TreeExt};
use jarrah_http::{Address, Server};
use jarrah_models::{Decoder, DecoderConfig};
use jarrah_openai::api;
use jarrah_serve::Served;
use jarrah_structured::{ReasoningFormat, ToolFormat};
use jarrah_testing::client::post;
use serde_json::{Value, json};

use crate::support::{MODEL, Running, start, templates_with, tokenizer};

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
    // The marks are several tokens, which the template knows.
    let templates = Some(templates_with("{# <think> </think> #}"));
    Served { templates, ..Served::with_tokenizer(MODEL, model.unwrap(), tokenizer()) }
}

fn request() -> Value {
    let tool = |name: &str| json!({"type": "function", "function": {"name": name, "parameters": {"type": "object"}}});
    json!({
        "messages": [{"role": "user", "content": "fn"}], "tools": [tool("look"), tool("find")], "temperature": 0,
    })
}

fn server(text: &str, change: impl FnOnce(&mut crate::support::Options)) -> Running {
    let prompt = tokenizer().encode("<user>fn\n<assistant>").unwrap().len();
    Running::new(&start(writes(prompt, text)), |options| {
        options.api.reasoning = Some(ReasoningFormat::Qwen3);
        options.api.tools = Some(ToolFormat::Hermes);
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
    // Reasoning that is not wanted is not told, and is no content either.
    let mut asked = request();
    asked["include_reasoning"] = false.into();
    let quiet = post(&server.address, PATH, &asked).json()["choices"][0]["message"].clone();
    assert_eq!((quiet.get("reasoning"), &quiet["content"]), (None, &message["content"]));
    asked["stream"] = true.into();
    assert!(!post(&server.address, PATH, &asked).text().contains("I look."));
}

#[test]
fn a_call_that_is_cut_off_has_what_came_of_its_arguments() {
    let text = "So:<tool_call>{\"name\": \"look\", \"arguments\": {\"at\": \"the sky\"}}</tool_call>";
    let server = server(text, |options| options.api.reasoning = None);
    let count = |text: &str| tokenizer().encode(text).unwrap().len();
    for (cut, arguments) in [
        ("So:<tool_call>{\"name\": \"look\", \"arg", ""),
        ("So:<tool_call>{\"name\": \"look\", \"arguments\": {\"at\": \"the", "{\"at\": \"the"),
        (
            "So:<tool_call>{\"name\": \"look\", \"arguments\": {\"at\": \"the sky\"}}</tool_c",
            "{\"at\": \"the sky\"}",
        ),
    ] {
        let mut asked = request();
        asked["max_tokens"] = count(cut).into();
        let choice = post(&server.address, PATH, &asked).json()["choices"][0].clone();
        let message = &choice["message"];
        assert_eq!(
            (&choice["finish_reason"], &message["content"]),
            (&json!("length"), &json!("So:")),
            "{cut}"
        );
        let call = &message["tool_calls"][0]["function"];
        assert_eq!((&call["name"], &call["arguments"]), (&json!("look"), &json!(arguments)));
        // So do its pieces.
        asked["stream"] = true.into();
        let events = post(&server.address, PATH, &asked).events();
        let pieces = events.iter().filter_map(|event| {
            event["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"].as_str()
        });
        assert_eq!(pieces.collect::<String>(), arguments);
        assert_eq!(events.last().unwrap()["choices"][0]["finish_reason"], "length");
    }
    // Before its name it is none.
    let mut asked = request();
    asked["max_tokens"] = count("So:<tool_call>{\"na").into();
    let message = post(&server.address, PATH, &asked).json()["choices"][0]["message"].clone();
    assert_eq!((&message["content"], message.get("tool_calls")), (&json!("So:<tool_call>{\"na"), None));
}

#[test]
fn a_model_without_channels_is_not_read_as_gpt_oss() {
    let engine = start(writes(1, "a"));
    for (tools, reasoning) in [(Some(ToolFormat::OpenAi), None), (None, Some(ReasoningFormat::OpenAiGptOss))]
    {
        let options = jarrah_openai::ApiOptions { tools, reasoning, ..Default::default() };
        let error = Server::bind(Default::default(), api(engine.clone(), options)).err().unwrap();
        assert!(error.message().contains("the model has no token <|start|>"), "{error}");
    }
}

/// Behind a parser of another family an answer would be reasoning to its end.
#[test]
fn a_model_without_the_marks_of_a_parser_is_refused() {
    let bind = |served: Served, reasoning: ReasoningFormat| {
        let address = Address::Tcp([127, 0, 0, 1].into(), 0);
        let transport = jarrah_http::ServerOptions { address, ..Default::default() };
        let options = jarrah_openai::ApiOptions { reasoning: Some(reasoning), ..Default::default() };
        Server::bind(transport, api(start(served), options)).err()
    };
    let plain = || Served { templates: None, ..writes(1, "a") };
    for (format, mark) in [
        (ReasoningFormat::Qwen3, "the reasoning parser qwen3 reads <think>, which is no token of the model"),
        (ReasoningFormat::DeepSeekR1, "deepseek_r1 reads <think>"),
        (ReasoningFormat::Mistral, "mistral reads [THINK]"),
        (ReasoningFormat::SeedOss, "seed_oss reads <seed:think>"),
    ] {
        let error = bind(plain(), format).unwrap_or_else(|| panic!("{} is taken", format.name()));
        assert!(
            error.message().contains(mark) && error.advice().is_some_and(|a| a.contains("own family")),
            "{error}"
        );
    }
    // Of a model that writes them as text the template knows them; and sentences are no tokens of any.
    assert!(bind(writes(1, "a"), ReasoningFormat::Qwen3).is_none());
    assert!(bind(writes(1, "a"), ReasoningFormat::Mistral).is_some());
    assert!(bind(plain(), ReasoningFormat::Granite).is_none());
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

/// Pieces that come while a client reads the ones before are one; so are those of this interval.
#[test]
fn the_end_comes_behind_the_last_call() {
    let server = server(TEXT, |_| {});
    let mut asked = request();
    (asked["stream"], asked["stream_interval"]) = (true.into(), 1000.into());
    let events = post(&server.address, PATH, &asked).events();
    let choices: Vec<&Value> = events.iter().map(|event| &event["choices"][0]).collect();
    let [.., calls, end] = &choices[..] else { panic!("{events:?}") };
    assert_eq!(calls["delta"]["tool_calls"].as_array().map(Vec::len), Some(2));
    assert_eq!((&calls["finish_reason"], &end["finish_reason"]), (&Value::Null, &json!("tool_calls")));
    assert_eq!(end["delta"], json!({}));
}

#[test]
fn one_call_is_told_where_parallel_ones_are_not_wanted() {
    let server = server(TEXT, |_| {});
    let mut asked = request();
    asked["parallel_tool_calls"] = false.into();
    let choice = post(&server.address, PATH, &asked).json()["choices"][0].clone();
    let calls = choice["message"]["tool_calls"].as_array().unwrap();
    let names: Vec<&Value> = calls.iter().map(|call| &call["function"]["name"]).collect();
    assert_eq!((names, &choice["finish_reason"]), (vec![&json!("look")], &json!("tool_calls")));
    asked["stream"] = true.into();
    let reply = post(&server.address, PATH, &asked);
    let text = reply.text();
    assert!(text.contains("\"look\"") && !text.contains("\"find\""), "{text}");
    let asked = json!({
        "input": "fn", "tools": [{"type": "function", "name": "look"}, {"type": "function", "name": "find"}],
        "parallel_tool_calls": false, "temperature": 0,
    });
    let output = post(&server.address, "/v1/responses", &asked).json()["output"].clone();
    let calls = output.as_array().unwrap().iter().filter(|item| item["type"] == "function_call");
    assert_eq!(calls.count(), 1, "{output}");
}

#[test]
fn what_is_no_call_is_content() {
    let server = server("<tool_call>{\"name\"", |options| options.api.reasoning = None);
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

const RESPONSES: &str = "/v1/responses";

/// A request for a response, with the tools in its own form.
fn response_request() -> Value {
    let tool = |name: &str| json!({"type": "function", "name": name, "parameters": {"type": "object"}});
    json!({"input": "fn", "tools": [tool("look"), tool("find")], "temperature": 0})
}

#[test]
fn a_response_has_items_of_reasoning_text_and_calls() {
    let server = server(TEXT, |_| {});
    let reply = post(&server.address, RESPONSES, &response_request());
    assert_eq!(reply.status, 200, "{}", reply.text());
    let whole = reply.json();
    let items = whole["output"].as_array().unwrap();
    let kinds: Vec<&str> = items.iter().map(|item| item["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["reasoning", "message", "function_call", "function_call"], "{whole}");
    assert!(items.iter().all(|item| item["status"] == "completed"));
    assert_eq!(items[0]["content"][0], json!({"type": "reasoning_text", "text": "I look."}));
    assert_eq!(items[1]["content"][0]["text"].as_str().unwrap().trim(), "So:");
    assert_eq!((&items[2]["name"], &items[3]["name"]), (&json!("look"), &json!("find")));
    let arguments: Value = serde_json::from_str(items[2]["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(arguments, json!({"at": [1, "<"]}));
    assert_ne!(items[2]["call_id"], items[3]["call_id"]);
    assert_eq!(whole["tools"].as_array().unwrap().len(), 2);

    let mut asked = response_request();
    asked["stream"] = true.into();
    let reply = post(&server.address, RESPONSES, &asked);
    let events = reply.text().lines().filter_map(|line| line.strip_prefix("data: "));
    let events: Vec<Value> = events.map(|data| serde_json::from_str(data).unwrap()).collect();
    // Deltas add up to the items, by the place of each in the output.
    let mut texts = vec![String::new(); 4];
    let mut kinds = Vec::new();
    for event in &events {
        kinds.push(event["type"].as_str().unwrap());
        if let Some(delta) = event["delta"].as_str() {
            let at = event["output_index"].as_u64().unwrap() as usize;
            texts[at] += delta;
        }
    }
    assert_eq!(texts[0], "I look.");
    assert_eq!(texts[1], whole["output"][1]["content"][0]["text"].as_str().unwrap());
    assert_eq!(texts[2], whole["output"][2]["arguments"].as_str().unwrap());
    assert_eq!(texts[3], "{}");
    kinds.dedup();
    let item = |delta: &str| match delta {
        "function_call_arguments" => {
            vec![
                "output_item.added".to_owned(),
                format!("{delta}.delta"),
                format!("{delta}.done"),
                "output_item.done".to_owned(),
            ]
        }
        _ => vec![
            "output_item.added".to_owned(),
            "content_part.added".to_owned(),
            format!("{delta}.delta"),
            format!("{delta}.done"),
            "content_part.done".to_owned(),
            "output_item.done".to_owned(),
        ],
    };
    let mut expected = vec!["created".to_owned(), "in_progress".to_owned()];
    for delta in ["reasoning_text", "output_text", "function_call_arguments", "function_call_arguments"] {
        expected.extend(item(delta));
    }
    expected.push("completed".to_owned());
    let expected: Vec<String> = expected.iter().map(|kind| format!("response.{kind}")).collect();
    assert_eq!(kinds, expected);
    let last = &events.last().unwrap()["response"];
    let without_ids = |response: &Value| {
        let mut items = response["output"].clone();
        for item in items.as_array_mut().unwrap() {
            let item = item.as_object_mut().unwrap();
            item.remove("id");
            item.remove("call_id");
        }
        items
    };
    assert_eq!(without_ids(last), without_ids(&whole));
    assert_eq!(last["usage"]["output_tokens"], whole["usage"]["output_tokens"]);
}

#[test]
fn a_response_is_kept_to_calls_and_forms() {
    let server = server("zzzz", |options| options.api.reasoning = None);
    let schema = json!({
        "type": "object", "properties": {"city": {"enum": ["Perth", "Albany"]}}, "required": ["city"], "additionalProperties": false,
    });
    let tool = json!({"type": "function", "name": "weather", "parameters": schema, "strict": true});
    for choice in [json!("required"), json!({"type": "function", "name": "weather"})] {
        let asked = json!({"input": "fn", "tools": [tool], "tool_choice": choice, "parallel_tool_calls": false, "temperature": 0});
        let body = post(&server.address, RESPONSES, &asked).json();
        let items = body["output"].as_array().unwrap();
        assert_eq!(
            (items.len(), &items[0]["type"], &items[0]["name"]),
            (1, &json!("function_call"), &json!("weather")),
            "{body}"
        );
        let arguments: Value = serde_json::from_str(items[0]["arguments"].as_str().unwrap()).unwrap();
        assert!(["Perth", "Albany"].contains(&arguments["city"].as_str().unwrap()));
        assert_eq!((&body["tool_choice"], &body["status"]), (&choice, &json!("completed")));
    }
    let format = json!({"format": {"type": "json_schema", "name": "w", "schema": schema, "strict": true}});
    let body =
        post(&server.address, RESPONSES, &json!({"input": "fn", "text": format, "temperature": 0})).json();
    let text: Value =
        serde_json::from_str(body["output"][0]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert!(text["city"].is_string() && body["text"] == format, "{body}");
    for (param, asked) in [
        ("tools[0].type", json!({"tools": [{"type": "web_search"}]})),
        ("tools[0].name", json!({"tools": [{"type": "function", "function": {"name": "a"}}]})),
        ("tool_choice", json!({"tools": [tool], "tool_choice": {"type": "function", "name": "b"}})),
        ("text.format.schema", json!({"text": {"format": {"type": "json_schema", "name": "a"}}})),
        ("text.format", json!({"tools": [tool], "tool_choice": "required", "text": format})),
    ] {
        let mut whole = json!({"input": "fn"});
        whole.as_object_mut().unwrap().extend(asked.as_object().unwrap().clone());
        let reply = post(&server.address, RESPONSES, &whole);
        assert_eq!((reply.status, &reply.json()["error"]["param"]), (400, &json!(param)), "{}", reply.text());
    }
}
