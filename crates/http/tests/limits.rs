use std::time::{Duration, Instant};

use jarrah_testing::client::{TestClient, get, post, wait};
use serde_json::json;

use crate::support::Running;

fn head(path: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
}

#[test]
fn a_large_body_is_refused() {
    let server = Running::new(|options| options.most_body = 10_000);
    let asked = json!({"prompt": "x".repeat(20_000)});
    let reply = post(&server.address, "/echo", &asked);
    assert_eq!(reply.status, 413);
    assert!(reply.json()["error"]["message"].as_str().unwrap().contains("10000 bytes"));
    // Nobody says beforehand how long this one is.
    let mut client = TestClient::new(&server.address);
    let head = "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    client.write(head.as_bytes()).unwrap();
    for _ in 0..30 {
        if client.write(format!("400\r\n{}\r\n", "x".repeat(1024)).as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(client.reply().status, 413);
    // A client that sends all before it reads sees the answer, too, and then the end.
    let body = json!({"prompt": "x".repeat(30 << 20)}).to_string();
    let mut client = TestClient::new(&server.address);
    client.write(self::head("/echo", body.len()).as_bytes()).unwrap();
    client.write(body.as_bytes()).unwrap();
    let reply = client.reply();
    assert_eq!((reply.status, reply.header("connection")), (413, Some("close")));
    assert!(client.is_closed());
}

#[test]
fn bodies_have_a_common_bound() {
    let server = Running::new(|options| options.most_bodies = 16 << 10);
    let ask = || post(&server.address, "/echo", &json!({"prompt": "x".repeat(8_000)}));
    // What another holds may be refused in its place, where it comes later.
    let refused = || {
        let mut other = TestClient::new(&server.address);
        other.write(head("/echo", 12_000).as_bytes()).unwrap();
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
    let server = Running::new(|options| {
        options.body_time = Duration::from_millis(200);
        options.head_time = Duration::from_millis(200);
    });
    let mut client = TestClient::new(&server.address);
    client.write(head("/echo", 100).as_bytes()).unwrap();
    client.write(b"{").unwrap();
    assert_eq!(client.reply().status, 408);
    let mut client = TestClient::new(&server.address);
    client.write(b"GET /health HTTP/1.1\r\nhost:").unwrap();
    let begun = Instant::now();
    assert!(client.is_closed() && begun.elapsed() < Duration::from_secs(10));
    let mut idle = TestClient::new(&server.address);
    assert_eq!(idle.get("/health").status, 200);
    let begun = Instant::now();
    assert!(idle.is_closed() && begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn connections_wait_for_a_place() {
    let server = Running::new(|options| options.most_connections = 1);
    let mut first = TestClient::new(&server.address);
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
    let server = Running::new(|_| {});
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n",
        b"GET /health HTTP/1.1\r\nhost: a\r\nbroken header\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
    ] {
        let mut client = TestClient::new(&server.address);
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
        let mut client = TestClient::new(&server.address);
        client.write(format!("GET /health {head}\r\n").as_bytes()).unwrap();
        let reply = client.reply();
        assert_eq!(reply.status, status, "{head}");
        assert!(status == 200 || reply.text().contains("`Host`"), "{}", reply.text());
    }
    let many = "a: b\r\n".repeat(1000);
    let mut client = TestClient::new(&server.address);
    client.write(format!("GET /health HTTP/1.1\r\n{many}\r\n").as_bytes()).unwrap();
    assert_eq!(client.reply().status, 431);
}
