use std::sync::Arc;

use jarrah_base::{DType, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, ProgramRef, Value};

use super::{i32_scalar, i32s, run_all};

fn body(params: usize, f: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>) -> ProgramRef {
    let mut b = Builder::new("body");
    let params: Vec<Value> = (0..params).map(|_| b.param(Type::scalar(DType::I32), "")).collect();
    let results = f(&mut b, &params);
    Arc::new(b.finish(&results).unwrap())
}

#[test]
fn a_while_loop() {
    // Doubles until the limit, a constant, is reached.
    let cond = body(2, |b, p| vec![b.compare(Comparison::Lt, p[1], p[0]).unwrap()]);
    let twice = body(2, |b, p| vec![b.add(p[1], p[1]).unwrap()]);
    let op = While { cond, body: twice, consts: 1 };
    assert_eq!(run_all(op.clone(), &[i32_scalar(100), i32_scalar(3)]), [i32_scalar(192)]);
    assert_eq!(run_all(op, &[i32_scalar(1), i32_scalar(3)]), [i32_scalar(3)]);
}

#[test]
fn cases_beyond_the_branches_run_the_last() {
    let branches = vec![
        body(2, |b, p| vec![b.add(p[0], p[1]).unwrap()]),
        body(2, |b, p| vec![b.sub(p[0], p[1]).unwrap()]),
        body(2, |b, p| vec![b.mul(p[0], p[1]).unwrap()]),
    ];
    let case = |i| {
        let op = Case { branches: branches.clone() };
        run_all(op, &[i32_scalar(i), i32_scalar(5), i32_scalar(3)])[0].get_i128(0)
    };
    assert_eq!([case(0), case(1), case(2), case(3), case(-1)], [8, 2, 15, 15, 15]);
}

#[test]
fn a_scan_in_either_direction() {
    // carry' = carry + scale * x, y = carry'
    let step = body(3, |b, p| {
        let term = b.mul(p[0], p[2]).unwrap();
        let sum = b.add(p[1], term).unwrap();
        vec![sum, sum]
    });
    let scan = |reverse| {
        let op = Scan { body: step.clone(), consts: 1, carry: 1, length: 3, reverse };
        run_all(op, &[i32_scalar(2), i32_scalar(100), i32s(&[3], &[1, 2, 3])])
    };
    assert_eq!(scan(false), [i32_scalar(112), i32s(&[3], &[102, 106, 112])]);
    assert_eq!(scan(true), [i32_scalar(112), i32s(&[3], &[112, 110, 106])]);
}

#[test]
fn calls_run_their_program() {
    let twice = body(1, |b, p| vec![b.add(p[0], p[0]).unwrap()]);
    assert_eq!(run_all(Call { callee: twice.clone() }, &[i32_scalar(4)]), [i32_scalar(8)]);
    assert_eq!(run_all(Remat::new(twice.clone()), &[i32_scalar(4)]), [i32_scalar(8)]);
    assert_eq!(run_all(OptimizationBarrier, &[i32_scalar(4)]), [i32_scalar(4)]);
}
