use jarrah_base::DType;
use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::vector::{Isa, Plan, Tier};
use jarrah_tile::{Axis, Binary, Inst, LoopBuilder, LoopKernel, LoopReducer};

use super::reference::{self, Value, get, set};
use super::{Bytes, run, run_with};

fn numbers(dtype: DType, n: usize) -> Bytes {
    let mut out = vec![0u64; (n * dtype.size()).div_ceil(8).max(1)];
    for i in 0..n {
        let v = (i * 7919 + 13) % 1009;
        let v = match dtype {
            DType::Bool => Value::I((v % 97 != 0) as i128),
            d if d.is_float() => Value::F(1.0 + (v as f64 - 500.0) / 3000.0),
            _ => Value::I(v as i128),
        };
        set(&mut out, dtype, i, v);
    }
    out
}

fn check(kernel: &LoopKernel, inputs: &[Bytes]) -> Vec<Bytes> {
    let got = run(kernel, inputs);
    let mut want = super::outputs(kernel);
    reference::evaluate(kernel, inputs, &mut want);
    assert!(got == want, "{got:?}\nfor\n{want:?}\nby\n{kernel}");
    got
}

fn rows(f: LoopReducer, d: DType, n: usize, cols: usize) -> Option<LoopKernel> {
    let mut b = LoopBuilder::new(&[n], cols);
    let (x, y) = (b.input(d), b.output(d));
    let x = b.load(x, 0, &[cols as i64], 1);
    let v = b.reduce(f, x);
    b.store(y, 0, &[1], 0, v);
    b.finish().ok()
}

fn columns(f: LoopReducer, d: DType, n: usize, reduced: usize) -> Option<LoopKernel> {
    let mut b = LoopBuilder::column(&[], &[reduced], n);
    let (x, y) = (b.input(d), b.output(d));
    // The transpose of what `rows` reads, so that both fold the same numbers.
    let x = b.load(x, 0, &[1], reduced as i64);
    let v = b.reduce(f, x);
    b.store(y, 0, &[0], 1, v);
    b.finish().ok()
}

#[test]
fn rows_and_columns_fold_alike() {
    for &d in &jarrah_tile::DTYPES {
        for &f in LoopReducer::ALL {
            for extent in [0, 1, 15, 33, 4096, 4097] {
                if extent > 100 && !matches!(d, DType::F32 | DType::BF16 | DType::I32) {
                    continue;
                }
                let (Some(r), Some(c)) = (rows(f, d, 3, extent), columns(f, d, 3, extent)) else { continue };
                let inputs = [numbers(d, 3 * extent)];
                assert!(check(&r, &inputs) == check(&c, &inputs), "{f} over {extent} {d}");
            }
        }
    }
}

/// Each row plus its number, less the sum; and the sum.
fn less_sums(d: DType, n: usize, cols: usize) -> LoopKernel {
    let mut b = LoopBuilder::new(&[n], cols);
    let (x, y, z) = (b.input(d), b.output(d), b.output(d));
    let x = b.load(x, 0, &[cols as i64], 1);
    let row = b.iota(Axis::Row(0), d);
    let x = b.binary(Binary::Add, x, row);
    let sum = b.reduce(LoopReducer::Add, x);
    let less = b.binary(Binary::Subtract, x, sum);
    b.store(y, 0, &[cols as i64], 1, less);
    b.store(z, 0, &[1], 0, sum);
    b.finish().unwrap()
}

/// Each row less its largest element, times the sum of these.
fn normalized(d: DType, n: usize, cols: usize) -> LoopKernel {
    let mut b = LoopBuilder::new(&[n], cols);
    let (x, y) = (b.input(d), b.output(d));
    let x = b.load(x, 0, &[cols as i64], 1);
    let most = b.reduce(LoopReducer::Maximum, x);
    let less = b.binary(Binary::Subtract, x, most);
    let sum = b.reduce(LoopReducer::Add, less);
    let product = b.binary(Binary::Multiply, less, sum);
    b.store(y, 0, &[cols as i64], 1, product);
    b.finish().unwrap()
}

#[test]
fn rows_side_by_side() {
    let pool = ThreadPool::new(1);
    // In one tile: sets of rows that machine code works on at a time, and what is left.
    let tile = 8192;
    for d in [DType::F32, DType::BF16, DType::F64, DType::I32, DType::I64] {
        for (n, cols) in [(4, 1), (7, 15), (8, 16), (6, 63), (7, 64), (7, 500), (5, 4097)] {
            let inputs = [numbers(d, n * cols)];
            for kernel in
                [less_sums(d, n, cols), normalized(d, n, cols), rows(LoopReducer::Add, d, n, cols).unwrap()]
            {
                let want = run_with(&kernel, &inputs, Isa::detect(), Tier::Interpreter, tile, &pool);
                for &isa in Isa::available() {
                    for &tier in Tier::available(isa) {
                        let got = run_with(&kernel, &inputs, isa, tier, tile, &pool);
                        assert!(got == want, "{n} rows of {cols}, {isa:?}, {tier:?}\n{kernel}");
                    }
                }
            }
        }
    }
}

#[test]
fn long_folds() {
    for extent in [16_384, 16_385, 70_000] {
        let inputs = [numbers(DType::F32, 2 * extent)];
        let r = check(&rows(LoopReducer::Add, DType::F32, 2, extent).unwrap(), &inputs);
        let c = check(&columns(LoopReducer::Add, DType::F32, 2, extent).unwrap(), &inputs);
        assert!(r == c, "{extent}");
        check(
            &rows(LoopReducer::Maximum, DType::BF16, 2, extent).unwrap(),
            &[numbers(DType::BF16, 2 * extent)],
        );
    }
}

#[test]
fn nan_and_signed_zero() {
    for (f, values, want) in [
        (LoopReducer::Maximum, [1.0, f32::NAN, 3.0], f32::NAN),
        (LoopReducer::Minimum, [1.0, f32::NAN, 3.0], f32::NAN),
        (LoopReducer::Maximum, [-0.0, 0.0, -0.0], 0.0),
        (LoopReducer::Minimum, [0.0, -0.0, 0.0], -0.0),
    ] {
        let got = run(&rows(f, DType::F32, 1, 3).unwrap(), &[super::bytes_of(&values)]);
        let got = super::f32s(&got[0])[0];
        assert!(
            got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()),
            "{f} of {values:?} is {got}"
        );
    }
}

#[test]
fn several_reduced_dimensions_and_an_epilogue() {
    let mut b = LoopBuilder::column(&[2], &[3, 5], 37);
    let (x, w, m) = (b.input(DType::F32), b.input(DType::F32), b.input(DType::F32));
    let (y, z) = (b.output(DType::F32), b.output(DType::F32));
    // The middle reduced dimension is the slowest in memory.
    let x = b.load(x, 4, &[555, 37, 111], 1);
    let scale = b.load(w, 0, &[0, 5, 1], 0);
    let p = b.binary(jarrah_tile::Binary::Multiply, x, scale);
    let (sum, max) = (b.reduce(LoopReducer::Add, p), b.reduce(LoopReducer::Maximum, x));
    let bias = b.load_col(m, 0, &[0, 0, 0], 1);
    let shifted = b.binary(jarrah_tile::Binary::Add, sum, bias);
    let both = b.binary(jarrah_tile::Binary::Subtract, shifted, max);
    b.store(y, 0, &[37, 0, 0], 1, both);
    b.store(z, 1, &[80, 0, 0], 2, max);
    let inputs = [numbers(DType::F32, 1200), numbers(DType::F32, 15), numbers(DType::F32, 37)];
    check(&b.finish().unwrap(), &inputs);
}

#[test]
fn extremes_of_long_rows_are_machine_code() {
    let tier = *Tier::available(Isa::detect()).last().unwrap();
    for d in [DType::F32, DType::BF16, DType::F16, DType::F64, DType::I8, DType::I32, DType::I64, DType::U64]
    {
        for (cols, max) in [(16_385, true), (20_000, false)] {
            let mut b = LoopBuilder::new(&[4], cols);
            let (x, y) = (b.input(d), b.output(DType::I32));
            let x = b.load(x, 0, &[cols as i64], 1);
            let at = b.push(Inst::ArgReduce { max, x });
            b.store(y, 0, &[1], 0, at);
            let kernel = b.finish().unwrap();
            assert_eq!(Plan::new(&kernel).unwrap().is_native(), tier == Tier::Native, "{d}");
            let mut values = numbers(d, 4 * cols);
            // The second row has nothing better than what a fold begins with, the third a NaN in its third part.
            let worst = match d {
                DType::I8 => Value::I(if max { i8::MIN.into() } else { i8::MAX.into() }),
                DType::I32 => Value::I(if max { i32::MIN.into() } else { i32::MAX.into() }),
                DType::I64 => Value::I(if max { i64::MIN.into() } else { i64::MAX.into() }),
                DType::U64 => Value::I(if max { 0 } else { u64::MAX.into() }),
                _ => Value::F(if max { f64::NEG_INFINITY } else { f64::INFINITY }),
            };
            (cols..2 * cols).for_each(|i| set(&mut values, d, i, worst));
            if d.is_float() {
                set(&mut values, d, 2 * cols + 9000, Value::F(f64::NAN));
                set(&mut values, d, 2 * cols + 9100, Value::F(f64::NAN));
            }
            check(&kernel, &[values]);
        }
    }
}

#[test]
fn extremes_and_picks() {
    for d in [DType::F32, DType::BF16, DType::F64, DType::I32, DType::U8] {
        for cols in [1, 3, 40, 5000, 20_000] {
            for max in [true, false] {
                let mut b = LoopBuilder::new(&[3], cols);
                let (x, i, y, z) = (b.input(d), b.input(DType::I32), b.output(DType::I32), b.output(d));
                let x = b.load(x, 0, &[cols as i64], 1);
                let index = b.load(i, 0, &[1], 0);
                let at = b.push(Inst::ArgReduce { max, x });
                let v = b.push(Inst::Pick { x, index });
                b.store(y, 0, &[1], 0, at);
                b.store(z, 0, &[1], 0, v);
                let mut values = numbers(d, 3 * cols);
                if d.is_float() && cols > 2 {
                    set(&mut values, d, cols + cols / 2, Value::F(f64::NAN));
                    set(&mut values, d, 2 * cols - 1, Value::F(f64::NAN));
                }
                let index = super::bytes_of(&[-5i32, cols as i32 / 2, i32::MAX]);
                let kernel = b.finish().unwrap();
                let got = run(&kernel, &[values.clone(), index.clone()]);
                let mut want = super::outputs(&kernel);
                reference::evaluate(&kernel, &[values, index], &mut want);
                assert!(got[0] == want[0], "{:?} for {:?} by\n{kernel}", got[0], want[0]);
                for r in 0..3 {
                    let (g, w) = (get(&got[1], d, r), get(&want[1], d, r));
                    assert!(g == w || (g.f().is_nan() && w.f().is_nan()), "{g:?} for {w:?} by\n{kernel}");
                }
            }
        }
    }
}
