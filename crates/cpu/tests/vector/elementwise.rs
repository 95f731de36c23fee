use jarrah_base::DType;
use jarrah_tile::{Axis, Binary, Direction, Inst, LoopBuilder, LoopKernel, ScalarBits, Unary};

use super::reference::{self, Value, decode, encode, get, set};
use super::{Bytes, bytes_of, f32s, run};

/// Values of a type: special ones first, then a deterministic spread.
pub fn samples(dtype: DType, n: usize, seed: u64) -> Bytes {
    let mut out = vec![0u64; (n * dtype.size()).div_ceil(8)];
    let special_f = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e-45,
        -1e-45,
        1e-310,
        1.17e-38,
        3.4e38,
        -3.4e38,
        0.5,
        1.5,
        2.5,
        -0.5,
        -1.5,
        -2.5,
        88.8,
        -88.8,
        -103.9,
        0.49999997,
        8388609.0,
        4294967296.0,
        2147483648.0,
        65504.0,
        1e-8,
        -1e-8,
        0.9999999,
        -0.9999999,
        1e5,
        3.0,
        7.0,
    ];
    let special_i = [
        0i128,
        1,
        -1,
        2,
        3,
        7,
        8,
        31,
        32,
        63,
        64,
        -2,
        -128,
        127,
        255,
        i32::MIN as i128,
        i32::MAX as i128,
        u32::MAX as i128,
        i64::MIN as i128,
        i64::MAX as i128,
    ];
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for i in 0..n {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let u = (state >> 11) as f64 / (1u64 << 53) as f64;
        let special = (i as u64 + seed * 7) as usize;
        let v = if dtype.is_float() {
            Value::F(match i % 4 {
                0 => special_f[special / 4 % special_f.len()],
                1 => (u - 0.5) * 20.0,
                2 => (u - 0.5) * 2.0,
                _ => (u * 180.0 - 90.0).exp2() * if state & 1 == 0 { 1.0 } else { -1.0 },
            })
        } else if dtype == DType::Bool {
            Value::I((state >> 40 & 1) as i128)
        } else {
            Value::I(match i % 3 {
                0 => special_i[special / 3 % special_i.len()],
                1 => (state >> 58) as i128,
                _ => i128::from(state),
            })
        };
        set(&mut out, dtype, i, v);
    }
    out
}

/// Units in the last place between two values of a float type; NaNs are equal, of any payload.
fn ulps(dtype: DType, a: Value, b: Value) -> u64 {
    if !dtype.is_float() {
        return if a == b { 0 } else { u64::MAX };
    }
    if a.f().is_nan() || b.f().is_nan() {
        return if a.f().is_nan() && b.f().is_nan() { 0 } else { u64::MAX };
    }
    let bits = 8 * dtype.size() as u32;
    let key = |v: Value| {
        let raw = encode(dtype, v);
        let magnitude = (raw & (u64::MAX >> (65 - bits))) as i128;
        if raw >> (bits - 1) & 1 == 1 { -magnitude - 1 } else { magnitude }
    };
    (key(a) - key(b)).unsigned_abs() as u64
}

const N: usize = 3001;

fn check(kernel: &LoopKernel, inputs: &[Bytes], bound: u64) {
    let got = run(kernel, inputs);
    let mut want = super::outputs(kernel);
    reference::evaluate(kernel, inputs, &mut want);
    for (k, (g, w)) in got.iter().zip(&want).enumerate() {
        let d = kernel.outputs[k];
        for i in 0..N.min(g.len() * 8 / d.size()) {
            let (g, w) = (get(g, d, i), get(w, d, i));
            let of = inputs.iter().zip(&kernel.inputs).map(|(b, &d)| get(b, d, i)).collect::<Vec<_>>();
            assert!(ulps(d, g, w) <= bound, "{g:?} for {w:?} of {of:?} at {i} by\n{kernel}");
        }
    }
}

fn bound_of(f: Unary, d: DType) -> u64 {
    match (f, d) {
        (_, DType::BF16 | DType::F16) => 1,
        (Unary::Logistic, DType::F64) => 4,
        (
            Unary::Exponential
            | Unary::ExponentialMinusOne
            | Unary::Log
            | Unary::LogPlusOne
            | Unary::Logistic
            | Unary::Tanh,
            _,
        ) => 2,
        (Unary::Sine | Unary::Cosine | Unary::Erf | Unary::Cbrt, DType::F32) => 1,
        (Unary::Tan | Unary::ErfInv, DType::F32) => 4,
        (Unary::Rsqrt, _) => 1,
        _ => 0,
    }
}

#[test]
fn unary() {
    for &d in &jarrah_tile::DTYPES {
        for &f in Unary::ALL {
            let mut b = LoopBuilder::new(&[], N);
            let out = if f == Unary::IsFinite { DType::Bool } else { d };
            let (x, y) = (b.input(d), b.output(out));
            let x = b.load(x, 0, &[], 1);
            let v = b.unary(f, x);
            b.store(y, 0, &[], 1, v);
            if let Ok(kernel) = b.finish() {
                check(&kernel, &[samples(d, N, 1)], bound_of(f, d));
            }
        }
    }
}

#[test]
fn erf_against_known_values() {
    // Abramowitz and Stegun, table 7.1, and the complementary function beyond 3.
    for (x, want) in [
        (0.1, 0.112_462_916_018_284_9),
        (0.5, 0.520_499_877_813_046_5),
        (1.0, 0.842_700_792_949_714_9),
        (2.0, 0.995_322_265_018_952_7),
        (3.5, 0.999_999_256_901_627_7),
    ] {
        let got = jarrah_cpu::vector::functions::erf_f64(x);
        assert!((got - want).abs() <= 4.0 * f64::EPSILON * want, "erf {x} = {got}, not {want}");
        let back = jarrah_cpu::vector::functions::erf_inv_f64(want);
        assert!((back - x).abs() < 1e-9 * x, "erf_inv {want} = {back}, not {x}");
    }
}

#[test]
fn binary_of_every_operand_form() {
    for &d in &jarrah_tile::DTYPES {
        for &f in Binary::ALL {
            // Full and full; a row on either side; a constant on either side.
            for form in 0..5 {
                let (rows, cols) = (7usize, N / 7);
                let mut b = LoopBuilder::new(&[rows], cols);
                let (x, y, z) = (b.input(d), b.input(d), b.output(d));
                let c = cols as i64;
                let full = b.load(x, 0, &[c], 1);
                let other = match form {
                    0 => b.load(y, 0, &[c], 1),
                    1 | 2 => b.load(y, 0, &[5], 0),
                    _ => {
                        b.constant(ScalarBits { dtype: d, bits: encode(d, reference::round(d, Value::I(3))) })
                    }
                };
                let v = if form % 2 == 0 { b.binary(f, full, other) } else { b.binary(f, other, full) };
                b.store(z, 0, &[c], 1, v);
                let bound = match (f, d) {
                    (Binary::Power | Binary::Atan2, DType::F32) => 1,
                    (Binary::Power | Binary::Atan2, _) if d.is_float() => 1,
                    _ => 0,
                };
                if let Ok(kernel) = b.finish() {
                    check(&kernel, &[samples(d, N, 2), samples(d, N, 5)], bound);
                }
            }
        }
    }
}

/// Without a negative number among the bases, nothing is called.
#[test]
fn powers_of_zeros_infinities_and_nan() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let bases = [0.0, -0.0, inf, -inf, nan, 1.0, 0.5, 3.0, 1e-45, f32::MAX];
    let exponents = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        -2.0,
        3.0,
        -3.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        1e-45,
        -1e-45,
        8_388_607.0,
        8_388_609.0,
        -8_388_609.0,
        16_777_215.0,
        16_777_216.0,
        4_194_304.5,
        f32::MAX,
        f32::MIN,
        inf,
        -inf,
        nan,
    ];
    let (x, y): (Vec<f32>, Vec<f32>) = (0..N).map(|i| (bases[i % 10], exponents[i / 10 % 25])).unzip();
    let mut b = LoopBuilder::new(&[], N);
    let inputs = [(); 2].map(|()| b.input(DType::F32));
    let z = b.output(DType::F32);
    let [left, right] = inputs.map(|input| b.load(input, 0, &[], 1));
    let v = b.binary(Binary::Power, left, right);
    b.store(z, 0, &[], 1, v);
    let found = run(&b.finish().unwrap(), &[bytes_of(&x), bytes_of(&y)]);
    for ((x, y), found) in x.iter().zip(&y).zip(f32s(&found[0])) {
        let expected = f64::from(*x).powf(f64::from(*y)) as f32;
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{x}^{y} is {found}, not {expected}");
    }
}

#[test]
fn comparisons_selects_and_clamps() {
    for &d in &jarrah_tile::DTYPES {
        for &direction in Direction::ALL {
            for total in [false, true] {
                let mut b = LoopBuilder::new(&[], N);
                let (x, y) = (b.input(d), b.input(d));
                let (p, s) = (b.output(DType::Bool), b.output(d));
                let (x, y) = (b.load(x, 0, &[], 1), b.load(y, 0, &[], 1));
                let k =
                    b.constant(ScalarBits { dtype: d, bits: encode(d, reference::round(d, Value::I(1))) });
                let pred = b.push(Inst::Compare { direction, total, x, y });
                let first = b.select(pred, x, k);
                let second = b.select(pred, first, y);
                b.store(p, 0, &[], 1, pred);
                b.store(s, 0, &[], 1, second);
                if let Ok(kernel) = b.finish() {
                    check(&kernel, &[samples(d, N, 3), samples(d, N, 3 + direction as u64 % 3)], 0);
                }
            }
        }
        let mut b = LoopBuilder::new(&[], N);
        let (x, y, z) = (b.input(d), b.input(d), b.output(d));
        let (x, high) = (b.load(x, 0, &[], 1), b.load(y, 0, &[], 1));
        let low = b.constant(ScalarBits { dtype: d, bits: encode(d, reference::round(d, Value::I(1))) });
        let v = b.push(Inst::Clamp { low, x, high });
        b.store(z, 0, &[], 1, v);
        if let Ok(kernel) = b.finish() {
            check(&kernel, &[samples(d, N, 6), samples(d, N, 9)], 0);
        }
    }
}

/// What is computed of four bits is looked up: a function of several instructions, its parts read elsewhere, and truth values on the way.
#[test]
fn functions_of_four_bits() {
    let integers = jarrah_tile::DTYPES.into_iter().filter(|d| d.is_integer() && d.size() <= 4);
    for from in integers {
        for to in jarrah_tile::DTYPES.into_iter().filter(|&d| d != DType::Bool) {
            for mask in [15, 9, 7, 16] {
                let mut b = LoopBuilder::new(&[], N);
                let (x, scale) = (b.input(from), b.input(to));
                let outputs = [to, to, from, DType::Bool].map(|d| b.output(d));
                let (x, scale) = (b.load(x, 0, &[], 1), b.load(scale, 0, &[], 1));
                let whole = |b: &mut LoopBuilder, d, x| {
                    b.constant(ScalarBits { dtype: d, bits: encode(d, reference::round(d, Value::I(x))) })
                };
                let (mask, four) = (whole(&mut b, from, mask), whole(&mut b, from, 4));
                let (three, seven) = (whole(&mut b, to, 3), whole(&mut b, to, 7));
                let code = b.binary(Binary::And, x, mask);
                let above = b.compare(Direction::Gt, code, four);
                let value = b.convert(to, code);
                let less = b.binary(Binary::Subtract, value, three);
                let chosen = b.select(above, less, seven);
                let product = b.binary(Binary::Multiply, chosen, scale);
                for (output, value) in outputs.into_iter().zip([product, less, code, above]) {
                    b.store(output, 0, &[], 1, value);
                }
                check(&b.finish().unwrap(), &[samples(from, N, 5), samples(to, N, 8)], 0);
            }
        }
    }
}

#[test]
fn conversions_and_bitcasts() {
    for &from in &jarrah_tile::DTYPES {
        for &to in &jarrah_tile::DTYPES {
            for bitcast in [false, true] {
                let mut b = LoopBuilder::new(&[], N);
                let (x, y) = (b.input(from), b.output(to));
                let x = b.load(x, 0, &[], 1);
                let v = if bitcast { b.push(Inst::Bitcast(to, x)) } else { b.convert(to, x) };
                b.store(y, 0, &[], 1, v);
                if let Ok(kernel) = b.finish() {
                    check(&kernel, &[samples(from, N, 4)], 0);
                }
            }
        }
    }
}

#[test]
fn indices_of_every_type() {
    for &d in jarrah_tile::DTYPES.iter().filter(|&&d| d != DType::Bool) {
        let mut b = LoopBuilder::new(&[3, 4], 50);
        let outs = [b.output(d), b.output(d), b.output(d)];
        let regs = [Axis::Cols, Axis::Row(0), Axis::Row(1)].map(|a| b.iota(a, d));
        for (o, r) in outs.into_iter().zip(regs) {
            b.store(o, 0, &[200, 50], 1, r);
        }
        check(&b.finish().unwrap(), &[], 0);
    }
}

#[test]
fn threefry_is_random123s() {
    // The known answers of Random123 for threefry2x32 with 20 rounds.
    let cases: [([u32; 4], [u32; 2]); 3] = [
        ([0, 0, 0, 0], [0x6b20_0159, 0x99ba_4efe]),
        ([u32::MAX; 4], [0x1cb9_96fc, 0xbb00_2be7]),
        ([0x1319_8a2e, 0x0370_7344, 0x243f_6a88, 0x85a3_08d3], [0xc492_3a9c, 0x483d_f7a0]),
    ];
    for (words, want) in cases {
        let mut b = LoopBuilder::new(&[2], 40);
        let i = [0; 4].map(|_| b.input(DType::U32));
        let (o0, o1) = (b.output(DType::U32), b.output(DType::U32));
        let k = [b.load(i[0], 0, &[0], 0), b.load(i[1], 0, &[0], 0)];
        let c = [b.load(i[2], 0, &[0], 0), b.load(i[3], 0, &[40], 1)];
        let x = b.push(Inst::Threefry { key: k, count: c });
        let y = b.push(Inst::Word1(x));
        b.store(o0, 0, &[40], 1, x);
        b.store(o1, 0, &[40], 1, y);
        let kernel = b.finish().unwrap();
        let inputs: Vec<Bytes> = (0..4).map(|k| super::bytes_of(&[words[k]; 80])).collect();
        let got = run(&kernel, &inputs);
        for at in [0, 1, 79] {
            assert_eq!(get(&got[0], DType::U32, at), decode(DType::U32, want[0].into()));
            assert_eq!(get(&got[1], DType::U32, at), decode(DType::U32, want[1].into()));
        }
    }
}

#[test]
fn pairs_round_twice() {
    let ops = [Binary::Add, Binary::Subtract, Binary::Multiply];
    for (n, (f, g)) in ops.iter().flat_map(|&f| ops.iter().map(move |&g| (f, g))).enumerate() {
        for swap in [false, true] {
            for form in 0..8 {
                let (rows, cols) = (7usize, N / 7);
                let mut b = LoopBuilder::new(&[rows], cols);
                let i = [0; 3].map(|_| b.input(DType::F32));
                let o = b.output(DType::F32);
                let c = cols as i64;
                let [x, y, z] = [0, 1, 2].map(|k| {
                    if form >> k & 1 == 0 { b.load(i[k], 0, &[c], 1) } else { b.load(i[k], 0, &[3], 0) }
                });
                let t = b.binary(f, x, y);
                let t = if swap { b.binary(g, z, t) } else { b.binary(g, t, z) };
                let e = b.unary(Unary::Negate, t);
                b.store(o, 0, &[c], 1, e);
                let inputs: Vec<Bytes> = (0..3).map(|k| samples(DType::F32, N, n as u64 + k)).collect();
                check(&b.finish().unwrap(), &inputs, 0);
            }
        }
    }
}

#[test]
fn f32_functions_over_all_magnitudes() {
    let x: Vec<f32> = (0..=u32::MAX).step_by(8191).map(f32::from_bits).collect();
    let functions = [
        (Unary::Exponential, 2),
        (Unary::ExponentialMinusOne, 2),
        (Unary::Log, 2),
        (Unary::LogPlusOne, 2),
        (Unary::Logistic, 2),
        (Unary::Tanh, 2),
        (Unary::Sine, 1),
        (Unary::Cosine, 1),
        (Unary::Erf, 2),
        (Unary::Tan, 4),
        (Unary::Rsqrt, 1),
        (Unary::Cbrt, 1),
        (Unary::ErfInv, 4),
    ];
    for (f, bound) in functions {
        let mut b = LoopBuilder::new(&[], x.len());
        let (i, o) = (b.input(DType::F32), b.output(DType::F32));
        let v = b.load(i, 0, &[], 1);
        let v = b.unary(f, v);
        b.store(o, 0, &[], 1, v);
        let kernel = b.finish().unwrap();
        let pool = jarrah_cpu::threads::ThreadPool::new(1);
        let isa = jarrah_cpu::vector::Isa::detect();
        let got = super::run_with(
            &kernel,
            &[super::bytes_of(&x)],
            isa,
            jarrah_cpu::vector::Tier::Interpreter,
            2048,
            &pool,
        );
        let got = super::f32s(&got[0]);
        for (&x, &g) in x.iter().zip(got) {
            let want = reference::unary(f, DType::F32, Value::F(x.into()));
            let off = ulps(DType::F32, Value::F(g.into()), want);
            assert!(off <= bound, "{f} {x:e} is {g:e}, not {want:?}: {off} ULP");
        }
    }
}
