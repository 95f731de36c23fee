//! What it takes to trace and to compile the training step of large models, of which nothing is allocated: GPT-2 (124M), and 126 layers of
//! the width, heads and vocabulary of a model of 405 billion parameters.

#[allow(dead_code, reason = "what other programs measure")]
mod workload;

use std::hint::black_box;
use std::time::Instant;

use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, eval_shape, jit};
use jarrah::cpu::{CpuClient, Processor};
use jarrah::models::{Decoder, DecoderConfig, Extents, Pretrained};
use jarrah::runtime::CompileOptions;
use jarrah_compiler::PassOptions;
use workload::{initial, mean_loss, step};

fn main() -> Result<()> {
    let large = Extents {
        vocabulary: Some(128_256),
        context: Some(8192),
        layers: Some(126),
        heads: Some(128),
        width: Some(16_384),
        ..Extents::default()
    };
    let gpt = |extents: &Extents| -> Result<Decoder> {
        let config = DecoderConfig::gpt2(extents)?;
        Ok(eval_shape(move |key: &Key| Decoder::new(&config, key), &Key::new(0)))
    };
    measure("GPT-2 (124M), 4 x 256", gpt(&Extents::default())?, [4, 256], 9)?;
    measure("126 layers x 16384, 1 x 8192", gpt(&large)?, [1, 8192], 5)?;
    let shape = "llama3.1-405b";
    let start = Instant::now();
    let llama = Pretrained::shapes(&Pretrained::preset(shape)?)?;
    println!("{shape}: shapes in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    measure(&format!("{shape}, 1 x 8192"), llama, [1, 8192], 5)
}

/// Prints the median times of the parts of compiling a training step, for a batch of that shape.
fn measure(name: &str, model: Decoder, batch: [usize; 2], rounds: usize) -> Result<()> {
    let state = eval_shape(|model: &Decoder| initial(model.clone()), &model);
    let tokens = eval_shape(move |(): &()| Array::zeros(&batch).astype(DType::I32), &());
    let client = CpuClient::new();
    let mut times = Vec::new();
    let mut instructions = [0; 2];
    for _ in 0..rounds {
        let step = jit(step(mean_loss)).donate(0);
        let args = (state.clone(), (tokens.clone(), tokens.clone()));
        let start = Instant::now();
        let lowered = step.lower(&args);
        let traced = start.elapsed();
        let options = PassOptions { verify: false, ..PassOptions::default() };
        // The model need not fit into this machine.
        let compiled = jarrah_compiler::compile(lowered.program(), &Processor::default(), options)?;
        let passed = start.elapsed();
        instructions = [lowered.program().instrs().len(), compiled.program.instrs().len()];
        black_box(client.prepare(compiled, &CompileOptions::default())?);
        times.push([start.elapsed(), traced, passed - traced, start.elapsed() - passed]);
    }
    let median = |part: usize| {
        let mut all: Vec<f64> = times.iter().map(|parts| parts[part].as_secs_f64() * 1e3).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    println!(
        "{name}: {:.0} ms; tracing {:.0} ({} instructions), passes {:.0} ({} steps), code {:.0}",
        median(0),
        median(1),
        instructions[0],
        median(2),
        instructions[1],
        median(3)
    );
    Ok(())
}
