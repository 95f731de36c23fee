//! The training step of a character model for `bench/char_train.py`: 6 layers x 384, 6 heads, 12 sequences of 256,
//! vocabulary 65, AdamW, `f32`.
//!
//! Prints one JSON line when ready, one for each line read (the number of steps to do), and one at the end.

use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use jarrah::array::random::Key;
use jarrah::array::{Array, Tree, jit, value_and_grad};
use jarrah::models::{Decoder, DecoderConfig, Extents};
use jarrah::nn::Context;
use jarrah::optim::{Adam, Leaves, Mask, adamw, apply_updates};
use jarrah::{Error, Result};

const BATCH: usize = 12;
const CONTEXT: usize = 256;
const VOCABULARY: usize = 65;

#[derive(Clone, Tree)]
struct State {
    params: Decoder,
    opt: Leaves,
}

fn main() -> Result<()> {
    let extents = Extents {
        vocabulary: Some(VOCABULARY),
        context: Some(CONTEXT),
        layers: Some(6),
        heads: Some(6),
        width: Some(384),
        ..Extents::default()
    };
    let config = DecoderConfig::gpt2(&extents)?;
    let optimizer = adamw(3e-4, Adam { b2: 0.95, ..Adam::default() }, 0.1, Mask::all());
    let keys = Key::new(0).split(3);
    let initial = {
        let optimizer = optimizer.clone();
        jit(move |key: &Key| {
            let params = Decoder::new(&config, key);
            State { opt: optimizer.init(&params), params }
        })
    };
    let mut state = initial.call(keys[0].clone())?;
    let tokens = |key: &Key| key.randint(&[BATCH, CONTEXT], 0, VOCABULARY as i32);
    let (x, y) = (tokens(&keys[1]), tokens(&keys[2]));
    x.to_buffer()?;
    y.to_buffer()?;

    let step = jit(move |(state, (x, y)): &(State, (Array, Array))| {
        let loss = |params: &Decoder| params.loss(x, y, None, &mut Context::eval());
        let (loss, slope) = value_and_grad(loss)(&state.params);
        let (updates, opt) = optimizer.update(&slope, &state.opt, &state.params);
        (State { params: apply_updates(&state.params, &updates), opt }, loss)
    })
    .donate(0);
    let start = Instant::now();
    step.lower(&(state.clone(), (x.clone(), y.clone()))).compile()?;
    let compile_s = start.elapsed().as_secs_f64();

    let mut losses = Vec::new();
    let mut advance = |state: State| -> Result<State> {
        let (state, loss) = step.call((state, (x.clone(), y.clone())))?;
        losses.push(loss.item::<f32>()?);
        Ok(state)
    };
    for _ in 0..2 {
        state = advance(state)?;
    }
    say(&format!("{{\"compile_s\": {compile_s}}}"))?;
    for line in stdin().lock().lines() {
        let line = line.map_err(|e| Error::environment(e.to_string()))?;
        let count: usize = line.trim().parse().map_err(|_| Error::input(format!("{line:?} is no number")))?;
        let mut times = Vec::new();
        for _ in 0..count {
            let start = Instant::now();
            state = advance(state)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        say(&format!("{{\"ms\": {times:?}}}"))?;
    }
    let (first, last) = (losses.first().copied().unwrap_or(0.0), losses.last().copied().unwrap_or(0.0));
    say(&format!("{{\"peak_mib\": {}, \"losses\": [{first}, {last}]}}", peak_mib()))
}

fn say(line: &str) -> Result<()> {
    let mut out = stdout();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|e| Error::environment(e.to_string()))
}

/// The most memory the process had resident, as Linux counts it; 0 elsewhere.
fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|kib| kib.trim().trim_end_matches(" kB").trim().parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}
