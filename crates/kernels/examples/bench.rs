//! How long kernels of this crate take, beside the operations that are built in.
//!
//! `cargo run --release -p jarrah-kernels --example bench`

use std::time::Instant;

use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::{Array, DType, Result, jit, nn};
use jarrah_kernels as kernels;

/// The least time of several runs, in milliseconds.
fn time(f: impl Fn(&Vec<Array>) -> Array, xs: &[Array]) -> Result<f64> {
    let f = jit(f);
    let mut best = f64::INFINITY;
    for _ in 0..8 {
        let xs = xs.to_vec();
        let start = Instant::now();
        f.call(xs)?.to_buffer()?.ready().wait()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}

/// Times both, and prints them.
fn beside(
    name: &str,
    written: impl Fn(&Vec<Array>) -> Array,
    built_in: impl Fn(&Vec<Array>) -> Array,
    xs: &[Array],
) -> Result<()> {
    let (written, built_in) = (time(written, xs)?, time(built_in, xs)?);
    let times = written / built_in;
    println!("{name:26} kernel {written:9.3} ms, built in {built_in:9.3} ms, {times:6.2} times as long");
    Ok(())
}

fn main() -> Result<()> {
    let noise = |shape: &[usize]| {
        let size = shape.iter().product::<usize>() as i64;
        (Array::arange(size).astype(DType::F32) * 12.9898).sin().reshape(shape)
    };
    let square = [noise(&[1024, 1024]), noise(&[1024, 1024])];
    beside(
        "product of 1024 x 1024",
        |xs| kernels::matmul(&xs[0], &xs[1]),
        |xs| xs[0].matmul(&xs[1]),
        &square,
    )?;
    let rows = [noise(&[4096, 1024])];
    beside("softmax of 4096 x 1024", |xs| kernels::softmax(&xs[0]), |xs| xs[0].softmax(-1), &rows)?;
    beside("gelu of 4096 x 1024", |xs| kernels::gelu(&xs[0]), |xs| nn::gelu(&xs[0]), &rows)?;
    let heads = [0; 3].map(|_| noise(&[8, 1024, 64]));
    let built_in = |xs: &Vec<Array>| {
        let [q, k, v] = [0, 1, 2].map(|i| xs[i].swapaxes(0, 1).expand_dims(0));
        dot_product_attention(
            &q,
            &k,
            &v,
            &AttentionOptions { scale: Some(0.125), ..AttentionOptions::causal() },
        )
    };
    beside(
        "causal attention, 8 heads",
        |xs| kernels::flash_attention(&xs[0], &xs[1], &xs[2], true),
        built_in,
        &heads,
    )
}
