use std::time::{Duration, Instant};

use jarrah_serve::{Engine, EngineOptions, Served};
use serde_json::json;

use crate::client::{Client, get, post};
use crate::support::{MODEL, Running, engine, live, model, own_engine, tokenizer, wait};

fn head(path: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
}

#[test]
fn a_large_body_is_refused() {
    let server = Running::new(&engine(), |options| options.most_body = 10_000);
    let asked = json!({"prompt": "x".repeat(20_000)});
    let reply = post(&server.address, "/v1/completions", &asked);
    assert_eq!(reply.status, 413);
    assert!(reply.json()["error"]["message"].as_str().unwrap().contains("10000 bytes"));
    // Nobody says beforehand how long this one is.
    let mut client = Client::new(&server.address);
    let head = "POST /tokenize HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    client.write(head.as_bytes()).unwrap();
    for _ in 0..30 {
        if client.write(format!("400\r\n{}\r\n", "x".repeat(1024)).as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(client.reply().status, 413);
    // A client that sends all before it reads sees the answer, too, and then the end.
    let body = json!({"prompt": "x".repeat(30 << 20)}).to_string();
    let mut client = Client::new(&server.address);
    client.write(self::head("/v1/completions", body.len()).as_bytes()).unwrap();
    client.write(body.as_bytes()).unwrap();
    let reply = client.reply();
    assert_eq!((reply.status, reply.header("connection")), (413, Some("close")));
    assert!(client.is_closed());
}

#[test]
fn bodies_have_a_common_bound() {
    let server = Running::new(&engine(), |options| options.most_bodies = 16 << 10);
    let ask = || post(&server.address, "/tokenize", &json!({"prompt": "x".repeat(8_000)}));
    // What another holds may be refused in its place, where it comes later.
    let refused = || {
        let mut other = Client::new(&server.address);
        other.write(head("/tokenize", 12_000).as_bytes()).unwrap();
        other.write(&[b' '; 11_000]).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        let reply = ask();
        (reply.status, reply.header("retry-after").map(str::to_owned)) == (503, Some("1".to_owned()))
    };
    wait("a body is refused while another is held", refused);
    wait("the other gave its room back", || ask().status == 200);
}

#[test]
fn a_slow_body_is_refused_and_a_slow_head_is_closed() {
    let server = Running::new(&engine(), |options| {
        options.body_time = Duration::from_millis(200);
        options.head_time = Duration::from_millis(200);
    });
    let mut client = Client::new(&server.address);
    client.write(head("/tokenize", 100).as_bytes()).unwrap();
    client.write(b"{").unwrap();
    assert_eq!(client.reply().status, 408);
    let mut client = Client::new(&server.address);
    client.write(b"GET /health HTTP/1.1\r\nhost:").unwrap();
    let begun = Instant::now();
    assert!(client.is_closed() && begun.elapsed() < Duration::from_secs(10));
    let mut idle = Client::new(&server.address);
    assert_eq!(idle.get("/health").status, 200);
    let begun = Instant::now();
    assert!(idle.is_closed() && begun.elapsed() < Duration::from_secs(10));
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
            let mut client = Client::new(&server.address);
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
    let server = Running::new(&own_engine(), |options| options.write_time = Duration::from_millis(300));
    let load = || get(&server.address, "/load").json()["server_load"].as_u64().unwrap();
    // Each of the choices repeats the prompt with its logprobs: more than a socket holds.
    let asked = json!({
        "prompt": vec![97; 250], "max_tokens": 0, "n": 128, "echo": true, "logprobs": 20, "stream": true,
    });
    let body = asked.to_string();
    let mut client = Client::new(&server.address);
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
    let server = Running::new(&own_engine(), |options| options.dev = true);
    let mut client = Client::new(&server.address);
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

#[test]
fn connections_wait_for_a_place() {
    let server = Running::new(&engine(), |options| options.most_connections = 1);
    let mut first = Client::new(&server.address);
    assert_eq!(first.get("/health").status, 200);
    let address = server.address.clone();
    let second = std::thread::spawn(move || get(&address, "/health").status);
    std::thread::sleep(Duration::from_millis(100));
    assert!(!second.is_finished());
    drop(first);
    assert_eq!(second.join().unwrap(), 200);
}

#[test]
fn a_protocol_that_is_none_is_refused() {
    let server = Running::new(&engine(), |_| {});
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /tokenize HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n",
        b"GET /health HTTP/1.1\r\nhost: a\r\nbroken header\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
    ] {
        let mut client = Client::new(&server.address);
        client.write(bytes).unwrap();
        assert_eq!(client.reply().status, 400);
    }
    // RFC 9112, section 3.2: one host, which HTTP/1.0 did not have.
    for (head, status) in [
        ("HTTP/1.1\r\n", 400),
        ("HTTP/1.1\r\nhost: a\r\nhost: b\r\n", 400),
        ("HTTP/1.1\r\nhost: a b\r\n", 400),
        ("HTTP/1.1\r\nhost: user@a\r\n", 400),
        ("HTTP/1.1\r\nhost:\r\n", 200),
        ("HTTP/1.1\r\nhost: [::1]:80\r\n", 200),
        ("HTTP/1.0\r\n", 200),
    ] {
        let mut client = Client::new(&server.address);
        client.write(format!("GET /health {head}\r\n").as_bytes()).unwrap();
        let reply = client.reply();
        assert_eq!(reply.status, status, "{head}");
        assert!(status == 200 || reply.text().contains("`Host`"), "{}", reply.text());
    }
    let many = "a: b\r\n".repeat(1000);
    let mut client = Client::new(&server.address);
    client.write(format!("GET /health HTTP/1.1\r\n{many}\r\n").as_bytes()).unwrap();
    assert_eq!(client.reply().status, 431);
}
