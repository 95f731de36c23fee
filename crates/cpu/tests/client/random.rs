//! Programs drawn at random, against the reference evaluator, bit by bit.

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{
    Comparison, DotGeneral, DynamicSlice, ElementwiseKind, Gather, Pad, Reducer, Reverse, Scatter, Sort,
    SortOrder, Update,
};
use jarrah_hlo::{Builder, Program, Value};

use super::{check, numbers};

pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// One more value, computed from some of `values`; all are `f32`, and every op here rounds in one way only.
fn extend(b: &mut Builder, r: &mut Draw, values: &[Value]) -> Option<Value> {
    let x = values[r.below(values.len())];
    let extents = b.ty(x).dims().to_vec();
    let rank = extents.len();
    let alike: Vec<Value> = values.iter().copied().filter(|&v| b.ty(v) == b.ty(x)).collect();
    let y = alike[r.below(alike.len())];
    let axis = r.below(rank);
    use ElementwiseKind::*;
    Some(match r.below(16) {
        0..=3 => {
            let kind = [Add, Subtract, Multiply, Maximum, Minimum, Divide][r.below(6)];
            b.binary(kind, x, y).unwrap()
        }
        4 => b.unary([Negate, Abs, Floor, Sqrt, Sign][r.below(5)], x).unwrap(),
        5 => {
            let p = b.compare([Comparison::Lt, Comparison::Ge][r.below(2)], x, y).unwrap();
            b.select(p, y, x).unwrap()
        }
        6 => {
            let mut wide = extents;
            if rank == 3 {
                return None;
            }
            let at = r.below(rank + 1);
            wide.insert(at, 1 + r.below(9));
            let axes: Vec<usize> = (0..=rank).filter(|&a| a != at).collect();
            b.broadcast_in_dim(x, &wide, &axes).unwrap()
        }
        7 | 8 => {
            let axes: Vec<usize> = (0..rank).filter(|_| r.below(2) == 0).collect();
            let reducer = [Reducer::Add, Reducer::Max, Reducer::Min, Reducer::Mul][r.below(4)].clone();
            let sum = b.reduce(reducer, x, &axes).unwrap();
            if r.below(2) == 0 || axes.is_empty() {
                return Some(sum);
            }
            let kept: Vec<usize> = (0..rank).filter(|a| !axes.contains(a)).collect();
            let wide = b.broadcast_in_dim(sum, &b.ty(x).dims(), &kept).unwrap();
            b.sub(x, wide).unwrap()
        }
        9 => {
            let mut order: Vec<usize> = (0..rank).collect();
            order.rotate_left(axis);
            b.transpose(x, &order).unwrap()
        }
        10 => {
            let count: usize = extents.iter().product();
            b.reshape(x, &[count]).unwrap()
        }
        11 if rank > 0 => {
            let starts: Vec<usize> = extents.iter().map(|&d| r.below(d)).collect();
            b.slice(x, &starts, &extents).unwrap()
        }
        12 if rank > 0 => match r.below(4) {
            0 => b.concatenate(&[x, y], axis).unwrap(),
            1 => b.one(Reverse { axes: [axis].into_iter().collect() }, &[x]).unwrap(),
            2 => {
                let zero = b.scalar(0.5f32).unwrap();
                let low = extents.iter().map(|_| r.below(3) as i64 - 1).collect();
                let high = extents.iter().map(|_| r.below(3) as i64).collect();
                let interior = extents.iter().map(|_| r.below(2)).collect();
                b.one(Pad { low, high, interior }, &[x, zero]).unwrap()
            }
            _ => {
                let order = SortOrder::Descending { keys: 1 };
                b.push(Sort { axis, stable: true, order }, &[x, y]).unwrap()[1]
            }
        },
        13 if rank == 2 => {
            let other = values
                .iter()
                .copied()
                .find(|&v| b.ty(v).dims().first() == extents.get(1) && b.ty(v).rank() == 2);
            b.one(DotGeneral::matmul(0, DType::F32), &[x, other?]).unwrap()
        }
        14 if rank > 0 => {
            let wanted: Vec<i32> = (0..5).map(|_| r.below(12) as i32 - 2).collect();
            let indices = b.constant(Literal::from_slice(&[5], &wanted).unwrap()).unwrap();
            let taken = b.one(Gather::rows(b.ty(x), b.ty(indices)).unwrap(), &[x, indices]).unwrap();
            let scatter = Scatter::rows(b.ty(x), b.ty(indices), Update::Reduce(Reducer::Add));
            b.one(scatter, &[x, indices, taken]).unwrap()
        }
        15 if rank > 0 => {
            let sizes = extents.iter().map(|&d| 1 + r.below(d)).collect();
            let mut operands = vec![x];
            for _ in 0..rank {
                operands.push(b.scalar(r.below(6) as i32 - 2).unwrap());
            }
            b.one(DynamicSlice { sizes }, &operands).unwrap()
        }
        _ => return None,
    })
}

pub fn draw(seed: u64) -> (Program, Vec<Literal>) {
    let mut r = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut b = Builder::new(format!("program {seed}"));
    let shapes: [&[usize]; 4] = [&[6, 20], &[20], &[3, 6, 20], &[20, 20]];
    let mut values = Vec::new();
    let mut args = Vec::new();
    for (i, dims) in shapes.iter().enumerate() {
        values.push(b.param(Type::tensor(DType::F32, dims.iter().copied()), ""));
        args.push(numbers(DType::F32, dims, seed * 7 + i as u64));
    }
    for _ in 0..30 {
        if let Some(v) = extend(&mut b, &mut r, &values)
            && b.ty(v).elements().unwrap() < 20_000
        {
            values.push(v);
        }
    }
    let results: Vec<Value> = (0..4).map(|_| values[values.len() / 2 + r.below(values.len() / 2)]).collect();
    (b.finish(&results).unwrap(), args)
}

#[test]
fn random_programs() {
    for seed in 0..60 {
        let (program, args) = draw(seed);
        check(&format!("program {seed}"), &program, &args, 0.0);
    }
}
