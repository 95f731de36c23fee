//! How long a pass through a layer of experts takes, in seconds: the median of some.
//!
//! `cargo run --release -p jarrah-nn --example experts f32 512 1024 512 64 8 5`: dtype, tokens, width, width of an expert, experts, experts of
//! a token, passes.

use std::time::Instant;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Prepared, Result, TreeExt, jit};
use jarrah_nn::{Activation, Context, Experts, Gate, Module, Routing, Score};

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let usage = || Error::input("give a dtype and six numbers, as the comment says");
    let [dtype, numbers @ ..] = &words[..] else { return Err(usage()) };
    let dtype: DType = dtype.parse()?;
    let numbers: Vec<usize> = numbers.iter().filter_map(|word| word.parse().ok()).collect();
    let [tokens, width, hidden, experts, active, passes] = numbers[..] else { return Err(usage()) };
    let routing =
        Routing { active, score: Score::Softmax, normalize: true, factor: 1.0.into(), groups: None };
    let make = jit(move |key: &Key| {
        let layer = Experts::new(key, experts, width, hidden, Gate::Plain(Activation::SILU), routing);
        (layer.map_leaves(|x: &Array| x.astype(dtype)), key.normal(&[1, tokens, width]).astype(dtype))
    });
    let (layer, x) = make.call(Key::new(0))?;
    let run = jit(|(layer, x): &(Experts, Array)| layer.call(x, &mut Context::eval()))
        .prepared(&Prepared::new(layer));
    run.call((x.clone(),))?.block_until_ready()?;
    let mut times = Vec::new();
    for _ in 0..passes {
        let start = Instant::now();
        run.call((x.clone(),))?.block_until_ready()?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    println!("{}", times[times.len() / 2]);
    Ok(())
}
