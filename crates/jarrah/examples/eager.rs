//! What calls and operations outside of `jit` cost: training loops without it next to the same with it, modes next to each
//! other, the overhead of a call, of an operation, of tracing.
//!
//! Arguments choose among the measurements: `eager training modes calls trees operations trace memory`; without one, all but the last.

mod workload;

use std::hint::black_box;
use std::time::Instant;

use jarrah::Result;
use jarrah::array::eager::{self, EagerMode};
use jarrah::array::random::Key;
use jarrah::array::{
    Array, DType, Function, Tree, TreeExt, clear_caches, compiled_programs, eval_shape, jit, lax,
};
use jarrah::models::{Decoder, DecoderConfig};
use jarrah::nn::{Linear, Module, relu, softmax_cross_entropy_with_integer_labels};
use workload::{State, Workload, char_gpt, initial, mean_loss, mlp, mlp_loss, step};

fn main() -> Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| asked.iter().any(|a| a == name) || asked.is_empty() && name != "memory";
    if wanted("training") {
        training()?;
    }
    if wanted("modes") {
        modes()?;
    }
    if wanted("calls") {
        calls()?;
    }
    if wanted("trees") {
        trees()?;
    }
    if wanted("operations") {
        operations()?;
    }
    if wanted("trace") {
        trace()?;
    }
    if wanted("memory") {
        memory()?;
    }
    Ok(())
}

/// The median time of `f` in microseconds, of `rounds` rounds of `repeat` calls each.
fn median_us<T>(rounds: usize, repeat: usize, mut f: impl FnMut() -> Result<T>) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..repeat {
            black_box(f()?);
        }
        times.push(start.elapsed().as_secs_f64() * 1e6 / repeat as f64);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// A training step of `loss`, with and without `jit`, in turn.
fn compare<M: Tree<Array> + Clone + 'static>(
    (name, model, batch): Workload<M>,
    loss: impl Fn(&M, &Array, &Array) -> Array + Copy + 'static,
) -> Result<()> {
    let (state, step) = (initial(model), step(loss));
    let copy = jit(|s: &State<M>| s.map_leaves(|x: &Array| x * 1));
    let mut eager_state = state;
    let mut state = copy.call(eager_state.clone())?;
    let compiled = jit(step.clone()).donate(0);
    let (mut times, mut counts, mut losses) = ([Vec::new(), Vec::new()], Vec::new(), [0.0; 2]);
    for round in 0..40 {
        let start = Instant::now();
        let (next, value) = compiled.call((state, batch.clone()))?;
        losses[0] = value.item::<f32>()?;
        let jitted = start.elapsed();
        state = next;
        let before = compiled_programs();
        let start = Instant::now();
        let (next, value) = step(&(eager_state, batch.clone()));
        losses[1] = value.item::<f32>()?;
        let eager = start.elapsed();
        eager_state = next;
        counts.push(compiled_programs() - before);
        if round >= 5 {
            times[0].push(jitted.as_secs_f64() * 1e3);
            times[1].push(eager.as_secs_f64() * 1e3);
        }
    }
    let mut ratios: Vec<f64> = times[0].iter().zip(&times[1]).map(|(jit, eager)| jit / eager).collect();
    times.iter_mut().chain([&mut ratios]).for_each(|t| t.sort_by(f64::total_cmp));
    let [jit, eager, ratio] = [&times[0], &times[1], &ratios].map(|t| t[t.len() / 2]);
    let late: u64 = counts[3..].iter().sum();
    println!(
        "{name}: jit {jit:.2} ms, eager {eager:.2} ms, {:.0} % of its speed; compiled in steps 1 to 3: {:?}, later: {late}; losses {losses:?}",
        ratio * 100.0,
        &counts[..3],
    );
    Ok(())
}

fn training() -> Result<()> {
    compare(char_gpt()?, mean_loss)?;
    compare(mlp(), mlp_loss)?;

    let keys = Key::new(0).split(8);
    let kernel = |key: &Key, shape: &[usize]| key.normal(shape) * 0.1;
    let model = (
        kernel(&keys[3], &[16, 1, 3, 3]),
        (kernel(&keys[4], &[32, 16, 3, 3]), Linear::new(&keys[5], 32 * 7 * 7, 10)),
    );
    let batch = (keys[0].normal(&[64, 1, 28, 28]), keys[6].randint(&[64], 0, 10));
    compare(("CNN 16-32, 28 x 28, batch 64", model, batch), |(first, (second, last)), x, y| {
        let half = |x: &Array, kernel: &Array| {
            let window = lax::WindowOptions {
                strides: vec![2, 2],
                padding: lax::Padding::Pairs(vec![(1, 1), (1, 1)]),
                ..lax::WindowOptions::default()
            };
            let options = lax::ConvOptions { window, ..lax::ConvOptions::default() };
            relu(&lax::conv_general_dilated(x, kernel, &options))
        };
        let x = half(&half(x, first), second);
        let count = x.shape()[0];
        let logits = last.forward(&x.reshape(&[count, 32 * 7 * 7]));
        softmax_cross_entropy_with_integer_labels(&logits, y).mean(..)
    })
}

/// A loop of elementwise operations in each mode.
fn modes() -> Result<()> {
    for n in [1 << 10, 1 << 16, 1 << 20] {
        let start = Key::new(0).normal(&[n]);
        start.to_buffer()?;
        let run = || -> Result<()> {
            let mut x = start.clone();
            for _ in 0..10 {
                x = (&x * 0.5 + x.abs().sqrt() - 0.25).tanh() * 1.5 - &x * 0.1;
            }
            x.to_buffer()?.ready().wait()
        };
        let time = |mode| {
            eager::mode(mode, || {
                run()?;
                median_us(15, 4, run)
            })
        };
        let [fused, strict, debug] =
            [time(EagerMode::Fused)?, time(EagerMode::Strict)?, time(EagerMode::Debug)?];
        println!(
            "90 elementwise operations on f32[{n}]: fused {fused:.0} us, strict {strict:.0} ({:.1} x), debug {debug:.0}",
            strict / fused
        );
    }
    Ok(())
}

fn calls() -> Result<()> {
    let x = Array::scalar(1.0f32);
    x.to_buffer()?;
    let add = jit(|x: &Array| x + 1);
    let us = median_us(301, 200, || add.call(x.clone()))?;
    println!("call of a compiled function of a scalar: {us:.2} us");

    Ok(())
}

/// Calls with many arrays.
fn trees() -> Result<()> {
    let tree: Vec<Array> = (0..150).map(|i| Array::scalar(i as f32)).collect();
    let one = jit(|tree: &Vec<Array>| tree[0].clone() + &tree[149]);
    one.call(tree.clone())?;
    let us = median_us(301, 20, || Ok(one.apply(&tree)))?;
    println!("call with a tree of 150 arrays, one result: {us:.2} us");
    let all = jit(|tree: &Vec<Array>| tree.iter().map(|x| x + 1).collect::<Vec<Array>>());
    let us = median_us(301, 5, || Ok(all.apply(&tree)))?;
    println!("call with a tree of 150 arrays, 150 new results: {us:.2} us");

    Ok(())
}

/// Operations by themselves.
fn operations() -> Result<()> {
    let v = Key::new(0).normal(&[16]);
    v.to_buffer()?;
    for mode in [EagerMode::Strict, EagerMode::Debug] {
        let us = eager::mode(mode, || median_us(301, 200, || Ok(&v * &v)))?;
        let number = eager::mode(mode, || median_us(301, 200, || Ok(&v + 1)))?;
        println!("one operation in {mode:?}, f32[16]: x * x {us:.2} us, x + 1 {number:.2} us");
    }
    let mut y = v.clone();
    let us = median_us(31, 20_000, || {
        y = &y * &v;
        Ok(())
    })?;
    println!("one operation in Fused, f32[16], its share of runs included: {us:.2} us");
    Ok(())
}

/// Tracing the training step of GPT-2 (124M) to a program that is ready to be compiled.
fn trace() -> Result<()> {
    let config = DecoderConfig::named("gpt2")?;
    let start = eval_shape(move |key: &Key| initial(Decoder::new(&config, key)), &Key::new(0));
    let tokens = Array::zeros(&[4, 256]).astype(DType::I32);
    let mut times = Vec::new();
    for _ in 0..15 {
        let step = jit(step(mean_loss)).donate(0);
        let args = (start.clone(), (tokens.clone(), tokens.clone()));
        // The gradient is derived anew.
        clear_caches();
        let start = Instant::now();
        let lowered = step.lower(&args);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        black_box(lowered.program().instrs().len());
    }
    times.sort_by(f64::total_cmp);
    println!(
        "tracing and lowering the step of GPT-2 (124M): {:.1} ms, at best {:.1}",
        times[times.len() / 2],
        times[0]
    );
    Ok(())
}

/// The memory of the process after many operations, and after many calls.
fn memory() -> Result<()> {
    let resident = || jarrah_base::memory::held() as f64 / f64::from(1 << 20);
    let x = Array::from_slice(&[1.0f32, 2.0]);
    let mut y = x.clone();
    for i in 0..=10_000_000u32 {
        y = &y * 0.5 + f64::from(i % 7);
        if i % 2_000_000 == 0 {
            println!("{:>8} operations: {:.1} MiB resident, {:?}", 2 * i, resident(), eager::pending());
        }
    }
    let f = jit(|x: &Array| x * 0.5 + 1);
    for i in 0..=1_000_000 {
        y = f.call(y)?;
        if i % 200_000 == 0 {
            println!("{i:>8} calls: {:.1} MiB resident, {:?}", resident(), y.to_vec::<f32>()?);
        }
    }
    Ok(())
}
