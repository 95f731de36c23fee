use std::time::Duration;

use jarrah_serve::{Engine, EngineOptions, Served};
use jarrah_testing::client::{TestClient, get, post, wait};
use serde_json::json;

use crate::support::{MODEL, Running, live, model, own_engine, tokenizer};

fn head(path: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
}

#[test]
fn a_client_that_goes_away_ends_its_request() {
    let engine = own_engine();
    let server = Running::new(&engine, |_| {});
    let load = || get(&server.address, "/load").json()["server_load"].as_u64().unwrap();
    let chat = json!([{"role": "user", "content": "fn"}]);
    for (path, asked) in [
        ("/v1/completions", json!({"prompt": "fn", "max_tokens": 250})),
        ("/v1/completions", json!({"prompt": ["fn", "main"], "max_tokens": 250, "stream": true})),
        ("/v1/chat/completions", json!({"messages": chat, "max_tokens": 200, "n": 2, "ignore_eos": true})),
        ("/v1/chat/completions", json!({"messages": chat, "stream": true, "ignore_eos": true})),
        ("/v1/responses", json!({"input": "fn", "max_output_tokens": 200, "stream": true})),
    ] {
        let body = asked.to_string();
        let begin = |sent: usize| {
            let mut client = TestClient::new(&server.address);
            client.write(head(path, body.len()).as_bytes()).unwrap();
            client.write(&body.as_bytes()[..sent]).unwrap();
            client
        };
        // In the middle of the body; while the answer waits; in the middle of the answer.
        drop(begin(10));
        engine.pause();
        let client = begin(body.len());
        wait("the request waits", || live(&engine) > 0 && load() > 0);
        drop(client);
        wait("the request ended with its client", || live(&engine) == 0 && load() == 0);
        engine.resume();
        let mut client = begin(body.len());
        if asked["stream"] == true {
            client.head();
            client.chunk();
        }
        drop(client);
        wait("the request ended with its client", || live(&engine) == 0 && load() == 0);
    }
}

#[test]
fn a_reader_that_takes_nothing_is_given_up() {
    let server = Running::new(&own_engine(), |options| options.http.write_time = Duration::from_millis(300));
    let load = || get(&server.address, "/load").json()["server_load"].as_u64().unwrap();
    // Each of the choices repeats the prompt with its logprobs: more than a socket holds.
    let asked = json!({
        "prompt": vec![97; 250], "max_tokens": 0, "n": 128, "echo": true, "logprobs": 20, "stream": true,
    });
    let body = asked.to_string();
    let mut client = TestClient::new(&server.address);
    client.write(head("/v1/completions", body.len()).as_bytes()).unwrap();
    client.write(body.as_bytes()).unwrap();
    wait("the request is answered", || load() > 0);
    wait("the connection was given up", || load() == 0);
    client.head();
    let mut size = 0;
    while !client.is_closed() {
        size += client.take();
    }
    assert!(size < 16 << 20, "{size} bytes were taken");
    // A reader that reads gets all of it.
    let events = post(&server.address, "/v1/completions", &asked).events();
    assert_eq!(events.len(), 128);
    assert!(events.iter().all(|e| e["choices"][0]["logprobs"]["token_logprobs"][1].is_number()));
}

/// A body that nobody wants is read, and the next request of its connection answered.
#[test]
fn a_body_that_is_not_wanted_is_read() {
    let server = Running::new(&own_engine(), |options| options.api.dev = true);
    let mut client = TestClient::new(&server.address);
    for (path, status) in [
        ("/pause", 200),
        ("/resume", 200),
        ("/reset_prefix_cache", 200),
        ("/sleep", 200),
        ("/wake_up", 200),
        ("/ping", 200),
        ("/v1/batches/none/cancel", 404),
        ("/nowhere", 404),
        ("/v1/models", 405),
    ] {
        client.write(head(path, 2).as_bytes()).unwrap();
        // It comes when the answer could be there.
        std::thread::sleep(Duration::from_millis(30));
        client.write(b"{}").unwrap();
        assert_eq!(client.reply().status, status, "{path}");
    }
    assert_eq!(client.get("/health").status, 200);
}

/// A request that never finds places is refused for good: to send it again would not help.
#[test]
fn more_answers_than_may_wait_are_refused_for_good() {
    let options =
        EngineOptions { warm: false, waiting: 2, sequences: 1, page: 16, ..EngineOptions::default() };
    let engine = Engine::start(Served::with_tokenizer(MODEL, model(), tokenizer()), options).unwrap();
    let server = Running::new(&engine, |_| {});
    let five = ["fn"; 5];
    for (path, count, asked) in [
        ("/v1/completions", 5, json!({"prompt": "fn", "n": 5})),
        ("/v1/completions", 5, json!({"prompt": five})),
        ("/v1/completions", 4, json!({"prompt": ["fn", "fn"], "n": 2})),
        ("/v1/completions", 4, json!({"prompt": ["fn", "fn"], "n": 2, "use_beam_search": true})),
        ("/v1/embeddings", 5, json!({"input": five})),
        ("/v1/rerank", 6, json!({"query": "fn", "documents": five})),
        ("/v1/score", 6, json!({"text_1": "fn", "text_2": five})),
    ] {
        let reply = post(&server.address, path, &asked);
        assert_eq!((reply.status, reply.header("retry-after")), (400, None), "{asked}: {}", reply.text());
        let says = format!("{count} answers are asked for, and 2 may wait: ask for fewer, or let more wait");
        assert_eq!(reply.json()["error"]["message"], says, "{asked}");
    }
    assert_eq!(engine.metrics().rejected, 0);
    let reply = post(&server.address, "/v1/embeddings", &json!({"input": five[..2]}));
    assert_eq!(reply.status, 200, "{}", reply.text());
}
