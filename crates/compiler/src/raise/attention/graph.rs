//! A program as values with definitions and users, and small questions about values.

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::ElementwiseKind;
use jarrah_hlo::{Instr, Op, Program, Value};
use smallvec::SmallVec;

use super::space::{self, Layout, Space};

/// How far from a value a question looks: programs that people write need far less.
pub(super) const DEPTH: usize = 24;

/// A value that is no part of the chain of scores, and its layout.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Side {
    pub value: Value,
    pub layout: Layout,
}

pub(super) struct Graph<'p> {
    pub program: &'p Program,
    definitions: Vec<Option<usize>>,
    users: Vec<SmallVec<[usize; 2]>>,
    returned: Vec<bool>,
}

impl<'p> Graph<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut users = vec![SmallVec::new(); program.value_count()];
        for (index, instr) in program.instrs().iter().enumerate() {
            for value in &instr.operands {
                let list: &mut SmallVec<[usize; 2]> = &mut users[value.index()];
                if list.last() != Some(&index) {
                    list.push(index);
                }
            }
        }
        let mut returned = vec![false; program.value_count()];
        program.results().iter().for_each(|v| returned[v.index()] = true);
        Graph { program, definitions: program.definitions(), users, returned }
    }

    pub fn ty(&self, value: Value) -> Type {
        self.program.ty(value)
    }

    /// The number of the instruction that makes a value.
    pub fn index(&self, value: Value) -> Option<usize> {
        self.definitions[value.index()]
    }

    pub fn instr(&self, value: Value) -> Option<&'p Instr> {
        Some(&self.program.instrs()[self.index(value)?])
    }

    /// The instructions that read a value.
    pub fn users(&self, value: Value) -> &[usize] {
        &self.users[value.index()]
    }

    /// Whether the program returns a value.
    pub fn is_returned(&self, value: Value) -> bool {
        self.returned[value.index()]
    }

    /// The operand of an elementwise function of one.
    pub fn unary(&self, value: Value, kind: ElementwiseKind) -> Option<Value> {
        let instr = self.instr(value)?;
        matches!(&instr.op, Op::Elementwise(op) if op.kind == kind).then(|| instr.operands[0])
    }

    /// The number that all elements of a value have, if constants tell it.
    pub fn scalar(&self, value: Value) -> Option<f64> {
        self.scalar_within(value, 10)
    }

    fn scalar_within(&self, value: Value, depth: usize) -> Option<f64> {
        let (instr, depth) = (self.instr(value)?, depth.checked_sub(1)?);
        let dtype = self.ty(value).dtype();
        if dtype.is_complex() {
            return None;
        }
        let of = |i: usize| self.scalar_within(instr.operands[i], depth);
        let exact = match &instr.op {
            Op::Constant(constant) => return Some(constant.value.splat()?.get_f64(0)),
            Op::BroadcastInDim(_) | Op::Reshape(_) | Op::TransposeAxes(_) | Op::Slice(_) => return of(0),
            Op::Convert(_) => of(0)?,
            Op::Elementwise(op) if dtype.is_float() => match op.kind {
                ElementwiseKind::Sqrt => of(0)?.sqrt(),
                ElementwiseKind::Rsqrt => 1.0 / of(0)?.sqrt(),
                ElementwiseKind::Negate => -of(0)?,
                ElementwiseKind::Add => of(0)? + of(1)?,
                ElementwiseKind::Subtract => of(0)? - of(1)?,
                ElementwiseKind::Multiply => of(0)? * of(1)?,
                ElementwiseKind::Divide => of(0)? / of(1)?,
                ElementwiseKind::Power => of(0)?.powf(of(1)?),
                _ => return None,
            },
            _ => return None,
        };
        Some(rounded(exact, dtype))
    }

    /// The value `x` and the factor `c` if a float is `c x`, with `c` a finite constant other than zero.
    pub fn multiple(&self, value: Value) -> Option<(Value, f64)> {
        let instr = self.instr(value)?;
        let Op::Elementwise(op) = &instr.op else { return None };
        self.ty(value).dtype().is_float().then_some(())?;
        let constant = |at: usize| self.scalar(*instr.operands.get(at)?);
        let (at, factor) = match op.kind {
            ElementwiseKind::Multiply => match constant(1) {
                Some(c) => (0, c),
                None => (1, constant(0)?),
            },
            ElementwiseKind::Divide => (0, 1.0 / constant(1)?),
            ElementwiseKind::Negate => (0, -1.0),
            _ => return None,
        };
        (factor.is_finite() && factor != 0.0).then(|| (instr.operands[at], factor))
    }

    /// The value that `value` is a view of, transposed, reshaped, or repeated, and its layout.
    pub fn peel(&self, space: &mut Space, value: Value, layout: Layout) -> (Value, Layout) {
        self.peel_if(space, value, layout, true)
    }

    /// As [`peel`](Self::peel), stopping at a repetition.
    pub fn peel_whole(&self, space: &mut Space, value: Value, layout: Layout) -> (Value, Layout) {
        self.peel_if(space, value, layout, false)
    }

    fn peel_if(
        &self,
        space: &mut Space,
        mut value: Value,
        mut layout: Layout,
        repeated: bool,
    ) -> (Value, Layout) {
        for _ in 0..DEPTH {
            let Some(instr) = self.instr(value) else { break };
            let from = || self.ty(instr.operands[0]);
            let before = match &instr.op {
                Op::TransposeAxes(op) => Some(space::before_transpose(&layout, &op.permutation)),
                Op::Reshape(_) => space.reshape(&layout, &from().dims()),
                Op::BroadcastInDim(op)
                    if repeated || from().elements().ok() == self.ty(value).elements().ok() =>
                {
                    Some(space::before_broadcast(&layout, &op.axes, &from().dims()))
                }
                Op::OptimizationBarrier(_) if instr.operands.len() == 1 => Some(layout.clone()),
                _ => None,
            };
            let Some(before) = before else { break };
            (value, layout) = (instr.operands[0], before);
        }
        (value, layout)
    }
}

/// A number as an element type holds it.
pub(super) fn rounded(x: f64, dtype: DType) -> f64 {
    Literal::full(Type::scalar(dtype), x).map_or(x, |literal| literal.get_f64(0))
}
