//! A naive evaluator of loop kernels: one element at a time, functions in `f64`, rounded to the element type.

use jarrah_base::{DType, Element, ElementKind, with_element};
use jarrah_tile::{Axis, Binary, Class, Direction, Inst, LoopKernel, LoopReducer, Map, ScalarBits, Unary};

use super::Bytes;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    F(f64),
    I(i128),
}

impl Value {
    pub fn f(self) -> f64 {
        match self {
            Value::F(x) => x,
            Value::I(x) => x as f64,
        }
    }

    pub fn i(self) -> i128 {
        match self {
            Value::F(x) => x as i128,
            Value::I(x) => x,
        }
    }
}

/// The half nearest to `x`, of two the even one: the best of three candidates.
fn nearest_half(dtype: DType, x: f64) -> f64 {
    let guess = match dtype {
        DType::BF16 => jarrah_base::bf16::from_f32(x as f32).to_bits(),
        _ => jarrah_base::f16::from_f32(x as f32).to_bits(),
    };
    // Infinity stands where the next finite value would.
    let overflow = if dtype == DType::BF16 { 128f64.exp2() } else { 65536.0 };
    let value = |bits: u16| decode(dtype, bits.into()).f();
    let finite = |bits: u16| value(bits).clamp(-overflow, overflow);
    if !x.is_finite() || value(guess).is_nan() {
        return value(guess);
    }
    let candidates = [guess.wrapping_sub(1), guess, guess.wrapping_add(1)];
    let best = candidates.into_iter().filter(|&b| !value(b).is_nan() && (b ^ guess) & 0x8000 == 0).min_by(
        |&a, &b| {
            let key = |c: u16| ((finite(c) - x).abs(), c & 1);
            key(a).partial_cmp(&key(b)).unwrap()
        },
    );
    value(best.unwrap())
}

/// The value of `dtype` nearest to a double; integers wrap.
pub fn round(dtype: DType, v: Value) -> Value {
    match (dtype, v) {
        (DType::F64, Value::F(x)) => Value::F(x),
        (DType::F32, Value::F(x)) => Value::F(f64::from(x as f32)),
        (DType::BF16 | DType::F16, Value::F(x)) => Value::F(nearest_half(dtype, x)),
        (DType::Bool, v) => Value::I(i128::from(v.i() != 0)),
        (d, v) => with_element!(d, T => Value::I(<T as Element>::from_i128(v.i()).to_i128())),
    }
}

pub fn decode(dtype: DType, bits: u64) -> Value {
    match dtype {
        DType::F64 => Value::F(f64::from_bits(bits)),
        DType::F32 => Value::F(f64::from(f32::from_bits(bits as u32))),
        DType::BF16 => Value::F(jarrah_base::bf16::from_bits(bits as u16).to_f64()),
        DType::F16 => Value::F(jarrah_base::f16::from_bits(bits as u16).to_f64()),
        d => with_element!(d, T => Value::I(<T as Element>::from_i128(i128::from(bits)).to_i128())),
    }
}

pub fn encode(dtype: DType, v: Value) -> u64 {
    match dtype {
        DType::F64 => v.f().to_bits(),
        DType::F32 => u64::from((v.f() as f32).to_bits()),
        // Values of halves are exact in f32.
        DType::BF16 => u64::from(jarrah_base::bf16::from_f32(v.f() as f32).to_bits()),
        DType::F16 => u64::from(jarrah_base::f16::from_f32(v.f() as f32).to_bits()),
        d => v.i() as u64 & (u64::MAX >> (64 - 8 * d.size())),
    }
}

pub fn get(b: &Bytes, dtype: DType, at: usize) -> Value {
    let bytes: &[u8] = bytemuck::cast_slice(b);
    let size = dtype.size();
    let mut word = [0u8; 8];
    word[..size].copy_from_slice(&bytes[at * size..(at + 1) * size]);
    decode(dtype, u64::from_le_bytes(word))
}

pub fn set(b: &mut Bytes, dtype: DType, at: usize, v: Value) {
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(b);
    let size = dtype.size();
    bytes[at * size..(at + 1) * size].copy_from_slice(&encode(dtype, v).to_le_bytes()[..size]);
}

/// What a float function of the platform gives; where it has none, `None`.
fn float_unary(f: Unary, x: f64) -> Option<f64> {
    Some(match f {
        Unary::Abs => x.abs(),
        Unary::Negate => -x,
        Unary::Sign => {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        }
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::RoundNearestEven => x.round_ties_even(),
        Unary::RoundNearestAfz => x.round(),
        Unary::Exponential => x.exp(),
        Unary::ExponentialMinusOne => x.exp_m1(),
        Unary::Log => x.ln(),
        Unary::LogPlusOne => x.ln_1p(),
        Unary::Logistic => 1.0 / (1.0 + (-x).exp()),
        Unary::Tanh => x.tanh(),
        Unary::Sqrt => x.sqrt(),
        Unary::Rsqrt => 1.0 / x.sqrt(),
        Unary::Cbrt => x.cbrt(),
        Unary::Sine => x.sin(),
        Unary::Cosine => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Erf => jarrah_cpu::vector::functions::erf_f64(x),
        Unary::ErfInv => jarrah_cpu::vector::functions::erf_inv_f64(x),
        _ => return None,
    })
}

pub fn unary(f: Unary, d: DType, x: Value) -> Value {
    if let Value::F(x) = x {
        if f == Unary::IsFinite {
            return Value::I(x.is_finite().into());
        }
        return round(d, Value::F(float_unary(f, x).unwrap()));
    }
    let x = x.i();
    let width = 8 * d.size() as u32;
    let mask = u128::MAX >> (128 - width);
    let y = match f {
        Unary::Abs => x.abs(),
        Unary::Negate => -x,
        Unary::Sign => x.signum(),
        Unary::Not if d == DType::Bool => 1 - x,
        Unary::Not => !x,
        Unary::Popcnt => (x as u128 & mask).count_ones().into(),
        Unary::CountLeadingZeros => ((x as u128 & mask).leading_zeros() - (128 - width)).into(),
        f => panic!("{f} of an integer"),
    };
    round(d, Value::I(y))
}

fn float_max(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        if x.is_sign_negative() { y } else { x }
    } else if x > y {
        x
    } else {
        y
    }
}

pub fn binary(f: Binary, d: DType, x: Value, y: Value) -> Value {
    if let (Value::F(x), Value::F(y)) = (x, y) {
        // The sum, product or quotient of two floats rounded to f64 and then to f32 is rounded correctly.
        let z = match f {
            Binary::Add => x + y,
            Binary::Subtract => x - y,
            Binary::Multiply => x * y,
            Binary::Divide => x / y,
            Binary::Remainder => x % y,
            Binary::Power => x.powf(y),
            Binary::Atan2 => x.atan2(y),
            Binary::Maximum => float_max(x, y),
            Binary::Minimum => -float_max(-x, -y),
            f => panic!("{f} of floats"),
        };
        let z = if matches!(d, DType::BF16 | DType::F16) { f64::from(z as f32) } else { z };
        return round(d, Value::F(z));
    }
    let (x, y) = (x.i(), y.i());
    let width = 8 * d.size() as i128;
    let unsigned = x & ((1i128 << width) - 1);
    let signed = if unsigned >> (width - 1) & 1 == 1 { unsigned - (1i128 << width) } else { unsigned };
    let by = if y < 0 || y >= width { width } else { y };
    let z = match f {
        Binary::Add | Binary::Or if d == DType::Bool => x | y,
        Binary::Multiply | Binary::And if d == DType::Bool => x & y,
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x.wrapping_mul(y),
        Binary::Divide if y == 0 => -1,
        Binary::Divide => x / y,
        Binary::Remainder if y == 0 => x,
        Binary::Remainder => x % y,
        Binary::Power if y < 0 => match x {
            1 => 1,
            -1 => 1 - 2 * (y & 1),
            _ => 0,
        },
        Binary::Power => (0..128).rev().fold(1i128, |p, bit| {
            let wrap = |v: i128| round(d, Value::I(v)).i();
            let square = wrap(p.wrapping_mul(p));
            if y >> bit & 1 == 1 { wrap(square.wrapping_mul(x)) } else { square }
        }),
        Binary::Maximum => x.max(y),
        Binary::Minimum => x.min(y),
        Binary::And => x & y,
        Binary::Or => x | y,
        Binary::Xor => x ^ y,
        Binary::ShiftLeft => {
            if by == width {
                0
            } else {
                x << by
            }
        }
        Binary::ShiftRightLogical => {
            if by == width {
                0
            } else {
                unsigned >> by
            }
        }
        Binary::ShiftRightArithmetic => signed >> by.min(width - 1),
        f => panic!("{f} of integers"),
    };
    round(d, Value::I(z))
}

pub fn compare(direction: Direction, total: bool, x: Value, y: Value) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match (x, y) {
        (Value::F(x), Value::F(y)) if total => Some(x.total_cmp(&y)),
        (Value::F(x), Value::F(y)) => x.partial_cmp(&y),
        (x, y) => Some(x.i().cmp(&y.i())),
    };
    match direction {
        Direction::Eq => order == Some(Equal),
        Direction::Ne => order != Some(Equal),
        Direction::Lt => order == Some(Less),
        Direction::Le => matches!(order, Some(Less | Equal)),
        Direction::Gt => order == Some(Greater),
        Direction::Ge => matches!(order, Some(Greater | Equal)),
    }
}

pub fn convert(from: DType, to: DType, x: Value) -> Value {
    if to == DType::Bool {
        return Value::I(i128::from(if from.is_float() { x.f() != 0.0 } else { x.i() != 0 }));
    }
    match (x, to.kind()) {
        (Value::F(x), ElementKind::Float) => {
            // A half is rounded once, from the value itself.
            round(to, Value::F(x))
        }
        (Value::I(x), ElementKind::Float) if to == DType::F32 => Value::F(f64::from(x as f32)),
        (Value::I(x), ElementKind::Float) => round(to, Value::F(x as f64)),
        (Value::F(x), _) => with_element!(to, T => Value::I(<T as Element>::from_f64(x).to_i128())),
        (x, _) => round(to, x),
    }
}

fn as_binary(f: LoopReducer) -> Binary {
    match f {
        LoopReducer::Add => Binary::Add,
        LoopReducer::Multiply => Binary::Multiply,
        LoopReducer::Maximum => Binary::Maximum,
        LoopReducer::Minimum => Binary::Minimum,
        LoopReducer::And => Binary::And,
        LoopReducer::Or => Binary::Or,
        LoopReducer::Xor => Binary::Xor,
    }
}

fn identity(f: LoopReducer, d: DType) -> Value {
    let float = d.is_float();
    let limit = |max: bool| {
        if d == DType::Bool {
            return Value::I(max.into());
        }
        let bits = 8 * d.size() as u32;
        Value::I(match (d.kind(), max) {
            (ElementKind::Unsigned, false) => 0,
            (ElementKind::Unsigned, true) => (1i128 << bits) - 1,
            (_, false) => -(1i128 << (bits - 1)),
            (_, true) => (1i128 << (bits - 1)) - 1,
        })
    };
    match f {
        LoopReducer::Add | LoopReducer::Or | LoopReducer::Xor => {
            if float {
                Value::F(0.0)
            } else {
                Value::I(0)
            }
        }
        LoopReducer::Multiply => {
            if float {
                Value::F(1.0)
            } else {
                Value::I(1)
            }
        }
        LoopReducer::And if d == DType::Bool => Value::I(1),
        LoopReducer::And => round(d, Value::I(-1)),
        LoopReducer::Maximum => {
            if float {
                Value::F(f64::NEG_INFINITY)
            } else {
                limit(false)
            }
        }
        LoopReducer::Minimum => {
            if float {
                Value::F(f64::INFINITY)
            } else {
                limit(true)
            }
        }
    }
}

/// The fold in the order that `LoopKernel` fixes.
pub fn fold(f: LoopReducer, d: DType, values: &[Value]) -> Value {
    let accumulate = if matches!(d, DType::BF16 | DType::F16) { DType::F32 } else { d };
    let op = |x, y| binary(as_binary(f), accumulate, x, y);
    fn go(values: &[Value], identity: Value, op: &dyn Fn(Value, Value) -> Value) -> Value {
        if values.len() > 4096 {
            let chunks: Vec<Value> = values.chunks(4096).map(|c| go(c, identity, op)).collect();
            return go(&chunks, identity, op);
        }
        let mut lanes = [identity; 16];
        for (i, &v) in values.iter().enumerate() {
            lanes[i % 16] = op(lanes[i % 16], v);
        }
        for width in [8, 4, 2, 1] {
            for i in 0..width {
                lanes[i] = op(lanes[i], lanes[i + width]);
            }
        }
        lanes[0]
    }
    let first = identity(f, d);
    let folded = match values.len() {
        0..=16 => values.iter().fold(first, |a, &x| op(a, x)),
        _ => go(values, first, &op),
    };
    round(d, folded)
}

fn element(map: &Map, rows: &[usize], col: usize) -> usize {
    let at = map.offset
        + map.col * col as i64
        + rows.iter().zip(&map.rows).map(|(&i, s)| i as i64 * s).sum::<i64>();
    usize::try_from(at).unwrap()
}

fn unravel(mut n: usize, extents: &[usize]) -> Vec<usize> {
    let mut index = vec![0; extents.len()];
    for (i, &e) in index.iter_mut().zip(extents).rev() {
        *i = n % e;
        n /= e;
    }
    index
}

/// The outputs of `kernel`; `outputs` are sized.
pub fn evaluate(kernel: &LoopKernel, inputs: &[Bytes], outputs: &mut [Bytes]) {
    let types = kernel.verify().unwrap();
    let outer: usize = kernel.outer.iter().product();
    let reduced: usize = kernel.reduce.iter().product();
    let cols = kernel.cols;
    for o in 0..outer {
        let outer_index = unravel(o, &kernel.outer);
        let rows: Vec<Vec<usize>> = (0..reduced)
            .map(|r| outer_index.iter().copied().chain(unravel(r, &kernel.reduce)).collect())
            .collect();
        // Every register as its values over (reduced, column); broadcast where its class is less.
        let mut regs: Vec<Vec<Value>> = Vec::new();
        for (i, inst) in kernel.body.iter().enumerate() {
            let dtype = types[i].0;
            let of = |r: jarrah_tile::Reg| types[r.index()].0;
            let at = |r: jarrah_tile::Reg, p: usize| regs[r.index()][p];
            let points = rows.iter().flat_map(|row| (0..cols).map(move |c| (row, c)));
            let map = |f: &dyn Fn(usize) -> Value| (0..reduced * cols).map(f).collect::<Vec<_>>();
            let values: Vec<Value> = match inst {
                Inst::Load { input, map, .. } => {
                    points.map(|(row, c)| get(&inputs[*input], dtype, element(map, row, c))).collect()
                }
                Inst::Const(ScalarBits { dtype, bits }) => map(&|_| decode(*dtype, *bits)),
                Inst::Iota { axis, .. } => points
                    .map(|(row, c)| {
                        let n = match axis {
                            Axis::Cols => c,
                            Axis::Row(d) => row[*d],
                        };
                        convert(DType::I64, dtype, Value::I(n as i128))
                    })
                    .collect(),
                Inst::Unary(f, x) => map(&|p| unary(*f, of(*x), at(*x, p))),
                Inst::Binary(f, x, y) => map(&|p| binary(*f, dtype, at(*x, p), at(*y, p))),
                Inst::Compare { direction, total, x, y } => {
                    map(&|p| Value::I(compare(*direction, *total, at(*x, p), at(*y, p)).into()))
                }
                Inst::Select { pred, on_true, on_false } => {
                    map(&|p| if at(*pred, p).i() != 0 { at(*on_true, p) } else { at(*on_false, p) })
                }
                Inst::Clamp { low, x, high } => map(&|p| {
                    let v = binary(Binary::Maximum, dtype, at(*x, p), at(*low, p));
                    binary(Binary::Minimum, dtype, v, at(*high, p))
                }),
                Inst::Convert(to, x) => map(&|p| convert(of(*x), *to, at(*x, p))),
                Inst::Bitcast(to, x) => map(&|p| decode(*to, encode(of(*x), at(*x, p)))),
                Inst::Reduce(f, x) if kernel.is_column() => {
                    let folded: Vec<Value> = (0..cols)
                        .map(|c| {
                            let column: Vec<Value> = (0..reduced).map(|r| at(*x, r * cols + c)).collect();
                            fold(*f, dtype, &column)
                        })
                        .collect();
                    (0..reduced.max(1) * cols).map(|p| folded[p % cols]).collect()
                }
                Inst::Reduce(f, x) => vec![fold(*f, dtype, &regs[x.index()]); cols.max(1)],
                Inst::ArgReduce { max, x } => {
                    let better =
                        |a: f64, b: f64| !b.is_nan() && (a.is_nan() || if *max { a > b } else { a < b });
                    let mut best = 0;
                    for c in 1..cols {
                        if better(at(*x, c).f(), at(*x, best).f()) {
                            best = c;
                        }
                    }
                    vec![Value::I(best as i128); cols]
                }
                Inst::Pick { x, index } => {
                    let c = at(*index, 0).i().clamp(0, cols as i128 - 1);
                    vec![at(*x, c as usize); cols]
                }
                Inst::Threefry { key, count } => {
                    map(&|p| threefry(key.map(|r| at(r, p)), count.map(|r| at(r, p)))[0])
                }
                Inst::Word1(t) => {
                    let Inst::Threefry { key, count } = &kernel.body[t.index()] else {
                        panic!("a word of nothing")
                    };
                    map(&|p| threefry(key.map(|r| at(r, p)), count.map(|r| at(r, p)))[1])
                }
            };
            regs.push(values);
        }
        for s in &kernel.stores {
            let class = types[s.value.index()].1;
            let row: Vec<usize> =
                outer_index.iter().copied().chain(kernel.reduce.iter().map(|_| 0)).collect();
            let count = if cols == 0 && class == Class::Row && s.map.col == 0 { 1 } else { cols };
            for (c, &v) in regs[s.value.index()].iter().enumerate().take(count) {
                set(&mut outputs[s.output], kernel.outputs[s.output], element(&s.map, &row, c), v);
            }
        }
    }
}

fn threefry(key: [Value; 2], count: [Value; 2]) -> [Value; 2] {
    let [k0, k1] = key.map(|v| v.i() as u32);
    let ks = [k0, k1, k0 ^ k1 ^ 0x1bd1_1bda];
    let [mut a, mut b] = count.map(|v| v.i() as u32);
    a = a.wrapping_add(ks[0]);
    b = b.wrapping_add(ks[1]);
    for (i, rotations) in
        [[13, 15, 26, 6], [17, 29, 16, 24], [13, 15, 26, 6], [17, 29, 16, 24], [13, 15, 26, 6]]
            .iter()
            .enumerate()
    {
        for &r in rotations {
            a = a.wrapping_add(b);
            b = b.rotate_left(r) ^ a;
        }
        a = a.wrapping_add(ks[(i + 1) % 3]);
        b = b.wrapping_add(ks[(i + 2) % 3]).wrapping_add(i as u32 + 1);
    }
    [Value::I(a.into()), Value::I(b.into())]
}
