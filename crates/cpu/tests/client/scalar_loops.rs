use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Comparison, ElementwiseKind, Scan, While};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_runtime::{Client, CompileOptions};

use super::random::Draw;
use super::{check, numbers};

const DTYPES: [DType; 10] = [
    DType::F32,
    DType::F64,
    DType::BF16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U32,
    DType::Bool,
    DType::I4,
    DType::F6E3M2FN,
];

pub(super) fn draw(seed: u64) -> Draw {
    Draw((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

/// A value of that type made of two of the values there are, by an op whose bits are the same everywhere.
fn step(b: &mut Builder, random: &mut Draw, values: &[Value], to: DType) -> Value {
    let mut pick = |b: &mut Builder| {
        let x = values[random.below(values.len())];
        b.convert(x, to).unwrap()
    };
    let (x, y) = (pick(b), pick(b));
    if to == DType::Bool {
        let kinds = [ElementwiseKind::And, ElementwiseKind::Or, ElementwiseKind::Xor];
        return b.binary(kinds[random.below(3)], x, y).unwrap();
    }
    let kinds = [
        ElementwiseKind::Add,
        ElementwiseKind::Subtract,
        ElementwiseKind::Multiply,
        ElementwiseKind::Maximum,
        ElementwiseKind::Minimum,
    ];
    match random.below(6) {
        5 => {
            let less = b.compare(Comparison::Lt, x, y).unwrap();
            b.select(less, y, x).unwrap()
        }
        kind => b.binary(kinds[kind], x, y).unwrap(),
    }
}

/// A body over scalars of these types, whose results are of those `types`.
pub(super) fn body(random: &mut Draw, params: &[DType], types: &[DType]) -> Program {
    let mut b = Builder::new("body");
    let mut values: Vec<Value> = params.iter().map(|&d| b.param(Type::scalar(d), "")).collect();
    for _ in 0..random.below(8) {
        let to = DTYPES[random.below(DTYPES.len())];
        let value = step(&mut b, random, &values, to);
        values.push(value);
    }
    let results: Vec<Value> = types
        .iter()
        .map(|&to| match random.below(3) {
            // Values that stay, or change places.
            0 => *values.iter().find(|&&v| b.ty(v).dtype() == to).unwrap_or(&values[0]),
            _ => step(&mut b, random, &values, to),
        })
        .collect();
    let results: Vec<Value> =
        results.into_iter().zip(types).map(|(v, &to)| b.convert(v, to).unwrap()).collect();
    b.finish(&results).unwrap()
}

pub(super) fn some(random: &mut Draw, most: usize) -> Vec<DType> {
    (0..random.below(most + 1)).map(|_| DTYPES[random.below(DTYPES.len())]).collect()
}

#[test]
fn random_scans_of_scalars() {
    for seed in 0..300 {
        let mut random = draw(seed);
        let (consts, carry) = (some(&mut random, 2), some(&mut random, 5));
        let (xs, ys) = (some(&mut random, 2), some(&mut random, 2));
        let length = [0, 1, 31, 32, 33, 200][random.below(6)];
        let params = [consts.clone(), carry.clone(), xs.clone()].concat();
        if params.is_empty() {
            continue;
        }
        let results = [carry.clone(), ys].concat();
        let body = body(&mut random, &params, &results);
        let op = Scan {
            body: body.into(),
            consts: consts.len(),
            carry: carry.len(),
            length,
            reverse: random.below(2) == 1,
        };
        let mut b = Builder::new("scan");
        let mut args: Vec<Literal> = Vec::new();
        for (i, &dtype) in params.iter().enumerate() {
            let dims: &[usize] = if i < consts.len() + carry.len() { &[] } else { &[length] };
            args.push(numbers(dtype, dims, seed * 10 + i as u64 + 1));
        }
        let operands: Vec<Value> = args.iter().map(|a| b.param(a.ty(), "")).collect();
        let results = b.push(op, &operands).unwrap();
        check(&format!("seed {seed}"), &b.finish(&results).unwrap(), &args, 0.0);
    }
}

/// `(n, i, values...)`: the values after `n` steps, with the number of steps.
fn while_loop(random: &mut Draw, carry: &[DType]) -> Program {
    let params = [vec![DType::I32, DType::I32], carry.to_vec()].concat();
    let mut b = Builder::new("cond");
    let values: Vec<Value> = params.iter().map(|&d| b.param(Type::scalar(d), "")).collect();
    let more = b.compare(Comparison::Lt, values[1], values[0]).unwrap();
    let cond = b.finish(&[more]).unwrap();
    let inner = body(random, &params, carry);
    let mut b = Builder::new("body");
    let values: Vec<Value> = params.iter().map(|&d| b.param(Type::scalar(d), "")).collect();
    let one = b.scalar(1i32).unwrap();
    let next = b.add(values[1], one).unwrap();
    let mut results = vec![next];
    results.extend(b.inline(&inner, &values).unwrap());
    let body = b.finish(&results).unwrap();
    let mut b = Builder::new("while");
    let operands: Vec<Value> = params.iter().map(|&d| b.param(Type::scalar(d), "")).collect();
    let results = b.push(While { cond: cond.into(), body: body.into(), consts: 1 }, &operands).unwrap();
    b.finish(&results).unwrap()
}

#[test]
fn random_while_loops_of_scalars() {
    for seed in 0..200 {
        let mut random = draw(seed + 1000);
        let carry = some(&mut random, 5);
        let program = while_loop(&mut random, &carry);
        let steps = [0, 1, 2, 40][random.below(4)];
        let mut args = vec![Literal::scalar(steps), Literal::scalar(0i32)];
        args.extend(carry.iter().enumerate().map(|(i, &d)| numbers(d, &[], seed * 10 + i as u64 + 1)));
        check(&format!("seed {seed}"), &program, &args, 0.0);
    }
}

/// `x a + b`, a million times: the loop is one step of the executable, which no profile divides.
#[test]
fn a_long_loop_is_one_step() {
    let mut b = Builder::new("body");
    let x = b.param(Type::scalar(DType::F32), "x");
    let (a, c) = (b.scalar(0.999f32).unwrap(), b.scalar(0.001f32).unwrap());
    let y = b.mul(x, a).unwrap();
    let y = b.add(y, c).unwrap();
    let body = b.finish(&[y]).unwrap();
    let mut b = Builder::new("loop");
    let x = b.param(Type::scalar(DType::F32), "x");
    let op = Scan { body: body.into(), consts: 0, carry: 1, length: 1_000_000, reverse: false };
    let results = b.push(op, &[x]).unwrap();
    let program = b.finish(&results).unwrap();
    let client = CpuClient::with_threads(1);
    let executable = client.compile(&program, &CompileOptions::default()).unwrap();
    let found = executable.run(vec![client.upload(&Literal::scalar(0.5f32)).unwrap()]).unwrap();
    let mut x = 0.5f32;
    for _ in 0..1_000_000 {
        x = x * 0.999 + 0.001;
    }
    assert_eq!(found[0].read().unwrap(), Literal::scalar(x));
}

/// A condition says when the loop ends, so nobody knows how long it takes: the call returns while it runs.
#[test]
fn a_call_returns_before_its_loop_ends() {
    let program = while_loop(&mut draw(0), &[]);
    let client = CpuClient::with_threads(1);
    let executable = client.compile(&program, &CompileOptions::default()).unwrap();
    let steps = i32::MAX;
    let args = [steps, 0].map(|n| client.upload(&Literal::scalar(n)).unwrap());
    let found = executable.run(args.to_vec()).unwrap();
    assert!(!found[0].ready().is_ready());
    assert_eq!(found[0].read().unwrap(), Literal::scalar(steps));
}

/// What a step writes is what a carry was before, also where its next value is known first.
#[test]
fn values_are_written_before_they_change() {
    let one = Type::scalar(DType::F32);
    let args = [1, 2, 3].map(|seed| numbers(DType::F32, &[], seed));
    let args = [&args[..], &[numbers(DType::F32, &[40], 4)]].concat();
    // Of `[w, c, d, x, 1/2, d x]`: the next `c` and `d`, and two that are written.
    for next in [[0, 2], [0, 1], [4, 5], [2, 4], [2, 0], [5, 0]] {
        for written in [[1, 1], [2, 1], [2, 2], [5, 1]] {
            let mut b = Builder::new("body");
            let mut values: Vec<Value> = (0..4).map(|_| b.param(one, "")).collect();
            values.push(b.scalar(0.5f32).unwrap());
            values.push(b.mul(values[2], values[3]).unwrap());
            let body =
                b.finish(&[next, written].as_flattened().iter().map(|&i| values[i]).collect::<Vec<_>>());
            let mut b = Builder::new("scan");
            let operands: Vec<Value> = args.iter().map(|a| b.param(a.ty(), "")).collect();
            let op = Scan { body: body.unwrap().into(), consts: 1, carry: 2, length: 40, reverse: false };
            let results = b.push(op, &operands).unwrap();
            check(&format!("{next:?}, {written:?}"), &b.finish(&results).unwrap(), &args, 0.0);
        }
    }
}
