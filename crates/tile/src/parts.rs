use jarrah_base::{DType, Literal, Result, Type, work};
use smallvec::SmallVec;

use jarrah_hlo::Builder;
use jarrah_hlo::Op;
use jarrah_hlo::family;
use jarrah_hlo::ops::{Comparison, Constant, Convert, ElementwiseKind, Iota, Reducer};
use jarrah_hlo::{Instr, Program, Value};

/// A program over the parts of complex numbers.
pub struct ProgramInParts {
    /// The program. In the place of each complex parameter and result it has two, the real part and the imaginary one.
    pub program: Program,
    /// The parts of each complex value.
    pub pairs: Vec<[Value; 2]>,
}

/// Whether [`parts`] has a definition of `op` where it takes or gives complex numbers.
pub fn has_parts(op: &Op) -> bool {
    use ElementwiseKind as K;
    match op {
        Op::Elementwise(op) => matches!(
            op.kind,
            K::Add | K::Subtract | K::Multiply | K::Square | K::Negate | K::Conj | K::Maximum | K::Minimum
        ),
        Op::Reduce(reduce) => matches!(reduce.reducer, Reducer::Add),
        Op::Complex(_)
        | Op::Real(_)
        | Op::Imag(_)
        | Op::Compare(_)
        | Op::Select(_)
        | Op::Clamp(_)
        | Op::Convert(_)
        | family!(Source)
        | family!(Movement) => true,
        _ => false,
    }
}

/// `program` over the parts of its complex numbers, with the same bits; `None` where it has an op over complex numbers
/// without a definition over their parts.
///
/// # Errors
/// As [`Builder::push`].
pub fn parts(program: &Program) -> Result<Option<ProgramInParts>> {
    let mut b = Builder::new(program.name());
    let mut pairs = Vec::new();
    let mut known: Vec<Number> = Vec::with_capacity(program.value_count());
    for ty in program.param_types() {
        known.push(if ty.dtype().is_complex() {
            let part = ty.with_dtype(ty.dtype().real());
            Number::Complex([b.param(part, ""), b.param(part, "")])
        } else {
            Number::Other(b.param(ty, ""))
        });
    }
    for instr in program.instrs() {
        work::step(1 + instr.operands.len());
        b.set_source(instr.source);
        let operands: SmallVec<[Number; 4]> = instr.operands.iter().map(|v| known[v.index()]).collect();
        let is_complex = |v: Value| program.ty(v).dtype().is_complex();
        let touches = instr.operands.iter().copied().chain(instr.results()).any(is_complex);
        if !touches && !matches!(instr.op, Op::Real(_) | Op::Imag(_)) {
            let operands: SmallVec<[Value; 4]> = operands.into_iter().map(Number::real).collect();
            known.extend(b.copy(program, instr, &operands).into_iter().map(Number::Other));
            continue;
        }
        if !has_parts(&instr.op) {
            return Ok(None);
        }
        let ty = program.ty(instr.result());
        known.push(define(&mut b, instr, &operands, ty)?);
    }
    let mut results: Vec<Value> = Vec::new();
    for result in program.results() {
        match known[result.index()] {
            Number::Complex(parts) => results.extend(parts),
            Number::Other(value) => results.push(value),
        }
    }
    pairs.extend(known.into_iter().filter_map(|number| match number {
        Number::Complex(pair) => Some(pair),
        Number::Other(_) => None,
    }));
    Ok(Some(ProgramInParts { program: b.finish(&results)?, pairs }))
}

/// A value of the program over parts.
#[derive(Clone, Copy)]
enum Number {
    Complex([Value; 2]),
    Other(Value),
}

impl Number {
    /// The real part; other numbers are their own.
    fn real(self) -> Value {
        match self {
            Number::Complex([re, _]) | Number::Other(re) => re,
        }
    }

    fn parts(self) -> [Value; 2] {
        match self {
            Number::Complex(parts) => parts,
            Number::Other(value) => [value; 2],
        }
    }
}

/// The definition over parts of an op that takes or gives complex numbers; its result has type `ty`.
fn define(b: &mut Builder, instr: &Instr, operands: &[Number], ty: Type) -> Result<Number> {
    let part = ty.with_dtype(ty.dtype().real());
    let pair = |i: usize| operands[i].parts();
    Ok(Number::Complex(match &instr.op {
        Op::Complex(_) => [operands[0].real(), operands[1].real()],
        Op::Real(_) => return Ok(Number::Other(operands[0].real())),
        Op::Imag(_) => {
            return Ok(Number::Other(match operands[0] {
                Number::Complex([_, im]) => im,
                Number::Other(_) => b.zeros(ty)?,
            }));
        }
        Op::Constant(constant) => {
            let values = constant.value.to_c128_vec();
            let mut of = |f: fn(&jarrah_base::c128) -> f64| {
                let values: Vec<f64> = values.iter().map(f).collect();
                b.one(Constant { value: Literal::from_f64s(part, &values)? }, &[])
            };
            [of(|z| z.re)?, of(|z| z.im)?]
        }
        Op::Iota(iota) => [b.one(Iota { ty: part, ..Iota::clone(iota) }, &[])?, b.zeros(part)?],
        Op::Convert(convert) => {
            let to = convert.to.real();
            let mut of = |value| b.one(Convert { to }, &[value]);
            match operands[0] {
                Number::Complex([re, _]) if !ty.dtype().is_complex() => return Ok(Number::Other(of(re)?)),
                Number::Complex([re, im]) => [of(re)?, of(im)?],
                Number::Other(x) => [of(x)?, b.zeros(part)?],
            }
        }
        Op::Compare(op) => return Ok(Number::Other(compare(b, op.comparison, pair(0), pair(1))?)),
        Op::Select(_) => choose(b, operands[0].real(), pair(1), pair(2))?,
        Op::Clamp(_) => {
            let raised = extreme(b, Comparison::Gt, pair(1), pair(0))?;
            extreme(b, Comparison::Lt, raised, pair(2))?
        }
        Op::Elementwise(op) => elementwise(b, op.kind, operands)?,
        // What moves numbers, or adds them, does so part by part.
        op => {
            let mut each = |i: usize| {
                let parts: SmallVec<[Value; 4]> = operands.iter().map(|number| number.parts()[i]).collect();
                b.one(op.clone(), &parts)
            };
            [each(0)?, each(1)?]
        }
    }))
}

fn elementwise(b: &mut Builder, kind: ElementwiseKind, operands: &[Number]) -> Result<[Value; 2]> {
    use ElementwiseKind as K;
    let [x, y] = operands[0].parts();
    let other = || operands[1].parts();
    Ok(match kind {
        K::Maximum => extreme(b, Comparison::Gt, [x, y], other())?,
        K::Minimum => extreme(b, Comparison::Lt, [x, y], other())?,
        K::Conj => [x, b.neg(y)?],
        K::Multiply => multiply(b, [x, y], other())?,
        K::Square => square(b, [x, y])?,
        _ => {
            let mut each = |i: usize| {
                let parts: SmallVec<[Value; 2]> = operands.iter().map(|number| number.parts()[i]).collect();
                match parts[..] {
                    [x] => b.unary(kind, x),
                    [x, y, ..] => b.binary(kind, x, y),
                    [] => b.unary(kind, x),
                }
            };
            [each(0)?, each(1)?]
        }
    })
}

/// The product, computed in `f64` and rounded once.
fn multiply(b: &mut Builder, z: [Value; 2], w: [Value; 2]) -> Result<[Value; 2]> {
    let dtype = b.ty(z[0]).dtype();
    let [x, y] = wide(b, z)?;
    let [u, v] = wide(b, w)?;
    let (xu, yv, xv, yu) = (b.mul(x, u)?, b.mul(y, v)?, b.mul(x, v)?, b.mul(y, u)?);
    let parts = [b.sub(xu, yv)?, b.add(xv, yu)?];
    rounded(b, parts, dtype)
}

/// `(x + iy)^2 = (x - y)(x + y) + 2ixy`, computed in `f64` and rounded once.
fn square(b: &mut Builder, z: [Value; 2]) -> Result<[Value; 2]> {
    let dtype = b.ty(z[0]).dtype();
    let [x, y] = wide(b, z)?;
    let (less, more) = (b.sub(x, y)?, b.add(x, y)?);
    let re = b.mul(less, more)?;
    let [width, height] = [b.unary(ElementwiseKind::Abs, x)?, b.unary(ElementwiseKind::Abs, y)?];
    let same = b.compare(Comparison::Eq, width, height)?;
    let infinity = b.full(b.ty(x), f64::INFINITY)?;
    let finite = b.compare(Comparison::Lt, width, infinity)?;
    let nothing = b.binary(ElementwiseKind::And, same, finite)?;
    let zeros = b.zeros(b.ty(x))?;
    let re = b.select(nothing, zeros, re)?;
    let product = b.mul(x, y)?;
    let im = b.add(product, product)?;
    rounded(b, [re, im], dtype)
}

fn wide(b: &mut Builder, [x, y]: [Value; 2]) -> Result<[Value; 2]> {
    Ok([b.convert(x, DType::F64)?, b.convert(y, DType::F64)?])
}

fn rounded(b: &mut Builder, [x, y]: [Value; 2], dtype: DType) -> Result<[Value; 2]> {
    Ok([b.convert(x, dtype)?, b.convert(y, dtype)?])
}

fn and(b: &mut Builder, x: Value, y: Value) -> Result<Value> {
    b.binary(ElementwiseKind::And, x, y)
}

fn or(b: &mut Builder, x: Value, y: Value) -> Result<Value> {
    b.binary(ElementwiseKind::Or, x, y)
}

/// By the real parts, and where these are equal by the imaginary ones; with a NaN in any part only `Ne` holds.
fn compare(b: &mut Builder, comparison: Comparison, z: [Value; 2], w: [Value; 2]) -> Result<Value> {
    let mut parts = |comparison| -> Result<[Value; 2]> {
        Ok([b.compare(comparison, z[0], w[0])?, b.compare(comparison, z[1], w[1])?])
    };
    let strict = match comparison {
        Comparison::Eq => {
            let [re, im] = parts(Comparison::Eq)?;
            return and(b, re, im);
        }
        Comparison::Ne => {
            let [re, im] = parts(Comparison::Ne)?;
            return or(b, re, im);
        }
        Comparison::Lt | Comparison::Le => Comparison::Lt,
        Comparison::Gt | Comparison::Ge => Comparison::Gt,
    };
    let [decided, _] = parts(strict)?;
    let [same, _] = parts(Comparison::Eq)?;
    let [_, holds] = parts(comparison)?;
    // Numbers are those that equal themselves.
    let known = [b.compare(Comparison::Eq, z[1], z[1])?, b.compare(Comparison::Eq, w[1], w[1])?];
    let known = and(b, known[0], known[1])?;
    let decided = and(b, decided, known)?;
    let then = and(b, same, holds)?;
    or(b, decided, then)
}

/// The one of two that stands so to the other; what has a NaN wins.
fn extreme(b: &mut Builder, wanted: Comparison, z: [Value; 2], w: [Value; 2]) -> Result<[Value; 2]> {
    let first = compare(b, wanted, z, w)?;
    let nan = compare(b, Comparison::Ne, z, z)?;
    let first = or(b, first, nan)?;
    choose(b, first, z, w)
}

fn choose(b: &mut Builder, predicate: Value, z: [Value; 2], w: [Value; 2]) -> Result<[Value; 2]> {
    Ok([b.select(predicate, z[0], w[0])?, b.select(predicate, z[1], w[1])?])
}
