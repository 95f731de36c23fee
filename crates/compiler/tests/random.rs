use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Program, Value};

use crate::common::{Rng, check, literal};

const EXTENTS: [usize; 6] = [1, 2, 3, 4, 6, 1];

struct Generator<'r> {
    b: Builder,
    rng: &'r mut Rng,
    values: Vec<Value>,
}

impl Generator<'_> {
    fn any(&mut self) -> Value {
        // Late values more often, so that programs are deep.
        let n = self.values.len();
        let near = self.rng.below(n.min(6));
        if self.rng.below(3) == 0 { self.values[self.rng.below(n)] } else { self.values[n - 1 - near] }
    }

    fn shape(&mut self) -> Vec<usize> {
        let rank = self.rng.below(4);
        (0..rank).map(|_| self.rng.pick(&EXTENTS)).collect()
    }

    /// A value of type `ty`: one that is there, or one that is made from another.
    fn like(&mut self, ty: Type) -> Value {
        let same: Vec<Value> = self.values.iter().copied().filter(|&v| self.b.ty(v) == ty).collect();
        if !same.is_empty() && self.rng.below(4) > 0 {
            return self.rng.pick(&same);
        }
        for _ in 0..4 {
            let v = self.any();
            let from = self.b.ty(v).dims();
            let to = ty.dims();
            let mut axes = Vec::new();
            let mut next = 0;
            for &extent in &from {
                while next < to.len() && !(extent == to[next] || extent == 1) {
                    next += 1;
                }
                axes.push(next);
                next += 1;
            }
            if axes.iter().all(|&a| a < to.len()) {
                let v = self.b.broadcast_in_dim(v, &ty.dims(), &axes).expect("fits");
                return self.b.convert(v, ty.dtype()).expect("converts");
            }
        }
        if ty.rank() > 0 && ty.dtype() != DType::Bool && self.rng.below(2) == 0 {
            let axis = self.rng.below(ty.rank());
            return self.b.iota(ty, axis).expect("fits");
        }
        let c = self.rng.below(3) as f64 - 1.0;
        self.b.full(ty, if ty.dtype() == DType::Bool { c.abs() } else { c }).expect("fits")
    }

    fn keep(&mut self, x: Value, op: Reverse) {
        let made = self.b.one(op, &[x]).expect("fits");
        self.values.push(made);
    }

    fn step(&mut self) {
        let x = self.any();
        let ty = self.b.ty(x);
        let sizes = ty.dims();
        let made = match self.rng.below(20) {
            0..=5 => {
                // FIXME: with these a program is drawn that `results_that_only_an_argument_ties_have_no_loop` is made of.
                use ElementwiseKind::{BesselI, BesselI0eSlope, ErfcxSlope};
                let none = |kind: &&ElementwiseKind| !matches!(kind, BesselI | BesselI0eSlope | ErfcxSlope);
                let kinds: Vec<ElementwiseKind> = ElementwiseKind::ALL.iter().filter(none).copied().collect();
                let kind = self.rng.pick(&kinds);
                if !kind.accepts_dtype(ty.dtype()) {
                    return;
                }
                if kind.arity() == 1 {
                    self.b.unary(kind, x)
                } else {
                    let y = self.like(ty);
                    self.b.binary(kind, x, y)
                }
            }
            6 => {
                let y = self.like(ty);
                let c = self.rng.pick(&[Comparison::Lt, Comparison::Eq, Comparison::Ge]);
                self.b.compare(c, x, y)
            }
            7 => {
                let p = self.like(ty.with_dtype(DType::Bool));
                let y = self.like(ty);
                self.b.select(p, x, y)
            }
            8 => {
                let to = self.rng.pick(&[DType::F32, DType::BF16, DType::I32, DType::F64, DType::U8]);
                self.b.convert(x, to)
            }
            9 | 10 => {
                // A broadcast with new axes.
                if sizes.len() >= 4 {
                    return;
                }
                let mut to = sizes.to_vec();
                let mut axes: Vec<usize> = (0..sizes.len()).collect();
                let at = self.rng.below(sizes.len() + 1);
                to.insert(at, self.rng.pick(&EXTENTS));
                for a in &mut axes {
                    *a += usize::from(*a >= at);
                }
                for (i, &a) in axes.iter().enumerate() {
                    if sizes[i] == 1 && self.rng.below(2) == 0 {
                        to[a] = self.rng.pick(&EXTENTS);
                    }
                }
                self.b.broadcast_in_dim(x, &to, &axes)
            }
            11 => {
                let count: usize = sizes.iter().product();
                let mut to = Vec::new();
                let mut rest = count;
                while rest > 1 && to.len() < 4 {
                    let divisors: Vec<usize> = (2..=rest).filter(|d| rest.is_multiple_of(*d)).collect();
                    let d = if to.len() == 3 { rest } else { self.rng.pick(&divisors) };
                    to.push(d);
                    rest /= d;
                }
                if self.rng.below(3) == 0 {
                    to.insert(self.rng.below(to.len() + 1), 1);
                }
                self.b.reshape(x, &to)
            }
            12 => {
                let mut order: Vec<usize> = (0..sizes.len()).collect();
                for i in (1..order.len()).rev() {
                    order.swap(i, self.rng.below(i + 1));
                }
                self.b.transpose(x, &order)
            }
            13..=15 => {
                let axes: Vec<usize> = (0..sizes.len()).filter(|_| self.rng.below(2) == 0).collect();
                let reducer = match ty.dtype() {
                    DType::Bool => self.rng.pick(&[Reducer::And, Reducer::Or, Reducer::Xor]),
                    _ => match self.rng.below(5) {
                        0 if axes.len() == 1 => Reducer::ArgMax(DType::I32),
                        1 => Reducer::Max,
                        2 => Reducer::Mul,
                        _ => Reducer::Add,
                    },
                };
                self.b.reduce(reducer, x, &axes)
            }
            16 => {
                if sizes.is_empty() {
                    return;
                }
                let axis = self.rng.below(sizes.len());
                if self.rng.below(3) == 0 {
                    let axes = (0..sizes.len()).filter(|&a| a == axis || self.rng.below(2) == 0).collect();
                    return self.keep(x, Reverse { axes });
                }
                let start = self.rng.below(sizes[axis]);
                let limit = start + 1 + self.rng.below(sizes[axis] - start);
                self.b.slice_axis(x, axis, start, limit)
            }
            17 => {
                if sizes.is_empty() || ty.dtype() == DType::Bool {
                    return;
                }
                let y = self.like(ty);
                let rank = sizes.len();
                let contract = self.rng.below(rank);
                let batch = (0..rank).filter(|&a| a != contract && self.rng.below(2) == 0);
                let batch: Axes = batch.collect();
                self.b.one(
                    DotGeneral {
                        lhs_batch: batch.clone(),
                        rhs_batch: batch,
                        lhs_contract: Axes::from_slice(&[contract]),
                        rhs_contract: Axes::from_slice(&[contract]),
                        out: ty.dtype(),
                    },
                    &[x, y],
                )
            }
            18 => {
                let key = self.like(Type::scalar(DType::U32));
                let shape = self.shape();
                let counts = Type::tensor(DType::U32, shape.iter().copied());
                let keys = self.b.broadcast_in_dim(key, &shape, &[]).expect("fits");
                let x0 = self.like(counts);
                let x1 = self.like(counts);
                self.b.push(Threefry2x32, &[keys, keys, x0, x1]).map(|r| r[self.rng.below(2)])
            }
            _ => {
                if sizes.is_empty() {
                    return;
                }
                let y = self.like(ty);
                let axis = self.rng.below(sizes.len());
                self.b.concatenate(&[x, y], axis)
            }
        };
        let made = made.unwrap_or_else(|e| panic!("{e}"));
        let small = self.b.ty(made).elements().expect("fits") <= 400 && self.b.ty(made).rank() <= 5;
        if small {
            self.values.push(made);
        }
    }
}

fn straight(rng: &mut Rng, params: &[Type], steps: usize, returns: &[Type]) -> Program {
    let mut b = Builder::new("random");
    let values: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
    let mut g = Generator { b, rng, values };
    for _ in 0..steps {
        g.step();
    }
    let mut results: Vec<Value> = returns.iter().map(|&ty| g.like(ty)).collect();
    if returns.is_empty() {
        results = (0..1 + g.rng.below(4)).map(|_| g.any()).collect();
    }
    g.b.finish(&results).expect("results are values")
}

fn types(rng: &mut Rng) -> Vec<Type> {
    let mut types = Vec::new();
    for _ in 0..2 + rng.below(3) {
        let dtype = rng.pick(&[DType::F32, DType::F32, DType::F32, DType::BF16, DType::I32, DType::U32]);
        let rank = rng.below(4);
        let sizes: Vec<usize> = (0..rank).map(|_| rng.pick(&EXTENTS)).collect();
        types.push(Type::tensor(dtype, sizes));
    }
    types
}

fn arguments(types: &[Type], seed: u64) -> Vec<Literal> {
    types.iter().enumerate().map(|(i, &ty)| literal(ty, seed * 31 + i as u64 + 7)).collect()
}

/// A random program without loops, and arguments for it.
pub fn draw(seed: u64) -> (Program, Vec<Literal>) {
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15 ^ (seed + 1) << 8);
    rng.next();
    let types = types(&mut rng);
    let steps = 5 + rng.below(40);
    let program = straight(&mut rng, &types, steps, &[]);
    (program, arguments(&types, seed))
}

#[test]
fn straight_programs_keep_their_bits() {
    for seed in 0..600 {
        let (program, arguments) = draw(seed);
        check(&program, &arguments);
    }
}

/// A random program of loops and branches, and arguments for it.
pub fn draw_loops(seed: u64) -> (Program, Vec<Literal>) {
    let mut rng = Rng(0xdead_beef_1234_5677 ^ (seed + 1) << 8);
    rng.next();
    let outer = types(&mut rng);
    let mut b = Builder::new("loops");
    let mut values: Vec<Value> = outer.iter().map(|&ty| b.param(ty, "")).collect();
    for _ in 0..2 {
        let picked: Vec<Value> = (0..3).map(|_| values[rng.below(values.len())]).collect();
        let of: Vec<Type> = b.types(&picked).to_vec();
        let results = match rng.below(3) {
            0 => {
                let index = b.scalar(rng.below(3) as i32 - 1).expect("scalar");
                let index = if rng.below(2) == 0 {
                    index
                } else {
                    let v = b.convert(picked[0], DType::I32).expect("converts");
                    let all: Vec<usize> = (0..of[0].rank()).collect();
                    b.sum(v, &all).expect("sums")
                };
                let branches = (0..2).map(|_| straight(&mut rng, &of, 6, &of[..2]).into()).collect();
                let operands: Vec<Value> = std::iter::once(index).chain(picked).collect();
                b.push(Case { branches }, &operands)
            }
            1 => {
                let arrays: Vec<Type> = vec![of[2].with_leading(3)];
                let xs = b.broadcast_leading(picked[2], 3).expect("broadcasts");
                let body = straight(&mut rng, &of, 8, &[of[1], of[0], of[2]]);
                assert_eq!(b.ty(xs), arrays[0]);
                b.push(
                    Scan { body: body.into(), consts: 1, carry: 1, length: 3, reverse: rng.below(2) == 0 },
                    &[picked[0], picked[1], xs],
                )
            }
            _ => {
                // Counts to three.
                let counter = Type::scalar(DType::I32);
                let step = straight(&mut rng, &of, 6, &of[1..]);
                let mut w = Builder::new("body");
                let mut params: Vec<Value> = vec![w.param(of[0], ""), w.param(counter, "")];
                params.extend(of[1..].iter().map(|&ty| w.param(ty, "")));
                let one = w.scalar(1i32).expect("scalar");
                let next = w.add(params[1], one).expect("adds");
                let mut results = vec![next];
                results.extend(w.inline(&step, &[params[0], params[2], params[3]]).expect("fits"));
                let body = w.finish(&results).expect("results are values");
                let mut c = Builder::new("cond");
                let at: Vec<Value> = body.param_types().iter().map(|&ty| c.param(ty, "")).collect();
                let three = c.scalar(3i32).expect("scalar");
                let running = c.compare(Comparison::Lt, at[1], three).expect("compares");
                let cond = c.finish(&[running]).expect("a result");
                let zero = b.scalar(0i32).expect("scalar");
                b.push(
                    While { cond: cond.into(), body: body.into(), consts: 1 },
                    &[picked[0], zero, picked[1], picked[2]],
                )
            }
        };
        values.extend(results.unwrap_or_else(|e| panic!("{e}")));
    }
    let results: Vec<Value> = values.iter().rev().take(4).copied().collect();
    let program = b.finish(&results).expect("results are values");
    (program, arguments(&outer, seed))
}

#[test]
fn loops_and_branches_keep_their_bits() {
    for seed in 0..150 {
        let (program, arguments) = draw_loops(seed);
        check(&program, &arguments);
    }
}

#[test]
fn tensors_without_elements_are_constants() {
    let mut b = Builder::new("empty");
    let x = b.param(Type::tensor(DType::F32, [3, 0]), "x");
    let y = b.exp(x).expect("fits");
    let sum = b.sum(y, &[1]).expect("sums");
    let max = b.reduce(Reducer::Max, y, &[0, 1]).expect("reduces");
    let product = DotGeneral {
        lhs_contract: Axes::from_slice(&[1]),
        rhs_contract: Axes::from_slice(&[1]),
        ..DotGeneral::matmul(0, DType::F32)
    };
    let product = b.one(product, &[x, y]).expect("fits");
    let shifted = b.iota(Type::tensor(DType::I32, [0, 2]), 1).expect("fits");
    let spread = b.broadcast_in_dim(sum, &[0, 3], &[1]).expect("fits");
    let program = b.finish(&[y, sum, max, product, shifted, spread]).expect("results");
    check(&program, &[Literal::zeros(Type::tensor(DType::F32, [3, 0])).expect("fits")]);
}

#[test]
fn a_reshaped_iota_counts_across_axes() {
    let mut b = Builder::new("count");
    let row = b.param(Type::tensor(DType::I32, [3]), "row");
    let count = b.iota(Type::tensor(DType::I32, [24]), 0).expect("fits");
    let count = b.reshape(count, &[2, 4, 3]).expect("fits");
    let turned = b.transpose(count, &[1, 0, 2]).expect("fits");
    let row = b.broadcast_in_dim(row, &[4, 2, 3], &[2]).expect("fits");
    let sum = b.add(turned, row).expect("fits");
    let program = b.finish(&[sum]).expect("a result");
    let compiled = check(&program, &[literal(Type::tensor(DType::I32, [3]), 3)]);
    assert_eq!(crate::common::kernels(&compiled.program), 1);
}
