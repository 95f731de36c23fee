use std::time::{Duration, Instant};

use jarrah_testing::client::{TestClient, get, post};
use serde_json::{Value, json};

use crate::support::{MODEL, Running, engine, model, start, templates_with, tokenizer, usual};

/// The refusal of a request, and what it says of it.
fn refusal(address: &str, path: &str, asked: &Value) -> (u16, String, Value) {
    let reply = post(address, path, asked);
    let body = reply.json();
    let error = body["error"].as_object().unwrap_or_else(|| panic!("not refused: {asked}"));
    assert!(
        error.len() == 4 && ["message", "type", "param", "code"].iter().all(|name| error.contains_key(*name))
    );
    (reply.status, error["message"].as_str().unwrap().to_owned(), error["param"].clone())
}

/// A misspelt field that is ignored gives an answer by other settings than were asked for.
#[test]
fn fields_that_no_route_knows_are_refused_with_the_nearest() {
    let server = usual();
    let address = &server.address;
    let with = |name: &str, value: Value, of: Value| {
        let mut asked = of;
        asked[name] = value;
        asked
    };
    let completion = || json!({"prompt": [1, 2], "max_tokens": 2});
    let chat = || json!({"messages": [{"role": "user", "content": "fn"}], "max_tokens": 2});
    for (path, asked, param, says) in [
        (
            "/v1/completions",
            with("temprature", json!(0), completion()),
            "temprature",
            "there is no field `temprature`: did you mean `temperature`?",
        ),
        (
            "/v1/chat/completions",
            with("max_completion_token", json!(1), chat()),
            "max_completion_token",
            "there is no field `max_completion_token`: did you mean `max_completion_tokens`?",
        ),
        ("/v1/completions", with("zzzzz", json!(1), completion()), "zzzzz", "there is no field `zzzzz`"),
        (
            "/v1/completions",
            with(
                "stream_options",
                json!({"include_usages": true}),
                with("stream", json!(true), completion()),
            ),
            "stream_options.include_usages",
            "there is no field `stream_options.include_usages`: did you mean `include_usage`?",
        ),
        (
            "/v1/responses",
            json!({"input": "fn", "max_tokens": 2}),
            "max_tokens",
            "`max_tokens` is not supported: give `max_output_tokens`",
        ),
        (
            "/tokenize",
            json!({"prompt": "fn", "return_token_str": true}),
            "return_token_str",
            "there is no field `return_token_str`: did you mean `return_token_strs`?",
        ),
        (
            "/detokenize",
            json!({"tokens": [1], "skip_special_tokens": true}),
            "skip_special_tokens",
            "there is no field `skip_special_tokens`",
        ),
    ] {
        let (status, message, named) = refusal(address, path, &asked);
        assert!(status == 400 && message == says && named == param, "{asked}: {message} ({named})");
    }
}

/// OpenAI's and vLLM's clients write these.
#[test]
fn fields_of_openai_and_vllm_without_an_effect_are_known() {
    let server = usual();
    let shared = json!({
        "user": "a", "safety_identifier": "b", "metadata": {"a": "b"}, "store": true, "prompt_cache_key": "c",
        "service_tier": "auto", "request_id": "d", "mm_processor_kwargs": {"x": 1}, "media_io_kwargs": {},
        "guided_decoding_backend": "auto", "spaces_between_special_tokens": true, "verbosity": "low",
        "length_penalty": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0, "seed": 3,
        "parallel_tool_calls": true, "priority": 0, "modalities": null, "audio": null, "nothing": null,
    });
    for (path, own) in [
        ("/v1/completions", json!({"prompt": "fn", "max_tokens": 2, "best_of": 1, "suffix": null})),
        (
            "/v1/chat/completions",
            json!({
                "messages": [{"role": "user", "content": "fn", "name": "me", "weight": 1}], "max_tokens": 2,
                "prediction": {"type": "content", "content": "x"}, "include_reasoning": true,
                "chat_template_kwargs": {"anything": 1}, "reasoning_effort": "low",
                "stream": true, "stream_options": {"include_usage": true, "include_obfuscation": false},
            }),
        ),
        (
            "/v1/responses",
            json!({"input": "fn", "max_output_tokens": 2, "max_tool_calls": 3, "stream_options": {"include_obfuscation": false}}),
        ),
    ] {
        let mut asked = shared.clone();
        asked.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        let reply = post(&server.address, path, &asked);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    }
}

#[test]
fn a_wrong_type_is_refused_by_its_path() {
    let server = usual();
    for (name, value, says) in [
        ("temperature", json!("hot"), "`temperature` must be a number, but is a string"),
        ("max_tokens", json!(1.5), "`max_tokens` must be an integer, but is a number"),
        ("max_tokens", json!(-1), "`max_tokens` is -1, but must be 0 or more"),
        ("n", json!(0), "`n` is 0, but must be 1 or more"),
        ("n", json!(100_000), "`n` is 100000 for 1 prompts, but a request has at most 1024 choices"),
        (
            "prompt",
            json!(vec![[1]; 1025]),
            "`prompt` has 1025 prompts, but a request has at most 1024 choices",
        ),
        ("stream", json!(1), "`stream` must be true or false, but is an integer"),
        ("stop", json!(3), "`stop` must be a string or a list of strings, but is an integer"),
        ("stop[1]", json!(["a", 3]), "`stop[1]` must be a string, but is an integer"),
        (
            "prompt",
            json!({}),
            "`prompt` must be a string, a list of strings, a list of tokens or a list of lists of tokens, but is an object",
        ),
        ("prompt", json!([]), "`prompt` is an empty list"),
        ("prompt[1]", json!([1, "a"]), "`prompt[1]` must be an integer, but is a string"),
        (
            "prompt[0][2]",
            json!([[1, 2, 100_000_000]]),
            "`prompt[0][2]` is 100000000, but the model's tokens are 0 to",
        ),
        ("logit_bias.x", json!({"x": 1}), "`logit_bias.x`: its name must be a token"),
        (
            "logit_bias.9999",
            json!({"9999": 5}),
            "`logit_bias` has the token 9999, but the model's tokens are 0 to 257",
        ),
        ("logit_bias.7", json!({"7": "a"}), "`logit_bias.7` must be a number, but is a string"),
        ("stream_options", json!({"include_usage": true}), "`stream_options` needs \"stream\": true"),
        ("logprobs", json!(21), "`logprobs` is 21, but this server gives at most 20"),
        ("seed", json!(1e300), "`seed` must be an integer, but is a number"),
        ("priority", json!(1u64 << 40), "`priority` is 1099511627776, but has 32 bits"),
        ("cache_salt", json!(""), "`cache_salt` has 0 bytes, but must have 1 to 1024"),
        ("suffix", json!("a"), "`suffix` is not supported: the model goes on from the end of the prompt"),
        ("best_of", json!(3), "`best_of` is 3, and `n` 1"),
        ("service_tier", json!("fast"), "`service_tier` is `fast`, but must be `auto`, `default`, `flex`"),
        ("truncation_side", json!("middle"), "`truncation_side` is `middle`, but must be `left` or `right`"),
        (
            "guided_json",
            json!({"type": "object"}),
            "`guided_json` is not supported: give `structured_outputs`",
        ),
        ("functions", json!([{"name": "f"}]), "`functions` is not supported: give `tools`"),
        ("prompt_embeds", json!("AA=="), "`prompt_embeds` is not supported: give text or tokens"),
        (
            "structured_outputs",
            json!({"regex": "a", "choice": ["b"]}),
            "`structured_outputs` has several forms: give one",
        ),
        ("structured_outputs", json!({}), "`structured_outputs` has no form: give one of `json`"),
        ("structured_outputs", json!({"json": null}), "`structured_outputs` has no form"),
        (
            "structured_outputs.regexp",
            json!({"regexp": "a+"}),
            "`structured_outputs.regexp` is no form: give one of `json`, `json_object`, `regex`",
        ),
        (
            "structured_outputs.whitespace_pattern",
            json!({"json": {}, "whitespace_pattern": " "}),
            "`structured_outputs.whitespace_pattern` is not supported: JSON has blanks",
        ),
        (
            "structured_outputs.regex",
            json!({"regex": "a(b"}),
            "the regular expression \"a(b\" does not parse: unclosed group, at character 2",
        ),
        ("structured_outputs.grammar", json!({"grammar": "start: foo"}), "the grammar: "),
        ("structured_outputs.json", json!({"json": {"type": "text"}}), "the JSON schema: "),
        ("structured_outputs.choice", json!({"choice": []}), "there are no choices"),
        ("response_format", json!({"type": "structural_tag", "triggers": ["a"]}), "the structural tag"),
        ("response_format.type", json!({"type": "xml"}), "`response_format.type` is `xml`, but must be"),
        (
            "response_format.json_schema.schema",
            json!({"type": "json_schema", "json_schema": {"name": "a"}}),
            "`response_format.json_schema.schema` is missing",
        ),
    ] {
        let field = name.split(['.', '[']).next().unwrap();
        let mut asked = json!({"prompt": "fn", "max_tokens": 1});
        asked[field] = value;
        let (status, message, param) = refusal(&server.address, "/v1/completions", &asked);
        assert_eq!((status, param.as_str()), (400, Some(name)), "{message}");
        assert!(message.starts_with(says), "{message}");
    }
    // What is out of range is named, too, whoever finds it.
    for (name, value) in [
        ("temperature", json!(-1)),
        ("top_p", json!(0)),
        ("min_p", json!(1.5)),
        ("presence_penalty", json!(3)),
        ("frequency_penalty", json!(-3)),
        ("repetition_penalty", json!(0)),
        ("n", json!(1000)),
        ("min_tokens", json!(5)),
        ("stop", json!([""])),
        ("stop", json!(vec!["a"; 2000])),
        ("bad_words", json!([""])),
        ("stop_token_ids", json!([300_000])),
        ("allowed_token_ids", json!([])),
        ("logprob_token_ids", json!(vec![1; 300])),
        ("repetition_detection", json!({"max_pattern_size": 3, "min_count": 1})),
    ] {
        let mut asked = json!({"prompt": "fn", "max_tokens": 1});
        asked[name] = value;
        let (status, message, param) = refusal(&server.address, "/v1/completions", &asked);
        let path = param.as_str().unwrap_or_default().split('[').next().unwrap();
        assert_eq!((status, path), (400, name), "{message}");
    }
    // `serde_json` has no numbers beyond those of 64 bits to write.
    for (field, path) in
        [("\"temperature\": 1e400", "temperature"), ("\"logit_bias\": {\"7\": -1e400}", "logit_bias.7")]
    {
        let body = format!("{{\"prompt\": \"fn\", \"max_tokens\": 1, {field}}}");
        let reply =
            TestClient::new(&server.address).ask("POST", "/v1/completions", &[], Some(body.as_bytes()));
        let error = &reply.json()["error"];
        assert_eq!((reply.status, error["param"].as_str()), (400, Some(path)));
        let message = error["message"].as_str().unwrap();
        assert!(
            message.starts_with(&format!(
                "`{path}` must be a finite number: it is beyond 1.7976931348623157e308"
            )),
            "{message}"
        );
    }
    // What a client gives is not told at any length.
    let name = "é".repeat(100_000);
    let (status, message, _) =
        refusal(&server.address, "/v1/completions", &json!({"model": name, "prompt": "a"}));
    assert!(status == 404 && message.len() < 1100, "{}", message.len());
    assert!(
        message.starts_with("there is no model `éé") && message.ends_with("here, but `tiny`"),
        "{message}"
    );
    let (status, message, param) = refusal(&server.address, "/v1/completions", &json!({}));
    assert_eq!((status, message.as_str(), &param), (400, "`prompt` is missing", &json!("prompt")));
}

#[test]
fn a_chat_that_is_none_is_refused() {
    let server = usual();
    let user = json!([{"role": "user", "content": "fn"}]);
    let tool = json!([{"type": "function", "function": {"name": "look"}}]);
    for (param, asked) in [
        ("messages", json!({})),
        ("messages", json!({"messages": []})),
        ("messages", json!({"messages": "fn"})),
        ("messages[0].role", json!({"messages": [{"content": "fn"}]})),
        ("messages[0].content", json!({"messages": [{"role": "user"}]})),
        (
            "messages[0].content[0].type",
            json!({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}),
        ),
        (
            "messages[0].content[0].text",
            json!({"messages": [{"role": "user", "content": [{"type": "text"}]}]}),
        ),
        ("top_logprobs", json!({"messages": user, "top_logprobs": 1})),
        ("modalities", json!({"messages": user, "modalities": ["text", "audio"]})),
        ("modalities", json!({"messages": user, "modalities": "audio"})),
        (
            "response_format",
            json!({"messages": user, "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "text"}}}}),
        ),
        ("chat_template", json!({"messages": user, "chat_template": "{{ x }}"})),
        ("chat_template_kwargs", json!({"messages": user, "chat_template_kwargs": [1]})),
        ("documents[0]", json!({"messages": user, "documents": [1]})),
        (
            "continue_final_message",
            json!({"messages": user, "continue_final_message": true, "add_generation_prompt": true}),
        ),
        ("messages[1].role", json!({"messages": [user[0], {"role": "usr", "content": "fn"}]})),
        (
            "messages[0].tool_calls[0].type",
            json!({"messages": [{"role": "assistant", "tool_calls": [{"type": "functon", "function": {"name": "look"}}]}]}),
        ),
        ("reasoning_effort", json!({"messages": user, "reasoning_effort": "huge"})),
        ("verbosity", json!({"messages": user, "verbosity": "loud"})),
        ("service_tier", json!({"messages": user, "service_tier": "fast"})),
        ("prompt_cache_retention", json!({"messages": user, "prompt_cache_retention": "1h"})),
        ("tools", json!({"messages": user, "tools": []})),
        (
            "tools[0].function.name",
            json!({"messages": user, "tools": [{"type": "function", "function": {}}]}),
        ),
        ("tool_choice", json!({"messages": user, "tools": tool})),
        ("tool_choice", json!({"messages": user, "tool_choice": "auto"})),
        (
            "tool_choice",
            json!({"messages": user, "tools": tool, "tool_choice": {"type": "function", "function": {"name": "find"}}}),
        ),
    ] {
        let (status, message, found) = refusal(&server.address, "/v1/chat/completions", &asked);
        assert_eq!((status, found.as_str()), (400, Some(param)), "{message}");
    }
}

/// Words of which there are only some are looked at, also where they change nothing here.
#[test]
fn a_word_that_is_none_is_refused() {
    let server = usual();
    for (path, param, asked, says) in [
        (
            "/v1/chat/completions",
            "messages[0].role",
            json!({"messages": [{"role": "usr", "content": "fn"}]}),
            "`messages[0].role` is `usr`, but must be `system`, `developer`, `user`, `assistant`, `tool` or `function`, or what",
        ),
        (
            "/v1/chat/completions",
            "reasoning_effort",
            json!({"messages": [{"role": "user", "content": "fn"}], "reasoning_effort": "huge"}),
            "`reasoning_effort` is `huge`, but must be `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`",
        ),
        (
            "/v1/completions",
            "best_of",
            json!({"prompt": "fn", "n": 3, "best_of": 2}),
            "`best_of` is 2, and `n` 3: all",
        ),
        (
            "/v1/responses",
            "reasoning.effort",
            json!({"input": "fn", "reasoning": {"effort": "huge"}}),
            "`reasoning.effort` is `huge`",
        ),
        (
            "/v1/responses",
            "reasoning.summary",
            json!({"input": "fn", "reasoning": {"summary": "all"}}),
            "`reasoning.summary` is `all`",
        ),
        (
            "/v1/responses",
            "text.verbosity",
            json!({"input": "fn", "text": {"verbosity": "loud"}}),
            "`text.verbosity` is `loud`",
        ),
        (
            "/v1/responses",
            "include[0]",
            json!({"input": "fn", "include": ["logprobs"]}),
            "`include[0]` is `logprobs`",
        ),
        (
            "/v1/responses",
            "truncation",
            json!({"input": "fn", "truncation": "some"}),
            "`truncation` is `some`, but must be `auto` or `disabled`",
        ),
        (
            "/v1/responses",
            "input[1].role",
            json!({"input": [{"role": "user", "content": "fn"}, {"role": "usr", "content": "fn"}]}),
            "`input[1].role` is `usr`",
        ),
        (
            "/v1/embeddings",
            "encoding_format",
            json!({"input": "fn", "encoding_format": "hex"}),
            "`encoding_format` is `hex`, but must be `float` or `base64`",
        ),
        (
            "/v1/embeddings",
            "embed_dtype",
            json!({"input": "fn", "embed_dtype": "float16"}),
            "`embed_dtype` is `float16`, but must be `auto` or `float32`",
        ),
        (
            "/v1/embeddings",
            "endianness",
            json!({"input": "fn", "endianness": "big"}),
            "`endianness` is `big`",
        ),
    ] {
        let (status, message, found) = refusal(&server.address, path, &asked);
        assert_eq!((status, found.as_str()), (400, Some(param)), "{message}");
        assert!(message.starts_with(says), "{message}");
    }
    // What is right is taken.
    for (path, asked) in [
        (
            "/v1/chat/completions",
            json!({"messages": [{"role": "user", "content": "fn"}], "reasoning_effort": "minimal", "verbosity": "low", "service_tier": "flex", "max_tokens": 1}),
        ),
        ("/v1/completions", json!({"prompt": "fn", "n": 2, "best_of": 2, "max_tokens": 1})),
        (
            "/v1/responses",
            json!({"input": "fn", "reasoning": {"effort": "none", "summary": "auto"}, "include": ["reasoning.encrypted_content"], "max_output_tokens": 1}),
        ),
    ] {
        let reply = post(&server.address, path, &asked);
        assert_eq!(reply.status, 200, "{}", reply.text());
    }
    // A template that names a role knows it.
    let templates = Some(templates_with("{% if messages[0].role == 'observation' %}{% endif %}"));
    let served = jarrah_serve::Served {
        templates,
        ..jarrah_serve::Served::with_tokenizer(MODEL, model(), tokenizer())
    };
    let server = Running::new(&start(served), |_| {});
    let ask = |role: &str| {
        post(
            &server.address,
            "/v1/chat/completions",
            &json!({"messages": [{"role": role, "content": "fn"}], "max_tokens": 1}),
        )
    };
    assert_eq!(["observation", "observatio", "user", ""].map(|role| ask(role).status), [200, 400, 200, 400]);
}

#[test]
fn a_prompt_that_does_not_fit_is_refused() {
    let server = usual();
    for asked in
        [json!({"prompt": vec![97; 100_000], "max_tokens": 1}), json!({"prompt": "fn ".repeat(1000)})]
    {
        let reply = post(&server.address, "/v1/completions", &asked);
        assert_eq!(
            (reply.status, reply.json()["error"]["code"].as_str()),
            (400, Some("context_length_exceeded"))
        );
    }
    // So long a text is not read: how many tokens it has at least is certain by its length.
    let text = "fn len(&self) -> usize ".repeat(300_000);
    let begun = Instant::now();
    for (path, asked, param) in [
        ("/v1/completions", json!({"prompt": text}), "prompt"),
        ("/v1/chat/completions", json!({"messages": [{"role": "user", "content": text}]}), "messages"),
        ("/v1/responses", json!({"input": text}), "input"),
        ("/v1/embeddings", json!({"input": text}), "input"),
        ("/score", json!({"text_1": text, "text_2": "fn"}), "text_1"),
    ] {
        let (status, message, found) = refusal(&server.address, path, &asked);
        assert_eq!((status, found.as_str()), (400, Some(param)), "{message}");
        let least = message.split(' ').rev().nth(2).unwrap().parse::<usize>();
        assert!(message.ends_with(" at least") && least.unwrap() > 300_000, "{path}: {message}");
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let (status, message, _) =
        refusal(&server.address, "/v1/completions", &json!({"prompt": [[]], "max_tokens": 1}));
    assert_eq!((status, message.as_str()), (400, "`prompt` has no tokens: give at least one"));
}

#[test]
fn what_is_not_json_is_refused() {
    let server = usual();
    let ask = |kind: &str, body: &[u8]| {
        let reply = TestClient::new(&server.address).ask(
            "POST",
            "/v1/completions",
            &[("content-type", kind)],
            Some(body),
        );
        (reply.status, reply.json()["error"]["message"].as_str().unwrap().to_owned())
    };
    let (status, message) = ask("application/json", b"{\"prompt\": ");
    assert!(status == 400 && message.starts_with("the body is not JSON"), "{message}");
    assert_eq!(ask("application/json", b"[1]").0, 400);
    assert_eq!(ask("application/json", b"\xff\xfe").0, 400);
    assert_eq!(ask("application/json", "[".repeat(100_000).as_bytes()).0, 400);
    assert_eq!(ask("application/json; charset=utf-8", b"{\"prompt\": \"fn\", \"max_tokens\": \"a\"}").0, 400);
    // Whatever is said of its type.
    for (kind, body) in [("application/json", &b""[..]), ("", b""), ("application/json", b" \n")] {
        let (status, message) = ask(kind, body);
        assert!(status == 400 && message.starts_with("the request has no body: send"), "{message}");
    }
    let (status, message) = ask("text/plain", b"{\"prompt\": \"fn\"}");
    assert!(status == 415 && message.contains("application/json"), "{message}");
}

#[test]
fn unknown_routes_and_methods_are_refused() {
    let server = usual();
    let reply = get(&server.address, "/v1/nothing");
    assert_eq!((reply.status, reply.json()["error"]["type"].as_str()), (404, Some("invalid_request_error")));
    // A client whose base URL has no version, or has it twice, is told so.
    for path in ["/chat/completions", "/v1/v1/chat/completions", "/v1/chat/completions/"] {
        let (status, message, _) = refusal(&server.address, path, &json!({}));
        let meant =
            "here, but /v1/chat/completions: the base URL of a client ends in /v1, and paths in no slash";
        assert!(status == 404 && message.ends_with(meant), "{message}");
    }
    assert!(get(&server.address, "/models").text().contains("but /v1/models"));
    let reply = get(&server.address, "/v1/completions");
    assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")));
    assert!(reply.json()["error"]["message"].as_str().unwrap().contains("does not take GET"));
}

#[test]
fn who_has_no_key_is_refused() {
    let server = Running::new(&engine(), |options| options.http.keys = vec!["first".into(), "second".into()]);
    let ask = |path: &str, headers: &[(&str, &str)]| {
        TestClient::new(&server.address).ask("GET", path, headers, None)
    };
    assert_eq!(ask("/v1/models", &[("authorization", "Bearer second")]).status, 200);
    let reply = ask("/v1/models", &[("authorization", "Bearer firs")]);
    let error = json!({
        "message": "the request has no key that this server knows: send `Authorization: Bearer KEY`",
        "type": "authentication_error", "param": null, "code": "invalid_api_key",
    });
    assert_eq!((reply.status, reply.json()), (401, json!({"error": error})));
    for path in ["/v1/models", "/load", "/nothing", "/tokenize"] {
        assert_eq!(ask(path, &[]).status, 401, "{path}");
    }
    for path in ["/health", "/ping", "/ready", "/version", "/metrics"] {
        assert_eq!(ask(path, &[]).status, 200, "{path}");
    }
}
