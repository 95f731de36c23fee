use jarrah_serve::{Engine, EngineOptions, Served};
use jarrah_testing::client::{TestClient, post, wait};
use serde_json::{Value, json};

use crate::support::{Running, bare_engine, live, model, own_engine, tokenizer, usual};

const PATH: &str = "/v1/completions";

#[test]
fn an_answer_is_cut_to_the_context() {
    let server = usual();
    let context = crate::support::engine().max_length();
    let messages = json!([{"role": "user", "content": "fn main"}]);
    for (path, mut asked) in [
        (PATH, json!({"prompt": "fn main", "max_tokens": 100_000})),
        (PATH, json!({"prompt": "fn main", "max_tokens": u64::MAX >> 1})),
        // As many tokens as an answer has where nothing is said do not fit either.
        (PATH, json!({"prompt": vec![97; context - 3]})),
        ("/v1/chat/completions", json!({"messages": messages, "max_completion_tokens": 100_000})),
    ] {
        asked["ignore_eos"] = true.into();
        let body = post(&server.address, path, &asked).json();
        assert_eq!(body["choices"][0]["finish_reason"], "length", "{body}");
        assert_eq!(body["usage"]["total_tokens"], context, "{body}");
    }
    let asked = json!({"input": "fn main", "max_output_tokens": 100_000, "ignore_eos": true});
    let body = post(&server.address, "/v1/responses", &asked).json();
    assert_eq!(body["incomplete_details"], json!({"reason": "max_output_tokens"}), "{body}");
    assert_eq!(body["usage"]["total_tokens"], context, "{body}");
    // Nothing fits behind a prompt that fills the context.
    let full = post(&server.address, PATH, &json!({"prompt": vec![97; context], "max_tokens": 1}));
    assert_eq!((full.status, &full.json()["error"]["code"]), (400, &json!("context_length_exceeded")));
}

#[test]
fn a_text_goes_on() {
    let server = usual();
    let reply = post(
        &server.address,
        PATH,
        &json!({"model": "tiny", "prompt": "fn main", "max_tokens": 5, "seed": 1, "ignore_eos": true}),
    );
    assert_eq!(reply.status, 200, "{}", reply.text());
    let body = reply.json();
    assert!(body["id"].as_str().unwrap().starts_with("cmpl-"));
    assert_eq!((&body["object"], &body["model"]), (&json!("text_completion"), &json!("tiny")));
    let choice = &body["choices"][0];
    assert_eq!((&choice["index"], &choice["finish_reason"]), (&json!(0), &json!("length")));
    assert_eq!(choice["logprobs"], Value::Null);
    assert!(choice.get("token_ids").is_none());
    let prompt = tokenizer().encode("fn main").unwrap().len();
    assert_eq!(
        body["usage"],
        json!({
            "prompt_tokens": prompt, "completion_tokens": 5, "total_tokens": prompt + 5,
            "prompt_tokens_details": {"cached_tokens": 0},
        })
    );
}

#[test]
fn prompts_are_texts_or_tokens_alone_or_in_lists() {
    let server = usual();
    let ids = tokenizer().encode("fn main").unwrap();
    let ask = |prompt: Value| {
        let asked = json!({"prompt": prompt, "max_tokens": 4, "ignore_eos": true, "seed": 5, "n": 2, "return_token_ids": true});
        post(&server.address, PATH, &asked).json()
    };
    let one = ask(json!("fn main"));
    assert_eq!(one["choices"].as_array().unwrap().len(), 2);
    assert_eq!(one["choices"][0]["prompt_token_ids"], json!(ids));
    assert_eq!(one["choices"][1]["token_ids"].as_array().unwrap().len(), 4);
    assert_eq!(ask(json!(ids))["choices"], one["choices"]);
    let two = ask(json!(["fn main", "fn main"]));
    let indices: Vec<&Value> = two["choices"].as_array().unwrap().iter().map(|c| &c["index"]).collect();
    assert_eq!(indices, [0, 1, 2, 3]);
    assert_eq!(two["choices"][2]["text"], one["choices"][0]["text"]);
    assert_eq!(ask(json!([ids, ids]))["choices"], two["choices"]);
    assert_eq!(two["usage"]["prompt_tokens"], json!(2 * ids.len()));
    assert_eq!(two["usage"]["completion_tokens"], 16);
}

#[test]
fn what_comes_piece_by_piece_is_the_whole_answer() {
    let server = usual();
    let asked = json!({
        "prompt": ["fn main", "fn len"], "max_tokens": 12, "n": 2, "seed": 7, "stop": "q", "logprobs": 2, "echo": true,
        "return_token_ids": true,
    });
    let whole = post(&server.address, PATH, &asked).json();
    let mut streamed = asked;
    streamed["stream"] = true.into();
    streamed["stream_options"] = json!({"include_usage": true, "continuous_usage_stats": true});
    let events = post(&server.address, PATH, &streamed).events();
    let (last, chunks) = events.split_last().unwrap();
    assert_eq!((&last["choices"], &last["usage"]), (&json!([]), &whole["usage"]));
    for (index, choice) in whole["choices"].as_array().unwrap().iter().enumerate() {
        let pieces = || chunks.iter().filter(|c| c["choices"][0]["index"] == index).map(|c| &c["choices"][0]);
        let text: String = pieces().map(|piece| piece["text"].as_str().unwrap()).collect();
        assert_eq!(text, choice["text"].as_str().unwrap());
        let joined = |name: &str| -> Vec<Value> {
            pieces().flat_map(|piece| piece["logprobs"][name].as_array().unwrap().clone()).collect()
        };
        for name in ["tokens", "token_logprobs", "top_logprobs"] {
            assert_eq!(json!(joined(name)), choice["logprobs"][name], "{name}");
        }
        let ids: Vec<Value> = pieces().flat_map(|p| p["token_ids"].as_array().unwrap().clone()).collect();
        assert_eq!(json!(ids), choice["token_ids"]);
        assert_eq!(pieces().next().unwrap()["prompt_token_ids"], choice["prompt_token_ids"]);
        let ends: Vec<&Value> = pieces().map(|p| &p["finish_reason"]).filter(|r| !r.is_null()).collect();
        assert_eq!(ends, [&choice["finish_reason"]]);
    }
    assert!(chunks.iter().all(|chunk| chunk["usage"]["prompt_tokens"].as_u64() > Some(0)));
}

#[test]
fn a_prompt_is_echoed_with_its_logprobs() {
    let server = usual();
    let ids = tokenizer().encode("fn main").unwrap();
    let asked = json!({"prompt": "fn main", "max_tokens": 0, "echo": true, "logprobs": 1});
    let body = post(&server.address, PATH, &asked).json();
    let choice = &body["choices"][0];
    assert_eq!(choice["text"], "fn main");
    assert_eq!(body["usage"]["completion_tokens"], 0);
    let logprobs = &choice["logprobs"];
    assert_eq!(logprobs["tokens"].as_array().unwrap().len(), ids.len());
    assert_eq!((&logprobs["token_logprobs"][0], &logprobs["top_logprobs"][0]), (&Value::Null, &Value::Null));
    assert!(logprobs["token_logprobs"][1].as_f64().unwrap() < 0.0);
    let names: String = logprobs["tokens"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
    assert_eq!(names, "fn main");
    let offsets: Vec<u64> =
        logprobs["text_offset"].as_array().unwrap().iter().map(|o| o.as_u64().unwrap()).collect();
    assert!(offsets[0] == 0 && offsets.is_sorted());

    let asked = json!({"prompt": "fn main", "max_tokens": 2, "echo": true, "prompt_logprobs": 1});
    let body = post(&server.address, PATH, &asked).json();
    let choice = &body["choices"][0];
    assert!(choice["text"].as_str().unwrap().starts_with("fn main"));
    let prompt = choice["prompt_logprobs"].as_array().unwrap();
    assert_eq!((prompt.len(), &prompt[0]), (ids.len(), &Value::Null));
    let known = &prompt[1][ids[1].to_string()];
    assert!(known["logprob"].is_number() && known["rank"].is_number() && known["decoded_token"].is_string());
}

/// A prompt that is read alone gives no token, not even one that is counted, and may fill the context.
#[test]
fn nothing_is_drawn_behind_a_prompt_that_is_read_alone() {
    let engine = own_engine();
    let server = Running::new(&engine, |_| {});
    for asked in [
        json!({"prompt": ["fn main", "fn"], "max_tokens": 0, "echo": true, "logprobs": 1}),
        json!({"prompt": vec![97; engine.max_length()], "max_tokens": 0, "echo": true, "n": 2}),
        json!({"prompt": "fn", "max_tokens": 0, "echo": true, "use_beam_search": true}),
    ] {
        let reply = post(&server.address, PATH, &asked);
        assert_eq!(reply.status, 200, "{}", reply.text());
        let body = reply.json();
        assert_eq!(body["usage"]["completion_tokens"], 0);
        assert!(body["choices"].as_array().unwrap().iter().all(|choice| choice["finish_reason"] == "length"));
    }
    let metrics = engine.metrics();
    assert_eq!((metrics.generation_tokens, metrics.finished.length, metrics.finished.stop), (0, 5, 0));
    let mut asked =
        json!({"prompt": "fn", "max_tokens": 0, "echo": true, "stream": true, "return_token_ids": true});
    let events = post(&server.address, PATH, &asked).events();
    assert_eq!((events.len(), &events[0]["choices"][0]["text"]), (1, &json!("fn")));
    assert_eq!(events[0]["choices"][0]["token_ids"], json!([]));
    asked["echo"] = false.into();
    assert_eq!(post(&server.address, PATH, &asked).status, 400);
}

#[test]
fn logprobs_name_the_drawn_token_and_the_likeliest() {
    let server = usual();
    let asked = json!({"prompt": "fn", "max_tokens": 3, "temperature": 0, "logprobs": 3, "ignore_eos": true});
    let body = post(&server.address, PATH, &asked).json();
    let logprobs = &body["choices"][0]["logprobs"];
    for i in 0..3 {
        let top = logprobs["top_logprobs"][i].as_object().unwrap();
        let drawn = logprobs["tokens"][i].as_str().unwrap();
        assert!((1..=4).contains(&top.len()) && top.contains_key(drawn), "{top:?} {drawn}");
        assert_eq!(top[drawn], logprobs["token_logprobs"][i]);
    }
    let mut asked = asked;
    asked["return_tokens_as_token_ids"] = true.into();
    let body = post(&server.address, PATH, &asked).json();
    assert!(body["choices"][0]["logprobs"]["tokens"][0].as_str().unwrap().starts_with("token_id:"));
}

#[test]
fn a_prompt_is_cut_where_that_is_asked() {
    let server = usual();
    let ids: Vec<u32> = (97..117).collect();
    let ask = |more: Value| {
        let mut asked = json!({"prompt": ids, "max_tokens": 1, "return_token_ids": true});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        post(&server.address, PATH, &asked).json()["choices"][0]["prompt_token_ids"].clone()
    };
    assert_eq!(ask(json!({"truncate_prompt_tokens": 5})), json!(ids[15..]));
    assert_eq!(ask(json!({"truncate_prompt_tokens": 5, "truncation_side": "right"})), json!(ids[..5]));
    assert_eq!(ask(json!({"truncate_prompt_tokens": -1})), json!(ids));
}

#[test]
fn a_model_without_a_tokenizer_takes_and_gives_tokens() {
    let server = Running::new(&bare_engine(), |_| {});
    let body =
        post(&server.address, PATH, &json!({"prompt": [97, 98], "max_tokens": 3, "logprobs": 0})).json();
    let choice = &body["choices"][0];
    assert_eq!((choice["token_ids"].as_array().unwrap().len(), &choice["text"]), (3, &json!("")));
    assert!(choice["logprobs"]["tokens"][0].as_str().unwrap().starts_with("token_id:"));
    let events =
        post(&server.address, PATH, &json!({"prompt": [97], "max_tokens": 3, "stream": true})).events();
    let ids = events.iter().flat_map(|e| e["choices"][0]["token_ids"].as_array().unwrap());
    assert_eq!(ids.count(), 3);
    for (path, asked) in [
        (PATH, json!({"prompt": "text", "max_tokens": 3})),
        ("/v1/chat/completions", json!({"messages": [{"role": "user", "content": "text"}]})),
        ("/tokenize", json!({"prompt": "text"})),
        ("/detokenize", json!({"tokens": [1]})),
    ] {
        assert_eq!(post(&server.address, path, &asked).status, 400, "{path}");
    }
}

#[test]
fn beams_are_the_likeliest_texts() {
    let server = usual();
    let ask = |more: Value| {
        let mut asked = json!({"prompt": [97, 98, 99], "max_tokens": 4, "use_beam_search": true, "n": 3, "return_token_ids": true});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        post(&server.address, PATH, &asked)
    };
    let reply = ask(json!({})).json();
    let choices = reply["choices"].as_array().unwrap();
    assert_eq!(choices.len(), 3, "{reply}");
    assert!(
        choices[0]["token_ids"] != choices[1]["token_ids"] && reply["usage"]["completion_tokens"].is_u64()
    );
    // A search with one beam takes the likeliest token each time.
    let one = ask(json!({"n": 1})).json()["choices"][0].clone();
    let greedy =
        ask(json!({"n": 1, "use_beam_search": false, "temperature": 0})).json()["choices"][0].clone();
    assert_eq!((&one["text"], &one["token_ids"]), (&greedy["text"], &greedy["token_ids"]));
    // As events they are the same.
    let mut texts = vec![String::new(); 3];
    for event in ask(json!({"stream": true})).events() {
        let choice = &event["choices"][0];
        texts[choice["index"].as_u64().unwrap() as usize] += choice["text"].as_str().unwrap();
    }
    assert_eq!(json!(texts), choices.iter().map(|choice| choice["text"].clone()).collect::<Value>());
    for (param, value) in [
        ("stop", json!("x")),
        ("n", json!(5000)),
        ("logprobs", json!(1)),
        ("logprobs", json!(0)),
        ("prompt_logprobs", json!(0)),
        ("length_penalty", json!("a")),
        ("temperature", json!(0.7)),
        ("top_p", json!(0.9)),
        ("top_k", json!(5)),
        ("min_p", json!(0.1)),
        ("presence_penalty", json!(1)),
        ("frequency_penalty", json!(1)),
        ("repetition_penalty", json!(1.1)),
        ("logprob_token_ids", json!([1])),
        ("repetition_detection", json!({"max_pattern_size": 3})),
        ("include_stop_str_in_output", json!(true)),
        ("response_format", json!({"type": "json_object"})),
        ("detokenize", json!(false)),
    ] {
        let reply = ask(json!({param: value}));
        assert_eq!((reply.status, &reply.json()["error"]["param"]), (400, &json!(param)), "{}", reply.text());
        if ["temperature", "response_format"].contains(&param) {
            assert!(reply.text().contains("` is not supported with `use_beam_search`: "), "{}", reply.text());
        }
    }
    // What asks for nothing is taken.
    let neutral = json!({
        "temperature": 0, "top_p": 1, "top_k": -1, "min_p": 0, "presence_penalty": 0.0, "frequency_penalty": 0,
        "repetition_penalty": 1, "stop": [], "response_format": {"type": "text"}, "seed": 3,
    });
    assert_eq!(ask(neutral).json()["choices"], reply["choices"]);
}

#[test]
fn beams_have_their_places_in_the_queue_from_the_beginning() {
    let options =
        EngineOptions { warm: false, waiting: 6, sequences: 2, page: 16, ..EngineOptions::default() };
    let engine = Engine::start(Served::new("tiny", model()), options).unwrap();
    engine.pause();
    let server = Running::new(&engine, |_| {});
    let search = |width: usize| json!({"prompt": [1, 2, 3], "max_tokens": 12, "use_beam_search": true, "n": width, "ignore_eos": true});
    let address = server.address.clone();
    let first = std::thread::spawn(move || post(&address, PATH, &search(4)));
    wait("the search runs", || live(&engine) > 0);
    // There is no room for another one, which is said at once; and what fills the queue leaves that of the search.
    let refused = post(&server.address, PATH, &search(4));
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")), "{}", refused.text());
    let mut clients: Vec<TestClient> = (0..8).map(|_| TestClient::new(&server.address)).collect();
    for client in &mut clients {
        let body = json!({"prompt": [4, 5], "max_tokens": 100, "ignore_eos": true}).to_string();
        let head = format!(
            "POST {PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        client.write(head.as_bytes()).unwrap();
    }
    wait("the queue is full", || engine.metrics().rejected >= 5);
    engine.resume();
    let reply = first.join().unwrap();
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.json()["choices"].as_array().unwrap().len(), 4);
    let statuses: Vec<u16> = clients.iter_mut().map(|client| client.reply().status).collect();
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    // Places are given back.
    assert_eq!(post(&server.address, PATH, &search(6)).status, 200);
}

#[test]
fn no_logprobs_but_that_of_the_chosen_token_are_told() {
    let server = usual();
    let asked = json!({"prompt": "fn", "max_tokens": 3, "temperature": 0, "logprobs": 0, "ignore_eos": true});
    let logprobs = &post(&server.address, PATH, &asked).json()["choices"][0]["logprobs"];
    let list = |name: &str| logprobs[name].as_array().unwrap_or_else(|| panic!("{logprobs}")).clone();
    assert_eq!((list("tokens").len(), list("token_logprobs").len()), (3, 3));
    for (at, top) in list("top_logprobs").iter().enumerate() {
        let top = top.as_object().unwrap();
        assert_eq!(top.len(), 1, "{logprobs}");
        assert_eq!(top[list("tokens")[at].as_str().unwrap()], list("token_logprobs")[at]);
    }
}
