//! Very many requests, well-formed and not, read to the end and not: that no byte, no request and no answer is lost.
//!
//! ```text
//! cargo run --release -p jarrah-openai --example endurance -- 1000000
//! ```
//!
//! Clients ask a server of a tiny model for texts, streams and vectors, break off at every stage, send what is too large or no JSON, and read slowly.
//! The same request must have the same answer each time. In the middle and at the end, when nothing runs, the bytes that are allocated are counted:
//! they must be the same but for a few tables, and the memory of the process may grow by a byte for each request in between.

use std::alloc::System;
use std::collections::HashMap;
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jarrah_array::random::Key;
use jarrah_http::{Address, Server, ServerOptions};
use jarrah_models::{Decoder, DecoderConfig};
use jarrah_serve::{Engine, EngineOptions, Served};
use jarrah_testing::mutants::Random;
use jarrah_tokenizer::{TrainOptions, train};
use serde_json::{Value, json};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Clients that ask at a time.
const CLIENTS: usize = 8;
/// Different requests.
const DIFFERENT: usize = 48;
/// By how many bytes what is allocated may differ: tables that have grown.
const TABLES: isize = 64 << 10;

fn main() -> Result<()> {
    let count: usize = std::env::args().nth(1).as_deref().unwrap_or("20000").parse()?;
    let engine = engine()?;
    let options = ServerOptions {
        address: Address::Tcp([127, 0, 0, 1].into(), 0),
        most_body: 4096,
        head_time: Duration::from_millis(500),
        body_time: Duration::from_millis(500),
        write_time: Duration::from_millis(500),
        ..ServerOptions::default()
    };
    let server = Server::bind(options, jarrah_openai::api(engine.clone(), Default::default()))?;
    let address = server.address().trim_start_matches("http://").to_owned();
    let stopper = server.stopper();
    let serves = std::thread::spawn(move || server.run());

    let answers = Mutex::new(HashMap::new());
    let begun = Instant::now();
    // What is made once, and all tables, come first.
    ask_all(&address, &answers, 0..count / 2)?;
    let middle = quiet(&engine)?;
    ask_all(&address, &answers, count / 2..count)?;
    let end = quiet(&engine)?;

    let seconds = begun.elapsed().as_secs_f64();
    let metrics = engine.metrics();
    println!("{count} requests in {seconds:.1} s, {:.0} a second", count as f64 / seconds);
    println!("answers that ended: {:?}; preemptions: {}", metrics.finished, metrics.preemptions);
    println!("allocated: {} bytes in the middle, {} at the end", middle.allocated, end.allocated);
    println!("memory of the process: {} bytes in the middle, {} at the end", middle.resident, end.resident);
    stopper.stop();
    serves.join().map_err(|_| "the server panicked")??;
    if (end.allocated - middle.allocated).abs() > TABLES {
        return Err("bytes were lost".into());
    }
    // Of few requests the memory of the process says little: it comes in large pieces.
    let most = (count / 2).max(1 << 20) as isize;
    if end.resident - middle.resident > most {
        return Err(format!("the process grew by more than {most} bytes").into());
    }
    Ok(())
}

fn engine() -> Result<Engine> {
    let config = DecoderConfig { vocabulary: 300, context: 96, ..DecoderConfig::named("test-llama")? };
    let model = Decoder::new(&config, &Key::new(3));
    let tokenizer = train(&["fn main() {}\n", "fn len(&self) -> usize\n"], &TrainOptions::new(280))?;
    let served = || Served::with_tokenizer("tiny", model.clone(), tokenizer.clone());
    let options = EngineOptions { sequences: 6, tokens_per_step: 32, page: 8, ..EngineOptions::default() };
    // Few pages and places: answers are preempted, and requests wait.
    let whole = Engine::start(served(), EngineOptions { warm: false, ..options.clone() })?.memory().cache;
    Ok(Engine::start(served(), EngineOptions { cache_bytes: Some(whole / 3), ..options })?)
}

struct Memory {
    allocated: isize,
    resident: isize,
}

/// The memory when nothing runs.
fn quiet(engine: &Engine) -> Result<Memory> {
    let begun = Instant::now();
    loop {
        // Connections that were left are closed by the server after a while.
        std::thread::sleep(Duration::from_millis(1500));
        let metrics = engine.metrics();
        if metrics.running + metrics.waiting == 0 {
            break;
        }
        if begun.elapsed() > Duration::from_secs(30) {
            return Err(format!("{} requests never end", metrics.running + metrics.waiting).into());
        }
    }
    engine.forget_prefixes();
    std::thread::sleep(Duration::from_millis(200));
    let stats = ALLOCATOR.stats();
    let allocated = stats.bytes_allocated as isize - stats.bytes_deallocated as isize;
    let pages = std::fs::read_to_string("/proc/self/statm")?;
    let pages: isize = pages.split(' ').nth(1).ok_or("no resident pages")?.parse()?;
    Ok(Memory { allocated, resident: pages * 4096 })
}

type Answers = Mutex<HashMap<usize, Value>>;

fn ask_all(address: &str, answers: &Answers, range: std::ops::Range<usize>) -> Result<()> {
    let next = AtomicUsize::new(range.start);
    let client = || -> Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= range.end {
                return Ok(());
            }
            ask(address, answers, at).map_err(|error| format!("request {at}: {error}"))?;
        }
    };
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
        clients.into_iter().try_for_each(|client| client.join().map_err(|_| "a client panicked")?)
    })
}

/// A request that is answered in whole.
fn body(random: &mut Random, which: usize) -> (&'static str, Value) {
    let prompt: Vec<usize> = (0..1 + random.below(40)).map(|_| random.below(256)).collect();
    let tokens = 1 + random.below(24);
    match which % 4 {
        0 => ("/v1/embeddings", json!({"input": prompt})),
        1 => (
            "/v1/completions",
            json!({"prompt": prompt, "max_tokens": tokens, "seed": which, "n": 2, "logprobs": 2, "stop": ["zq"]}),
        ),
        2 => (
            "/v1/completions",
            json!({"prompt": "fn main", "max_tokens": tokens, "temperature": 0, "echo": true}),
        ),
        _ => (
            "/v1/completions",
            json!({"prompt": prompt, "max_tokens": tokens, "seed": which, "priority": which % 3, "ignore_eos": true}),
        ),
    }
}

fn seeded(seed: usize) -> Random {
    Random((seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn send(stream: &mut TcpStream, path: &str, body: &[u8]) -> Result<()> {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n"
    );
    stream.write_all(format!("{head}content-length: {length}\r\n\r\n").as_bytes())?;
    // A server that refuses a body may close before it was sent.
    let _ = stream.write_all(body);
    Ok(())
}

fn ask(address: &str, answers: &Answers, at: usize) -> Result<()> {
    let mut random = seeded(at);
    let which = random.below(DIFFERENT);
    let (path, mut asked) = body(&mut seeded(which), which);
    let kind = random.below(12);
    let streams = kind > 6 && kind < 11 && path == "/v1/completions";
    if streams {
        asked["stream"] = true.into();
    }
    let text = asked.to_string();
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    match kind {
        // A body that breaks off, no JSON, too large, a token that is none, a route that is none.
        0 => stream.write_all(
            b"POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500\r\n\r\n{\"prompt\"",
        )?,
        1 => {
            send(&mut stream, path, &text.as_bytes()[..random.below(text.len())])?;
            expect(&mut stream, "400")?;
        }
        2 => {
            send(&mut stream, path, &[b' '; 8192])?;
            expect(&mut stream, "413")?;
        }
        3 => {
            send(&mut stream, "/v1/completions", br#"{"prompt": [1, 2, 900], "max_tokens": 4}"#)?;
            expect(&mut stream, "400")?;
        }
        4 => {
            send(&mut stream, "/v1/nothing", text.as_bytes())?;
            expect(&mut stream, "404")?;
        }
        // Nobody waits for the answer.
        5 => send(&mut stream, path, text.as_bytes())?,
        // Somebody goes in the middle of a stream.
        7 | 8 if streams => {
            send(&mut stream, path, text.as_bytes())?;
            let mut some = vec![0; 1 + random.below(400)];
            let _ = stream.read(&mut some)?;
        }
        _ if streams => {
            send(&mut stream, path, text.as_bytes())?;
            let mut some = [0; 97];
            let mut all = Vec::new();
            loop {
                let count = stream.read(&mut some)?;
                if count == 0 {
                    break;
                }
                all.extend_from_slice(&some[..count]);
                // A slow reader.
                if kind == 9 {
                    std::thread::sleep(Duration::from_micros(200));
                }
            }
            if !String::from_utf8_lossy(&all).contains("[DONE]") {
                return Err("a stream without an end".into());
            }
        }
        _ => {
            send(&mut stream, path, text.as_bytes())?;
            let answer: Value = serde_json::from_str(&expect(&mut stream, "200")?)?;
            let told = match path {
                "/v1/embeddings" => answer["data"].clone(),
                _ => answer["choices"].clone(),
            };
            let mut answers = answers.lock().map_err(|_| "a client panicked")?;
            let first = answers.entry(which).or_insert_with(|| told.clone());
            if *first != told {
                return Err(format!("{first} before, and now {told}").into());
            }
        }
    }
    Ok(())
}

/// The body of an answer that must have this status.
fn expect(stream: &mut TcpStream, status: &str) -> Result<String> {
    let mut all = String::new();
    stream.read_to_string(&mut all)?;
    if !all.starts_with(&format!("HTTP/1.1 {status} ")) {
        return Err(format!("{status} is expected, but there is {all:?}").into());
    }
    Ok(all.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
}
