//! Times compiled pieces of a training step: `cargo run --release -p jarrah-cpu --example steps`.

use std::time::Instant;

use jarrah_base::{DType, Literal, Result, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Comparison, DotGeneral, ElementwiseKind, Gather, Reducer, Scatter, Update};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_runtime::{Arg, Client, CompileOptions};

const F32: DType = DType::F32;

fn tensor(dims: &[usize]) -> Type {
    Type::tensor(F32, dims.iter().copied())
}

/// Builds a program of `params`, compiles it, and prints the least time of a run and its traffic.
fn measure(
    client: &CpuClient,
    name: &str,
    params: &[Type],
    donated: &[usize],
    build: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
) -> Result<()> {
    let mut b = Builder::new(name);
    let values: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
    let results = build(&mut b, &values)?;
    let program: Program = b.finish(&results)?;
    let start = Instant::now();
    let executable = client.compile(&program, &CompileOptions::donating(donated))?;
    let compiled = start.elapsed();
    let fill = |&ty: &Type| -> Result<Literal> {
        let count = ty.elements()?;
        if ty.dtype() == DType::I32 {
            let values: Vec<i32> = (0..count).map(|i| (i * 7 % 61) as i32).collect();
            return Literal::from_bytes(ty, bytemuck::cast_slice(&values));
        }
        let values: Vec<f32> = (0..count).map(|i| (i * 7919 % 1000) as f32 * 1e-3 + 0.01).collect();
        Literal::from_bytes(ty, bytemuck::cast_slice(&values))
    };
    let mut args = params.iter().map(|ty| client.upload(&fill(ty)?)).collect::<Result<Vec<_>>>()?;
    let mut best = f64::INFINITY;
    for _ in 0..30 {
        let given = args.iter().enumerate().map(|(i, buffer)| match donated.contains(&i) {
            true => Arg::Donate(buffer.clone()),
            false => Arg::Borrow(buffer.clone()),
        });
        let given = given.collect();
        let start = Instant::now();
        let results = executable.run_args(given)?;
        results.iter().try_for_each(|result| result.ready().wait())?;
        best = best.min(start.elapsed().as_secs_f64());
        for (&i, result) in donated.iter().zip(results) {
            args[i] = result;
        }
    }
    let traffic: usize = program
        .param_types()
        .iter()
        .chain(&program.result_types())
        .map(|ty| ty.bytes())
        .sum::<Result<usize>>()?;
    println!(
        "{name:34} {:8.3} ms  {:6.1} GB/s of operands and results  (compiled in {:.2} ms)",
        best * 1e3,
        traffic as f64 / best * 1e-9,
        compiled.as_secs_f64() * 1e3
    );
    Ok(())
}

fn mean(b: &mut Builder, x: Value, axis: usize) -> Result<Value> {
    let n = b.ty(x).dim(axis);
    let sum = b.sum(x, &[axis])?;
    b.scale(sum, 1.0 / n as f64)
}

fn layer_norm(b: &mut Builder, v: &[Value]) -> Result<Vec<Value>> {
    let dims = b.ty(v[0]).dims();
    let average = mean(b, v[0], 1)?;
    let wide = b.broadcast_in_dim(average, &dims, &[0])?;
    let centred = b.sub(v[0], wide)?;
    let squares = b.mul(centred, centred)?;
    let variance = mean(b, squares, 1)?;
    let epsilon = b.full(b.ty(variance), 1e-5)?;
    let variance = b.add(variance, epsilon)?;
    let scale = b.unary(ElementwiseKind::Rsqrt, variance)?;
    let scale = b.broadcast_in_dim(scale, &dims, &[0])?;
    let gain = b.broadcast_in_dim(v[1], &dims, &[1])?;
    let shift = b.broadcast_in_dim(v[2], &dims, &[1])?;
    let y = b.mul(centred, scale)?;
    let y = b.mul(y, gain)?;
    Ok(vec![b.add(y, shift)?])
}

fn cross_entropy(b: &mut Builder, v: &[Value]) -> Result<Vec<Value>> {
    let dims = b.ty(v[0]).dims();
    let largest = b.reduce(Reducer::Max, v[0], &[1])?;
    let wide = b.broadcast_in_dim(largest, &dims, &[0])?;
    let shifted = b.sub(v[0], wide)?;
    let e = b.exp(shifted)?;
    let total = b.sum(e, &[1])?;
    let log = b.unary(ElementwiseKind::Log, total)?;
    let classes = b.iota(Type::tensor(DType::I32, dims.iter().copied()), 1)?;
    let labels = b.broadcast_in_dim(v[1], &dims, &[0])?;
    let hit = b.compare(Comparison::Eq, classes, labels)?;
    let zeros = b.zeros_like(shifted)?;
    let chosen = b.select(hit, shifted, zeros)?;
    let chosen = b.sum(chosen, &[1])?;
    let loss = b.sub(log, chosen)?;
    let loss = mean(b, loss, 0)?;
    let total = b.broadcast_in_dim(total, &dims, &[0])?;
    let p = b.div(e, total)?;
    let ones = b.ones_like(p)?;
    let lower = b.sub(p, ones)?;
    Ok(vec![loss, b.select(hit, lower, p)?])
}

/// `(p, m, v, g) -> (p, m, v)`.
fn adamw(b: &mut Builder, x: &[Value]) -> Result<Vec<Value>> {
    let (m, g) = (b.scale(x[1], 0.9)?, b.scale(x[3], 0.1)?);
    let m = b.add(m, g)?;
    let g2 = b.mul(x[3], x[3])?;
    let (v, g2) = (b.scale(x[2], 0.95)?, b.scale(g2, 0.05)?);
    let v = b.add(v, g2)?;
    let root = b.unary(ElementwiseKind::Sqrt, v)?;
    let epsilon = b.full(b.ty(root), 1e-8)?;
    let root = b.add(root, epsilon)?;
    let step = b.div(m, root)?;
    let decay = b.scale(x[0], 0.1)?;
    let step = b.add(step, decay)?;
    let step = b.scale(step, 1e-3)?;
    Ok(vec![b.sub(x[0], step)?, m, v])
}

/// `gelu(x w + bias)`, the tanh form.
fn mlp(b: &mut Builder, v: &[Value]) -> Result<Vec<Value>> {
    let y = b.one(DotGeneral::matmul(0, F32), &v[..2])?;
    let bias = b.broadcast_in_dim(v[2], &b.ty(y).dims(), &[1])?;
    let y = b.add(y, bias)?;
    let square = b.mul(y, y)?;
    let cube = b.mul(square, y)?;
    let cube = b.scale(cube, 0.044715)?;
    let inner = b.add(y, cube)?;
    let inner = b.scale(inner, 0.797_884_560_802_865_4)?;
    let t = b.unary(ElementwiseKind::Tanh, inner)?;
    let one = b.ones_like(t)?;
    let t = b.add(t, one)?;
    let half = b.scale(y, 0.5)?;
    Ok(vec![b.mul(half, t)?])
}

fn main() -> Result<()> {
    let client = CpuClient::new();
    println!("{} threads", client.threads());
    let tokens = 12 * 256;
    let (wide, vocabulary) = (384, 65);
    let norm = [tensor(&[tokens, wide]), tensor(&[wide]), tensor(&[wide])];
    measure(&client, "layer norm 3072x384", &norm, &[], layer_norm)?;
    let labels = Type::tensor(DType::I32, [tokens]);
    let loss = [tensor(&[tokens, vocabulary]), labels];
    measure(&client, "cross entropy and gradient 3072x65", &loss, &[], cross_entropy)?;
    let labels = Type::tensor(DType::I32, [1024]);
    measure(&client, "cross entropy ... 1024x8192", &[tensor(&[1024, 8192]), labels], &[], cross_entropy)?;
    measure(&client, "adamw 10.6 M", &[tensor(&[10_600_000]); 4], &[0, 1, 2], adamw)?;
    let dense = [tensor(&[tokens, wide]), tensor(&[wide, 4 * wide]), tensor(&[4 * wide])];
    measure(&client, "gelu(x w + b) 3072x384x1536", &dense, &[], mlp)?;
    measure(&client, "x w 3072x384x1536", &dense[..2], &[], |b, v| {
        Ok(vec![b.one(DotGeneral::matmul(0, F32), v)?])
    })?;
    measure(&client, "column sum 3072x1536", &[tensor(&[tokens, 4 * wide])], &[], |b, v| {
        Ok(vec![b.sum(v[0], &[0])?])
    })?;
    let ids = Type::tensor(DType::I32, [tokens]);
    measure(&client, "embedding rows 8192x384", &[tensor(&[8192, wide]), ids], &[], |b, v| {
        Ok(vec![b.one(Gather::rows(b.ty(v[0]), b.ty(v[1]))?, v)?])
    })?;
    let scatter = [tensor(&[8192, wide]), ids, tensor(&[tokens, wide])];
    measure(&client, "embedding gradient 8192x384", &scatter, &[0], |b, v| {
        let op = Scatter::rows(b.ty(v[0]), b.ty(v[1]), Update::Reduce(Reducer::Add));
        Ok(vec![b.one(op, v)?])
    })
}
