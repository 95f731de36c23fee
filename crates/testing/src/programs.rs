//! Random programs over every op there is.
//!
//! The steps of a program are uses of ops taken from their examples, elementwise functions and products at any dtype they
//! accept. What an op takes is made of what earlier steps made, by converting, repeating and cutting it; so every op meets
//! values of every other, and every program verifies.

use jarrah_base::{DType, Element, ElementKind, Literal, Result, Type, with_element};
use jarrah_hlo::ops::{DotGeneral, Elementwise};
use jarrah_hlo::{Builder, Example, Op, Program, Value};

/// A generator of numbers: splitmix64.
pub struct Rng(u64);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

/// A tensor with elements in [-2, 2), small integers, or truth values.
///
/// # Errors
/// As [`Literal::zeros`].
pub fn random_literal(ty: Type, rng: &mut Rng) -> Result<Literal> {
    let mut literal = Literal::zeros(ty)?;
    let kind = ty.dtype().kind();
    with_element!(ty.dtype(), T => {
        for x in literal.as_mut_slice::<T>()? {
            let bits = rng.bits();
            *x = match kind {
                ElementKind::Bool => T::from_i128((bits & 1).into()),
                ElementKind::Signed => T::from_i128(i128::from(bits % 19) - 9),
                ElementKind::Unsigned => T::from_i128((bits % 10).into()),
                ElementKind::Float | ElementKind::Complex => {
                    <T as Element>::from_f64((bits >> 11) as f64 / (1u64 << 51) as f64 - 2.0)
                }
            };
        }
    });
    Ok(literal)
}

/// A program of about `steps` uses of ops, and arguments for it.
///
/// # Errors
/// None: an error is a defect of an op's inference.
pub fn random_program(seed: u64, steps: usize) -> Result<(Program, Vec<Literal>)> {
    let mut rng = Rng::new(seed);
    let examples: Vec<Example> = Op::examples().into_iter().filter(usable).collect();
    let mut b = Builder::new(format!("random_{seed}"));
    let mut pool = Vec::new();
    let mut arguments = Vec::new();
    for i in 0..2 + rng.below(3) {
        let dims: Vec<usize> = (0..rng.below(4)).map(|_| 1 + rng.below(5)).collect();
        let dtype = DType::ALL[rng.below(DType::ALL.len())];
        let ty = Type::tensor(dtype, dims);
        pool.push(b.param(ty, &format!("x{i}")));
        arguments.push(random_literal(ty, &mut rng)?);
    }
    for _ in 0..steps {
        let example = &examples[rng.below(examples.len())];
        let (op, types) = varied(example, &mut rng);
        let mut operands = Vec::new();
        for (literal, ty) in example.operands.iter().zip(types) {
            operands.push(if keeps_operands(&op) {
                b.constant(literal.clone())?
            } else {
                let from = pool[rng.below(pool.len())];
                adapted(&mut b, from, ty)?
            });
        }
        let results = b.push(op, &operands)?;
        pool.extend(results);
    }
    let count = pool.len().min(1 + rng.below(4));
    let results = pool.split_off(pool.len() - count);
    Ok((b.finish(&results)?, arguments))
}

/// The forward derivative of a backward rule has no value, and a check fails for other operands than those of its example.
fn usable(example: &Example) -> bool {
    !matches!(example.op, Op::CustomTangent(_) | Op::Assert(_))
}

/// A loop ends for the operands of its example, and perhaps for no others.
fn keeps_operands(op: &Op) -> bool {
    matches!(op, Op::While(_))
        || op.programs().iter().any(|p| p.instrs().iter().any(|i| keeps_operands(&i.op)))
}

/// The op of an example and the types it takes, others for elementwise functions and products now and then.
fn varied(example: &Example, rng: &mut Rng) -> (Op, Vec<Type>) {
    let types: Vec<Type> = example.operands.iter().map(Literal::ty).collect();
    if let Op::Elementwise(Elementwise { kind }) = &example.op {
        let dtype = DType::ALL[rng.below(DType::ALL.len())];
        if kind.accepts_dtype(dtype) {
            return (example.op.clone(), types.into_iter().map(|ty| ty.with_dtype(dtype)).collect());
        }
    }
    if let Op::DotGeneral(dot) = &example.op {
        let numbers: Vec<DType> = DType::ALL.into_iter().filter(|d| d.is_float() || d.is_integer()).collect();
        let dtype = numbers[rng.below(numbers.len())];
        let alike: Vec<DType> = numbers.into_iter().filter(|d| d.is_float() == dtype.is_float()).collect();
        let op = DotGeneral { out: alike[rng.below(alike.len())], ..DotGeneral::clone(dot) }.into();
        let operands: Vec<Type> = types.iter().map(|ty| ty.with_dtype(dtype)).collect();
        if Op::infer(&op, &operands).is_ok() {
            return (op, operands);
        }
    }
    (example.op.clone(), types)
}

/// A value of type `ty` made of the elements of another.
fn adapted(b: &mut Builder, value: Value, ty: Type) -> Result<Value> {
    let (have, want) = (b.ty(value).elements()?, ty.elements()?);
    if have == 0 || want == 0 {
        return b.zeros(ty);
    }
    let mut value = b.convert(value, ty.dtype())?;
    value = b.reshape(value, &[have])?;
    if have < want {
        let copies = want.div_ceil(have);
        value = b.concatenate(&vec![value; copies], 0)?;
    }
    value = b.slice_axis(value, 0, 0, want)?;
    b.reshape(value, &ty.dims())
}
