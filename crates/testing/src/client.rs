//! An HTTP client of tests, which sees every byte.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A response.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers, by names in lower case.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Vec<u8>,
}

impl Reply {
    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    /// Asserts that it is a refusal of this field.
    pub fn refuses(&self, field: &str) {
        assert_eq!(
            (self.status, self.json()["error"]["param"].as_str()),
            (400, Some(field)),
            "{}",
            self.text()
        );
    }

    /// The values of an event stream; the last event must be `[DONE]`.
    pub fn events(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("text/event-stream; charset=utf-8"));
        let lines = self.text().lines().filter_map(|line| line.strip_prefix("data: "));
        let mut lines: Vec<&str> = lines.collect();
        assert_eq!(lines.pop(), Some("[DONE]"), "{}", self.text());
        lines.into_iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A connection, for one request after another.
pub struct TestClient {
    stream: BufReader<TcpStream>,
}

impl TestClient {
    /// Connects to `http://HOST:PORT`.
    pub fn new(address: &str) -> TestClient {
        let stream = TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.set_nodelay(true).unwrap();
        TestClient { stream: BufReader::new(stream) }
    }

    /// Sends bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// Sends a request, with a body of JSON if there is one.
    pub fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = body {
            if !headers.iter().any(|(name, _)| *name == "content-type") {
                head += "content-type: application/json\r\n";
            }
            head += &format!("content-length: {}\r\n", body.len());
        }
        head += "\r\n";
        self.write(head.as_bytes()).unwrap();
        // A server that refuses a body may close before it was sent.
        let _ = self.write(body.unwrap_or_default());
        self.reply()
    }

    /// Sends a body of JSON, and reads the response.
    pub fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, &[], Some(body.to_string().as_bytes()))
    }

    /// Sends a request without a body, and reads the response.
    pub fn get(&mut self, path: &str) -> Reply {
        self.ask("GET", path, &[], None)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The head of a response.
    pub fn head(&mut self) -> Reply {
        let status = self.line();
        let status = status.split(' ').nth(1).unwrap_or_else(|| panic!("no status: {status:?}"));
        let status = status.parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(": ") else { break };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        Reply { status, headers, body: Vec::new() }
    }

    /// A part of a body that comes in parts; nothing at its end.
    pub fn chunk(&mut self) -> Vec<u8> {
        let size = usize::from_str_radix(&self.line(), 16).unwrap();
        let mut chunk = vec![0; size];
        self.stream.read_exact(&mut chunk).unwrap();
        self.line();
        chunk
    }

    /// Reads a whole response.
    pub fn reply(&mut self) -> Reply {
        let mut reply = self.head();
        if reply.header("transfer-encoding") == Some("chunked") {
            loop {
                let chunk = self.chunk();
                if chunk.is_empty() {
                    break;
                }
                reply.body.extend(chunk);
            }
        } else if let Some(size) = reply.header("content-length") {
            reply.body = vec![0; size.parse().unwrap()];
            self.stream.read_exact(&mut reply.body).unwrap();
        }
        reply
    }

    /// Drops what has come, and says how much it was.
    pub fn take(&mut self) -> usize {
        let size = self.stream.fill_buf().map_or(0, <[u8]>::len);
        self.stream.consume(size);
        size
    }

    /// Whether the server has closed the connection, or does so within the time of a read.
    pub fn is_closed(&mut self) -> bool {
        self.stream.fill_buf().map_or(true, <[u8]>::is_empty)
    }
}

/// The response to a body of JSON, on a connection of its own.
pub fn post(address: &str, path: &str, body: &Value) -> Reply {
    TestClient::new(address).post(path, body)
}

/// The response to a request without a body, on a connection of its own.
pub fn get(address: &str, path: &str) -> Reply {
    TestClient::new(address).get(path)
}

/// The answer to a request to a server by the name `host`.
pub fn asked_as(address: &str, host: &str, path: &str) -> Reply {
    let mut client = TestClient::new(address);
    client.write(format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes()).unwrap();
    client.reply()
}

/// Waits until something holds, ten seconds at most.
pub fn wait(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
