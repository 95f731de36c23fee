//! How long products of a few rows take with matrices in few bits, next to reading their bytes once.
//!
//! `cargo run --release -p jarrah-quant --example product [text] [q4_0] [q8_0] [..]`

use std::time::Instant;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Prepared, Result, TreeExt, jit};
use jarrah_quant::{QuantizedTensor, Scheme, quantize};

const SHAPE: [usize; 2] = [2048, 5632];

fn main() -> Result<()> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let text = named.iter().any(|name| name == "text");
    for &scheme in Scheme::ALL {
        if !named.iter().any(|name| name == scheme.name) {
            continue;
        }
        // More matrices than the last cache holds.
        let weights: Vec<QuantizedTensor> =
            (0..8).map(|i| quantize(&Key::new(i).normal(&SHAPE).astype(DType::F32), scheme)).collect();
        TreeExt::<Array>::leaves(&weights)
            .into_iter()
            .for_each(|leaf: &Array| drop(leaf.block_until_ready()));
        let bytes: usize = weights.iter().map(QuantizedTensor::bytes).sum();
        for rows in rows_of(&named) {
            let x = Key::new(9).normal(&[rows, SHAPE[0]]).astype(DType::BF16);
            x.block_until_ready()?;
            if text {
                let one = jit(|(w, x): &(QuantizedTensor, Array)| w.apply(x));
                let lowered = one.lower(&(weights[0].clone(), x.clone()));
                println!("{:#?}", lowered.compile()?.steps());
                continue;
            }
            let product = jit(|(w, x): &(Vec<QuantizedTensor>, Array)| {
                w.iter().map(|w| w.apply(x)).reduce(|a, b| a + b).unwrap_or_else(|| x.clone())
            });
            let product = product.prepared(&Prepared::new(weights.clone()));
            product.call((x.clone(),))?.block_until_ready()?;
            let mut times = Vec::new();
            let (rounds, before) = (if rows > 100 { 5 } else { 30 }, on_processors());
            for _ in 0..rounds {
                let start = Instant::now();
                product.call((x.clone(),))?.block_until_ready()?;
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
            let used = (on_processors() - before) / rounds as f64;
            times.sort_by(f64::total_cmp);
            let (best, median) = (times[0], times[times.len() / 2]);
            let flops = 16.0 * (rows * SHAPE[0] * SHAPE[1]) as f64;
            println!(
                "{} {rows} rows: {median:.2} ms ({best:.2} at best, {used:.2} of both processors), {:.1} GB/s, {:.0} GFLOP/s at best",
                scheme.name,
                bytes as f64 / best / 1e6,
                flops / best / 1e6
            );
        }
    }
    Ok(())
}

/// The numbers among the arguments.
fn rows_of(named: &[String]) -> Vec<usize> {
    let rows: Vec<usize> = named.iter().filter_map(|name| name.parse().ok()).collect();
    if rows.is_empty() { vec![1, 8, 512] } else { rows }
}

/// The milliseconds that processors spent on this process's threads so far.
fn on_processors() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() / 1e6
}
