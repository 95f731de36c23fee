//! What a token costs that is streamed over HTTP: `streaming [tokens]`.
//!
//! A small model answers 1, 32 and 256 requests at a time, first to this program, then over HTTP to a client that is a process of its own. What is told is
//! the processor time for each token: of the threads that connections share, and of the engine's thread both times, which computes a part of the model
//! too. The model is large enough that a client has each token before the next one comes; how many events had a token is told.

use std::error::Error;
use std::process::{Command, Stdio};
use std::time::Instant;

use jarrah_array::random::Key;
use jarrah_http::{Address, Server, ServerOptions};
use jarrah_models::{Decoder, DecoderConfig};
use jarrah_openai::{Load, api};
use jarrah_serve::{Engine, EngineOptions, EngineRequest, Params, Served, Stream};
use jarrah_tokenizer::{TrainOptions, train};
use serde_json::json;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const STREAMS: [usize; 3] = [1, 32, 256];
const PROMPT: [u32; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
/// The tokens of an answer.
const LENGTH: usize = 50;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [url, streams, rounds] = &arguments[..] {
        return client(url, streams.parse()?, rounds.parse()?);
    }
    let tokens: usize = arguments.first().map_or(Ok(12_800), |text| text.parse())?;
    let engine = engine()?;
    let options =
        ServerOptions { address: Address::Tcp([127, 0, 0, 1].into(), 0), ..ServerOptions::default() };
    let server = Server::bind(options, api(engine.clone(), Default::default()))?;
    let (url, stopper) = (server.address().to_owned(), server.stopper());
    let serves = std::thread::spawn(|| server.run());
    println!(
        "us of processor a token: streams, of HTTP, of the engine's thread without and with HTTP; events a token"
    );
    for streams in STREAMS {
        let rounds = tokens / streams / LENGTH;
        let count = (streams * rounds * LENGTH) as f64;
        // The first round of each compiles.
        library(&engine, streams, 1)?;
        let (before, begun) = (processor_times()?, Instant::now());
        library(&engine, streams, rounds)?;
        let (alone, seconds) = (processor_times()?, begun.elapsed().as_secs_f64());
        ask(&url, streams, 1)?;
        let (again, begun) = (processor_times()?, Instant::now());
        let events = ask(&url, streams, rounds)? as f64;
        let (over, longer) = (processor_times()?, begun.elapsed().as_secs_f64());
        let each = |seconds: f64| seconds * 1e6 / count;
        println!(
            "{streams:7} {:8.1} {:8.1} {:8.1} {:8.2}   {:.0} and {:.0} tokens/s",
            each(over.http - again.http),
            each(alone.engine - before.engine),
            each(over.engine - again.engine),
            events / count,
            count / seconds,
            count / longer,
        );
    }
    stopper.stop();
    serves.join().map_err(|_| "the server panicked")??;
    Ok(())
}

fn engine() -> Result<Engine> {
    let shape = DecoderConfig::named("test-llama")?;
    let layers = vec![shape.layers[0].clone(); 24];
    let config = DecoderConfig { vocabulary: 300, context: 256, layers, ..shape };
    let tokenizer = train(&["fn main() {}\n", "fn len(&self) -> usize\n"], &TrainOptions::new(280))?;
    let served = Served::with_tokenizer("small", Decoder::new(&config, &Key::new(3)), tokenizer);
    let options = EngineOptions { sequences: 256, page: 16, warm: false, ..EngineOptions::default() };
    Ok(Engine::start(served, options)?)
}

/// What threads took of processors, in seconds.
#[derive(Default)]
struct Times {
    http: f64,
    engine: f64,
}

fn processor_times() -> Result<Times> {
    let mut times = Times::default();
    for thread in std::fs::read_dir("/proc/self/task")? {
        let thread = thread?.path();
        let read = |name| std::fs::read_to_string(thread.join(name));
        // A thread may end meanwhile.
        let (Ok(name), Ok(spent)) = (read("comm"), read("schedstat")) else { continue };
        let nanoseconds: f64 = spent.split_whitespace().next().ok_or("no time in schedstat")?.parse()?;
        match name.trim_end() {
            "http" => times.http += nanoseconds / 1e9,
            "engine" => times.engine += nanoseconds / 1e9,
            _ => {}
        }
    }
    Ok(times)
}

/// Takes the answers of the engine in this process.
fn library(engine: &Engine, streams: usize, rounds: usize) -> Result<()> {
    let params = Params { max_tokens: Some(LENGTH), ignore_eos: true, ..Params::greedy() };
    let request = EngineRequest { prompt: PROMPT.to_vec(), params, ..EngineRequest::default() };
    for _ in 0..rounds {
        let mut open: Vec<Stream> =
            (0..streams).map(|_| engine.add(request.clone())).collect::<jarrah_base::Result<_>>()?;
        // What came of each in turn, as it comes.
        while !open.is_empty() {
            open.retain_mut(|stream| stream.next().is_some());
        }
    }
    Ok(())
}

/// Lets another process ask the server; how many events it got that had tokens.
fn ask(url: &str, streams: usize, rounds: usize) -> Result<usize> {
    let arguments = [url.to_owned(), streams.to_string(), rounds.to_string()];
    let output = Command::new(std::env::current_exe()?).args(arguments).stderr(Stdio::inherit()).output()?;
    if output.status.success() {
        Ok(String::from_utf8(output.stdout)?.trim().parse()?)
    } else {
        Err("the client failed".into())
    }
}

fn client(url: &str, streams: usize, rounds: usize) -> Result<()> {
    let request = json!({"prompt": PROMPT, "max_tokens": LENGTH, "ignore_eos": true, "temperature": 0});
    let mut events = 0;
    for _ in 0..rounds {
        let load = Load {
            url: url.to_owned(),
            endpoint: "/v1/completions".to_owned(),
            key: None,
            requests: vec![request.clone(); streams],
            gaps: vec![0.0; streams],
            most_at_a_time: None,
        };
        let (sent, _) = load.run()?;
        if let Some(wrong) = sent.iter().find(|sent| sent.tokens != LENGTH) {
            return Err(format!("{} tokens of {LENGTH}: {:?}", wrong.tokens, wrong.error).into());
        }
        events += sent.iter().map(|sent| 1 + sent.between.len()).sum::<usize>();
    }
    println!("{events}");
    Ok(())
}
