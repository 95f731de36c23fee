use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use jarrah_http::Address;
use jarrah_serve::{Engine, Sleep};
use jarrah_testing::client::{TestClient, get, post, wait};
use serde_json::json;

use crate::batches::{begin, uploaded};
use crate::support::{Running, engine, live, own_engine};

fn asks(client: &mut TestClient, n: usize, tokens: usize) {
    let body =
        json!({"prompt": "fn", "n": n, "max_tokens": tokens, "ignore_eos": true, "stream": true}).to_string();
    let head = format!(
        "POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    client.write(head.as_bytes()).unwrap();
}

/// Tells a server to stop, and holds its engine up when it goes on, long before 32 answers of 200 tokens are there.
fn stop_and_pause(server: &Running, engine: &Engine) {
    server.stopper.stop();
    while engine.is_paused() {
        std::thread::yield_now();
    }
    engine.pause();
}

#[test]
fn a_server_that_stops_finishes_what_runs() {
    let engine = own_engine();
    engine.pause();
    // For ever is a time, too.
    let mut server = Running::new(&engine, |options| options.http.drain = Duration::MAX);
    let (mut client, mut idle) = (TestClient::new(&server.address), TestClient::new(&server.address));
    assert_eq!(idle.get("/health").status, 200);
    asks(&mut client, 1, 10);
    wait("the request runs", || live(&engine) > 0);
    // It was paused, and goes on.
    server.stopper.stop();
    assert!(idle.is_closed());
    let reply = client.reply();
    assert_eq!(reply.events().last().unwrap()["choices"][0]["finish_reason"], "length");
    server.done.take().unwrap().join().unwrap().unwrap();
    assert!(std::net::TcpStream::connect(server.address.strip_prefix("http://").unwrap()).is_err());
}

/// Who has sent half a head, or half a body, has asked for nothing yet.
#[test]
fn a_server_that_stops_does_not_wait_for_halves_of_requests() {
    let mut server = Running::new(&engine(), |options| options.http.drain = Duration::from_secs(60));
    let mut halves = ["POST /v1/compl", "POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\""]
        .map(|half| {
            let mut client = TestClient::new(&server.address);
            client.write(half.as_bytes()).unwrap();
            client
        });
    assert_eq!(get(&server.address, "/health").status, 200);
    let begun = Instant::now();
    server.stopper.stop();
    server.done.take().unwrap().join().unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let [head, body] = &mut halves;
    assert!(head.is_closed());
    assert_eq!(body.reply().status, 503);
}

#[test]
fn what_takes_too_long_is_ended() {
    let engine = own_engine();
    engine.pause();
    let mut server = Running::new(&engine, |options| options.http.drain = Duration::from_millis(200));
    let mut client = TestClient::new(&server.address);
    asks(&mut client, 32, 200);
    wait("the request runs", || live(&engine) > 0);
    stop_and_pause(&server, &engine);
    let error = server.done.take().unwrap().join().unwrap().unwrap_err();
    assert!(error.message().contains("before all requests were answered"), "{error}");
    wait("the request ended", || live(&engine) == 0);
}

#[test]
fn who_waits_for_an_engine_that_sleeps_is_told_when_the_server_ends() {
    let engine = own_engine();
    engine.sleep(Sleep::Pages).unwrap();
    let mut server = Running::new(&engine, |_| {});
    let begun = Instant::now();
    let address = &server.address;
    let ask = |path: &'static str, body: serde_json::Value| move || post(address, path, &body);
    let (whole, vector, streamed) = std::thread::scope(|scope| {
        let whole = scope.spawn(ask("/v1/completions", json!({"prompt": "fn", "max_tokens": 9, "n": 2})));
        let vector = scope.spawn(ask("/v1/embeddings", json!({"input": "fn"})));
        let streamed = scope.spawn(ask("/v1/completions", json!({"prompt": "fn", "stream": true})));
        wait("they wait", || live(&engine) == 4);
        server.stopper.stop();
        (whole.join().unwrap(), vector.join().unwrap(), streamed.join().unwrap())
    });
    let message = "the server is shutting down, and its model sleeps: the request was not answered";
    for reply in [whole, vector] {
        assert_eq!((reply.status, reply.json()["error"]["message"].as_str()), (503, Some(message)));
    }
    assert!(streamed.text().contains(message), "{}", streamed.text());
    server.done.take().unwrap().join().unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(8));
}

#[test]
fn told_twice_it_ends_at_once() {
    let engine = own_engine();
    engine.pause();
    let mut server = Running::new(&engine, |_| {});
    let mut client = TestClient::new(&server.address);
    asks(&mut client, 32, 200);
    wait("the request runs", || live(&engine) > 0);
    server.stopper.stop();
    let begun = Instant::now();
    server.stopper.stop();
    server.done.take().unwrap().join().unwrap().unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(5));
}

const BATCH: &str = "{\"custom_id\": \"a\", \"method\": \"POST\", \"url\": \"/v1/completions\", \"body\": {\"prompt\": \"fn\", \"n\": 32, \"max_tokens\": 200, \"ignore_eos\": true}}\n";

#[test]
fn a_server_that_stops_finishes_batches_and_gives_their_files() {
    let engine = own_engine();
    engine.pause();
    let mut server = Running::new(&engine, |_| {});
    let id =
        begin(&server.address, &uploaded(&server.address, BATCH), "/v1/completions").json()["id"].clone();
    let path = format!("/v1/batches/{}", id.as_str().unwrap());
    wait("the batch runs", || live(&engine) > 0);
    stop_and_pause(&server, &engine);
    wait("the server ends", || get(&server.address, "/ready").status == 503);
    // Who came and asks nothing holds nobody up.
    let mut idle = TestClient::new(&server.address);
    // It says how far the batch is, and takes nothing else.
    assert_eq!(get(&server.address, &path).json()["status"], "in_progress");
    assert_eq!(post(&server.address, "/v1/completions", &json!({"prompt": "fn"})).status, 503);
    engine.resume();
    wait("the batch ends", || get(&server.address, &path).json()["status"] == "completed");
    let file = get(&server.address, &path).json()["output_file_id"].as_str().unwrap().to_owned();
    assert!(
        get(&server.address, &format!("/v1/files/{file}/content")).text().contains("\"custom_id\":\"a\"")
    );
    let begun = Instant::now();
    server.done.take().unwrap().join().unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5) && idle.is_closed());
}

#[test]
fn batches_that_are_not_finished_are_named() {
    let engine = own_engine();
    engine.pause();
    let mut server = Running::new(&engine, |options| options.http.drain = Duration::from_millis(300));
    let file = uploaded(&server.address, BATCH);
    // The first of them runs, whoever else wants to.
    let ids = [(); 8].map(|()| begin(&server.address, &file, "/v1/completions").json()["id"].clone());
    wait("the first batch runs", || live(&engine) > 0);
    stop_and_pause(&server, &engine);
    let error = server.done.take().unwrap().join().unwrap().unwrap_err();
    for (number, id) in ids.iter().enumerate() {
        let how = if number == 0 { "(0 of 1 requests answered)" } else { "(not begun)" };
        assert!(error.message().contains(&format!("{} {how}", id.as_str().unwrap())), "{error}");
    }
    wait("their requests ended", || live(&engine) == 0);
}

/// A batch that ended before the server was told to: who made it may not have come for its file yet.
#[test]
fn batches_whose_files_nobody_read_are_named() {
    let short = BATCH.replace("200", "2").replace("32", "1");
    for is_read in [false, true] {
        let (tell, told) = channel();
        let mut server = Running::new(&own_engine(), |options| {
            options.http.drain = Duration::from_millis(300);
            options.http.notes = Some(Arc::new(move |line: &str| tell.send(line.to_owned()).unwrap()));
        });
        let id = begin(&server.address, &uploaded(&server.address, &short), "/v1/completions").json()["id"]
            .clone();
        let path = format!("/v1/batches/{}", id.as_str().unwrap());
        wait("the batch ends", || get(&server.address, &path).json()["status"] == "completed");
        let file = get(&server.address, &path).json()["output_file_id"].as_str().unwrap().to_owned();
        if is_read {
            assert_eq!(get(&server.address, &format!("/v1/files/{file}/content")).status, 200);
        }
        server.stopper.stop();
        let ended = server.done.take().unwrap().join().unwrap();
        let says = format!("{} (answered, and not read)", id.as_str().unwrap());
        let waits = format!("[waiting until batches are answered, and their files read: {says}]");
        assert_eq!(told.try_iter().collect::<Vec<String>>(), if is_read { vec![] } else { vec![waits] });
        match ended {
            Ok(()) => assert!(is_read, "{says} is not said"),
            Err(error) => assert!(!is_read && error.message().contains(&says), "{error}"),
        }
    }
}

#[test]
fn a_server_listens_at_a_socket_of_the_file_system() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    // What an earlier server left behind.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let server = Running::new(&engine(), |options| options.http.address = Address::Unix(path.clone()));
    assert_eq!(server.address, format!("unix:{}", path.display()));
    let mut stream = UnixStream::connect(&path).unwrap();
    stream.write_all(b"GET /version HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
    drop(server);
    assert!(!path.exists());
}
