use std::sync::Arc;

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{Case, Comparison, DynamicUpdateSlice, Reducer, Scan, While};
use jarrah_hlo::{Builder, Program, Value};

use super::{check, numbers};

const F32: DType = DType::F32;

fn f32s(dims: &[usize]) -> Type {
    Type::tensor(F32, dims.iter().copied())
}

/// `(w, h, x) -> (w h + x, sum h)`.
fn cell() -> Program {
    let mut b = Builder::new("cell");
    let (w, h, x) = (b.param(f32s(&[4]), "w"), b.param(f32s(&[4]), "h"), b.param(f32s(&[4]), "x"));
    let next = b.mul(w, h).unwrap();
    let next = b.add(next, x).unwrap();
    let y = b.sum(h, &[0]).unwrap();
    b.finish(&[next, y]).unwrap()
}

fn scanned(length: usize, reverse: bool) -> Program {
    let mut b = Builder::new("scanned");
    let (w, h) = (b.param(f32s(&[4]), "w"), b.param(f32s(&[4]), "h"));
    let x = b.param(f32s(&[length, 4]), "x");
    let op = Scan { body: cell().into(), consts: 1, carry: 1, length, reverse };
    let results = b.push(op, &[w, h, x]).unwrap();
    b.finish(&results).unwrap()
}

#[test]
fn scans_of_any_length_and_direction() {
    for length in 0..5 {
        for reverse in [false, true] {
            let args = [numbers(F32, &[4], 1), numbers(F32, &[4], 2), numbers(F32, &[length, 4], 3)];
            check(&format!("{length}, {reverse}"), &scanned(length, reverse), &args, 0.0);
        }
    }
}

#[test]
fn carries_may_trade_places_or_stay() {
    let mut b = Builder::new("trade");
    let params: Vec<_> = (0..3).map(|_| b.param(f32s(&[2]), "")).collect();
    let body = b.finish(&[params[1], params[0], params[2]]).unwrap();
    for length in 0..4 {
        let mut b = Builder::new("traded");
        let params: Vec<_> = (0..3).map(|_| b.param(f32s(&[2]), "")).collect();
        let op = Scan { body: body.clone().into(), consts: 0, carry: 3, length, reverse: false };
        let results = b.push(op, &params).unwrap();
        let args: Vec<Literal> = (0..3).map(|i| numbers(F32, &[2], i)).collect();
        check("trade", &b.finish(&results).unwrap(), &args, 0.0);
    }
}

/// `(i, x, y) -> (i + 1, x with y[i] at i, y)`: an update in place, step after step.
#[test]
fn updates_in_a_loop() {
    let index = Type::scalar(DType::I32);
    let mut b = Builder::new("more");
    let (n, i) = (b.param(index, "n"), b.param(index, "i"));
    b.param(f32s(&[6]), "x");
    let more = b.compare(Comparison::Lt, i, n).unwrap();
    let cond = b.finish(&[more]).unwrap();

    let mut b = Builder::new("body");
    let (_, i, x) = (b.param(index, "n"), b.param(index, "i"), b.param(f32s(&[6]), "x"));
    let one = b.scalar(1i32).unwrap();
    let next = b.add(i, one).unwrap();
    let value = b.convert(next, F32).unwrap();
    let dims = [1];
    let value = b.reshape(value, &dims).unwrap();
    let x = b.one(DynamicUpdateSlice, &[x, value, i]).unwrap();
    let body = b.finish(&[next, x]).unwrap();

    let mut b = Builder::new("filled");
    let (n, x) = (b.param(index, "n"), b.param(f32s(&[6]), "x"));
    let zero = b.scalar(0i32).unwrap();
    let op = While { cond: cond.into(), body: body.into(), consts: 1 };
    let results = b.push(op, &[n, zero, x]).unwrap();
    // The operand is needed again: the loop must not write to it.
    let again = b.add(results[1], x).unwrap();
    let program = b.finish(&[results[0], results[1], again]).unwrap();
    for n in [0, 1, 4, 6] {
        check("filled", &program, &[Literal::scalar(n), numbers(F32, &[6], 5)], 0.0);
    }
}

/// A branch that scans, inside a loop that stops when its carry is large.
#[test]
fn nested_three_deep() {
    let state = f32s(&[3]);
    let mut b = Builder::new("step");
    let h = b.param(state, "h");
    let h2 = b.add(h, h).unwrap();
    let step = Arc::new(b.finish(&[h2]).unwrap());
    let branch = |length| {
        let mut b = Builder::new("branch");
        let h = b.param(state, "h");
        let op = Scan { body: step.clone(), consts: 0, carry: 1, length, reverse: false };
        let results = b.push(op, &[h]).unwrap();
        Arc::new(b.finish(&results).unwrap())
    };
    let branches = vec![branch(1), branch(2), branch(3)];

    let mut b = Builder::new("small");
    let h = b.param(state, "h");
    let largest = b.reduce(Reducer::Max, h, &[0]).unwrap();
    let limit = b.scalar(1000.0f32).unwrap();
    let small = b.compare(Comparison::Lt, largest, limit).unwrap();
    let cond = b.finish(&[small]).unwrap();

    let mut b = Builder::new("body");
    let h = b.param(state, "h");
    let first = b.slice(h, &[0], &[1]).unwrap();
    let first = b.reshape(first, &[]).unwrap();
    let index = b.convert(first, DType::I32).unwrap();
    let results = b.push(Case { branches }, &[index, h]).unwrap();
    let body = b.finish(&results).unwrap();

    let mut b = Builder::new("nested");
    let h = b.param(state, "h");
    let results = b.push(While { cond: cond.into(), body: body.into(), consts: 0 }, &[h]).unwrap();
    let program = b.finish(&results).unwrap();
    for first in [-1.0f32, 0.5, 1.0, 2.0] {
        let h = Literal::from_slice(&[3], &[first, 1.0, 3.0]).unwrap();
        check("nested", &program, &[h], 0.0);
    }
}

/// Branches over `(x, y)` that pass both on, change one of them, exchange them, and drop one.
#[test]
fn branches_pass_values_on() {
    let branch = |f: &dyn Fn(&mut Builder, Value, Value) -> [Value; 2]| {
        let mut b = Builder::new("branch");
        let (x, y) = (b.param(f32s(&[40]), "x"), b.param(f32s(&[40]), "y"));
        let results = f(&mut b, x, y);
        b.finish(&results).unwrap()
    };
    let same = branch(&|_, x, y| [x, y]);
    let all: [Vec<Program>; 4] = [
        vec![same.clone(), branch(&|b, x, y| [b.add(x, y).unwrap(), y])],
        vec![same.clone(), branch(&|b, x, y| [b.mul(y, y).unwrap(), b.mul(x, y).unwrap()])],
        vec![same.clone(), branch(&|_, x, y| [y, x]), branch(&|_, x, _| [x, x])],
        vec![
            branch(&|b, x, y| {
                let z = b.mul(y, y).unwrap();
                [z, x]
            }),
            same,
            branch(&|b, _, y| [b.zeros(f32s(&[40])).unwrap(), y]),
        ],
    ];
    for (number, branches) in all.into_iter().enumerate() {
        for needed_later in [false, true] {
            let mut b = Builder::new("branches");
            let which = b.param(Type::scalar(DType::I32), "which");
            let (x, y) = (b.param(f32s(&[40]), "x"), b.param(f32s(&[40]), "y"));
            let (u, v) = (b.mul(x, y).unwrap(), b.sub(x, y).unwrap());
            let case = Case { branches: branches.iter().map(|branch| branch.clone().into()).collect() };
            let mut results = b.push(case.clone(), &[which, u, v]).unwrap().to_vec();
            // Again, of what the first branch gave.
            results = b.push(case, &[which, results[0], results[1]]).unwrap().to_vec();
            if needed_later {
                results.push(b.add(u, v).unwrap());
            }
            let program = b.finish(&results).unwrap();
            for which in 0..branches.len() as i32 {
                let args = [Literal::scalar(which), numbers(F32, &[40], 1), numbers(F32, &[40], 2)];
                check(&format!("{number}, {which}"), &program, &args, 0.0);
            }
        }
    }
}
