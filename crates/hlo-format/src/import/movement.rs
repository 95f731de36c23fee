use jarrah_base::Result;
use jarrah_hlo::ops::{
    Axes, BroadcastInDim, Concatenate, DotGeneral, DynamicSlice, DynamicUpdateSlice, Gather, Pad, Reshape,
    Reverse, Slice, TransposeAxes,
};
use smallvec::SmallVec;

use super::Importer;
use super::block::{Block, Outcome, all};
use crate::ast::{Attribute, Op};

impl<'a, 't> Importer<'a, 't> {
    pub(super) fn broadcast_in_dim(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [mut x] = self.some_operands(block, op)?;
        let mut axes: Axes = self.sizes(op, &["dims", "broadcast_dimensions"])?;
        // Here the axes of the operand keep their order; StableHLO may permute them on the way.
        if !axes.is_sorted() && axes.len() == block.b.ty(x).rank() {
            let mut permutation: Axes = (0..axes.len()).collect();
            permutation.sort_by_key(|&i| axes[i]);
            x = self.one(block, op, TransposeAxes { permutation }, &[x])?;
            axes.sort_unstable();
        }
        let dims = SmallVec::from_slice(self.result_type(op)?.dims());
        Ok(all(&[self.one(block, op, BroadcastInDim { dims, axes }, &[x])?]))
    }

    pub(super) fn reshape(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let dims = SmallVec::from_slice(self.result_type(op)?.dims());
        Ok(all(&[self.one(block, op, Reshape { dims }, &[x])?]))
    }

    pub(super) fn transpose(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let permutation = self.sizes(op, &["dims", "permutation"])?;
        Ok(all(&[self.one(block, op, TransposeAxes { permutation }, &[x])?]))
    }

    pub(super) fn reverse(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let mut axes: Axes = self.sizes(op, &["dims", "dimensions"])?;
        axes.sort_unstable();
        Ok(all(&[self.one(block, op, Reverse { axes }, &[x])?]))
    }

    pub(super) fn slice(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let starts = self.sizes(op, &["start_indices"])?;
        let limits = self.sizes(op, &["limit_indices"])?;
        let strides = self.sizes(op, &["strides"])?;
        Ok(all(&[self.one(block, op, Slice { starts, limits, strides }, &[x])?]))
    }

    pub(super) fn pad(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x, padding] = self.some_operands(block, op)?;
        let low: SmallVec<[i64; 6]> = self.numbers(op, &["low", "edge_padding_low"])?.into();
        let high: SmallVec<[i64; 6]> = self.numbers(op, &["high", "edge_padding_high"])?.into();
        let interior = self.sizes(op, &["interior", "interior_padding"])?;
        let dims = block.b.ty(x).dims();
        for (axis, (dim, &between)) in dims.iter().zip(&interior).enumerate() {
            // Extents and numbers are below 2^40, so only this product can be too large.
            let extent = dim.constant().unwrap_or(0) as u128 * (between as u128 + 1);
            if extent > 1 << 50 {
                return Err(self.fail(op, format!("axis {axis} becomes too large")));
            }
        }
        Ok(all(&[self.one(block, op, Pad { low, high, interior }, &[x, padding])?]))
    }

    pub(super) fn concatenate(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let operands = self.operands(block, op)?;
        let axis = self.size(op, &["dim", "dimension"])?;
        Ok(all(&[self.one(block, op, Concatenate { axis }, &operands)?]))
    }

    pub(super) fn dynamic_slice(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let operands = self.operands(block, op)?;
        let sizes = self.sizes(op, &["sizes", "slice_sizes"])?;
        Ok(all(&[self.one(block, op, DynamicSlice { sizes }, &operands)?]))
    }

    pub(super) fn dynamic_update_slice(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &'a Op<'t>,
    ) -> Result<Outcome> {
        let operands = self.operands(block, op)?;
        Ok(all(&[self.one(block, op, DynamicUpdateSlice, &operands)?]))
    }

    pub(super) fn gather(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [operand, indices] = self.some_operands(block, op)?;
        let numbers = self.structure(op, "dimension_numbers")?;
        let gather = Gather {
            offset_axes: self.axes(op, numbers, &["offset_dims"])?,
            collapsed_axes: self.axes(op, numbers, &["collapsed_slice_dims"])?,
            operand_batch_axes: self.axes(op, numbers, &["operand_batching_dims"])?,
            indices_batch_axes: self.axes(op, numbers, &["start_indices_batching_dims"])?,
            index_map: self.axes(op, numbers, &["start_index_map"])?,
            index_vector_axis: self.optional_size(op, numbers, &["index_vector_dim"])?.unwrap_or(0),
            sizes: self.sizes(op, &["slice_sizes"])?,
            sorted: self.flag(op, "indices_are_sorted")?,
        };
        Ok(all(&[self.one(block, op, gather, &[operand, indices])?]))
    }

    pub(super) fn dot_general(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [lhs, rhs] = self.some_operands(block, op)?;
        if op.attribute("algorithm").is_some() {
            return Err(self.fail(op, "an algorithm for the contraction is not supported"));
        }
        let out = self.result_type(op)?.dtype();
        let dot = match op.attribute("dot_dimension_numbers") {
            Some(Attribute::Fields(fields)) => DotGeneral {
                lhs_batch: self.axes(op, fields, &["lhs_batching_dimensions"])?,
                rhs_batch: self.axes(op, fields, &["rhs_batching_dimensions"])?,
                lhs_contract: self.axes(op, fields, &["lhs_contracting_dimensions"])?,
                rhs_contract: self.axes(op, fields, &["rhs_contracting_dimensions"])?,
                out,
            },
            _ => {
                let (lhs_batch, rhs_batch) = self.axis_pair(op, "batching_dims")?;
                let (lhs_contract, rhs_contract) = self.axis_pair(op, "contracting_dims")?;
                DotGeneral { lhs_batch, rhs_batch, lhs_contract, rhs_contract, out }
            }
        };
        Ok(all(&[self.one(block, op, dot, &[lhs, rhs])?]))
    }

    /// `name = [0] x [1]`; two empty lists if it is not there.
    fn axis_pair(&self, op: &'a Op<'t>, name: &'t str) -> Result<(Axes, Axes)> {
        let Some(attribute) = op.attribute(name) else { return Ok((Axes::new(), Axes::new())) };
        let Attribute::Pair(pair) = attribute else {
            return Err(self.fail(op, format!("`{name}` has one list for each side, with `x` between them")));
        };
        let side = |list: &Attribute<'t>| match list {
            Attribute::List(items) => {
                let numbers: Option<Axes> = items.iter().map(axis_number).collect();
                numbers.ok_or_else(|| self.fail(op, format!("`{name}` is no list of axes")))
            }
            _ => Err(self.fail(op, format!("`{name}` is no list of axes"))),
        };
        Ok((side(&pair.0)?, side(&pair.1)?))
    }
}

fn axis_number(attribute: &Attribute<'_>) -> Option<usize> {
    match attribute {
        Attribute::Number(digits) => digits.parse().ok().filter(|&n: &usize| n < 1 << 40),
        _ => None,
    }
}
