//! What it takes to trace and to compile the training step of large models, of which nothing is allocated: GPT-2 (124M), and 126 layers of
//! the width, heads and vocabulary of a model of 405 billion parameters.

#[allow(dead_code, reason = "what other programs measure")]
mod workload;

use std::hint::black_box;
use std::time::Instant;

use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Tree, eval_shape, jit};
use jarrah::cpu::{CpuClient, Processor};
use jarrah::models::{Decoder, Gpt, GptConfig, Pretrained};
use jarrah::nn::Context;
use jarrah::runtime::CompileOptions;
use jarrah_compiler::Options;
use workload::{gpt_loss, initial, step};

fn main() -> Result<()> {
    let gpt2 = GptConfig {
        vocabulary: 50257,
        context: 1024,
        layers: 12,
        heads: 12,
        width: 768,
        ..GptConfig::default()
    };
    let large = GptConfig {
        vocabulary: 128_256,
        context: 8192,
        layers: 126,
        heads: 128,
        width: 16_384,
        ..GptConfig::default()
    };
    let gpt = |config: GptConfig| eval_shape(move |key: &Key| Gpt::init(config, key), &Key::new(0));
    measure("GPT-2 (124M), 4 x 256", gpt(gpt2), gpt_loss, [4, 256], 9)?;
    measure("126 layers x 16384, 1 x 8192", gpt(large), gpt_loss, [1, 8192], 5)?;
    let shape = "llama3.1-405b";
    let start = Instant::now();
    let llama = Pretrained::shapes(&Pretrained::preset(shape)?)?;
    println!("{shape}: shapes in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    let loss = |model: &Decoder, x: &Array, y: &Array| model.loss(x, y, None, &mut Context::eval());
    measure(&format!("{shape}, 1 x 8192"), llama, loss, [1, 8192], 5)
}

/// Prints the median times of the parts of compiling a training step, for a batch of that shape.
fn measure<M: Tree<Array> + Clone + 'static>(
    name: &str,
    model: M,
    loss: impl Fn(&M, &Array, &Array) -> Array + Copy + 'static,
    batch: [usize; 2],
    rounds: usize,
) -> Result<()> {
    let state = eval_shape(|model: &M| initial(model.clone()), &model);
    let tokens = eval_shape(move |(): &()| Array::zeros(&batch).astype(DType::I32), &());
    let client = CpuClient::new();
    let mut times = Vec::new();
    let mut instructions = [0; 2];
    for _ in 0..rounds {
        let step = jit(step(loss)).donate(0);
        let args = (state.clone(), (tokens.clone(), tokens.clone()));
        let start = Instant::now();
        let lowered = step.lower(&args);
        let traced = start.elapsed();
        let options = Options { verify: false, ..Options::default() };
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
