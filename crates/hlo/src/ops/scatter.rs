use std::sync::Arc;

use jarrah_base::{DType, Dims, Error, Result, Type, elements};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::dynamic::limits_like;
use super::gather::{Addressing, positions, shifted, with_leading_axis};
use super::reduce::{addition, check_body};
use super::{Axes, BroadcastInDim, Comparison, Reduce, Reducer, Reshape, check};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::Value;
use crate::rules::*;

/// Operand 0 with slices of operand 2 combined into it at the positions that operand 1 holds, in update order.
///
/// With a program for a combination there may be `n` tensors, then the positions, then `n` updates, and `n` results.
/// Updates that would reach outside are dropped. The attributes are those of `stablehlo.scatter`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Scatter {
    /// Update axes that run within a window (`update_window_dims`).
    pub window_axes: Axes,
    /// Operand axes that windows lack (`inserted_window_dims`).
    pub inserted_axes: Axes,
    /// Operand axes that run along with indices axes (`input_batching_dims`).
    pub operand_batch_axes: Axes,
    /// The axes of the indices that run along with `operand_batch_axes` (`scatter_indices_batching_dims`).
    pub indices_batch_axes: Axes,
    /// Which operand axis each component of an index vector addresses (`scatter_dims_to_operand_dims`).
    pub index_map: Axes,
    /// The axis of the indices that holds the components; the rank where they are scalars (`index_vector_dim`).
    pub index_vector_axis: usize,
    /// A promise that the indices are sorted (`indices_are_sorted`).
    pub sorted: bool,
    /// A promise that no position occurs twice (`unique_indices`).
    pub unique: bool,
    /// How an update is combined with what is there.
    pub update: Update,
}

/// How a scattered value is combined with what is there.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Update {
    /// It replaces it.
    Assign,
    /// They are reduced.
    Reduce(Reducer),
}

impl Scatter {
    /// `operand[indices]` combined with `updates`: the slices along axis 0 that [`super::Gather::rows`] reads.
    pub fn rows(operand: Type, indices: Type, update: Update) -> Scatter {
        let window = operand.rank().saturating_sub(1);
        Scatter {
            window_axes: (indices.rank()..indices.rank() + window).collect(),
            inserted_axes: smallvec![0],
            operand_batch_axes: Axes::new(),
            indices_batch_axes: Axes::new(),
            index_map: smallvec![0],
            index_vector_axis: indices.rank(),
            sorted: false,
            unique: false,
            update,
        }
    }

    /// Operand axes that run within a window.
    fn window_operand_axes(&self, rank: usize) -> Axes {
        (0..rank)
            .filter(|a| !self.inserted_axes.contains(a) && !self.operand_batch_axes.contains(a))
            .collect()
    }

    /// The extent of a window along each operand axis.
    pub fn window_sizes(&self, operand: Type, updates: Type) -> Dims {
        let mut sizes: Dims = operand.extents().map(|extent| extent.min(1)).collect();
        for (&axis, &update_axis) in self.window_operand_axes(operand.rank()).iter().zip(&self.window_axes) {
            sizes[axis] = updates.dim(update_axis);
        }
        sizes
    }

    /// The elements of `operand` at the place of each update; zero for updates that are dropped.
    fn read_back(&self, b: &mut Builder, operand: Value, indices: Value, updates: Type) -> Result<Value> {
        let operand_ty = b.ty(operand);
        let gather = super::Gather::inverse(self, operand_ty, updates);
        let gathered = b.one(gather, &[operand, indices])?;
        let inside = self.inside(b, operand_ty, indices, updates)?;
        let zeros = b.zeros(b.ty(gathered))?;
        b.select(inside, gathered, zeros)
    }

    /// For each element of the updates whether its window lies inside the operand.
    fn inside(&self, b: &mut Builder, operand: Type, indices: Value, updates: Type) -> Result<Value> {
        let sizes = self.window_sizes(operand, updates);
        let limits: Dims = self.index_map.iter().map(|&axis| operand.dim(axis) - sizes[axis]).collect();
        let indices_ty = b.ty(indices);
        let high = limits_like(b, indices, self.index_vector_axis, &limits)?;
        let low = b.zeros(indices_ty)?;
        let clamped = b.one(super::Clamp, &[low, indices, high])?;
        let mut inside = b.compare(Comparison::Eq, clamped, indices)?;
        if self.index_vector_axis < indices_ty.rank() {
            inside =
                b.one(Reduce { reducer: Reducer::And, axes: smallvec![self.index_vector_axis] }, &[inside])?;
        }
        let axes = (0..updates.rank()).filter(|a| !self.window_axes.contains(a)).collect();
        b.one(BroadcastInDim { dims: updates.dims(), axes }, &[inside])
    }

    fn combining(&self, reducer: Reducer) -> Scatter {
        Scatter { update: Update::Reduce(reducer), ..self.clone() }
    }

    /// `jvp` where the op is jointly linear in the operand and the updates.
    fn linear_jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let operand = cx.tangents[0].instantiate(cx.b)?;
        let updates = cx.tangents[2].instantiate(cx.b)?;
        let tangent = cx.b.one(self.clone(), &[operand, cx.operands[1], updates])?;
        Ok(Jvp::Tangents(vec![Tangent::Value(tangent)]))
    }

    /// `jvp` of a replacement where positions may occur twice.
    ///
    /// The updates are numbered from 1, and the scattered numbers say which update stands where; only winners, and
    /// operand elements that nothing replaced, pass their tangents on.
    fn assign_jvp(&self, cx: &mut JvpCx<'_>) -> Result<Tangent> {
        let (operand, indices) = (cx.ty(0), cx.operands[1]);
        let updates = cx.ty(2);
        let mut id_dims = updates.dims();
        for &axis in &self.window_axes {
            id_dims[axis] = 1;
        }
        let count = elements(&id_dims)?;
        let b = &mut *cx.b;
        let ids = b.iota(Type::tensor(DType::U32, [count]), 0)?;
        let one = b.full(Type::tensor(DType::U32, [count]), 1.0)?;
        let ids = b.add(ids, one)?;
        let ids = b.one(Reshape { dims: id_dims }, &[ids])?;
        let ids =
            b.one(BroadcastInDim { dims: updates.dims(), axes: (0..updates.rank()).collect() }, &[ids])?;
        let nobody = b.zeros(operand.with_dtype(DType::U32))?;
        let winners = b.one(self.clone(), &[nobody, indices, ids])?;
        let kept = b.compare(Comparison::Eq, winners, nobody)?;
        let winner = self.read_back(b, winners, indices, updates.with_dtype(DType::U32))?;
        let won = b.compare(Comparison::Eq, winner, ids)?;
        let zeros = b.zeros(operand)?;
        let from_operand = match cx.tangents[0] {
            Tangent::Zero(_) => zeros,
            Tangent::Value(t) => b.select(kept, t, zeros)?,
        };
        let Tangent::Value(t) = cx.tangents[2] else {
            return Ok(Tangent::Value(from_operand));
        };
        let none = b.zeros(updates)?;
        let from_updates = b.select(won, t, none)?;
        let sum = b.one(self.combining(Reducer::Add), &[from_operand, indices, from_updates])?;
        Ok(Tangent::Value(sum))
    }

    /// `jvp` of a product: linear in the operand; for updates that meet nowhere, `x * scatter(0, t)`.
    fn mul_jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let [operand, indices, updates] = *cx.operands else {
            return Err(Error::internal("a scatter without three operands"));
        };
        let mut sum = None;
        if let Tangent::Value(t) = cx.tangents[0] {
            sum = Some(cx.b.one(self.clone(), &[t, indices, updates])?);
        }
        if let Tangent::Value(t) = cx.tangents[2] {
            if !self.unique {
                return Ok(Jvp::Refuse(
                    "the product scattered to positions that may occur twice has no derivative in the updates; \
                     promise unique positions",
                ));
            }
            let zeros = cx.b.zeros(cx.b.ty(operand))?;
            let placed = cx.b.one(self.combining(Reducer::Add), &[zeros, indices, t])?;
            let term = cx.b.mul(operand, placed)?;
            sum = Some(match sum {
                Some(sum) => cx.b.add(sum, term)?,
                None => term,
            });
        }
        let tangent = sum.map_or(Tangent::Zero(cx.ty(0)), Tangent::Value);
        Ok(Jvp::Tangents(vec![tangent]))
    }

    /// `jvp` of the largest or smallest: shared equally among everything that attains it.
    fn extremum_jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let result = cx.result()?;
        let (operand_ty, updates_ty) = (cx.ty(0), cx.ty(2));
        let [operand, indices, updates] = *cx.operands else {
            return Err(Error::internal("a scatter without three operands"));
        };
        let b = &mut *cx.b;
        let attained = b.compare(Comparison::Eq, operand, result)?;
        let there = self.read_back(b, result, indices, updates_ty)?;
        let equal = b.compare(Comparison::Eq, updates, there)?;
        let inside = self.inside(b, operand_ty, indices, updates_ty)?;
        let none = b.zeros(updates_ty.with_dtype(DType::Bool))?;
        let attains = b.select(inside, equal, none)?;

        let add = self.combining(Reducer::Add);
        let (zeros, no_updates) = (b.zeros(operand_ty)?, b.zeros(updates_ty)?);
        let attained_count = b.convert(attained, operand_ty.dtype())?;
        let attains_count = b.convert(attains, operand_ty.dtype())?;
        let count = b.one(add.clone(), &[attained_count, indices, attains_count])?;
        let from_operand = match cx.tangents[0] {
            Tangent::Zero(_) => zeros,
            Tangent::Value(t) => b.select(attained, t, zeros)?,
        };
        let from_updates = match cx.tangents[2] {
            Tangent::Zero(_) => no_updates,
            Tangent::Value(t) => b.select(attains, t, no_updates)?,
        };
        let sum = b.one(add, &[from_operand, indices, from_updates])?;
        let tangent = b.div(sum, count)?;
        Ok(Jvp::Tangents(vec![Tangent::Value(tangent)]))
    }
}

impl Rules for Scatter {
    fn name(&self) -> &'static str {
        "scatter"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let inputs = operands.len() / 2;
        if inputs <= 1 || !matches!(self.update, Update::Reduce(Reducer::General(_))) {
            check::tensors(operands, &["operand", "indices", "updates"])?;
        }
        if operands.len() != 2 * inputs + 1 {
            let found = operands.len();
            return Err(Error::program(format!(
                "takes operands, indices and as many updates as operands, {found} were given together"
            )));
        }
        let (operand, indices, updates) = (operands[0], operands[inputs], operands[inputs + 1]);
        for i in 1..inputs {
            let (other, update) = (operands[i], operands[inputs + 1 + i]);
            if !other.same_dims(operand) || !update.same_dims(updates) {
                return Err(Error::program(format!(
                    "shapes differ: operand 0 is {operand}, operand {i} is {other}, updates 0 are {updates}, \
                     updates {i} are {update}"
                )));
            }
            check::same_dtype(&format!("operand {i}"), other, &format!("updates {i}"), update)?;
        }
        check::same_dtype("operand", operand, "updates", updates)?;
        let addressing = Addressing {
            dropped: ("inserted_axes", &self.inserted_axes),
            operand_batch: &self.operand_batch_axes,
            indices_batch: &self.indices_batch_axes,
            index_map: &self.index_map,
            vector_axis: self.index_vector_axis,
        };
        addressing.check(operand, indices)?;
        let windowed = self.window_operand_axes(operand.rank());
        if windowed.len() != self.window_axes.len() {
            return Err(Error::program(format!(
                "windows cover axes {} of operand {operand}, window_axes {} place {}",
                check::list(&windowed),
                check::list(&self.window_axes),
                self.window_axes.len()
            )));
        }
        let updates_text = format!("updates {updates}");
        check::increasing("window_axes", &self.window_axes)?;
        check::axes("window_axes", &self.window_axes, updates.rank(), &updates_text)?;
        let batch: Dims = addressing.batch_dims(indices).collect();
        if updates.rank() != batch.len() + windowed.len() {
            return Err(Error::program(format!(
                "{updates_text} need {} axes: {} of indices {indices} and {} of windows of operand {operand}",
                batch.len() + windowed.len(),
                batch.len(),
                windowed.len()
            )));
        }
        let (mut batch, mut windowed) = (batch.into_iter(), windowed.into_iter());
        for (axis, dim) in updates.extents().enumerate() {
            if !self.window_axes.contains(&axis) {
                let expected =
                    batch.next().ok_or_else(|| Error::internal("an axis of the updates too many"))?;
                if dim != expected {
                    let text =
                        format!("{updates_text} axis {axis} is {dim}, indices {indices} give {expected}");
                    return Err(Error::program(text));
                }
            } else if let Some(operand_axis) = windowed.next() {
                let bound = operand.dim(operand_axis);
                if dim > bound {
                    return Err(Error::program(format!(
                        "{updates_text} axis {axis} is {dim}, operand {operand} has {bound} along axis {operand_axis}"
                    )));
                }
            }
        }
        match &self.update {
            Update::Assign => {}
            Update::Reduce(Reducer::General(body)) => {
                let scalars: TypeVec = operands[..inputs].iter().map(|ty| Type::scalar(ty.dtype())).collect();
                let takes: TypeVec = scalars.iter().chain(&scalars).copied().collect();
                check_body(body, &takes, &scalars)?;
            }
            Update::Reduce(reducer) => reducer.check(operand)?,
        }
        if let Update::Reduce(Reducer::ArgMax(_) | Reducer::ArgMin(_)) = self.update {
            return Err(Error::program("positions of extrema cannot be scattered"));
        }
        Ok(operands[..inputs].into())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        match &self.update {
            Update::Reduce(Reducer::Add) => self.linear_jvp(cx),
            Update::Assign if self.unique => self.linear_jvp(cx),
            Update::Assign => Ok(Jvp::Tangents(vec![self.assign_jvp(cx)?])),
            Update::Reduce(Reducer::Mul) => self.mul_jvp(cx),
            Update::Reduce(Reducer::Max | Reducer::Min) => self.extremum_jvp(cx),
            Update::Reduce(Reducer::General(_)) => {
                Ok(Jvp::Refuse("a scatter that combines by a program has no derivative"))
            }
            Update::Reduce(
                Reducer::And | Reducer::Or | Reducer::Xor | Reducer::ArgMax(_) | Reducer::ArgMin(_),
            ) => Ok(Jvp::Zero),
        }
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let (ct, indices, updates) = (cx.cotangent()?, cx.known(1)?, cx.ty(2));
        let to_operand = match &self.update {
            Update::Reduce(Reducer::Add) => Some(ct),
            Update::Assign if self.unique => {
                let zeros = cx.b.zeros(updates)?;
                Some(cx.b.one(self.clone(), &[ct, indices, zeros])?)
            }
            Update::Reduce(Reducer::Mul) if !cx.is_linear(2) => {
                let updates = cx.known(2)?;
                Some(cx.b.one(self.clone(), &[ct, indices, updates])?)
            }
            Update::Assign => {
                return Ok(Transpose::Refuse("positions may occur twice, so which update stays is unknown"));
            }
            Update::Reduce(_) => return Ok(Transpose::Refuse("a scatter that does not add is not linear")),
        };
        let to_updates =
            if cx.is_linear(2) { Some(self.read_back(cx.b, ct, indices, updates)?) } else { None };
        Ok(Transpose::Cotangents(vec![to_operand.filter(|_| cx.is_linear(0)), None, to_updates]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let inputs = cx.operands.len() / 2;
        let indices = cx.operands[inputs];
        let mut operands = Vec::with_capacity(cx.operands.len());
        for i in 0..cx.operands.len() {
            operands.push(if i == inputs { indices.value } else { cx.batched(i)? });
        }
        let mut scatter = Scatter {
            inserted_axes: shifted(&self.inserted_axes),
            operand_batch_axes: shifted(&self.operand_batch_axes),
            index_map: shifted(&self.index_map),
            ..self.clone()
        };
        if indices.batched {
            scatter.window_axes = shifted(&self.window_axes);
            scatter.operand_batch_axes.insert(0, 0);
            scatter.indices_batch_axes = with_leading_axis(&self.indices_batch_axes);
            scatter.index_vector_axis += 1;
            scatter.sorted = false;
        } else {
            scatter.window_axes = with_leading_axis(&self.window_axes);
        }
        let results = cx.b.push(scatter, &operands)?;
        Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
    }

    pure!(Save);
    keeps_precision!();

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        let tensors = cx.operands.len() / 2;
        let (of, updates) = (cx.b.ty(cx.operands[0]), cx.b.ty(cx.operands[tensors + 1]));
        let mut windows = self.window_axes.iter().map(|&axis| updates.dim(axis));
        let mut sizes = Axes::new();
        for axis in 0..of.rank() {
            let inserted = self.inserted_axes.contains(&axis) || self.operand_batch_axes.contains(&axis);
            sizes.push(if inserted { 1 } else { windows.next().unwrap_or(1) });
        }
        let last: Axes =
            self.index_map.iter().map(|&axis| of.dim(axis).saturating_sub(sizes[axis])).collect();
        positions(cx, cx.operands[tensors], of, self.index_vector_axis, (&self.index_map, &last))?;
        Ok(Checked::Numbers)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let inputs = cx.operands.len() / 2;
        let (operand, indices, updates) = (cx.operands[0], cx.operands[inputs], cx.operands[inputs + 1]);
        // Windows as long as an axis that no index addresses.
        let is_covered = |operand: RowGrowth, updates: RowGrowth| {
            let windowed = self.window_operand_axes(cx.types[0][0].rank());
            let window = windowed.iter().position(|&axis| axis == operand.axis).map(|i| self.window_axes[i]);
            window == Some(updates.axis)
                && operand.each == updates.each
                && !self.index_map.contains(&operand.axis)
        };
        Ok(match (operand, indices, updates) {
            (_, Some(_), _) if self.sorted || self.unique => {
                Rows::Refuse("its positions are promised to be sorted or unique")
            }
            (Some(operand), Some(_), Some(_)) if self.operand_batch_axes.contains(&operand.axis) => {
                Rows::Alike
            }
            (Some(operand), None, Some(updates)) if is_covered(operand, updates) => Rows::Alike,
            _ => Rows::Refuse("it writes rows by their position, or combines them"),
        })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let flops = match self.update {
            Update::Assign => 0,
            Update::Reduce(_) => results.len() * operands[operands.len() / 2 + 1].elements()?,
        };
        Cost::new(flops as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "A tensor with slices of another combined into it at given positions; what would reach outside \
                      is dropped.",
            source: "StableHLO specification, scatter",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        match &self.update {
            Update::Reduce(Reducer::General(body)) => smallvec![body],
            _ => SmallVec::new(),
        }
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        match (&self.update, programs) {
            (Update::Reduce(Reducer::General(_)), [body]) => self.combining(Reducer::General(body.clone())),
            _ => self.clone(),
        }
    }

    fn examples() -> Vec<Example> {
        let table = || varied(&[5, 3], -1.0, 1.0);
        let updates = || varied(&[4, 3], 1.5, 2.5);
        let rows = Scatter {
            window_axes: smallvec![1],
            inserted_axes: smallvec![0],
            operand_batch_axes: smallvec![],
            indices_batch_axes: smallvec![],
            index_map: smallvec![0],
            index_vector_axis: 1,
            sorted: false,
            unique: false,
            update: Update::Reduce(Reducer::Add),
        };
        let with = |unique, update| Scatter { unique, update, ..rows.clone() };
        let twice = || ints(&[4, 1], &[3, 0, 3, 1]);
        let once = || ints(&[4, 1], &[3, 0, 4, 1]);
        let outside = || ints(&[4], &[3, -1, 5, 1]);
        let reduce = Update::Reduce;
        let points = Scatter {
            window_axes: smallvec![],
            inserted_axes: smallvec![0, 1],
            index_map: smallvec![1, 0],
            index_vector_axis: 0,
            ..rows.clone()
        };
        let windows = Scatter {
            window_axes: smallvec![0, 2],
            inserted_axes: smallvec![],
            index_map: smallvec![0, 1],
            ..rows.clone()
        };
        let batched = Scatter {
            window_axes: smallvec![2],
            inserted_axes: smallvec![1],
            operand_batch_axes: smallvec![0],
            indices_batch_axes: smallvec![1],
            index_map: smallvec![1],
            index_vector_axis: 2,
            ..rows.clone()
        };
        let integers = || vec![ints(&[3], &[6, 5, 4]), ints(&[2, 1], &[2, 0]), ints(&[2], &[3, 3])];
        let bits = |reducer| Scatter { window_axes: smallvec![], ..with(false, reduce(reducer)) };
        let out = Scatter { index_vector_axis: 1, ..rows.clone() };
        let assign_out = Scatter { update: Update::Assign, ..out.clone() };
        vec![
            Example::new("add rows", rows.clone(), vec![table(), twice(), updates()]),
            Example::new("add outside", out, vec![table(), outside(), updates()]),
            Example::new(
                "add points",
                points,
                vec![table(), ints(&[2, 3], &[0, 2, 2, 4, 0, 1]), varied(&[3], 1.0, 2.0)],
            ),
            Example::new(
                "add windows",
                windows,
                vec![table(), ints(&[3, 2], &[0, 0, 3, 1, 4, 2]), varied(&[2, 3, 2], 1.0, 2.0)],
            ),
            Example::new(
                "batch axes",
                batched,
                vec![
                    varied(&[2, 4, 3], -1.0, 1.0),
                    ints(&[3, 2, 1], &[0, 3, 1, 1, 0, 3]),
                    varied(&[3, 2, 2], 1.0, 2.0),
                ],
            ),
            Example::new("assign once", with(true, Update::Assign), vec![table(), once(), updates()]),
            Example::new("assign twice", with(false, Update::Assign), vec![table(), twice(), updates()]),
            Example::new("assign outside", assign_out, vec![table(), outside(), updates()]),
            Example::new("multiply", with(true, reduce(Reducer::Mul)), vec![table(), once(), updates()]),
            Example::new("largest", with(false, reduce(Reducer::Max)), vec![table(), twice(), updates()]),
            Example::new("smallest", with(false, reduce(Reducer::Min)), vec![table(), twice(), updates()]),
            Example::new("conjunction", bits(Reducer::And), integers()),
            Example::new("disjunction", bits(Reducer::Or), integers()),
            Example::new("exclusive or", bits(Reducer::Xor), integers()),
            Example::new("by a program", bits(Reducer::General(addition(DType::I32))), integers()),
            Example::new(
                "two at once by a program",
                bits(Reducer::General(crossed())),
                vec![
                    ints(&[3], &[6, 5, 4]),
                    varied(&[3], 0.0, 1.0),
                    ints(&[2, 1], &[2, 2]),
                    ints(&[2], &[3, 7]),
                    varied(&[2], 1.0, 2.0),
                ],
            ),
        ]
    }
}

/// The sum of two integers, and of two floats the one whose integer is larger, as a program.
fn crossed() -> ProgramRef {
    let build = || -> Result<crate::program::Program> {
        let (n, x) = (Type::scalar(DType::I32), Type::scalar(DType::F32));
        let mut b = Builder::new("crossed");
        let [i, v, j, w] = [n, x, n, x].map(|ty| b.param(ty, ""));
        let larger = b.compare(Comparison::Gt, i, j)?;
        let (sum, chosen) = (b.add(i, j)?, b.select(larger, v, w)?);
        b.finish(&[sum, chosen])
    };
    Arc::new(build().expect("invariant: the operands are numbers"))
}
