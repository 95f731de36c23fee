//! Running programs by the reference evaluator, in doubles.

use jarrah_base::{DType, Literal, Result, Type, c128};
use jarrah_hlo::ops::{Constant, Convert, Convolution, CustomTangent, DotGeneral, Iota, Kernel};
use jarrah_hlo::{Builder, Op, Program, Value};
use jarrah_hlo_eval::evaluate;

/// Evenly spread numbers in [-1, 1) from a multiplicative sequence.
pub struct Spread(u64);

impl Spread {
    pub fn new(seed: u64) -> Self {
        Spread(seed.wrapping_mul(2) | 1)
    }

    pub fn next(&mut self) -> f64 {
        self.bits() as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 8) as usize % n
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 11
    }

    pub fn tensor(&mut self, ty: Type) -> Literal {
        let mut literal = Literal::zeros(ty).unwrap();
        if ty.dtype().is_complex() {
            let values: Vec<c128> = (0..literal.len()).map(|_| c128::new(self.next(), self.next())).collect();
            return Literal::from_c128s(ty, &values).unwrap();
        }
        let values: Vec<f64> = (0..literal.len()).map(|_| self.next()).collect();
        fill(&mut literal, &values);
        literal
    }
}

pub fn fill(literal: &mut Literal, values: &[f64]) {
    jarrah_base::with_element!(literal.dtype(), T => {
        if literal.dtype() == DType::Bool { return; }
        for (to, &from) in literal.as_mut_slice::<T>().unwrap().iter_mut().zip(values) {
            *to = <T as jarrah_base::Element>::from_f64(from);
        }
    });
}

pub fn run(program: &Program, args: &[Literal]) -> Vec<Literal> {
    evaluate(program, args).unwrap_or_else(|e| panic!("{e}\n{program:?}"))
}

/// `x + h t`.
pub fn moved(x: &Literal, t: &Literal, h: f64) -> Literal {
    let values: Vec<c128> = x.to_c128_vec().iter().zip(t.to_c128_vec()).map(|(x, t)| x + t * h).collect();
    Literal::from_c128s(x.ty(), &values).unwrap()
}

/// The sum of the products of corresponding elements, or of its real part: how cotangents pair with tangents.
pub fn inner(a: &[Literal], b: &[Literal]) -> f64 {
    assert_eq!(a.len(), b.len());
    let products = a.iter().zip(b).flat_map(|(a, b)| {
        assert_eq!(a.ty(), b.ty());
        a.to_c128_vec().into_iter().zip(b.to_c128_vec())
    });
    products.map(|(a, b)| (a * b).re).sum()
}

pub fn close(what: &str, a: &Literal, b: &Literal, tolerance: f64) {
    assert_eq!(a.ty(), b.ty(), "{what}");
    let near = |a: f64, b: f64| {
        a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
    };
    for (i, (a, b)) in a.to_c128_vec().into_iter().zip(b.to_c128_vec()).enumerate() {
        assert!(near(a.re, b.re) && near(a.im, b.im), "{what}: element {i}: {a} against {b}");
    }
}

/// The element `k` of a batch.
pub fn element(batch: &Literal, k: usize) -> Literal {
    let ty = batch.ty().without_leading();
    let size = ty.bytes().unwrap();
    Literal::from_bytes(ty, &batch.bytes()[k * size..(k + 1) * size]).unwrap()
}

/// The batch of these elements.
pub fn stacked(elements: &[Literal]) -> Literal {
    let bytes: Vec<u8> = elements.iter().flat_map(|e| e.bytes().to_vec()).collect();
    Literal::from_bytes(elements[0].ty().with_leading(elements.len()), &bytes).unwrap()
}

fn wide(ty: Type) -> Type {
    ty.with_dtype(wide_dtype(ty.dtype()))
}

fn wide_dtype(dtype: DType) -> DType {
    match dtype {
        DType::F32 => DType::F64,
        DType::C64 => DType::C128,
        other => other,
    }
}

pub fn wide_literal(literal: &Literal) -> Literal {
    match wide(literal.ty()) {
        ty if ty == literal.ty() => literal.clone(),
        ty => Literal::from_c128s(ty, &literal.to_c128_vec()).unwrap(),
    }
}

/// The program with doubles for singles.
pub fn widened(program: &Program) -> Result<Program> {
    let mut b = Builder::new(program.name());
    let mut map: Vec<Value> = program.param_types().into_iter().map(|ty| b.param(wide(ty), "")).collect();
    for instr in program.instrs() {
        let programs: Result<Vec<_>> = instr.op.programs().iter().map(|p| Ok(widened(p)?.into())).collect();
        let op = match instr.op.with_programs(&programs?) {
            Op::Constant(c) => Constant { value: wide_literal(&c.value) }.into(),
            Op::Iota(i) => Iota { ty: wide(i.ty), ..Iota::clone(&i) }.into(),
            Op::Convert(c) => Convert { to: wide_dtype(c.to) }.into(),
            Op::Convolution(c) => Convolution { out: wide_dtype(c.out), ..Convolution::clone(&c) }.into(),
            Op::DotGeneral(d) => DotGeneral { out: wide_dtype(d.out), ..DotGeneral::clone(&d) }.into(),
            Op::CustomTangent(c) => CustomTangent {
                results: c.results.iter().map(|&t| wide(t)).collect(),
                ..CustomTangent::clone(&c)
            }
            .into(),
            Op::Kernel(k) => {
                let mut kernel = Kernel::clone(&k);
                kernel.outputs.iter_mut().for_each(|output| output.ty = wide(output.ty));
                kernel.scratch.iter_mut().for_each(|ty| *ty = wide(*ty));
                kernel.into()
            }
            op => op,
        };
        let operands: Vec<Value> = instr.operands.iter().map(|v| map[v.index()]).collect();
        map.extend(b.push(op, &operands)?);
    }
    let results: Vec<Value> = program.results().iter().map(|v| map[v.index()]).collect();
    b.finish(&results)
}
