//! Windows, bit for bit as the reference evaluator has them.

use std::sync::Arc;

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{ElementwiseKind, ReduceWindow, Reducer, Window, WindowArg, WindowSelect};
use jarrah_hlo::{Builder, Op};
use jarrah_hlo_eval::evaluate;
use smallvec::smallvec;

use super::{numbers, program, run};

struct Clients([CpuClient; 2]);

/// Whether results have the same bits, those of NaN aside.
fn are_equal(found: &[Literal], expected: &[Literal]) -> bool {
    let number = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    found.iter().zip(expected).all(|(a, b)| {
        let parts = |x: &Literal| -> Vec<u64> {
            x.to_c128_vec().iter().flat_map(|z| [number(z.re), number(z.im)]).collect()
        };
        a == b || a.ty() == b.ty() && parts(a) == parts(b)
    })
}

impl Clients {
    fn new() -> Clients {
        Clients([CpuClient::with_threads(1), CpuClient::with_threads(2)])
    }

    fn check(&self, op: impl Into<Op>, args: &[Literal]) {
        let op = op.into();
        let types: Vec<Type> = args.iter().map(Literal::ty).collect();
        let program = program(op.clone(), &types);
        let expected = evaluate(&program, args).unwrap();
        for client in &self.0 {
            let found = run(client, &program, args);
            assert!(are_equal(&found, &expected), "{op:?} of {types:?}\n{found:?}\n{expected:?}");
        }
    }
}

/// Windows with combinations of sizes, strides, paddings and dilations along one axis.
fn along_one_axis() -> Vec<Window> {
    let mut all = Vec::new();
    for code in 0..4 * 3 * 5 * 4 * 3 * 3 {
        let mut rest = code;
        let mut next = |n: usize| {
            let digit = rest % n;
            rest /= n;
            digit
        };
        all.push(Window {
            sizes: smallvec![[1, 2, 3, 11][next(4)]],
            strides: smallvec![next(3) + 1],
            low: smallvec![[-2, -1, 0, 2, 10][next(5)]],
            high: smallvec![[-1, 0, 1, 10][next(4)]],
            base_dilations: smallvec![[1, 2, 6][next(3)]],
            dilations: smallvec![[1, 3, 4][next(3)]],
        });
    }
    all
}

/// The same windows along axis `axis` of `rank`, and none along the others.
fn embedded(w: &Window, rank: usize, axis: usize) -> Window {
    let mut all = Window::new(&vec![1; rank]);
    (all.sizes[axis], all.strides[axis]) = (w.sizes[0], w.strides[0]);
    (all.low[axis], all.high[axis]) = (w.low[0], w.high[0]);
    (all.base_dilations[axis], all.dilations[axis]) = (w.base_dilations[0], w.dilations[0]);
    all
}

fn both(clients: &Clients, window: &Window, x: &Literal) {
    let reducer = Reducer::Add;
    clients.check(ReduceWindow { reducer, window: window.clone() }, std::slice::from_ref(x));
    let arg = WindowArg { select: WindowSelect::Ge, window: window.clone(), to: DType::I32 };
    clients.check(arg, std::slice::from_ref(x));
}

#[test]
fn every_geometry_along_one_axis() {
    let clients = Clients::new();
    for w in along_one_axis() {
        for extent in [0, 1, 5, 11] {
            both(&clients, &w, &numbers(DType::F32, &[extent], 7));
        }
        both(&clients, &embedded(&w, 3, 1), &numbers(DType::F32, &[2, 11, 3], 8));
        both(&clients, &embedded(&w, 2, 0), &numbers(DType::F32, &[11, 45], 9));
    }
}

#[test]
fn every_type_and_reducer() {
    let clients = Clients::new();
    let pool = Window::new(&[1, 3, 2, 1]).strided(&[1, 2, 1, 1]).padded(&[0, 1, 0, 0], &[0, 1, 1, 0]);
    let mut dilated = pool.clone();
    (dilated.base_dilations[2], dilated.dilations[1]) = (3, 2);
    let grows = Window::new(&[1, 7, 1, 1]).padded(&[0, 6, 0, 0], &[0, 0, 0, 0]);
    let shrinks = Window::new(&[1, 7, 1, 1]).padded(&[0, 0, 0, 0], &[0, 6, 0, 0]);
    let named =
        [Reducer::Add, Reducer::Mul, Reducer::Max, Reducer::Min, Reducer::And, Reducer::Or, Reducer::Xor];
    let selections = [WindowSelect::Ge, WindowSelect::Gt, WindowSelect::Le, WindowSelect::Lt];
    let mut count = 0;
    for dtype in DType::ALL {
        for dims in [[2, 7, 5, 3], [1, 7, 4, 41]] {
            let x = [numbers(dtype, &dims, 3)];
            for window in [&pool, &dilated, &grows, &shrinks] {
                for reducer in named.clone() {
                    let op = Op::from(ReduceWindow { reducer, window: window.clone() });
                    if op.infer(&[x[0].ty()]).is_ok() {
                        clients.check(op, &x);
                        count += 1;
                    }
                }
                for select in selections.clone() {
                    clients.check(WindowArg { select, window: window.clone(), to: DType::I32 }, &x);
                }
            }
            for to in [DType::I64, DType::I16] {
                clients.check(WindowArg { select: WindowSelect::Gt, window: dilated.clone(), to }, &x);
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn nan_and_zeros_of_both_signs() {
    let clients = Clients::new();
    let values = [0.0, -0.0, f32::NAN, -1.0, f32::INFINITY, -0.0, 0.0, f32::NEG_INFINITY, 2.0];
    let x: Vec<f32> = (0..8 * 37).map(|i| values[(i * 5 + i / 9) % 9]).collect();
    let x = [Literal::from_slice(&[8, 37], &x).unwrap()];
    let windows = [
        Window::new(&[3, 1]),
        Window::new(&[2, 4]).padded(&[1, 1], &[0, 2]),
        Window::new(&[1, 37]).padded(&[0, 36], &[0, 0]),
        Window::new(&[8, 1]).padded(&[0, 0], &[7, 0]),
    ];
    for window in windows {
        for reducer in [Reducer::Max, Reducer::Min, Reducer::Mul] {
            clients.check(ReduceWindow { reducer, window: window.clone() }, &x);
        }
        for select in [WindowSelect::Ge, WindowSelect::Lt] {
            clients.check(WindowArg { select, window: window.clone(), to: DType::I32 }, &x);
        }
    }
}

#[test]
fn large_ones_are_shared_out() {
    let clients = Clients::new();
    let x = numbers(DType::F32, &[4, 19, 23, 64], 1);
    both(&clients, &Window::new(&[1, 3, 3, 1]).strided(&[1, 2, 2, 1]).padded(&[0; 4], &[0, 1, 1, 0]), &x);
    both(&clients, &Window::new(&[1, 1, 3, 3]).padded(&[0, 0, 1, 1], &[0, 0, 1, 1]), &x);
    both(&clients, &Window::new(&[5]).strided(&[2]), &numbers(DType::F32, &[100_003], 2));
    for (low, high) in [(300, 0), (0, 300), (299, 1), (301, -2), (-3, 303), (5, 294)] {
        let w = Window::new(&[1, 300]).padded(&[0, low], &[0, high]);
        both(&clients, &w, &numbers(DType::F32, &[130, 301], 3));
        let w = Window::new(&[1, 300, 1]).padded(&[0, low, 0], &[0, high, 0]);
        both(&clients, &w, &numbers(DType::F32, &[3, 301, 75], 4));
    }
}

#[test]
fn long_growing_windows_take_one_pass() {
    let clients = Clients::new();
    let n = 1 << 20;
    let x = [numbers(DType::F32, &[n], 5)];
    for (low, high) in [(n as i64 - 1, 0), (0, n as i64 - 1)] {
        let window = Window::new(&[n]).padded(&[low], &[high]);
        clients.check(ReduceWindow { reducer: Reducer::Add, window }, &x);
    }
}

#[test]
fn programs_grow_too() {
    let n = 2000;
    let window = Window::new(&[1, n]).padded(&[0, n as i64 - 1], &[0, 0]);
    let mut b = Builder::new("larger");
    let (x, y) = (b.param(Type::scalar(DType::F32), ""), b.param(Type::scalar(DType::F32), ""));
    let larger = b.binary(ElementwiseKind::Maximum, x, y).unwrap();
    let body = Arc::new(b.finish(&[larger]).unwrap());
    let x = numbers(DType::F32, &[2, n], 6);
    let named = program(ReduceWindow { reducer: Reducer::Max, window: window.clone() }, &[x.ty()]);
    let expected = evaluate(&named, std::slice::from_ref(&x)).unwrap();
    let by_program = ReduceWindow { reducer: Reducer::General(body), window };
    let low = Literal::full(Type::scalar(DType::F32), f64::NEG_INFINITY).unwrap();
    let by_program = program(by_program, &[x.ty(), low.ty()]);
    assert_eq!(evaluate(&by_program, &[x, low]).unwrap(), expected);
}

/// Windows side by side, of which some meet and some are far apart, and those that grow from either end.
fn pools_and_running() -> Vec<Window> {
    vec![
        Window::new(&[1, 9]).strided(&[1, 2]).padded(&[0, 1], &[0, 3]),
        Window::new(&[2, 3]).padded(&[1, 0], &[0, 2]),
        Window { dilations: smallvec![1, 3], base_dilations: smallvec![1, 2], ..Window::new(&[1, 7]) },
        Window::new(&[1, 70]).padded(&[0, 69], &[0, 0]),
        Window::new(&[1, 70]).padded(&[0, 0], &[0, 69]),
        Window::new(&[40, 1]).padded(&[39, 0], &[0, 0]),
    ]
}

#[test]
fn sums_and_products_of_every_type_have_the_bits_of_the_evaluator() {
    let clients = Clients::new();
    for dtype in [DType::BF16, DType::F16, DType::F32, DType::F64, DType::C64, DType::C128, DType::I32] {
        for (i, window) in pools_and_running().into_iter().enumerate() {
            for reducer in [Reducer::Add, Reducer::Mul] {
                let x = numbers(dtype, &[40, 70], 11 + i as u64);
                clients.check(ReduceWindow { reducer, window: window.clone() }, std::slice::from_ref(&x));
            }
        }
    }
}

#[test]
fn running_sums_are_the_true_ones_rounded_once() {
    let n = 6000;
    // Multiples of a small number, whose sums integers count: `f16` and `bf16` hold few of them.
    let integers: Vec<i64> = (0..n as i64).map(|i| 1 + i * i % 97 % 5).collect();
    for (dtype, first) in [(DType::BF16, 0), (DType::F16, 0), (DType::F32, 1 << 24), (DType::F64, 1 << 53)] {
        let mut integers = integers.clone();
        integers[0] += if first > 0 { first - integers[0] } else { 0 };
        let x: Vec<f64> = integers.iter().map(|&x| x as f64).collect();
        let x = Literal::from_f64s(Type::tensor(dtype, [n]), &x).unwrap();
        let mut sum = 0;
        let sums: Vec<i128> = integers
            .iter()
            .map(|&x| {
                sum += i128::from(x);
                sum
            })
            .collect();
        let window = Window::new(&[n]).padded(&[n as i64 - 1], &[0]);
        let program = program(ReduceWindow { reducer: Reducer::Add, window }, &[x.ty()]);
        let expected: Vec<f64> = sums.iter().map(|&sum| sum as f64).collect();
        let expected = Literal::from_f64s(x.ty(), &expected).unwrap();
        assert_eq!(run(&CpuClient::with_threads(2), &program, &[x])[0], expected, "{dtype}");
    }
}

#[test]
fn programs_that_round_are_run_in_doubles() {
    let n = 300;
    let mut b = Builder::new("log_sum");
    let (x, y) = (b.param(Type::scalar(DType::F32), ""), b.param(Type::scalar(DType::F32), ""));
    let (a, c) = (b.exp(x).unwrap(), b.exp(y).unwrap());
    let sum = b.add(a, c).unwrap();
    let sum = b.unary(ElementwiseKind::Log, sum).unwrap();
    let body = Arc::new(b.finish(&[sum]).unwrap());
    let x = numbers(DType::F32, &[3, n], 12);
    let low = Literal::full(Type::scalar(DType::F32), f64::NEG_INFINITY).unwrap();
    let window = Window::new(&[1, n]).padded(&[0, n as i64 - 1], &[0, 0]);
    let op = ReduceWindow { reducer: Reducer::General(body), window };
    let program = program(op, &[x.ty(), low.ty()]);
    let found = run(&CpuClient::with_threads(2), &program, &[x.clone(), low])[0].to_f64_vec();
    for (row, found) in x.to_f64_vec().chunks(n).zip(found.chunks(n)) {
        let mut sum = 0.0;
        for (x, &found) in row.iter().zip(found) {
            sum += x.exp();
            assert!((found - f64::from(sum.ln() as f32)).abs() <= 6e-8 * found.abs(), "{found} {}", sum.ln());
        }
    }
}
