//! How many instructions a list of kernels takes: `BLESS=1` writes `emit.txt` anew.

use std::fmt::Write;
use std::path::Path;

use jarrah_base::DType;
use jarrah_cpu::vector::{Isa, Plan, Tier};
use jarrah_tile::{Binary, Direction, Inst, LoopBuilder, LoopKernel, LoopReducer, Reg, ScalarBits, Unary};

fn scaled(b: &mut LoopBuilder, x: Reg, by: f32) -> Reg {
    let c = b.f32(by);
    b.binary(Binary::Multiply, x, c)
}

/// One input of 64 rows of 512 columns to an output alike.
fn map(dtype: DType, f: impl Fn(&mut LoopBuilder, Reg) -> Reg) -> LoopKernel {
    let mut b = LoopBuilder::new(&[64], 512);
    let (x, y) = (b.input(dtype), b.output(dtype));
    let x = b.load(x, 0, &[512], 1);
    let v = f(&mut b, x);
    b.store(y, 0, &[512], 1, v);
    b.finish().unwrap()
}

fn gelu(b: &mut LoopBuilder, x: Reg) -> Reg {
    let square = b.binary(Binary::Multiply, x, x);
    let cube = b.binary(Binary::Multiply, square, x);
    let cubic = scaled(b, cube, 0.044_715);
    let sum = b.binary(Binary::Add, x, cubic);
    let inner = scaled(b, sum, 0.797_884_6);
    let t = b.unary(Unary::Tanh, inner);
    let one = b.f32(1.0);
    let gate = b.binary(Binary::Add, t, one);
    let half = scaled(b, gate, 0.5);
    b.binary(Binary::Multiply, x, half)
}

fn softmax(b: &mut LoopBuilder, x: Reg) -> Reg {
    let max = b.reduce(LoopReducer::Maximum, x);
    let d = b.binary(Binary::Subtract, x, max);
    let e = b.unary(Unary::Exponential, d);
    let sum = b.reduce(LoopReducer::Add, e);
    b.binary(Binary::Divide, e, sum)
}

fn layer_norm(b: &mut LoopBuilder, x: Reg) -> Reg {
    let sum = b.reduce(LoopReducer::Add, x);
    let mean = scaled(b, sum, 1.0 / 512.0);
    let d = b.binary(Binary::Subtract, x, mean);
    let square = b.binary(Binary::Multiply, d, d);
    let var = b.reduce(LoopReducer::Add, square);
    let var = scaled(b, var, 1.0 / 512.0);
    let eps = b.f32(1e-5);
    let var = b.binary(Binary::Add, var, eps);
    let r = b.unary(Unary::Rsqrt, var);
    b.binary(Binary::Multiply, d, r)
}

fn adamw() -> LoopKernel {
    let mut b = LoopBuilder::new(&[64], 512);
    let inputs = [(); 4].map(|()| b.input(DType::F32));
    let [p, m, v, g] = inputs.map(|i| b.load(i, 0, &[512], 1));
    let (m0, g0) = (scaled(&mut b, m, 0.9), scaled(&mut b, g, 0.1));
    let m = b.binary(Binary::Add, m0, g0);
    let g2 = b.binary(Binary::Multiply, g, g);
    let (v0, g1) = (scaled(&mut b, v, 0.999), scaled(&mut b, g2, 0.001));
    let v = b.binary(Binary::Add, v0, g1);
    let (mh, vh) = (scaled(&mut b, m, 1.1), scaled(&mut b, v, 1.2));
    let root = b.unary(Unary::Sqrt, vh);
    let eps = b.f32(1e-8);
    let den = b.binary(Binary::Add, root, eps);
    let u = b.binary(Binary::Divide, mh, den);
    let decay = scaled(&mut b, p, 1e-2);
    let u = b.binary(Binary::Add, u, decay);
    let step = scaled(&mut b, u, -1e-3);
    let p = b.binary(Binary::Add, p, step);
    for x in [p, m, v] {
        let o = b.output(DType::F32);
        b.store(o, 0, &[512], 1, x);
    }
    b.finish().unwrap()
}

fn column_sums() -> LoopKernel {
    let mut b = LoopBuilder::column(&[], &[64], 512);
    let (x, y) = (b.input(DType::F32), b.output(DType::F32));
    let x = b.load(x, 0, &[512], 1);
    let sum = b.reduce(LoopReducer::Add, x);
    b.store(y, 0, &[0], 1, sum);
    b.finish().unwrap()
}

fn argmax() -> LoopKernel {
    let mut b = LoopBuilder::new(&[64], 512);
    let (x, y) = (b.input(DType::F32), b.output(DType::I32));
    let x = b.load(x, 0, &[512], 1);
    let at = b.push(Inst::ArgReduce { max: true, x });
    b.store(y, 0, &[1], 0, at);
    b.finish().unwrap()
}

fn kernels() -> Vec<(&'static str, LoopKernel)> {
    let f = |u: Unary| map(DType::F32, move |b, x| b.unary(u, x));
    vec![
        ("add", map(DType::F32, |b, x| b.binary(Binary::Add, x, x))),
        ("bf16 add", map(DType::BF16, |b, x| b.binary(Binary::Add, x, x))),
        ("exp", f(Unary::Exponential)),
        ("log", f(Unary::Log)),
        ("tanh", f(Unary::Tanh)),
        ("logistic", f(Unary::Logistic)),
        ("erf", f(Unary::Erf)),
        ("sine", f(Unary::Sine)),
        ("cbrt", f(Unary::Cbrt)),
        ("power", map(DType::F32, |b, x| b.binary(Binary::Power, x, x))),
        ("remainder", map(DType::F32, |b, x| b.binary(Binary::Remainder, x, x))),
        ("f64 log", map(DType::F64, |b, x| b.unary(Unary::Log, x))),
        ("argmax", argmax()),
        ("gelu", map(DType::F32, gelu)),
        ("softmax", map(DType::F32, softmax)),
        ("layer norm", map(DType::F32, layer_norm)),
        ("AdamW", adamw()),
        ("column sums", column_sums()),
        ("four bits", four_bits()),
    ]
}

/// Weights of four bits, one of sixteen numbers each, times a scale.
fn four_bits() -> LoopKernel {
    let mut b = LoopBuilder::new(&[64], 512);
    let (codes, scales, y) = (b.input(DType::U8), b.input(DType::F32), b.output(DType::F32));
    let (code, scale) = (b.load(codes, 0, &[512], 1), b.load(scales, 0, &[0], 1));
    let mask = b.constant(ScalarBits::of(15u8));
    let code = b.binary(Binary::And, code, mask);
    let eight = b.constant(ScalarBits::of(8u8));
    let high = b.compare(Direction::Ge, code, eight);
    let value = b.convert(DType::F32, code);
    let (square, negative) = (b.binary(Binary::Multiply, value, value), b.unary(Unary::Negate, value));
    let value = b.select(high, square, negative);
    let scaled = b.binary(Binary::Multiply, value, scale);
    b.store(y, 0, &[512], 1, scaled);
    b.finish().unwrap()
}

#[test]
fn instructions_of_loops() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vector/emit.txt");
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let mut text = String::new();
    for (isa, name) in [(Isa::Avx512, "avx512"), (Isa::Avx2, "avx2")] {
        if !Isa::available().contains(&isa) || !Tier::available(isa).contains(&Tier::Native) {
            // Another machine, or another build, counts these.
            for line in known.lines().filter(|l| l.starts_with(name)) {
                writeln!(text, "{line}").unwrap();
            }
            continue;
        }
        for (kernel, body) in kernels() {
            let plan = Plan::with(&body, isa, Tier::Native, 2048).unwrap();
            write!(text, "{name} {kernel}:").unwrap();
            let counts = plan.instructions();
            assert!(!counts.is_empty(), "{kernel} has no machine code");
            for (part, n) in counts.into_iter().filter(|(part, _)| part.contains(" by ")) {
                write!(text, " {part} {n},").unwrap();
            }
            text.pop();
            text.push('\n');
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    } else {
        assert_eq!(text, known, "BLESS=1 renews {}", path.display());
    }
}
