use std::sync::Arc;

use jarrah_base::{DType, Literal, Type, bf16};
use jarrah_hlo::ops::{Comparison, ReduceWindow, Reducer, Window, WindowArg, WindowSelect};
use jarrah_hlo::{Builder, ProgramRef, ops};
use jarrah_hlo_eval::evaluate;
use smallvec::smallvec;

use super::{f32s, i32_scalar, i32s, run};

/// Windows with every combination of a few sizes, strides, paddings and dilations along one axis.
fn windows() -> Vec<Window> {
    let mut all = Vec::new();
    for code in 0..3 * 3 * 5 * 4 * 3 * 3 {
        let mut rest = code;
        let mut next = |n: usize| {
            let digit = rest % n;
            rest /= n;
            digit
        };
        all.push(Window {
            sizes: smallvec![next(3) + 1],
            strides: smallvec![next(3) + 1],
            low: smallvec![next(5) as i64 - 2],
            high: smallvec![next(4) as i64 - 1],
            base_dilations: smallvec![[1, 2, 6][next(3)]],
            dilations: smallvec![[1, 3, 4][next(3)]],
        });
    }
    all
}

/// The places that windows over `extent` elements have, each with the element there if there is one.
fn places(w: &Window, extent: usize) -> Vec<Vec<Option<usize>>> {
    let base = w.base_dilations[0] as i64;
    let spread = if extent == 0 { 0 } else { (extent as i64 - 1) * base + 1 };
    let all: Vec<Option<usize>> = (-w.low[0]..spread + w.high[0])
        .map(|p| (p >= 0 && p < spread && p % base == 0).then_some((p / base) as usize))
        .collect();
    let reach = (w.sizes[0] - 1) * w.dilations[0];
    let starts = (0..all.len()).step_by(w.strides[0]).take_while(|s| s + reach < all.len());
    starts.map(|s| (0..w.sizes[0]).map(|k| all[s + k * w.dilations[0]]).collect()).collect()
}

#[test]
fn windows_cover_what_the_definition_says() {
    for extent in [0, 1, 2, 5] {
        let values: Vec<i32> = (0..extent as i32).map(|i| (i * 7 + 3) % 5 * 10 + i).collect();
        let x = i32s(&[extent], &values);
        for w in windows() {
            let places = places(&w, extent);
            let sums: Vec<i32> =
                places.iter().map(|p| p.iter().flatten().map(|&e| values[e]).sum()).collect();
            let out =
                run(ReduceWindow { reducer: Reducer::Add, window: w.clone() }, std::slice::from_ref(&x));
            assert_eq!(out, i32s(&[sums.len()], &sums), "{w:?} over {extent}");
            let first: Vec<i32> = places
                .iter()
                .map(|p| {
                    p.iter().flatten().copied().reduce(|a, b| if values[a] >= values[b] { a } else { b })
                })
                .map(|p| p.map_or(-1, |p| p as i32))
                .collect();
            let arg = WindowArg { select: WindowSelect::Ge, window: w.clone(), to: DType::I32 };
            let definition = arg.definition(x.ty()).unwrap();
            assert_eq!(
                run(arg, std::slice::from_ref(&x)),
                i32s(&[first.len()], &first),
                "{w:?} over {extent}"
            );
            let defined = evaluate(&definition, std::slice::from_ref(&x)).unwrap();
            assert_eq!(defined, [i32s(&[first.len()], &first)], "{w:?} over {extent}");
        }
    }
}

fn binary(
    dtype: DType,
    build: impl Fn(&mut Builder, jarrah_hlo::Value, jarrah_hlo::Value) -> jarrah_hlo::Value,
) -> ProgramRef {
    let mut b = Builder::new("f");
    let (x, y) = (b.param(Type::scalar(dtype), ""), b.param(Type::scalar(dtype), ""));
    let out = build(&mut b, x, y);
    Arc::new(b.finish(&[out]).unwrap())
}

#[test]
fn initial_values_are_the_padding_too() {
    let x = i32s(&[4], &[1, 2, 3, 4]);
    let add = binary(DType::I32, |b, x, y| b.add(x, y).unwrap());
    for w in windows() {
        let general = ReduceWindow { reducer: Reducer::General(add.clone()), window: w.clone() };
        let expected = run(general, &[x.clone(), i32_scalar(100)]);
        let mut b = Builder::new("f");
        let (v, init) = (b.param(x.ty(), ""), b.param(Type::scalar(DType::I32), ""));
        let out = ops::reduce_window(&mut b, Reducer::Add, w.clone(), v, init).unwrap();
        let program = b.finish(&[out]).unwrap();
        assert_eq!(evaluate(&program, &[x.clone(), i32_scalar(100)]).unwrap(), [expected], "{w:?}");
    }
}

#[test]
fn sums_and_products_of_windows_are_rounded_once() {
    let x = Literal::from_slice(&[3], &[256.0f32, 1.0, 1.0].map(bf16::from_f32)).unwrap();
    let sum = run(ReduceWindow { reducer: Reducer::Add, window: Window::new(&[3]) }, &[x]);
    assert_eq!(sum.to_f64_vec(), [258.0]);
    let of = |reducer: Reducer, x: &[f64]| {
        let x = Literal::from_slice(&[x.len()], x).unwrap();
        run(ReduceWindow { reducer, window: Window::new(&x.dims()) }, &[x]).to_f64_vec()[0]
    };
    assert_eq!(of(Reducer::Add, &[1.0, 1e-20, -1.0]), 1e-20);
    assert_eq!(of(Reducer::Add, &[f64::INFINITY, 1.0]), f64::INFINITY);
    assert!(of(Reducer::Add, &[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
    // One product after another, each of them rounded, is 1 - e / 2.
    let e = f64::EPSILON;
    assert_eq!(of(Reducer::Mul, &[1.0 - e / 2.0, 1.0 + e, 1.0 - e / 2.0]), 1.0);
    assert_eq!(of(Reducer::Mul, &[1e200, 1e200]), f64::INFINITY);
    assert_eq!(of(Reducer::Mul, &[-0.0, 3.0]).to_bits(), (-0.0f64).to_bits());
}

#[test]
fn programs_that_round_combine_windows_in_doubles() {
    let ones = Literal::from_slice(&[1000], &[bf16::ONE; 1000]).unwrap();
    let logaddexp = binary(DType::BF16, |b, x, y| {
        use jarrah_hlo::ops::ElementwiseKind::{Abs, LogPlusOne, Maximum};
        let top = b.binary(Maximum, x, y).unwrap();
        let gap = b.sub(x, y).unwrap();
        let gap = b.unary(Abs, gap).unwrap();
        let gap = b.neg(gap).unwrap();
        let rest = b.exp(gap).unwrap();
        let rest = b.unary(LogPlusOne, rest).unwrap();
        b.add(top, rest).unwrap()
    });
    let op = ReduceWindow {
        reducer: Reducer::General(logaddexp),
        window: Window::new(&[1000]).padded(&[999], &[0]),
    };
    let low = Literal::full(Type::scalar(DType::BF16), -1e30).unwrap();
    let found = run(op, &[ones, low]).to_f64_vec();
    for (i, found) in found.into_iter().enumerate() {
        assert_eq!(found, bf16::from_f64(1.0 + (i as f64 + 1.0).ln()).to_f64(), "{i}");
    }
}

#[test]
fn extrema_of_nothing_are_infinite() {
    let w = Window::new(&[1]).padded(&[1], &[0]);
    let out = run(ReduceWindow { reducer: Reducer::Max, window: w }, &[f32s(&[1], &[-3.0])]);
    assert_eq!(out, f32s(&[2], &[f32::NEG_INFINITY, -3.0]));
}

#[test]
fn what_is_selected_gets_the_source() {
    let window = Window::new(&[2, 2]).strided(&[1, 2]).padded(&[0, 0], &[1, 0]);
    let operand = i32s(&[3, 4], &[9, 1, 7, 7, 2, 9, 7, 7, 0, 3, 8, 5]);
    let source = i32s(&[3, 2], &[1, 2, 4, 8, 16, 32]);
    let ge = binary(DType::I32, |b, x, y| b.compare(Comparison::Ge, x, y).unwrap());
    let not_less = binary(DType::I32, |b, x, y| {
        let less = b.compare(Comparison::Lt, x, y).unwrap();
        b.unary(jarrah_hlo::ops::ElementwiseKind::Not, less).unwrap()
    });
    let add = binary(DType::I32, |b, x, y| b.add(x, y).unwrap());
    for select in [ge, not_less] {
        let mut b = Builder::new("f");
        let params = [operand.ty(), source.ty(), Type::scalar(DType::I32)].map(|ty| b.param(ty, ""));
        let [x, s, init] = params;
        let out = ops::select_and_scatter(&mut b, x, s, init, &select, &add, window.clone()).unwrap();
        let program = b.finish(&[out]).unwrap();
        let out = evaluate(&program, &[operand.clone(), source.clone(), i32_scalar(100)]).unwrap();
        assert_eq!(out, [i32s(&[3, 4], &[101, 100, 102, 100, 100, 104, 100, 100, 100, 116, 140, 100])]);
    }
}

#[test]
fn windows_that_end_together_begin_at_the_end() {
    let large = 2f32.powi(24);
    let x = f32s(&[3], &[1.0, 1.0, large]);
    let sums = |low, high| {
        let window = Window::new(&[3]).padded(&[low], &[high]);
        run(ReduceWindow { reducer: Reducer::Add, window }, std::slice::from_ref(&x))
    };
    assert_eq!(sums(2, 0), f32s(&[3], &[1.0, 2.0, large + 2.0]));
    // The sum of two is halfway between two floats.
    assert_eq!(sums(0, 2), f32s(&[3], &[large + 2.0, large, large]));
}
