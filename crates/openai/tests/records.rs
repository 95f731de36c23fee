//! Lines of requests.

use std::sync::{Arc, Mutex};

use jarrah_serve::Engine;
use jarrah_testing::client::{TestClient, get, post, wait};
use serde_json::json;

use crate::support::{Running, engine, own_engine};

/// A server with these keys, and the lines that it says of requests.
fn logged(engine: &Engine, keys: &[&str]) -> (Running, Arc<Mutex<Vec<String>>>) {
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = lines.clone();
    let server = Running::new(engine, |options| {
        options.http.log = Some(Arc::new(move |line| log.lock().unwrap().push(line.to_owned())));
        options.http.keys = keys.iter().map(|key| (*key).to_owned()).collect();
    });
    (server, lines)
}

/// The value of a field of a line.
fn field<'l>(line: &'l str, name: &str) -> &'l str {
    let fields = line.split(' ').filter_map(|field| field.split_once('='));
    fields.into_iter().find(|(own, _)| *own == name).unwrap_or_else(|| panic!("no {name}: {line}")).1
}

#[test]
fn a_request_has_one_line_with_its_tokens_end_and_times() {
    let (server, lines) = logged(&engine(), &["key"]);
    // A request is told when nobody has it any more, which may be behind the last byte of its answer.
    let told = |count: usize| -> String {
        wait("a line", || lines.lock().unwrap().len() >= count);
        let lines = lines.lock().unwrap();
        assert_eq!(lines.len(), count, "{lines:?}");
        lines[count - 1].clone()
    };
    let asked = json!({"prompt": [1, 2, 3], "max_tokens": 4, "n": 2, "ignore_eos": true});
    let headers = [("authorization", "Bearer key"), ("x-request-id", "mine status=200")];
    let ask = |headers: &[(&str, &str)], path: &str, asked: &serde_json::Value| {
        TestClient::new(&server.address).ask("POST", path, headers, Some(asked.to_string().as_bytes()))
    };
    let reply = ask(&headers, "/v1/completions", &asked);
    let line = told(1);
    assert!(
        line.starts_with("request id=cmpl-") && line.contains(" request_id=\"mine status=200\" "),
        "{line}"
    );
    assert_eq!(field(&line, "id"), reply.json()["id"].as_str().unwrap());
    for (name, value) in [
        ("route", "/v1/completions"),
        ("prompt_tokens", "3"),
        ("answer_tokens", "8"),
        ("finish", "length,length"),
    ] {
        assert_eq!(field(&line, name), value, "{line}");
    }
    assert!(line.contains(" status=200 prompt_tokens"), "{line}");
    let seconds = |name: &str| field(&line, name).parse::<f64>().unwrap();
    assert!(seconds("first_s") <= seconds("whole_s"), "{line}");
    // As it comes, too; and what is refused, and by whom it was not let in.
    let mut streamed = asked.clone();
    (streamed["stream"], streamed["n"]) = (true.into(), 1.into());
    assert_eq!(ask(&headers[..1], "/v1/completions", &streamed).status, 200);
    let line = told(2);
    assert_eq!((field(&line, "answer_tokens"), field(&line, "finish")), ("4", "length"), "{line}");
    assert_eq!(ask(&headers[..1], "/v1/chat/completions", &json!({"messages": 3})).status, 400);
    let line = told(3);
    assert_eq!((field(&line, "id"), field(&line, "finish"), field(&line, "status")), ("-", "refused", "400"));
    assert!(line.ends_with(" error=\"`messages` must be a list, but is an integer\""), "{line}");
    assert_eq!(post(&server.address, "/tokenize", &json!({"prompt": "a"})).status, 401);
    assert_eq!(field(&told(4), "status"), "401");
    // What is no request to the model has none.
    assert_eq!(get(&server.address, "/health").status, 200);
    assert_eq!(ask(&headers[..1], "/tokenize", &json!({"prompt": "fn"})).status, 200);
    let line = told(5);
    assert_eq!(
        (field(&line, "route"), field(&line, "finish"), field(&line, "first_s")),
        ("/tokenize", "-", "-")
    );
}

/// What has no token has no time of its first, and what is no text has no end.
#[test]
fn what_draws_no_token_is_told_without_one() {
    let (server, lines) = logged(&engine(), &[]);
    for (at, (path, asked, finish)) in [
        ("/v1/completions", json!({"prompt": "fn", "max_tokens": 0, "echo": true}), "length"),
        ("/v1/embeddings", json!({"input": ["fn", "main"]}), "-"),
        ("/score", json!({"text_1": "fn", "text_2": ["fn", "main"]}), "-"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(post(&server.address, path, &asked).status, 200);
        wait("a line", || lines.lock().unwrap().len() > at);
        let line = lines.lock().unwrap()[at].clone();
        let told = ["finish", "answer_tokens", "first_s"].map(|name| field(&line, name));
        assert_eq!(told, [finish, "0", "-"], "{line}");
    }
}

#[test]
fn a_client_that_goes_is_told_of() {
    let (server, lines) = logged(&own_engine(), &[]);
    let asked = json!({"prompt": [1, 2], "max_tokens": 250, "stream": true, "ignore_eos": true}).to_string();
    let mut client = TestClient::new(&server.address);
    let head = "POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    client.write(format!("{head}content-length: {}\r\n\r\n{asked}", asked.len()).as_bytes()).unwrap();
    assert_eq!(client.head().status, 200);
    client.chunk();
    drop(client);
    wait("a line", || !lines.lock().unwrap().is_empty());
    let line = lines.lock().unwrap()[0].clone();
    assert_eq!(field(&line, "finish"), "disconnected", "{line}");
    assert!(field(&line, "answer_tokens").parse::<usize>().unwrap() < 250, "{line}");
}
