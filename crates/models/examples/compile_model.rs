//! How long the passes of a model of some shape take to trace and to compile; the weights have shapes and no numbers.
//!
//! `cargo run --release -p jarrah-models --example compile_model -- llama3.1-405b`

use std::time::Instant;

use jarrah_array::{Array, DType, Function, Jit, Result, Tree, TreeExt, eval_shape, jit, value_and_grad};
use jarrah_models::{Decoder, Layers, Pretrained};
use jarrah_nn::{Context, Module};

/// The tokens of the sequence that a pass is given.
const LENGTH: usize = 512;

fn main() -> Result<()> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "llama3.1-405b".to_owned());
    let start = Instant::now();
    let narrow = |model: &Decoder| model.map_leaves(|x: &Array| x.astype(DType::BF16));
    let model = eval_shape(narrow, &Pretrained::shapes(&Pretrained::preset(&name)?)?);
    println!("{name}: {} layers, shapes in {:.2} s", model.blocks.len(), start.elapsed().as_secs_f64());
    let tokens = Array::zeros(&[1, LENGTH]).astype(DType::I32);
    let args = (model, tokens);
    let logits = |(model, tokens): &(Decoder, Array)| model.call(tokens, &mut Context::eval());
    timed("logits", &jit(logits), &args)?;
    for scan in [false, true] {
        let loss = move |(model, tokens): &(Decoder, Array)| {
            let layers = Layers { remat: None, scan };
            let f =
                |model: &Decoder| model.loss(tokens, tokens, None, &mut Context::eval().with(layers.clone()));
            value_and_grad(f)(model)
        };
        timed(
            if scan { "loss and gradients, layers as a loop" } else { "loss and gradients" },
            &jit(loss),
            &args,
        )?;
    }
    Ok(())
}

/// Says what tracing and compiling take.
fn timed<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>>(
    what: &str,
    f: &Jit<A, R, F>,
    args: &A,
) -> Result<()> {
    let start = Instant::now();
    let lowered = f.lower(args);
    let traced = start.elapsed().as_secs_f64();
    let compiled = lowered.compile()?;
    let all = start.elapsed().as_secs_f64();
    let memory = compiled.memory_analysis();
    println!(
        "{what}: traced in {traced:.2} s, compiled in {:.2} s, together {all:.2} s; temporaries {:.1} GB",
        all - traced,
        memory.temporaries as f64 / 1e9
    );
    Ok(())
}
