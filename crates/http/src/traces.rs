//! Spans of requests, exported to an OpenTelemetry collector.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hyper::HeaderMap;
use jarrah_base::{Error, Result};
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::client::HttpClient;
use crate::record::LogSink;

/// The header by which a caller names the span that the request is part of.
const TRACEPARENT: &str = "traceparent";
/// The most spans that wait to be sent; further ones are dropped.
const MOST: usize = 4096;
/// The most spans in one export.
const TOGETHER: usize = 512;
/// How long the first span of an export waits for others.
const GATHER: Duration = Duration::from_millis(500);
/// The address in the help of errors: where a collector listens by default.
const USUAL: &str = "http://127.0.0.1:4318/v1/traces";
/// How long the collector may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The caller's span: the id of the trace, the id of the span in it, and whether spans of this trace are kept.
///
/// Source: W3C Trace Context, section 3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    trace: u128,
    span: u64,
    is_sampled: bool,
}

impl Parent {
    /// The span that the header `traceparent` of a request names, if there is a valid one.
    pub fn of(headers: &HeaderMap) -> Option<Parent> {
        headers.get(TRACEPARENT).and_then(|parent| Parent::read(parent.to_str().ok()?))
    }

    /// Reads the header: `00-TRACE-SPAN-FLAGS`.
    fn read(header: &str) -> Option<Parent> {
        let mut parts = header.trim().split('-');
        let mut hex = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            part.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()).then_some(part)
        };
        let (version, trace, span, flags) = (hex(2)?, hex(32)?, hex(16)?, hex(2)?);
        let (trace, span) = (u128::from_str_radix(trace, 16).ok()?, u64::from_str_radix(span, 16).ok()?);
        let flags = u8::from_str_radix(flags, 16).ok()?;
        let is_one = version != "ff" && trace != 0 && span != 0;
        is_one.then_some(Parent { trace, span, is_sampled: flags & 1 == 1 })
    }
}

enum Told {
    Span(Value),
    /// Asks for all earlier spans to be sent, and to be told when they are.
    Flush(oneshot::Sender<()>),
}

/// The exporter of spans.
#[derive(Clone)]
pub struct Tracer {
    tell: Sender<Told>,
    random: Arc<(RandomState, AtomicU64)>,
}

impl Tracer {
    /// Starts a task, on the current runtime, that sends spans to the collector at `url`. `notes` gets a line when spans begin to
    /// be lost, with the reason, and a line when they reach the collector again.
    ///
    /// # Errors
    /// The address is not one of HTTP (`Input`).
    pub fn start(url: &str, notes: Option<LogSink>) -> Result<Tracer> {
        let client = HttpClient::new(url, None, USUAL)?;
        let (tell, told) = channel(MOST);
        tokio::spawn(send_all(Collector { client, url: url.to_owned(), notes, lost: 0 }, told));
        Ok(Tracer { tell, random: Arc::new((RandomState::new(), AtomicU64::new(0))) })
    }

    fn word(&self) -> u64 {
        self.random.0.hash_one(self.random.1.fetch_add(1, Ordering::Relaxed)).max(1)
    }

    /// Begins a span; nothing if its caller keeps no spans of the trace.
    pub fn begin(&self, parent: Option<Parent>, name: &str, attributes: Vec<Value>) -> Option<Span> {
        if parent.is_some_and(|parent| !parent.is_sampled) {
            return None;
        }
        let trace =
            parent.map_or_else(|| u128::from(self.word()) << 64 | u128::from(self.word()), |p| p.trace);
        let mut value = json!({
            "traceId": format!("{trace:032x}"), "spanId": format!("{:016x}", self.word()), "name": name,
            "kind": 2, "startTimeUnixNano": nanoseconds(), "attributes": attributes, "status": {},
        });
        if let Some(parent) = parent {
            value["parentSpanId"] = format!("{:016x}", parent.span).into();
        }
        Some(Span { tracer: self.clone(), value })
    }

    /// Waits until the spans so far are sent.
    pub async fn flush(&self) {
        let (tell, told) = oneshot::channel();
        if self.tell.send(Told::Flush(tell)).await.is_ok() {
            // Waiting fails where the sending task has ended, and then nothing is left to wait for.
            let _ = told.await;
        }
    }
}

/// The span of a request, which ends when this is dropped.
pub struct Span {
    tracer: Tracer,
    value: Value,
}

impl Span {
    /// Adds attributes.
    pub fn add(&mut self, more: impl IntoIterator<Item = Value>) {
        if let Some(attributes) = self.value["attributes"].as_array_mut() {
            attributes.extend(more);
        }
    }

    /// Notes that the request has failed.
    pub fn fail(&mut self, message: &str) {
        self.value["status"] = json!({"code": 2, "message": message});
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        let mut value = std::mem::take(&mut self.value);
        value["endTimeUnixNano"] = nanoseconds().into();
        // If too many spans wait, this one is dropped: no request waits for its span.
        let _ = self.tracer.tell.try_send(Told::Span(value));
    }
}

/// A text as an attribute of a span.
pub fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

/// A number as an attribute of a span.
pub fn number(key: &str, value: f64) -> Value {
    json!({"key": key, "value": {"doubleValue": value}})
}

/// An integer as an attribute of a span. Integers of 64 bits are strings in the JSON of protocol buffers.
pub fn integer(key: &str, value: usize) -> Value {
    json!({"key": key, "value": {"intValue": value.to_string()}})
}

fn nanoseconds() -> String {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}

/// The connection to the collector, and its failures.
struct Collector {
    client: HttpClient,
    url: String,
    notes: Option<LogSink>,
    /// The number of spans that the collector has not taken since it last took some.
    lost: usize,
}

impl Collector {
    /// Sends spans. Spans that the collector does not take are dropped.
    async fn send(&mut self, spans: Vec<Value>) {
        let count = spans.len();
        let sent = timeout(PATIENCE, send(&self.client, spans)).await;
        let late = |_| Err(Error::environment(format!("it gives no answer within {} s", PATIENCE.as_secs())));
        let url = &self.url;
        let (lost, line) = match (sent.unwrap_or_else(late), self.lost) {
            (Ok(()), 0) => return,
            (Ok(()), lost) => (0, Some(format!("[spans of requests reach {url} again; {lost} were lost]"))),
            (Err(why), 0) => {
                (count, Some(format!("[spans of requests are lost: {} ({url})]", why.message())))
            }
            (Err(_), lost) => (lost + count, None),
        };
        self.lost = lost;
        if let (Some(notes), Some(line)) = (&self.notes, line) {
            notes(&line);
        }
    }
}

/// Sends the spans that arrive through the channel, many together.
async fn send_all(mut collector: Collector, mut told: Receiver<Told>) {
    while let Some(first) = told.recv().await {
        let (mut spans, mut waits) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        let end = sleep(GATHER);
        tokio::pin!(end);
        loop {
            match next.take() {
                Some(Told::Span(span)) => spans.push(span),
                Some(Told::Flush(tell)) => waits.push(tell),
                None => {}
            }
            if spans.len() >= TOGETHER || !waits.is_empty() {
                break;
            }
            tokio::select! {
                () = &mut end => break,
                more = told.recv() => match more {
                    None => break,
                    more => next = more,
                },
            }
        }
        if !spans.is_empty() {
            collector.send(spans).await;
        }
        for tell in waits {
            let _ = tell.send(());
        }
    }
}

/// Exports spans by one request.
///
/// Source: the OpenTelemetry protocol 1.9, OTLP/HTTP in JSON.
async fn send(client: &HttpClient, spans: Vec<Value>) -> Result<()> {
    let scope = json!({"name": "jarrah", "version": env!("CARGO_PKG_VERSION")});
    let body = json!({"resourceSpans": [{
        "resource": {"attributes": [text("service.name", "jarrah")]},
        "scopeSpans": [{"scope": scope, "spans": spans}],
    }]});
    let answer = client.send("", Some(&body.to_string())).await?;
    let status = answer.status();
    answer.text().await?;
    match status {
        200..300 => Ok(()),
        _ => Err(Error::environment(format!("it answers with status {status}"))),
    }
}
