//! Windows, selections, scatters and sorts of types narrower than those that loops compute with: compiled, with the bits of the
//! reference evaluator.

use jarrah_base::{DType, FloatLayout, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::select_and_scatter;
use jarrah_hlo::ops::{
    Compare, Comparison, ElementwiseKind, Reduce, ReduceWindow, Reducer, Scatter, Sort, SortOrder, Update,
    Window, WindowArg, WindowSelect,
};
use jarrah_hlo::{Builder, Op, Program, Value};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Client, CompileOptions, Way};
use smallvec::smallvec;

use super::by_program::compiled;
use super::narrow::narrow;
use super::random::Draw;
use super::{program, run};

fn floats() -> impl Iterator<Item = DType> {
    narrow().filter(|dtype| dtype.is_float())
}

/// Random codes, of which one in three is that of a NaN, an infinity, a zero, the largest or the least number.
fn codes(dtype: DType, dims: &[usize], seed: u64) -> Literal {
    let mut random = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    random.below(2);
    let ones = (1u32 << dtype.bits()) - 1;
    let (largest, sign) = FloatLayout::of(dtype).map_or((ones, 0), |layout| (layout.largest, layout.sign));
    let special = [0, 1, largest, ones, (largest + 1) & ones, sign];
    let mut code = || match random.below(3) {
        0 => special[random.below(6)] | [0, sign][random.below(2)],
        _ => random.below(ones as usize + 1) as u32,
    };
    let bytes: Vec<u8> = (0..dims.iter().product()).map(|_| code() as u8).collect();
    Literal::from_bytes(Type::tensor(dtype, dims.iter().copied()), &bytes).unwrap()
}

/// Equal bits, but for the sign of a NaN that is a product of two.
fn agree(found: &Literal, expected: &Literal) -> bool {
    let sign = FloatLayout::of(expected.dtype()).map_or(0, |layout| layout.sign as u8);
    let nan = |i: usize| expected.dtype().is_float() && expected.get_f64(i).is_nan();
    let size = expected.dtype().size();
    let element = |x: &Literal, i: usize| x.bytes()[i * size..][..size].to_vec();
    let same = |i: usize| {
        let (a, b) = (element(found, i), element(expected, i));
        a == b || sign != 0 && nan(i) && a[0] ^ b[0] == sign
    };
    found.ty() == expected.ty() && (0..expected.len()).all(same)
}

/// Compares with the evaluator. Where there is machine code, no step is the evaluator's.
fn check(name: &str, program: &Program, args: &[Literal]) {
    let expected = evaluate(program, args).unwrap();
    for threads in [1, 3] {
        let client = CpuClient::with_threads(threads);
        let executable = client.compile(program, &CompileOptions::default()).unwrap();
        let steps = executable.steps();
        let slow =
            steps.iter().find(|step| step.way == Way::Evaluator).filter(|_| compiled() != Way::Evaluator);
        assert!(slow.is_none(), "{name}: {slow:?}");
        let found = run(&client, program, args);
        let good = found.iter().zip(&expected).all(|(found, expected)| agree(found, expected));
        assert!(good, "{name}\n{args:x?}\n{found:x?}\n{expected:x?}");
    }
}

fn scalars(name: &str, dtypes: &[DType], f: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>) -> Program {
    let mut b = Builder::new(name);
    let params: Vec<Value> = dtypes.iter().map(|&dtype| b.param(Type::scalar(dtype), "")).collect();
    let results = f(&mut b, &params);
    b.finish(&results).unwrap()
}

fn all_windows() -> Vec<Window> {
    let mut dilated = Window::new(&[2, 3, 1]).padded(&[1, 0, 0], &[0, 2, 0]);
    (dilated.base_dilations, dilated.dilations) = (smallvec![2, 1, 1], smallvec![1, 2, 1]);
    vec![
        Window::new(&[1, 3, 1]).strided(&[1, 2, 1]).padded(&[0, 1, 0], &[0, 1, 0]),
        Window::new(&[2, 2, 2]),
        // Some windows have padding only.
        Window::new(&[1, 2, 1]).padded(&[0, 3, 0], &[0, 4, 0]),
        dilated,
        Window::new(&[1, 9, 1]).padded(&[0, 8, 0], &[0, 0, 0]),
        Window::new(&[1, 9, 1]).padded(&[0, 0, 0], &[0, 8, 0]),
    ]
}

#[test]
fn windows() {
    for dtype in floats() {
        for (i, window) in all_windows().into_iter().enumerate() {
            for dims in [[3, 9, 5], [2, 9, 41]] {
                let x = codes(dtype, &dims, i as u64 + 1);
                for reducer in [Reducer::Add, Reducer::Mul, Reducer::Max, Reducer::Min] {
                    let name = format!("{dtype} {reducer:?} {i}");
                    let op = ReduceWindow { reducer, window: window.clone() };
                    check(&name, &program(op, &[x.ty()]), std::slice::from_ref(&x));
                }
                for select in [WindowSelect::Ge, WindowSelect::Gt, WindowSelect::Le, WindowSelect::Lt] {
                    for to in [DType::I32, DType::I64] {
                        let name = format!("{dtype} {select:?} {i}");
                        let op = WindowArg { select: select.clone(), window: window.clone(), to };
                        check(&name, &program(op, &[x.ty()]), std::slice::from_ref(&x));
                    }
                }
                for kind in [ElementwiseKind::Add, ElementwiseKind::Multiply, ElementwiseKind::Maximum] {
                    let body = scalars("body", &[dtype; 2], |b, p| vec![b.binary(kind, p[1], p[0]).unwrap()]);
                    let op = ReduceWindow { reducer: Reducer::General(body.into()), window: window.clone() };
                    let first = codes(dtype, &[], i as u64 + 9);
                    check(
                        &format!("{dtype} by {kind:?} {i}"),
                        &program(op, &[x.ty(), first.ty()]),
                        &[x.clone(), first],
                    );
                }
                let select = scalars("select", &[dtype; 2], |b, p| {
                    let [x, y] = [p[0], p[1]].map(|x| b.unary(ElementwiseKind::Abs, x).unwrap());
                    vec![b.compare(Comparison::Ge, x, y).unwrap()]
                });
                let op = WindowArg {
                    select: WindowSelect::General(select.into()),
                    window: window.clone(),
                    to: DType::I32,
                };
                check(
                    &format!("{dtype} by a program {i}"),
                    &program(op, &[x.ty()]),
                    std::slice::from_ref(&x),
                );
            }
        }
    }
}

#[test]
fn selections_scattered() {
    for dtype in floats() {
        for (i, window) in all_windows().into_iter().take(3).enumerate() {
            for kind in [
                ElementwiseKind::Add,
                ElementwiseKind::Multiply,
                ElementwiseKind::Maximum,
                ElementwiseKind::Subtract,
            ] {
                for comparison in [Comparison::Ge, Comparison::Lt, Comparison::Ne] {
                    let select = scalars("select", &[dtype; 2], |b, p| {
                        vec![b.compare(comparison, p[0], p[1]).unwrap()]
                    });
                    let scatter =
                        scalars("scatter", &[dtype; 2], |b, p| vec![b.binary(kind, p[0], p[1]).unwrap()]);
                    let x = codes(dtype, &[3, 9, 5], i as u64 + 3);
                    let arg = WindowArg { select: WindowSelect::Ge, window: window.clone(), to: DType::I32 };
                    let windows = Op::from(arg).infer(&[x.ty()]).unwrap()[0];
                    let source = codes(dtype, &windows.dims(), i as u64 + 4);
                    let first = codes(dtype, &[], i as u64 + 5);
                    let mut b = Builder::new("select_and_scatter");
                    let params: Vec<Value> = [&x, &source, &first].map(|x| b.param(x.ty(), "")).to_vec();
                    let result = select_and_scatter(
                        &mut b,
                        params[0],
                        params[1],
                        params[2],
                        &select.into(),
                        &scatter.into(),
                        window.clone(),
                    )
                    .unwrap();
                    check(
                        &format!("{dtype} {kind:?} {comparison:?} {i}"),
                        &b.finish(&[result]).unwrap(),
                        &[x, source, first],
                    );
                }
            }
        }
    }
}

#[test]
fn scatters() {
    for dtype in narrow() {
        for width in [1, 5, 130] {
            let x = codes(dtype, &[9, width], 7);
            let mut random = Draw(77);
            let rows: Vec<i32> = (0..40).map(|_| random.below(11) as i32 - 1).collect();
            let rows = Literal::from_slice(&[40], &rows).unwrap();
            let updates = codes(dtype, &[40, width], 8);
            let args = [x, rows, updates];
            let types: Vec<Type> = args.iter().map(Literal::ty).collect();
            let by = |kind| {
                let body = scalars("body", &[dtype; 2], |b, p| vec![b.binary(kind, p[1], p[0]).unwrap()]);
                Update::Reduce(Reducer::General(body.into()))
            };
            let mut updates = vec![Update::Assign, by(ElementwiseKind::Add), by(ElementwiseKind::Maximum)];
            if dtype.is_float() {
                updates.push(by(ElementwiseKind::Power));
            }
            updates.extend([Reducer::Add, Reducer::Mul, Reducer::Max, Reducer::Min].map(Update::Reduce));
            for update in updates {
                let name = format!("{dtype} {update:?} {width}");
                check(&name, &program(Scatter::rows(types[0], types[1], update), &types), &args);
            }
        }
    }
}

#[test]
fn sorts() {
    for dtype in narrow() {
        let x = codes(dtype, &[3, 200], 5);
        let y = codes(DType::F8E5M2, &[3, 200], 6);
        let args = [x, y];
        let types: Vec<Type> = args.iter().map(Literal::ty).collect();
        let mut orders = vec![SortOrder::Ascending { keys: 1 }, SortOrder::Descending { keys: 2 }];
        for comparison in [Comparison::Lt, Comparison::Gt, Comparison::Le, Comparison::Ne] {
            for total_order in [false, dtype.is_float()] {
                let before = scalars("before", &[dtype, dtype, DType::F8E5M2, DType::F8E5M2], |b, p| {
                    vec![b.one(Compare { comparison, total_order }, &p[..2]).unwrap()]
                });
                orders.push(SortOrder::General(before.into()));
            }
        }
        let before = scalars("before", &[dtype, dtype, DType::F8E5M2, DType::F8E5M2], |b, p| {
            let sums = [b.mul(p[0], p[1]).unwrap(), b.add(p[1], p[1]).unwrap()];
            vec![b.compare(Comparison::Lt, sums[0], sums[1]).unwrap()]
        });
        orders.push(SortOrder::General(before.into()));
        for axis in [0, 1] {
            for order in &orders {
                let op = Sort { axis, stable: true, order: order.clone() };
                check(&format!("{dtype} {order:?} {axis}"), &program(op, &types), &args);
            }
        }
    }
}

#[test]
fn reductions() {
    for dtype in narrow() {
        let better = scalars("better", &[dtype, DType::I32, dtype, DType::I32], |b, p| {
            let above = b.compare(Comparison::Gt, p[2], p[0]).unwrap();
            [[2, 0], [3, 1]].map(|[new, old]| b.select(above, p[new], p[old]).unwrap()).to_vec()
        });
        let x = codes(dtype, &[7, 150], 3);
        let first = codes(dtype, &[], 4);
        let positions: Vec<i32> = (0..7 * 150).collect();
        let positions = Literal::from_slice(&[7, 150], &positions).unwrap();
        let args = [x, positions, first, Literal::scalar(-1i32)];
        let types: Vec<Type> = args.iter().map(Literal::ty).collect();
        for axis in [0, 1] {
            let op = Reduce { reducer: Reducer::General(better.clone().into()), axes: smallvec![axis] };
            check(&format!("{dtype} along {axis}"), &program(op, &types), &args);
        }
    }
}
