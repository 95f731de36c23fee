//! The Python process that runs the same work in JAX and PyTorch.
//!
//! It speaks JSON, a line at a time. When it is there it says which frameworks it has:
//! `{"jax": "0.10.2", "torch": null}`. Then each line it is given is answered by one:
//!
//! * `{"prepare": "add", "framework": "jax", "sizes": {...}}` by `{"mean": 0.5}`, the mean of the result or null;
//! * `{"run": "add", "framework": "jax", "calls": 3}` by `{"seconds": 0.001}`, of one call;
//! * either by `{"error": "..."}`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use jarrah_cpu::vector::Isa;
use serde_json::{Value, json};

use super::workloads::Sizes;

/// The frameworks that peers are asked for.
const FRAMEWORKS: [&str; 2] = ["jax", "torch"];

const SCRIPT: &str = include_str!("peers.py");

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// A framework's name for people.
pub fn called(framework: &str) -> &str {
    match framework {
        "jax" => "JAX",
        "torch" => "PyTorch",
        other => other,
    }
}

/// The variables by which peers use no wider instructions than `isa`: those of XLA, PyTorch, oneDNN and MKL.
fn instructions(isa: Isa) -> Vec<(&'static str, String)> {
    let (xla, torch, onednn) = match isa {
        Isa::Avx512 => return Vec::new(),
        Isa::Avx2 => ("AVX2", "avx2", "AVX2"),
        Isa::Portable => ("SSE4_2", "default", "SSE41"),
    };
    let flags = std::env::var("XLA_FLAGS").unwrap_or_default();
    vec![
        ("XLA_FLAGS", format!("{flags} --xla_cpu_max_isa={xla}")),
        ("ATEN_CPU_CAPABILITY", torch.to_owned()),
        ("ONEDNN_MAX_CPU_ISA", onednn.to_owned()),
        ("MKL_ENABLE_INSTRUCTIONS", xla.to_owned()),
    ]
}

/// A process that answers.
pub struct Peer {
    /// The versions that the process reported at its start.
    pub versions: Value,
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Peer {
    /// Starts `python`, or the first `python3` in the path; the error says why it cannot be used.
    pub fn start(python: Option<&Path>, threads: usize) -> Result<Peer, String> {
        let python = python.unwrap_or(Path::new("python3"));
        let without = |why: String| format!("[without JAX and PyTorch: {} {why}]", python.display());
        let process = Command::new(python)
            .args(["-u", "-c", SCRIPT, &threads.to_string()])
            .env("OMP_NUM_THREADS", threads.to_string())
            .env("JAX_PLATFORMS", "cpu")
            .envs(instructions(Isa::detect()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut process = process.map_err(|error| without(format!("cannot be started: {error}")))?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (sender, lines) = channel();
        if let Some(output) = output {
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        let mut peer = Peer { versions: Value::Null, process, input, lines };
        peer.versions = peer.answer().map_err(|why| without(format!("says nothing of use: {why}")))?;
        match peer.frameworks()[..] {
            [] => Err(without("has neither".to_owned())),
            _ => Ok(peer),
        }
    }

    /// The frameworks that it has.
    pub fn frameworks(&self) -> Vec<&'static str> {
        FRAMEWORKS.into_iter().filter(|&framework| self.versions[framework].is_string()).collect()
    }

    /// Makes a workload ready; the mean of its result, if it says it.
    pub fn prepare(&mut self, framework: &str, name: &str, sizes: &Sizes) -> Result<Option<f64>, String> {
        let answer = self.ask(&json!({"prepare": name, "framework": framework, "sizes": sizes.json()}))?;
        Ok(answer["mean"].as_f64())
    }

    /// The seconds that a call takes, of so many one after another.
    pub fn run(&mut self, framework: &str, name: &str, calls: usize) -> Result<f64, String> {
        let answer = self.ask(&json!({"run": name, "framework": framework, "calls": calls}))?;
        answer["seconds"].as_f64().ok_or_else(|| format!("no seconds in {answer}"))
    }

    fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let input = self.input.as_mut().ok_or("it is gone")?;
        writeln!(input, "{question}").and_then(|()| input.flush()).map_err(|error| error.to_string())?;
        self.answer()
    }

    fn answer(&mut self) -> Result<Value, String> {
        let Ok(line) = self.lines.recv_timeout(PATIENCE) else {
            // A late answer must not be taken for the answer to another question.
            self.input = None;
            return Err("no answer".to_owned());
        };
        let answer: Value = serde_json::from_str(&line).map_err(|_| format!("the answer is {line:?}"))?;
        match answer["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The process ends when its input ends.
        self.input = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
