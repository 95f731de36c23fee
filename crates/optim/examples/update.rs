//! How fast AdamW changes the weights of a GPT-2-sized model, next to copying memory: bytes read and written a second.
//!
//! `cargo run --release -p jarrah-optim --example update`

use std::time::Instant;

use jarrah_array::{Array, DType, Result, TreeExt, jit};
use jarrah_optim::{Adam, Leaves, Mask, adamw, apply_updates};

/// The matrices and vectors of a layer of width 768, and how many layers there are.
const LAYER: [&[usize]; 6] = [&[768, 2304], &[768, 768], &[768, 3072], &[3072, 768], &[768], &[3072]];
const LAYERS: usize = 12;
const ROUNDS: usize = 15;

fn main() -> Result<()> {
    let shapes: Vec<&[usize]> = (0..LAYERS).flat_map(|_| LAYER).collect();
    let of = |value: f64| -> Vec<Array> {
        shapes.iter().map(|shape| Array::full(shape, value, DType::F32)).collect()
    };
    let elements: usize = shapes.iter().map(|shape| shape.iter().product::<usize>()).sum();
    let optimizer = adamw(1e-4, Adam::default(), 0.1, Mask::matrices());
    let init = jit(|params: &Vec<Array>| (params.clone(), optimizer.init(params)));
    let step = jit(|((params, state), slopes): &((Vec<Array>, Leaves), Vec<Array>)| {
        let (updates, state) = optimizer.update(slopes, state, params);
        (apply_updates(params, &updates), state)
    })
    .donate(0);
    let slopes = of(1e-3);
    let mut at = init.call(of(0.5))?;
    let (mut copied, mut to) = (vec![1.0f32; 3 * elements], vec![0.0f32; 3 * elements]);
    let (mut updates, mut copies) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        at = step.call((at, slopes.clone()))?;
        for leaf in TreeExt::<Array>::leaves(&at) {
            leaf.to_buffer()?.ready().wait()?;
        }
        updates.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        copy(&copied, &mut to);
        copies.push(start.elapsed().as_secs_f64());
        std::mem::swap(&mut copied, &mut to);
    }
    // Parameters, gradients and two moments are read; all but the gradients are written.
    let update = 7.0 * 4.0 * elements as f64 / median(&mut updates) / 1e9;
    let copy = 6.0 * 4.0 * elements as f64 / median(&mut copies) / 1e9;
    println!("{:.0} M parameters in {} leaves", elements as f64 / 1e6, shapes.len());
    println!("AdamW {update:.1} GB/s, copies {copy:.1} GB/s: {:.2} of it", update / copy);
    Ok(())
}

/// Copies on two threads.
fn copy(from: &[f32], to: &mut [f32]) {
    let half = from.len() / 2;
    let (low, high) = to.split_at_mut(half);
    std::thread::scope(|scope| {
        scope.spawn(|| low.copy_from_slice(&from[..half]));
        high.copy_from_slice(&from[half..]);
    });
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
