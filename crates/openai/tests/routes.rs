use jarrah_testing::client::{TestClient, get, post};
use serde_json::json;

use crate::support::{MODEL, Running, engine, own_engine, tokenizer, usual};

#[test]
fn models_are_listed_by_the_names_they_are_served_by() {
    let server = Running::new(&engine(), |options| options.api.names = vec!["a/b".into(), "c".into()]);
    let body = get(&server.address, "/v1/models").json();
    let ids: Vec<&str> = body["data"].as_array().unwrap().iter().map(|m| m["id"].as_str().unwrap()).collect();
    assert_eq!((body["object"].as_str(), ids), (Some("list"), vec!["a/b", "c"]));
    for card in body["data"].as_array().unwrap() {
        let told = [&card["root"], &card["parent"], &card["max_model_len"]];
        assert_eq!(told, [&json!(MODEL), &json!(null), &json!(engine().max_length())]);
    }
    assert_eq!(get(&server.address, "/v1/models/a/b").json(), body["data"][0]);
    assert_eq!(get(&server.address, "/v1/models/d").status, 404);
    let ask = |model: &str| {
        post(&server.address, "/v1/completions", &json!({"model": model, "prompt": "fn", "max_tokens": 1}))
    };
    assert_eq!((ask("c").json()["model"].as_str(), ask("a/b").status), (Some("a/b"), 200));
    let reply = get(&server.address, "/v1/files/%ff");
    let message = reply.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(reply.status == 400 && message.contains("UTF-8"), "{}", reply.text());
    let reply = ask("gpt-4");
    assert_eq!((reply.status, reply.json()["error"]["code"].as_str()), (404, Some("model_not_found")));
}

#[test]
fn text_becomes_tokens_and_back() {
    let server = usual();
    let ids = tokenizer().encode("fn main").unwrap();
    let body =
        post(&server.address, "/tokenize", &json!({"prompt": "fn main", "return_token_strs": true})).json();
    assert_eq!((&body["tokens"], &body["count"]), (&json!(ids), &json!(ids.len())));
    assert_eq!(body["token_strs"].as_array().unwrap().len(), ids.len());
    assert!(body["max_model_len"].as_u64().unwrap() > 0);
    let body = post(&server.address, "/detokenize", &json!({"tokens": ids})).json();
    assert_eq!(body, json!({"prompt": "fn main"}));
    let chat = json!({"messages": [{"role": "user", "content": "fn"}]});
    let body = post(&server.address, "/tokenize", &chat).json();
    assert_eq!(body["tokens"], json!(tokenizer().encode("<user>fn\n<assistant>").unwrap()));
    assert_eq!(post(&server.address, "/tokenize", &json!({})).status, 400);
}

#[test]
fn the_server_says_how_it_is() {
    let server = usual();
    for path in ["/health", "/ping", "/ready", "/readyz"] {
        let reply = get(&server.address, path);
        assert_eq!((reply.status, reply.body.len()), (200, 0), "{path}");
    }
    assert_eq!(TestClient::new(&server.address).ask("POST", "/ping", &[], None).status, 200);
    assert_eq!(get(&server.address, "/version").json(), json!({"version": env!("CARGO_PKG_VERSION")}));
    assert_eq!(get(&server.address, "/load").json(), json!({"server_load": 0}));
}

#[test]
fn the_engine_is_changed_in_development_alone() {
    let server = usual();
    for path in [
        "/pause",
        "/resume",
        "/reset_prefix_cache",
        "/sleep",
        "/wake_up",
        "/abort_requests",
        "/update_weights",
        "/v1/load_lora_adapter",
    ] {
        let reply = post(&server.address, path, &json!({}));
        assert!(reply.status == 404 && reply.text().contains("started with --dev-mode"), "{}", reply.text());
    }
    let engine = own_engine();
    let server = Running::new(&engine, |options| options.api.dev = true);
    assert_eq!(get(&server.address, "/is_paused").json(), json!({"is_paused": false}));
    assert_eq!(post(&server.address, "/pause", &json!({})).status, 200);
    assert!(engine.is_paused());
    assert_eq!(get(&server.address, "/is_paused").json(), json!({"is_paused": true}));
    assert_eq!(post(&server.address, "/resume", &json!({})).status, 200);
    assert_eq!(post(&server.address, "/reset_prefix_cache", &json!({})).status, 200);
    assert_eq!(get(&server.address, "/server_info").json()["models"], json!(["tiny"]));
}

#[test]
fn a_server_sleeps_and_wakes_up() {
    let engine = own_engine();
    let server = Running::new(&engine, |options| options.api.dev = true);
    let is_sleeping = || get(&server.address, "/is_sleeping").json()["is_sleeping"].as_bool().unwrap();
    assert!(!is_sleeping());
    assert_eq!(post(&server.address, "/sleep?level=1", &json!({})).status, 200);
    assert!(is_sleeping() && engine.is_paused());
    assert_eq!(post(&server.address, "/wake_up", &json!({})).status, 200);
    assert!(!is_sleeping() && !engine.is_paused());
    // Its weights come from no folder; and there is no such level.
    for level in [2, 3] {
        let reply = post(&server.address, &format!("/sleep?level={level}"), &json!({}));
        assert_eq!((reply.status, &reply.json()["error"]["param"]), (400, &json!("level")));
        assert!(!is_sleeping() && !engine.is_paused());
    }
    // What is asked meanwhile is answered afterwards.
    assert_eq!(post(&server.address, "/sleep", &json!({})).status, 200);
    std::thread::scope(|scope| {
        let asked = json!({"prompt": ["fn"], "max_tokens": 4, "ignore_eos": true});
        let address = &server.address;
        let answer = scope.spawn(move || post(address, "/v1/completions", &asked));
        while engine.metrics().waiting == 0 {
            std::thread::yield_now();
        }
        assert_eq!(post(address, "/wake_up", &json!({})).status, 200);
        assert_eq!(answer.join().unwrap().status, 200);
    });
}

/// Whoever may change the weights may not read the files of the machine by what is wrong with them.
#[test]
fn what_is_wrong_with_weights_repeats_no_file() {
    let server = Running::new(&engine(), |options| options.api.dev = true);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for content in [
        &b"root:hunter2:20000:0:99999:7:::\n"[..],
        b"hunter2",
        b"{\"password\": \"hunter2\"}",
        b"\0hunter2\0\xff\xfe\xfd\xfc and more",
        b"\x80\x04hunter2.",
        b"PK\x03\x04hunter2",
        b"GGUFhunter2hunter2hunter2",
    ] {
        std::fs::write(&path, content).unwrap();
        let reply = post(&server.address, "/update_weights", &json!({"path": path}));
        reply.refuses("path");
        let number = u64::from_le_bytes(*b"\0hunter2").to_string();
        assert!(!reply.text().contains("hunter2") && !reply.text().contains(&number), "{}", reply.text());
    }
}

#[test]
fn requests_are_ended_by_their_ids() {
    let engine = own_engine();
    let server = Running::new(&engine, |options| options.api.dev = true);
    let asked =
        json!({"prompt": ["fn", "main"], "n": 2, "max_tokens": 200, "ignore_eos": true, "stream": true});
    let abort =
        |asked: &serde_json::Value| post(&server.address, "/abort_requests", asked).json()["aborted"].clone();
    let begin = || {
        let mut client = TestClient::new(&server.address);
        let body = asked.to_string();
        let head = "POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
        client.write(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        assert_eq!(client.head().status, 200);
        let first = String::from_utf8(client.chunk()).unwrap();
        let first = first.lines().next().unwrap().strip_prefix("data: ").unwrap().to_owned();
        (client, serde_json::from_str::<serde_json::Value>(&first).unwrap()["id"].clone())
    };
    let (mut first, id) = begin();
    let (mut second, _) = begin();
    engine.pause();
    assert_eq!(abort(&json!({"request_ids": [id, "cmpl-other"]})), 1);
    let rest = |client: &mut TestClient| {
        let mut rest = Vec::new();
        loop {
            let chunk = client.chunk();
            if chunk.is_empty() {
                return String::from_utf8(rest).unwrap();
            }
            rest.extend(chunk);
        }
    };
    let ended = rest(&mut first);
    assert_eq!(ended.matches("\"finish_reason\":\"abort\"").count(), 4, "{ended}");
    assert!(ended.ends_with("data: [DONE]\n\n"));
    assert_eq!(abort(&json!({})), 1);
    assert_eq!(rest(&mut second).matches("\"finish_reason\":\"abort\"").count(), 4);
    engine.resume();
    jarrah_testing::client::wait("the engine has nothing to do", || crate::support::live(&engine) == 0);
    assert_eq!(abort(&json!({})), 0);
    assert_eq!(post(&server.address, "/abort_requests", &json!({"request_ids": "a"})).status, 400);
    let reply = post(&server.address, "/abort_requests", &json!({"request_id": ["a"]}));
    assert_eq!((reply.status, &reply.json()["error"]["param"]), (400, &json!("request_id")));
}

#[test]
fn what_is_measured_is_told_to_prometheus() {
    let engine = own_engine();
    let server = Running::new(&engine, |options| options.api.names = vec!["a\"b".into()]);
    let asked = json!({"prompt": [1, 2, 3], "max_tokens": 4, "n": 2, "ignore_eos": true});
    assert_eq!(post(&server.address, "/v1/completions", &asked).status, 200);
    // An answer is counted when it has been told.
    jarrah_testing::client::wait("both answers are counted", || engine.metrics().finished.length == 2);
    let reply = get(&server.address, "/metrics");
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let labels = r#"model_name="a\"b",engine="0""#;
    let sample = |name: &str, more: &str| -> f64 {
        let line = format!("vllm:{name}{{{labels}{more}}} ");
        let found: Vec<&str> = reply.text().lines().filter_map(|l| l.strip_prefix(&line)).collect();
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        found[0].parse().unwrap()
    };
    for (name, value) in [
        ("num_requests_running", 0.0),
        ("num_requests_waiting", 0.0),
        ("prompt_tokens_total", 6.0),
        ("generation_tokens_total", 8.0),
        ("num_preemptions_total", 0.0),
        ("admission_rejections_total", 0.0),
    ] {
        assert_eq!(sample(name, ""), value, "{name}");
    }
    assert_eq!(sample("request_success_total", ",finished_reason=\"length\""), 2.0);
    assert_eq!(sample("request_success_total", ",finished_reason=\"stop\""), 0.0);
    for (name, count, sum) in [("request_prompt_tokens", 2.0, 6.0), ("request_params_n", 1.0, 2.0)] {
        assert_eq!((sample(&format!("{name}_count"), ""), sample(&format!("{name}_sum"), "")), (count, sum));
        assert_eq!(sample(&format!("{name}_bucket"), ",le=\"+Inf\""), count);
    }
    assert_eq!(sample("request_prompt_tokens_bucket", ",le=\"2.0\""), 0.0);
    assert_eq!(sample("request_prompt_tokens_bucket", ",le=\"5.0\""), 2.0);
    assert!(sample("time_to_first_token_seconds_sum", "") > 0.0);
    // Every sample has a type, said once before it.
    let mut kinds = std::collections::BTreeMap::new();
    for line in reply.text().lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert!(kinds.insert(name, kind).is_none(), "{name}");
        } else if !line.starts_with('#') {
            let name = line.split('{').next().unwrap();
            let ends = ["_bucket", "_sum", "_count"];
            let whole = ends
                .iter()
                .find_map(|end| name.strip_suffix(end))
                .filter(|n| kinds.get(n) == Some(&"histogram"));
            assert!(whole.is_some() || kinds.contains_key(name), "{name}");
        }
    }
}
