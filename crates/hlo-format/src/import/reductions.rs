use jarrah_base::Result;
use jarrah_hlo::ops::{
    Axes, BroadcastInDim, Elementwise, ElementwiseKind, Iota, Reduce, Reducer, Slice, Sort, SortOrder,
};
use jarrah_hlo::{Op as Operation, Program, ProgramRef};
use smallvec::SmallVec;

use super::Importer;
use super::block::{Block, Bound, Outcome, all};
use crate::ast::{Attribute, Op, Signature, Use};
use crate::same::same_expressions;
use crate::{names, templates};

/// Comparators of more operands than this are not tried for every number of keys.
const MAX_KEYS: usize = 16;

/// The elementwise function of two scalars that a program applies to its parameters, in either order.
pub(super) fn folds_with(program: &Program) -> Option<ElementwiseKind> {
    let ([instr], [result], 2) = (program.instrs(), program.results(), program.params().len()) else {
        return None;
    };
    let Operation::Elementwise(Elementwise { kind }) = instr.op else { return None };
    let (x, y) = (program.param(0), program.param(1));
    let operands = &instr.operands[..];
    let both = operands == [x, y] || operands == [y, x] && templates::reducer(kind).is_some();
    (both && instr.result() == *result).then_some(kind)
}

impl<'a, 't> Importer<'a, 't> {
    pub(super) fn reduce(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let mut axes = self.sizes(op, &["dimensions"])?;
        axes.sort_unstable();
        let count = op.operands.len() / 2;
        if !op.operands.len().is_multiple_of(2) || count == 0 {
            return Err(self.fail(op, "takes tensors and as many initial values"));
        }
        if let Some(applied) = op.attribute("applies") {
            let Attribute::Word(name) = applied else { return Err(self.fail(op, "`applies` names an op")) };
            let kind = names::elementwise(name).filter(|&k| templates::reducer(k).is_some() && count == 1);
            let kind = kind.ok_or_else(|| self.fail(op, format!("cannot reduce with {name}")))?;
            return self.fold(block, op, kind, axes);
        }
        let region = self.only_region(op)?;
        let body = self.closed(block, op, region)?;
        let general = self.flag(op, "jarrah.general")?;
        if count == 1
            && !general
            && let Some(kind) = folds_with(&body).filter(|&k| templates::reducer(k).is_some())
        {
            return self.fold(block, op, kind, axes);
        }
        if count == 2
            && !general
            && let Some(outcome) = self.arg_reduce(block, op, &body, &axes)?
        {
            return Ok(outcome);
        }
        let operands = self.operands(block, op)?;
        let reduce = Reduce { reducer: Reducer::General(body), axes };
        Ok(all(&self.push(block, op, reduce, &operands)?))
    }

    /// A reduction of one tensor by an elementwise function, with any initial value.
    fn fold(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &'a Op<'t>,
        kind: ElementwiseKind,
        axes: Axes,
    ) -> Result<Outcome> {
        let [tensor, init] = op.operands[..] else {
            return Err(self.fail(op, "takes a tensor and an initial value"));
        };
        let x = self.value(block, op, tensor)?;
        let ty = block.b.ty(x);
        let scalar = jarrah_base::Type::scalar(ty.dtype());
        let reducer = templates::reducer(kind).ok_or_else(|| self.fail(op, "cannot reduce with this op"))?;
        let constant = self.constant_of(block, init);
        let neutral = match &constant {
            Some(constant) => {
                *constant == templates::identity(kind, ty.dtype()).map_err(|e| self.refused(op, &e))?
            }
            None => false,
        };
        let reduced = self.one(block, op, Reduce { reducer, axes }, &[x])?;
        if neutral {
            self.absorb(block, init);
            return Ok(all(&[reduced]));
        }
        let init = self.value(block, op, init)?;
        if block.b.ty(init) != scalar {
            return Err(self.fail(op, format!("the initial value is {}, not {scalar}", block.b.ty(init))));
        }
        let mut start = init;
        let dims = block.b.ty(reduced).dims();
        if !dims.is_empty() {
            let broadcast = BroadcastInDim { dims: SmallVec::from_slice(dims), axes: SmallVec::new() };
            start = self.one(block, op, broadcast, &[init])?;
        }
        Ok(all(&[self.one(block, op, Elementwise { kind }, &[start, reduced])?]))
    }

    /// The reduction of values and positions that finds the largest or smallest value, if it is that.
    fn arg_reduce(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &'a Op<'t>,
        body: &ProgramRef,
        axes: &Axes,
    ) -> Result<Option<Outcome>> {
        let ([tensor, positions, init, first], &[axis]) = (&op.operands[..], &axes[..]) else {
            return Ok(None);
        };
        let Signature::Function(types, _) = &op.signature else { return Ok(None) };
        let [value_type, index_type, ..] = types[..] else { return Ok(None) };
        let (value, index) = (value_type.dtype(), index_type.dtype());
        if !index.is_integer() {
            return Ok(None);
        }
        let is = |largest: bool| {
            templates::arg_reducer(largest, value, index).is_ok_and(|t| same_expressions(body, &t))
        };
        let (largest, kind) = match (is(true), is(false)) {
            (true, _) => (true, ElementwiseKind::Maximum),
            (_, true) => (false, ElementwiseKind::Minimum),
            _ => return Ok(None),
        };
        let neutral = templates::identity(kind, value).map_err(|e| self.refused(op, &e))?;
        let starts_low = self.constant_of(block, *init) == Some(neutral);
        let starts_first =
            self.constant_of(block, *first).is_some_and(|c| c.len() == 1 && c.get_i128(0) == 0);
        if !starts_low || !starts_first || !self.counts_along(block, *positions, axis) {
            return Ok(None);
        }
        let x = self.value(block, op, *tensor)?;
        let mut result = [None, None];
        let used: Vec<bool> = (0..2).map(|i| self.is_used(op, i)).collect();
        if used[0] {
            let reducer = if largest { Reducer::Max } else { Reducer::Min };
            result[0] = Some(self.one(block, op, Reduce { reducer, axes: axes.clone() }, &[x])?);
        }
        if used[1] || !used[0] {
            let reducer = if largest { Reducer::ArgMax(index) } else { Reducer::ArgMin(index) };
            result[1] = Some(self.one(block, op, Reduce { reducer, axes: axes.clone() }, &[x])?);
        }
        for needless in [positions, init, first] {
            self.absorb(block, *needless);
        }
        Ok(Some(result.into_iter().collect()))
    }

    /// Whether the result `index` of an op is used anywhere.
    fn is_used(&self, op: &Op<'t>, index: u32) -> bool {
        let mut names =
            op.results.iter().flat_map(|&(name, count)| (0..count).map(move |index| Use { name, index }));
        let used = self.active.last().map(|(_, used)| used);
        names.nth(index as usize).is_some_and(|name| used.is_some_and(|u| u.contains(&name)))
    }

    /// Whether a name stands for the positions along an axis.
    fn counts_along(&self, block: &Block<'a, 't>, used: Use<'t>, axis: usize) -> bool {
        match block.names.get(&used) {
            Some(Bound::Value(value)) => {
                let definition = block.b.definition(*value).map(|i| &i.op);
                matches!(definition, Some(Operation::Iota(Iota { axis: along, .. })) if *along == axis)
            }
            Some(Bound::Implied(op)) => {
                op.name == "stablehlo.iota"
                    && self.size(op, &["dim", "iota_dimension"]).is_ok_and(|along| along == axis)
            }
            _ => false,
        }
    }

    pub(super) fn sort(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let operands = self.operands(block, op)?;
        let region = self.only_region(op)?;
        let comparator = self.closed(block, op, region)?;
        let axis = self.size(op, &["dimension"])?;
        let stable = self.flag(op, "is_stable")?;
        let dtypes: Vec<_> = operands.iter().map(|&v| block.b.ty(v).dtype()).collect();
        let mut order = None;
        let most = if self.flag(op, "jarrah.general")? { 0 } else { dtypes.len().min(MAX_KEYS) };
        'search: for keys in 1..=most {
            for descending in [false, true] {
                let template = templates::comparator(&dtypes, keys, descending);
                if template.is_ok_and(|t| same_expressions(&comparator, &t)) {
                    order = Some(match descending {
                        false => SortOrder::Ascending { keys },
                        true => SortOrder::Descending { keys },
                    });
                    break 'search;
                }
            }
        }
        let order = order.unwrap_or(SortOrder::General(comparator));
        Ok(all(&self.push(block, op, Sort { axis, stable, order }, &operands)?))
    }

    /// The `k` largest elements along the last axis, and their positions.
    pub(super) fn top_k(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let k = self.size(op, &["k"])?;
        let index = self.result_type(op)?.dtype();
        let ty = block.b.ty(x);
        let Some(axis) = ty.rank().checked_sub(1) else {
            return Err(self.fail(op, "the operand is a scalar"));
        };
        let positions = self.one(block, op, Iota { ty: ty.with_dtype(index), axis }, &[])?;
        let sort = Sort { axis, stable: true, order: SortOrder::Descending { keys: 1 } };
        let sorted = self.push(block, op, sort, &[x, positions])?;
        let mut limits = jarrah_base::concrete(ty.dims()).map_err(|e| self.refused(op, &e))?;
        limits[axis] = k;
        let (starts, strides) = (limits.iter().map(|_| 0).collect(), limits.iter().map(|_| 1).collect());
        let slice = Slice { starts, limits, strides };
        let mut results = Vec::new();
        for value in sorted {
            results.push(self.one(block, op, slice.clone(), &[value])?);
        }
        Ok(all(&results))
    }
}
