//! How long a single-stream decoding step of a GPT-2-sized model takes, next to reading its weights once.
//!
//! `cargo run --release -p jarrah-models --example decode`

use std::time::Instant;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Prepared, Result, TreeExt, jit};
use jarrah_models::{Decoder, DecoderConfig, Extents};
use jarrah_nn::{State, Tokens};

fn main() -> Result<()> {
    let config = DecoderConfig::gpt2(&Extents { context: Some(256), ..Extents::default() })?;
    let parameters = config.parameters();
    let model = jit(move |key: &Key| Decoder::new(&config, key)).call(Key::new(0))?;
    for leaf in TreeExt::<Array>::leaves(&model) {
        leaf.to_buffer()?;
    }
    let mut cache = model.init_cache(1, model.context, DType::F32);
    let step = jit(|(model, cache, token, position): &(Decoder, State, Array, Array)| {
        let (logits, cache) = model.decode(token, cache, &Tokens::next(position, token));
        (cache, logits.reshape(&[-1]).argmax(0))
    })
    .donate(1)
    .prepared(&Prepared::new(model));
    let weights = vec![1u64; 4 * parameters / 8];
    let (mut steps, mut reads) = (Vec::new(), Vec::new());
    let mut token = Array::new(&[1i32], &[1, 1]);
    for position in 0..40 {
        let start = Instant::now();
        let next;
        (cache, next) = step.call((cache, token, Array::scalar(position)))?;
        token = Array::new(&[next.item::<i32>()?], &[1, 1]);
        steps.push(start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        std::hint::black_box(sum_on_two_threads(&weights));
        reads.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let (step, read) = (median(&mut steps), median(&mut reads));
    let bytes = 4.0 * parameters as f64;
    println!("weights {:.0} MB, read once in {read:.2} ms ({:.0} GB/s)", bytes / 1e6, bytes / read / 1e6);
    println!("step {step:.2} ms, {:.2} x the time of reading", step / read);
    Ok(())
}

fn sum_on_two_threads(data: &[u64]) -> u64 {
    let (a, b) = data.split_at(data.len() / 2);
    // Several sums side by side, so that the loads and not the additions are what takes the time.
    let sum = |part: &[u64]| {
        let mut lanes = [0u64; 64];
        for chunk in part.chunks_exact(64) {
            lanes.iter_mut().zip(chunk).for_each(|(lane, x)| *lane = lane.wrapping_add(*x));
        }
        lanes.iter().fold(0u64, |s, x| s.wrapping_add(*x))
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| sum(b));
        sum(a).wrapping_add(other.join().unwrap_or(0))
    })
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
