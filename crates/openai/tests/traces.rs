//! Spans of requests, as a collector gets them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jarrah_http::{Server, ServerOptions};
use jarrah_testing::client::{TestClient, wait};
use serde_json::{Value, json};

use crate::support::{Running, engine, own_engine};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// A collector, and the spans that reach it.
fn collector() -> (String, Receiver<Value>) {
    collector_at("127.0.0.1:0")
}

fn collector_at(address: &str) -> (String, Receiver<Value>) {
    let listener = TcpListener::bind(address).unwrap();
    let url = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept().unwrap().0);
        loop {
            let (mut line, mut length) = (String::new(), 0);
            if stream.read_line(&mut line).unwrap() == 0 {
                return;
            }
            assert_eq!(line, "POST /v1/traces HTTP/1.1\r\n");
            while line != "\r\n" {
                line.clear();
                stream.read_line(&mut line).unwrap();
                let header = line.to_ascii_lowercase();
                length =
                    header.strip_prefix("content-length: ").map_or(length, |n| n.trim().parse().unwrap());
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").unwrap();
            let body: Value = serde_json::from_slice(&body).unwrap();
            let resource = &body["resourceSpans"][0];
            assert_eq!(resource["resource"]["attributes"][0]["value"]["stringValue"], "jarrah");
            for span in resource["scopeSpans"][0]["spans"].as_array().unwrap() {
                tell.send(span.clone()).unwrap();
            }
        }
    });
    (url, told)
}

fn attribute(span: &Value, key: &str) -> Value {
    let all = span["attributes"].as_array().unwrap();
    let found =
        all.iter().find(|attribute| attribute["key"] == key).unwrap_or_else(|| panic!("{key}: {span}"));
    found["value"].as_object().unwrap().values().next().unwrap().clone()
}

fn ask(address: &str, parent: Option<&str>, body: &Value) -> Value {
    let headers: Vec<(&str, &str)> = parent.iter().map(|parent| ("traceparent", *parent)).collect();
    let reply =
        TestClient::new(address).ask("POST", "/v1/completions", &headers, Some(body.to_string().as_bytes()));
    assert_eq!(reply.status, 200, "{}", reply.text());
    if body["stream"] == true { reply.events()[0].clone() } else { reply.json() }
}

#[test]
fn every_request_has_a_span() {
    let (url, told) = collector();
    let server = Running::new(&engine(), |options| options.http.traces = Some(url));
    let next = || told.recv_timeout(Duration::from_secs(10)).unwrap();
    let asked = json!({
        "prompt": [[1, 2, 3], [4]], "max_tokens": 5, "ignore_eos": true, "temperature": 0.5, "top_p": 0.9, "n": 2, "seed": 1,
    });
    let answer = ask(&server.address, Some(PARENT), &asked);
    let span = next();
    assert_eq!((&span["name"], &span["kind"]), (&json!("llm_request"), &json!(2)));
    assert_eq!(
        (&span["traceId"], &span["parentSpanId"]),
        (&json!("0af7651916cd43dd8448eb211c80319c"), &json!("b7ad6b7169203331"))
    );
    assert_eq!(attribute(&span, "gen_ai.request.id"), answer["id"]);
    for (key, value) in [
        ("gen_ai.response.model", json!("tiny")),
        ("gen_ai.request.temperature", json!(0.5)),
        ("gen_ai.request.top_p", json!(0.9)),
        ("gen_ai.request.max_tokens", json!("5")),
        ("gen_ai.request.n", json!("2")),
        ("gen_ai.usage.num_sequences", json!("4")),
        ("gen_ai.usage.prompt_tokens", json!("4")),
        ("gen_ai.usage.completion_tokens", json!("20")),
    ] {
        assert_eq!(attribute(&span, key), value, "{key}");
    }
    let seconds = |key: &str| attribute(&span, key).as_f64().unwrap();
    let (first, whole) = (seconds("gen_ai.latency.time_to_first_token"), seconds("gen_ai.latency.e2e"));
    assert!(0.0 < first && first <= whole, "{span}");
    let time = |name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
    assert!(time("startTimeUnixNano") < time("endTimeUnixNano"));

    // One that is told piece by piece has a trace of its own where its caller has none.
    let mut streamed = asked.clone();
    streamed["stream"] = true.into();
    let first = ask(&server.address, None, &streamed);
    let own = next();
    assert_eq!(attribute(&own, "gen_ai.request.id"), first["id"]);
    assert!(own.get("parentSpanId").is_none() && own["traceId"] != span["traceId"]);
    // A caller that keeps no spans wants none here; what is no parent is none.
    ask(&server.address, Some(&format!("{}00", PARENT.strip_suffix("01").unwrap())), &asked);
    let answer = ask(&server.address, Some("00-xyz"), &asked);
    assert_eq!(attribute(&next(), "gen_ai.request.id"), answer["id"]);
}

#[test]
fn spans_are_sent_before_a_server_ends() {
    let (url, told) = collector();
    let mut server = Running::new(&engine(), |options| options.http.traces = Some(url));
    ask(&server.address, None, &json!({"prompt": [1], "max_tokens": 1}));
    server.stopper.stop();
    server.done.take().unwrap().join().unwrap().unwrap();
    assert!(told.try_recv().is_ok());
}

#[test]
fn a_collector_that_is_not_there_holds_nobody_up() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    // This one takes a connection and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    for address in [closed, silent.local_addr().unwrap()] {
        let server =
            Running::new(&engine(), |options| options.http.traces = Some(format!("http://{address}")));
        for _ in 0..20 {
            ask(&server.address, None, &json!({"prompt": [1], "max_tokens": 1}));
        }
    }
    drop(TcpStream::connect(silent.local_addr().unwrap()));
    let options = ServerOptions { traces: Some("localhost:4317".to_owned()), ..ServerOptions::default() };
    let why = Server::bind(options, jarrah_openai::api(own_engine(), Default::default()))
        .err()
        .unwrap()
        .to_string();
    assert!(why.contains("localhost:4317 is no address of HTTP"), "{why}");
    assert!(why.contains("write http://127.0.0.1:4318/v1/traces"), "{why}");
}

/// A line says that spans are lost, however many are, and one that they go through again.
#[test]
fn a_collector_that_is_not_there_is_named_once() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (url, lines) = (format!("http://{address}/v1/traces"), Arc::new(Mutex::new(Vec::new())));
    let all = lines.clone();
    let server = Running::new(&engine(), |options| {
        options.http.traces = Some(url.clone());
        options.http.notes = Some(Arc::new(move |line: &str| all.lock().unwrap().push(line.to_owned())));
    });
    let asks = |server: &Running| ask(&server.address, None, &json!({"prompt": [1], "max_tokens": 1}));
    let told = || lines.lock().unwrap().clone();
    asks(&server);
    wait("a line says that spans are lost", || !told().is_empty());
    asks(&server);
    std::thread::sleep(Duration::from_millis(700));
    let (_, spans) = collector_at(&address);
    asks(&server);
    spans.recv_timeout(Duration::from_secs(10)).unwrap();
    wait("a line says that spans go through", || told().len() > 1);
    let told = told();
    assert_eq!(told.len(), 2, "{told:?}");
    let begin = format!("[spans of requests are lost: cannot connect to {address}: ");
    assert!(told[0].starts_with(&begin) && told[0].ends_with(&format!(" ({url})]")), "{told:?}");
    assert_eq!(told[1], format!("[spans of requests reach {url} again; 2 were lost]"));
    // What answers, but takes no spans, is no collector either.
    let lines = Arc::new(Mutex::new(Vec::new()));
    let all = lines.clone();
    let other = Running::new(&engine(), |options| {
        options.http.traces = Some(server.address.clone());
        options.http.notes = Some(Arc::new(move |line: &str| all.lock().unwrap().push(line.to_owned())));
    });
    asks(&other);
    wait("a line says that spans are lost", || !lines.lock().unwrap().is_empty());
    let line = lines.lock().unwrap()[0].clone();
    assert!(line.contains("it answers with status 405"), "{line}");
}
