//! An attention in the place of a match.

use jarrah_base::{DType, Result, Type};
use jarrah_hlo::ops::{
    AttentionKind, AttentionMoves, AttentionOperand, Axes as Dimensions, BroadcastInDim, Comparison,
    ElementwiseKind,
};
use jarrah_hlo::{Builder, Operands, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::graph::Side;
use super::plan::{Count, Plan};
use super::space::{Axis, Layout};
use super::weights::{Cotangent, Output};

/// Makes the values of one attention in a new program, in which the old one's values are `map`.
pub(super) struct Emit<'a> {
    pub b: &'a mut Builder,
    pub plan: &'a Plan,
    pub map: &'a [Value],
}

/// The operands and results of the forward attention that the derivative needs.
pub(super) struct Done {
    operands: Operands,
    results: [Value; 2],
}

impl Emit<'_> {
    /// The attention.
    pub fn forward(&mut self) -> Result<Done> {
        let operands = self.operands()?;
        let results = self.b.push(self.plan.op.clone(), &operands)?;
        Ok(Done { operands, results: [results[0], results[1]] })
    }

    /// The value of the match's output.
    pub fn output(&mut self, done: &Done, output: &Output) -> Result<Value> {
        let [mut o, lse] = done.results;
        if self.plan.blind_is_nan {
            let lowest = self.b.full(self.b.ty(lse), f64::NEG_INFINITY)?;
            let blind = self.b.compare(Comparison::Eq, lse, lowest)?;
            let blind = self.b.broadcast_in_dim(blind, &self.b.ty(o).dims(), &[0, 1, 2])?;
            let nan = self.b.full(self.b.ty(o), f64::NAN)?;
            o = self.b.select(blind, nan, o)?;
        }
        o = self.times(o, output.factor)?;
        let axes = &self.plan.axes;
        let classes = [&axes.batch, &axes.queries, &axes.heads, &axes.value_width];
        self.put_back(o, &classes, &output.layout)
    }

    /// The values of the cotangents that the program computes.
    pub fn backward(&mut self, done: &Done) -> Result<FxHashMap<Value, Value>> {
        let (plan, axes) = (self.plan, &self.plan.axes);
        let backward = &plan.backward;
        let mut made = FxHashMap::default();
        let Some(given) = &backward.given else { return Ok(made) };
        let classes = [&axes.batch, &axes.queries, &axes.heads, &axes.value_width];
        let ct = self.whole(given, &classes)?;
        let ct = self.b.convert(ct, plan.dtype)?;
        let ct = self.times(ct, plan.output.as_ref().map_or(1.0, |output| output.factor))?;
        let ct_lse = self.b.zeros(self.b.ty(done.results[1]))?;
        let moves = AttentionMoves { bias: backward.of_bias.is_some(), sinks: false };
        let mut operands = done.operands.clone();
        operands.extend(done.results);
        operands.extend([ct, ct_lse]);
        let cts = self.b.push(plan.op.with_kind(AttentionKind::Transpose(moves)), &operands)?;
        let (scale, [by_q, by_k]) = (plan.op.scale(), plan.by);
        let [b, t, h, g] = [&axes.batch, &axes.queries, &axes.heads, &axes.groups];
        let q: [&Axis; 4] = [b, t, h, &axes.width];
        let k: [&Axis; 4] = [b, &axes.keys, g, &axes.width];
        let v: [&Axis; 4] = [b, &axes.keys, g, &axes.value_width];
        let all =
            [(&backward.of_q, q, scale / by_k), (&backward.of_k, k, scale / by_q), (&backward.of_v, v, 1.0)];
        // The program's cotangents are those of scaled queries and keys, made of scaled keys and queries.
        for ((cotangent, classes, by), &ct) in all.into_iter().zip(&cts) {
            if let Some(cotangent) = cotangent {
                let value = self.cotangent(ct, cotangent, cotangent.factor / by, &classes)?;
                made.insert(cotangent.value, value);
            }
        }
        if let (Some(cotangent), [(side, _)]) = (&backward.of_bias, &plan.biases[..]) {
            let present = plan.space.flat(&side.layout);
            let some = |class: &Axis| {
                if class.iter().any(|a| present.contains(a)) { class.clone() } else { Axis::new() }
            };
            let [b, h, t, s] = [&axes.batch, &axes.heads, &axes.queries, &axes.keys].map(some);
            let value = self.cotangent(cts[3], cotangent, cotangent.factor, &[&b, &h, &t, &s])?;
            made.insert(cotangent.value, value);
        }
        Ok(made)
    }

    fn cotangent(&mut self, ct: Value, to: &Cotangent, factor: f64, classes: &[&Axis]) -> Result<Value> {
        let ct = self.times(ct, factor)?;
        self.put_back(ct, classes, &to.layout)
    }

    fn operands(&mut self) -> Result<Operands> {
        let (plan, axes) = (self.plan, &self.plan.axes);
        let heads = [&axes.batch, &axes.queries, &axes.heads, &axes.width];
        let keys = [&axes.batch, &axes.keys, &axes.groups, &axes.width];
        let values = [&axes.batch, &axes.keys, &axes.groups, &axes.value_width];
        let pairs = [&axes.batch, &axes.heads, &axes.queries, &axes.keys];
        let mut operands = Operands::new();
        for operand in plan.op.inputs.list() {
            let value = match operand {
                AttentionOperand::Query => self.float(&plan.q, &heads)?,
                AttentionOperand::Key => self.float(&plan.k, &keys)?,
                AttentionOperand::Value => self.float(&plan.v, &values)?,
                AttentionOperand::Offset => self.count(&plan.offset)?,
                AttentionOperand::Lengths => match &plan.lengths {
                    Some(lengths) => self.count(lengths)?,
                    None => continue,
                },
                AttentionOperand::QuerySegments | AttentionOperand::KeySegments => {
                    let Some([of_queries, of_keys]) = &plan.segments else { continue };
                    let queries = operand == AttentionOperand::QuerySegments;
                    let side = if queries { of_queries } else { of_keys };
                    let along = if queries { &axes.queries } else { &axes.keys };
                    let value = self.whole(side, &[&axes.batch, along])?;
                    self.b.convert(value, DType::I32)?
                }
                AttentionOperand::Mask => self.mask(&pairs)?,
                AttentionOperand::Bias => self.bias(&pairs)?,
                AttentionOperand::Sinks => match &plan.sink {
                    Some((side, factor)) => {
                        let value = self.partial(side, &[&axes.batch, &axes.heads])?;
                        self.scaled(value, *factor)?
                    }
                    None => continue,
                },
                AttentionOperand::Multiplier => match &plan.multiplier {
                    Some(multiplier) => {
                        let value = self.partial(&multiplier.side, &pairs)?;
                        match multiplier.numbers {
                            None => self.b.convert(value, self.accumulator())?,
                            Some((on_true, on_false)) => {
                                let ty = self.b.ty(value).with_dtype(self.accumulator());
                                let (on_true, on_false) =
                                    (self.b.full(ty, on_true)?, self.b.full(ty, on_false)?);
                                self.b.select(value, on_true, on_false)?
                            }
                        }
                    }
                    None => continue,
                },
                AttentionOperand::KeyScales | AttentionOperand::ValueScales | AttentionOperand::Pages => {
                    continue;
                }
            };
            operands.push(value);
        }
        Ok(operands)
    }

    fn accumulator(&self) -> DType {
        if self.plan.dtype == DType::F64 { DType::F64 } else { DType::F32 }
    }

    /// `factor value`, in the type of scores unless the factor is 1.
    fn scaled(&mut self, value: Value, factor: f64) -> Result<Value> {
        let value = if factor == 1.0 { value } else { self.b.convert(value, self.accumulator())? };
        self.times(value, factor)
    }

    /// `factor value` in the value's own type.
    fn times(&mut self, value: Value, factor: f64) -> Result<Value> {
        if factor == 1.0 { Ok(value) } else { self.b.scale(value, factor) }
    }

    /// The conjunction of all truth values.
    fn mask(&mut self, pairs: &[&Axis; 4]) -> Result<Value> {
        let mut all = None;
        for (side, holds) in &self.plan.masks {
            let mut value = self.partial(side, pairs)?;
            if !holds {
                value = self.b.unary(ElementwiseKind::Not, value)?;
            }
            all = Some(match all {
                None => value,
                Some(all) => self.together(ElementwiseKind::And, all, value)?,
            });
        }
        match all {
            Some(all) => Ok(all),
            None => self.b.constant(jarrah_base::Literal::from_bools(&[1, 1, 1, 1], &[true])?),
        }
    }

    /// The sum of all biases.
    fn bias(&mut self, pairs: &[&Axis; 4]) -> Result<Value> {
        let mut all: Option<Value> = None;
        for (side, factor) in &self.plan.biases {
            let value = self.partial(side, pairs)?;
            let mut value = self.scaled(value, *factor)?;
            all = Some(match all {
                None => value,
                Some(mut all) => {
                    let acc = self.accumulator();
                    (all, value) = (self.b.convert(all, acc)?, self.b.convert(value, acc)?);
                    self.together(ElementwiseKind::Add, all, value)?
                }
            });
        }
        match all {
            Some(all) => Ok(all),
            None => self.b.zeros(Type::tensor(self.accumulator(), [1, 1, 1, 1])),
        }
    }

    /// Two values whose extents may be one where the other's are not.
    fn together(&mut self, kind: ElementwiseKind, x: Value, y: Value) -> Result<Value> {
        let dims: Vec<usize> =
            self.b.ty(x).extents().zip(self.b.ty(y).extents()).map(|(a, b)| a.max(b)).collect();
        let axes: Vec<usize> = (0..dims.len()).collect();
        let x = self.b.broadcast_in_dim(x, &dims, &axes)?;
        let y = self.b.broadcast_in_dim(y, &dims, &axes)?;
        self.b.binary(kind, x, y)
    }

    /// One integer of each sequence.
    fn count(&mut self, count: &Count) -> Result<Value> {
        let batch = &self.plan.axes.batch;
        let ty = Type::tensor(DType::I32, [self.plan.space.size(batch)]);
        let plus = i32::try_from(count.plus).unwrap_or(i32::MAX);
        let plus =
            self.b.constant(jarrah_base::Literal::from_i128s(ty, &vec![i128::from(plus); ty.dim(0)])?)?;
        let Some(side) = &count.side else { return Ok(plus) };
        let value = self.whole(side, &[batch])?;
        if count.plus == 0 { Ok(value) } else { self.b.add(value, plus) }
    }

    /// A float operand in the attention's element type.
    fn float(&mut self, side: &Side, classes: &[&Axis]) -> Result<Value> {
        let value = self.whole(side, classes)?;
        self.b.convert(value, self.plan.dtype)
    }

    /// A value with one dimension for each class of atoms.
    fn whole(&mut self, side: &Side, classes: &[&Axis]) -> Result<Value> {
        self.arranged(side, classes, true)
    }

    /// As [`whole`](Self::whole), with extent one for a class of which the value has no atom.
    fn partial(&mut self, side: &Side, classes: &[&Axis]) -> Result<Value> {
        self.arranged(side, classes, false)
    }

    fn arranged(&mut self, side: &Side, classes: &[&Axis], whole: bool) -> Result<Value> {
        let space = &self.plan.space;
        let value = self.map[side.value.index()];
        let has: Axis = side.layout.iter().flat_map(|axis| space.axis(axis)).collect();
        let extents = |atoms: &[usize]| -> Vec<usize> { atoms.iter().map(|&a| space.extent(a)).collect() };
        let value = self.b.reshape(value, &extents(&has))?;
        let wanted: Axis = classes
            .iter()
            .filter(|class| whole || class.iter().any(|a| has.contains(a)))
            .flat_map(|class| class.iter().copied())
            .collect();
        let order: Vec<usize> = wanted.iter().filter_map(|a| has.iter().position(|b| a == b)).collect();
        let value = self.b.transpose(value, &order)?;
        let axes: Dimensions =
            order.iter().filter_map(|&i| wanted.iter().position(|&a| a == has[i])).collect();
        let dims = extents(&wanted);
        let value = if axes.len() == dims.len() {
            value
        } else {
            self.b.one(BroadcastInDim { dims: SmallVec::from_slice(&dims), axes }, &[value])?
        };
        let merged: Vec<usize> = classes
            .iter()
            .map(|class| if whole || class.iter().any(|a| has.contains(a)) { space.size(class) } else { 1 })
            .collect();
        self.b.reshape(value, &merged)
    }

    /// A value with one dimension for each class of atoms as the program had it, with this layout.
    fn put_back(&mut self, value: Value, classes: &[&Axis], layout: &Layout) -> Result<Value> {
        let space = &self.plan.space;
        let has: Axis = classes.iter().flat_map(|class| class.iter().copied()).collect();
        let layout: Layout = space.now(layout);
        let wanted: Axis = layout.iter().flat_map(|axis| axis.iter().copied()).collect();
        let extents: Vec<usize> = has.iter().map(|&a| space.extent(a)).collect();
        let value = self.b.reshape(value, &extents)?;
        let order: Vec<usize> = wanted.iter().filter_map(|a| has.iter().position(|b| a == b)).collect();
        let value = self.b.transpose(value, &order)?;
        let dims: Vec<usize> = layout.iter().map(|axis| space.size(axis)).collect();
        self.b.reshape(value, &dims)
    }
}
