//! Times vector loops: `cargo run --release -p jarrah-cpu --example vector [THREADS [NAME]]`.

#![allow(unsafe_code)]

use std::time::{Duration, Instant};

use jarrah_base::{DType, Result};
use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::vector::Plan;
use jarrah_tile::{Binary, LoopBuilder, LoopKernel, LoopReducer, Reg, Unary};

struct Build(LoopBuilder);

impl Build {
    fn mul(&mut self, x: Reg, y: Reg) -> Reg {
        self.0.binary(Binary::Multiply, x, y)
    }
    fn add(&mut self, x: Reg, y: Reg) -> Reg {
        self.0.binary(Binary::Add, x, y)
    }
    fn sub(&mut self, x: Reg, y: Reg) -> Reg {
        self.0.binary(Binary::Subtract, x, y)
    }
    fn div(&mut self, x: Reg, y: Reg) -> Reg {
        self.0.binary(Binary::Divide, x, y)
    }
    fn load(&mut self, rows: &[i64], col: i64) -> Reg {
        let input = self.0.input(DType::F32);
        self.0.load(input, 0, rows, col)
    }
    fn store(&mut self, rows: &[i64], col: i64, x: Reg) {
        let output = self.0.output(DType::F32);
        self.0.store(output, 0, rows, col, x);
    }
    fn c(&mut self, x: f32) -> Reg {
        self.0.f32(x)
    }
}

fn gelu(b: &mut Build, h: Reg) -> Reg {
    let (half, one, k, c) = (b.c(0.5), b.c(1.0), b.c(0.797_884_6), b.c(0.044_715));
    let h2 = b.mul(h, h);
    let h3 = b.mul(h2, h);
    let inner = b.mul(h3, c);
    let inner = b.add(h, inner);
    let inner = b.mul(inner, k);
    let t = b.0.unary(Unary::Tanh, inner);
    let t = b.add(t, one);
    let t = b.mul(t, half);
    b.mul(h, t)
}

fn kernels() -> Result<Vec<(&'static str, LoopKernel)>> {
    let n = 4096usize;
    let s = n as i64;
    let new = |outer: &[usize], cols| Build(LoopBuilder::new(outer, cols));
    let mut all = Vec::new();

    let mut b = new(&[n], n);
    let (x, y) = (b.load(&[s], 1), b.load(&[s], 1));
    let z = b.add(x, y);
    b.store(&[s], 1, z);
    all.push(("add 4096x4096", b.0.finish()?));

    let mut b = new(&[n], n);
    let (x, w, v) = (b.load(&[s], 1), b.load(&[0], 1), b.load(&[0], 1));
    let h = b.mul(x, w);
    let h = b.add(h, v);
    let y = gelu(&mut b, h);
    b.store(&[s], 1, y);
    all.push(("gelu(x*w+b) 4096x4096", b.0.finish()?));

    let mut b = new(&[n], n);
    let x = b.load(&[s], 1);
    let m = b.0.reduce(LoopReducer::Maximum, x);
    let d = b.sub(x, m);
    let e = b.0.unary(Unary::Exponential, d);
    let z = b.0.reduce(LoopReducer::Add, e);
    let y = b.div(e, z);
    b.store(&[s], 1, y);
    all.push(("softmax 4096x4096", b.0.finish()?));

    let mut b = new(&[3072], 384);
    let (x, g, v) = (b.load(&[384], 1), b.load(&[0], 1), b.load(&[0], 1));
    let (inv, eps) = (b.c(1.0 / 384.0), b.c(1e-5));
    let sum = b.0.reduce(LoopReducer::Add, x);
    let mean = b.mul(sum, inv);
    let d = b.sub(x, mean);
    let d2 = b.mul(d, d);
    let var = b.0.reduce(LoopReducer::Add, d2);
    let var = b.mul(var, inv);
    let var = b.add(var, eps);
    let r = b.0.unary(Unary::Rsqrt, var);
    let y = b.mul(d, r);
    let y = b.mul(y, g);
    let y = b.add(y, v);
    b.store(&[384], 1, y);
    b.store(&[1], 0, mean);
    b.store(&[1], 0, r);
    all.push(("layer norm 3072x384", b.0.finish()?));

    let mut b = Build(LoopBuilder::column(&[], &[3072], 384));
    let (x, y) = (b.load(&[384], 1), b.load(&[384], 1));
    let p = b.mul(x, y);
    let (s1, s2) = (b.0.reduce(LoopReducer::Add, p), b.0.reduce(LoopReducer::Add, x));
    b.store(&[0], 1, s1);
    b.store(&[0], 1, s2);
    all.push(("column sums of x*y and x, 3072x384", b.0.finish()?));

    let mut b = new(&[n], n);
    let [p, m, v, g] = [(); 4].map(|()| b.load(&[s], 1));
    let [b1, c1, b2, c2, eps, lr, wd, k1, k2] =
        [0.9, 0.1, 0.999, 0.001, 1e-8, -1e-3, 1e-2, 1.1, 1.2].map(|x| b.c(x));
    let (m0, m1) = (b.mul(m, b1), b.mul(g, c1));
    let m = b.add(m0, m1);
    let g2 = b.mul(g, g);
    let (v0, v1) = (b.mul(v, b2), b.mul(g2, c2));
    let v = b.add(v0, v1);
    let (mh, vh) = (b.mul(m, k1), b.mul(v, k2));
    let root = b.0.unary(Unary::Sqrt, vh);
    let den = b.add(root, eps);
    let u = b.div(mh, den);
    let decay = b.mul(p, wd);
    let u = b.add(u, decay);
    let step = b.mul(u, lr);
    let p = b.add(p, step);
    for x in [p, m, v] {
        b.store(&[s], 1, x);
    }
    all.push(("AdamW in place, 4096x4096", b.0.finish()?));

    let mut b = new(&[n], n);
    let x = b.load(&[s], 1);
    let y = b.0.unary(Unary::Exponential, x);
    b.store(&[s], 1, y);
    all.push(("exp 4096x4096", b.0.finish()?));

    let mut b = new(&[], n * n);
    let x = b.load(&[], 1);
    let y = b.0.reduce(LoopReducer::Add, x);
    b.store(&[], 0, y);
    all.push(("sum of 4096x4096", b.0.finish()?));

    let mut b = new(&[n], n);
    let x = b.load(&[s], 1);
    let y = b.0.reduce(LoopReducer::Add, x);
    b.store(&[1], 0, y);
    all.push(("sums of rows 4096x4096", b.0.finish()?));

    let mut b = Build(LoopBuilder::column(&[], &[n], n));
    let x = b.load(&[s], 1);
    let y = b.0.reduce(LoopReducer::Add, x);
    b.store(&[0], 1, y);
    all.push(("sums of columns 4096x4096", b.0.finish()?));

    for (name, rows) in [("rms norm 8192x1024", 8192), ("rms norm 256x1024", 256)] {
        let mut b = new(&[rows], 1024);
        let (x, g) = (b.load(&[1024], 1), b.load(&[0], 1));
        let (inv, eps) = (b.c(1.0 / 1024.0), b.c(1e-6));
        let x2 = b.mul(x, x);
        let sum = b.0.reduce(LoopReducer::Add, x2);
        let mean = b.mul(sum, inv);
        let mean = b.add(mean, eps);
        let r = b.0.unary(Unary::Rsqrt, mean);
        let y = b.mul(x, r);
        let y = b.mul(y, g);
        b.store(&[1024], 1, y);
        all.push((name, b.0.finish()?));
    }

    let mut b = new(&[256], 1024);
    let x = b.load(&[1024], 1);
    let y = b.0.reduce(LoopReducer::Add, x);
    b.store(&[1], 0, y);
    all.push(("sums of rows 256x1024", b.0.finish()?));

    let mut b = new(&[n], n);
    let (x, y) = (b.load(&[s], 1), b.load(&[s], 1));
    let l = b.0.unary(Unary::Logistic, x);
    let z = b.mul(x, l);
    let z = b.mul(z, y);
    b.store(&[s], 1, z);
    all.push(("swiglu 4096x4096", b.0.finish()?));

    let mut b = new(&[n], n);
    let x = b.load(&[s], 1);
    let m = b.0.reduce(LoopReducer::Maximum, x);
    let d = b.sub(x, m);
    let e = b.0.unary(Unary::Exponential, d);
    let z = b.0.reduce(LoopReducer::Add, e);
    let l = b.0.unary(Unary::Log, z);
    let l = b.add(l, m);
    b.store(&[1], 0, l);
    all.push(("log-sum-exp of rows 4096x4096", b.0.finish()?));

    let mut b = new(&[10], 10);
    let (x, y) = (b.load(&[10], 1), b.load(&[10], 1));
    let z = b.add(x, y);
    let z = b.mul(z, y);
    b.store(&[10], 1, z);
    all.push(("small, 100 elements", b.0.finish()?));
    Ok(all)
}

fn main() -> Result<()> {
    let threads = std::env::args().nth(1).and_then(|t| t.parse().ok()).unwrap_or(1);
    let wanted = std::env::args().nth(2).unwrap_or_default();
    let pool = ThreadPool::new(threads);
    let largest = 4096 * 4096;
    let fill = |seed: usize| -> Vec<f32> {
        (0..largest).map(|i| ((i * 7919 + seed * 104_729) % 4001) as f32 / 1000.0 - 2.0).collect()
    };
    let inputs: Vec<Vec<f32>> = (0..4).map(fill).collect();
    let mut outputs: Vec<Vec<f32>> = (0..3).map(fill).collect();
    for (name, kernel) in kernels()?.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        let mut prepared = Duration::MAX;
        for _ in 0..20 {
            let start = Instant::now();
            Plan::new(&kernel)?;
            prepared = prepared.min(start.elapsed());
        }
        let plan = Plan::new(&kernel)?;
        let mut ins: Vec<*const u8> = inputs.iter().map(|x| x.as_ptr().cast()).collect();
        let mut outs: Vec<*mut u8> = outputs.iter_mut().map(|x| x.as_mut_ptr().cast()).collect();
        ins.truncate(kernel.inputs.len());
        outs.truncate(kernel.outputs.len());
        if name.starts_with("AdamW") {
            for (i, o) in ins.iter_mut().zip(&outs) {
                *i = o.cast_const();
            }
        }
        let repeats = if name.starts_with("small") { 1000 } else { 1 };
        let mut best = Duration::MAX;
        for _ in 0..40 {
            let start = Instant::now();
            for _ in 0..repeats {
                // SAFETY: every buffer has 4096² elements, more than any kernel reaches; only AdamW works in place,
                // with the maps of its inputs and outputs equal.
                unsafe { plan.run(&pool, &ins, &outs) };
            }
            best = best.min(start.elapsed() / repeats);
        }
        let micros = |d: Duration| d.as_secs_f64() * 1e6;
        println!("{name:40} {:10.2} µs   plan {:6.1} µs", micros(best), micros(prepared));
    }
    Ok(())
}
