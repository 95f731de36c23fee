use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::{Done, Place};

fn trained() -> Place {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run model.context=64");
    place
}

/// A server, and the address that it printed.
fn serve(place: &Place, more: &str) -> (Child, String) {
    let mut command = place.command(&format!("serve run --port 0 --no-warm-up {more}"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().rsplit(" at ").next().unwrap().to_owned();
    assert!(line.starts_with("serving "), "{line:?}");
    (child, address)
}

fn connect(address: &str, method: &str, path: &str, headers: &str, body: &Value) -> TcpStream {
    let mut stream = TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let head = format!("{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n{headers}");
    write!(stream, "{head}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        .unwrap();
    stream
}

fn ask(address: &str, method: &str, path: &str, headers: &str, body: &Value) -> (String, String) {
    let mut text = String::new();
    connect(address, method, path, headers, body).read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.lines().next().unwrap().to_owned(), body.to_owned())
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
}

#[test]
fn a_run_is_served_until_it_is_told_to_stop() {
    let place = trained();
    let (child, address) = serve(
        &place,
        "--served-model-name mine other --api-key key --seed 3 --speculative-config {\"method\":\"ngram\"}",
    );
    let key = "authorization: Bearer key\r\n";
    let asked = json!({"model": "other", "prompt": "line", "max_tokens": 8, "temperature": 1.5});
    let (status, first) = ask(&address, "POST", "/v1/completions", key, &asked);
    assert_eq!(status, "HTTP/1.1 200 OK", "{first}");
    let text = |body: &str| {
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["model"], "mine");
        body["choices"][0]["text"].as_str().unwrap().to_owned()
    };
    let again = ask(&address, "POST", "/v1/completions", key, &asked).1;
    assert_eq!(text(&first), text(&again), "requests without a seed have that of the server");
    assert_eq!(ask(&address, "GET", "/v1/models", "", &Value::Null).0, "HTTP/1.1 401 Unauthorized");
    assert_eq!(ask(&address, "GET", "/health", "", &Value::Null).0, "HTTP/1.1 200 OK");
    signal(&child, Signal::TERM);
    let done = Done::from(child.wait_with_output().unwrap());
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        done.err.contains("room for ") && done.err.contains("stopping: what runs is finished"),
        "{done:?}"
    );
}

#[test]
fn what_runs_is_finished_once_and_ended_the_second_time() {
    let place = trained();
    let (child, address) = serve(&place, "--dev-mode");
    ask(&address, "POST", "/pause", "", &Value::Null);
    let asked = json!({"prompt": "line", "max_tokens": 8, "stream": true});
    let mut waits = connect(&address, "POST", "/v1/completions", "", &asked);
    while ask(&address, "GET", "/load", "", &Value::Null).1 != r#"{"server_load":1}"# {}
    signal(&child, Signal::INT);
    while TcpStream::connect(address.strip_prefix("http://").unwrap()).is_ok() {}
    signal(&child, Signal::INT);
    let done = Done::from(child.wait_with_output().unwrap());
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.err.contains("error: the server ended before all requests were answered"), "{done:?}");
    let mut rest = Vec::new();
    let _ = waits.read_to_end(&mut rest);
    assert!(!String::from_utf8_lossy(&rest).contains("[DONE]"));
}

#[test]
fn what_cannot_be_served_is_refused() {
    let place = trained();
    place.refused("serve nothing", "nothing does not exist");
    place.refused(
        "serve run --max-model-len 65",
        "[engine] sequences of 65 tokens, but the model was made for 64",
    );
    place.refused("serve run --host nowhere.invalid", "--host is nowhere.invalid, which is no address");
    place.refused("serve run --chat-template missing", "cannot read missing");
    let json = "--override-generation-config";
    place.refused(&format!("serve run {json} {{}}x"), "--override-generation-config: trailing characters");
    place.refused(
        &format!("serve run {json} {{\"top\":1}}"),
        "--override-generation-config: top is none of its names",
    );
    place.refused(
        &format!("serve run {json} {{\"top_p\":2}}"),
        "top_p is 2, it must be above 0 and at most 1",
    );
    let json = "--speculative-config";
    place.refused(
        &format!("serve run {json} {{\"method\":\"eagle\"}}"),
        "--speculative-config: the method is \"eagle\"",
    );
    place.refused(
        &format!("serve run {json} {{\"prompt_lookup_min\":9}}"),
        "--speculative-config: prompt_lookup_min is 9",
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let done = place.jarrah(&format!("serve run --no-warm-up --port {port}"));
    assert!(done.code == Some(1) && done.err.contains("cannot listen at 127.0.0.1, port"), "{done:?}");
    for wrong in
        ["--kv-cache-dtype f64", "--max-num-seqs 0", "--port 70000", "--lora-modules a", "--uds s --port 1"]
    {
        assert_eq!(place.jarrah(&format!("serve run {wrong}")).code, Some(2), "{wrong}");
    }
}

#[test]
fn a_template_of_a_file_writes_the_chats() {
    let place = trained();
    std::fs::write(place.path("chat.jinja"), "{% for m in messages %}{{ m.content }},{% endfor %}").unwrap();
    let (child, address) =
        serve(&place, "--chat-template chat.jinja --kv-cache-dtype bf16 --max-model-len 32");
    let asked = json!({"messages": [{"role": "user", "content": "line"}]});
    let body: Value = serde_json::from_str(&ask(&address, "POST", "/tokenize", "", &asked).1).unwrap();
    let back = ask(&address, "POST", "/detokenize", "", &json!({"tokens": body["tokens"]})).1;
    assert_eq!((back.as_str(), &body["max_model_len"]), (r#"{"prompt":"line,"}"#, &json!(32)));
    signal(&child, Signal::TERM);
    assert!(child.wait_with_output().unwrap().status.success());
}
